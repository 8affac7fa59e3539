"""Nothing moves for who asks their device to keep still."""

import pytest
from conftest import TABLET
from playwright.sync_api import expect

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
WATCH = """
window.moved = [];
for (const kind of ["animationstart", "transitionrun"])
  addEventListener(kind, (event) => moved.push(event.animationName || event.propertyName), true);
"""


def evening(companion, page):
    """A lamp is lit, a double waits, it is somebody else's turn, and the round is scored."""
    page.click("#mark-2")
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    companion.play({"action": "turn", "player": "Bob"})
    expect(page.locator("#state")).to_contain_text("Bob's turn")
    companion.play({"action": "lay_double", "train": "Bob", "value": 7, "player": "Bob"})
    expect(page.locator("#state")).to_contain_text("7-7")


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_nothing_moves_for_who_wants_it_still(companion, device, wish):
    companion.play(START, OPEN)
    page = device("/table", **TABLET, reduced_motion=wish)
    page.evaluate(WATCH)
    evening(companion, page)
    moved = page.evaluate("moved")
    assert bool(moved) == (wish == "no-preference"), moved


def test_the_ceremony_stands_still_where_that_is_wished(companion, device):
    hands = [{"action": "hand", "player": who, "pips": 5} for who in START["players"]]
    companion.play({**START, "rounds": 1}, OPEN, *hands, {"action": "close_round"})
    moving = "document.getAnimations().length"
    assert device("/sheet", **TABLET, reduced_motion="no-preference").evaluate(moving) > 0
    assert device("/sheet", **TABLET, reduced_motion="reduce").evaluate(moving) == 0
