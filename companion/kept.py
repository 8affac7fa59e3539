"""The games that are kept: those played here and those imported, corrected since or not.

Works from the actions alone. Taking a game up again repeats its actions as a new game, so a game
that is the beginning of a later one has become that one. Knows no journal and no clock.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

from companion.actions import Action, parse_action
from companion.errors import RuleBroken
from companion.saying import say
from companion.scores import places, score_sheet, totals, winners
from companion.state import GameState
from companion.table import Table, replay

FINISHED, RUNNING, UNFINISHED = "finished", "running", "unfinished"
"""How a game stands: over, on the table now, or set aside."""

AFTERWARDS = ("correct", "undo")
"""What may be told of a finished game."""

DELETED = "delete_game"
"""What is told of a past game that is no more. It is no action: no table takes it."""

Said = Action | dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game: its number, how it stood last, what was told.

    Games played here are numbered from 1 as they were started, imported ones from -1 down.
    ``actions`` are all of them as they were stored, those taken back and the undos too.
    ``at_table`` tells that it is the latest here, finished or not, and ``continued`` that a
    later game took it up again. ``started`` is the place of its start in the journal here.
    """

    number: int
    state: GameState
    actions: tuple[Action, ...]
    status: str
    at_table: bool = False
    continued: bool = False
    started: int | None = None

    @property
    def id(self) -> str:
        """A word that is this game's in any journal, however far it went there."""
        first = self.actions[0]
        told = [start_of(self.actions)] if first.at else [start_of(self.actions), *self.actions[1:]]
        text = json.dumps([action.to_json() for action in told], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def table(self) -> Table:
        """The table as this game left it, with its history; worked out anew at each asking."""
        return replay(self.actions)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody on the sheet."""
        return tuple(person.name for person in self.state.people)

    @property
    def rounds(self) -> int:
        """How many rounds are closed."""
        return len(self.state.closed)

    @property
    def began(self) -> str | None:
        """When it was started, as the action carries it."""
        return self.actions[0].at

    @property
    def ended(self) -> str | None:
        """When something was told of it last; what was corrected after its end aside."""
        for action in reversed(self.actions):
            if self.status != FINISHED or action.name not in AFTERWARDS:
                return action.at
        return None

    @property
    def resumable(self) -> bool:
        """Whether it was set aside with something to go on with."""
        return self.status == UNFINISHED and not self.continued and len(self.actions) > 1

    @property
    def best(self) -> tuple[tuple[str, int], ...]:
        """Who won, or leads so far, with their totals; nobody before a round is closed."""
        sheet = score_sheet(self.state)
        if not self.rounds:
            return ()
        placed, sums = places(self.state, sheet), totals(sheet)
        ahead = (
            winners(self.state, sheet)
            if self.status == FINISHED
            else [
                number
                for number, place in placed.items()
                if place == 1 and None not in sheet[number]
            ]
        )
        return tuple((self.state.name(number), sums[number]) for number in ahead)


def start_of(actions: Sequence[Action]) -> Action:
    """How a game was started, whether or not somebody insisted: a game taken up again insists."""
    return replace(actions[0], overrule=False)


def begins(shorter: Sequence[Action], longer: Sequence[Action]) -> bool:
    """Whether these actions, at their very times, are the beginning of those."""
    if len(shorter) > len(longer) or start_of(shorter) != start_of(longer):
        return False
    return tuple(shorter[1:]) == tuple(longer[1 : len(shorter)])


def kept_games(
    actions: Iterable[Said], past: Iterable[tuple[int, Sequence[Said]]] = ()
) -> list[KeptGame]:
    """Every game, the one told of last at the end; one whose very start was taken back is none.

    ``past`` is what was told of games that are not at the table, by number: corrections, whole
    games that were imported, and that one was deleted.
    """
    runs: dict[int, list[Said]] = {}
    starts: dict[int, int] = {}
    latest = 0
    for place, said in enumerate(actions, start=1):
        if not latest or is_start(said):
            latest += 1
            starts[latest], runs[latest] = place, []
        runs[latest].append(said)
    gone = set()
    for number, told in past:
        if is_deletion(told) and number < latest:
            gone.add(number)
        else:
            runs.setdefault(number, []).extend(told)
    games = (
        game_of(number, tuple(map(parse_action, run)), starts.get(number))
        for number, run in runs.items()
        if number not in gone
    )
    return in_order(filter(None, games), latest)


def is_start(said: Said) -> bool:
    """Whether a game begins with this action."""
    return (said.name if isinstance(said, Action) else said.get("action")) == "start_game"


def is_deletion(told: Sequence[Any]) -> bool:
    """Whether this tells of a past game that it was deleted."""
    return len(told) == 1 and isinstance(told[0], dict) and told[0].get("action") == DELETED


def game_of(number: int, told: tuple[Action, ...], started: int | None) -> KeptGame | None:
    """The game of these actions; None where its very start was taken back. Raises RuleBroken."""
    state = replay(told).state
    return None if state is None else KeptGame(number, state, told, UNFINISHED, started=started)


def in_order(games: Iterable[KeptGame], latest: int) -> list[KeptGame]:
    """These games as they stand beside each other, the one told of last at the end.

    ``latest`` is the number of the game that is at the table.
    """
    found = [_standing(game, game.number == latest) for game in games]
    found.sort(key=lambda game: game.number)
    again = _taken_up_again(found)
    games = [replace(game, continued=game.number in again) for game in found]
    return sorted(games, key=lambda game: (game.status == RUNNING, _moment(game.ended)))


def _standing(game: KeptGame, at_table: bool) -> KeptGame:
    over = game.state.phase == FINISHED
    status = FINISHED if over else RUNNING if at_table else UNFINISHED
    return replace(game, status=status, at_table=at_table)


def _taken_up_again(games: Sequence[KeptGame]) -> set[int]:
    """The numbers of those that are the beginning of a later one."""
    alike: dict[tuple[object, ...], list[KeptGame]] = defaultdict(list)
    for game in games:
        first = game.actions[0]
        if first.at is not None:
            alike[first.at, *first["players"]].append(game)
    return {
        one.number
        for same in alike.values()
        for one, later in combinations(same, 2)
        if one.status != FINISHED and begins(one.actions, later.actions)
    }


def _moment(at: str | None) -> datetime:
    """A time that can be compared; what carries none was long ago."""
    if at is None:
        return datetime.min.replace(tzinfo=UTC)
    moment = datetime.fromisoformat(at)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def find(games: Iterable[KeptGame], number: int) -> KeptGame:
    """The game of this number; RuleBroken where there is none."""
    for game in games:
        if game.number == number:
            return game
    raise RuleBroken(say("There is no such game here: choose one of the list."))


def resumable(games: Sequence[KeptGame], number: int) -> KeptGame:
    """The game of this number, to be taken up again; RuleBroken says why it cannot be."""
    game = find(games, number)
    if game.resumable:
        return game
    if game.continued:
        raise RuleBroken(
            say("That game has been taken up again already: go on with the newer one.")
        )
    if game.status == FINISHED:
        raise RuleBroken(say("That game is finished: it cannot go on."))
    if game.status == RUNNING:
        raise RuleBroken(say("That game is on the table already: go on with it there."))
    raise RuleBroken(say("That game was begun and nothing more: start a new one instead."))


def once_more(game: KeptGame) -> list[Action]:
    """The actions that put this game on the table again, in place of any other."""
    return [replace(game.actions[0], overrule=True), *game.actions[1:]]


def amended(games: Sequence[KeptGame], number: int, action: Action) -> Table:
    """The table of a finished game after something was put right in it.

    Raises RuleBroken for a game that is not past, and for what only a game being played takes.
    An undo takes back the last correction, never more.
    """
    game = find(games, number)
    if game.at_table:
        raise RuleBroken(say("That game is on the table: correct it on its own sheet."))
    if game.status != FINISHED:
        raise RuleBroken(say("That game was set aside: go on with it, then correct it."))
    table = game.table
    if action.name not in AFTERWARDS:
        raise RuleBroken(say("That game is finished: its scores can be corrected, nothing else."))
    if action.name == "undo" and not corrected(table):
        raise RuleBroken(say("Nothing was corrected in that game: there is nothing to take back."))
    return table.after(action)


def corrected(table: Table) -> bool:
    """Whether the last thing that stands in a game is a correction."""
    return table.last is not None and table.last.name == "correct"


def deletable(games: Sequence[KeptGame], number: int) -> list[int]:
    """The numbers that go with this past game: its own, and those of the games it took up again,
    which would be there again without it. Raises RuleBroken for a game that is not past.
    """
    game = find(games, number)
    if game.at_table:
        raise RuleBroken(say("That game is still on the table: begin another one, then delete it."))
    if game.continued:
        raise RuleBroken(
            say("That game has been taken up again already: go on with the newer one.")
        )
    return [number, *(one.number for one in games if _is_earlier(one, game))]


def _is_earlier(one: KeptGame, game: KeptGame) -> bool:
    return one.continued and one is not game and begins(one.actions, game.actions)
