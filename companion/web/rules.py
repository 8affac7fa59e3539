"""The rule card of this table: how it plays, in words; switches set otherwise between rounds.

Also shows the card of any rules one may choose, and saves rules under a name. What a switch means
is the card's to say, what it may be the rulebook's.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from companion.card import SENTENCES, rule_card
from companion.errors import RuleBroken
from companion.houserules import differing
from companion.rulebook import PRESETS, SWITCHES, Rules, say_value
from companion.state import GameState
from companion.switches import read_setting
from companion.web.refusals import Refusal
from companion.web.services import report_now, services, table_now
from companion.web.taps import play, then, word
from companion.web.words import _, capital, ngettext

pages = Blueprint("rules", __name__)

USUAL = "classic"

EFFECTS = {
    "score": lazy_gettext("The scores are counted by it."),
    "field": lazy_gettext("The table page follows it."),
    "refusal": lazy_gettext("What goes against it is taken only when somebody insists."),
    "question": lazy_gettext("The table page asks accordingly."),
    "nudge": lazy_gettext("The table page asks when it may have been forgotten."),
    "card": lazy_gettext("It stands on this card and changes nothing else."),
}
"""What a switch of each kind does here, for people."""


@dataclass(frozen=True)
class Choice:
    """One value of a switch: as it is written, its sentence, and where it is only looked at."""

    value: str
    words: str
    chosen: bool
    address: str


@dataclass(frozen=True)
class Line:
    """One switch with its choices."""

    name: str
    about: str
    effect: str
    choices: tuple[Choice, ...]
    own: bool


@dataclass(frozen=True)
class Heading:
    """One heading of the card; ``own`` sentences are not those of the preset."""

    words: str
    sentences: tuple[tuple[str, bool], ...]


@pages.get("/rules")
def show() -> ResponseReturnValue:
    """The card of this table, or of the rules that the address names."""
    return page(wanted(request.args))


def wanted(said: MultiDict[str, str]) -> Rules | None:
    """The rules that an address or a form names; None for those of the table."""
    name = said.get("saved")
    if name:
        saved = services().game.house_rules.get(name)
        if saved is None:
            raise RuleBroken(_("No rules are saved as %(name)s: choose others.", name=name))
        return saved.rules
    preset = said.get("rules")
    if not preset:
        return None
    return Rules.preset(preset, dict(read_setting(text) for text in said.getlist("switch")))


def page(chosen: Rules | None, refusal: Refusal | None = None) -> str:
    """The card; ``chosen`` are rules to look at instead of the table's."""
    state = table_now().state
    at_table = chosen is None and state is not None
    rules = chosen or (state.rules if state else Rules.preset(USUAL))
    return render_template(
        "rules.html",
        at_table=at_table,
        can_change=at_table and report_now()["phase"] == "between",
        card=headings(rules, state if at_table else None),
        lines=lines(rules),
        change=request.args.get("change") or ("name" if refusal else ""),
        name=request.form.get("name") or request.args.get("saved", ""),
        preset=PRESETS[rules.name],
        presets=PRESETS.values(),
        saved=services().game.house_rules.all(),
        shown=request.args.get("saved"),
        settings=written(rules),
        this_game=game_words(state) if at_table and state else "",
        refusal=refusal,
        removed=request.args.get("removed"),
        kept=request.args.get("kept"),
    )


def game_words(state: GameState) -> str:
    """What this game agreed on besides its rules: set, hand, and which rounds are played."""
    size, first = state.set.highest, state.first_engine
    words = [_("This game: a double-%(n)s set.", n=size)]
    if state.hand is not None:
        words.append(_("%(n)s tiles each.", n=state.hand))
    if state.rounds is not None or first != size:
        count = state.rounds or first + 1
        engine = f"{first}-{first}"
        words.append(
            ngettext(
                "%(num)s round from the %(engine)s.",
                "%(num)s rounds from the %(engine)s.",
                count,
                engine=engine,
            )
        )
    return " ".join(words)


def headings(rules: Rules, state: GameState | None) -> list[Heading]:
    """The card of these rules, the table's own sentences marked; with the game's rounds."""
    usual = dict(rule_card(Rules.preset(rules.name)))
    short = state is not None and (state.rounds, state.first_engine) != (None, state.set.highest)
    game = {"first": state.first_engine, "rounds": state.rounds} if state and short else {}
    return [
        Heading(words, tuple((each, each not in usual.get(words, ())) for each in sentences))
        for words, sentences in rule_card(rules, **game)
    ]


def lines(rules: Rules) -> list[Line]:
    """Every switch, in the rulebook's order."""
    own = differing(rules)
    return [
        Line(
            name=name,
            about=capital(switch.meaning),
            effect=str(EFFECTS[switch.kind]),
            choices=tuple(
                Choice(
                    value=say_value(value),
                    words=SENTENCES[name][value],
                    chosen=rules[name] == value and type(rules[name]) is type(value),
                    address=address(rules.with_switch(name, value), name),
                )
                for value in switch.values
            ),
            own=name in own,
        )
        for name, switch in SWITCHES.items()
    ]


def written(rules: Rules) -> list[str]:
    """The switches that differ from the preset, as an address or a form carries them."""
    return [f"{name}={say_value(value)}" for name, value in differing(rules).items()]


def address(rules: Rules, change: str | None = None) -> str:
    """Where the card of these rules is looked at."""
    return url_for("rules.show", rules=rules.name, switch=written(rules), change=change)


@pages.post("/rules")
def change() -> ResponseReturnValue:
    """One switch set otherwise at this table."""
    switch, value = word(request.form, "switch") or "", word(request.form, "value") or ""
    name, setting = read_setting(f"{switch}={value}")
    play({"action": "set_rule", "switch": name, "value": setting})
    return then(url_for("rules.show", change=name, _anchor=f"rule-{name}"))


@pages.post("/rules/save")
def save() -> ResponseReturnValue:
    """Keep the rules of this card under a name; the table's as they are now."""
    form, state = request.form, table_now().state
    at_table = state is not None and "at_table" in form
    rules = state.rules if state and at_table else wanted(form) or Rules.preset(USUAL)
    try:
        insist = form.get("overrule") == "1"
        saved = services().game.house_rules.save(form.get("name", ""), rules, overrule=insist)
    except RuleBroken as error:
        return page(None if at_table else rules, Refusal.of(error)), 422
    if at_table:
        return then(url_for("rules.show", kept=saved.name))
    return then(url_for("rules.show", saved=saved.name, kept=saved.name))


@pages.post("/rules/remove")
def remove() -> ResponseReturnValue:
    """Forget saved rules; a game that plays by them keeps them."""
    name = word(request.form, "name") or ""
    services().game.house_rules.remove(name)
    return then(url_for("rules.show", removed=name))
