"""A second opinion that knows no network: the spots on a half, counted where they are plain.

It speaks only where every spot is a clear disc, all are alike, and nothing else is to be seen on
the half, not even faintly; so it has no opinion of glare, blur, wear, wood or a covered edge. Where
it does speak and counts otherwise, the pips lie in no layout that the reading could be of.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Floats, Picture, Pyramid

WIDTH, HEIGHT = 144, 72
"""Pixels of the straightened tile in which spots are looked for."""
RIM, MIDDLE = 0.06, 0.07
"""Shares of a half at its edges and at the divider where nothing is looked at."""
CONTRAST = 28
"""Least steps of brightness, in one channel, between spots and body."""
FAINT = 0.4
"""What differs from the body by this share of the limit, beside the spots, may be one more."""
SMALLEST, LARGEST = 0.006, 0.075
"""A spot's area as a share of the half's."""
FULL = 0.6
"""Least share of a spot's box that it fills: a disc fills 0.79."""
LONGEST = 1.7
"""Most times a spot is longer than wide."""
ALIKE = 1.8
"""Most times a spot is larger or smaller than the median."""
LEFT_OVER = 0.35
"""Most of a spot's area that anything else on the half may have."""


def miscounted(photo: Pyramid, corners: Floats, ends: tuple[int, int]) -> bool:
    """Whether a half of the tile plainly shows another number of spots than was read."""
    face = photo.cut(corners, WIDTH, HEIGHT, 1.0)
    left, right = face[:, : WIDTH // 2], face[:, : WIDTH // 2 - 1 : -1]
    counts = plain_spots(left), plain_spots(right)
    return any(count not in (None, end) for count, end in zip(counts, ends))


def plain_spots(half: Picture) -> int | None:
    """The spots of a half whose divider is on the right; None without an opinion."""
    side = half.shape[0]
    rim, middle = round(RIM * side), round((1 - MIDDLE) * side)
    inner = np.ascontiguousarray(half[rim : side - rim, rim:middle])
    apart = from_body(inner)
    limit, spots = cv2.threshold(apart, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if limit < CONTRAST / 2:
        return None
    closed = cv2.morphologyEx(spots, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    areas = disc_areas(np.asarray(closed, np.uint8), side * side)
    if areas is None:
        return None
    usual = float(np.median(areas))
    if max(areas) > ALIKE * usual or min(areas) < usual / ALIKE:
        return None
    beside = np.asarray(cv2.dilate(closed, np.ones((5, 5), np.uint8))) == 0
    faint = ((apart > FAINT * limit) & beside).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(faint, connectivity=4)
    others = stats[1:, cv2.CC_STAT_AREA]
    return None if (others > LEFT_OVER * usual).any() else len(areas)


def from_body(inner: Picture) -> NDArray[np.uint8]:
    """How far each pixel is from the usual colour, in the channel where it is farthest."""
    apart = np.zeros(inner.shape[:2], np.uint8)
    for channel in (np.ascontiguousarray(inner[:, :, number]) for number in range(3)):
        below = np.cumsum(np.bincount(channel.ravel(), minlength=256))
        usual = int(np.searchsorted(below, channel.size / 2))
        away = cv2.absdiff(channel, np.full_like(channel, usual))
        apart = np.maximum(apart, np.asarray(away, np.uint8))
    return apart


def disc_areas(spots: NDArray[np.uint8], whole: int) -> list[int] | None:
    """Areas of the spots; None unless there are some and all are discs of a fitting size that
    nothing cuts off. Specks are passed over; ``whole`` is the half's area."""
    height, width = spots.shape
    _, _, stats, _ = cv2.connectedComponentsWithStats(spots, connectivity=4)
    areas = []
    for x, y, wide, high, size in stats[1:].tolist():
        if size < SMALLEST / 3 * whole:
            continue
        inside = x > 0 and y > 0 and x + wide < width and y + high < height
        fits = SMALLEST * whole <= size <= LARGEST * whole and size >= FULL * wide * high
        if not inside or not fits or max(wide, high) > LONGEST * min(wide, high):
            return None
        areas.append(size)
    return areas or None
