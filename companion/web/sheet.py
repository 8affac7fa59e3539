"""The score sheet: the paper form everybody knows, and a page for each cell to put it right."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import RuleBroken
from companion.report import closed_hands, say_action
from companion.web.refusals import Refusal
from companion.web.rounds import round_key
from companion.web.services import report_now, table_now
from companion.web.sheetrows import Told, history, score_sheet
from companion.web.sums import typed_score
from companion.web.taps import play, then, word
from companion.web.words import _

pages = Blueprint("sheet", __name__)


@pages.get("/sheet")
def show() -> ResponseReturnValue:
    """The whole sheet."""
    now = report_now()
    if now["game"] is None:
        return render_template("no_game.html")
    return render_template("sheet.html", sheet=score_sheet(table_now(), now))


@pages.get("/sheet/<int:round_number>/<int:column>")
def cell(round_number: int, column: int) -> ResponseReturnValue:
    """One score: its photo, its tiles, its history, and the form to correct it."""
    player = player_of(column)
    now = report_now()
    if now["phase"] in ("playing", "scoring") and round_number == now["round"]:
        if player in now["game"]["players"]:
            seat = now["game"]["players"].index(player) + 1
            return then(url_for("score.hand", seat=seat))
    return cell_page(round_number, column, player)


@pages.post("/sheet/<int:round_number>/<int:column>")
def correct(round_number: int, column: int) -> ResponseReturnValue:
    """Put one score right; the old value stays in the history."""
    player = player_of(column)
    action: dict[str, Any] = {"action": "correct", "round": round_number, "player": player}
    why = word(request.form, "why")
    try:
        if request.form.get("sheet") != sheet_key(player):
            raise RuleBroken(_("This sheet is from before: go back to it and tap the score again."))
        if request.form.get("do") == "out":
            action["went_out"] = True
        else:
            action["pips"] = typed_score(request.form.get("score", ""))
        play(action | ({"why": why} if why else {}))
    except RuleBroken as error:
        return cell_page(round_number, column, player, Refusal.of(error)), 422
    return then(url_for("sheet.cell", round_number=round_number, column=column))


def player_of(column: int) -> str:
    """The player of a column (from 1); 404 where there is none."""
    people: list[str] = list(report_now()["scores"])
    if not 1 <= column <= len(people):
        abort(404)
    return people[column - 1]


def sheet_key(player: str) -> str:
    """The game and the player that a form is about, in one word."""
    return f"{round_key(table_now()).split('.')[0]} {player}"


def cell_page(round_number: int, column: int, player: str, refusal: Refusal | None = None) -> str:
    """The page of one cell, with what was typed before."""
    table, now = table_now(), report_now()
    hands = closed_hands(table)
    if not 1 <= round_number <= len(hands):
        abort(404)
    told = history(table, round_number, column - 1)
    return render_template(
        "cell.html",
        round_number=round_number,
        column=column,
        player=player,
        sheet=sheet_key(player),
        row=score_sheet(table, now).rows[round_number - 1],
        hand=hands[round_number - 1].get(player),
        score=now["scores"][player][round_number - 1],
        photo=next((one.photo for one in reversed(told) if one.photo), None),
        told=[(moment(one), said(one), one) for one in told],
        typed=request.form.get("score", ""),
        why=request.form.get("why", ""),
        refusal=refusal,
    )


def said(told: Told) -> str:
    """What was told, in a few words."""
    action = told.action
    if action.name == "go_out" or "went_out" in action.fields:
        return _("went out")
    if action.name == "correct":
        return _("corrected")
    if action.get("photo"):
        return _("read from a photo")
    if "tiles" in action.fields:
        return _("%(n)s tiles", n=len(action["tiles"]))
    return _("typed") if action.name == "hand" else say_action(action)


def moment(told: Told) -> str:
    """When it was told, by the clock on the wall here; empty when nobody knows."""
    if told.action.at is None:
        return ""
    at = datetime.fromisoformat(told.action.at)
    return (at.astimezone() if at.tzinfo else at).strftime("%H:%M")
