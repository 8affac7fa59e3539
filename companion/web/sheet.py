"""The score sheet: the paper form everybody knows, and a page for each cell to put it right."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date, lazy_gettext

from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.photos import Photo
from companion.report import closed_hands, say_action
from companion.table import Table
from companion.web.ceremony import cheers
from companion.web.corrections import ScoreStands, put_right, stood
from companion.web.drawing import look_of
from companion.web.outlines import views
from companion.web.refusals import Refusal
from companion.web.rounds import game_key, is_earlier, scoring_open
from companion.web.services import report_now, services, table_now
from companion.web.sheetrows import Told, chart_of, history, score_sheet
from companion.web.sums import typed_score
from companion.web.taps import then, word
from companion.web.words import _

pages = Blueprint("sheet", __name__)


GONE = {
    "game": lazy_gettext("That was an earlier game: this is the sheet of the game now."),
    "photo": lazy_gettext("That photo is not kept here any more: this is the sheet."),
    "score": lazy_gettext("That score is not on the sheet any more: this is how it stands."),
}
"""What the sheet says to those who come from a page of something that is gone."""


@pages.get("/sheet")
def show() -> ResponseReturnValue:
    """The whole sheet."""
    now = report_now()
    if now["game"] is None:
        return render_template("no_game.html")
    table = table_now()
    key, sheet = game_key(table), score_sheet(table, now)
    return render_template(
        "sheet.html",
        sheet=sheet,
        key=key,
        gone=GONE.get(request.args.get("gone", "")),
        day=played_on(table),
        cheers=sheet.finished and cheers(key),
    )


def played_on(table: Table) -> str:
    """The day the game began, by the calendar here; empty when nobody knows."""
    first = table
    while first.before is not None and first.before.state is not None:
        first = first.before
    at = None if first.last is None else first.last.at
    return "" if at is None else str(format_date(by_the_wall(at).date(), "d MMMM y"))


@pages.get("/sheet/chart")
def chart() -> ResponseReturnValue:
    """The same game as a picture."""
    now = report_now()
    if now["game"] is None:
        return render_template("no_game.html")
    table = table_now()
    sheet = score_sheet(table, now)
    return render_template(
        "chart.html",
        chart=chart_of(sheet),
        highest_wins=sheet.highest_wins,
        key=game_key(table),
    )


@pages.get("/sheet/<int:round_number>/<int:column>")
def cell(round_number: int, column: int) -> ResponseReturnValue:
    """One score: its photo, its tiles, its history, and the form to correct it.

    ``game`` in the address is the game that the page was made for.
    """
    key = request.args.get("game")
    elsewhere = way_on(round_number, column, key)
    return elsewhere or cell_page(round_number, column)


@pages.post("/sheet/<int:round_number>/<int:column>")
def correct(round_number: int, column: int) -> ResponseReturnValue:
    """Put one score right; the old value stays in the history."""
    key, _mark, name = request.form.get("sheet", "").partition(" ")
    elsewhere = way_on(round_number, column, key)
    if elsewhere is not None:
        return elsewhere
    player = player_of(column)
    try:
        put_right(correction(round_number, player, name))
    except ScoreStands as stands:
        return cell_page(round_number, column, stands=stands), 409
    except RuleBroken as error:
        return cell_page(round_number, column, Refusal.of(error)), 422
    return then(url_for("sheet.cell", round_number=round_number, column=column, game=key))


def correction(round_number: int, player: str, seen: str) -> dict[str, Any]:
    """The action that the form asks for; ``seen`` is whose score its page was made for."""
    if seen != player:
        raise RuleBroken(_("This is the score of %(who)s now: look at it again.", who=player))
    action: dict[str, Any] = {"action": "correct", "round": round_number, "player": player}
    if request.form.get("do") == "out":
        action["went_out"] = True
    else:
        action["pips"] = typed_score(request.form.get("score", ""))
    why = word(request.form, "why")
    return action | ({"why": why} if why else {})


def way_on(round_number: int, column: int, key: str | None) -> ResponseReturnValue | None:
    """Where a cell leads that has no page of its own (now); None for one that has."""
    now, table = report_now(), table_now()
    if key is not None and is_earlier(key, table):
        return then(url_for("sheet.show", gone="game"))
    if not 1 <= column <= len(now["scores"]):
        return then(url_for("sheet.show", gone="score"))
    if 1 <= round_number <= len(closed_hands(table)):
        return None
    player = player_of(column)
    if scoring_open(now) and round_number == now["round"] and player in now["game"]["players"]:
        return then(url_for("score.hand", seat=now["game"]["players"].index(player) + 1))
    return then(url_for("sheet.show", gone="score"))


def player_of(column: int) -> str:
    """The player of a column (from 1)."""
    people: list[str] = list(report_now()["scores"])
    return people[column - 1]


def cell_page(
    round_number: int,
    column: int,
    refusal: Refusal | None = None,
    *,
    stands: ScoreStands | None = None,
) -> str:
    """The page of one cell, with what was typed before."""
    table = table_now()
    key = game_key(table)
    return render_template(
        "cell.html",
        **cell_told(table, report_now(), round_number, column),
        key=key,
        look=look_of(player_of(column)),
        post=url_for("sheet.correct", round_number=round_number, column=column, game=key),
        refusal=refusal,
        stands=stands,
    )


def cell_told(table: Table, now: dict[str, Any], round_number: int, column: int) -> dict[str, Any]:
    """What the page of a cell shows of a game's table; ``now`` is its report."""
    player = list(now["scores"])[column - 1]
    hand = closed_hands(table)[round_number - 1].get(player)
    told = history(table, round_number, column - 1)
    photo = photo_of(next((one.photo for one in reversed(told) if one.photo), None))
    return {
        "round_number": round_number,
        "column": column,
        "player": player,
        "row": score_sheet(table, now).rows[round_number - 1],
        "hand": hand,
        "score": now["scores"][player][round_number - 1],
        "stood": request.form.get("stood", stood(table, round_number, player)),
        "pressed": request.form.get("do", "type"),
        "photo": photo,
        "views": views(photo.id, photo.draft) if photo and photo.draft else [],
        "told": [(moment(one), said(one), one, photo_shown(one)) for one in told],
        "typed": request.form.get("score", ""),
        "why": request.form.get("why", ""),
    }


def photo_of(name: str | None) -> Photo | None:
    """The photo that a hand was told with; None where none is kept."""
    store = services().photos
    return store.get(name) if store is not None and name else None


def photo_shown(told: Told) -> str | None:
    """The id of the photo that this was told with; None without one, or where it is gone."""
    photo = photo_of(told.photo)
    return None if photo is None else photo.id


def said(told: Told) -> str:
    """What was told, in a few words."""
    action = told.action
    if action.name == "go_out" or "went_out" in action.fields:
        return _("went out")
    if action.name == "correct":
        return _("corrected")
    if action.get("photo"):
        photo = photo_of(action["photo"])
        tiles = [Tile.parse(tile) for tile in action.get("tiles") or ()]
        if photo is None or photo.reads(tiles):
            return _("read from a photo")
        return _("read from a photo, then corrected")
    if "tiles" in action.fields:
        return _("%(n)s tiles", n=len(action["tiles"]))
    return _("typed") if action.name == "hand" else say_action(action)


def moment(told: Told) -> str:
    """When it was told, by the clock on the wall here; empty when nobody knows."""
    return "" if told.action.at is None else by_the_wall(told.action.at).strftime("%H:%M")


def by_the_wall(at: str) -> datetime:
    """A time as an action carries it, by the clock here."""
    told = datetime.fromisoformat(at)
    return told.astimezone() if told.tzinfo else told
