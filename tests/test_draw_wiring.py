"""The wiring on paper is the wiring in force: the drawing, the table, and what is said of both."""

from __future__ import annotations

import re
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion import presses
from companion.config import MOST_BUTTONS, MOST_SEATS, RESERVED, SPI_PINS
from hardware.buttons import SEAT_PINS, TABLE_PIN
from hardware.lights import DEFAULT_PINS
from hardware.wiring import HEADER, button_wires, wires
from scripts.drawing import wiring

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "draw_wiring"))
TEXT = (ROOT / "hardware" / "WIRING.md").read_text(encoding="utf-8")
DRAWN = (ROOT / "hardware" / "wiring.svg").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def rows(heading: str) -> list[list[str]]:
    """The cells of the table whose head begins so, without head and rule."""
    lines = TEXT[TEXT.index(f"| {heading} |") :].split("\n\n")[0].splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines[2:]
        if line.startswith("|")
    ]


def test_drawing_and_table_are_those_of_the_pins_in_force() -> None:
    for path, text in SCRIPT["written"]().items():
        assert path.read_text(encoding="utf-8") == text, "run scripts/draw_wiring"
    assert SCRIPT["main"](["--check"]) == 0


def test_a_pin_that_moves_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = (7, *DEFAULT_PINS[1:])
    monkeypatch.setitem(SCRIPT["main"].__globals__, "DEFAULT_PINS", moved)
    assert SCRIPT["main"](["--check"]) == 1


def test_the_table_names_every_lamp_and_button() -> None:
    lamps, buttons = wires(DEFAULT_PINS), button_wires(SEAT_PINS)
    names = [f"Seat {wire.seat}, lamp" if wire.seat else "Mexican Train, lamp" for wire in lamps]
    names += [f"Seat {wire.seat}, button" for wire in buttons]
    pins = [*DEFAULT_PINS, *SEAT_PINS]
    assert rows("What") == [
        [name, f"GPIO{pin}", str(HEADER[pin])] for name, pin in zip(names, pins, strict=True)
    ]


def test_in_the_drawing_each_part_stands_at_its_pin() -> None:
    texts = {
        text.text: (float(text.get("x", "")), float(text.get("y", "")))
        for text in ET.fromstring(DRAWN).iter(f"{SVG}text")
    }
    found = wiring.parts(wires(DEFAULT_PINS), button_wires(SEAT_PINS))
    assert len(found) == 17
    for part in found:
        words = texts[part.named[0].upper() + part.named[1:]]
        number, label = texts[str(part.wire.header)], texts[f"GPIO{part.wire.pin}"]
        assert abs(words[1] - number[1]) < 1 and abs(words[1] - label[1]) < 1
        odd = int(part.wire.header or 0) % 2 == 1
        assert (words[0] < number[0]) == odd and (label[0] < number[0]) == odd


def test_in_the_drawing_no_wire_leaves_the_paper_and_all_words_are_on_it() -> None:
    sheet = wiring.drawing(wiring.parts(wires(DEFAULT_PINS), button_wires(SEAT_PINS)))
    for shape in sheet.shapes:
        if isinstance(shape, wiring.Words):
            wide = wiring.WIDTH - 6
            assert shape.x + (0 if shape.middle else 0.52 * shape.size * len(shape.said)) < wide
            assert 0 < shape.y < sheet.height - 4
        elif isinstance(shape, wiring.Line):
            assert all(0 < x < sheet.width and 0 < y < sheet.height for x, y in shape.points)


def test_the_header_is_named_as_it_is() -> None:
    labels = [wiring._label(header) for header in range(1, 41)]
    assert labels.count("ground") == 8 and labels[:2] == ["3.3 V", "5 V"]
    assert sorted(label for label in labels if label.startswith("GPIO")) == sorted(
        f"GPIO{pin}" for pin in HEADER
    )


def test_the_bill_of_materials_has_about_ten_parts_for_eight_seats() -> None:
    parts = {part.split(",")[0]: int(pieces) for pieces, part, _ in rows("Pieces")}
    assert 8 <= len(parts) <= 12
    assert parts["LED"] == parts["Resistor"] == len(DEFAULT_PINS)
    assert parts["Push button"] == len(SEAT_PINS)
    assert parts["Pair of thin wires"] == len(DEFAULT_PINS) + len(SEAT_PINS)


def test_the_currents_are_right_and_fifteen_lamps_are_not_too_many() -> None:
    for name, volts, *told, all_lit in rows("LED"):
        takes = float(volts.split()[0])
        for ohms, current in zip((680, 820, 1000), told, strict=True):
            assert float(current.split()[0]) == round(wiring.milliamperes(takes, ohms), 1), name
        together = (MOST_SEATS + 1) * wiring.milliamperes(takes, wiring.OHMS)
        assert int(all_lit.split()[0]) == round(together) < 50
        assert wiring.milliamperes(takes, wiring.OHMS) < 16


def test_what_is_said_of_pins_and_presses_is_so() -> None:
    words = " ".join(TEXT.split())
    assert f"Up to {MOST_SEATS} seats can have lamps. For more than {MOST_BUTTONS} buttons" in words
    assert f'whole table (`buttons = "table"`, on GPIO{TABLE_PIN})' in words
    assert sorted(RESERVED) == [0, 1, 2, 3, 14, 15]
    assert "GPIO0 to GPIO3, GPIO14 and GPIO15 are never used" in words
    assert (SPI_PINS[0], SPI_PINS[-1]) == (7, 11) and "GPIO7 to GPIO11 (SPI) can be used" in words
    lengths = [int(n) for line in rows("Press") for n in re.findall(r"\d+", line[0])]
    long, too_long, held = (int(n) for n in (presses.LONG, presses.TOO_LONG, presses.HELD))
    assert lengths == [long, long, too_long, too_long, held, held]
