"""The round that a form was filled in for: hands count in it, or are refused, never in the next.

Plays taps of the scoring pages. Several phones may score at once, so other people's taps do not
refuse one's own; only another round does. What a hand may be, the table says.
"""

from __future__ import annotations

from typing import Any, NoReturn

from flask import abort, make_response, request, url_for

from companion.errors import RuleBroken
from companion.game import Stale
from companion.report import missing, report
from companion.table import Table
from companion.web.services import forget_now, report_now, services, table_now
from companion.web.taps import then, whole
from companion.web.words import _

_TRIES = 50
"""How often somebody else may tap between our look and our own tap."""


class HandStands(RuleBroken):
    """This player has a score in this round already; replacing it must be asked."""

    def __init__(self, player: str, points: int, standing: str) -> None:
        self.player, self.points, self.standing = player, points, standing
        super().__init__(
            _("%(who)s went out in this round.", who=player)
            if standing == OUT
            else _("%(who)s has %(points)s in this round already.", who=player, points=points)
        )


class RoundOver(RuleBroken):
    """The round that a form was made for is over, or its whole game is."""


OUT = "out"
NEXT = "next"
"""What the button says that saves a hand and goes on to the next player's."""


def game_key(table: Table) -> str:
    """The game that the table is at, in a word that no other game ever has; empty for none."""
    if table.state is None:
        return ""
    first = table
    while first.before is not None and first.before.state is not None:
        first = first.before
    return str(first.revision)


def round_key(table: Table) -> str:
    """The game and round that the table is at, in a word that no other round ever has."""
    return f"{game_key(table)}.{report(table)['round']}"


def is_earlier(key: str, table: Table) -> bool:
    """Whether a game's or round's key is of another game than the table's."""
    return key.partition(".")[0] != game_key(table)


def round_over(key: str, table: Table) -> RoundOver:
    """The refusal of what comes too late for its round, in a sentence that says what to do."""
    if is_earlier(key, table):
        return RoundOver(_("That was an earlier game: it is not the one on the sheet now."))
    return RoundOver(_("That round is over: correct it on the sheet, by a tap on the score."))


def lead_to(address: str) -> NoReturn:
    """Leave the request here: what it asks for is gone, and this page says how it stands."""
    abort(make_response(then(address)))


def the_key() -> str:
    """The round that the form of this request was made for."""
    return request.form.get("round", "")


def player_at(seat: int) -> str:
    """The player of a seat (from 1); a seat at which nobody sits any more leads to the hands.

    So does every seat before the first round.
    """
    game = report_now()["game"]
    if game is None or not 1 <= seat <= len(game["players"]):
        lead_to(url_for("score.show", gone="seat"))
    if not report_now()["round"]:
        lead_to(url_for("score.show"))
    player: str = game["players"][seat - 1]
    return player


def in_turn(told: dict[str, Any]) -> list[str]:
    """The players in turn order from who went out first; as they sit while nobody did."""
    players: list[str] = told["game"]["players"]
    out = [player for player in told["went_out"] if player in players]
    first = players.index(out[0]) if out else 0
    return players[first:] + players[:first]


def next_hand(after: str | None = None) -> tuple[str, int] | None:
    """Whose hand comes next, and their seat: the next in turn whose hand is missing.

    ``after`` is the player whose hand is being told; without one the first in turn order comes.
    """
    told = report_now()
    order, waiting = in_turn(told), set(missing(table_now()))
    if after in order:
        place = order.index(after) + 1
        order = order[place:] + order[: place - 1]
    player = next((name for name in order if name in waiting), None)
    return None if player is None else (player, told["game"]["players"].index(player) + 1)


def onward(player: str) -> str:
    """Where to go after this player's hand: to the next one if the phone goes round."""
    following = next_hand(after=player) if request.form.get("do") == NEXT else None
    return url_for("score.show") if following is None else url_for("score.hand", seat=following[1])


def closed_cell(player: str, key: str) -> str:
    """Where a hand that came too late for its round can still be put right."""
    table, now = table_now(), report_now()
    told = whole(key.partition(".")[2])
    if is_earlier(key, table) or told is None or told > len(now["scores"][player]):
        return url_for("sheet.show")
    column = list(now["scores"]).index(player) + 1
    return url_for("sheet.cell", round_number=told, column=column, game=game_key(table))


def scoring_open(told: dict[str, Any]) -> bool:
    """Whether hands can be told just now."""
    return told["phase"] in ("playing", "scoring")


def standing(told: dict[str, Any], player: str) -> str | None:
    """What stands for a player in the open round, in a word for a form; None when nothing does."""
    if player in told["went_out"]:
        return OUT
    return str(told["hands"][player]["points"]) if player in told["hands"] else None


def play_in_round(action: dict[str, Any], key: str, *, overrule: bool = False) -> Table:
    """Play an action if the round is still that one. Raises RuleBroken, also for another round."""
    return _played(action | ({"overrule": True} if overrule else {}), key, None)


def give_hand(player: str, told: dict[str, Any], key: str, seen: str | None) -> Table:
    """Give a player this hand (its tiles or pips, its photo).

    ``seen`` is what the sender agreed to replace. Raises HandStands when something else stands.
    """
    return _played({"action": "hand", "player": player, **told}, key, seen)


def _played(action: dict[str, Any], key: str, seen: str | None) -> Table:
    game, once = services().game, request.form.get("once") or None
    try:
        for _try in range(_TRIES):
            table = game.table
            now = report(table)
            stands = standing(now, action["player"]) if action["action"] == "hand" else None
            why = _why_not(table, now, key, stands, seen, action)
            if stands is not None and why is None:
                action = {**action, "replace": True}
            try:
                # A tap that counted already comes back from here, whatever has happened since.
                return game.play(action, revision=-1 if why else table.revision, once=once)
            except Stale:
                if why is not None:
                    raise why from None
        raise RuleBroken(_("Many people tap at once: try again."))
    finally:
        forget_now()


def _why_not(
    table: Table,
    now: dict[str, Any],
    key: str,
    stands: str | None,
    seen: str | None,
    action: dict[str, Any],
) -> RuleBroken | None:
    if not scoring_open(now) or key != round_key(table):
        return round_over(key, table)
    if stands is not None and stands != seen:
        points = now["hands"][action["player"]]["points"]
        return HandStands(action["player"], points, stands)
    return None
