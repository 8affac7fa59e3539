"""One kept game: its sheet, its chart, and a page for each score to put it right.

A game that is at the table, finished or not, is corrected on its own sheet; one that was set aside
is looked at until it goes on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion import sweeping
from companion.bgstats import link
from companion.errors import RuleBroken
from companion.game import Stale
from companion.kept import FINISHED, KeptGame, corrected
from companion.report import report, say_action
from companion.since import since
from companion.table import Table
from companion.web.corrections import ScoreStands, put_right_past
from companion.web.games import day
from companion.web.looks import LOOKS, looks_for
from companion.web.people import remembered_looks
from companion.web.refusals import Refusal, refuse, say_since
from companion.web.rounds import game_key
from companion.web.services import services, table_now
from companion.web.sheet import cell_told, correction
from companion.web.sheetrows import Told, chart_of, score_sheet
from companion.web.taps import number, then

pages = Blueprint("pastgame", __name__)


@pages.get("/games/<int(signed=True):kept>")
def show(kept: int) -> ResponseReturnValue:
    """The sheet and the chart of one game."""
    game = find(kept)
    if game.status == "running":
        return then(url_for("sheet.show"))
    table = game.table
    now = report(table)
    sheet = score_sheet(table, now)
    sheet = replace(sheet, rows=tuple(row for row in sheet.rows if row.kind == "closed"))
    return render_template(
        "game.html",
        kept=game,
        names=list(game.players),
        sheet=sheet,
        chart=chart_of(sheet),
        highest_wins=sheet.highest_wins,
        cells="sheet.cell" if game.at_table else "pastgame.cell",
        of={"game": game_key(table_now())} if game.at_table else {"kept": kept},
        look=looks(game),
        undo=undo_words(game, table),
        play=link(game),
        gone=request.args.get("gone") == "score",
        deleting=request.args.get("delete") == "1",
        day=day,
    )


def find(number: int) -> KeptGame:
    """The game of this number; leads to "there is no such page" where there is none."""
    for game in services().game.kept():
        if game.number == number:
            return game
    abort(404)


def looks(game: KeptGame) -> Any:
    """Gives the look of each player of this game."""
    given = looks_for(game.players, remembered_looks(services().people))
    return lambda name: given.get(name, len(LOOKS))


def undo_words(game: KeptGame, table: Table) -> str | None:
    """The correction that can be taken back, in a few words; None where there is none."""
    if game.at_table or game.status != FINISHED or not corrected(table) or table.last is None:
        return None
    return say_action(table.last)


@pages.get("/games/<int(signed=True):kept>/<int:round_number>/<int:column>")
def cell(kept: int, round_number: int, column: int) -> ResponseReturnValue:
    """One score: its photo, its tiles, its history, and the form to correct it."""
    game = find(kept)
    return way_on(game, round_number, column) or cell_page(game, round_number, column)


@pages.post("/games/<int(signed=True):kept>/<int:round_number>/<int:column>")
def correct(kept: int, round_number: int, column: int) -> ResponseReturnValue:
    """Put one score of a past game right; the old value stays in its history."""
    game = find(kept)
    elsewhere = way_on(game, round_number, column)
    if elsewhere is not None:
        return elsewhere
    player = game.players[column - 1]
    _key, _mark, seen = request.form.get("sheet", "").partition(" ")
    try:
        put_right_past(kept, correction(round_number, player, seen))
    except ScoreStands as stands:
        return cell_page(find(kept), round_number, column, stands=stands), 409
    except RuleBroken as error:
        return cell_page(game, round_number, column, Refusal.of(error)), 422
    return then(url_for("pastgame.cell", kept=kept, round_number=round_number, column=column))


def way_on(game: KeptGame, round_number: int, column: int) -> ResponseReturnValue | None:
    """Where a score leads that has no page of its own; None for one that has."""
    if not (1 <= column <= len(game.players) and 1 <= round_number <= game.rounds):
        return then(url_for("pastgame.show", kept=game.number, gone="score"))
    if game.at_table:
        where: dict[str, Any] = {"round_number": round_number, "column": column}
        return then(url_for("sheet.cell", **where, game=game_key(table_now())))
    return None


def cell_page(
    game: KeptGame,
    round_number: int,
    column: int,
    refusal: Refusal | None = None,
    *,
    stands: ScoreStands | None = None,
) -> str:
    """The page of one score, with what was typed before."""
    table, kept = game.table, game.number
    where: dict[str, Any] = {"round_number": round_number, "column": column}
    shown = cell_told(table, report(table), round_number, column)
    return render_template(
        "past_cell.html",
        **shown | {"told": [dated(*line) for line in shown["told"]]},
        kept=game,
        key=f"past{kept}",
        look=looks(game)(game.players[column - 1]),
        post=url_for("pastgame.correct", kept=kept, **where),
        undo=undo_words(game, table),
        day=day,
        refusal=refusal,
        stands=stands,
    )


def dated(moment: str, words: str, told: Told, photo: str | None) -> tuple[object, ...]:
    """A line of a score's history with its day: in a past game the time alone says little."""
    return f"{day(told.action.at)} {moment}".strip(), words, told, photo


@pages.post("/games/<int(signed=True):kept>/undo")
def undo(kept: int) -> ResponseReturnValue:
    """Take back the last correction of a past game, as long as it is the one that was seen."""
    find(kept)
    seen = number(request.form, "seen")
    if seen is None:
        abort(400)
    try:
        services().game.amend(
            kept, {"action": "undo"}, seen=seen, once=request.form.get("once") or None
        )
    except Stale as stale:
        return changed_since(kept, stale)
    return then(url_for("pastgame.show", kept=kept))


def changed_since(kept: int, stale: Stale) -> ResponseReturnValue:
    """The refusal of a tap on an old page of a past game, with what was told of it since."""
    return refuse(str(stale), 409, missed=say_since(since(find(kept).actions, stale.seen)))


@pages.post("/games/<int(signed=True):kept>/delete")
def delete(kept: int) -> ResponseReturnValue:
    """Delete a past game with its photos, as long as it is the one that was seen."""
    here, seen = services(), number(request.form, "seen")
    if seen is None:
        abort(400)
    try:
        here.game.delete(kept, seen=seen, once=request.form.get("once") or None)
    except Stale as stale:
        return changed_since(kept, stale)
    if here.photos is not None:
        sweeping.clear(here.game, here.photos)
    return then(url_for("games.show"))
