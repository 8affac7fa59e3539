"""The hub as a drawing to be cut from card: where the trains begin, and how large that must be.

The engine lies in the middle; around it a slot for each seat, seat 1 at the bottom and the others
clockwise, and one for the Mexican Train at the end. Lengths are in millimetres from the hub's
middle, x to the right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.drawing.paper import Circle, Ink, Line, Point, Shape, Sheet, Words, rectangle

STANDARD = 50.8
"""The length of a standard tile (2 inches); it is half as wide."""
SHORTEST, LONGEST = 30.0, 70.0
CLEARANCE = 1.0
"""Room on each side of a tile in its slot."""
DEEP = 14.0
"""How far a train's first tile reaches into the hub."""
MARK = 6.0
"""The radius of an alignment mark: three rings, which a camera tells from everything else."""
LAMP = 2.6
"""The radius of the hole for a lamp of 5 mm."""
LAMP_IN = 4.2
"""How far a lamp's middle lies from the rim."""
BRIDGE = 4.0
"""Card that must be left on both sides of a lamp, together."""
MARGIN = 8.0
"""What printers leave white along the edges of the paper."""
HEAD = 16.0
"""Room above the drawing for what to do with it, with the bar that shows the scale."""
NAME = 4.5
"""The size of the letter or number at a slot."""
LAP = 10.0
"""How much neighbouring sheets of one large drawing show of each other."""

CUT = Ink(width=0.35)
FOLD = Ink(line="#777777", width=0.2, dash=(2.0, 1.5))
OUT = Ink(fill="#e4e4e4", width=0.35)
BLACK, WHITE = Ink(line=None, fill="#000000"), Ink(line=None, fill="#ffffff")


@dataclass(frozen=True)
class Hub:
    """A hub for so many seats and tiles of this length."""

    seats: int = 8
    tile: float = STANDARD

    @property
    def slots(self) -> int:
        """One for each seat and one for the Mexican Train."""
        return self.seats + 1

    @property
    def slot_width(self) -> float:
        """A tile's width and its room."""
        return self.tile / 2 + 2 * CLEARANCE

    @property
    def radius(self) -> float:
        """The rim: so large that engine, marks, lamps and doubles all have room.

        Between two slots a lamp fits; two doubles that lie crosswise on neighbouring trains, each
        as the second tile, do not touch; and beside the engine there is room for a mark.
        """
        turn = math.tau / self.slots
        lamps = (self.slot_width + 2 * LAMP + BRIDGE) / turn + LAMP_IN
        doubles = (self.tile + 3) / (2 * math.tan(turn / 2)) - self.tile + DEEP
        engine = self.tile / 2 + CLEARANCE + 2 * MARK + 4 + NAME + DEEP
        return max(lamps, doubles, engine)

    def way(self, slot: int) -> float:
        """The direction of a slot, counted from 0, in radians clockwise from the right."""
        return math.pi / 2 + slot * math.tau / self.slots

    @property
    def marks(self) -> tuple[Point, ...]:
        """The middles of the four alignment marks; their own middle is the hub's."""
        across = self.tile / 2 + CLEARANCE + MARK + 2
        down = self.tile / 4 + CLEARANCE + MARK + 4
        return ((across, 0.0), (0.0, down), (-across, 0.0), (0.0, -down))

    @property
    def lamps(self) -> tuple[Point, ...]:
        """The middles of the lamps' holes, each clockwise after its slot."""
        far, half = self.radius - LAMP_IN, math.pi / self.slots
        return tuple(_at(far, self.way(slot) + half) for slot in range(self.slots))

    def slot(self, number: int) -> tuple[Point, ...]:
        """The outline of a slot, which is open at the rim: both inner corners, then the rim."""
        way, half = self.way(number), self.slot_width / 2
        lean = math.asin(half / self.radius)
        inner = [_turned(self.radius - DEEP, side, way) for side in (half, -half)]
        rim = [_at(self.radius, way + lean * step / 8) for step in range(-8, 9)]
        return (*inner, *rim)

    @property
    def engine(self) -> tuple[Point, ...]:
        """The four corners of the engine's slot."""
        long, half = self.tile / 2 + CLEARANCE, self.slot_width / 2
        return _box(-long, long, half)

    def named(self, slot: int) -> str:
        """What is written at a slot."""
        return "M" if slot == self.seats else str(slot + 1)


def _box(near: float, far: float, half: float) -> tuple[Point, ...]:
    return ((near, -half), (far, -half), (far, half), (near, half))


def _at(far: float, way: float) -> Point:
    return far * math.cos(way), far * math.sin(way)


def _turned(x: float, y: float, way: float) -> Point:
    cos, sin = math.cos(way), math.sin(way)
    return x * cos - y * sin, x * sin + y * cos


# ---- drawing -----------------------------------------------------------------------------------


def top(hub: Hub) -> Iterator[Shape]:
    """The upper card: what is grey is cut out, and the tiles lie in it."""
    yield Circle(0, 0, hub.radius, CUT)
    yield Line(hub.engine, OUT, closed=True)
    for slot in range(hub.slots):
        yield Line(hub.slot(slot), OUT, closed=True)
        yield from _name(hub, slot)
    for x, y in hub.lamps:
        yield Circle(x, y, LAMP, OUT)
    for x, y in hub.marks:
        yield Circle(x, y, MARK, BLACK)
        yield Circle(x, y, MARK * 0.64, WHITE)
        yield Circle(x, y, MARK * 0.32, BLACK)


def base(hub: Hub) -> Iterator[Shape]:
    """The lower card: a plain disc that the upper one is glued on, with the lamps' holes."""
    yield Circle(0, 0, hub.radius, CUT)
    yield Line(hub.engine, FOLD, closed=True)
    for slot in range(hub.slots):
        yield Line(hub.slot(slot), FOLD, closed=True)
    for x, y in hub.lamps:
        yield Circle(x, y, LAMP, CUT)


def _name(hub: Hub, slot: int) -> Iterator[Shape]:
    x, y = _at(hub.radius - DEEP - NAME, hub.way(slot))
    said = hub.named(slot)
    yield Words(x, y + NAME * 0.36, said, size=NAME, middle=True, bold=True, colour="#444444")


def sheets(hub: Hub, paper: Point) -> list[Sheet]:
    """Upper and lower card on as many sheets as they need.

    A card that is larger than the paper is spread over several sheets, which show a strip of each
    other: cut one along the dashed line and glue it onto the other.
    """
    return [
        sheet
        for drawn, words in ((top, "upper card: cut out what is grey"), (base, "lower card"))
        for sheet in _spread(list(drawn(hub)), words, hub, paper)
    ]


def _spread(shapes: list[Shape], words: str, hub: Hub, paper: Point) -> Iterator[Sheet]:
    room = (paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN - HEAD)
    across, down = (_parts(2 * hub.radius + 1, one) for one in room)
    for row in range(down):
        for column in range(across):
            part = (
                f", part {row * across + column + 1} of {across * down}"
                if across * down > 1
                else ""
            )
            sheet = Sheet(*paper, shapes=list(_heading(f"{words}{part}", hub)))
            middle = (
                paper[0] / 2 + _shift(column, across, room[0]),
                MARGIN + HEAD + room[1] / 2 + _shift(row, down, room[1]),
            )
            sheet.window = (MARGIN, MARGIN + HEAD, paper[0] - MARGIN, paper[1] - MARGIN)
            sheet.shown = [_moved(shape, *middle) for shape in shapes]
            sheet.shapes += _laps(sheet.window, column < across - 1, row < down - 1)
            yield sheet


def _parts(size: float, room: float) -> int:
    """On how many sheets one beside the other something of this size is spread."""
    return 1 if size <= room else math.ceil((size - LAP) / (room - LAP))


def _shift(part: int, parts: int, room: float) -> float:
    """How far the drawing's middle lies from the sheet's middle on this part."""
    return ((parts - 1) / 2 - part) * (room - LAP)


def _laps(window: tuple[float, float, float, float], right: bool, below: bool) -> Iterator[Shape]:
    """Where the next sheet begins."""
    left, top_, right_, bottom = window
    if right:
        yield Line(((right_ - LAP, top_), (right_ - LAP, bottom)), FOLD)
    if below:
        yield Line(((left, bottom - LAP), (right_, bottom - LAP)), FOLD)


def _heading(words: str, hub: Hub) -> Iterator[Shape]:
    said = f"Hub for {hub.seats} seats and tiles of {hub.tile:g} mm: {words}"
    yield Words(MARGIN, MARGIN + 3.5, said, size=3.8, bold=True)
    yield Words(MARGIN, MARGIN + 8.5, "Print at 100 % (actual size). This bar is 100 mm long:")
    yield rectangle(MARGIN + 84, MARGIN + 6, 100, 2.5, Ink(line=None, fill="#000000"))
    yield Words(
        MARGIN,
        MARGIN + 13,
        f"1 to {hub.seats} are the seats clockwise, M is the Mexican Train; round holes are lamps.",
        size=3,
        colour="#555555",
    )


def _moved(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Line):
        return Line(tuple((a + x, b + y) for a, b in shape.points), shape.ink, shape.closed)
    if isinstance(shape, Circle):
        return Circle(shape.x + x, shape.y + y, shape.radius, shape.ink)
    return Words(
        shape.x + x, shape.y + y, shape.said, shape.size, shape.middle, shape.bold, shape.colour
    )
