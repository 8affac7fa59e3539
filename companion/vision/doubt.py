"""Why a tile is doubtful: what in its outline and its surroundings speaks against the reading.

Looks only for what can be told simply and reliably; a doubt without a visible cause is "unclear".
Knows no set and no other tile.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Floats, Picture, Pyramid
from companion.vision.recount import miscounted

CONFIDENT = 0.75
"""Least confidence of a sure reading: the one threshold fitted on labelled photos."""
PLAIN, HIDDEN = 0.9, 0.5
"""Where one half is read as plainly as this and the other less surely than that, something lies on
the other: the reader learned to answer nothing for what it cannot see."""
SURELY_A_TILE = 0.9
"""What the refiner takes less surely for a tile is doubtful, however clear its pips."""
RIM = 0.12
"""Share of a half at its edge where no set has pips."""
SMALL = 24
"""Tiles narrower than this many pixels of the photo are too small to tell close pips apart."""
WIDTH, HEIGHT = 96, 48
"""Pixels of the straightened tile whose light is measured."""
WHITE = 250
"""All three colours from here on: nothing can be seen in such a pixel."""
WASHED_OUT, TOUCHED, CLEAN = 0.5, 0.1, 0.15
"""Shares of white pixels in a half that is washed out, that glare touches, that has none."""
BRIGHT = 225
"""A tile as bright as this where it is not white is bright all over: that is no glare."""
SHARP = 0.24
"""Steepest slopes over contrast, below which a straightened tile is blurred."""


def doubt_about(
    photo: Pyramid,
    corners: Floats,
    ends: tuple[int, int],
    confidences: tuple[float, float],
    tile: float,
    closely: bool = True,
) -> str | None:
    """The reason to doubt a reading, None for none.

    ``corners`` in photo pixels, ``confidences`` of the two ends from 0 to 1, ``tile`` how likely
    the refiner takes the outline for a tile. Only when looked at ``closely`` are the spots of a
    sure reading counted again: a table of a hundred tiles would take long.
    """
    if is_cut_off(photo, corners) or (min(confidences) < PLAIN and reaches_out(photo, corners)):
        return "cut off"  # how much is lost is only guessed, so pips that are not plain may be, too
    if tile < SURELY_A_TILE:
        return "maybe not a tile"
    if min(confidences) < CONFIDENT:
        why = why_unsure(photo, corners, confidences)
        return "layout" if why == "unclear" and miscounted(photo, corners, ends) else why
    if 0 in ends and pips_washed_out(photo.cut(corners, WIDTH, HEIGHT, 1.0), ends):
        return "glare"
    return "layout" if closely and miscounted(photo, corners, ends) else None


def why_unsure(photo: Pyramid, corners: Floats, confidences: tuple[float, float]) -> str:
    """What may be the cause that a tile could not be read with confidence."""
    face = photo.cut(corners, WIDTH, HEIGHT, 1.0)
    if narrowest(corners) < SMALL:
        return "too small"
    if is_touched_by_glare(face):
        return "glare"
    if sharpness(face) < SHARP:
        return "blurred"
    if max(confidences) >= PLAIN and min(confidences) < HIDDEN:
        return "covered"
    return "unclear"


def is_cut_off(photo: Pyramid, corners: Floats) -> bool:
    """Whether a place where pips can be lies outside the picture; a lost rim does not count."""
    if not reaches_out(photo, corners):
        return False
    tile = np.array([[0, 0], [2, 0], [2, 1], [0, 1]], np.float32)
    turn = cv2.getPerspectiveTransform(tile, corners.astype(np.float32))
    inner = tile + RIM * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float32)
    x, y = np.moveaxis(np.asarray(cv2.perspectiveTransform(inner[None], turn))[0], 1, 0)
    return bool(x.min() < 0 or y.min() < 0 or x.max() > photo.width or y.max() > photo.height)


def reaches_out(photo: Pyramid, corners: Floats) -> bool:
    """Whether a part of the tile, be it a rim, lies outside the picture."""
    return bool((corners < 0).any() or (corners > (photo.width, photo.height)).any())


def narrowest(corners: Floats) -> float:
    """Pixels across the tile at its narrower end."""
    left, right = corners[3] - corners[0], corners[2] - corners[1]
    return float(min(np.hypot(*left), np.hypot(*right)))


def whitened(face: Picture) -> NDArray[np.bool_]:
    """Which pixels are white."""
    return np.asarray(cv2.inRange(face, (WHITE,) * 3, (255,) * 3) > 0, np.bool_)


def white_shares(face: Picture) -> tuple[float, float]:
    """The share of white pixels where pips can be, in the left and the right half."""
    white = whitened(face)
    rim, middle = round(RIM * HEIGHT), WIDTH // 2
    rows = slice(rim, HEIGHT - rim)
    left, right = (
        white[rows, rim : middle - rim],
        white[rows, middle + rim : WIDTH - rim],
    )
    return float(left.mean()), float(right.mean())


def pips_washed_out(face: Picture, ends: tuple[int, int]) -> bool:
    """Whether a half read as blank may have lost its pips in glare.

    The other half must be free of it or blank as well: where a bright lamp whitens the whole
    tile, pips still show.
    """
    shares = white_shares(face)
    if ends == (0, 0):
        return min(shares) >= WASHED_OUT
    return any(
        end == 0 and share >= WASHED_OUT and other < CLEAN
        for end, share, other in zip(ends, shares, reversed(shares))
    )


def is_touched_by_glare(face: Picture) -> bool:
    """Whether a part of the face is white and the rest is not bright."""
    rest = face[~whitened(face)]
    dim = not len(rest) or float(np.median(rest)) < BRIGHT
    return dim and max(white_shares(face)) >= TOUCHED


def sharpness(face: Picture) -> float:
    """The steepest slopes against the contrast: about 0.4 in focus, 0 for fog."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    across, down = (
        cv2.Sobel(grey, cv2.CV_32F, 1, 0) / 8,
        cv2.Sobel(grey, cv2.CV_32F, 0, 1) / 8,
    )
    low, high = np.percentile(grey, (3, 97))
    return float(np.percentile(np.hypot(across, down), 97) / max(high - low, 1.0))
