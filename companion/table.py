"""The table: everything accepted so far, and the one way to the next: ``after``.

State is the replay of the accepted actions; undo, correction and start-up are that same replay.
Knows no journal, no clock and no page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion import doubles, play, seating, tally
from companion.actions import Action, parse_action
from companion.errors import RuleBroken
from companion.saying import say
from companion.state import GameState

Handler = Callable[[GameState, Action], GameState]

HANDLERS: dict[str, Handler] = {
    "open_round": play.open_round,
    "turn": doubles.turn,
    "draw": play.draw,
    "play": play.play,
    "mark": play.mark,
    "unmark": play.unmark,
    "start_train": play.start_train,
    "start_mexican_train": play.start_mexican_train,
    "lay_double": doubles.lay_double,
    "cover": doubles.cover,
    "release": doubles.release,
    "knock": play.knock,
    "go_out": tally.go_out,
    "block": tally.block,
    "hand": tally.hand,
    "close_round": tally.close_round,
    "correct": tally.correct,
    "add_player": seating.add_player,
    "leave": seating.leave,
    "rename": seating.rename,
    "move_seat": seating.move_seat,
    "set_rule": seating.set_rule,
    "finish_game": seating.finish_game,
}


@dataclass(frozen=True, eq=False)
class Table:
    """The table after ``revision`` stored actions; ``state`` is None before the first game.

    ``before`` is the table to which ``undo`` returns, and ``last`` the action that led here.
    """

    state: GameState | None = None
    revision: int = 0
    last: Action | None = None
    before: Table | None = None

    @classmethod
    def empty(cls) -> Table:
        """A table at which nothing has been played yet."""
        return cls()

    def after(self, said: Action | dict[str, Any]) -> Table:
        """The table after an action.

        Returns this very table when the action changes nothing and need not be stored. Raises
        RuleBroken (NotAnAction for a malformed message) with a sentence for the people.
        """
        action = parse_action(said)
        if action.name == "undo":
            return self._undone()
        if action.name == "start_game":
            return self._started(action)
        if self.state is None:
            raise RuleBroken(say("No game has been started: start one first."))
        state = HANDLERS[action.name](self.state, action)
        if state is self.state:
            return self
        return Table(state, self.revision + 1, action, self)

    def _started(self, action: Action) -> Table:
        game = seating.start_game(action)
        running = self.state is not None and self.state.phase != "finished"
        if running and not action.overrule:
            raise RuleBroken(
                say("A game is still being played: finish it, or set it aside for the new one."),
                overrulable=True,
            )
        return Table(game, self.revision + 1, action, None if self.state else Table())

    def _undone(self) -> Table:
        if self.before is None:
            raise RuleBroken(say("There is nothing to take back in this game."))
        before = self.before
        return Table(before.state, self.revision + 1, before.last, before.before)

    def actions(self) -> Iterator[Action]:
        """The actions of this game that still stand, the newest first."""
        table: Table | None = self
        while table is not None and table.last is not None:
            yield table.last
            table = table.before


def replay(actions: Iterable[Action | dict[str, Any]]) -> Table:
    """The table after all these actions; raises RuleBroken at the first refused one."""
    table = Table.empty()
    for action in actions:
        table = table.after(action)
    return table
