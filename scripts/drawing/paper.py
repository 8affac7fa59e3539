"""Sheets of paper with lines, circles and words on them, written as SVG and as PDF.

Lengths are in millimetres from the top left corner, x to the right and y down, so that what is
printed at 100 % has the lengths that are given here. Knows nothing of what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

A4 = (210.0, 297.0)
LETTER = (215.9, 279.4)
PAPERS = {"a4": A4, "letter": LETTER}

MM = 72 / 25.4
"""Points of PDF in a millimetre."""
ROUND = 0.5522847498
"""How far the handles of four cubic curves stand off that make a circle (its radius being 1)."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Ink:
    """How a shape is drawn: lines ``width`` thick, colours as #rrggbb, None for nothing."""

    line: str | None = "#000000"
    fill: str | None = None
    width: float = 0.25
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Line:
    """A line through these points, closed to a polygon or not."""

    points: tuple[Point, ...]
    ink: Ink
    closed: bool = False


@dataclass(frozen=True)
class Circle:
    """A circle round a point."""

    x: float
    y: float
    radius: float
    ink: Ink


@dataclass(frozen=True)
class Words:
    """Words that stand on a line at this point; ``size`` is the height of the letters' body."""

    x: float
    y: float
    said: str
    size: float = 3.5
    middle: bool = False
    bold: bool = False
    colour: str = "#000000"


Shape = Line | Circle | Words


@dataclass
class Sheet:
    """One sheet. ``window`` (left, top, right, bottom) hides what lies outside of it."""

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    window: tuple[float, float, float, float] | None = None
    shown: list[Shape] = field(default_factory=list)
    """What is drawn within the window only."""


def rectangle(x: float, y: float, width: float, height: float, ink: Ink) -> Line:
    """A rectangle by its top left corner."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Line(corners, ink, closed=True)


def number(value: float) -> str:
    """A length in as few digits as a thousandth needs."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if round(value, 3) else "0"


# ---- SVG ---------------------------------------------------------------------------------------


def svg(sheet: Sheet, title: str) -> str:
    """The sheet as an SVG of the paper's size."""
    wide, high = number(sheet.width), number(sheet.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" '
        f'viewBox="0 0 {wide} {high}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
    ]
    if sheet.window:
        left, top, right, bottom = sheet.window
        lines.append(
            f'<svg x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}" viewBox="{number(left)} {number(top)} '
            f'{number(right - left)} {number(bottom - top)}">'
        )
        lines += [*map(_svg_shape, sheet.shown), "</svg>"]
    return "\n".join([*lines, *map(_svg_shape, sheet.shapes), "</svg>"]) + "\n"


def _svg_shape(shape: Shape) -> str:
    if isinstance(shape, Words):
        place = f'x="{number(shape.x)}" y="{number(shape.y)}" font-size="{number(shape.size)}"'
        middle = ' text-anchor="middle"' if shape.middle else ""
        bold = ' font-weight="bold"' if shape.bold else ""
        return f'<text {place} fill="{shape.colour}"{middle}{bold}>{escape(shape.said)}</text>'
    if isinstance(shape, Circle):
        at = f'cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.radius)}"'
        return f"<circle {at} {_svg_ink(shape.ink)}/>"
    kind = "polygon" if shape.closed else "polyline"
    points = " ".join(f"{number(x)},{number(y)}" for x, y in shape.points)
    return f'<{kind} points="{points}" {_svg_ink(shape.ink)}/>'


def _svg_ink(ink: Ink) -> str:
    said = f'fill="{ink.fill or "none"}"'
    if ink.line:
        said += f' stroke="{ink.line}" stroke-width="{number(ink.width)}"'
    if ink.dash:
        said += f' stroke-dasharray="{" ".join(map(number, ink.dash))}"'
    return said


# ---- PDF ---------------------------------------------------------------------------------------


def pdf(sheets: Sequence[Sheet], title: str) -> bytes:
    """The sheets as one PDF (1.4), with the fonts that every reader of PDF has itself."""
    first = 5
    pages = range(first, first + 2 * len(sheets), 2)
    kids = " ".join(f"{page} 0 R" for page in pages)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>",
        _font("Helvetica"),
        _font("Helvetica-Bold"),
    ]
    for page, sheet in zip(pages, sheets):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> "
            f"/MediaBox [0 0 {number(sheet.width * MM)} {number(sheet.height * MM)}] "
            f"/Contents {page + 1} 0 R >>"
        )
        drawn = "\n".join(_pdf_sheet(sheet))
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    objects.append(f"<< /Title ({_pdf_text(title)}) >>")
    return _pdf_file(objects)


def _font(name: str) -> str:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"


def _pdf_file(objects: Sequence[str]) -> bytes:
    """The objects, the last of which says what the file is, with the table of where each begins."""
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for n, told in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{n} 0 obj\n{told}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n".encode()
    )
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def _pdf_sheet(sheet: Sheet) -> Iterator[str]:
    """One sheet's drawing: millimetres from the top left become points from the bottom left."""
    yield f"q {MM:.6f} 0 0 {-MM:.6f} 0 {sheet.height * MM:.6f} cm"
    if sheet.window:
        left, top, right, bottom = map(number, sheet.window)
        yield f"q {left} {top} m {right} {top} l {right} {bottom} l {left} {bottom} l h W n"
        for shape in sheet.shown:
            yield from _pdf_shape(shape)
        yield "Q"
    for shape in sheet.shapes:
        yield from _pdf_shape(shape)
    yield "Q"


def _pdf_shape(shape: Shape) -> Iterator[str]:
    if isinstance(shape, Words):
        yield from _pdf_words(shape)
        return
    ink = shape.ink
    if ink.fill:
        yield f"{_pdf_colour(ink.fill)} rg"
    if ink.line:
        dash = " ".join(map(number, ink.dash))
        yield f"{_pdf_colour(ink.line)} RG {number(ink.width)} w [{dash}] 0 d"
    yield _pdf_circle(shape) if isinstance(shape, Circle) else _pdf_line(shape)
    yield {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): "n"}[
        bool(ink.fill), bool(ink.line)
    ]


def _pdf_line(shape: Line) -> str:
    steps = [f"{number(x)} {number(y)}" for x, y in shape.points]
    return f"{steps[0]} m {' l '.join(steps[1:])} l{' h' if shape.closed else ''}"


def _pdf_circle(shape: Circle) -> str:
    x, y, r, k = shape.x, shape.y, shape.radius, shape.radius * ROUND
    curves = (
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    )
    drawn = " ".join(f"{' '.join(map(number, curve))} c" for curve in curves)
    return f"{number(x + r)} {number(y)} m {drawn} h"


def _pdf_words(words: Words) -> Iterator[str]:
    left = words.x - (wide(words.said, words.size) / 2 if words.middle else 0)
    font = "F2" if words.bold else "F1"
    yield f"{_pdf_colour(words.colour)} rg"
    yield (
        f"BT /{font} {number(words.size)} Tf 1 0 0 -1 {number(left)} {number(words.y)} Tm "
        f"({_pdf_text(words.said)}) Tj ET"
    )


def _pdf_colour(colour: str) -> str:
    return " ".join(number(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))


def _pdf_text(said: str) -> str:
    return said.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


NARROW = "fijlt.,:;'!|() "
"""Letters of Helvetica that are about half as wide as the others."""


def wide(said: str, size: float) -> float:
    """About how wide these words are in Helvetica; digits exactly (0.556 of the size)."""
    return size * sum(0.278 if letter in NARROW else 0.556 for letter in said)
