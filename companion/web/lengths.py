"""How long a game is: all rounds of the set, fewer, or from a lower engine on; in plain words.

Knows no page and no game.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.web.words import _, ngettext

COUNTS = (13, 10, 7, 5, 3)
"""Numbers of rounds that are offered from the set's highest double on."""
LOWER = (12, 9, 6, 3)
"""First engines that are offered below it, down to the 0-0."""


@dataclass(frozen=True)
class Length:
    """So many rounds (None: down to the 0-0) from this double on (None: the set's highest)."""

    rounds: int | None = None
    first: int | None = None

    @property
    def value(self) -> str:
        """As a form carries it; empty for a whole game."""
        return "" if self == Length() else f"{self.rounds or ''}-{self.first or ''}"

    @classmethod
    def read(cls, value: str, highest: int) -> Length:
        """What a form carries; anything that this set has not is a whole game."""
        rounds, dash, first = value.partition("-")
        if not dash:
            return cls()
        return cls.of(rounds, first, highest)

    @classmethod
    def of(cls, rounds: str, first: str, highest: int) -> Length:
        """Of two fields; each may be empty."""
        begins = int(first) if first.isascii() and first.isdigit() and len(first) < 3 else None
        if begins is not None and not 0 <= begins < highest:
            begins = None
        most = (highest if begins is None else begins) + 1
        count = int(rounds) if rounds.isascii() and rounds.isdigit() and len(rounds) < 3 else None
        if count is not None and not 1 <= count < most:
            count = None
        return cls(count, begins)

    def action(self) -> dict[str, int | str]:
        """The fields of ``start_game``."""
        told: dict[str, int | str] = {}
        if self.rounds is not None:
            told["rounds"] = self.rounds
        if self.first is not None:
            told["first_engine"] = f"{self.first}-{self.first}"
        return told

    def words(self, highest: int) -> str:
        """Like *5 rounds: 12-12 to 8-8*."""
        first = highest if self.first is None else self.first
        count = first + 1 if self.rounds is None else self.rounds
        if count == 1:
            return _("One round: the %(first)s", first=f"{first}-{first}")
        last = first - count + 1
        return ngettext(
            "%(num)s round: %(first)s to %(last)s",
            "%(num)s rounds: %(first)s to %(last)s",
            count,
            first=f"{first}-{first}",
            last=f"{last}-{last}",
        )


def lengths(highest: int) -> list[Length]:
    """What is offered for a set: the whole game, then shorter ones, then lower engines."""
    fewer = [Length(rounds=count) for count in COUNTS if count < highest + 1]
    lower = [Length(first=first) for first in LOWER if first < highest]
    return [Length(), *fewer, *lower[:2]]
