"""The hub from above as places on a drawing: where each train, seat, lamp and tile lies.

Pure geometry over the report's names; knows no page and changes nothing. The drawing is a
square of 720 units with the hub in its middle. Seat 1 sits at the bottom, the others follow
clockwise as they sit, the Mexican Train comes last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.actions import MEXICAN
from companion.lamps import Lamp, lamps
from companion.web.names import MIDDLE, Label, Seat, labels

DOUBLE_AT = 202.0
"""How far from the middle the first open double lies."""
DOUBLES_APART = 40.0
SEAT_AT = 277.0
NOTE_OFF = 25.0
UPPER = -0.35
"""Seats whose direction points up more than this have their name above the badge."""


@dataclass(frozen=True)
class Place:
    """A train of the drawing. Angles are degrees clockwise from the right, as SVG turns.

    ``doubles`` are distance and value of each open double, crosswise on the rails; ``lamp`` and
    ``marked`` are as the lamp at the seat shows them. ``name_x`` is the middle of the name and
    ``name_y`` its baseline at the usual size; a larger one is held at ``name_at``.
    """

    train: str
    angle: float
    x: float
    y: float
    name: str
    name_x: float
    name_y: float
    name_up: bool
    name_at: float
    name_anchor: str
    name_grows: int
    """Tenths that the name may grow by, 0 to 10; below 0 where it is smaller to be whole."""
    note_x: float
    note_y: float
    lamp: str
    marked: bool
    started: bool
    doubles: tuple[tuple[float, int], ...]
    turn: bool
    to_cover: bool
    knocked: bool
    out: bool


def hub_places(report: Mapping[str, Any], mexican: str = "Mexican Train") -> list[Place]:
    """Every train with its place, in seat order, the Mexican Train last, under this name.

    Between two rounds and after the game nothing lies there: the JSON still tells of the last
    round, the table does not.
    """
    trains = lamps(report)
    seats = []
    for number, lamp in enumerate(trains):
        angle = 90 + number * 360 / len(trains)
        x, y = spot(angle, SEAT_AT)
        up = math.sin(math.radians(angle)) < UPPER
        seats.append(Seat(x, y, angle, up, mexican if lamp.train == MEXICAN else lamp.train))
    told = report if report["phase"] in ("playing", "scoring") else {**report, **CLEARED}
    return [
        _place(told, lamp, seat, label)
        for lamp, seat, label in zip(trains, seats, labels(seats), strict=True)
    ]


CLEARED: Mapping[str, Any] = {
    "started": (),
    "open_doubles": (),
    "turn": None,
    "to_cover": None,
    "knocked": (),
    "went_out": (),
}
"""A round of which nothing lies on the table any more."""


def _place(told: Mapping[str, Any], lamp: Lamp, seat: Seat, label: Label) -> Place:
    train = lamp.train
    values = [
        int(double["double"].split("-")[0])
        for double in told["open_doubles"]
        if double["train"] == train
    ]
    return Place(
        train=train,
        angle=round(seat.angle, 2),
        x=seat.x,
        y=seat.y,
        name=label.text,
        name_x=label.x,
        name_y=label.y,
        name_up=label.up,
        name_at=label.at,
        name_anchor=label.anchor,
        name_grows=round(10 * label.grow) - 10,
        note_x=round(seat.x + (NOTE_OFF if seat.x >= MIDDLE else -NOTE_OFF), 1),
        note_y=round(seat.y + (NOTE_OFF if label.up else -NOTE_OFF), 1),
        lamp=lamp.state,
        marked=lamp.marked,
        started=train in told["started"],
        doubles=tuple((DOUBLE_AT + DOUBLES_APART * n, v) for n, v in enumerate(values)),
        turn=train == told["turn"],
        to_cover=train == told["to_cover"] and bool(told["open_doubles"]),
        knocked=train in told["knocked"],
        out=train in told["went_out"],
    )


def spot(angle: float, distance: float) -> tuple[float, float]:
    """The point at this angle and distance from the middle, to a tenth of a unit."""
    turned = math.radians(angle)
    return (
        round(MIDDLE + distance * math.cos(turned), 1),
        round(MIDDLE + distance * math.sin(turned), 1),
    )
