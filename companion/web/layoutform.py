"""The calibration's form: what its fields hold, what they tell, and what no table can be like.

Knows the fields' names and the layout they make; where they are shown and when what they tell is
kept, the page says.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

from companion.errors import RuleBroken
from companion.game import Stale
from companion.layout import Layout, checked, inside, spread
from companion.vision.frames import holds
from companion.web.looking import (
    Drawn,
    choices,
    decimal,
    hub_seen,
    percent,
    told_ways,
    trains_now,
)
from companion.web.words import _

HUB, CORNER, SEAT = "hub", "corner", "seat"
CORNERS = 4
PLACES = (
    "hub_x",
    "hub_y",
    *(f"{CORNER}{n}_{axis}" for n in range(1, CORNERS + 1) for axis in "xy"),
)
"""The number fields of places, in the page's order; the seats' follow them."""
WALL = "|"
"""Stands between the fields where all are told as one."""
SAME_WAY = 5.0
"""Degrees between two seats below which their trains would lie on each other."""


@dataclass(frozen=True)
class Pick:
    """One thing that can be put somewhere: its name in the form, its words, whose it is."""

    name: str
    words: str
    train: str | None = None


def all_picks() -> list[Pick]:
    """Everything that can be put somewhere, in the order of its taps."""
    corners = [_("Top left"), _("Top right"), _("Bottom right"), _("Bottom left")]
    trains = trains_now()
    return [
        Pick(HUB, _("Hub")),
        *(Pick(f"{CORNER}{n}", words) for n, words in enumerate(corners, start=1)),
        *(Pick(f"{SEAT}{n}", "", train) for n, train in enumerate(trains, start=1)),
    ]


# ---- what the fields hold -----------------------------------------------------------------------


def fields_of(view: Drawn) -> dict[str, str]:
    """What is known: percent of the picture, degrees; blank for what is not told."""
    fields = {"hub_x": "", "hub_y": ""}
    if view.hub_told:
        fields |= {
            "hub_x": share(view.x, view.width),
            "hub_y": share(view.y, view.height),
        }
    for number, (x, y) in enumerate(view.area, start=1):
        fields[f"corner{number}_x"] = share(x, view.width) if view.area_told else ""
        fields[f"corner{number}_y"] = share(y, view.height) if view.area_told else ""
    for way in view.ways:
        fields[f"seat{way.number}_way"] = f"{way.angle:.0f}" if way.told else ""
    return fields


def with_typed(fields: Mapping[str, str]) -> dict[str, str]:
    """The same fields with what was typed or moved since the page was drawn.

    Where nothing was, they tell what is known by now, which may be newer than the page.
    """
    was: dict[str, str] = {}
    if "was" in request.form:
        was = dict(zip(field_names(), request.form["was"].split(WALL)))
    typed = {name: request.form.get(name, known)[:8] for name, known in fields.items()}
    return {
        name: known if typed[name].strip() == was.get(name) else typed[name]
        for name, known in fields.items()
    }


def share(value: float, whole: int) -> str:
    """Pixels as percent."""
    return f"{100 * value / whole:.1f}"


def field_names() -> list[str]:
    """The number fields in the page's order."""
    return [*PLACES, *(f"{SEAT}{number}_way" for number in range(1, len(trains_now()) + 1))]


def unkept() -> bool:
    """Whether the fields tell something else than when the page was opened."""
    was = request.form.get("was")
    typed = (request.form.get(name, "").strip() for name in field_names())
    return was not in (None, WALL.join(typed))


def stamp(layout: Layout) -> str:
    """A short word for a layout, by which a form knows the one that it was drawn from."""
    return hashlib.sha256(json.dumps(layout.to_json()).encode()).hexdigest()[:16]


def not_behind() -> None:
    """Raises Stale for a form that was drawn before another calibration was kept."""
    if request.form.get("of") not in (None, stamp(choices().layout)):
        raise Stale(
            _(
                "Somebody else changed the calibration in the meantime: look at it again, then "
                "repeat."
            )
        )


# ---- what they tell -----------------------------------------------------------------------------


def layout_of(form: Mapping[str, Any]) -> Layout:
    """The layout that the number fields tell. Raises RuleBroken with the reason."""
    layout = Layout(by_hand=True)
    if filled(form, names := PLACES[:2]):
        x, y = shares_of(form, names)
        layout = replace(layout, centre=inside((x, y)))
    names = PLACES[2:]
    if filled(form, names):
        shares = shares_of(form, names)
        layout = replace(layout, area=checked(list(zip(shares[::2], shares[1::2]))))
    ways = [f"{SEAT}{number}_way" for number in range(1, len(trains_now()) + 1)]
    given = {n: decimal(form, way) % 360 for n, way in enumerate(ways) if filled(form, [way])}
    return seated(layout, given, len(ways)) if given else layout


def shares_of(form: Mapping[str, Any], names: Sequence[str]) -> list[float]:
    """These percentages of the form as fractions. Raises RuleBroken, with the field's own words
    for one that is empty."""
    for name in names:
        if not filled(form, [name]):
            raise RuleBroken(_("“%(field)s” is empty: type a number.", field=field_words(name)))
    return [percent(form, name) for name in names]


def field_words(field: str) -> str:
    """What the page calls the field of a place."""
    name, axis = field.rsplit("_", 1)
    what = next(pick.words for pick in all_picks() if pick.name == name)
    if axis == "x":
        return _("%(what)s: from the left", what=what)
    return _("%(what)s: from the top", what=what)


def filled(form: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Whether any of these fields holds something; of a place the others must then too."""
    return any(form.get(name, "").strip() for name in names)


def seated(layout: Layout, ways: Mapping[int, float], count: int) -> Layout:
    """The layout with these ways to its so many seats, and a guess for the others."""
    guessed = tuple(seat for seat in range(count) if seat not in ways)
    return replace(layout, directions=spread(ways, count), guessed=guessed)


# ---- what no table can be like ------------------------------------------------------------------


def fitting(layout: Layout) -> Layout:
    """The same layout. Raises RuleBroken where its parts cannot belong to one table.

    A hub that nobody told is where it is seen, if it is.
    """
    centre = layout.centre or hub_seen()
    if layout.area is not None and centre is not None and not holds(layout.area, centre):
        raise RuleBroken(
            _(
                "The middle of the hub lies outside the play area: pull the hub in, or the "
                "corners out."
            )
        )
    trains = trains_now()
    known = told_ways(layout) if len(layout.directions) == len(trains) else {}
    for one, other in itertools.combinations(sorted(known), 2):
        if abs(math.remainder(known[one] - known[other], 360)) < SAME_WAY:
            raise RuleBroken(
                _(
                    "%(one)s and %(other)s sit in nearly the same direction: move one of them "
                    "further away.",
                    one=seat_words(trains[one]),
                    other=seat_words(trains[other]),
                )
            )
    return layout


def seat_words(train: str) -> str:
    """Whose seat it is."""
    return _("Mexican Train") if train == "mexican" else train
