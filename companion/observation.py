"""What was seen in a photo: tiles with their doubts, as plain values.

Says which doubts there are, what they do to the count, and what knowing the set adds.
Deliberately knows no pictures, no networks and no game: a reading made by hand is as good
as one made by a camera.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from companion.dominoes import Tile
from companion.saying import say

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]

WHYS = (
    "glare",
    "blurred",
    "too small",
    "cut off",
    "covered",
    "layout",
    "duplicate",
    "not in this set",
    "maybe not a tile",
    "unclear",
)
"""Every reason for which a tile can be doubtful."""

UNCOUNTED = ("cut off", "covered")
"""The doubts that leave a tile out of the sum: a pip of it could be hidden."""

DOUBLE_BLANK = 50
"""What the 0-0 costs unless the table agreed on something else."""

NO_TILES = say("No tiles found: lay them flat and apart, and fill the frame.")
UNREAD = say("There may be a tile that could not be read: look for it, or take the photo again.")


@dataclass(frozen=True, slots=True)
class Reading:
    """One tile as it was seen.

    ``ends`` is the likeliest reading whatever the doubt; ``corners`` are four points in pixels of
    the upright photo, clockwise, ``ends[0]`` towards the first two. ``confidence`` goes from
    0 to 1. ``why`` names the doubt and is None exactly when the tile is ``sure``. ``second`` is
    the likeliest other value of each half, None where nothing else comes into question.
    """

    ends: tuple[int, int]
    corners: Corners
    confidence: float = 1.0
    sure: bool = True
    why: str | None = None
    second: tuple[int | None, int | None] = (None, None)

    def __post_init__(self) -> None:
        if self.why is not None and self.why not in WHYS:
            raise ValueError(f"{self.why!r} is no doubt: it is one of {', '.join(WHYS)}.")
        if self.sure is not (self.why is None):
            raise ValueError("A doubtful tile needs its reason, and a sure one has none.")

    @property
    def tile(self) -> Tile:
        """The tile that these ends make."""
        return Tile.of(*self.ends)

    @property
    def counted(self) -> bool:
        """Whether the tile goes into the sum."""
        return self.why not in UNCOUNTED

    @property
    def centre(self) -> Point:
        """The middle of the four corners."""
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)

    def doubted(self, why: str) -> Reading:
        """The same tile with this doubt; a doubt that leaves it out of the sum stays."""
        return self if not self.counted else replace(self, sure=False, why=why)

    def to_json(self) -> dict[str, Any]:
        """The tile as the reading contract has it."""
        return {
            "ends": list(self.ends),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "confidence": round(self.confidence, 3),
            "sure": self.sure,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """All that was seen in one photo of ``width`` by ``height`` pixels, upright.

    Every warning is a sentence that questions the count, so a photo with one is never sure.
    ``set_highest`` is the set that the reading was checked against, None for no set.
    """

    width: int
    height: int
    tiles: tuple[Reading, ...] = ()
    warnings: tuple[str, ...] = ()
    milliseconds: float = 0.0
    set_highest: int | None = None
    double_blank: int = DOUBLE_BLANK

    @property
    def counted(self) -> tuple[Tile, ...]:
        """The tiles that go into the sum."""
        return tuple(reading.tile for reading in self.tiles if reading.counted)

    @property
    def pips(self) -> int:
        """The plain sum, without cut-off and covered tiles."""
        return sum(tile.pips for tile in self.counted)

    @property
    def points(self) -> int:
        """The same tiles with the 0-0 at ``double_blank``."""
        return sum(tile.points(self.double_blank) for tile in self.counted)

    @property
    def sure(self) -> bool:
        """Whether every tile is sure and no warning questions the count."""
        return not self.warnings and all(reading.sure for reading in self.tiles)

    def to_json(self, photo: str) -> dict[str, Any]:
        """The reading as the contract has it; ``photo`` is the name to give the picture."""
        return {
            "photo": photo,
            "width": self.width,
            "height": self.height,
            "tiles": [reading.to_json() for reading in self.tiles],
            "pips": self.pips,
            "points": self.points,
            "sure": self.sure,
            "warnings": list(self.warnings),
            "milliseconds": round(self.milliseconds),
        }


def checked_against_set(readings: Iterable[Reading], highest: int) -> tuple[Reading, ...]:
    """Doubt what a double-``highest`` set cannot show: higher values, and a tile seen twice.

    Both copies of a tile are doubtful. Cut-off and covered tiles keep their doubt, and a guess at
    them makes no other tile a duplicate. No second value beyond the set is left.
    """
    readings = tuple(replace(tile, second=_within(tile.second, highest)) for tile in readings)
    copies = Counter(reading.tile for reading in readings if reading.counted)

    def check(reading: Reading) -> Reading:
        if reading.tile.high > highest:
            return reading.doubted("not in this set")
        if copies[reading.tile] > 1:
            return reading.doubted("duplicate")
        return reading

    return tuple(check(reading) for reading in readings)


def _within(values: tuple[int | None, int | None], highest: int) -> tuple[int | None, int | None]:
    """The values with None for what is beyond the set."""
    one, other = (None if value is None or value > highest else value for value in values)
    return one, other
