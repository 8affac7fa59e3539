"""A table's own rules, saved under a name to be offered at the next game.

Kept in the journal's database: the preset, and the switches that are set otherwise. Knows no game
and no page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from companion.errors import RuleBroken
from companion.journal import Journal
from companion.names import folded, refusal, tidy
from companion.rulebook import PRESETS, Rules, Value
from companion.saying import say

MOST = 40
"""Rules that can be saved under names: a household needs few, a page shows no more."""


@dataclass(frozen=True, slots=True)
class SavedRules:
    """Rules under a name."""

    name: str
    rules: Rules

    @property
    def overrides(self) -> dict[str, Value]:
        """The switches that differ from the preset, as ``start_game`` takes them."""
        return differing(self.rules)


def differing(rules: Rules) -> dict[str, Value]:
    """The switches of these rules that their preset sets otherwise."""
    usual = PRESETS[rules.name].switches
    return {name: rules[name] for name in rules if rules[name] != usual[name]}


class HouseRules:
    """The saved rules of one journal. Safe from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def all(self) -> list[SavedRules]:
        """Everything saved, what was saved last first.

        Left out is what this version cannot play: a preset or switch that it does not know.
        """
        rows = self._journal.run("SELECT shown, preset, overrides FROM rules ORDER BY used DESC")
        return [saved for row in rows if (saved := _read(*row)) is not None]

    def get(self, name: str) -> SavedRules | None:
        """The rules of this name, ignoring case; None where there are none."""
        return next((each for each in self.all() if folded(each.name) == folded(name)), None)

    def save(self, name: str, rules: Rules, *, overrule: bool = False) -> SavedRules:
        """Keep these rules under a name; durable when it returns.

        Raises RuleBroken for a name that cannot be shown, and, unless ``overrule`` says to
        replace them, for one under which other rules are kept.
        """
        name = tidy(name)
        if (why := refusal(name, say("The rules need a name: write one."))) is not None:
            raise RuleBroken(why)
        known = {folded(each.name): each for each in self.all()}
        before = known.get(folded(name))
        if before is not None and before.rules != rules and not overrule:
            raise RuleBroken(
                say(
                    "Other rules are saved as %(name)s: replace them, or choose another name.",
                    name=before.name,
                ),
                overrulable=True,
            )
        if before is None and len(known) >= MOST:
            raise RuleBroken(
                say("%(n)s rules are saved already: remove one you do not use.", n=MOST)
            )
        told: tuple[Any, ...] = (folded(name), name, rules.name, json.dumps(differing(rules)))
        self._journal.run(
            "INSERT OR REPLACE INTO rules "
            "SELECT ?, ?, ?, ?, coalesce(max(used), 0) + 1 FROM rules",
            told,
        )
        return SavedRules(name, rules)

    def remove(self, name: str) -> None:
        """Forget the rules of this name; none of that name does no harm."""
        self._journal.run("DELETE FROM rules WHERE name = ?", (folded(name),))


def _read(shown: str, preset: str, overrides: str) -> SavedRules | None:
    try:
        return SavedRules(shown, Rules.preset(preset, json.loads(overrides)))
    except (RuleBroken, ValueError):
        return None
