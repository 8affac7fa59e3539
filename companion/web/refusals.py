"""Every refusal in one place: one sentence, one button, and the same look everywhere.

Knows how errors become answers; the sentences of the game come with the errors.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Flask, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.errors import PhotoUnreadable, RuleBroken, Trouble
from companion.game import Stale
from companion.importing import too_large
from companion.report import report, say_action
from companion.saying import in_line
from companion.since import Since
from companion.web.security import IMPORT, ours
from companion.web.services import services
from companion.web.visitors import role_now
from companion.web.words import _, told

log = logging.getLogger(__name__)

KEPT_BACK = frozenset({"token", "overrule", "revision"})


@dataclass(frozen=True)
class Refusal:
    """What a page shows: the sentence, whether the people may insist, and in which words."""

    why: str
    overrulable: bool = False
    answer: str | None = None

    @classmethod
    def of(cls, error: Trouble) -> Refusal:
        """The refusal that an error asks for."""
        return cls(str(error), bool(getattr(error, "overrulable", False)))


def refuse(
    why: str,
    status: int = 422,
    *,
    overrulable: bool = False,
    back: str | None = None,
    missed: tuple[str, ...] = (),
) -> ResponseReturnValue:
    """One sentence and one button, as a page or, under ``/api/``, as JSON.

    With ``overrulable`` a second button sends the same form again with ``overrule``. ``missed``
    says what the sender had not seen.
    """
    if wants_json():
        body = {"refused": {"why": why}} if status == 422 else {"error": why}
        return jsonify(body), status
    if role_now() is None:
        return render_template("join.html", why=why), status
    again = overrulable and request.method == "POST" and not request.files
    sent = request.form.items(multi=True) if again else ()
    fields = [(name, value) for name, value in sent if name not in KEPT_BACK]
    page = render_template(
        "refused.html",
        why=why,
        overrule=again,
        fields=fields,
        back=back or back_here(),
        missed=missed,
    )
    return page, status


MOST_TOLD = 4
"""Of many things that were missed the last few are told."""


def missed_since(seen: int) -> tuple[str, ...]:
    """What has changed at the table since this revision, in sentences."""
    return say_since(services().game.since(seen))


def say_since(since: Since) -> tuple[str, ...]:
    """What has been done and taken back, in sentences."""
    said = []
    if since.another:
        said.append(_("Another game was begun meanwhile."))
    if since.undone:
        what = in_line(say_action(each) for each in since.undone[-MOST_TOLD:])
        said.append(_("Taken back since you looked: %(what)s.", what=what))
    if since.done and not since.another:
        what = in_line(say_action(each) for each in since.done[-MOST_TOLD:])
        said.append(_("New since you looked: %(what)s.", what=what))
    return tuple(said)


def wants_json() -> bool:
    """Whether a program asks, not a person."""
    return request.path.startswith("/api/") or request.path in ("/healthz", "/live")


def back_here() -> str:
    """The page of ours that this request came from, else the home page."""
    if not request.referrer or not ours(request.referrer):
        return "/"
    came = urlsplit(request.referrer)
    inside = came.path[:1] == "/" and came.path[:2] != "//"
    if inside and came.path != request.path:
        return came.path + (f"?{came.query}" if came.query else "")
    return "/"


def handle_refusals(app: Flask) -> None:
    """Teach the application to answer every error with a sentence."""
    app.register_error_handler(RuleBroken, on_rule_broken)
    app.register_error_handler(PhotoUnreadable, on_photo_unreadable)
    app.register_error_handler(Trouble, on_trouble)
    app.register_error_handler(HTTPException, on_http_error)


def on_rule_broken(error: RuleBroken) -> ResponseReturnValue:
    """The record says no; a stale tap also learns, as JSON, how the table stands now."""
    if isinstance(error, Stale):
        if wants_json():
            table = report(services().game.table)
            return jsonify({"refused": {"why": str(error)}, "table": table}), 409
        return refuse(str(error), 409, missed=missed_since(error.seen))
    return refuse(str(error), 422, overrulable=error.overrulable)


def on_photo_unreadable(error: PhotoUnreadable) -> ResponseReturnValue:
    """The picture cannot be read."""
    return refuse(str(error), 422)


def on_trouble(error: Trouble) -> ResponseReturnValue:
    """A device, the disk, or anything else that has a sentence of its own."""
    log.warning("%s", error)
    return refuse(str(error), 503)


def on_http_error(error: HTTPException) -> ResponseReturnValue:
    """The web's own refusals, in people's words."""
    code = error.code or 500
    return refuse(http_sentence(error), code, back="/" if code == 404 else None)


def http_sentence(error: HTTPException) -> str:
    """What to do about a status code."""
    most = services().settings.upload_limit // 2**20
    sentences: dict[int, str] = {
        400: _("This page is from before. Go back, load it again and try once more."),
        403: _("This came from another site and was not taken. Use the page itself."),
        404: _("There is no such page here. Go home and start from there."),
        405: _("This address only takes taps. Go back and use the button."),
        413: _("The file is too large: send a photo of at most %(most)s megabytes.", most=most),
        415: _("Send the action as application/json."),
        503: _("Too busy just now. Try again in a moment."),
    }
    if error.code == 413 and request.endpoint == IMPORT:
        return told(too_large())
    unknown = _("Something went wrong here; what was scored is safe. Go back and try again.")
    return sentences.get(error.code or 500, unknown)
