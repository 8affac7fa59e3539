"""The contract for programs: the table, actions, readings and lamps as JSON.

The same game and the same refusals as the pages; knows no HTML.
"""

from __future__ import annotations

import json

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue

from companion.dominoes import SIZES
from companion.errors import NotAnAction, PhotoUnreadable
from companion.observation import DOUBLE_BLANK
from companion.report import report
from companion.web.live import sight
from companion.web.services import report_now, services, table_now
from companion.web.uploads import queue
from companion.web.visitors import role_now
from companion.web.words import _

pages = Blueprint("api", __name__)

BLANKS = (0, 25, 50)

LARGEST_ACTION = 100_000
"""Bytes; a hand of a whole double-18 set has about 2,000."""


@pages.get("/healthz")
def health() -> ResponseReturnValue:
    """That the server answers; to whoever has joined also how far the game is, and a word for what
    the camera sees."""
    here = services()
    if role_now() is None:
        return jsonify({"ok": True})
    return jsonify({"ok": True, "revision": here.game.table.revision, "seen": sight(here)})


@pages.get("/api/table")
def table() -> ResponseReturnValue:
    """The replay JSON of the table as it is."""
    return jsonify(report_now())


@pages.post("/api/actions")
def actions() -> ResponseReturnValue:
    """Play one action; ``revision`` and ``once`` beside it are the sender's, not the journal's."""
    if request.mimetype != "application/json":
        abort(415)
    said = sent_json()
    if not isinstance(said, dict):
        raise NotAnAction(
            'Send one action as a JSON object like {"action": "mark", "train": "Red"}.'
        )
    revision = said.pop("revision", None)
    once = said.pop("once", None)
    if revision is not None and type(revision) is not int:
        raise NotAnAction("revision must be the whole number that the table carried.")
    if once is not None and not isinstance(once, str):
        raise NotAnAction("once must be a text of your own that no other action carries.")
    return jsonify(report(services().game.play(said, revision=revision, once=once)))


def sent_json() -> object:
    """The body as JSON; None for what is none. An action is small, so a large body is none."""
    if (request.content_length or 0) > LARGEST_ACTION:
        return None
    try:
        return json.loads(request.get_data())
    except (ValueError, RecursionError):
        return None


@pages.post("/api/read")
def read() -> ResponseReturnValue:
    """Read the multipart field ``photo``; optional ``set`` and ``blank`` as in the command."""
    sent = request.files.get("photo")
    name = (sent.filename if sent else None) or "photo"
    try:
        if sent is None:
            raise PhotoUnreadable(_("No photo came along: send it as the field photo."))
        highest = choice("set", SIZES)
        blank = choice("blank", BLANKS)
        data, darkroom = sent.read(), services().darkroom
        reading = queue().now(
            lambda: darkroom.read(
                data,
                highest=highest,
                double_blank=DOUBLE_BLANK if blank is None else blank,
            )
        )
    except (PhotoUnreadable, NotAnAction) as error:
        return jsonify({"photo": name, "error": str(error)}), 422
    return jsonify(reading.to_json(name))


def choice(field: str, allowed: tuple[int, ...]) -> int | None:
    """One of a few numbers from the form or the address; None when not given."""
    text = request.values.get(field, "").strip()
    if not text:
        return None
    for number in allowed:
        if text == str(number):
            return number
    listed = ", ".join(map(str, allowed))
    raise NotAnAction(f"{field} must be one of {listed}.")


@pages.get("/api/lamps")
def lamps() -> ResponseReturnValue:
    """Every lamp with its pin, duty and what the device says of it."""
    lights = services().lights
    return jsonify([] if lights is None else lights.lamps(table_now().revision))
