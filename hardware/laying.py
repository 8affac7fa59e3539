"""Tiles laid on a table: places, trains that bend before they leave it, and room for markers.

Lengths are in tile lengths, measured from the hub's centre, x to the right and y down; directions
are in radians, clockwise from the right. Knows no player, no picture and no camera.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from companion.dominoes import Tile

MEXICAN = "mexican"
FEWEST_SLOTS = 8
"""A hub has room for at least so many trains."""
MARKER = 0.3
"""How far round its middle a marker needs room."""
AISLE = 0.18
"""People leave so much room between two trains, so that everybody sees which is which."""
_WIDTH = 0.5
_GAP = 0.02


@dataclass(frozen=True)
class Lying:
    """A tile on the table: its ends as laid (the first one nearer to the hub) and its place.

    ``angle`` is the direction, clockwise from the right, in which its second end lies.
    """

    ends: tuple[int, int]
    x: float
    y: float
    angle: float

    @property
    def tile(self) -> Tile:
        """The tile itself."""
        return Tile.of(*self.ends)

    @property
    def corners(self) -> list[tuple[float, float]]:
        """Its four corners, clockwise, the first two at the first end."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        spots = ((-0.5, 0.25), (-0.5, -0.25), (0.5, -0.25), (0.5, 0.25))
        return [(self.x + a * cos - b * sin, self.y + a * sin + b * cos) for a, b in spots]


@dataclass
class Train:
    """One line of tiles, from its slot outwards."""

    slot: float
    """Its direction from the hub, clockwise from the right, in radians."""
    start: float
    """How far from the hub's centre it begins."""
    value: int
    """The value that the next tile must show."""
    lying: list[Lying] = field(default_factory=list)
    head: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where the next tile goes (x, y) and in which direction."""

    def __post_init__(self) -> None:
        x, y = self.start * math.cos(self.slot), self.start * math.sin(self.slot)
        self.head = (x, y, self.slot)

    @property
    def open_double(self) -> Tile | None:
        """The double that waits at its end."""
        last = self.lying[-1].tile if self.lying else None
        return last if last is not None and last.is_double else None

    def lay(self, spot: Lying, head: tuple[float, float, float]) -> None:
        """Put a tile at its end."""
        self.lying.append(spot)
        self.head = head
        self.value = spot.ends[1]


def overlap(one: Lying, other: Lying, aisle: float = 0.0) -> bool:
    """Whether two tiles would lie on each other (by the lines that could part them).

    ``aisle`` is how much room there must be between them.
    """
    if math.hypot(one.x - other.x, one.y - other.y) > math.hypot(1, _WIDTH) + aisle:
        return False
    for turned in (one.angle, other.angle):
        for axis in (turned, turned + math.pi / 2):
            along = (math.cos(axis), math.sin(axis))
            first = [x * along[0] + y * along[1] for x, y in one.corners]
            second = [x * along[0] + y * along[1] for x, y in other.corners]
            room = aisle - 1e-6
            if max(first) + room <= min(second) or max(second) + room <= min(first):
                return False
    return True


Head = tuple[float, float, float]
"""Where the next tile goes (x, y) and in which direction."""


def ring(slots: int) -> float:
    """How far from the hub's centre the trains begin, for a hub of so many slots."""
    return max(1.42, slots * 0.6 / (2 * math.pi))


def places(
    train: Train, tile: Tile, turns: Iterable[int] = (0, 1, -1), *, wrong: bool = False
) -> list[tuple[Lying, Head]]:
    """Where a tile can go at a train's end, and where the next one would go then.

    ``turns`` says in which order: straight on (0), to the right (1) or to the left (-1); a double
    lies crosswise, and a train's first tile straight in its slot. ``wrong`` lays a tile that does
    not match, its lower end first.
    """
    first = tile.low if wrong else train.value
    second = tile.high if tile.low == first else tile.low
    x, y, ahead = train.head
    if not tile.is_double:
        ways = turns if train.lying else (0,)
        return [_next(train.head, (first, second), turn) for turn in ways]
    cos, sin = math.cos(ahead), math.sin(ahead)
    spot = Lying((first, second), x + _WIDTH / 2 * cos, y + _WIDTH / 2 * sin, ahead + math.pi / 2)
    end = _WIDTH + _GAP
    return [(spot, (x + end * cos, y + end * sin, ahead))]


def _next(head: Head, ends: tuple[int, int], turn: int) -> tuple[Lying, Head]:
    """The next place straight on (0), to the right (1) or to the left (-1)."""
    x, y, ahead = head
    way = ahead + turn * math.pi / 2
    if turn:
        x += _WIDTH / 2 * (math.cos(ahead) - math.cos(way))
        y += _WIDTH / 2 * (math.sin(ahead) - math.sin(way))
    cos, sin = math.cos(way), math.sin(way)
    spot = Lying(ends, x + cos / 2, y + sin / 2, way)
    return spot, (x + cos * (1 + _GAP), y + sin * (1 + _GAP), way)


def fits(
    spot: Lying,
    reach: tuple[float, float],
    train: Train,
    trains: Iterable[Train],
    markers: Iterable[tuple[float, float]] = (),
) -> bool:
    """Whether this train's next tile would lie within reach, on nothing and not over the hub, and
    with an aisle to all tiles that it does not join."""
    if any(abs(x) > reach[0] or abs(y) > reach[1] for x, y in spot.corners):
        return False
    if train.lying and _near(spot, (0.0, 0.0)) < train.start:
        return False
    aisle = AISLE if train.lying else 0.0
    for each in trains:
        joined = each.lying[-1:] if each is train else []
        if any(overlap(spot, other) for other in joined):
            return False
        if any(
            overlap(spot, other, aisle) for other in each.lying[: len(each.lying) - len(joined)]
        ):
            return False
    return not any(_near(spot, place) < MARKER for place in markers)


def _near(spot: Lying, place: tuple[float, float]) -> float:
    """How far a place lies from a tile's edge; 0 for one on the tile."""
    cos, sin = math.cos(spot.angle), math.sin(spot.angle)
    x, y = place[0] - spot.x, place[1] - spot.y
    along, across = abs(x * cos + y * sin) - 0.5, abs(y * cos - x * sin) - _WIDTH / 2
    return math.hypot(max(0.0, along), max(0.0, across))


def marker_place(
    train: Train | None,
    slot: float,
    slots: int,
    reach: tuple[float, float],
    trains: Collection[Train],
    *,
    at_end: bool,
    markers: Collection[tuple[float, float]] = (),
) -> Head:
    """Where this train's marker lies and how it is turned.

    With ``at_end`` beyond the train's end, or where it would begin, or beside its end where there
    is no room beyond; else, and where there is no room at all, on the hub.
    """
    start = ring(slots)
    x, y, ahead = (
        train.head if train is not None else (start * math.cos(slot), start * math.sin(slot), slot)
    )
    beside = ((0.22, 0.0), (-0.25, 0.46), (-0.25, -0.46), (-0.7, 0.46), (-0.7, -0.46))
    for along, across in beside if at_end else ():
        place = (
            x + along * math.cos(ahead) - across * math.sin(ahead),
            y + along * math.sin(ahead) + across * math.cos(ahead),
        )
        within = abs(place[0]) < reach[0] - 0.3 and abs(place[1]) < reach[1] - 0.3
        tiles = (spot for other in trains for spot in other.lying)
        if (
            within
            and all(_near(spot, place) > 0.17 for spot in tiles)
            and all(math.dist(place, other) > 2 * MARKER for other in markers)
        ):
            return *place, ahead + math.pi / 2 * (across == 0)
    far = start - 0.5
    way = slot + (math.pi / 2 if slots <= FEWEST_SLOTS else 0.0)
    return far * math.cos(slot), far * math.sin(slot), way
