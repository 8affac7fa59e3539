"""The self-test: known tiles are laid under the camera, and it says how well they are read.

Reads a few fresh pictures for each press; what was read before stays until the test begins anew.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from flask import Blueprint, current_app, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue

from companion.checkup import Checkup, suggested, tiles_in
from companion.dominoes import Tile
from companion.errors import RuleBroken, Trouble
from companion.web.looking import highest_now, read_now, watch_here
from companion.web.refusals import Refusal
from companion.web.services import services
from companion.web.taps import then
from companion.web.words import _, told

pages = Blueprint("selftest", __name__)

LOOKS = 5
"""Pictures that are read for each press."""
MOST_LOOKS = 100
USUAL_SET = 12
HERE = "selftest"


@dataclass
class Desk:
    """The test that is under way at this table, and its lock."""

    test: Checkup | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


@pages.record_once
def _set_up(state: BlueprintSetupState) -> None:
    state.app.extensions[HERE] = Desk()


def desk() -> Desk:
    """The running application's."""
    found: Desk = current_app.extensions[HERE]
    return found


@pages.get("/calibration/test")
def show() -> ResponseReturnValue:
    """Which tiles to lay, and what came of it so far."""
    return page()


def page(refusal: Refusal | None = None) -> str:
    """The page, with what was typed and why it was refused."""
    watch, test = watch_here(), desk().test
    tiles = test.tiles if test else suggested(highest())
    typed = request.form.get("tiles", "")[:400]
    return render_template(
        "selftest.html",
        trouble=told(watch.trouble),
        test=test,
        tiles=tiles,
        typed=typed if refusal else " ".join(map(str, tiles)),
        highest=highest(),
        simulated=services().simulator is not None,
        refusal=refusal,
    )


def highest() -> int:
    """The set that is tested."""
    return highest_now() or USUAL_SET


@pages.post("/calibration/test")
def change() -> ResponseReturnValue:
    """Read the tiles that lie there, or begin anew."""
    watch_here()
    if request.form.get("do") == "anew":
        desk().test = None
        return then(url_for("selftest.show"))
    try:
        read(tiles_in(request.form.get("tiles", ""), highest()))
    except (RuleBroken, Trouble) as error:
        return page(Refusal.of(error)), 422 if isinstance(error, RuleBroken) else 503
    return then(url_for("selftest.show") + "#result")


def read(known: tuple[Tile, ...]) -> None:
    """Read some pictures, and add them to the test of these tiles. Raises Trouble."""
    here = desk()
    if not here.lock.acquire(blocking=False):
        raise RuleBroken(_("Too busy just now. Try again in a moment."))
    try:
        test = here.test if here.test and here.test.tiles == known else Checkup(known)
        if len(test.readings) >= MOST_LOOKS:
            test = Checkup(known)
        watch, simulator = watch_here(), services().simulator
        if simulator is not None:
            simulator.lay_hand(known)
        try:
            images = [watch.fresh().image for _look in range(LOOKS)]
        finally:
            if simulator is not None:
                simulator.clear_hand()
        readings = [read_now(image) for image in images]
        here.test = test.seen(readings, float(images[-1][::8, ::8].mean()))
    finally:
        here.lock.release()
