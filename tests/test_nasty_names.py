"""Names of players are text everywhere: on pages and drawings, in files, logs and the terminal."""

import csv
import io
import json
import logging
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.errors import NotAnAction
from companion.actions import parse_action
from companion.plain import OneLine, plain
from companion.report import report
from hardware.lights import TrainLights
from tests.fuzzing import House, opened

NAMES = [
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "'><img src=x onerror=a()>",
    "{{ 7*7 }}{% raw %}",
    '=HYPERLINK("//x";"y")',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1",
    "@SUM(1)",
    "%s %(n)s %% %d",
    "../../etc/passwd",
    "&lt;b&gt; &#60;",
    "$(reboot) `id`; rm",
    "%0d%0aSet-Cookie: a",
]
"""Each can be a name: nothing in it turns or hides a line."""
REFUSED = ["a\x1b[2Jb", "a\x9b31mb", "\u202egnp", "a\x00b", "\x7f", "a\u2066b", "\ud800", "\u200b"]


class Markup(HTMLParser):
    """What of a page is markup, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(told)
        self.addresses += [told[name] or "" for name in ("href", "src", "action") if name in told]
        if tag == "script":
            assert told.get("src", "").startswith("/static/"), told

    def handle_data(self, data: str) -> None:
        self.text += data


def evening(here: House) -> None:
    """A finished game and one in its second round, of all these people."""
    start: dict[str, Any] = {"action": "start_game", "players": NAMES, "set": 12, "rules": "hub"}
    hands = [{"action": "hand", "player": name, "pips": n} for n, name in enumerate(NAMES)]
    told = [{"action": "open_round"}, *hands, {"action": "close_round"}]
    marks = [{"action": "start_train", "player": name} for name in NAMES]
    marks += [{"action": "mark", "train": name} for name in NAMES]
    marks += [{"action": "lay_double", "train": NAMES[0], "value": 7, "player": NAMES[1]}]
    for said in [*told, {"action": "finish_game"}]:
        here.game.play({**start, "overrule": True}) if said is told[0] else None
        here.game.play(said)
    again = [{**start, "overrule": True}, *told, {"action": "open_round"}, *marks]
    for said in [*again, {"action": "turn", "player": NAMES[2]}]:
        here.game.play(said)


def test_on_every_page_and_drawing(tmp_path: Path) -> None:
    with opened(tmp_path) as here:
        evening(here)
        shown = ""
        for address in here.addresses():
            answer = here.client.get(address)
            if answer.mimetype != "text/html":
                continue
            page = Markup(answer.text)
            assert not [each for each in page.attributes if each.startswith("on")], address
            assert not page.tags & {"iframe", "object", "embed"}, address
            for place in page.addresses:
                assert re.match(r"/|#|\?|https://app\.bgstatsapp\.com/|data:image|$", place), place
            shown += page.text
        for name in NAMES:
            assert name in shown, f"{name} is shown as it is"


def test_in_files_and_their_names(tmp_path: Path) -> None:
    with opened(tmp_path) as here:
        evening(here)
        for address in ("/games/scores.csv", "/games/1/sheet.csv", "/games/2/sheet.csv"):
            answer = here.client.get(address)
            assert re.fullmatch(
                r'attachment; filename="[a-z0-9-]+\.csv"', answer.headers["Content-Disposition"]
            )
            rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))
            cells = {cell for row in rows for cell in row if not re.fullmatch(r"-?\d*", cell)}
            assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@\t\r")]
            assert {name for name in NAMES if {name, f"'{name}"} & cells} == set(NAMES)
        for address in ("/games/games.json", "/games/1/game.json"):
            answer = here.client.get(address)
            assert answer.headers["Content-Disposition"].isascii()
            told = json.loads(answer.data)["games"][0]["actions"][0]["players"]
            assert told == NAMES
        assert set(here.client.get("/api/table").json["totals"]) == set(NAMES)


def test_of_the_lamps(tmp_path: Path) -> None:
    with opened(tmp_path) as here, TrainLights(tuple(range(4, 14)), "none") as lights:
        evening(here)
        lights.show(report(here.game.table))
        trains = [lamp["train"] for lamp in lights.lamps(here.game.table.revision)]
        assert trains[: len(NAMES)] == NAMES[: len(trains) - 1] or set(trains) <= {
            *NAMES,
            "mexican",
        }


@pytest.mark.parametrize("name", REFUSED)
def test_what_turns_or_hides_a_line_is_no_name(name: str) -> None:
    for said in (
        {"action": "start_game", "players": ["Ann", name], "set": 12, "rules": "hub"},
        {"action": "rename", "player": "Ann", "name": name},
        {"action": "add_player", "name": name, "past": "zero"},
    ):
        with pytest.raises(NotAnAction):
            parse_action(said)


CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("as_json", [False, True])
def test_in_the_terminal(tmp_path: Path, as_json: bool) -> None:
    lines = [
        {"action": "start_game", "players": NAMES, "set": 12, "rules": "hub", "overrule": True},
        {"action": "\x9b2Jgone\x1b[2J\u202e"},
    ]
    (tmp_path / "evening").write_text("\n".join(map(json.dumps, lines)))
    flags = ["--json"] if as_json else []
    said = CliRunner().invoke(main, ["replay", *flags, str(tmp_path / "evening")]).output
    assert not CONTROL.search(said) and "gone" in said
    assert all(name in said for name in NAMES if '"' not in name)
    if as_json:
        assert list(json.loads(said)["totals"]) == NAMES
        assert "\x1b[2J" in json.loads(said)["refused"]["why"], "it is the same to a program"
    for command in (["read", "\x1b[2J.jpg"], ["replay", "\x1b[2J"], ["restore", "\x1b[2J"]):
        told = CliRunner().invoke(
            main, [*command, *(["--data", str(tmp_path)] * ("restore" in command))]
        )
        assert told.exit_code and not CONTROL.search(told.output), told.output


def test_in_the_log() -> None:
    line = OneLine("%(levelname)s %(message)s")

    def told(words: str, broke: Any = None) -> str:
        return line.format(logging.LogRecord("a", 30, "b", 1, "%s", (words,), broke))

    assert told("Ann\nERROR feigned\r\x1b[2J") == (
        "WARNING Ann\\u000aERROR feigned\\u000d\\u001b[2J"
    )
    try:
        raise ValueError("a\x1b[2Jb")
    except ValueError as error:
        broken = told("it broke", (ValueError, error, error.__traceback__))
    assert "\x1b" not in broken and broken.count("\n") > 2
    assert plain("two\nlines\t%") == "two\nlines\t%"


def test_the_log_of_the_companion_is_written_so(tmp_path: Path) -> None:
    before = list(logging.getLogger().handlers)
    try:
        for handler in before:
            logging.getLogger().removeHandler(handler)
        CliRunner().invoke(main, ["rules"])
        assert [type(each.formatter) for each in logging.getLogger().handlers] == [OneLine]
    finally:
        logging.getLogger().handlers[:] = before
