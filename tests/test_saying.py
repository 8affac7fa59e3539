"""Sentences: plain English to everybody, and what they were made of for those who translate."""

import copy
import json
import pickle

import pytest

from companion.errors import DeviceTrouble, RuleBroken
from companion.saying import Said, either, in_a_row, in_line, listed, phrase, say, say_many
from companion.table import Table

HAND = say("%(player)s has %(points)s.", player="Ann", points=say("%(n)s points", n=12))


def test_a_sentence_is_its_english() -> None:
    assert HAND == "Ann has 12 points." and isinstance(HAND, Said)
    assert json.dumps({HAND: [HAND]}) == '{"Ann has 12 points.": ["Ann has 12 points."]}'
    assert hash(HAND) == hash("Ann has 12 points.")


def test_a_sentence_without_values_keeps_its_signs() -> None:
    assert say("100 % sure") == "100 % sure"


@pytest.mark.parametrize("again", (copy.copy, copy.deepcopy, str))
def test_a_sentence_stays_one_however_it_is_handed_on(again) -> None:
    assert_same(again(HAND))


def test_a_sentence_survives_being_stored() -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert_same(pickle.loads(pickle.dumps(HAND, protocol)))


@pytest.mark.parametrize("kind", (RuleBroken, DeviceTrouble, ValueError))
def test_an_error_keeps_its_sentence(kind) -> None:
    assert_same(kind(HAND).args[0])
    assert_same(str(kind(HAND)))


def assert_same(found) -> None:
    assert found == "Ann has 12 points." and isinstance(found, Said)
    assert found.text == "%(player)s has %(points)s."
    assert found.values["player"] == "Ann"
    assert found.values["points"].text == "%(n)s points"


def test_one_and_several() -> None:
    def waiting(n: int) -> str:
        return say_many("%(num)s hand of %(who)s waits", "%(num)s hands wait", n, who="Ann")

    assert [waiting(n) for n in (0, 1, 2)] == [
        "0 hands wait",
        "1 hand of Ann waits",
        "2 hands wait",
    ]
    found = copy.deepcopy(waiting(2))
    assert (found.text, found.many) == ("%(num)s hand of %(who)s waits", "%(num)s hands wait")
    assert found.values == {"who": "Ann", "num": 2}


def test_names_are_listed_as_people_say_them() -> None:
    assert listed(["Ann"]) == "Ann"
    assert listed(["Ann", "Bob"]) == "Ann and Bob"
    assert listed(["Ann", "Bob", "Cid"]) == "Ann, Bob and Cid"
    assert either([6, 9, 12]) == "6, 9 or 12"
    assert in_line((6, 9)) == "6, 9"
    assert in_a_row(["It rains.", say("Stay.")]) == "It rains. Stay."
    assert listed(["Ann", "Bob", "Cid"]).text == "%(some)s and %(last)s"


def test_what_is_listed_may_be_sentences() -> None:
    both = listed([say("the hub"), HAND])
    assert both == "the hub and Ann has 12 points."
    assert both.values["some"].text == "the hub" and both.values["last"].values["player"] == "Ann"


def test_a_phrase_is_only_marked() -> None:
    assert phrase("%(player)s's turn") == "%(player)s's turn"
    assert type(phrase("a turn")) is str


def test_the_table_refuses_in_sentences() -> None:
    with pytest.raises(RuleBroken) as refused:
        Table.empty().after({"action": "undo"})
    assert str(refused.value).text == "There is nothing to take back in this game."
