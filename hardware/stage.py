"""Draws an evening that plays itself, as the camera over the hub sees it at any moment."""

from __future__ import annotations

import math

import numpy as np

from companion.vision import draw, drawhub, scenery
from companion.vision.drawtable import (
    HEIGHT,
    TABLE,
    WIDTH,
    Grain,
    Item,
    Lens,
    TableView,
)
from hardware.evening import Evening, Light, Moment, Reach
from hardware.laying import MEXICAN, ring
from hardware.scene import Put, Scene

_SWELL = 47.0
"""Seconds in which the light swells and fades once."""
_PALM = 92
"""A hand's scale in pixels: the finger tips lie 1.1 times as far from the palm's middle."""


class Stage:
    """The picture of an evening: ask it for the frames of its moments in order of time."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self._unit = evening, evening.unit
        random = np.random.default_rng([evening.seed, 7])
        self._middle = (TABLE[0] / 2 + evening.off[0], TABLE[1] / 2 + evening.off[1])
        slots = evening.table.slots
        self._ground = scenery.TABLES[evening.ground](*TABLE, random)
        drawhub.draw_hub(self._ground, *self._middle, self._unit, ring(slots), slots)
        self._light: Light | None = None
        self.lens = Lens(evening.barrel)
        plain = np.ones((TABLE[1], TABLE[0]), np.float32)
        self._view = TableView(draw.STYLES[evening.style], self.lens, plain)
        self._grain = Grain(evening.noise * (1.3 if evening.dim else 1.0), random)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the engine's slot, in pixels of the picture."""
        return self.seen(0.0, 0.0)

    @property
    def length(self) -> float:
        """A tile's length in pixels of the picture, in its middle."""
        return math.dist(self.seen(-0.5, 0.0), self.seen(0.5, 0.0))

    @property
    def directions(self) -> tuple[float, ...]:
        """The ways to the seats and last to the Mexican Train, in degrees in the picture."""
        table, (x, y) = self.evening.table, self.centre
        ways = []
        for name in (*table.players, MEXICAN):
            slot = table.slot(name)
            to_x, to_y = self.seen(3 * math.cos(slot), 3 * math.sin(slot))
            ways.append(math.degrees(math.atan2(to_y - y, to_x - x)) % 360)
        return tuple(ways)

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """Where this place on the table, in tile lengths, is seen in the picture, in pixels."""
        spot = (self._middle[0] + x * self._unit, self._middle[1] + y * self._unit)
        return self.lens.seen([spot])[0]

    def frame(self, moment: Moment, now: float) -> tuple[scenery.Picture, bool]:
        """The picture at this time (BGR, 960 × 1280 × 3), and whether no hand is in it."""
        if moment.light != self._light:
            self._shine(moment.light)
        picture = self._view.show(self._ground, self._items(moment.scene)).copy()
        clear = not any([self._reach(picture, hand, now) for hand in moment.hands])
        swell = 1 + self.evening.drift * math.sin(math.tau * now / _SWELL)
        tint = np.array(moment.light.tint) * swell
        greys = np.arange(256)[:, None] * tint
        curve = np.clip(greys + 0.5, 0, 255).astype(np.uint8).reshape(256, 1, 3)
        picture = scenery.curved(picture, curve)
        self._grain.fall_on(picture)
        return picture, clear

    def _shine(self, light: Light) -> None:
        self._light = light
        mask = scenery.lamplight(*TABLE, light.x, light.y, light.fall) * np.float32(light.gain)
        if light.shadow is not None:
            x, y, reach, depth = light.shadow
            mask *= 1 - depth * scenery.blot(*TABLE, x, y, reach)
        self._view.shine(mask)

    def _items(self, scene: Scene) -> tuple[Item, ...]:
        x, y = self._middle
        items = []
        if scene.engine is not None:
            items.append(Item("tile", x, y, self._unit, 0.0, scene.engine.ends))
        for line in scene.lines:
            for spot in line.tiles:
                place = (x + spot.x * self._unit, y + spot.y * self._unit)
                items.append(Item("tile", *place, self._unit, spot.angle, spot.ends))
        return (*items, *(self._marker(put) for put in scene.markers))

    def _marker(self, put: Put) -> Item:
        kind = self.evening.marker
        seat = self.evening.table.players.index(put.train)
        colour = drawhub.SEAT_COLOURS[seat]
        if kind == "coin":  # people take one that shows on their table
            colour = drawhub.SILVER if self.evening.ground == "wood" else drawhub.COPPER
        x, y = (
            self._middle[0] + put.x * self._unit,
            self._middle[1] + put.y * self._unit,
        )
        return Item(kind, x, y, self._unit, put.angle, colour=colour)

    def _reach(self, picture: scenery.Picture, hand: Reach, now: float) -> bool:
        """Draw a hand where it is at this time; False while none of it is in the picture."""
        tips = hand.at(now)
        if tips is None:
            return False
        x, y = self.seen(*tips)
        x, y = x + _PALM * math.cos(hand.way), y + _PALM * math.sin(hand.way)
        stamp = drawhub.hand_stamp(_PALM, hand.way - math.pi / 2)
        high, wide = stamp.through.shape[:2]
        left, top = round(x) + stamp.left, round(y) + stamp.top
        if left >= WIDTH or top >= HEIGHT or left + wide <= 0 or top + high <= 0:
            return False
        stamp.press(picture, -round(x), -round(y))
        return True
