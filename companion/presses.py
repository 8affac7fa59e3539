"""What pressing a button means: pure functions of seconds and of the table.

A short press marks or clears a train, a long one says "my last tile", and a button that is held
shuts the machine down. Knows no pins and no clock: seconds are handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from companion.errors import RuleBroken
from companion.saying import say

Meaning = Literal["mark", "knock", "shut down"]

LONG = 1.0
"""Seconds from which a press is a long one."""
TOO_LONG = 3.0
"""Seconds from which letting go means nothing: whoever held on that long thought better of it."""
HELD = 6.0
"""Seconds after which a button that is still held shuts the machine down."""
STEADY = 0.03
"""Seconds that a contact must stay as it is before it is believed: contacts bounce."""


def meaning(seconds: float) -> Meaning | None:
    """What a press of this length means once the button is let go."""
    if seconds < LONG:
        return "mark"
    return "knock" if seconds < TOO_LONG else None


class Press:
    """One button's contact over time: told now and then whether it is closed, gives meanings.

    A contact that is closed from the beginning is stuck, or somebody leans on it: it means
    nothing until it has been open once.
    """

    def __init__(self) -> None:
        self._seen: bool | None = None
        self._since = 0.0
        self._down: float | None = None
        self._been_open = False
        self._done = False

    def step(self, closed: bool, now: float) -> Meaning | None:
        """Take in the contact at this moment, in seconds of any clock."""
        if closed != self._seen:
            self._seen, self._since = closed, now
        if now - self._since < STEADY:
            return None
        return self._closed(now) if closed else self._opened()

    def _closed(self, now: float) -> Meaning | None:
        if not self._been_open:
            return None
        if self._down is None:
            self._down, self._done = self._since, False
        if self._done or now - self._down < HELD:
            return None
        self._done = True
        return "shut down"

    def _opened(self) -> Meaning | None:
        self._been_open = True
        down, self._down = self._down, None
        return None if down is None or self._done else meaning(self._since - down)

    @property
    def resting(self) -> bool:
        """Whether nothing is to come until the contact changes again."""
        stuck = bool(self._seen) and (not self._been_open or self._done)
        return stuck or (self._seen is False and self._been_open and self._down is None)

    @property
    def stuck(self) -> bool:
        """Whether it has been closed from the beginning, or long after all was said."""
        return bool(self._seen) and (not self._been_open or self._done)


def action_of(what: Meaning, seat: int | None, report: Mapping[str, Any]) -> dict[str, Any]:
    """The action that this press stands for, as a tap would send it.

    ``report`` is the replay JSON of the table; ``seat`` counts from 1, None is the button of the
    whole table, which acts for whose turn it is. Raises RuleBroken where nobody is meant.
    """
    player = _player(seat, report)
    if what == "knock":
        return {"action": "knock", "player": player, "by": player}
    marked = player in report["open_trains"]
    return {"action": "unmark" if marked else "mark", "train": player, "by": player}


def _player(seat: int | None, report: Mapping[str, Any]) -> str:
    game = report["game"]
    if game is None:
        raise RuleBroken(say("No game has been started: start one first."))
    players: list[str] = game["players"]
    if seat is None:
        turn: str | None = report["turn"]
        if turn is None:
            raise RuleBroken(say("Nobody's turn is known: tap whose turn it is first."))
        return turn
    if seat > len(players):
        raise RuleBroken(
            say("Nobody sits at seat %(n)s: press the button of your own seat.", n=seat)
        )
    return players[seat - 1]
