"""For every switch, the very thing it changes: a score, a field, a refusal, a question, a nudge."""

import re
from pathlib import Path

import pytest

from companion.card import SENTENCES, rule_card
from companion.errors import RuleBroken
from companion.hunt import hunt
from companion.report import report
from companion.rulebook import PRESETS, Rules
from companion.switches import KINDS, SWITCHES, read_setting
from telling import act, do, playing, told

HERE = Path(__file__).read_text(encoding="utf-8")


def scored(*hands, marks=(), **game):
    """The report after one round with these hands, after which the game is finished."""
    table = playing(*(act("mark", train=name) for name in marks), **game)
    for name, hand in zip(("Ann", "Bob", "Cem"), hands):
        if hand == "out":
            table = table.after(act("go_out", player=name))
        else:
            kind = "tiles" if isinstance(hand, list) else "pips"
            table = table.after(act("hand", player=name, **{kind: hand}))
    return report(do(table, act("close_round"), act("finish_game")))


def test_every_switch_names_its_change_and_has_a_test_here():
    shown = re.findall(r"^def test_([a-z_]+?)_changes_", HERE, re.MULTILINE)
    assert sorted(shown) == sorted(SWITCHES)
    assert {switch.kind for switch in SWITCHES.values()} == set(KINDS)
    for switch in SWITCHES.values():
        assert switch.effect


@pytest.mark.parametrize("value, points", [(0, 3), (25, 28), (50, 53)])
def test_double_blank_changes_the_points_of_a_hand_told_as_tiles(value, points):
    found = scored("out", ["0-0", "1-2"], 20, double_blank=value)
    assert found["hands"]["Bob"]["points"] == points
    assert found["scores"] == {"Ann": [0], "Bob": [points], "Cem": [20]}, "a sum is taken as it is"


@pytest.mark.parametrize(
    "value, scores, winner", [("penalty", [0, 10, 20], "Ann"), ("positive", [30, 0, 0], "Ann")]
)
def test_scoring_changes_who_takes_the_points(value, scores, winner):
    found = scored("out", 10, 20, scoring=value)
    assert list(found["totals"].values()) == scores
    assert found["winners"] == [winner]
    # blocked: Ann's 5 is the lowest hand and takes 10 + 20
    assert (
        scored(5, 10, 20, scoring=value)["totals"]["Ann"] == {"penalty": 5, "positive": 30}[value]
    )


@pytest.mark.parametrize("value", [0, 5, 10, 25])
def test_marker_penalty_changes_the_score_of_who_is_marked(value):
    found = scored("out", 10, 20, marks=("Ann", "Cem"), marker_penalty=value)
    assert found["totals"] == {"Ann": value, "Bob": 10, "Cem": 20 + value}
    assert found["hands"]["Cem"]["points"] == 20, "points are before penalties"


@pytest.mark.parametrize("value, left", [("holder", 10), ("laid_first", 9)])
def test_engine_by_changes_the_boneyard(value, left):
    # 55 tiles less three hands of 15
    assert told(engine_by=value)["boneyard"] == left


@pytest.mark.parametrize(
    "value, drawing", [("in_turn", ("Ann",)), ("everybody", ("Ann", "Bob", "Cem"))]
)
def test_engine_hunt_changes_who_draws_when_nobody_has_it(value, drawing):
    assert hunt(playing(starter=None, engine_hunt=value)).drawing == drawing


@pytest.mark.parametrize("value, allowed", [("whole_train", True), ("one_tile", False)])
def test_first_turn_changes_whether_a_second_may_go_out(value, allowed):
    table = playing(act("go_out", player="Ann"), first_turn=value)
    second = act("go_out", player="Bob")
    if allowed:
        assert report(table.after(second))["went_out"] == ["Ann", "Bob"]
    else:
        with pytest.raises(RuleBroken) as refusal:
            table.after(second)
        assert str(refusal.value) == "Ann went out already: did Bob as well?"
        assert refusal.value.overrulable


@pytest.mark.parametrize(
    "value, asked",
    [
        ("own", {"mexican": "their own train", "Bob": "their own train"}),
        ("own_or_mexican", {"Bob": "their own train or the Mexican Train"}),
        ("anywhere", {}),
    ],
)
def test_first_turn_where_changes_which_trains_are_asked_about(value, asked):
    for train in ("Ann", "mexican", "Bob"):
        sentence = f"Ann's first turn is for {asked.get(train)}: was the tile laid there?"
        expected = [sentence] if train in asked else []
        assert told(act("play", train=train), first_turn_where=value)["nudges"] == expected
        double = act("lay_double", train=train, value=4)
        assert told(double, first_turn_where=value)["nudges"] == expected
    later = [act("turn", player=name) for name in ("Bob", "Cem", "Ann")]
    assert told(*later, act("play", train="Bob"), first_turn_where=value)["nudges"] == []


@pytest.mark.parametrize(
    "value, asked",
    [(True, []), (False, ["Ann draws nothing in the first turn: does the tile go back?"])],
)
def test_first_turn_draw_changes_whether_a_draw_is_asked_about(value, asked):
    assert told(act("draw", player="Ann"), first_turn_draw=value)["nudges"] == asked
    assert told(act("draw", player="Bob"), first_turn_draw=value)["nudges"] == []
    second = [act("turn", player="Bob"), act("turn", player="Ann"), act("draw")]
    assert told(*second, first_turn_draw=value)["nudges"] == []


@pytest.mark.parametrize("value", [True, False])
def test_must_play_changes_a_sentence_on_the_card_only(value):
    only_the_card("must_play", value)


@pytest.mark.parametrize("value", [True, False])
def test_block_only_changes_a_sentence_on_the_card_only(value):
    only_the_card("block_only", value)


def only_the_card(switch, value):
    said = [
        act("draw"),
        act("play", train="Ann", tile="9-5"),
        act("turn", player="Bob"),
        act("mark", train="Bob"),
        act("play", train="Ann", tile="5-4", player="Cem"),
    ]
    one, other = told(*said, **{switch: value}), told(*said, **{switch: not value})
    assert one["game"].pop("switches") != other["game"].pop("switches")
    assert one == other
    sentence = SENTENCES[switch][value]
    assert sentence in sum(
        (text for _, text in rule_card(Rules.preset("hub", {switch: value}))), []
    )
    assert SWITCHES[switch].kind == "card"
    assert SWITCHES[switch].effect.startswith("a sentence on the rule card only")


@pytest.mark.parametrize("value", ["any", "one"])
def test_doubles_per_turn_changes_whether_a_second_is_asked_about(value):
    question = "One double may be laid in a turn and one lie open: is the 3-3 a second one?"
    first, second = (act("lay_double", train="Ann", value=number) for number in (5, 3))
    expected = [question] if value == "one" else []
    beside = told(first, act("turn", player="Bob"), second, doubles_per_turn=value)
    assert beside["nudges"] == expected, "one open at a time"
    covered = told(first, act("cover", train="Ann"), second, doubles_per_turn=value)
    assert covered["nudges"] == expected, "one in a turn"
    assert len(beside["open_doubles"]) == 2, "never refused"
    second = act("lay_double", train="Bob", value=3)
    after = [first, act("cover", train="Ann"), act("turn", player="Bob"), second]
    assert told(*after, doubles_per_turn=value)["nudges"] == []


@pytest.mark.parametrize("value, duty", [("next_player", "Bob"), ("every_player", "Ann")])
def test_cover_by_changes_whether_the_duty_comes_to_who_left_it(value, duty):
    turns = [act("turn", player=name) for name in ("Bob", "Cem", "Ann")]
    found = told(act("lay_double", train="mexican", value=5), *turns, cover_by=value)
    assert found["to_cover"] == duty


@pytest.mark.parametrize("value, duty", [("one_each", "Cem"), ("all_by_next", "Bob")])
def test_cover_each_changes_who_owes_the_second_double(value, duty):
    said = [act("lay_double", train=train, value=n) for train, n in (("Ann", 5), ("mexican", 3))]
    said += [act("turn", player="Bob"), act("cover", train="Ann")]
    assert told(*said, cover_each=value)["to_cover"] == duty


@pytest.mark.parametrize("value, left", [("as_laid", "3-3"), ("reversed", "5-5")])
def test_cover_order_changes_which_double_is_covered(value, left):
    said = [act("lay_double", train="Ann", value=number) for number in (5, 3)]
    found = told(*said, act("cover", train="Ann"), cover_order=value)
    assert [double["double"] for double in found["open_doubles"]] == [left]


@pytest.mark.parametrize("value", [True, False])
def test_open_double_blocks_changes_whether_other_trains_are_asked_about(value):
    question = "The 5-5 lies open and stops every other train: was it covered or released?"
    expected = [question] if value else []
    laid = [act("lay_double", train="mexican", value=5), act("turn", player="Bob")]
    play = act("play", train="Bob", tile="9-2")
    assert told(*laid, play, open_double_blocks=value)["nudges"] == expected
    double = act("lay_double", train="Bob", value=2)
    assert told(*laid, double, open_double_blocks=value)["nudges"] == expected
    own = [laid[0], act("play", train="Ann", tile="9-2")]
    assert told(*own, open_double_blocks=value)["nudges"] == [], "who laid it may go on"
    gone = [*laid, act("release", train="mexican"), play]
    assert told(*gone, open_double_blocks=value, first_turn_where="anywhere")["nudges"] == []


@pytest.mark.parametrize("value", [True, False])
def test_cover_marker_changes_when_the_marker_is_asked_about(value):
    own = "Bob has played on their own train: take the marker off?"
    covered = "Bob has covered the double that kept the marker up: take the marker off?"
    failed = [act("lay_double", train="Ann", value=5), act("turn", player="Bob")]
    failed += [act("mark", train="Bob"), act("turn", player="Cem"), act("turn", player="Bob")]
    play = act("play", train="Bob", tile="9-2")
    assert told(*failed, play, cover_marker=value)["nudges"] == ([] if value else [own])
    cover = act("cover", train="Ann")
    assert told(*failed, cover, cover_marker=value)["nudges"] == ([covered] if value else [])
    others = [*failed[:4], cover, act("turn", player="Bob"), play]
    assert told(*others, cover_marker=value)["nudges"] == [own], "covered by somebody else"


@pytest.mark.parametrize("value", [True, False])
def test_the_cover_marker_holds_for_a_marker_that_was_up_before(value):
    said = [act("mark", train="Bob"), act("lay_double", train="Ann", value=5)]
    said += [act("turn", player=name) for name in ("Bob", "Cem", "Bob")]
    found = told(*said, act("play", train="Bob"), cover_marker=value)["nudges"]
    assert bool(found) is not value


def test_a_marker_that_went_up_for_something_else_is_no_cover_marker():
    said = [act("lay_double", train="Ann", value=5), act("turn", player="Bob")]
    said += [act("turn", player="Cem"), act("mark", train="Bob"), act("turn", player="Bob")]
    found = told(*said, act("play", train="Bob"), cover_marker=True)["nudges"]
    assert found == ["Bob has played on their own train: take the marker off?"]


def test_an_open_double_stops_its_layer_in_the_next_turn_and_others_even_without_turns():
    laid = act("lay_double", train="mexican", value=5, player="Ann")
    turns = [act("turn", player=name) for name in ("Bob", "Ann")]
    assert told(laid, *turns, act("play", train="Ann"), rules="hub")["nudges"]
    for player, asked in (("Ann", False), ("Bob", True)):
        play = act("play", train=player, player=player)
        assert bool(told(laid, play, rules="hub", starter=None)["nudges"]) is asked


def test_where_turns_are_not_told_nothing_is_asked_about_a_first_turn():
    later = [act("play", train="Bob", player="Bob"), act("draw", player="Ann")]
    assert told(*later)["nudges"] == []
    assert told(*later[1:])["nudges"] != []


@pytest.mark.parametrize(
    "value, trains", [("own_train", ["Bob"]), ("any_play", ["Bob", "mexican"])]
)
def test_marker_down_changes_which_play_asks_for_the_marker(value, trains):
    for train in ("Bob", "mexican"):
        said = [act("mark", train="Bob"), act("play", train=train, player="Bob")]
        assert bool(told(*said, marker_down=value)["nudges"]) is (train in trains)


@pytest.mark.parametrize("value", [True, False])
def test_announce_last_changes_whether_going_out_unannounced_is_asked_about(value):
    question = "Ann went out without a knock: was the last tile announced?"
    out = act("go_out", player="Ann")
    assert told(out, announce_last=value)["nudges"] == ([question] if value else [])
    assert told(act("knock", player="Ann"), out, announce_last=value)["nudges"] == []


@pytest.mark.parametrize("value, places", [("zeros_then_lowest_round", [1, 2]), ("shared", [1, 1])])
def test_tie_break_changes_the_places_of_equal_totals(value, places):
    table = playing(tie_break=value)
    # Ann 0 + 30 = 30 with a round of zero, Bob 10 + 20 = 30 without, Cem 50 + 50
    for hands in ((0, 10, 50), (30, 20, 50)):
        for name, pips in zip(("Ann", "Bob", "Cem"), hands):
            table = table.after(act("hand", player=name, pips=pips))
        table = do(table, act("close_round"), act("open_round"))
    assert list(report(table)["places"].values()) == [*places, 3]


def test_a_setting_is_read_from_words():
    assert read_setting("double_blank=25") == ("double_blank", 25)
    assert read_setting("must_play = yes") == ("must_play", True)
    assert read_setting("cover_by=every_player") == ("cover_by", "every_player")
    for text, sentence in (
        ("must_play", "must_play sets no switch: write it like double_blank=25."),
        ("luck=yes", "There is no switch called luck"),
        ("double_blank=7", "double_blank cannot be 7: choose 0, 25 or 50."),
        ("must_play=1", "must_play cannot be 1: choose yes or no."),
    ):
        with pytest.raises(RuleBroken) as refusal:
            read_setting(text)
        assert sentence in str(refusal.value)


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_of_every_switch_reads_back(name):
    for switch in SWITCHES.values():
        for value in switch.values:
            rules = Rules.preset(name, {switch.name: value})
            assert rules[switch.name] == value
