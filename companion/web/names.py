"""Where the names go on the drawing of the hub: whole where they fit, shortened where they do not.

Pure geometry in the drawing's units. A name stands under or over its badge and may slide along
its line, away from the rails, the badges and the names beside it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

SIDE = 720
MIDDLE = SIDE / 2

TALL = 24.0
"""How far a letter reaches above the line, at the size of ``table.css``."""
DEEP = 8.0
"""How far it reaches below."""
GAP = 6.0
"""Between a name and anything else."""
APART = 14.0
"""Between two names."""
EDGE = 9.0
CORNER = 150.0
"""Radius of the corners of the table top."""

HUB = 146.0
RAILS = (150.0, 252.0)
RAIL = 16.0
"""Half the width of the rails."""
BADGE = 26.0
RING = 36.0
"""Around the badge of who has the turn: no name comes nearer to its own badge."""

WIDTHS = {**dict.fromkeys("iljI.,'!|:; ", 9.5), **dict.fromkeys('ftr-()"*', 12.5)}
WIDTHS |= {**dict.fromkeys("mwMW@", 29.0), **dict.fromkeys("…", 32.0)}
CAPITAL, LETTER = 23.5, 18.6


@dataclass(frozen=True)
class Seat:
    """A badge of the drawing, its train's angle and the name that belongs to it.

    ``up`` tells that the name stands over the badge. ``line`` is the name's baseline.
    """

    x: float
    y: float
    angle: float
    up: bool
    name: str

    @property
    def line(self) -> float:
        """The baseline of the name."""
        return self.y - RING - DEEP - 2 if self.up else self.y + RING + TALL + 2


@dataclass(frozen=True)
class Label:
    """A name as it is written: the text, and the middle of its line."""

    text: str
    x: float
    y: float


Span = tuple[float, float]


def width(text: str) -> float:
    """How wide a text is at the size of ``table.css``, a little generous."""
    return sum(WIDTHS.get(each, CAPITAL if each.isupper() else LETTER) for each in text)


def labels(seats: Sequence[Seat]) -> list[Label]:
    """The name of every seat; no two of them touch."""
    rails = [spot for seat in seats for spot in rail_spots(seat.angle)]
    placed: dict[int, Span] = {}
    for n in sorted(range(len(seats)), key=lambda each: width(seats[each].name)):
        placed[n] = (0.0, 0.0)
        span = room(n, seats, rails, placed)
        text = fitting(seats, n, span[1] - span[0])
        half = width(text) / 2
        middle = min(max(seats[n].x, span[0] + half), span[1] - half)
        placed[n] = (middle - half, middle + half)
    return [
        Label(fitting(seats, n, hi - lo + 0.01), round((lo + hi) / 2, 1), round(seats[n].line, 1))
        for n, (lo, hi) in sorted(placed.items())
    ]


def room(
    n: int, seats: Sequence[Seat], rails: Sequence[tuple[float, float]], placed: dict[int, Span]
) -> Span:
    """How far the line of a name is free to both sides of its badge."""
    me = seats[n]
    top, bottom = me.line - TALL, me.line + DEEP
    lo, hi = EDGE + corner(top, bottom), SIDE - EDGE - corner(top, bottom)
    walls = [(x - RAIL, x + RAIL) for x, y in rails if meets(top, bottom, y, RAIL)]
    walls += [
        (each.x - BADGE, each.x + BADGE)
        for k, each in enumerate(seats)
        if k != n and meets(top, bottom, each.y, BADGE)
    ]
    if meets(top, bottom, MIDDLE, HUB):
        nearest = min(max(MIDDLE, top), bottom)
        reach = math.sqrt(max(0.0, HUB**2 - (nearest - MIDDLE) ** 2))
        walls.append((MIDDLE - reach, MIDDLE + reach))
    walls += [
        spread(placed[k] if k in placed else claim(each, me))
        for k, each in enumerate(seats)
        if k != n and abs(each.line - me.line) < TALL + DEEP
    ]
    for left, right in walls:
        if (left + right) / 2 < me.x:
            lo = max(lo, right + GAP)
        else:
            hi = min(hi, left - GAP)
    return lo, max(hi, lo)


def spread(span: Span) -> Span:
    """A name with the room that two names keep between them."""
    return span[0] - APART + GAP, span[1] + APART - GAP


def claim(other: Seat, me: Seat) -> Span:
    """What a name that is not placed yet may count on: up to the middle between the two badges."""
    half = min(width(other.name), abs(other.x - me.x)) / 2
    return other.x - half, other.x + half


def meets(top: float, bottom: float, y: float, reach: float) -> bool:
    """Whether something of this reach around ``y`` touches a line of text."""
    return top < y + reach and bottom > y - reach


def corner(top: float, bottom: float) -> float:
    """How much the rounded corner of the table top takes of a line."""
    off = max(0.0, CORNER - top - 4, bottom - (SIDE - CORNER) + 4)
    return 0.0 if off <= 0 else CORNER - math.sqrt(max(0.0, CORNER**2 - off**2))


def rail_spots(angle: float) -> list[tuple[float, float]]:
    """Points along the rails of a train."""
    turned = math.radians(angle)
    near, far = RAILS
    return [
        (MIDDLE + r * math.cos(turned), MIDDLE + r * math.sin(turned))
        for r in (near + (far - near) * step / 9 for step in range(10))
    ]


def fitting(seats: Sequence[Seat], n: int, space: float) -> str:
    """The best form of a name for this space: whole, with an initial, its first word, or cut."""
    name = seats[n].name
    first, mark, last = parted(name)
    forms = [name]
    if last:
        forms.append(f"{first}{mark}{last[0]}.")
        others = [parted(seat.name)[0] for k, seat in enumerate(seats) if k != n]
        forms += [] if first in others else [first]
    for form in forms:
        if width(form) <= space:
            return form
    return shortened(name, space)


def parted(name: str) -> tuple[str, str, str]:
    """The first word of a name, the blank or hyphen after it, and the last word if there is one."""
    words = re.split(r"([ -])", name)
    return (words[0], words[1], words[-1]) if len(words) > 1 else (name, "", "")


def shortened(name: str, space: float) -> str:
    """As much of a name as fits, with a mark that more of it stands in the list of trains."""
    for letters in range(len(name) - 1, 1, -1):
        cut = name[:letters].rstrip(" -") + "…"
        if width(cut) <= space:
            return cut
    return name[:1]
