"""The table of the pins: what gpiozero knows of the header, and whose lamp is whose."""

import time

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.config import USABLE_PINS
from companion.edges import Wire
from companion.lamps import WALK_STEP
from companion.report import report
from companion.table import Table
from hardware.buttons import SEAT_PINS, Buttons
from hardware.lights import DEFAULT_PINS, TrainLights
from hardware.wiring import HEADER, button_wires, wires

EMPTY = report(Table.empty())


def test_the_header_is_the_one_that_gpiozero_knows() -> None:
    board = MockFactory().board_info
    for pin in HEADER:
        assert [place.number for _, place in board.find_pin(f"GPIO{pin}")] == [HEADER[pin]]
    assert HEADER.keys() == {*USABLE_PINS, 2, 3, 14, 15}


BOARDS = {
    "Pi 3 B+": ("a020d3", "3B+"),
    "Pi 4 B": ("c03112", "4B"),
    "Pi 5": ("d04170", "5B"),
    "Pi Zero 2 W": ("902120", "Zero2W"),
}
"""Revision codes as these boards tell them, and what gpiozero calls the board."""


@pytest.mark.parametrize("board", BOARDS)
def test_lamps_and_buttons_work_on_every_pi(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    revision, model = BOARDS[board]
    factory = MockFactory(revision=revision, pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    assert factory.board_info.model == model
    for pin in HEADER:
        named = [place.number for _, place in factory.board_info.find_pin(f"GPIO{pin}")]
        assert named == [HEADER[pin]]
    heard: list[object] = []
    with TrainLights() as lights, Buttons(SEAT_PINS, lambda *told: heard.append(told)) as buttons:
        assert lights.trouble is None and buttons.trouble is None
        lights.show({**EMPTY, "mexican_train": True, "phase": "playing"})
        end = time.monotonic() + 2
        while not factory.pin(DEFAULT_PINS[-1]).state and time.monotonic() < end:
            time.sleep(0.005)
        assert factory.pin(DEFAULT_PINS[-1]).state == 1
        assert [factory.pin(pin).pull for pin in SEAT_PINS] == ["up"] * 8
        for drive in (factory.pin(SEAT_PINS[-1]).drive_low, factory.pin(SEAT_PINS[-1]).drive_high):
            time.sleep(0.08)
            drive()
        end = time.monotonic() + 10
        while not heard and time.monotonic() < end:
            time.sleep(0.005)
    assert heard == [(8, "mark")]
    assert not any(factory.pin(pin).state for pin in DEFAULT_PINS)


def test_fifteen_lamps_light_one_after_another() -> None:
    fifteen = (4, 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
    table = wires(fifteen)
    assert [wire.seat for wire in table] == [*range(1, 15), None]
    factory = MockFactory(pin_class=MockPWMPin)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Device, "pin_factory", factory)
        now = [0.0]
        with TrainLights(fifteen, clock=lambda: now[0]) as lights:
            assert lights.walk()
            for pin in fifteen:
                end = time.monotonic() + 2
                while time.monotonic() < end:
                    lit = [other for other in fifteen if factory.pin(other).state]
                    if lit == [pin]:
                        break
                    time.sleep(0.005)
                assert lit == [pin]
                now[0] += WALK_STEP


def test_buttons_come_in_the_order_of_the_seats_and_one_alone_is_the_tables() -> None:
    assert button_wires((4, 5)) == [Wire(1, 4, 7), Wire(2, 5, 29)]
    assert button_wires((26,)) == [Wire(None, 26, 37)]


def test_the_seats_come_in_order_and_the_mexican_train_last() -> None:
    table = wires(DEFAULT_PINS)
    assert [wire.seat for wire in table] == [1, 2, 3, 4, 5, 6, 7, 8, None]
    assert (table[0], table[-1]) == (Wire(1, 17, 11), Wire(None, 13, 33))
    assert wires([5, None, 16])[1] == Wire(2, None, None)
