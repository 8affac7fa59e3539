"""Games that were set aside: kept, listed, taken up again in one step, and counted once."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.errors import JournalTrouble, RuleBroken
from companion.game import Game, Stale
from companion.journal import Journal
from companion.kept import kept_games, once_more
from companion.report import report
from companion.statistics import games, statistics
from companion.table import replay
from telling import act

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 9, "rules": "classic"}
OTHER = {**START, "players": ["Cem", "Dee"], "overrule": True}


def round_of(**pips: int) -> list[dict[str, object]]:
    """A whole round with these hands."""
    hands = [act("hand", player=name, pips=left) for name, left in pips.items()]
    return [act("open_round"), *hands, act("close_round")]


class Clock:
    """A second later at every look."""

    def __init__(self) -> None:
        self.now = datetime(2024, 5, 31, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def game(path: Path) -> Iterator[Game]:
    """Ann and Bob played a round and a half, with a tap taken back; then Cem and Dee began."""
    with Game(Journal.open(path), clock=Clock()) as game:
        tell(game, START, *round_of(Ann=0, Bob=12), act("open_round", starter="Bob"))
        tell(game, act("mark", train="Ann"), act("mark", train="Bob"), act("undo"))
        tell(game, OTHER, *round_of(Cem=7, Dee=0))
        yield game


def tell(game: Game, *actions: dict[str, object]) -> None:
    for action in actions:
        game.play(action)


def stored(game: Game) -> list[dict[str, object]]:
    return game._journal.actions()


def standing(game: Game) -> list[tuple[int, str, bool]]:
    return [(one.number, one.status, one.resumable) for one in game.kept()]


def test_the_list_says_who_played_how_far_and_how_it_stands(game: Game) -> None:
    first, second = game.kept()
    assert (first.players, first.rounds, first.status) == (("Ann", "Bob"), 1, "unfinished")
    assert (first.began, first.ended) == ("2024-05-31T20:00:01Z", "2024-05-31T20:00:09Z")
    assert first.best == (("Ann", 0),)
    assert (second.players, second.status) == (("Cem", "Dee"), "running")
    assert first.resumable and not second.resumable
    game.play(act("finish_game"))
    assert game.kept()[1].status == "finished"
    assert game.kept()[1].best == (("Dee", 0),)


def test_nobody_leads_before_a_round_is_closed() -> None:
    (one,) = kept_games([START, act("open_round")])
    assert one.best == ()


def test_a_game_is_taken_up_where_it_was_left(game: Game, path: Path) -> None:
    before = report(replay(game.kept()[0].actions))
    table = game.resume(1, overrule=True)
    told = report(table)
    assert told["scores"] == {"Ann": [0], "Bob": [12]}
    assert (told["round"], told["engine"], told["turn"]) == (2, "8-8", "Bob")
    assert told["open_trains"] == ["Ann"], "what was taken back stays taken back"
    assert {**told, "revision": 0} == {**before, "revision": 0}
    assert table.revision == len(stored(game)) == 9 + 5 + 9
    game.play(act("undo"))
    assert report(game.table)["open_trains"] == [], "undo goes on where it was"
    game.close()
    with Game(Journal.open(path)) as again:
        assert again.notice is None
        assert report(again.table)["scores"] == {"Ann": [0], "Bob": [12]}


def test_the_actions_are_repeated_at_their_own_times(game: Game) -> None:
    first = stored(game)[:9]
    game.resume(1, overrule=True)
    again = stored(game)[14:]
    assert again == [{**first[0], "overrule": True}, *first[1:]]


def test_a_running_game_is_set_aside_only_when_somebody_says_so(game: Game) -> None:
    count = len(stored(game))
    with pytest.raises(RuleBroken, match="A game is still being played: set it aside") as refusal:
        game.resume(1)
    assert refusal.value.overrulable
    assert len(stored(game)) == count
    game.play(act("finish_game"))
    assert report(game.resume(1))["round"] == 2, "nothing is in the way of a finished one"


def test_the_game_set_aside_by_it_can_be_taken_up_again_in_turn(game: Game) -> None:
    game.resume(1, overrule=True)
    assert standing(game) == [
        (1, "unfinished", False),
        (2, "unfinished", True),
        (3, "running", False),
    ]
    game.resume(2, overrule=True)
    assert report(game.table)["scores"] == {"Cem": [7], "Dee": [0]}
    tell(game, *round_of(Cem=1, Dee=2))
    game.resume(3, overrule=True)
    game.resume(4, overrule=True)
    assert report(game.table)["scores"] == {"Cem": [7, 1], "Dee": [0, 2]}
    assert [one.number for one in game.kept() if not one.continued] == [5, 6]


@pytest.mark.parametrize(
    "number, why",
    [
        (0, "There is no such game here"),
        (9, "There is no such game here"),
        (1, "taken up again already: go on with the newer one"),
        (3, "on the table already: go on with it there"),
    ],
)
def test_what_cannot_go_on_is_a_sentence(game: Game, number: int, why: str) -> None:
    game.resume(1, overrule=True)
    count = len(stored(game))
    with pytest.raises(RuleBroken, match=why):
        game.resume(number, overrule=True)
    assert len(stored(game)) == count


def test_a_finished_game_and_one_only_begun_cannot_go_on(game: Game) -> None:
    game.play(act("finish_game"))
    tell(game, START, {**OTHER, "players": ["Eva", "Fay"]})
    with pytest.raises(RuleBroken, match="That game is finished: it cannot go on."):
        game.resume(2, overrule=True)
    with pytest.raises(RuleBroken, match="begun and nothing more: start a new one"):
        game.resume(3, overrule=True)


def test_a_second_tap_with_the_same_key_changes_nothing(game: Game, path: Path) -> None:
    table = game.resume(1, overrule=True, once="tap 1")
    assert game.resume(1, overrule=True, once="tap 1") is table
    game.close()
    with Game(Journal.open(path)) as again:
        assert again.resume(1, overrule=True, once="tap 1").revision == table.revision


def test_an_old_page_is_refused(game: Game) -> None:
    with pytest.raises(Stale):
        game.resume(1, overrule=True, revision=3)


def test_all_is_stored_or_nothing(game: Game, path: Path) -> None:
    pages = game._journal.run("PRAGMA page_count")[0][0]
    game._journal.run(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalTrouble, match="the disk is full"):
        for _ in range(100):
            game.resume(next(one.number for one in game.kept() if one.resumable), overrule=True)
    count, shown = game._journal.count, report(game.table)
    assert count == shown["revision"] > 14
    game.close()
    with Game(Journal.open(path)) as again:
        assert again.notice is None
        assert report(again.table) == shown, "nothing of the refused one was stored"


def test_a_journal_appends_several_in_one_transaction(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append_all([START, act("open_round"), OTHER], "key")
        assert journal.knows("key")
        assert journal.run("SELECT n, game, once FROM actions") == [
            (1, 1, "key"),
            (2, 1, None),
            (3, 2, None),
        ]
        other = sqlite3.connect(path)
        other.execute("INSERT INTO actions VALUES (5, 2, '{}', NULL)")
        other.commit()
        other.close()
        with pytest.raises(JournalTrouble, match="another companion writes"):
            journal.append_all([act("open_round"), act("block")], "other key")
        assert journal.count == 3 and not journal.knows("other key")
        assert journal.run("SELECT count(*) FROM actions") == [(4,)], "none of the two is there"


def test_statistics_count_a_game_once(game: Game) -> None:
    assert len(games(stored(game))) == 2
    game.resume(1, overrule=True)
    tell(game, *[act("hand", player=name, pips=5) for name in ("Ann", "Bob")])
    tell(game, act("close_round"), act("finish_game"))
    played = games(stored(game))
    assert [one.phase for one in played] == ["between", "finished"]
    ann = next(each for each in statistics(played) if each.name == "Ann")
    # Ann: 0 and 5; the half game before it is this very game
    assert (ann.games, ann.wins, ann.rounds, ann.points, ann.unfinished) == (1, 1, 2, 5, 0)


def test_games_alike_at_other_times_are_two() -> None:
    said = [{**START, "at": "2024-05-31T20:00:00Z"}, act("open_round", at="2024-05-31T20:00:01Z")]
    later = [{**said[0], "at": "2024-06-07T20:00:00Z", "overrule": True}, said[1]]
    first, second = kept_games([*said, *later])
    assert first.resumable and not first.continued
    untimed = [START, act("open_round"), {**START, "overrule": True}, act("open_round")]
    assert not kept_games(untimed)[0].continued, "without a time nobody can tell"


def test_a_game_begun_with_overrule_is_known_again() -> None:
    first = {**START, "players": ["Ann"] * 0 + [f"P{n}" for n in range(12)], "rules": "thirteen"}
    said = [{**first, "overrule": True, "at": "2024-05-31T20:00:00Z"}, act("open_round")]
    one = kept_games(said)[0]
    again = kept_games([*said, *once_more(one)])
    assert [each.continued for each in again] == [True, False]
    assert again[1].state == replace(one.state)


def test_a_start_taken_back_is_no_game() -> None:
    assert kept_games([START, act("undo")]) == []
    again = kept_games([START, act("undo"), OTHER, act("open_round")])
    assert [one.number for one in again] == [2]


def test_the_list_is_worked_out_once_until_something_is_told(game: Game) -> None:
    assert game.kept() is game.kept()
    game.play(act("open_round"))
    assert game.kept()[1].state.phase == "playing"


@pytest.fixture
def finished(game: Game) -> Game:
    """Cem and Dee finished theirs; Eva and Fay are at the table."""
    tell(game, act("finish_game"), {**START, "players": ["Eva", "Fay"]})
    return game


def correct(pips: int, player: str = "Dee") -> dict[str, object]:
    return act("correct", round=1, player=player, pips=pips)


def test_a_past_game_is_corrected_and_the_table_knows_nothing_of_it(
    finished: Game, path: Path
) -> None:
    table, count = finished.table, len(stored(finished))
    finished.amend(2, correct(9))
    assert finished.table is table and len(stored(finished)) == count
    one = finished.kept()[1]
    assert (one.number, one.best, one.ended) == (2, (("Cem", 7),), "2024-05-31T20:00:15Z")
    assert report(one.table)["scores"] == {"Cem": [7], "Dee": [9]}
    assert [each.name for each in one.table.actions()][:2] == ["correct", "finish_game"]
    finished.close()
    with Game(Journal.open(path)) as again:
        assert again.notice is None
        assert report(again.kept()[1].table)["scores"] == {"Cem": [7], "Dee": [9]}
        assert again.table.revision == count


def test_a_correction_of_a_past_game_can_be_taken_back_and_nothing_more(finished: Game) -> None:
    finished.amend(2, correct(9))
    finished.amend(2, correct(11))
    finished.amend(2, act("undo"))
    assert report(finished.kept()[1].table)["scores"]["Dee"] == [9]
    finished.amend(2, act("undo"))
    one = finished.kept()[1]
    assert report(one.table)["scores"]["Dee"] == [0] and one.status == "finished"
    assert len(one.actions) == 6 + 4, "what was told stays in the log"
    with pytest.raises(RuleBroken, match="there is nothing to take back"):
        finished.amend(2, act("undo"))


def test_figures_and_tries_to_go_on_follow_the_correction(finished: Game) -> None:
    finished.amend(2, correct(9))
    wins = {each.name: each.wins for each in statistics([one.state for one in finished.kept()])}
    assert (wins["Cem"], wins["Dee"]) == (1, 0)
    with pytest.raises(RuleBroken, match="That game is finished"):
        finished.resume(2, overrule=True)


@pytest.mark.parametrize(
    "number, action, why",
    [
        (1, correct(9, "Ann"), "That game was set aside: go on with it"),
        (3, correct(9, "Eva"), "That game is on the table: correct it on its own sheet"),
        (7, correct(9), "There is no such game here"),
        (2, act("rename", player="Cem", name="Kim"), "its scores can be corrected, nothing else"),
        (2, act("open_round"), "its scores can be corrected, nothing else"),
        (2, correct(9, "Ann"), "There is no player called Ann"),
        (2, {**correct(9), "round": 2}, "Round 2 is not closed"),
        (2, {"action": "dance"}, "There is no action called dance"),
    ],
)
def test_what_cannot_be_put_right_changes_nothing(
    finished: Game, number: int, action: dict[str, object], why: str
) -> None:
    with pytest.raises(RuleBroken, match=why):
        finished.amend(number, action)
    assert finished._journal.past_count == 0


def test_the_last_game_is_corrected_at_the_table_even_when_it_is_over(game: Game) -> None:
    tell(game, act("finish_game"))
    with pytest.raises(RuleBroken, match="That game is on the table"):
        game.amend(2, correct(9))


def test_a_second_tap_corrects_once(finished: Game, path: Path) -> None:
    for _time in range(2):
        finished.amend(2, correct(9), once="tap")
    assert finished._journal.past_count == 1
    finished.close()
    with Game(Journal.open(path)) as again:
        again.amend(2, correct(12), once="tap")
        assert again._journal.past_count == 1


def test_a_past_that_makes_no_sense_sets_the_journal_aside(finished: Game, path: Path) -> None:
    finished._journal.append_past([(2, [act("correct", round=7, player="Dee", pips=1)])])
    finished.close()
    with Game(Journal.open(path)) as again:
        assert "holds an action that the rules refuse" in str(again.notice)
        assert again.table.revision == 0


def test_only_what_changed_is_worked_out_anew(finished: Game) -> None:
    before = finished.kept()
    finished.amend(2, correct(9))
    after = finished.kept()
    assert after[0].state is before[0].state and after[2].state is before[2].state
    assert after[1].state is not before[1].state
    assert after == kept_games(stored(finished), finished._journal.past())


def test_a_game_is_known_by_its_start_wherever_it_went(game: Game) -> None:
    first, second = game.kept()
    assert first.id != second.id and len(first.id) == 16
    tell(game, act("open_round"))
    game.resume(1, overrule=True)
    ids = {one.number: one.id for one in game.kept()}
    assert ids == {1: first.id, 2: second.id, 3: first.id}
