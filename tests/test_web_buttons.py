"""The pins of the buttons on the page of camera and lamps, and what became of the last press."""

from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.pressing import Pressing
from hardware.buttons import Buttons
from tests.visitor import OPEN, START, Place, sentences


@pytest.fixture(autouse=True)
def factory(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    return factory


def page_with(folder: Path, *pins: int) -> str:
    """The page's words with buttons on these pins."""
    with Buttons(pins, lambda seat, what: None) as buttons:
        place = Place(folder, buttons=buttons)
        place.play(START, OPEN)
        said = sentences(place.visitor().get("/camera"))
        place.game.close()
    return said


def test_every_button_is_there_with_its_seat_and_its_pin(tmp_path: Path) -> None:
    said = page_with(tmp_path, 4, 5, 6, 16)
    assert "Buttons Seat 1 Red GPIO4 pin 7 Seat 2 Blue GPIO5 pin 29" in said
    assert "Seat 4 Nobody GPIO16 pin 36" in said
    assert "Held for six: the machine shuts down." in said


def test_the_one_of_the_table_is_named_so(tmp_path: Path) -> None:
    assert "Buttons The table's button GPIO26 pin 37" in page_with(tmp_path, 26)


def test_without_buttons_there_is_nothing_of_them(tmp_path: Path) -> None:
    assert "Buttons" not in page_with(tmp_path)


def test_a_press_that_was_refused_is_told_there(tmp_path: Path, factory: MockFactory) -> None:
    place = Place(tmp_path)
    with Buttons((4, 5), Pressing(place.game)) as buttons:
        buttons.said = Pressing(place.game)(1, "mark")
        (tmp_path / "page").mkdir()
        shown = Place(tmp_path / "page", buttons=buttons)
        said = sentences(shown.visitor().get("/camera"))
        shown.game.close()
    place.game.close()
    assert "No game has been started: start one first." in said
