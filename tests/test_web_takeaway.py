"""Games as files: right in a spreadsheet, harmless, and the same again when imported."""

import csv
import io
import json
from pathlib import Path

import pytest
from played import three_games, whole
from visitor import START, Place, Visitor, sentences
from werkzeug.test import TestResponse

from companion.importing import LARGEST
from companion.web import WebSettings

NASTY = '=HYPERLINK("http://x.y","a")'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return three_games(tmp_path)


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def table(answer: TestResponse) -> list[list[str]]:
    """The file as a spreadsheet program reads it."""
    assert answer.data.startswith(b"\xef\xbb\xbf"), "the mark by which Excel knows UTF-8"
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def name(answer: TestResponse) -> str:
    kept_as = answer.headers["Content-Disposition"]
    assert kept_as.startswith('attachment; filename="')
    return kept_as.partition('"')[2].rstrip('"')


def send(visitor: Visitor, data: bytes, **fields: str) -> TestResponse:
    form = {"games": (io.BytesIO(data), "games.json"), **fields}
    return visitor.post("/games/import", form, content_type="multipart/form-data")


def test_the_sheet_of_a_game_is_the_one_on_paper(visitor: Visitor) -> None:
    answer = visitor.get("/games/1/sheet.csv")
    assert answer.content_type == "text/csv; charset=utf-8"
    assert table(answer) == [
        ["Round", "Engine", "Red", "Blue"],
        ["1", "12-12", "0", "31"],
        ["2", "11-11", "12", "0"],
        ["Total", "", "12", "31"],
        ["Place", "", "1", "2"],
    ]
    assert name(answer).startswith("mexican-train-20") and name(answer).endswith("-red-blue.csv")


def test_every_score_is_a_row(visitor: Visitor) -> None:
    head, *rows = table(visitor.get("/games/scores.csv"))
    assert head[:3] == ["game", "date", "status"] and head[-1] == "tiles"
    assert len(rows) == 2 * 2 + 1 * 3
    assert len(table(visitor.get("/games/scores.csv?who=blue&who=Red"))) == 1 + 4


def test_names_are_right_and_no_formulas(tmp_path: Path) -> None:
    place = Place(tmp_path)
    people = [NASTY, '"Žiga", Ö;', "-2+3", "😀"]
    place.play({**START, "players": people})
    whole(place, **dict.fromkeys(people, 3))
    place.play({"action": "finish_game"})
    visitor = place.visitor()
    sheet = visitor.get("/games/1/sheet.csv")
    assert table(sheet)[0][2:] == [f"'{NASTY}", '"Žiga", Ö;', "'-2+3", "😀"]
    assert name(sheet).isascii() and "/" not in name(sheet)
    rows = table(visitor.get("/games/scores.csv"))[1:]
    assert [row[7] for row in rows] == [f"'{NASTY}", '"Žiga", Ö;', "'-2+3", "😀"]
    assert b'"\'-2+3"' in sheet.data, "text is in quotes: a semicolon ends no cell either"


def test_all_of_it_comes_back_in_another_house(visitor: Visitor, tmp_path: Path) -> None:
    exported = visitor.get("/games/games.json")
    assert exported.content_type == "application/json"
    assert name(exported).startswith("mexican-train-games-20")
    (tmp_path / "other").mkdir()
    other = Place(tmp_path / "other")
    there = other.visitor()
    answer = send(there, exported.data)
    assert answer.location == "/games/import?new=3#brought"
    assert "3 games were added." in sentences(there.get(answer.location))
    assert there.get("/games/games.json").data == exported.data
    assert other.told["phase"] == "none", "nothing comes to the table by itself"
    assert "3 games were here already." in sentences(there.get(send(there, exported.data).location))
    (aside,) = [one.number for one in other.game.kept() if one.rounds and one.resumable]
    assert there.post(f"/games/{aside}").status_code == 303
    assert other.told["open_trains"] == ["Blue"], "a game set aside goes on as it was"


def test_one_game_and_the_games_of_one_group(visitor: Visitor) -> None:
    one = json.loads(visitor.get("/games/1/game.json").data)
    assert [each["actions"][0]["players"] for each in one["games"]] == [["Red", "Blue"]]
    assert len(json.loads(visitor.get("/games/games.json?who=red&who=blue").data)["games"]) == 2
    assert visitor.get("/games/9/game.json").status_code == 404
    assert visitor.get("/games/9/sheet.csv").status_code == 404


def test_a_file_that_does_not_hold_is_refused_whole(place: Place, visitor: Visitor) -> None:
    told = json.loads(visitor.get("/games/games.json").data)
    told["games"].sort(key=lambda one: len(one["actions"][0]["players"]))
    told["games"][0]["actions"][0]["at"] = "2020-01-01T00:00:00Z"
    told["games"][2]["actions"].append({"action": "hand", "player": "Nobody", "pips": 1})
    before = visitor.get("/games/games.json").data
    answer = send(visitor, json.dumps(told).encode())
    assert answer.status_code == 422
    said = sentences(answer)
    assert "Nothing was imported, because game 3 of the file (Red, Blue, Green) cannot" in said
    assert "There is no player called Nobody" in said
    assert visitor.get("/games/games.json").data == before
    assert len(place.game.kept()) == 3


def test_what_is_no_file_is_a_sentence(visitor: Visitor) -> None:
    assert "That file holds no games" in sentences(send(visitor, b"\x89PNG"))
    empty = visitor.post("/games/import", {}, content_type="multipart/form-data")
    assert empty.status_code == 422 and "No file was chosen" in sentences(empty)
    assert "There is nothing new in the file." in sentences(visitor.get("/games/import"))


def test_the_same_form_sent_twice_takes_in_once(visitor: Visitor, tmp_path: Path) -> None:
    exported = visitor.get("/games/games.json").data
    (tmp_path / "other").mkdir()
    other = Place(tmp_path / "other")
    there = other.visitor()
    for _time in range(2):
        assert send(there, exported, once="key").location == "/games/import?new=3#brought"
    assert other.journal.past_count == 3
    one = visitor.get("/games/1/game.json").data
    again = send(there, one, once="key")
    assert again.location == "/games/import?there=1#brought", "another file is not the same form"


def test_only_one_file_is_taken_in_at_a_time(place: Place, visitor: Visitor) -> None:
    exported = visitor.get("/games/games.json").data
    turnstile = place.app.extensions["import_turnstile"]
    answer = turnstile.through(None, lambda once: send(visitor, exported))
    assert answer.status_code == 422
    assert "Too busy just now. Try again in a moment." in sentences(answer)
    assert send(visitor, exported).location == "/games/import?there=3#brought"


def test_too_large_a_file_is_told_what_to_do_with_games(visitor: Visitor) -> None:
    for more in (1, 2**20):
        answer = send(visitor, b" " * (LARGEST + more))
        assert answer.status_code == (422 if more == 1 else 413)
        said = sentences(answer)
        assert "That file is too large: 16 megabytes at most." in said and "photo" not in said


def test_a_file_of_games_does_not_depend_on_the_limit_of_photos(tmp_path: Path) -> None:
    place = Place(tmp_path, settings=WebSettings(secret="s", upload_limit=1000))
    padded = json.dumps({"format": "mexican-train-games", "version": 1, "games": []}) + " " * 9000
    assert send(place.visitor(), padded.encode()).location == "/games/import#brought"


def test_an_imported_game_is_looked_at_and_corrected_like_any_other(
    visitor: Visitor, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Place(tmp_path / "other")
    there = other.visitor()
    send(there, visitor.get("/games/games.json").data)
    assert "Red won 1 of 1 game" in sentences(there.get("/games"))
    (number,) = [one.number for one in other.game.kept() if one.status == "finished"]
    page = there.get(f"/games/{number}")
    assert page.status_code == 200 and "Red won with 12" in sentences(page)
    there.post(f"/games/{number}/2/1", {"sheet": f"past{number} Red", "stood": "12", "score": "50"})
    assert "Blue won with 31" in sentences(there.get(f"/games/{number}"))
