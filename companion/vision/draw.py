"""Draws tiles, alone or lying loose on a table as a photo would show them.

The simulated table lays its tiles from here, and tests read hands drawn here. Colours, layouts and
light are a believable set's, not any particular maker's. Knows no game and reads no picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.dominoes import Tile
from companion.pips import COLOURS, pip_radius, places
from companion.vision import scenery
from companion.vision.scenery import Colour, Mask, Picture

Ends = tuple[int, int]
Corners = tuple[tuple[float, float], ...]

_FINE = 4
"""Tiles are drawn this many times larger and shrunk, for smooth edges."""
_BITS = 4
"""Fractional bits of the coordinates that are handed to OpenCV."""


@dataclass(frozen=True)
class Style:
    """How one domino set looks; colours are BGR."""

    body: Colour = (222, 238, 246)
    line: Colour = (58, 62, 66)
    side: Colour = (168, 190, 204)
    back: Colour = (206, 226, 236)
    pip: Colour | None = None
    """One colour for all pips, or None for the usual colour of each value."""
    pin: bool = False
    """Whether a brass pin sits in the middle of the divider."""

    def pip_colour(self, value: int) -> Colour:
        """The colour of this value's pips."""
        if self.pip is not None:
            return self.pip
        text = COLOURS[value]
        return (float(int(text[5:7], 16)), float(int(text[3:5], 16)), float(int(text[1:3], 16)))


IVORY = Style()
WHITE = Style(body=(248, 250, 250), side=(196, 202, 206), pip=(30, 28, 28), line=(30, 28, 28))
BLACK = Style(
    body=(38, 34, 34),
    line=(190, 190, 190),
    side=(22, 20, 20),
    back=(44, 40, 38),
    pip=(236, 240, 240),
)
PINNED = Style(pip=(34, 30, 30), pin=True)
STYLES: dict[str, Style] = {"ivory": IVORY, "white": WHITE, "black": BLACK, "pinned": PINNED}


def _rounded(width: int, height: int, radius: float) -> Mask:
    """A filled rectangle with round corners."""
    mask = np.zeros((height, width), np.uint8)
    r = max(1, round(radius))
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.asarray(mask / np.float32(255), np.float32)


def _disc(picture: Picture, x: float, y: float, radius: float, colour: Iterable[float]) -> None:
    one = 1 << _BITS
    centre = (round(x * one), round(y * one))
    ink = tuple(float(np.clip(part, 0, 255)) for part in colour)
    cv2.circle(picture, centre, max(1, round(radius * one)), ink, -1, cv2.LINE_AA, _BITS)


def _draw_pips(face: Picture, ends: Ends, style: Style, light: tuple[float, float]) -> None:
    """Sunk pips: a shaded wall on the side of the light, a bright rim on the other."""
    side = face.shape[0]
    for half, value in enumerate(ends):
        colour = np.array(style.pip_colour(value))
        radius = pip_radius(value) * side
        for px, py in places(value):
            x, y = (px * side, py * side) if half == 0 else ((2 - px) * side, (1 - py) * side)
            shift = radius * 0.16
            rim = np.array(style.body) * 0.55 + 115
            _disc(face, x - light[0] * shift, y - light[1] * shift, radius * 1.02, rim)
            _disc(face, x, y, radius, colour * 0.62)
            _disc(face, x - light[0] * shift, y - light[1] * shift, radius * 0.84, colour)


def _draw_divider(face: Picture, style: Style) -> None:
    height, width = face.shape[:2]
    half = max(1, round(height * 0.018))
    top, bottom = round(height * 0.1), round(height * 0.9)
    middle = width // 2
    cv2.rectangle(face, (middle - half, top), (middle + half, bottom), style.line, -1)
    if style.pin:
        _disc(face, middle, height / 2, height * 0.07, (70, 150, 190))
        _disc(
            face, middle - height * 0.02, height / 2 - height * 0.02, height * 0.03, (170, 215, 235)
        )


def _bevel(face: Picture, mask: Mask, light: tuple[float, float]) -> Picture:
    """Edges that face the light are brighter, the others darker."""
    height = face.shape[0]
    soft = cv2.GaussianBlur(mask, (0, 0), height * 0.03, borderType=cv2.BORDER_CONSTANT)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, borderType=cv2.BORDER_CONSTANT)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, borderType=cv2.BORDER_CONSTANT)
    slope = (across * -light[0] + down * -light[1]) * height * 0.008
    slope = np.clip(slope, -0.22, 0.3)
    return np.asarray(np.clip(face * (1 + slope[..., None]), 0, 255), np.uint8)


def draw_tile(
    tile: Tile | Ends, long_px: int, style: Style = IVORY, back: bool = False, turned: float = 0.0
) -> tuple[Picture, Mask]:
    """One tile lying lengthwise, its first end on the left, and where it is (0 to 1).

    ``long_px`` is its length in pixels; it is half as wide. ``turned`` (radians) tells how it will
    be turned when it is laid, so that the light falls on it from the right side.
    """
    ends = tile.ends if isinstance(tile, Tile) else tile
    height, width = round(long_px / 2) * _FINE, long_px * _FINE
    cos, sin = math.cos(-turned), math.sin(-turned)
    light = (scenery.LIGHT[0] * cos - scenery.LIGHT[1] * sin,
             scenery.LIGHT[0] * sin + scenery.LIGHT[1] * cos)  # fmt: skip
    face = np.empty((height, width, 3), np.uint8)
    face[:] = np.clip(style.back if back else style.body, 0, 255)
    mask = _rounded(width, height, height * 0.11)
    face = _bevel(face, mask, light)
    if not back:
        _draw_divider(face, style)
        _draw_pips(face, ends, style, light)
    small = (long_px, round(long_px / 2))
    shrunk = cv2.resize(face, small, interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, np.uint8), np.asarray(
        cv2.resize(mask, small, interpolation=cv2.INTER_AREA), np.float32
    )


def corners_of(x: float, y: float, angle: float, length: float) -> Corners:
    """The corners of a tile lying at this centre, clockwise, its first end at the first two."""
    along = (math.cos(angle) * length / 2, math.sin(angle) * length / 2)
    across = (-along[1] / 2, along[0] / 2)
    signs = ((-1, 1), (-1, -1), (1, -1), (1, 1))
    return tuple(
        (x + a * along[0] + b * across[0], y + a * along[1] + b * across[1]) for a, b in signs
    )


def lay_tile(
    picture: Picture,
    tile: Tile | Ends,
    centre: tuple[float, float],
    angle: float,
    length: float,
    style: Style = IVORY,
    *,
    back: bool = False,
    lift: tuple[float, float] = (0.0, -0.06),
) -> Corners:
    """Lay one tile on the picture, with its side and shadow; returns its face's corners.

    ``angle`` in radians turns the first end from the left, clockwise as seen; ``lift`` tells, in
    tile lengths, how far the face is shifted from the foot, which is the tile's thickness as the
    camera sees it.
    """
    face, mask = draw_tile(tile, round(length), style, back, angle)
    reach = math.ceil(math.hypot(*mask.shape) / 2) + 2
    left, top = math.floor(centre[0]) - reach, math.floor(centre[1]) - reach
    move = cv2.getRotationMatrix2D(
        (mask.shape[1] / 2 - 0.5, mask.shape[0] / 2 - 0.5), -math.degrees(angle), 1
    )
    move[:, 2] += (centre[0] - left - mask.shape[1] / 2 + 0.5 - 0.5,
                   centre[1] - top - mask.shape[0] / 2 + 0.5 - 0.5)  # fmt: skip
    size = (2 * reach + 1, 2 * reach + 1)
    turned = np.asarray(cv2.warpAffine(mask, move, size, flags=cv2.INTER_LINEAR), np.float32)
    face = np.asarray(
        cv2.warpAffine(face, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
    foot = (-lift[0] * length, -lift[1] * length)
    fall = (-scenery.LIGHT[0] * length * 0.05, -scenery.LIGHT[1] * length * 0.05)
    scenery.darken(
        picture, turned, left + foot[0] + fall[0], top + foot[1] + fall[1], length * 0.05, 0.4
    )
    scenery.darken(picture, turned, left + foot[0], top + foot[1], length * 0.015, 0.45)
    steps = max(1, math.ceil(math.hypot(*foot) / 1.2))
    side = np.empty_like(face)
    for step in range(steps, 0, -1):
        part = step / steps
        side[:] = np.clip(np.array(style.side) * (1 - 0.25 * part), 0, 255)
        scenery.paste(
            picture, side, turned, left + round(foot[0] * part), top + round(foot[1] * part)
        )
    scenery.paste(picture, face, turned, left, top)
    return corners_of(*centre, angle, length)


@dataclass(frozen=True)
class DrawnTile:
    """The truth about a drawn tile: its ends, and its corners in pixels.

    The corners go clockwise and start with the two at the first end. A tile that lies face down
    has no ends.
    """

    ends: Ends | None
    corners: Corners


@dataclass(frozen=True)
class DrawnHand:
    """A drawn photo and what lies in it."""

    image: Picture
    tiles: tuple[DrawnTile, ...]
    backs: tuple[DrawnTile, ...] = field(default=())


def _apart(one: Corners, others: Sequence[Corners]) -> bool:
    """Whether the first outline overlaps none of the others."""
    shape = np.array(one, np.float32)
    return all(
        cv2.intersectConvexConvex(shape, np.array(other, np.float32))[0] < 1 for other in others
    )


def scatter(
    count: int,
    width: int,
    height: int,
    random: np.random.Generator,
    longest: float | None = None,
) -> tuple[list[tuple[float, float, float]], float]:
    """Places (x, y, angle) for loose tiles that do not overlap, and the length they fit at."""
    length = min(longest or 0.34 * height, math.sqrt(0.62 * width * height / max(1, count)))
    while True:
        spots: list[tuple[float, float, float]] = []
        taken: list[Corners] = []
        edge = length * 0.62
        for _ in range(count):
            for _try in range(80):
                x = random.uniform(edge, width - edge)  # nosec B311 # dice of a drawing
                y = random.uniform(edge, height - edge)  # nosec B311 # dice of a drawing
                angle = random.uniform(-math.pi, math.pi)  # nosec B311 # dice of a drawing
                outline = corners_of(x, y, angle, length * 1.16)
                if _apart(outline, taken):
                    spots.append((x, y, angle))
                    taken.append(outline)
                    break
            else:
                break
        if len(spots) == count:
            return spots, length
        length *= 0.93


def draw_hand(
    tiles: Iterable[Tile | Ends],
    width: int = 1280,
    height: int = 960,
    seed: int = 0,
    style: Style = IVORY,
    *,
    backs: int = 0,
    table: str = "wood",
    noise: float = 3.0,
    blur: float = 0.6,
) -> DrawnHand:
    """A photo of tiles lying loose on a table, and the truth about it.

    ``backs`` more tiles lie face down, ``table`` is a name in ``scenery.TABLES``, ``noise`` is the
    camera's grain in grey levels and ``blur`` its softness in pixels.
    """
    random = np.random.default_rng(seed)
    faces: list[Ends] = [tile.ends if isinstance(tile, Tile) else tile for tile in tiles]
    picture = scenery.TABLES[table](width, height, random)
    spots, length = scatter(len(faces) + backs, width, height, random)
    shown: list[DrawnTile] = []
    hidden: list[DrawnTile] = []
    for number, (x, y, angle) in enumerate(spots):
        down = number >= len(faces)
        ends = (0, 0) if down else faces[number]
        corners = lay_tile(picture, ends, (x, y), angle, length, style, back=down)
        (hidden if down else shown).append(DrawnTile(None if down else ends, corners))
    across = random.uniform(0.2, 0.8)  # nosec B311 # dice of a drawing
    along = random.uniform(0, 0.5)  # nosec B311 # dice of a drawing
    lamp = scenery.lamplight(width, height, across, along, 0.3)
    picture = scenery.lit(picture, lamp)
    if blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
    grain = scenery.sensor_noise(width, height, random, noise)
    image = np.clip(picture + grain, 0, 255).astype(np.uint8)
    return DrawnHand(image, tuple(shown), tuple(hidden))
