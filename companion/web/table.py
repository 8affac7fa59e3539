"""The table page: the hub from above, and one tap per thing that happens.

Turns taps into actions; which of them a moment allows is for the game to say. Knows the camera
only as a sighting and a picture.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import SIZES
from companion.errors import NotAnAction, RuleBroken
from companion.report import due_double, next_engine
from companion.sighting import Sighting
from companion.web.asks import Ask, asks, just_opened, verdict_now
from companion.web.hub import hub_places
from companion.web.live import in_turn
from companion.web.refusals import back_here
from companion.web.services import forget_now, report_now, services, table_now
from companion.web.taps import number, play, then, word
from companion.web.words import _

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
@in_turn
def show() -> ResponseReturnValue:
    """The hub from above; ``?train=Red`` opens that train, ``?next=1`` the next round.

    ``&engine=8-8`` proposes another engine for it. A finished game is looked at on its sheet.
    """
    told = report_now()
    if told["game"] is None:
        return render_template("no_game.html")
    if told["phase"] == "finished":
        return then(url_for("sheet.show"))
    trains = [*told["game"]["players"], "mexican"]
    chosen = request.args.get("train")
    asked = asks()
    return render_template(
        "table.html",
        places=hub_places(told, _("Mexican Train")),
        chosen=chosen if chosen in trains else None,
        ask_next="next" in request.args and told["phase"] == "between",
        other_engine=other_engine(told),
        asks=asked,
        camera=camera_panel(asked),
        quick=quick(told),
    )


def quick(told: dict[str, Any]) -> dict[str, Any] | None:
    """Whose move it is, for the taps that are likely next; None where nobody said so.

    ``next`` sits after them, ``train`` is where a double waits for them.
    """
    player = told["to_cover"] if told["open_doubles"] else None
    player = player or told["turn"]
    if told["phase"] != "playing" or told["blocked"] or player is None:
        return None
    seats = told["game"]["players"]
    if player not in seats:
        return None
    due = due_double(table_now())
    waiting = [each["train"] for each in told["open_doubles"] if each["double"] == due]
    return {
        "player": player,
        "next": seats[(seats.index(player) + 1) % len(seats)],
        "due": due,
        "train": waiting[0] if waiting else None,
    }


def other_engine(told: dict[str, Any]) -> str | None:
    """The double that the address proposes instead of the next one; None for no such double."""
    doubles = [f"{value}-{value}" for value in range(told["game"]["set"] + 1)]
    wish = request.args.get("engine")
    return wish if wish in doubles and wish != next_engine(table_now()) else None


@pages.post("/table")
def tap() -> ResponseReturnValue:
    """One tap: the field ``act`` names the action, the others are its fields."""
    act = request.form.get("act", "")
    if act not in TAPS:
        raise NotAnAction(_("That is no tap of this page: go back and use its buttons."))
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
    return Response(sighting.jpeg, mimetype="image/jpeg")


def camera_panel(asked: list[Ask]) -> dict[str, Any] | None:
    """What the camera sees, in a sentence, and a word that changes with its picture.

    What is asked at the head of the page already is told here in a few words only. None where
    nobody wants a camera.
    """
    watch = services().watch
    if watch is None or not watch.camera.there:
        return None
    working = watch.trouble is None
    verdict, sighting = verdict_now(moving=True)
    above = any(ask.words == verdict.sentence for ask in asked)
    return {
        "kind": verdict.kind if working else "trouble",
        "words": (verdict.glance if above else verdict.sentence) if working else watch.trouble,
        "picture": None if sighting is None else f"{sighting.taken:.2f}",
        "engine": seen_engine(sighting) if working else None,
        "simulated": services().simulator is not None,
    }


def seen_engine(sighting: Sighting | None) -> str | None:
    """The double that the camera last saw in the hub, be it certain or not."""
    if sighting is None or sighting.hidden or sighting.engine is None:
        return None
    return str(sighting.engine)


@pages.post("/table/hub")
def hub_answer() -> ResponseReturnValue:
    """What the camera asked is answered: the round is right as told, or has the other engine."""
    do = request.form.get("do", "")
    if do == "hush":
        services().hushed.add(request.form.get("key", ""))
    elif do == "marker":
        services().hushed.no_marker(request.form.get("train", ""))
    elif do == "reopen":
        open_anew(word(request.form, "engine"))
    else:
        raise NotAnAction(_("That is no answer to the camera: go back and use its buttons."))
    return then(url_for("table.show"))


def open_anew(engine: str | None) -> None:
    """Open the round again with this engine, as long as nothing else has been told of it.

    Raises RuleBroken before anything is taken back.
    """
    game, once = services().game, word(request.form, "once")
    seen, told = number(request.form, "revision"), report_now()
    if seen is None:
        raise NotAnAction(_("Say which table was seen: go back and use the buttons of its page."))
    starter = {} if told["starter"] is None else {"starter": told["starter"]}
    opening = {"action": "open_round", "engine": engine, **starter, "overrule": True}
    undo: dict[str, Any] = {"action": "undo"}
    if seen == table_now().revision:
        if not just_opened():
            raise RuleBroken(
                _("This round is being played: its engine cannot be changed any more.")
            )
        table_now().after(undo).after(opening)
    game.play(undo, revision=seen, once=once and f"{once}-undo")
    game.play(opening, once=once and f"{once}-open")
    forget_now()


@pages.post("/simulator")
def simulator() -> ResponseReturnValue:
    """A button of the simulated table was pressed on this page."""
    simulate()
    return then(url_for("table.show"))


MARKER = {"marker-up": True, "marker-off": False}
"""What is done to a simulated marker, and whether it lies there then."""


def seated() -> list[str]:
    """The players of the game on the table, in seat order."""
    game = report_now()["game"]
    return [] if game is None else list(game["players"])


def simulate() -> None:
    """What a hand could do to the simulated table: lay an engine or a marker, cover the hub."""
    table = services().simulator
    if table is None:
        abort(404)
    do = request.form.get("do", "")
    if do == "lay":
        value = number(request.form, "value")
        if value is not None and value > SIZES[-1]:
            tile = f"{value}-{value}"
            raise NotAnAction(_("No set has a %(tile)s: choose another.", tile=tile))
        table.lay_engine(None if value is None else f"{value}-{value}")
    elif do == "next":
        table.lay_engine(next_engine(table_now()))
    elif do == "right":
        table.lay_right_engine()
        table.show()
    elif do == "hide":
        table.hide()
    elif do == "show":
        table.show()
    elif do == "pass":
        table.pass_hand()
    elif do in MARKER and (train := word(request.form, "train")) in seated():
        table.lay_marker(train, MARKER[do])
    else:
        raise NotAnAction(_("The simulated table cannot do that: use the buttons of its page."))
