"""Every address, every method, every role: what each must answer, with and without what it needs.

A new address needs a row here, or the first test fails.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from companion.joining import HOST, PLAYER, ROLES, SPECTATOR
from companion.journal import Journal
from companion.keyfile import TableKey
from companion.photos import PhotoStore
from companion.web import WebSettings
from tests.visitor import HERE, OPEN as OPEN_ROUND, START, Place, Visitor

OPEN = None
"""Nobody needs to have joined."""

ROWS: list[tuple[str, str, str | None, int]] = [
    # method, address, the least role, and what that role is answered while a round is played; to
    # a form without any field but its token
    ("GET", "/", SPECTATOR, 200),
    ("POST", "/api/actions", PLAYER, 415),
    ("GET", "/api/lamps", SPECTATOR, 200),
    ("POST", "/api/read", PLAYER, 422),
    ("GET", "/api/table", SPECTATOR, 200),
    ("GET", "/best-train", PLAYER, 200),
    ("POST", "/best-train/photo", PLAYER, 422),
    ("GET", "/calibration", HOST, 404),
    ("POST", "/calibration", HOST, 404),
    ("GET", "/calibration/markers", HOST, 404),
    ("POST", "/calibration/markers", HOST, 404),
    ("GET", "/calibration/markers/<int:number>.jpg", HOST, 404),
    ("POST", "/calibration/markers/simulator", HOST, 404),
    ("GET", "/calibration/test", HOST, 404),
    ("POST", "/calibration/test", HOST, 404),
    ("GET", "/camera", PLAYER, 200),
    ("GET", "/camera.jpg", PLAYER, 404),
    ("POST", "/camera/retry", HOST, 404),
    ("GET", "/camera/seen", HOST, 404),
    ("POST", "/camera/seen", HOST, 422),
    ("GET", "/camera/seen/<name>.jpg", HOST, 404),
    ("POST", "/camera/simulator", HOST, 404),
    ("POST", "/camera/walk", HOST, 404),
    ("POST", "/ceremony", SPECTATOR, 422),
    ("GET", "/count", PLAYER, 200),
    ("POST", "/count", PLAYER, 422),
    ("GET", "/count/tiles", PLAYER, 200),
    ("GET", "/figures", SPECTATOR, 404),
    ("GET", "/games", SPECTATOR, 200),
    ("POST", "/games/<int(signed=True):kept>", PLAYER, 422),
    ("GET", "/games/<int(signed=True):kept>", SPECTATOR, 303),
    ("GET", "/games/<int(signed=True):kept>/<int:round_number>/<int:column>", PLAYER, 303),
    ("POST", "/games/<int(signed=True):kept>/<int:round_number>/<int:column>", PLAYER, 303),
    ("POST", "/games/<int(signed=True):kept>/delete", HOST, 400),
    ("GET", "/games/<int(signed=True):kept>/game.json", PLAYER, 200),
    ("GET", "/games/<int(signed=True):kept>/sheet.csv", PLAYER, 200),
    ("POST", "/games/<int(signed=True):kept>/undo", PLAYER, 400),
    ("GET", "/games/games.json", PLAYER, 200),
    ("GET", "/games/import", HOST, 200),
    ("POST", "/games/import", HOST, 422),
    ("GET", "/games/scores.csv", PLAYER, 200),
    ("GET", "/healthz", OPEN, 200),
    ("GET", "/hub.jpg", SPECTATOR, 404),
    ("GET", "/join", OPEN, 200),
    ("POST", "/join", OPEN, 422),
    ("GET", "/join/<token>", OPEN, 401),
    ("POST", "/language", OPEN, 422),
    ("GET", "/live", SPECTATOR, 200),
    ("GET", "/new", PLAYER, 200),
    ("POST", "/new", PLAYER, 200),
    ("GET", "/photo/<photo>", PLAYER, 422),
    ("GET", "/photo/<photo>.jpg", PLAYER, 422),
    ("GET", "/photo/<photo>/crop/<int:tile>", PLAYER, 422),
    ("POST", "/photo/<photo>/more", PLAYER, 422),
    ("POST", "/photo/<photo>/score", PLAYER, 422),
    ("POST", "/photo/<photo>/tiles", PLAYER, 422),
    ("GET", "/rules", SPECTATOR, 200),
    ("POST", "/rules", PLAYER, 422),
    ("POST", "/rules/remove", HOST, 303),
    ("POST", "/rules/save", HOST, 422),
    ("GET", "/score", PLAYER, 200),
    ("GET", "/score/<int:seat>", PLAYER, 200),
    ("POST", "/score/<int:seat>", PLAYER, 422),
    ("GET", "/score/<int:seat>/tiles", PLAYER, 200),
    ("POST", "/score/<int:seat>/tiles", PLAYER, 422),
    ("POST", "/score/block", PLAYER, 422),
    ("POST", "/score/close", PLAYER, 422),
    ("POST", "/score/out", PLAYER, 422),
    ("GET", "/seats", PLAYER, 200),
    ("POST", "/seats", PLAYER, 422),
    ("GET", "/settings", SPECTATOR, 200),
    ("POST", "/settings/best-train", HOST, 422),
    ("POST", "/settings/device", SPECTATOR, 422),
    ("POST", "/settings/key", HOST, 303),
    ("POST", "/settings/machine", HOST, 404),
    ("POST", "/settings/photos", HOST, 422),
    ("GET", "/sheet", SPECTATOR, 200),
    ("GET", "/sheet/<int:round_number>/<int:column>", PLAYER, 303),
    ("POST", "/sheet/<int:round_number>/<int:column>", PLAYER, 303),
    ("GET", "/sheet/chart", SPECTATOR, 200),
    ("POST", "/simulator", HOST, 404),
    ("GET", "/static/<path:filename>", OPEN, 200),
    ("GET", "/table", SPECTATOR, 200),
    ("POST", "/table", PLAYER, 422),
    ("POST", "/table/hub", PLAYER, 422),
    ("POST", "/table/hunt", PLAYER, 422),
    ("GET", "/tv", SPECTATOR, 200),
    ("POST", "/undo", PLAYER, 303),
]
CHANGING = {"/undo", "/settings/key", "/join/<token>"}
"""What these do would be seen by the other rows."""
FILLED = {
    **dict.fromkeys(("kept", "round_number", "column", "number", "tile", "seat"), "1"),
    **dict.fromkeys(("name", "photo", "token"), "x"),
    "filename": "base.css",
}
STRANGER = "stranger"


def address(rule: str) -> str:
    """An address of this rule."""
    return re.sub(r"<(?:\w+(?:\([^)]*\))?:)?(\w+)>", lambda found: FILLED[found[1]], rule)


class Table:
    """A table in the middle of a round, with a device of each role around it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.place = Place(folder, settings=WebSettings(secret="s", best_train=True))
        self.place.play(START, OPEN_ROUND)
        self.devices: dict[str, Visitor] = {role: self.place.visitor(role) for role in ROLES}
        self.devices[STRANGER] = self.place.stranger()
        self.tokens: dict[str, str] = {}

    def ask(self, who: str, method: str, path: str, *, token: bool = True, **headers: str) -> int:
        """The status of what this device is answered."""
        device = self.devices[who]
        fields = {"token": self.token(who)} if token and method == "POST" else None
        sent = {"base_url": HERE, "environ_overrides": device.environ, "buffered": False}
        answer: TestResponse = device.client.open(
            path,
            method=method,
            data=fields,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            **sent,
        )
        answer.close()
        return answer.status_code

    def token(self, who: str) -> str:
        if who not in self.tokens:
            page = self.devices[who].get("/join").text
            found = re.search(r'name="token" value="([^"]+)"', page)
            assert found
            self.tokens[who] = found[1]
        return self.tokens[who]


@pytest.fixture(scope="module")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("table"))
    yield table
    table.place.game.close()


@pytest.fixture
def table(everybody: Table, request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    own = request.getfixturevalue("row")[1] in CHANGING
    return Table(tmp_path / "own") if own else everybody


def refused(who: str, needed: str | None) -> int | None:
    """What a device is answered that may not; None for one that may."""
    if needed is None:
        return None
    if who == STRANGER:
        return 401
    return None if ROLES.index(who) >= ROLES.index(needed) else 403


def test_every_address_has_its_row(everybody: Table) -> None:
    there = {
        (method, rule.rule)
        for rule in everybody.place.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {(method, rule) for method, rule, _, _ in ROWS} == there


by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")


@by_row
def test_each_role_is_answered_as_the_row_says(row: Any, table: Table) -> None:
    method, rule, needed, status = row
    path = address(rule)
    for who in (STRANGER, *ROLES):
        assert table.ask(who, method, path) == (refused(who, needed) or status), who
        if method == "GET":
            assert table.ask(who, "HEAD", path) == (refused(who, needed) or status), who
    if needed is not None:
        assert table.ask(STRANGER, "OPTIONS", path) == 401


@by_row
def test_a_form_without_its_token_is_refused_whoever_sends_it(row: Any, table: Table) -> None:
    method, rule, needed, status = row
    if method == "GET":
        return
    answer = status if rule.startswith("/api/") else 400
    for who in (STRANGER, *ROLES):
        told = table.ask(who, method, address(rule), token=False)
        assert told == (refused(who, needed) or answer), who


@by_row
def test_what_another_site_makes_a_browser_send_is_refused(row: Any, table: Table) -> None:
    method, rule, needed, status = row
    path = address(rule)
    programs = rule.startswith("/api/") or rule == "/live"
    for who in (STRANGER, HOST):
        led = status if method == "GET" and not programs else 403
        hidden = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
        opened = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
        no = refused(who, needed)
        assert table.ask(who, method, path, Origin="http://evil.example") == (no or led), who
        assert table.ask(who, method, path, **opened) == (no or led), who
        assert table.ask(who, method, path, **hidden) == (no or 403), who
        assert table.ask(who, method, path, **{**hidden, "Sec_Fetch_Site": "same-site"}) == (
            no or 403
        ), who


@by_row
def test_nobody_is_answered_by_a_name_that_is_not_ours(row: Any, table: Table) -> None:
    method, rule, _, _ = row
    for who in (STRANGER, HOST):
        for name in ("evil.example", "localhost.evil.example:8000", "127.0.0.1@evil.example"):
            assert table.ask(who, method, address(rule), Host=name) == 421, (who, name)


def test_what_is_no_page_is_told_to_those_who_have_joined_only(everybody: Table) -> None:
    for who, known, wrong in ((STRANGER, 401, 401), (SPECTATOR, 404, 405), (HOST, 404, 405)):
        assert everybody.ask(who, "GET", "/nowhere") == known
        assert everybody.ask(who, "POST", "/nowhere") == known
        assert everybody.ask(who, "DELETE", "/table") == wrong


def test_a_stranger_learns_nothing_of_the_table(everybody: Table) -> None:
    stranger = everybody.place.stranger()
    for method, rule, needed, _ in ROWS:
        if method == "GET" and rule != "/static/<path:filename>":
            page = stranger.get(address(rule))
            assert not re.search("Red|Blue|12-12|data-revision|revision", page.text), rule
            if needed is not None and not (rule.startswith("/api/") or rule == "/live"):
                assert 'id="code"' in page.text, "the page to join by"
            elif needed is not None:
                assert list(page.json or {}) == ["error"]
    assert stranger.get("/healthz").json == {"ok": True}


def test_nothing_is_changed_by_opening_an_address(tmp_path: Path) -> None:
    """Neither in the database nor in any file, whatever stands behind the question mark."""
    place = Place(
        tmp_path,
        settings=WebSettings(secret="s", best_train=True),
        photos=PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "photos.db")),
        key=TableKey(tmp_path / "key"),
    )
    place.play(START, OPEN_ROUND)
    host = place.visitor(HOST)
    tempting = "act=mark&do=off&keep=round&sure=1&train=Red&key=new&name=x&best_train=on&forget=all"

    def everything() -> list[Any]:
        kept = place.journal.run("SELECT name FROM sqlite_master WHERE type = 'table'")
        rows = [place.journal.run(f"SELECT * FROM {name}") for (name,) in kept]
        files = sorted(str(path) for path in tmp_path.rglob("*"))
        return [rows, files, place.key.generation]

    before = everything()
    for method, rule, _, _ in ROWS:
        if method == "GET" and rule != "/live":
            host.get(f"{address(rule)}?{tempting}")
            host.client.head(f"{address(rule)}?{tempting}", base_url=HERE)
    assert everything() == before
    place.game.close()


# ---- what a role may not use is not shown --------------------------------------------------------


class Ways(HTMLParser):
    """Where the links and forms of a page lead, as (method, address)."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[tuple[str, str]] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        where = told.get("href") or told.get("xlink:href") or ""
        if tag == "form" and told.get("method") == "post":
            self.found.add(("POST", told.get("action") or ""))
        elif tag in ("a", "image", "img") and where.startswith(("/", "?")):
            self.found.add(("GET", where))


GO_OUT: dict[str, Any] = {"action": "go_out", "player": "Red"}
EVENING: list[list[dict[str, Any]]] = [
    [],
    [START],
    [OPEN_ROUND, {"action": "start_train", "player": "Blue"}, {"action": "mark", "train": "Blue"}],
    [{"action": "lay_double", "train": "Red", "value": 5, "player": "Red"}],
    [{"action": "cover", "train": "Red"}, GO_OUT, {"action": "hand", "player": "Blue", "pips": 9}],
    [{"action": "hand", "player": "Green", "pips": 4}, {"action": "close_round"}],
    [{"action": "finish_game"}],
    [{**START, "overrule": True}],
]


@pytest.mark.parametrize("role", [SPECTATOR, PLAYER])
def test_no_page_leads_where_its_reader_may_not_go(tmp_path: Path, role: str) -> None:
    place = Place(tmp_path, settings=WebSettings(secret="s", best_train=True, address=HERE))
    device = place.visitor(role)
    adapter = place.app.url_map.bind("localhost")
    needs = {(method, rule): needed for method, rule, needed, _ in ROWS}
    for actions in EVENING:
        place.play(*actions)
        pages = [address(rule) for method, rule, needed, _ in ROWS if method == "GET"]
        pages += ["/table?train=Red", "/table?next=1", "/rules?rules=hub", "/games/2"]
        for page in pages:
            if page.startswith(("/api", "/live", "/static", "/join")):
                continue
            answer = device.get(page)
            if answer.status_code != 200 or answer.mimetype != "text/html":
                continue
            for method, where in Ways(answer.text).found:
                target = where.partition("#")[0].partition("?")[0] or page.partition("?")[0]
                try:
                    rule, _ = adapter.match(target, method=method, return_rule=True)
                except HTTPException:
                    continue
                assert refused(role, needs[method, rule.rule]) is None, (page, method, where)
    place.game.close()
