"""The table page: the hub from above, and one tap per thing that happens.

Turns taps into actions; which of them a moment allows is for the game to say. Knows the camera
only as a sighting and a picture.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import NotAnAction
from companion.report import next_engine
from companion.sighting import compare
from companion.web.hub import hub_places
from companion.web.refusals import back_here
from companion.web.services import report_now, services, table_now
from companion.web.taps import number, play, then, word

pages = Blueprint("table", __name__)

TAPS: dict[str, tuple[str, ...]] = {
    "mark": ("train",),
    "unmark": ("train",),
    "start_train": ("player",),
    "start_mexican_train": (),
    "lay_double": ("train", "value", "player"),
    "cover": ("train", "player"),
    "release": ("train",),
    "knock": ("player",),
    "go_out": ("player",),
    "turn": ("player",),
    "draw": ("player",),
    "block": (),
    "open_round": ("engine", "starter"),
    "finish_game": (),
}
"""What can be tapped on this page, and the fields that each may carry."""


@pages.get("/table")
def show() -> ResponseReturnValue:
    """The hub from above; ``?train=Red`` opens that train, ``?next=1`` the next round."""
    told = report_now()
    if told["game"] is None:
        return render_template("no_game.html")
    trains = [*told["game"]["players"], "mexican"]
    chosen = request.args.get("train")
    return render_template(
        "table.html",
        places=hub_places(told),
        chosen=chosen if chosen in trains else None,
        ask_next="next" in request.args and told["phase"] == "between",
        camera=camera_panel(told),
    )


@pages.post("/table")
def tap() -> ResponseReturnValue:
    """One tap: the field ``act`` names the action, the others are its fields."""
    act = request.form.get("act", "")
    if act not in TAPS:
        raise NotAnAction("That is no tap of this page: go back and use its buttons.")
    play(said(act))
    return then(url_for("table.show"))


def said(act: str) -> dict[str, Any]:
    """The action that a form asks for; empty fields are left out."""
    action: dict[str, Any] = {"action": act}
    for name in TAPS[act]:
        value = number(request.form, name) if name == "value" else word(request.form, name)
        if value is not None:
            action[name] = value
    return action


@pages.post("/undo")
def undo() -> ResponseReturnValue:
    """Take back the last tap, and go back to the page it was asked for on."""
    play({"action": "undo"})
    return then(back_here())


@pages.get("/hub.jpg")
def hub_picture() -> ResponseReturnValue:
    """The camera's latest agreed picture of the hub."""
    watch = services().watch
    sighting = None if watch is None else watch.sighting
    if sighting is None:
        abort(404)
    return Response(sighting.picture, mimetype="image/jpeg")


def camera_panel(told: dict[str, Any]) -> dict[str, Any] | None:
    """What the camera sees, in a sentence, and a word that changes with its picture."""
    watch = services().watch
    if watch is None:
        return None
    sighting = watch.sighting
    verdict = compare(told, sighting, next_engine(table_now()), moving=watch.moving)
    working = watch.trouble is None
    return {
        "kind": verdict.kind if working else "trouble",
        "words": verdict.sentence if working else watch.trouble,
        "picture": None if sighting is None or not working else f"{sighting.taken:.2f}",
        "questions": () if sighting is None or not working else sighting.questions,
        "simulated": services().simulator is not None,
    }


@pages.post("/simulator")
def simulator() -> ResponseReturnValue:
    """What a hand could do to the simulated table: lay a wrong engine, cover it, pass over it."""
    table = services().simulator
    if table is None:
        abort(404)
    do = request.form.get("do", "")
    if do == "lay":
        value = number(request.form, "value")
        table.lay_engine(None if value is None else f"{value}-{value}")
    elif do == "right":
        table.lay_right_engine()
        table.show()
    elif do == "hide":
        table.hide()
    elif do == "pass":
        table.pass_hand()
    else:
        raise NotAnAction("The simulated table cannot do that: use the buttons of its page.")
    return then(url_for("table.show"))
