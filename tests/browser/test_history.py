"""Past games by touch: looked at, put right, taken back, carried into another house."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import expect

from tests.running import Companion

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"}
KINDS = pytest.mark.parametrize("kind", [TABLET, PHONE, PLAIN], ids=["tablet", "phone", "plain"])


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion that kept a finished game, with another one on the table."""
    with Companion(tmp_path / "data", "--camera", "none", "--lights", "none") as running:
        running.play(START)
        a_round(running, Ann=0, Bob=11)
        a_round(running, Ann=7, Bob=0)
        running.play({"action": "finish_game"}, {**START, "players": ["Eva", "Filip"]})
        yield running


def a_round(companion: Companion, **pips: int) -> None:
    hands = [{"action": "hand", "player": who, "pips": left} for who, left in pips.items()]
    companion.play({"action": "open_round"}, *hands, {"action": "close_round"})


@KINDS
def test_a_score_of_a_past_game_is_put_right_and_that_taken_back(companion, device, kind):
    before = companion.get("/api/table")
    page = device("/games", **kind)
    page.click("#look-1")
    expect(page.locator("h1")).to_have_text("Ann won with 7")
    page.locator("#kept-game .cell").nth(2).click()
    page.fill("#score", "20+4")
    page.click("#correct-save")
    expect(page.locator(".cell-score")).to_have_text("24")
    expect(page.locator("#history")).to_contain_text("typed")
    expect(page.locator("#undo-button")).to_contain_text("the correction for Ann in round 2")
    page.click("#back")
    expect(page.locator("h1")).to_have_text("Bob won with 11")
    page.click("#undo-button")
    expect(page.locator("h1")).to_have_text("Ann won with 7")
    expect(page.locator("#undo-button")).to_be_disabled()
    assert companion.get("/api/table") == before


@KINDS
def test_a_past_game_is_deleted_after_a_question(companion, device, kind):
    before = companion.get("/api/table")
    page = device("/games/1", **kind)
    page.click("#delete-game")
    expect(page.locator("#delete p")).to_contain_text("Delete the game of Ann, Bob (")
    page.click("#delete-no")
    page.click("#delete-game")
    page.click("#delete-yes")
    expect(page.locator("h1")).to_have_text("Past games")
    expect(page.locator("#games")).to_contain_text("Eva, Filip")
    expect(page.locator("#games")).not_to_contain_text("Ann")
    assert companion.get("/api/table") == before


@KINDS
def test_games_are_carried_into_another_house(companion, device, tmp_path, kind):
    page = device("/games", **kind)
    with page.expect_download() as download:
        page.click("#all-json")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert re.fullmatch(r"mexican-train-games-\d{4}-\d\d-\d\d\.json", file.name)
    with Companion(tmp_path / "other", "--camera", "none", "--lights", "none") as other:
        page.goto(f"{other.address}/games")
        page.set_input_files("#games-file", tmp_path / "data" / "journal.db")
        page.click("#import-send")
        expect(page.locator("#refusal")).to_contain_text("That file holds no games")
        page.set_input_files("#games-file", file)
        page.click("#import-send")
        expect(page.locator("#brought")).to_contain_text("2 games were added.")
        expect(page.locator("#games")).to_contain_text("Ann won with 7")
        assert other.get("/api/table")["phase"] == "none"


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_nothing_sticks_out_with_long_names_and_large_text(companion, device, kind):
    long = ["Maximiliana-Wilhelmine von Hohen", "Ottoottoottoottoottoottoottoottootto", "Ida"]
    companion.play({**START, "players": long, "overrule": True})
    for _round in range(3):
        a_round(companion, **dict(zip(long, (0, 110, 7), strict=True)))
    companion.play({"action": "finish_game"}, {**START, "players": ["Eva", "Filip"]})
    page = device("/games", **kind)
    for path in (
        "/games",
        "/games/3",
        "/games/3/1/2",
        "/figures?of=Ida",
        f"/figures?of={long[0]}&against={long[1]}",
    ):
        page.goto(path)
        for size in ("100%", "200%"):
            page.evaluate("size => document.documentElement.style.fontSize = size", size)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{path} at {size} is {wide} px too wide"


def test_the_figures_lead_from_one_to_two_and_on_to_the_game(companion, device):
    page = device("/games", **PHONE)
    page.locator("#figures").get_by_role("link", name="Ann").click()
    expect(page.locator("h1")).to_have_text("Ann")
    page.click("#rival-1")
    expect(page.locator("#versus")).to_contain_text("1 game together.")
    page.locator("#games a").click()
    expect(page).to_have_url(re.compile("/games/1$"))
