"""Playing: what is replayed, a tap until it is safe on the disk, and the search for a train."""

from __future__ import annotations

import random
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.dominoes import DominoSet, Tile
from companion.game import Game
from companion.journal import Journal
from companion.planner import best_train
from companion.table import replay
from scripts.measuring.figures import NAMES, Figure, least, spent

ACTIONS = 10_000
HANDS = 40


def an_evening(count: int) -> list[dict[str, Any]]:
    """A game of four with so many taps."""
    dice = random.Random(1)
    start = {"action": "start_game", "players": NAMES[:4], "set": 12, "rules": "classic"}
    taps: list[dict[str, Any]] = [start, {"action": "open_round"}]
    while len(taps) < count:
        what = "turn" if len(taps) % 3 else "start_train"
        taps.append({"action": what, "player": dice.choice(NAMES[:4])})
    return taps


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


def replaying() -> Iterator[Figure]:
    """Ten thousand actions against a thousand: linear is ten."""
    few, many = an_evening(ACTIONS // 10), an_evening(ACTIONS)
    short, long = least(lambda: replay(few), lambda: replay(many))
    yield Figure(f"replay of {ACTIONS} actions", long, long / short, "a tenth of them")


def taps() -> Iterator[Figure]:
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
    yield Figure("a durable tap", tap, tap / commit, "a bare SQLite commit")


def trains() -> Iterator[Figure]:
    """The best opening train from random hands of double-12 tiles: the median and the worst."""
    engine = Tile(12, 12)
    tiles = [tile for tile in DominoSet(12) if tile != engine]
    for count in (15, 25, 35):
        dice = random.Random(count)
        hands = [dice.sample(tiles, count) for _ in range(HANDS)]
        taken = [spent(lambda: best_train(hand, engine), 1) for hand in hands]
        yield Figure(f"best train of {count} tiles, median", statistics.median(taken))
        yield Figure(f"best train of {count} tiles, worst of {HANDS}", max(taken))
