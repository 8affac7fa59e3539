"""An import: what was exported comes back the same, anything else is refused in one sentence."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from evening_games import JULY, JUNE, MAY, kept

from companion import importing
from companion.errors import JournalTrouble, RuleBroken
from companion.exporting import document
from companion.game import Game
from companion.importing import read_games
from companion.journal import Journal
from companion.report import report
from companion.statistics import statistics
from telling import act

ALL = document(kept(MAY, JUNE, JULY))


def as_file(told) -> bytes:
    return json.dumps(told).encode()


def with_games(*runs) -> bytes:
    return as_file({**ALL, "games": [{"actions": run} for run in runs]})


def refused(data: bytes) -> str:
    with pytest.raises(RuleBroken) as refusal:
        read_games(data)
    return str(refusal.value)


def opened(folder: Path) -> Game:
    return Game(Journal.open(folder / "games.db"), clock=lambda: datetime(2024, 8, 1, tzinfo=UTC))


def test_what_was_exported_comes_back_the_same():
    assert document(read_games(as_file(ALL))) == ALL
    assert read_games(b"\xef\xbb\xbf" + as_file(ALL)), "an editor's mark at the start does no harm"


def test_import_then_export_gives_the_same_and_a_second_time_changes_nothing(tmp_path):
    with opened(tmp_path) as game:
        intake = game.take_in(read_games(as_file(ALL)))
        assert (len(intake.new), intake.there) == (3, 0)
        assert document(game.kept()) == ALL
        assert (game.table.revision, game.table.state) == (0, None)
        again = game.take_in(read_games(as_file(ALL)))
        assert (again.told, again.there) == ((), 3)
    with opened(tmp_path) as game:
        assert document(game.kept()) == ALL
        assert [one.status for one in game.kept()] == ["finished", "finished", "unfinished"]


def test_an_imported_game_goes_on_here_like_any_other(tmp_path):
    with opened(tmp_path) as game:
        game.take_in(read_games(as_file(ALL)))
        (july,) = [one for one in game.kept() if one.resumable]
        table = game.resume(july.number)
        assert report(table)["scores"] == {"Ann": [7], "Bob": [9]}
        assert document(game.kept())["games"] == ALL["games"], "it is still one game"
        game.play(act("open_round"))
        assert game.take_in(read_games(as_file(ALL))).there == 3
        longer = [*JULY, {**act("open_round"), "at": "2024-08-01T00:00:00Z"}, act("block")]
        assert game.take_in(read_games(with_games(longer))).otherwise == 1
        assert report(game.table)["blocked"] is False, "the game on the table is never touched"


def test_an_imported_game_is_corrected_and_counts_in_the_figures(tmp_path):
    with opened(tmp_path) as game:
        game.take_in(read_games(as_file(ALL)))
        number = next(one.number for one in game.kept() if one.players == ("Ann", "Bob", "Cem"))
        game.amend(number, act("correct", round=1, player="Bob", pips=50))
    with opened(tmp_path) as game:
        one = next(one for one in game.kept() if one.number == number)
        assert one.best == (("Ann", 10),)
        wins = {each.name: each.wins for each in statistics([one.state for one in game.kept()])}
        assert wins == {"Ann": 2, "Bob": 0, "Cem": 0}
        assert game.take_in(read_games(as_file(ALL))).there == 3, "here it was corrected since"


def test_a_game_set_aside_here_goes_on_as_in_the_file(tmp_path):
    more = [{**act("finish_game"), "at": "2024-07-05T21:00:00Z"}]
    with opened(tmp_path) as game:
        for said in [*JULY, {**MAY[0], "at": "2024-07-07T20:00:00Z"}]:
            game.play(said)
        shown = report(game.table)
        game.take_in(read_games(with_games([*JULY, *more])))
        assert [(one.number, one.status) for one in game.kept()] == [
            (1, "finished"),
            (2, "running"),
        ]
        assert report(game.table) == shown


def test_nothing_is_half_imported(tmp_path):
    with opened(tmp_path) as game:
        pages = game._journal.run("PRAGMA page_count")[0][0]
        game._journal.run(f"PRAGMA max_page_count = {pages}")
        many = []
        for n in range(400):
            many.append([{**MAY[0], "at": f"2023-01-01T00:{n // 60:02}:{n % 60:02}Z"}, *MAY[1:]])
        with pytest.raises(JournalTrouble, match="the disk is full"):
            game.take_in(read_games(with_games(*many)))
        assert game.kept() == []
    with opened(tmp_path) as game:
        assert game.kept() == []


def test_the_sentence_names_the_game_and_what_is_wrong_with_it():
    wrong = [*JUNE[:3], {**act("hand", player="Ann", pips=99999)}]
    assert refused(with_games(MAY, wrong)) == (
        "Nothing was imported, because game 2 of the file (Ann, Bob, Cem) cannot be played beyond "
        "step 4: 99999 is more than a whole double-9 set holds (545): look at the sum again."
    )
    assert "game 1 of the file cannot be started: A name is empty" in refused(
        with_games([{**MAY[0], "players": ["", "Bob"]}])
    )


@pytest.mark.parametrize(
    "run, why",
    [
        (MAY[1:], "cannot be started: a game is started once, at its beginning."),
        ([*MAY, *JUNE], "step 11: a game is started once, at its beginning."),
        ([*MAY[:2], act("mark", train="mexican")], "step 3: it changes nothing."),
        ([MAY[0], act("undo")], "was taken back"),
        ([MAY[0], act("dance")], "There is no action called dance."),
        ([MAY[0], 7], "An action is an object"),
        ([MAY[0], {"action": ["undo"]}], "An action is named by a text"),
        ([MAY[0], {**act("open_round"), "at": "yesterday"}], "at must be a time"),
        ([], "has no actions"),
        ("actions", "has no actions"),
    ],
)
def test_a_game_that_does_not_hold_refuses_the_whole_file(run, why):
    assert why in refused(with_games(MAY, run))


@pytest.mark.parametrize(
    "data, why",
    [
        (b"", "holds no games"),
        (b"not json", "holds no games"),
        (b"\xff\xfe", "holds no games"),
        (b"[" * 200_000, "holds no games"),
        (b'{"a":' * 200_000, "holds no games"),
        (b"[" + b"[]," * 1_600_000 + b"[]]", "holds no games"),
        (b"9" * 10_000, "holds no games"),
        (b"[]", "holds no games"),
        (as_file({**ALL, "format": "something else"}), "holds no games"),
        (as_file({**ALL, "version": 2}), "made by another version"),
        (as_file({**ALL, "version": True}), "made by another version"),
        (as_file({**ALL, "games": {}}), "not as it was exported"),
        (as_file({**ALL, "more": 1}), "not as it was exported"),
        (as_file({**ALL, "games": [None]}), "game 1 of the file has no actions"),
    ],
)
def test_a_file_that_is_none_of_ours_is_a_sentence(data, why):
    assert why in refused(data)


def test_a_file_or_a_game_without_end_is_not_played_through():
    assert "too large: 16 megabytes at most" in refused(b" " * (importing.LARGEST + 1))
    marks = [act("mark", train="Ann"), act("unmark", train="Ann")] * 10_000
    assert "game 1 of the file is too long" in refused(with_games([*MAY[:2], *marks]))
    comes = [act("add_player", name=f"P{n}", past="zero") for n in range(200)]
    goes = [act("leave", player=f"P{n}") for n in range(200)]
    crowd = [said for pair in zip(comes, goes, strict=True) for said in pair]
    assert "more rounds or people than a game can have" in refused(with_games([MAY[0], *crowd]))
    again = [{**act("open_round"), "engine": "9-9", "overrule": True}, *MAY[2:5]] * 201
    assert "more rounds or people than a game can have" in refused(with_games([MAY[0], *again]))
    assert "too many games" in refused(with_games(*[[]] * (importing.MOST_GAMES + 1)))


def test_many_games_are_bounded_together_and_five_hundred_evenings_are_not_too_many(monkeypatch):
    assert importing.MOST_TOGETHER >= 500 * 300
    parts = b'"action",' * (importing.MOST_TOGETHER + 1)
    why = refused(as_file({**ALL, "games": []})[:-2] + parts + b"0]}")
    assert why == (
        "That file tells of more than 150000 taps: "
        "export the games of one group, or one game, at a time."
    )
    monkeypatch.setattr(importing, "MOST_TOGETHER", len(MAY) + len(JUNE))
    assert len(read_games(with_games(MAY, JUNE))) == 2
    assert "export the games of one group, or one game" in refused(with_games(MAY, JUNE, JULY[:1]))
    hidden = with_games(MAY, JUNE, JULY).replace(b'"action"', rb'"\u0061ction"')
    assert "export the games of one group, or one game" in refused(hidden)


def test_a_file_that_was_tampered_with_is_read_or_refused():
    """Values put in the place of others, here and there: never anything but a refusal."""
    chance = random.Random(5)
    strange = [None, True, -1, 1e999, 10**30, "", "\ud800", "=1", "mexican", [], {}, [[]], "5-12"]
    outcomes = set()
    for _ in range(400):
        told = json.loads(as_file(ALL))
        for _change in range(chance.randint(1, 3)):
            run = chance.choice(told["games"])["actions"]
            said = chance.choice(run)
            said[chance.choice([*said, "tiles", "pips", "overrule", "by"])] = chance.choice(strange)
        try:
            read_games(as_file(told))
            outcomes.add("read")
        except RuleBroken:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}
