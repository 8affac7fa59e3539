"""`GET /live`: tells each open page that the table, or what the camera sees, has changed.

Knows revisions, not games. A stream holds a thread of the server, so they are counted: one whose
page has left ends at once, and where all are taken the oldest makes room for the newest.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from flask import Blueprint, Response, abort, request, stream_with_context

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


BEYOND = 8
"""Streams that may be open above the limit while the oldest are about to end."""


class Streams:
    """Counts the open streams and ends them all when the server closes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._places: list[threading.Event] = []
        self._lock = threading.Lock()
        self._ending = threading.Event()

    @property
    def ending(self) -> bool:
        """Whether the server is closing."""
        return self._ending.is_set()

    def end(self) -> None:
        """Let every stream stop within half a second. Safe in a signal handler."""
        self._ending.set()

    @property
    def open(self) -> int:
        """How many streams there are."""
        return len(self._places)

    def enter(self) -> threading.Event | None:
        """Take a place, set once it has to be given back; the oldest is told so when all are taken.

        None when the server closes, or when those that were told so do not leave.
        """
        with self._lock:
            if self.ending or self.open >= self.limit + BEYOND:
                return None
            if self.open >= self.limit:
                for place in (each for each in self._places if not each.is_set()):
                    place.set()
                    break
            self._places.append(threading.Event())
            return self._places[-1]

    def leave(self, place: threading.Event) -> None:
        """Give the place back."""
        with self._lock:
            self._places.remove(place)


@pages.get("/live")
def stream() -> Response:
    """``event: table`` with the revision, ``hub`` for a new sighting, ``ping`` now and then."""
    here = services()
    place = here.streams.enter()
    if place is None:
        abort(503)
    left = request.environ.get("waitress.client_disconnected", lambda: False)
    lines = events(here, lambda: place.is_set() or left())
    answer = Response(stream_with_context(lines), mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(lambda: here.streams.leave(place))
    return answer


def events(here: Services, over: Callable[[], bool] = lambda: False) -> Iterator[str]:
    """The lines of one stream, from the present revision on, until it is over."""
    revision = here.game.table.revision
    seen = sight(here)
    yield "retry: 1000\n\n" + event("table", {"revision": revision})
    began = written = time.monotonic()
    while not (here.streams.ending or over()) and time.monotonic() - began < LIFE_SECONDS:
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
        return f"{walked} {here.hushed.times}"
    sighting = here.watch.sighting
    words: tuple[Any, ...] = (walked, here.watch.trouble, here.watch.moving, here.hushed.times)
    if sighting is not None:
        words += (str(sighting.engine), sighting.taken, long_covered(sighting))
    return " ".join(map(str, words))


def event(name: str, data: dict[str, Any]) -> str:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
