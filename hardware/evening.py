"""An evening that plays itself, with its times, hands in the way and its light.

Everything is told in advance and in virtual seconds: who watches it decides how fast they pass. The
same seed is the same evening. Knows no picture and no camera.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from companion.dominoes import Tile
from hardware.playing import Round
from hardware.scene import Deed, Put, Scene, Table

NAMES = ("Ann", "Bob", "Cem", "Dot", "Eli", "Fay")
_TILES = 24
"""So many tiles are dealt in all: what lies at the end must fit under the camera."""
_REACH = 0.7
"""Seconds that a hand takes to come, and to go."""
_HURRIED = 0.15
"""How often the next hand comes before anybody could have looked."""

Kind = Literal["engine", "lay", "back", "mark", "unmark", "draw", "clear", "light"]
Marker = Literal["train", "token", "coin"]


@dataclass(frozen=True)
class Reach:
    """A hand that comes from a seat (``way``, in radians), stays over a place, and goes again.

    ``sway`` is how far it moves about meanwhile, in tile lengths.
    """

    since: float
    until: float
    place: tuple[float, float]
    way: float
    sway: float = 0.15

    def at(self, now: float) -> tuple[float, float] | None:
        """Where its finger tips are, in tile lengths; None while it is not there."""
        if not self.since <= now < self.until:
            return None
        come, go = (now - self.since) / _REACH, (self.until - now) / _REACH
        away = max(0.0, 1 - min(come, go)) ** 2 * 14
        turn = math.tau * (now - self.since) / 1.3
        return (
            self.place[0] + away * math.cos(self.way) + self.sway * math.sin(turn),
            self.place[1] + away * math.sin(self.way) + self.sway * math.cos(1.7 * turn),
        )


@dataclass(frozen=True)
class Light:
    """The light over the table.

    ``x`` and ``y`` are where the lamp or window is, as fractions of the table, ``fall`` how much
    darker it is a table's length away. ``tint`` is blue, green and red; ``shadow`` a person's, as
    place, reach (fractions) and depth.
    """

    x: float
    y: float
    fall: float
    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shadow: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class Moment:
    """A stretch of the evening in which nothing on the table changes, from ``at`` to ``until``.

    ``kind`` and ``said`` tell what its beginning changed; ``wanted`` is the round's engine.
    """

    at: float
    until: float
    kind: Kind
    said: str
    scene: Scene
    light: Light
    hands: tuple[Reach, ...]
    round: int
    wanted: Tile


@dataclass(frozen=True)
class Pace:
    """Seconds between the end of one move and the next hand, and how often hands are in the way."""

    shortest: float = 2.9
    longest: float = 6.0
    passing: float = 0.10
    resting: float = 0.05


class Evening:
    """Rounds of one table, all that varies drawn from the seed.

    ``players`` is how many people sit there, None for what the seed gives.
    """

    def __init__(
        self,
        seed: int = 1,
        *,
        rounds: int = 13,
        players: int | None = None,
        pace: Pace = Pace(),
    ) -> None:
        self._chance = chance = random.Random(f"evening {seed}")  # nosec B311 # dice of a drawing
        count = players or chance.choice((3, 4, 4, 5, 6))
        self.seed, self.rounds, self._pace = seed, rounds, pace
        self.unit = chance.uniform(84, 93)
        """A tile's length on the drawn table, in pixels."""
        self.off = (chance.uniform(-18, 18), chance.uniform(-14, 14))
        """How far the hub lies from the table's middle, in pixels."""
        self.style = chance.choice(("ivory", "ivory", "white", "black", "pinned"))
        self.ground = chance.choice(("wood", "wood", "cloth"))
        self.barrel = chance.uniform(0.0, 0.035)
        self.marker: Marker = chance.choice(("train", "token", "coin"))
        self.daylight = chance.random() < 0.4
        self.dim = chance.random() < 0.3
        self.noise = chance.uniform(2.0, 4.5)
        self.drift = chance.uniform(0.0, 0.06)
        """By what share the light swells and fades slowly."""
        reach = (
            (622 - abs(self.off[0])) / self.unit,
            (462 - abs(self.off[1])) / self.unit,
        )
        self.table = Table(NAMES[:count], reach, at_end=chance.random() < 0.6)
        self._now = 0.0

    @property
    def looks(self) -> str:
        """What this evening looks like, in a few words."""
        where = "at the trains' ends" if self.table.at_end else "on the hub"
        light = "daylight" if self.daylight else "lamplight"
        return (
            f"{len(self.table.players)} players, {self.style} tiles on {self.ground}, "
            f"{'dim ' if self.dim else ''}{light}, {self.marker} markers {where}"
        )

    def teaching(self) -> Moment:
        """Before the evening: the markers alone on the table, for the camera to learn them."""
        far, count = 2.6, len(self.table.players)
        puts = tuple(
            Put(name, far * math.cos(turn), far * math.sin(turn), turn)
            for n, name in enumerate(self.table.players)
            for turn in [0.35 + n * math.tau / count]
        )
        return Moment(
            0,
            0,
            "clear",
            "",
            Scene(None, (), puts),
            self._light(),
            (),
            0,
            self._engine(0),
        )

    def moments(self) -> Iterator[Moment]:
        """The whole evening in order, without gaps; the same one every time."""
        self._chance = random.Random(f"evening {self.seed} played")  # nosec B311 # dice
        self._now = 0.0
        start = Deed("clear", "The table is empty.", Scene(), (0.0, 0.0), 0)
        light = self._light()
        before = Moment(0.0, 0.0, "clear", start.said, Scene(), light, (), 1, self._engine(0))
        self._now = 1.5
        for number in range(self.rounds):
            engine = self._engine(number)
            hand = _TILES // len(self.table.players)
            deeds = Round(self.table, engine, hand, self._chance).play()
            for deed in deeds:
                change, hands = self._reach(deed)
                before = replace(before, until=change, hands=before.hands + hands)
                yield from self._with_light(before)
                light = self._light() if deed.kind == "clear" else before.light
                ahead = engine if deed.kind != "clear" else self._engine(number + 1)
                before = Moment(
                    change,
                    change,
                    deed.kind,
                    deed.said,
                    deed.scene,
                    light,
                    tuple(hand for hand in hands if hand.until > change),
                    number + 1,
                    ahead,
                )
                before = replace(before, hands=before.hands + self._rest(before))
        yield replace(before, until=self._now)

    def _engine(self, number: int) -> Tile:
        value = max(0, self.table.highest - number)
        return Tile(value, value)

    def _reach(self, deed: Deed) -> tuple[float, tuple[Reach, ...]]:
        """When the deed is done, and the hands that do it; time goes on until they are gone."""
        way = self._way(deed.seat)
        if deed.kind == "draw":
            change = self._now + self._chance.uniform(0.3, 1.2)
            self._now = change
            return change, ()
        stay = 2.6 if deed.kind == "clear" else 0.7
        since = self._now
        sweeps = deed.kind == "clear"
        sway = 2.5 if sweeps else 0.15
        hands = [Reach(since, since + 2 * _REACH + stay, deed.place, way, sway)]
        if sweeps:
            other = self._way(deed.seat + len(self.table.players) // 2)
            hands.append(Reach(since + 0.2, hands[0].until, (1.0, 1.0), other, sway))
        self._now = hands[0].until
        return since + _REACH + stay / 2, tuple(hands)

    def _rest(self, moment: Moment) -> tuple[Reach, ...]:
        """Nothing is done for a while, but hands may be in the way; time goes on."""
        if moment.kind == "draw":
            return ()
        chance, pace = self._chance, self._pace
        hurried = chance.random() < _HURRIED and moment.kind != "engine"
        rest = chance.uniform(0.2, 2.2) if hurried else chance.uniform(pace.shortest, pace.longest)
        begin, drawn = self._now, chance.random()
        hands: tuple[Reach, ...] = ()
        place = (chance.uniform(-4, 4), chance.uniform(-3, 3))
        way = self._way(chance.randrange(len(self.table.players)))
        if drawn < pace.passing and rest > 2:
            since = begin + chance.uniform(0.2, rest - 1.7)
            hands = (Reach(since, since + 1.5, place, way, sway=0.5),)
        elif drawn < pace.passing + pace.resting:
            stay = chance.uniform(3, 8)
            hands = (Reach(begin, begin + stay, place, way, sway=0.01),)
            rest += stay
        self._now = begin + rest
        return hands

    def _way(self, seat: int) -> float:
        players = self.table.players
        return self.table.slot(players[seat % len(players)])

    def _light(self) -> Light:
        """The light of a round, and sometimes a person's shadow."""
        chance = self._chance
        gain = chance.uniform(0.72, 0.82) if self.dim else chance.uniform(0.9, 1.05)
        shadow = None
        if chance.random() < 0.3:
            shadow = (
                chance.uniform(0.1, 0.9),
                chance.choice((0.0, 1.0)),
                chance.uniform(0.15, 0.3),
                chance.uniform(0.15, 0.4),
            )
        if self.daylight:
            side = chance.choice((-0.3, 1.3))
            return Light(side, 0.4, 0.35, gain * 1.1, (1.05, 1.0, 0.96), shadow)
        place = (chance.uniform(0.2, 0.8), chance.uniform(0.0, 0.5))
        return Light(*place, chance.uniform(0.2, 0.4), gain, (0.94, 1.0, 1.03), shadow)

    def _with_light(self, moment: Moment) -> Iterator[Moment]:
        """The moment, in which somebody may switch a lamp, or a cloud may come."""
        long = moment.until - moment.at > 6
        if not long or self._chance.random() > 0.06:
            yield moment
            return
        change = moment.at + self._chance.uniform(2.5, 4)
        gain = self._chance.choice((0.78, 0.85, 1.15, 1.25)) * moment.light.gain
        light = replace(moment.light, gain=min(1.15, max(0.5, gain)))
        yield replace(moment, until=change)
        yield replace(moment, at=change, kind="light", said="The light changes.", light=light)
