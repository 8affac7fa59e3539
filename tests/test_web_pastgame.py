"""The page of one kept game: its sheet, its chart, and its scores put right afterwards."""

import re
from pathlib import Path

import pytest
from played import three_games, whole
from visitor import START, Place, Visitor, sentences
from werkzeug.test import TestResponse


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return three_games(tmp_path)


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def seen(visitor: Visitor, number: int, player: str, cell: str = "") -> dict[str, str]:
    """What the form of a cell carries; without a cell, of no page that showed a score."""
    form = {"sheet": f"past{number} {player}"}
    return {**form, "stood": field(visitor, f"/games/{number}/{cell}", "stood")} if cell else form


def field(visitor: Visitor, path: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', visitor.get(path).text)
    assert found, name
    return found[1]


def take_back(visitor: Visitor, number: int, **fields: str) -> TestResponse:
    """The undo of a past game as its page makes it."""
    sent = {"seen": field(visitor, f"/games/{number}", "seen"), **fields}
    return visitor.post(f"/games/{number}/undo", sent)


def scores(place: Place, number: int) -> dict[str, int]:
    game = next(one for one in place.game.kept() if one.number == number)
    return dict(game.best)


def test_the_sheet_and_the_chart_of_a_past_game(visitor: Visitor) -> None:
    page = visitor.get("/games/1")
    said = sentences(page)
    assert "Red won with 12" in said and "double-12, Classic" in said
    # Red 0 and 12, Blue 31 and 0, with the running totals
    assert "0 0 31 31" in said and "12 12 0 31" in said
    assert "Total 12 31 Place 1 2" in said
    assert 'href="/games/1/2/1"' in page.text, "a score opens"
    assert 'class="chart-line' in page.text and 'class="bar-of"' in page.text
    assert 'id="undo-button" disabled' in page.text


def test_who_lies_open_elsewhere_leads_there(visitor: Visitor) -> None:
    assert visitor.get("/games/3").location == "/sheet"
    assert visitor.get("/games/77").status_code == 404
    assert visitor.get("/games/77/1/1").status_code == 404
    assert visitor.get("/games/1/9/1").location == "/games/1?gone=score"
    assert visitor.get("/games/1/1/3").location == "/games/1?gone=score"
    assert "not on the sheet any more" in sentences(visitor.get("/games/1?gone=score"))


def test_a_past_score_is_corrected_and_the_table_stays(place: Place, visitor: Visitor) -> None:
    before = place.told
    said = sentences(visitor.get("/games/1/2/1"))
    assert "Red" in said and "Round 2" in said and "typed" in said
    form = {**seen(visitor, 1, "Red", "2/1"), "score": "40+4", "why": "a tile under the table"}
    answer = visitor.post("/games/1/2/1", {**form, "do": "type", "once": "key"})
    assert (answer.status_code, answer.location) == (303, "/games/1/2/1")
    assert scores(place, 1) == {"Blue": 31}
    assert place.told == before
    said = sentences(visitor.get("/games/1/2/1"))
    assert "44 corrected: &#34;" in said or '44 corrected: "a tile under the table"' in said
    assert "12 typed" in said, "the old value stays in the history"
    visitor.post("/games/1/2/1", {**form, "do": "type", "once": "key", "score": "1"})
    assert scores(place, 1) == {"Blue": 31}, "the same tap counts once"
    assert "Blue won 1 of 1 game" in sentences(visitor.get("/games"))


def test_the_correction_can_be_taken_back_from_the_game(place: Place, visitor: Visitor) -> None:
    visitor.post("/games/1/2/1", {**seen(visitor, 1, "Red", "2/1"), "score": "44"})
    page = visitor.get("/games/1")
    assert "Undo the correction for Red in round 2" in sentences(page)
    assert take_back(visitor, 1).location == "/games/1"
    assert scores(place, 1) == {"Red": 12}
    assert take_back(visitor, 1).status_code == 422
    assert visitor.post("/games/1/undo").status_code == 400, "a page that tells nothing it saw"
    assert place.told["revision"] == place.game.table.revision


def test_of_two_phones_that_undo_at_once_one_takes_back_what_it_saw(
    place: Place, visitor: Visitor
) -> None:
    for score in ("44", "55"):
        form = {**seen(visitor, 1, "Red", "2/1"), "score": score}
        assert visitor.post("/games/1/2/1", form).status_code == 303
    old = field(visitor, "/games/1", "seen")
    assert take_back(visitor, 1, once="one").status_code == 303
    late = visitor.post("/games/1/undo", {"seen": old, "once": "two"})
    said = sentences(late)
    assert late.status_code == 409
    assert "Somebody else corrected this game in the meantime: look at it again." in said
    assert "Taken back since you looked: the correction for Red in round 2." in said
    assert "44 corrected" in sentences(visitor.get("/games/1/2/1"))
    assert visitor.post("/games/1/undo", {"seen": old, "once": "one"}).status_code == 303, "again"
    assert dict(place.game.kept()[0].best) == {"Blue": 31}


def test_a_correction_of_an_old_page_asks_before_it_overwrites_another(
    place: Place, visitor: Visitor
) -> None:
    old = seen(visitor, 1, "Red", "2/1")
    assert visitor.post("/games/1/2/1", {**old, "score": "20"}).status_code == 303
    for form in (old, seen(visitor, 1, "Red")):
        asked = visitor.post("/games/1/2/1", {**form, "score": "33", "why": "seen late"})
        assert asked.status_code == 409
        assert "Red has 20 in this round already. Replace it?" in sentences(asked)
        assert 'value="33"' in asked.text and 'value="seen late"' in asked.text
    told = re.search(r'<form[^>]*id="replace-it".*?</form>', asked.text, re.S)
    assert told
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', told[0]))
    assert (fields["stood"], fields["score"]) == ("20", "33")
    assert visitor.post("/games/1/2/1", {**fields, "once": "yes"}).status_code == 303
    assert "33 corrected" in sentences(visitor.get("/games/1/2/1"))


def test_gone_out_after_all(place: Place, visitor: Visitor) -> None:
    visitor.post("/games/1/1/2", {**seen(visitor, 1, "Blue", "1/2"), "do": "out"})
    assert scores(place, 1) == {"Blue": 0}


def test_a_refused_correction_is_seen_where_it_was_typed(visitor: Visitor) -> None:
    answer = visitor.post("/games/1/1/2", {**seen(visitor, 1, "Blue", "1/2"), "score": "99999"})
    assert answer.status_code == 422
    assert "is more than a whole double-12 set holds" in sentences(answer)
    assert 'value="99999"' in answer.text
    wrong = visitor.post("/games/1/1/2", {**seen(visitor, 1, "Red"), "score": "5"})
    assert "This is the score of Blue now" in sentences(wrong)


def test_a_game_that_was_set_aside_is_looked_at_until_it_goes_on(visitor: Visitor) -> None:
    page = visitor.get("/games/2")
    assert 'id="resume"' in page.text and 'id="undo-button"' not in page.text
    cell = visitor.get("/games/2/1/1")
    assert "its scores are corrected when it goes on" in sentences(cell)
    assert 'id="correct"' not in cell.text
    answer = visitor.post("/games/2/1/1", {**seen(visitor, 2, "Red"), "score": "5"})
    assert answer.status_code == 422


def test_the_latest_game_is_corrected_on_its_own_sheet(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.play({**START, "players": ["Red", "Blue"]})
    whole(place, Red=0, Blue=31)
    place.play({"action": "finish_game"})
    visitor = place.visitor()
    page = visitor.get("/games/1")
    assert 'href="/sheet/1/2?game=1"' in page.text and 'id="undo-button"' not in page.text
    assert visitor.get("/games/1/1/2").location == "/sheet/1/2?game=1"
    answer = visitor.post("/games/1/1/2", {**seen(visitor, 1, "Blue"), "score": "5"})
    assert answer.location == "/sheet/1/2?game=1"
    assert place.told["totals"]["Blue"] == 31


def test_the_link_of_a_finished_game_goes_elsewhere_only_when_it_is_tapped(
    visitor: Visitor,
) -> None:
    page = visitor.get("/games/1").text
    assert 'href="https://app.bgstatsapp.com/createPlay.html?data=%7B' in page
    assert 'target="_blank" rel="noopener noreferrer external"' in page
    assert "BG Stats is another app." in page
    assert "bgstatsapp" not in visitor.get("/games/2").text, "it is not finished"


def test_names_are_text_everywhere(tmp_path: Path) -> None:
    name = '<b>"O\'Red" & =1+1</b>'
    place = Place(tmp_path)
    place.play({**START, "players": [name, "Blue"]})
    whole(place, **{name: 0, "Blue": 31})
    place.play({"action": "finish_game"}, {**START, "players": ["Green", "Violet"]})
    visitor = place.visitor()
    for path in ("/games", "/games/1", "/games/1/1/1", "/figures?of=blue"):
        page = visitor.get(path)
        assert page.status_code == 200 and "<b>&#34;" not in page.text and '<b>"O' not in page.text
        assert "&lt;b&gt;" in page.text
