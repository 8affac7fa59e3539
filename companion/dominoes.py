"""Dominoes as values: a tile that parses and prints, and the sets tiles come in.

Knows nothing of trains, rounds or scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from companion.saying import in_line, say

SIZES = (6, 9, 12, 15, 18)
"""The sets that are sold: double-6 to double-18."""

_WRITTEN = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)


@dataclass(frozen=True, order=True, slots=True)
class Tile:
    """One domino, its lower end first: ``Tile.parse("12-5") == Tile(5, 12)``."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= SIZES[-1]:
            written, most = f"{self.low}-{self.high}", SIZES[-1]
            raise ValueError(
                say("%(tile)s is no tile: ends go from 0 to %(most)s.", tile=written, most=most)
            )

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these two ends, in either order."""
        return cls(min(one, other), max(one, other))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read ``"5-12"`` in either order; raises ValueError with a sentence for anything else."""
        written = _WRITTEN.fullmatch(text.strip()) if isinstance(text, str) else None
        if written is None:
            said = ascii(text)[:20]
            raise ValueError(say("%(text)s is no tile: write its two ends like 5-12.", text=said))
        return cls.of(int(written[1]), int(written[2]))

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    @property
    def ends(self) -> tuple[int, int]:
        """Both ends, the lower first."""
        return (self.low, self.high)

    @property
    def is_double(self) -> bool:
        """Whether both ends are the same."""
        return self.low == self.high

    @property
    def pips(self) -> int:
        """The plain sum of both ends."""
        return self.low + self.high

    def points(self, double_blank: int) -> int:
        """What the tile costs in hand: its pips, or ``double_blank`` for the 0-0."""
        return double_blank if self.high == 0 else self.pips


@dataclass(frozen=True, slots=True)
class DominoSet:
    """A double-n set: every tile up to n-n, each exactly once."""

    highest: int

    def __post_init__(self) -> None:
        if self.highest not in SIZES:
            raise ValueError(
                say(
                    "There is no double-%(n)s set: choose one of %(sizes)s.",
                    n=self.highest,
                    sizes=in_line(SIZES),
                )
            )

    def __len__(self) -> int:
        return (self.highest + 1) * (self.highest + 2) // 2

    def __contains__(self, tile: object) -> bool:
        return isinstance(tile, Tile) and tile.high <= self.highest

    def __iter__(self) -> Iterator[Tile]:
        for low in range(self.highest + 1):
            for high in range(low, self.highest + 1):
                yield Tile(low, high)

    @property
    def pips(self) -> int:
        """The pips of the whole set: n(n+1)(n+2)/2."""
        return self.highest * (self.highest + 1) * (self.highest + 2) // 2

    @property
    def doubles(self) -> tuple[Tile, ...]:
        """The engines in the order they are played, highest first."""
        return tuple(Tile(value, value) for value in range(self.highest, -1, -1))
