"""Pages: how long the server works on one, what it weighs, and when another device shows a tap."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

from flask.testing import FlaskClient

from companion.game import Game
from companion.journal import Journal
from companion.vision.read import Reader
from companion.web import WebSettings, create_app
from scripts.measuring.figures import NAMES, ROOT, Figure, Weight, spent
from scripts.measuring.playing import play_rounds
from scripts.measuring.running import companion

OPEN = (2, 20, 200)
"""So many pages are open: the two of the measured devices, and a crowd."""
TAPS = 20
SILENT = 60.0
"""Seconds after which a device that hears nothing gives up."""


@contextmanager
def client_of(players: int) -> Iterator[FlaskClient]:
    """A client of the pages of a game of so many in its last round."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.db")
        with Game(journal) as game:
            play_rounds(game, NAMES[:players])
            app = create_app(game, reader=Reader(), people=journal, settings=WebSettings("s"))
            yield app.test_client()


def pages() -> Iterator[Figure]:
    """Server time of the table and the sheet, against the shortest answer it gives."""
    for players in (2, 14):
        with client_of(players) as client:
            short = spent(lambda: client.get("/healthz"), 30)
            for page in ("/table", "/sheet"):
                took = spent(lambda: client.get(page), 15)
                what = f"{page} with {players} players, 13 rounds"
                yield Figure(what, took, took / short, "/healthz")


def weights() -> Iterator[Weight]:
    """The first load of the table page over the wire, and how much of it is script."""
    with client_of(len(NAMES)) as client:
        page = client.get("/table").text
        files = re.findall(r'(?:<link[^>]* href|<script[^>]* src)="([^"]+)"', page)
        packed = {"Accept-Encoding": "gzip"}
        sent = [len(client.get(path, headers=packed).data) for path in ("/table", *files)]
        scripts = [len(client.get(path).data) for path in files if ".js" in path]
    yield Weight("first load of /table with 14 players", sum(sent))
    yield Weight("its scripts as they are written", sum(scripts))


def second_device() -> Iterator[Figure]:
    """From a tap sent by one device until another one has heard of it and has the new page, while
    others are open; against a bare exchange with the same server."""
    for count in OPEN:
        with tempfile.TemporaryDirectory() as folder:
            with Game(Journal.open(Path(folder) / "journal.db")) as game:
                play_rounds(game, NAMES[:6])
            with companion(Path(folder), "--lights", "none") as (port, _):
                bare, taken = _taps_seen(port, count - 2)
        usual = statistics.median(taken)
        what = f"a tap until a second device shows it, {count} pages"
        yield Figure(what, usual, usual / bare, "a bare exchange")
        if count == max(OPEN):
            yield Figure("the longest of them", max(taken), max(taken) / bare, "a bare exchange")


def _taps_seen(port: int, others: int) -> tuple[float, list[float]]:
    """Milliseconds of a bare exchange, and of each tap until another device shows it."""
    tapping, looking, live = (HTTPConnection("127.0.0.1", port, timeout=SILENT) for _ in range(3))
    with closing(tapping), closing(looking), closing(live):
        live.request("GET", "/live")
        stream = live.getresponse()
        _table_event(stream)
        bare = spent(lambda: _exchange(looking, "/healthz"), 30)
        with _crowd(port, others):
            return bare, [_seen(tapping, looking, stream, number) for number in range(TAPS)]


def _seen(
    tapping: HTTPConnection, looking: HTTPConnection, stream: HTTPResponse, number: int
) -> float:
    """Milliseconds from one tap until the other device, which follows, has the page with it."""
    tap = {"action": ("mark", "unmark")[number % 2], "train": NAMES[0]}
    start = time.perf_counter()
    tapping.request("POST", "/api/actions", json.dumps(tap), {"Content-Type": "application/json"})
    _table_event(stream)
    _exchange(looking, "/table")
    taken = 1000 * (time.perf_counter() - start)
    answer = tapping.getresponse()
    answer.read()
    if answer.status != 200:
        raise OSError(f"the tap was answered with {answer.status}")
    return taken


def _exchange(device: HTTPConnection, path: str) -> None:
    device.request("GET", path, headers={"Accept-Encoding": "gzip"})
    device.getresponse().read()


def _table_event(stream: HTTPResponse) -> None:
    """Wait until the stream tells that the table has changed."""
    while told := stream.readline():
        if told.startswith(b"event: table"):
            return
    raise OSError("the stream ended")


@contextmanager
def _crowd(port: int, pages_open: int) -> Iterator[None]:
    """So many pages more, in a process of their own, while the ``with`` lasts."""
    if not pages_open:
        yield
        return
    command = (sys.executable, "-m", "scripts.measuring.crowd", str(port), str(pages_open))
    crowd = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert crowd.stdin is not None and crowd.stdout is not None
    try:
        if not crowd.stdout.readline():
            raise OSError("the crowd could not open its pages")
        yield
    finally:
        crowd.stdin.close()
        crowd.wait(30)
        crowd.stdout.close()
