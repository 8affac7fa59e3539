"""Seeded evenings of real tiles: the product's sheet is the paper sheet, whatever was told.

Sixty games for each rule system; ``COMPANION_SOAK=2000`` plays so many.
"""

import json
import os
import random
import time

import pytest

from companion.report import report
from companion.rulebook import PRESETS
from companion.table import Table, replay
from physical_game import play_evening

GAMES = int(os.environ.get("COMPANION_SOAK", "60"))
PART = 20
"""Games in one test, so that two workers share them."""

UNDONE = 20
"""Actions a game after each of which Undo is tried."""


def shown(table: Table) -> dict:
    """The report without the number that never goes down."""
    return {**report(table), "revision": None}


def followed(name: str, seed: int) -> None:
    evening = play_evening(name, seed)
    told = [said for kind, said in evening.told.events if kind == "act"]
    chosen = set(random.Random(seed).sample(range(len(told)), min(UNDONE, len(told))))
    table, stored, count = Table.empty(), [], 0
    for kind, said in evening.told.events:
        if kind == "show":
            found = report(table)
            assert {key: found[key] for key in said} == said, (name, seed, count)
            continue
        after = table.after(said)
        if after is not table:
            stored.append(said)
            if count in chosen and said["action"] not in ("undo", "start_game"):
                assert shown(after.after({"action": "undo"})) == shown(table), (name, seed, count)
        table, count = after, count + 1
    at_the_end(evening, table, stored)


def at_the_end(evening, table, stored) -> None:
    found = report(table)
    assert found["phase"] == "finished"
    assert found["scores"] == evening.sheet
    assert found["totals"] == evening.totals
    assert sorted(found["winners"]) == sorted(evening.winners)
    assert found["revision"] == len(stored)
    assert json.loads(json.dumps(found)) == found
    assert report(replay(json.loads(json.dumps(stored)))) == found
    assert [action.to_json() for action in table.actions()][0] == stored[-1]


@pytest.mark.parametrize("first", range(0, GAMES, PART))
@pytest.mark.parametrize("name", PRESETS)
def test_the_sheet_is_the_paper_sheet(name, first):
    for seed in range(first, min(first + PART, GAMES)):
        followed(name, seed)


def test_replaying_takes_time_in_proportion_to_the_actions():
    said = [{"action": "start_game", "players": ["Ann", "Bob"], "set": 9, "rules": "hub"}]
    said.append({"action": "open_round", "starter": "Ann"})
    turn = [{"action": "turn", "player": name} for name in ("Bob", "Ann")]
    tile = [{"action": "play", "train": "Ann", "tile": f"9-{n}"} for n in range(9)]
    mark = [{"action": name, "train": "Bob"} for name in ("mark", "unmark")]
    said += (turn + tile + mark) * 800
    took = []
    for count in (1_000, 10_000):
        begun = time.perf_counter()
        assert replay(said[:count]).revision == count
        took.append(time.perf_counter() - begun)
    assert took[1] < 30 * took[0] + 0.5, "ten times the actions, with slack for a busy machine"
