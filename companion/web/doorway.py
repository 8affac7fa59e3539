"""The server's door: who gets a connection, and who has to go where there are too many.

What is sent through it is in ``arriving``. Knows nothing of the game; who may send much is told
from outside. Derives from waitress, of whose version 3.0 it relies on more than the documentation
names: that ``TcpWSGIServer`` keeps its connections in ``active_channels``, asks ``readable`` before
each look at its sockets, accepts one connection in ``handle_accept`` and looks after them all in
``maintenance``; that ``HTTPChannel`` holds in ``requests`` those that are served and in ``request``
the one that arrives, made by ``parser_class``; and that ``HTTPRequestParser.received`` stops at the
end of the head, and once ``completed`` is set. ``tests/test_doorway.py`` fails where another
version does otherwise.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from socket import SHUT_WR
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from companion.ownnames import is_loopback
from companion.web.arriving import Arriving, Sorry

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 1000
"""Open at once: a device that opens them and says nothing holds neither a thread nor another's."""
KEPT_FREE = 50
"""Of these for this machine itself, so that it always hears how its companion is."""
FILES = 200
"""Files and sockets that the rest of the companion may need beside them."""
MOST_EACH = 100
"""For one other address: a whole family behind one router number fits, each browser having six."""
IDLE_SECONDS = 60
"""How long a connection may stay open between two requests, or before the first."""
DEAF_SECONDS = 20
"""How long what a refused request still sends is let come, unheard."""
LOOK_SECONDS = 2
"""How often it is looked whose time is over."""
LARGEST_HEAD = 32 * 1024
SAY_AGAIN = 60.0
"""Seconds after which a full disk may be named in the log again."""

Allowance = Callable[[dict[str, Any]], int]
"""How many bytes a body may have; told the WSGI environment of its head."""


class Visit(HTTPChannel):  # type: ignore[misc]
    """One connection, with whose it is and since when it waits for its sender."""

    error_task_class = Sorry

    def __init__(self, server: Doorway, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.who = str(addr[0])
        self.here = is_loopback(self.who)
        self.since = time.monotonic()
        self.gone = self.deaf = self._said_all = False
        super().__init__(server, sock, addr, adj, map=map)

    def parser_class(self, adj: Adjustments) -> Arriving:
        """What takes in the next request."""
        return Arriving(adj, self)

    def readable(self) -> bool:
        """Whether something is to be read from it."""
        return not self.gone and bool(super().readable())

    def writable(self) -> bool:
        """Whether something is to be written to it, or it is to be closed."""
        if self.gone:
            return False
        return self._to_be_ended() or bool(super().writable())

    def _to_be_ended(self) -> bool:
        return self.deaf and not self.requests and not self._said_all

    def handle_write(self) -> None:
        """Write more to it. After a refusal nothing follows, and what still comes is not heard."""
        super().handle_write()
        if self._to_be_ended() and not self.total_outbufs_len and self.connected:
            self._said_all = True
            with suppress(OSError):
                self.socket.shutdown(SHUT_WR)

    def received(self, data: bytes) -> bool:
        """Take in more of a request."""
        return not self.deaf and bool(super().received(data))

    def service(self) -> None:
        """Answer one request."""
        super().service()
        self.since = time.monotonic()

    @property
    def worth(self) -> tuple[bool, float]:
        """What makes it stay while others have to go: a photo of somebody who may send one, and
        to have come later."""
        request = self.request
        if request is None:
            return False, self.since
        return request.claimed > 0, request.began

    def overdue(self, now: float) -> bool:
        """Whether it has kept us waiting for too long. Whoever is served or written to has not."""
        if self.deaf and not self.requests:
            return now - self.since > DEAF_SECONDS
        if self.requests or self.total_outbufs_len:
            return False
        request = self.request
        return now - self.since > IDLE_SECONDS if request is None else request.overdue(now)

    def let_go(self) -> None:
        """Close it at once. Only before the sockets are looked at, lest another gets its number."""
        self.gone = True
        self.handle_close()

    def handle_close(self) -> None:
        """It has ended; so what had arrived of a body takes no room any more."""
        super().handle_close()
        if self.request is not None:
            self.request.close()


class Doorway(TcpWSGIServer):  # type: ignore[misc]
    """Listens on one address; several of them share their ``visits``."""

    channel_class = Visit

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        visits: dict[int, Visit],
        allowance: Allowance,
        headers: Mapping[str, str],
        most: int,
        **more: Any,
    ) -> None:
        super().__init__(app, **more)
        self.active_channels = visits
        self.most = most
        self.allowance, self.headers = allowance, headers
        self._came = False
        self._said_no_room = -SAY_AGAIN

    def handle_accept(self) -> None:
        """Let one more in."""
        super().handle_accept()
        self._came = True

    def readable(self) -> bool:
        """Whether more may come in: always, as others make room for them."""
        if self._came:
            self._came = False
            self._make_room()
        return bool(super().readable())

    def maintenance(self, now: float) -> None:
        """Let go of those whose time is over. ``now`` is waitress's own, which may jump."""
        super().maintenance(now)
        steady = time.monotonic()
        for visit in self._visits():
            if visit.overdue(steady):
                visit.let_go()

    def taken_in(self) -> int:
        """Bytes that are kept free for large bodies on their way, or being served."""
        arriving = [
            request
            for visit in self._visits()
            for request in (visit.request, *visit.requests)
            if isinstance(request, Arriving)
        ]
        return sum(request.claimed for request in arriving)

    def say_no_room(self, error: OSError) -> None:
        """Write into the log, now and then, that the disk is full."""
        now = time.monotonic()
        if now - self._said_no_room >= SAY_AGAIN:
            self._said_no_room = now
            log.warning("what is sent cannot be taken in: %s", error.strerror or error)

    def _visits(self) -> list[Visit]:
        return list(self.active_channels.values())

    def _make_room(self) -> None:
        far = [visit for visit in self._visits() if not visit.here]
        each: dict[str, list[Visit]] = {}
        for visit in far:
            each.setdefault(visit.who, []).append(visit)
        for visits in each.values():
            _keep(visits, MOST_EACH)
        _keep([visit for visit in far if not visit.gone], self.most - KEPT_FREE)
        _keep(self._visits(), self.most)


def _keep(visits: list[Visit], most: int) -> None:
    """Let go of those that have kept us waiting longest, until no more than so many are left."""
    if (over := len(visits) - most) > 0:
        waiting = sorted((v for v in visits if not v.requests), key=lambda visit: visit.worth)
        for visit in waiting[:over]:
            visit.let_go()


def open_doors(
    app: Callable[..., Iterable[bytes]],
    host: str,
    port: int,
    *,
    threads: int,
    handles: int,
    largest: int,
    allowance: Allowance,
    headers: Mapping[str, str],
) -> list[Doorway]:
    """Listen on every address that the host stands for; ``run`` of one serves them all.

    ``handles`` is how many files and connections this process may have open; ``largest`` what no
    body exceeds, in bytes, whatever is allowed. Raises OSError or ValueError where an address
    cannot be had.
    """
    most = min(MOST_CONNECTIONS, max(2 * KEPT_FREE, handles - FILES))
    every = {"::": f"[::]:{port} 0.0.0.0:{port}"}.get(host)
    where = {"listen": every} if every else {"host": host, "port": port}
    adj = Adjustments(
        **where,
        threads=threads,
        connection_limit=2 * most,  # never reached: room is made before
        asyncore_use_poll=True,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=LOOK_SECONDS,
        channel_request_lookahead=1,  # so that a page that leaves is noticed while it is served
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=largest,
        ident=None,
        clear_untrusted_proxy_headers=False,  # by them we tell a proxy from this machine itself
    )
    sockets: dict[int, Any] = {}
    visits: dict[int, Visit] = {}
    dispatcher = ThreadedTaskDispatcher()
    doors: list[Doorway] = []
    more = {"map": sockets, "adj": adj, "dispatcher": dispatcher}
    try:
        for address in adj.listen:
            doors.append(Doorway(app, visits, allowance, headers, most, sockinfo=address, **more))
    except OSError:
        for door in doors:
            door.close()
        raise
    dispatcher.set_thread_count(threads)
    return doors
