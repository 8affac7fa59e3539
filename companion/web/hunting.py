"""Who has the engine? The answer of a tap, and the draws where nobody has it.

Shown on the table page by ``parts/hunt.html``. Who draws next is the hunt's to say; the draws are
ordinary ones, counted in the boneyard.
"""

from __future__ import annotations

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import NotAnAction, RuleBroken
from companion.hunt import Hunt, hunt
from companion.web.rounds import round_key
from companion.web.services import services, table_now
from companion.web.taps import play, then, word
from companion.web.words import _

pages = Blueprint("hunting", __name__)


@pages.app_template_global()
def hunt_now() -> Hunt | None:
    """What is asked at the start of this round; None once it is known, or nobody wants to say."""
    return None if quiet_key() in services().hushed else hunt(table_now())


def quiet_key() -> str:
    """The word by which this round's question is asked no more."""
    return f"hunt {round_key(table_now())}"


@pages.post("/table/hunt")
def answer() -> ResponseReturnValue:
    """Somebody has it, somebody draws, or nobody wants to say."""
    do = request.form.get("do", "")
    asked = hunt(table_now())
    if do == "hush":
        services().hushed.add(quiet_key())
    elif do == "has":
        play({"action": "turn", "player": word(request.form, "player") or ""})
    elif do == "draw":
        if asked is None or not asked.draws:
            raise RuleBroken(_("Nobody draws for the engine now: look at the table again."))
        draw_all(asked)
    else:
        raise NotAnAction(_("That is no answer to this question: go back and use its buttons."))
    return then(url_for("table.show"))


def draw_all(asked: Hunt) -> None:
    """Everybody of this step draws one tile; the first draw is refused where others were faster."""
    first, *others = asked.draws
    play(first)
    once = request.form.get("once")
    for n, draw in enumerate(others, start=1):
        services().game.play(draw, once=f"{once}-{n}" if once else None)
