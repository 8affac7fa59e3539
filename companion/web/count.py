"""Counting a photo without any game: its tiles, pips and points, and nothing is scored."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import SIZES
from companion.errors import PhotoUnreadable, RuleBroken, Trouble
from companion.web import uploads
from companion.web.refusals import Refusal
from companion.web.services import services
from companion.web.taps import number, then
from companion.web.words import _

pages = Blueprint("count", __name__)

BLANKS = (0, 25, 50)
"""What the 0-0 can cost."""
USUAL_BLANK = 50


@pages.get("/count")
def show() -> ResponseReturnValue:
    """Choose a photo, and by which set and rule it counts."""
    return page(highest=None, blank=USUAL_BLANK)


@pages.post("/count")
def enter() -> ResponseReturnValue:
    """Keep the photo and go on to its tiles."""
    highest: int | None = None
    blank: int | None = USUAL_BLANK
    try:
        highest, blank = chosen("set", SIZES), chosen("blank", BLANKS)
        about = {"kind": "count", "set": highest, "blank": USUAL_BLANK if blank is None else blank}
        pressed = request.form.get("do")
        take = uploads.from_hub if pressed == "camera" else uploads.from_upload
        return then(url_for("photos.show", photo=take(about)))
    except (RuleBroken, PhotoUnreadable) as error:
        return page(highest, blank, Refusal.of(error)), 422
    except Trouble as trouble:
        return page(highest, blank, Refusal(str(trouble))), 503


def chosen(name: str, offered: tuple[int, ...]) -> int | None:
    """One of the offered numbers, None where none was chosen. Raises RuleBroken."""
    value = number(request.form, name)
    if value is not None and value not in offered:
        raise RuleBroken(_("Choose one of the buttons: %(value)s is none of them.", value=value))
    return value


def page(highest: int | None, blank: int | None, refusal: Refusal | None = None) -> str:
    """The form, with what was chosen before."""
    told: dict[str, Any] = {"sizes": SIZES, "blanks": BLANKS, "highest": highest, "blank": blank}
    return render_template("count.html", **told, camera=bool(services().watch), refusal=refusal)
