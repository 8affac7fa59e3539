"""The LEDs: their pins follow the table, and a bad driver harms nothing but its lamps."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from companion.game import Game
from companion.journal import Journal
from companion.lamps import WALK_STEP
from companion.report import report
from companion.table import Table
from hardware.lights import DEFAULT_PINS, NOT_CONNECTED, TrainLights

NAMES = ["Ann", "Bob", "Cem"]
START = {"action": "start_game", "players": NAMES, "set": 12, "rules": "classic"}


def test_the_pins_are_those_that_the_wiring_names() -> None:
    assert DEFAULT_PINS == (17, 18, 27, 22, 23, 24, 25, 12, 13)


ANN, BOB, CEM = DEFAULT_PINS[:3]
MEXICAN = DEFAULT_PINS[-1]


@pytest.fixture
def no_gpio(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero as it is on a machine that is no Pi."""
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none of these")


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """The pins of a mock Pi, which gpiozero takes for the machine's own."""
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    return factory


def eventually(condition) -> bool:
    """Whether the condition comes true within two seconds."""
    end = time.monotonic() + 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return bool(condition())


def lit(factory: MockFactory) -> list[int]:
    """The BCM numbers of the pins that are on, as the mock board has them."""
    return [pin for pin in DEFAULT_PINS if factory.pin(pin).state]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with Game(Journal.open(tmp_path / "games.db")) as game:
        yield game


def follow(game: Game, lights: TrainLights) -> None:
    game.listen(lambda table: lights.show(report(table)))


def told(*actions: dict[str, Any]) -> dict[str, Any]:
    table = Table.empty()
    for action in (START, {"action": "open_round"}, *actions):
        table = table.after(action)
    return report(table)


ANN_MARKED = told({"action": "mark", "train": "Ann"})


def test_the_pins_follow_tap_undo_and_a_new_round(factory: MockFactory, game: Game) -> None:
    game.play(START)
    game.play({"action": "open_round"})
    with TrainLights() as lights:
        follow(game, lights)
        assert eventually(lambda: lit(factory) == [])
        game.play({"action": "mark", "train": "Bob"})
        assert eventually(lambda: lit(factory) == [BOB])
        game.play({"action": "start_mexican_train"})
        assert eventually(lambda: lit(factory) == [BOB, MEXICAN])
        game.play({"action": "undo"})
        assert eventually(lambda: lit(factory) == [BOB])
        for player in NAMES:
            game.play({"action": "hand", "player": player, "pips": 7})
        game.play({"action": "close_round"})
        game.play({"action": "open_round"})
        assert eventually(lambda: lit(factory) == [])
        assert [lamp["state"] for lamp in lights.lamps()] == ["off"] * 4


def test_after_a_restart_the_pins_equal_the_saved_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    with Game(Journal.open(tmp_path / "games.db")) as game, TrainLights() as lights:
        follow(game, lights)
        for action in (START, {"action": "open_round"}, {"action": "mark", "train": "Cem"}):
            game.play(action)
        assert eventually(lambda: lit(lights.factory) == [CEM])
    assert lit(lights.factory) == []
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    with Game(Journal.open(tmp_path / "games.db")) as game, TrainLights() as again:
        follow(game, again)
        assert eventually(lambda: lit(again.factory) == [CEM])


def test_a_blinking_lamp_blinks_on_its_pin(factory: MockFactory) -> None:
    double = told({"action": "lay_double", "train": "Bob", "value": 5, "player": "Bob"})
    with TrainLights() as lights:
        lights.show(double)
        assert [lamp["state"] for lamp in lights.lamps()] == ["off", "slow", "fast", "off"]
        assert eventually(lambda: factory.pin(CEM).state == 1)
        assert eventually(lambda: factory.pin(CEM).state == 0)
        assert eventually(lambda: factory.pin(CEM).state == 1)
        assert factory.pin(ANN).state == 0


def test_lamps_tell_train_pin_state_and_what_the_pin_shows(factory: MockFactory) -> None:
    with TrainLights() as lights:
        assert lights.lamps() == []
        lights.show(ANN_MARKED)
        assert lights.lamps() == [
            {"train": "Ann", "pin": ANN, "state": "steady", "lit": True},
            {"train": "Bob", "pin": BOB, "state": "off", "lit": False},
            {"train": "Cem", "pin": CEM, "state": "off", "lit": False},
            {"train": "mexican", "pin": MEXICAN, "state": "off", "lit": False},
        ]
        assert lights.trouble is None


def test_all_lamps_are_off_after_closing(factory: MockFactory) -> None:
    with TrainLights() as lights:
        lights.show(ANN_MARKED)
        assert eventually(lambda: lit(factory) == [ANN])
    assert lit(factory) == []
    assert factory.pin(ANN).function == "input"


def test_seats_beyond_the_pins_have_none(factory: MockFactory) -> None:
    with TrainLights((5, 6, 16)) as lights:
        lights.show(told({"action": "mark", "train": "Cem"}))
        assert [(lamp["train"], lamp["pin"], lamp["lit"]) for lamp in lights.lamps()] == [
            ("Ann", 5, False),
            ("Bob", 6, False),
            ("Cem", None, False),
            ("mexican", 16, False),
        ]


def test_lamps_of_seats_nobody_sits_at_stay_off(factory: MockFactory) -> None:
    with TrainLights() as lights:
        lights.show(ANN_MARKED)
        lights.show({**report(Table.empty()), "revision": ANN_MARKED["revision"] + 1})
        assert lights.lamps() == [
            {"train": "mexican", "pin": MEXICAN, "state": "off", "lit": False}
        ]
        assert lit(factory) == []


def test_an_older_table_never_comes_back(factory: MockFactory) -> None:
    with TrainLights() as lights:
        lights.show({**ANN_MARKED, "revision": 9})
        lights.show({**report(Table.empty()), "revision": 8})
        assert [lamp["state"] for lamp in lights.lamps()][:1] == ["steady"]
        assert eventually(lambda: lit(factory) == [ANN])
        lights.show({**report(Table.empty()), "revision": 9})
        assert [lamp["state"] for lamp in lights.lamps()] == ["off"], "the same one may"


def test_lamps_wait_a_moment_for_the_table_that_is_asked_for(factory: MockFactory) -> None:
    with TrainLights() as lights:
        later = threading.Timer(0.03, lights.show, [{**ANN_MARKED, "revision": 4}])
        later.start()
        assert [lamp["lit"] for lamp in lights.lamps(4)][:1] == [True]
        later.join(60)


def test_the_default_pins_are_free_on_a_pi() -> None:
    assert len(set(DEFAULT_PINS)) == len(DEFAULT_PINS) == 9
    assert not set(DEFAULT_PINS) & {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}
    assert all(2 <= pin <= 27 for pin in DEFAULT_PINS)


def test_auto_without_gpio_uses_mock_pins_and_says_what_to_install(no_gpio: None) -> None:
    with TrainLights(mode="auto") as lights:
        lights.show(ANN_MARKED)
        assert lights.lamps()[0] == {"train": "Ann", "pin": ANN, "state": "steady", "lit": True}
        assert lights.factory.pin(ANN).state == 1
        assert lights.trouble == NOT_CONNECTED
        assert "sudo apt install python3-lgpio" in NOT_CONNECTED


def test_pi_without_gpio_lights_nothing_and_says_what_to_install(no_gpio: None) -> None:
    with TrainLights(mode="pi") as lights:
        lights.show(ANN_MARKED)
        assert lights.lamps()[0] == {"train": "Ann", "pin": ANN, "state": "steady", "lit": False}
        assert (lights.trouble, lights.factory) == (NOT_CONNECTED, None)


def test_none_touches_no_pin(factory: MockFactory) -> None:
    with TrainLights(mode="none") as lights:
        lights.show(ANN_MARKED)
        assert lights.lamps()[0] == {"train": "Ann", "pin": None, "state": "steady", "lit": False}
        assert lights.trouble is None
    assert factory.pins == {}


def test_pins_without_pwm_are_named_and_the_program_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=MockPin))
    with TrainLights() as lights:
        lights.show(ANN_MARKED)
        assert lights.lamps()[0]["lit"] is False
        assert "cannot be used" in str(lights.trouble)
        assert "install python3-lgpio" in str(lights.trouble)


@pytest.mark.parametrize("pins", [(5, 5, 16), (5, 99, 16)])
def test_a_bad_pin_is_named_and_the_others_light(
    factory: MockFactory, pins: tuple[int, ...]
) -> None:
    with TrainLights(pins) as lights:
        assert f"The lamp on GPIO{pins[1]} cannot be used" in str(lights.trouble)
        lights.show(ANN_MARKED)
        lamps = lights.lamps()
        assert (lamps[0]["pin"], lamps[0]["lit"]) == (5, True)
        assert (lamps[1]["pin"], lamps[1]["lit"]) == (None, False)


class BlockingPin(MockPWMPin):
    """A driver that does not come back while ``blocked``."""

    free = threading.Event()

    def _set_state(self, value: float) -> None:
        self.free.wait(5)
        super()._set_state(value)


@pytest.fixture
def blocking(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=BlockingPin))
    BlockingPin.free.set()
    yield BlockingPin.free
    BlockingPin.free.set()


def test_a_driver_that_blocks_delays_nobody_and_is_named(
    blocking: threading.Event, game: Game
) -> None:
    game.play(START)
    game.play({"action": "open_round"})
    with TrainLights() as lights:
        follow(game, lights)
        assert eventually(lambda: len(lights.lamps()) == 4)
        blocking.clear()
        begun = time.monotonic()
        game.play({"action": "mark", "train": "Ann"})
        lights.show(report(game.table))
        lamps = lights.lamps()
        assert time.monotonic() - begun < 1
        assert (lamps[0]["state"], lamps[0]["lit"]) == ("steady", False)
        assert eventually(lambda: "The lamps do not answer" in str(lights.trouble))
        blocking.set()
        assert eventually(lambda: lights.lamps()[0]["lit"])
        assert lights.trouble is None


class FailingPin(MockPWMPin):
    """A driver that fails on one pin."""

    broken: set[int] = set()

    def _set_state(self, value: float) -> None:
        if self.info.name in {f"GPIO{pin}" for pin in self.broken}:
            raise OSError("no answer")
        super()._set_state(value)


def test_a_lamp_that_fails_is_named_the_others_go_on_and_it_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    factory = MockFactory(pin_class=FailingPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    both = told({"action": "mark", "train": "Ann"}, {"action": "mark", "train": "Bob"})
    monkeypatch.setattr("hardware.lights._RETRY", 0.05)
    with TrainLights() as lights:
        monkeypatch.setattr(FailingPin, "broken", {ANN})
        lights.show(both)
        assert [lamp["lit"] for lamp in lights.lamps()] == [False, True, False, False]
        assert f"The lamp on GPIO{ANN} does not answer (no answer)" in str(lights.trouble)
        monkeypatch.setattr(FailingPin, "broken", set())
        assert eventually(lambda: lights.lamps()[0]["lit"])
        assert eventually(lambda: lights.trouble is None)


# ---- a walk of the lamps -------------------------------------------------------------------------


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_walk_lights_every_pin_in_turn_then_states_the_table(factory: MockFactory) -> None:
    clock = Clock()
    with TrainLights(clock=clock) as lights:
        lights.show(ANN_MARKED)
        assert eventually(lambda: lit(factory) == [ANN])
        assert lights.walking is None
        assert lights.walk()
        for pin in DEFAULT_PINS:
            assert lights.walking == pin
            assert eventually(lambda: lit(factory) == [pin])
            clock.now += WALK_STEP
        assert lights.walking is None
        assert eventually(lambda: lit(factory) == [ANN]), "it ends by itself"


def test_a_tap_during_a_walk_is_shown_at_its_end(factory: MockFactory) -> None:
    clock = Clock()
    with TrainLights((5, 6, 16), clock=clock) as lights:
        lights.show(told())
        lights.walk()
        lights.show(told({"action": "mark", "train": "Bob"}))
        assert [lamp["state"] for lamp in lights.lamps()] == ["off", "steady", "off", "off"]
        assert factory.pin(5).state == 1 and factory.pin(6).state == 0
        clock.now += 3 * WALK_STEP
        assert eventually(lambda: factory.pin(6).state == 1)
        assert factory.pin(5).state == 0


def test_a_walk_begins_anew_and_leaves_out_what_cannot_be_used(factory: MockFactory) -> None:
    clock = Clock()
    with TrainLights((5, 99, 16), clock=clock) as lights:
        lights.walk()
        clock.now += WALK_STEP
        assert lights.walking == 16
        lights.walk()
        assert lights.walking == 5
        assert [wire.pin for wire in lights.wires()] == [5, None, 16]


def test_a_walk_is_cut_short_by_the_end_and_all_are_off(factory: MockFactory) -> None:
    with TrainLights() as lights:
        lights.walk()
        assert eventually(lambda: lit(factory) == [ANN])
        assert not lights.dark
    assert lit(factory) == []
    assert lights.dark
    assert not lights.walk()


def test_a_walk_with_a_driver_that_blocks_delays_nobody(blocking: threading.Event) -> None:
    with TrainLights() as lights:
        blocking.clear()
        begun = time.monotonic()
        assert lights.walk()
        assert time.monotonic() - begun < 0.1
        blocking.set()


@pytest.mark.parametrize("mode", ["none", "pi"])
def test_without_pins_there_is_no_walk(no_gpio: None, mode: str) -> None:
    with TrainLights(mode=mode) as lights:
        assert not lights.walk()
        assert lights.walking is None
        assert bool(lights.wires()) == (mode == "pi")


def test_a_pin_that_another_program_holds_is_named_as_such(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Held(MockPWMPin):
        def __init__(self, *told: Any) -> None:
            raise OSError("'GPIO busy'")

    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=Held))
    with TrainLights((5, 16)) as lights:
        assert "GPIO16 cannot be used, as another program holds it" in str(lights.trouble)


def test_what_a_killed_process_left_lit_is_put_out_and_the_table_stated(
    factory: MockFactory,
) -> None:
    for pin in DEFAULT_PINS:
        factory.pin(pin).function = "output"
        factory.pin(pin).state = 1
    with TrainLights() as lights:
        assert lit(factory) == []
        lights.show(ANN_MARKED)
        assert eventually(lambda: lit(factory) == [ANN])
