"""One game at one moment, as frozen values: people, rules, the round, the closed rounds.

What a scorekeeper can know: nothing here holds hands in play, nor any clock. The handlers in
``seating``, ``play`` and ``tally`` make the next state from an action; this module only holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.actions import MEXICAN, Action
from companion.dominoes import DominoSet, Tile
from companion.errors import RuleBroken
from companion.names import folded
from companion.rulebook import Rules
from companion.saying import listed, say

MEXICAN_TRAIN = -1
"""The Mexican Train among the train numbers; any other number is a person's."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the score sheet; ``number`` stays theirs through renaming and moving.

    ``comings`` holds, for each time they came late, the rounds closed by then and what the
    missed ones count.
    """

    number: int
    name: str
    comings: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """What one player had left: the tiles where they were told, else the sum only."""

    tiles: tuple[Tile, ...] | None
    pips: int
    photo: str | None = None

    def points(self, double_blank: int) -> int:
        """What the hand costs; a typed sum is taken as it is."""
        if self.tiles is None:
            return self.pips
        return sum(tile.points(double_blank) for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class OpenDouble:
    """A double that nobody has covered yet, who laid it where, and in which turn of the round."""

    value: int
    train: int
    player: int | None
    laid_in: int = 0

    @property
    def tile(self) -> Tile:
        """The double as a tile."""
        return Tile(self.value, self.value)


@dataclass(frozen=True, slots=True)
class Aside:
    """A gentle question about what was told last: its kind, and who, where and which tile."""

    kind: str
    player: int | None = None
    train: int | None = None
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One round: what has been told of it so far. ``players`` are those it was opened with."""

    engine: int
    players: tuple[int, ...]
    starter: int | None = None
    turn: int | None = None
    turns: int = 0
    """How many turns were told."""
    had_turn: frozenset[int] = frozenset()
    first_turn: bool = False
    """Whether the turn is its player's first, as far as was told."""
    doubled: bool = False
    """Whether a double was laid in this turn."""
    started: tuple[int, ...] = ()
    marked: frozenset[int] = frozenset()
    open_doubles: tuple[OpenDouble, ...] = ()
    to_cover: int | None = None
    owing: frozenset[int] = frozenset()
    """Who put their marker up because they could not cover."""
    knocked: tuple[int, ...] = ()
    went_out: tuple[int, ...] = ()
    blocked: bool = False
    drawn: int = 0
    draws: Mapping[int, int] = field(default_factory=dict)
    """How many tiles each player drew, where it was told who did."""
    laid: frozenset[Tile] = frozenset()
    laid_again: frozenset[Tile] = frozenset()
    newest: tuple[Tile, int] | None = None
    """The tile laid last and its train."""
    hands: Mapping[int, Hand] = field(default_factory=dict)
    nudged: Mapping[int, str] = field(default_factory=dict)
    """Whose marker may be due to come down, and by which kind of play."""
    asides: tuple[Aside, ...] = ()
    """Questions about what was told last; they go with the next thing that is told."""
    rules: Rules | None = None
    """The rules it was closed under; None while it is open."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A game: ``seats`` are the numbers of the people playing, clockwise from lamp 1."""

    people: tuple[Person, ...]
    seats: tuple[int, ...]
    set: DominoSet
    rules: Rules
    hand: int | None
    first_engine: int
    rounds: int | None
    phase: str = "between"
    round: Round | None = None
    closed: tuple[Round, ...] = ()

    def name(self, train: int) -> str:
        """The name of a person or train by number."""
        if train == MEXICAN_TRAIN:
            return MEXICAN
        return next(person.name for person in self.people if person.number == train)

    def person(self, name: str) -> Person:
        """Anybody on the sheet by name, ignoring case; RuleBroken says who there is."""
        for person in self.people:
            if folded(person.name) == folded(name):
                return person
        raise RuleBroken(
            say(
                "There is no player called %(name)s: %(players)s play.",
                name=name,
                players=self.names(self.seats),
            )
        )

    def player(self, name: str) -> int:
        """The number of somebody who is playing; RuleBroken if not."""
        person = self.person(name)
        if person.number not in self.seats:
            raise RuleBroken(
                say("%(player)s has left the game: add them again first.", player=person.name)
            )
        return person.number

    def told_player(self, action: Action) -> int | None:
        """The player an action names, or None where it names none."""
        return self.player(action["player"]) if "player" in action.fields else None

    def train(self, name: str) -> int:
        """The number of a train by its owner's name or ``mexican``.

        The train of somebody who left in the middle of a round still lies there.
        """
        if name == MEXICAN:
            return MEXICAN_TRAIN
        number = self.person(name).number
        lies = self.round is not None and number in self.round.players
        return number if lies else self.player(name)

    def names(self, numbers: tuple[int, ...] | list[int]) -> str:
        """Several people in words: ``Ann, Bob and Cem``."""
        return listed([self.name(number) for number in numbers])

    def after_seat(self, number: int) -> int:
        """Who sits clockwise after this player."""
        return self.seats[(self.seats.index(number) + 1) % len(self.seats)]

    def dutiful(self, number: int | None) -> int | None:
        """Who has to cover when the duty comes to this player; None when nothing lies open.

        Where the next player has to cover, whoever left all the open doubles is passed over.
        """
        doubles = self.open().open_doubles
        if not doubles or number is None:
            return None
        theirs = all(double.player == number for double in doubles)
        if theirs and self.rules["cover_by"] == "next_player":
            return self.after_seat(number)
        return number

    def next_engine(self) -> int:
        """The double that the next round of an unfinished game wants."""
        return self.closed[-1].engine - 1 if self.closed else self.first_engine

    def open(self) -> Round:
        """The round being played or scored; RuleBroken says what to do when there is none."""
        if self.phase == "finished":
            raise RuleBroken(
                say("The game is finished: correct a past round, or start a new game.")
            )
        if self.round is None or self.phase == "between":
            raise RuleBroken(say("No round is open: open the next round first."))
        return self.round

    def with_round(self, phase: str | None = None, **changes: Any) -> GameState:
        """The same game with the open round changed; what was asked aside is over."""
        changed = replace(self.open(), **{"asides": (), **changes})
        return replace(self, round=changed, phase=phase or self.phase)


def with_turn(round_: Round, number: int) -> Round:
    """The round with this player at turn; the same turn told twice is one turn."""
    if number == round_.turn:
        return round_
    return replace(
        round_,
        turn=number,
        turns=round_.turns + 1,
        first_turn=number not in round_.had_turn,
        had_turn=round_.had_turn | {number},
        doubled=False,
    )


def insist(action: Action, sentence: str) -> None:
    """Refuse what contradicts the record, unless a person insists with ``overrule``."""
    if not action.overrule:
        raise RuleBroken(sentence, overrulable=True)
