"""The wiring as a drawing and as a table, from the pins that the companion itself uses.

Lamps and buttons are drawn beside the pin they hang on, so that no wire crosses another: what hangs
on the header's left column to the left, the rest to the right, each side with one ground.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.config import RESERVED, SPI_PINS
from companion.edges import Wire
from hardware.wiring import HEADER
from scripts.drawing.paper import Circle, Ink, Line, Point, Shape, Sheet, Words, rectangle

POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
"""Pins of the header that are ground."""
EEPROM = (27, 28)
USED_GROUND = (39, 6)
"""The ground of the left and of the right side."""
OHMS = 680
"""The resistor of each lamp in the drawing."""

PITCH = 9.0
"""Between two rows of the header, in millimetres."""
WIDTH, HEIGHT = 236.0, 240.0
TOP = 36.0
MIDDLE = WIDTH / 2
COLUMN = 7.0
"""From the middle to the pins of one column."""
PART = 36.0
"""From the middle to where a part's symbol begins."""
RAIL = 74.0
"""From the middle to the ground on each side."""

WIRE = Ink(line="#1d1d1d", width=0.5)
FAINT = Ink(line="#b5aca2", width=0.3)
SYMBOL = Ink(line="#1d1d1d", fill="#ffffff", width=0.5)
LAMP = Ink(line="#1d1d1d", fill="#ffd76a", width=0.5)
BOARD = Ink(line="#2f6b45", fill="#e3f0e7", width=0.6)
PIN = Ink(line="#8a6a1f", fill="#f1cf74", width=0.4)
GREY = "#6d655d"


class At(Protocol):
    """Where a place is, so far from the middle and so far below a part's row."""

    def __call__(self, along: float, up: float = 0.0) -> Point: ...


@dataclass(frozen=True)
class Part:
    """A lamp or a button with its wire."""

    kind: str
    wire: Wire

    @property
    def named(self) -> str:
        """Whose it is."""
        if self.wire.seat is None:
            return "Mexican Train, lamp" if self.kind == "lamp" else "the table's button"
        return f"seat {self.wire.seat}, {self.kind}"


def parts(lamps: Sequence[Wire], buttons: Sequence[Wire]) -> list[Part]:
    """Lamps and buttons in their order."""
    return [*(Part("lamp", wire) for wire in lamps), *(Part("button", wire) for wire in buttons)]


# ---- the table ---------------------------------------------------------------------------------


def table(found: Sequence[Part]) -> str:
    """The pins as a table of Markdown, the lamps first."""
    lines = ["| What | BCM | Pin of the header |", "|---|---|---|"]
    for part in found:
        name = part.named[0].upper() + part.named[1:]
        lines.append(f"| {name} | GPIO{part.wire.pin} | {part.wire.header} |")
    return "\n".join(lines) + "\n"


def milliamperes(led_volts: float, ohms: float, pin_volts: float = 3.3) -> float:
    """The current through a lamp by Ohm's law: what the LED leaves of the pin's voltage."""
    return (pin_volts - led_volts) / ohms * 1000


# ---- the drawing -------------------------------------------------------------------------------


def drawing(found: Sequence[Part]) -> Sheet:
    """The header as seen from above, with the USB sockets towards the reader."""
    at_pin = {part.wire.header: part for part in found}
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.shapes += _heading()
    sheet.shapes.append(
        rectangle(MIDDLE - 21, TOP - PITCH, 42, 20 * PITCH + PITCH, BOARD),
    )
    for side in (-1, 1):
        sheet.shapes += _ground(side)
    for header in range(1, 41):
        sheet.shapes += _pin(header, header in at_pin)
        if header in at_pin:
            sheet.shapes += _part(at_pin[header], header)
    sheet.shapes += _legend()
    return sheet


def _side(header: int) -> int:
    return -1 if header % 2 else 1


def _place(header: int) -> Point:
    """Where a pin is: odd ones to the left, counted from the end with the SD card."""
    return MIDDLE + _side(header) * COLUMN, TOP + (header - 1) // 2 * PITCH


def _heading() -> Iterator[Shape]:
    yield Words(8, 11, "Lamps and buttons at the Raspberry Pi", size=6, bold=True)
    yield Words(
        8, 18, "The 40-pin header from above; pin 1 is at the corner of the board.", colour=GREY
    )


def _pin(header: int, used: bool) -> Iterator[Shape]:
    x, y = _place(header)
    yield Circle(x, y, 2.1, PIN)
    yield Words(x, y + 0.9, str(header), size=2.5, middle=True)
    yield Words(MIDDLE + _side(header) * 15, y + 1, _label(header), size=2.8, middle=True)
    if not used and header not in USED_GROUND:
        end = MIDDLE + _side(header) * 21
        yield Line(((end, y), (end + _side(header) * 3, y)), FAINT)


def _label(header: int) -> str:
    """What the header's pin is, in a word."""
    if header in POWER:
        return POWER[header]
    if header in GROUND:
        return "ground"
    if header in EEPROM:
        return "ID"
    return next(f"GPIO{pin}" for pin, place in HEADER.items() if place == header)


def _ground(side: int) -> Iterator[Shape]:
    """The ground of one side: a rail along all rows, joined to one pin of the header."""
    header = next(pin for pin in USED_GROUND if _side(pin) == side)
    _, y = _place(header)
    x = MIDDLE + side * RAIL
    ends = [TOP + row * PITCH for row in (3 if side < 0 else 2, 19)]
    yield Line(((x, ends[0]), (x, ends[1])), WIRE)
    yield Line(((MIDDLE + side * 21, y), (x, y)), WIRE)
    for n, half in enumerate((3.0, 2.0, 1.0)):
        foot = ends[1] + 4 + n * 1.2
        yield Line(((x - half, foot), (x + half, foot)), WIRE)
    yield Line(((x, ends[1]), (x, ends[1] + 4)), WIRE)


def _part(part: Part, header: int) -> Iterator[Shape]:
    """A lamp with its resistor, or a button, between its pin and the ground."""
    _, y = _place(header)
    side = _side(header)

    def at(along: float, up: float = 0.0) -> Point:
        return MIDDLE + side * along, y + up

    yield Line((at(21), at(PART)), WIRE)
    if part.kind == "lamp":
        yield from _resistor(at(PART), at(PART + 10))
        yield Line((at(PART + 10), at(PART + 16)), WIRE)
        yield from _led(at, PART + 16)
        yield Line((at(PART + 21), at(RAIL)), WIRE)
    else:
        yield from _switch(at, PART + 8)
        yield Line((at(PART), at(PART + 8)), WIRE)
        yield Line((at(PART + 20), at(RAIL)), WIRE)
    yield Circle(*at(RAIL), 0.8, Ink(line=None, fill="#1d1d1d"))
    x = at(RAIL + 3)[0]
    words = part.named[0].upper() + part.named[1:]
    left = x if side > 0 else 8.0
    yield Words(left, y + 1.1, words, size=3.3)


def _resistor(one: Point, other: Point) -> Iterator[Shape]:
    left = min(one[0], other[0])
    yield rectangle(left, one[1] - 1.7, abs(other[0] - one[0]), 3.4, SYMBOL)
    yield Words((one[0] + other[0]) / 2, one[1] + 0.9, str(OHMS), size=2.5, middle=True)


def _led(at: At, begin: float) -> Iterator[Shape]:
    """The triangle points from the pin to the ground, with two rays."""
    yield Line((at(begin, -2), at(begin, 2), at(begin + 5)), LAMP, closed=True)
    yield Line((at(begin + 5, -2), at(begin + 5, 2)), WIRE)
    for shift in (1.4, 3.4):
        yield Line((at(begin + shift, -2.4), at(begin + shift + 1.3, -3.9)), WIRE)


def _switch(at: At, begin: float) -> Iterator[Shape]:
    """Two contacts and the bar that joins them when it is pressed."""
    for along in (begin, begin + 12):
        yield Circle(*at(along), 0.9, SYMBOL)
    yield Line((at(begin + 0.5, -2.2), at(begin + 11.5, -2.2)), WIRE)
    yield Line((at(begin + 6, -2.2), at(begin + 6, -3.9)), WIRE)


def _legend() -> Iterator[Shape]:
    y = TOP + 20 * PITCH + 8
    words = (
        f"A lamp: pin, resistor of {OHMS} ohms, long leg of the LED; short leg to ground. "
        "A button: pin and ground, nothing else.",
        f"Never used: {_listed(RESERVED)} (ID, I2C and UART).",
        f"Left free while there are others: {_listed(SPI_PINS)} (SPI).",
    )
    for n, said in enumerate(words):
        yield Words(8, y + n * 5, said, size=3.3, colour=GREY)


def _listed(pins: Sequence[int] | dict[int, str]) -> str:
    return ", ".join(f"GPIO{pin}" for pin in pins)
