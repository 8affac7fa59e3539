"""``companion lamps``: the table of the pins, and a walk that lights each lamp in turn.

Says what the lamps do while they do it. Knows no pin library; the lamps are handed in.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from companion.edges import Lights, Wire
from companion.errors import DeviceTrouble

_LOOK = 0.02
"""Seconds between two looks at which lamp is lit."""


def seat_name(wire: Wire) -> str:
    """Whose lamp it is, in words."""
    return "Mexican Train" if wire.seat is None else f"Seat {wire.seat}"


def pin_name(wire: Wire) -> str:
    """Where its wire goes: the BCM number, and the place on the header."""
    if wire.pin is None:
        return "cannot be used"
    return f"GPIO{wire.pin}" + (f" (pin {wire.header} of the header)" if wire.header else "")


def say_wires(wires: Sequence[Wire]) -> str:
    """The table of the pins, a line each."""
    if not wires:
        return "The lamps are switched off in the settings (lights = none)."
    return "\n".join(f"{seat_name(wire):<15}{pin_name(wire)}" for wire in wires)


def say_buttons(wires: Sequence[Wire]) -> str:
    """The table of the buttons' pins, a line each."""
    named = ((f"Button {wire.seat}" if wire.seat else "Table's button", wire) for wire in wires)
    return "\n".join(f"{name:<15}{pin_name(wire)}" for name, wire in named)


def walk_command(lights: Lights, say: Callable[[str], None], *, real: bool = True) -> None:
    """Light each lamp in turn and say which; returns at the end of the walk.

    Where the lamps are not ``real`` none is said to be lit. Raises DeviceTrouble where there is
    no lamp to light.
    """
    wires = {wire.pin: wire for wire in lights.wires() if wire.pin is not None}
    if not lights.walk():
        none = "There is no lamp to light: choose the lamps with --lights auto or pi."
        raise DeviceTrouble(lights.trouble or none)
    if lights.trouble:
        say(lights.trouble)
    said: int | None = None
    while (pin := lights.walking) is not None:
        if pin != said:
            said = pin
            state = "is lit" if real else "would be lit"
            say(f"{seat_name(wires[pin])}: {pin_name(wires[pin])} {state}.")
        time.sleep(_LOOK)
