"""The kept games are worked out when somebody asks, and none of it twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evening_games import JULY, JUNE, MAY, kept

from companion import shelf
from companion.exporting import document
from companion.game import Game
from companion.journal import Journal
from companion.kept import kept_games
from telling import act

START = act("start_game", players=["Eva", "Fay"], set=12, rules="classic")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games that are played through, as it happens."""
    numbers: list[int] = []
    real = shelf.game_of

    def noting(number, told, started):
        numbers.append(number)
        return real(number, told, started)

    monkeypatch.setattr(shelf, "game_of", noting)
    return numbers


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many entries of the past were read at each reading."""
    lengths: list[int] = []
    real = Journal.past

    def noting(self, after=0):
        rows = real(self, after)
        lengths.append(len(rows))
        return rows

    monkeypatch.setattr(Journal, "past", noting)
    yield lengths


def imported(path: Path) -> None:
    with Game(Journal.open(path)) as game:
        game.take_in(kept(MAY, JUNE, JULY))
        game.play(START)


def test_a_start_neither_reads_nor_plays_what_was_imported(
    path: Path, played: list[int], read: list[int]
) -> None:
    imported(path)
    played.clear(), read.clear()
    with Game(Journal.open(path)) as game:
        game.play(act("open_round"))
        assert (played, read) == ([], [])
        assert len(game.kept()) == 4
        assert sorted(played) == [-3, -2, -1, 1] and read == [3]


def test_a_tap_reads_and_plays_nothing_of_the_past_again(
    path: Path, played: list[int], read: list[int]
) -> None:
    imported(path)
    with Game(Journal.open(path)) as game:
        game.kept()
        played.clear(), read.clear()
        game.play(act("open_round"))
        game.play(act("mark", train="Eva"))
        assert game.kept()[-1].state.round.marked
        assert (played, sum(read)) == ([1], 0)
        june = next(one for one in game.kept() if len(one.players) == 3)
        game.amend(june.number, act("correct", round=1, player="Ann", pips=1))
        assert len(game.kept()) == 4
        assert (played, sum(read)) == ([1, june.number], 1)


def test_what_was_taken_in_is_not_played_a_second_time(
    path: Path, played: list[int], read: list[int]
) -> None:
    with Game(Journal.open(path)) as game:
        game.play(START)
        game.kept()
        played.clear()
        game.take_in(kept(MAY, JUNE))
        assert [one.number for one in game.kept()] == [-1, -2, 1] and played == []
        assert sum(read) == 0
        assert game.kept() == kept_games(game._journal.actions(), game._journal.past())


def test_games_know_where_they_were_started_here(path: Path) -> None:
    with Game(Journal.open(path)) as game:
        for said in (START, act("open_round"), {**START, "overrule": True}):
            game.play(said)
        game.take_in(kept(MAY))
        started = {one.number: one.started for one in game.kept()}
        assert started == {1: 1, 2: 3, -1: None}


def test_a_start_checks_what_nobody_has_played_through(path: Path, played: list[int]) -> None:
    imported(path)
    with Journal.open(path) as journal:
        fix = act("correct", round=1, player="Ann", pips=1)
        journal.append_past([(-2, [fix])])
    played.clear()
    with Game(Journal.open(path)) as game:
        assert len(played) == 4 and game.notice is None
        assert len(game.kept()) == 4 and len(played) == 4, "and keeps what came of it"
    played.clear()
    with Game(Journal.open(path)):
        assert played == [], "from now on it is known to make sense"


def test_one_game_that_is_damaged_meanwhile_is_left_out_and_the_others_stay(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    imported(path)
    with Journal.open(path) as journal:
        journal.run('UPDATE past SET actions = \'[{"action":"block"}]\' WHERE game = -2')
    with Game(Journal.open(path)) as game:
        assert sorted(one.number for one in game.kept()) == [-3, -1, 1]
        assert "game -2 cannot be played through" in caplog.text
        game.take_in(kept(JUNE))
        assert sorted(one.number for one in game.kept()) == [-4, -3, -1, 1], "no number twice"
    with Journal.open(path) as journal:
        journal.run("UPDATE past SET actions = 'no json' WHERE game = -2")
    with Game(Journal.open(path)) as game:
        assert game.play(act("open_round")).revision == 2
        assert 1 in {one.number for one in game.kept()}
        assert "cannot be read" in caplog.text


def test_what_comes_back_is_what_went(path: Path) -> None:
    imported(path)
    with Game(Journal.open(path)) as game:
        told = document(game.kept())["games"]
        assert [one["began"] for one in told][:3] == [run[0]["at"] for run in (MAY, JUNE, JULY)]
