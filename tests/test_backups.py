"""Copies of the journal are made by themselves, whole, and no more of them kept than are of use."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion import backups
from companion.backups import Backups, copy, kept, moment_of, name_of, to_keep
from companion.errors import JournalTrouble
from companion.game import Game
from companion.journal import Journal
from tests.visitor import Place, sentences

START = {
    "action": "start_game",
    "players": ["Ann", "Bob"],
    "set": 12,
    "rules": "classic",
}


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with Game(Journal.open(tmp_path / "journal.db")) as game:
        yield game


def close_a_round(game: Game) -> None:
    game.play({"action": "open_round"})
    game.play({"action": "go_out", "player": "Ann"})
    game.play({"action": "hand", "player": "Bob", "pips": 7})
    game.play({"action": "close_round"})


def eventually(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def actions_in(path: Path) -> int:
    with Game(Journal.open(path)) as game:
        assert game.notice is None
        return game.table.revision


def test_a_copy_of_a_journal_in_use_is_whole(game: Game, tmp_path: Path) -> None:
    game.play(START)
    copy(tmp_path / "journal.db", tmp_path / "copy.db")
    game.play({"action": "open_round"})
    assert actions_in(tmp_path / "copy.db") == 1
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_a_copy_is_whole_or_not_there(game: Game, tmp_path: Path) -> None:
    with pytest.raises(JournalTrouble, match="cannot be written"):
        copy(tmp_path / "journal.db", tmp_path / "nowhere" / "copy.db")
    (tmp_path / "noise.db").write_bytes(b"noise" * 999)
    with pytest.raises(JournalTrouble, match="damaged"):
        copy(tmp_path / "noise.db", tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy.db*"))


def test_the_start_and_every_closed_round_leave_a_copy(game: Game, tmp_path: Path) -> None:
    moments = (datetime(2026, 5, 1, 20) + timedelta(minutes=n) for n in range(99))
    folder = tmp_path / "backups"
    game.play(START)
    with Backups(game, tmp_path / "journal.db", folder, clock=lambda: next(moments)):
        eventually(lambda: len(kept(folder)) == 1)
        game.play({"action": "rename", "player": "Ann", "name": "Anna"})
        game.play({"action": "rename", "player": "Anna", "name": "Ann"})
        close_a_round(game)
        eventually(lambda: len(kept(folder)) == 2)
        close_a_round(game)
        eventually(lambda: len(kept(folder)) == 3)
    assert actions_in(kept(folder)[0]) == game.table.revision


def test_a_disk_that_refuses_is_told_and_delays_nothing(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "backups").write_text("a file where the folder should be")
    game.play(START)
    with Backups(game, tmp_path / "journal.db", tmp_path / "backups") as made:
        eventually(lambda: made.notice is not None)
        assert f"allow writing to {tmp_path / 'backups'}." in str(made.notice)
        (tmp_path / "backups").unlink()
        close_a_round(game)
        eventually(lambda: made.notice is None and len(made.kept()) == 1)


def test_every_page_tells_that_no_copy_is_kept(tmp_path: Path) -> None:
    told: list[str | None] = ["No copy of the games could be kept (full): make room."]
    place = Place(tmp_path, notices=(lambda: told[0],))
    assert all(str(told[0]) in sentences(place.visitor().get(page)) for page in ("/", "/settings"))
    told[0] = None
    assert "No copy" not in sentences(place.visitor().get("/"))
    place.game.close()


def test_names_tell_when_a_copy_was_made() -> None:
    moment = datetime(2026, 5, 1, 20, 15, 33)
    assert moment_of(name_of(moment)) == moment
    for other in (
        "journal.db",
        "journal-20269901-000000.db",
        "before-restore-20260501-201533.db",
    ):
        assert moment_of(other) is None


def test_the_newest_and_the_last_of_days_and_weeks_are_kept() -> None:
    first = datetime(2026, 1, 1, 19)
    evenings = [
        first + timedelta(days=7 * week, minutes=15 * n) for week in range(20) for n in range(13)
    ]
    stay = to_keep(evenings)
    assert set(evenings[-backups.NEWEST :]) <= stay
    assert {moment.date() for moment in stay} == {m.date() for m in evenings[-8 * 13 :]}
    assert len(stay) == backups.NEWEST + backups.WEEKS - 1
    for moment in stay - set(evenings[-backups.NEWEST :]):
        assert moment == max(m for m in evenings if m.date() == moment.date())


def test_few_copies_are_all_kept_and_a_clock_that_jumped_does_no_harm() -> None:
    assert to_keep([]) == set()
    few = [datetime(2026, 5, 1), datetime(1970, 1, 1), datetime(2099, 1, 1)]
    assert to_keep(few) == set(few)


def test_old_copies_go_and_other_files_stay(tmp_path: Path) -> None:
    for n in range(60):
        (tmp_path / name_of(datetime(2026, 5, 1) + timedelta(minutes=n))).touch()
    (tmp_path / "holiday.jpg").touch()
    backups.rotate(tmp_path)
    assert len(kept(tmp_path)) == backups.NEWEST
    assert (tmp_path / "holiday.jpg").exists()


def test_a_copy_stands_on_its_own_without_side_files(game: Game, tmp_path: Path) -> None:
    game.play(START)
    copy(tmp_path / "journal.db", tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy.db-*"))
    with sqlite3.connect(tmp_path / "copy.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete"


def test_an_empty_journal_drives_no_full_copy_out(game: Game, tmp_path: Path) -> None:
    with Backups(game, tmp_path / "journal.db", tmp_path / "backups") as made:
        game.play(START)
        close_a_round(game)
        eventually(lambda: bool(made.kept()))
        assert len(made.kept()) == 1


def test_a_damaged_journal_names_the_last_copy(game: Game, tmp_path: Path) -> None:
    game.play(START)
    (tmp_path / "backups").mkdir()
    for day in (3, 7, 5):
        copy(tmp_path / "journal.db", tmp_path / "backups" / name_of(datetime(2026, 5, day)))
    game.close()
    (tmp_path / "journal.db").write_bytes(b"noise" * 4000)
    with Journal.open(tmp_path / "journal.db") as journal:
        assert journal.notice is not None
        assert journal.notice.endswith("restore " + str(kept(tmp_path / "backups")[0]))
        assert "20260507" in journal.notice
