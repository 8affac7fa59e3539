"""Joining by link and by code, staying in, being thrown out; and who counts as this machine."""

import html
import http.client
import logging
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from companion.joining import ALL_TRIES, HOST, PLAYER, SPECTATOR, TRIES, Key, grouped
from companion.keyfile import TableKey
from companion.web import WebSettings, security, visitors
from tests.disks import filled, mounted
from tests.running import all_joined, eventually
from tests.served import Served
from tests.visitor import HERE, OPEN, START, Place, Visitor, sentences

MARK = {"action": "mark", "train": "Red"}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path, settings=WebSettings(secret="s", address=HERE))
    yield place
    place.game.close()


def type_code(device: Visitor, code: str, page: str = "/join") -> Any:
    """What this device is answered to a code, typed on this page."""
    shown = device.get(page).text
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown))
    assert fields["token"]
    return device.client.post(
        "/join",
        data={**{name: html.unescape(value) for name, value in fields.items()}, "code": code},
        base_url=HERE,
        environ_overrides=device.environ,
        headers={"Origin": HERE.rstrip("/")},
    )


def test_one_scan_and_a_phone_is_at_the_table(place: Place) -> None:
    place.play(START, OPEN)
    phone = place.stranger()
    assert phone.get("/table").status_code == 401
    page = place.visitor().get("/", base_url=HERE.replace("192.168.1.50", "localhost")).text
    assert grouped(place.key.code(PLAYER)) in page
    answer = phone.get(f"/join/{place.key.link(PLAYER)}")
    assert (answer.status_code, answer.location) == (303, "/table")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert phone.get("/table").status_code == 200
    assert phone.post("/table", {"act": "mark", "train": "Red"}).status_code == 303
    assert place.told["open_trains"] == ["Red"]


@pytest.mark.parametrize(
    ("role", "actions", "there"),
    [
        (PLAYER, [], "/"),
        (HOST, [START], "/table"),
        (SPECTATOR, [START], "/tv"),
        (SPECTATOR, [], "/tv"),
    ],
)
def test_whoever_joins_is_led_to_what_is_of_interest(
    place: Place, role: str, actions: list[dict[str, Any]], there: str
) -> None:
    place.play(*actions)
    assert place.stranger().get(f"/join/{place.key.link(role)}").location == there
    by_code = type_code(place.stranger(), grouped(place.key.code(role)).lower())
    assert (by_code.status_code, by_code.location) == (303, there)


def test_the_page_to_join_by_is_all_that_a_stranger_sees(place: Place) -> None:
    place.play(START, OPEN)
    stranger = place.stranger()
    for path in ("/", "/table", "/nowhere", "/settings", "/tv"):
        page = stranger.get(path)
        assert page.status_code == 401 and "Join the table" in sentences(page)
        assert "Red" not in page.text and "data-live" not in page.text
    assert stranger.get("/api/table").json == {"error": "Join the table first: its key is missing."}
    assert stranger.get("/live").status_code == 401


def test_a_wrong_code_is_said_so_and_too_many_have_to_wait(place: Place) -> None:
    stranger = place.stranger()
    for _ in range(TRIES):
        answer = type_code(stranger, "AAAAAA")
        assert answer.status_code == 422 and "That is not the code" in sentences(answer)
    right = type_code(stranger, place.key.code(PLAYER))
    assert right.status_code == 429 and int(right.headers["Retry-After"]) in range(1, 61)
    assert re.search("wait [0-9]+ seconds?, then try again", sentences(right))
    other = place.stranger("192.168.1.21")
    assert type_code(other, place.key.code(PLAYER)).status_code == 303


@pytest.mark.parametrize("number", ["192.168.1.20", "fd00::1"])
def test_a_right_link_opens_whatever_was_guessed(place: Place, number: str) -> None:
    place.play(START, OPEN)
    stranger = place.stranger(number)
    token = place.key.link(PLAYER)
    for _ in range(TRIES + 1):
        told = type_code(stranger, "AAAAAA").status_code
        assert stranger.get("/join/wrong").status_code == 401
        wrong = {"Authorization": "Bearer wrong"}
        assert stranger.get("/api/table", headers=wrong).status_code == 401
    assert told == 429
    for n in range(ALL_TRIES):
        type_code(place.stranger(f"10.0.{n}.1"), "AAAAAA")
    neighbour = place.stranger("fd00::2" if ":" in number else number)
    assert type_code(neighbour, place.key.code(PLAYER)).status_code == 429
    right = {"Authorization": f"Bearer {token}"}
    assert neighbour.get("/api/table", headers=right).status_code == 200
    assert neighbour.get(f"/join/{token}").status_code == 303
    assert neighbour.get("/table").status_code == 200


def test_wrong_tokens_of_a_program_close_no_code_to_the_browser_beside_it(place: Place) -> None:
    robot, phone = place.stranger(), place.stranger()
    for _ in range(2 * ALL_TRIES):
        wrong = {"Authorization": "Bearer nonsense"}
        assert robot.get("/api/table", headers=wrong).status_code == 401
        assert robot.get("/join/nonsense").status_code == 401
    assert type_code(phone, place.key.code(PLAYER)).status_code == 303


def test_a_program_elsewhere_sends_the_token_of_a_link(place: Place) -> None:
    place.play(START, OPEN)
    robot = place.stranger()

    def send(role: str) -> int:
        return robot.client.post(
            "/api/actions",
            json=MARK,
            base_url=HERE,
            environ_overrides=robot.environ,
            headers={"Authorization": f"Bearer {place.key.link(role)}"},
        ).status_code

    assert send(SPECTATOR) == 403 and place.told["open_trains"] == []
    assert send(PLAYER) == 200 and place.told["open_trains"] == ["Red"]
    headers = {"Authorization": f"Bearer {place.key.link(HOST)}"}
    assert robot.get("/settings", headers=headers).status_code == 401, "pages take none"


def test_a_device_that_joined_stays_joined_over_restarts(tmp_path: Path) -> None:
    first = Place(tmp_path, key=TableKey(tmp_path / "key"))
    cookie = first.stranger().get(f"/join/{first.key.link(PLAYER)}").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    assert f"Max-Age={365 * 24 * 3600}" in cookie, "the browser's clock counts, not ours"
    for secret in (first.key.master.hex(), first.key.link(PLAYER), first.key.code(PLAYER)):
        assert secret not in cookie
    first.game.close()
    again = Place(tmp_path, key=TableKey(tmp_path / "key"))
    phone = again.stranger()
    name, value = cookie.partition(";")[0].split("=", 1)
    phone.client.set_cookie(name, value, domain="192.168.1.50")
    assert phone.get("/").status_code == 200
    again.game.close()


def test_the_cookie_of_a_device_in_use_is_renewed_now_and_then(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = place.visitor(PLAYER)
    phone.get("/")
    assert "Set-Cookie" not in phone.get("/").headers
    later = visitors.today() + visitors.RENEWED
    monkeypatch.setattr(visitors, "today", lambda: later)
    assert "Max-Age=" in phone.get("/").headers["Set-Cookie"]
    assert "Set-Cookie" not in phone.get("/").headers
    assert security.A_YEAR.days == 365


@pytest.mark.parametrize("days", [-1 / 24, -1, -366, -9000, 366, 9000])
def test_a_clock_that_is_set_throws_nobody_out(
    place: Place, monkeypatch: pytest.MonkeyPatch, days: float
) -> None:
    phone = place.visitor(PLAYER)
    token = phone.token
    then = time.time() + days * 24 * 3600
    monkeypatch.setattr(time, "time", lambda: then)
    page = phone.get("/new")
    assert page.status_code == 200 and token in page.text
    assert ("Set-Cookie" in page.headers) == (abs(days) > visitors.RENEWED)
    assert "Set-Cookie" not in phone.get("/new").headers


def test_a_browser_that_is_told_to_join_keeps_its_cookie(place: Place) -> None:
    """The answer may overtake one that lets another page of the same browser in."""
    phone = place.visitor(PLAYER)
    place.app.extensions["companion"].door.keys.renew()
    for path in ("/", "/table", "/api/table", "/live"):
        answer = phone.get(path)
        assert answer.status_code == 401 and "Set-Cookie" not in answer.headers, path
    assert type_code(phone, place.key.code(PLAYER), "/table").status_code == 303
    assert "Set-Cookie" in place.stranger().get("/").headers, "who never joined has a form to send"


def test_who_may_more_already_stays_what_it_is(place: Place) -> None:
    host = place.visitor(HOST)
    assert host.get(f"/join/{place.key.link(SPECTATOR)}").status_code == 303
    assert 'id="key-new"' in host.get("/settings").text
    tv = place.visitor(SPECTATOR)
    tv.get(f"/join/{place.key.link(PLAYER)}")
    assert tv.get("/new").status_code == 200


def test_a_forged_cookie_lets_nobody_in(place: Place) -> None:
    eve = place.stranger()
    name = security.cookie_name("s")
    for value in ("x", "eyJyb2xlIjoiaG9zdCJ9.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb", "." * 2000):
        eve.client.set_cookie(name, value, domain="192.168.1.50")
        assert eve.get("/").status_code == 401


def test_a_new_key_throws_everybody_else_out(place: Place) -> None:
    host, phone, robot = place.visitor(HOST), place.visitor(PLAYER), place.stranger()
    before = place.key
    page = host.get("/settings?key=new")
    assert "Every device but this one then has to join anew." in sentences(page)
    assert place.key == before
    answer = host.post("/settings/key")
    assert (answer.status_code, answer.location) == (303, "/settings#key")
    assert place.key != before
    assert host.get("/settings").status_code == 200
    assert phone.get("/").status_code == 401
    old = phone.get(f"/join/{before.link(PLAYER)}")
    assert old.status_code == 401 and "scan the code that is shown now" in sentences(old)
    assert old.headers["Referrer-Policy"] == "origin", "its form comes from somewhere"
    headers = {"Authorization": f"Bearer {before.link(PLAYER)}"}
    assert robot.get("/api/table", headers=headers).status_code == 401
    assert place.visitor().get("/settings").status_code == 200, "this machine needs no key"


# ---- a new key, while others ask -----------------------------------------------------------------


def renewing(device: Visitor) -> dict[str, str]:
    """The fields of the form by which this device asks for a new key."""
    form = device.get("/settings?key=new").text.partition('id="key-ask"')[2].partition("</form>")[0]
    return dict(re.findall(r'name="(\w+)" value="([^"]+)"', form))


def cookie_of(device: Visitor) -> str:
    """What this browser's cookie says, sealed."""
    kept = device.client.get_cookie(security.cookie_name("s"), domain="192.168.1.50")
    assert kept is not None
    return kept.value


def with_cookie(place: Place, value: str) -> Visitor:
    """A browser with this cookie."""
    device = place.stranger()
    device.client.set_cookie(security.cookie_name("s"), value, domain="192.168.1.50")
    return device


def ask_anew(device: Visitor, fields: dict[str, str]) -> int:
    """The status of what this device is answered that asks for a new key."""
    return device.client.post(
        "/settings/key", data=fields, base_url=HERE, environ_overrides=device.environ
    ).status_code


@pytest.mark.parametrize("way", ["link", "code", "live", "renew"])
def test_whoever_shows_the_old_key_while_a_new_one_is_made_is_not_given_that(
    place: Place, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The new key is made right after the old one was looked at."""
    place.play(START, OPEN)
    device = place.visitor(HOST)
    keys, old = place.app.extensions["companion"].door.keys, place.key
    type_code(device, "")  # so that the code's own page was opened already
    fields = renewing(device)

    def late(key: Key, told: str) -> str | None:
        keys.renew()
        return opened(key, told)

    if way in ("link", "code"):
        opened = getattr(Key, f"opened_by_{way}")
        monkeypatch.setattr(Key, f"opened_by_{way}", late)
        stranger = place.stranger()
        if way == "link":
            stranger.get(f"/join/{old.link(HOST)}")
        else:
            type_code(stranger, old.code(HOST))
        monkeypatch.undo()
        assert place.key != old
        assert stranger.get("/table").status_code == 401
    else:
        real = visitors.joined
        monkeypatch.setattr(visitors, "joined", lambda: (real(), keys.renew())[0])
        if way == "live":
            stream = device.get("/live", buffered=False)
            assert stream.status_code == 200
            lines = list(stream.response)
            assert len(lines) == 1, "it ends at once"
        else:
            assert ask_anew(device, fields) == 401
        monkeypatch.undo()
        assert device.get("/table").status_code == 401


def test_a_host_whose_new_key_did_not_arrive_asks_again_and_stays(place: Place) -> None:
    host = place.visitor(HOST)
    fields, old = renewing(host), cookie_of(host)
    lost = with_cookie(place, old)
    assert ask_anew(lost, fields) == 303
    made = place.key
    assert ask_anew(host, fields) == 303, "its own cookie is still the one of before"
    assert place.key == made, "and one new key was made, not two"
    assert host.get("/settings").status_code == 200
    assert ask_anew(host, fields) == 303 and place.key == made, "a click too many, with the new one"
    assert ask_anew(host, renewing(host)) == 303 and place.key != made, "asked for once more"


def test_two_tabs_that_ask_for_a_new_key_at_once_both_stay(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = place.visitor(HOST)
    one, other, cookie = renewing(host), renewing(host), cookie_of(host)
    assert one["once"] != other["once"] and one["token"] == other["token"]
    tabs = [with_cookie(place, cookie) for _ in range(2)]
    checked = threading.Barrier(2)
    door = place.app.extensions["companion"].door
    renew = door.renew

    def together(*told: str) -> Key | None:
        checked.wait(20)
        made: Key | None = renew(*told)
        return made

    monkeypatch.setattr(door, "renew", together)
    told: list[int] = []
    threads = [
        threading.Thread(target=lambda tab=tab, own=own: told.append(ask_anew(tab, own)))
        for tab, own in zip(tabs, (one, other), strict=True)
    ]
    for thread in threads:
        thread.start()
    all_joined(threads)
    assert told == [303, 303]
    assert [tab.get("/settings").status_code for tab in tabs] == [200, 200]


def test_nobody_else_with_the_old_key_comes_in_by_the_new_one(place: Place) -> None:
    host, other, phone = place.visitor(HOST), place.visitor(HOST), place.visitor(PLAYER)
    fields, others, cookie = renewing(host), renewing(other), cookie_of(host)
    phones = {**fields, "token": phone.token}
    thief = with_cookie(place, cookie)
    guess = renewing(thief)
    assert ask_anew(host, fields) == 303
    made = place.key
    assert ask_anew(other, others) == 401
    assert ask_anew(other, {**others, "once": fields["once"]}) == 401
    assert ask_anew(phone, phones) == 401
    assert ask_anew(thief, guess) == 401, "the cookie alone is not enough"
    assert ask_anew(thief, {"token": fields["token"]}) == 401
    assert ask_anew(thief, {**fields, "once": ""}) == 401
    for device in (other, phone, thief):
        assert device.get("/table").status_code == 401
        assert device.get("/settings").status_code == 401, "the tap opens that one address alone"
    assert place.key == made
    place.app.extensions["companion"].door.keys.renew()
    assert ask_anew(thief, fields) == 401, "nor is a key that was made since given away"


def test_the_second_try_is_over_after_a_while(place: Place) -> None:
    door: visitors.Door = place.app.extensions["companion"].door
    host = place.visitor(HOST)
    fields, lost = renewing(host), with_cookie(place, cookie_of(host))
    assert ask_anew(lost, fields) == 303
    began = time.monotonic()
    door._clock = lambda: began + visitors.AGAIN + 1
    assert ask_anew(host, fields) == 401


def test_a_form_that_is_far_too_large_is_no_second_try(place: Place) -> None:
    host = place.visitor(HOST)
    fields, lost = renewing(host), with_cookie(place, cookie_of(host))
    assert ask_anew(lost, fields) == 303
    assert ask_anew(host, {**fields, "much": "x" * 30_000_000}) in (401, 413)


@pytest.mark.parametrize("gone", [False, True], ids=["full", "gone"])
def test_where_no_new_key_can_be_written_a_sentence_says_so(tmp_path: Path, gone: bool) -> None:
    with mounted(tmp_path / "disk") as disk:
        (disk / "own").mkdir()
        settings = WebSettings(secret="s", address=HERE)
        place = Place(tmp_path, settings=settings, key=TableKey(disk / "own" / "key"))
        before = place.key
        host, phone = place.visitor(HOST), place.visitor(PLAYER)
        fields = renewing(host)
        stone = None if gone else filled(disk)
        if gone:
            shutil.rmtree(disk / "own")
        answer = host.post("/settings/key", fields)
        said = "the folder is missing" if gone else "because the disk is full: free some space"
        assert answer.status_code == 503 and said in sentences(answer)
        assert place.key == before
        assert host.get("/settings").status_code == phone.get("/new").status_code == 200
        if gone:
            (disk / "own").mkdir()
        elif stone:
            stone.unlink()
        assert host.post("/settings/key", fields).status_code == 303
        assert place.key != before and phone.get("/new").status_code == 401
        place.game.close()


# ---- back to where one was -----------------------------------------------------------------------


def test_whoever_joins_anew_is_led_back_to_the_page_that_was_open(place: Place) -> None:
    place.play(START, OPEN)
    code = place.key.code(PLAYER)
    for page, there in (
        ("/sheet", "/sheet"),
        ("/score/1?x=1&y=2", "/score/1?x=1&y=2"),
        ("/join?next=%2Fscore%2F1", "/score/1"),
        ("/", "/table"),
        ("/nowhere", "/table"),
        ("/api/table", "/table"),
    ):
        device = place.stranger()
        if page.startswith("/api"):
            page = f"/join?next={page}"
        assert type_code(device, code, page).location == there, page
    device = place.stranger()
    wrong = type_code(device, "AAAAAA", "/sheet")
    assert wrong.status_code == 422 and 'name="next" value="/sheet"' in wrong.text
    sent = place.visitor(PLAYER)
    place.app.extensions["companion"].door.keys.renew()
    cut = sent.client.post(
        "/table",
        data={"act": "mark"},
        base_url=HERE,
        environ_overrides=sent.environ,
        headers={"Referer": f"{HERE}score/1"},
    )
    assert cut.status_code == 401 and 'name="next" value="/score/1"' in cut.text


def test_a_role_is_not_led_where_it_may_not_go(place: Place) -> None:
    place.play(START, OPEN)
    for role, there, led in (
        (SPECTATOR, "/score/1", "/tv"),
        (SPECTATOR, "/sheet", "/sheet"),
        (PLAYER, "/games/import", "/table"),
        (HOST, "/games/import", "/games/import"),
    ):
        code = place.key.code(role)
        assert type_code(place.stranger(), code, f"/join?next={there}").location == led


@pytest.mark.parametrize(
    "there",
    [
        "//evil.example/sheet",
        "/\\evil.example/sheet",
        "\\\\evil.example",
        "http://evil.example/sheet",
        "https:sheet",
        "javascript:alert(1)",
        "sheet",
        "/\t/evil.example",
        "/sheet\r\nSet-Cookie: a=b",
        " /sheet",
        "/sheet@evil.example",
        "/join/x",
        "/healthz",
        "/live",
        "/static/base.css",
        "/games/1/delete",
        "/sheet?" + "x" * 1000,
        "/..//evil.example",
        "",
    ],
)
def test_nobody_is_led_elsewhere(place: Place, there: str) -> None:
    place.play(START, OPEN)
    page = f"/join?next={quote(there, safe='')}"
    device = place.stranger()
    assert 'name="next"' not in device.get(page).text
    token = re.search(r'name="token" value="([^"]+)"', device.get("/join").text)
    assert token
    answer = device.client.post(
        "/join",
        data={"token": token[1], "code": place.key.code(PLAYER), "next": there},
        base_url=HERE,
        environ_overrides=device.environ,
    )
    assert (answer.status_code, answer.location) == (303, "/table")


@pytest.mark.parametrize("role", [PLAYER, SPECTATOR])
def test_only_a_host_is_shown_every_code(place: Place, role: str) -> None:
    codes = {each: grouped(place.key.code(each)) for each in (HOST, PLAYER, SPECTATOR)}
    page = place.visitor(HOST).get("/settings").text
    assert all(code in page for code in codes.values()) and page.count('class="qr"') == 3
    device = place.visitor(role)
    for path in ("/settings", "/settings?key=new", "/", "/tv"):
        page = device.get(path).text
        shown = {each for each, code in codes.items() if code in page}
        joining = {PLAYER, SPECTATOR} if path == "/" else {PLAYER}
        assert shown <= (joining if role == PLAYER else set()), path
        assert ('class="qr"' in page) == (role == PLAYER and path in ("/", "/tv")), path
        assert 'id="key-yes"' not in page
    assert device.post("/settings/key").status_code == 403


@pytest.mark.parametrize("role", [None, HOST, PLAYER])
def test_the_first_page_tells_the_televisions_own_code(place: Place, role: str | None) -> None:
    said = sentences(place.visitor(role).get("/"))
    codes = {each: grouped(place.key.code(each)) for each in (PLAYER, SPECTATOR)}
    assert f"Code: {codes[PLAYER]}" in said
    assert f"On the television: {HERE}tv Code: {codes[SPECTATOR]}" in said


# ---- from one role to another, and out -----------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "page", "may"),
    [(SPECTATOR, "/score/1", PLAYER), (SPECTATOR, "/new", HOST), (PLAYER, "/games/import", HOST)],
)
def test_whoever_may_not_is_led_to_where_it_may_become_more(
    place: Place, role: str, page: str, may: str
) -> None:
    place.play(START, OPEN)
    device = place.visitor(role)
    refused = device.get(page)
    assert refused.status_code == 403
    way = re.search(r'href="([^"]+)" id="refused-join"', refused.text)
    assert way
    there = html.unescape(way[1])
    assert type_code(device, place.key.code(may), there).location == page
    answer = device.get(page)
    assert answer.status_code != 403 and 'id="refused-join"' not in answer.text
    assert 'id="refused-join"' not in device.get("/nowhere").text


def test_the_door_says_what_this_device_is_already(place: Place) -> None:
    for role, words in (
        (HOST, "This device is a host."),
        (PLAYER, "This device is a player."),
        (SPECTATOR, "This device only watches."),
    ):
        page = place.visitor(role).get("/join")
        assert words in sentences(page) and 'id="home"' in page.text
    page = place.stranger().get("/join")
    assert "This device is" not in sentences(page) and 'id="home"' not in page.text


@pytest.mark.parametrize("role", [PLAYER, SPECTATOR])
def test_the_settings_say_who_chooses_for_the_table(place: Place, role: str) -> None:
    page = place.visitor(role).get("/settings")
    assert "A host chooses for the table" in sentences(page) and 'id="to-join"' in page.text
    assert 'id="table-of-host"' not in place.visitor(HOST).get("/settings").text


def test_a_device_that_a_new_key_threw_out_is_told_so(place: Place) -> None:
    words = "The table has a new key: join it again."
    phone = place.visitor(PLAYER)
    for device in (phone, place.stranger()):
        assert words not in sentences(device.get("/join"))
    place.app.extensions["companion"].door.keys.renew()
    for path in ("/join", "/table", "/"):
        assert words in sentences(phone.get(path)), path
    assert "That is not the code" in sentences(type_code(phone, "AAAAAA"))
    assert words not in sentences(place.stranger().get("/table"))
    type_code(phone, place.key.code(PLAYER))
    assert words not in sentences(phone.get("/join"))


# ---- this machine itself -------------------------------------------------------------------------

LOOPBACK = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.mark.parametrize("number", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_this_machine_itself_is_host_without_a_key(place: Place, number: str, host: str) -> None:
    device = Visitor(place, {"REMOTE_ADDR": number}, f"http://{host}/")
    assert 'id="key-new"' in device.get("/settings").text


@pytest.mark.parametrize(
    ("environ", "host"),
    [
        ({"REMOTE_ADDR": "192.168.1.20"}, "localhost:8000"),
        ({"REMOTE_ADDR": ""}, "localhost"),
        ({"REMOTE_ADDR": "fe80::1%eth0"}, "localhost"),
        (LOOPBACK, "192.168.1.50:8000"),
        ({**LOOPBACK, "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, "localhost"),
        ({**LOOPBACK, "HTTP_FORWARDED": "for=127.0.0.1"}, "localhost"),
        ({**LOOPBACK, "HTTP_X_REAL_IP": "127.0.0.1"}, "localhost"),
        ({**LOOPBACK, "HTTP_VIA": "1.1 proxy"}, "localhost"),
    ],
)
def test_what_comes_from_elsewhere_is_not(place: Place, environ: dict[str, str], host: str) -> None:
    assert Visitor(place, environ, f"http://{host}/").get("/settings").status_code == 401


def test_behind_a_proxy_each_device_has_its_own_guesses_and_links_are_encrypted(
    tmp_path: Path,
) -> None:
    names = frozenset({"localhost", "table.example"})
    settings = WebSettings(secret="s", address="http://127.0.0.1:8000/", names=names)
    place = Place(tmp_path, settings=settings)

    def device(number: str) -> Visitor:
        # what a liar sent stands before what the proxy itself saw
        sent = {"HTTP_X_FORWARDED_FOR": f"10.9.8.7, {number}", "HTTP_X_FORWARDED_PROTO": "https"}
        return Visitor(place, {**LOOPBACK, **sent}, "http://table.example/")

    def guess(number: str) -> int:
        far = device(number)
        token = re.search(r'name="token" value="([^"]+)"', far.get("/join").text)
        assert token
        fields = {"token": token[1], "code": "AAAAAA"}
        return far.client.post(
            "/join", data=fields, base_url=far.host, environ_overrides=far.environ
        ).status_code

    for _ in range(TRIES):
        assert guess("203.0.113.5") == 422
    assert guess("203.0.113.5") == 429
    assert guess("203.0.113.6") == 422
    phone = device("203.0.113.6")
    answer = phone.get(f"/join/{place.key.link(PLAYER)}")
    assert answer.status_code == 303 and "Secure" in answer.headers["Set-Cookie"]
    place.game.close()


def test_the_opener_is_cut_off_only_where_browsers_heed_it(place: Place) -> None:
    """Elsewhere they say on every page that they do not."""
    name, proxied = "Cross-Origin-Opener-Policy", {"HTTP_X_FORWARDED_FOR": "203.0.113.6"}
    for environ, host, told in (
        (LOOPBACK, "http://localhost:8000/", "same-origin"),
        ({"REMOTE_ADDR": "192.168.1.20"}, HERE, None),
        ({**LOOPBACK, **proxied, "HTTP_X_FORWARDED_PROTO": "https"}, HERE, "same-origin"),
        ({**LOOPBACK, **proxied}, HERE, None),
    ):
        assert Visitor(place, environ, host).get("/join").headers.get(name) == told, environ


# ---- over a real socket --------------------------------------------------------------------------


class Server(Served):
    """The application served to the whole network."""

    def ask(self, path: str, **headers: str) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        line.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        return line.getresponse()


@pytest.fixture
def server(place: Place) -> Iterator[Server]:
    place.play(START, OPEN)
    with Server(place) as served:
        yield served


def test_a_proxy_is_seen_as_one_through_the_real_server(server: Server) -> None:
    """waitress takes such headers away unless it is told not to."""
    assert server.ask("/settings").status == 200
    for name in ("X_Forwarded_For", "Forwarded", "X_Forwarded_Proto", "X_Real_Ip", "Via"):
        assert server.ask("/settings", **{name: "198.51.100.7"}).status == 401, name


def test_a_new_key_ends_the_streams_of_those_it_throws_out(server: Server) -> None:
    place = server.place
    bearer = {"Authorization": f"Bearer {place.key.link(PLAYER)}", "X_Forwarded_For": "10.0.0.9"}
    theirs, own = server.ask("/live", **bearer), server.ask("/live")
    assert theirs.status == own.status == 200
    streams = place.app.extensions["companion"].streams
    assert eventually(lambda: streams.open == 2)
    place.app.extensions["companion"].door.keys.renew()
    assert eventually(lambda: streams.open == 1), "theirs ends, this machine's goes on"
    theirs.read()
    place.play(MARK)
    seen = b""
    while b'"revision": 3' not in seen:
        seen = own.fp.readline()
        assert seen
    assert server.ask("/live", **bearer).status == 401


def test_no_log_names_a_token(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    token = server.place.key.link(PLAYER)

    def fail(role: str) -> None:
        raise RuntimeError("the disk is full")

    server.place.app.view_functions["joining.link"] = lambda token: fail(token)
    assert server.ask(f"/join/{token}", X_Forwarded_For="10.0.0.9").status == 500
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as gone:
        gone.sendall(f"GET /join/{token} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert server.ask(f"/join/{token}%00/x").status in (401, 404)
    assert "Exception on /join/… [GET]" in caplog.text
    assert token not in caplog.text


def test_a_locked_door_is_the_same_for_all_threads(place: Place) -> None:
    door: visitors.Door = place.app.extensions["companion"].door
    answers: list[str] = []

    def guess() -> None:
        for _ in range(TRIES):
            try:
                answers.append(str(door.by_code(place.key, "AAAAAA", "10.0.0.1")))
            except visitors.Locked:
                answers.append("locked")

    threads = [threading.Thread(target=guess) for _ in range(6)]
    for thread in threads:
        thread.start()
    all_joined(threads)
    assert answers.count("None") == TRIES
