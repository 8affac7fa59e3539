"""The home page: go on, begin, count a photo, join from another phone."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from companion.joining import SPECTATOR
from companion.web.joining import address_here, invitation
from companion.web.rounds import game_key
from companion.web.services import table_now

pages = Blueprint("home", __name__)


@pages.get("/")
def home() -> ResponseReturnValue:
    """What can be done now, and the address for the others."""
    return render_template(
        "home.html",
        reachable=address_here() is not None,
        invitation=invitation(),
        television=invitation(SPECTATOR),
        seen=game_key(table_now()),
    )
