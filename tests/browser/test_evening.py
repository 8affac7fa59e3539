"""A whole game of three rounds with two devices: taps, lamps, a photo scored and corrected."""

import re
from pathlib import Path

import cv2
import pytest
from conftest import PHONE, TABLET
from playwright.sync_api import Page, expect

from companion.vision.draw import draw_hand

LIVE = 5_000
"""Milliseconds; a tap shows on the other device within one second where nothing else runs."""
PLAYERS = ("Ann", "Bob", "Cem")


def begin(page: Page, players: tuple[str, ...] = PLAYERS, size: int = 6) -> None:
    """Fill in the two pages of a new game and start it; the first player starts."""
    page.goto("/new")
    for number, name in enumerate(players, 1):
        page.fill(f"#name-{number}", name)
    page.locator(f"label:has(#set-{size})").click()
    page.locator("label:has(#rules-classic)").click()
    page.click("#go")
    page.locator("label:has(#starter-1)").click()
    page.click("#begin")
    expect(page).to_have_url(re.compile("/table"))
    page.wait_for_load_state()


def went_out(page: Page, seat: int) -> None:
    """On the page of all hands: this seat went out."""
    page.goto("/score")
    page.click(f"#out-{seat}")
    expect(page.locator(f"#hand-{seat}")).to_contain_text("went out")


def type_hand(page: Page, seat: int, typed: str) -> None:
    """One hand by its keypad page."""
    page.goto(f"/score/{seat}")
    page.fill("#typed", typed)
    page.click("#save")
    expect(page).to_have_url(re.compile("/score$"))


def close(page: Page) -> None:
    """Close the round on the page of all hands."""
    page.goto("/score")
    page.click("#close-round")
    expect(page).not_to_have_url(re.compile("/score$"))


def follows(page: Page) -> None:
    """A device on the page of all hands goes along when another one closes the round."""
    expect(page).to_have_url(re.compile("/sheet"))


def next_round(page: Page, seat: int) -> None:
    """Open the next round; this seat starts."""
    page.goto("/table")
    page.click("#next")
    page.click(f"#starter-{seat}")
    expect(page.locator("#state")).to_contain_text("turn")


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A photo of 5-6, 1-3 and 2-2: eleven, four and four pips make 19."""
    drawn = draw_hand([(5, 6), (1, 3), (2, 2)], 1200, 900, seed=3)
    path = tmp_path / "hand.jpg"
    cv2.imwrite(str(path), drawn.image)
    return path


@pytest.mark.parametrize("first, second", [(TABLET, PHONE), (PHONE, TABLET)])
def test_a_game_of_three_rounds_on_two_devices(companion, device, photo, first, second):
    one, other = device(**first), device(**second)
    begin(one)
    other.goto("/table")

    # a marker on the one device lights the lamp and shows on the other within a second
    one.click("#mark-2")
    expect(other.locator("#mark-2")).to_have_attribute("aria-checked", "true", timeout=LIVE)
    lamps = {lamp["train"]: lamp for lamp in companion.get("/api/lamps")}
    assert lamps["Bob"] == {
        "train": "Bob",
        "pin": lamps["Bob"]["pin"],
        "state": "steady",
        "lit": True,
    }
    assert not lamps["Ann"]["lit"]
    expect(one.locator("#undo-button")).to_contain_text("marker up on Bob")
    other.click("#undo-button")
    expect(one.locator("#mark-2")).to_have_attribute("aria-checked", "false", timeout=LIVE)
    assert not any(lamp["lit"] for lamp in companion.get("/api/lamps"))
    one.click("#mark-5") if one.locator("#mark-5").count() else one.click("#mark-4")
    expect(other.locator("#trains")).to_contain_text("Begun")

    # round 6-6: Ann goes out, Bob types a sum, Cem takes a photo and puts it right
    went_out(one, 1)
    type_hand(other, 2, "10+15+8")
    one.goto("/score/3")
    one.set_input_files("input[type=file] >> nth=0", photo)
    expect(one.locator("#total")).to_contain_text("19", timeout=30_000)
    one.locator("#photo-view a").first.click()
    one.locator("#tile-card button[name=one]", has_text=re.compile("^0$")).click()
    expect(one.locator("#total")).not_to_contain_text("19")
    table = companion.get("/api/table")
    assert "Cem" not in table["hands"], "nothing is scored before it is confirmed"
    points = int(one.locator("#total b").inner_text())
    one.click("#confirm")
    expect(one).to_have_url(re.compile("/score$"))
    hands = companion.get("/api/table")["hands"]
    assert hands["Bob"] == {"tiles": None, "points": 33}
    assert hands["Cem"]["points"] == points
    assert len(hands["Cem"]["tiles"]) == 3
    close(one)
    follows(other)

    # round 5-5 and 4-4, typed
    next_round(other, 2)
    went_out(other, 2)
    type_hand(one, 1, "12")
    type_hand(other, 3, "7")
    close(other)
    follows(one)
    next_round(one, 3)
    went_out(one, 3)
    type_hand(other, 1, "3")
    type_hand(one, 2, "4")
    close(one)
    follows(other)

    # the sheet: a past cell is corrected on one device and moves on the other
    other.goto("/sheet")
    expect(other.locator("#sheet tbody tr").nth(1)).to_contain_text("12")
    one.goto("/sheet")
    one.locator("#sheet tbody tr").nth(1).locator("a.cell").first.click()
    one.fill("#score", "20")
    one.fill("#why", "counted again")
    one.click("#correct-save")
    expect(other.locator("#sheet tbody tr").nth(1)).to_contain_text("20", timeout=LIVE)
    assert companion.get("/api/table")["totals"]["Ann"] == 0 + 20 + 3
    one.goto("/sheet/2/1")
    expect(one.locator("#history")).to_contain_text("12")
    expect(one.locator("#history")).to_contain_text("counted again")

    # the game is finished here, and the winner is named on both
    other.goto("/table")
    one.goto("/table?next=1")
    one.click("#stop summary")
    one.click("#finish")
    for page in (one, other):
        expect(page).to_have_url(re.compile("/sheet"))
        expect(page.locator("#ceremony")).to_contain_text("Ann wins")


def test_the_page_says_what_lies_in_the_hub(companion, device):
    page = device(**TABLET)
    begin(page)
    words, asked = page.locator("#camera-words"), page.locator("#asks")
    expect(words).to_contain_text("6-6")
    expect(words).to_have_class(re.compile("seen-agrees"))
    expect(words).to_be_hidden()
    page.locator("#simulator summary").click()
    expect(words).to_be_visible()
    page.select_option("#sim-value", "4")
    page.click("#sim-lay")
    skipped = "Round 1 wants the 6-6, I see the 4-4: was a round skipped?"
    expect(words).to_have_text(skipped)
    page.click("#sim-pass")
    expect(words).to_have_text("A hand moves over the hub: I look again when it is gone.")
    expect(words).to_have_text(skipped)
    expect(asked).to_be_empty()
    page.click("#sim-hide")
    expect(words).to_contain_text("covers the hub")
    page.click("#sim-right")
    expect(words).to_have_class(re.compile("seen-agrees"))
    page.select_option("#sim-value", "")
    page.click("#sim-lay")
    expect(words).to_contain_text("slot is empty")


def test_two_people_score_the_same_player_and_nothing_is_lost(companion, device):
    one, other = device(**TABLET), device(**PHONE)
    begin(one)
    went_out(one, 1)
    one.goto("/score/2")
    other.goto("/score/2")
    other.fill("#typed", "41")
    one.fill("#typed", "30")
    one.click("#save")
    expect(one).to_have_url(re.compile("/score$"))
    expect(other.locator("#typed")).to_have_value("41")
    other.click("#save")
    expect(other.locator("#stands")).to_contain_text("30")
    expect(other.locator("#typed")).to_have_value("41")
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 30
    other.click("#replace")
    expect(other).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 41


def test_a_hand_under_the_hub_camera_is_counted(companion, device):
    page = device(**TABLET)
    begin(page)
    went_out(page, 1)
    page.goto("/score/2")
    expect(page.locator("button", has_text="hub camera")).to_have_count(0)  # a simulated one
    page.locator(".hand-form").evaluate("""form => {
        const button = form.appendChild(document.createElement("button"));
        Object.assign(button, {name: "do", value: "camera", id: "hub", textContent: "Hub"});
    }""")
    page.click("#hub")
    expect(page.locator("#total")).to_be_visible(timeout=30_000)
    page.click("#confirm")
    expect(page).to_have_url(re.compile("/score$"))
    expect(page).to_have_url(re.compile("/score$"))
    hand = companion.get("/api/table")["hands"]["Bob"]
    assert hand["tiles"]
    assert hand["points"] == sum(sum(map(int, tile.split("-"))) or 50 for tile in hand["tiles"])
