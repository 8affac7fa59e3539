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
from companion.journal import Person
from companion.rulebook import PRESETS, proposed_hand
from companion.web.looks import LOOKS
from companion.web.refusals import Refusal
from companion.web.services import report_now, services, table_now
from companion.web.taps import number, play, then, word
from companion.web.words import _

pages = Blueprint("setup", __name__)

MOST = 14
ROWS = 4
"""Empty lines on a fresh form: most tables are four."""
USUAL_SET = 12
USUAL_RULES = "classic"


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
    hand: str = ""
    starter: str | None = None
    insisted: bool = False

    @classmethod
    def of(cls, form: MultiDict[str, str]) -> Draft:
        """What a form says, odd values replaced by the usual ones."""
        names = [" ".join(name.split()) for name in form.getlist("name")][:MOST]
        looks = [int(look) if look.isdecimal() else 0 for look in form.getlist("look")]
        looks += [0] * len(names)
        rules = form.get("rules", "")
        chosen = form.get("set", "")
        return cls(
            seats=tuple(Seat(name, look) for name, look in zip(names, looks)),
            set=int(chosen) if chosen in map(str, SIZES) else USUAL_SET,
            rules=rules if rules in PRESETS else USUAL_RULES,
            hand=form.get("hand", "").strip(),
            starter=word(form, "starter"),
            insisted="1" in (form.get("insisted"), form.get("overrule")),
        )

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
        return {**said, "overrule": True} if self.insisted else said


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
    wanted = form.get("step") or (form.get("onward") if "overrule" in form else None)
    if wanted == "begin":
        return begin(draft)
    if wanted == "start":
        return check(draft)
    return people_page(draft)


def check(draft: Draft) -> ResponseReturnValue:
    """The second step, once the game accepts the first."""
    try:
        check_looks(draft.dressed())
        table_now().after(draft.action())
    except RuleBroken as error:
        return people_page(draft, Refusal.of(error)), 422
    return start_page(draft)


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
    try:
        hand = number(request.form, "hand")
        play({**draft.action(), **({} if hand is None else {"hand": hand})})
        starter = {} if draft.starter is None else {"starter": draft.starter}
        play({"action": "open_round", **starter}, part="-round")
    except RuleBroken as error:
        return start_page(draft, Refusal.of(error)), 422
    seated = report_now()["game"]["players"]
    services().people.remember(seated, [seat.look for seat in draft.dressed().players])
    return then(url_for("table.show"))


def people_page(draft: Draft, refusal: Refusal | None = None) -> str:
    """The first step."""
    used = {seat.name.casefold() for seat in draft.seats}
    known: list[Person] = [
        person
        for person in services().people.remembered()
        if person.name.casefold() not in used and 1 <= person.colour <= len(LOOKS)
    ]
    return render_template(
        "new.html",
        draft=draft.dressed(),
        known=known[: 2 * MOST],
        most=MOST,
        presets=PRESETS.values(),
        refusal=refusal,
        sizes=SIZES,
    )


def start_page(draft: Draft, refusal: Refusal | None = None) -> str:
    """The second step."""
    draft = draft.dressed()
    proposed = proposed_hand(draft.rules, draft.set, len(draft.players))
    return render_template(
        "new_start.html",
        draft=draft,
        engine=f"{draft.set}-{draft.set}",
        holder=PRESETS[draft.rules].switches["engine_by"] == "holder",
        preset=PRESETS[draft.rules],
        proposed=proposed,
        refusal=refusal,
    )
