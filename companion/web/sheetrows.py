"""The score sheet as rows and columns: closed rounds, the open one, those still to come.

Turns the table into plain values for the page; changes nothing and draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.actions import Action
from companion.dominoes import Tile
from companion.report import closed_hands, engines, next_engine
from companion.scores import round_scores
from companion.state import GameState
from companion.table import Table
from companion.web.chart import RISE, Chart, draw_chart

Report = dict[str, Any]

FEW, SEVERAL = 4, 6
"""Columns that a phone shows with room to spare, and those that just fit on it."""
PHONE, TABLET, WIDE = 29, 64, 90
"""Letters that fit beside each other in the column heads of a phone, and of a tablet upright and
lying."""


@dataclass(frozen=True)
class Column:
    """One player's column. ``number`` (from 1) stays theirs; ``seat`` is None for who left."""

    name: str
    number: int
    seat: int | None
    total: int
    place: int | None
    leads: bool
    wins: bool


@dataclass(frozen=True)
class Cell:
    """One score. ``score`` is None for a hole; ``running`` is the total up to here."""

    column: Column
    score: int | None
    running: int | None = None
    went_out: bool = False
    photo: str | None = None
    corrected: bool = False


@dataclass(frozen=True)
class Row:
    """One round: ``kind`` is ``closed``, ``open`` or ``future``."""

    number: int
    engine: str
    kind: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """The whole sheet."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    highest_wins: bool
    finished: bool

    @property
    def begun(self) -> bool:
        """Whether a round is closed, so that there is a total to tell."""
        return any(row.kind == "closed" for row in self.rows)

    @property
    def crowd(self) -> str:
        """How full the sheet is, in words for its style: many columns, names too long for them."""
        count = len(self.columns)
        size = "few" if count <= FEW else "several" if count <= SEVERAL else "many"
        parts = [part for column in self.columns for part in column.name.split()]
        longest = count * max(map(len, parts), default=0)
        tall = " tall" * (longest > WIDE) + " tall-tablet" * (longest > TABLET)
        return size + tall + " tall-phone" * (longest > PHONE)


def score_sheet(table: Table, told: Report) -> Sheet:
    """The sheet of a table with a game; ``told`` is its report."""
    columns = tuple(_columns(told))
    hands = closed_hands(table)
    names, fixed = engines(table), corrections(table)
    rows = [
        Row(n, names[n - 1], "closed", tuple(_closed(told, columns, n, hand, fixed)))
        for n, hand in enumerate(hands, 1)
    ]
    if told["phase"] in ("playing", "scoring"):
        cells = tuple(_open_cell(told, column) for column in columns)
        rows.append(Row(told["round"], told["engine"], "open", cells))
    rows.extend(_future(table, len(rows) + 1))
    positive = told["game"]["switches"]["scoring"] == "positive"
    return Sheet(columns, tuple(rows), positive, told["phase"] == "finished")


def _columns(told: Report) -> Iterator[Column]:
    """Those who play in seat order, then those who left."""
    people, players = list(told["scores"]), told["game"]["players"]
    closed = any(told["scores"].values())
    for name in [*players, *(gone for gone in people if gone not in players)]:
        whole = None not in told["scores"][name]
        place = told["places"][name] if closed and whole else None
        yield Column(
            name=name,
            number=people.index(name) + 1,
            seat=players.index(name) + 1 if name in players else None,
            total=told["totals"][name],
            place=place,
            leads=place == 1,
            wins=name in told["winners"],
        )


def corrections(table: Table) -> set[tuple[int, int]]:
    """The scores that were corrected: each one's round, and the number (from 1) of its column."""
    found: set[tuple[int, int]] = set()
    after: Table | None = table
    while after is not None and after.last is not None and after.state is not None:
        if after.last.name == "correct":
            person = after.state.person(after.last["player"])
            found.add((after.last["round"], person.number + 1))
        after = after.before
    return found


def _closed(
    told: Report,
    columns: tuple[Column, ...],
    number: int,
    hands: dict[str, dict[str, Any]],
    fixed: set[tuple[int, int]],
) -> Iterator[Cell]:
    for column in columns:
        scores = told["scores"][column.name][:number]
        hand = hands.get(column.name, {})
        yield Cell(
            column=column,
            score=scores[-1],
            running=sum(score or 0 for score in scores),
            went_out=bool(hand.get("went_out")),
            photo=hand.get("photo"),
            corrected=(number, column.number) in fixed,
        )


def _open_cell(told: Report, column: Column) -> Cell:
    hand = told["hands"].get(column.name)
    out = column.name in told["went_out"]
    return Cell(column, None if hand is None else hand["points"], went_out=out)


def _future(table: Table, first: int) -> Iterator[Row]:
    """The rounds still to come, as far as they are agreed."""
    state = table.state
    if state is None or state.phase == "finished":
        return
    if state.phase == "between" or state.round is None:
        following = next_engine(table)
        value = -1 if following is None else Tile.parse(following).low
    else:
        value = state.round.engine - 1
    last = state.rounds or first + value
    for number in range(first, last + 1):
        if value >= 0:
            yield Row(number, f"{value}-{value}", "future")
        value -= 1


def chart_of(sheet: Sheet, rise: float = RISE) -> Chart | None:
    """The picture of a sheet; None before a round is closed."""
    closed = [row for row in sheet.rows if row.kind == "closed"]
    columns = {
        column.name: [row.cells[n].score for row in closed]
        for n, column in enumerate(sheet.columns)
    }
    ahead = [column.name for column in sheet.columns if column.leads]
    return draw_chart(columns, [row.engine for row in closed], ahead, rise)


@dataclass(frozen=True)
class Told:
    """One thing that was told of a cell: which action, and what the score was after it."""

    action: Action
    score: int | None
    photo: str | None


def history(table: Table, round_number: int, person: int) -> list[Told]:
    """What was told of one cell, oldest first; values that were corrected later are in it too."""
    found: list[Told] = []
    after: Table | None = table
    while after is not None and after.last is not None and after.before is not None:
        before, action = after.before, after.last
        if after.state is not None and before.state is not None:
            if _is_about(before.state, action, round_number, person):
                score = _score(after.state, round_number, person)
                found.append(Told(action, score, action.get("photo")))
        after = before
    return found[::-1]


def _is_about(state: GameState, action: Action, round_number: int, person: int) -> bool:
    if action.name == "correct":
        about = action["round"]
    elif action.name in ("hand", "go_out"):
        about = len(state.closed) + 1
    else:
        return False
    return bool(about == round_number and state.person(action["player"]).number == person)


def _score(state: GameState, round_number: int, person: int) -> int | None:
    """What stood in the cell: the hand's points while the round was open, its score after."""
    if round_number <= len(state.closed):
        return round_scores(state.closed[round_number - 1]).get(person)
    hand = state.round.hands.get(person) if state.round else None
    return None if hand is None else hand.points(state.rules.double_blank)
