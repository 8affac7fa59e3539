"""The people who played before and their looks, as the pages ask for them.

The journal keeps them over restarts; `Guests` keeps them while the program runs, where there
is no journal to ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.journal import Person
from companion.names import folded


class People(Protocol):
    """Who remembers names and colours; the journal does."""

    def remember(self, names: Sequence[str], colours: Sequence[int]) -> None: ...

    def remembered(self) -> list[Person]: ...


class Guests:
    """People remembered until the program ends."""

    def __init__(self) -> None:
        self._known: dict[str, Person] = {}

    def remember(self, names: Sequence[str], colours: Sequence[int]) -> None:
        """Keep these people, the latest game first."""
        latest = {folded(n): Person(n, c) for n, c in zip(names, colours, strict=True)}
        others = {key: who for key, who in self._known.items() if key not in latest}
        self._known = {**latest, **others}

    def remembered(self) -> list[Person]:
        """Those of the latest game first."""
        return list(self._known.values())


def remembered_looks(people: People) -> dict[str, int]:
    """The look of everybody who played before, by folded name."""
    return {folded(person.name): person.colour for person in people.remembered()}
