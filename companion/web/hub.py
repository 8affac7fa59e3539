"""The hub from above as places on a drawing: where each train, seat, lamp and tile lies.

Pure geometry over the report's names; knows no page and changes nothing. The drawing is a
square of `SIDE` units with the hub in its middle. Seat 1 sits at the bottom, the others follow
clockwise as they sit, the Mexican Train comes last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.lamps import lamps

SIDE = 720
MIDDLE = SIDE / 2

DOUBLE_AT = 204.0
"""How far from the middle the first open double lies."""
DOUBLES_APART = 40.0
SEAT_AT = 285.0
NAME_OFF = 47.0
NAME_DROP = 11.0
UPPER = -0.35
"""Seats whose direction points up more than this have their name above the badge."""

LONGEST_NAME = ((6, 10), (8, 8), (11, 7), (15, 6))
"""Up to so many trains, so many letters of a name fit beside each other."""


@dataclass(frozen=True)
class Place:
    """A train of the drawing. Angles are degrees clockwise from the right, as SVG turns.

    ``doubles`` are distance and value of each open double, crosswise on the rails; ``lamp`` and
    ``marked`` are as the lamp at the seat shows them.
    """

    train: str
    angle: float
    x: float
    y: float
    name_y: float
    name: str
    lamp: str
    marked: bool
    started: bool
    doubles: tuple[tuple[float, int], ...]
    turn: bool
    to_cover: bool
    knocked: bool
    out: bool


def hub_places(report: Mapping[str, Any]) -> list[Place]:
    """Every train with its place, in seat order, the Mexican Train last."""
    trains = lamps(report)
    longest = next(letters for most, letters in LONGEST_NAME if len(trains) <= most)
    return [
        _place(report, seat, len(trains), lamp.train, lamp.state, lamp.marked, longest)
        for seat, lamp in enumerate(trains)
    ]


def _place(
    report: Mapping[str, Any],
    seat: int,
    seats: int,
    train: str,
    lamp: str,
    marked: bool,
    longest: int,
) -> Place:
    angle = 90 + seat * 360 / seats
    x, y = spot(angle, SEAT_AT)
    up = math.sin(math.radians(angle)) < UPPER
    values = [
        int(double["double"].split("-")[0])
        for double in report["open_doubles"]
        if double["train"] == train
    ]
    return Place(
        train=train,
        angle=round(angle, 2),
        x=x,
        y=y,
        name_y=round(y + NAME_DROP + (-NAME_OFF if up else NAME_OFF), 1),
        name=shortened(train, longest),
        lamp=lamp,
        marked=marked,
        started=train in report["started"],
        doubles=tuple((DOUBLE_AT + DOUBLES_APART * n, v) for n, v in enumerate(values)),
        turn=train == report["turn"],
        to_cover=train == report["to_cover"] and bool(report["open_doubles"]),
        knocked=train in report["knocked"],
        out=train in report["went_out"],
    )


def spot(angle: float, distance: float) -> tuple[float, float]:
    """The point at this angle and distance from the middle, to a tenth of a unit."""
    turned = math.radians(angle)
    return (
        round(MIDDLE + distance * math.cos(turned), 1),
        round(MIDDLE + distance * math.sin(turned), 1),
    )


def shortened(name: str, letters: int) -> str:
    """A name that fits its place; the whole one stands in the list of trains."""
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"
