"""An evening's lamps, action by action: what is meant, what is told, and what the pins do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.lamps import brightness, lamps
from companion.replaying import read_line
from companion.report import report
from companion.table import Table
from hardware.lights import DEFAULT_PINS, TrainLights

EVENINGS = sorted(Path(__file__).parent.glob("evenings/*.jsonl"))

MOMENTS = (0.1, 0.3, 0.9, 1.7, 1.9)
"""Seconds into the blinking that tell all the ways to blink apart."""
PATTERNS = {
    "-": ("off", "00000"),
    "lit": ("steady", "11111"),
    "SLOW": ("slow", "11100"),  # a double on a marked train: mostly lit
    "slow": ("slow", "11000"),  # a double on an unmarked one: mostly dark
    "fast": ("fast", "10110"),
}
"""What each word means: the state that is told, and whether the pin is on at those moments."""

ANN, BOB, CEM, MEXICAN = "Ann", "Bob", "Cem", "mexican"
OVER = [{"action": "hand", "player": name, "pips": 5} for name in (BOB, CEM)]
SCRIPT: list[tuple[dict[str, Any], str]] = [
    # what is done                                                     Ann  Bob  Cem  Mexican Train
    ({"action": "start_game", "players": [ANN, BOB, CEM], "set": 12, "rules": "classic"},
     "-    -    -    -"),
    ({"action": "open_round", "starter": ANN}, "-    -    -    -"),
    ({"action": "mark", "train": BOB}, "-    lit  -    -"),
    ({"action": "start_mexican_train"}, "-    lit  -    lit"),
    ({"action": "lay_double", "train": BOB, "value": 5, "player": ANN}, "-    fast -    lit"),
    ({"action": "turn", "player": CEM}, "-    SLOW fast lit"),
    ({"action": "cover", "train": BOB, "player": ANN}, "-    lit  -    lit"),
    ({"action": "turn", "player": BOB}, "-    lit  -    lit"),
    ({"action": "lay_double", "train": ANN, "value": 7, "player": BOB}, "slow lit  fast lit"),
    ({"action": "mark", "train": CEM}, "slow lit  fast lit"),
    ({"action": "release", "train": ANN}, "-    lit  lit  lit"),
    ({"action": "lay_double", "train": MEXICAN, "value": 3, "player": CEM}, "fast lit  lit  SLOW"),
    ({"action": "undo"}, "-    lit  lit  lit"),
    ({"action": "unmark", "train": BOB}, "-    -    lit  lit"),
    ({"action": "knock", "player": ANN}, "-    -    lit  lit"),
    ({"action": "go_out", "player": ANN}, "-    -    lit  lit"),
    (OVER[0], "-    -    lit  lit"),
    (OVER[1], "-    -    lit  lit"),
    ({"action": "close_round"}, "-    -    -    -"),
    ({"action": "open_round"}, "-    -    -    -"),
]  # fmt: skip


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lights(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[TrainLights]:
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    with TrainLights(clock=clock) as lights:
        yield lights


def pins_at(lights: TrainLights, clock: Clock, told: dict[str, Any], now: float) -> list[float]:
    """How bright the pins of a table's lamps are at this moment, the Mexican Train's last."""
    clock.now = now
    lights.show(told)
    lights.lamps(told["revision"])
    seats = DEFAULT_PINS[: len(told["game"]["players"])]
    return [lights.factory.pin(pin).state for pin in (*seats, DEFAULT_PINS[-1])]


def test_the_pins_do_what_the_table_says_at_every_step(lights: TrainLights, clock: Clock) -> None:
    table = Table.empty()
    for action, words in SCRIPT:
        table = table.after(action)
        told = report(table)
        states, patterns = zip(*(PATTERNS[word] for word in words.split()))
        assert tuple(lamp.state for lamp in lamps(told)) == states, action
        seen = [pins_at(lights, clock, told, moment) for moment in MOMENTS]
        drawn = tuple("".join(str(int(pin)) for pin in column) for column in zip(*seen))
        assert drawn == patterns, action


@pytest.mark.parametrize(
    "evening",
    [path for path in EVENINGS if "fourteen" not in path.stem],
    ids=lambda path: path.stem,
)
def test_the_pins_follow_every_action_of_a_recorded_evening(
    lights: TrainLights, clock: Clock, evening: Path
) -> None:
    table, steps = Table.empty(), 0
    for line in evening.read_text().splitlines():
        if not line.startswith("{"):
            continue
        table = table.after(read_line(line))
        told, steps = report(table), steps + 1
        if len(told["game"]["players"]) > 8:
            continue
        now = MOMENTS[steps % len(MOMENTS)]
        meant = [brightness(lamp.state, lamp.marked, now) for lamp in lamps(told)]
        assert pins_at(lights, clock, told, now) == meant, line
    assert steps > 10
