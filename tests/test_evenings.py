"""Recorded evenings: actions in, table out; the expected tables were worked out by hand."""

import json
from pathlib import Path

import pytest

from companion.game import Game
from companion.journal import Journal
from companion.replaying import read_line, replay_lines
from companion.report import report
from companion.rulebook import PRESETS

EVENINGS = sorted(Path(__file__).parent.glob("evenings/*.jsonl"))


def expected(evening: Path) -> dict:
    """The table worked out by hand; its switches are those of the preset."""
    told = json.loads(evening.with_suffix(".expected.json").read_text())
    told["game"]["switches"] = dict(PRESETS[told["game"]["rules"]].switches)
    return told


@pytest.mark.parametrize("name", PRESETS)
def test_there_are_two_whole_games_by_each_rule_system(name):
    whole = [
        told
        for told in map(expected, EVENINGS)
        if told["game"]["rules"] == name
        and told["phase"] == "finished"
        and told["round"] == told["game"]["set"] + 1
    ]
    assert len(whole) >= 2


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_replay_ends_with_the_table_worked_out_by_hand(evening):
    assert replay_lines(evening.read_text().splitlines()) == expected(evening)


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_the_journal_brings_the_same_table_back_after_a_restart(evening, tmp_path):
    lines = [line for line in evening.read_text().splitlines() if line.startswith("{")]
    with Journal.open(tmp_path / "journal.db") as journal:
        game = Game(journal)
        for line in lines:
            game.play(read_line(line))
        game.close()
    with Journal.open(tmp_path / "journal.db") as journal:
        game = Game(journal)
        assert report(game.table) == expected(evening)
        game.close()
