"""The page of who plays: names, late joiners, who leaves, other seats; refusals stay on it."""

from pathlib import Path

import pytest
from visitor import OPEN, START, Place, Visitor, sentences
from werkzeug.test import TestResponse


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Three players between the first and the second round: 0, 10 and 21."""
    place = Place(tmp_path)
    place.play(START, OPEN)
    for who, pips in (("Red", 0), ("Blue", 10), ("Green", 21)):
        place.play({"action": "hand", "player": who, "pips": pips})
    place.play({"action": "close_round"})
    return place


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def seats(place: Place) -> list[str]:
    return list(place.told["game"]["players"])


def do(visitor: Visitor, act: str, **fields: object) -> TestResponse:
    return visitor.post("/seats", {"act": act, **fields})


def test_without_a_game_the_page_says_what_to_do_first(tmp_path: Path) -> None:
    visitor = Place(tmp_path).visitor()
    assert "No game yet" in sentences(visitor.get("/seats"))
    assert do(visitor, "leave", player="Red").status_code == 303


def test_seats_are_moved_by_arrows(place: Place, visitor: Visitor) -> None:
    page = visitor.get("/seats").text
    assert 'id="up-1"' in page and 'id="down-3"' in page
    assert page.count("disabled>") >= 2, "nobody moves beyond the ends"
    do(visitor, "move_seat", player="Green", seat="2")
    assert seats(place) == ["Red", "Green", "Blue"]
    do(visitor, "move_seat", player="Red", seat="2")
    assert seats(place) == ["Green", "Red", "Blue"]


def test_a_name_is_put_right_in_every_round_and_remembered(place: Place, visitor: Visitor) -> None:
    do(visitor, "rename", player="Blue", name="  Bluebell ")
    assert place.told["scores"]["Bluebell"] == [10]
    assert place.journal.remembered()[0].name == "Bluebell"


def test_everybody_keeps_their_look_whatever_changes(place: Place, visitor: Visitor) -> None:
    do(visitor, "rename", player="Blue", name="Bluebell")
    do(visitor, "add_player", name="Violet", past="zero", seat="1")
    do(visitor, "move_seat", player="Green", seat="1")
    looks = {person.name: person.colour for person in place.journal.remembered()}
    assert (looks["Red"], looks["Bluebell"], looks["Green"], looks["Violet"]) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    "past, score", [("average", 10), ("highest", 21), ("zero", 0), ("none", None)]
)
def test_a_late_joiners_missed_rounds_count_as_was_said(
    place: Place, visitor: Visitor, past: str, score: int | None
) -> None:
    # the average of 0, 10 and 21 is 10.33
    answer = do(visitor, "add_player", name="Violet", past=past, seat="2")
    assert answer.status_code == 303
    assert seats(place) == ["Red", "Violet", "Blue", "Green"]
    assert place.told["scores"]["Violet"] == [score]


def test_the_question_about_missed_rounds_is_asked_once(place: Place, visitor: Visitor) -> None:
    page = visitor.get("/seats")
    assert "1 round is over. What does it count for them?" in sentences(page)
    assert 'id="past-average" checked' in page.text
    do(visitor, "add_player", name="Violet", past="highest")
    assert 'id="past-highest" checked' in visitor.get("/seats").text, "the table has decided"


def test_before_the_first_round_nothing_was_missed(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.play(START)
    visitor = place.visitor()
    assert 'name="past"' not in visitor.get("/seats").text
    do(visitor, "add_player", name="Violet", seat="1")
    assert seats(place) == ["Violet", "Red", "Blue", "Green"]


def test_a_refused_name_stays_on_the_page_with_all_that_was_chosen(visitor: Visitor) -> None:
    refused = do(visitor, "add_player", name="red", past="zero", seat="2")
    assert refused.status_code == 422
    assert "Two players are called red: give one of them another name." in sentences(refused)
    assert 'value="red" list="known"' in refused.text
    assert 'id="past-zero" checked' in refused.text
    assert '<option value="2" selected>' in refused.text


def test_an_empty_name_is_a_sentence(visitor: Visitor) -> None:
    refused = do(visitor, "add_player", name=" ", past="zero")
    assert "A name is empty: write one for every player." in sentences(refused)


def test_a_refused_rename_stays_open_with_what_was_typed(visitor: Visitor) -> None:
    refused = do(visitor, "rename", player="Blue", name="Mexican")
    assert refused.status_code == 422
    assert 'id="change-2" open' in refused.text and 'value="Mexican"' in refused.text
    assert "Nobody can be called Mexican" in sentences(refused)


def test_more_people_than_the_rules_name_are_insisted_on(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.play({**START, "rules": "thirteen", "players": [f"P{n}" for n in range(10)], "hand": 8})
    visitor = place.visitor()
    refused = do(visitor, "add_player", name="Violet")
    assert refused.status_code == 422 and 'id="overrule"' in refused.text
    assert do(visitor, "add_player", name="Violet", overrule="1").status_code == 303
    assert len(seats(place)) == 11


def test_somebody_goes_home_and_comes_back(place: Place, visitor: Visitor) -> None:
    do(visitor, "leave", player="Blue")
    assert seats(place) == ["Red", "Green"]
    assert "Gone home: Blue." in sentences(visitor.get("/seats"))
    refused = do(visitor, "leave", player="Red")
    assert "Two people are needed to play" in sentences(refused)
    do(visitor, "add_player", name="blue", past="none", seat="3")
    assert seats(place) == ["Red", "Green", "Blue"]
    assert place.told["scores"]["Blue"] == [10]


def test_while_a_round_is_open_only_names_and_leaving(place: Place, visitor: Visitor) -> None:
    place.play({"action": "open_round"})
    page = visitor.get("/seats")
    assert "A round is open: seats change and people join when it is closed." in sentences(page)
    assert 'id="join-form"' not in page.text
    refused = do(visitor, "move_seat", player="Red", seat="2")
    assert (refused.status_code, "A round is open" in sentences(refused)) == (422, True)
    refused = do(visitor, "add_player", name="Violet", past="zero")
    assert refused.status_code == 422
    assert "A round is open: add a player when it is closed." in sentences(refused)
    assert do(visitor, "rename", player="Red", name="Rosa").status_code == 303
    assert do(visitor, "leave", player="Rosa").status_code == 303


def test_of_a_finished_game_only_names_change(place: Place, visitor: Visitor) -> None:
    place.play({"action": "finish_game"})
    page = visitor.get("/seats")
    assert "The game is finished: only names" in sentences(page)
    assert 'id="leave-1"' not in page.text
    assert do(visitor, "rename", player="Red", name="Rosa").status_code == 303


def test_a_button_that_is_not_there_is_a_sentence(visitor: Visitor) -> None:
    refused = do(visitor, "dance")
    assert (refused.status_code, "That is no button" in sentences(refused)) == (422, True)


def test_a_tap_sent_twice_counts_once(place: Place, visitor: Visitor) -> None:
    for _time in range(2):
        do(visitor, "move_seat", player="Green", seat="1", once="key")
        do(visitor, "move_seat", player="Red", seat="1", once="other")
    assert seats(place) == ["Red", "Green", "Blue"]
