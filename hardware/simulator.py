"""A simulated table: real-looking tiles under a fixed camera, for machines without a camera.

It follows the table's report like the people would, with tiles of its own, or lays what a page or
a test tells it to. It is drawn as the camera over the hub would see it. What the picture says is
never told to the reader in any other way.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from companion.dominoes import Tile
from companion.errors import Trouble
from companion.saying import say
from companion.vision import draw, drawhub, scenery
from companion.vision.drawtable import (
    HEIGHT,
    MARGIN,
    TABLE,
    WIDTH,
    Grain,
    Item,
    Lens,
    Points,
    TableView,
)
from hardware.laying import MEXICAN, marker_place
from hardware.physical import PhysicalTable

__all__ = ["HEIGHT", "WIDTH", "Simulator"]

_UNIT = 92.0
"""A tile's length on the drawn table, in pixels."""
_PASSING = 3.0
"""Seconds that a hand takes to move across the hub."""
_BLINK = 0.5
"""Seconds between two changes of a blinking lamp."""


class Simulator:
    """The table, its camera's view and its controls; safe to use from several threads.

    ``seed`` fixes the deal and the wood; ``off_centre`` moves the hub by fractions of the picture;
    ``clock`` gives the seconds that moving hands and blinking lamps go by.
    """

    def __init__(
        self,
        seed: int = 1,
        highest: int = 12,
        seats: int = 4,
        *,
        style: str = "ivory",
        off_centre: tuple[float, float] = (0.0, 0.0),
        noise: float = 2.5,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lock = threading.RLock()
        self._clock = clock
        random = np.random.default_rng(seed)
        self._centre = (
            WIDTH * (0.5 + off_centre[0]) + MARGIN,
            HEIGHT * (0.5 + off_centre[1]) + MARGIN,
        )
        reach = tuple(
            (size * (0.5 - abs(off)) - 6) / _UNIT for size, off in zip((WIDTH, HEIGHT), off_centre)
        )
        self.table = PhysicalTable(seed, highest, seats, (reach[0], reach[1]))
        self._laid_engine: Tile | None = None
        self._engine_is_laid = False
        self._hidden = False
        self._passing_since: float | None = None
        self._hand: tuple[Tile, ...] | None = None
        self._doubles: set[str] = set()
        self._moved: set[str] = set()
        self._wood = scenery.wood(*TABLE, random)
        self._grounds: dict[int, scenery.Picture] = {}
        light = scenery.lamplight(*TABLE, 0.42, 0.2, 0.3)
        self._view = TableView(draw.STYLES[style], Lens(), light)
        self._grain = Grain(noise, random)
        self._changed()

    # --- what lies on the table

    @property
    def engine(self) -> Tile | None:
        """The double that lies in the hub's slot."""
        with self._lock:
            return self._laid_engine if self._engine_is_laid else self.table.engine

    @property
    def hidden(self) -> bool:
        """Whether a hand lies over the hub."""
        with self._lock:
            return self._hidden

    @property
    def hand(self) -> tuple[Tile, ...] | None:
        """The tiles that lie under the camera instead of the hub, None while there are none."""
        with self._lock:
            return self._hand

    @property
    def moved_markers(self) -> frozenset[str]:
        """Trains whose marker a hand laid or lifted, so that it is not as the table was told."""
        with self._lock:
            return frozenset(self._moved)

    def hand_of(self, player: str) -> tuple[Tile, ...]:
        """What this player still holds, lowest tile first; nothing for somebody unknown."""
        with self._lock:
            return tuple(sorted(self.table.hands.get(player, ())))

    def follow(self, report: dict[str, Any]) -> None:
        """Lay the tiles as this report of the table says; a new round takes away a wrong engine.

        A marker that a hand moved stays as it is until the table is told the same, or a new round.
        """
        with self._lock:
            wanted, players, marked = self.table.wanted, self.table.players, self.table.marked
            self.table.follow(report)
            if self.table.wanted != wanted:
                self._engine_is_laid = False
            same = (self.table.wanted, self.table.players) == (wanted, players)
            self._moved = self._moved - (marked ^ self.table.marked) if same else set()
            self._doubles = {entry["train"] for entry in report["open_doubles"]}
            self._changed()

    def lay_engine(self, double: str | None) -> None:
        """Put this double into the hub, whatever the round wants; None takes the engine away."""
        tile = None if double is None else Tile.parse(double)
        if tile is not None and not tile.is_double:
            raise Trouble(
                say(
                    "The %(tile)s is no double: the hub's slot takes a double.",
                    tile=tile,
                )
            )
        with self._lock:
            self._laid_engine, self._engine_is_laid = tile, True
            self._changed()

    def lay_right_engine(self) -> None:
        """Put the round's own engine back into the hub."""
        with self._lock:
            self._engine_is_laid = False
            self._changed()

    def lay_marker(self, train: str, there: bool) -> None:
        """Lay this train's marker on the table, or lift it, whatever the table was told."""
        with self._lock:
            told = train in self.table.marked
            self._moved = self._moved | {train} if there != told else self._moved - {train}
            self._changed()

    def lay_hand(self, tiles: Iterable[Tile | str]) -> None:
        """Lay these tiles loose under the camera, to be scored."""
        laid = tuple(Tile.parse(tile) if isinstance(tile, str) else tile for tile in tiles)
        with self._lock:
            self._hand = laid
            self._changed()

    def clear_hand(self) -> None:
        """Take them away: the camera sees the hub again."""
        with self._lock:
            self._hand = None
            self._changed()

    # --- hands in the way

    def hide(self) -> None:
        """Lay a hand over the hub, until ``show``."""
        with self._lock:
            self._hidden = True

    def show(self) -> None:
        """Take the hand away."""
        with self._lock:
            self._hidden, self._passing_since = False, None

    def pass_hand(self) -> None:
        """Move a hand across the hub once, which takes three seconds."""
        with self._lock:
            self._passing_since = self._clock()

    # --- what the camera sees

    def frame(self) -> scenery.Picture:
        """The camera's picture at this moment: BGR, 960 × 1280 × 3."""
        with self._lock:
            now = self._clock()
            picture = self._still(int(now / _BLINK) % 2 == 0).copy()
            self._draw_hands(picture, now)
            self._grain.fall_on(picture)
            return picture

    def truth(self) -> list[tuple[tuple[int, int], Points]]:
        """Every tile in the picture with its corners in pixels, clockwise from its first end."""
        with self._lock:
            return [
                (
                    item.ends,
                    self._view.lens.seen(draw.corners_of(item.x, item.y, item.angle, item.size)),
                )
                for item in self._items(False)
                if item.kind == "tile"
            ]

    def _changed(self) -> None:
        """Forget what lies where."""
        self._laid: dict[bool, tuple[Item, ...]] = {}

    def _still(self, blink: bool) -> scenery.Picture:
        """The table without hands and noise; ``blink`` is the state of the blinking lamps."""
        ground = self._wood if self._hand is not None else self._ground()
        return self._view.show(ground, self._items(blink))

    def _ground(self) -> scenery.Picture:
        """The table with the hub, drawn once for each size of it."""
        slots = self.table.slots
        if slots not in self._grounds:
            ground = self._wood.copy()
            drawhub.draw_hub(ground, *self._centre, _UNIT, self.table.ring, slots)
            self._grounds = {slots: ground}
        return self._grounds[slots]

    def _items(self, blink: bool) -> tuple[Item, ...]:
        """Everything on the table, in the order in which it was laid."""
        blink = blink and bool(self._doubles)
        if blink not in self._laid:
            loose = self._hand is not None
            self._laid[blink] = tuple(self._hand_items() if loose else self._hub_items(blink))
        return self._laid[blink]

    def _hand_items(self) -> Iterable[Item]:
        tiles = self._hand or ()
        random = np.random.default_rng([tile.low * 19 + tile.high for tile in tiles])
        spots, length = draw.scatter(len(tiles), WIDTH - 40, HEIGHT - 40, random, longest=180)
        for tile, (x, y, angle) in zip(tiles, spots):
            edge = MARGIN + 20
            yield Item("tile", x + edge, y + edge, length, angle, tile.ends)

    def _hub_items(self, blink: bool) -> Iterable[Item]:
        x, y = self._centre
        for name in (*self.table.players, MEXICAN):
            yield self._lamp(name, blink)
        if self.engine is not None:
            yield Item("tile", x, y, _UNIT, 0.0, self.engine.ends)
        for train in self.table.trains.values():
            for spot in train.lying:
                place = (x + spot.x * _UNIT, y + spot.y * _UNIT)
                yield Item("tile", *place, _UNIT, spot.angle, spot.ends)
        for name in sorted({*self.table.players, MEXICAN}):
            if (name in self.table.marked) != (name in self._moved):
                yield self._marker(name)

    def _marker(self, name: str) -> Item:
        """At the train's end where the rules put it there and there is room, else on the hub."""
        table = self.table
        colour = drawhub.MEXICAN_COLOUR
        if name != MEXICAN:
            seat = table.players.index(name)
            colour = drawhub.SEAT_COLOURS[seat % len(drawhub.SEAT_COLOURS)]
        x, y, way = marker_place(
            table.trains.get(name),
            table.slot(name),
            table.slots,
            table.reach,
            table.trains.values(),
            at_end=not table.markers_at_hub,
        )
        place = (self._centre[0] + x * _UNIT, self._centre[1] + y * _UNIT)
        return Item("train", *place, _UNIT, way, colour=colour)

    def _lamp(self, name: str, blink: bool) -> Item:
        """The lamp beside a train's slot: lit while marked, blinking while a double waits."""
        far, slot = self.table.ring - 0.17, self.table.slot(name)
        x = self._centre[0] + far * _UNIT * math.cos(slot)
        y = self._centre[1] + far * _UNIT * math.sin(slot)
        lit = blink if name in self._doubles else name in self.table.marked
        return Item("lamp", x, y, _UNIT, lit=lit)

    def _draw_hands(self, picture: scenery.Picture, now: float) -> None:
        x, y = self._centre[0] - MARGIN, self._centre[1] - MARGIN
        if self._hidden:
            drawhub.draw_hand_over(picture, x + 6, y + 14, 120, 0.3)
        if self._passing_since is None:
            return
        share = (now - self._passing_since) / _PASSING
        if not 0 <= share < 1:
            self._passing_since = None
            return
        across = x + WIDTH * (0.55 - 1.1 * share)
        rise = y + HEIGHT * (0.75 - 0.8 * math.sin(math.pi * share))
        drawhub.draw_hand_over(picture, across, rise, 120, -0.5)
