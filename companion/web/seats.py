"""Who plays and where they sit: other names, somebody who comes late, who leaves, other seats.

Turns taps into actions; what a moment allows is for the game to say, and its refusal stays on the
page with what was typed.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext

from companion.errors import NotAnAction, RuleBroken
from companion.names import folded, tidy
from companion.web.drawing import look_of
from companion.web.refusals import Refusal
from companion.web.services import report_now, services, table_now
from companion.web.taps import number, play, then, word
from companion.web.words import _

pages = Blueprint("seats", __name__)

PASTS = (
    (
        "average",
        lazy_gettext("The average of the others"),
        lazy_gettext("in each round that was missed, rounded"),
    ),
    (
        "highest",
        lazy_gettext("As much as the most"),
        lazy_gettext("that anybody got in each of them"),
    ),
    ("zero", lazy_gettext("Nothing: 0 for each"), lazy_gettext("a head start")),
    (
        "none",
        lazy_gettext("They stay empty"),
        lazy_gettext("plays along, but is not placed before those who played all rounds"),
    ),
)
"""What missed rounds may count: the word of the action, and how it is asked."""
USUAL_PAST = "average"

DOES: dict[str, tuple[str, ...]] = {
    "rename": ("player", "name"),
    "leave": ("player",),
    "move_seat": ("player", "seat"),
    "add_player": ("name", "past", "seat"),
}
"""What can be done here, and the fields that each may carry."""


@pages.get("/seats")
def show() -> ResponseReturnValue:
    """Everybody in the order of the seats."""
    if report_now()["game"] is None:
        return render_template("no_game.html")
    return page()


@pages.post("/seats")
def act() -> ResponseReturnValue:
    """One change; ``act`` names the action."""
    done = request.form.get("act", "")
    if done not in DOES:
        raise NotAnAction(_("That is no button of this page: go back and use its buttons."))
    if report_now()["game"] is None:
        return then(url_for("seats.show"))
    looks = keep_looks()
    try:
        play(said(done))
    except RuleBroken as error:
        return page(Refusal.of(error), done), 422
    if done == "rename":
        came(request.form.get("name", ""), looks.get(request.form.get("player", "")))
    elif done == "add_player":
        came(request.form.get("name", ""))
    return then(url_for("seats.show"))


def said(done: str) -> dict[str, Any]:
    """The action that the form asks for; empty fields are left out, but an empty name is told."""
    action: dict[str, Any] = {"action": done}
    for field in DOES[done]:
        value = number(request.form, field) if field == "seat" else word(request.form, field)
        if value is not None or field == "name":
            action[field] = "" if value is None else value
    if done == "add_player":
        action.setdefault("past", "none")
    return action


def keep_looks() -> dict[str, int]:
    """Remember everybody's look, so that it stays theirs whatever changes around them."""
    looks = {player: look_of(player) for player in report_now()["game"]["players"]}
    services().people.remember(list(looks), list(looks.values()))
    return looks


def came(name: str, look: int | None = None) -> None:
    """Keep a new name with its look, so that it is offered at the next game."""
    g.pop("looks", None)
    seated = [
        player for player in report_now()["game"]["players"] if folded(player) == folded(tidy(name))
    ]
    services().people.remember(seated, [look or look_of(player) for player in seated])


def page(refusal: Refusal | None = None, done: str = "") -> str:
    """The seats, with what was typed before where it was refused."""
    told, state = report_now(), table_now().state
    players: list[str] = told["game"]["players"]
    known = [person.name for person in services().people.remembered()]
    gone = [name for name in told["scores"] if name not in players]
    taken = {folded(name) for name in told["scores"]}
    comings = [past for person in (state.people if state else ()) for _, past in person.comings]
    form = request.form if refusal else {}
    return render_template(
        "seats.html",
        between=told["phase"] == "between",
        finished=told["phase"] == "finished",
        closed=len(state.closed) if state else 0,
        gone=gone,
        known=[name for name in known if folded(name) not in taken][:8],
        pasts=PASTS,
        past=form.get("past") or (comings[-1] if comings else USUAL_PAST),
        refusal=refusal,
        done=done,
        about=form.get("player", ""),
        name=form.get("name", ""),
        seat=form.get("seat", ""),
    )
