"""The house rules as data: the three presets, and one table's rules.

Rule systems and their defaults: Classic, Thirteen games and Hub rules, as sold with sets and
printed on their sheets. Knows no players and no table; the table asks it, never the reverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import RuleBroken
from companion.saying import either, say
from companion.switches import SWITCHES, Switch, Value, check_value, named_switch, say_value

__all__ = ["PRESETS", "Preset", "Rules", "SWITCHES", "Switch", "Value", "check_value"]
__all__ += ["proposed_hand", "say_value"]


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule system: its title, how many it suits, its switches, and its hands.

    ``hands`` maps a set to rows of (fewest players, most players, tiles each).
    """

    name: str
    title: str
    line: str
    players: tuple[int, int]
    switches: Mapping[str, Value]
    hands: Mapping[int, tuple[tuple[int, int, int], ...]]


def _switches(**values: Value) -> dict[str, Value]:
    unknown = set(values) ^ set(SWITCHES)
    if unknown:
        raise KeyError(f"the preset and the switches differ in {sorted(unknown)}")
    return values


_CLASSIC = _switches(
    double_blank=50,
    scoring="penalty",
    marker_penalty=0,
    engine_by="holder",
    engine_hunt="in_turn",
    first_turn="whole_train",
    first_turn_where="own",
    first_turn_draw=False,
    must_play=False,
    doubles_per_turn="any",
    cover_by="next_player",
    cover_each="one_each",
    cover_order="as_laid",
    open_double_blocks=False,
    cover_marker=False,
    marker_down="own_train",
    announce_last=False,
    tie_break="zeros_then_lowest_round",
    block_only=False,
)

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "classic",
            say("Classic"),
            say("Lay your whole train first; a double is covered by the next player."),
            (2, 14),
            _CLASSIC,
            {
                6: ((2, 4, 7),),
                9: ((2, 3, 15),),
                12: ((4, 4, 15), (5, 6, 12), (7, 8, 11)),
                15: ((9, 12, 11),),
                18: ((13, 14, 11),),
            },
        ),
        Preset(
            "thirteen",
            say("Thirteen games"),
            say("Thirteen rounds with a double-12 set; one tile a turn, the 0-0 costs nothing."),
            (2, 10),
            _CLASSIC
            | {
                "double_blank": 0,
                "engine_hunt": "everybody",
                "first_turn": "one_tile",
                "first_turn_draw": True,
                "tie_break": "shared",
            },
            {12: ((2, 6, 12), (7, 8, 10), (9, 10, 8))},
        ),
        Preset(
            "hub",
            say("Hub rules"),
            say(
                "The engine lies in the hub before the draw; "
                "an open double stops everything else."
            ),
            (2, 12),
            _CLASSIC
            | {
                "engine_by": "laid_first",
                "first_turn": "one_tile",
                "first_turn_where": "own_or_mexican",
                "first_turn_draw": True,
                "must_play": True,
                "cover_by": "every_player",
                "open_double_blocks": True,
                "announce_last": True,
                "tie_break": "shared",
            },
            {
                9: ((2, 2, 15), (3, 3, 13), (4, 4, 10)),
                12: (
                    (2, 3, 16),
                    (4, 4, 15),
                    (5, 5, 14),
                    (6, 6, 12),
                    (7, 7, 10),
                    (8, 8, 9),
                ),
            },
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Rules:
    """One table's rules: the preset it began with, and the value of every switch."""

    name: str
    switches: tuple[tuple[str, Value], ...]

    @classmethod
    def preset(cls, name: str, overrides: Mapping[str, Any] | None = None) -> Rules:
        """The named preset with some switches set otherwise; RuleBroken for an unknown one."""
        if name not in PRESETS:
            raise RuleBroken(
                say(
                    "There are no rules called %(name)s: choose %(rules)s.",
                    name=name,
                    rules=either(PRESETS),
                )
            )
        rules = cls(name, tuple(PRESETS[name].switches.items()))
        for switch, value in (overrides or {}).items():
            rules = rules.with_switch(switch, value)
        return rules

    def with_switch(self, name: str, value: object) -> Rules:
        """The same rules with one switch set; RuleBroken names the values it may take."""
        checked = check_value(named_switch(name), value)
        return Rules(self.name, tuple((n, checked if n == name else v) for n, v in self.switches))

    def __getitem__(self, name: str) -> Value:
        for switch, value in self.switches:
            if switch == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.switches)

    @property
    def double_blank(self) -> int:
        """What the 0-0 costs in hand."""
        return int(self["double_blank"])

    @property
    def engine_laid_first(self) -> bool:
        """Whether the engine lies in the hub before the draw, so in nobody's hand."""
        return self["engine_by"] == "laid_first"

    @property
    def marker_penalty(self) -> int:
        """Points for a marker that is still up when the round is closed."""
        return int(self["marker_penalty"])

    @property
    def positive(self) -> bool:
        """Whether the points left in the hands go to the one who went out."""
        return self["scoring"] == "positive"


def proposed_hand(rules: str, highest: int, players: int) -> int | None:
    """Tiles each by the preset for this set and number of players; None where it names none."""
    for fewest, most, tiles in PRESETS[rules].hands.get(highest, ()):
        if fewest <= players <= most:
            return tiles
    return None
