"""Who has the engine? What to ask at the start of a round, and who draws when nobody has it.

Works from what was told: the draws themselves are ordinary draws, counted in the boneyard. Knows
no hands, so it ends when the table tells whose turn it is or what was laid, never by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion import play
from companion.saying import say
from companion.state import GameState, Round
from companion.table import Table


@dataclass(frozen=True, slots=True)
class Hunt:
    """The question at the start of a round, and the next step when the answer is *nobody*.

    ``drawing`` names who draws one tile now, in seat order: one person in turn, or everybody
    who has not drawn in this go. It is empty where nobody draws.
    """

    engine: str
    question: str
    drawing: tuple[str, ...]
    drawn: int
    step: str

    @property
    def draws(self) -> tuple[dict[str, Any], ...]:
        """The actions that tell this step, one for each who draws."""
        return tuple({"action": "draw", "player": name} for name in self.drawing)


def hunt(table: Table) -> Hunt | None:
    """What is asked now; None once it is known who starts, and where no round was just opened."""
    state = table.state
    if state is None or state.phase != "playing" or state.round is None:
        return None
    round_ = state.round
    if round_.turn is not None or round_.started:
        return None
    engine = f"{round_.engine}-{round_.engine}"
    if state.rules.engine_laid_first:
        step = say("The %(engine)s lies in the hub: choose who starts.", engine=engine)
        return Hunt(engine, say("Who starts?"), (), round_.drawn, step)
    drawing = _drawing(state, round_)
    step = _step(state, engine, drawing)
    question = say("Who has the %(engine)s?", engine=engine)
    return Hunt(engine, question, drawing, round_.drawn, step)


def _drawing(state: GameState, round_: Round) -> tuple[str, ...]:
    """Who draws next: those with the fewest draws, of whom one at a time or all at once."""
    left = play.boneyard(state)
    drawn = [round_.draws.get(number, 0) for number in state.seats]
    waiting = [n for n, count in zip(state.seats, drawn, strict=True) if count == min(drawn)]
    several = 1 if state.rules["engine_hunt"] == "in_turn" else len(waiting)
    if left is not None:
        several = min(several, left)
    return tuple(state.name(number) for number in waiting[:several])


def _step(state: GameState, engine: str, drawing: tuple[str, ...]) -> str:
    if not drawing:
        return say(
            "The boneyard is empty, so somebody must hold the %(engine)s: look again.",
            engine=engine,
        )
    if state.rules["engine_hunt"] == "everybody":
        return say(
            "Nobody? Everybody draws one tile, until somebody has the %(engine)s and starts.",
            engine=engine,
        )
    return say(
        "Nobody? %(player)s draws one tile and starts if it is the %(engine)s.",
        player=drawing[0],
        engine=engine,
    )
