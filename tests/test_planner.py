"""The best opening train: against trying everything, by the double rule, and within the time."""

import json
import random
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dominoes import DominoSet, Tile
from companion.errors import Trouble
from companion.planner import best_train
from companion.planning import best_train_command, plan_train, read_tiles, say_plan

SLACK = 5
"""How many times the promised time a busy machine may take."""

TILES_12 = list(DominoSet(12))

HARD_25 = (
    "0-0 0-3 1-1 1-2 1-3 1-4 1-5 1-6 1-8 1-9 3-4 3-7 4-4 4-5 4-10 5-5 5-11 5-12 6-6 7-7 8-8 9-9"
    " 10-10 11-11 12-12"
)
"""From the 3-3: the hand of 25 with the most splits that a climb over thousands of hands found."""

HARD_35 = (
    "0-0 0-1 0-2 0-6 0-8 0-9 0-11 0-12 1-1 1-2 1-5 1-6 1-8 1-9 2-2 2-5 2-7 3-8 3-12 4-4 4-12 5-6"
    " 5-8 5-10 6-6 6-12 7-7 8-8 8-9 8-12 9-9 9-12 10-10 11-11 12-12"
)


def tile(text):
    return Tile.parse(text)


def hand_of(text):
    return read_tiles([text])


def every_train(hand, end, double_rule, laid=()):
    """Every train that may be laid, by trying each tile at the open end."""
    remaining = [t for t in hand if t not in laid]
    if not (double_rule and laid and laid[-1].is_double and remaining):
        yield laid
    for t in remaining:
        if end in t.ends:
            yield from every_train(hand, t.low + t.high - end, double_rule, (*laid, t))


def best_by_trying(hand, engine, goal, double_rule):
    """The number of tiles of the best train and the pips it leaves, by trying all trains."""

    def rank(train):
        pips = sum(t.pips for t in train)
        return (len(train), pips) if goal == "tiles" else (pips, len(train))

    best = max(every_train(hand, engine.low, double_rule), key=rank)
    return len(best), sum(t.pips for t in hand) - sum(t.pips for t in best)


def assert_legal(plan, hand, engine, double_rule):
    """The train is a train from the engine, and no tile of the hand is lost or new."""
    end = engine.low
    for inner, outer in plan.train:
        assert inner == end
        end = outer
    laid = [Tile.of(*ends) for ends in plan.train]
    assert Counter(laid) + Counter(plan.left) == Counter(hand)
    assert list(plan.left) == sorted(plan.left)
    if double_rule and plan.left and laid:
        assert not laid[-1].is_double
    assert plan.tiles == len(laid)
    assert plan.pips_left == sum(t.pips for t in plan.left)


def random_hand(chance, size, highest):
    """An engine and a hand of tiles up to ``highest``, drawn by ``chance``."""
    value = chance.randrange(highest + 1)
    engine = Tile(value, value)
    pool = [Tile(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    pool.remove(engine)
    return chance.sample(pool, min(size, len(pool))), engine


@pytest.mark.parametrize("double_rule", [True, False])
@pytest.mark.parametrize("goal", ["tiles", "pips"])
def test_small_hands_against_trying_every_train(goal, double_rule):
    chance = random.Random(f"{goal} {double_rule}")
    for _ in range(400):
        size, highest = chance.randint(0, 9), chance.randint(2, 7)
        hand, engine = random_hand(chance, size, highest)
        plan = best_train(hand, engine, goal=goal, double_rule=double_rule)
        assert plan.exact
        assert_legal(plan, hand, engine, double_rule)
        found = plan.tiles, plan.pips_left
        assert found == best_by_trying(hand, engine, goal, double_rule), (engine, hand)


@pytest.mark.parametrize("double_rule", [True, False])
@pytest.mark.parametrize("goal", ["tiles", "pips"])
def test_hands_full_of_doubles_against_trying_every_train(goal, double_rule):
    chance = random.Random(f"doubles {goal} {double_rule}")
    for _ in range(150):
        highest = chance.randint(3, 6)
        doubles = [Tile(n, n) for n in range(highest)]
        others = [Tile(a, b) for b in range(highest + 1) for a in range(b)]
        hand = doubles + chance.sample(others, chance.randint(3, 6))
        engine = Tile(highest, highest)
        plan = best_train(hand, engine, goal=goal, double_rule=double_rule)
        assert_legal(plan, hand, engine, double_rule)
        found = plan.tiles, plan.pips_left
        assert found == best_by_trying(hand, engine, goal, double_rule), (engine, hand)


@given(
    hand=st.sets(st.sampled_from(TILES_12), max_size=40),
    value=st.integers(0, 12),
    goal=st.sampled_from(["tiles", "pips"]),
    double_rule=st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_every_train_is_legal_and_the_goals_agree_with_their_names(hand, value, goal, double_rule):
    engine = Tile(value, value)
    hand = sorted(hand - {engine})
    plan = best_train(hand, engine, goal=goal, double_rule=double_rule)
    assert_legal(plan, hand, engine, double_rule)
    other = best_train(
        hand, engine, goal="pips" if goal == "tiles" else "tiles", double_rule=double_rule
    )
    long, light = (plan, other) if goal == "tiles" else (other, plan)
    assert (long.tiles, -long.pips_left) >= (light.tiles, -light.pips_left)
    assert (light.pips_left, -light.tiles) <= (long.pips_left, -long.tiles)
    free = best_train(hand, engine, goal=goal, double_rule=False)
    assert free.tiles >= plan.tiles if goal == "tiles" else free.pips_left <= plan.pips_left


def test_a_double_that_nothing_can_follow_stays_in_hand():
    plan = best_train(hand_of("12-5 5-5 3-4"), tile("12-12"))
    assert plan.train == ((12, 5),)
    assert plan.left == (tile("3-4"), tile("5-5"))


def test_a_double_may_end_the_train_when_nothing_remains():
    plan = best_train(hand_of("12-5 5-5"), tile("12-12"))
    assert plan.train == ((12, 5), (5, 5))
    assert plan.left == ()


def test_without_the_double_rule_a_double_may_end_the_train():
    plan = best_train(hand_of("12-5 5-5 3-4"), tile("12-12"), double_rule=False)
    assert plan.train == ((12, 5), (5, 5))


def test_a_double_goes_in_when_the_train_passes_its_value():
    plan = best_train(hand_of("12-5 5-5 5-9 1-1"), tile("12-12"))
    assert plan.train == ((12, 5), (5, 5), (5, 9))


def test_a_value_passed_twice_covers_its_double_on_the_way():
    plan = best_train(hand_of("12-5 5-5 5-9 9-2 2-5 1-1"), tile("12-12"))
    assert plan.tiles == 5
    assert_legal(plan, hand_of("12-5 5-5 5-9 9-2 2-5 1-1"), tile("12-12"), True)


def test_the_longest_train_and_the_lightest_hand_can_differ():
    hand = hand_of("6-0 0-1 1-2 6-12 12-12")
    assert best_train(hand, tile("6-6")).train == ((6, 0), (0, 1), (1, 2))
    lightest = best_train(hand, tile("6-6"), goal="pips", double_rule=False)
    assert lightest.train == ((6, 12), (12, 12))


def test_ties_are_settled_by_the_other_goal():
    hand = hand_of("12-3 12-5")
    assert best_train(hand, tile("12-12")).train == ((12, 5),)
    blank = best_train(hand_of("12-0 0-0 12-1 0-1"), tile("12-12"), goal="pips")
    assert blank.tiles == 4


def test_the_double_blank_counts_no_pips_left():
    plan = best_train(hand_of("12-1 0-0"), tile("12-12"))
    assert plan.left == (Tile(0, 0),)
    assert plan.pips_left == 0


def test_the_engine_may_be_the_double_blank():
    plan = best_train(hand_of("0-4 4-4 4-1"), tile("0-0"))
    assert plan.train == ((0, 4), (4, 4), (4, 1))


@pytest.mark.parametrize("hand", ["", "3-4 5-5"])
def test_nothing_to_lay_is_an_empty_train_that_is_certain(hand):
    plan = best_train(hand_of(hand), tile("12-12"), hurry=lambda: True)
    assert (plan.train, plan.left, plan.exact) == ((), tuple(hand_of(hand)), True)


def test_the_whole_set_of_double_18_is_planned():
    hand = [t for t in DominoSet(18) if t != Tile(18, 18)]
    plan = best_train(hand, Tile(18, 18))
    assert_legal(plan, hand, Tile(18, 18), True)
    assert plan.left == ()


def test_when_the_time_is_over_the_best_found_is_given_and_called_not_exact():
    hand, engine = hand_of(HARD_25), tile("3-3")
    best = best_train(hand, engine)
    hurried = best_train(hand, engine, hurry=lambda: True)
    assert best.exact and not hurried.exact
    assert 0 < hurried.tiles <= best.tiles
    assert_legal(hurried, hand, engine, True)


def test_more_time_never_gives_a_worse_train_and_the_end_is_exact():
    hand, engine = hand_of(HARD_25), tile("3-3")
    worths = []
    for steps in range(400):
        left = iter(range(steps))
        plan = best_train(hand, engine, hurry=lambda: next(left, None) is None)
        worths.append((plan.tiles, -plan.pips_left))
        if plan.exact:
            break
    assert plan.exact and len(worths) > 2
    assert worths == sorted(worths)
    assert worths[-1][0] == best_train(hand, engine).tiles


def test_each_better_train_is_told():
    told = []
    plan = best_train(hand_of(HARD_25), tile("3-3"), progress=told.append)
    assert [(p.tiles, -p.pips_left) for p in told] == sorted((p.tiles, -p.pips_left) for p in told)
    assert not any(p.exact for p in told)
    assert told[-1].train == plan.train


@pytest.mark.parametrize(
    "engine, hand, sentence",
    [
        ("5-12", "3-4", "The 5-12 is no engine: name a double like 12-12."),
        ("12-12", "3-4 4-3", "The 3-4 is given twice: every tile exists once, so name it once."),
        (
            "9-9",
            "3-4 9-9",
            "The 9-9 lies in the hub as the engine: leave it out of the hand.",
        ),
        ("12-12", "3-4 queen", "'queen' is no tile: write its two ends like 5-12."),
        ("twelve", "3-4", "'twelve' is no tile: write its two ends like 5-12."),
        ("12-12", "3-19", "3-19 is no tile: ends go from 0 to 18."),
    ],
)
def test_refusals_are_sentences(engine, hand, sentence):
    with pytest.raises(Trouble) as refused:
        plan_train([hand], engine=engine)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_a_time_limit_below_nothing_is_refused(seconds):
    with pytest.raises(Trouble, match="give 0 or more"):
        plan_train(["3-4"], engine="12-12", time_limit=seconds)


def test_an_unknown_goal_is_refused():
    with pytest.raises(Trouble, match="choose tiles or pips"):
        plan_train(["3-4"], engine="12-12", goal="points")


def test_the_command_says_json_with_the_tiles_as_laid():
    said = best_train_command(
        ["5-12", "9-5", "5-5", "4-3"], engine="12-12", json_out=True, double_rule=True
    )
    assert json.loads(said) == {
        "train": ["12-5", "5-5", "5-9"],
        "left": ["3-4"],
        "tiles": 3,
        "pips_left": 7,
        "exact": True,
    }


def test_the_command_says_the_train_in_words():
    said = best_train_command(["5-12", "9-5, 4-3"], engine="12-12")
    assert said == ("2 of 3 tiles, laid from the 12-12:\n  12-5  5-9\nLeft in hand, 7 pips:\n  3-4")
    assert best_train_command(["5-12"], engine="12-12") == (
        "1 of 1 tile, laid from the 12-12:\n  12-5\nNothing is left in hand."
    )


def test_no_start_in_hand_is_said_kindly():
    said = best_train_command(["3-4", "5-5"], engine="12-12")
    assert said == "No tile fits the 12-12: draw, or open your train."
    assert best_train_command([], engine="12-12") == "The hand is empty: there is nothing to lay."


def test_a_train_that_is_not_certain_says_so():
    told = plan_train([HARD_25], engine="3-3", time_limit=0.0)
    assert not told["exact"]
    assert say_plan(told, "3-3").endswith("to be sure that nothing is better.")


def test_a_long_search_says_how_far_it_is(monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr("companion.planning.monotonic", lambda: 2.0 * next(clock))
    said = []
    told = plan_train([HARD_25], engine="3-3", time_limit=1000.0, tell=said.append)
    assert told["exact"]
    assert said[-1] == f"Best so far: {told['tiles']} tiles, {told['pips_left']} pips left."


@pytest.mark.parametrize("goal", ["tiles", "pips"])
@pytest.mark.parametrize("size, hands, seconds", [(25, 60, 0.2), (35, 30, 2.0)])
def test_big_hands_are_planned_in_time(size, hands, seconds, goal):
    chance = random.Random(size)
    drawn = [random_hand(chance, size, 12) for _ in range(hands)]
    drawn.append((hand_of(HARD_25 if size == 25 else HARD_35), tile("3-3")))
    for hand, engine in drawn:
        begun = time.perf_counter()
        plan = best_train(hand, engine, goal=goal)
        assert time.perf_counter() - begun < SLACK * seconds
        assert plan.exact
        assert_legal(plan, hand, engine, True)
