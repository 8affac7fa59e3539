"""A simulated evening before the follower, and the command and the script that play it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.vision.read import Reader
from hardware.evening import Evening, Pace
from hardware.scorecard import Scores
from hardware.simulate import PACE, Watched

SCRIPT = Path(__file__).parent.parent / "scripts" / "score_watch"


@pytest.fixture(scope="module")
def evening() -> tuple[Scores, list[str], list[str]]:
    """Two rounds, followed by sight alone."""
    pace = Pace(shortest=2.8, longest=3.6)
    watched, lines = Watched(Evening(2, rounds=2, pace=pace), Reader()), []
    scorer = watched.play(lines.append)
    return scorer.scores, lines, scorer.notes


def test_two_rounds_are_followed_by_sight_alone(
    evening: tuple[Scores, list[str], list[str]],
) -> None:
    scores, _, notes = evening
    assert scores.moves > 40 and scores.sightings > 40
    assert scores.good, "\n".join([*notes, *scores.lines()])


def test_it_is_told_in_words_what_was_done_and_seen(
    evening: tuple[Scores, list[str], list[str]],
) -> None:
    text = "\n".join(evening[1])
    assert " 1    0:00  The table is empty." in text
    assert "The 12-12 is laid in the hub." in text and "seen: 12-12 in the hub" in text
    assert "The 11-11 is laid in the hub." in text and "The tiles are swept away." in text


def test_the_command_plays_one_round_with_its_scorecard() -> None:
    done = CliRunner().invoke(main, ["simulate", "--seed", "4", "--rounds", "1", "--players", "2"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("2 players, ")
    assert "moves that stayed visible were seen" in done.output
    assert "engines were confirmed within 8 frames" in done.output


def test_speed_is_how_fast_the_evening_passes() -> None:
    watched = Watched(Evening(2, rounds=1, players=2), Reader())
    waits: list[float] = []

    class Enough(Exception):
        pass

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 6:
            raise Enough

    began = time.monotonic()
    with pytest.raises(Enough):
        watched.play(speed=0.01, sleep=sleep)
    spent = time.monotonic() - began
    assert waits[0] == pytest.approx(PACE / 0.01, abs=spent)
    assert waits[5] == pytest.approx(6 * PACE / 0.01, abs=spent)


def test_the_script_adds_evenings_up(tmp_path: Path) -> None:
    told = tmp_path / "scores.json"
    command = [sys.executable, SCRIPT, "--seeds", "1", "--first", "4", "--rounds", "1"]
    done = subprocess.run(
        [*command, "--json", told], capture_output=True, text=True, check=False, timeout=300
    )
    figures = json.loads(told.read_text(encoding="utf-8"))
    assert done.returncode == (0 if figures["all"]["good"] else 1), done.stderr
    assert figures["evenings"]["4"]["moves"] == figures["all"]["moves"] > 20
    assert "  round 1 of 1: " in done.stdout and " moves seen, " in done.stdout
    assert "1 evenings together:" in done.stdout
