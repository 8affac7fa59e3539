"""The table of the pins: what gpiozero knows of the header, and whose lamp is whose."""

from gpiozero.pins.mock import MockFactory

from companion.config import USABLE_PINS
from companion.edges import Wire
from hardware.lights import DEFAULT_PINS
from hardware.wiring import HEADER, wires


def test_the_header_is_the_one_that_gpiozero_knows() -> None:
    board = MockFactory().board_info
    for pin in USABLE_PINS:
        assert [place.number for _, place in board.find_pin(f"GPIO{pin}")] == [HEADER[pin]]
    assert HEADER.keys() == set(USABLE_PINS)


def test_the_seats_come_in_order_and_the_mexican_train_last() -> None:
    table = wires(DEFAULT_PINS)
    assert [wire.seat for wire in table] == [1, 2, 3, 4, 5, 6, 7, 8, None]
    assert (table[0], table[-1]) == (Wire(1, 17, 11), Wire(None, 13, 33))
    assert wires([5, None, 16])[1] == Wire(2, None, None)
