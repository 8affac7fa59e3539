"""The game as a picture: a line of running totals for each player, and a bar for each round.

Pure geometry over a sheet's columns; knows no page and no words. Across is in percent of the
drawing's width, down is in ``em``: so one drawing fits a phone, a television and a sheet of
paper, and its letters stay as large as the text around it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.web.bars import Bars, Column, Tick, draw_bars, ticks
from companion.web.names import parted, shortened, width

TOP = 1.0
"""Room above the highest line, in em."""
RISE, LABEL = 14.0, 1.5
"""The height of the plot, and the room that each name needs at the ends of the lines."""
UNDER = 2.2
"""Room for the engines under the floor."""
MOST_STEPS = 5
"""Lines across the plot at most, not counting the floor."""
BUSY = 60
"""Marks that still leave the lines to be seen; more of them are thinned out."""
SHORT_NAME, TINY_NAME = 5.2, 3.8
"""Room for a name at the end of a line, in em: on a television, and on a phone with its total."""
LETTERS = 32.0
"""The size of the letters that `companion.web.names` measures, in its units."""
FEW_LINES = 4
"""Lines that need no dashes to be told apart, where there are no colours."""


@dataclass(frozen=True)
class Spot:
    """A place of the plot: percent across, em down."""

    x: float
    y: float


@dataclass(frozen=True)
class Line:
    """One player's line: its pieces between holes, where its shape is drawn, and its end.

    ``label`` is how far down the name stands, ``dash`` (0 to 3) the kind of its stroke.
    """

    name: str
    short: str
    tiny: str
    total: int
    leads: bool
    pieces: tuple[tuple[Spot, ...], ...]
    marks: tuple[Spot, ...]
    end: Spot
    label: float
    dash: int


@dataclass(frozen=True)
class Chart:
    """Both drawings.

    ``floor`` is where the plot of the lines ends, ``height`` includes the engines under it.
    ``running`` are the totals after each round, with the holes.
    """

    engines: tuple[str, ...]
    running: Mapping[str, Column]
    lines: tuple[Line, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    floor: float
    height: float
    bars: Bars


def draw_chart(
    columns: Mapping[str, Column],
    engines: Sequence[str],
    leaders: Collection[str] = (),
    rise: float = RISE,
) -> Chart | None:
    """The drawing of these columns; None before a round is closed.

    ``engines`` names the closed rounds; ``leaders`` are those ahead; ``rise`` is the height of
    the plot in em, more where the names need it.
    """
    if not engines or not columns:
        return None
    running = {name: running_totals(column) for name, column in columns.items()}
    plot = Plot.of(list(running.values()), rise)
    wanted = [plot.end(column).y for column in running.values()]
    labels = spread(wanted, LABEL, TOP - 0.2, plot.floor + 0.4)
    return Chart(
        engines=tuple(engines),
        running=running,
        lines=tuple(
            _line(plot, n, list(running), column, labels[n], name in leaders)
            for n, (name, column) in enumerate(running.items())
        ),
        across=tuple(ticks(engines, 1.0)),
        up=tuple(Tick(plot.down(value), str(value)) for value in plot.steps),
        floor=plot.floor,
        height=round(plot.floor + UNDER, 2),
        bars=draw_bars(columns, engines),
    )


def running_totals(column: Column) -> list[int | None]:
    """The total after each round; a hole stays a hole."""
    total, found = 0, list[int | None]()
    for score in column:
        total += score or 0
        found.append(None if score is None else total)
    return found


def scale(low: int, high: int) -> list[int]:
    """Round numbers evenly apart, from at most ``low`` to at least ``high``; two at least."""
    sizes = (digit * 10**power for power in itertools.count() for digit in (1, 2, 5))
    step = next(s for s in sizes if -(-high // s) - low // s <= MOST_STEPS)
    first = step * (low // step)
    last = max(step * -(-high // step), first + step)
    return list(range(first, last + 1, step))


def spread(wanted: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Places as near as can be to those wanted, at least ``apart`` from each other.

    Nobody overtakes anybody: the order stays, equal wishes keep the order they came in. All stay
    between ``top`` and ``bottom`` where there is room for them; else they go on below.
    """
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    groups: list[tuple[float, int]] = []
    for rank, n in enumerate(order):
        mean, count = wanted[n] - rank * apart, 1
        while groups and groups[-1][0] > mean:
            above, many = groups.pop()
            mean, count = (mean * count + above * many) / (count + many), count + many
        groups.append((mean, count))
    lowest = max(top, bottom - (len(wanted) - 1) * apart)
    flat = [min(max(mean, top), lowest) for mean, count in groups for _each in range(count)]
    places = [0.0] * len(wanted)
    for rank, n in enumerate(order):
        places[n] = round(flat[rank] + rank * apart, 2)
    return places


def short_name(name: str, everybody: Collection[str], room: float = SHORT_NAME) -> str:
    """A name for the end of a line: whole, its first word, or cut with a mark; ``room`` in em."""
    space = room * LETTERS
    first = parted(name)[0]
    alone = sum(parted(each)[0] == first for each in everybody) == 1
    if width(name) <= space:
        return name
    return first if alone and width(first) <= space else shortened(name, space)


@dataclass(frozen=True)
class Plot:
    """Where totals lie in the plot of the lines."""

    rounds: int
    people: int
    steps: tuple[int, ...]
    floor: float

    @classmethod
    def of(cls, running: Sequence[Column], rise: float) -> Plot:
        """A plot that holds these running totals, and a name for each at its side."""
        told = [total for column in running for total in column if total is not None]
        steps = scale(min(0, 0, *told), max(0, 0, *told))
        floor = TOP + max(rise, LABEL * len(running))
        return cls(len(running[0]), len(running), tuple(steps), round(floor, 2))

    def down(self, total: float) -> float:
        """How far down this total lies."""
        part = (self.steps[-1] - total) / (self.steps[-1] - self.steps[0])
        return round(TOP + (self.floor - TOP) * part, 2)

    def spot(self, round_number: int, total: int) -> Spot:
        """Where this total lies after this round; the beginning is round 0."""
        return Spot(round(100 * round_number / self.rounds, 2), self.down(total))

    def end(self, column: Column) -> Spot:
        """Where the line of a column ends."""
        told = [(number, total) for number, total in enumerate(column, 1) if total is not None]
        return self.spot(*told[-1]) if told else self.spot(0, 0)


def _line(
    plot: Plot, number: int, names: Sequence[str], column: Column, label: float, leads: bool
) -> Line:
    spots = [None if total is None else plot.spot(n, total) for n, total in enumerate(column, 1)]
    begun = [None if spots[0] is None else plot.spot(0, 0)]
    end = plot.end(column)
    thin = math.ceil(plot.people * plot.rounds / BUSY)
    marks = [s for n, s in enumerate(spots) if s and (s == end or (n + number) % thin == 0)]
    return Line(
        name=names[number],
        short=short_name(names[number], names),
        tiny=short_name(names[number], names, TINY_NAME),
        total=next((total for total in reversed(column) if total is not None), 0),
        leads=leads,
        pieces=tuple(_pieces([*begun, *spots])),
        marks=tuple(marks),
        end=end,
        label=label,
        dash=number % 4 if plot.people > FEW_LINES else 0,
    )


def _pieces(spots: Sequence[Spot | None]) -> Iterator[tuple[Spot, ...]]:
    """The stretches without a hole, as far as there is something to draw a line to."""
    piece: list[Spot] = []
    for spot in [*spots, None]:
        if spot is not None:
            piece.append(spot)
        elif piece:
            if len(piece) > 1:
                yield tuple(piece)
            piece = []
