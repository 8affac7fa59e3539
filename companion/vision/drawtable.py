"""Draws a whole table as the camera over it sees it, and draws only what changed anew.

The table is larger than the picture: its points are in pixels of the drawn table, which the lens
turns into pixels of the picture. Every thing that lies on it becomes a stamp once: how much of what
is below shines through and what it adds itself, shadow included. Knows no game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision import draw, drawhub, scenery
from companion.vision.scenery import Colour, Mask, Part, Picture, Stamp

WIDTH, HEIGHT = 1280, 960
"""The size of the camera's picture in pixels."""
MARGIN = 64
"""The table is drawn this much larger on every side than the camera sees."""
TABLE = (WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN)
"""The drawn table's width and height in pixels."""

_INSET = 16.0
"""The camera hangs in front of the middle: the far edge is seen this much narrower on each side."""
_SOFT = 0.55
"""The spread in pixels of the camera's own blur."""
_EDGE = 4
"""So many pixels around a change are seen through that blur."""
_GREYS = 96
"""Grain is kept in a store this much larger than the picture, and cut out anew for every frame."""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Item:
    """One thing on the table, its middle at (x, y) and turned by ``angle`` (radians, clockwise).

    ``size`` is a tile's length, which everything else goes by.
    """

    kind: Literal["tile", "lamp", "train", "token", "coin"]
    x: float
    y: float
    size: float
    angle: float = 0.0
    ends: tuple[int, int] = (0, 0)
    colour: Colour = (0, 0, 0)
    lit: bool = False

    @property
    def part(self) -> Part:
        """The square that it and its shadow lie in."""
        reach = math.ceil(self.size * (0.85 if self.kind == "tile" else 0.6)) + 6
        left, top = math.floor(self.x) - reach, math.floor(self.y) - reach
        return left, top, left + 2 * reach + 1, top + 2 * reach + 1


class Lens:
    """Turns points of the drawn table into points of the picture, and the other way round.

    ``barrel`` is how much farther out the lens looks at the picture's corner than a straight one
    would, as a share of the corner's distance from the middle.
    """

    def __init__(self, barrel: float = 0.0) -> None:
        self._barrel = barrel
        wide, high = TABLE
        table = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        seen = table - np.float32(MARGIN)
        seen += np.array([(_INSET, _INSET / 2), (-_INSET, _INSET / 2), (0, 0), (0, 0)], np.float32)
        self._straight = np.asarray(cv2.getPerspectiveTransform(table, seen), np.float64)
        rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
        spots = self.laid(np.stack([columns, rows], -1).reshape(-1, 2)).reshape(HEIGHT, WIDTH, 2)
        across, down = (spots[..., axis].astype(np.float32) for axis in (0, 1))
        self.maps = cv2.convertMaps(across, down, cv2.CV_16SC2)

    def laid(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where on the table these points of the picture lie; one row a point."""
        off = (seen - _MIDDLE) / _CORNER
        straight = _MIDDLE + (seen - _MIDDLE) * (1 + self._barrel * (off**2).sum(1, keepdims=True))
        return _through(np.asarray(np.linalg.inv(self._straight), np.float64), straight)

    def seen(self, laid: Sequence[tuple[float, float]]) -> Points:
        """Where in the picture these points of the table are seen."""
        straight = _through(self._straight, np.array(laid, np.float64)) - _MIDDLE
        bent = straight.copy()
        for _ in range(6):
            bent = straight / (1 + self._barrel * ((bent / _CORNER) ** 2).sum(1, keepdims=True))
        return tuple((float(x), float(y)) for x, y in bent + _MIDDLE)

    def around(self, part: Part) -> Part:
        """The part of the picture in which this part of the table is seen."""
        left, top, right, bottom = part
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        across, down = zip(*self.seen(corners))
        return (
            max(0, math.floor(min(across)) - 2 - _EDGE),
            max(0, math.floor(min(down)) - 2 - _EDGE),
            min(WIDTH, math.ceil(max(across)) + 3 + _EDGE),
            min(HEIGHT, math.ceil(max(down)) + 3 + _EDGE),
        )


_MIDDLE = np.array((WIDTH / 2, HEIGHT / 2))
_CORNER = math.hypot(WIDTH, HEIGHT) / 2


def _through(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points after a change of perspective."""
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], np.float64)


class TableView:
    """The camera's view of a table, kept up to date part by part.

    ``light`` is how bright each point of the drawn table is (``scenery.lamplight``).
    """

    def __init__(self, style: draw.Style, lens: Lens, light: Mask) -> None:
        self.lens = lens
        self._style = style
        self._ground: Picture | None = None
        self._items: tuple[Item, ...] = ()
        self._stamps: dict[Item, Stamp] = {}
        self._light = light
        self._laid = np.zeros((TABLE[1], TABLE[0], 3), np.uint8)
        self._lit = self._laid.copy()
        self._view = np.zeros((HEIGHT, WIDTH, 3), np.uint8)

    def shine(self, light: Mask) -> None:
        """Put the table into another light."""
        self._light = light
        self._see((0, 0, *TABLE))

    def show(self, ground: Picture, items: tuple[Item, ...]) -> Picture:
        """The picture of these things on this ground, later ones on top; not to be written to."""
        if ground is not self._ground:
            changed: list[Part] = [(0, 0, *TABLE)]
        elif items == self._items:
            changed = []
        else:
            differing = set(items) ^ set(self._items)
            changed = [item.part for item in differing]
        self._ground, self._items = ground, items
        kept, self._stamps = self._stamps, {}
        for item in items:
            self._stamps[item] = kept.get(item) or _stamp(item, self._style)
        for part in changed:
            self._lay(part)
        for part in changed:
            self._see(part)
        return self._view

    def _lay(self, part: Part) -> None:
        """Lay everything anew in this part of the table."""
        assert self._ground is not None  # nosec B101 # for the type checker
        left, top, right, bottom = within = _within_table(part)
        cut = np.s_[top:bottom, left:right]
        fresh = self._ground[cut].copy()
        for item in self._items:
            if _meet(item.part, within):
                self._stamps[item].press(fresh, left, top)
        self._laid[cut] = fresh

    def _see(self, part: Part) -> None:
        """Light this part of the table and look at it through the lens."""
        left, top, right, bottom = _within_table(part)
        cut = np.s_[top:bottom, left:right]
        self._lit[cut] = cv2.multiply(self._laid[cut], _warmth(self._light[cut]), dtype=cv2.CV_8U)
        x0, y0, x1, y1 = self.lens.around(part)
        if x0 >= x1 or y0 >= y1:
            return
        wide = (max(0, x0 - _EDGE), max(0, y0 - _EDGE), x1 + _EDGE, y1 + _EDGE)
        area = np.s_[wide[1] : wide[3], wide[0] : wide[2]]
        one, other = (np.ascontiguousarray(half[area]) for half in self.lens.maps)
        sharp = cv2.remap(self._lit, one, other, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        soft = cv2.GaussianBlur(sharp, (0, 0), _SOFT)
        self._view[y0:y1, x0:x1] = soft[y0 - wide[1] :, x0 - wide[0] :][: y1 - y0, : x1 - x0]


def _within_table(part: Part) -> Part:
    left, top, right, bottom = part
    return max(0, left), max(0, top), min(TABLE[0], right), min(TABLE[1], bottom)


def _meet(one: Part, other: Part) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def _warmth(light: Mask) -> Mask:
    """How much of each colour comes back; a little warmer where the light is weaker."""
    return np.stack([light**1.15, light, light**0.92], axis=-1)


def _stamp(item: Item, style: draw.Style) -> Stamp:
    part = item.part
    x, y = item.x - part[0], item.y - part[1]

    def paint(picture: Picture) -> None:
        if item.kind == "tile":
            lift = tile_lift(item.x, item.y)
            draw.lay_tile(picture, item.ends, (x, y), item.angle, item.size, style, lift=lift)
        elif item.kind == "lamp":
            drawhub.draw_lamp(picture, x, y, item.size, item.lit)
        elif item.kind == "train":
            drawhub.draw_marker(picture, x, y, item.angle, item.size, item.colour)
        else:
            shape = drawhub.draw_token if item.kind == "token" else drawhub.draw_coin
            shape(picture, x, y, item.size, item.colour)

    return Stamp.of(part, paint)


def tile_lift(x: float, y: float) -> tuple[float, float]:
    """How a tile's face is shifted from its foot there: the camera over the middle sees it so."""
    off_x, off_y = x - TABLE[0] / 2, y - TABLE[1] / 2
    return off_x * 0.09 / WIDTH, off_y * 0.09 / HEIGHT - 0.01


class Grain:
    """A camera's noise, fresh on every frame; ``spread`` is in grey levels."""

    def __init__(self, spread: float, random: np.random.Generator) -> None:
        self._random = random
        grain = scenery.sensor_noise(WIDTH + _GREYS, HEIGHT + _GREYS, random, spread)
        self._up = np.clip(grain, 0, 255).astype(np.uint8)
        self._down = np.clip(-grain, 0, 255).astype(np.uint8)

    def fall_on(self, picture: Picture) -> None:
        """Add it to the picture."""
        left, top = (int(n) for n in self._random.integers(0, _GREYS, 2))
        part = np.s_[top : top + HEIGHT, left : left + WIDTH]
        cv2.add(picture, self._up[part], dst=picture)
        cv2.subtract(picture, self._down[part], dst=picture)
