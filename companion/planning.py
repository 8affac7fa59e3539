"""``companion best-train``: a hand as people write it in, the best opening train out.

Reads the tiles, gives the search its time, and says the answer as JSON or in words. Knows nothing
of how the train is found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from companion.dominoes import Tile
from companion.errors import Trouble
from companion.planner import Goal, Plan, best_train
from companion.saying import say

TIME_LIMIT = 10.0
"""Seconds a search may take unless told otherwise; hands of a real game take milliseconds."""

_QUIET = 1.0
"""Seconds before a search begins to say how far it is."""


def best_train_command(
    tiles: Iterable[str],
    *,
    engine: str,
    goal: Goal = "tiles",
    double_rule: bool = True,
    time_limit: float = TIME_LIMIT,
    json_out: bool = False,
    tell: Callable[[str], None] | None = None,
) -> str:
    """What ``companion best-train`` prints: the plan as one line of JSON, or in words.

    ``tell`` is told the best train so far while a long search goes on. Raises Trouble like
    ``plan_train``.
    """
    told = plan_train(
        tiles,
        engine=engine,
        goal=goal,
        double_rule=double_rule,
        time_limit=time_limit,
        tell=tell,
    )
    return json.dumps(told) if json_out else say_plan(told, engine)


def plan_train(
    tiles: Iterable[str],
    *,
    engine: str,
    goal: Goal = "tiles",
    double_rule: bool = True,
    time_limit: float = TIME_LIMIT,
    tell: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """The best opening train as JSON: ``train`` as laid, ``left`` low ends first, and the sums.

    Tiles are written with either end first; one text may hold several. ``time_limit`` is in
    seconds; ``exact`` is false when it was over before the train was known to be the best.
    ``pips_left`` counts plain pips, the 0-0 as none. Raises Trouble with a sentence for what is
    no tile, no engine, given twice, no goal or no time.
    """
    if goal not in ("tiles", "pips"):
        raise Trouble(say("There is no goal %(goal)s: choose tiles or pips.", goal=repr(goal)))
    if not time_limit >= 0:
        raise Trouble(say("The time limit is in seconds: give 0 or more."))
    begun = monotonic()

    def progress(plan: Plan) -> None:
        if tell is not None and monotonic() - begun > _QUIET:
            tell(
                f"Best so far: {_count(plan.tiles, 'tile')}, {_count(plan.pips_left, 'pip')} left."
            )

    plan = best_train(
        read_tiles(tiles),
        _read_tile(engine),
        goal=goal,
        double_rule=double_rule,
        hurry=lambda: monotonic() - begun >= time_limit,
        progress=progress,
    )
    return {
        "train": [f"{inner}-{outer}" for inner, outer in plan.train],
        "left": [str(tile) for tile in plan.left],
        "tiles": plan.tiles,
        "pips_left": plan.pips_left,
        "exact": plan.exact,
    }


def read_tiles(texts: Iterable[str]) -> list[Tile]:
    """The tiles in some texts, apart by spaces, commas or semicolons; Trouble for anything else."""
    return [_read_tile(word) for text in texts for word in re.split(r"[\s,;]+", text) if word]


def _read_tile(text: str) -> Tile:
    try:
        return Tile.parse(text)
    except ValueError as error:
        raise Trouble(str(error)) from None


def say_plan(told: dict[str, Any], engine: str) -> str:
    """The plan as a person reads it: the train, what is left, and whether that is certain."""
    hand = told["tiles"] + len(told["left"])
    if not hand:
        return "The hand is empty: there is nothing to lay."
    if not told["tiles"]:
        return f"No tile fits the {_read_tile(engine)}: draw, or open your train."
    lines = [
        f"{told['tiles']} of {_count(hand, 'tile')}, laid from the {_read_tile(engine)}:",
        "  " + "  ".join(told["train"]),
    ]
    if told["left"]:
        lines.append(f"Left in hand, {_count(told['pips_left'], 'pip')}:")
        lines.append("  " + "  ".join(told["left"]))
    else:
        lines.append("Nothing is left in hand.")
    if not told["exact"]:
        lines.append("The time was over: allow more of it to be sure that nothing is better.")
    return "\n".join(lines)


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
