"""Tells systemd how the companion is: ready, alive, stopping. A socket and nothing else.

The protocol is that of sd_notify(3): a datagram of ``NAME=value`` lines to the socket named in
``NOTIFY_SOCKET``. Where nobody asked to be told, nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping

from companion.closing import Closing

log = logging.getLogger(__name__)

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def notify(state: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send this to whoever started us as a service; whether it was sent."""
    where = environment.get("NOTIFY_SOCKET", "")
    if where[:1] not in ("/", "@"):
        return False
    if where.startswith("@"):  # an address without a file
        where = "\0" + where[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.sendto(state.encode(), where)
    except OSError as error:
        log.warning("the system could not be told %s: %s", state, error)
        return False
    return True


def watched(environment: Mapping[str, str] = os.environ) -> float | None:
    """Seconds without a sign of life after which we are restarted; None where nobody watches."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    try:
        return int(environment["WATCHDOG_USEC"]) / 1e6 or None
    except (KeyError, ValueError):
        return None


class Heart(Closing):
    """Gives a sign of life for as long as ``alive`` says so. Use it with ``with``.

    ``alive`` may take its time and may fail: then the sign is left out, and systemd restarts the
    companion once ``every`` seconds went by without one. Asks three times in that time.
    """

    def __init__(
        self,
        alive: Callable[[], bool],
        every: float | None,
        tell: Callable[[str], bool] = notify,
    ) -> None:
        self._alive, self._tell = alive, tell
        self._pause = None if every is None else every / 3
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Say that all is ready, and beat from now on where somebody watches."""
        self._tell(READY)
        if self._pause is not None:
            self._thread = threading.Thread(target=self._beat, name="heart", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Say that the end has begun; what follows takes as long as it takes."""
        self._over.set()
        self._tell(STOPPING)

    def close(self) -> None:
        """Stop beating; a question that is still waiting is left behind."""
        self._over.set()

    def _beat(self) -> None:
        while not self._over.is_set():
            try:
                well = self._alive()
            except Exception as error:  # whatever it is, it is no sign of life
                log.warning("the companion does not answer itself: %s", error)
                well = False
            if well and not self._over.is_set():
                self._tell(ALIVE)
            self._over.wait(self._pause)
