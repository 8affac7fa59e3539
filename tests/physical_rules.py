"""What people at a real table remember of the three rule systems, and how they tell what they did.

Knows nothing of the product.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MEXICAN = "mexican"

Domino = tuple[int, int]


@dataclass(frozen=True)
class System:
    """What the players at this table go by."""

    blank: int
    whole_train: bool
    laid_first: bool
    everybody_hunts: bool
    opening_trains: tuple[str, ...]
    draws_in_opening: bool
    every_player_covers: bool


SYSTEMS = {
    "classic": System(50, True, False, False, (), False, False),
    "thirteen": System(0, False, False, True, (), True, False),
    "hub": System(50, False, True, False, (MEXICAN,), True, True),
}
"""The three rule systems as a player remembers them."""


@dataclass
class Line:
    """A train on the table: the value at its open end."""

    end: int
    begun: bool = False
    marked: bool = False


@dataclass
class Told:
    """What was told, in order: actions, and between them what the table should show."""

    events: list[tuple[str, dict]] = field(default_factory=list)

    def act(self, name: str, /, **fields: object) -> None:
        self.events.append(("act", {"action": name, **fields}))

    def show(self, **expected: object) -> None:
        self.events.append(("show", expected))


def written(tile: Domino) -> str:
    return f"{tile[0]}-{tile[1]}"
