"""The rule card: each preset's answers, a change for every switch, no sentence twice."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from companion import card
from companion.card import CUSTOMS, SENTENCES, headline, rule_card, settings
from companion.carding import rules_command
from companion.errors import RuleBroken
from companion.rulebook import PRESETS, SWITCHES, Rules


def answers(rules):
    return {heading: " ".join(sentences) for heading, sentences in rule_card(rules)}


@pytest.mark.parametrize(
    "row, classic, thirteen, hub",
    [
        (
            "Must I cover someone else's double on a closed train?",
            "Yes, if your turn is next",
            "Yes, if your turn is next",
            "Nothing else may be played",
        ),
        (
            "Several open doubles?",
            "One each, by the next",
            "One each",
            "in the order they were laid",
        ),
        ("May the last tile be a double?", "Yes", "Yes", "Yes"),
        (
            "A double that ends the opening train?",
            "Allowed; it is open from the second round of turns on.",
            "It must be covered like any other double.",
            "It must be covered, and it stops everything else.",
        ),
        ("Empty boneyard?", "marker goes up and you pass", "you pass", "the round is over"),
        ("When does the marker come off?", *["When you play on your own train."] * 3),
        ("Whole train or one tile first?", "The whole train", "One tile", "One tile"),
        ("What is the double blank worth?", "50", "Nothing", "50"),
        (
            "The engine",
            "draw one tile in turn",
            "everybody draws one tile",
            "laid in the hub before the tiles are drawn",
        ),
        ("Cannot start?", "draw nothing", "draw one tile", "draw one tile"),
        ("The Mexican Train", "from the second turn on", "from the second turn on", "in any turn"),
        ("Where does the marker go?", "end of the train", "beginning of the train", "by the hub"),
        ("A turn", "Nobody is made to", "Nobody is made to", "You must play if you can."),
        ("One tile left?", "need not", "need not", "knock on the table"),
        ("Who wins?", "most rounds with zero", "share the place", "share the place"),
        ("Players and tiles", "15 for 4, 12 for 5 to 6", "12 for 2 to 6", "15 for 2, 13 for 3"),
    ],
)
def test_each_preset_answers_the_rows_that_break_out_at_tables(row, classic, thirteen, hub):
    for name, words in zip(PRESETS, (classic, thirteen, hub)):
        assert words in answers(Rules.preset(name))[row]


SILENT = {("hub", "engine_hunt")}
"""Where a switch has nothing to say: nobody looks for an engine that lies in the hub."""


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_the_card_changes_when_a_switch_changes(name, switch):
    cards = [answers(Rules.preset(name, {switch: value})) for value in SWITCHES[switch].values]
    for index, one in enumerate(cards):
        for other in cards[:index]:
            assert (one == other) is ((name, switch) in SILENT)


def test_with_positive_scoring_the_highest_wins_and_totals_are_shared():
    said = answers(Rules.preset("classic", {"scoring": "positive"}))["Who wins?"]
    assert said == "The highest total wins. Equal totals share the place."


def test_every_value_of_every_switch_has_its_sentence():
    assert set(SENTENCES) == set(SWITCHES)
    for name, switch in SWITCHES.items():
        assert [(type(value), value) for value in SENTENCES[name]] == [
            (type(value), value) for value in switch.values
        ]
    assert set(CUSTOMS) == set(PRESETS)


def test_no_sentence_is_written_twice():
    text = Path(card.__file__).read_text(encoding="utf-8")
    written = Counter(
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert [text for text, count in written.items() if count > 1 and len(text.split()) > 2] == []


@pytest.mark.parametrize("name", PRESETS)
def test_a_card_says_nothing_twice_and_every_line_is_a_sentence(name):
    said = [line for _, sentences in rule_card(Rules.preset(name)) for line in sentences]
    assert len(said) == len(set(said))
    assert all(line[0].isupper() and line.endswith(".") for line in said)


def test_the_settings_name_every_switch_with_its_value_and_what_it_changes():
    found = settings(Rules.preset("hub", {"double_blank": 25}))
    assert [setting.name for setting in found] == list(SWITCHES)
    assert found[0][:2] == ("double_blank", "25")
    assert {setting.name: setting.value for setting in found}["must_play"] == "yes"
    assert {setting.name for setting in found if setting.kind == "card"} == {
        "must_play",
        "block_only",
    }


def test_the_command_prints_the_card_with_the_switches_set():
    text = rules_command("hub", ["double_blank=25", "must_play=no"])
    assert text.startswith("Hub rules, with house rules.\n")
    assert "What is the double blank worth?\n  The 0-0 costs 25 points." in text
    assert "must_play=no: whether one must play when one can" in text
    assert text != rules_command("hub")
    with pytest.raises(RuleBroken, match="no rules called chess"):
        rules_command("chess")
    with pytest.raises(RuleBroken, match="no switch called luck"):
        rules_command("hub", ["luck=no"])


def test_a_line_that_a_house_rule_makes_untrue_is_not_said():
    usual = Rules.preset("classic")
    assert headline(usual) == "Classic: " + PRESETS["classic"].line
    assert headline(usual.with_switch("first_turn", "one_tile")) == "Classic, with house rules."
    assert "Lay your whole train first" not in rules_command("classic", ["first_turn=one_tile"])


def test_a_short_evening_says_its_own_rounds():
    rules = Rules.preset("hub")
    assert dict(rule_card(rules, first=9, rounds=3))["Rounds"] == ["3 rounds, from the 9-9 down."]
    assert dict(rule_card(rules, rounds=1))["Rounds"] == [
        "1 round, from the set's highest double down."
    ]


def test_no_answer_contradicts_another():
    reversed_ = " ".join(answers(Rules.preset("hub", {"cover_order": "reversed"})).values())
    assert "on the newest of them" in reversed_ and "on the first of them" not in reversed_
    undrawn = answers(Rules.preset("thirteen", {"first_turn_draw": False}))["Cannot start?"]
    assert "you may play on the Mexican Train" in undrawn and "one tile each turn" not in undrawn


def test_the_card_names_for_whom_the_rules_are():
    assert "best with 4 to 8" in answers(Rules.preset("classic"))["Players and tiles"]
    assert "double-15 or double-18" in answers(Rules.preset("hub"))["Players and tiles"]
