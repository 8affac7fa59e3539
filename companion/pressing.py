"""From a button to the game: a press becomes the action that a tap would send.

Knows the game and the machine's power, no pins. A refusal is logged and said.
"""

from __future__ import annotations

import logging

from companion.edges import Power
from companion.errors import Trouble
from companion.game import Game
from companion.presses import Meaning, action_of
from companion.report import report
from companion.saying import say

log = logging.getLogger(__name__)

UNPLUG = say(
    "The machine shuts down: when its green light has stopped blinking, you can unplug it."
)


class Pressing:
    """Plays what the buttons mean; call it with the seat (None for the table's) and the meaning."""

    def __init__(self, game: Game, power: Power | None = None) -> None:
        self._game, self._power = game, power

    def __call__(self, seat: int | None, what: Meaning) -> str | None:
        """Do what was meant. Gives what is to be said of it: a refusal, which changes nothing."""
        said = self._shut_down() if what == "shut down" else self._play(seat, what)
        if said:
            log.warning("button of %s: %s", f"seat {seat}" if seat else "the table", said)
        return said

    def _play(self, seat: int | None, what: Meaning) -> str | None:
        """Play it on the table as it is at the press; why not, if it is refused."""
        try:
            table = self._game.table
            self._game.play(action_of(what, seat, report(table)), revision=table.revision)
        except Trouble as refusal:
            return str(refusal)
        return None

    def _shut_down(self) -> str:
        if self._power is None:
            return say("This machine cannot shut itself down: shut it down by hand.")
        return self._power.shut_down() or UNPLUG
