"""The command line: what it prints, its exit status, and troubles as one sentence."""

import json

import pytest
from click.testing import CliRunner

from companion.cli import main


@pytest.fixture
def run():
    """Runs the companion with arguments and gives what it printed and its exit status."""
    return lambda *args: CliRunner().invoke(main, [str(arg) for arg in args])


def write(tmp_path, *lines):
    evening = tmp_path / "evening.jsonl"
    evening.write_text("\n".join(lines), encoding="utf-8")
    return evening


START = '{"action": "start_game", "players": ["Ann", "Bob"], "set": 9, "rules": "hub"}'


def test_replay_prints_the_table_as_json(run, tmp_path):
    done = run("replay", "--json", write(tmp_path, "# an evening", "", START))
    assert done.exit_code == 0
    assert json.loads(done.output)["game"]["players"] == ["Ann", "Bob"]


def test_replay_stops_at_the_first_refused_line_and_names_it(run, tmp_path):
    evening = write(
        tmp_path, "# an evening", START, "", '{"action": "mark", "train": "Ann"}', START
    )
    done = run("replay", evening, "--json")
    table = json.loads(done.output)
    assert done.exit_code == 1
    assert table["refused"] == {
        "line": 4,
        "why": "No round is open: open the next round first.",
    }
    assert table["revision"] == 1
    done = run("replay", evening)
    assert "Line 4 was refused: No round is open" in done.output
    assert "Double-9, hub rules, round 0." in done.output


@pytest.mark.parametrize(
    "line", ["nonsense", "[1]", "{", "[" * 100_000, '{"action": 1}', r'{"action": "\ud800"}']
)
def test_a_line_that_is_no_action_is_refused(run, tmp_path, line):
    done = run("replay", "--json", write(tmp_path, line))
    assert done.exit_code == 1
    assert json.loads(done.output)["refused"]["line"] == 1


def test_a_file_that_cannot_be_read_is_one_sentence(run, tmp_path):
    done = run("replay", tmp_path / "nowhere.jsonl")
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert "name a file of actions." in done.output


def test_a_line_that_is_no_text_is_refused_and_those_before_it_count(run, tmp_path):
    evening = tmp_path / "evening.jsonl"
    evening.write_bytes(b"\xef\xbb\xbf" + START.encode() + b"\r\n\xff\xfe\x00\x81\n")
    done = run("replay", "--json", evening)
    table = json.loads(done.output)
    assert (done.exit_code, table["revision"]) == (1, 1)
    assert table["refused"]["line"] == 2
    assert table["refused"]["why"] == "The line is no text in UTF-8: write the file anew."


def test_an_empty_evening_has_no_game(run, tmp_path):
    done = run("replay", write(tmp_path, ""))
    assert (done.exit_code, done.output) == (0, "No game has been started.\n")


def test_names_are_printed_as_they_are_written(run, tmp_path):
    evening = write(tmp_path, START.replace("Bob", "Žiga"))
    assert "Žiga" in run("replay", evening, "--json").output


def test_a_wrong_setting_is_one_sentence(run, tmp_path):
    done = run("serve", "--data", tmp_path, "--port", "many")
    assert done.exit_code == 1
    assert done.output == "Error: port in --port must be a whole number, not 'many'.\n"


def test_the_rule_card_follows_the_switches(run):
    card = run("rules", "--rules", "hub", "--switch", "double_blank=25").output
    assert card.startswith("Hub rules")
    assert "25" in card
    refused = run("rules", "--switch", "double_blank=7")
    assert (refused.exit_code, refused.output) == (
        1,
        "Error: double_blank cannot be 7: choose 0, 25 or 50.\n",
    )


def test_the_best_train(run):
    done = run("best-train", "--engine", "12-12", "--json", "12-5", "5-5", "3-4")
    assert json.loads(done.output) == {
        "train": ["12-5"],
        "left": ["3-4", "5-5"],
        "tiles": 1,
        "pips_left": 17,
        "exact": True,
    }
    assert json.loads(run("best-train", "--engine", "12-12", "--json", "12-5", "5-5").output) == {
        "train": ["12-5", "5-5"],
        "left": [],
        "tiles": 2,
        "pips_left": 0,
        "exact": True,
    }
    kind = run("best-train", "--engine", "12-12", "1-2")
    assert kind.exit_code == 0
    assert "12-12" in kind.output


def test_a_replay_for_people_names_the_leader_first(run, tmp_path):
    evening = write(
        tmp_path,
        START,
        '{"action": "open_round"}',
        '{"action": "mark", "train": "Ann"}',
        '{"action": "hand", "player": "Ann", "pips": 20}',
        '{"action": "go_out", "player": "Bob"}',
        '{"action": "close_round"}',
    )
    said = run("replay", evening).output
    assert said.index("1. Bob: 0") < said.index("2. Ann: 20")
    assert "Open trains" not in said, "the round is over"
