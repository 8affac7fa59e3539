"""Four-cornered outlines in a picture: cutting them out straight, and telling which overlap.

An outline is a float array of shape (4, 2), x and y in pixels, clockwise on the picture from the
top left of the tile as if it lay on its long side. Knows nothing of what is in the outlines.
"""

from __future__ import annotations

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
        top, right, bottom, left = (
            np.hypot(*(outline[(corner + 1) % 4] - outline[corner])) for corner in range(4)
        )
        step = margin * min((top + bottom) / 2 / width, (left + right) / 2 / height)
        source = self._level(step * 2 / COARSEST_STEP)
        shrink = np.array([source.shape[1] / self.width, source.shape[0] / self.height])
        x, y = width * (1 - 1 / margin) / 2, height * (1 - 1 / margin) / 2
        target = np.array([[x, y], [width - x, y], [width - x, height - y], [x, height - y]])
        turn = cv2.getPerspectiveTransform(
            (outline * shrink).astype(np.float32), target.astype(np.float32)
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
        number = int(np.log2(reduction)) if reduction >= 2 else 0
        while len(self._levels) <= number and min(self._levels[-1].shape[:2]) >= 4:
            last = self._levels[-1]
            self._levels.append(resized(last, last.shape[1] // 2, last.shape[0] // 2))
        return self._levels[min(number, len(self._levels) - 1)]


def area(outline: Floats) -> float:
    """Square pixels within the outline."""
    return float(cv2.contourArea(outline.astype(np.float32)))


def is_sound(outline: Floats) -> bool:
    """Whether the outline is a convex shape that is large enough to look at."""
    whole = bool(np.isfinite(outline).all()) and area(outline) >= SMALLEST_AREA
    return whole and cv2.isContourConvex(outline.astype(np.float32))


def distinct(
    outlines: Floats, scores: Floats, overlap: float, most: int | None = None
) -> list[int]:
    """Which outlines to keep, best score first and at most ``most``, so that none hides another.

    Two outlines are of one thing when they share more than ``overlap`` of the smaller area.
    Outlines that are not sound are left out.
    """
    kept: list[int] = []
    if not len(outlines):
        return kept
    sharp = outlines.astype(np.float32)
    centres = sharp.mean(1)
    reach = np.hypot(*np.moveaxis(sharp - centres[:, None], 2, 0)).max(1)
    areas = [area(outline) for outline in sharp]
    for new in np.argsort(-scores, kind="stable"):
        if len(kept) == most:
            break
        if not is_sound(sharp[new]):
            continue
        away = np.hypot(*(centres[kept] - centres[new]).T) if kept else np.empty(0)
        near = [old for old, far in zip(kept, away) if far < reach[old] + reach[new]]
        if all(
            cv2.intersectConvexConvex(sharp[new], sharp[old])[0]
            <= overlap * min(areas[new], areas[old])
            for old in near
        ):
            kept.append(int(new))
    return kept
