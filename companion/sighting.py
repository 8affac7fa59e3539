"""What the camera saw in the hub, and how that compares with the round.

Plain values and sentences: knows no picture format, no camera and no thread, and changes nothing.
The camera only ever asks or confirms; people decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from companion.dominoes import Tile
from companion.observation import PhotoReading

Kind = Literal["agrees", "differs", "empty", "hidden", "moving", "unsure", "nothing"]


@dataclass(frozen=True)
class Sighting:
    """One look at the hub that several frames agreed on.

    ``engine`` is the double in the slot, or the likeliest one while ``certain`` is False; None when
    none lies there or something covers the hub (``hidden``). ``other`` is a tile in the slot that
    is no double. ``taken`` is in seconds of ``time.monotonic``, ``picture`` the frame as JPEG and
    ``frame`` its name. ``trains`` counts the trains that told where the hub is.
    """

    engine: Tile | None = None
    certain: bool = True
    hidden: bool = False
    other: Tile | None = None
    trains: int = 0
    reading: PhotoReading | None = None
    taken: float = 0.0
    picture: bytes = b""
    frame: str = ""
    questions: tuple[str, ...] = ()

    @property
    def likeness(self) -> tuple[Tile | None, bool, bool, Tile | None]:
        """What must be the same for two looks to agree."""
        return (self.engine, self.certain, self.hidden, self.other)


@dataclass(frozen=True)
class Verdict:
    """How a sighting compares with the round: a kind for the page, a sentence for the people.

    ``glance`` is what is seen in a few words, for beside the picture where the sentence is asked
    elsewhere.
    """

    kind: Kind
    sentence: str
    glance: str = ""


def compare(
    report: dict[str, Any],
    sighting: Sighting | None,
    next_engine: str | None = None,
    *,
    moving: bool = False,
) -> Verdict:
    """Compare the hub with the table's report.

    ``next_engine`` is the double that the next round wants, for the time between two rounds;
    ``moving`` tells that something moves over the table just now, so that nothing new is read.
    """
    if moving:
        return Verdict("moving", "A hand moves over the hub: I look again when it is gone.")
    if sighting is None:
        return Verdict("nothing", "The camera has not seen the hub yet.")
    phase = report["phase"]
    wanted = report["engine"] if phase in ("playing", "scoring") else next_engine
    if phase == "none" or phase == "finished" or wanted is None:
        return Verdict("nothing", _shown(sighting))
    double = Tile.parse(wanted)
    coming = "next" if report["round"] else "first"
    if phase == "scoring" and sighting.engine != double:
        return Verdict("nothing", "Hands are being scored: the hub is looked at in the next round.")
    if phase == "between" and (sighting.hidden or sighting.engine != double):
        return _before_the_round(report, sighting, double, coming)
    whose = f"the {coming} round's engine" if phase == "between" else "this round's engine"
    return _judged(sighting, double, whose, report["round"])


def _before_the_round(
    report: dict[str, Any], sighting: Sighting, wanted: Tile, coming: str
) -> Verdict:
    """Before a round opens anything may lie in the hub; only a new wrong double is asked about."""
    seen = sighting.engine
    new = seen is not None and str(seen) != report["engine"]
    if not new or sighting.hidden or not sighting.certain:
        return Verdict("nothing", f"Lay the {wanted} into the hub for the {coming} round.")
    sentence = f"The {coming} round wants the {wanted}, I see the {seen}: does it begin with that?"
    return Verdict("differs", sentence, f"I see the {seen}.")


def _judged(sighting: Sighting, wanted: Tile, whose: str, round_: int) -> Verdict:
    seen = sighting.engine
    if sighting.hidden:
        return Verdict("hidden", "Something covers the hub.", "Something covers the hub.")
    if not sighting.certain:
        guess = f"is it the {seen}?" if seen is not None else f"is the {wanted} in it?"
        why = f"I cannot read the hub for certain: {guess}"
        return Verdict("unsure", why, "I cannot read it for certain.")
    if sighting.other is not None:
        why = f"The {sighting.other} in the hub is no double: lay the {wanted}."
        return Verdict("differs", why, f"I see the {sighting.other}.")
    if seen is None:
        why = f"The engine slot is empty: lay the {wanted}."
        return Verdict("empty", why, "The engine slot is empty.")
    if seen == wanted:
        return Verdict("agrees", f"The hub shows the {seen}, {whose}.")
    why = "was a round skipped" if seen < wanted else "is an earlier engine still in the hub"
    sentence = f"Round {round_} wants the {wanted}, I see the {seen}: {why}?"
    return Verdict("differs", sentence, f"I see the {seen}.")


def _shown(sighting: Sighting) -> str:
    """What is in the hub while no round wants anything."""
    if sighting.hidden:
        return "Something covers the hub."
    if sighting.engine is None:
        return "The engine slot is empty."
    return f"The hub {'shows' if sighting.certain else 'may show'} the {sighting.engine}."
