"""Whose hand comes next: in turn from who went out, or as the players sit."""

import re

import pytest
from scoring import Evening, text_of

from companion.web.rounds import in_turn

pytest_plugins = ("fixtures_score",)

FIVE = ["Ann", "Bob", "Cy", "Dee", "Eva"]


def listed(page: str) -> list[str]:
    """The seats of the hands, as the page lists them."""
    return re.findall(r'id="hand-(\d)"', page)


@pytest.mark.parametrize(
    ("out", "order"),
    [
        ([], FIVE),
        (["Cy"], ["Cy", "Dee", "Eva", "Ann", "Bob"]),
        (["Eva", "Bob"], ["Eva", *FIVE[:4]]),
    ],
)
def test_in_turn_from_who_went_out_first(out: list[str], order: list[str]) -> None:
    assert in_turn({"game": {"players": FIVE}, "went_out": out}) == order


def test_one_who_went_out_and_left_is_no_beginning() -> None:
    assert in_turn({"game": {"players": FIVE}, "went_out": ["Zoe"]}) == FIVE


def test_the_hands_are_listed_in_turn_and_keep_their_seats(evening: Evening) -> None:
    evening.start(FIVE)
    assert listed(evening.page("/score")) == ["1", "2", "3", "4", "5"]
    evening.play({"action": "go_out", "player": "Dee"})
    page = evening.page("/score")
    assert listed(page) == ["4", "5", "1", "2", "3"]
    assert re.search(r'id="next-hand" href="/score/5">', page)
    assert "Still missing: Eva, Ann, Bob, Cy." in text_of(page)


def test_one_phone_goes_round_with_one_tap_a_player(evening: Evening) -> None:
    evening.start(FIVE)
    evening.play({"action": "go_out", "player": "Dee"})
    evening.play({"action": "hand", "player": "Ann", "pips": 9})
    way, seat = [], 5
    while True:
        answer = evening.hand(seat, do="next", score="1+2")
        way.append(answer.location)
        if answer.location == "/score":
            break
        seat = int(answer.location[-1])
    assert way == ["/score/2", "/score/3", "/score"]
    assert "Close round 1" in evening.page("/score")


def test_the_way_on_goes_round_the_table_to_who_was_left_out(evening: Evening) -> None:
    evening.start(FIVE)
    evening.play({"action": "go_out", "player": "Ann"})
    assert evening.hand(5, do="next", score="4").location == "/score/2"
    assert "Save, then Cy" in text_of(evening.page("/score/2"))


def test_the_last_hand_offers_no_next(evening: Evening) -> None:
    evening.start(["Ann", "Bob"])
    evening.play({"action": "go_out", "player": "Ann"})
    assert 'id="save-next"' not in evening.page("/score/2")


def test_a_question_on_the_way_stays_where_it_is(evening: Evening) -> None:
    evening.start(FIVE)
    evening.play({"action": "hand", "player": "Bob", "pips": 9})
    answer = evening.hand(2, do="next", score="10")
    assert answer.status_code == 409 and "Bob has 9" in text_of(answer)
