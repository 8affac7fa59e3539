"""Shut down, restart, update: what a host may ask of the machine.

Only where the companion runs as the machine's service. Knows what is asked for, not how it is done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, abort, current_app, request, url_for
from flask.typing import ResponseReturnValue

from companion.edges import Power
from companion.errors import DeviceTrouble, NotAnAction
from companion.joining import HOST
from companion.pressing import UNPLUG
from companion.saying import say
from companion.web.services import services
from companion.web.taps import then
from companion.web.visitors import role_now
from companion.web.words import _

pages = Blueprint("machine", __name__)

STATE = "machine"
FORGOTTEN = 15 * 60.0
"""Seconds after which an order that came to nothing, such as an update offline, is forgotten."""
ORDERS: dict[str, Callable[[Power], str | None]] = {
    "off": lambda power: power.shut_down(),
    "restart": lambda power: power.restart(),
    "update": lambda power: power.update(),
}
UNDER_WAY = {
    "off": UNPLUG,
    "restart": say("The machine restarts: this page comes back in a minute or two."),
    "update": say(
        "The newest version is being fetched and started, which takes some minutes. "
        "Without internet all stays as it is."
    ),
}


@dataclass(frozen=True)
class Machine:
    """What the settings page shows of it: what was asked to be agreed to, and the sentence of what
    is under way."""

    asked: str | None = None
    under_way: str | None = None


def machine() -> Machine | None:
    """The machine as the settings page shows it; None where it is not for the companion to
    command, and to whoever may not order anything while nothing is under way."""
    if services().power is None:
        return None
    what, since = current_app.extensions.get(STATE, (None, 0.0))
    if what is not None and time.monotonic() < since + FORGOTTEN:
        return Machine(under_way=UNDER_WAY[what])
    if role_now() != HOST:
        return None
    asked = request.args.get("machine")
    return Machine(asked if asked in ORDERS else None)


@pages.post("/settings/machine")
def order() -> ResponseReturnValue:
    """Carry it out; the machine leaves time for the answer."""
    power, what = services().power, request.form.get("do", "")
    if power is None:
        abort(404)
    if what not in ORDERS:
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    if (why := ORDERS[what](power)) is not None:
        raise DeviceTrouble(why)
    current_app.extensions[STATE] = what, time.monotonic()
    return then(url_for("settings.show") + "#machine")
