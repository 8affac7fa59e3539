"""Camera and lamps: what the camera sees beside what the round says, what every lamp does.

Shows how the devices do and tries them out; changes nothing of the game. Knows the devices only
by what they tell.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.draft import Draft
from companion.edges import NOT_CONNECTED, Buttons, Wire
from companion.errors import DeviceTrouble
from companion.lamps import Lamp, lamps
from companion.layout import Layout
from companion.report import next_engine
from companion.vision.crops import as_jpeg, shrunk
from companion.web.asks import verdict_now
from companion.web.looking import Drawn, blank, choices, picture_size
from companion.web.looking import drawn as layout_drawn
from companion.web.outlines import View, views
from companion.web.services import report_now, services, table_now
from companion.web.table import simulate
from companion.web.taps import then
from companion.web.words import told

pages = Blueprint("camera", __name__)

LONGEST = 1280
"""Pixels of the longer side of the picture that is shown."""
SLOT = 0.72
"""The ring around the engine's slot, in tile lengths."""
UNKNOWN = 0.125
"""A tile's length, in shorter sides of the picture, while no tile tells it."""
AROUND = 2.2
"""What is shown around the slot and the tiles from near by, in reaches of the ring."""


@dataclass(frozen=True)
class LampLine:
    """One lamp: its duty (None at a seat where nobody sits), its wire, whether its pin is on."""

    lamp: Lamp | None
    wire: Wire
    lit: bool
    walked: bool


@pages.get("/camera")
def show() -> ResponseReturnValue:
    """How camera and lamps do, and what is seen."""
    lights, buttons = services().lights, services().buttons
    return render_template(
        "camera.html",
        camera=camera_told(),
        lines=lamp_lines(),
        lamps_trouble=None if lights is None else told(lights.trouble),
        can_walk=lights is not None and lights.trouble != NOT_CONNECTED,
        walked=None if lights is None else lights.walking,
        buttons=[] if buttons is None else buttons.wires(),
        buttons_say=[] if buttons is None else button_words(buttons),
        simulator=services().simulator,
        keepsakes=services().keepsakes is not None,
        tried="tried" in request.args,
        whole="1" if "whole" in request.args else None,
        look=secrets.token_hex(3),
    )


def camera_told() -> dict[str, Any] | None:
    """How the camera does and what it sees; None where nothing watches."""
    watch = services().watch
    if watch is None:
        return None
    now, sighting = report_now(), watch.sighting
    verdict, _seen = verdict_now(moving=True)
    playing = now["phase"] in ("playing", "scoring")
    wanted = now["engine"] if playing else next_engine(table_now())
    view = None if watch.trouble else drawn()
    around = ring(view)
    lines = None if view is None else layout_lines(view)
    return {
        "why": told(watch.camera.why),
        "trouble": told(watch.trouble),
        "there": watch.camera.there,
        "since": clock(watch.since),
        "kind": verdict.kind,
        "words": told(verdict.sentence),
        "seen": None if sighting is None or sighting.engine is None else str(sighting.engine),
        "certain": sighting is None or sighting.certain,
        "wanted": wanted,
        "wanted_now": playing,
        "read": None if sighting is None else clock(sighting.taken, "%H:%M:%S"),
        "view": view,
        "ring": around,
        "lines": lines,
        "moved": watch.moved,
        "frame": None if "whole" in request.args else near(view, around, lines),
        "n": picture_key(),
    }


def clock(moment: float, form: str = "%H:%M") -> str:
    """A moment of ``time.monotonic`` by the clock on the wall here."""
    ago = timedelta(seconds=time.monotonic() - moment)
    return (datetime.now() - ago).strftime(form)


def picture_key() -> str:
    """A word that changes when there is a new picture to ask for: at a new look, or when asked."""
    watch = services().watch
    sighting = None if watch is None else watch.sighting
    taken = "" if sighting is None else f"{sighting.taken:.2f}"
    return f"{taken}-{request.args.get('look', '')[:12]}"


def drawn() -> View | None:
    """The outlines of what was read in the last agreed look.

    Before that nothing is outlined, and the picture itself is drawn on only where something is
    known of it.
    """
    watch = services().watch
    sighting = None if watch is None else watch.sighting
    if sighting is not None and sighting.reading is not None:
        return views("hub", Draft.of(sighting.reading))[0]
    if watch is None or choices().layout == Layout():
        return None
    try:
        return blank(*picture_size(watch))
    except DeviceTrouble:
        return None


def layout_lines(view: View) -> Drawn:
    """What the calibration knows, to be drawn over this view."""
    return layout_drawn(choices().layout, view.width, view.height)


def ring(view: View | None) -> tuple[float, float, float] | None:
    """Where the hub's slot is in that drawing: its middle and a ring around it."""
    watch = services().watch
    slot = None if watch is None else watch.slot  # asked once: the watch may begin again
    if view is None or slot is None:
        return None
    (x, y), length = slot
    reach = SLOT * (length or UNKNOWN * min(view.width, view.height))
    return round(x, 1), round(y, 1), round(reach, 1)


def near(
    view: View | None, around: tuple[float, float, float] | None, lines: Drawn | None = None
) -> str | None:
    """The part of the picture that holds the slot, all tiles and the seats, as large as can be.

    Of the picture's own shape and within it, as an SVG viewBox; None for the whole of it.
    """
    if view is None or around is None:
        return None
    x, y, reach = around
    spots = [(x, y), *((outline.x, outline.y) for outline in view.outlines)]
    spots += [(way.x, way.y) for way in lines.ways if way.told] if lines else []
    left, right = (pick(spot[0] for spot in spots) for pick in (min, max))
    top, bottom = (pick(spot[1] for spot in spots) for pick in (min, max))
    pad = AROUND * reach
    share = max((right - left + 2 * pad) / view.width, (bottom - top + 2 * pad) / view.height)
    if share >= 1:
        return None
    width, height = view.width * share, view.height * share
    x0 = min(max((left + right - width) / 2, 0), view.width - width)
    y0 = min(max((top + bottom - height) / 2, 0), view.height - height)
    return f"{x0:.0f} {y0:.0f} {width:.0f} {height:.0f}"


@pages.get("/camera.jpg")
def picture() -> ResponseReturnValue:
    """A picture that the camera takes after this call, never kept by anybody."""
    watch = services().watch
    if watch is None:
        abort(404)
    answer = Response(as_jpeg(shrunk(watch.fresh().image, LONGEST), 80), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.post("/camera/retry")
def retry() -> ResponseReturnValue:
    """Ask the camera once more, now."""
    watch = services().watch
    if watch is None:
        abort(404)
    try:
        watch.fresh()
    except DeviceTrouble:
        return then(url_for("camera.show", tried=1))
    return then(url_for("camera.show"))


@pages.post("/camera/simulator")
def simulator() -> ResponseReturnValue:
    """A button of the simulated table was pressed on this page."""
    simulate()
    return then(url_for("camera.show"))


# ---- lamps -------------------------------------------------------------------------------------


@pages.post("/camera/walk")
def walk() -> ResponseReturnValue:
    """Light each lamp in turn; the walk goes on by itself and ends by itself."""
    lights = services().lights
    if lights is None:
        abort(404)
    lights.walk()
    return then(url_for("camera.show") + "#lamps")


def button_words(buttons: Buttons) -> list[str]:
    """What is wrong with the buttons, and what the last press was answered."""
    return [told(words) for words in (buttons.trouble, buttons.said) if words]


def lamp_lines() -> list[LampLine]:
    """Every lamp with its wire, the seats in order and the Mexican Train last.

    There are lamps at seats where nobody sits, and seats for which there is no pin.
    """
    lights, now = services().lights, report_now()
    wires = [] if lights is None else lights.wires()
    if lights is None or not wires:
        return []
    lit = {lamp["train"]: bool(lamp["lit"]) for lamp in lights.lamps(now["revision"])}
    *seats, mexican = lamps(now)
    pairs = [*zip_longest(seats, wires[:-1]), (mexican, wires[-1])]
    return [
        LampLine(
            lamp=lamp,
            wire=wire or Wire(number, None, None),
            lit=lamp is not None and lit.get(lamp.train, False),
            walked=wire is not None and wire.pin is not None and wire.pin == lights.walking,
        )
        for number, (lamp, wire) in enumerate(pairs, start=1)
    ]
