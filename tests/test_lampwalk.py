"""`companion lamps`: the table of the pins, and a walk that ends with all lamps off."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.cli import main
from companion.lampwalk import say_wires, walk_command
from hardware.lights import DEFAULT_PINS, NOT_CONNECTED, TrainLights
from hardware.wiring import wires
from tests.running import ROOT, STARTING, Companion, within

PINS = 'pins = "5, 6, 16"\n'


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """The pins of a mock Pi, which gpiozero takes for the machine's own."""
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    monkeypatch.setattr("companion.lamps.WALK_STEP", 0.15)
    return factory


def run(*args: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["lamps", *map(str, args)])
    return done.exit_code, done.output


def test_the_table_of_the_pins_touches_none(factory: MockFactory, tmp_path: Path) -> None:
    status, said = run("--data", tmp_path)
    assert status == 0
    assert said == say_wires(wires(DEFAULT_PINS)) + "\n"
    assert said.splitlines()[0].split() == [
        "Seat",
        "1",
        "GPIO17",
        "(pin",
        "11",
        "of",
        "the",
        "header)",
    ]
    assert said.splitlines()[-1].startswith("Mexican Train  GPIO13")
    assert factory.pins == {}


def test_the_table_names_the_buttons_too(factory: MockFactory, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(PINS + 'buttons = "20, 21"')
    assert run("--data", tmp_path) == (
        0,
        "Seat 1         GPIO5 (pin 29 of the header)\n"
        "Seat 2         GPIO6 (pin 31 of the header)\n"
        "Mexican Train  GPIO16 (pin 36 of the header)\n"
        "Button 1       GPIO20 (pin 38 of the header)\n"
        "Button 2       GPIO21 (pin 40 of the header)\n",
    )
    (tmp_path / "settings.toml").write_text(PINS + "buttons = 26")
    assert "\nTable's button GPIO26 (pin 37" in run("--data", tmp_path)[1]
    (tmp_path / "settings.toml").write_text(PINS + "buttons = 5")
    status, said = run("--data", tmp_path)
    assert (status, "buttons names GPIO5, which a lamp has already" in said) == (1, True)


def test_the_walk_says_what_is_lit_while_it_is_and_ends_dark(factory: MockFactory) -> None:
    seen = []

    def say(words: str) -> None:
        lit = [pin for pin in (5, 6, 16) if factory.pin(pin).state]
        give_up = time.monotonic() + 0.1
        while not lit and time.monotonic() < give_up:
            time.sleep(0.002)
            lit = [pin for pin in (5, 6, 16) if factory.pin(pin).state]
        seen.append((words.partition(" (")[0], lit))

    with TrainLights((5, 6, 16)) as lights:
        walk_command(lights, say)
    assert [words for words, _ in seen] == [
        "Seat 1: GPIO5",
        "Seat 2: GPIO6",
        "Mexican Train: GPIO16",
    ]
    assert seen[0][1] == [5]
    assert all(len(lit) == 1 for _, lit in seen)
    assert not any(factory.pin(pin).state for pin in (5, 6, 16))


def test_the_command_walks_the_pins_of_the_settings(factory: MockFactory, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(PINS)
    status, said = run("--walk", "--data", tmp_path)
    assert status == 0
    assert said.splitlines() == [
        "Seat 1: GPIO5 (pin 29 of the header) is lit.",
        "Seat 2: GPIO6 (pin 31 of the header) is lit.",
        "Mexican Train: GPIO16 (pin 36 of the header) is lit.",
        "All lamps are off.",
    ]


def test_without_lamps_there_is_nothing_to_walk(factory: MockFactory, tmp_path: Path) -> None:
    status, said = run("--walk", "--lights", "none", "--data", tmp_path)
    assert (status, "There is no lamp to light" in said) == (1, True)
    assert "switched off" in run("--lights", "none", "--data", tmp_path)[1]


def test_while_the_companion_runs_it_is_said_who_holds_the_lamps(tmp_path: Path) -> None:
    with Companion(tmp_path / "data", "--camera", "none") as running:
        status, said = run("--walk", "--data", running.data)
        assert status == 1
        assert said.startswith("Error: The companion is running and holds the lamps: walk them ")
        assert "Camera and lamps" in said
        assert run("--data", running.data)[0] == 0, "the table may be read all the same"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_walk_that_is_stopped_puts_all_lamps_out(tmp_path: Path, how: int) -> None:
    command = [sys.executable, "-m", "companion", "lamps", "--walk", "--data", str(tmp_path)]
    alone = {**os.environ, "GPIOZERO_PIN_FACTORY": "none of these", "PYTHONUNBUFFERED": "1"}
    walking = subprocess.Popen(command, cwd=ROOT, env=alone, text=True, stdout=subprocess.PIPE)
    assert walking.stdout is not None
    with within(STARTING, walking):
        assert walking.stdout.readline() == NOT_CONNECTED + "\n"
        shown = walking.stdout.readline()
        assert shown == "Seat 1: GPIO17 (pin 11 of the header) would be lit.\n"
        walking.send_signal(how)
        said, _ = walking.communicate()
    assert said.splitlines()[-1] == "No lamp was lit."
    assert walking.returncode == 130
