"""Where the names go on the drawing of the hub: whole where they fit, shortened where they do not.

Pure geometry in the drawing's units. A name stands under or over its badge, changes sides where it
would be cut, and may slide along its line, away from the rails, the badges and the names beside it.
Where there is room for it, a name grows with the reader's text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

SIDE = 720
MIDDLE = SIDE / 2

TALL = 24.0
"""How far a letter reaches above the line, at the size of ``table.css``."""
DEEP = 8.0
"""How far it reaches below."""
GAP = 4.0
"""Between a name and anything else."""
APART = 14.0
"""Between two names."""
EDGE = 9.0
"""Between a name and the side of the drawing, which the table top overhangs a little."""
CORNER = 150.0
"""Radius of the corners of the table top."""

HUB = 146.0
RAILS = (150.0, 252.0)
RAIL = 16.0
"""Half the width of the rails."""
CROWDED = 12
"""From so many trains on their rails are shorter and slender: room for the names beside them."""
SHORT, SLENDER = 218.0, 0.75
BADGE = 26.0
RING = 38.0
"""Around the badge of who has the turn: no name comes nearer to its own badge."""

WIDTHS = {**dict.fromkeys("iljI.,'!|:; ", 9.5), **dict.fromkeys('ftr-()"*', 12.5)}
WIDTHS |= {**dict.fromkeys("mwMW@", 29.0), **dict.fromkeys("…", 32.0)}
CAPITAL, LETTER = 23.5, 18.6

SMALL = 0.9
"""How small a name may stand, in its usual size, where it is whole then and else is not."""
GROWTH = tuple(tenths / 10 for tenths in range(11, 21))
"""How much larger a name may get, in the steps of ``table.css``."""


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
    """A name as it is written: the text, the middle of its line, and over or under its badge.

    ``grow`` is how many times its size it can have without touching anything (``SMALL`` where it
    must be smaller), with ``anchor`` (as
    SVG has it) at the point ``at``.
    """

    text: str
    x: float
    y: float
    up: bool
    grow: float = 1.0
    anchor: str = "middle"
    at: float = 0.0


Span = tuple[float, float]


def width(text: str) -> float:
    """How wide a text is at the size of ``table.css``, a little generous."""
    return sum(WIDTHS.get(each, CAPITAL if each.isupper() else LETTER) for each in text)


def labels(seats: Sequence[Seat]) -> list[Label]:
    """The name of every seat; no two of them touch. Remembers what it found."""
    return list(_labels(tuple(seats)))


@lru_cache(maxsize=32)
def _labels(seats: tuple[Seat, ...]) -> tuple[Label, ...]:
    best = written(seats)
    for n in sorted(range(len(seats)), key=lambda each: -lost(best[each], seats[each])):
        if not lost(best[n], seats[n]):
            break
        turned = replace(seats[n], up=not seats[n].up)
        other = (*seats[:n], turned, *seats[n + 1 :])
        trial = written(other)
        if sum(map(lost, trial, other)) < sum(map(lost, best, seats)):
            best, seats = trial, other
    return tuple(grown(best, seats))


def lost(label: Label, seat: Seat) -> int:
    """How bad it is that a name is not whole: a cut in a word is worse than an initial."""
    cut = "…" in label.text or len(label.text) == 1 < len(seat.name)
    return len(seat.name) - len(label.text) + (20 if cut else 0)


def written(seats: Sequence[Seat]) -> list[Label]:
    """Every name at its usual size, over or under its badge as the seats say."""
    rails = all_rails(seats)
    placed: dict[int, Span] = {}
    for n in sorted(range(len(seats)), key=lambda each: width(seats[each].name)):
        placed[n] = (0.0, 0.0)
        span = room(n, seats, rails, placed)
        text, size = fitting(seats, n, span[1] - span[0])
        half = width(text) * size / 2
        middle = min(max(seats[n].x, span[0] + half), span[1] - half)
        placed[n] = (middle - half, middle + half)
    made = []
    for n, (lo, hi) in sorted(placed.items()):
        (text, size), middle = fitting(seats, n, hi - lo + 0.01), round((lo + hi) / 2, 1)
        made.append(Label(text, middle, round(seats[n].line, 1), seats[n].up, size, at=middle))
    return made


# ---- growing with the reader's text ------------------------------------------------------------


def grown(made: Sequence[Label], seats: Sequence[Seat]) -> list[Label]:
    """The same names, each as far as it can grow; all of them step by step, so that none is left
    behind for its neighbour."""
    rails = all_rails(seats)
    now = list(made)
    for step in GROWTH:
        for n, label in enumerate(now):
            if round(step - label.grow, 1) == 0.1:
                now[n] = taller(n, step, now, seats, rails) or label
    return now


def taller(
    n: int,
    step: float,
    now: Sequence[Label],
    seats: Sequence[Seat],
    rails: Sequence[tuple[float, float]],
) -> Label | None:
    """The name at this size, held at whichever point leaves it room; None where none does."""
    label = now[n]
    half = width(label.text) / 2
    holds = {
        "middle": label.x,
        "start": round(label.x - half, 1),
        "end": round(label.x + half, 1),
    }
    for anchor, at in holds.items():
        trial = replace(label, grow=step, anchor=anchor, at=at)
        left, top, right, bottom = box(trial)
        edge = EDGE + corner(top, bottom)
        blocks = walls(n, seats, rails, top, bottom) + [
            (a - APART + GAP, c + APART - GAP)
            for a, b, c, d in (box(each) for k, each in enumerate(now) if k != n)
            if top < d and b < bottom
        ]
        free = all(right + GAP <= a or c <= left - GAP for a, c in blocks)
        if free and 4 <= top and bottom <= SIDE - 4 and edge <= left and right <= SIDE - edge:
            return trial
    return None


def box(label: Label) -> tuple[float, float, float, float]:
    """What a name covers at its largest: left, top, right, bottom. It grows away from its badge."""
    wide, tall = width(label.text) * label.grow, (TALL + DEEP) * label.grow
    left = label.at - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    top = label.y + DEEP - tall if label.up else label.y - TALL
    return left, top, left + wide, top + tall


# ---- what stands in the way --------------------------------------------------------------------


def room(
    n: int, seats: Sequence[Seat], rails: Sequence[tuple[float, float]], placed: dict[int, Span]
) -> Span:
    """How far the line of a name is free to both sides of its badge."""
    me = seats[n]
    top, bottom = me.line - TALL, me.line + DEEP
    lo, hi = EDGE + corner(top, bottom), SIDE - EDGE - corner(top, bottom)
    blocks = walls(n, seats, rails, top, bottom)
    blocks += [
        spread(placed[k] if k in placed else claim(each, me))
        for k, each in enumerate(seats)
        if k != n and abs(each.line - me.line) < TALL + DEEP
    ]
    for left, right in blocks:
        if (left + right) / 2 < me.x:
            lo = max(lo, right + GAP)
        else:
            hi = min(hi, left - GAP)
    return lo, max(hi, lo)


def walls(
    n: int, seats: Sequence[Seat], rails: Sequence[tuple[float, float]], top: float, bottom: float
) -> list[Span]:
    """What a line between these heights meets besides names: rails, other badges, the hub."""
    half = rail(len(seats))
    met = [(x - half, x + half) for x, y in rails if meets(top, bottom, y, half)]
    met += [
        (each.x - BADGE, each.x + BADGE)
        for k, each in enumerate(seats)
        if k != n and meets(top, bottom, each.y, BADGE)
    ]
    if meets(top, bottom, MIDDLE, HUB):
        nearest = min(max(MIDDLE, top), bottom)
        reach = math.sqrt(max(0.0, HUB**2 - (nearest - MIDDLE) ** 2))
        met.append((MIDDLE - reach, MIDDLE + reach))
    return met


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


def rails_end(trains: int) -> float:
    """How far from the middle the rails of a table with so many trains end."""
    return SHORT if trains >= CROWDED else RAILS[1]


def rail(trains: int) -> float:
    """Half the width of its rails."""
    return RAIL * SLENDER if trains >= CROWDED else RAIL


def all_rails(seats: Sequence[Seat]) -> list[tuple[float, float]]:
    """Points along the rails of every train."""
    near, far = RAILS[0], rails_end(len(seats))
    return [
        (
            MIDDLE + r * math.cos(math.radians(seat.angle)),
            MIDDLE + r * math.sin(math.radians(seat.angle)),
        )
        for seat in seats
        for r in (near + (far - near) * step / 9 for step in range(10))
    ]


def fitting(seats: Sequence[Seat], n: int, space: float) -> tuple[str, float]:
    """The best form of a name for this space, and its size: whole (a little smaller if it must
    be), with an initial, its first word, or cut."""
    name = seats[n].name
    first, mark, last = parted(name)
    forms = [name]
    if last:
        forms.append(f"{first}{mark}{last[0]}.")
        others = [parted(seat.name)[0] for k, seat in enumerate(seats) if k != n]
        forms += [] if first in others else [first]
    if space < width(name) <= space / SMALL:
        return name, SMALL
    for form in forms:
        if width(form) <= space:
            return form, 1.0
    return shortened(name, space), 1.0


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
