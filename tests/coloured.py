"""A table of coloured rectangles, and a reader that knows each colour's tile: quick and exact."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.edges import Frame
from companion.observation import PhotoReading, Point, Reading

WIDTH, HEIGHT = 640, 480
LONG, WIDE = 60, 30
Pair = tuple[int, int]
Blob = tuple[Point, int, tuple[int, int, int]]
"""Middle, radius and colour."""


class Table:
    """Tiles by their place (top left corner), and whatever else is drawn over them."""

    def __init__(self, *tiles: tuple[Pair, Point]) -> None:
        chance = np.random.default_rng(4)
        coarse = chance.integers(60, 110, (HEIGHT // 8, WIDTH // 8, 3)).astype(np.uint8)
        self.cloth = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
        self.tiles = list(tiles)
        self.blobs: list[Blob] = []
        self.shift = (0, 0)
        self.light = 1.0
        self.seconds = 0.0

    def frame(self, name: str = "table") -> Frame:
        """The table as the camera sees it now; a third of a second passes."""
        image = self.cloth.copy()
        for ends, (x, y) in self.tiles:
            cv2.rectangle(image, (int(x), int(y)), (int(x) + LONG, int(y) + WIDE), colour(ends), -1)
        for (x, y), radius, paint in self.blobs:
            cv2.circle(image, (int(x), int(y)), radius, paint, -1)
        image = np.roll(image, self.shift, (1, 0)) * self.light
        self.seconds += 1 / 3
        return Frame(np.asarray(image, np.uint8), self.seconds, name)


def colour(ends: Pair) -> tuple[int, int, int]:
    """Every tile's own colour, bright in any case."""
    low, high = sorted(ends)
    return 130 + 8 * low, 150 + 8 * high, 250


class Reader:
    """Reads the colours, and counts; ``lies`` replaces what it would say of a tile."""

    def __init__(self) -> None:
        self.asked = 0
        self.pixels: list[int] = []
        self.lies: dict[Pair, Reading | Pair | None] = {}

    def read(self, image: Any, *, highest: int | None = None, area: Any = None) -> PhotoReading:
        """All tiles of which half can be seen."""
        self.asked += 1
        height, width = image.shape[:2]
        self.pixels.append(height * width)
        found = []
        bright = image[image[:, :, 2] == 250]
        for blue, green, _ in np.unique(bright, axis=0).tolist():
            found += self._of(image, ((blue - 130) // 8, (green - 150) // 8), area)
        return PhotoReading(width, height, tuple(found), set_highest=highest)

    def outlines(self, image: Any, area: Any = None, **known: Any) -> list[tuple[Any, float]]:
        """Where there are tiles of which half can be seen."""
        bright, found = image[image[:, :, 2] == 250], []
        for blue, green, _ in np.unique(bright, axis=0).tolist():
            found += self._of(image, ((blue - 130) // 8, (green - 150) // 8), area)
        return [(reading.corners, 0.9) for reading in found]

    def _of(self, image: Any, ends: Pair, area: Any) -> list[Reading]:
        seen = np.all(image == np.array(colour(ends), np.uint8), axis=2).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(seen)
        found = []
        for x, y, wide, high, pixels in stats[1:].tolist():
            if pixels < LONG * WIDE / 2:
                continue
            told = self.lies.get(ends, ends)
            corners = ((x, y + high), (x, y), (x + wide, y), (x + wide, y + high))
            middle = (x + wide / 2, y + high / 2)
            outside = area is not None and (
                cv2.pointPolygonTest(np.array(area, np.float32), middle, False) < 0
            )
            if told is None or outside:
                continue
            if isinstance(told, Reading):
                found.append(Reading(told.ends, corners, told.confidence, told.sure, told.why))
            else:
                found.append(Reading(told, corners))
        return found
