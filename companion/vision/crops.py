"""Pictures made from a picture: smaller, one tile upright and enlarged, as JPEG.

Knows corners and pixels; what lies on the tile, and whose it is, it does not ask.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.geometry import Picture

Point = tuple[float, float]

MARGIN = 0.09
"""How much of the surroundings an upright tile shows on each side, in tile lengths."""


def as_jpeg(image: Picture, quality: int = 90) -> bytes:
    """The picture (height by width by blue, green, red) as a JPEG without any other data."""
    done, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture could not be written as JPEG")
    return coded.tobytes()


def shrunk(image: Picture, longest: int) -> Picture:
    """The picture with its longer side at most ``longest`` pixels."""
    height, width = image.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return image
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def upright_tile(image: Picture, corners: Sequence[Point], length: int = 480) -> Picture:
    """One tile lying straight, ``length`` pixels long, with a little of what lies around it.

    The first two of the clockwise corners become its left end, so what is written of it reads
    from left to right.
    """
    margin = round(MARGIN * length)
    right, bottom = margin + length, margin + length // 2
    goal = [(margin, bottom), (margin, margin), (right, margin), (right, bottom)]
    turn = cv2.getPerspectiveTransform(np.array(corners, np.float32), np.array(goal, np.float32))
    size = (length + 2 * margin, length // 2 + 2 * margin)
    laid = cv2.warpPerspective(
        image, turn, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(laid, np.uint8)
