"""Keyboards, large text, wide screens: the pages stay usable, and nothing jumps."""

import pytest
from conftest import PHONE, TABLET
from playwright.sync_api import Page, expect
from test_evening import begin

LONG = ["Ann", "Grandmother Josephine", "Cleo", "Wilhelmine", "Klein Erna"]
START = {"action": "start_game", "players": LONG, "set": 12, "rules": "hub"}
OPEN = {"action": "open_round", "starter": "Ann"}


def focused(page: Page) -> str:
    """The id of what has the keyboard."""
    return str(page.evaluate("document.activeElement.id"))


def box(page: Page, selector: str) -> dict[str, float]:
    """Where something lies on the screen."""
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return dict(found)


def test_the_keyboard_stays_where_it_was(companion, device):
    page = device(**TABLET)
    begin(page)
    page.focus("#mark-2")
    page.keyboard.press("Enter")
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    assert focused(page) == "mark-2"
    page.focus("#open-3")
    page.keyboard.press("Enter")
    expect(page.locator("#act")).to_be_focused()
    page.focus("#close")
    page.keyboard.press("Enter")
    expect(page.locator("#open-3")).to_be_focused()
    page.keyboard.press("Enter")
    page.focus("#out")
    page.keyboard.press("Enter")
    expect(page.locator("#row-3")).to_contain_text("went out")
    expect(page.locator("#open-3")).to_be_focused()
    page.focus("#undo-button")
    page.keyboard.press("Enter")
    expect(page.locator("#row-3")).not_to_contain_text("went out")
    assert focused(page) == "undo-button"
    page.focus("#next")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_a_train_of_the_drawing_shows_that_it_has_the_keyboard(companion, device):
    page = device(**TABLET)
    begin(page)
    page.focus("#undo-button")
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if focused(page) == "train-2":
            break
    assert focused(page) == "train-2"
    ring = "getComputedStyle(document.querySelector('#train-{} .train-ring')).stroke"
    assert page.evaluate(ring.format(2)) != "none"
    assert page.evaluate(ring.format(3)) == "none"
    page.keyboard.press("Enter")
    expect(page.locator("#act h2")).to_contain_text("Bob")
    page.focus("#close")
    page.keyboard.press("Enter")
    expect(page.locator("#train-2")).to_be_focused()


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_text_of_twice_the_size_fits(companion, device, kind):
    companion.play(START, OPEN, {"action": "lay_double", "train": "Cleo", "value": 10})
    page = device(**kind)
    for path in ("/", "/new", "/table", "/table?train=Cleo"):
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '36px'")
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{path} scrolls sideways by {wide} px"
        cut = page.evaluate("""() => [...document.querySelectorAll(".button, .toggle, .bar-nav a")]
            .filter(e => e.offsetParent && !e.classList.contains("unseen"))
            .filter(e => e.scrollWidth > e.clientWidth + 1)
            .map(e => e.outerHTML.slice(0, 120))""")
        assert not cut, path
    page.goto("/table")
    page.evaluate("document.documentElement.style.fontSize = '36px'")
    assert box(page, "#next")["width"] > 200
    assert box(page, "header")["height"] < 130


@pytest.mark.parametrize("width", [1080, 1366, 1920])
def test_the_bars_stand_over_and_under_what_they_belong_to(companion, device, width):
    companion.play(START, OPEN)
    page = device("/table", viewport={"width": width, "height": 900})
    left, right = box(page, "#state"), box(page, "#trains")
    assert abs(box(page, "#undo-button")["x"] - left["x"]) <= 1
    assert abs(box(page, ".bar-home")["x"] - left["x"]) <= 1
    end = right["x"] + right["width"]
    assert abs(box(page, "#next")["x"] + box(page, "#next")["width"] - end) <= 1


@pytest.mark.parametrize("width", [390, 1080, 1366])
def test_undo_is_at_the_same_place_on_every_page(companion, device, width):
    companion.play(START, OPEN)
    page = device("/table", viewport={"width": width, "height": 844})
    places = []
    for path in ("/table", "/score", "/score/1", "/seats", "/sheet"):
        page.goto(path)
        places.append(box(page, "#undo-button")["x"])
    assert len(set(places)) == 1, places


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_no_page_ends_in_a_blank(companion, device, kind):
    page = device(**kind)
    for path, last in (("/", ".languages"), ("/new", "#go"), ("/table", ".foot")):
        if path == "/table":
            companion.play(START, OPEN)
        page.goto(path)
        page.evaluate("scrollTo(0, 1e6)")
        longer = page.evaluate("document.documentElement.scrollHeight > innerHeight")
        blank = page.evaluate("innerHeight") - box(page, last)["y"] - box(page, last)["height"]
        assert blank < 50 if longer else blank >= 0, path


def test_long_names_are_not_cut_on_the_buttons_of_the_next_round(companion, device):
    companion.play(START)
    page = device("/table?next=1", **PHONE)
    for number, name in enumerate(LONG, 1):
        button = page.locator(f"#starter-{number}")
        expect(button).to_have_text(name)
        assert button.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), name
        broken = button.locator("span").evaluate("e => e.getClientRects().length")
        lines = button.locator("span").evaluate("e => e.offsetHeight / 21.6")
        assert broken == 1 and round(lines) <= len(name.split()), name


def test_undo_says_all_of_what_it_takes_back_in_three_lines_at_most(companion, device):
    companion.play(START, OPEN, {"action": "mark", "train": "Grandmother Josephine"})
    page = device("/table", **PHONE)
    small = page.locator("#undo-button small")
    expect(small).to_have_text("marker up on Grandmother Josephine")
    line = small.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)")
    assert box(page, "#undo-button small")["height"] <= 3 * line + 1
    assert small.evaluate("e => e.scrollHeight <= e.clientHeight + 1")


def test_the_camera_card_does_not_jump_when_it_says_something_else(companion, device):
    page = device(**TABLET)
    begin(page)
    words = page.locator("#camera-words")
    expect(words).to_contain_text("6-6")
    page.locator("#simulator summary").click()
    top = box(page, "#sim-lay")["y"] - box(page, "#camera")["y"]
    page.click("#sim-hide")
    expect(words).to_contain_text("covers the hub")
    assert box(page, "#sim-lay")["y"] - box(page, "#camera")["y"] == top
    page.select_option("#sim-value", "4")
    page.click("#sim-right")
    page.click("#sim-lay")
    expect(words).to_contain_text("I see the 4-4")
    assert box(page, "#sim-lay")["y"] - box(page, "#camera")["y"] == top
