"""The finder: where in a photo tiles may lie, as rough outlines with a score.

Looks at the whole photo at several sizes. It knows no pips and does not decide what is a tile:
that is for the refiner and the value reader.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Chosen, Floats, Picture, Pyramid, resized
from companion.vision.networks import Network

SIZES = (112, 224, 448, 896)
"""Pixels of the longer side at which the photo is looked at: a tile that fills the picture is known
at the smallest size, one of a hundred at the largest."""
LARGEST_GAIN = 1.5
"""Small photos are not blown up by more than this."""
STRIDE = 32
"""The network wants sides that are multiples of this."""
CELL = 4
"""Pixels of the looked-at picture for each cell of the network's answer."""
PEAK = 0.25
"""Least score of a peak: lower ones brought hundreds of false outlines and no tile more."""


FIRST = 448
"""The photo is looked at in this size first, which tells what other sizes can help."""
SEEN = 0.4
"""Least score of an outline that tells how large the tiles are."""
SHORT, LONG = 32.0, 120.0
"""Pixels of a tile's length at the first look: shorter ones are looked for at a larger size, at
which the shortest but a FEW are as long as that, longer ones at a smaller."""
FEW = 10
"""Per cent of the tiles that may stay shorter, lest one far away costs as much as all others."""


@dataclass(frozen=True)
class Outlines:
    """Rough outlines: ``corners`` of shape (n, 4, 2) in photo pixels, ``scores`` from 0 to 1."""

    corners: Floats
    scores: Floats

    def __len__(self) -> int:
        return len(self.scores)

    def of(self, chosen: Chosen) -> Outlines:
        """These of the outlines, in this order."""
        return Outlines(self.corners[chosen], self.scores[chosen])


def joined(*parts: Outlines) -> Outlines:
    """All outlines of the parts."""
    return Outlines(
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.scores for part in parts]),
    )


class Finder:
    """Finds outlines with the network ``finder.onnx``; see ``weights/README.md``."""

    def __init__(self) -> None:
        self._network = Network("finder")

    @cached_property
    def _large(self) -> Network:
        """The same for sizes beyond the first look's: one network would take and give back its
        memory at each change of size, which is a third of the time."""
        return Network("finder")

    def look(self, photo: Pyramid) -> Outlines:
        """Outlines in the photo, many of them several times."""
        longest = max(photo.width, photo.height)
        sizes = [size for size in SIZES if size <= LARGEST_GAIN * longest] or SIZES[:1]
        first = FIRST if FIRST in sizes else sizes[-1]
        found = self._at(photo, first)
        tiles = lengths(found) * first / longest
        seen = tiles[found.scores >= SEEN]
        parts = [self._at(photo, size) for size in sizes if size < first and helps(size, seen)]
        if sizes[-1] > first and (not len(seen) or seen.min() < SHORT):
            parts.append(self._at(photo, larger(sizes[-1], seen)))
            found = found.of(tiles >= SHORT)
        return joined(found, *parts)

    def look_again(self, photo: Pyramid, shortest: float) -> Outlines:
        """Outlines in a picture whose tiles are known to be at least so many pixels long.

        One look at one size, which shows whether a tile lies where none was known.
        """
        size = max(photo.width, photo.height) * SHORT / max(shortest, 1.0)
        fitting = STRIDE * math.ceil(size / STRIDE)
        return self._at(photo, min(SIZES[-1], max(SIZES[0], fitting)))

    def let_go(self) -> None:
        """Give back what the last photo took; the next one takes it anew."""
        self._network.let_go((STRIDE, STRIDE))
        if "_large" in self.__dict__:
            self._large.let_go((STRIDE, STRIDE))

    def _at(self, photo: Pyramid, size: int) -> Outlines:
        """Outlines in the photo shown to the network with a longer side of ``size`` pixels."""
        scale = size / max(photo.width, photo.height)
        canvas, shift = letterboxed(photo.at_least(size), size)
        network = self._network if size <= FIRST else self._large
        found = decoded(network.run([canvas])[0])
        return Outlines((found.corners - shift) / scale, found.scores)


def helps(size: int, seen: Floats) -> bool:
    """Whether a look at this smaller size may show more, after the lengths seen at the first."""
    return not len(seen) or bool(seen.max() > LONG * FIRST / size / 2)


def larger(largest: int, seen: Floats) -> int:
    """The size at which the tiles seen at the first look, but a few, are long enough."""
    if not len(seen):
        return largest
    wanted = FIRST * SHORT / float(np.percentile(seen, FEW, method="lower"))
    return min(largest, max(FIRST * 5 // 4, STRIDE * math.ceil(wanted / STRIDE)))


def lengths(outlines: Outlines) -> Floats:
    """The length of each outline, in pixels of the photo."""
    corners = outlines.corners
    along = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    return np.asarray(np.hypot(*along.T))


def letterboxed(picture: Picture, size: int) -> tuple[Picture, Floats]:
    """The picture with a longer side of ``size`` pixels, and where its corner lies.

    It is surrounded by its mean colour up to the next multiples of ``STRIDE``.
    """
    scale = size / max(picture.shape[:2])
    width, height = (max(1, round(side * scale)) for side in picture.shape[1::-1])
    small = resized(picture, width, height)
    across, down = -width % STRIDE, -height % STRIDE
    left, top = across // 2, down // 2
    canvas = cv2.copyMakeBorder(
        small,
        top,
        down - top,
        left,
        across - left,
        cv2.BORDER_CONSTANT,
        value=cv2.mean(small),
    )
    return np.asarray(canvas, np.uint8), np.array([left, top], np.float64)


def decoded(answer: NDArray[np.float32]) -> Outlines:
    """Outlines in pixels of the looked-at picture from the network's ten maps.

    The maps, in cells: how surely a tile's centre (logit), the centre's shift x and y, then for
    the long and the short half-axis each its log length and cosine and sine of twice its angle.
    """
    heat = 1 / (1 + np.exp(-answer[0]))
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3)))) & (heat > PEAK)
    rows, columns = np.nonzero(peaks)
    maps = answer[:, rows, columns].astype(np.float64)
    centres = (np.stack([columns, rows], 1) + maps[1:3].T + 0.5) * CELL
    along, across = half_axis(*maps[3:6]), half_axis(*maps[6:9])
    mirrored = along[:, 0] * across[:, 1] < along[:, 1] * across[:, 0]
    across[mirrored] *= -1
    corners = np.stack(
        [
            centres - along - across,
            centres + along - across,
            centres + along + across,
            centres - along + across,
        ],
        1,
    )
    return Outlines(corners, heat[rows, columns] * trust(2 * np.hypot(*along.T)))


def half_axis(log_length: Floats, cosine: Floats, sine: Floats) -> Floats:
    """Vectors of shape (n, 2) in pixels from log length in cells and the doubled angle."""
    lengths, angles = (
        CELL * np.exp(np.minimum(log_length, 5)),
        np.arctan2(sine, cosine) / 2,
    )
    return np.stack([lengths * np.cos(angles), lengths * np.sin(angles)], 1)


def trust(lengths: Floats) -> Floats:
    """How far to trust outlines of these lengths in pixels: the network knows 22 to 220 best."""
    return np.where(lengths <= 22, 0.85, np.where(lengths < 220, 1.0, 0.8))
