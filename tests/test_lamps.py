"""What every lamp shows for a table, and how bright it is at a moment."""

import pytest

from companion.actions import MEXICAN
from companion.lamps import (
    FAST_PERIOD,
    SLOW_PERIOD,
    WALK_STEP,
    Lamp,
    brightness,
    lamp_states,
    lamps,
    walk_step,
)
from companion.report import report
from companion.table import Table, replay

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
ROUND = [START, {"action": "open_round"}]


def states(*actions: dict[str, object]) -> list[tuple[str, str]]:
    return lamp_states(report(replay([*ROUND, *actions])))


def shown(**told: object) -> dict[str, object]:
    """A round in which nothing has happened but what is told."""
    return {**report(replay(ROUND)), **told}


def double(train: str) -> dict[str, object]:
    return {"double": "5-5", "train": train, "player": None}


def test_without_a_game_only_the_mexican_trains_lamp_is_there_and_off() -> None:
    assert lamp_states(report(Table.empty())) == [(MEXICAN, "off")]


def test_a_new_round_lights_nothing() -> None:
    assert states() == [("Ann", "off"), ("Bob", "off"), ("Cem", "off"), (MEXICAN, "off")]


def test_marked_trains_and_the_mexican_train_begun_are_steady() -> None:
    assert states({"action": "mark", "train": "Bob"}, {"action": "start_mexican_train"}) == [
        ("Ann", "off"),
        ("Bob", "steady"),
        ("Cem", "off"),
        (MEXICAN, "steady"),
    ]


def test_an_open_double_blinks_slowly_and_who_must_cover_it_fast() -> None:
    assert states(
        {"action": "mark", "train": "Bob"},
        {"action": "lay_double", "train": "Bob", "value": 5, "player": "Bob"},
    ) == [("Ann", "off"), ("Bob", "slow"), ("Cem", "fast"), (MEXICAN, "off")]


def test_the_lamps_follow_the_seats() -> None:
    moved = [
        START,
        {"action": "move_seat", "player": "Cem", "seat": 1},
        {"action": "open_round"},
        {"action": "mark", "train": "Cem"},
    ]
    assert lamp_states(report(replay(moved))) == [
        ("Cem", "steady"),
        ("Ann", "off"),
        ("Bob", "off"),
        (MEXICAN, "off"),
    ]


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("covers", [False, True])
def test_fast_beats_slow_beats_steady(marked: bool, doubled: bool, covers: bool) -> None:
    told = shown(
        open_trains=["Ann"] if marked else [],
        open_doubles=[double("Bob"), *([double("Ann")] if doubled else [])],
        to_cover="Ann" if covers else "Cem",
    )
    expected = "fast" if covers else "slow" if doubled else "steady" if marked else "off"
    assert lamps(told)[0] == Lamp("Ann", expected, marked)


def test_nobody_blinks_fast_without_an_open_double() -> None:
    assert lamps(shown(to_cover="Ann"))[0].state == "off"


def test_a_double_on_the_mexican_train_blinks_there() -> None:
    assert lamps(shown(mexican_train=True, open_doubles=[double(MEXICAN)]))[-1] == Lamp(
        MEXICAN, "slow", True
    )


@pytest.mark.parametrize("last", [[], [{"action": "finish_game"}]])
def test_once_a_round_is_counted_every_lamp_is_off_until_the_next(last: list[object]) -> None:
    told: list[dict[str, object]] = [
        {"action": "mark", "train": "Bob"},
        {"action": "start_mexican_train"},
        {"action": "lay_double", "train": "Cem", "value": 5, "player": "Cem"},
        *({"action": "hand", "player": player, "pips": 3} for player in ("Ann", "Bob", "Cem")),
    ]
    assert dict(states(*told))["Bob"] == "steady", "while hands are scored they still lie there"
    counted = report(replay([*ROUND, *told, {"action": "close_round"}, *last]))
    assert counted["open_trains"] and counted["open_doubles"], "the JSON tells of the last round"
    assert lamps(counted) == [Lamp(t, "off", False) for t in ("Ann", "Bob", "Cem", MEXICAN)]


def lit_part(state: str, marked: bool, period: float) -> float:
    moments = [brightness(state, marked, 1000 + period * n / 200) for n in range(200)]
    assert set(moments) <= {0.0, 1.0}
    return sum(moments) / 200


@pytest.mark.parametrize(
    ("state", "marked", "period", "part"),
    [
        ("off", False, 1.0, 0.0),
        ("steady", True, 1.0, 1.0),
        ("slow", True, SLOW_PERIOD, 0.75),
        ("slow", False, SLOW_PERIOD, 0.25),
        ("fast", True, FAST_PERIOD, 0.5),
        ("fast", False, FAST_PERIOD, 0.5),
    ],
)
def test_how_long_a_lamp_is_lit(state: str, marked: bool, period: float, part: float) -> None:
    assert lit_part(state, marked, period) == pytest.approx(part, abs=0.01)


def test_fast_is_several_times_slow_and_below_what_can_trouble_people() -> None:
    assert SLOW_PERIOD / FAST_PERIOD >= 4
    assert 1 / FAST_PERIOD < 3


def test_a_walk_lights_each_lamp_once_in_turn_and_ends() -> None:
    steps = [walk_step(3, WALK_STEP * n / 10) for n in range(40)]
    assert steps == [0] * 10 + [1] * 10 + [2] * 10 + [None] * 10
    assert walk_step(0, 0.0) is None and walk_step(3, -0.1) is None
