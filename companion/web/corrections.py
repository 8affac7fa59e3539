"""Scores put right only while they are what the sender saw: of two phones none overwrites unasked.

Plays corrections, at the table and of past games. What a score may be, the rules say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request

from companion.errors import RuleBroken
from companion.game import Stale
from companion.kept import FINISHED, find
from companion.report import closed_hands
from companion.scores import score_sheet
from companion.table import Table
from companion.web.rounds import OUT, HandStands
from companion.web.services import forget_now, services
from companion.web.words import _

_TRIES = 50
"""How often somebody else may tap between our look and our own tap."""


class ScoreStands(HandStands):
    """Another score stands by now than the sender saw; replacing it must be asked."""

    def __init__(self, player: str, points: int | None, standing: str) -> None:
        super().__init__(player, points or 0, standing)
        if points is None:
            self.args = (_("Nothing: %(who)s did not play in this round.", who=player),)


def stood(table: Table, round_number: int, player: str) -> str:
    """What stands in a cell, in a word for a form; empty for a hole."""
    points, hand = _cell(table, round_number, player)
    if points is None:
        return ""
    return OUT if hand and hand["went_out"] else str(points)


def _cell(table: Table, round_number: int, player: str) -> tuple[int | None, dict[str, Any] | None]:
    """The score of a cell and what was told of its hand; nothing where there is no such cell."""
    state, hands = table.state, closed_hands(table)
    if state is None or not 1 <= round_number <= len(hands):
        return None, None
    for number, column in score_sheet(state).items():
        if state.name(number) == player:
            return column[round_number - 1], hands[round_number - 1].get(player)
    return None, None


def _why_not(table: Table, action: dict[str, Any], seen: str | None) -> ScoreStands | None:
    number, player = action["round"], action["player"]
    stands = stood(table, number, player)
    wanted = OUT if "went_out" in action else str(action["pips"])
    if stands in (seen, wanted):
        return None
    return ScoreStands(player, _cell(table, number, player)[0], stands)


def put_right(action: dict[str, Any]) -> None:
    """Correct a score of the game at the table. Raises ScoreStands when it is another by now."""
    game = services().game

    def look(seen: str | None) -> tuple[int, ScoreStands | None]:
        table = game.table
        return table.revision, _why_not(table, action, seen)

    def tell(revision: int, once: str | None) -> None:
        game.play(action, revision=revision, once=once)

    try:
        _while_seen(look, tell)
    finally:
        forget_now()


def put_right_past(kept: int, action: dict[str, Any]) -> None:
    """The same for a past game."""
    game = services().game

    def look(seen: str | None) -> tuple[int, ScoreStands | None]:
        found = find(game.kept(), kept)
        over = found.status == FINISHED  # of any other the rules say why it is not corrected
        return len(found.actions), _why_not(found.table, action, seen) if over else None

    def tell(length: int, once: str | None) -> None:
        game.amend(kept, action, seen=length, once=once)

    _while_seen(look, tell)


def _while_seen(
    look: Callable[[str | None], tuple[int, ScoreStands | None]],
    tell: Callable[[int, str | None], None],
) -> None:
    once, seen = request.form.get("once") or None, request.form.get("stood")
    for _try in range(_TRIES):
        version, why = look(seen)
        try:
            # A tap that counted already comes back from here, whatever has happened since.
            return tell(-1 if why else version, once)
        except Stale:
            if why is not None:
                raise why from None
    raise RuleBroken(_("Many people tap at once: try again."))
