"""The journal's vocabulary: what is an action and what is refused, in sentences."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.actions import VOCABULARY, parse_action
from companion.errors import NotAnAction
from companion.table import HANDLERS

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
keys = sorted({key for shape in VOCABULARY.values() for key in (*shape.needed, *shape.optional)})


def test_every_action_has_somebody_who_handles_it():
    assert set(VOCABULARY) == set(HANDLERS) | {"start_game", "undo"}


@pytest.mark.parametrize(
    "said, sentence",
    [
        ("mark", 'An action is an object like {"action": "mark", "train": "Red"}.'),
        ({}, "An action is named by a text: mark, hand, undo and so on."),
        ({"action": "dance"}, "There is no action called dance."),
        ({"action": ["mark"]}, "An action is named by a text"),
        ({"action": "mark"}, "The action mark needs train."),
        ({"action": "mark", "train": "A", "tile": "1-2"}, "The action mark takes no tile."),
        ({"action": "mark", "train": 4}, "train must be a name."),
        ({"action": "mark", "train": "  "}, "A name is empty: write one for every player."),
        ({"action": "mark", "train": "a\u202eb"}, "A name holds a character that cannot be shown"),
        ({"action": "turn", "player": "x" * 41}, "is too long: 40 letters at most."),
        ({"action": "play", "train": "A", "tile": "9"}, "'9' is no tile: write its two ends"),
        ({"action": "draw", "n": 0}, "n must be 1 or more."),
        ({"action": "draw", "n": True}, "n must be a whole number."),
        ({"action": "draw", "n": 1.5}, "n must be a whole number."),
        ({"action": "hand", "player": "A"}, "The action hand needs one of tiles or pips."),
        (
            {"action": "hand", "player": "A", "pips": 1, "tiles": []},
            "The action hand needs one of tiles or pips.",
        ),
        ({"action": "hand", "player": "A", "pips": -3}, "A score cannot be negative: -3"),
        ({"action": "hand", "player": "A", "pips": 10**10}, "pips must be a whole number."),
        ({"action": "\ud800"}, "There is no action called ?."),
        ({"action": "mark", "train": "A", "\ud800": 1}, "The action mark takes no ?."),
        ({"action": "undo", "by": "\ud800"}, "by holds a character that cannot be stored"),
        ({"action": "undo", "at": "9999-12-31T23:59:59-12:00"}, "at must be a time like"),
        ({"action": "undo", "at": "0001-01-01T00:00:00+12:00"}, "at must be a time like"),
        ({"action": "mark", "train": "\u3164\u200d"}, "A name is empty"),
        ({"action": "mark", "train": "\u0301"}, "A name is empty"),
        ({"action": "hand", "player": "A", "tiles": ["1-2"] * 191}, "191 tiles are more than any"),
        ({"action": "play", "train": "A", "tile": "a" * 10**6}, "is no tile"),
        ({"action": "undo", "at": "yesterday"}, "at must be a time like"),
        ({"action": "undo", "overrule": 1}, "overrule must be true or false."),
        (
            {"action": "correct", "round": 1, "player": "A", "went_out": False},
            "went_out can only be true.",
        ),
        ({"action": "add_player", "name": "A", "past": "luck"}, "past must be one of none, zero"),
    ],
)
def test_what_is_no_action_is_refused_in_a_sentence(said, sentence):
    with pytest.raises(NotAnAction) as refusal:
        parse_action(said)
    assert sentence in str(refusal.value)


def test_names_and_tiles_are_tidied():
    said = {"action": "play", "train": " Anna  Maria ", "tile": "12-5", "by": "tablet"}
    assert parse_action(said).to_json() == {
        "action": "play",
        "train": "Anna Maria",
        "tile": "5-12",
        "by": "tablet",
    }


@given(
    st.fixed_dictionaries(
        {"action": st.sampled_from(sorted(VOCABULARY)) | json_values},
        optional={key: json_values for key in keys},
    )
)
def test_anything_is_an_action_that_prints_and_parses_back_or_is_refused(said):
    try:
        action = parse_action(said)
    except NotAnAction as refusal:
        assert str(refusal).endswith(".")
    else:
        again = json.loads(json.dumps(action.to_json()))
        assert parse_action(again).to_json() == action.to_json()


@pytest.mark.parametrize(
    "name", ["👨\u200d👩\u200d👧", "Žiga", "李", "O'Hara-Smith", "עדי", "1", "🙂"]
)
def test_names_of_all_kinds_are_kept_as_they_are(name):
    assert parse_action({"action": "knock", "player": name})["player"] == name


def test_a_refusal_stays_short_whatever_was_said():
    with pytest.raises(NotAnAction) as refusal:
        parse_action({"action": "play", "train": "A", "tile": "a" * 10**6})
    assert len(str(refusal.value)) < 100
