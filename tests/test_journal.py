"""The journal: durable, closed to others, and never overwritten when it is damaged."""

import sqlite3
import stat
from pathlib import Path

import pytest

from companion.errors import JournalTrouble
from companion.journal import Journal
from companion.journalfile import Damaged, alone

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"}
MARK = {"action": "mark", "train": "Ann", "by": "Bob’s tablet"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "games.db"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def set_aside(path: Path) -> list[str]:
    return sorted(p.name for p in path.parent.iterdir() if ".damaged-" in p.name)


def filled(path: Path, actions: int = 300) -> None:
    """A closed journal of several pages."""
    with Journal.open(path) as journal:
        journal.append(START, "first")
        for number in range(actions - 1):
            journal.append(MARK, f"key {number}")


def test_actions_come_back_in_order_and_exactly_as_they_were(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.actions() == []
        journal.append(START)
        journal.append(MARK)
    with Journal.open(path) as journal:
        assert journal.actions() == [START, MARK]
        assert (journal.count, journal.notice) == (2, None)


def test_each_game_has_its_number(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(START)
        journal.append(MARK)
    with Journal.open(path) as journal:
        journal.append({**START, "overrule": True})
        journal.append(MARK)
        assert journal.run("SELECT game FROM actions ORDER BY n") == [(1,), (1,), (2,), (2,)]


def test_text_that_is_no_valid_unicode_is_kept_too(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append({"action": "mark", "train": "Ann", "by": "\ud800"})
        assert journal.actions()[0]["by"] == "\ud800"


def test_every_commit_is_synced_before_it_is_answered(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.run("PRAGMA journal_mode") == [("wal",)]
        assert journal.run("PRAGMA synchronous") == [(2,)]
        assert journal.run("PRAGMA foreign_keys") == [(1,)]
        assert journal.run("PRAGMA busy_timeout") == [(5000,)]


def test_only_the_owner_may_read_the_files(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(START)
        assert mode(path.parent) == 0o700
        assert {p.name: mode(p) for p in path.parent.iterdir()} == {
            "games.db": 0o600,
            "games.db-wal": 0o600,
            "games.db-shm": 0o600,
            "games.db-count": 0o600,
        }


def test_a_folder_that_was_there_keeps_its_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Journal.open(tmp_path / "games.db").close()
    assert mode(tmp_path) == 0o755


def test_a_key_is_known_once_its_action_or_its_nothing_is_stored(path: Path) -> None:
    with Journal.open(path) as journal:
        assert not journal.knows("a")
        journal.append(MARK, "a")
        journal.settle("b")
    with Journal.open(path) as journal:
        assert journal.knows("a") and journal.knows("b") and not journal.knows("c")
        assert journal.count == 1


def test_a_second_writer_is_told_and_loses_nothing(path: Path) -> None:
    with Journal.open(path) as first, Journal.open(path) as second:
        first.append(START)
        with pytest.raises(JournalTrouble, match="another companion writes to the same file"):
            second.append(MARK)
        first.append(MARK)
        assert first.actions() == [START, MARK]


def test_people_are_remembered_the_latest_first_and_with_their_last_colour(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.remember(["Ann", "Bob"], [0, 1])
        journal.remember(["Zoé", "ANN"], [2, 3])
    with Journal.open(path) as journal:
        assert journal.remembered() == [("ANN", 3), ("Zoé", 2), ("Bob", 1)]
        assert journal.remembered()[0].colour == 3


def test_other_parts_keep_rows_of_their_own(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.run("INSERT INTO photos VALUES (?, ?, ?, ?)", ("p1", "2024-05-31", "{}", None))
    with Journal.open(path) as journal:
        assert journal.run("SELECT id, draft FROM photos") == [("p1", None)]


def test_a_statement_that_fails_is_a_sentence_and_changes_nothing(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.remember(["Ann"], [1])
        with pytest.raises(JournalTrouble, match="^Nothing was saved, because "):
            journal.remember(["Bob", "Cem"], [1, None])  # type: ignore[list-item]
        assert journal.remembered() == [("Ann", 1)]
        journal.append(START)


def test_a_closed_journal_says_so(path: Path) -> None:
    journal = Journal.open(path)
    journal.close()
    journal.close()
    with pytest.raises(JournalTrouble, match="The companion is closing"):
        journal.append(MARK)


def test_a_full_disk_refuses_the_action_and_the_next_one_is_taken(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(START)
        pages = journal.run("PRAGMA page_count")[0][0]
        journal.run(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalTrouble, match="the disk is full: free some space"):
            journal.append({**MARK, "by": "x" * 20_000})
        journal.run(f"PRAGMA max_page_count = {pages + 100}")
        journal.append(MARK)
    with Journal.open(path) as journal:
        assert journal.actions() == [START, MARK]


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(JournalTrouble, match="cannot be opened .*: check that the disk is there"):
        Journal.open(tmp_path / "data" / "games.db")


def test_a_birth_cut_short_is_begun_again(path: Path) -> None:
    path.parent.mkdir()
    (path.parent / "games.db.new").write_bytes(b"half a da")
    with Journal.open(path) as journal:
        assert (journal.actions(), journal.notice) == ([], None)
    assert set_aside(path) == []


def noise(whole: bytes) -> bytes:
    return bytes((n * 167 + 13) % 256 for n in range(len(whole)))


def without_a_page_in_the_middle(whole: bytes) -> bytes:
    return whole[: 4096 * 3] + bytes(4096) + whole[4096 * 4 :]


DAMAGES = {
    "noise": noise,
    "nothing left": lambda whole: b"",
    "one byte": lambda whole: whole[:1],
    "half a header": lambda whole: whole[:50],
    "header only": lambda whole: whole[:100],
    "first page only": lambda whole: whole[:4096],
    "half": lambda whole: whole[: len(whole) // 2],
    "half a page short": lambda whole: whole[:-2048],
    "a zero page": without_a_page_in_the_middle,
    "zero header": lambda whole: bytes(100) + whole[100:],
    "a text": lambda whole: "Ann 12, Bob 40\n".encode() * 400,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_set_aside_unchanged_and_a_new_one_begun(path: Path, damage) -> None:
    filled(path)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    with Journal.open(path) as journal:
        assert journal.actions() == []
        journal.append(START)
        (kept,) = set_aside(path)
        assert journal.notice is not None
        assert journal.notice.startswith("The saved games could not be used, because the file ")
        assert f"It was kept unchanged as {kept} in {path.parent}" in journal.notice
        assert (path.parent / kept).read_bytes() == damaged
    with Journal.open(path) as journal:
        assert (journal.actions(), journal.notice) == ([START], None)


def foreign(path: Path, *statements: str) -> None:
    path.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_another_programs_database_is_set_aside_whole(path: Path) -> None:
    foreign(path, "CREATE TABLE actions (n INTEGER)", "INSERT INTO actions VALUES (7)")
    with Journal.open(path) as journal:
        assert "because the file was written by another program" in str(journal.notice)
    (kept,) = set_aside(path)
    assert sqlite3.connect(path.parent / kept).execute("SELECT n FROM actions").fetchone() == (7,)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("PRAGMA user_version = 99", "was written by a newer version of this program"),
        ("DROP TABLE photos", "lacked a part"),
    ],
)
def test_a_file_of_another_shape_is_set_aside(path: Path, statement: str, why: str) -> None:
    filled(path, 2)
    foreign(path, statement)
    with Journal.open(path) as journal:
        assert f"because the file {why}" in str(journal.notice)
    assert len(set_aside(path)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE actions SET action = 'half a sen' WHERE n = 2",
        "UPDATE actions SET action = '[]' WHERE n = 2",
        "UPDATE actions SET action = x'ff00' WHERE n = 2",
        "UPDATE actions SET action = CAST(x'ff' AS TEXT) WHERE n = 2",
        "UPDATE actions SET action = 5 WHERE n = 2",
        "DELETE FROM actions WHERE n = 2",
    ],
)
def test_actions_that_are_no_whole_sequence_are_damage(path: Path, statement: str) -> None:
    from companion.journalfile import Damaged

    filled(path, 3)
    foreign(path, statement)
    with Journal.open(path) as journal, pytest.raises(Damaged):
        journal.actions()


def test_a_log_without_its_file_is_set_aside_and_not_poured_into_the_new_one(path: Path) -> None:
    journal = Journal.open(path)
    journal.append(START)
    log = Path(f"{path}-wal").read_bytes()
    journal.close()
    path.unlink()
    Path(f"{path}-wal").write_bytes(log)
    with Journal.open(path) as journal:
        assert "had lost its main part" in str(journal.notice)
        assert journal.actions() == []
    (kept,) = set_aside(path)
    assert kept.endswith("-wal") and (path.parent / kept).read_bytes() == log


def test_two_damages_in_one_second_keep_both_files(path: Path) -> None:
    for _ in range(3):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
        Journal.open(path).close()
    assert len(set_aside(path)) == 3


def test_a_link_to_a_disk_that_is_not_there_is_a_sentence(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(path.parent / "elsewhere" / "journal.db")
    with pytest.raises(JournalTrouble, match="which is not there: connect that disk"):
        Journal.open(path)
    assert path.is_symlink(), "nothing was made in its place"


def test_a_folder_in_the_files_place_is_a_sentence(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(JournalTrouble, match="is a folder: move it away."):
        Journal.open(path)


def test_an_action_nested_without_end_is_damage(path: Path) -> None:
    filled(path, 2)
    foreign(path, f"UPDATE actions SET action = '{'[' * 100_000}' WHERE n = 2")
    with Journal.open(path) as journal, pytest.raises(Damaged, match="had lost action 2"):
        journal.actions()


def test_a_folder_is_held_by_one_companion(tmp_path: Path) -> None:
    with alone(tmp_path / "data"):
        with pytest.raises(JournalTrouble, match="Another companion uses .* already: stop it"):
            with alone(tmp_path / "data"):
                pass
    with alone(tmp_path / "data"):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(JournalTrouble, match="name a folder that this user may write to"):
        with alone(tmp_path / "file" / "data"):
            pass


def test_what_is_told_of_past_games_lies_beside_the_actions(path: Path) -> None:
    fix = {"action": "correct", "round": 1, "player": "Ann", "pips": 3}
    with Journal.open(path) as journal:
        journal.append(START)
        journal.append_past([(-1, [START, MARK]), (1, [fix])], "key")
        journal.append_past([(-1, [fix])])
        assert (journal.count, journal.past_count) == (1, 3)
        assert journal.knows("key") and journal.place_of("key") is None
    with Journal.open(path) as journal:
        assert journal.past() == [(-1, [START, MARK]), (1, [fix]), (-1, [fix])]
        assert (journal.actions(), journal.past_count) == ([START], 3)


def test_of_the_past_all_is_stored_or_nothing(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append_past([(-1, [START])], "key")
        with pytest.raises(JournalTrouble, match="another companion writes"):
            journal.append_past([(-2, [START]), (-3, [START])], "key")
        assert (journal.past_count, journal.run("SELECT count(*) FROM past")) == (1, [(1,)])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE past SET actions = 'half a sen' WHERE n = 2",
        "UPDATE past SET actions = '{}' WHERE n = 2",
        "UPDATE past SET game = 'one' WHERE n = 2",
        "DELETE FROM past WHERE n = 1",
    ],
)
def test_a_past_that_is_not_whole_is_damage(path: Path, statement: str) -> None:
    with Journal.open(path) as journal:
        journal.append_past([(-1, [START]), (-2, [START])])
    foreign(path, statement)
    with Journal.open(path) as journal, pytest.raises(Damaged, match="of the past games"):
        journal.past()
