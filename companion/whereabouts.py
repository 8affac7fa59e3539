"""What the watch is told at every look: the set, the seats, where things lie, and the markers.

Asks the game and the house's choices each time, so that a new calibration counts at once.
"""

from __future__ import annotations

from typing import Any

from companion.game import Game
from companion.layout import Layout
from companion.observation import Point
from companion.vision.markers import Marker


class Whereabouts:
    """One house's. ``centre`` is the hub's place that a setting tells, None for none."""

    def __init__(self, game: Game, centre: Point | None) -> None:
        self._game, self._centre = game, centre
        self._stored: tuple[dict[str, Any], ...] = ()
        self._markers: tuple[Marker, ...] = ()

    def highest(self) -> int | None:
        """The highest value of the set that is played with; None before the first game."""
        state = self._game.table.state
        return None if state is None else state.set.highest

    def seats(self) -> int | None:
        """How many players sit at the table; None before the first game."""
        state = self._game.table.state
        return None if state is None else len(state.seats)

    def layout(self) -> Layout:
        """Where things lie, as far as that holds for this table."""
        seats = self.seats()
        trains = None if seats is None else seats + 1
        return self._game.choices.layout.for_table(trains, self._centre)

    def view(self) -> bytes | None:
        """The camera's view when that was stored."""
        return self._game.choices.view

    def markers(self) -> tuple[Marker, ...]:
        """The markers that can be looked for; what cannot be read is left out."""
        stored = self._game.choices.markers
        if stored is not self._stored:
            self._markers = tuple(filter(None, map(_marker, stored)))
            self._stored = stored
        return self._markers


def _marker(stored: dict[str, Any]) -> Marker | None:
    try:
        return Marker.from_json(stored["marker"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
