"""A request on its way in: how much of it is taken, for how long, and what is said instead.

Knows nothing of the game, nor who may send much: the door is asked. Derives from waitress, as
``doorway`` does.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask
from waitress.utilities import Error

if TYPE_CHECKING:
    from companion.web.doorway import Visit

HEAD_SECONDS, BODY_SECONDS = 20.0, 20.0
"""How long a request's head may take from its first byte, and what its body may take beside what
it needs at the slowest Wi-Fi."""
SLOWEST = 32 * 1024
"""Bytes in a second: a photo of 12 megabytes in six minutes."""
SMALL = 64 * 1024
"""Bytes of a body that anybody may send: every form without a file fits many times."""
MOST_TAKEN_IN = 160 * 1024 * 1024
"""Bytes of larger bodies that may be on their way at once, as they lie where temporary files do,
which may be in memory: six photos of 25 megabytes, or three times six of the usual size."""
STEP = 1024 * 1024
"""A body that does not tell its length is taken in by so much at a time."""
TOO_MUCH = "That is more than is taken in here: join the table first, or send a smaller file."
BUSY = "Too busy just now. Try again in a moment."
NO_ROOM = "The disk has no room left for what is sent: free some, then send it again."
SENTENCES = {
    400: "That could not be understood: open the table's address in a browser.",
    413: TOO_MUCH,
    431: "The address or the cookies are too long: remove this site's cookies and try again.",
    501: "That could not be understood: open the table's address in a browser.",
}
"""What is said to what no page has been asked about yet."""
TROUBLE = "Something went wrong here; what was scored is safe. Go back and try again."


class Refused(Error):  # type: ignore[misc]
    """A request that is refused before any page is asked."""

    def __init__(self, code: int, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.reason = code, reason


class Sorry(ErrorTask):  # type: ignore[misc]
    """Answers with one plain sentence, and with the headers that every answer carries."""

    def execute(self) -> None:
        """Write the answer; the connection ends with it, though not before what is still coming
        has come: who is cut off while sending does not see the answer."""
        error = self.request.error
        said = SENTENCES.get(error.code, TROUBLE)
        body = f"{error.body if isinstance(error, Refused) else said}\n".encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "text/plain; charset=utf-8"))
        self.response_headers.extend(self.channel.server.headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)
        self.close_on_finish = not self.channel.deaf


class Arriving(HTTPRequestParser):  # type: ignore[misc]
    """A request on its way in, which is asked what it wants as soon as its head is there."""

    def __init__(self, adj: Adjustments, visit: Visit) -> None:
        super().__init__(adj)
        self.began = time.monotonic()
        self.granted = SMALL
        self._visit = visit
        self._most: int | None = None

    def received(self, data: bytes) -> int:
        """Take in more of it; how many bytes that were. Of a refused one nothing more is heard, as
        the rest of its body is no other request."""
        taken = self._received(data)
        if self.error is None:
            return taken
        self.expect_continue = False  # else waitress would go on with it
        self._visit.deaf = True
        return len(data)

    def _received(self, data: bytes) -> int:
        try:
            taken = int(super().received(data))
        except OSError as error:
            self._visit.server.say_no_room(error)
            self._refuse(503, "Service Unavailable", NO_ROOM)
            return 0
        except ValueError:  # an address that is none, as http://[/
            self._refuse(400, "Bad Request", SENTENCES[400])
            return 0
        if self.headers_finished and self.error is None:
            need = max(self.content_length, self.body_bytes_received)
            if need > self.granted:
                self._grant(need)
        return taken

    def overdue(self, now: float) -> bool:
        """Whether it has taken too long to arrive."""
        may = HEAD_SECONDS
        if self.headers_finished:
            may += BODY_SECONDS + self.body_bytes_received / SLOWEST
        return now - self.began > may

    def close(self) -> None:
        """Let go of its body, also where the disk had no room for the rest of it."""
        with suppress(OSError):
            super().close()

    def _grant(self, need: int) -> None:
        server = self._visit.server
        if self._most is None:
            self._most = min(max(SMALL, self._allowance()), MOST_TAKEN_IN)
        wanted = need if self.content_length else min(self._most, need + STEP)
        if need > self._most:
            self._refuse(413, "Request Entity Too Large", TOO_MUCH)
        elif server.taken_in() - self.claimed + wanted > MOST_TAKEN_IN:
            self._refuse(503, "Service Unavailable", BUSY)
        else:
            self.granted = wanted

    def _allowance(self) -> int:
        visit = self._visit
        environ = visit.task_class(visit, self).get_environment()
        return int(visit.server.allowance(environ))

    @property
    def claimed(self) -> int:
        """Bytes that are kept free for it beyond what anybody may send."""
        return self.granted if self.granted > SMALL else 0

    def _refuse(self, code: int, reason: str, sentence: str) -> None:
        self.error = Refused(code, reason, sentence)
        self.completed = True
        self.granted = 0
