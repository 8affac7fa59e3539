"""What has happened since somebody looked: the actions that are new, and those taken back.

Pure, over the journal's actions. Knows no words and no page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.actions import Action


@dataclass(frozen=True)
class Since:
    """``done`` are new and stand, ``undone`` were seen and are taken back; oldest first.

    ``another`` tells that another game was begun meanwhile.
    """

    done: tuple[Action, ...] = ()
    undone: tuple[Action, ...] = ()
    another: bool = False


def since(actions: Iterable[Action], seen: int) -> Since:
    """What is new after the first ``seen`` actions of a journal.

    Something that was done and taken back again meanwhile is not told. Of another game only what
    was done in it is told.
    """
    standing: list[tuple[int, Action]] = []
    undone: list[Action] = []
    another = False
    for number, action in enumerate(actions, start=1):
        if action.name == "undo":
            taken, last = standing.pop()
            undone += [last] if number > seen >= taken else []
            continue
        if action.name == "start_game":
            another = number > seen
            standing, undone = [], []
        standing.append((number, action))
    done = tuple(action for number, action in standing if number > seen)
    return Since(done, tuple(reversed(undone)), another)
