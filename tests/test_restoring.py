"""A backup brings everything back, and nothing that was there is lost for it."""

import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion import journalfile, restoring
from companion.errors import Trouble
from companion.game import Game
from companion.journal import Journal
from companion.journalfile import InUse, alone
from companion.photos import PhotoStore
from companion.report import report
from companion.restoring import backup_command, restore_command

START = {
    "action": "start_game",
    "players": ["Ann", "Bob"],
    "set": 12,
    "rules": "classic",
}


def played(folder: Path, marked: str) -> tuple[dict[str, object], str]:
    """An evening in a data folder with one photo: its table, and the photo."""
    with Game(journal := Journal.open(folder / "journal.db")) as game:
        if game.table.state is None:
            game.play(START)
            game.play({"action": "open_round"})
        game.play({"action": "mark", "train": marked})
        picture = np.full((60, 80, 3), 99, np.uint8)
        photo = PhotoStore(folder / "photos", journal).keep_picture(
            picture, {"kind": "count", "blank": 50}
        )
        return report(game.table), photo


def table_of(folder: Path) -> dict[str, object]:
    with Game(journal := Journal.open(folder / "journal.db")) as game:
        PhotoStore(folder / "photos", journal).sweep()
        assert game.notice is None
        return report(game.table)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "here"
    folder.mkdir()
    yield folder


def test_a_backup_brings_games_and_photos_to_another_machine(here: Path, tmp_path: Path) -> None:
    table, photo = played(here, "Ann")
    said = backup_command(here, tmp_path / "evening.zip")
    assert "Games and 1 photo are in" in said and "Gone before" not in said
    there = tmp_path / "there"
    assert "with 1 photo." in restore_command(there, tmp_path / "evening.zip")
    assert table_of(there) == table
    assert (there / "photos" / f"{photo}.jpg").read_bytes().startswith(b"\xff\xd8\xff")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "evening.zip",
        "here",
        "there",
    ]


def test_what_was_there_before_can_be_brought_back(here: Path, tmp_path: Path) -> None:
    first, _photo = played(here, "Ann")
    backup_command(here, tmp_path / "first.zip")
    second, photo = played(here, "Bob")
    restore_command(here, tmp_path / "first.zip")
    assert table_of(here) == first
    assert (here / "photos" / f"{photo}.jpg").exists(), "its journal may still come back"
    (kept,) = (here / "backups").iterdir()
    restore_command(here, kept)
    assert table_of(here) == second


def test_a_backup_can_be_made_while_the_companion_runs_but_not_restored(
    here: Path, tmp_path: Path
) -> None:
    with alone(here), Game(Journal.open(here / "journal.db")) as game:
        game.play(START)
        backup_command(here, tmp_path / "evening.zip")
        with pytest.raises(InUse, match="stop it"):
            restore_command(here, tmp_path / "evening.zip")
    assert zipfile.ZipFile(tmp_path / "evening.zip").namelist() == ["journal.db"]


def test_a_file_that_is_there_is_never_written_over(here: Path, tmp_path: Path) -> None:
    played(here, "Ann")
    (tmp_path / "mine.zip").write_text("mine")
    with pytest.raises(Trouble, match="new file"):
        backup_command(here, tmp_path / "mine.zip")
    with pytest.raises(Trouble, match="--data"):
        backup_command(tmp_path / "nowhere", tmp_path / "other.zip")
    with pytest.raises(Trouble, match="cannot be written"):
        backup_command(here, tmp_path / "nowhere" / "other.zip")
    assert (tmp_path / "mine.zip").read_text() == "mine"


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, data in members.items():
            made.writestr(name.replace("__", "."), data)
    return path


def noise(tmp_path: Path) -> Path:
    (tmp_path / "bad").write_bytes(b"PK\x03\x04 noise" * 50)
    return tmp_path / "bad"


def foreign(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "bad") as connection:
        connection.execute("CREATE TABLE songs (name)")
    return tmp_path / "bad"


def refused_by_the_rules(tmp_path: Path) -> Path:
    journal = Journal.open(tmp_path / "bad")
    journal.append({"action": "open_round"})
    journal.close()
    return tmp_path / "bad"


def cut_short(tmp_path: Path) -> Path:
    whole = tmp_path / "whole"
    whole.mkdir()
    played(whole, "Ann")
    backup_command(whole, tmp_path / "whole.zip")
    data = (tmp_path / "whole.zip").read_bytes()
    (tmp_path / "bad").write_bytes(data[: len(data) // 2])
    return tmp_path / "bad"


def with_row(tmp_path: Path, *rows: str) -> Path:
    """A whole backup of which somebody changed a row."""
    whole = tmp_path / "whole"
    whole.mkdir()
    played(whole, "Ann")
    with sqlite3.connect(whole / "journal.db") as connection:
        connection.executescript(";".join(rows))
    connection.close()
    (whole / "journal.db").rename(tmp_path / "bad")
    return tmp_path / "bad"


def flipped(tmp_path: Path) -> Path:
    whole = tmp_path / "whole"
    whole.mkdir()
    played(whole, "Ann")
    backup_command(whole, tmp_path / "bad")
    data = bytearray((tmp_path / "bad").read_bytes())
    for place in range(60, 400, 7):
        data[place] ^= 0xFF
    (tmp_path / "bad").write_bytes(bytes(data))
    return tmp_path / "bad"


BAD = {
    "past": lambda p: with_row(p, "INSERT INTO past VALUES (1, -1, 'garbage', NULL)"),
    "photo": lambda p: with_row(p, "UPDATE photos SET draft = '{}'"),
    "people": lambda p: with_row(p, "INSERT INTO people VALUES ('x', x'ff', 1, 1)"),
    "columns": lambda p: with_row(p, "DROP TABLE choices", "CREATE TABLE choices (a, b)"),
    "flipped": flipped,
    "noise": noise,
    "foreign": foreign,
    "refused": refused_by_the_rules,
    "cut short": cut_short,
    "empty": lambda tmp_path: archive(tmp_path / "bad"),
    "no journal": lambda tmp_path: archive(tmp_path / "bad", journal__db=b"no journal"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_whole_backup_changes_nothing(kind: str, here: Path, tmp_path: Path) -> None:
    table, _photo = played(here, "Ann")
    bad = BAD[kind](tmp_path)
    before = sorted(path.name for path in here.rglob("*") if path.name != "in-use")
    with pytest.raises(Trouble, match="choose another backup"):
        restore_command(here, bad)
    assert table_of(here) == table
    assert sorted(path.name for path in here.rglob("*") if path.name != "in-use") == before


def test_what_the_rules_refuse_is_said_as_such_and_the_journal_is_opened_once(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(here, "Ann")
    with pytest.raises(Trouble, match="because it holds an action that the rules refuse: choose"):
        restore_command(here, refused_by_the_rules(tmp_path))
    backup_command(here, tmp_path / "good.zip")
    opened, look = [], journalfile.open_file
    monkeypatch.setattr(
        journalfile, "open_file", lambda path: (opened.append(path.name), look(path))[1]
    )
    restore_command(here, tmp_path / "good.zip")
    assert opened.count("journal.db.restored") == 1


def test_an_archive_that_lies_about_its_size_is_refused(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "MOST_JOURNAL", 1000)
    with pytest.raises(Trouble, match="no whole journal"):
        restore_command(here, archive(tmp_path / "bad", journal__db=b"0" * 1001))


def test_photos_leave_the_archive_under_names_of_our_own_only(here: Path, tmp_path: Path) -> None:
    _table, photo = played(here, "Ann")
    backup_command(here, tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as good:
        journal = good.read("journal.db")
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad:
        bad.writestr("journal.db", journal)
        bad.writestr("../../out.jpg", b"\xff\xd8\xff out of the folder")
        bad.writestr("photos/" + "0" * 32 + ".jpg", b"\xff\xd8\xff in no journal")
        bad.writestr(f"photos/{photo}.jpg", b"#!/bin/sh")
    there = tmp_path / "deep" / "there"
    assert "with 0 photos" in restore_command(there, tmp_path / "bad.zip")
    assert not list((there / "photos").iterdir())
    assert not list(tmp_path.rglob("out.jpg"))


def test_a_damaged_journal_is_set_aside_for_the_backup(here: Path, tmp_path: Path) -> None:
    table, _photo = played(here, "Ann")
    backup_command(here, tmp_path / "evening.zip")
    (here / "journal.db").write_bytes(b"noise" * 4000)
    restore_command(here, tmp_path / "evening.zip")
    assert table_of(here) == table
    assert list(here.glob("journal.db.damaged-*"))


def test_restores_at_one_moment_keep_all_that_was_there(here: Path, tmp_path: Path) -> None:
    first, _photo = played(here, "Ann")
    backup_command(here, tmp_path / "first.zip")
    second, _photo = played(here, "Bob")
    for _ in range(3):
        restore_command(here, tmp_path / "first.zip")
    copies = sorted((here / "backups").iterdir())
    assert len(copies) == 3
    found = []
    for copy in copies:
        restore_command(tmp_path / copy.stem, copy)
        found.append(table_of(tmp_path / copy.stem))
    assert found.count(second) == 1 and found.count(first) == 2


def test_choices_that_cannot_be_read_count_as_none(here: Path, tmp_path: Path) -> None:
    deep = "[" * 200_000
    far = '{"centre": [1' + "0" * 400 + ", 0.5]}"
    bad = with_row(
        tmp_path,
        f"INSERT INTO choices VALUES ('markers', '{deep}')",
        f"INSERT INTO choices VALUES ('layout', '{far}')",
    )
    restore_command(here, bad)
    with Game(Journal.open(here / "journal.db")) as game:
        assert game.choices.layout.centre is None and game.choices.markers == ()
