"""Where things lie in the camera's picture: the hub's middle, the play area, the way to each seat.

Plain numbers, as fractions of the picture's width and height, so that another resolution keeps
them. Refuses what cannot be a play area. Knows no picture, no page and no game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import RuleBroken
from companion.observation import Corners, Point
from companion.saying import say

SMALLEST = 0.05
"""The share of the picture that a play area fills at least."""
_STRAIGHT = 0.06
"""The sine of a corner's turn below which it lies in one line with its neighbours (3.5°)."""
_BESIDE = 0.10
"""How far beyond the picture a corner given in pixels may lie, in widths and heights: it is taken
to be at the edge."""
_SIGNS = 400
"""The longest text that is read as numbers."""
CROSSED = say("The sides of the play area cross: move its corners apart.")
IN_LINE = say("Three corners of the play area lie in one line: pull the middle one outwards.")
BENT = say("The play area bends inwards: pull that corner outwards.")
TINY = say("The play area is too small to play on: pull its corners apart.")
OUTSIDE = say("A corner of the play area lies outside the picture: pull it in.")
NO_NUMBERS = say("Give the play area as eight numbers: x and y of each corner, clockwise.")
NOT_IN_PICTURE = say("The middle of the hub lies outside the picture: pull it in.")


@dataclass(frozen=True)
class Layout:
    """Where things lie in the picture.

    ``centre`` is the middle of the engine's slot and ``area`` the play area, clockwise from the
    top left, both as fractions of width and height. ``directions`` are the ways from there to the
    seats in seat order, the Mexican Train's last, in degrees clockwise from the right as the
    picture shows them in pixels. None and () mean that nobody said. ``by_hand`` tells that a
    person moved something. ``guessed`` are the seats, from 0, whose way nobody told yet: while
    there are any, the ways are for drawing only.
    """

    centre: Point | None = None
    area: Corners | None = None
    directions: tuple[float, ...] = ()
    by_hand: bool = False
    guessed: tuple[int, ...] = ()

    def centre_in(self, width: int, height: int) -> Point | None:
        """The middle of the slot in pixels of a picture of this size."""
        return None if self.centre is None else (self.centre[0] * width, self.centre[1] * height)

    def area_in(self, width: int, height: int) -> list[Point] | None:
        """The corners of the play area in pixels of a picture of this size."""
        return None if self.area is None else [(x * width, y * height) for x, y in self.area]

    def for_table(self, trains: int | None, centre: Point | None = None) -> Layout:
        """The same for a table of so many trains, the Mexican one included.

        Directions that were told for another number, or not all of them, are left out; ``centre``
        counts where no other was told.
        """
        fits = trains is None or len(self.directions) == trains
        ways = self.directions if fits and not self.guessed else ()
        return replace(self, centre=self.centre or centre, directions=ways, guessed=())

    def to_json(self) -> dict[str, Any]:
        """The layout as it is stored."""
        return {
            "centre": None if self.centre is None else _rounded(self.centre),
            "area": (None if self.area is None else [_rounded(corner) for corner in self.area]),
            "directions": [round(way, 2) for way in self.directions],
            "by_hand": self.by_hand,
            "guessed": list(self.guessed),
        }

    @classmethod
    def from_json(cls, told: Any) -> Layout:
        """The layout that was stored, or that a page sends. Raises RuleBroken with the reason."""
        if not isinstance(told, dict):
            raise RuleBroken(NO_NUMBERS)
        centre, area = told.get("centre"), told.get("area")
        directions = told.get("directions") or ()
        if not isinstance(directions, list | tuple):
            raise RuleBroken(NO_NUMBERS)
        return cls(
            centre=None if centre is None else inside(_point(centre)),
            area=(None if area is None else checked([_point(corner) for corner in _listed(area)])),
            directions=tuple(_number(way) % 360 for way in directions),
            by_hand=told.get("by_hand") is True,
            guessed=tuple(int(_number(seat)) for seat in _listed(told.get("guessed") or [])),
        )


def inside(centre: Point) -> Point:
    """The middle of the hub, a fraction of the picture. Raises RuleBroken for one beyond it."""
    if not all(0 <= value <= 1 for value in centre):
        raise RuleBroken(NOT_IN_PICTURE)
    return centre


def spread(known: Mapping[int, float], count: int) -> tuple[float, ...]:
    """The ways to so many seats in seat order, in degrees clockwise from the right.

    Those that are ``known`` by the seat, from 0, stay; the others lie evenly between them,
    clockwise as the seats do. Where none is known the first one points down.
    """
    places, known = sorted(known) or [0], known or {0: 90.0}
    ways = [0.0] * count
    for here, there in zip(places, [*places[1:], places[0] + count]):
        turn = (known[there % count] - known[here]) % 360 or 360.0
        for seat in range(here, there):
            ways[seat % count] = (known[here] + turn * (seat - here) / (there - here)) % 360
    return tuple(ways)


def checked(area: Sequence[Point]) -> Corners:
    """A play area of four corners as fractions of the picture, clockwise from the top left.

    Raises RuleBroken, with the reason, for corners that are outside, crossed, in one line, bent
    inwards or too near each other.
    """
    if len(area) != 4 or not all(math.isfinite(value) for corner in area for value in corner):
        raise RuleBroken(NO_NUMBERS)
    if not all(0 <= value <= 1 for corner in area for value in corner):
        raise RuleBroken(OUTSIDE)
    return _shaped(area, SMALLEST)


def parse_area(text: str) -> Corners:
    """A play area from "x1,y1,...,x4,y4" in pixels of a frame. Raises RuleBroken."""
    parts = text[:_SIGNS].split(",")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        raise RuleBroken(NO_NUMBERS) from None
    if len(numbers) != 8 or not all(map(math.isfinite, numbers)):
        raise RuleBroken(NO_NUMBERS)
    return _shaped(list(zip(numbers[::2], numbers[1::2])), 0.0)


def framed(area: Corners, width: int, height: int) -> Corners:
    """An area in pixels as fractions of a frame of this size.

    Corners slightly beyond the frame are taken to be at its edge. Raises RuleBroken for others,
    and for an area that is too small.
    """
    shares = [(x / width, y / height) for x, y in area]
    if not all(-_BESIDE <= value <= 1 + _BESIDE for corner in shares for value in corner):
        raise RuleBroken(OUTSIDE)
    return checked([(min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)) for x, y in shares])


def _shaped(area: Sequence[Point], smallest: float) -> Corners:
    """The same corners in order, refused where they are no four-cornered area."""
    turns = [_turn(area[n - 1], area[n], area[(n + 1) % 4]) for n in range(4)]
    if _size(area) < max(smallest, 1e-9) and not _crosses(area):
        raise RuleBroken(TINY if smallest and _spread(area) else IN_LINE)
    if _crosses(area):
        raise RuleBroken(CROSSED)
    if any(abs(turn) < _STRAIGHT for turn in turns):
        raise RuleBroken(IN_LINE)
    if not (all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)):
        raise RuleBroken(BENT)
    corners = list(area) if turns[0] > 0 else list(reversed(area))
    first = min(range(4), key=lambda n: sum(corners[n]))
    one, two, three, four = corners[first:] + corners[:first]
    return one, two, three, four


def _turn(before: Point, corner: Point, after: Point) -> float:
    """The sine of the turn at a corner, positive when it goes clockwise; 0 for no turn at all."""
    ax, ay = corner[0] - before[0], corner[1] - before[1]
    bx, by = after[0] - corner[0], after[1] - corner[1]
    sides = math.hypot(ax, ay) * math.hypot(bx, by)
    return 0.0 if sides < 1e-12 else (ax * by - ay * bx) / sides


def _size(area: Sequence[Point]) -> float:
    """Twice the surveyor's formula halved: the surface within the corners."""
    pairs = zip(area, [*area[1:], area[0]])
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def _spread(area: Sequence[Point]) -> bool:
    """Whether the corners make a shape of some width, however small."""
    return all(abs(_turn(area[n - 1], area[n], area[(n + 1) % 4])) >= _STRAIGHT for n in range(4))


def _crosses(area: Sequence[Point]) -> bool:
    """Whether two sides that do not meet in a corner cross each other."""
    return _cross(area[0], area[1], area[2], area[3]) or _cross(area[1], area[2], area[3], area[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _rounded(point: Point) -> list[float]:
    return [round(point[0], 5), round(point[1], 5)]


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise RuleBroken(NO_NUMBERS)
    return list(value)


def _point(value: Any) -> Point:
    pair = _listed(value)
    if len(pair) != 2:
        raise RuleBroken(NO_NUMBERS)
    return _number(pair[0]), _number(pair[1])


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RuleBroken(NO_NUMBERS)
    return float(value)
