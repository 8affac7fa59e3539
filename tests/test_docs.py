"""The docs are under test: commands, settings and examples in the README are true."""

import json
import re
import shlex
from pathlib import Path

import pytest

from companion.cli import main
from companion.config import SETTINGS
from companion.joining import ALL_BACK, ALL_TRIES, BACK, TRIES
from companion.replaying import replay_lines
from hardware.lights import DEFAULT_PINS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"`companion ([a-z][\w-]*)([^`]*)`", README)


def test_the_two_commands_are_there_and_can_be_run():
    commands = [block.strip() for language, block in BLOCKS if language == "sh"]
    assert commands == ["scripts/run", "scripts/test"]
    for command in commands:
        assert (ROOT / command).stat().st_mode & 0o111


def test_every_setting_is_in_the_readme_as_it_is():
    rows = re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? ?\| (.*?) ?\| (.*?) \|$", README, re.MULTILINE)
    assert rows == [(s.name, str(s.default), s.unit, s.help) for s in SETTINGS.values()]


@pytest.mark.parametrize("command, rest", COMMANDS)
def test_the_commands_in_the_readme_exist_with_their_flags(command, rest):
    assert command in main.commands
    flags = {flag for option in main.commands[command].params for flag in option.opts}
    for word in shlex.split(rest):
        assert not word.startswith("--") or word in flags | {"--help"}


def test_the_evening_in_the_readme_replays():
    (example,) = [block for language, block in BLOCKS if language == "json"]
    table = replay_lines(example.splitlines())
    assert "refused" not in table
    # Bob keeps 5-4 and 0-0: 9 + 50 = 59 by Hub rules
    assert table["scores"] == {"Ann": [0], "Bob": [59]}
    assert json.loads(example.splitlines()[0])["action"] == "start_game"


def test_the_pins_in_the_readme_are_the_pins():
    *seats, mexican = DEFAULT_PINS
    named = f"{', '.join(map(str, seats[:-1]))} and {seats[-1]}, the Mexican Train on {mexican}."
    assert f"seats 1 to {len(seats)} are on BCM {named}" in " ".join(README.split())


def test_the_changelog_names_this_version():
    version = re.search(r"^version = (.*)$", (ROOT / "setup.cfg").read_text(), re.MULTILINE)
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text()


def test_all_that_the_tests_want_installed_is_named() -> None:
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    wanted = " ".join(re.findall(r"sudo apt install ([a-z ]+)", script)).split()
    told = re.search(r"`sudo apt install (chromium[a-z ]*)`", README)
    assert told and sorted(told[1].split()) == sorted(wanted)


def test_after_how_many_wrong_codes_one_waits_is_told_as_it_is() -> None:
    words = {8: "eight", 60: "sixty"}
    told = " ".join(README.split())
    assert f"After {words[TRIES]} wrong codes an address has to wait" in told
    assert f"after {words[ALL_TRIES]} everybody does, up to {ALL_BACK:.0f} seconds" in told
    assert BACK == 60
