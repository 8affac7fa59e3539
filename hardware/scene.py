"""What lies on a simulated table at one moment, who sits at it, and what somebody just did.

Plain values; lengths are in tile lengths from the hub's centre (``laying``). Knows no picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from companion.dominoes import Tile
from hardware.laying import FEWEST_SLOTS, MEXICAN, Lying

Kind = Literal["engine", "lay", "back", "mark", "unmark", "draw", "clear"]


@dataclass(frozen=True)
class Put:
    """A marker that lies on the table, and whose train it belongs to."""

    train: str
    x: float
    y: float
    angle: float


@dataclass(frozen=True)
class Line:
    """A train as it lies; ``seat`` counts from 1 and is None for the Mexican Train."""

    seat: int | None
    tiles: tuple[Lying, ...]


@dataclass(frozen=True)
class Scene:
    """What lies on the table."""

    engine: Tile | None = None
    lines: tuple[Line, ...] = ()
    markers: tuple[Put, ...] = ()


@dataclass(frozen=True)
class Deed:
    """What somebody did, in words, and what lies there after it.

    ``place`` is where their hand was and ``seat`` who they are, counted from 0.
    """

    kind: Kind
    said: str
    scene: Scene
    place: tuple[float, float]
    seat: int


@dataclass(frozen=True)
class Table:
    """Who sits at the table, and how far from the hub's centre tiles may lie.

    ``at_end`` says that markers lie at the trains' ends, not on the hub.
    """

    players: tuple[str, ...]
    reach: tuple[float, float]
    at_end: bool = True
    highest: int = 12

    @property
    def slots(self) -> int:
        """How many trains the hub has room for."""
        return max(FEWEST_SLOTS, len(self.players) + 1)

    def slot(self, train: str) -> float:
        """A train's direction: the seats are spread clockwise from the bottom, Mexican last."""
        place = self.slots - 1
        if train != MEXICAN:
            place = self.players.index(train) * self.slots // len(self.players)
        return math.pi / 2 + place * math.tau / self.slots

    def seat(self, train: str) -> int | None:
        """The seat from 1 of whoever owns this train; None for the Mexican Train."""
        return None if train == MEXICAN else self.players.index(train) + 1
