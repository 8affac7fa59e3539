"""Finds by itself where the hub, the ways to the seats and the play area are in the picture.

The trains and the engine tell where the hub is; before they lie there its round shape may. A play
area is found where a table, a board or a mat stands out with four straight sides and holds
everything that was read. What cannot be found is left out: nothing is guessed here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import RuleBroken
from companion.layout import Layout, framed
from companion.observation import Corners, PhotoReading, Point, Reading
from companion.vision.frames import small
from companion.vision.hub import HubLook, look_at_hub

Picture = NDArray[np.uint8]
How = Literal["trains", "engine", "shape"]

_ROUND = (0.07, 0.35)
"""A hub's radius, in shorter sides of the picture."""
_AWAY = 0.3
"""A round shape is the hub only so near the picture's middle, in shorter sides."""
_NEAREST, _FARTHEST = 0.8, 4.2
"""How far from the slot a train's first tile may lie, in its own lengths."""
_AIM = math.radians(16)
"""How far a first tile may point past the slot."""
_SAME_WAY = math.radians(14)
"""Tiles closer than this, seen from the hub, belong to one train."""
_LEAST, _MOST = 0.12, 0.93
"""The share of the picture that a play area with four sides of its own fills."""
_SPARE = 0.004
"""By how much of the picture a tile may reach beyond the play area that is found."""


@dataclass(frozen=True)
class Found:
    """What was found: a layout of all that was, and how the hub was (None: it was not)."""

    layout: Layout
    how: How | None
    ways: int
    """How many trains were seen to leave the hub."""


def find_layout(image: Picture, reading: PhotoReading, trains: int | None) -> Found:
    """Find what can be found in this BGR picture, in which ``reading`` was read.

    ``trains`` is how many ways there should be, the Mexican Train's included. Ways are given only
    when all of them are seen: seat 1 is the one nearest to the picture's bottom, the others follow
    clockwise.
    """
    centre, how = _hub(image, reading)
    ways: list[float] = []
    if centre is not None:
        ways = ways_from(centre, reading.tiles)
    width, height = reading.width, reading.height
    shares = None if centre is None else (centre[0] / width, centre[1] / height)
    layout = Layout(
        centre=shares,
        area=play_area(image, reading.tiles, centre),
        directions=tuple(ways) if trains is not None and len(ways) == trains else (),
    )
    return Found(layout, how, len(ways))


def ways_from(centre: Point, tiles: Sequence[Reading]) -> list[float]:
    """The directions in which trains leave the hub, clockwise from the bottom.

    In degrees clockwise from the right.
    """
    seen: list[tuple[float, float]] = []
    for tile in tiles:
        far, way, aim = _as_seen(centre, tile)
        if _NEAREST < far < _FARTHEST and aim < _AIM:
            seen.append((far, way))
    first: list[float] = []
    for _far, way in sorted(seen):
        if all(abs(math.remainder(way - other, math.tau)) > _SAME_WAY for other in first):
            first.append(way)
    degrees = (math.degrees(way) % 360 for way in first)
    return sorted((round(way, 1) for way in degrees), key=_from_the_bottom)


def _from_the_bottom(way: float) -> float:
    """How far clockwise of the bottom; a little before it counts as the bottom's own."""
    turn = (way - 90) % 360
    return turn - 360 if turn > 348 else turn


def _as_seen(centre: Point, tile: Reading) -> tuple[float, float, float]:
    """A tile's distance from the hub in its own lengths, its direction, and how far it aims by."""
    (ax, ay), (bx, by) = (
        tuple((p + q) / 2 for p, q in zip(*pair)) for pair in (tile.corners[:2], tile.corners[2:])
    )
    x, y = tile.centre[0] - centre[0], tile.centre[1] - centre[1]
    length = max(math.hypot(bx - ax, by - ay), 1e-6)
    way, lies = math.atan2(y, x), math.atan2(by - ay, bx - ax)
    aim = abs(math.remainder(lies - way, math.pi))
    return math.hypot(x, y) / length, way, aim


def _hub(image: Picture, reading: PhotoReading) -> tuple[Point | None, How | None]:
    """The middle of the engine's slot in pixels, and what told it."""
    look: HubLook = look_at_hub(reading)
    if look.trains:
        return look.centre, "trains"
    if look.engine is not None and look.certain:
        return look.centre, "engine"
    shape = _round_shape(image)
    return shape, None if shape is None else "shape"


def _round_shape(image: Picture) -> Point | None:
    """The middle of the one large round thing near the picture's middle."""
    grey = cv2.medianBlur(small(image), 5)
    side = min(grey.shape)
    circles = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT_ALT,
        dp=1.5,
        minDist=side / 3,
        param1=160,
        param2=0.72,
        minRadius=round(_ROUND[0] * side),
        maxRadius=round(_ROUND[1] * side),
    )
    high, wide = grey.shape
    scale = image.shape[1] / wide
    for x, y, _radius in ([] if circles is None else circles.reshape(-1, circles.shape[-1])[:, :3]):
        if math.hypot(x - wide / 2, y - high / 2) < _AWAY * side:
            return float(x * scale), float(y * scale)
    return None


def play_area(image: Picture, tiles: Sequence[Reading], centre: Point | None) -> Corners | None:
    """Four straight sides that hold the hub and every tile, as fractions; None where none stand
    out."""
    copy = small(image)
    scale = copy.shape[1] / image.shape[1]
    held = [corner for tile in tiles for corner in tile.corners]
    held += [] if centre is None else [centre]
    points = np.array(held, np.float32).reshape(-1, 2) * np.float32(scale)
    best: tuple[float, Corners] | None = None
    for outline in _outlines(copy):
        share = cv2.contourArea(outline) / copy.size
        if not _LEAST < share < _MOST or (best is not None and share >= best[0]):
            continue
        slack = -_SPARE * copy.shape[1]
        if any(
            cv2.pointPolygonTest(outline, (float(x), float(y)), True) < slack for x, y in points
        ):
            continue
        corners = [(float(x), float(y)) for x, y in outline.reshape(4, 2)]
        one, two, three, four = corners
        try:
            best = (
                share,
                framed((one, two, three, four), copy.shape[1], copy.shape[0]),
            )
        except RuleBroken:
            continue
    return None if best is None else best[1]


def _outlines(grey: Picture) -> list[NDArray[np.float32]]:
    """Four-cornered convex outlines in the small copy."""
    calm = cv2.bilateralFilter(grey, 7, 40, 7)
    middle = float(np.median(calm))
    found: list[NDArray[np.float32]] = []
    for low in (0.33, 0.66):
        edges = cv2.Canny(calm, low * middle, 2 * low * middle)
        closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        outlines, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            if cv2.contourArea(outline) < _LEAST * grey.size:
                continue
            around = cv2.convexHull(outline)
            if cv2.contourArea(outline) < 0.9 * cv2.contourArea(around):
                continue
            four = cv2.approxPolyDP(around, 0.03 * cv2.arcLength(around, True), True)
            if len(four) == 4 and cv2.isContourConvex(four):
                found.append(four.astype(np.float32))
    return found
