"""Around the game by touch: a late joiner, a game taken up again, a rule changed, a best train."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import Page, expect

from tests.running import Companion

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion without camera, at a table that allows the best train."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "settings.toml").write_text('best_train = "on"\n')
    with Companion(data, "--camera", "none", "--lights", "none") as running:
        yield running


def a_round(companion: Companion, **pips: int) -> None:
    hands = [{"action": "hand", "player": who, "pips": left} for who, left in pips.items()]
    companion.play({"action": "open_round"}, *hands, {"action": "close_round"})


@pytest.mark.parametrize("kind", [TABLET, PHONE, PLAIN], ids=["tablet", "phone", "plain"])
def test_somebody_comes_late_and_sits_between_two(companion, device, kind):
    companion.play(START)
    a_round(companion, Ann=0, Bob=11, Cem=20)
    page = device("/table", **kind)
    page.click("#to-seats")
    page.fill("#join-name", "Dee")
    page.locator("label:has(#past-average)").click()
    page.select_option("#join-seat", label="after Ann")
    page.click("#join-save")
    expect(page.locator("#seat-2")).to_contain_text("Dee")
    # 31 for three is 10.33
    table = companion.get("/api/table")
    assert table["scores"]["Dee"] == [10]
    assert table["game"]["players"] == ["Ann", "Dee", "Bob", "Cem"]
    page.click("#down-2")
    expect(page.locator("#seat-3")).to_contain_text("Dee")
    page.click("#undo-button")
    expect(page.locator("#seat-2")).to_contain_text("Dee")
    page.locator("#change-4 summary").click()
    page.fill("#rename-4", "Ann")
    page.click("#rename-4-save")
    expect(page.locator("#refusal")).to_contain_text("Two players are called Ann")
    expect(page.locator("#rename-4")).to_have_value("Ann")


def test_a_game_set_aside_goes_on_another_day(companion, device):
    companion.play(START)
    a_round(companion, Ann=0, Bob=11, Cem=20)
    companion.play({**START, "players": ["Eva", "Filip"], "overrule": True})
    a_round(companion, Eva=5, Filip=0)
    companion.stop()
    companion.start()
    page = device("/", **TABLET)
    page.click("#to-games")
    page.click("#resume-1")
    expect(page.locator("#refusal")).to_contain_text("A game is still being played")
    page.click("#overrule")
    expect(page).to_have_url(re.compile("/table$"))
    assert companion.get("/api/table")["scores"] == {"Ann": [0], "Bob": [11], "Cem": [20]}
    page.goto("/games")
    page.click("#resume-2")
    page.click("#overrule")
    expect(page).to_have_url(re.compile("/table$"))
    assert companion.get("/api/table")["scores"] == {"Eva": [5], "Filip": [0]}


@pytest.mark.parametrize("kind", [PHONE, PLAIN], ids=["phone", "plain"])
def test_a_rule_changed_between_rounds_is_on_the_card(companion, device, kind):
    companion.play(START)
    a_round(companion, Ann=0, Bob=11, Cem=20)
    page = device("/table", **kind)
    page.click("#to-rules")
    expect(page.locator("#card")).to_contain_text("The 0-0 costs 50 points.")
    page.locator("#switches > summary").click()
    page.locator("#rule-double_blank > summary").click()
    page.click("#double_blank-25")
    expect(page.locator("#card")).to_contain_text("The 0-0 costs 25 points.")
    expect(page.locator("#card")).to_contain_text("1 rule is this table's own.")
    page.locator("#saving > summary").click()
    page.fill("#rules-name", "Kitchen table")
    page.click("#save-rules")
    expect(page.locator("#kept")).to_contain_text("Kitchen table")
    # and they are offered at the next new game
    page.goto("/new")
    page.locator("label:has(#own-1)").click()
    page.fill("#name-1", "Gus")
    page.fill("#name-2", "Hal")
    page.click("#go")
    page.click("#set-aside[value=on]")  # the same button was there before, to be pressed first
    page.click("#begin")
    expect(page).to_have_url(re.compile("/table"))
    assert companion.get("/api/table")["game"]["switches"]["double_blank"] == 25


def test_the_card_prints_on_one_page(companion, device, tmp_path):
    for rules in ("classic", "thirteen", "hub"):
        printed = device(f"/rules?rules={rules}", **TABLET).pdf(format="A4")
        assert len(re.findall(rb"/Type /Page\b(?!s)", printed)) == 1, rules


def tick(page: Page, tile: str) -> None:
    """Tap a tile of the hand; where one end's tiles are shown at a time, its end first."""
    if page.locator("#grid-ends").is_visible():
        page.click(f'[data-end="{tile.split("-")[0]}"]')
    page.locator(f'label:has(input[value="{tile}"])').click()


@pytest.mark.parametrize("kind", [PHONE, PLAIN], ids=["phone", "plain"])
def test_the_best_train_of_a_hand(companion, device, kind):
    companion.play(START, {"action": "open_round", "starter": "Ann"})
    page = device("/best-train", **kind)
    expect(page.locator("#engine")).to_have_value("12-12")
    for tile in ("5-12", "5-9", "3-4"):
        tick(page, tile)
    page.fill("#typed-tiles", "9-1")
    page.click("#find")
    expect(page.locator("#plan")).to_contain_text("3 tiles of 4")
    laid = [tile.get_attribute("aria-label") for tile in page.locator(".best-line svg").all()]
    assert laid[1:] == ["12-5", "5-9", "9-1"]
    tick(page, "5-12")
    page.click("#find")
    expect(page.locator("#plan")).to_contain_text("No tile of yours fits the 12-12")
    assert companion.get("/api/table")["revision"] == 2, "nothing of it is told"


def test_nobody_has_the_engine_and_the_draws_are_counted(companion, device):
    companion.play({**START, "hand": 12}, {"action": "open_round"})
    page = device("/table", **TABLET)
    page.locator("#hunt-nobody summary").click()
    page.click("#hunt-draw")
    expect(page.locator("#hunt-step")).to_contain_text("1 tile drawn so far")
    expect(page.locator("#hunt-draw")).to_have_text("Bob draws a tile")
    assert companion.get("/api/table")["boneyard"] == 91 - 36 - 1
    page.click("#hunt-2")
    expect(page.locator("#hunt-ask")).to_have_count(0)
    assert companion.get("/api/table")["turn"] == "Bob"
