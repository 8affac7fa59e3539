"""Without JavaScript a game can still be begun, typed and corrected; and every page fits."""

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import expect
from test_evening import begin, close, type_hand

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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_no_page_scrolls_sideways_and_targets_are_large(companion, device, kind, scheme):
    names = ["Ann", "Grandmother Josephine", "Cem", "Dee", "Eva", "Filip", "Žiga", "Hans"]
    companion.play(
        {**START, "players": names},
        {"action": "open_round", "starter": "Ann"},
        {"action": "mark", "train": "Cem"},
        {"action": "lay_double", "train": "Dee", "value": 7, "player": "Cem"},
        {"action": "hand", "player": "Ann", "tiles": ["1-2", "0-0"]},
    )
    page = device(**kind, color_scheme=scheme)
    paths = ("/", "/new", "/table", "/table?train=Dee", "/score", "/score/2", "/sheet", "/count")
    for path in paths:
        page.goto(path)
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{path} scrolls sideways by {wide} px"
        small = page.evaluate(
            """() => [...document.querySelectorAll("a.button, button, .choice span")]
            .filter(e => e.offsetParent && !e.classList.contains("unseen"))
            .filter(e => e.getBoundingClientRect().height < 44)
            .map(e => e.outerHTML.slice(0, 120))"""
        )
        assert not small, path
