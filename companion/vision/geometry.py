"""Four-cornered outlines in a picture: cutting them out straight, and telling which overlap.

An outline is a float array of shape (4, 2), x and y in pixels, clockwise on the picture from the
top left of the tile as if it lay on its long side. Knows nothing of what is in the outlines.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Height by width by 3, blue green red."""
Floats = NDArray[np.floating[Any]]
Chosen = list[int] | NDArray[np.bool_]
"""Some of a row of things: by their numbers, in this order, or by a mark for each."""

SMALLEST_AREA = 30.0
"""Outlines below this many square pixels hold nothing that could be read."""
COARSEST_STEP = 1.5
"""Source pixels per cut pixel above which a halved copy is cut from, so that nothing aliases."""


def resized(picture: Picture, width: int, height: int) -> Picture:
    """The picture at another size, averaged when it shrinks."""
    shrinks = width < picture.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=how), np.uint8)


class Pyramid:
    """A picture with its copies at a half, a quarter, ... of its size, made when first needed."""

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]
        self.height, self.width = picture.shape[:2]

    def at_least(self, longest: int) -> Picture:
        """The smallest copy whose longer side still has this many pixels, if any copy does."""
        return self._level(max(self.width, self.height) / longest)

    def cut(self, outline: Floats, width: int, height: int, margin: float) -> Picture:
        """The outline made a rectangle of ``width / margin`` by ``height / margin`` pixels.

        It lies in the middle of the cut; what surrounds it fills the rest. Beyond the
        picture's edge its last pixels are repeated.
        """
        a, b, c, d = outline.tolist()
        long, short = math.dist(a, b) + math.dist(c, d), math.dist(b, c) + math.dist(d, a)
        source = self._level(margin * min(long / width, short / height) / COARSEST_STEP)
        shrink = np.array([source.shape[1] / self.width, source.shape[0] / self.height])
        turn = cv2.getPerspectiveTransform(
            (outline * shrink).astype(np.float32), target(width, height, margin)
        )
        return np.asarray(
            cv2.warpPerspective(
                source,
                turn,
                (width, height),
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.uint8,
        )

    def _level(self, reduction: float) -> Picture:
        """The copy that is the most shrunk without exceeding this reduction."""
        number = int(math.log2(reduction)) if reduction >= 2 else 0
        while len(self._levels) <= number and min(self._levels[-1].shape[:2]) >= 4:
            last = self._levels[-1]
            self._levels.append(resized(last, last.shape[1] // 2, last.shape[0] // 2))
        return self._levels[min(number, len(self._levels) - 1)]


@cache
def target(width: int, height: int, margin: float) -> NDArray[np.float32]:
    """Where the corners of an outline lie in its cut."""
    x, y = width * (1 - 1 / margin) / 2, height * (1 - 1 / margin) / 2
    corners = [[x, y], [width - x, y], [width - x, height - y], [x, height - y]]
    return np.array(corners, np.float32)


def area(outline: Floats) -> float:
    """Square pixels within the outline."""
    return cv2.contourArea(np.ascontiguousarray(outline, np.float32))


def is_sound(outline: Floats) -> bool:
    """Whether the outline is a convex shape that is large enough to look at."""
    sharp = np.ascontiguousarray(outline, np.float32)
    size = cv2.contourArea(sharp)  # of no finite corners none is finite
    return SMALLEST_AREA <= size < math.inf and cv2.isContourConvex(sharp)


def meeting(some: Floats, others: Floats) -> NDArray[np.bool_]:
    """Of shape (some, others): which outlines' upright boxes overlap; what they hold may."""
    left, top = some.min(1).T[..., None]
    right, bottom = some.max(1).T[..., None]
    (lefts, tops), (rights, bottoms) = others.min(1).T, others.max(1).T
    across, down = (lefts < right) & (rights > left), (tops < bottom) & (bottoms > top)
    return np.asarray(across & down, np.bool_)


def taken(outlines: Floats, by: Floats, overlap: float) -> NDArray[np.bool_]:
    """Which of the sound outlines share more than ``overlap`` of the smaller area with one of
    ``by``; those of ``by`` that are not sound take nothing."""
    sharp = outlines.astype(np.float32)
    others = by.astype(np.float32)
    near, sizes = meeting(sharp, others), [area(other) for other in others]
    near &= np.array([is_sound(other) for other in others], np.bool_)
    held = np.zeros(len(sharp), np.bool_)
    for number in np.flatnonzero(near.any(1)):
        outline, size = sharp[number], area(sharp[number])
        held[number] = any(
            cv2.intersectConvexConvex(outline, others[other])[0] > overlap * min(size, sizes[other])
            for other in np.flatnonzero(near[number]).tolist()
        )
    return held


def distinct(
    outlines: Floats, scores: Floats, overlap: float, most: int | None = None
) -> list[int]:
    """Which outlines to keep, best score first and at most ``most``, so that none hides another.

    Two outlines are of one thing when they share more than ``overlap`` of the smaller area.
    Outlines that are not sound are left out.
    """
    chosen: list[int] = []
    sharp = outlines.astype(np.float32)
    near, areas = meeting(sharp, sharp), [area(outline) for outline in sharp]
    kept = np.zeros(len(sharp), np.bool_)
    for new in np.argsort(-scores, kind="stable").tolist():
        if len(chosen) == most:
            break
        kept[new] = is_sound(sharp[new]) and not any(
            cv2.intersectConvexConvex(sharp[new], sharp[old])[0]
            > overlap * min(areas[new], areas[old])
            for old in np.flatnonzero(near[new] & kept).tolist()
        )
        if kept[new]:
            chosen.append(new)
    return chosen
