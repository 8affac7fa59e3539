"""What a house chose for its table: its wishes, its camera's place and markers, in the database.

Holds for every device and outlives a restart. Knows no page and no picture, and does nothing of
what is chosen.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any

from companion.actions import quoted
from companion.errors import RuleBroken
from companion.journal import Journal
from companion.keeping import EVER, KEEPINGS
from companion.layout import Layout
from companion.saying import say

PHOTOS, BEST_TRAIN = "photos", "best_train"
LAYOUT, VIEW, MARKERS = "layout", "view", "markers"
"""The names of the choices in the database."""
_ON, _OFF = "on", "off"


class Choices:
    """The choices of one journal. Safe from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        rows = journal.run("SELECT name, value FROM choices")
        self._chosen = {str(name): str(value) for name, value in rows}
        self._layout = _layout(self._chosen.get(LAYOUT))
        self._view = _bytes(self._chosen.get(VIEW))
        self._markers = _markers(self._chosen.get(MARKERS))

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

    @property
    def layout(self) -> Layout:
        """Where things lie in the camera's picture; an empty one while nobody said."""
        return self._layout

    @property
    def view(self) -> bytes | None:
        """The camera's view when the layout was stored, as a small grey PNG; None for none."""
        return self._view

    @property
    def markers(self) -> tuple[dict[str, Any], ...]:
        """The markers that the camera was taught, each as it was stored: always the same object
        until another one is taught or forgotten."""
        return self._markers

    def keep_layout(self, layout: Layout, view: bytes | None) -> None:
        """Things lie like this from now on, in this view."""
        self._keep(LAYOUT, json.dumps(layout.to_json()))
        self.keep_view(view)
        self._layout = layout

    def keep_view(self, view: bytes | None) -> None:
        """This view is right from now on."""
        self._keep(VIEW, "" if view is None else base64.b64encode(view).decode("ascii"))
        self._view = view

    def keep_markers(self, markers: Sequence[dict[str, Any]]) -> None:
        """These are the markers from now on."""
        self._keep(MARKERS, json.dumps(list(markers)))
        self._markers = tuple(markers)

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


def _layout(stored: str | None) -> Layout:
    """The layout that was stored; one that cannot be read counts as none."""
    try:
        return Layout() if stored is None else Layout.from_json(json.loads(stored))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return Layout()


def _bytes(stored: str | None) -> bytes | None:
    try:
        return base64.b64decode(stored, validate=True) if stored else None
    except (ValueError, binascii.Error):
        return None


def _markers(stored: str | None) -> tuple[dict[str, Any], ...]:
    """Those that can be read."""
    try:
        told = json.loads(stored or "[]")
    except (ValueError, RecursionError):
        return ()
    listed = told if isinstance(told, list) else []
    return tuple(marker for marker in listed if isinstance(marker, dict))
