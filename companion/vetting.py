"""What a journal that a stranger may have sent must be before anything of it is used.

Its tables must be ours to the letter, so that no trigger, view or check of somebody else's ever
runs; its values must be of their column's kind, and what is told of a photo what its page can
show. Knows no archive and changes nothing.
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
import types
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from companion.dominoes import SIZES, Tile
from companion.draft import Draft
from companion.journalfile import SCHEMA, Damaged
from companion.observation import WHYS
from companion.photos import Photo, is_id

EDITS = ("set", "right", "removed", "back", "added", "same", "apart")
"""What people can have done to a tile."""
FARTHEST = 1_000_000
"""Pixels: no corner of a tile lies beyond."""
_FOREIGN = "holds what this companion never wrote"


def check_tables(path: Path) -> None:
    """Look through the tables of a journal. Raises Damaged for any that is not ours.

    Reads the schema before anything else, and no row of a table whose schema is not ours.
    """
    known = _wanted()
    with contextlib.closing(sqlite3.connect(path)) as journal:
        journal.execute("PRAGMA trusted_schema = OFF")
        for kind, name, sql in journal.execute("SELECT type, name, sql FROM sqlite_master"):
            made_by_itself = kind == "index" and sql is None
            if not made_by_itself and (kind != "table" or known.get(name) != _plain(sql)):
                raise Damaged(_FOREIGN)
        there = [name for name in known if _has(journal, name)]
        if any(_odd_rows(journal, name) for name in there):
            raise Damaged(_FOREIGN)


def _has(journal: sqlite3.Connection, table: str) -> bool:
    asked = "SELECT 1 FROM sqlite_master WHERE name = ?"
    return journal.execute(asked, (table,)).fetchone() is not None


def _odd_rows(journal: sqlite3.Connection, table: str) -> bool:
    """Whether a value of the table is of another kind than its column."""
    wrong = [
        f"typeof({column}) <> '{kind.lower()}' AND ({column} IS NOT NULL OR {needed})"
        for _n, column, kind, needed, *_more in journal.execute(f"PRAGMA table_info({table})")
    ]
    asked = (
        f"SELECT 1 FROM {table} WHERE {' OR '.join(wrong)} LIMIT 1"  # nosec B608 # our own names
    )
    return journal.execute(asked).fetchone() is not None


@cache
def _wanted() -> Mapping[str, str]:
    """Our tables: how each is made, by name."""
    with contextlib.closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(SCHEMA)
        rows = empty.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {name: _plain(sql) for name, sql in rows}


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())


def check_photos(photos: Iterable[Photo]) -> None:
    """Look through what is told of photos. Raises Damaged for what their pages could not show."""
    there = {photo.id: photo for photo in photos}
    for photo in there.values():
        first = there.get(photo.about["with"]) if "with" in photo.about else None
        if first is not None and "with" in first.about:
            raise Damaged(_FOREIGN)
        readings = filter(None, (photo.reading, *photo.more))
        if not (_is_about(photo.about) and all(map(_is_reading, readings))):
            raise Damaged(_FOREIGN)
        if photo.draft is not None and not _is_draft(photo.draft):
            raise Damaged(_FOREIGN)


def _is_about(about: Mapping[str, Any]) -> bool:
    """Whether this is told of a photo that was only counted, or of somebody's hand."""
    if about["kind"] == "hand":
        told = type(about["player"]) is type(about["round"]) is str and type(about["who"]) is int
        if not told or about["who"] < 1 or type(about.get("number", 0)) is not int:
            return False
    elif about["kind"] != "count":
        return False
    return type(about["blank"]) is int and about.get("set") in (None, *SIZES)


def _is_reading(reading: Mapping[str, Any]) -> bool:
    return all(_is_tile(tile["ends"]) and tile["why"] in (None, *WHYS) for tile in reading["tiles"])


def _is_draft(draft: Draft) -> bool:
    pieces = [*draft.pieces, *(edit.before for edit in draft.edits if edit.before)]
    places = {piece.photo for piece in pieces} | {shot.id for shot in draft.shots}
    return (
        fits(draft, Draft)
        and all(edit.kind in EDITS for edit in draft.edits)
        and all(place is None or is_id(place) for place in places)
        and all(_is_tile(ends) for piece in pieces for ends in (piece.ends, *piece.others))
        and all(piece.doubt in (None, *WHYS) for piece in pieces)
    )


def _is_tile(ends: Any) -> bool:
    one, other = ends
    try:
        return type(one) is int and type(other) is int and bool(str(Tile.of(one, other)))
    except ValueError:
        return False


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is what its annotation says, all the way down; numbers must be finite."""
    inner, made_of = get_args(kind), get_origin(kind)
    if made_of in (Union, types.UnionType):
        return any(fits(value, each) for each in inner)
    if made_of is tuple:
        if not isinstance(value, tuple):
            return False
        if inner[1:] == (Ellipsis,):
            return all(fits(each, inner[0]) for each in value)
        return len(value) == len(inner) and all(map(fits, value, inner))
    if kind is float:
        return type(value) in (int, float) and math.isfinite(value) and abs(value) < FARTHEST
    if not isinstance(value, kind) or (type(value) is bool and kind is not bool):
        return False
    hints = get_type_hints(kind) if is_dataclass(kind) else {}
    return not hints or all(
        fits(getattr(value, each.name), hints[each.name]) for each in fields(kind)
    )
