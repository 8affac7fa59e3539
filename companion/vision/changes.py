"""Which parts of the picture must be read again, and whether a tile's place looks as it did.

Works on the small grey copies of ``frames`` and, for single tiles, on a larger grey one. Reads no
tile and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Point, Reading
from companion.tracking import length

Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the frame."""

_PART = 10
"""Pixels of the small copy below which a change is no part of a tile."""
_ROUND_IT = 0.4
"""A new tile's middle may lie so far beyond what looks changed, in tile lengths: half of it may lie
on its own colour."""
_CONTEXT = 0.25
"""The reader is shown so much more on every side, in tile lengths."""
_MOST_PARTS, _MOST_SHARE = 4, 0.5
"""More parts, or more of the picture, are read as a whole."""
_GREYS = 1280
"""Pixels of the longer side of the grey copy on which single tiles are compared."""
_WIDE, _HIGH = 48, 24
"""Pixels of a tile's face for comparing."""
_PIPS, _RIM, _SEARCHED = 0.9, 1.15, 1.5
"""How much of a tile is shown: its pips alone, its rim as well, and where it may have moved to."""
_ALIKE = 0.8
"""Correlation from which on two faces are one."""
_SAME_PIPS = 0.935
"""The same for the pips: one pip more or less comes to 0.91 at most, the same to 0.94 over the
frames of a real table."""
_FLAT = 7.0
"""Mean grey levels that a face without contrast may differ by: one that spreads over fewer."""


@dataclass(frozen=True)
class Part:
    """A part of the frame to read: tiles whose middle lies in ``core`` count, ``crop`` is shown."""

    core: Box
    crop: Box

    def holds(self, place: Point) -> bool:
        """Whether this place belongs to the part."""
        x0, y0, x1, y1 = self.core
        return x0 <= place[0] < x1 and y0 <= place[1] < y1

    def cuts(self, reading: Reading, width: int, height: int) -> bool:
        """Whether the crop's edge, and not the frame's, cuts this tile."""
        x0, y0, x1, y1 = self.crop
        return any(
            (x0 > 0 and x < x0 + 2)
            or (y0 > 0 and y < y0 + 2)
            or (x1 < width and x > x1 - 2)
            or (y1 < height and y > y1 - 2)
            for x, y in reading.corners
        )

    def wider(self, by: float, width: int, height: int) -> Part:
        """The same part with a larger crop."""
        return Part(self.core, grown(self.crop, by, width, height))


def grey(image: Picture) -> Picture:
    """The grey copy on which faces are compared."""
    scale = _GREYS / max(image.shape[:2])
    if scale < 1:
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def mask_of(area: Sequence[Point], shape: tuple[int, ...], share: float) -> Picture:
    """1 within the area and a little round it, else 0, in a small copy of this shape.

    ``area`` is in pixels of the frame, of which the small copy has ``share``.
    """
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(area) * share).astype(np.int32)], 1)
    return np.asarray(cv2.dilate(mask, np.ones((9, 9), np.uint8)), np.uint8)


def boxes_of(changed: Picture, share: float) -> list[Box]:
    """A box in pixels of the frame round each change of the small copy that may be of a tile."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return [
        (int(x / share), int(y / share), int((x + w) / share) + 1, int((y + h) / share) + 1)
        for x, y, w, h, pixels in stats[1:]
        if pixels >= _PART
    ]


def box_round(reading: Reading) -> Box:
    """The box round a tile."""
    xs, ys = zip(*reading.corners)
    return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1


def parts_of(
    boxes: Iterable[Box], tiles: Sequence[Reading], width: int, height: int
) -> list[Part] | None:
    """What to read so that everything in these boxes is seen whole; None for the whole frame.

    ``tiles`` are those known so far: their usual length says how far a new one may reach.
    """
    if not tiles:
        return None
    usual = float(np.median([length(tile) for tile in tiles]))
    cores = _united([grown(box, _ROUND_IT * usual, width, height) for box in boxes])
    parts = []
    for core in cores:
        inside = [box_round(tile) for tile in tiles if Part(core, core).holds(tile.centre)]
        whole = _united([core, *inside], always=True)[0]
        parts.append(Part(core, grown(whole, _CONTEXT * usual, width, height)))
    surface = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (part.crop for part in parts))
    if not parts or len(parts) > _MOST_PARTS or surface > _MOST_SHARE * width * height:
        return None
    return parts


def grown(box: Box, by: float, width: int, height: int) -> Box:
    """The box, larger on every side by so many pixels, within the frame."""
    x0, y0, x1, y1 = box
    step = round(by)
    return (max(0, x0 - step), max(0, y0 - step), min(width, x1 + step), min(height, y1 + step))


def _united(boxes: Sequence[Box], always: bool = False) -> list[Box]:
    """Boxes that overlap made one."""
    done: list[Box] = []
    for new in boxes:
        apart = []
        for old in done:
            if always or _meet(old, new):
                new = (
                    min(old[0], new[0]),
                    min(old[1], new[1]),
                    max(old[2], new[2]),
                    max(old[3], new[3]),
                )
            else:
                apart.append(old)
        done = [*apart, new]
    return done if always or len(done) == len(boxes) else _united(done)


def _meet(one: Box, other: Box) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


class Face(NamedTuple):
    """What a tile looks like: with its rim, and where its pips are."""

    whole: Picture
    pips: Picture


def face(grey: Picture, reading: Reading, width: int) -> Face:
    """A tile's face in the grey copy of a frame of this ``width``."""
    whole = _cut(grey, reading, width, _RIM)
    return Face(whole, _cut(grey, reading, width, _PIPS))


def alike(before: Face, grey: Picture, reading: Reading, width: int) -> bool:
    """Whether this tile's place still looks like the face ``before``, perhaps shifted a little."""
    best, off = _best(_cut(grey, reading, width, _SEARCHED), before.whole)
    return best >= _ALIKE or (float(before.whole.std()) < _FLAT and off < _FLAT)


def same_pips(before: Face, grey: Picture, reading: Reading, width: int) -> bool:
    """Whether the tile at this place has the pips of the face ``before``."""
    if float(before.pips.std()) < _FLAT:
        off = before.pips.astype(np.float32) - _cut(grey, reading, width, _PIPS)
        return float(np.abs(off - np.median(off)).mean()) < _FLAT
    return _best(_cut(grey, reading, width, _RIM), before.pips)[0] >= _SAME_PIPS


def _best(around: Picture, face: Picture) -> tuple[float, float]:
    """How well a face is found in its surroundings: correlation, and mean grey levels off."""
    fit = cv2.matchTemplate(around, face, cv2.TM_CCOEFF_NORMED)
    row, column = (int(at) for at in np.unravel_index(int(np.argmax(fit)), fit.shape))
    high, wide = face.shape
    off = face.astype(np.float32) - around[row : row + high, column : column + wide]
    return float(fit[row, column]), float(np.abs(off - np.median(off)).mean())


def _cut(grey: Picture, reading: Reading, width: int, about: float) -> Picture:
    """So many times the tile's length, and as many pixels more across, cut out straight."""
    share = grey.shape[1] / width
    _, start, end, below = (np.array(corner, np.float64) * share for corner in reading.corners)
    middle, along, across = (start + below) / 2, (end - start) / 2, (below - end) / 2
    wide, high = round(_WIDE * about), round(_HIGH + _WIDE * (about - 1))
    along, across = along * wide / _WIDE, across * high / _HIGH
    corners = [middle - along - across, middle + along - across, middle + along + across]
    goal = np.array([[0, 0], [wide, 0], [wide, high]], np.float32)
    turn = cv2.getAffineTransform(np.array(corners, np.float32), goal)
    cut = cv2.warpAffine(grey, turn, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
