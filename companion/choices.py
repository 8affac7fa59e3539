"""What a house chose for its table, on the settings page: kept in the journal's database.

Holds for every device and outlives a restart. Knows no page, and does nothing of what is chosen.
"""

from __future__ import annotations

from companion.actions import quoted
from companion.errors import RuleBroken
from companion.journal import Journal
from companion.keeping import EVER, KEEPINGS
from companion.saying import say

PHOTOS, BEST_TRAIN = "photos", "best_train"
"""The names of the choices in the database."""
_ON, _OFF = "on", "off"


class Choices:
    """The choices of one journal. Safe from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        rows = journal.run("SELECT name, value FROM choices")
        self._chosen = {str(name): str(value) for name, value in rows}

    @property
    def photos(self) -> str:
        """How long the photos of hands are kept, one of ``KEEPINGS``."""
        chosen = self._chosen.get(PHOTOS, EVER)
        return chosen if chosen in KEEPINGS else EVER

    @property
    def best_train(self) -> bool | None:
        """Whether people may look for the best train; None while nobody chose here."""
        chosen = self._chosen.get(BEST_TRAIN)
        return None if chosen is None else chosen == _ON

    def keep_photos(self, keeping: str) -> None:
        """Keep photos this long from now on. Raises RuleBroken for no such choice."""
        if keeping not in KEEPINGS:
            raise RuleBroken(
                say(
                    "Choose how long photos are kept: %(word)s is no way to keep them.",
                    word=quoted(keeping),
                )
            )
        self._keep(PHOTOS, keeping)

    def allow_best_train(self, allowed: bool) -> None:
        """Let people look for the best train of their hand, or not."""
        self._keep(BEST_TRAIN, _ON if allowed else _OFF)

    def _keep(self, name: str, value: str) -> None:
        """Durable when it returns."""
        self._journal.run("INSERT OR REPLACE INTO choices VALUES (?, ?)", (name, value))
        self._chosen = {**self._chosen, name: value}
