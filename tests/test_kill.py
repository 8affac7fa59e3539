"""Killed at any moment, the game has every tap that was acknowledged, and at most one more."""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from companion.game import Game
from companion.journal import Journal
from companion.report import report
from companion.table import replay
from tests.running import STARTING, within

KILLS = 20

DRIVER = """
import sys
from companion.game import Game
from companion.journal import Journal
from tests.test_kill import action

print("starting", flush=True)
game = Game(Journal.open(sys.argv[1]))
while True:
    n = game.table.revision + 1
    game.play(action(n), once=f"tap {n}")
    print(n, flush=True)
"""


def action(n: int) -> dict[str, Any]:
    """The n-th tap of an endless game, each of which changes the table."""
    if n == 1:
        names = ["Ann", "Bob", "Cem", "Dee"]
        return {"action": "start_game", "players": names, "set": 12, "rules": "classic"}
    if n == 2:
        return {"action": "open_round"}
    what = "mark" if n % 8 in (3, 4, 5, 6) else "unmark"
    return {"action": what, "train": ["Cem", "Dee", "Ann", "Bob"][(n - 3) % 4]}


def acknowledged_before_kill(path: Path, seconds: float) -> int:
    """Let a process play until it is killed; gives the last tap it acknowledged, 0 for none."""
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(path)],
        cwd=Path(__file__).parent.parent,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with within(STARTING, process):
        assert process.stdout.readline() == "starting\n"
        time.sleep(seconds)
        process.kill()
        said, _ = process.communicate()
    whole = [line for line in said.splitlines(keepends=True) if line.endswith("\n")]
    return int(whole[-1]) if whole else 0


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    dice = random.Random(12)
    path = tmp_path / "games.db"
    seen = 0
    for _ in range(KILLS):
        acknowledged = acknowledged_before_kill(path, dice.uniform(0, 0.08))
        with Game(Journal.open(path)) as game:
            assert game.notice is None
            revision = game.table.revision
            assert revision in (max(seen, acknowledged), max(seen, acknowledged) + 1)
            shown = report(game.table)
            again = game.play(action(revision), once=f"tap {revision}") if revision else game.table
            assert again.revision == revision, "the same key counted twice"
        assert shown == report(replay(action(n) for n in range(1, revision + 1)))
        seen = revision
    assert seen > KILLS
