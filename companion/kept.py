"""The games a journal holds: which were finished, which were set aside and can be taken up again.

Works from the actions alone. Taking a game up again repeats its actions as a new game, so a game
that is the beginning of a later one has become that one. Knows no journal and no clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from companion.actions import Action, parse_action
from companion.errors import RuleBroken
from companion.scores import places, score_sheet, totals, winners
from companion.state import GameState
from companion.table import Table

FINISHED, RUNNING, UNFINISHED = "finished", "running", "unfinished"
"""How a game stands: over, on the table now, or set aside."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game of the journal: its number there (from 1), how it stood last, what was told.

    ``actions`` are all of them as they were stored, those taken back and the undos too.
    ``continued`` tells that a later game took it up again.
    """

    number: int
    state: GameState
    actions: tuple[Action, ...]
    status: str
    continued: bool = False

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
        """When something was told of it last."""
        return self.actions[-1].at

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


def kept_games(actions: Iterable[Action | dict[str, object]]) -> list[KeptGame]:
    """Every game in the order they were started; one whose very start was taken back is none."""
    table, told, states = Table.empty(), list[list[Action]](), list[GameState | None]()
    for said in actions:
        action = parse_action(said)
        table = table.after(action)
        if action.name == "start_game":
            told.append([])
            states.append(None)
        told[-1].append(action)
        states[-1] = table.state
    games = [
        KeptGame(number, state, tuple(run), _status(state, number == len(states)))
        for number, (state, run) in enumerate(zip(states, told, strict=True), start=1)
        if state is not None
    ]
    again = {one.number for one, later in combinations(games, 2) if _begins(one, later)}
    return [replace(game, continued=game.number in again) for game in games]


def _status(state: GameState, latest: bool) -> str:
    if state.phase == FINISHED:
        return FINISHED
    return RUNNING if latest else UNFINISHED


def _begins(game: KeptGame, later: KeptGame) -> bool:
    """Whether a game's actions, at their very times, are the beginning of a later game's."""
    if game.status == FINISHED or game.began is None or len(game.actions) > len(later.actions):
        return False
    first, others = game.actions[0], game.actions[1:]
    anew = replace(later.actions[0], overrule=first.overrule)
    return first == anew and others == later.actions[1 : len(game.actions)]


def resumable(games: Sequence[KeptGame], number: int) -> KeptGame:
    """The game of this number, to be taken up again; RuleBroken says why it cannot be."""
    for game in games:
        if game.number != number:
            continue
        if game.resumable:
            return game
        why = {
            FINISHED: "That game is finished: it cannot go on.",
            RUNNING: "That game is on the table already: go on with it there.",
            UNFINISHED: "That game was begun and nothing more: start a new one instead.",
        }[game.status]
        if game.continued:
            why = "That game has been taken up again already: go on with the newer one."
        raise RuleBroken(why)
    raise RuleBroken("There is no such game here: choose one of the list.")


def once_more(game: KeptGame) -> list[Action]:
    """The actions that put this game on the table again, in place of any other."""
    start, *others = game.actions
    return [replace(start, overrule=True), *others]
