"""The game: one tap counts once, the durable one first, and nobody is kept waiting."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.actions import parse_action
from companion.errors import JournalTrouble, NotAnAction, RuleBroken
from companion.game import Game, Stale
from companion.journal import Journal
from companion.report import report
from companion.table import Table, replay
from tests.running import all_joined

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round"}


def mark(player: str) -> dict[str, str]:
    return {"action": "mark", "train": player}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def opened(path: Path) -> Game:
    return Game(Journal.open(path), clock=lambda: datetime(2024, 5, 31, 20, 15, 7, 9, tzinfo=UTC))


@pytest.fixture
def game(path: Path) -> Iterator[Game]:
    with opened(path) as game:
        game.play(START)
        game.play(OPEN)
        yield game


def stored(path: Path) -> int:
    with Journal.open(path) as journal:
        return journal.count


def eventually(condition) -> bool:
    """Whether the condition comes true within two seconds."""
    end = time.monotonic() + 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return bool(condition())


def test_a_tap_is_there_after_a_restart(game: Game, path: Path) -> None:
    table = game.play(mark("Ann"))
    assert table is game.table
    assert report(table)["open_trains"] == ["Ann"]
    game.close()
    with opened(path) as again:
        assert report(again.table) == report(table)
        assert again.notice is None


def test_an_action_is_stamped_with_the_time_unless_it_carries_one(game: Game, path: Path) -> None:
    game.play(mark("Ann"))
    game.play({**mark("Bob"), "at": "1999-12-31T23:59:00+01:00"})
    game.play(parse_action({"action": "undo"}))
    game.close()
    with Journal.open(path) as journal:
        times = [action["at"] for action in journal.actions()[2:]]
    assert times == ["2024-05-31T20:15:07Z", "1999-12-31T23:59:00+01:00", "2024-05-31T20:15:07Z"]


def test_a_refused_action_is_not_stored(game: Game, path: Path) -> None:
    with pytest.raises(RuleBroken, match="There is no player called Cem"):
        game.play(mark("Cem"))
    with pytest.raises(NotAnAction):
        game.play({"action": "dance"})
    assert game.table.revision == 2
    game.close()
    assert stored(path) == 2


def test_an_action_that_changes_nothing_is_accepted_and_not_stored(game: Game, path: Path) -> None:
    table = game.play(mark("Ann"))
    assert game.play(mark("Ann")) is table
    game.close()
    assert stored(path) == 3


def test_the_same_key_counts_once_also_after_a_restart(game: Game, path: Path) -> None:
    game.play(mark("Ann"), once="tap 1", revision=2)
    game.play({"action": "unmark", "train": "Ann"})
    assert game.play(mark("Ann"), once="tap 1", revision=2).revision == 3, "the first answer"
    assert game.table.revision == 4
    game.close()
    with opened(path) as again:
        assert again.play(mark("Ann"), once="tap 1").revision == 3
        assert again.table.revision == 4
        assert report(again.table)["open_trains"] == []


def test_the_key_of_an_action_that_changed_nothing_is_remembered_too(game: Game) -> None:
    game.play(mark("Ann"))
    game.play(mark("Ann"), once="tap 2")
    game.play({"action": "unmark", "train": "Ann"})
    game.play(mark("Ann"), once="tap 2")
    assert report(game.table)["open_trains"] == []


def test_the_key_of_a_refused_action_may_be_used_again(game: Game) -> None:
    with pytest.raises(RuleBroken):
        game.play({"action": "close_round"}, once="tap 3")
    assert game.play(mark("Ann"), once="tap 3").revision == 3


@pytest.mark.parametrize("key", ["", "x" * 201, "ключ", "\ud800", 7])
def test_a_strange_key_is_refused(game: Game, key: str) -> None:
    with pytest.raises(NotAnAction, match="once must be a key of 1 to 200 plain letters"):
        game.play(mark("Ann"), once=key)


def test_a_tap_on_an_old_page_is_refused(game: Game) -> None:
    game.play(mark("Ann"), revision=2)
    with pytest.raises(Stale, match="Somebody else tapped in the meantime: look at the table"):
        game.play(mark("Bob"), revision=2)
    assert not Stale("").overrulable
    assert report(game.table)["open_trains"] == ["Ann"]


def test_of_many_taps_at_once_on_the_same_page_one_counts(game: Game) -> None:
    outcomes: list[str] = []

    def tap(number: int) -> None:
        try:
            game.play({"action": "turn", "player": "Bob"}, revision=2, once=f"tap {number}")
            outcomes.append("accepted")
        except Stale:
            outcomes.append("stale")

    taps = [threading.Thread(target=tap, args=(number,)) for number in range(14)]
    for thread in taps:
        thread.start()
    all_joined(taps)
    assert sorted(outcomes) == ["accepted"] + ["stale"] * 13
    assert game.table.revision == 3


def test_when_nothing_can_be_stored_nothing_changes(game: Game) -> None:
    pages = game._journal.run("PRAGMA page_count")[0][0]
    game._journal.run(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalTrouble, match="the disk is full"):
        for _ in range(500):
            game.play({"action": "turn", "player": "Ann", "by": "x" * 400})
            game.play({"action": "turn", "player": "Bob", "by": "x" * 400})
    revision = game.table.revision
    assert game._journal.count == revision
    game._journal.run("PRAGMA max_page_count = 100000")
    assert game.play(mark("Bob"), once="again").revision == revision + 1


def test_a_listener_hears_the_table_now_and_each_newest_one(game: Game) -> None:
    heard: list[int] = []
    game.listen(lambda table: heard.append(table.revision))
    assert eventually(lambda: heard == [2])
    game.play(mark("Ann"))
    assert eventually(lambda: heard == [2, 3])


def test_a_listener_that_raises_undoes_nothing_and_hears_the_next(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def broken(table: Table) -> None:
        heard.append(table.revision)
        raise OSError("no such lamp")

    game.listen(broken)
    assert eventually(lambda: heard == [2])
    assert game.play(mark("Ann")).revision == 3
    assert eventually(lambda: heard == [2, 3])
    assert eventually(lambda: len(caplog.records) == 2)


def test_a_listener_that_blocks_delays_neither_taps_nor_the_others(game: Game) -> None:
    free = threading.Event()
    blocked: list[int] = []
    others: list[int] = []

    def blocking(table: Table) -> None:
        blocked.append(table.revision)
        free.wait(5)

    game.listen(blocking)
    game.listen(lambda table: others.append(table.revision))
    assert eventually(lambda: blocked == [2])
    begun = time.monotonic()
    for _ in range(10):
        game.play(mark("Ann"))
        game.play({"action": "unmark", "train": "Ann"})
    assert time.monotonic() - begun < 1
    assert eventually(lambda: others[-1] == 22)
    assert blocked == [2]
    free.set()
    assert eventually(lambda: blocked == [2, 22])


def test_waiting_ends_with_the_next_tap(game: Game) -> None:
    seen: list[int] = []
    waiter = threading.Thread(target=lambda: seen.append(game.wait(2, 10).revision))
    waiter.start()
    game.play(mark("Ann"))
    waiter.join(2)
    assert seen == [3]
    assert game.wait(0, 10).revision == 3


def test_waiting_ends_after_its_time_and_at_closing(game: Game) -> None:
    begun = time.monotonic()
    assert game.wait(2, 0.05).revision == 2
    assert time.monotonic() - begun >= 0.05
    waiter = threading.Thread(target=game.wait, args=(2, 30))
    waiter.start()
    game.close()
    waiter.join(2)
    assert not waiter.is_alive()
    assert game.closed


def test_a_closed_game_takes_no_tap(game: Game) -> None:
    game.close()
    game.close()
    with pytest.raises(JournalTrouble, match="The companion is closing"):
        game.play(mark("Ann"))


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (
            """UPDATE actions SET action = '{"action":"mark","train":"Cem"}' WHERE n = 3""",
            "holds an action that the rules refuse",
        ),
        (
            """UPDATE actions SET action = '{"action":"dance"}' WHERE n = 3""",
            "holds an action that the rules refuse",
        ),
        (
            """UPDATE actions SET action = '{"action":"mark","train":"mexican"}' WHERE n = 3""",
            "holds an action that changes nothing",
        ),
        ("UPDATE actions SET action = substr(action, 5) WHERE n = 3", "had lost action 3"),
        ("DELETE FROM actions WHERE n = 2", "had lost action 2"),
    ],
)
def test_a_journal_that_makes_no_sense_is_set_aside(
    game: Game, path: Path, statement: str, why: str
) -> None:
    game.play(mark("Ann"))
    game.close()
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with opened(path) as again:
        assert again.table.revision == 0
        assert again.notice is not None and f"because the file {why}" in again.notice
        again.play(START)
    (kept,) = path.parent.glob("games.db.damaged-*")
    assert sqlite3.connect(kept).execute("SELECT count(*) FROM actions").fetchone()[0] >= 2
    with opened(path) as again:
        assert (again.table.revision, again.notice) == (1, None)


def test_the_table_is_the_replay_of_the_journal(game: Game, path: Path) -> None:
    for action in (mark("Ann"), {"action": "undo"}, {"action": "start_mexican_train"}):
        game.play(action)
    shown = report(game.table)
    game.close()
    with Journal.open(path) as journal:
        assert report(replay(journal.actions())) == shown


def test_a_key_that_comes_again_answers_what_it_answered_first(game: Game) -> None:
    first = report(game.play({"action": "turn", "player": "Ann"}, once="k"))
    game.play({"action": "turn", "player": "Bob"})
    assert report(game.play({"action": "turn", "player": "Ann"}, once="k")) == first
    assert report(game.play(mark("Ann"), once="k")) == first
    assert report(game.table)["turn"] == "Bob"
    assert report(game.table)["open_trains"] == []
