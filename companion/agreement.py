"""Believing what was seen several times in a row: a whole look, and whose trains are marked.

Pure counting: knows no picture, and no tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import replace

from companion.lines import SeenMarker, SeenTrain
from companion.observation import Point

Seat = int | None
"""A seat from 1, None for the Mexican Train."""

_RESTLESS = 2
"""After so many times the looks that agreement needs, marks that still change hold up nobody."""
_CALM = 8
"""A mark that flickered holds up others again after so many times the looks that agreement needs
without it."""


class Agreement:
    """Believes what was seen several times in a row."""

    def __init__(self, needed: int = 2) -> None:
        self.needed = max(1, needed)
        self._seen: Hashable = None
        self._times = 0

    def see(self, what: Hashable) -> bool:
        """Take in one more look; True once enough in a row were the same."""
        self._times = self._times + 1 if self._times and what == self._seen else 1
        self._seen = what
        return self.settled

    def doubt(self) -> None:
        """Something changed: begin counting anew."""
        self._times = 0

    @property
    def settled(self) -> bool:
        """Whether the latest looks agree."""
        return self._times >= self.needed


class Marks:
    """Which trains are marked, believed once enough looks in a row agree on each.

    A mark that is believed stays while its marker is seen faintly, or is covered. One that comes
    and goes without being believed is a flicker: for its next ones nobody waits.
    """

    def __init__(self, needed: int = 2) -> None:
        self.needed = max(1, needed)
        self._marked: dict[Seat, Point] = {}
        """The seats that are marked, with the place of the marker."""
        self._against: Counter[Seat] = Counter()
        self._flickered: Counter[Seat] = Counter()
        """The seats whose mark flickered, with the looks until that is forgotten."""
        self._restless = 0

    @property
    def settled(self) -> bool:
        """Whether the latest looks agree on all that does not flicker, or nobody waits for more."""
        return not self._open or self._restless > _RESTLESS * self.needed

    @property
    def _open(self) -> bool:
        return not self._against.keys() <= self._flickered.keys()

    @property
    def places(self) -> dict[Seat, Point]:
        """Where the markers lie that are believed, by the seat that each marks."""
        return dict(self._marked)

    def see(
        self,
        found: Mapping[Seat, SeenMarker],
        confident: float = 0.0,
        covered: Callable[[Point], bool] = lambda place: False,
    ) -> None:
        """Take in one more look: the surest marker found at each seat.

        One is new from being so ``confident`` on; ``covered`` tells whether something hides its
        place.
        """
        there = {
            seat: marker.place
            for seat, marker in found.items()
            if seat in self._marked or marker.confidence >= confident
        }
        hidden = {
            seat: place
            for seat, place in self._marked.items()
            if seat not in there and covered(place)
        }
        self._marked.update((seat, there[seat]) for seat in self._marked.keys() & there.keys())
        self._count((there.keys() | hidden.keys()) ^ self._marked.keys(), hidden.keys())
        self._believe(there)
        self._restless = self._restless + 1 if self._open else 0

    @property
    def doubtful(self) -> bool:
        """Whether the last look told otherwise of a mark than is believed."""
        return bool(self._against)

    def confirm(
        self,
        found: Mapping[Seat, SeenMarker],
        confident: float = 0.0,
        covered: Callable[[Point], bool] = lambda place: False,
    ) -> None:
        """Take in one more look at what the looks before told otherwise than is believed, and at
        nothing else; what it does not show stays open."""
        for seat in list(self._against):
            place = self._marked.get(seat)
            if place is None:
                again = seat in found and found[seat].confidence >= confident
            else:
                again = seat not in found and not covered(place)
            if again:
                self._against[seat] += 1
        self._believe({seat: marker.place for seat, marker in found.items()})

    def _believe(self, there: Mapping[Seat, Point]) -> None:
        """Believe what enough looks told, with the places of the markers that were found."""
        for seat in [seat for seat, times in self._against.items() if times >= self.needed]:
            if self._marked.pop(seat, None) is None:
                self._marked[seat] = there[seat]
            del self._against[seat]
            self._flickered.pop(seat, None)

    def _count(self, odd: set[Seat], hidden: Set[Seat]) -> None:
        """These seats look marked and are not believed to be, or the other way round; of the hidden
        ones this look tells nothing."""
        self._flickered = +Counter({seat: n - 1 for seat, n in self._flickered.items()})
        for seat in self._against.keys() - odd - hidden:
            self._flickered[seat] = _CALM * self.needed
        self._against = Counter({seat: self._against[seat] + 1 for seat in odd})

    def on(
        self, trains: Sequence[SeenTrain], ways: Mapping[Seat, float] | None = None
    ) -> tuple[SeenTrain, ...]:
        """The trains with the marks that are believed; a marked one may have no tile yet.

        ``ways`` are the directions of the seats, in degrees.
        """
        shown = [replace(train, marked=train.seat in self._marked) for train in trains]
        bare = self._marked.keys() - {train.seat for train in trains}
        shown += [
            SeenTrain(seat, (), marked=True, way=(ways or {}).get(seat, 0.0)) for seat in bare
        ]
        return tuple(sorted(shown, key=lambda train: (train.seat is None, train.seat or 0)))
