"""A journal of an earlier version is brought up to this one: whole, or not at all."""

import sqlite3
from pathlib import Path

import pytest

from companion import journalfile
from companion.errors import JournalTrouble
from companion.journal import Journal

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"}

VERSION_1 = """
PRAGMA application_id = 1297371715; PRAGMA user_version = 1;
CREATE TABLE actions (
    n INTEGER PRIMARY KEY, game INTEGER NOT NULL, action TEXT NOT NULL, once TEXT UNIQUE
);
CREATE TABLE settled (once TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE people (
    name TEXT PRIMARY KEY, shown TEXT NOT NULL, colour INTEGER NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE photos (
    id TEXT PRIMARY KEY, made TEXT NOT NULL, reading TEXT NOT NULL, draft TEXT
) WITHOUT ROWID;
INSERT INTO actions VALUES (1, 1,
    '{"action":"start_game","players":["Ann","Bob"],"set":12,"rules":"classic"}', 'key');
INSERT INTO people VALUES ('ann', 'Ann', 3, 1);
INSERT INTO photos VALUES ('p1', '2024-05-31', 'null', NULL);
"""
"""A file as version 1 wrote it, with something in it."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a version 1 journal."""
    path = tmp_path / "games.db"
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1)
    connection.close()
    return path


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.close()
    return found


def columns(path: Path) -> set[tuple[str, ...]]:
    """Every table's columns as SQLite tells them."""
    connection = sqlite3.connect(path)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE sql > ''")]
    found = {
        (table, *map(str, column))
        for table in tables
        for column in connection.execute(f"PRAGMA table_info({table})")
    }
    connection.close()
    return found


def test_a_file_of_version_1_keeps_everything_and_takes_rules(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.notice is None
        assert journal.actions() == [START]
        assert journal.knows("key")
        assert journal.remembered() == [("Ann", 3)]
        assert journal.run("SELECT id FROM photos") == [("p1",)]
        assert journal.run("SELECT * FROM rules") == []
        assert journal.past() == []
        journal.append({"action": "open_round"})
    assert version(path) == journalfile.SCHEMA_VERSION
    with Journal.open(path) as journal:
        assert (journal.count, journal.notice) == (2, None)


def test_a_file_brought_up_has_the_shape_of_a_new_one(path: Path, tmp_path: Path) -> None:
    Journal.open(path).close()
    Journal.open(tmp_path / "new.db").close()
    assert columns(path) == columns(tmp_path / "new.db")


def test_a_step_that_fails_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = columns(path)
    broken = {1: journalfile.MIGRATIONS[1] + "; CREATE TABLE rules (twice TEXT)"}
    with monkeypatch.context() as patch:
        patch.setattr(journalfile, "MIGRATIONS", broken)
        with pytest.raises(JournalTrouble, match="^Nothing was saved, because "):
            Journal.open(path)
    assert version(path) == 1 and columns(path) == before
    with Journal.open(path) as journal:
        assert journal.actions() == [START]


def test_a_damaged_file_of_version_1_is_set_aside_unchanged(path: Path) -> None:
    damaged = path.read_bytes()[:-2048]
    path.write_bytes(damaged)
    with Journal.open(path) as journal:
        assert journal.notice is not None and journal.count == 0
    (kept,) = path.parent.glob("games.db.damaged-*")
    assert kept.read_bytes() == damaged


@pytest.mark.parametrize("number, why", [(4, "by a newer version"), (0, "lacked a part")])
def test_a_file_of_an_unknown_version_is_set_aside(path: Path, number: int, why: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {number}")
    connection.close()
    with Journal.open(path) as journal:
        assert why in str(journal.notice)
    (kept,) = path.parent.glob("games.db.damaged-*")
    assert version(kept) == number


@pytest.mark.parametrize("number", [2, 3])
def test_a_file_that_says_a_version_without_its_parts_is_set_aside(path: Path, number: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {number}")
    connection.close()
    with Journal.open(path) as journal:
        assert "lacked a part" in str(journal.notice)
