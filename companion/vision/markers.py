"""The table's markers: taught once from one frame, found again beside the trains.

A marker is known by the colours that few other things in the picture have, by its size and by how
long it is. Colours are compared after the light is taken out, and against all that the picture
shows now: what looks like the wood, the hub or a hand is no marker. In doubt nothing is found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from companion.errors import RuleBroken
from companion.lines import SeenMarker
from companion.observation import Point, Reading
from companion.saying import say
from companion.vision.geometry import Picture
from companion.vision.spots import (
    BINS,
    RARE,
    Bins,
    Blob,
    View,
    blobs,
    counted,
    nearest,
    share_of,
    smooth,
)

__all__ = ["Marker", "SeenMarker", "find", "learn"]

Place = tuple[float, float, float]
"""Where to look: x, y and radius in pixels."""

CONFIDENT = 0.35
"""Less sure ones are not told."""
FAINT = 0.15
"""Where one was seen before it is still there while it is seen as surely as this."""

_TAUGHT = 0.5
"""How far round the place that was pointed at a marker reaches, in tiles."""
_CORE, _RIM = 0.3, 0.85
"""How far the middle of what was pointed at reaches, and its surroundings."""
_OWN = 0.1
"""A colour is the marker's when so much of it in the picture lies where it was pointed at."""
_COPIES = 10.0
"""A colour is still telling when there is this many times a marker's share of it in the picture."""
_SMALLEST, _LARGEST = 0.02, 0.45
"""What a marker covers of the table, in squares of a tile's length."""
_ALIKE = 0.42
"""Spread of the logarithm of size: light, shadow and blur change what can be seen of it."""
_REPEATED = 0.55
"""How sure the marker must be found in the very frame that it was taught from."""

UNSEEN = say("Nothing stands out there: tap the marker's middle, or take one of another colour.")


@dataclass(frozen=True)
class Marker:
    """One kind of marker. Several of a kind may lie on the table.

    ``colours`` are bins of Lab (light taken out) with the share of the marker that each fills,
    ``size`` is its area in squares of a tile's length and ``long`` its length by its width.
    """

    name: str
    colours: tuple[tuple[int, int, int, float], ...]
    size: float
    long: float

    def to_json(self) -> dict[str, Any]:
        """The marker for storing."""
        return {
            "name": self.name,
            "colours": [[*where, round(share, 5)] for *where, share in self.colours],
            "size": round(self.size, 5),
            "long": round(self.long, 4),
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Marker:
        """The marker as it was stored; raises KeyError, TypeError or ValueError for none."""
        colours = tuple(
            (int(light), int(a), int(b), float(share)) for light, a, b, share in stored["colours"]
        )
        for *where, share in colours:
            if any(not 0 <= n < most for n, most in zip(where, BINS)) or not 0 < share <= 1:
                raise ValueError("A marker's colours lie in the bins, with a share each.")
        size, long = float(stored["size"]), float(stored["long"])
        if not (_SMALLEST / 4 < size < 4 * _LARGEST and 1 <= long < 50):
            raise ValueError("A marker has a size and a shape.")
        return cls(str(stored["name"]), colours, size, long)

    def shares(self) -> Bins:
        """How much of the marker each bin fills."""
        filled = np.zeros(BINS, np.float32)
        for light, one, other, share in self.colours:
            filled[light, one, other] = share
        return filled


def learn(
    image: Picture, place: Point, length: float, name: str, tiles: Sequence[Reading] = ()
) -> Marker:
    """The marker that lies at this place of a BGR frame, where a tile is ``length`` pixels long.

    Told the ``tiles`` in the frame, it can tell a white marker from them.
    Raises RuleBroken when nothing stands out there, or nothing that would be found again.
    """
    view = View.of(image, length, tiles)
    x, y = place[0] / view.step, place[1] / view.step
    rows, columns = np.mgrid[: view.bins.shape[0], : view.bins.shape[1]]
    away = np.hypot(columns - x, rows - y) / view.tile
    there = away < _TAUGHT
    inner, around = (share_of(view.bins[part]) for part in (away < _CORE, ~there & (away < _RIM)))
    own = smooth(counted(view.bins[there])) / (view.seen + RARE)
    own = np.where(inner > 2 * around, own, 0.0)  # what surrounds a marker is not the marker
    likely = np.asarray(np.where(there, view.like(own / (2 * _OWN)), 0), np.uint8)
    blob = nearest(blobs(likely), x, y, 0.3 * view.tile)
    if blob is None or not _SMALLEST < blob.area / view.tile**2 < _LARGEST:
        raise RuleBroken(UNSEEN)
    colours = counted(view.bins[blob.mask > 0])
    colours /= max(float(colours.sum()), 1.0)
    kept = np.argwhere(colours > 0)
    told = tuple((a, b, c, float(colours[a, b, c])) for a, b, c in kept.tolist())
    marker = Marker(name, told, blob.area / view.tile**2, blob.long)
    (known,) = _found(view, [marker])
    again = [blob for blob, _ in known if math.dist((blob.x, blob.y), (x, y)) < 0.4 * view.tile]
    if not again:
        raise RuleBroken(UNSEEN)
    return Marker(name, told, again[0].area / view.tile**2, again[0].long)


def find(
    image: Picture,
    markers: Sequence[Marker],
    tiles: Sequence[Reading],
    length: float,
    within: Sequence[Place] | None = None,
    least: float = CONFIDENT,
) -> tuple[SeenMarker, ...]:
    """The markers in a BGR frame, the surest first; only those that are hardly anything else.

    ``tiles`` that are sure are no markers. ``within`` are the places to look at, None for all;
    ``least`` is how sure one must be to be told.
    """
    if not markers:
        return ()
    view = View.of(image, length, tiles)
    found = []
    for marker, spots in zip(markers, _found(view, markers)):
        for blob, sure in spots:
            place = ((blob.x + 0.5) * view.step, (blob.y + 0.5) * view.step)
            if sure >= least and _in(place, within):
                found.append(SeenMarker(place, marker.name, sure))
    found.sort(key=lambda seen: -seen.confidence)
    kept: list[SeenMarker] = []
    for seen in found:
        if all(math.dist(seen.place, other.place) > 0.3 * length for other in kept):
            kept.append(seen)
    return tuple(kept)


def _in(place: Point, within: Sequence[Place] | None) -> bool:
    return within is None or any(math.dist(place, (x, y)) <= far for x, y, far in within)


@lru_cache(maxsize=64)
def _widened(marker: Marker) -> Bins:
    """A marker's colours as they count, kept: it is looked for in every frame."""
    return smooth(marker.shares())


def _found(view: View, markers: Sequence[Marker]) -> list[list[tuple[Blob, float]]]:
    """Spots that may be each of these markers, with how sure that is."""
    pixels = [marker.size * view.tile**2 for marker in markers]
    usual = _COPIES / (2 * view.seen + RARE)
    likely = [_widened(marker) * size * usual for marker, size in zip(markers, pixels)]
    spots = view.spots(likely, [(size / 3, size * 2.5) for size in pixels])
    return [
        sorted(((blob, _sure(blob, marker, size)) for blob in blobs), key=lambda each: -each[1])
        for marker, size, blobs in zip(markers, pixels, spots)
    ]


def _sure(blob: Blob, marker: Marker, pixels: float) -> float:
    """How sure it is that a spot is this marker, which covers so many pixels."""
    size = math.log(blob.area / pixels) / _ALIKE
    shape = math.log(blob.long / marker.long) / 0.45
    return math.exp(-0.5 * (size * size + shape * shape)) * min(1.0, blob.full / 0.8)
