"""Tiles from look to look: which is which, what is believed, what is new.

A tile is known by its place and its value. It is believed once enough looks agree on both, and it
keeps its value until a clearly better reading repeats: corners that jitter and a value that flips
once are no news. Knows no picture; whoever looks tells what changed where.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.dominoes import Tile
from companion.observation import Reading

Pair = tuple[int, int]

_SAME_PLACE = 0.42
"""Two looks at one tile have their middles at most this far apart, in its lengths; tiles side by
side are half a length apart."""
_OTHER_VALUE = 0.3
"""What another value costs when places are compared, in lengths."""
_DOUBTED = 2
"""So many looks more are wanted for what appears where nothing changed."""
_CLEARLY = 0.05
"""By so much more confidence another reading must be better to be believed."""
_RESTLESS = 2
"""After so many times the looks that agreement needs, what still flips is settled as it is."""


@dataclass(eq=False)
class Track:
    """One tile over several looks.

    ``reading`` is what is taken to lie there and ``needs`` how many looks must agree on it;
    ``present`` says whether the last look at its place showed it, or nobody looked, ``hidden``
    whether something lay over it instead, and ``beset`` whether it was read otherwise, but beside
    something that may hide a part of it. ``face`` is
    for the one who looks: what the place looked like when this was read.
    """

    reading: Reading
    needs: int
    face: Any = None
    seen: int = 1
    missed: int = 0
    looks: int = 1
    rival: Reading | None = None
    rival_seen: int = 0
    believed: bool = False
    present: bool = True
    hidden: bool = False
    beset: bool = False
    votes: Counter[Tile] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.votes[self.reading.tile] += 1
        self.believed = self.seen >= self.needs

    @property
    def settled(self) -> bool:
        """Whether nothing about it is open."""
        return self.believed and not self.missed and self.rival is None

    def confirm(self, reading: Reading) -> None:
        """The same tile was seen again: the better of two readings stays, at the new place."""
        better = (reading.sure, reading.confidence) >= (self.reading.sure, self.reading.confidence)
        turned = reading.ends != self.reading.ends
        kept = reading if better or turned else replace(self.reading, corners=reading.corners)
        self.reading, self.seen = kept, self.seen + 1
        self.missed, self.rival, self.rival_seen = 0, None, 0
        self.believed = self.believed or self.seen >= self.needs

    def begin_again(self, reading: Reading, needs: int) -> None:
        """Another value was read at the place of what was not believed yet."""
        self.reading, self.needs = reading, needs
        self.seen, self.missed = 1, 0
        self.believed = self.seen >= self.needs

    def contradict(self, reading: Reading, *, changed: bool, needed: int) -> None:
        """Another value was read at its place; ``changed`` tells that the place looks different."""
        self.missed = 0
        wanted = self._wanted(reading, changed, needed)
        if wanted is None:
            return
        again = self.rival is not None and self.rival.tile == reading.tile
        self.rival_seen = self.rival_seen + 1 if again else 1
        self.rival = reading
        if self.rival_seen >= wanted:
            self.reading, self.rival, self.rival_seen = reading, None, 0
            self.seen = wanted

    def _wanted(self, reading: Reading, changed: bool, needed: int) -> int | None:
        """How many looks must tell this other value; None where it is only a worse reading."""
        if changed:
            return needed if reading.sure or not self.reading.sure else 3 * needed
        if not reading.sure:
            return None
        better = reading.confidence > self.reading.confidence + _CLEARLY
        return needed + (_DOUBTED if better or not self.reading.sure else 2 * _DOUBTED)


@dataclass(frozen=True)
class Glance:
    """What one look can tell of a place besides the tiles it read, as answers to questions.

    ``looked``: whether this place was looked at; ``unchanged``: whether it looks as it did when
    the tile was last seen; ``same_pips``: whether its pips do; ``covered``: whether something else
    lies over it; ``touched``: whether something lies at it and may hide a part; ``fresh``: whether
    anything changed there since the look before.
    """

    looked: Callable[[Reading], bool] = lambda reading: True
    unchanged: Callable[[Track], bool] = lambda track: False
    same_pips: Callable[[Track], bool] = lambda track: False
    covered: Callable[[Track], bool] = lambda track: False
    touched: Callable[[Track], bool] = lambda track: False
    fresh: Callable[[Reading], bool] = lambda reading: True


class Tracks:
    """All tiles on the table, as several looks have it; ``needed`` looks must agree."""

    def __init__(self, needed: int = 2) -> None:
        self.needed = max(1, needed)
        self._tracks: list[Track] = []
        self._told: Counter[Pair] = Counter()
        self._restless = 0
        self._swept = False
        """Whether most tiles went at once, and some of the others may be hidden still."""

    def __iter__(self) -> Any:
        return iter(self._tracks)

    @property
    def present(self) -> list[Reading]:
        """Everything that lies in view, agreed on or not yet."""
        return [track.reading for track in self._tracks if track.present]

    @property
    def believed(self) -> list[Reading]:
        """What enough looks agreed on, also where a hand hides it just now."""
        return [track.reading for track in self._tracks if track.believed]

    @property
    def settled(self) -> bool:
        """Whether nothing is open any more."""
        return all(track.settled for track in self._tracks)

    def look(self, seen: Sequence[Reading], glance: Glance) -> list[Track]:
        """Take in one look; returns the tracks of tiles that this look showed."""
        known = list(self._tracks)
        pairs = matched([track.reading for track in known], seen)
        unread = [
            track
            for number, track in enumerate(known)
            if number not in pairs and glance.looked(track.reading)
        ]
        self._swept = self._swept or _most_went(unread, known, glance)
        shown = []
        for number, track in enumerate(known):
            if number in pairs:
                track.looks += 1
                self._compare(track, seen[pairs[number]], glance)
                shown.append(track)
        for track in unread:
            track.looks += 1
            self._miss(track, glance)
        self._swept = self._swept and any(t.hidden or t.missed for t in self._tracks)
        found = set(pairs.values())
        for number, reading in enumerate(seen):
            if number not in found:
                shown.append(Track(reading, self._wanted(reading, glance)))
                self._tracks.append(shown[-1])
        self._restless = 0 if self.settled else self._restless + 1
        if self._restless >= _RESTLESS * self.needed + _DOUBTED:
            self._settle()
        return shown

    def _compare(self, track: Track, reading: Reading, glance: Glance) -> None:
        """What was read where this tile lies."""
        track.votes[reading.tile] += 1
        track.present, track.hidden, track.beset = True, False, False
        if reading.tile == track.reading.tile:
            track.confirm(reading)
        elif not track.believed:
            track.begin_again(reading, self._wanted(reading, glance))
        elif glance.covered(track) or glance.touched(track):
            track.beset = True
        else:
            changed = not glance.same_pips(track)
            track.contradict(reading, changed=changed, needed=self.needed)

    def _wanted(self, reading: Reading, glance: Glance) -> int:
        """How many looks must agree on what was read here first."""
        return self.needed + (0 if glance.fresh(reading) else _DOUBTED)

    def _miss(self, track: Track, glance: Glance) -> None:
        """Its place was looked at and it was not read there.

        Of a table that is swept only what lies under a hand is hidden: elsewhere it is what the
        tiles and their shadows left that has changed.
        """
        track.present = False
        track.hidden = track.believed and glance.covered(track)
        track.hidden = track.hidden and (not self._swept or glance.touched(track))
        if track.hidden:
            return
        if track.believed and glance.unchanged(track):
            track.present, track.missed = True, 0
            return
        track.missed += 1
        if track.missed >= (self.needed if track.believed else min(2, self.needed)):
            self._tracks.remove(track)

    def _settle(self) -> None:
        """End a flicker: believe what most looks showed, with doubt, and forget the rest."""
        for track in list(self._tracks):
            track.rival, track.rival_seen, track.missed = None, 0, 0
            if track.believed:
                continue
            tile, times = track.votes.most_common(1)[0]
            if tile == track.reading.tile and 2 * times >= track.looks:
                track.believed, track.reading = True, track.reading.doubted("unclear")
            else:
                self._tracks.remove(track)
        self._restless = 0

    def keep(self, here: Callable[[Reading], bool]) -> None:
        """Forget the tiles that do not lie here."""
        self._tracks = [track for track in self._tracks if here(track.reading)]

    def news(self) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
        """The tiles that were added and removed since this was last asked, lower end first.

        A tile that only moved is neither; a second copy of a tile is added.
        """
        now = Counter(reading.tile.ends for reading in self.believed)
        added, removed = now - self._told, self._told - now
        self._told = now
        return tuple(sorted(added.elements())), tuple(sorted(removed.elements()))


def _most_went(unread: Sequence[Track], known: Sequence[Track], glance: Glance) -> bool:
    """Whether most of the tiles that are known lie neither there nor under anything any more."""
    if 2 * len(unread) <= len(known):
        return False
    gone = [t for t in unread if not (glance.covered(t) or glance.unchanged(t))]
    return 2 * len(gone) > len(known)


def matched(old: Sequence[Reading], new: Sequence[Reading]) -> dict[int, int]:
    """Which of the old tiles is which of the new ones, by place and, of two as near, by value."""
    costs = []
    middles = [now.centre for now in new]
    for one, was in enumerate(old):
        middle, long = was.centre, length(was)
        for other, now in enumerate(new):
            away = math.dist(middle, middles[other])
            if away <= _SAME_PLACE * long:
                dear = 0.0 if was.tile == now.tile else _OTHER_VALUE
                costs.append((away / long + dear, one, other))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, one, other in sorted(costs):
        if one not in pairs and other not in taken:
            pairs[one] = other
            taken.add(other)
    return pairs


def length(reading: Reading) -> float:
    """The tile's length in pixels, at least one."""
    a, b, c, d = reading.corners
    first = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    second = ((c[0] + d[0]) / 2, (c[1] + d[1]) / 2)
    return max(1.0, math.dist(first, second))


def twice(readings: Iterable[Reading]) -> list[Tile]:
    """The tiles of which more than one is counted, lowest first."""
    copies = Counter(reading.tile for reading in readings if reading.counted)
    return sorted(tile for tile, number in copies.items() if number > 1)
