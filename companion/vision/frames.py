"""Cheap looks at a camera's frames: has anything moved, has the hub changed, is it covered.

Frames are BGR; a small grey copy of a frame is all that is kept of it. Reads no tile.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Point

Picture = NDArray[np.uint8]

_WIDTH = 320
"""The small copy's width in pixels."""
STEP = 16
"""Grey levels that count as a change, well over a camera's noise."""
_AROUND, _UNEVEN = 7, 0.05
"""Light changes alike within so many pixels of the small copy: the logarithm of its gain spreads by
0.01 there, and by 0.05 to 0.15 where something lies that did not (simulated evenings, dim too)."""
_TINT, _WARMER = 0.15, 0.35
"""Light that comes or goes changes the logarithms of the colours by so much less than this apart,
and lamps that are dimmed by a share of their own change more: they grow warmer."""
_LOGARITHMS = np.log(np.arange(256) + 6).astype(np.float32)  # near black tells nothing of the light
_BLACK, _ALL_OVER = 20, 0.98
"""What no colour of is brighter than this is black; the lamps of a hub are less than the rest."""
_SAME = 0.1
"""Less than this share of a place differs where nothing came or went."""
_SLOT = 64
"""Pixels along each side of the small copy of the engine slot."""


def small(image: Picture) -> Picture:
    """A small grey copy of the frame."""
    return in_grey(coloured(image))


def coloured(image: Picture) -> Picture:
    """A small copy of the frame in its colours, on which changes are looked for: a sleeve may be
    as bright as the table."""
    height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
    while image.shape[1] >= 2 * _WIDTH and not any(side % 2 for side in image.shape[:2]):
        half = (image.shape[1] // 2, image.shape[0] // 2)  # three times as quick as in one go
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    shrunk = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, np.uint8)


def in_grey(coloured: Picture) -> Picture:
    """A small copy without its colours."""
    return np.asarray(cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY), np.uint8)


def is_dark(coloured: Picture) -> bool:
    """Whether a small copy is black all over, but for what glows: nothing can be read in it."""
    black = cv2.countNonZero(cv2.inRange(coloured, (0, 0, 0), (_BLACK,) * 3))
    return bool(black > _ALL_OVER * coloured.shape[0] * coloured.shape[1])


def differing(one: Picture, other: Picture) -> Picture:
    """Where two small copies differ in a colour, once a change of the whole light is taken out.

    1 where they do, else 0. Light that grows makes every colour so many times brighter.
    """
    before, after = (np.median(each[::4, ::4], axis=(0, 1)) for each in (one, other))
    gain = np.clip((after + 1) / (before + 1), 0.5, 2.0)
    levels = np.arange(256)[:, None, None] * gain
    lit = cv2.LUT(one, np.clip(levels.round(), 0, 255).astype(np.uint8))
    blue, green, red = cv2.split(cv2.absdiff(lit, other))
    most = cv2.max(cv2.max(blue, green), red)
    changed = cv2.threshold(most, STEP, 1, cv2.THRESH_BINARY)[1]
    if not cv2.countNonZero(changed):
        return np.asarray(changed, np.uint8)
    return np.asarray(
        cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8
    )


def same_at(one: Picture, other: Picture, place: Point, reach: float) -> bool:
    """Whether two small copies show the same at this place, and ``reach`` pixels round it."""
    if one.shape != other.shape:
        return False
    left, top = (max(0, round(at - reach)) for at in place)
    right, bottom = (max(0, round(at + reach)) + 1 for at in place)
    there = differing(one, other)[top:bottom, left:right]
    return bool(there.size) and float(there.mean()) < _SAME


def unevenly(one: Picture, other: Picture) -> Picture:
    """Where two small copies differ by more than light that comes or goes: 1 there, else 0.

    A sleeve may be as even as the table under it, but light is much the same in all colours.
    """
    before, after = (cv2.LUT(cv2.blur(each, (3, 3)), _LOGARITHMS) for each in (one, other))
    gains = after - before
    blue, green, red = cv2.split(gains - np.median(gains[::4, ::4], axis=(0, 1)))
    gain = (blue + green + red) / 3
    around = (_AROUND, _AROUND)
    spread = cv2.blur(gain * gain, around) - cv2.blur(gain, around) ** 2
    tint = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    uneven = (spread > _UNEVEN**2) | (tint > _TINT + _WARMER * np.abs(gain))
    return np.asarray(uneven, np.uint8)


def change(one: Picture, other: Picture, within: Picture | None = None) -> float:
    """The largest connected change between two coloured copies, as a share of the picture.

    Lamps that blink are tiny in it; a tile is several times larger and a hand fills a tenth. Only
    where ``within`` is not 0 counts.
    """
    if one.shape != other.shape:
        return 1.0
    changed = differing(one, other)
    if within is not None:
        changed &= within
    if not cv2.countNonZero(changed):
        return 0.0
    _, _, areas, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return float(areas[1:, cv2.CC_STAT_AREA].max() / changed.size)


def slot(image: Picture, centre: Point, length: float | None) -> Picture:
    """A small grey copy of the engine slot alone.

    ``centre`` and ``length`` (of a tile) are in pixels; without a length an eighth of the picture
    is taken.
    """
    x0, y0, x1, y1 = slot_box(image.shape[1], image.shape[0], centre, length)
    part = cv2.resize(image[y0:y1, x0:x1], (_SLOT, _SLOT), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)


def slot_changed(one: Picture, other: Picture) -> bool:
    """Whether a tile's pips could differ between two copies of the slot."""
    difference = one.astype(np.int16) - other
    difference -= np.int16(np.median(difference))
    return bool(np.mean(np.abs(difference) > 2 * STEP) > 0.003)


def slot_box(
    width: int, height: int, centre: Point, length: float | None
) -> tuple[int, int, int, int]:
    """The square round the slot, within the picture and never empty."""
    half = 0.65 * (length or min(width, height) / 8)
    x0, y0 = (int(np.clip(at - half, 0, size - 2)) for at, size in zip(centre, (width, height)))
    x1, y1 = (int(np.clip(at + half, 2, size)) for at, size in zip(centre, (width, height)))
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def covered(
    now: Picture, before: Picture, size: tuple[int, int], centre: Point, length: float | None
) -> bool:
    """Whether something large lies over the slot that was not there before.

    ``now`` and ``before`` are coloured copies of frames of this ``size`` (width, height); centre
    and length are in pixels of the frame. A tile that was lifted changes the slot alone; a hand,
    an arm or a cup reaches far beyond it.
    """
    if now.shape != before.shape:
        return False
    share = now.shape[1] / size[0]
    place = (centre[0] * share, centre[1] * share)
    span = None if length is None else length * share
    x0, y0, x1, y1 = slot_box(now.shape[1], now.shape[0], place, span)
    _, labels, areas, _ = cv2.connectedComponentsWithStats(differing(now, before), connectivity=8)
    inside = labels[y0:y1, x0:x1]
    for label in np.unique(inside[inside > 0]):
        within = int((inside == label).sum())
        beyond = int(areas[label, cv2.CC_STAT_AREA]) - within
        if within > 0.15 * inside.size and beyond > inside.size:
            return True
    return False


def holds(area: Sequence[Point], place: Point) -> bool:
    """Whether a place lies in the polygon, or on its edge."""
    outline = np.array(area, np.float32)
    return cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), False) >= 0


def skin_over(image: Picture, centre: Point, length: float | None) -> bool:
    """Whether the slot shows mostly skin, which the rest of the picture does not.

    Skin of any tone keeps within these red and blue differences. Asked only while no earlier frame
    tells what the slot looks like.
    """
    x0, y0, x1, y1 = slot_box(image.shape[1], image.shape[0], centre, length)
    whole = cv2.cvtColor(image[::8, ::8], cv2.COLOR_BGR2YCrCb).reshape(-1, 3).astype(np.float32)
    part = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2YCrCb).reshape(-1, 3)
    skin = (part[:, 0] > 50) & (part[:, 1] > 137) & (part[:, 1] < 180)
    skin &= (part[:, 2] > 77) & (part[:, 2] < 128)
    foreign = np.linalg.norm(np.median(part, axis=0) - np.median(whole, axis=0)) > 25
    return bool(foreign and skin.mean() > 0.5)


class Undeveloped:
    """A frame that is made a JPEG file only when somebody asks, and then once."""

    def __init__(self, image: Picture) -> None:
        self._image: Picture | None = image
        self._file = b""

    def __call__(self) -> bytes:
        """The JPEG file."""
        image = self._image
        if image is not None:
            self._file = jpeg(image)
            self._image = None
        return self._file


def jpeg(image: Picture, quality: int = 85) -> bytes:
    """The frame as a JPEG file."""
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        raise ValueError("The picture cannot be stored as a JPEG.")
    return bytes(data)
