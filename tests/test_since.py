"""What somebody missed who tapped on a table that had gone on."""

import pytest

from companion.actions import parse_action
from companion.game import Game
from companion.journal import Journal
from companion.since import since

START = {"action": "start_game", "players": ["Red", "Blue"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round"}
RED = {"action": "mark", "train": "Red"}
BLUE = {"action": "mark", "train": "Blue"}
KNOCK = {"action": "knock", "player": "Red"}
UNDO = {"action": "undo"}

MISSED = [
    ([START, OPEN, RED], 3, [], []),
    ([START, OPEN, RED, BLUE], 2, [RED, BLUE], []),
    ([START, OPEN, RED, UNDO], 2, [], []),
    ([START, OPEN, RED, UNDO], 3, [], [RED]),
    ([START, OPEN, RED, UNDO, BLUE], 3, [BLUE], [RED]),
    ([START, OPEN, RED, BLUE, UNDO, UNDO, KNOCK], 4, [KNOCK], [RED, BLUE]),
    ([START, OPEN, RED, BLUE, UNDO, UNDO], 3, [], [RED]),
]


@pytest.mark.parametrize(("told", "seen", "done", "undone"), MISSED)
def test_what_stands_and_what_was_taken_back_is_told(told, seen, done, undone):
    missed = since(map(parse_action, told), seen)
    assert [each.to_json() for each in missed.done] == done
    assert [each.to_json() for each in missed.undone] == undone
    assert not missed.another


def test_of_another_game_only_what_was_done_in_it_is_told():
    missed = since(map(parse_action, [START, OPEN, RED, UNDO, START, OPEN]), 3)
    assert missed.another and not missed.undone
    assert [each.name for each in missed.done] == ["start_game", "open_round"]
    again = since(map(parse_action, [START, OPEN, START, OPEN, RED]), 4)
    assert not again.another and [each.name for each in again.done] == ["mark"]


def test_a_game_tells_what_came_after_a_revision(tmp_path):
    with Game(Journal.open(tmp_path / "journal.db")) as game:
        for action in (START, OPEN, RED, UNDO, BLUE):
            game.play(action)
        missed = game.since(3)
        assert [each["train"] for each in missed.done] == ["Blue"]
        assert [each["train"] for each in missed.undone] == ["Red"]
        assert game.since(5).done == ()
