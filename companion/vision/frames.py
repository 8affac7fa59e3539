"""Cheap looks at a camera's frames: has anything moved, has the hub changed, is it covered.

Frames are BGR; a small grey copy of a frame is all that is kept of it. Reads no tile.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Point

Picture = NDArray[np.uint8]

_WIDTH = 320
"""The small copy's width in pixels."""
_STEP = 16
"""Grey levels that count as a change, well over a camera's noise."""
_SLOT = 64
"""Pixels along each side of the small copy of the engine slot."""


def small(image: Picture) -> Picture:
    """A small grey copy of the frame, which all comparing is done on."""
    height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
    shrunk = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY), np.uint8)


def _differing(one: Picture, other: Picture) -> Picture:
    """Where two small copies differ, once a change of the whole light is taken out (0 or 1)."""
    difference = one.astype(np.int16) - other
    difference -= np.int16(np.median(difference[::4, ::4]))
    changed = (np.abs(difference) > _STEP).astype(np.uint8)
    return np.asarray(
        cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8
    )


def change(one: Picture, other: Picture) -> float:
    """The largest connected change between two small copies, as a share of the picture.

    Lamps that blink are tiny in it; a tile is several times larger and a hand fills a tenth.
    """
    if one.shape != other.shape:
        return 1.0
    changed = _differing(one, other)
    if not changed.any():
        return 0.0
    _, _, areas, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return float(areas[1:, cv2.CC_STAT_AREA].max() / changed.size)


def slot(image: Picture, centre: Point, length: float | None) -> Picture:
    """A small grey copy of the engine slot alone.

    ``centre`` and ``length`` (of a tile) are in pixels; without a length an eighth of the picture
    is taken.
    """
    x0, y0, x1, y1 = _box(image.shape[1], image.shape[0], centre, length)
    part = cv2.resize(image[y0:y1, x0:x1], (_SLOT, _SLOT), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)


def slot_changed(one: Picture, other: Picture) -> bool:
    """Whether a tile's pips could differ between two copies of the slot."""
    difference = one.astype(np.int16) - other
    difference -= np.int16(np.median(difference))
    return bool(np.mean(np.abs(difference) > 2 * _STEP) > 0.003)


def _box(width: int, height: int, centre: Point, length: float | None) -> tuple[int, int, int, int]:
    """The square round the slot, within the picture and never empty."""
    half = 0.65 * (length or min(width, height) / 8)
    x0, y0 = (int(np.clip(at - half, 0, size - 2)) for at, size in zip(centre, (width, height)))
    x1, y1 = (int(np.clip(at + half, 2, size)) for at, size in zip(centre, (width, height)))
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


def covered(
    now: Picture, before: Picture, size: tuple[int, int], centre: Point, length: float | None
) -> bool:
    """Whether something large lies over the slot that was not there before.

    ``now`` and ``before`` are small copies of frames of this ``size`` (width, height); centre and
    length are in pixels of the frame. A tile that was lifted changes the slot alone; a hand, an arm
    or a cup reaches far beyond it.
    """
    if now.shape != before.shape:
        return False
    share = now.shape[1] / size[0]
    place = (centre[0] * share, centre[1] * share)
    span = None if length is None else length * share
    x0, y0, x1, y1 = _box(now.shape[1], now.shape[0], place, span)
    _, labels, areas, _ = cv2.connectedComponentsWithStats(_differing(now, before), connectivity=8)
    inside = labels[y0:y1, x0:x1]
    for label in np.unique(inside[inside > 0]):
        within = int((inside == label).sum())
        beyond = int(areas[label, cv2.CC_STAT_AREA]) - within
        if within > 0.15 * inside.size and beyond > inside.size:
            return True
    return False


def skin_over(image: Picture, centre: Point, length: float | None) -> bool:
    """Whether the slot shows mostly skin, which the rest of the picture does not.

    Skin of any tone keeps within these red and blue differences. Asked only while no earlier frame
    tells what the slot looks like.
    """
    x0, y0, x1, y1 = _box(image.shape[1], image.shape[0], centre, length)
    whole = cv2.cvtColor(image[::8, ::8], cv2.COLOR_BGR2YCrCb).reshape(-1, 3).astype(np.float32)
    part = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2YCrCb).reshape(-1, 3)
    skin = (part[:, 0] > 50) & (part[:, 1] > 137) & (part[:, 1] < 180)
    skin &= (part[:, 2] > 77) & (part[:, 2] < 128)
    foreign = np.linalg.norm(np.median(part, axis=0) - np.median(whole, axis=0)) > 25
    return bool(foreign and skin.mean() > 0.5)


def jpeg(image: Picture, quality: int = 85) -> bytes:
    """The frame as a JPEG file."""
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        raise ValueError("The picture cannot be stored as a JPEG.")
    return bytes(data)
