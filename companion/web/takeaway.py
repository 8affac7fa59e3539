"""Games as files: to keep elsewhere, to count in a spreadsheet, and to take in again."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from flask import Blueprint, Response, current_app, request, url_for
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue

from companion.errors import RuleBroken
from companion.exporting import COLUMNS, Row, day, document, harmless, score_rows, sheet_rows
from companion.importing import LARGEST, read_games
from companion.intake import Intake
from companion.kept import KeptGame
from companion.web import games
from companion.web.pastgame import find
from companion.web.refusals import Refusal
from companion.web.services import services
from companion.web.taps import then, whole
from companion.web.turnstile import Turnstile
from companion.web.words import _, ngettext

pages = Blueprint("takeaway", __name__)
TURNSTILE = "import_turnstile"

CSV, JSON = "text/csv; charset=utf-8", "application/json"
COUNTS = ("new", "longer", "there", "otherwise")
MOST_NAMED = 4
"""Players who are named in the name of a file."""


@pages.get("/games/<int(signed=True):kept>/sheet.csv")
def sheet_csv(kept: int) -> Response:
    """The sheet of one game, as on paper."""
    game = find(kept)
    *rounds, sums, placed = sheet_rows(game)
    table: list[Row] = [
        [_("Round"), _("Engine"), *game.players],
        *rounds,
        [_("Total"), *sums[1:]],
        [_("Place"), *placed[1:]],
    ]
    return file(csv_text(table), CSV, f"{file_name(game)}.csv")


@pages.get("/games/<int(signed=True):kept>/game.json")
def game_json(kept: int) -> Response:
    """All that was told of one game."""
    game = find(kept)
    return file(json_text([game]), JSON, f"{file_name(game)}.json")


@pages.get("/games/scores.csv")
def scores_csv() -> Response:
    """Every score of every game, or of the games of one group."""
    rows = score_rows(chosen())
    return file(csv_text([list(COLUMNS), *rows]), CSV, f"mexican-train-scores-{today()}.csv")


@pages.get("/games/games.json")
def games_json() -> Response:
    """All that was told of every game, or of the games of one group."""
    return file(json_text(chosen()), JSON, f"mexican-train-games-{today()}.json")


def chosen() -> list[KeptGame]:
    """The games that the address asks for."""
    return games.of_group(games.standing(), games.chosen_group())


def csv_text(rows: Sequence[Row]) -> bytes:
    """The rows as a spreadsheet program opens them rightly, whatever is in a name.

    Text is always in quotes: programs differ in what they take for the end of a cell.
    """
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows(harmless(rows))
    return text.getvalue().encode("utf-8-sig", "replace")


def json_text(chosen_games: Sequence[KeptGame]) -> bytes:
    """The document of these games."""
    return json.dumps(document(chosen_games), separators=(",", ":")).encode()


def file(data: bytes, kind: str, name: str) -> Response:
    """The answer that a browser keeps under this name."""
    answer = Response(data, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def file_name(game: KeptGame) -> str:
    """A name that says when and who, in letters that every disk can write."""
    named = [plain(name) for name in game.players[:MOST_NAMED]]
    return "-".join(part for part in ("mexican-train", day(game.ended), *named) if part)


def plain(name: str) -> str:
    """A person's name as part of a file's name; empty where no letter of it can be."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:16].strip("-")


def today() -> str:
    """The day by the calendar here."""
    return datetime.now().date().isoformat()


@pages.get("/games/import")
def brought() -> ResponseReturnValue:
    """The list of games with what the last import brought."""
    counts = [whole(request.args.get(name, "")) or 0 for name in COUNTS]
    return games.page(brought=say_intake(*counts))


@pages.record_once
def set_up(state: BlueprintSetupState) -> None:
    """Give the application its turnstile: a large file keeps a small machine busy for a while."""
    state.app.extensions[TURNSTILE] = Turnstile[dict[str, int]]()


@pages.post("/games/import")
def take_in() -> ResponseReturnValue:
    """Take in the games of an exported file: all of them or none.

    One file after another; the same form with the same file answers what it answered first.
    """
    sent = request.files.get("games")
    try:
        if sent is None or not sent.filename:
            raise RuleBroken(_("No file was chosen: choose one, then send it."))
        data = sent.read(LARGEST + 1)
        counts = turnstile().through(once_of(data), lambda once: counted(imported(data, once)))
    except RuleBroken as error:
        return games.page(file_refusal=Refusal.of(error)), 422
    return then(url_for("takeaway.brought", **cast(dict[str, Any], counts), _anchor="brought"))


def turnstile() -> Turnstile[dict[str, int]]:
    """The running application's way in for files."""
    return cast(Turnstile[dict[str, int]], current_app.extensions[TURNSTILE])


def once_of(data: bytes) -> str | None:
    """The key of this form with this very file: another file under an old form is another."""
    once = request.form.get("once")
    return f"{once}.{hashlib.sha256(data).hexdigest()[:16]}" if once else None


def imported(data: bytes, once: str | None) -> Intake:
    """Take in the games of this file."""
    return services().game.take_in(read_games(data), once=once)


def counted(intake: Intake) -> dict[str, int]:
    """What an import did, in numbers."""
    numbers = (len(intake.new), len(intake.longer), intake.there, intake.otherwise)
    return {name: n for name, n in zip(COUNTS, numbers, strict=True) if n}


def say_intake(new: int, longer: int, there: int, otherwise: int) -> list[str]:
    """What an import did, in sentences."""
    said = []
    if new:
        said.append(ngettext("%(num)s game was added.", "%(num)s games were added.", new))
    if longer:
        said.append(
            ngettext(
                "%(num)s game was brought up to date.",
                "%(num)s games were brought up to date.",
                longer,
            )
        )
    if there:
        said.append(
            ngettext("%(num)s game was here already.", "%(num)s games were here already.", there)
        )
    if otherwise:
        said.append(
            ngettext(
                "%(num)s game goes otherwise in the file: it stays as it is here.",
                "%(num)s games go otherwise in the file: they stay as they are here.",
                otherwise,
            )
        )
    return said or [_("There is nothing new in the file.")]
