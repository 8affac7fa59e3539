"""One person's games one after another, and those of two against each other.

Works from the games alone. Only finished games count, and only those of one way of scoring.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from companion.kept import FINISHED, KeptGame
from companion.names import folded
from companion.scores import places, round_scores, score_sheet, totals
from companion.state import GameState


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended for one person.

    ``place`` is None for somebody with a hole in their column. ``average`` are the points of a
    round that they played, None without any.
    """

    game: KeptGame
    total: int
    place: int | None
    won: bool
    average: Fraction | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game of two people: their results, and which of them ended before the other, if one."""

    one: Result
    other: Result

    @property
    def ahead(self) -> int:
        """-1: the first was better, 1: the second was, 0: neither, or nobody can tell."""
        if self.one.place is None or self.other.place is None:
            return 0
        return (self.one.place > self.other.place) - (self.one.place < self.other.place)


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds that two people both played: who left less (or won more), how much in all."""

    count: int = 0
    one_better: int = 0
    other_better: int = 0
    one_points: int = 0
    other_points: int = 0


def results(games: Iterable[KeptGame], name: str, *, positive: bool = False) -> list[Result]:
    """Every finished game of this person, in the order of the games."""
    return [found for game in games if (found := _result(game, name, positive)) is not None]


def meetings(
    games: Iterable[KeptGame], one: str, other: str, *, positive: bool = False
) -> list[Meeting]:
    """Every finished game of these two."""
    found = []
    for game in games:
        first, second = _result(game, one, positive), _result(game, other, positive)
        if first is not None and second is not None:
            found.append(Meeting(first, second))
    return found


def rounds(met: Iterable[Meeting], one: str, other: str) -> Rounds:
    """The rounds of these games that both played themselves."""
    pairs, better = list[tuple[int, int]](), list[int]()
    for meeting in met:
        state = meeting.one.game.state
        for pair in _pairs(state, one, other):
            pairs.append(pair)
            less = (pair[0] > pair[1]) - (pair[0] < pair[1])
            better.append(-less if state.rules.positive else less)
    return Rounds(
        count=len(pairs),
        one_better=better.count(-1),
        other_better=better.count(1),
        one_points=sum(points for points, _ in pairs),
        other_points=sum(points for _, points in pairs),
    )


def _result(game: KeptGame, name: str, positive: bool) -> Result | None:
    state = game.state
    number = _number(state, name)
    if number is None or game.status != FINISHED or state.rules.positive != positive:
        return None
    sheet = score_sheet(state)
    whole = bool(sheet[number]) and None not in sheet[number]
    place = places(state, sheet)[number] if whole else None
    played = [round_scores(each)[number] for each in state.closed if number in each.hands]
    return Result(
        game=game,
        total=totals(sheet)[number],
        place=place,
        won=place == 1,
        average=Fraction(sum(played), len(played)) if played else None,
    )


def _number(state: GameState, name: str) -> int | None:
    numbers = (each.number for each in state.people if folded(each.name) == folded(name))
    return next(numbers, None)


def _pairs(state: GameState, one: str, other: str) -> Iterator[tuple[int, int]]:
    first, second = _number(state, one), _number(state, other)
    if first is None or second is None:
        return
    for each in state.closed:
        scores = round_scores(each)
        if first in scores and second in scores:
            yield scores[first], scores[second]
