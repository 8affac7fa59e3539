"""The house rules: presets, switches and the hands they propose."""

import pytest

from companion.errors import RuleBroken
from companion.rulebook import PRESETS, SWITCHES, Rules, proposed_hand


def test_every_preset_sets_every_switch_to_one_of_its_values():
    assert list(PRESETS) == ["classic", "thirteen", "hub"]
    for preset in PRESETS.values():
        assert list(preset.switches) == list(SWITCHES)
        for name, value in preset.switches.items():
            assert value in SWITCHES[name].values


@pytest.mark.parametrize(
    "rules, highest, players, tiles",
    [
        ("classic", 6, 4, 7),
        ("classic", 9, 3, 15),
        ("classic", 12, 4, 15),
        ("classic", 12, 6, 12),
        ("classic", 12, 8, 11),
        ("classic", 12, 3, None),
        ("classic", 18, 14, 11),
        ("thirteen", 12, 2, 12),
        ("thirteen", 12, 8, 10),
        ("thirteen", 12, 10, 8),
        ("thirteen", 9, 4, None),
        ("hub", 9, 2, 15),
        ("hub", 9, 4, 10),
        ("hub", 12, 3, 16),
        ("hub", 12, 5, 14),
        ("hub", 12, 8, 9),
        ("hub", 15, 10, None),
    ],
)
def test_the_hand_each_preset_proposes(rules, highest, players, tiles):
    assert proposed_hand(rules, highest, players) == tiles


@pytest.mark.parametrize("name", PRESETS)
def test_a_switch_can_be_set_and_the_others_stay(name):
    changed = Rules.preset(name, {"double_blank": 25, "must_play": "yes"})
    assert changed.double_blank == 25
    assert changed["must_play"] is True
    kept = {switch: value for switch, value in changed.switches}
    assert {**kept, **PRESETS[name].switches} == dict(PRESETS[name].switches)


@pytest.mark.parametrize(
    "name, value, sentence",
    [
        ("double_blank", 10, "double_blank cannot be 10: choose 0, 25 or 50."),
        ("double_blank", False, "double_blank cannot be no: choose 0, 25 or 50."),
        ("must_play", 1, "must_play cannot be 1: choose yes or no."),
        ("cover_by", "nobody", "cover_by cannot be nobody: choose next_player or every_player."),
    ],
)
def test_a_value_a_switch_does_not_take_is_refused(name, value, sentence):
    with pytest.raises(RuleBroken) as refusal:
        Rules.preset("classic", {name: value})
    assert str(refusal.value) == sentence


def test_unknown_rules_and_switches_are_refused_by_name():
    with pytest.raises(RuleBroken, match="no rules called chess: choose classic, thirteen or hub"):
        Rules.preset("chess")
    with pytest.raises(RuleBroken, match="no switch called luck"):
        Rules.preset("hub", {"luck": True})
