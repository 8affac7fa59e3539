"""The queue of photos to be read: bounded, one after the other, by one thread that comes and goes.

Knows ids and a function that reads one. What is read, and where it is kept, others decide.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.errors import Trouble

log = logging.getLogger(__name__)

LONGEST_QUEUE = 20
"""Photos that may wait at once; one is read in about a second."""
FAILED = "This photo could not be read: take another one, or type the score."


class ReadingQueue:
    """Photos waiting for the reader. ``read`` is called for one id at a time."""

    def __init__(self, read: Callable[[str], None], longest: int = LONGEST_QUEUE) -> None:
        self._read = read
        self._longest = longest
        self._changed = threading.Condition()
        self._waiting: list[str] = []
        self._failed: dict[str, str] = {}
        self._working = False

    def put(self, photo: str) -> bool:
        """Let a photo be read; once in the queue is enough. False when the queue is full."""
        with self._changed:
            if photo in self._waiting:
                return True
            if len(self._waiting) >= self._longest:
                return False
            self._failed.pop(photo, None)
            self._waiting.append(photo)
            if not self._working:
                self._working = True
                threading.Thread(target=self._work, name="photos", daemon=True).start()
            return True

    def full(self) -> bool:
        """Whether no photo more can be taken just now."""
        with self._changed:
            return len(self._waiting) >= self._longest

    def place(self, photo: str) -> int | None:
        """1 for the photo that is being read, 2 for the next; None when it does not wait."""
        with self._changed:
            return self._waiting.index(photo) + 1 if photo in self._waiting else None

    def failure(self, photo: str) -> str | None:
        """The sentence about a photo that could not be read."""
        with self._changed:
            return self._failed.get(photo)

    def wait(self, photo: str, seconds: float) -> bool:
        """Wait until the photo has been read or has failed; False when time was over first."""
        with self._changed:
            return self._changed.wait_for(lambda: photo not in self._waiting, seconds)

    def _work(self) -> None:
        """The thread: reads until nothing waits any more."""
        while True:
            with self._changed:
                if not self._waiting:
                    self._working = False
                    return
                photo = self._waiting[0]
            why = self._why_not(photo)
            with self._changed:
                if why is not None:
                    self._failed[photo] = why
                self._waiting.remove(photo)
                self._changed.notify_all()

    def _why_not(self, photo: str) -> str | None:
        """Read one photo; a sentence when that failed."""
        try:
            self._read(photo)
        except Trouble as trouble:
            return str(trouble)
        except Exception:  # the thread's own outermost edge: the next photo must still be read
            log.exception("reading a photo failed")
            return FAILED
        return None
