"""`GET /live`: tells each open page that the table, or what the camera sees, has changed.

Knows revisions, not games. A stream holds a thread of the server, so they are counted: one whose
page has left ends at once, and where all are taken one that had its time makes room for the newest.
A page that has no stream asks every few seconds, and tries again after a while.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import chain
from typing import Any, ParamSpec, TypeVar

from flask import Blueprint, Response, abort, g, request, stream_with_context

from companion.web.asks import long_covered
from companion.web.services import Services, services
from companion.web.visitors import thrown_out

pages = Blueprint("live", __name__)

P = ParamSpec("P")
R = TypeVar("R")

PING_SECONDS = 15.0
"""A dead client shows only at a write, and a page knows by it that its stream still lives."""
LIFE_SECONDS = 600.0
"""How long a stream lasts; the page opens the next one by itself. So a device that went to sleep
without a word, or reads nothing, holds its place for a while only."""
LOOK_SECONDS = 0.5
"""How long a stream waits before it looks whether the server closes or the camera saw more."""


SETTLED = 30.0
"""Seconds that a stream is left alone before it has to make room, so that of many more pages than
places each has its turn and none takes another's from it all the time."""
AGAIN_SECONDS = 20
"""After so long a page whose stream had to make room asks for another one."""

BEYOND = 8
"""Streams that may be open above the limit while others are about to end: those of pages that
have just been left are noticed within half a second."""


AT_ONCE = 2
"""So many of the pages that follow the game are made at once. All of them ask at each tap: made one
after the other the first are there early, and the last no later than if all were made together."""
TURN_SECONDS = 2.0
"""After so long a page is made though others are still being made."""

_turns = threading.BoundedSemaphore(AT_ONCE)


def in_turn(make: Callable[P, R]) -> Callable[P, R]:
    """A page that every device fetches at each tap: let it wait until its turn has come."""

    @wraps(make)
    def made(*about: P.args, **more: P.kwargs) -> R:
        mine = _turns.acquire(timeout=TURN_SECONDS)
        try:
            return make(*about, **more)
        finally:
            if mine:
                _turns.release()

    return made


class Place(threading.Event):
    """The place of one stream, set once it has to be given back."""

    def __init__(self) -> None:
        super().__init__()
        self.began = time.monotonic()


class Streams:
    """Counts the open streams and ends them all when the server closes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._places: list[Place] = []
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

    def enter(self) -> Place | None:
        """Take a place; where all are taken the oldest is told to give its own back.

        None when the server closes, when all came just now, or when those that were told do not
        leave.
        """
        with self._lock:
            if self.ending:
                return None
            if self.open >= self.limit:
                oldest = next((each for each in self._places if not each.is_set()), None)
                if oldest is not None and time.monotonic() - oldest.began >= SETTLED:
                    oldest.set()
            if self.open >= self.limit + BEYOND:
                return None
            self._places.append(Place())
            return self._places[-1]

    def leave(self, place: Place) -> None:
        """Give the place back."""
        with self._lock:
            self._places.remove(place)


@pages.before_app_request
def note() -> None:
    """What the camera saw before a page was made: its stream goes on from there."""
    g.sight = sight(services())


pages.add_app_template_global(lambda: g.get("sight", ""), "sight_now")


@pages.get("/live")
def stream() -> Response:
    """``event: table`` with the revision, ``hub`` for a new sighting, ``ping`` now and then.

    ``?seen=`` is what was seen when the page was made.
    """
    here = services()
    place = here.streams.enter()
    if place is None:
        abort(503)
    left = request.environ.get("waitress.client_disconnected", lambda: False)
    out = thrown_out()
    seen = request.args.get("seen")
    lines = events(here, lambda: place.is_set() or left() or out(), seen)
    lines = chain(lines, (f"retry: {AGAIN_SECONDS * 1000}\n\n" for _ in [0] if place.is_set()))
    answer = Response(stream_with_context(lines), mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(lambda: here.streams.leave(place))
    return answer


def events(
    here: Services, over: Callable[[], bool] = lambda: False, seen: str | None = None
) -> Iterator[str]:
    """The lines of one stream, from the present revision on, until it is over.

    ``seen`` is the sight that its page shows, None for that of now.
    """
    revision = here.game.table.revision
    seen = sight(here) if seen is None else seen
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
    words: tuple[Any, ...] = (walked, here.watch.trouble, here.watch.moving, here.watch.moved)
    words += (here.hushed.times,)
    if sighting is not None:
        words += (str(sighting.engine), sighting.taken, long_covered(sighting))
    return " ".join(map(str, words))


def event(name: str, data: dict[str, Any]) -> str:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
