"""A new game as far as it is filled in: who sits where, which set, by which rules, how long.

What the forms of ``setup`` carry from step to step. Plays nothing: whether a choice is allowed is
for the game to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from werkzeug.datastructures import MultiDict

from companion.dominoes import SIZES
from companion.errors import RuleBroken
from companion.houserules import SavedRules, differing
from companion.names import folded
from companion.rulebook import PRESETS, SWITCHES, Rules, Value, say_value
from companion.state import GameState
from companion.switches import read_setting
from companion.web.drawing import look_of
from companion.web.lengths import Length
from companion.web.looks import LOOKS
from companion.web.services import services
from companion.web.taps import whole, word

MOST = 14
ROWS = 4
"""Empty lines on a fresh form: most tables are four."""
USUAL_SET = 12
USUAL_RULES = "classic"
SAVED = "saved:"
"""Before the name of rules that were saved under one."""
RULE = "rule-"
"""Before the name of a switch that is set otherwise."""


@dataclass(frozen=True)
class Seat:
    """One line of the form: a name, perhaps still empty, and its look.

    ``chosen`` tells that somebody picked the look; others are only the page's proposal.
    """

    name: str = ""
    look: int = 0
    chosen: bool = False


@dataclass(frozen=True)
class Draft:
    """A new game as far as it is filled in."""

    seats: tuple[Seat, ...] = (Seat(),) * ROWS
    set: int = USUAL_SET
    rules: str = USUAL_RULES
    own: SavedRules | None = None
    """The saved rules that were chosen; ``rules`` is then their preset."""
    changed: dict[str, Value] = field(default_factory=dict)
    """Switches that were set otherwise on the form."""
    length: Length = Length()
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
        proposed = [whole(look) for look in form.getlist("proposed")]
        proposed += [None] * len(names)
        own = saved_rules(form.get("rules", ""))
        rules = own.rules.name if own else form.get("rules", "")
        chosen = form.get("set", "")
        highest = int(chosen) if chosen in map(str, SIZES) else USUAL_SET
        return cls(
            seats=tuple(
                Seat(name, look, chosen=look not in (0, given))
                for name, look, given in zip(names, looks, proposed)
            ),
            set=highest,
            rules=rules if rules in PRESETS else USUAL_RULES,
            own=own,
            changed=changed_rules(form),
            length=length_of(form, highest),
            hand=form.get("hand", "").strip(),
            starter=word(form, "starter"),
            insisted="1" in (form.get("insisted"), form.get("overrule")),
            aside=bool(form.get("aside")),
        )

    @classmethod
    def again(cls, state: GameState) -> Draft:
        """The game that was played last, once more."""
        first = None if state.first_engine == state.set.highest else state.first_engine
        names = [state.name(number) for number in state.seats]
        return cls(
            seats=tuple(Seat(name, look_of(name)) for name in names),
            set=state.set.highest,
            rules=state.rules.name,
            changed=differing(state.rules),
            length=Length(state.rounds, first),
            hand="" if state.hand is None else str(state.hand),
        )

    @property
    def engine(self) -> int:
        """The value of the first engine."""
        return self.set if self.length.first is None else self.length.first

    @property
    def chosen(self) -> str:
        """The rules as the form names them."""
        return SAVED + self.own.name if self.own else self.rules

    @property
    def players(self) -> list[Seat]:
        """The lines with a name, clockwise."""
        return [seat for seat in self.seats if seat.name]

    @property
    def played(self) -> Rules:
        """The rules that this game is played by."""
        saved = self.own.overrides if self.own else {}
        return Rules.preset(self.rules, {**saved, **self.changed})

    @property
    def settings(self) -> dict[str, str]:
        """The switches that were set otherwise, as a form carries them."""
        return {name: say_value(value) for name, value in self.changed.items()}

    def recalled(self, known: Mapping[str, int]) -> Draft:
        """The same where who played before has the remembered look, unless another was chosen.

        ``known`` maps folded names to looks. Of two with one look the first keeps it.
        """
        given = {n: seat.look for n, seat in enumerate(self.seats) if seat.chosen and seat.name}
        for n, seat in enumerate(self.seats):
            wish = known.get(folded(seat.name))
            if seat.name and n not in given and wish and wish not in given.values():
                given[n] = wish
        taken = set(given.values())
        seats = tuple(
            replace(seat, look=given.get(n, 0 if seat.look in taken else seat.look))
            for n, seat in enumerate(self.seats)
        )
        return replace(self, seats=seats)

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
        if folded(name) in (folded(seat.name) for seat in self.seats):
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

    def moved(self, place: int | None, step: int) -> Draft:
        """The same with the person of this line one seat on; where there is none, as it is."""
        seats, there = list(self.seats), -1 if place is None else place + step
        if place is not None and 0 <= place < len(seats) and 0 <= there < len(seats):
            seats[place], seats[there] = seats[there], seats[place]
        return replace(self, seats=tuple(seats))

    def action(self) -> dict[str, Any]:
        """The action that starts this game."""
        said: dict[str, Any] = {
            "action": "start_game",
            "players": [seat.name for seat in self.players],
            "set": self.set,
            "rules": self.rules,
            **self.length.action(),
        }
        overrides = differing(self.played)
        if overrides:
            said["overrides"] = overrides
        return {**said, "overrule": True} if self.insisted else said


def saved_rules(said: str) -> SavedRules | None:
    """The saved rules that a form names; None for a preset, or where they are gone."""
    return services().game.house_rules.get(said[len(SAVED) :]) if said.startswith(SAVED) else None


def changed_rules(form: MultiDict[str, str]) -> dict[str, Value]:
    """The switches that a form sets; what is no value of a switch is left out."""
    changed: dict[str, Value] = {}
    for name in SWITCHES:
        value = form.get(RULE + name)
        if value:
            try:
                changed.update([read_setting(f"{name}={value}")])
            except RuleBroken:
                continue
    return changed


def length_of(form: MultiDict[str, str], highest: int) -> Length:
    """How long a form wants the game: two fields of its own before the choice from the list."""
    rounds, first = form.get("rounds", ""), form.get("first", "")
    if rounds or first:
        return Length.of(rounds, first, highest)
    return Length.read(form.get("length", ""), highest)
