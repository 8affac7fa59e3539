"""The new game in two steps: who plays which set by which rules, then hand size and who starts.

Nothing is kept between the steps but what the form carries, so *back* and a second phone do no
harm. Whether a choice is allowed is for the game to say, in its own sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.dominoes import SIZES
from companion.errors import RuleBroken
from companion.houserules import SavedRules
from companion.journal import Person
from companion.rulebook import PRESETS, Rules, proposed_hand
from companion.table import Table
from companion.web.looks import LOOKS
from companion.web.refusals import Refusal
from companion.web.services import report_now, services
from companion.web.taps import number, play, then, whole, word
from companion.web.words import _

pages = Blueprint("setup", __name__)

MOST = 14
ROWS = 4
"""Empty lines on a fresh form: most tables are four."""
USUAL_SET = 12
USUAL_RULES = "classic"
SAVED = "saved:"
"""Before the name of rules that were saved under one."""
GO_ON = "on"
"""Setting a game aside as the answer to *Next*, which then goes on at once."""


@dataclass(frozen=True)
class Seat:
    """One line of the form: a name, perhaps still empty, and its look."""

    name: str = ""
    look: int = 0


@dataclass(frozen=True)
class Draft:
    """A new game as far as it is filled in."""

    seats: tuple[Seat, ...] = (Seat(),) * ROWS
    set: int = USUAL_SET
    rules: str = USUAL_RULES
    own: SavedRules | None = None
    """The saved rules that were chosen; ``rules`` is then their preset."""
    hand: str = ""
    starter: str | None = None
    insisted: bool = False
    aside: bool = False
    """Whether a game that is still being played may be set aside for this one."""

    @classmethod
    def of(cls, form: MultiDict[str, str]) -> Draft:
        """What a form says, odd values replaced by the usual ones."""
        names = [" ".join(name.split()) for name in form.getlist("name")][:MOST]
        looks = [whole(look) or 0 for look in form.getlist("look")]
        looks += [0] * len(names)
        own = saved_rules(form.get("rules", ""))
        rules = own.rules.name if own else form.get("rules", "")
        chosen = form.get("set", "")
        return cls(
            seats=tuple(Seat(name, look) for name, look in zip(names, looks)),
            set=int(chosen) if chosen in map(str, SIZES) else USUAL_SET,
            rules=rules if rules in PRESETS else USUAL_RULES,
            own=own,
            hand=form.get("hand", "").strip(),
            starter=word(form, "starter"),
            insisted="1" in (form.get("insisted"), form.get("overrule")),
            aside=bool(form.get("aside")),
        )

    @property
    def chosen(self) -> str:
        """The rules as the form names them."""
        return SAVED + self.own.name if self.own else self.rules

    @property
    def players(self) -> list[Seat]:
        """The lines with a name, clockwise."""
        return [seat for seat in self.seats if seat.name]

    def dressed(self) -> Draft:
        """The same with a look for every line: the chosen one, else the first that is free."""
        taken = {seat.look for seat in self.seats}
        free = (look.number for look in LOOKS if look.number not in taken)
        seats = tuple(
            seat if 1 <= seat.look <= len(LOOKS) else replace(seat, look=next(free, 1))
            for seat in self.seats
        )
        return replace(self, seats=seats)

    def with_person(self, name: str, look: int) -> Draft:
        """The same with a person in the first empty line, or in a new one."""
        if name.casefold() in (seat.name.casefold() for seat in self.seats):
            return self
        seats = list(self.seats)
        others = {seat.look for seat in self.players}
        seat = Seat(name, look if look not in others else 0)
        empty = next((n for n, each in enumerate(seats) if not each.name), None)
        if empty is not None:
            seats[empty] = seat
        elif len(seats) < MOST:
            seats.append(seat)
        unnamed = tuple(
            replace(each, look=0) if not each.name and each.look == seat.look else each
            for each in seats
        )
        return replace(self, seats=unnamed)

    def action(self) -> dict[str, Any]:
        """The action that starts this game."""
        said: dict[str, Any] = {
            "action": "start_game",
            "players": [seat.name for seat in self.players],
            "set": self.set,
            "rules": self.rules,
        }
        if self.own:
            said["overrides"] = self.own.overrides
        return {**said, "overrule": True} if self.insisted else said


def saved_rules(said: str) -> SavedRules | None:
    """The saved rules that a form names; None for a preset, or where they are gone."""
    return services().game.house_rules.get(said[len(SAVED) :]) if said.startswith(SAVED) else None


@pages.get("/new")
def new() -> ResponseReturnValue:
    """The form for the people, the set and the rules."""
    return people_page(Draft())


@pages.post("/new")
def step() -> ResponseReturnValue:
    """Every button of both steps."""
    form = request.form
    draft = Draft.of(form)
    if "more" in form and len(draft.seats) < MOST:
        return people_page(replace(draft, seats=(*draft.seats, Seat())))
    if "drop" in form:
        gone = number(form, "drop")
        left = tuple(seat for n, seat in enumerate(draft.seats) if n != gone)
        return people_page(replace(draft, seats=left))
    if "add" in form:
        name = form["add"]
        looks = {person.name: person.colour for person in services().people.remembered()}
        return people_page(draft.with_person(name, looks.get(name, 0)))
    goes_on = "overrule" in form or form.get("aside") == GO_ON
    wanted = form.get("step") or (form.get("onward") if goes_on else None)
    if wanted == "begin":
        return begin(draft)
    if wanted == "start":
        return check(draft)
    return people_page(draft)


def check(draft: Draft) -> ResponseReturnValue:
    """The second step, once the game accepts the first."""
    try:
        check_looks(draft.dressed())
        Table.empty().after(draft.action())
    except RuleBroken as error:
        return people_page(draft, Refusal.of(error)), 422
    if in_the_way(draft):
        return people_page(draft, asked=True), 422
    return start_page(draft)


def game_running() -> bool:
    """Whether a game is still being played."""
    return report_now()["phase"] not in ("none", "finished")


def in_the_way(draft: Draft) -> bool:
    """Whether a running game has to be set aside first, which nobody has said yet."""
    return game_running() and not (draft.aside or draft.insisted)


def check_looks(draft: Draft) -> None:
    """Raises RuleBroken where two players would look alike."""
    seen: dict[int, str] = {}
    for seat in draft.players:
        if seat.look in seen:
            raise RuleBroken(
                _(
                    "%(one)s and %(two)s have the same colour: choose another for one of them.",
                    one=seen[seat.look],
                    two=seat.name,
                )
            )
        seen[seat.look] = seat.name


def begin(draft: Draft) -> ResponseReturnValue:
    """Start the game and its first round, then go to the table."""
    blocked = in_the_way(draft)
    try:
        hand = number(request.form, "hand")
        action = {**draft.action(), **({} if hand is None else {"hand": hand})}
        Table.empty().after(action)
        play({**action, "overrule": True} if draft.aside else action)
        starter = {} if draft.starter is None else {"starter": draft.starter}
        play({"action": "open_round", **starter}, part="-round")
    except RuleBroken as error:
        refusal = Refusal.of(error)
        if blocked and refusal.overrulable:
            refusal = replace(refusal, answer=_("Set it aside"))
        return start_page(draft, refusal), 422
    seated = report_now()["game"]["players"]
    services().people.remember(seated, [seat.look for seat in draft.dressed().players])
    return then(url_for("table.show"))


def people_page(draft: Draft, refusal: Refusal | None = None, *, asked: bool = False) -> str:
    """The first step; ``asked`` stresses that a running game is in the way."""
    used = {seat.name.casefold() for seat in draft.seats}
    known: list[Person] = [
        person
        for person in services().people.remembered()
        if person.name.casefold() not in used and 1 <= person.colour <= len(LOOKS)
    ]
    return render_template(
        "new.html",
        asked=asked,
        draft=draft.dressed(),
        go_on=GO_ON,
        known=known[: 2 * MOST],
        most=MOST,
        presets=PRESETS.values(),
        refusal=refusal,
        running=game_running(),
        saved=services().game.house_rules.all(),
        sizes=SIZES,
    )


def start_page(draft: Draft, refusal: Refusal | None = None) -> str:
    """The second step."""
    draft = draft.dressed()
    rules = draft.own.rules if draft.own else Rules.preset(draft.rules)
    proposed = proposed_hand(draft.rules, draft.set, len(draft.players))
    return render_template(
        "new_start.html",
        draft=draft,
        engine=f"{draft.set}-{draft.set}",
        holder=not rules.engine_laid_first,
        preset=PRESETS[draft.rules],
        proposed=proposed,
        refusal=refusal,
    )
