"""The new game in two steps: who plays which set by which rules, then hand size and who starts.

Nothing is kept between the steps but what the form carries, so *back* and a second phone do no
harm. Whether a choice is allowed is for the game to say, in its own sentence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.card import SENTENCES
from companion.dominoes import SIZES
from companion.errors import RuleBroken
from companion.game import Stale
from companion.houserules import differing
from companion.journal import Person
from companion.names import folded
from companion.rulebook import PRESETS, SWITCHES, proposed_hand, say_value
from companion.state import GameState
from companion.table import Table
from companion.web.invitation import MOST, RULE, SAVED, Draft, Seat
from companion.web.lengths import lengths
from companion.web.looks import LOOKS
from companion.web.people import remembered_looks
from companion.web.refusals import Refusal
from companion.web.rounds import game_key
from companion.web.services import forget_now, report_now, services, table_now
from companion.web.taps import number, play, then
from companion.web.words import _, capital, told

pages = Blueprint("setup", __name__)

GO_ON = "on"
"""Setting a game aside as the answer to *Next*, which then goes on at once."""
_TRIES = 50
"""How often somebody else may tap between our look and our own tap."""


@pages.get("/new")
def new() -> ResponseReturnValue:
    """The form for the people, the set and the rules."""
    return people_page(Draft())


@pages.post("/new")
def step() -> ResponseReturnValue:
    """Every button of both steps."""
    form = request.form
    if form.get("step") == "again":
        return once_more()
    draft = Draft.of(form).recalled(remembered_looks(services().people))
    if overtaken(table_now()):
        draft = replace(draft, aside=False)  # that was said of another game
    if "more" in form and len(draft.seats) < MOST:
        return people_page(replace(draft, seats=(*draft.seats, Seat())))
    if "drop" in form:
        gone = number(form, "drop")
        left = tuple(seat for n, seat in enumerate(draft.seats) if n != gone)
        return people_page(replace(draft, seats=left))
    for name, way in (("up", -1), ("down", 1)):
        if name in form:
            return people_page(draft.dressed().moved(number(form, name), way))
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


# ---- beginning -----------------------------------------------------------------------------------


def begin(draft: Draft) -> ResponseReturnValue:
    """Start the game and its first round, then go to the table."""
    blocked = in_the_way(draft)
    try:
        hand = number(request.form, "hand")
        action = {**draft.action(), **({} if hand is None else {"hand": hand})}
        Table.empty().after(action)
        save_rules(draft)
        if not started({**action, "overrule": True} if draft.aside else action):
            return then(url_for("table.show", began=1))
    except RuleBroken as error:
        refusal = Refusal.of(error)
        if blocked and refusal.overrulable:
            refusal = replace(refusal, answer=_("Set it aside"))
        return start_page(draft, refusal), 422
    try:
        players = [seat.name for seat in draft.players]
        starter = {"starter": draft.starter} if draft.starter in players else {}
        play({"action": "open_round", **starter}, part="-round")
    except RuleBroken:
        # Somebody at another device has opened the round in the blink between: it is open.
        if report_now()["phase"] not in ("playing", "scoring"):
            raise
    remember(draft)
    return then(url_for("table.show"))


def started(action: dict[str, Any]) -> bool:
    """Start the game, unless another one was begun since the form was made: that one is played.

    Raises RuleBroken.
    """
    game, once = services().game, request.form.get("once") or None
    try:
        for _try in range(_TRIES):
            table = game.table
            late = overtaken(table)
            try:
                # A tap that counted already comes back from here, whatever has happened since.
                game.play(action, revision=-1 if late else table.revision, once=once)
                return True
            except Stale:
                if late:
                    return False
        raise RuleBroken(_("Many people tap at once: try again."))
    finally:
        forget_now()


def overtaken(table: Table) -> bool:
    """Whether a game is played that was not at the table when the form was made (its ``seen``)."""
    seen = request.form.get("seen")
    running = table.state is not None and table.state.phase != "finished"
    return seen is not None and running and game_key(table) != seen


def once_more() -> ResponseReturnValue:
    """Same people, same rules: begun at once, and the table asks who starts."""
    state = table_now().state
    if state is None:
        return people_page(Draft())
    draft = Draft.again(state)
    if in_the_way(draft) and not overtaken(table_now()):
        return people_page(draft, asked=True), 422
    action = {**draft.action(), "hand": state.hand}
    try:
        Table.empty().after(action)
    except RuleBroken as error:
        if not error.overrulable:
            raise
        action["overrule"] = True  # it was insisted on the last time
    if not started(action):
        return then(url_for("table.show", began=1))
    remember(draft)
    return then(url_for("table.show", next=1))


def remember(draft: Draft) -> None:
    """Keep the people and their looks, as the game spells their names."""
    seated = report_now()["game"]["players"]
    looks = [seat.look for seat in draft.dressed().players]
    if len(looks) == len(seated):
        services().people.remember(seated, looks)


def save_rules(draft: Draft) -> None:
    """Keep the house rules under the name that was given, if one was. Raises RuleBroken."""
    name = request.form.get("rules_name", "").strip()
    if name:
        try:
            services().game.house_rules.save(name, draft.played)
        except RuleBroken as error:
            raise RuleBroken(*error.args) from error


# ---- the two pages -------------------------------------------------------------------------------


def people_page(draft: Draft, refusal: Refusal | None = None, *, asked: bool = False) -> str:
    """The first step; ``asked`` stresses that a running game is in the way."""
    used = {folded(seat.name) for seat in draft.seats}
    known: list[Person] = [
        person
        for person in services().people.remembered()
        if folded(person.name) not in used and 1 <= person.colour <= len(LOOKS)
    ]
    return render_template(
        "new.html",
        asked=asked,
        draft=draft.dressed(),
        go_on=GO_ON,
        known=known[: 2 * MOST],
        last=last_game(),
        most=MOST,
        presets=[
            {"name": each.name, "title": told(each.title), "line": told(each.line)}
            for each in PRESETS.values()
        ],
        refusal=refusal,
        running=game_running(),
        saved=services().game.house_rules.all(),
        seen=game_key(table_now()),
        sizes=SIZES,
        switches=switches(draft),
        RULE=RULE,
        SAVED=SAVED,
    )


def last_game() -> GameState | None:
    """The game that can be played once more: the one at the table, when it is finished."""
    state = table_now().state
    return state if state is not None and state.phase == "finished" else None


def switches(draft: Draft) -> list[dict[str, Any]]:
    """Every switch with what each value means, and which value the form sets (none: the rules')."""
    return [
        {
            "name": name,
            "about": capital(switch.meaning),
            "chosen": draft.settings.get(name, ""),
            "choices": [
                (say_value(value), told(SENTENCES[name][value])) for value in switch.values
            ],
        }
        for name, switch in SWITCHES.items()
    ]


def start_page(draft: Draft, refusal: Refusal | None = None) -> str:
    """The second step."""
    draft = draft.dressed()
    rules, saved = draft.played, services().game.house_rules.all()
    own = differing(rules)
    return render_template(
        "new_start.html",
        draft=draft,
        holder=not rules.engine_laid_first,
        house_rules=[told(SENTENCES[name][value]) for name, value in own.items()],
        lengths=lengths(draft.set),
        title=told(PRESETS[draft.rules].title),
        proposed=proposed_hand(draft.rules, draft.set, len(draft.players)),
        refusal=refusal,
        rules_name=request.form.get("rules_name", ""),
        seen=request.form.get("seen", game_key(table_now())),
        unsaved=bool(own) and all(each.rules != rules for each in saved),
        RULE=RULE,
    )
