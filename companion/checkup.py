"""The self-test's verdict: how well known tiles were read, in plain words.

Compares what was read, look by look, with what people say lies there. Knows no camera and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.observation import PhotoReading
from companion.saying import say

Grade = Literal["well", "fairly", "badly"]

WELL, FAIRLY = 0.97, 0.85
"""The shares of tiles read right, and surely, for each grade."""
DARK = 70.0
"""A picture whose mean brightness (0 to 255) lies below this is dark."""
LEAST, MOST = 6, 28
"""With fewer tiles nothing is said of the set; so many are enough for a test."""

_ADVICE = {
    "glare": say("A lamp shines back from the tiles: turn it aside."),
    "blurred": say("The picture is blurred: hold the camera still and clean its lens."),
    "too small": say("The tiles are small in the picture: bring the camera nearer."),
    "cut off": say("Tiles reach over the picture's edge: lay them further in."),
    "covered": say("Tiles lie over each other: lay them apart."),
}
_MORE_LIGHT = say("It is dark: make more light from above.")
_STILL = say("Lay them flat and apart, with light from above, and read them again.")


@dataclass(frozen=True)
class Line:
    """One tile of the test: how many looks there were, in how many it was read right, and surely;
    what it was taken for instead, most often first."""

    tile: Tile
    looks: int
    right: int
    sure: int
    taken_for: tuple[Tile, ...]


@dataclass(frozen=True)
class Checkup:
    """All looks at known tiles so far.

    ``brightness`` is the mean of the last picture, 0 to 255.
    """

    tiles: tuple[Tile, ...]
    readings: tuple[PhotoReading, ...] = ()
    brightness: float | None = None

    def seen(self, readings: Iterable[PhotoReading], brightness: float) -> Checkup:
        """The same test with these looks added."""
        return replace(self, readings=(*self.readings, *readings), brightness=brightness)

    @property
    def outcomes(self) -> list[tuple[Tile, Tile | None, bool]]:
        """For every look and tile: what it was read as (None for nothing), and whether surely."""
        found: list[tuple[Tile, Tile | None, bool]] = []
        for reading in self.readings:
            sure = {each.tile: each.sure for each in reading.tiles if each.tile in self.tiles}
            strangers = [each.tile for each in reading.tiles if each.tile not in self.tiles]
            for tile in self.tiles:
                if tile in sure:
                    found.append((tile, tile, sure[tile]))
                    continue
                alike = [other for other in strangers if set(other.ends) & set(tile.ends)]
                other = next(iter(alike or strangers), None)
                if other is not None:
                    strangers.remove(other)
                found.append((tile, other, False))
        return found

    @property
    def lines(self) -> list[Line]:
        """Every tile with how it was read."""
        outcomes = self.outcomes
        lines = []
        for tile in self.tiles:
            mine = [(read, sure) for each, read, sure in outcomes if each == tile]
            others = Counter(read for read, _sure in mine if read not in (tile, None))
            taken_for = tuple(other for other, _times in others.most_common(2) if other)
            right = sum(read == tile for read, _sure in mine)
            lines.append(Line(tile, len(mine), right, sum(sure for _read, sure in mine), taken_for))
        return lines

    @property
    def share(self) -> float:
        """The share of all looks at all tiles that were right and sure."""
        asked = len(self.tiles) * len(self.readings)
        return sum(line.sure for line in self.lines) / asked if asked else 0.0

    @property
    def right(self) -> int:
        """How many tiles were read right in every look."""
        return sum(line.right == line.looks > 0 for line in self.lines)

    @property
    def doubtful(self) -> list[int]:
        """The values that were misread or doubted in more than a tenth of the looks."""
        asked: Counter[int] = Counter()
        good: Counter[int] = Counter()
        for tile, read, sure in self.outcomes:
            for value in set(tile.ends):
                asked[value] += 1
                kept = read is not None and read != tile and value in read.ends
                good[value] += sure or kept
        return sorted(value for value in asked if good[value] < 0.9 * asked[value])

    @property
    def grade(self) -> Grade:
        """How well it went."""
        return "well" if self.share >= WELL else "fairly" if self.share >= FAIRLY else "badly"

    @property
    def enough(self) -> bool:
        """Whether these are tiles enough to say something of the whole set."""
        return len(self.tiles) >= LEAST

    @property
    def verdict(self) -> str:
        """How well it went as a sentence; of too few tiles, that more are needed."""
        if not self.enough:
            return say("Too few tiles to judge the set by: lay at least %(n)s.", n=LEAST)
        return {
            "well": say("This set is read well in this light."),
            "fairly": say("This set is read fairly in this light: check what is doubtful."),
            "badly": say("This set is read badly in this light."),
        }[self.grade]

    @property
    def advice(self) -> list[str]:
        """What to change, the most frequent fault first; nothing where all is well."""
        if self.grade == "well":
            return []
        whys = Counter(each.why for reading in self.readings for each in reading.tiles)
        dark = [_MORE_LIGHT] if self.brightness is not None and self.brightness < DARK else []
        few = len(self.readings)
        known = [_ADVICE[why] for why, n in whys.most_common() if why in _ADVICE and n >= few / 2]
        return [*dark, *known] or [_STILL]


def suggested(highest: int) -> tuple[Tile, ...]:
    """Tiles of a double-``highest`` set in which every value occurs: half a dozen or so."""
    values = list(range(highest + 1))
    pairs = [Tile.of(one, other) for one, other in zip(values[::2], values[1::2])]
    tiles = (*pairs, Tile.of(highest, highest)) if highest % 2 == 0 else tuple(pairs)
    across = [Tile.of(value, highest - value) for value in values[: len(values) // 2]]
    return (*tiles, *across[: max(0, LEAST - len(tiles))])


def tiles_in(text: str, highest: int) -> tuple[Tile, ...]:
    """The tiles somebody typed, with blanks or commas between. Raises RuleBroken."""
    found: list[Tile] = []
    for part in text.replace(",", " ").split()[: MOST + 1]:
        try:
            tile = Tile.parse(part)
        except ValueError as error:
            raise RuleBroken(str(error)) from None
        if tile.high > highest:
            raise RuleBroken(
                say("The %(tile)s is not in a double-%(n)s set.", tile=tile, n=highest)
            )
        if tile not in found:
            found.append(tile)
    if not found:
        raise RuleBroken(say("Type the tiles that lie there, like 0-1 2-3 4-5."))
    if len(found) > MOST:
        raise RuleBroken(say("%(n)s tiles at once are enough: take some away.", n=MOST))
    return tuple(found)
