"""Open doubles: who must cover which, by every switch, and what is asked on the way."""

import pytest

from companion.errors import RuleBroken
from companion.report import report
from telling import act, do, playing, told


def lay(train, value, **fields):
    return act("lay_double", train=train, value=value, **fields)


def turn(player):
    return act("turn", player=player)


def cover(train, **fields):
    return act("cover", train=train, **fields)


def duties(*actions, **game):
    """Who must cover after each of the actions."""
    table, found = playing(**game), []
    for action in actions:
        table = table.after(action)
        found.append(report(table)["to_cover"])
    return found


def test_the_duty_goes_round_and_passes_over_who_left_it():
    turns = [turn(player) for player in ("Bob", "Cem", "Ann", "Bob")]
    assert duties(lay("Ann", 5), *turns) == ["Bob", "Bob", "Cem", "Bob", "Bob"]


def test_with_every_player_it_includes_who_left_it():
    turns = [turn(player) for player in ("Bob", "Cem", "Ann", "Bob")]
    assert duties(lay("Ann", 5), *turns, rules="hub") == ["Bob", "Bob", "Cem", "Ann", "Bob"]


def test_whoever_left_one_double_still_owes_somebody_elses():
    said = [lay("Ann", 5), turn("Bob"), lay("mexican", 3), turn("Cem"), turn("Ann")]
    assert duties(*said)[-1] == "Ann"


def test_a_double_laid_while_another_is_owed_leaves_the_duty_until_the_next_turn():
    said = [lay("Ann", 5), turn("Bob"), lay("mexican", 3), turn("Cem")]
    assert duties(*said) == ["Bob", "Bob", "Bob", "Cem"]


def test_with_two_players_it_comes_back_to_the_other():
    said = [lay("Ann", 5), turn("Bob"), turn("Ann")]
    assert duties(*said, players=("Ann", "Bob")) == ["Bob", "Bob", "Bob"]


@pytest.mark.parametrize("by", ["next_player", "every_player"])
@pytest.mark.parametrize(
    "each, expected", [("one_each", ["Bob", "Bob", "Cem"]), ("all_by_next", ["Bob", "Bob", "Bob"])]
)
def test_two_left_open_are_owed_one_each_or_all_by_the_next(by, each, expected):
    said = [lay("Ann", 5), lay("mexican", 3), turn("Bob"), cover("Ann")]
    assert duties(*said, cover_by=by, cover_each=each)[1:] == expected


@pytest.mark.parametrize("by", ["next_player", "every_player"])
@pytest.mark.parametrize("each", ["one_each", "all_by_next"])
def test_whoever_covers_one_of_their_own_leaves_the_other_to_the_next(by, each):
    said = [lay("Ann", 5), lay("mexican", 3), cover("Ann")]
    assert duties(*said, cover_by=by, cover_each=each) == ["Bob", "Bob", "Bob"]


def test_who_covers_may_be_told_where_turns_are_not():
    said = [lay("Ann", 5, player="Ann"), lay("Ann", 3, player="Ann"), cover("Ann", player="Bob")]
    assert duties(*said, starter=None) == ["Bob", "Bob", "Cem"]


def test_the_duty_of_who_covers_untold_is_taken_as_theirs():
    said = [lay("Ann", 5, player="Ann"), lay("Ann", 3, player="Ann"), cover("Ann")]
    assert duties(*said, starter=None) == ["Bob", "Bob", "Cem"]
    assert duties(lay("Ann", 5), lay("Ann", 3), cover("Ann"), starter=None) == [None] * 3


@pytest.mark.parametrize("order, left", [("as_laid", ["3-3"]), ("reversed", ["5-5"])])
@pytest.mark.parametrize("closing", ["cover", "release"])
def test_the_order_says_which_of_two_on_one_train_is_closed(order, left, closing):
    said = [lay("Ann", 5), lay("Ann", 3), act(closing, train="Ann")]
    found = told(*said, cover_order=order)["open_doubles"]
    assert [double["double"] for double in found] == left


def test_open_doubles_stand_in_the_order_laid_with_train_and_player():
    found = told(lay("mexican", 5), turn("Bob"), lay("Cem", 3))["open_doubles"]
    assert found == [
        {"double": "5-5", "train": "mexican", "player": "Ann"},
        {"double": "3-3", "train": "Cem", "player": "Bob"},
    ]


def test_a_release_while_the_duty_is_held_leaves_the_rest_of_it():
    said = [lay("Ann", 5), lay("mexican", 3), turn("Bob"), act("release", train="Ann")]
    assert duties(*said)[-1] == "Bob"
    assert duties(*said, act("release", train="mexican"))[-1] is None


def test_a_release_does_not_leave_a_player_with_only_their_own():
    said = [lay("Ann", 5), turn("Bob"), lay("mexican", 3), act("release", train="Ann")]
    assert duties(*said)[-1] == "Cem"


def test_whoever_leaves_hands_the_duty_on():
    said = [lay("Ann", 5), turn("Bob"), act("leave", player="Bob")]
    assert duties(*said)[-1] == "Cem"
    four = ("Ann", "Bob", "Cem", "Dot")
    # Cem left the double himself, so Dot is next
    said = [turn("Cem"), lay("Ann", 5), turn("Ann"), turn("Bob"), act("leave", player="Bob")]
    assert duties(*said, players=four)[-1] == "Dot"


def test_the_double_on_the_train_of_who_left_can_still_be_covered():
    left = [lay("Bob", 5), turn("Cem"), act("leave", player="Bob")]
    found = told(*left)
    assert found["open_doubles"] == [{"double": "5-5", "train": "Bob", "player": "Ann"}]
    assert told(*left, cover("Bob"))["open_doubles"] == []
    assert told(*left, act("release", train="Bob"))["open_doubles"] == []
    with pytest.raises(RuleBroken, match="Bob has left the game"):
        playing(*left, turn("Bob"))


# What is asked


def asked(*actions, **game):
    return told(*actions, **game)["nudges"]


def test_a_double_told_as_a_played_tile_is_asked_about_and_then_told():
    played = act("play", train="Ann", tile="5-5")
    assert asked(played) == ["The 5-5 is a double: does it lie open on Ann's train?"]
    table = playing(played, lay("Ann", 5))
    assert report(table)["open_doubles"] == [{"double": "5-5", "train": "Ann", "player": "Ann"}]
    assert report(table)["flags"] == report(table)["nudges"] == []
    with pytest.raises(RuleBroken, match="The 5-5 has been laid in this round"):
        table.after(lay("Ann", 5))
    with pytest.raises(RuleBroken, match="The 5-5 has been laid in this round"):
        playing(played, lay("Bob", 5))


def test_a_tile_on_a_train_with_an_open_double_is_asked_about():
    said = [lay("Ann", 5), turn("Bob"), act("play", train="Ann", tile="5-3")]
    assert asked(*said) == ["The 5-5 lies open on Ann's train: did this tile cover it?"]
    assert asked(*said, cover("Ann")) == []


def test_what_is_asked_about_the_last_thing_goes_with_the_next():
    said = [act("play", train="Ann", tile="5-5"), act("play", train="Ann", tile="5-3")]
    assert asked(*said) == []
    assert asked(*said, act("undo")) == ["The 5-5 is a double: does it lie open on Ann's train?"]


def test_a_double_laid_twice_over_is_flagged():
    table = playing(lay("Ann", 5), {**lay("Bob", 5), "overrule": True})
    assert report(table)["flags"] == [{"tile": "5-5", "where": ["table", "table"]}]
    hand = act("hand", player="Cem", tiles=["5-5"])
    assert report(table.after(hand))["flags"] == [
        {"tile": "5-5", "where": ["Cem", "table", "table"]}
    ]


def test_covering_on_ones_own_train_asks_for_the_marker():
    said = [act("mark", train="Bob"), lay("Bob", 5), turn("Bob"), cover("Bob")]
    assert asked(*said) == ["Bob has played on their own train: take the marker off?"]
    assert asked(*said, act("mark", train="Bob")) == asked(*said), "marking again changes nothing"
    assert asked(*said, act("unmark", train="Bob")) == []


def test_the_same_turn_told_twice_is_one_turn():
    said = [lay("Ann", 5), turn("Ann"), lay("mexican", 3)]
    assert asked(*said, doubles_per_turn="one") == [
        "One double may be laid in a turn and one lie open: is the 3-3 a second one?"
    ]
    assert playing(*said).revision == 5


def test_doing_it_all_again_gives_the_same_duty():
    said = [lay("Ann", 5), lay("Ann", 3), turn("Bob"), cover("Ann")]
    table = playing(*said)
    again = do(table, act("undo"), act("undo"), *said[2:])
    assert {**report(again), "revision": 0} == {**report(table), "revision": 0}


def test_a_double_told_twice_is_one_tile_in_either_order():
    played = act("play", train="Ann", tile="5-5")
    for first, second in ((lay("Ann", 5), played), (played, lay("Ann", 5))):
        told = report(do(playing(), first, second))
        assert told["flags"] == [] and told["nudges"] == []
        assert [double["double"] for double in told["open_doubles"]] == ["5-5"]
