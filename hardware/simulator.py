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

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.dominoes import Tile
from companion.errors import Trouble
from companion.saying import say
from companion.vision import draw, drawhub, scenery
from hardware.physical import FEWEST_SLOTS, MEXICAN, PhysicalTable, Train

WIDTH, HEIGHT = 1280, 960
"""The size of its frames in pixels."""
_MARGIN = 64
"""The table is drawn this much larger on every side than the camera sees."""
_UNIT = 92.0
"""A tile's length on the drawn table, in pixels."""
_PASSING = 3.0
"""Seconds that a hand takes to move across the hub."""
_BLINK = 0.5
"""Seconds between two changes of a blinking lamp."""

Points = tuple[tuple[float, float], ...]


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
        self._style = draw.STYLES[style]
        self._random = np.random.default_rng(seed)
        self._centre = (
            WIDTH * (0.5 + off_centre[0]) + _MARGIN,
            HEIGHT * (0.5 + off_centre[1]) + _MARGIN,
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
        self._changed()
        self._camera = _camera_view()
        wide, high = WIDTH + 2 * _MARGIN, HEIGHT + 2 * _MARGIN
        self._wood = scenery.wood(wide, high, self._random)
        self._light = scenery.lamplight(wide, high, 0.42, 0.2, 0.3)
        self._grain = _grain(noise, self._random)

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

    def hand_of(self, player: str) -> tuple[Tile, ...]:
        """What this player still holds, lowest tile first; nothing for somebody unknown."""
        with self._lock:
            return tuple(sorted(self.table.hands.get(player, ())))

    def follow(self, report: dict[str, Any]) -> None:
        """Lay the tiles as this report of the table says; a new round takes away a wrong engine."""
        with self._lock:
            wanted = self.table.wanted
            self.table.follow(report)
            if self.table.wanted != wanted:
                self._engine_is_laid = False
            self._doubles = {entry["train"] for entry in report["open_doubles"]}
            self._changed()

    def lay_engine(self, double: str | None) -> None:
        """Put this double into the hub, whatever the round wants; None takes the engine away."""
        tile = None if double is None else Tile.parse(double)
        if tile is not None and not tile.is_double:
            raise Trouble(
                say("The %(tile)s is no double: the hub's slot takes a double.", tile=tile)
            )
        with self._lock:
            self._laid_engine, self._engine_is_laid = tile, True
            self._changed()

    def lay_right_engine(self) -> None:
        """Put the round's own engine back into the hub."""
        with self._lock:
            self._engine_is_laid = False
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
            return self._noisy(picture)

    def truth(self) -> list[tuple[tuple[int, int], Points]]:
        """Every tile in the picture with its corners in pixels, clockwise from its first end."""
        with self._lock:
            self._still(False)
            return list(self._seen)

    def _changed(self) -> None:
        """Forget the drawn table: it must be drawn anew."""
        self._drawn: scenery.Picture | None = None
        self._stills: dict[bool, scenery.Picture] = {}
        self._seen: list[tuple[tuple[int, int], Points]] = []

    def _still(self, blink: bool) -> scenery.Picture:
        """The table without hands and noise, drawn once for each state of the blinking lamps."""
        blink = blink and bool(self._doubles) and self._hand is None
        if blink not in self._stills:
            if self._drawn is None:
                self._drawn = self._draw_hand() if self._hand is not None else self._draw_hub()
            picture = self._drawn.copy()
            if self._hand is None:
                self._draw_lamps(picture, blink)
            lit = scenery.lit(picture, self._light)
            view = cv2.warpPerspective(lit, self._camera, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)
            self._stills[blink] = np.asarray(cv2.GaussianBlur(view, (0, 0), 0.55), np.uint8)
        return self._stills[blink]

    def _draw_hand(self) -> scenery.Picture:
        picture = self._wood.copy()
        tiles = self._hand or ()
        random = np.random.default_rng([tile.low * 19 + tile.high for tile in tiles])
        spots, length = draw.scatter(len(tiles), WIDTH - 40, HEIGHT - 40, random, longest=180)
        for tile, (x, y, angle) in zip(tiles, spots):
            self._lay(picture, tile.ends, (x + _MARGIN + 20, y + _MARGIN + 20), angle, length)
        return picture

    def _draw_hub(self) -> scenery.Picture:
        picture = self._wood.copy()
        x, y = self._centre
        drawhub.draw_hub(picture, x, y, _UNIT, self.table.ring, self.table.slots)
        if self.engine is not None:
            self._lay(picture, self.engine.ends, (x, y), 0.0, _UNIT)
        for train in self.table.trains.values():
            for spot in train.lying:
                place = (x + spot.x * _UNIT, y + spot.y * _UNIT)
                self._lay(picture, spot.ends, place, spot.angle, _UNIT)
        for name in sorted(self.table.marked):
            self._draw_marker(picture, name)
        return picture

    def _lay(
        self,
        picture: scenery.Picture,
        ends: tuple[int, int],
        centre: tuple[float, float],
        angle: float,
        length: float,
    ) -> None:
        """Lay one tile; the camera hangs over the middle, so it sees the inner sides of tiles."""
        middle = (WIDTH / 2 + _MARGIN, HEIGHT / 2 + _MARGIN)
        lift = (
            (centre[0] - middle[0]) * 0.09 / WIDTH,
            (centre[1] - middle[1]) * 0.09 / HEIGHT - 0.01,
        )
        corners = draw.lay_tile(picture, ends, centre, angle, length, self._style, lift=lift)
        flat = np.array([corners], np.float64)
        seen = cv2.perspectiveTransform(flat, self._camera)[0]
        self._seen.append((ends, tuple((float(a), float(b)) for a, b in seen)))

    def _draw_marker(self, picture: scenery.Picture, name: str) -> None:
        if name != MEXICAN and name not in self.table.players:
            return
        if name == MEXICAN:
            colour = drawhub.MEXICAN_COLOUR
        else:
            seat = self.table.players.index(name)
            colour = drawhub.SEAT_COLOURS[seat % len(drawhub.SEAT_COLOURS)]
        slot = self.table.slot(name)
        x, y, way = self._marker_place(self.table.trains.get(name), slot)
        drawhub.draw_marker(
            picture, self._centre[0] + x * _UNIT, self._centre[1] + y * _UNIT, way, _UNIT, colour
        )

    def _marker_place(self, train: Train | None, slot: float) -> tuple[float, float, float]:
        """At the train's end where the rules put it there and there is room, else on the hub."""
        if train is not None and not self.table.markers_at_hub:
            x, y, way = train.head
            x, y = x + 0.22 * math.cos(way), y + 0.22 * math.sin(way)
            if abs(x) < self.table.reach[0] - 0.3 and abs(y) < self.table.reach[1] - 0.3:
                return x, y, way + math.pi / 2
        far = self.table.ring - 0.5
        way = slot + (math.pi / 2 if self.table.slots <= FEWEST_SLOTS else 0.0)
        return far * math.cos(slot), far * math.sin(slot), way

    def _draw_lamps(self, picture: scenery.Picture, blink: bool) -> None:
        """A lamp beside every seat's slot: lit while marked, blinking while a double waits."""
        far = self.table.ring - 0.17
        for name in (*self.table.players, MEXICAN):
            slot = self.table.slot(name)
            x = self._centre[0] + far * _UNIT * math.cos(slot)
            y = self._centre[1] + far * _UNIT * math.sin(slot)
            lit = blink if name in self._doubles else name in self.table.marked
            drawhub.draw_lamp(picture, x, y, _UNIT, lit)

    def _draw_hands(self, picture: scenery.Picture, now: float) -> None:
        x, y = self._centre[0] - _MARGIN, self._centre[1] - _MARGIN
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

    def _noisy(self, picture: scenery.Picture) -> scenery.Picture:
        """Fresh grain on every frame, cut from a larger store of it."""
        up, down = self._grain
        left, top = (int(n) for n in self._random.integers(0, 2 * _MARGIN, 2))
        part = np.s_[top : top + HEIGHT, left : left + WIDTH]
        cv2.add(picture, up[part], dst=picture)
        cv2.subtract(picture, down[part], dst=picture)
        return picture


def _camera_view() -> NDArray[np.float64]:
    """The camera hangs a little in front of the table's middle: the far edge looks shorter."""
    wide, high = WIDTH + 2 * _MARGIN, HEIGHT + 2 * _MARGIN
    inset = 16.0
    table = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    seen = table - np.float32(_MARGIN)
    seen += np.array([(inset, inset / 2), (-inset, inset / 2), (0, 0), (0, 0)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(table, seen), np.float64)


def _grain(spread: float, random: np.random.Generator) -> tuple[scenery.Picture, scenery.Picture]:
    """Noise to be added and to be taken away."""
    grain = scenery.sensor_noise(WIDTH + 2 * _MARGIN, HEIGHT + 2 * _MARGIN, random, spread)
    up = np.clip(grain, 0, 255).astype(np.uint8)
    return up, np.clip(-grain, 0, 255).astype(np.uint8)
