"""Games from elsewhere beside those kept here: which are new, which go on, which stay as they are.

Works from the actions alone. The game on the table is never touched, nor one that went otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.actions import Action
from companion.kept import KeptGame, begins

Told = tuple[int, tuple[Action, ...]]
"""Actions for the game of this number."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What an import brings: whole games under new numbers, and how games here go on.

    ``there`` counts the games that are here already, ``otherwise`` those that went otherwise
    here or lie on the table: they are left as they are.
    """

    new: tuple[KeptGame, ...] = ()
    longer: tuple[Told, ...] = ()
    there: int = 0
    otherwise: int = 0

    @property
    def told(self) -> tuple[Told, ...]:
        """All that is to be stored, by the numbers of the games."""
        return tuple((game.number, game.actions) for game in self.new) + self.longer


def taken_in(
    kept: Sequence[KeptGame], games: Iterable[KeptGame], lowest: int | None = None
) -> Intake:
    """What these games bring to those kept here.

    New ones are numbered from below ``lowest``, or from below all of those that are kept.
    """
    here: dict[str, list[KeptGame]] = defaultdict(list)
    for game in kept:
        if not game.continued:
            here[game.id].append(game)
    new, longer, there, otherwise = list[KeptGame](), list[Told](), 0, 0
    number = min(0, *(game.number for game in kept), 0) if lowest is None else lowest
    for game in games:
        same = here[game.id]
        if any(begins(game.actions, one.actions) for one in same):
            there += 1
            continue
        shorter = [one for one in same if not one.at_table and begins(one.actions, game.actions)]
        if shorter:
            longer.append((shorter[0].number, game.actions[len(shorter[0].actions) :]))
            same.remove(shorter[0])
        elif any(_are_one(game, one) for one in same):
            otherwise += 1
            continue
        else:
            number -= 1
            new.append(replace(game, number=number, started=None))
        # what was just taken in stands like the game on the table: nothing is added to it
        same.append(replace(game, at_table=True))
    return Intake(tuple(new), tuple(longer), there, otherwise)


def _are_one(game: KeptGame, other: KeptGame) -> bool:
    """Whether two games of the same people, begun in the same second, went on alike."""
    return begins(game.actions[:2], other.actions) or begins(other.actions[:2], game.actions)
