"""The little ceremony for the winners: played once for each game on a device, and never unasked.

It is CSS alone: a page whose body carries the class ``cheers`` plays it, devices that ask for
less motion show the same picture standing still. The cookie ``ceremony=off`` switches it off on
one device; ``POST /ceremony`` (``do`` is ``on`` or ``off``) sets it, and `wanted` tells it to
the settings page.
"""

from __future__ import annotations

from flask import Blueprint, make_response, request, session
from flask.typing import ResponseReturnValue

from companion.errors import NotAnAction
from companion.web.refusals import back_here
from companion.web.taps import then
from companion.web.words import _

pages = Blueprint("ceremony", __name__)

COOKIE, OFF = "ceremony", "off"
A_YEAR = 365 * 24 * 3600
CHEERED = "cheered"


def wanted() -> bool:
    """Whether this device plays the ceremony at the end of a game."""
    return request.cookies.get(COOKIE) != OFF


def cheers(game: str) -> bool:
    """Whether this answer plays the ceremony of this finished game; from now on it was played.

    Only a page that is opened counts: our script asks for copies of a page to compare, and takes
    anything, where a browser that opens a page asks for HTML.
    """
    opened = "text/html" in request.headers.get("Accept", "")
    if not opened or not wanted() or session.get(CHEERED) == game:
        return False
    session[CHEERED] = game
    return True


@pages.post("/ceremony")
def switch() -> ResponseReturnValue:
    """Switch it on or off on this device, and go back to the page it was asked for on."""
    do = request.form.get("do", "")
    if do not in ("on", OFF):
        raise NotAnAction(_("The ceremony is on or off: use the buttons of the page."))
    answer = make_response(then(back_here()))
    if do == OFF:
        answer.set_cookie(COOKIE, OFF, max_age=A_YEAR, httponly=True, samesite="Lax")
    else:
        answer.delete_cookie(COOKIE)
    return answer
