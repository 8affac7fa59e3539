"""A whole game of thirteen rounds by four devices at once, one of them without JavaScript."""

import re
from contextlib import suppress

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import Error, Page, expect

PLAYERS = ["Ann", "Bob", "Cem", "Dee"]
START = {"action": "start_game", "players": PLAYERS, "set": 12, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
ASIDE = {"viewport": {"width": 844, "height": 390}}
"""A phone that is turned."""
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def points(number: int, seat: int) -> int:
    """What a seat has left in a round; whoever's turn it is has nothing."""
    return 0 if (number - 1) % 4 == seat - 1 else (number * 7 + seat * 11) % 60 + 1


def shows(page: Page, address: str) -> Page:
    """A device at this page; one that follows by itself may be there already."""
    for _ in range(5):
        if page.url.endswith(address):
            break
        with suppress(Error):  # it goes along with another device at the same moment
            page.goto(address)
    return page


def score(devices: list[Page], number: int) -> None:
    """One round: everybody gives their own hand on their own device, all at the same time."""
    out = (number - 1) % 4 + 1
    for seat, page in enumerate(devices, 1):
        shows(page, "/score" if seat == out else f"/score/{seat}")
        if seat != out:
            page.fill("#typed", str(points(number, seat)))
    for seat, page in enumerate(devices, 1):
        page.tap(f"#out-{seat}" if seat == out else "#save")
    for seat, page in enumerate(devices, 1):
        expect(page).to_have_url(re.compile("/score$"))
        if page is not devices[-1]:  # the last one has no script: it is loaded anew
            expect(page.locator("#close-round")).to_be_visible()


def test_thirteen_rounds_on_four_devices(companion, device):
    kinds = [TABLET, PHONE, {**PHONE, "color_scheme": "dark"}, PLAIN]
    companion.play(START, OPEN)
    devices = [device("/table", **kind) for kind in kinds]
    for number in range(1, 14):
        host = devices[number % 4]
        score(devices, number)
        host.goto("/score")
        host.tap("#close-round")
        expect(host).to_have_url(re.compile("/sheet"))
        if number == 13:
            break
        for page in devices[:3]:
            expect(page.locator("#close-round")).to_have_count(0)
        host.goto("/table")
        host.tap("#next")
        host.tap(f"#starter-{number % 4 + 1}")
        expect(host.locator("#state")).to_contain_text("turn")
    told = companion.get("/api/table")
    played = {
        player: [points(number, seat) for number in range(1, 14)]
        for seat, player in enumerate(PLAYERS, 1)
    }
    assert told["phase"] == "finished" and told["scores"] == played
    totals = {player: sum(rounds) for player, rounds in played.items()}
    best = min(totals, key=lambda player: totals[player])
    for page in devices:
        shows(page, "/sheet")
        expect(page.locator("#ceremony")).to_contain_text(f"{best} wins")

    # after the end a score is put right: places, winner and sheet move on every device
    worst = max(totals, key=lambda player: totals[player])
    column, wrong = PLAYERS.index(best) + 1, next(n for n in range(1, 14) if played[best][n - 1])
    devices[3].goto(f"/sheet/{wrong}/{column}")
    devices[3].fill("#score", "500")
    devices[3].tap("#correct-save")
    expect(devices[3].locator(".cell-score")).to_have_text("500")
    winner = min(set(PLAYERS) - {best}, key=lambda player: totals[player])
    for page in devices[:3]:
        expect(page.locator("#ceremony")).to_contain_text(f"{winner} wins")
        expect(page.locator("#sheet")).to_contain_text("500")
    told = companion.get("/api/table")
    assert told["winners"] == [winner] and told["places"][best] == 4 > told["places"][worst]
    devices[0].tap("#undo-button")
    for page in devices[:3]:
        expect(page.locator("#ceremony")).to_contain_text(f"{best} wins")
    assert companion.get("/api/table")["scores"] == played


def test_two_devices_score_one_player_and_a_third_sees_what_stands(companion, device):
    companion.play(START, OPEN)
    one, other, third = device("/score/2", **TABLET), device("/score/2", **PLAIN), device("/score")
    one.fill("#typed", "30")
    other.fill("#typed", "41")
    one.tap("#save")
    expect(third.locator("#hand-2")).to_contain_text("30")
    other.tap("#save")
    expect(other.locator("#stands")).to_contain_text("30")
    expect(other.locator("#typed")).to_have_value("41")
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 30
    other.tap("#replace")
    expect(third.locator("#hand-2")).to_contain_text("41")


@pytest.mark.parametrize("path", ["/table", "/score", "/sheet"])
def test_a_tablet_that_slept_a_minute_shows_the_table_as_it_is(companion, device, path):
    companion.play(START, OPEN, {"action": "hand", "player": "Ann", "pips": 1})
    page = device("/", **TABLET)
    page.clock.install()
    page.goto(path)
    page.context.set_offline(True)
    others = [{"action": "hand", "player": player, "pips": 33} for player in PLAYERS[1:]]
    companion.play(*others, {"action": "close_round"})
    page.clock.fast_forward(60_000)
    page.context.set_offline(False)
    page.clock.fast_forward(3_000)
    if path == "/score":
        expect(page).to_have_url(re.compile("/sheet"))
    if path == "/table":
        expect(page.locator("h1")).to_contain_text("Round 1 is scored")
    else:
        expect(page.locator("#sheet")).to_contain_text("33")
    expect(page.locator("#offline")).to_be_hidden()


def test_a_phone_that_slept_keeps_what_was_typed(companion, device):
    companion.play(START, OPEN)
    page = device("/", **PHONE)
    page.clock.install()
    page.goto("/score/2")
    page.fill("#typed", "10+7")
    page.context.set_offline(True)
    companion.play({"action": "go_out", "player": "Ann"}, {"action": "mark", "train": "Cem"})
    page.clock.fast_forward(60_000)
    page.context.set_offline(False)
    page.clock.fast_forward(3_000)
    expect(page.locator("#offline")).to_be_hidden()
    expect(page.locator("#typed")).to_have_value("10+7")
    page.tap("#save")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"]["Bob"] == {"tiles": None, "points": 17}


def test_a_phone_may_be_turned_at_any_time(companion, device):
    companion.play(START, OPEN, {"action": "mark", "train": "Bob"})
    page = device("/table?train=Bob", **PHONE)
    for path, field in (("/table?train=Bob", None), ("/score/2", "#typed"), ("/new", "#name-1")):
        page.goto(path)
        if field:
            page.fill(field, "17")
        for turned in (ASIDE, PHONE, ASIDE):
            page.set_viewport_size(turned["viewport"])
            assert page.evaluate(SIDEWAYS) <= 0, path
            if field:
                expect(page.locator(field)).to_have_value("17")
        page.set_viewport_size(PHONE["viewport"])
    page.goto("/score/2")
    page.set_viewport_size(ASIDE["viewport"])
    page.tap('[data-key="9"]')
    page.tap("#save")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 9
