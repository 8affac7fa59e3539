"""What leaves the companion: a document that says all, a sheet as on paper, rows to count with."""

import json

import pytest
from evening_games import JULY, JUNE, MAY, game, kept

from companion.exporting import COLUMNS, document, harmless, score_rows, sheet_rows
from companion.kept import kept_games, once_more


def test_the_document_holds_every_action_as_it_was_stored():
    told = document(kept(JUNE, MAY))
    assert (told["format"], told["version"]) == ("mexican-train-games", 1)
    assert [each["actions"] for each in told["games"]] == [MAY, JUNE], "the oldest at the top"
    assert told["games"][0]["began"] == "2024-05-31T20:00:00Z"
    assert told["games"][0]["ended"] == "2024-05-31T20:00:09Z"
    assert json.loads(json.dumps(told)) == told


def test_a_game_taken_up_again_is_told_once():
    (july,) = kept(JULY)
    again = kept_games([*JULY, *MAY, *once_more(july)])
    assert [each["ended"] for each in document(again)["games"]] == [MAY[-1]["at"], JULY[-1]["at"]]
    assert {row[0] for row in score_rows(again)} == {one.id for one in kept(MAY, JULY)}


def test_the_sheet_is_the_one_on_paper():
    # 5-4 are 9 and the 0-0 costs 50
    assert sheet_rows(kept(MAY)[0]) == [
        [1, "9-9", 0, 59],
        [2, "8-8", 20, 3],
        [None, None, 20, 62],
        [None, None, 1, 2],
    ]


def test_a_hole_stays_a_hole_and_has_no_place():
    said = game("2024-05-31", ["Ann", "Bob"], {"Ann": 4, "Bob": 6}, finish=False)
    late = {"action": "add_player", "name": "Cem", "past": "none"}
    more = [{"action": "open_round"}]
    more += [{"action": "hand", "player": who, "pips": 1} for who in ("Ann", "Bob", "Cem")]
    rows = sheet_rows(kept([*said, late, *more, {"action": "close_round"}])[0])
    assert rows[0] == [1, "9-9", 4, 6, None]
    assert rows[2:] == [[None, None, 5, 7, 1], [None, None, 1, 2, None]]


def test_there_is_a_row_for_each_game_round_and_player():
    may, june = kept(MAY, JUNE)
    rows = score_rows([may, june])
    assert len(rows) == 2 * 2 + 3
    assert dict(zip(COLUMNS, rows[1], strict=True)) == {
        "game": may.id,
        "date": "2024-05-31",
        "status": "finished",
        "set": 9,
        "rules": "classic",
        "round": 1,
        "engine": "9-9",
        "player": "Bob",
        "points": 59,
        "total": 59,
        "went_out": 0,
        "tiles": "4-5 0-0",
    }
    assert dict(zip(COLUMNS, rows[0], strict=True))["went_out"] == 1
    assert dict(zip(COLUMNS, rows[3], strict=True))["total"] == 62


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2", "@SUM(A1)", "＝1", " =1", "\t=1"])
def test_no_text_becomes_a_formula(name):
    assert harmless([[name, -5, None]]) == [[f"'{name}", -5, None]]


def test_what_is_no_formula_stays_as_it_is():
    rows = [["Ann", "O'Hara", "3-2", "a=b", 'a,"b"', 7]]
    assert harmless(rows) == rows
