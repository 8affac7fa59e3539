"""Devices from elsewhere: one scan and a phone is at the table, a television types its code, and a
new key throws them out at once."""

import re
from collections.abc import Callable, Iterator

import pytest
from conftest import PHONE, PLAIN, TABLET, devices
from playwright.sync_api import Browser, Page, Route, expect

from companion.joining import HOST, PLAYER, SPECTATOR, grouped
from companion.keyfile import TableKey
from tests.running import Companion, eventually

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}
"""By this a device of this machine counts as one behind a proxy, so as any other."""

Far = Callable[..., Page]


@pytest.fixture
def far(browser: Browser, companion: Companion) -> Iterator[Far]:
    """Opens a page on a device that is not this machine. Errors on it fail the test."""
    with devices(browser, companion, extra_http_headers=ELSEWHERE) as (open_page, complaints):
        yield open_page
    assert not [said for said in complaints if "status of 401" not in said]


@pytest.fixture
def key(companion: Companion) -> TableKey:
    return TableKey(companion.data / "key")


def scored(companion: Companion, player: str) -> int | None:
    """The points of this player's hand; None while there is none."""
    hands = companion.get("/api/table")["hands"]
    return hands[player]["points"] if player in hands else None


def test_one_scan_and_a_phone_is_at_the_table_and_stays(
    companion: Companion, far: Far, key: TableKey
) -> None:
    companion.play(START, OPEN)
    phone = far(f"/join/{key.key.link(PLAYER)}", **PHONE)
    expect(phone).to_have_url(f"{companion.address}/table")
    phone.click("#mark-2")
    expect(phone.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    companion.play({"action": "unmark", "train": "Bob"})
    expect(phone.locator("#mark-2")).to_have_attribute("aria-checked", "false")
    phone.go_back()
    assert "join" not in phone.evaluate("document.referrer")
    companion.stop()
    companion.start()
    phone.goto("/table")
    expect(phone.locator("#mark-2")).to_be_visible()


@pytest.mark.parametrize("kind", [TABLET, PLAIN], ids=["tablet", "plain"])
def test_a_television_types_the_short_code_and_can_only_look_on(
    companion: Companion, far: Far, key: TableKey, kind: dict[str, object]
) -> None:
    companion.play(START, OPEN)
    screen = far("/tv", **kind)
    expect(screen.locator("h1")).to_have_text("Join the table")
    screen.fill("#code", "aaaaaa")
    screen.click("#enter")
    expect(screen.locator("#refusal")).to_contain_text("That is not the code")
    screen.fill("#code", grouped(key.key.code(SPECTATOR)).lower())
    screen.keyboard.press("Enter")
    expect(screen).to_have_url(f"{companion.address}/tv")
    screen.goto("/table")
    expect(screen.locator("#trains")).to_contain_text("Bob")
    expect(screen.locator("form[action='/table'], #foot, #undo")).to_have_count(0)
    if kind is TABLET:
        companion.play({"action": "mark", "train": "Bob"})
        expect(screen.locator("#row-2")).to_contain_text("Open")


def test_a_new_key_throws_the_others_out_at_once(
    companion: Companion, far: Far, key: TableKey
) -> None:
    companion.play(START, OPEN)
    host = far(f"/join/{key.key.link(HOST)}", **TABLET)
    phone = far(f"/join/{key.key.link(PLAYER)}", **PHONE)
    expect(phone.locator("#mark-2")).to_be_visible()
    host.goto("/settings")
    host.click("#key-new")
    host.click("#key-yes")
    expect(host.locator("#key-new")).to_be_visible()
    expect(phone).to_have_url(re.compile(r"/join\?next=%2Ftable$"), timeout=20_000)
    expect(phone.locator("#code")).to_be_visible()
    host.reload()
    expect(host.locator("#key-new")).to_be_visible()
    phone.fill("#code", key.key.code(PLAYER))
    phone.click("#enter")
    expect(phone).to_have_url(f"{companion.address}/table")


def test_a_new_key_takes_nobody_away_from_what_is_typed(
    companion: Companion, far: Far, key: TableKey
) -> None:
    companion.play(START, OPEN, {"action": "go_out", "player": "Ann"})
    phone = far(f"/join/{key.key.link(PLAYER)}", **PHONE)
    phone.goto("/score/2")
    phone.fill("#typed", "17+4")
    phone.locator("h1").click()
    key.renew()
    expect(phone.locator("#outside")).to_contain_text("Join the table first", timeout=20_000)
    phone.click("#save")
    expect(phone.locator("#unsent")).to_have_text("Not sent yet. Try again.")
    expect(phone.locator("#typed")).to_have_value("17+4")
    assert phone.url.endswith("/score/2")
    phone.click("#outside a")
    phone.fill("#code", key.key.code(PLAYER))
    phone.click("#enter")
    expect(phone).to_have_url(f"{companion.address}/score/2")
    expect(phone.locator("#typed")).to_have_value("17+4")
    phone.click("#save")
    expect(phone.locator("#outside")).to_be_hidden()
    assert eventually(lambda: scored(companion, "Bob") == 21)


def test_who_joins_anew_in_another_tab_goes_on_where_something_is_typed(
    companion: Companion, far: Far, key: TableKey
) -> None:
    companion.play(START, OPEN, {"action": "go_out", "player": "Ann"})
    phone = far(f"/join/{key.key.link(PLAYER)}", **PHONE)
    phone.goto("/score/2")
    phone.fill("#typed", "21")
    key.renew()
    expect(phone.locator("#outside")).to_be_visible(timeout=20_000)
    phone.context.new_page().goto(f"{companion.address}/join/{key.key.link(PLAYER)}")
    expect(phone.locator("#outside")).to_be_hidden(timeout=20_000)
    expect(phone.locator("#typed")).to_have_value("21")
    phone.click("#save")
    assert eventually(lambda: scored(companion, "Bob") == 21)


def test_a_host_whose_new_key_got_lost_on_the_way_asks_again(
    companion: Companion, far: Far, key: TableKey
) -> None:
    companion.play(START, OPEN)
    host = far(f"/join/{key.key.link(HOST)}", **TABLET)
    host.goto("/settings?key=new")
    before = key.key

    def lose(route: Route) -> None:
        route.fetch()
        # what the real answer brings along is lost as well
        route.abort()

    kept = host.context.cookies()
    host.route("**/settings/key", lose, times=1)
    host.click("#key-yes")
    expect(host.locator("#unsent")).to_be_visible()
    host.context.clear_cookies()
    host.context.add_cookies(kept)
    made = key.key
    assert made != before
    expect(host.locator("#outside")).to_be_visible(timeout=20_000)
    host.click("#key-yes")
    expect(host.locator("#key-new")).to_be_visible()
    expect(host.locator("#outside")).to_be_hidden()
    assert key.key == made
    host.reload()
    expect(host.locator("#key-new")).to_be_visible()
