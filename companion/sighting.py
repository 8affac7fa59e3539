"""What the camera saw in the hub, and how that compares with the round.

Plain values and sentences: knows no picture format, no camera and no thread, and changes nothing.
The camera only ever asks or confirms; people decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.dominoes import Tile
from companion.lines import Pair, SeenTrain
from companion.observation import PhotoReading, Reading
from companion.saying import say

Kind = Literal["agrees", "differs", "empty", "hidden", "moving", "unsure", "nothing"]


@dataclass(frozen=True)
class Sighting:
    """One look at the hub that several frames agreed on.

    ``engine`` is the double in the slot, or the likeliest one while ``certain`` is False; None when
    none lies there or something covers the hub (``hidden``). ``other`` is a tile in the slot that
    is no double. ``taken`` is in seconds of ``time.monotonic``, ``frame`` the frame's name, and
    ``picture`` it as a JPEG, which ``develop`` makes when somebody asks. ``trains`` counts the
    trains that told where the hub is. ``reading`` is what lay in view, ``tiles`` what was agreed
    on, also where a hand hides it just now; ``added`` and ``removed`` say how ``tiles`` differs
    from the sighting before, lower end first. ``lines`` are the trains, ``questions`` sentences
    about what is odd.
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
    tiles: tuple[Reading, ...] = ()
    added: tuple[Pair, ...] = ()
    removed: tuple[Pair, ...] = ()
    lines: tuple[SeenTrain, ...] = ()
    develop: Callable[[], bytes] | None = field(default=None, compare=False, repr=False)

    @property
    def jpeg(self) -> bytes:
        """The frame as a JPEG file, made now unless it is there already."""
        return self.picture if self.develop is None else self.develop()

    @property
    def likeness(self) -> tuple[Tile | None, bool, bool, Tile | None]:
        """What must be the same for two looks to agree on the hub."""
        return (self.engine, self.certain, self.hidden, self.other)

    @property
    def news(self) -> tuple[object, ...]:
        """What is worth telling when it differs from the sighting before."""
        trains = tuple((line.seat, line.tiles, line.open_end, line.marked) for line in self.lines)
        tiles = tuple(sorted(reading.tile for reading in self.tiles))
        return (*self.likeness, tiles, trains, self.questions)


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
        return Verdict("moving", say("A hand moves over the hub: I look again when it is gone."))
    if sighting is None:
        return Verdict("nothing", say("The camera has not seen the hub yet."))
    phase = report["phase"]
    wanted = report["engine"] if phase in ("playing", "scoring") else next_engine
    if phase == "none" or phase == "finished" or wanted is None:
        return Verdict("nothing", _shown(sighting))
    double = Tile.parse(wanted)
    if phase == "scoring" and sighting.engine != double:
        words = say("Hands are being scored: the hub is looked at in the next round.")
        return Verdict("nothing", words)
    if phase == "between" and (sighting.hidden or sighting.engine != double):
        return _before_the_round(report, sighting, double)
    return _judged(report, sighting, double)


def _before_the_round(report: dict[str, Any], sighting: Sighting, wanted: Tile) -> Verdict:
    """Before a round opens anything may lie in the hub; only a new wrong double is asked about."""
    seen = sighting.engine
    new = seen is not None and str(seen) != report["engine"]
    if not new or sighting.hidden or not sighting.certain:
        return Verdict(
            "nothing",
            (
                say("Lay the %(wanted)s into the hub for the next round.", wanted=wanted)
                if report["round"]
                else say("Lay the %(wanted)s into the hub for the first round.", wanted=wanted)
            ),
        )
    told = {"wanted": wanted, "seen": seen}
    sentence = (
        say(
            "The next round wants the %(wanted)s, I see the %(seen)s: does it begin with that?",
            **told,
        )
        if report["round"]
        else say(
            "The first round wants the %(wanted)s, I see the %(seen)s: does it begin with that?",
            **told,
        )
    )
    return Verdict("differs", sentence, _i_see(seen))


def _i_see(tile: Tile | None) -> str:
    return say("I see the %(tile)s.", tile=tile)


COVERED = say("Something covers the hub.")
EMPTY = say("The engine slot is empty.")


def _judged(report: dict[str, Any], sighting: Sighting, wanted: Tile) -> Verdict:
    seen = sighting.engine
    if sighting.hidden:
        return Verdict("hidden", COVERED, COVERED)
    if not sighting.certain:
        why = (
            say("I cannot read the hub for certain: is the %(tile)s in it?", tile=wanted)
            if seen is None
            else say("I cannot read the hub for certain: is it the %(tile)s?", tile=seen)
        )
        return Verdict("unsure", why, say("I cannot read it for certain."))
    if sighting.other is not None:
        why = say(
            "The %(tile)s in the hub is no double: lay the %(wanted)s.",
            tile=sighting.other,
            wanted=wanted,
        )
        return Verdict("differs", why, _i_see(sighting.other))
    if seen is None:
        why = say("The engine slot is empty: lay the %(wanted)s.", wanted=wanted)
        return Verdict("empty", why, EMPTY)
    if seen == wanted:
        return Verdict("agrees", _agreed(report, seen))
    told = {"round": report["round"], "wanted": wanted, "seen": seen}
    sentence = (
        say(
            "Round %(round)s wants the %(wanted)s, I see the %(seen)s: was a round skipped?", **told
        )
        if seen < wanted
        else say(
            "Round %(round)s wants the %(wanted)s, I see the %(seen)s: "
            "is an earlier engine still in the hub?",
            **told,
        )
    )
    return Verdict("differs", sentence, _i_see(seen))


def _agreed(report: dict[str, Any], seen: Tile) -> str:
    if report["phase"] != "between":
        return say("The hub shows the %(tile)s, this round's engine.", tile=seen)
    if report["round"]:
        return say("The hub shows the %(tile)s, the next round's engine.", tile=seen)
    return say("The hub shows the %(tile)s, the first round's engine.", tile=seen)


def _shown(sighting: Sighting) -> str:
    """What is in the hub while no round wants anything."""
    if sighting.hidden:
        return COVERED
    if sighting.engine is None:
        return EMPTY
    if sighting.certain:
        return say("The hub shows the %(tile)s.", tile=sighting.engine)
    return say("The hub may show the %(tile)s.", tile=sighting.engine)
