"""What every lamp should show, and how bright it is at a moment: pure functions of the table.

A lamp stands at each seat and one at the Mexican Train. Knows no pins and no clock: seconds are
handed in. Everything is stated anew each time, never by difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from companion.actions import MEXICAN

State = Literal["off", "steady", "slow", "fast"]

SLOW_PERIOD = 2.0
"""Seconds of one slow blink."""

SLOW_LONG = 0.75
"""Part of a slow blink that a marked train is lit, and an unmarked one dark."""

FAST_PERIOD = 0.4
"""Seconds of one fast blink: 2.5 a second stays below the 3 that can trouble people."""

WALK_STEP = 1.5
"""Seconds that each lamp is lit on a walk: time to look from the page to the table."""


class Lamp(NamedTuple):
    """One lamp's duty. ``marked`` says which way a slow blink leans."""

    train: str
    state: State
    marked: bool


def lamps(report: Mapping[str, Any]) -> list[Lamp]:
    """Every lamp for the replay JSON of a table: the seats in order, then ``mexican``.

    Fast: this seat must cover an open double now. Slow: an open double lies on this train.
    Steady: the train is marked, open to all; for the Mexican Train: it has begun. Once a round
    is counted its tiles and markers come off the table, so every lamp is off until the next one
    opens, although the JSON keeps telling of that round.
    """
    game = report["game"]
    played = report["phase"] in ("playing", "scoring")
    open_trains = set(report["open_trains"]) if played else set()
    if played and report["mexican_train"]:
        open_trains.add(MEXICAN)
    doubled = {double["train"] for double in report["open_doubles"]} if played else set()
    coverer = report["to_cover"] if doubled else None
    return [
        Lamp(train, _state(train, coverer, doubled, open_trains), train in open_trains)
        for train in [*(game["players"] if game else ()), MEXICAN]
    ]


def _state(train: str, coverer: str | None, doubled: set[str], open_trains: set[str]) -> State:
    if train == coverer:
        return "fast"
    if train in doubled:
        return "slow"
    return "steady" if train in open_trains else "off"


def lamp_states(report: Mapping[str, Any]) -> list[tuple[str, State]]:
    """Train and state of every lamp, in seat order, ``mexican`` last."""
    return [(lamp.train, lamp.state) for lamp in lamps(report)]


def brightness(state: State, marked: bool, seconds: float) -> float:
    """How bright a lamp is, 0 to 1, so many seconds after any fixed moment.

    All lamps of one state blink together. A slow blink is mostly lit on a marked train and
    mostly dark on an unmarked one, so that both facts can be seen without colour.
    """
    if state == "steady":
        return 1.0
    if state == "fast":
        return 1.0 if seconds % FAST_PERIOD < FAST_PERIOD / 2 else 0.0
    if state == "slow":
        lit = SLOW_LONG if marked else 1 - SLOW_LONG
        return 1.0 if seconds % SLOW_PERIOD < lit * SLOW_PERIOD else 0.0
    return 0.0


def walk_step(count: int, seconds: float) -> int | None:
    """Which of so many lamps a walk lights so many seconds after it began; None at its end."""
    step = int(seconds // WALK_STEP)
    return step if 0 <= step < count else None
