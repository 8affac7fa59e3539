"""Buttons on mock pins: presses become the actions that taps would send."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion import config
from companion.edges import Wire
from companion.errors import Trouble
from companion.game import Game
from companion.journal import Journal
from companion.pressing import UNPLUG, Pressing
from companion.report import report
from hardware.buttons import NO_BUTTONS, SEAT_PINS, TABLE_PIN, Buttons
from hardware.lights import DEFAULT_PINS, TrainLights
from running import eventually

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
ANN, BOB, CEM = SEAT_PINS[:3]


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """The pins of a mock Pi, which gpiozero takes for the machine's own."""
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    return factory


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with Game(Journal.open(tmp_path / "games.db")) as game:
        game.play(START)
        game.play({"action": "open_round", "starter": "Bob"})
        yield game


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the seconds, so that holding does not take long."""
    for name, value in (("LONG", 0.3), ("TOO_LONG", 0.6), ("HELD", 0.9)):
        monkeypatch.setattr(f"companion.presses.{name}", value)


class Machine:
    """A machine's power that remembers what was asked of it."""

    def __init__(self, refusal: str | None = None) -> None:
        self.asked: list[str] = []
        self.refusal = refusal

    def shut_down(self) -> str | None:
        self.asked.append("shut down")
        return self.refusal

    def restart(self) -> str | None:
        raise AssertionError

    def update(self) -> str | None:
        raise AssertionError


def press(factory: MockFactory, pin: int, seconds: float = 0.15) -> None:
    """Close the contact to ground for a while, as a finger does, and not at once after another."""
    time.sleep(0.12)
    factory.pin(pin).drive_low()
    time.sleep(seconds)
    factory.pin(pin).drive_high()


def open_trains(game: Game) -> list[str]:
    return list(report(game.table)["open_trains"])


def test_a_short_press_marks_and_another_clears(factory: MockFactory, game: Game) -> None:
    with Buttons(SEAT_PINS, Pressing(game)):
        press(factory, CEM)
        assert eventually(lambda: open_trains(game) == ["Cem"])
        assert game.table.last is not None and game.table.last.by == "Cem"
        press(factory, CEM)
        assert eventually(lambda: open_trains(game) == [])


def test_a_long_press_is_the_last_tile(quick: None, factory: MockFactory, game: Game) -> None:
    with Buttons(SEAT_PINS, Pressing(game)):
        press(factory, ANN, 0.4)
        assert eventually(lambda: report(game.table)["knocked"] == ["Ann"])
        press(factory, ANN, 0.7)
        time.sleep(0.1)
        assert open_trains(game) == []


def test_the_tables_one_button_acts_for_whose_turn_it_is(factory: MockFactory, game: Game) -> None:
    with Buttons((TABLE_PIN,), Pressing(game)) as buttons:
        assert buttons.wires() == [Wire(None, TABLE_PIN, 37)]
        press(factory, TABLE_PIN)
        assert eventually(lambda: open_trains(game) == ["Bob"])


def test_a_button_that_is_held_shuts_the_machine_down_once(
    quick: None, factory: MockFactory, game: Game
) -> None:
    machine = Machine()
    with Buttons(SEAT_PINS, Pressing(game, machine)) as buttons:
        press(factory, BOB, 1.3)
        assert machine.asked == ["shut down"] and buttons.said == UNPLUG
        time.sleep(0.1)
        assert open_trains(game) == [] and machine.asked == ["shut down"]


def test_a_machine_that_cannot_shut_down_says_so(game: Game) -> None:
    said = Pressing(game)(1, "shut down")
    assert said == "This machine cannot shut itself down: shut it down by hand."
    refusal = "Not allowed: ask who set it up."
    assert Pressing(game, Machine(refusal))(1, "shut down") == refusal


def test_a_bouncing_contact_is_one_press(factory: MockFactory, game: Game) -> None:
    with Buttons(SEAT_PINS, Pressing(game)):
        time.sleep(0.06)
        before = game.table.revision
        for _ in range(6):
            factory.pin(ANN).drive_low()
            factory.pin(ANN).drive_high()
        press(factory, ANN)
        assert eventually(lambda: open_trains(game) == ["Ann"])
        time.sleep(0.1)
        assert game.table.revision == before + 1


def test_a_stuck_button_does_nothing_is_named_and_the_others_work(
    quick: None, factory: MockFactory, game: Game
) -> None:
    machine = Machine()
    factory.pin_class = Closed
    with Buttons((ANN, BOB), Pressing(game, machine)) as buttons:
        assert eventually(lambda: buttons.trouble)
        assert f"The button on GPIO{ANN} is stuck" in str(buttons.trouble)
        time.sleep(1.1)
        assert machine.asked == [] and open_trains(game) == []
        press(factory, BOB)
        assert eventually(lambda: open_trains(game) == ["Bob"])
        factory.pin(ANN).drive_high()
        assert eventually(lambda: buttons.trouble is None)
        press(factory, ANN)
        assert eventually(lambda: set(open_trains(game)) == {"Ann", "Bob"})


class Closed(MockPWMPin):
    """A pin whose contact is closed before anybody listens, at the first button."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == f"GPIO{ANN}":
            self._change_state(False)


def test_what_the_rules_refuse_is_said_and_changes_nothing(
    factory: MockFactory, tmp_path: Path
) -> None:
    with Game(Journal.open(tmp_path / "empty.db")) as game:
        with Buttons(SEAT_PINS, Pressing(game)) as buttons:
            press(factory, ANN)
            assert eventually(lambda: buttons.said == "No game has been started: start one first.")
            game.play(START)
            press(factory, ANN)
            assert eventually(lambda: "No round is open" in str(buttons.said))
            assert game.table.revision == 1
            game.play({"action": "open_round"})
            press(factory, ANN)
            assert eventually(lambda: open_trains(game) == ["Ann"] and buttons.said is None)


def test_a_listener_that_fails_harms_no_later_press(factory: MockFactory) -> None:
    heard: list[Any] = []

    def listen(seat: int | None, what: str) -> None:
        heard.append((seat, what))
        if len(heard) == 1:
            raise OSError("the disk is full")

    with Buttons(SEAT_PINS, listen):
        press(factory, ANN)
        assert eventually(lambda: heard == [(1, "mark")])
        press(factory, BOB)
        assert eventually(lambda: heard == [(1, "mark"), (2, "mark")])


def test_while_nobody_presses_nothing_is_looked_at(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    look = Buttons._look
    monkeypatch.setattr(Buttons, "_look", lambda self, n: looks.append(n) or look(self, n))
    with Buttons((ANN, BOB), lambda seat, what: None):
        time.sleep(0.15)
        rested = len(looks)
        time.sleep(0.3)
        assert len(looks) == rested


def test_after_closing_the_pins_are_given_back(factory: MockFactory) -> None:
    heard: list[Any] = []
    buttons = Buttons(SEAT_PINS, lambda *told: heard.append(told)).__enter__()
    buttons.close()
    buttons.close()
    with Buttons(SEAT_PINS, lambda *told: heard.append(told)):
        press(factory, ANN)
        assert eventually(lambda: len(heard) == 1)
    press(factory, ANN)
    time.sleep(0.1)
    assert len(heard) == 1


def test_without_gpio_it_is_said_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none of these")
    with Buttons(SEAT_PINS, lambda *told: None) as buttons:
        assert buttons.trouble == NO_BUTTONS
    with Buttons((), lambda *told: None) as none:
        assert none.trouble is None and none.wires() == []


def test_a_pin_that_cannot_be_used_is_named_and_the_others_work(factory: MockFactory) -> None:
    heard: list[Any] = []
    with (
        TrainLights((ANN, 16)),
        Buttons((ANN, BOB), lambda *told: heard.append(told)) as buttons,
    ):
        assert f"The button on GPIO{ANN} cannot be used" in str(buttons.trouble)
        assert [wire.pin for wire in buttons.wires()] == [None, BOB]
        press(factory, BOB)
        assert eventually(lambda: heard == [(2, "mark")])


# ---- the setting ---------------------------------------------------------------------------------


def told(said: str, lamps: tuple[int, ...] = DEFAULT_PINS) -> tuple[int, ...]:
    return config.buttons(said, lamps, SEAT_PINS, TABLE_PIN)


def test_the_usual_pins_of_lamps_and_buttons_go_together() -> None:
    assert told("off") == told("") == ()
    assert told("seats") == SEAT_PINS and told("table") == (TABLE_PIN,)
    assert told("5, 6") == (5, 6)
    assert {*SEAT_PINS, *DEFAULT_PINS} == set(config.USABLE_PINS) - set(config.SPI_PINS)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("17", "buttons names GPIO17, which a lamp has already: choose one of 4, 5, 6, "),
        ("5,5", "buttons names GPIO5 twice: choose one of 4, 6, "),
        ("3", "buttons names GPIO3, which is the I2C bus and has a resistor of its own: choose"),
        ("4,15", "buttons names GPIO15, which is the serial console (UART): choose one of 5, 6,"),
        ("0", "buttons names GPIO0, which belongs to the boards on top (ID EEPROM): choose"),
        ("28", "buttons names 28, which is not on the header: choose one of 4, 5,"),
        ("-4", "buttons names -4, which is not on the header: choose one of"),
        ("door", "buttons must be BCM numbers with commas between them, not 'door'."),
        (
            "4,5,6,16,19,20,21,26,9",
            "buttons names 9 pins, and GPIO9 is one too many: name at most 8, or only one for ",
        ),
    ],
)
def test_a_pin_that_no_button_can_have_is_refused_by_name(said: str, sentence: str) -> None:
    with pytest.raises(Trouble) as trouble:
        told(said)
    assert sentence in str(trouble.value)
