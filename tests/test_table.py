"""The table: what each action changes, what is refused and in which words, undo and replay."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RuleBroken
from companion.report import report, undo_words
from companion.table import Table, replay
from telling import START, act, do


@pytest.fixture
def game():
    """A game of three before its first round."""
    return Table.empty().after(START)


@pytest.fixture
def playing(game):
    """The first round, begun by Ann."""
    return game.after(act("open_round", starter="Ann"))


def refused(table, action, sentence, overrulable=False):
    with pytest.raises(RuleBroken) as refusal:
        table.after(action)
    assert sentence in str(refusal.value)
    assert refusal.value.overrulable is overrulable
    if overrulable:
        table.after({**action, "overrule": True})
    else:
        with pytest.raises(RuleBroken):
            table.after({**action, "overrule": True})


# Starting a game


def test_before_the_first_game_there_is_nothing():
    told = report(Table.empty())
    assert (told["phase"], told["game"], told["round"]) == ("none", None, 0)
    refused(Table.empty(), act("mark", train="Ann"), "No game has been started: start one first.")
    refused(Table.empty(), act("undo"), "There is nothing to take back in this game.")


@pytest.mark.parametrize(
    "changes, sentence",
    [
        ({"players": ["Ann"]}, "2 to 14 people can play: 1 were named."),
        ({"players": [f"P{n}" for n in range(15)]}, "2 to 14 people can play: 15 were named."),
        ({"players": ["Ann", "Ann\u200d"]}, "Two players are called Ann"),
        ({"players": ["Ann", "Ann\ufe0f"]}, "Two players are called Ann"),
        ({"players": ["Ann", "\uff4d\uff45xican\u200d"]}, "Nobody can be called"),
        ({"players": ["Ann", "table"]}, "Nobody can be called table"),
        ({"players": ["Ann", "ann"]}, "Two players are called ann: give one of them another name."),
        (
            {"players": ["Ann", "Mexican"]},
            "Nobody can be called Mexican, which means something else here",
        ),
        ({"set": 10}, "There is no double-10 set: choose 6, 9, 12, 15 or 18."),
        ({"rules": "chess"}, "There are no rules called chess: choose classic, thirteen or hub."),
        ({"overrides": {"double_blank": 7}}, "double_blank cannot be 7: choose 0, 25 or 50."),
        ({"first_engine": "8-9"}, "The 8-9 is no double"),
        ({"first_engine": "12-12"}, "The 12-12 is not in a double-9 set."),
        ({"rounds": 11}, "From the 9-9 down there are only 10 rounds."),
    ],
)
def test_a_game_that_cannot_be_is_refused(changes, sentence):
    refused(Table.empty(), {**START, **changes}, sentence)


def test_more_than_the_preset_names_is_insisted_on():
    eleven = [f"P{number}" for number in range(11)]
    many = {**START, "players": eleven, "set": 18, "rules": "thirteen"}
    refused(Table.empty(), many, "Thirteen games is for 2 to 10 players.", overrulable=True)


def test_hands_that_exceed_the_set_are_insisted_on():
    refused(Table.empty(), {**START, "hand": 19}, "3 hands of 19 tiles are more than", True)
    # with the engine laid before the draw, 3 x 18 = 54 tiles are all that is left of 55
    hub = {**START, "rules": "hub"}
    assert Table.empty().after({**hub, "hand": 18}).revision == 1


def test_a_running_game_is_set_aside_only_on_purpose(playing):
    refused(playing, START, "A game is still being played", overrulable=True)
    anew = playing.after({**START, "players": ["Eva", "Fay"], "overrule": True})
    assert report(anew)["game"]["players"] == ["Eva", "Fay"]
    assert anew.revision == 3
    refused(anew, act("undo"), "There is nothing to take back in this game.")


def test_the_hand_is_proposed_and_may_be_unknown():
    assert report(Table.empty().after(START))["game"]["hand"] == 15
    assert report(Table.empty().after({**START, "hand": None}))["game"]["hand"] is None
    assert report(Table.empty().after({**START, "hand": 9}))["game"]["hand"] == 9


# Rounds


def test_the_rounds_go_down_from_the_highest_double(game):
    for value in range(9, -1, -1):
        game = do(game, act("open_round"))
        assert report(game)["engine"] == f"{value}-{value}"
        assert report(game)["round"] == 10 - value
        game = do(game, *(act("hand", player=p, pips=1) for p in ("Ann", "Bob", "Cem")))
        game = do(game, act("close_round"))
    assert report(game)["phase"] == "finished"
    refused(game, act("open_round"), "The game is finished: start a new game.")


def test_another_double_is_insisted_on(game):
    refused(game, act("open_round", engine="8-8"), "Round 1 wants the 9-9, not the 8-8", True)
    refused(game, act("open_round", engine="8-9"), "The 8-9 is no double")
    refused(game, act("open_round", engine="12-12"), "The 12-12 is not in a double-9 set.")


def test_a_new_round_takes_every_marker_down(playing):
    table = do(
        playing,
        act("mark", train="Ann"),
        act("start_mexican_train"),
        act("lay_double", train="Bob", value=3),
        act("knock", player="Cem"),
        act("go_out", player="Ann"),
        act("hand", player="Bob", pips=3),
        act("hand", player="Cem", pips=4),
        act("close_round"),
    )
    assert report(table)["open_trains"] == ["Ann"], "kept until the next round opens"
    told = report(table.after(act("open_round")))
    assert told["open_trains"] == told["started"] == told["open_doubles"] == []
    assert told["knocked"] == told["went_out"] == []
    assert told["mexican_train"] is False


def test_a_lower_first_engine_and_fewer_rounds():
    table = Table.empty().after({**START, "first_engine": "3-3", "rounds": 2})
    for engine in ("3-3", "2-2"):
        table = table.after(act("open_round"))
        assert report(table)["engine"] == engine
        table = do(table, *(act("hand", player=p, pips=1) for p in ("Ann", "Bob", "Cem")))
        table = table.after(act("close_round"))
    assert report(table)["phase"] == "finished"


# Trains, markers, doubles


def test_marking_twice_is_accepted_and_not_stored(playing):
    once = playing.after(act("mark", train="bob"))
    assert report(once)["open_trains"] == ["Bob"]
    assert once.after(act("mark", train="Bob")) is once
    off = once.after(act("unmark", train="Bob"))
    assert report(off)["open_trains"] == []
    assert off.after(act("unmark", train="Bob")) is off
    assert playing.after(act("mark", train="mexican")) is playing


@pytest.mark.parametrize("name", ["mark", "unmark"])
def test_a_marker_at_the_mexican_train_changes_nothing_at_any_time(name, game, playing):
    begun = playing.after(act("start_mexican_train"))
    for table in (game, playing, begun, begun.after(act("block"))):
        assert table.after(act(name, train="mexican")) is table
    assert report(begun)["mexican_train"] is True


def test_open_trains_come_in_seat_order(playing):
    table = do(playing, act("mark", train="Cem"), act("mark", train="Ann"))
    assert report(table)["open_trains"] == ["Ann", "Cem"]


def test_unknown_players_are_named_with_those_who_play(playing):
    refused(playing, act("mark", train="Red"), "no player called Red: Ann, Bob and Cem play.")


def test_trains_begin(playing):
    table = do(
        playing,
        act("start_mexican_train"),
        act("start_train", player="Bob"),
        act("play", train="Cem"),
    )
    assert report(table)["started"] == ["mexican", "Bob", "Cem"]
    assert report(table)["mexican_train"] is True


def test_an_open_double_goes_to_the_next_player_and_moves_on_with_each_turn(playing):
    table = playing.after(act("lay_double", train="Ann", value=5))
    assert report(table)["open_doubles"] == [{"double": "5-5", "train": "Ann", "player": "Ann"}]
    assert report(table)["to_cover"] == "Bob"
    for player, duty in (("Bob", "Bob"), ("Cem", "Cem"), ("Ann", "Bob")):
        table = table.after(act("turn", player=player))
        assert report(table)["to_cover"] == duty
    assert report(table.after(act("cover", train="Ann")))["to_cover"] is None


def test_with_hub_rules_the_one_who_left_it_must_try_too():
    table = do(
        Table.empty(),
        {**START, "rules": "hub"},
        act("open_round", starter="Ann"),
        act("lay_double", train="mexican", value=5),
        act("turn", player="Ann"),
    )
    assert report(table)["to_cover"] == "Ann"


def test_who_must_cover_is_unknown_when_nobody_was_told(game):
    table = do(game, act("open_round"), act("lay_double", train="Ann", value=5))
    assert report(table)["to_cover"] is None
    assert report(table.after(act("turn", player="Cem")))["to_cover"] == "Cem"


@pytest.mark.parametrize("order, left", [("as_laid", "3-3"), ("reversed", "5-5")])
def test_the_oldest_double_on_a_train_is_covered_first_or_the_newest(order, left):
    table = do(
        Table.empty(),
        {**START, "overrides": {"cover_order": order}},
        act("open_round"),
        act("lay_double", train="Ann", value=5),
        act("lay_double", train="Ann", value=3),
        act("cover", train="Ann"),
    )
    assert [double["double"] for double in report(table)["open_doubles"]] == [left]


@pytest.mark.parametrize("each, duty", [("one_each", "Cem"), ("all_by_next", "Bob")])
def test_several_open_doubles_are_shared_out_or_owed_by_one(each, duty):
    table = do(
        Table.empty(),
        {**START, "overrides": {"cover_each": each}},
        act("open_round", starter="Ann"),
        act("lay_double", train="Ann", value=5),
        act("lay_double", train="mexican", value=3),
        act("turn", player="Bob"),
        act("cover", train="Ann"),
    )
    assert report(table)["to_cover"] == duty


def test_a_double_nobody_can_cover_is_released(playing):
    table = playing.after(act("lay_double", train="Ann", value=5))
    table = table.after(act("release", train="Ann"))
    assert report(table)["open_doubles"] == []
    assert report(table)["to_cover"] is None
    refused(table, act("release", train="Ann"), "No double lies open on Ann's train")
    refused(table, act("cover", train="mexican"), "No double lies open on the Mexican Train")


def test_doubles_that_contradict_the_record(playing):
    refused(playing, act("lay_double", train="Ann", value=10), "A double-9 set has no double of 10")
    refused(
        playing, act("lay_double", train="Ann", value=9), "The 9-9 is this round's engine", True
    )
    twice = playing.after(act("lay_double", train="Ann", value=4))
    refused(twice, act("lay_double", train="Bob", value=4), "The 4-4 has been laid", True)


@pytest.mark.parametrize(
    "switch, train, nudged",
    [("own_train", "Ann", True), ("own_train", "Bob", False)] + [("any_play", "Bob", True)],
)
def test_the_nudge_to_take_the_marker_down(switch, train, nudged):
    table = do(
        Table.empty(),
        {**START, "overrides": {"marker_down": switch}},
        act("open_round"),
        act("mark", train="Ann"),
        act("play", train=train, player="Ann"),
    )
    assert report(table)["open_trains"] == ["Ann"], "a question, never a silent change"
    assert bool(report(table)["nudges"]) is nudged
    assert report(table.after(act("unmark", train="Ann")))["nudges"] == []


# The boneyard


def test_the_boneyard_is_what_is_not_dealt_or_drawn(playing):
    assert report(playing)["boneyard"] == 55 - 3 * 15
    drawn = do(playing, act("draw", player="Ann"), act("draw", n=2))
    assert report(drawn)["boneyard"] == 7
    refused(drawn, act("draw", n=8), "Only 7 tiles are left in the boneyard", True)


def test_an_engine_laid_first_is_in_nobodys_hand():
    table = do(Table.empty(), {**START, "rules": "hub"}, act("open_round"))
    assert report(table)["boneyard"] == 55 - 3 * 13 - 1


def test_the_boneyard_is_unknown_where_the_hand_is():
    table = do(Table.empty(), {**START, "hand": None}, act("open_round"), act("draw", n=50))
    assert report(table)["boneyard"] is None


# The end of a round


def test_a_round_with_a_hand_missing_names_who(playing):
    table = playing.after(act("go_out", player="Ann"))
    assert report(table)["phase"] == "scoring"
    assert report(table)["hands"] == {"Ann": {"tiles": [], "points": 0}}
    refused(table, act("close_round"), "The hands are missing of Bob and Cem: enter them first.")


def test_a_typed_zero_is_a_zero(playing):
    table = do(playing, *(act("hand", player=p, pips=0) for p in ("Ann", "Bob", "Cem")))
    assert report(table.after(act("close_round")))["scores"]["Ann"] == [0]


def test_a_second_hand_is_refused_unless_it_replaces(playing):
    table = playing.after(act("hand", player="Bob", pips=30))
    refused(table, act("hand", player="Bob", pips=31), "Bob has 30 in this round already")
    table = table.after(act("hand", player="Bob", tiles=["0-0", "1-2"], replace=True))
    assert report(table)["hands"]["Bob"] == {"tiles": ["0-0", "1-2"], "points": 53}


def test_more_than_the_whole_set_holds_is_refused(playing):
    refused(playing, act("hand", player="Bob", pips=546), "546 is more than a whole double-9 set")
    assert playing.after(act("hand", player="Bob", pips=545)).revision == playing.revision + 1


def test_tiles_have_the_same_ceiling(playing):
    most = act("hand", player="Bob", tiles=["9-9"] * 31)
    refused(playing, most, "558 is more than a whole double-9 set holds (545)")


def test_several_go_out_where_the_rules_allow_it(playing):
    table = do(playing, act("go_out", player="Ann"), act("go_out", player="Bob"))
    assert report(table)["went_out"] == ["Ann", "Bob"]
    refused(table, act("go_out", player="Ann"), "Ann went out already")
    hub = do(Table.empty(), {**START, "rules": "hub"}, act("open_round"))
    hub = hub.after(act("go_out", player="Ann"))
    refused(hub, act("go_out", player="Bob"), "Ann went out already: did Bob as well?", True)


def test_a_blocked_round(playing):
    table = playing.after(act("block"))
    assert (report(table)["blocked"], report(table)["phase"]) == (True, "scoring")
    refused(table, act("go_out", player="Ann"), "This round is blocked", True)


def test_whoever_went_out_by_mistake_is_replaced(playing):
    table = playing.after(act("go_out", player="Ann"))
    refused(table, act("hand", player="Ann", pips=4), "Ann went out in this round")
    table = table.after(act("hand", player="Ann", pips=4, replace=True))
    assert report(table)["went_out"] == []


def test_tiles_that_cannot_be_are_accepted_and_flagged(playing):
    table = do(
        playing,
        act("hand", player="Ann", tiles=["1-2", "9-9"]),
        act("hand", player="Bob", tiles=["2-1", "3-12"]),
        act("hand", player="Cem", tiles=["4-4", "4-4"]),
    )
    assert report(table)["flags"] == [
        {"tile": "1-2", "where": ["Ann", "Bob"]},
        {"tile": "3-12", "where": ["Bob"]},
        {"tile": "4-4", "where": ["Cem", "Cem"]},
        {"tile": "9-9", "where": ["Ann", "engine"]},
    ]


def test_between_rounds_nothing_is_played(game):
    for action in (act("mark", train="Ann"), act("hand", player="Ann", pips=1), act("close_round")):
        refused(game, action, "No round is open: open the next round first.")


# Correcting and taking back


@pytest.fixture
def closed(playing):
    """After the first round: Ann 0, Bob 10, Cem 20."""
    return do(
        playing,
        act("go_out", player="Ann"),
        act("hand", player="Bob", pips=10),
        act("hand", player="Cem", pips=20),
        act("close_round"),
    )


def test_a_past_hand_is_corrected_and_the_old_value_stays_in_the_log(closed):
    table = closed.after(act("correct", round=1, player="Bob", tiles=["0-0"], why="photo"))
    assert report(table)["scores"]["Bob"] == [50]
    assert report(table)["hands"]["Bob"] == {"tiles": ["0-0"], "points": 50}
    assert [action.name for action in table.actions()][:4] == [
        "correct",
        "close_round",
        "hand",
        "hand",
    ]
    table = table.after(act("correct", round=1, player="Cem", went_out=True))
    assert report(table)["went_out"] == ["Ann", "Cem"]
    refused(table, act("correct", round=2, player="Bob", pips=1), "Round 2 is not closed")


def test_a_finished_game_is_corrected_too(closed):
    table = closed.after(act("finish_game"))
    assert report(table)["winners"] == ["Ann"]
    table = table.after(act("correct", round=1, player="Ann", pips=30))
    assert report(table)["winners"] == ["Bob"]
    refused(table, act("mark", train="Ann"), "The game is finished")


def test_undo_takes_back_across_a_rounds_end(closed):
    table = closed.after(act("undo"))
    assert report(table)["phase"] == "scoring"
    assert table.revision == closed.revision + 1
    table = table.after(act("undo"))
    assert report(table)["hands"].keys() == {"Ann", "Bob"}
    assert undo_words(table) == "Bob's hand"


def test_undo_is_never_itself_undone(playing):
    table = do(playing, act("mark", train="Ann"), act("mark", train="Bob"))
    assert undo_words(table) == "marker up on Bob"
    table = do(table, act("undo"), act("undo"))
    assert report(table)["open_trains"] == []
    assert table.revision == playing.revision + 4


def test_undo_of_the_first_start_leaves_an_empty_table(game):
    assert report(game.after(act("undo")))["phase"] == "none"


# People


def test_a_renamed_player_keeps_their_scores(closed):
    table = closed.after(act("rename", player="bob", name="Robert"))
    assert report(table)["scores"]["Robert"] == [10]
    refused(table, act("rename", player="Ann", name="CEM"), "Two players are called CEM")
    assert report(table.after(act("rename", player="Ann", name="ANN")))["scores"]["ANN"] == [0]


def test_seats_change_between_rounds_only(closed, playing):
    table = closed.after(act("move_seat", player="Cem", seat=1))
    assert report(table)["game"]["players"] == ["Cem", "Ann", "Bob"]
    refused(closed, act("move_seat", player="Cem", seat=4), "There is no seat 4: choose 1 to 3.")
    refused(playing, act("move_seat", player="Cem", seat=1), "A round is open: change seats when")


def test_whoever_leaves_keeps_their_scores_and_may_come_back(closed):
    table = do(closed, act("leave", player="Bob"), act("open_round"))
    assert report(table)["game"]["players"] == ["Ann", "Cem"]
    refused(table, act("hand", player="Bob", pips=1), "Bob has left the game")
    refused(table, act("leave", player="Ann"), "Two people are needed to play")
    table = do(table, act("go_out", player="Ann"), act("hand", player="Cem", pips=5))
    table = do(table, act("close_round"), act("add_player", name="bob", past="zero", seat=1))
    assert report(table)["game"]["players"] == ["Bob", "Ann", "Cem"]
    assert report(table)["scores"]["Bob"] == [10, 0]


def test_leaving_in_the_middle_of_a_round_holds_nobody_up(playing):
    table = do(
        playing,
        act("mark", train="Bob"),
        act("lay_double", train="mexican", value=2),
        act("leave", player="Bob"),
    )
    assert report(table)["to_cover"] == "Cem"
    assert report(table)["open_trains"] == []
    table = do(table, act("go_out", player="Ann"), act("hand", player="Cem", pips=3))
    assert report(table.after(act("close_round")))["scores"]["Bob"] == [None]


def test_rules_change_from_the_next_round_on(closed):
    table = closed.after(act("correct", round=1, player="Bob", tiles=["0-0"]))
    table = table.after(act("set_rule", switch="double_blank", value=0))
    assert report(table)["scores"]["Bob"] == [50], "a closed round keeps its rules"
    table = do(table, act("open_round"), act("hand", player="Bob", tiles=["0-0"]))
    assert report(table)["hands"]["Bob"]["points"] == 0
    refused(table, act("set_rule", switch="double_blank", value=50), "A round is open: change")


def test_whoever_comes_back_keeps_what_their_first_missed_rounds_count(closed):
    # Dot joins after round 1 with the highest, leaves after it, and is back with zero for round 2
    table = do(
        closed,
        act("add_player", name="Dot", past="highest"),
        act("leave", player="Dot"),
        act("open_round"),
        *(act("hand", player=player, pips=7) for player in ("Ann", "Bob", "Cem")),
        act("close_round"),
        act("add_player", name="dot", past="zero"),
    )
    assert report(table)["scores"]["Dot"] == [20, 0]


def test_one_more_than_the_preset_names_is_insisted_on_later_too():
    ten = {**START, "players": [f"P{n}" for n in range(10)], "set": 12, "rules": "thirteen"}
    eleventh = act("add_player", name="Eli", past="none")
    refused(Table.empty().after(ten), eleventh, "Thirteen games is for 2 to 10 players.", True)


def test_with_more_people_than_the_hands_are_for_the_boneyard_is_unknown(game):
    # four hands of 15 would be 60 of 55 tiles
    table = do(game, act("add_player", name="Dot", past="none"), act("open_round"))
    assert report(table)["game"]["hand"] == 15
    assert report(table)["boneyard"] is None
    assert report(do(game, act("open_round")))["boneyard"] == 10


def test_fourteen_is_the_most_and_a_seat_must_be_there(closed):
    refused(closed, act("add_player", name="Dot", past="none", seat=5), "no seat 5: choose 1 to 4")
    full = Table.empty().after({**START, "players": [f"P{n}" for n in range(14)], "set": 18})
    refused(full, act("add_player", name="Eli", past="none"), "14 people play already")


def test_what_a_round_showed_stays_when_the_rules_change_after_it(closed):
    table = closed.after(act("set_rule", switch="engine_by", value="laid_first"))
    assert report(table)["boneyard"] == report(closed)["boneyard"] == 10
    assert report(table.after(act("open_round")))["boneyard"] == 9


def test_everything_of_the_round_stays_until_the_next_one_opens(playing):
    table = do(
        playing,
        act("mark", train="Bob"),
        act("lay_double", train="Ann", value=5),
        act("go_out", player="Ann"),
        act("hand", player="Bob", pips=3),
        act("hand", player="Cem", tiles=["1-2"]),
    )
    after = table.after(act("close_round"))
    kept = ("round", "engine", "starter", "turn", "started", "open_trains", "mexican_train")
    kept += ("open_doubles", "to_cover", "knocked", "went_out", "blocked", "boneyard", "hands")
    for key in kept:
        assert report(after)[key] == report(table)[key]
    assert report(after)["phase"] == "between"


def test_finishing_in_the_middle_of_a_round_counts_the_closed_ones(closed):
    table = do(closed, act("open_round"), act("go_out", player="Cem"), act("finish_game"))
    told = report(table)
    assert (told["phase"], told["winners"]) == ("finished", ["Ann"])
    assert told["scores"] == {"Ann": [0], "Bob": [10], "Cem": [20]}
    assert report(table.after(act("undo")))["phase"] == "scoring"
    refused(table, act("finish_game"), "The game is finished already.")
    refused(table, act("add_player", name="Dot", past="none"), "The game is finished: add a")


def test_a_game_without_a_closed_round_is_not_finished(playing):
    refused(playing, act("finish_game"), "No round is closed yet: close one first")


def test_a_correction_is_accepted_in_every_phase(closed):
    fix = act("correct", round=1, player="Bob", pips=11)
    playing = closed.after(act("open_round"))
    scoring = playing.after(act("hand", player="Bob", pips=40))
    finished = closed.after(act("finish_game"))
    for table in (closed, playing, scoring, finished):
        after = table.after(fix)
        assert report(after)["scores"]["Bob"] == [11]
        assert report(after)["phase"] == report(table)["phase"]
    assert report(scoring.after(fix))["hands"]["Bob"]["points"] == 40, "this round is another"


def test_somebody_who_went_out_after_all_was_not_blocked(playing):
    table = do(playing, act("block"), *(act("hand", player=p, pips=4) for p in ("Ann", "Bob")))
    table = do(table, act("hand", player="Cem", pips=9), act("close_round"))
    assert report(table)["blocked"] is True
    table = table.after(act("correct", round=1, player="Cem", went_out=True))
    assert (report(table)["blocked"], report(table)["went_out"]) == (False, ["Cem"])
    table = table.after(act("correct", round=1, player="Cem", pips=2))
    assert report(table)["went_out"] == []


# Replay

moves = st.one_of(
    st.builds(act, st.just("mark"), train=st.sampled_from(["Ann", "Bob", "Cem", "mexican"])),
    st.builds(act, st.just("unmark"), train=st.sampled_from(["Ann", "Bob", "Cem"])),
    st.builds(act, st.just("turn"), player=st.sampled_from(["Ann", "Bob", "Cem"])),
    st.builds(act, st.just("lay_double"), train=st.just("Ann"), value=st.integers(0, 8)),
    st.builds(act, st.just("cover"), train=st.just("Ann")),
    st.builds(act, st.just("go_out"), player=st.sampled_from(["Ann", "Bob", "Cem"])),
    st.builds(
        act,
        st.just("hand"),
        player=st.sampled_from(["Ann", "Bob", "Cem"]),
        pips=st.integers(0, 100),
        replace=st.booleans(),
    ),
    st.builds(act, st.just("play"), train=st.sampled_from(["Ann", "mexican"]), tile=st.just("5-5")),
    st.builds(act, st.just("release"), train=st.just("Ann")),
    st.builds(act, st.just("draw"), player=st.sampled_from(["Ann", "Bob"])),
    st.sampled_from([act("open_round"), act("close_round"), act("undo"), act("finish_game")]),
    st.builds(act, st.just("leave"), player=st.sampled_from(["Ann", "Cem"])),
    st.builds(act, st.just("add_player"), name=st.just("Dot"), past=st.just("average")),
    st.builds(act, st.just("rename"), player=st.just("Bob"), name=st.just("Rob")),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(moves, max_size=40))
def test_replaying_what_was_accepted_gives_the_same_table(said):
    table, accepted = Table.empty().after(START), [START]
    for action in said:
        try:
            after = table.after(action)
        except RuleBroken as refusal:
            assert str(refusal)[-1] in ".?"
            continue
        if after is not table:
            accepted.append(json.loads(json.dumps(action)))
        table = after
    told = report(table)
    assert report(replay(accepted)) == told
    assert json.loads(json.dumps(told)) == told
    assert table.revision == len(accepted)
    for player, column in told["scores"].items():
        assert told["totals"][player] == sum(score or 0 for score in column)


@settings(max_examples=60, deadline=None)
@given(st.lists(moves, max_size=30), moves)
def test_undo_gives_the_table_before_the_last_action(said, last):
    table = Table.empty().after(START)
    for action in (*said, last):
        try:
            after = table.after(action)
        except RuleBroken:
            continue
        if after is not table and action["action"] != "undo":
            before, undone = report(table), report(after.after(act("undo")))
            assert {**before, "revision": 0} == {**undone, "revision": 0}
        table = after


def test_ten_thousand_actions_are_replayed_and_taken_back():
    chance = random.Random(4)
    names = ["Ann", "Bob", "Cem"]
    said = [START, act("open_round")]
    said += [
        act(chance.choice(["mark", "unmark", "start_train"]), train=chance.choice(names))
        for _ in range(10_000)
    ]
    said = [
        act("start_train", player=action["train"]) if action["action"] == "start_train" else action
        for action in said
    ]
    table = replay(said)
    assert report(table)["started"] != []
    while undo_words(table) is not None:
        table = table.after(act("undo"))
    assert report(table)["phase"] == "none"
