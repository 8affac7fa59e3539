"""Which lamp or button hangs on which pin: one table for page, command line, paper and wire.

Knows the 40-pin header of the Raspberry Pi, and touches no pin.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.edges import Wire

HEADER = {
    **{
        2: 3,
        3: 5,
        4: 7,
        14: 8,
        15: 10,
        17: 11,
        18: 12,
        27: 13,
        22: 15,
        23: 16,
        24: 18,
        10: 19,
    },
    **{
        9: 21,
        25: 22,
        11: 23,
        8: 24,
        7: 26,
        5: 29,
        6: 31,
        12: 32,
        13: 33,
        19: 35,
        16: 36,
        26: 37,
    },
    **{20: 38, 21: 40},
}
"""Where each BCM number is on the header, counted as it is printed beside it."""


def wires(pins: Sequence[int | None]) -> list[Wire]:
    """The lamps of these pins in their order, the Mexican Train's last."""
    last = len(pins) - 1
    return [_wire(None if place == last else place + 1, pin) for place, pin in enumerate(pins)]


def button_wires(pins: Sequence[int | None]) -> list[Wire]:
    """The buttons of these pins in their order; one alone is the whole table's."""
    alone = len(pins) == 1
    return [_wire(None if alone else place, pin) for place, pin in enumerate(pins, start=1)]


def _wire(seat: int | None, pin: int | None) -> Wire:
    return Wire(seat, pin, None if pin is None else HEADER.get(pin))
