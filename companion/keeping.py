"""How long the photos of hands are kept, and which of them are due to go.

A pure function of what is told: touches no file, no clock and no score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

ROUND, GAME, MONTH, EVER = "round", "game", "month", "ever"
KEEPINGS = (ROUND, GAME, MONTH, EVER)
"""Until the round is scored, until the next game begins, for 30 days, or for ever."""

DAYS = 30

_LOOSE = {ROUND: timedelta(hours=1), GAME: timedelta(days=1)}
"""How long a photo stays that belongs to no hand: it was only counted."""


@dataclass(frozen=True, slots=True)
class KeptPhoto:
    """One photo: its id, when it was made, and the round its hand belongs to.

    ``round`` is that round's key, ``game.number``; None for a photo of no hand. ``first`` is the
    photo that the hand was told with, where this one was added to it.
    """

    id: str
    made: datetime
    round: str | None
    first: str | None = None


@dataclass(frozen=True, slots=True)
class InUse:
    """What the games still look at.

    ``game`` is the key of the game at the table, ``round`` that of its open round (None while none
    is open). ``hands`` are the photos of the open round's hands, ``games`` those of all hands of
    the game at the table. What belongs to games that were set aside, and can go on, is among
    them; ``waiting`` are the keys of their open rounds.
    """

    game: str
    round: str | None
    hands: frozenset[str] = frozenset()
    games: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()


def due(photos: Iterable[KeptPhoto], keeping: str, used: InUse, now: datetime) -> list[str]:
    """The ids of the photos that go now, where photos are kept like that."""
    return [photo.id for photo in photos if not _stays(photo, keeping, used, now)]


def _stays(photo: KeptPhoto, keeping: str, used: InUse, now: datetime) -> bool:
    if keeping == EVER:
        return True
    age = now - photo.made
    if keeping == MONTH:
        return age < timedelta(days=DAYS)
    if photo.round is None:
        return age < _LOOSE[keeping]
    if photo.round in used.waiting:
        return True
    hand = photo.first or photo.id
    if keeping == ROUND:
        return hand in used.hands or photo.round == used.round
    return hand in used.games or photo.round.partition(".")[0] == used.game
