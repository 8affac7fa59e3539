"""The queue of photos to be read: bounded, one after the other, all by one thread.

One thread, because every thread that reads keeps memory of its own, and a small machine has little.
Knows ids and a function that reads one. What is read, and where it is kept, others decide.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from companion.darkroom import CROWDED, FAILED
from companion.errors import Trouble

log = logging.getLogger(__name__)

T = TypeVar("T")

LONGEST_QUEUE = 20
"""Photos that may wait at once; one is read in about a second."""
USUAL = 1.5
"""Seconds that a photo is taken to need before the first one was read."""
LEARNS = 0.3
"""How much the latest photo counts in what the next one is taken to need."""
NEARLY = 0.95
"""A photo that takes longer than thought stays here until it has been read."""


class ReadingQueue:
    """Photos waiting for the reader. ``read`` is called for one id at a time."""

    def __init__(self, read: Callable[[str], None], longest: int = LONGEST_QUEUE) -> None:
        self._read = read
        self._longest = longest
        self._changed = threading.Condition()
        self._waiting: list[str] = []
        self._failed: dict[str, str] = {}
        self._others = 0
        self._first_places: dict[str, int] = {}
        self._began, self._usual = 0.0, USUAL
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="photos")

    def put(self, photo: str) -> bool:
        """Let a photo be read; once in the queue is enough. False when the queue is full."""
        with self._changed:
            if photo in self._waiting:
                return True
            if len(self._waiting) >= self._longest:
                return False
            self._failed.pop(photo, None)
            self._waiting.append(photo)
            self._first_places[photo] = len(self._waiting)
            self._thread.submit(self._work, photo)
            return True

    def now(self, work: Callable[[], T]) -> T:
        """Do other reading on the same thread, in turn, and give what comes of it.

        Raises what ``work`` raises, and Trouble when too much waits already.
        """
        with self._changed:
            if self._others >= self._longest:
                raise Trouble(CROWDED)
            self._others += 1
        try:
            return self._thread.submit(work).result()
        finally:
            with self._changed:
                self._others -= 1

    def full(self) -> bool:
        """Whether no photo more can be taken just now."""
        with self._changed:
            return len(self._waiting) >= self._longest

    def place(self, photo: str) -> int | None:
        """1 for the photo that is being read, 2 for the next; None when it does not wait."""
        with self._changed:
            return self._waiting.index(photo) + 1 if photo in self._waiting else None

    def progress(self, photo: str) -> float:
        """How far a waiting photo has come since it was put here, from 0 to 1."""
        with self._changed:
            if photo not in self._waiting:
                return 1.0
            place, first = self._waiting.index(photo) + 1, self._first_places[photo]
            spent = time.monotonic() - self._began if self._began else 0.0
            return (first - place + min(spent / self._usual, NEARLY)) / first

    def failure(self, photo: str) -> str | None:
        """The sentence about a photo that could not be read."""
        with self._changed:
            return self._failed.get(photo)

    def wait(self, photo: str, seconds: float) -> bool:
        """Wait until the photo has been read or has failed; False when time was over first."""
        with self._changed:
            return self._changed.wait_for(lambda: photo not in self._waiting, seconds)

    def _work(self, photo: str) -> None:
        """On the thread: read one photo and tell those who wait for it."""
        with self._changed:
            self._began = time.monotonic()
        why = self._why_not(photo)
        with self._changed:
            self._usual += LEARNS * (time.monotonic() - self._began - self._usual)
            self._began = 0.0
            del self._first_places[photo]
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
