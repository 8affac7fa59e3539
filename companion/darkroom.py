"""The darkroom: photos are developed and read in a process of their own.

A picture that crashes, hangs or swells its decoder ends that process only; the next photo gets a
new one. It is begun when a photo comes and let go after a while without any. Knows the process by
its messages; what happens to a photo is ``companion.developing``.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess  # nosec B404 # our own commands, no shell
import sys
import threading
from pathlib import Path
from typing import Any

from companion.closing import Closing
from companion.developing import give, taken
from companion.errors import PhotoUnreadable, Trouble
from companion.observation import DOUBLE_BLANK, PhotoReading
from companion.parcels import unpacked_reading, unpacked_sentence
from companion.saying import say

log = logging.getLogger(__name__)

PATIENCE = 60.0
"""Seconds that one photo may take: a slow machine needs a tenth of it for its largest."""
IDLE = 120.0
"""Seconds without a photo after which the process is let go, for its memory."""
FAILED = say("This photo could not be read: take another one, or type the score.")
SLOW = say("This photo takes too long to be read: take another one, or type the score.")
CROWDED = say("Many photos wait to be read: try again in a moment.")
MOST_WAITING = 20
"""So many wait at most: each holds one of the server's threads."""
_COMMAND = (sys.executable, "-m", "companion.developing")
_HOME = Path(__file__).resolve().parent.parent


class Darkroom(Closing):
    """Develops and reads photos, one at a time. Safe from any thread; use it with ``with``.

    ``patience`` and ``idle`` are in seconds, ``command`` is what begins the process.
    """

    def __init__(
        self,
        *,
        patience: float = PATIENCE,
        idle: float = IDLE,
        command: tuple[str, ...] = _COMMAND,
    ) -> None:
        self._patience, self._idle, self._command = patience, idle, command
        self._working, self._counting = threading.Lock(), threading.Lock()
        self._waiting = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._leaving: threading.Timer | None = None
        self._closed = False

    def develop(self, data: bytes) -> bytes:
        """A photo's bytes as they are stored: upright, a JPEG, nothing but the picture.

        Raises PhotoUnreadable for what is no picture, Trouble when the process fails at it.
        """
        _told, picture = self._job({"job": "develop"}, data)
        if not picture:
            raise Trouble(FAILED)
        return picture

    def read(
        self, data: bytes, *, highest: int | None = None, double_blank: int = DOUBLE_BLANK
    ) -> PhotoReading:
        """All tiles in a photo's bytes; raises like ``develop``."""
        job = {"job": "read", "highest": highest, "blank": double_blank}
        told, _picture = self._job(job, data)
        try:
            return unpacked_reading(told["reading"])
        except (KeyError, ValueError) as problem:
            raise Trouble(FAILED) from problem

    @property
    def process(self) -> int | None:
        """The number of the process, None while there is none."""
        running = self._process
        return None if running is None else running.pid

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._closed = True
        running = self._process
        if running is not None:
            running.kill()
        with self._working:
            self._end()

    def _job(self, job: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """Let one job be done in its turn; what came of it."""
        with self._counting:
            if self._waiting >= MOST_WAITING:
                raise Trouble(CROWDED)
            self._waiting += 1
        try:
            with self._working:
                told, picture = self._done(job, data)
        finally:
            with self._counting:
                self._waiting -= 1
        if "unreadable" in told:
            raise PhotoUnreadable(unpacked_sentence(told["unreadable"]))
        if "trouble" in told:
            raise Trouble(unpacked_sentence(told["trouble"]))
        return told, picture

    def _done(self, job: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """One job, tried again with a new process where the one that waited was dead or dies."""
        if self._closed:
            raise Trouble(FAILED)
        self._stay()
        try:
            if self._process is not None and self._process.poll() is not None:
                self._end()
            waited = self._process is not None
            answer, late = self._asked(job, data)
            if answer is None and waited and not late and not self._closed:
                answer, late = self._asked(job, data)
        finally:
            self._leave_later()
        if answer is None:
            raise Trouble(SLOW if late else FAILED)
        return answer

    def _asked(
        self, job: dict[str, Any], data: bytes
    ) -> tuple[tuple[dict[str, Any], bytes] | None, bool]:
        """Send the job and wait for its answer, and whether that took too long.

        A process that fails or hangs is ended, and there is no answer.
        """
        running = self._process or self._begin()
        late = threading.Event()

        def give_up() -> None:
            late.set()
            running.kill()

        alarm = threading.Timer(self._patience, give_up)
        alarm.daemon = True
        alarm.start()
        try:
            assert running.stdin and running.stdout  # nosec B101 # for the type checker
            give(running.stdin, job, data)
            answer = taken(running.stdout)
        except (OSError, ValueError) as problem:
            log.warning("the process that reads photos failed: %s", problem)
            answer = None
        finally:
            alarm.cancel()
        if answer is None or not isinstance(answer[0], dict):
            log.warning("the process that reads photos ended at one of %s bytes", len(data))
            self._end()
            return None, late.is_set()
        return answer, False

    def _begin(self) -> subprocess.Popen[bytes]:
        try:
            self._process = subprocess.Popen(  # nosec B603 # our own words, no shell
                self._command, cwd=_HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            log.warning("the process that reads photos cannot begin: %s", error)
            raise Trouble(FAILED) from error
        return self._process

    def _end(self) -> None:
        """Let the process go, at once."""
        running = self._process
        if running is None:
            return
        running.kill()
        for pipe in (running.stdin, running.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None  # nosec B101 # for the type checker
                pipe.close()
        running.wait()
        self._process = None

    def _leave_later(self) -> None:
        self._leaving = threading.Timer(self._idle, self._leave)
        self._leaving.daemon = True
        self._leaving.start()

    def _stay(self) -> None:
        leaving, self._leaving = self._leaving, None
        if leaving is not None:
            leaving.cancel()

    def _leave(self) -> None:
        """Nobody sent a photo for a while."""
        if self._working.acquire(blocking=False):
            try:
                if self._leaving is threading.current_thread():
                    self._end()
            finally:
                self._working.release()
