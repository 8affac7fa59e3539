"""What the camera saw: its last doubtful pictures, each with what was made of it.

Chooses, at every agreed sighting, what is worth keeping; `Keepsakes` keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import NotAnAction
from companion.keepsakes import Keepsakes
from companion.report import next_engine, report
from companion.saying import Said
from companion.sighting import Sighting, compare
from companion.table import Table
from companion.web.services import services
from companion.web.taps import then
from companion.web.words import _, told

pages = Blueprint("seen", __name__)
pages.add_app_template_global(lambda: services().keepsakes is not None, "keeps_doubts")


def doubts(table: Table, sighting: Sighting) -> list[str]:
    """The sentences for which this sighting is doubtful; none for one that is not."""
    verdict = compare(report(table), sighting, next_engine(table))
    said = [verdict.sentence] if verdict.kind in ("differs", "unsure") else []
    return list(dict.fromkeys([*said, *sighting.questions]))


def keeper(table: Callable[[], Table], keepsakes: Keepsakes) -> Callable[[Sighting], None]:
    """A listener for the watch that keeps the doubtful ones."""

    def keep(sighting: Sighting) -> None:
        why = doubts(table(), sighting)
        if not why:
            return
        tiles = sighting.reading.tiles if sighting.reading else ()
        about: dict[str, Any] = {
            "why": [written(sentence) for sentence in why],
            "engine": None if sighting.engine is None else str(sighting.engine),
            "tiles": [str(tile.tile) + ("" if tile.sure else "?") for tile in tiles],
        }
        keepsakes.keep(sighting.jpeg, about, " ".join(why))

    return keep


@pages.get("/camera/seen")
def show() -> ResponseReturnValue:
    """All of them, the newest first."""
    kept = store().all()
    return render_template(
        "seen.html",
        kept=[
            {
                "id": each.id,
                "when": each.kept.astimezone(),
                "why": [sentence(why) for why in listed(each.about.get("why"))],
                "tiles": [str(tile) for tile in listed(each.about.get("tiles"))],
            }
            for each in kept
        ],
    )


def written(sentence: str) -> dict[str, Any]:
    """A sentence as it is stored, so that it can be told in another language later."""
    if not isinstance(sentence, Said) or sentence.many is not None:
        return {"text": str(sentence).replace("%", "%%"), "values": {"": ""}}
    return {
        "text": sentence.text,
        "values": {name: str(value) for name, value in sentence.values.items()},
    }


def sentence(stored: Any) -> str:
    """A stored sentence in the reader's language; nothing for what is none."""
    try:
        return told(Said(str(stored["text"]), dict(stored["values"])))
    except (KeyError, TypeError, ValueError):
        return ""


def listed(value: Any) -> list[Any]:
    """A list out of a file that anybody may have written to."""
    return value if isinstance(value, list) else []


def store() -> Keepsakes:
    """The pictures; 404 where none are kept."""
    found = services().keepsakes
    if found is None:
        abort(404)
    return found


@pages.post("/camera/seen")
def forget() -> ResponseReturnValue:
    """Delete one picture, or all."""
    which = request.form.get("forget", "")
    if not which:
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    store().forget(None if which == "all" else [which])
    return then(url_for("seen.show"))


@pages.get("/camera/seen/<name>.jpg")
def picture(name: str) -> ResponseReturnValue:
    """One of the pictures."""
    data = store().picture(name)
    if data is None:
        abort(404)
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return answer
