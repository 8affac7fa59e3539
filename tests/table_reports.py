"""Table reports made by hand, for tests that need no game."""

from __future__ import annotations

from typing import Any

PLAYERS = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus")


def table_report(
    engine: str | None = "9-9",
    players: tuple[str, ...] = PLAYERS[:4],
    *,
    started: tuple[str, ...] = (),
    marked: tuple[str, ...] = (),
    doubles: dict[str, str] | None = None,
    turn: str | None = None,
    round_: int = 4,
    mexican: bool = False,
    rules: str = "classic",
    set_: int = 12,
    phase: str = "playing",
) -> dict[str, Any]:
    """What a table with these trains, markers and open doubles (by train) tells."""
    game = {"players": list(players), "set": set_, "rules": rules, "switches": {}, "hand": 12}
    waiting = [
        {"double": double, "train": train, "player": None}
        for train, double in (doubles or {}).items()
    ]
    return {
        "phase": phase,
        "game": None if phase == "none" else game,
        "round": round_,
        "engine": engine,
        "turn": turn,
        "started": [*started, *(["mexican"] if mexican else [])],
        "open_trains": list(marked),
        "mexican_train": mexican,
        "open_doubles": waiting,
    }
