"""Seeded trains as people lay them: bends, crosswise doubles, gaps and crooked tiles, no picture.

What is laid here is what `trains_seen` must tell again, from nothing but where the tiles lie.
"""

import math
import random
from dataclasses import dataclass, field

import numpy as np

from companion.dominoes import DominoSet, Tile
from companion.observation import PhotoReading, Point, Reading
from hardware.laying import Lying, overlap

WIDTH, HEIGHT = 1280, 960


@dataclass
class Laid:
    """One train as it was laid: its slot, its tiles from the hub, and where it goes on."""

    seat: int | None
    way: float
    value: int
    x: float
    y: float
    ahead: float
    tiles: list[tuple[int, int]] = field(default_factory=list)
    spots: list[Lying] = field(default_factory=list)
    shut: bool = False


@dataclass
class LaidTable:
    """A whole table: what a camera reads of it, and what is true."""

    readings: list[Reading]
    centre: Point
    length: float
    engine: Reading
    directions: list[float]
    trains: list[Laid]


class Layer:
    """Lays a table; `gap` is the most that people leave between two tiles, `crooked` in degrees."""

    def __init__(
        self,
        seed: int,
        seats: int,
        *,
        tiles: int = 30,
        gap: float = 0.2,
        crooked: float = 6.0,
        bends: float = 0.12,
        tilt: float = 0.25,
        unit: float = 88.0,
    ) -> None:
        self.random = random.Random(seed)
        self.seats, self.gap, self.crooked, self.bends = seats, gap, crooked, bends
        self.highest = 18 if seats > 8 else 12
        self.unit = unit * (0.62 if seats > 8 else 1.0)
        self.all: list[Lying] = []
        self.engine = self.random.randint(0, self.highest)
        self.free = [tile for tile in DominoSet(self.highest) if tile.ends != (self.engine,) * 2]
        self.random.shuffle(self.free)
        self.slots = max(8, seats + 1)
        ring = max(1.42, self.slots * 0.6 / math.tau)
        self.trains = []
        for seat in [*range(1, seats + 1), None]:
            place = self.slots - 1 if seat is None else seat - 1
            way = math.pi / 2 + place * math.tau / self.slots
            begin = (ring * math.cos(way), ring * math.sin(way))
            self.trains.append(Laid(seat, way, self.engine, *begin, way))
        off = (
            self.random.uniform(-0.06, 0.06) * WIDTH,
            self.random.uniform(-0.06, 0.06) * HEIGHT,
        )
        self.middle = np.array((WIDTH / 2 + off[0], HEIGHT / 2 + off[1]))
        self.lean = self.random.uniform(-tilt, tilt), self.random.uniform(-tilt, tilt)
        for _ in range(tiles):
            open_ones = [train for train in self.trains if not train.shut]
            if open_ones:
                train = self.random.choice(open_ones)
                train.shut = not self.lay(train)

    def lay(self, train: Laid) -> bool:
        """Lay the next tile of this train, straight on or round a corner; False without room."""
        for tile in self.free:
            if train.value not in tile.ends or (tile.is_double and not train.tiles):
                continue
            second = tile.high if tile.low == train.value else tile.low
            turns = [0, 1, -1]
            if self.random.random() < self.bends and train.tiles:
                turns = self.random.sample([1, -1], 2) + [0]
            for turn in turns if not tile.is_double else [0]:
                if self._put(train, tile, (train.value, second), turn):
                    self.free.remove(tile)
                    return True
        return False

    def _put(self, train: Laid, tile: Tile, ends: tuple[int, int], turn: int) -> bool:
        gap = self.random.uniform(0, self.gap) if train.tiles else 0.0
        x, y = (
            train.x + gap * math.cos(train.ahead),
            train.y + gap * math.sin(train.ahead),
        )
        way, deep = train.ahead + turn * math.pi / 2, 0.5 if tile.is_double else 1.0
        if turn:
            x += 0.25 * (math.cos(train.ahead) - math.cos(way))
            y += 0.25 * (math.sin(train.ahead) - math.sin(way))
        cos, sin = math.cos(way), math.sin(way)
        across = way + math.pi / 2 * self.random.choice((1, -1)) if tile.is_double else way
        flat = Lying(ends, x + cos * deep / 2, y + sin * deep / 2, across)
        reach = 0.46 * WIDTH / self.unit, 0.46 * HEIGHT / self.unit
        if any(abs(a) > reach[0] or abs(b) > reach[1] for a, b in flat.corners):
            return False
        room = Lying(ends, flat.x, flat.y, flat.angle)
        if any(overlap(room, other) for other in self.all):
            return False
        turned = math.radians(self.random.uniform(-self.crooked, self.crooked))
        aside = self.random.uniform(-0.04, 0.04)
        spot = Lying(ends, flat.x - sin * aside, flat.y + cos * aside, across + turned)
        self.all.append(flat)
        train.tiles.append(ends)
        train.spots.append(spot)
        train.x, train.y, train.ahead = x + cos * deep, y + sin * deep, way
        train.value = ends[1]
        return True

    def pixel(self, x: float, y: float) -> Point:
        """Where a place on the table is in the picture: the camera hangs a little aslant."""
        far = 1 + (x * self.lean[0] + y * self.lean[1]) * 0.12
        return (
            float(self.middle[0] + x * self.unit / far),
            float(self.middle[1] + y * self.unit * (1 - abs(self.lean[1]) * 0.5) / far),
        )

    def reading(self, spot: Lying) -> Reading:
        """A tile as it is read: its corners with a pixel or two of error, either end first."""
        shift = [self.random.gauss(0, 0.8) for _ in range(8)]
        corners = [
            (a + shift[n], b + shift[n + 4])
            for n, (a, b) in enumerate(self.pixel(*corner) for corner in spot.corners)
        ]
        ends = spot.ends
        if self.random.random() < 0.5:
            corners, ends = corners[2:] + corners[:2], (ends[1], ends[0])
        return Reading(ends, (corners[0], corners[1], corners[2], corners[3]))

    def table(self) -> LaidTable:
        """All of it, the tiles in no particular order."""
        engine = self.reading(Lying((self.engine,) * 2, 0.0, 0.0, self.random.uniform(-0.1, 0.1)))
        readings = [
            engine,
            *(self.reading(s) for train in self.trains for s in train.spots),
        ]
        self.random.shuffle(readings)
        at = self.pixel(0, 0)
        ways = []
        for train in self.trains:
            x, y = self.pixel(math.cos(train.way), math.sin(train.way))
            ways.append(math.degrees(math.atan2(y - at[1], x - at[0])) % 360)
        return LaidTable(readings, at, self.unit, engine, ways, self.trains)


def photo(table: LaidTable) -> PhotoReading:
    """The readings as the reader hands them over."""
    return PhotoReading(WIDTH, HEIGHT, tuple(table.readings))
