"""Games as they leave the companion: as a document to import again, and as rows for a sheet.

Turns kept games into plain values; writes no file and knows no page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from companion.kept import KeptGame
from companion.scores import places, score_sheet, totals

FORMAT, VERSION = "mexican-train-games", 1
"""What the document calls itself."""

FORMULA = "=+-@\t\r\n＝＋－＠"
"""What makes a spreadsheet program take a text for a formula where a cell begins with it."""

Row = list[str | int | None]


def document(games: Iterable[KeptGame]) -> dict[str, Any]:
    """All that is known of these games, the one begun first at the top; ``importing`` reads it.

    Left out is a game that was taken up again: it is the beginning of a later one.
    """
    chosen = sorted(
        (game for game in games if not game.continued),
        key=lambda game: (game.began or "", game.id, len(game.actions)),
    )
    return {
        "format": FORMAT,
        "version": VERSION,
        "games": [
            {
                "id": game.id,
                "began": game.began,
                "ended": game.ended,
                "actions": [action.to_json() for action in game.actions],
            }
            for game in chosen
        ],
    }


def sheet_rows(game: KeptGame) -> list[Row]:
    """The sheet as on paper: a row a round with its engine, then the totals, then the places.

    The first two columns are number and engine of the round, empty in the last two rows.
    """
    sheet = score_sheet(game.state)
    sums, placed = totals(sheet), places(game.state, sheet)
    rows: list[Row] = [
        [n, f"{round_.engine}-{round_.engine}", *(column[n - 1] for column in sheet.values())]
        for n, round_ in enumerate(game.state.closed, start=1)
    ]
    rows.append([None, None, *sums.values()])
    whole = {number: None not in column and bool(column) for number, column in sheet.items()}
    rows.append([None, None, *(placed[n] if whole[n] else None for n in sheet)])
    return rows


COLUMNS = (
    "game",
    "date",
    "status",
    "set",
    "rules",
    "round",
    "engine",
    "player",
    "points",
    "total",
    "went_out",
    "tiles",
)
"""What ``score_rows`` tells, in its order; the names are part of the file and stay as they are."""


def score_rows(games: Iterable[KeptGame]) -> list[Row]:
    """A row for each game, round and player, for counting in a spreadsheet."""
    return [row for game in games if not game.continued for row in _score_rows(game)]


def _score_rows(game: KeptGame) -> Iterable[Row]:
    state, sheet = game.state, score_sheet(game.state)
    about: Row = [game.id, day(game.ended), game.status, state.set.highest, state.rules.name]
    for index, round_ in enumerate(state.closed):
        for person in state.people:
            column = sheet[person.number][: index + 1]
            hand = round_.hands.get(person.number)
            yield [
                *about,
                index + 1,
                f"{round_.engine}-{round_.engine}",
                person.name,
                column[-1],
                sum(score or 0 for score in column),
                int(person.number in round_.went_out),
                None if hand is None or hand.tiles is None else " ".join(map(str, hand.tiles)),
            ]


def day(at: str | None) -> str | None:
    """The day of a time by the calendar here, as 2024-05-31; None when nobody knows."""
    if at is None:
        return None
    moment = datetime.fromisoformat(at)
    return (moment.astimezone() if moment.tzinfo else moment).date().isoformat()


def harmless(rows: Sequence[Row]) -> list[Row]:
    """The same rows with no text that a spreadsheet program would work out as a formula."""
    return [[f"'{cell}" if _is_formula(cell) else cell for cell in row] for row in rows]


def _is_formula(cell: str | int | None) -> bool:
    return isinstance(cell, str) and cell.lstrip(" ").startswith(tuple(FORMULA))
