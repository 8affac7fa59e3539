"""The measurements of ``scripts/benchmark``.

Each figure is stated as a ratio to a yardstick of the same run where one exists, so that it says
something on another machine too. Everything runs on one thread.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
import re
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from companion.dominoes import DominoSet, Tile  # noqa: E402
from companion.game import Game  # noqa: E402
from companion.journal import Journal  # noqa: E402
from companion.planner import best_train  # noqa: E402
from companion.table import replay  # noqa: E402
from companion.vision.draw import draw_hand  # noqa: E402
from companion.vision.photo import load  # noqa: E402
from companion.vision.read import Reader  # noqa: E402
from companion.web import WebSettings, create_app  # noqa: E402
from companion.web.serving import serve  # noqa: E402

NAMES = [f"Player {number}" for number in range(1, 15)]
ACTIONS = 10_000
READ_AND_TELL = """
import atexit, pathlib
from companion.cli import main
status = pathlib.Path("/proc/self/status")
atexit.register(lambda: print(status.read_text() if status.exists() else ""))
main()
"""
"""A program that is the command line and at its end tells, on Linux, what memory it took."""
TAPS = 30


@dataclass(frozen=True)
class Figure:
    """One line: what was measured, its milliseconds, and how often the yardstick fits into it."""

    what: str
    milliseconds: float
    ratio: float | None = None
    yardstick: str = ""


@dataclass(frozen=True)
class Weight:
    """One line: what was weighed, and its bytes."""

    what: str
    bytes: int


def spent(work: Callable[[], Any], times: int = 5) -> float:
    """The median of so many runs, in milliseconds, after one to warm up."""
    work()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def least(work: Callable[[], Any], times: int = 5) -> float:
    """The least processor time of so many runs in milliseconds, to which nobody else adds."""
    taken = []
    for _ in range(times):
        gc.collect()
        start = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - start))
    return min(taken)


def photos() -> list[Figure]:
    """Reading drawn photos, against decoding the same JPEG."""
    reader, figures = Reader(), []
    tiles = [tile.ends for tile in DominoSet(12)]
    sizes = (("0.3", 640, 480), ("2", 1632, 1224), ("12", 4000, 3000))
    for megapixels, width, height in sizes:
        for count in (1, 12, 15, 40, 91):
            hand = random.Random(count).sample(tiles, count)
            image = draw_hand(hand, width, height, seed=count).image
            data = cv2.imencode(".jpg", image)[1].tobytes()
            raw = np.frombuffer(data, np.uint8)
            decode = least(lambda: cv2.imdecode(raw, cv2.IMREAD_COLOR))
            read = least(lambda: reader.read(load(data), highest=12), 3)
            what = f"photo of {megapixels} megapixels with {count} tiles"
            figures.append(Figure(what, read, read / decode, "its JPEG decode"))
    return figures


def an_evening(count: int) -> list[dict[str, Any]]:
    """A game of four with so many taps."""
    dice = random.Random(1)
    start = {"action": "start_game", "players": NAMES[:4], "set": 12, "rules": "classic"}
    taps: list[dict[str, Any]] = [start, {"action": "open_round"}]
    while len(taps) < count:
        what = "turn" if len(taps) % 3 else "start_train"
        taps.append({"action": what, "player": dice.choice(NAMES[:4])})
    return taps


def replaying() -> list[Figure]:
    """Ten thousand actions against a thousand: linear is ten."""
    few, many = an_evening(ACTIONS // 10), an_evening(ACTIONS)
    short, long = least(lambda: replay(few)), least(lambda: replay(many))
    return [Figure(f"replay of {ACTIONS} actions", long, long / short, "a tenth of them")]


def taps() -> list[Figure]:
    """A durable tap against a bare commit of SQLite with the same settings."""
    with tempfile.TemporaryDirectory() as folder:
        bare = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = FULL")
        bare.execute("CREATE TABLE taps (said TEXT)")
        commit = spent(lambda: bare.execute("INSERT INTO taps VALUES ('tap')"), 200)
        bare.close()
        with Game(Journal.open(Path(folder) / "games.db")) as game:
            for action in an_evening(2):
                game.play(action)
            tap = spent(lambda: game.play({"action": "turn", "player": NAMES[0]}), 200)
    return [Figure("a durable tap", tap, tap / commit, "a bare SQLite commit")]


def pages() -> list[Figure]:
    """Server time of the table and the sheet."""
    figures = []
    for players in (2, 14):
        with tempfile.TemporaryDirectory() as folder:
            journal = Journal.open(Path(folder) / "games.db")
            with Game(journal) as game:
                play_rounds(game, NAMES[:players])
                app = create_app(game, reader=Reader(), people=journal, settings=WebSettings("s"))
                client = app.test_client()
                for page in ("/table", "/sheet"):
                    what = f"{page} with {players} players, 13 rounds"
                    figures.append(Figure(what, spent(lambda: client.get(page), 15)))
    return figures


def weights() -> list[Weight]:
    """The first load of the table page over the wire, and how much of it is script."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.db")
        with Game(journal) as game:
            play_rounds(game, NAMES)
            app = create_app(game, reader=Reader(), people=journal, settings=WebSettings("s"))
            client = app.test_client()
            page = client.get("/table").text
            files = re.findall(r'(?:<link[^>]* href|<script[^>]* src)="([^"]+)"', page)
            packed = {"Accept-Encoding": "gzip"}
            sent = [len(client.get(path, headers=packed).data) for path in ("/table", *files)]
            scripts = [len(client.get(path).data) for path in files if ".js" in path]
    return [
        Weight("first load of /table with 14 players", sum(sent)),
        Weight("its scripts as they are written", sum(scripts)),
    ]


def second_device() -> list[Figure]:
    """From a tap sent by one device until another one has heard of it and has the new page."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.db")
        with Game(journal) as game:
            play_rounds(game, NAMES[:6])
            app = create_app(game, reader=Reader(), people=journal, settings=WebSettings("s"))
            ready, port = threading.Event(), free_port()
            told = {"args": (app, "127.0.0.1", port), "kwargs": {"on_ready": ready.set}}
            server = threading.Thread(target=serve, daemon=True, **told)  # type: ignore[arg-type]
            server.start()
            ready.wait(10)
            try:
                taken = [_seen(port, number) for number in range(TAPS)]
            finally:
                app.extensions["companion"].streams.end()
    return [Figure("a tap until a second device shows it, median", statistics.median(taken))]


def _seen(port: int, number: int) -> float:
    """One tap by one device, seen by another that follows."""
    tapping, looking, live = (HTTPConnection("127.0.0.1", port, timeout=20) for _ in range(3))
    with closing(tapping), closing(looking), closing(live):
        live.request("GET", "/live")
        stream = live.getresponse()
        _event(stream)
        tap = {"action": ("mark", "unmark")[number % 2], "train": NAMES[0]}
        start = time.perf_counter()
        tapping.request(
            "POST", "/api/actions", json.dumps(tap), {"Content-Type": "application/json"}
        )
        _event(stream)
        looking.request("GET", "/table", headers={"Accept-Encoding": "gzip"})
        looking.getresponse().read()
        return 1000 * (time.perf_counter() - start)


def _event(stream: HTTPResponse) -> None:
    while not stream.readline().startswith(b"data:"):
        pass


def free_port() -> int:
    """A port of this machine that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def play_rounds(game: Game, names: list[str]) -> None:
    """Twelve closed rounds, and the last one being played."""
    start = {"action": "start_game", "players": names, "set": 12, "rules": "classic"}
    game.play({**start, "hand": 5, "overrule": True})
    for number in range(13):
        game.play({"action": "open_round"})
        if number < 12:
            game.play({"action": "go_out", "player": names[number % len(names)]})
            for name in (name for name in names if name != names[number % len(names)]):
                game.play({"action": "hand", "player": name, "pips": 10 + number})
            game.play({"action": "close_round"})


def trains() -> list[Figure]:
    """The best opening train from random hands of double-12 tiles: the median and the worst."""
    figures = []
    engine = Tile(12, 12)
    tiles = [tile for tile in DominoSet(12) if tile != engine]
    for count in (15, 25, 35):
        dice = random.Random(count)
        hands = [dice.sample(tiles, count) for _ in range(40)]
        taken = [spent(lambda: best_train(hand, engine), 1) for hand in hands]
        figures.append(Figure(f"best train of {count} tiles, median", statistics.median(taken)))
        figures.append(Figure(f"best train of {count} tiles, worst of 40", max(taken)))
    return figures


def cold_start() -> list[Figure]:
    """``companion read`` of one small photo in a new process, against starting Python alone."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "hand.jpg"
        cv2.imwrite(str(photo), draw_hand([(1, 2), (3, 4)], 640, 480, seed=1).image)
        command = [sys.executable, "-m", "companion", "read", "--json", str(photo)]

        def run(*words: str) -> None:
            subprocess.run(words, cwd=ROOT, check=True, capture_output=True)

        python = spent(lambda: run(sys.executable, "-c", "pass"), 3)
        cold = spent(lambda: run(*command), 3)
    return [Figure("companion read from cold", cold, cold / python, "starting Python")]


def peak() -> list[Weight]:
    """The most memory that ``companion read`` of a photo of 12 megapixels ever holds."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "hand.jpg"
        hand = [(low, 12) for low in range(13)]
        cv2.imwrite(str(photo), draw_hand(hand, 4000, 3000, seed=1).image)
        command = [sys.executable, "-c", READ_AND_TELL, "read", "--json", str(photo)]
        run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    held = re.findall(r"^VmHWM:\s+(\d+) kB", run.stdout, re.MULTILINE)
    return [Weight("peak of reading 12 megapixels", 1024 * int(most)) for most in held]


MEASUREMENTS = (photos, peak, replaying, taps, pages, weights, second_device, trains, cold_start)


def line(figure: Figure | Weight) -> str:
    """One line of the table."""
    if isinstance(figure, Weight):
        return f"{figure.what:45} {figure.bytes / 1000:9.1f} kB"
    ratio = f"{figure.ratio:8.1f} x {figure.yardstick}" if figure.ratio is not None else ""
    return f"{figure.what:45} {figure.milliseconds:9.1f} ms {ratio}".rstrip()


def main() -> None:
    """Measure everything and print it line by line."""
    parser = argparse.ArgumentParser(description="Measures the companion.")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    told = parser.parse_args()
    cv2.setNumThreads(1)
    out = sys.stdout
    out.write(f"{platform.platform()}, Python {platform.python_version()}, one thread\n")
    figures = []
    for measure in MEASUREMENTS:
        for figure in measure():
            figures.append(figure)
            out.write(line(figure) + "\n")
            out.flush()
    if told.json:
        told.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=1))


if __name__ == "__main__":
    main()
