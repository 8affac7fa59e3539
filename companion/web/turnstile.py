"""One at a time through a door, and the same answer to whoever comes twice with the same key.

For what keeps the machine busy: a second one is told to wait a moment, not queued. Knows nothing of
what is done behind it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from companion.errors import RuleBroken
from companion.web.words import _

T = TypeVar("T")

REMEMBERED = 50
"""Answers that are given a second time."""
PATIENCE = 60.0
"""Seconds that the second of two equal ones waits for the answer of the first."""


class Turnstile(Generic[T]):
    """Lets work through one at a time. ``through`` may be called from any thread."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._busy = False
        self._inside: str | None = None
        self._answers: dict[str, T] = {}

    def through(self, once: str | None, work: Callable[[str | None], T]) -> T:
        """What ``work`` gives for this key, or gave for it before; what it raises is forgotten.

        Raises RuleBroken while something else is at work.
        """
        with self._free:
            if once is not None and once == self._inside:
                self._free.wait_for(lambda: self._inside != once, PATIENCE)
            if once is not None and once in self._answers:
                return self._answers[once]
            if self._busy:
                raise RuleBroken(_("Too busy just now. Try again in a moment."))
            self._busy, self._inside = True, once
        try:
            answer = work(once)
            if once is not None:
                self._remember(once, answer)
            return answer
        finally:
            with self._free:
                self._busy, self._inside = False, None
                self._free.notify_all()

    def _remember(self, once: str, answer: T) -> None:
        with self._free:
            self._answers[once] = answer
            if len(self._answers) > REMEMBERED:
                del self._answers[next(iter(self._answers))]
