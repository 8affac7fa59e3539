"""The rounds of a game as bars, a row for each player, and the engines that stand under a drawing.

Pure geometry over a sheet's columns, for `companion.web.chart`: across in percent of the width,
down in ``em``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Column = Sequence[int | None]
"""One player's scores, one for each closed round; None where they have none."""

FEW_TICKS, MANY_TICKS = 6, 13
"""Engines that fit under the plot of a phone, where they are told by one end, and of a tablet."""
FEW_BARS = 6
"""Bars of a player that have room for their numbers on a phone too."""
ROW, NUMBER = 3.6, 1.2
"""Height of the bars of one player, and of the number that stands on one, in em."""
BAR = 0.72
"""How much of a round's width its bar takes."""


@dataclass(frozen=True)
class Tick:
    """A word at an axis, its middle at ``at``; ``roomy``: left out where the plot is narrow."""

    at: float
    text: str
    roomy: bool = False


@dataclass(frozen=True)
class Bar:
    """One round of one player: ``score`` is None for a hole, 0 has no height."""

    x: float
    y: float
    width: float
    height: float
    score: int | None

    @property
    def middle(self) -> float:
        """The middle of the bar across."""
        return round(self.x + self.width / 2, 2)


@dataclass(frozen=True)
class Bars:
    """A row of bars for each player, all to one scale; ``base`` is what they stand on.

    ``most`` is the score of the tallest one; ``roomy`` tells whether a phone has room for numbers.
    """

    rows: Mapping[str, tuple[Bar, ...]]
    ticks: tuple[Tick, ...]
    base: float
    most: int
    roomy: bool


def ticks(engines: Sequence[str], place: float) -> Iterator[Tick]:
    """The engines under a drawing, thinned out from the last one backwards.

    ``place`` tells where in its round the word stands: 0.5 is the middle, 1 the end.
    """
    rounds = len(engines)
    few, many = math.ceil(rounds / FEW_TICKS), math.ceil(rounds / MANY_TICKS)
    many = next(n for n in range(many, few + 1) if few % n == 0)
    for number, engine in enumerate(engines):
        back = rounds - 1 - number
        if back % many == 0:
            yield Tick(round(100 * (number + place) / rounds, 2), engine, back % few != 0)


def draw_bars(columns: Mapping[str, Column], engines: Sequence[str]) -> Bars:
    """The bars of every player; points lost hang below the base."""
    told = [score for column in columns.values() for score in column if score is not None]
    high, low = max(1, 1, *told), min(0, 0, *told)
    unit = (ROW - NUMBER - 0.1) / (high - low)
    base = round(NUMBER + high * unit, 2)
    room = 100 / len(engines)

    def bar(number: int, score: int | None) -> Bar:
        height = round(abs(score or 0) * unit, 2)
        top = round(base - height, 2) if (score or 0) > 0 else base
        left = room * (number + (1 - BAR) / 2)
        return Bar(round(left, 2), top, round(room * BAR, 2), height, score)

    return Bars(
        rows={
            name: tuple(bar(n, score) for n, score in enumerate(column))
            for name, column in columns.items()
        },
        ticks=tuple(ticks(engines, 0.5)),
        base=base,
        most=max(told, default=0),
        roomy=len(engines) <= FEW_BARS,
    )
