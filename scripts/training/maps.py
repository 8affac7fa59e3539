"""What the finder learns from: windows of scenes, and the maps it ought to answer with.

The maps are those that ``companion.vision.find`` decodes, a tenth for the faces' area, which only
helps in training, and two weights that say where the heat and the outlines count.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.find import CELL
from companion.vision.geometry import Picture, resized
from training.chance import Floats, Random, maybe, spread
from training.cuts import straightened
from training.store import NOTHING, TILE, UNCLEAR, Outlined

WINDOW = 320
"""Pixels of a window's sides."""
CELLS = WINDOW // CELL
SCALES = 0.34, 1.25
"""Scenes are shown between so many times their own size."""
SHORTEST = 3.2
"""Tiles with a half-axis shorter than this in cells along, in pixels 26, are not asked for."""
LEAST_INSIDE = 0.87
"""Tiles that are cut by the window's edge further than this are left open."""
MAPS = 12
"""Heat, its weight, eight of the outline, its weight, and the face."""
GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 5)), -1).reshape(-1, 2)


def window(stored: Outlined, rng: Random) -> tuple[Picture, Floats]:
    """A window (WINDOW, WINDOW, 3) of a scene at some scale, and its MAPS maps."""
    picture, corners = stored.picture(), stored.corners.astype(np.float64)
    scale = spread(rng, *SCALES)
    side = round(len(picture) * scale)
    corners = corners * (side / len(picture))
    picture = resized(picture, side, side)
    if side < WINDOW:
        shift = rng.integers(0, WINDOW - side + 1, 2)
        canvas = np.empty((WINDOW, WINDOW, 3), np.uint8)
        canvas[:] = picture.mean((0, 1)) if maybe(rng, 0.7) else rng.integers(0, 256, 3)
        canvas[shift[1] : shift[1] + side, shift[0] : shift[0] + side] = picture
        picture = canvas
    else:
        shift = -rng.integers(0, side - WINDOW + 1, 2)
        picture = picture[-shift[1] :, -shift[0] :][:WINDOW, :WINDOW]
    corners = corners + shift
    picture, corners = turned(picture, corners, rng)
    return picture, maps(corners, kinds_inside(corners, stored.kinds))


def turned(picture: Picture, corners: Floats, rng: Random) -> tuple[Picture, Floats]:
    """The window as it is, mirrored or turned by quarters; corners stay in order along tiles."""
    if maybe(rng, 0.5):
        picture, corners = picture[:, ::-1], corners * [-1, 1] + [WINDOW, 0]
    if maybe(rng, 0.5):
        picture, corners = picture[::-1], corners * [1, -1] + [0, WINDOW]
    if maybe(rng, 0.5):
        picture, corners = picture.transpose(1, 0, 2), corners[..., ::-1]
    return np.ascontiguousarray(picture), corners


def kinds_inside(corners: Floats, kinds: Floats) -> Floats:
    """The kinds, where tiles that the window cuts are no longer clear, or are not there."""
    kinds = kinds.copy()
    for number, outline in enumerate(corners):
        _, centre, axes = straightened(outline)
        spots = centre + GRID @ axes
        inside = float(((spots >= 0) & (spots < WINDOW)).all(1).mean())
        if inside < LEAST_INSIDE and kinds[number] != NOTHING:
            kinds[number] = UNCLEAR if inside > 0.3 else NOTHING
    return kinds


def maps(corners: Floats, kinds: Floats) -> Floats:
    """The maps (MAPS, CELLS, CELLS) for outlines (n, 4, 2) in pixels of the window."""
    answer = np.zeros((MAPS, CELLS, CELLS), np.float32)
    answer[1] = 1
    face = np.zeros((CELLS, CELLS), np.float32)
    for outline, kind in zip(corners, kinds):
        if kind == NOTHING:
            continue
        _, centre, axes = straightened(outline / CELL)
        centre = centre - 0.5
        drawn = np.round((outline / CELL - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(face, drawn, 1.0 if kind == TILE else 0.5, 8, 4)
        if kind == TILE and np.hypot(*axes[0]) >= SHORTEST / 2 and np.hypot(*axes[1]) >= 0.5:
            add_tile(answer, centre, axes)
        else:
            add_unclear(answer, centre, axes)
    answer[11] = face
    return answer


def around(centre: Floats, reach: float) -> tuple[slice, slice, Floats, Floats] | None:
    """The cells within reach of a centre and their offsets x and y to it."""
    low = np.maximum(np.floor(centre - reach).astype(int), 0)
    high = np.minimum(np.ceil(centre + reach).astype(int) + 1, CELLS)
    if (high <= low).any():
        return None
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
    return slice(low[1], high[1]), slice(low[0], high[0]), centre[0] - x, centre[1] - y


def add_unclear(answer: Floats, centre: Floats, axes: Floats) -> None:
    """Takes the weight from the heat about a tile that is neither there nor not."""
    reach = max(2.0, 0.7 * float(np.hypot(*axes[1])))
    near = around(centre, reach)
    if near:
        rows, columns, x, y = near
        answer[1, rows, columns][np.hypot(x, y) < reach] = 0


def add_tile(answer: Floats, centre: Floats, axes: Floats) -> None:
    """Heat at the tile's centre, and its outline in the cells about it."""
    along, across = axes
    long, short = float(np.hypot(*along)), float(np.hypot(*across))
    near = around(centre, max(2.0, short))
    if near is None:
        return
    rows, columns, x, y = near
    square = x * x + y * y
    heat = np.exp(-square / (2 * max(0.8, 0.26 * short) ** 2))
    held = answer[0, rows, columns]
    here = (heat > held) & (square < max(1.5, 0.65 * short) ** 2)
    np.maximum(held, heat, out=held)
    turn, tilt = (2 * math.atan2(axis[1], axis[0]) for axis in axes)
    lengths = math.log(long), math.log(short)
    outline = (x, y, lengths[0], math.cos(turn), math.sin(turn))
    outline += (lengths[1], math.cos(tilt), math.sin(tilt))
    for number, value in enumerate(outline, 2):
        part = answer[number, rows, columns]
        part[here] = np.broadcast_to(value, here.shape)[here]
    answer[10, rows, columns][here] = (0.3 + 0.7 * heat)[here]
    column, row = (int(round(part)) for part in centre)
    if 0 <= column < CELLS and 0 <= row < CELLS:
        answer[0, row, column] = 1
