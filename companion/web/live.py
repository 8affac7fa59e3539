"""`GET /live`: tells each open page that the table, or what the camera sees, has changed.

Knows revisions, not games. A stream holds a thread of the server, so they are counted; who
finds them full is told so and asks from time to time instead.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, abort, stream_with_context

from companion.web.asks import long_covered
from companion.web.services import Services, services

pages = Blueprint("live", __name__)

PING_SECONDS = 15.0
"""A dead client shows only at a write, and a page knows by it that its stream still lives."""
LIFE_SECONDS = 600.0
"""How long a stream lasts; the page opens the next one by itself. So a device that went to sleep
without a word, or reads nothing, holds its place for a while only."""
LOOK_SECONDS = 0.5
"""How long a stream waits before it looks whether the server closes or the camera saw more."""


class Streams:
    """Counts the open streams and ends them all when the server closes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.open = 0
        self._lock = threading.Lock()
        self._ending = threading.Event()

    @property
    def ending(self) -> bool:
        """Whether the server is closing."""
        return self._ending.is_set()

    def end(self) -> None:
        """Let every stream stop within half a second. Safe in a signal handler."""
        self._ending.set()

    def enter(self) -> bool:
        """Take a place; False when all are taken or the server closes."""
        with self._lock:
            if self.ending or self.open >= self.limit:
                return False
            self.open += 1
            return True

    def leave(self) -> None:
        """Give the place back."""
        with self._lock:
            self.open -= 1


@pages.get("/live")
def stream() -> Response:
    """``event: table`` with the revision, ``hub`` for a new sighting, ``ping`` now and then."""
    here = services()
    if not here.streams.enter():
        abort(503)
    answer = Response(stream_with_context(events(here)), mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(here.streams.leave)
    return answer


def events(here: Services) -> Iterator[str]:
    """The lines of one stream, from the present revision on."""
    revision = here.game.table.revision
    seen = sight(here)
    yield "retry: 1000\n\n" + event("table", {"revision": revision})
    began = written = time.monotonic()
    while not here.streams.ending and time.monotonic() - began < LIFE_SECONDS:
        table = here.game.wait(revision, LOOK_SECONDS)
        lines = ""
        if table.revision != revision:
            revision = table.revision
            lines += event("table", {"revision": revision})
        if sight(here) != seen:
            seen = sight(here)
            lines += event("hub", {"seen": seen})
        if not lines and time.monotonic() - written >= PING_SECONDS:
            lines = event("ping", {"revision": revision})
        if lines:
            written = time.monotonic()
            yield lines


def sight(here: Services) -> str:
    """A word that changes whenever the camera panel, or a walk of the lamps, says something new."""
    walked = "" if here.lights is None else str(here.lights.walking)
    if here.watch is None:
        return walked
    sighting = here.watch.sighting
    words: tuple[Any, ...] = (walked, here.watch.trouble, here.watch.moving, here.hushed.times)
    if sighting is not None:
        words += (str(sighting.engine), sighting.taken, long_covered(sighting))
    return " ".join(map(str, words))


def event(name: str, data: dict[str, Any]) -> str:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
