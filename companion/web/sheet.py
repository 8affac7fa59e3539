"""The score sheet: the paper form everybody knows, and a page for each cell to put it right."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext

from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.photos import Photo
from companion.report import closed_hands, say_action
from companion.web.outlines import letter_size, outlines
from companion.web.refusals import Refusal
from companion.web.rounds import game_key, is_earlier, scoring_open
from companion.web.services import report_now, services, table_now
from companion.web.sheetrows import Told, history, score_sheet
from companion.web.sums import typed_score
from companion.web.taps import play, then, word
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
    return render_template(
        "sheet.html",
        sheet=score_sheet(table, now),
        key=game_key(table),
        gone=GONE.get(request.args.get("gone", "")),
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
    action: dict[str, Any] = {"action": "correct", "round": round_number, "player": player}
    why = word(request.form, "why")
    try:
        if name != player:
            raise RuleBroken(_("This is the score of %(who)s now: look at it again.", who=player))
        if request.form.get("do") == "out":
            action["went_out"] = True
        else:
            action["pips"] = typed_score(request.form.get("score", ""))
        play(action | ({"why": why} if why else {}))
    except RuleBroken as error:
        return cell_page(round_number, column, Refusal.of(error)), 422
    return then(url_for("sheet.cell", round_number=round_number, column=column, game=key))


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


def cell_page(round_number: int, column: int, refusal: Refusal | None = None) -> str:
    """The page of one cell, with what was typed before."""
    table, now, player = table_now(), report_now(), player_of(column)
    hand = closed_hands(table)[round_number - 1].get(player)
    told = history(table, round_number, column - 1)
    photo = photo_of(next((one.photo for one in reversed(told) if one.photo), None))
    return render_template(
        "cell.html",
        round_number=round_number,
        column=column,
        player=player,
        key=game_key(table),
        row=score_sheet(table, now).rows[round_number - 1],
        hand=hand,
        score=now["scores"][player][round_number - 1],
        photo=photo,
        outlines=outlines(photo.draft, None, ()) if photo and photo.draft else [],
        letter=letter_size(photo.draft) if photo and photo.draft else 0,
        told=[(moment(one), said(one), one) for one in told],
        typed=request.form.get("score", ""),
        why=request.form.get("why", ""),
        refusal=refusal,
    )


def photo_of(name: str | None) -> Photo | None:
    """The photo that a hand was told with; None where none is kept."""
    store = services().photos
    return store.get(name) if store is not None and name else None


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
    if told.action.at is None:
        return ""
    at = datetime.fromisoformat(told.action.at)
    return (at.astimezone() if at.tzinfo else at).strftime("%H:%M")
