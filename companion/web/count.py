"""Counting without any game: a photo's tiles, or tiles that are tapped. Nothing is scored."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.dominoes import SIZES, Tile
from companion.errors import PhotoUnreadable, RuleBroken, Trouble
from companion.web import uploads
from companion.web.picks import grid, picked_tiles
from companion.web.refusals import Refusal
from companion.web.services import report_now
from companion.web.taps import number, then
from companion.web.words import _

pages = Blueprint("count", __name__)

BLANKS = (0, 25, 50)
"""What the 0-0 can cost."""
USUAL_BLANK = 50
USUAL_SET = 12


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
        form = request.form
        highest, blank = chosen(form, "set", SIZES), chosen(form, "blank", BLANKS)
        blank = USUAL_BLANK if blank is None else blank
        about = {"kind": "count", "set": highest, "blank": blank}
        pressed = form.get("do")
        if pressed == "tiles":
            return then(url_for("count.tiles", set=highest, blank=blank))
        take = uploads.from_hub if pressed == "camera" else uploads.from_uploads
        return then(url_for("photos.show", photo=take(about)))
    except (RuleBroken, PhotoUnreadable) as error:
        return page(highest, blank, Refusal.of(error)), 422
    except Trouble as trouble:
        return page(highest, blank, Refusal(str(trouble))), 503


@pages.get("/count/tiles")
def tiles() -> ResponseReturnValue:
    """All tiles of a set to tap; what is tapped is in the address, and sums up without script."""
    highest, blank, picked, refusal = usual_set(), USUAL_BLANK, list[Tile](), None
    try:
        highest = chosen(request.args, "set", SIZES) or highest
        told = chosen(request.args, "blank", BLANKS)
        blank = blank if told is None else told
        picked = picked_tiles(request.args.getlist("tile"), highest)
    except RuleBroken as error:
        refusal = Refusal.of(error)
    html = render_template(
        "count_tiles.html",
        highest=highest,
        blank=blank,
        rows=grid(highest, blank, picked, {}),
        total=sum(tile.points(blank) for tile in picked) if picked else None,
        refusal=refusal,
    )
    return html, 200 if refusal is None else 422


def usual_set() -> int:
    """The set of the game on the table; the usual one without a game."""
    game = report_now()["game"]
    return int(game["set"]) if game else USUAL_SET


def chosen(said: MultiDict[str, str], name: str, offered: tuple[int, ...]) -> int | None:
    """One of the offered numbers, None where none was chosen. Raises RuleBroken."""
    value = number(said, name)
    if value is not None and value not in offered:
        raise RuleBroken(_("Choose one of the buttons: %(value)s is none of them.", value=value))
    return value


def page(highest: int | None, blank: int | None, refusal: Refusal | None = None) -> str:
    """The form, with what was chosen before."""
    told: dict[str, Any] = {"sizes": SIZES, "blanks": BLANKS, "highest": highest, "blank": blank}
    return render_template("count.html", **told, camera=uploads.hub_camera(), refusal=refusal)
