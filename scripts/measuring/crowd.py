"""Many open pages of the table: ``python -m scripts.measuring.crowd PORT PAGES``.

Each does what a page does: it follows the event stream, or asks every two seconds where the server
has no stream left, and fetches the table anew whenever it has changed. Prints a line once each
page has had its first answer, and ends with its standard input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse

EVERY = 2.0
"""Seconds between two questions of a page without a stream."""
SILENT = 60.0


class Page(threading.Thread):
    """One open page; ``open`` is set once it had an answer."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.open = threading.Event()
        self._live, self._line = (HTTPConnection("127.0.0.1", port, timeout=SILENT) for _ in "ab")

    def run(self) -> None:
        """Follow or ask until the process ends, or until the server does."""
        try:
            self._live.request("GET", "/live")
            stream = self._live.getresponse()
            if stream.status == 200:
                self._follow(stream)
            self._live.close()
            self._ask()
        except (OSError, HTTPException):
            return

    def _follow(self, stream: HTTPResponse) -> None:
        while told := stream.readline():
            if told.startswith(b"event: table"):
                if self.open.is_set():
                    self._get("/table")
                self.open.set()

    def _ask(self) -> None:
        before = None
        while True:
            revision = json.loads(self._get("/healthz")).get("revision")
            if before not in (None, revision):
                self._get("/table")
            before = revision
            self.open.set()
            time.sleep(EVERY)

    def _get(self, path: str) -> bytes:
        self._line.request("GET", path, headers={"Accept-Encoding": "gzip"})
        return self._line.getresponse().read()


def main() -> None:
    """Open the pages, say so, and stay until the standard input ends."""
    port, count = int(sys.argv[1]), int(sys.argv[2])
    pages = [Page(port) for _ in range(count)]
    for page in pages:
        page.start()
    if all(page.open.wait(SILENT) for page in pages):
        sys.stdout.write("open\n")
        sys.stdout.flush()
        sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
