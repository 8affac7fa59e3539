"""Whose trains are marked, from look to look.

Finds the table's markers in a frame and tells which train each marks; what hides a marker, or makes
it hard to find, takes no mark away. Believes what several looks agree on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.agreement import Marks
from companion.lines import SeenTrain
from companion.observation import Point, Reading
from companion.shots import Shot
from companion.vision import frames
from companion.vision.covering import Covers
from companion.vision.hub import HubLook
from companion.vision.markers import CONFIDENT, FAINT, Marker, find
from companion.vision.marking import owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_COVERED = 12.0
"""Seconds for which a marker that is covered is taken to lie where it did."""
_FINGERS = 0.25
"""This part of a hand may be one, and hide a marker: the rest may be out of the picture."""
_EVERY = 1.0
"""Seconds after which a quiet table is searched for markers, which are too small a change."""
_AT_MARKER = 0.3
"""How far round its middle a marker's place is compared, in tiles."""


class Marked:
    """The marks of one table; ``known`` tells the markers it has, ``agree`` looks must agree."""

    def __init__(self, known: Callable[[], Sequence[Marker]], agree: int) -> None:
        self.marks = Marks(agree)
        self._known = known
        self._searched = -math.inf
        self._shown: dict[Point, NDArray[np.uint8]] = {}
        """The places of believed markers, with the small copy in which each was last found."""
        self._covers: list[tuple[Covers, float]] = []
        """What lay over the table at the last reading, and from what size on it is a hand."""
        self._clear = -math.inf
        """When nothing that hides a marker lay over the table."""

    def lies_over(self, covers: Sequence[Covers], hand: float, now: float) -> None:
        """This lies over the table now; a thing of ``hand`` pixels is as large as a hand."""
        self._covers = [(each, hand) for each in covers]
        if all(each.largest() <= _FINGERS * hand for each in covers):
            self._clear = now

    @property
    def sought(self) -> bool:
        """Whether the table has any markers."""
        return bool(self._known())

    def due(self, now: float) -> bool:
        """Whether a quiet table should be searched for markers again."""
        return now - self._searched >= _EVERY or not self.marks.settled

    def see(
        self,
        shot: Shot,
        lines: Sequence[SeenTrain],
        tiles: Sequence[Reading],
        hub: HubLook,
        ways: Sequence[float],
        now: float,
        *,
        hand: bool,
        settled: bool,
    ) -> None:
        """Look for the markers, and take in whose they are; a hub without length tells nothing.

        While a ``hand`` is in the way only what the look before told of is looked for. While
        not all tiles are ``settled`` a marker may lie by one of them that is not known.
        """
        if hand and not self.marks.doubtful:
            return
        self._searched = now
        known = self._known()
        if not known or hub.length is None:
            return
        found = find(shot.image, known, tiles, hub.length, least=FAINT)
        whose = owners(lines, found, hub, ways, self.marks.places)
        covered = bool(tiles) and now - self._clear < _COVERED
        reach = _AT_MARKER * hub.length * shot.share

        def hides(place: Point) -> bool:
            hidden = not settled or (covered and self._hides(place))
            return hidden or self._looks_marked(place, shot, reach)

        if hand:
            self.marks.confirm(whose, CONFIDENT, hides)
        else:
            self.marks.see(whose, CONFIDENT, hides)
        places = {marker.place for marker in whose.values()}
        self._shown = {
            place: shot.tiny if place in places else self._shown.get(place, shot.tiny)
            for place in self.marks.places.values()
        }

    def _hides(self, place: Point) -> bool:
        return any(covers.hides(place, _FINGERS * size) for covers, size in self._covers)

    def _looks_marked(self, place: Point, shot: Shot, reach: float) -> bool:
        """Whether a place looks as it did when its marker was found there: something of the same
        colour that came into the picture makes it hard to find."""
        before = self._shown.get(place)
        small = (place[0] * shot.share, place[1] * shot.share)
        return before is not None and frames.same_at(before, shot.tiny, small, reach)
