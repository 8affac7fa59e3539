"""Scoring by touch: tiles tapped one by one, a hand over two photos, the wait for the reader."""

import re
import threading
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import cv2
import pytest
from conftest import PHONE, TABLET
from playwright.sync_api import Browser, Page, expect
from scoring import Evening, seen
from test_plain import larger_text
from werkzeug.serving import make_server

from companion.vision.draw import draw_hand

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "hub"}
WIDE = {"viewport": {"width": 1366, "height": 1024}, "has_touch": True}
SMALL = {**PHONE, "viewport": {"width": 360, "height": 740}}
PLAIN_PHONE = {**PHONE, "java_script_enabled": False}


def tap_tile(page: Page, tile: str) -> None:
    """Tap a tile as a finger does: on its drawing."""
    page.locator(f'label:has(input[value="{tile}"])').click()


def drawn_photo(path: Path, *tiles: tuple[int, int], seed: int = 3) -> str:
    """A photo-like picture of these tiles."""
    cv2.imwrite(str(path), draw_hand(list(tiles), 1200, 900, seed).image)
    return str(path)


# ---- tiles by finger ---------------------------------------------------------------------------


def test_a_phone_chooses_one_end_then_the_tile(companion, device):
    companion.play({**START}, {"action": "open_round"})
    companion.play({"action": "hand", "player": "Ann", "tiles": ["5-6"]})
    page = device("/score/2", **PHONE)
    page.click("#pick-tiles")
    total = page.locator("#grid-total")
    expect(total).to_have_text("–")
    expect(page.locator("#save")).to_be_disabled()
    lines = page.locator(".grid-end").evaluate_all(
        "ends => new Set(ends.map(e => e.offsetTop)).size"
    )
    assert lines == 2, "no end stands alone"
    page.click('[data-end="5"]')
    expect(page.locator(".grid-tile:visible")).to_have_count(13)
    order = """tiles => tiles.filter(t => t.offsetParent)
        .sort((a, b) => a.offsetTop - b.offsetTop || a.offsetLeft - b.offsetLeft)
        .map(t => t.querySelector("b").textContent)"""
    shown = page.locator(".grid-tile").evaluate_all(order)
    assert shown == [f"{min(5, n)}-{max(5, n)}" for n in range(13)]
    tap_tile(page, "5-12")
    expect(total).to_have_text("17")
    tap_tile(page, "5-6")
    expect(page.locator("#grid-says")).to_have_text("The 5-6 is also in Ann's hand.")
    page.click('[data-end="0"]')
    tap_tile(page, "0-0")
    expect(total).to_have_text("78")
    page.click('[data-end="12"]')
    expect(page.locator('input[value="5-12"]')).to_be_checked()
    page.click('[data-tile="5-6"]')
    expect(total).to_have_text("67")
    expect(page.locator("#grid-says")).to_be_empty()
    page.click("#save")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"]["Bob"] == {"tiles": ["0-0", "5-12"], "points": 67}


def test_a_tablet_shows_the_whole_set_without_scrolling(companion, device):
    companion.play({**START}, {"action": "open_round"})
    page = device("/score/2/tiles", **TABLET)
    expect(page.locator(".grid-tile:visible")).to_have_count(91)
    expect(page.locator("#grid-ends")).to_be_hidden()
    rows = page.locator(".grid-row").evaluate_all(
        "rows => rows.map(row => new Set([...row.children].map(t => t.offsetTop)).size)"
    )
    assert rows == [1] * 7, "every row lies on one line"
    foot = page.locator("#foot").evaluate("foot => foot.getBoundingClientRect().top")
    lowest = page.locator(".grid-tile").evaluate_all(
        "tiles => Math.max(...tiles.map(tile => tile.getBoundingClientRect().bottom))"
    )
    assert lowest <= foot, "all tiles are in sight"
    tap_tile(page, "0-1")
    expect(page.locator("#grid-total")).to_have_text("1")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#grid-ends")).to_be_visible()
    expect(page.locator("#grid-total")).to_have_text("1")


def test_what_is_being_picked_outlives_what_others_tap(companion, device):
    companion.play({**START}, {"action": "open_round"})
    page = device("/score/2/tiles", **TABLET)
    tap_tile(page, "5-12")
    companion.play({"action": "hand", "player": "Ann", "tiles": ["5-12", "1-2"]})
    expect(page.locator("#undo-button")).to_contain_text("Ann")
    expect(page.locator("#grid-total")).to_have_text("17")
    page.click("#save")
    expect(page.locator("#flag-1")).to_contain_text("5-12")


def test_the_grid_follows_the_table_while_nothing_is_picked(companion, device):
    companion.play({**START}, {"action": "open_round"})
    page = device("/score/2/tiles", **PHONE)
    page.click('[data-end="5"]')
    companion.play({"action": "hand", "player": "Ann", "tiles": ["5-12"]})
    expect(page.locator(".grid-held:visible")).to_have_count(1)
    tap_tile(page, "5-12")
    expect(page.locator("#grid-says")).to_contain_text("Ann's hand")


def test_a_tile_that_is_picked_and_elsewhere_shows_both(companion, device):
    companion.play({**START}, {"action": "open_round"})
    companion.play({"action": "hand", "player": "Ann", "tiles": ["5-12"]})
    page = device("/score/2/tiles", **TABLET)
    for tile in ("5-12", "6-12"):
        tap_tile(page, tile)
    ground = "(input) => getComputedStyle(input.nextElementSibling).backgroundColor"
    held, free = (page.locator(f'input[value="{tile}"]') for tile in ("5-12", "6-12"))
    assert held.evaluate(ground) == free.evaluate(ground)
    dashes = "(input) => getComputedStyle(input.parentNode.querySelector('.tile')).outlineStyle"
    assert held.evaluate(dashes) == "dashed" and free.evaluate(dashes) == "none"


@pytest.mark.parametrize("kind", [PLAIN_PHONE, {**TABLET, "java_script_enabled": False}])
def test_tiles_are_picked_without_javascript(companion, device, kind):
    companion.play({**START}, {"action": "open_round"})
    page = device("/score/2/tiles", **kind)
    page.click("#save")
    expect(page.locator("#refusal")).to_be_visible()
    for tile in ("5-12", "0-3"):
        tap_tile(page, tile)
    page.click("#save")
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 20
    page.goto("/count/tiles?set=6&blank=25")
    for tile in ("5-6", "0-0"):
        tap_tile(page, tile)
    page.click("#count")
    expect(page.locator("#grid-total")).to_have_text("36")


FITS = """() => ({
    sideways: document.documentElement.scrollWidth - window.innerWidth,
    small: [...document.querySelectorAll(".grid-tile, .grid-end")]
        .filter(e => e.offsetParent && (e.offsetWidth < 47 || e.offsetHeight < 47))
        .map(e => e.textContent.trim() + " " + e.offsetWidth + "x" + e.offsetHeight),
    cut: [...document.querySelectorAll(".grid-tile b")].filter(e => e.offsetParent)
        .filter(e => e.offsetWidth > e.closest("label").offsetWidth).map(e => e.textContent) })"""


DEVICES = {"small": SMALL, "phone": PHONE, "tablet": TABLET, "wide": WIDE, "plain": PLAIN_PHONE}


def test_every_set_fits_every_device(browser: Browser, companion):
    for name, kind in DEVICES.items():
        context = browser.new_context(base_url=companion.address, **kind)
        page = context.new_page()
        for highest, large in product((6, 9, 12, 15, 18), (False, True)):
            page.goto(f"/count/tiles?set={highest}")
            if large:
                larger_text(page)
                page.evaluate("window.dispatchEvent(new Event('resize'))")
            fits = {"sideways": 0, "small": [], "cut": []}
            assert page.evaluate(FITS) == fits, f"double-{highest} on {name}, large text: {large}"
        context.close()


# ---- photos ------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_hand_over_two_photos_counts_a_tile_of_both_once(companion, device, tmp_path, script):
    first = drawn_photo(tmp_path / "one.jpg", (5, 12), (1, 3))
    second = drawn_photo(tmp_path / "two.jpg", (5, 12), (6, 6), seed=5)
    companion.play({**START}, {"action": "open_round"}, {"action": "go_out", "player": "Ann"})
    page = device("/score/2", **PHONE, java_script_enabled=script)

    def send(field: str, button: str, photo: str) -> None:
        page.set_input_files(field, photo)
        if not script:
            page.click(button)

    send("#photo-choose", "#send-choose", first)
    expect(page.locator("#total b")).to_have_text("21", timeout=30_000)
    send("#more-take", "#send-more", second)
    expect(page.locator("#shared")).to_contain_text("5-12 is on both photos", timeout=30_000)
    expect(page.locator(".photo")).to_have_count(2)
    expect(page.locator("#total b")).to_have_text("50")
    page.click("#same")
    expect(page.locator("#total b")).to_have_text("33")
    expect(page.locator("#shared")).to_have_count(0)
    page.click("#confirm")
    expect(page).to_have_url(re.compile("/score$"))
    told = companion.get("/api/table")["hands"]["Bob"]
    assert told["points"] == 33 and sorted(told["tiles"]) == ["1-3", "5-12", "6-6"]
    companion.play({"action": "hand", "player": "Cem", "pips": 4}, {"action": "close_round"})
    page.goto("/sheet/1/2")
    expect(page.locator("#proof .photo")).to_have_count(2)


def test_two_phones_score_a_hand_each_at_the_same_time(companion, device, tmp_path):
    companion.play({**START}, {"action": "open_round"}, {"action": "go_out", "player": "Ann"})
    one, other = device("/score/2", **PHONE), device("/score/3/tiles", **PHONE)
    one.set_input_files("#photo-take", drawn_photo(tmp_path / "a.jpg", (5, 12), (1, 3)))
    other.click('[data-end="7"]')
    tap_tile(other, "7-9")
    expect(one.locator("#total b")).to_have_text("21", timeout=30_000)
    one.click("#confirm")
    expect(one).to_have_url(re.compile("/score$"))
    expect(other.locator("#grid-total")).to_have_text("16")
    other.click("#save")
    expect(one.locator("#close-round")).to_be_visible()
    hands = companion.get("/api/table")["hands"]
    assert (hands["Bob"]["points"], hands["Cem"]["points"]) == (21, 16)


def test_one_phone_goes_round(companion, device):
    companion.play({**START}, {"action": "open_round"}, {"action": "go_out", "player": "Bob"})
    page = device("/score", **PHONE)
    page.click("#next-hand")
    expect(page).to_have_url(re.compile("/score/3$"))
    expect(page.locator("#save-next")).to_be_disabled()
    for key in ("1", "0", "+", "5"):
        page.click(f'[data-key="{key}"]')
    page.click("#save-next")
    expect(page).to_have_url(re.compile("/score/1$"))
    expect(page.locator("#save-next")).to_have_count(0)
    page.click('[data-key="7"]')
    page.click("#save")
    expect(page.locator("#close-round")).to_be_visible()
    hands = companion.get("/api/table")["hands"]
    assert {name: hand["points"] for name, hand in hands.items()} == {"Ann": 7, "Bob": 0, "Cem": 15}


@pytest.mark.parametrize("kind", [PHONE, TABLET], ids=["phone", "tablet"])
def test_saving_and_going_out_are_in_sight_on_a_hand_that_stands(companion, device, kind):
    companion.play({**START}, {"action": "open_round"}, {"action": "go_out", "player": "Ann"})
    page = device("/score/2", **kind)
    expect(page.locator("#save-next")).to_have_text("Save, then Cem")
    out, foot = page.evaluate(
        """() => [document.getElementById("out").getBoundingClientRect().bottom,
        document.getElementById("foot").getBoundingClientRect().top]"""
    )
    assert out <= foot
    companion.play({"action": "hand", "player": "Bob", "pips": 5})
    expect(page.locator("#hand-stands .notice")).to_have_text("Bob has 5 in this round.")
    for button in ("#save", "#save-next"):
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
    for key in "72":
        page.click(f'[data-key="{key}"]')
    expect(page.locator("#save-next")).to_be_enabled()
    page.click("#save-next")
    page.click("#replace")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 72


def test_a_photo_that_is_right_leads_to_the_next_hand(companion, device, tmp_path):
    companion.play({**START}, {"action": "open_round"}, {"action": "go_out", "player": "Ann"})
    page = device("/score/2", **PHONE)
    page.set_input_files("#photo-choose", drawn_photo(tmp_path / "one.jpg", (5, 12), (1, 3)))
    expect(page.locator("#total b")).to_have_text("21", timeout=30_000)
    expect(page.locator("#save-next")).to_be_in_viewport(ratio=1)
    page.click("#save-next")
    expect(page).to_have_url(re.compile("/score/3$"))
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 21


# ---- waiting -----------------------------------------------------------------------------------


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Evening, str]]:
    """An evening whose reader waits until it is told to go on, and its address."""
    evening = Evening(tmp_path)
    evening.start()
    evening.reader.tiles = (seen((5, 12)),)
    server = make_server("127.0.0.1", 0, evening.app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield evening, f"http://127.0.0.1:{server.server_port}"
    evening.reader.go.set()
    server.shutdown()
    evening.close()


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_the_wait_shows_the_place_and_goes_on_by_itself(
    browser: Browser, slow: tuple[Evening, str], tmp_path: Path, script: bool
) -> None:
    evening, address = slow
    evening.reader.go.clear()
    photo = drawn_photo(tmp_path / "hand.jpg", (5, 12))
    context = browser.new_context(base_url=address, java_script_enabled=script, **PHONE)
    page = context.new_page()
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    page.goto("/score/1")
    page.set_input_files("#photo-choose", [photo, photo, photo])
    if not script:
        page.click("#send-choose")
    words, bar = page.locator("#waiting-words"), page.locator("#waiting-bar")
    expect(words).to_have_text("2 photos are before yours", timeout=15_000)
    assert 0 <= float(bar.get_attribute("value") or 1) < 1 / 3
    arrived = len(loads)
    page.wait_for_timeout(2500)
    assert (len(loads) == arrived) is script, "only without script is the page loaded anew"
    evening.reader.go.set()
    expect(page.locator("#shared")).to_be_visible(timeout=15_000)
    expect(page.locator(".photo")).to_have_count(3)
    context.close()
