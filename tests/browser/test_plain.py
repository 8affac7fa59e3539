"""Without JavaScript a game can still be begun, typed and corrected; and every page fits."""

from pathlib import Path

import cv2
import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import Page, expect
from test_evening import begin, close, type_hand

from companion.dominoes import Tile
from companion.vision.draw import draw_hand

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "hub"}


def test_an_evening_without_javascript(companion, device):
    page = device(**PLAIN)
    begin(page)
    page.click("#mark-2")
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    page.goto("/score")
    page.click("#out-1")
    type_hand(page, 2, "10+15+8")
    page.goto("/score/3")
    page.click("#save")
    expect(page.locator("#refusal")).to_be_visible()
    assert "Cem" not in companion.get("/api/table")["hands"], "an empty field is not 0"
    type_hand(page, 3, "0")
    close(page)
    page.goto("/sheet/1/2")
    page.fill("#score", "30")
    page.click("#correct-save")
    assert companion.get("/api/table")["scores"] == {"Ann": [0], "Bob": [30], "Cem": [0]}
    page.click("#undo-button")
    assert companion.get("/api/table")["scores"]["Bob"] == [33]


FOURTEEN = (
    "Ann Grandmother-Josephine Cem Dee Eva Filip Žiga Hans Ida Jo Kim Leo Maximilian Nia".split()
)
UPRIGHT = {"viewport": {"width": 810, "height": 1080}, "has_touch": True}


def play_rounds(companion, players, rounds):
    """Closed rounds with scores of up to three digits."""
    companion.play({**START, "players": players, "overrule": True})
    for number in range(rounds):
        companion.play({"action": "open_round"}, {"action": "go_out", "player": players[0]})
        for player in players[1:]:
            companion.play({"action": "hand", "player": player, "pips": 37 + 7 * number})
        companion.play({"action": "close_round"})


def larger_text(page: Page) -> None:
    page.evaluate("document.documentElement.style.fontSize = '225%'")


SPILLING = """() =>
    [...document.querySelectorAll(".sheet tfoot td, .sheet .cell b, .sheet .cell i")]
    .filter(e => e.scrollWidth > Math.ceil(e.closest("td").getBoundingClientRect().width) + 1)
    .map(e => e.textContent)"""


@pytest.mark.parametrize("large", [False, True], ids=["usual text", "text at 200 %"])
@pytest.mark.parametrize("kind", [TABLET, UPRIGHT, PHONE], ids=["tablet", "upright", "phone"])
def test_no_score_runs_into_the_next(companion, device, kind, large):
    play_rounds(companion, FOURTEEN, 3)
    page = device("/sheet", **kind)
    if large:
        larger_text(page)
    assert page.evaluate(SPILLING) == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_a_phone_shows_six_columns_whole_and_cuts_one_of_many_in_two(companion, device):
    within = """() => {
        const view = document.querySelector(".sheet-scroll").getBoundingClientRect();
        return [...document.querySelectorAll(".sheet-player")].map(head => {
            const box = head.getBoundingClientRect();
            return Math.max(0, Math.min(1, (view.right - box.left) / box.width)); }); }"""
    play_rounds(companion, FOURTEEN[:6], 1)
    page = device("/sheet", **PHONE)
    assert min(page.evaluate(within)) > 0.98
    companion.play({**START, "players": FOURTEEN, "overrule": True}, {"action": "open_round"})
    for width in (360, 390, 430):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("/sheet")
        cut = [share for share in page.evaluate(within) if 0 < share < 1]
        assert len(cut) == 1 and 0.25 < cut[0] < 0.75, (width, cut)
    engine = page.locator(".sheet-engine").first
    before = engine.bounding_box()
    page.evaluate("document.querySelector('.sheet-scroll').scrollLeft = 200")
    assert engine.bounding_box() == before, "the engines stay beside the scores"


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_after_a_round_its_row_and_the_heads_are_seen(companion, device, kind):
    play_rounds(companion, FOURTEEN[:6], 10)
    page = device("/sheet#latest", **kind)
    for place in ("h1", ".sheet-player", "#latest", ".sheet-total"):
        expect(page.locator(place).first).to_be_in_viewport(ratio=0.9)


def test_the_keypad_stays_where_it_is(companion, device):
    companion.play(START, {"action": "open_round"})
    page = device("/score/1", **PHONE)
    key = page.locator('[data-key="7"]')
    before = key.bounding_box()
    for told in ("7", "+", "8", "back", "back", "back"):
        page.click(f'[data-key="{told}"]')
        assert key.bounding_box() == before, told


def test_doubt_and_its_choices_come_first_on_a_phone(companion, device, tmp_path: Path):
    companion.play(START, {"action": "open_round"})
    hand = draw_hand([Tile.parse(tile) for tile in ("1-2", "4-5", "6-6")], 900, 1200, 4)
    heights = [[y for _x, y in tile.corners] for tile in hand.tiles]
    top, bottom = max((min(ys), max(ys)) for ys in heights)
    low = int(top + 0.8 * (bottom - top))  # the edge of the picture cuts one tile
    photo = tmp_path / "cut.jpg"
    cv2.imwrite(str(photo), hand.image[:low])
    page = device("/score/1", **PHONE)
    page.set_input_files("#photo-take", str(photo))
    expect(page.locator("#total")).to_be_visible()
    foot = page.locator("#foot").bounding_box()["y"]
    for place in (".doubt .crop", ".doubt .doubt-choice >> nth=0"):
        box = page.locator(place).first.bounding_box()
        assert box["y"] + box["height"] <= foot, place
    before = page.locator(".photo").bounding_box()
    page.locator(".photo a").first.click(force=True)
    expect(page.locator("#tile-card")).to_be_visible()
    assert page.locator(".photo").bounding_box() == before, "the photo stays where it is"
    page.click("#tile-remove")
    expect(page.locator("#undo-button")).to_contain_text("removed")
    page.click("#undo-button")
    expect(page.locator("#undo-button")).to_have_text("Undo")
    expect(page.locator("#undo-button")).to_be_disabled()


def test_a_score_left_open_shows_what_is_undone_and_leaves_an_earlier_game(companion, device):
    play_rounds(companion, ["Ann", "Bob", "Cem"], 1)
    page = device("/sheet/1/2", **TABLET)
    page.fill("#score", "21")
    page.click("#correct-save")
    expect(page.locator(".cell-score")).to_have_text("21")
    page.click("#undo-button")
    expect(page.locator(".cell-score")).to_have_text("37")
    page.goto("/sheet")
    page.locator("a.cell").nth(2).click()
    companion.play({**START, "players": ["Ann", "Bob"], "overrule": True})
    expect(page.locator("#gone")).to_contain_text("That was an earlier game")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sheet_prints_black_on_white(companion, device, scheme):
    play_rounds(companion, ["Ann", "Bob", "Cem"], 2)
    companion.play({"action": "open_round"})
    page = device("/sheet", **TABLET, color_scheme=scheme)
    page.emulate_media(media="print", color_scheme=scheme)
    painted = page.evaluate(
        """() => [...document.querySelectorAll("body, .card, .sheet-scroll, .sheet *")]
        .map(e => getComputedStyle(e)).filter(s => s.display !== "none")
        .map(s => s.backgroundColor + s.backgroundImage)"""
    )
    assert set(painted) <= {"rgba(0, 0, 0, 0)none", "rgb(255, 255, 255)none"}
    inks = page.evaluate(
        """() => [...document.querySelectorAll(".sheet b, .sheet i, .sheet td, .sheet th")]
        .map(e => getComputedStyle(e).color)"""
    )
    assert set(inks) == {"rgb(0, 0, 0)"}
