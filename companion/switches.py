"""The switches a table can set on its own: what each may be, and what in the product it changes.

Data only. Which preset sets what is ``rulebook``'s, and what it means in sentences for the people
is ``card``'s.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import RuleBroken
from companion.saying import either, say

Value = bool | int | str

KINDS = ("score", "field", "refusal", "question", "nudge", "card")
"""What a switch can change: points and places, a field of the table, what is refused, what is
asked, what is gently pointed out, or nothing but a sentence on the rule card."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule: its name, its values, what it is about, and what it changes."""

    name: str
    values: tuple[Value, ...]
    meaning: str
    kind: str
    effect: str


SWITCHES: dict[str, Switch] = {
    switch.name: switch
    for switch in (
        Switch(
            "double_blank",
            (0, 25, 50),
            say("what the 0-0 costs in hand"),
            "score",
            "points of a hand that was told as tiles and holds the 0-0",
        ),
        Switch(
            "scoring",
            ("penalty", "positive"),
            say("who takes the points left in the hands"),
            "score",
            "scores of a closed round, and whether the lowest or the highest total wins",
        ),
        Switch(
            "marker_penalty",
            (0, 5, 10, 25),
            say("points for a marker still up at the end"),
            "score",
            "scores of everybody whose marker is up when the round is closed",
        ),
        Switch(
            "engine_by",
            ("holder", "laid_first"),
            say("who lays the engine"),
            "field",
            "boneyard, which holds one tile less when the engine is laid first",
        ),
        Switch(
            "engine_hunt",
            ("in_turn", "everybody"),
            say("how to draw when nobody holds the engine"),
            "question",
            "who draws next when nobody has the engine; nothing when it is laid first",
        ),
        Switch(
            "first_turn",
            ("whole_train", "one_tile"),
            say("how much one lays in the first turn"),
            "refusal",
            "a second player who goes out in one round must be insisted on with one_tile",
        ),
        Switch(
            "first_turn_where",
            ("own", "own_or_mexican", "anywhere"),
            say("where one may lay in the first turn"),
            "nudge",
            "a tile told on another train in a first turn is asked about",
        ),
        Switch(
            "first_turn_draw",
            (True, False),
            say("whether one draws when one cannot start"),
            "nudge",
            "a draw told in a first turn is asked about with no",
        ),
        Switch(
            "must_play",
            (True, False),
            say("whether one must play when one can"),
            "card",
            "a sentence on the rule card only: hands are not seen during play",
        ),
        Switch(
            "doubles_per_turn",
            ("any", "one"),
            say("how many doubles one may lay in a turn"),
            "nudge",
            "a second double in a turn, or beside an open one, is asked about with one",
        ),
        Switch(
            "cover_by",
            ("next_player", "every_player"),
            say("who has to cover an open double"),
            "field",
            "to_cover at the turn of whoever left it: passed over, or theirs too",
        ),
        Switch(
            "cover_each",
            ("one_each", "all_by_next"),
            say("who covers several open doubles"),
            "field",
            "to_cover after one of several is covered: the next player, or the same",
        ),
        Switch(
            "cover_order",
            ("as_laid", "reversed"),
            say("which open double is covered first"),
            "field",
            "open_doubles: which of several on one train is taken off when one is covered",
        ),
        Switch(
            "open_double_blocks",
            (True, False),
            say("whether an open double blocks other trains"),
            "nudge",
            "a tile told on another train while a double lies open is asked about with yes",
        ),
        Switch(
            "cover_marker",
            (True, False),
            say("whether the marker stays until one draws a tile that covers"),
            "nudge",
            "the marker of who failed to cover is asked about after a cover, not after a play",
        ),
        Switch(
            "marker_down",
            ("own_train", "any_play"),
            say("which play takes the marker down"),
            "nudge",
            "which tiles told raise the question to take a marker off",
        ),
        Switch(
            "announce_last",
            (True, False),
            say("whether one knocks with one tile left"),
            "nudge",
            "going out without a knock before is asked about with yes",
        ),
        Switch(
            "tie_break",
            ("zeros_then_lowest_round", "shared"),
            say("how equal totals are separated"),
            "score",
            "places and winners of equal totals, unless scoring is positive",
        ),
        Switch(
            "block_only",
            (True, False),
            say("whether other trains are played on only to block"),
            "card",
            "a sentence on the rule card only: why a tile was laid is not seen",
        ),
    )
}


def check_value(switch: Switch, value: object) -> Value:
    """The value as the switch keeps it: yes and no may be written as words."""
    if switch.values == (True, False) and value in ("yes", "no"):
        value = value == "yes"
    for allowed in switch.values:
        if type(value) is type(allowed) and value == allowed:
            return allowed
    written = [say_value(allowed) for allowed in switch.values]
    raise RuleBroken(
        say(
            "%(switch)s cannot be %(value)s: choose %(values)s.",
            switch=switch.name,
            value=say_value(value),
            values=either(written),
        )
    )


def say_value(value: object) -> str:
    """A switch's value as people write it: yes and no instead of true and false."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def read_setting(text: str) -> tuple[str, Value]:
    """A switch and its value from ``name=value``; RuleBroken says how to write it."""
    name, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        raise RuleBroken(say("%(text)s sets no switch: write it like double_blank=25.", text=text))
    switch = named_switch(name)
    for value in switch.values:
        if say_value(value) == written:
            return name, value
    return name, check_value(switch, written)


def named_switch(name: str) -> Switch:
    """The switch of this name; RuleBroken names all there are."""
    if name not in SWITCHES:
        raise RuleBroken(
            say(
                "There is no switch called %(name)s: choose %(switches)s.",
                name=name,
                switches=either(SWITCHES),
            )
        )
    return SWITCHES[name]
