"""The calibration page: where the hub, the seats and the play area are in the camera's picture.

Found by itself, moved by hand, stored for every device. A tap or a drag becomes a `Layout`; what
lies there, others read.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import replace

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import NotAnAction, RuleBroken, Trouble
from companion.game import Stale
from companion.layout import Layout, checked, inside
from companion.observation import Point
from companion.vision.placing import Found, find_layout
from companion.web.layoutform import (
    CORNER,
    HUB,
    SEAT,
    WALL,
    all_picks,
    fields_of,
    fitting,
    layout_of,
    not_behind,
    seated,
    stamp,
    unkept,
    with_typed,
)
from companion.web.looking import (
    PLAIN_WIDTHS,
    Drawn,
    choices,
    drawn,
    picture_size,
    read_now,
    tapped,
    trains_now,
    view_of,
    watch_here,
)
from companion.web.refusals import Refusal
from companion.web.services import services
from companion.web.taps import then
from companion.web.words import _, told

pages = Blueprint("calibration", __name__)

FIND, RESET, BACK = "find", "reset", "back"
ANYWAY = "-anyway"
"""Behind what a button does that was asked about: it is meant."""
FOUND = ("trains", "engine", "shape", "nothing")
"""How the hub was found, as the address says it after a search."""


@pages.get("/calibration")
def show() -> ResponseReturnValue:
    """The live view with everything that is known of it, to be put right."""
    return page()


def page(refusal: Refusal | None = None, *, asked: str = "", proposed: Layout | None = None) -> str:
    """The page; with the reason why what was sent was refused, and with what was typed.

    ``asked`` is what waits for a word: to find all by itself while something is not kept yet, or
    to forget it all. What was found, but cannot be kept like this, is ``proposed``.
    """
    watch, stored = watch_here(), choices().layout
    trouble, view, was, fields = told(watch.trouble), None, "", {}
    if not trouble:
        try:
            width, height = picture_size(watch)
            view, known = drawn(proposed or stored, width, height), drawn(stored, width, height)
            was, fields = WALL.join(fields_of(known).values()), fields_of(view)
        except Trouble as error:
            trouble = told(str(error))
    picks = all_picks()
    point = request.values.get("point", HUB)
    found = request.args.get("found", "")
    return render_template(
        "calibration.html",
        trouble=trouble,
        view=view,
        words=words_of(stored, view),
        picks=picks,
        point=point if any(pick.name == point for pick in picks) else HUB,
        fields=with_typed(fields) if request.method == "POST" and not proposed else fields,
        was=was,
        of=stamp(stored),
        asked=asked,
        moved=watch.moved,
        guessed=view is not None and any(way.guess for way in view.ways),
        kept="kept" in request.args,
        found=found if found in FOUND else "",
        refusal=refusal,
        widths=PLAIN_WIDTHS,
        keepsakes=services().keepsakes is not None,
        look=secrets.token_hex(3),
    )


def words_of(layout: Layout, view: Drawn | None) -> list[tuple[str, str]]:
    """What is known of where things lie: a name and a state for each, in words."""
    known = _("set by hand") if layout.by_hand else _("found")
    free = seats = _("found at every look")
    ways = () if view is None else view.ways
    told = sum(way.told for way in ways)
    if ways and told == len(ways):
        seats = known
    elif told:
        seats = _("%(n)s of %(all)s told, the others are guessed", n=told, all=len(ways))
    elif any(way.guess for way in ways):
        seats = _("only guessed: put each in its place")
    return [
        (_("Hub"), known if layout.centre else free),
        (_("Play area"), known if layout.area else _("the whole picture")),
        (_("Seats"), seats),
    ]


# ---- putting it right ---------------------------------------------------------------------------


@pages.post("/calibration")
def change() -> ResponseReturnValue:
    """One of the page's buttons was pressed, or its picture was tapped."""
    watch_here()
    do = request.form.get("do", "")
    try:
        if do == BACK:
            return page() if unkept() else then(url_for("calibration.show"))
        not_behind()
        if do == FIND and unkept():
            return page(asked=FIND), 422
        if do in (FIND, FIND + ANYWAY):
            return find()
        if do == RESET and choices().layout != Layout():
            return page(asked=RESET), 409
        if do in (RESET, RESET + ANYWAY):
            choices().keep_layout(Layout(), None)
            return then(url_for("calibration.show"))
        if do in ("keep", "stay"):
            keep(sure=do == "stay")
            return then(url_for("calibration.show", kept=1))
        return then(url_for("calibration.show", point=put()))
    except NotAnAction:
        raise
    except RuleBroken as error:
        return page(Refusal.of(error)), 409 if isinstance(error, Stale) else 422


def store(layout: Layout) -> None:
    """Store where things lie, with the view that this holds for. Raises RuleBroken."""
    view = view_of(watch_here().fresh().image)
    fitting(layout)
    not_behind()  # looking took a while
    choices().keep_layout(layout, view)


def keep(sure: bool) -> None:
    """Store what the page shows. Raises RuleBroken with the reason.

    Seats that are only guessed count as told from now on where somebody is ``sure`` of all, or
    keeps them as they were shown.
    """
    moved = unkept()
    layout = choices().layout if sure and not moved else layout_of(request.form)
    as_shown = "was" in request.form and not moved
    store(believed(layout) if sure or as_shown else layout)


def believed(layout: Layout) -> Layout:
    """The layout with every seat where it is drawn, if some of them were only guessed so far."""
    width, height = picture_size(watch_here())
    view = drawn(layout, width, height)
    if not any(way.guess for way in view.ways):
        return layout
    ways = {way.number - 1: way.angle for way in view.ways}
    centre = layout.centre or (view.x / view.width, view.y / view.height)
    return seated(replace(layout, centre=centre, by_hand=True), ways, len(ways))


def find() -> ResponseReturnValue:
    """Find everything in a fresh picture and store it; what cannot be kept is only shown."""
    image = watch_here().fresh().image
    found = find_layout(image, read_now(image), len(trains_now()) or None)
    together = with_known(found)
    try:
        fitting(together)
    except RuleBroken as error:
        return page(Refusal.of(error), proposed=together), 422
    not_behind()
    choices().keep_layout(together, view_of(image))
    return then(url_for("calibration.show", found=found.how or "nothing"))


def with_known(found: Found) -> Layout:
    """What was found, and what was known of the rest unless the view has moved."""
    layout = found.layout
    before = Layout() if watch_here().moved else choices().layout
    return Layout(
        centre=layout.centre or before.centre,
        area=layout.area or before.area,
        directions=layout.directions or before.directions,
        guessed=() if layout.directions else before.guessed,
    )


def put() -> str:
    """Put the chosen point where the picture was tapped; gives the next one to put."""
    width, height = picture_size(watch_here())
    place = tapped(request.form, width / height)
    point, names = request.form.get("point", ""), [pick.name for pick in all_picks()]
    if place is None or point not in names:
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    layout = layout_of(request.form) if unkept() else choices().layout
    store(placed(layout, drawn(layout, width, height), point, place))
    return names[(names.index(point) + 1) % len(names)]


def placed(layout: Layout, view: Drawn, point: str, place: Point) -> Layout:
    """The layout with one point put there. Raises RuleBroken where that cannot be."""
    if point == HUB:
        return replace(layout, centre=inside(place), by_hand=True)
    number = int(point.removeprefix(CORNER).removeprefix(SEAT)) - 1
    if point.startswith(CORNER):
        corners = [(x / view.width, y / view.height) for x, y in view.area]
        corners[number] = place
        return replace(layout, area=checked(corners), by_hand=True)
    ways = {way.number - 1: way.angle for way in view.ways if not way.guess}
    ways[number] = way_to(place, view)
    centre = layout.centre or (view.x / view.width, view.y / view.height)
    return seated(replace(layout, centre=centre, by_hand=True), ways, len(view.ways))


def way_to(place: Point, view: Drawn) -> float:
    """The direction from the hub to a place, in degrees. Raises RuleBroken for the hub itself."""
    x, y = place[0] * view.width - view.x, place[1] * view.height - view.y
    if math.hypot(x, y) < 0.02 * min(view.width, view.height):
        raise RuleBroken(_("That is the hub itself: tap where the seat's train leaves it."))
    return round(math.degrees(math.atan2(y, x)) % 360, 1)
