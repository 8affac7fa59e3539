"""The journal's vocabulary: which actions there are, and what each may carry.

Checks the form of a message only. Whether the table accepts it is for the table to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from companion.dominoes import Tile
from companion.errors import NotAnAction
from companion.names import refusal, tidy
from companion.saying import in_line, say

MEXICAN = "mexican"
"""The train that belongs to nobody."""

LARGEST_NUMBER = 1_000_000_000
LONGEST_TEXT = 500
MOST_TILES = 190
"""Tiles of the largest set, the double-18."""
YEARS = range(1970, 9000)
"""Years that a clock may tell and that every calendar can show."""
PASTS = ("none", "zero", "average", "highest")
"""What a late joiner's earlier rounds count."""


@dataclass(frozen=True)
class Action:
    """One thing that was done at the table, as the journal keeps it."""

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    by: str | None = None
    at: str | None = None
    overrule: bool = False

    def __getitem__(self, key: str) -> Any:
        return self.fields[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The field's value, or the default where it was not told."""
        return self.fields.get(key, default)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of the journal, which ``parse_action`` reads back."""
        said: dict[str, Any] = {"action": self.name, **self.fields}
        for key, value in (("by", self.by), ("at", self.at), ("overrule", self.overrule)):
            if value:
                said[key] = value
        return said


def quoted(value: object, most: int = 40) -> str:
    """What was said, short and printable, for a sentence that refuses it."""
    return str(value)[:most].encode("utf-8", "replace").decode("utf-8")


Check = Callable[[str, object], Any]


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise NotAnAction(
            say("%(key)s must be a text of at most %(n)s characters.", key=key, n=LONGEST_TEXT)
        )
    if quoted(value, LONGEST_TEXT) != value:
        raise NotAnAction(
            say("%(key)s holds a character that cannot be stored: write it anew.", key=key)
        )
    return value


def _name(key: str, value: object) -> str:
    """A person's name: spaces tidied, so that no two look the same and differ."""
    if not isinstance(value, str):
        raise NotAnAction(say("%(key)s must be a name.", key=key))
    name = tidy(value)
    why = refusal(name, say("A name is empty: write one for every player."))
    if why is not None:
        raise NotAnAction(why)
    return name


def _train(key: str, value: object) -> str:
    return MEXICAN if value == MEXICAN else _name(key, value)


def _names(key: str, value: object) -> list[str]:
    if not isinstance(value, list):
        raise NotAnAction(say("%(key)s must be a list of names.", key=key))
    return [_name(key, name) for name in value]


def _number(key: str, value: object) -> int:
    if type(value) is not int or abs(value) > LARGEST_NUMBER:
        raise NotAnAction(say("%(key)s must be a whole number.", key=key))
    return value


def _count(key: str, value: object) -> int:
    number = _number(key, value)
    if number < 1:
        raise NotAnAction(say("%(key)s must be 1 or more.", key=key))
    return number


def _points(key: str, value: object) -> int:
    number = _number(key, value)
    if number < 0:
        raise NotAnAction(say("A score cannot be negative: %(n)s was given.", n=number))
    return number


def _count_or_none(key: str, value: object) -> int | None:
    return None if value is None else _count(key, value)


def _yes(key: str, value: object) -> bool:
    if type(value) is not bool:
        raise NotAnAction(say("%(key)s must be true or false.", key=key))
    return value


def _only_true(key: str, value: object) -> bool:
    if value is not True:
        raise NotAnAction(say("%(key)s can only be true.", key=key))
    return True


def _tile(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise NotAnAction(say("%(key)s must be a tile like 5-12.", key=key))
    try:
        return str(Tile.parse(value))
    except ValueError as error:
        raise NotAnAction(str(error)) from None


def _tiles(key: str, value: object) -> list[str]:
    if not isinstance(value, list):
        raise NotAnAction(say("%(key)s must be a list of tiles like 5-12.", key=key))
    if len(value) > MOST_TILES:
        raise NotAnAction(
            say("%(n)s tiles are more than any set has: take some away.", n=len(value))
        )
    return [_tile(key, tile) for tile in value]


def _switches(key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise NotAnAction(say("%(key)s must name switches and their values.", key=key))
    return {name: _value(name, setting) for name, setting in value.items()}


def _value(key: str, value: object) -> bool | int | str:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _number(key, value)
    return _text(key, value)


def _past(key: str, value: object) -> str:
    if value not in PASTS:
        raise NotAnAction(
            say("%(key)s must be one of %(choices)s.", key=key, choices=in_line(PASTS))
        )
    return str(value)


@dataclass(frozen=True)
class Shape:
    """What an action must carry, may carry, and of what it must carry exactly one."""

    needed: Mapping[str, Check] = field(default_factory=dict)
    optional: Mapping[str, Check] = field(default_factory=dict)
    one_of: Mapping[str, Check] = field(default_factory=dict)


_ON_TRAIN = Shape({"train": _train})
_BY_PLAYER = Shape({"player": _name})

VOCABULARY: dict[str, Shape] = {
    "start_game": Shape(
        {"players": _names, "set": _number, "rules": _text},
        {
            "overrides": _switches,
            "hand": _count_or_none,
            "first_engine": _tile,
            "rounds": _count,
        },
    ),
    "open_round": Shape(optional={"engine": _tile, "starter": _name}),
    "turn": _BY_PLAYER,
    "draw": Shape(optional={"player": _name, "n": _count}),
    "play": Shape({"train": _train}, {"tile": _tile, "player": _name}),
    "mark": _ON_TRAIN,
    "unmark": _ON_TRAIN,
    "start_train": _BY_PLAYER,
    "start_mexican_train": Shape(),
    "lay_double": Shape({"train": _train, "value": _number}, {"player": _name}),
    "cover": Shape({"train": _train}, {"player": _name}),
    "release": _ON_TRAIN,
    "knock": _BY_PLAYER,
    "go_out": _BY_PLAYER,
    "block": Shape(),
    "hand": Shape(
        {"player": _name},
        {"photo": _text, "replace": _yes},
        {"tiles": _tiles, "pips": _points},
    ),
    "close_round": Shape(),
    "correct": Shape(
        {"round": _count, "player": _name},
        {"why": _text},
        {"tiles": _tiles, "pips": _points, "went_out": _only_true},
    ),
    "add_player": Shape({"name": _name, "past": _past}, {"seat": _count}),
    "leave": _BY_PLAYER,
    "rename": Shape({"player": _name, "name": _name}),
    "move_seat": Shape({"player": _name, "seat": _count}),
    "set_rule": Shape({"switch": _text, "value": _value}),
    "finish_game": Shape(),
    "undo": Shape(),
}


def parse_action(said: object) -> Action:
    """Read one JSON object as an action.

    Raises NotAnAction with a sentence for an unknown action, key or value.
    """
    if isinstance(said, Action):
        return said
    if not isinstance(said, dict):
        raise NotAnAction(say('An action is an object like {"action": "mark", "train": "Red"}.'))
    name = said.get("action")
    shape = VOCABULARY.get(name) if isinstance(name, str) else None
    if shape is None:
        if not isinstance(name, str):
            raise NotAnAction(say("An action is named by a text: mark, hand, undo and so on."))
        raise NotAnAction(say("There is no action called %(name)s.", name=quoted(name)))
    checks = {**shape.needed, **shape.optional, **shape.one_of}
    fields = {}
    for key, value in said.items():
        if key in ("action", "by", "at", "overrule"):
            continue
        if key not in checks:
            raise NotAnAction(
                say("The action %(name)s takes no %(key)s.", name=name, key=quoted(key))
            )
        fields[key] = checks[key](key, value)
    for key in shape.needed:
        if key not in fields:
            raise NotAnAction(say("The action %(name)s needs %(key)s.", name=name, key=key))
    if shape.one_of and sum(key in fields for key in shape.one_of) != 1:
        choices = " or ".join(shape.one_of)
        raise NotAnAction(
            say("The action %(name)s needs one of %(keys)s.", name=name, keys=choices)
        )
    return Action(str(name), fields, **_carried(said))


def _carried(said: Mapping[str, Any]) -> dict[str, Any]:
    """Who, when, and whether a person insists: what any action may carry."""
    carried: dict[str, Any] = {}
    if "by" in said:
        carried["by"] = _text("by", said["by"])
    if "at" in said:
        at = _text("at", said["at"])
        try:
            known = datetime.fromisoformat(at).year in YEARS
        except ValueError:
            known = False
        if not known:
            raise NotAnAction(say("at must be a time like 2024-05-31T20:15:00Z."))
        carried["at"] = at
    if "overrule" in said:
        carried["overrule"] = _yes("overrule", said["overrule"])
    return carried
