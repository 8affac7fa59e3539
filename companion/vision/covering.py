"""What lies over the table besides tiles: hands, arms and cups, told from light.

Works on the small copies of ``frames``, in which a picture has ``share`` of the frame's pixels.
Reads no tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Point, Reading

Picture = NDArray[np.uint8]

_OVER, _BEYOND = 0.3, 1.0
"""What lies over a tile hides this share of it and reaches this many tiles' surface farther."""
_ROUND = 1.25
"""A tile and the shadow round it are so many times as large."""
_AT, _MORE = 1.5, 2.0
"""What touches a tile comes into its place made so many times as large, and is itself larger than
so many tiles."""
_LIT, _ENOUGH = 0.2, 50
"""What is not even in less than this share of it is another light, told from so many pixels on."""
_NEW = 0.55
"""This share of a place has changed where a tile was laid that can hardly be read."""


def surface(
    tiles: Iterable[Reading], shape: tuple[int, ...], share: float, about: float = 1.0
) -> Picture:
    """1 where these tiles lie in a small copy of this shape, else 0.

    They are taken so many times as large ``about`` their middles.
    """
    corners = np.array([tile.corners for tile in tiles], np.float64).reshape(-1, 4, 2)
    middles = corners.mean(1, keepdims=True)
    outlines = np.round((middles + (corners - middles) * about) * share).astype(np.int32)
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [outline], 1)
    return mask


def share_on(marked: Picture, tile: Reading, share: float) -> float:
    """Which share of this tile's place is marked in a small copy; 0 where it lies outside."""
    place = surface([tile], marked.shape, share)
    return float(marked[place == 1].mean()) if place.any() else 0.0


class Covers:
    """What lies over the table besides tiles, from where two small copies differ.

    ``changed`` is 1 where they do; ``gone`` are the tiles that lay there and were not read any
    more, ``come`` those that are new; the small copy has ``share`` of the frame's pixels. Where
    what ``uneven`` makes is 1 more than the light has changed; without it light is not told from
    things.
    """

    def __init__(
        self,
        changed: Picture,
        gone: Iterable[Reading],
        come: Iterable[Reading],
        share: float,
        uneven: Callable[[], Picture] | None = None,
    ) -> None:
        self._share, self._changed = share, changed
        self._tiles = surface(gone, changed.shape, share, _ROUND)
        rest = cv2.bitwise_and(changed, 1 - surface(come, changed.shape, share, _ROUND))
        _, self._labels, _, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
        beyond = self._labels[self._tiles == 0]
        self._beyond = np.bincount(beyond, minlength=int(self._labels.max()) + 1)
        self._beyond[0] = 0
        if uneven is not None and self.largest() >= _ENOUGH:
            self._beyond[self._are_light(uneven())] = 0

    def _are_light(self, uneven: Picture) -> NDArray[np.bool_]:
        """Of every thing, whether light came or went; tiles and their rims say nothing of it."""
        free = cv2.dilate(self._tiles, np.ones((9, 9), np.uint8)) == 0
        count = len(self._beyond)
        pixels = np.bincount(self._labels[free], minlength=count)
        odd = np.bincount(self._labels[free & (uneven == 1)], minlength=count)
        return np.asarray((pixels >= _ENOUGH) & (odd < _LIT * pixels))

    def over(self, tile: Reading) -> bool:
        """Whether something lies over this tile that is much larger than what it hides."""
        mask = surface([tile], self._tiles.shape, self._share)
        there = self._labels[mask == 1]
        if not len(there):
            return False
        found = np.bincount(there, minlength=len(self._beyond))
        label = int(np.argmax(np.where(self._beyond > _BEYOND * len(there), found, 0)))
        return bool(self._beyond[label] > _BEYOND * len(there)) and bool(
            found[label] > _OVER * len(there)
        )

    def touches(self, tile: Reading) -> bool:
        """Whether something much larger than this tile lies at it, and perhaps on a part of it."""
        least = _MORE * surface([tile], self._tiles.shape, self._share).sum()
        if self.largest() <= least:
            return False
        near = surface([tile], self._tiles.shape, self._share, _AT)
        return bool((self._beyond[self._labels[near == 1]] > least).any())

    def changed(self, tile: Reading) -> bool:
        """Whether much of this tile's place differs from before."""
        return share_on(self._changed, tile, self._share) > _NEW

    def hides(self, place: Point, size: float) -> bool:
        """Whether something larger than ``size`` pixels of the small copy lies over this place."""
        x, y = (round(at * self._share) for at in place)
        near = self._labels[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        return bool((self._beyond[near] > size).any()) if near.size else False

    def largest(self) -> int:
        """Pixels of the small copy of the largest thing, besides the tiles."""
        return int(self._beyond.max(initial=0))
