"""Scores, totals, places and winners, with the sums beside them."""

import pytest

from companion.report import report
from companion.table import Table


def evening(*rounds, players=("Ann", "Bob", "Cem", "Dot"), overrides=None, marks=(), **fields):
    """The table after rounds in each of which every player left so many pips; 0 went out."""
    start = {"action": "start_game", "players": list(players), "set": 12, "rules": "classic"}
    table = Table.empty().after({**start, **fields, "overrides": overrides or {}})
    for hands in rounds:
        table = table.after({"action": "open_round"})
        for player in marks:
            table = table.after({"action": "mark", "train": player})
        for player, pips in zip(players, hands):
            if pips == 0:
                table = table.after({"action": "go_out", "player": player})
            else:
                table = table.after({"action": "hand", "player": player, "pips": pips})
        table = table.after({"action": "close_round"})
    return table


def game(*rounds, **fields):
    """The report on such an evening."""
    return report(evening(*rounds, **fields))


def test_equal_totals_share_a_place_and_the_next_one_is_left_out():
    told = game((40, 40, 55, 90), overrides={"tie_break": "shared"}, rounds=1)
    assert told["totals"] == {"Ann": 40, "Bob": 40, "Cem": 55, "Dot": 90}
    assert told["places"] == {"Ann": 1, "Bob": 1, "Cem": 3, "Dot": 4}
    assert told["winners"] == ["Ann", "Bob"]


def test_a_tie_goes_to_most_rounds_with_zero():
    # Ann 0 + 30 = 30 with one zero; Bob 10 + 20 = 30 with none
    told = game((0, 10, 50, 60), (30, 20, 50, 60), rounds=2)
    assert told["places"] == {"Ann": 1, "Bob": 2, "Cem": 3, "Dot": 4}
    assert told["winners"] == ["Ann"]


def test_then_to_the_lowest_round_other_than_zero():
    # both 30 without a zero; Bob's lowest round is 5, Ann's 10
    told = game((10, 5, 50, 60), (20, 25, 50, 60), rounds=2)
    assert told["winners"] == ["Bob"]


def test_still_tied_is_shared():
    told = game((10, 20, 50, 60), (20, 10, 50, 60), rounds=2)
    assert told["winners"] == ["Ann", "Bob"]


def test_nobody_has_won_before_the_end():
    told = game((1, 2, 3, 4))
    assert told["phase"] == "between"
    assert told["winners"] == []


def test_positive_scoring_gives_the_others_hands_to_the_one_who_went_out():
    # 10 + 20 + 5 = 35 for Ann, then 7 + 8 + 9 = 24 for Bob
    told = game((0, 10, 20, 5), (7, 0, 8, 9), overrides={"scoring": "positive"}, rounds=2)
    assert told["scores"] == {"Ann": [35, 0], "Bob": [0, 24], "Cem": [0, 0], "Dot": [0, 0]}
    assert told["winners"] == ["Ann"]
    assert told["places"] == {"Ann": 1, "Bob": 2, "Cem": 3, "Dot": 3}


def test_positive_scoring_is_shared_equally_and_rounded_down():
    # 10 + 5 = 15, half of it is 7.5, so 7 each
    told = game((0, 0, 10, 5), overrides={"scoring": "positive"})
    assert told["scores"] == {"Ann": [7], "Bob": [7], "Cem": [0], "Dot": [0]}


def test_in_a_blocked_round_the_lowest_hand_takes_it():
    # 30 + 12 + 8 = 50 for Bob, who keeps 3
    told = game((30, 3, 12, 8), overrides={"scoring": "positive"})
    assert told["scores"]["Bob"] == [50]


def test_a_marker_still_up_costs_its_penalty():
    told = game((0, 10, 20, 30), overrides={"marker_penalty": 5}, marks=("Ann", "Cem"))
    assert told["scores"] == {"Ann": [5], "Bob": [10], "Cem": [25], "Dot": [30]}
    assert told["hands"]["Cem"]["points"] == 20


@pytest.mark.parametrize(
    "past, score", [("none", None), ("zero", 0), ("average", 13), ("highest", 30)]
)
def test_what_a_late_joiners_missed_round_counts(past, score):
    # (0 + 10 + 10 + 30) / 4 = 12.5, rounded half up 13
    table = evening((0, 10, 10, 30)).after({"action": "add_player", "name": "Eli", "past": past})
    told = report(table)
    assert told["scores"]["Eli"] == [score]
    assert told["totals"]["Eli"] == (score or 0)
    assert told["places"]["Eli"] == {None: 5, 0: 1, 13: 4, 30: 4}[score]


def test_whoever_has_a_hole_never_wins():
    table = Table.empty()
    for action in (
        {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "hub"},
        {"action": "open_round"},
        {"action": "hand", "player": "Ann", "pips": 10},
        {"action": "hand", "player": "Bob", "pips": 20},
        {"action": "close_round"},
        {"action": "add_player", "name": "Eli", "past": "none"},
        {"action": "open_round"},
        {"action": "go_out", "player": "Eli"},
        {"action": "hand", "player": "Ann", "pips": 1},
        {"action": "hand", "player": "Bob", "pips": 2},
        {"action": "close_round"},
        {"action": "finish_game"},
    ):
        table = table.after(action)
    told = report(table)
    assert told["scores"] == {"Ann": [10, 1], "Bob": [20, 2], "Eli": [None, 0]}
    assert told["winners"] == ["Ann"]
    assert told["places"] == {"Ann": 1, "Bob": 2, "Eli": 3}
