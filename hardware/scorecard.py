"""How well an evening was followed by sight alone: what was agreed on beside what really lay there.

A sighting counts when it tells something new, as the watch would. While a hand is in the picture,
what changed under it may be told or not; without one, only what lies there is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from companion.dominoes import Tile
from companion.sighting import Sighting
from hardware.evening import Moment
from hardware.scene import Scene

ENOUGH = 8
"""A move that stays visible in so many frames without a hand should be seen."""
LEAST_SEEN, LEAST_RIGHT = 0.95, 0.99
"""The shares of such moves that lead to a sighting, and of sightings that are right."""
KINDS = ("engine", "markers", "open ends", "new tiles")

Seat = int | None


@dataclass(frozen=True)
class Truth:
    """What a scene should look like to somebody who follows the game."""

    engine: Tile | None
    markers: frozenset[Seat]
    ends: frozenset[tuple[Seat, int | None]]
    tiles: frozenset[Tile]

    @classmethod
    def of(cls, scene: Scene, players: tuple[str, ...]) -> Truth:
        """What lies there; ``players`` in seat order."""
        lying = [spot.tile for line in scene.lines for spot in line.tiles]
        return cls(
            scene.engine,
            frozenset(players.index(put.train) + 1 for put in scene.markers),
            frozenset((line.seat, line.tiles[-1].ends[1]) for line in scene.lines),
            frozenset([*lying, *([scene.engine] if scene.engine else [])]),
        )

    def faults(self, said: Said) -> tuple[str, ...]:
        """Which of ``KINDS`` are wrong in what was said while nothing was in the way."""
        right = (
            said.engine == self.engine and not said.hidden,
            said.markers == self.markers,
            said.ends == self.ends,
            said.added == self.tiles - said.before,
        )
        return tuple(kind for kind, good in zip(KINDS, right) if not good)

    def faults_under_a_hand(self, said: Said, before: Truth) -> tuple[str, ...]:
        """The same while a hand is in the picture: what changed ``before`` or now, both are right.

        A table that is being swept shows any part of its trains.
        """
        swept = not self.tiles
        kept = dict(self.ends & before.ends)
        ends = dict(said.ends)
        right = (
            said.hidden or said.engine in (self.engine, before.engine),
            self.markers & before.markers <= said.markers <= self.markers | before.markers,
            swept or (said.ends <= self.ends | before.ends and all(seat in ends for seat in kept)),
            said.added <= (self.tiles | before.tiles) - said.before,
        )
        return tuple(kind for kind, good in zip(KINDS, right) if not good)


@dataclass(frozen=True)
class Said:
    """What an agreed sighting states; ``before`` are the tiles of the sighting before."""

    engine: Tile | None
    certain: bool
    hidden: bool
    markers: frozenset[Seat]
    ends: frozenset[tuple[Seat, int | None]]
    tiles: frozenset[Tile]
    added: frozenset[Tile] = frozenset()
    before: frozenset[Tile] = frozenset()

    @classmethod
    def of(cls, seen: Sighting, before: frozenset[Tile]) -> Said:
        """What this sighting states."""
        return cls(
            seen.engine,
            seen.certain,
            seen.hidden,
            frozenset(line.seat for line in seen.lines if line.marked),
            frozenset((line.seat, line.open_end) for line in seen.lines if line.tiles),
            frozenset(reading.tile for reading in seen.tiles),
            frozenset(Tile.of(*ends) for ends in seen.added),
            before,
        )

    def tells_more_than(self, other: Said | None) -> bool:
        """Whether it states anything that the one before did not."""
        if other is None or self.added:
            return True
        return replace(self, before=other.before, added=other.added) != other

    def shows(self, now: Truth, before: Truth) -> bool:
        """Whether it states what changed from ``before`` to ``now``."""
        if now.engine != before.engine and self.engine != now.engine:
            return False
        if (now.markers ^ before.markers) & (self.markers ^ now.markers):
            return False
        return not (now.tiles ^ before.tiles) & (self.tiles ^ now.tiles)


@dataclass
class Scores:
    """The counts of one evening, or of several added up."""

    frames: int = 0
    moves: int = 0
    """Moves that stayed visible for long enough."""
    seen: int = 0
    """Those of them that led to an agreed sighting."""
    sightings: int = 0
    right: int = 0
    wrong_engines: int = 0
    """Agreed sightings that were certain of a double that did not lie in the hub."""
    engines: int = 0
    """Right engines that were laid, and stayed for long enough."""
    confirmed: int = 0
    """Those of them that were confirmed soon enough."""
    slowest: int = 0
    """Frames without a hand until the last of them was confirmed."""
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, other: Scores) -> None:
        """Add another evening's counts."""
        for name in ("frames", "moves", "seen", "sightings", "right", "wrong_engines"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.engines, self.confirmed = (
            self.engines + other.engines,
            self.confirmed + other.confirmed,
        )
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults

    @property
    def good(self) -> bool:
        """Whether the evening was followed as well as it should be."""
        return (
            self.seen >= LEAST_SEEN * self.moves
            and self.right >= LEAST_RIGHT * self.sightings
            and not self.wrong_engines
            and self.confirmed == self.engines
            and self.moves > 0
        )

    def lines(self) -> list[str]:
        """The scorecard, in plain words."""
        wrong = ", ".join(f"{self.faults[kind]} {kind}" for kind in KINDS if self.faults[kind])
        return [
            f"{self.seen} of {self.moves} moves that stayed visible were seen "
            f"({_share(self.seen, self.moves)}, at least {LEAST_SEEN:.0%} wanted).",
            f"{self.right} of {self.sightings} agreed sightings were right "
            f"({_share(self.right, self.sightings)}, at least {LEAST_RIGHT:.0%} wanted)"
            + (f"; wrong: {wrong}." if wrong else "."),
            f"{self.confirmed} of {self.engines} engines were confirmed within {ENOUGH} frames "
            f"(the slowest after {self.slowest}), {self.wrong_engines} wrong ones.",
            f"{self.frames} frames in all.",
        ]

    def to_json(self) -> dict[str, object]:
        """The counts as one JSON object."""
        return {**vars(self), "faults": dict(self.faults), "good": self.good}


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


class Scorer:
    """Follows the follower: told every moment, frame and sighting in order."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self.scores = Scores()
        self.notes: list[str] = []
        """What went wrong, in words, with the time at which it did."""
        self._players = players
        self._truth = self._before = self._clear_truth = Truth.of(Scene(), players)
        """What lies there, what lay there before the last move, and at the last clear frame."""
        self._said: Said | None = None
        self._move: Moment | None = None
        self._move_frames, self._move_seen = 0, False
        self._engine_frames: int | None = None

    def moment(self, moment: Moment) -> None:
        """Another moment begins."""
        if moment.kind in ("draw", "light"):
            return
        self._end_move()
        self._before, self._truth = self._truth, Truth.of(moment.scene, self._players)
        self._move, self._move_frames, self._move_seen = moment, 0, False
        if moment.kind == "engine":
            self._engine_frames = 0 if moment.scene.engine == moment.wanted else None
        elif moment.kind == "clear":
            self._give_up_engine(moment)

    def frame(self, clear: bool) -> None:
        """A frame was taken; ``clear`` when no hand was in it."""
        self.scores.frames += 1
        if not clear:
            return
        self._clear_truth = self._truth
        self._move_frames += 1
        if self._engine_frames is not None:
            self._engine_frames += 1

    def sighting(self, seen: Sighting, clear: bool, now: float) -> bool:
        """The follower agreed on this for that frame; whether it tells anything new."""
        last = self._said
        said = Said.of(seen, frozenset() if last is None else last.tiles)
        self._said = said
        if said.certain and not said.hidden and said.engine is not None:
            self._confirm(said.engine, clear, now)
        self._move_seen = self._move_seen or said.shows(self._truth, self._before)
        if not said.tells_more_than(last):
            return False
        self.scores.sightings += 1
        faults = (
            self._truth.faults(said)
            if clear
            else self._truth.faults_under_a_hand(said, self._clear_truth)
        )
        self.scores.right += not faults
        self.scores.faults.update(faults)
        if faults:
            self._note(now, f"{', '.join(faults)}: {told(seen, self._players)}", clear)
        return True

    def end(self) -> Scores:
        """The evening is over."""
        self._end_move()
        if self._move is not None:
            self._give_up_engine(self._move)
        return self.scores

    def _confirm(self, engine: Tile, clear: bool, now: float) -> None:
        there = (self._truth.engine, self._truth.engine if clear else self._clear_truth.engine)
        if engine not in there:
            self.scores.wrong_engines += 1
            self._note(now, f"the {engine} was believed to lie in the hub", clear)
        elif self._engine_frames is not None and engine == self._truth.engine:
            self._end_engine(self._engine_frames <= ENOUGH)

    def _end_engine(self, confirmed: bool) -> None:
        assert self._engine_frames is not None  # nosec B101 # a bug, never input
        self.scores.engines += 1
        self.scores.confirmed += confirmed
        self.scores.slowest = max(self.scores.slowest, self._engine_frames)
        self._engine_frames = None

    def _give_up_engine(self, moment: Moment) -> None:
        """The round is over: an engine that was not confirmed by now never was."""
        if self._engine_frames is not None and self._engine_frames >= ENOUGH:
            self._note(moment.at, "the engine was never confirmed", True)
            self._end_engine(False)
        self._engine_frames = None

    def _end_move(self) -> None:
        """The last move is history: was it seen?"""
        move = self._move
        if move is None or self._move_frames < ENOUGH:
            return
        self.scores.moves += 1
        self.scores.seen += self._move_seen
        if not self._move_seen:
            self._note(move.at, f"not seen: {move.said}", True)

    def _note(self, now: float, words: str, clear: bool) -> None:
        where = "" if self._move is None else f"round {self._move.round}, "
        hand = "" if clear else " (a hand in the picture)"
        self.notes.append(f"{where}{clock(now)}: {words}{hand}")


def clock(seconds: float) -> str:
    """Seconds as minutes and seconds, like 3:07."""
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}"


def told(seen: Sighting, players: tuple[str, ...]) -> str:
    """What a sighting says, in a few words."""
    parts = []
    if seen.hidden:
        parts.append("something covers the hub")
    else:
        sure = "" if seen.certain else " perhaps"
        parts.append(f"{seen.engine or 'nothing'}{sure} in the hub")
    if seen.added:
        parts.append(f"new {_tiles(seen.added)}")
    if seen.removed:
        parts.append(f"gone {_tiles(seen.removed)}")
    ends = [
        f"{_whose(line.seat, players)} {_end(line.open_end)}" for line in seen.lines if line.tiles
    ]
    if ends:
        parts.append(f"open ends {', '.join(ends)}")
    marked = [_whose(line.seat, players) for line in seen.lines if line.marked]
    if marked:
        parts.append(f"marked {', '.join(marked)}")
    return "; ".join(parts)


def _tiles(tiles: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"{low}-{high}" for low, high in tiles)


def _end(value: int | None) -> str:
    return "?" if value is None else str(value)


def _whose(seat: Seat, players: tuple[str, ...]) -> str:
    if seat is None:
        return "Mexican Train"
    return players[seat - 1] if 0 < seat <= len(players) else f"seat {seat}"
