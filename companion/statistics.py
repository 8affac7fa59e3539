"""Figures over many games: who won how often, averages, best and worst rounds.

Works from the games alone. Only finished games count; games that were set aside or are still
being played are counted apart. Points of penalty and of positive scoring cannot be compared, so
figures are made for one of the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.actions import Action
from companion.dominoes import Tile
from companion.kept import kept_games
from companion.names import folded
from companion.scores import round_scores, score_sheet, winners
from companion.state import GameState

DOUBLE_BLANK = Tile(0, 0)

Group = frozenset[str]
"""The people of a game by name, ignoring case."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One person's figures, under the name they used last.

    ``rounds`` are those they played themselves. ``average``, ``best`` and ``worst`` are scores of
    single rounds, None without any; the best is the lowest with penalty scoring and the highest
    with positive scoring. ``double_blanks`` counts rounds in which the 0-0 was told in their
    hand. ``streak`` are the most games won one after another, ``winning`` those won up to the
    latest. ``unfinished`` games count in nothing else.
    """

    name: str
    games: int = 0
    wins: int = 0
    rounds: int = 0
    points: int = 0
    best: int | None = None
    worst: int | None = None
    went_out: int = 0
    double_blanks: int = 0
    unfinished: int = 0
    streak: int = 0
    winning: int = 0

    @property
    def average(self) -> Fraction | None:
        """Points in a round, exactly; None without a round."""
        return Fraction(self.points, self.rounds) if self.rounds else None


def games(actions: Iterable[Action | dict[str, object]]) -> list[GameState]:
    """The last state of every game in the journal, in the order they were started.

    A game that was set aside and taken up again later is one game.
    """
    return [game.state for game in kept_games(actions) if not game.continued]


def group_of(game: GameState) -> Group:
    """Everybody on a game's sheet."""
    return frozenset(folded(person.name) for person in game.people)


def groups(played: Sequence[GameState]) -> list[tuple[tuple[str, ...], int]]:
    """Each group of people as names, with how many games they finished; most games first."""
    finished = Counter(group_of(game) for game in played if game.phase == "finished")
    shown: dict[Group, tuple[str, ...]] = {}
    for game in played:
        names = sorted((person.name for person in game.people), key=str.casefold)
        shown[group_of(game)] = tuple(names)
    counted = [(names, finished[group]) for group, names in shown.items()]
    return sorted(counted, key=lambda each: (-each[1], [name.casefold() for name in each[0]]))


def statistics(
    played: Sequence[GameState],
    *,
    group: Iterable[str] | None = None,
    positive: bool = False,
) -> list[Figures]:
    """Everybody's figures, most wins first, then by name.

    ``group`` leaves only the games of exactly these people; ``positive`` chooses the games with
    positive scoring instead of those with penalties.
    """
    wanted = None if group is None else frozenset(map(folded, group))
    figures: dict[str, Figures] = {}
    for game in played:
        if game.rules.positive == positive and wanted in (None, group_of(game)):
            _count_game(figures, game)
    return sorted(figures.values(), key=lambda each: (-each.wins, each.name.casefold()))


def _count_game(figures: dict[str, Figures], game: GameState) -> None:
    won = winners(game, score_sheet(game))
    for person in game.people:
        key = folded(person.name)
        so_far = figures.get(key, Figures(person.name))
        figures[key] = _with_game(so_far, game, person.number, person.number in won)


def _with_game(so_far: Figures, game: GameState, number: int, won: bool) -> Figures:
    """The figures with one game more, under the name that was used in it."""
    name = game.name(number)
    finished = game.phase == "finished"
    told = [(round_, round_.hands[number]) for round_ in game.closed if number in round_.hands]
    if not finished:
        told = []
    points = [round_scores(round_)[number] for round_, _ in told]
    winning = so_far.winning + 1 if won else 0 if finished else so_far.winning
    best, worst = (max, min) if game.rules.positive else (min, max)
    return Figures(
        name=name,
        games=so_far.games + finished,
        wins=so_far.wins + won,
        rounds=so_far.rounds + len(points),
        points=so_far.points + sum(points),
        best=_extreme(best, so_far.best, points),
        worst=_extreme(worst, so_far.worst, points),
        went_out=so_far.went_out + sum(number in round_.went_out for round_, _ in told),
        double_blanks=so_far.double_blanks
        + sum(DOUBLE_BLANK in (hand.tiles or ()) for _, hand in told),
        unfinished=so_far.unfinished + (not finished),
        streak=max(so_far.streak, winning),
        winning=winning,
    )


def _extreme(
    choose: Callable[[list[int]], int], so_far: int | None, points: list[int]
) -> int | None:
    """The best or worst of the rounds so far and these."""
    all_points = [*points, *(() if so_far is None else (so_far,))]
    return choose(all_points) if all_points else None
