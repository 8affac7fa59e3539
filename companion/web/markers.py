"""The markers that the camera knows: taught by one tap on its picture, named, forgotten again.

Knows a marker as what it is stored as; how one looks to the camera is `vision.markers`'s.
"""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.actions import quoted
from companion.errors import NotAnAction, RuleBroken, Trouble
from companion.names import folded
from companion.observation import Point
from companion.vision.crops import as_jpeg
from companion.vision.geometry import Picture
from companion.vision.markers import learn
from companion.web.looking import (
    PLAIN_WIDTHS,
    blank,
    choices,
    drawn,
    picture_size,
    tapped,
    watch_here,
)
from companion.web.refusals import Refusal
from companion.web.services import services
from companion.web.table import simulate
from companion.web.taps import then, word
from companion.web.words import _, told

pages = Blueprint("markers", __name__)

MOST = 20
"""So many markers can be taught."""
LONGEST_NAME = 24
_AROUND = 0.9
"""What the picture of a marker shows to each side of it, in tile lengths."""
_USUAL = 0.1
"""A tile's length, in shorter sides of the picture, while no tile tells it."""


@dataclass(frozen=True)
class Taught:
    """One marker on the page: its place in the list, from 0, and its name."""

    number: int
    name: str


@pages.get("/calibration/markers")
def show() -> ResponseReturnValue:
    """The markers that the camera knows, and the live view to teach another."""
    return page()


def page(refusal: Refusal | None = None) -> str:
    """The page, with the reason why the last one was not taught."""
    watch = watch_here()
    trouble, view = told(watch.trouble), None
    if not trouble:
        try:
            view = blank(*picture_size(watch))
        except Trouble as error:
            trouble = told(str(error))
    known = choices().markers
    layout = None if view is None else drawn(choices().layout, view.width, view.height)
    return render_template(
        "markers.html",
        trouble=trouble,
        view=view,
        layout=layout,
        guessed=layout is not None and any(way.guess for way in layout.ways),
        markers=[Taught(n, str(each.get("name", "?"))) for n, each in enumerate(known)],
        name=request.form.get("name", "")[:LONGEST_NAME],
        longest=LONGEST_NAME,
        widths=PLAIN_WIDTHS,
        refusal=refusal,
        simulated=services().simulator is not None,
        look=secrets.token_hex(3),
    )


@pages.post("/calibration/markers")
def change() -> ResponseReturnValue:
    """A marker was tapped and is learnt, or one is forgotten."""
    watch_here()
    forget = request.form.get("forget")
    try:
        if forget is not None:
            leave_out(forget)
        else:
            teach()
    except NotAnAction:
        raise
    except RuleBroken as error:
        return page(Refusal.of(error)), 422
    return then(url_for("markers.show"))


@pages.post("/calibration/markers/simulator")
def simulator() -> ResponseReturnValue:
    """A marker of the simulated table was laid or lifted on this page."""
    simulate()
    return then(url_for("markers.show"))


def teach() -> None:
    """Learn the marker that lies where the picture was tapped. Raises RuleBroken."""
    watch = watch_here()
    image = watch.fresh().image
    height, width = image.shape[:2]
    place, name = tapped(request.form, width / height), word(request.form, "name")
    if place is None:
        raise RuleBroken(_("Tap the marker in the picture first."))
    known = list(choices().markers)
    name = (name or _("Marker %(n)s", n=len(known) + 1))[:LONGEST_NAME]
    if any(folded(str(each.get("name", ""))) == folded(name) for each in known):
        raise RuleBroken(_("There is a %(name)s already: choose another name.", name=quoted(name)))
    if len(known) >= MOST:
        raise RuleBroken(_("That is enough: the camera knows %(n)s markers.", n=MOST))
    slot = watch.slot  # asked once: the watch may begin again
    length = (slot[1] if slot else None) or _USUAL * min(width, height)
    at = (place[0] * width, place[1] * height)
    learnt = learn(image, at, length, name).to_json()
    picture = base64.b64encode(as_jpeg(around(image, at, length), 85)).decode("ascii")
    choices().keep_markers([*known, {"name": name, "marker": learnt, "jpeg": picture}])


def around(image: Picture, at: Point, length: float) -> Picture:
    """The marker with a little of the table around it, square."""
    height, width = image.shape[:2]
    half = max(8, round(_AROUND * length))
    x = min(max(round(at[0]), half), max(width - half, half))
    y = min(max(round(at[1]), half), max(height - half, half))
    return image[max(y - half, 0) : y + half, max(x - half, 0) : x + half]


def leave_out(which: str) -> None:
    """Forget the marker of this name."""
    known = choices().markers
    left = [each for each in known if each.get("name") != which]
    if len(left) == len(known):
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    choices().keep_markers(left)


@pages.get("/calibration/markers/<int:number>.jpg")
def picture(number: int) -> ResponseReturnValue:
    """What this marker looked like when it was taught."""
    known = choices().markers
    if number >= len(known):
        abort(404)
    try:
        data = base64.b64decode(str(known[number].get("jpeg", "")), validate=True)
    except ValueError:
        abort(404)
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer
