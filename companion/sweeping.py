"""Lets photos go as the house chose: at once when a round is scored, later, or never.

Asks what is due and removes it; a score is never touched. The photos of a game that was deleted go
whatever was chosen. Knows no page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime

from companion import keeping
from companion.errand import Errand
from companion.errors import Trouble
from companion.game import Game
from companion.keeping import InUse
from companion.photos import PhotoStore
from companion.state import GameState, Round
from companion.table import Table

log = logging.getLogger(__name__)

EVERY = 3600.0
"""Seconds between two sweeps while nothing happens at the table."""

RoundKey = Callable[[Table], str]
"""The key of a table's game and round, as photos carry it: ``game.number``."""


def in_use(game: Game, key: RoundKey) -> InUse:
    """What the game at the table, and those set aside, still look at."""
    table, aside = game.table, [kept for kept in game.kept() if kept.resumable]
    hands = frozenset[str]().union(*(_photos_of(_open_round(kept.state)) for kept in aside))
    told = (action.get("photo") for kept in aside for action in kept.actions)
    games = frozenset(photo for photo in told if photo)
    waiting = frozenset(
        f"{kept.started}.{kept.rounds + 1}" for kept in aside if _open_round(kept.state)
    )
    if table.state is None:
        return InUse("", None, hands, games, waiting)
    state, here, now = table.state, key(table), _open_round(table.state)
    here_told = _photos_of(now).union(*map(_photos_of, state.closed))
    return InUse(
        game=here.partition(".")[0],
        round=here if now else None,
        hands=hands | _photos_of(now),
        games=games | here_told,
        waiting=waiting,
    )


def _open_round(state: GameState) -> Round | None:
    return state.round if state.phase in ("playing", "scoring") else None


def _photos_of(told: Round | None) -> frozenset[str]:
    hands = told.hands.values() if told else ()
    return frozenset(hand.photo for hand in hands if hand.photo)


def due(game: Game, photos: PhotoStore, key: RoundKey, how: str | None = None) -> list[str]:
    """The photos that go now, as the house chose or as ``how`` says."""
    how = how or game.choices.photos
    if how == keeping.EVER:
        return []
    return keeping.due(photos.kept(), how, in_use(game, key), datetime.now(UTC))


def clear(game: Game, photos: PhotoStore) -> None:
    """Remove the photos of games that were deleted, but those that another kept game shows.

    What the disk refuses is logged; it goes at the next sweep.
    """
    try:
        places = set(map(str, game.deleted()))
        theirs = [
            photo
            for photo in (photos.kept() if places else ())
            if photo.round is not None and photo.round.partition(".")[0] in places
        ]
        if theirs:
            told = {action.get("photo") for kept in game.kept() for action in kept.actions}
            photos.erase(one.id for one in theirs if (one.first or one.id) not in told)
    except (Trouble, OSError) as trouble:
        log.warning("the photos of a deleted game were not removed: %s", trouble)


class PhotoSweeper(Errand):
    """Sweeps when a round or game has moved on, and every hour; use it with ``with``."""

    def __init__(
        self, game: Game, photos: PhotoStore, key: RoundKey, *, every: float = EVERY
    ) -> None:
        self._game, self._photos, self._key = game, photos, key
        super().__init__("photo sweeper", game, self._round, self._sweep, every=every)

    def _round(self, table: Table) -> tuple[str, str]:
        """The round that the table is at, and its phase."""
        state = table.state
        return ("", "") if state is None else (self._key(table), state.phase)

    def _sweep(self) -> None:
        clear(self._game, self._photos)
        try:
            self._photos.forget(due(self._game, self._photos, self._key))
        except Trouble as trouble:
            log.warning("photos were not swept: %s", trouble)
