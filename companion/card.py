"""The rule card: what this table plays, in words, one heading for each thing people ask.

Made from the switches and, where rule systems differ in what no switch sets, from the preset's
customs. The sentences themselves stand in ``cardwords``. Knows no players and no table.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.cardwords import (
    CANNOT,
    CUSTOMS,
    EMPTY,
    ENDS,
    HIGHEST_WINS,
    LAST_DOUBLE,
    LOWEST_WINS,
    MEXICAN_ANY,
    MEXICAN_LATER,
    OPENING_BLOCKS,
    OPENING_OWED,
    OPENING_WHOLE,
    RELEASED,
    ROUNDS,
    SENTENCES,
    TURN,
)
from companion.rulebook import PRESETS, Preset, Rules
from companion.saying import in_line, say, say_many
from companion.switches import SWITCHES, say_value

__all__ = ["CUSTOMS", "SENTENCES", "headline", "rule_card", "settings"]

Heading = tuple[str, list[str]]
"""A heading and the sentences below it."""


def headline(rules: Rules) -> str:
    """The rule system's title, and its line where no house rule makes that untrue."""
    preset = PRESETS[rules.name]
    usual = dict(rules.switches) == dict(preset.switches)
    if usual:
        return say("%(rules)s: %(line)s", rules=preset.title, line=preset.line)
    return say("%(rules)s, with house rules.", rules=preset.title)


def rule_card(
    rules: Rules, *, first: int | None = None, rounds: int | None = None
) -> list[Heading]:
    """The card of these rules: headings and their sentences, in the order people ask.

    ``first`` and ``rounds`` tell of a game that begins with a lower engine or is shorter.

    Only what matters by these rules is said: no hunt for an engine that is laid first, and no
    tie-break with positive scoring, where equal totals share the place.
    """
    preset, said = PRESETS[rules.name], _Sentences(rules)
    customs = CUSTOMS[rules.name]
    hunted = () if rules.engine_laid_first else said["engine_hunt"]
    return [
        (say("Players and tiles"), _players(preset, customs)),
        (say("Equipment"), [customs["equipment"]]),
        (say("Rounds"), [_rounds(first, rounds)]),
        (say("The engine"), [*said["engine_by"], *hunted]),
        (say("Whole train or one tile first?"), [*said["first_turn"], *said["first_turn_where"]]),
        (say("Cannot start?"), [*said["first_turn_draw"], _later(rules, customs)]),
        (say("The Mexican Train"), _mexican(rules, customs)),
        (say("A turn"), [TURN, *said["must_play"], *said["block_only"]]),
        (say("Cannot play?"), [CANNOT, customs["missed"]]),
        (say("Empty boneyard?"), [EMPTY]),
        (say("Where does the marker go?"), [customs["marker"]]),
        (say("When does the marker come off?"), [*said["marker_down"], *said["cover_marker"]]),
        (say("A double"), _double(rules, said, customs)),
        (say("A double that ends the opening train?"), [_opening(rules)]),
        (say("May the last tile be a double?"), [LAST_DOUBLE]),
        (
            say("Must I cover someone else's double on a closed train?"),
            [*said["cover_by"], *said["open_double_blocks"], RELEASED],
        ),
        (say("Several open doubles?"), [*said["cover_each"], *said["cover_order"]]),
        (say("One tile left?"), said["announce_last"]),
        (say("When does the round end?"), [ENDS]),
        (say("Score"), [*said["scoring"], *said["marker_penalty"]]),
        (say("What is the double blank worth?"), said["double_blank"]),
        (say("Who wins?"), _winner(rules, said)),
    ]


class _Sentences:
    """The sentence of each switch by these rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __getitem__(self, switch: str) -> list[str]:
        return [SENTENCES[switch][self._rules[switch]]]


def _rounds(first: int | None, rounds: int | None) -> str:
    if first is None and rounds is None:
        return ROUNDS
    engine = f"{first}-{first}"
    if rounds is None:
        return say(
            "One round for every double, from the %(engine)s down to the 0-0.", engine=engine
        )
    if first is None:
        return say_many(
            "%(num)s round, from the set's highest double down.",
            "%(num)s rounds, from the set's highest double down.",
            rounds,
        )
    return say_many(
        "%(num)s round, from the %(engine)s down.",
        "%(num)s rounds, from the %(engine)s down.",
        rounds,
        engine=engine,
    )


def _later(rules: Rules, customs: dict[str, str]) -> str:
    undrawn = not rules["first_turn_draw"] and "later undrawn" in customs
    return customs["later undrawn" if undrawn else "later"]


def _players(preset: Preset, customs: dict[str, str]) -> list[str]:
    """For how many the rules are, and the tiles each that they name for each set."""
    fewest, most = preset.players
    said = [
        say(
            "%(rules)s: for %(fewest)s to %(most)s players.",
            rules=preset.title,
            fewest=fewest,
            most=most,
        )
    ]
    said += [customs["suits"]] if "suits" in customs else []
    for highest, rows in preset.hands.items():
        hands = in_line(
            say("%(tiles)s for %(players)s", tiles=tiles, players=_span(fewest, most))
            for fewest, most, tiles in rows
        )
        said.append(
            say("Tiles each with a double-%(n)s set: %(hands)s players.", n=highest, hands=hands)
        )
    return said


def _span(fewest: int, most: int) -> str:
    if fewest == most:
        return str(fewest)
    return say("%(fewest)s to %(most)s", fewest=fewest, most=most)


def _mexican(rules: Rules, customs: dict[str, str]) -> list[str]:
    begins = MEXICAN_LATER if rules["first_turn_where"] == "own" else MEXICAN_ANY
    return [begins, customs["mexican"]] if "mexican" in customs else [begins]


def _double(rules: Rules, said: _Sentences, customs: dict[str, str]) -> list[str]:
    order = f"several {rules['cover_order']}"
    more = [customs[order]] if rules["doubles_per_turn"] == "any" and order in customs else []
    return [customs["double"], *said["doubles_per_turn"], *more]


def _opening(rules: Rules) -> str:
    if rules["first_turn"] == "whole_train":
        return OPENING_WHOLE
    return OPENING_BLOCKS if rules["open_double_blocks"] else OPENING_OWED


def _winner(rules: Rules, said: _Sentences) -> list[str]:
    if rules.positive:
        return [HIGHEST_WINS, SENTENCES["tie_break"]["shared"]]
    return [LOWEST_WINS, *said["tie_break"]]


class Setting(NamedTuple):
    """One switch at this table: its value, and what of the product it changes."""

    name: str
    value: str
    meaning: str
    kind: str
    effect: str


def settings(rules: Rules) -> list[Setting]:
    """Every switch with its value, in the rulebook's order."""
    return [
        Setting(name, say_value(rules[name]), switch.meaning, switch.kind, switch.effect)
        for name, switch in SWITCHES.items()
    ]
