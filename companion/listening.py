"""Listeners: each hears of the newest table in a thread of its own, and delays nobody.

Knows nothing of games: a table is any value. A listener that is slow misses the tables between;
one that raises is logged and told of the next.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

_PATIENCE = 1.0
"""Seconds that ``stop`` waits for a listener that is at work."""


class Listener(Generic[T]):
    """Feeds one callback with the newest value only."""

    def __init__(self, callback: Callable[[T], None]) -> None:
        self._callback = callback
        self._news = threading.Condition()
        self._waiting: list[T] = []
        self._stopped = False
        name = f"listener {getattr(callback, '__qualname__', type(callback).__name__)}"
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def tell(self, value: T) -> None:
        """Leave a value for the callback in place of one it has not taken yet. Never blocks."""
        with self._news:
            self._waiting = [value]
            self._news.notify()

    def stop(self) -> None:
        """Let the callback finish what it has, for a moment; no new value is taken."""
        with self._news:
            self._stopped = True
            self._news.notify()
        if self._thread is not threading.current_thread():
            self._thread.join(_PATIENCE)

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._stopped)
                if not self._waiting:
                    return
                value = self._waiting.pop()
            try:
                self._callback(value)
            except Exception:  # whatever a listener does, the game goes on
                log.exception("%s failed", self._thread.name)
