"""Who has the engine? Asked on the table page; nobody: who draws, step by step, is counted."""

from pathlib import Path

import pytest
from visitor import START, Place, Visitor, sentences
from werkzeug.test import TestResponse

OPEN = {"action": "open_round"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Three players with twelve tiles each of 91: 55 in the boneyard."""
    place = Place(tmp_path)
    place.play(START, OPEN)
    return place


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def answer(visitor: Visitor, do: str, **fields: object) -> TestResponse:
    return visitor.post("/table/hunt", {"do": do, **fields})


def test_the_question_is_asked_until_somebody_has_it(place: Place, visitor: Visitor) -> None:
    page = visitor.get("/table")
    assert "Who has the 12-12?" in sentences(page) and 'id="hunt-3"' in page.text
    assert answer(visitor, "has", player="Blue").status_code == 303
    assert place.told["turn"] == "Blue"
    assert 'id="hunt-ask"' not in visitor.get("/table").text


def test_when_a_starter_was_named_nothing_is_asked(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.play(START, {**OPEN, "starter": "Red"})
    assert 'id="hunt-ask"' not in place.visitor().get("/table").text


def test_in_turn_one_after_the_other_draws(place: Place, visitor: Visitor) -> None:
    assert "Nobody? Red draws one tile and starts if it is" in sentences(visitor.get("/table"))
    answer(visitor, "draw")
    page = visitor.get("/table")
    assert place.told["boneyard"] == 54
    assert "1 tile drawn so far." in sentences(page) and "Blue draws a tile" in sentences(page)
    assert 'id="hunt-nobody" open' in page.text
    answer(visitor, "draw")
    answer(visitor, "draw")
    assert "Red draws a tile" in sentences(visitor.get("/table"))
    assert place.told["boneyard"] == 52


def test_everybody_draws_at_once_by_other_rules(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.play({**START, "rules": "thirteen"}, OPEN)
    visitor = place.visitor()
    assert "Everybody draws a tile" in sentences(visitor.get("/table"))
    for _time in range(2):
        answer(visitor, "draw", once="key")
    assert place.told["boneyard"] == 55 - 3, "the same tap twice counts once"
    answer(visitor, "draw", once="other")
    assert place.told["boneyard"] == 55 - 6


def test_an_engine_laid_first_is_not_looked_for(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.play({**START, "rules": "hub"}, OPEN)
    visitor = place.visitor()
    page = visitor.get("/table")
    assert "Who starts?" in sentences(page) and 'id="hunt-nobody"' not in page.text
    refused = answer(visitor, "draw")
    assert (refused.status_code, "Nobody draws for the engine" in sentences(refused)) == (422, True)


def test_who_does_not_want_to_say_is_not_asked_again(place: Place, visitor: Visitor) -> None:
    answer(visitor, "hush")
    assert 'id="hunt-ask"' not in visitor.get("/table").text
    hands = [{"action": "hand", "player": who, "pips": 1} for who in ("Red", "Blue", "Green")]
    place.play(*hands, {"action": "close_round"}, OPEN)
    assert "Who has the 11-11?" in sentences(visitor.get("/table")), "but in the next round"


def test_others_were_faster(visitor: Visitor) -> None:
    assert answer(visitor, "draw", revision="1").status_code == 409
    assert answer(visitor, "dance").status_code == 422
