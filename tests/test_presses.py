"""What a press of a button means, by seconds and by the table."""

import pytest

from companion.errors import RuleBroken
from companion.presses import HELD, LONG, STEADY, TOO_LONG, Press, action_of, meaning
from companion.report import report
from companion.table import Table, replay

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
ROUND = [START, {"action": "open_round", "starter": "Bob"}]
TICK = 0.01


def heard(*spans: tuple[bool, float], press: Press | None = None) -> list[tuple[float, str]]:
    """What is heard, and when, of a contact that is closed or open for these spans of seconds."""
    press, now, told = press or Press(), 100.0, []
    for closed, seconds in spans:
        for _ in range(round(seconds / TICK)):
            what = press.step(closed, now)
            if what:
                told.append((round(now - 100, 2), what))
            now += TICK
    return told


OPEN = (False, 0.5)


@pytest.mark.parametrize(
    ("seconds", "what"),
    [
        (0.05, "mark"),
        (0.99, "mark"),
        (1.0, "knock"),
        (2.99, "knock"),
        (3.0, None),
        (5.9, None),
    ],
)
def test_the_length_of_a_press_says_what_it_means(seconds: float, what: str | None) -> None:
    assert meaning(seconds) == what
    told = heard(OPEN, (True, seconds), OPEN)
    assert [said for _, said in told] == ([what] if what else [])


def test_the_lengths_are_those_that_people_are_told() -> None:
    assert (LONG, TOO_LONG, HELD) == (1.0, 3.0, 6.0)
    assert STEADY < 0.05 < LONG


def test_a_held_button_shuts_down_while_it_is_held_and_only_once() -> None:
    told = heard(OPEN, (True, 30.0), OPEN)
    assert [what for _, what in told] == ["shut down"]
    assert told[0][0] == pytest.approx(0.5 + HELD, abs=2 * TICK)


def test_a_contact_that_bounces_is_one_press() -> None:
    bounce = ((True, 0.01), (False, 0.01), (True, 0.02), (False, 0.01))
    told = heard(OPEN, *bounce, (True, 0.4), (False, 0.02), (True, 0.01), OPEN)
    assert [what for _, what in told] == ["mark"]


def test_a_spark_on_the_wire_is_no_press() -> None:
    assert heard(OPEN, (True, 0.02), OPEN, (True, 0.02), OPEN) == []


def test_a_button_that_is_stuck_from_the_beginning_means_nothing() -> None:
    press = Press()
    assert heard((True, 60.0), press=press) == []
    assert press.stuck and press.resting
    assert [what for _, what in heard(OPEN, (True, 0.2), OPEN, press=press)] == ["mark"]
    assert not press.stuck and press.resting


def test_two_presses_are_two() -> None:
    told = heard(OPEN, (True, 0.1), (False, 0.1), (True, 0.1), OPEN)
    assert [what for _, what in told] == ["mark", "mark"]


def test_a_press_does_not_rest_before_it_is_over() -> None:
    press = Press()
    heard(OPEN, (True, 0.2), press=press)
    assert not press.resting
    heard(OPEN, press=press)
    assert press.resting


def on(*actions: dict[str, object]) -> dict[str, object]:
    return report(replay([*ROUND, *actions]))


def test_a_short_press_marks_and_clears_ones_own_train() -> None:
    assert action_of("mark", 3, on()) == {"action": "mark", "train": "Cem", "by": "Cem"}
    marked = on({"action": "mark", "train": "Cem"})
    assert action_of("mark", 3, marked) == {"action": "unmark", "train": "Cem", "by": "Cem"}


def test_a_long_press_says_my_last_tile() -> None:
    assert action_of("knock", 1, on()) == {"action": "knock", "player": "Ann", "by": "Ann"}


def test_the_tables_button_means_whose_turn_it_is() -> None:
    assert action_of("mark", None, on())["train"] == "Bob"
    turned = on({"action": "turn", "player": "Cem"})
    assert action_of("knock", None, turned)["player"] == "Cem"


def test_where_nobody_is_meant_it_says_what_to_do() -> None:
    unknown = report(replay([START, {"action": "open_round"}]))
    for seat, table, sentence in (
        (1, report(Table.empty()), "No game has been started: start one first."),
        (4, on(), "Nobody sits at seat 4: press the button of your own seat."),
        (None, unknown, "Nobody's turn is known: tap whose turn it is first."),
    ):
        with pytest.raises(RuleBroken) as refusal:
            action_of("mark", seat, table)
        assert str(refusal.value) == sentence
