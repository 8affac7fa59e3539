"""Joining the table: by the link that is scanned, or by the code that is typed.

Whoever has not joined sees this page and nothing else. What a role may is said in ``roles``, who
is asking in ``visitors``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Blueprint, Flask, Response, current_app, jsonify, make_response, redirect
from flask import render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from companion.joining import HOST, PLAYER, ROLES, SPECTATOR, grouped
from companion.web.codes import qr_code
from companion.web.refusals import back_here, refuse, wants_json
from companion.web.roles import OPEN, enough, least
from companion.web.services import report_now, services
from companion.web.serving import only_here
from companion.web.taps import then
from companion.web.visitors import GENERATION, Locked, address, form_token, key_now, let_in, may
from companion.web.visitors import on_the_spot, over_https, role_now, stay, was_in
from companion.web.words import _, ngettext

pages = Blueprint("joining", __name__)


@dataclass(frozen=True)
class Invitation:
    """What lets another device in: the address, and with it the QR code and the short code."""

    address: str
    code: str
    drawn: Markup


def mind_the_door(app: Flask) -> None:
    """Let nobody beyond the door who may not be there, and templates ask what a visitor may."""
    app.before_request(check_role)
    app.after_request(keep_quiet)
    app.jinja_env.globals.update(may=may, hosts=lambda: role_now() == HOST, wanted=wanted)


def check_role() -> ResponseReturnValue | None:
    """A stranger is shown the door, and who has joined what only others may."""
    role, needed = role_now(), least(request.endpoint)
    if enough(role, needed):
        stay()
        return None
    if role is None:
        return shut()
    if needed == HOST:
        return refuse(_("Only the host can do that. Ask whoever runs the table."), 403, back="/")
    return refuse(_("This device only watches. Join as a player to do that."), 403, back="/")


def shut() -> Response:
    """The answer to whoever has not joined."""
    if not wants_json():
        return door(401)
    answer = jsonify({"error": _("Join the table first: its key is missing.")})
    answer.status_code = 401
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def door(status: int = 200, why: str | None = None) -> Response:
    """The page to join by; ``why`` tells what was wrong with the last try."""
    why = why or (_("The table has a new key: join it again.") if was_in() else None)
    return make_response(render_template("join.html", why=why, role=role_now()), status)


def wait_words(seconds: int) -> str:
    """How long to wait."""
    return ngettext(
        "Too many wrong codes: wait %(num)s second, then try again.",
        "Too many wrong codes: wait %(num)s seconds, then try again.",
        seconds,
    )


@pages.get("/join")
def page() -> ResponseReturnValue:
    """One field for the code."""
    return door()


@pages.get("/join/<token>")
def link(token: str) -> ResponseReturnValue:
    """The link of the QR code: in at once, and off to a page whose address tells nothing."""
    role = key_now().opened_by_link(token)
    if role is None:
        why = _("This link does not open the table any more: scan the code that is shown now.")
        return door(401, why)
    return enter_as(role)


@pages.post("/join")
def enter() -> ResponseReturnValue:
    """The code that was typed."""
    typed = request.form.get("code", "")[:100]
    try:
        role = services().door.by_code(key_now(), typed, address())
    except Locked as locked:
        answer = door(429, wait_words(locked.seconds))
        answer.headers["Retry-After"] = str(locked.seconds)
        return answer
    if role is None:
        return door(422, _("That is not the code: look at it again on the host's screen."))
    return enter_as(role, wanted())


def enter_as(role: str, there: str | None = None) -> ResponseReturnValue:
    """In, and back to the page of ours that was wanted, else to what is of interest to this role
    now."""
    let_in(role, key_now())
    if there is not None and (page := page_at(there)) and enough(role, least(page)):
        return redirect(there, 303)
    if role == SPECTATOR:
        return redirect(url_for("tv.show"), 303)
    now = report_now()
    playing = now["game"] is not None and now["phase"] != "finished"
    return redirect(url_for("table.show" if playing else "home.home"), 303)


@pages.post("/settings/key")
def renew() -> ResponseReturnValue:
    """Another key: every device but this one has to join anew."""
    here = on_the_spot()
    before = key_now().generation if here else str(session.get(GENERATION))
    made = services().door.renew(before, form_token(), request.form.get("once", ""))
    if not here:
        if made is None:
            return shut()
        let_in(HOST, made)
    return then(url_for("settings.show") + "#key")


# ---- back to where one was -------------------------------------------------------------------

NOWHERE = frozenset({"home", "joining", "api", "live"})
"""Areas that nobody is led back to: there is a better place, or it is not for people."""
OWN_PATH = re.compile(r"/(?!/)[!-\[\]-~]{0,300}")
"""A browser takes ``//`` and ``/\\`` for another site, and leaves out blanks and line ends."""


def wanted() -> str | None:
    """The page of ours that somebody wanted who has to join first; None for none in particular."""
    try:
        if request.path == url_for("joining.page"):
            there = request.values.get("next", "")
        elif request.method in ("GET", "HEAD"):
            there = request.full_path.rstrip("?")
        else:
            there = back_here()
    except HTTPException:  # a form that is too large has no fields
        return None
    return there if page_at(there) else None


def page_at(there: str) -> str | None:
    """The name of the page at an address of ours, a path and nothing before it; None for any other
    text, and for what is not opened by its address."""
    if not OWN_PATH.fullmatch(there):
        return None
    try:
        ways = current_app.create_url_adapter(request)
        page = str(ways.match(there.partition("?")[0], method="GET")[0]) if ways else ""
    except HTTPException:
        return None
    area = page.partition(".")[0]
    return page if area not in NOWHERE and page not in OPEN else None


def keep_quiet(response: Response) -> Response:
    """No link of the door is told to another page, or kept.

    A page with a form tells where it comes from, without the link, or its browser would send the
    form as from nowhere.
    """
    if request.endpoint == "joining.link":
        led_on = response.status_code == 303
        response.headers["Referrer-Policy"] = "no-referrer" if led_on else "origin"
        response.headers["Cache-Control"] = "no-store"
    return response


# ---- letting others in -----------------------------------------------------------------------


def address_here() -> str | None:
    """The address that others type; None where only this machine can open it."""
    where = services().settings.address or request.host_url
    if only_here(where):
        where = request.host_url
        if over_https():
            where = where.replace("http:", "https:", 1)
    return None if only_here(where) else where


def invitation(role: str = PLAYER) -> Invitation | None:
    """How to let another device in as this; None where none could come, or who asks may not."""
    where, mine = address_here(), role_now()
    if where is None or mine is None or mine == SPECTATOR or not enough(mine, role):
        return None
    key = key_now()
    return Invitation(where, grouped(key.code(role)), qr_code(f"{where}join/{key.link(role)}"))


def invitations() -> dict[str, Invitation]:
    """Those of every role, for the host."""
    found = {role: invitation(role) for role in ROLES[::-1]}
    return {role: each for role, each in found.items() if each is not None}
