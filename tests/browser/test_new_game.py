"""The new game by touch, mouse and keyboard and without JavaScript, and the table it leads to."""

import re

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import Page, expect

NAMES = ["Ann", "Bob", "Cem", "Dee"]
START = {"action": "start_game", "players": NAMES, "set": 12, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}


def seated(page: Page) -> list[str]:
    """The names in the order of the lines."""
    return list(page.locator("input[name=name]").evaluate_all("all => all.map(e => e.value)"))


def fill(page: Page) -> None:
    """Four names, each in its line."""
    for number, name in enumerate(NAMES, 1):
        page.fill(f"#name-{number}", name)


def middle(page: Page, selector: str) -> tuple[float, float]:
    """The middle of something on the screen."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_by_finger(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """One finger, down, moved in steps, and up."""
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    send("touchStart", start)
    for step in range(1, 11):
        send("touchMove", (start[0], start[1] + (end[1] - start[1]) * step / 10))
    send("touchEnd")


@pytest.mark.parametrize("how", ["finger", "mouse"])
def test_a_seat_is_dragged_to_its_place_and_keeps_its_colour(companion, device, how):
    page = device("/new", **(PHONE if how == "finger" else TABLET))
    fill(page)
    page.select_option("#look-1", "7")
    start = middle(page, "li:has(#name-1) [data-grip]")
    end = middle(page, "li:has(#name-3) [data-grip]")
    if how == "finger":
        drag_by_finger(page, start, (end[0], end[1] + 4))
    else:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(end[0], end[1] + 4, steps=8)
        page.mouse.up()
    assert seated(page) == ["Bob", "Cem", "Ann", "Dee"]
    page.click("#down-2")  # Bob, who sits first now
    assert seated(page) == ["Cem", "Bob", "Ann", "Dee"]
    page.click("#go")
    page.locator("label:has(#starter-1)").click()
    page.click("#begin")
    expect(page.locator("#state")).to_contain_text("Cem's turn")
    assert companion.get("/api/table")["game"]["players"] == ["Cem", "Bob", "Ann", "Dee"]
    heart = page.locator("#open-3 .badge")
    expect(heart).to_have_class(re.compile("look-7"))


def test_after_dragging_the_cross_removes_the_line_it_stands_on(companion, device):
    page = device("/new", **TABLET)
    fill(page)
    page.click("#down-1")
    page.click("#drop-1")
    expect(page.locator("input[name=name]")).to_have_count(3)
    assert seated(page) == ["Bob", "Cem", "Dee"]


def test_without_javascript_the_arrows_and_the_colours_work(companion, device):
    page = device("/new", **PLAIN)
    fill(page)
    page.select_option("#look-2", "9")
    page.click("#up-2")
    assert seated(page) == ["Bob", "Ann", "Cem", "Dee"]
    assert page.locator("#look-1").input_value() == "9"
    page.locator("#switches > summary").click()
    page.locator("#fold-double_blank > summary").click()
    page.locator("label:has(#double_blank-0)").click()
    page.click("#go")
    expect(page.locator("#house-rules")).to_contain_text("the 0-0 costs no points")
    page.locator("label:has(#length-5-)").click()
    page.click("#begin")
    expect(page).to_have_url(re.compile("/table"))
    game = companion.get("/api/table")["game"]
    assert game["players"][:2] == ["Bob", "Ann"] and game["switches"]["double_blank"] == 0


def test_the_keyboard_chooses_a_colour_and_sees_where_it_is(companion, device):
    page = device("/new", **TABLET)
    page.focus("#look-1")
    shown = "getComputedStyle(document.querySelector('#badge-1')).outlineStyle"
    assert page.evaluate(shown) == "solid"
    page.keyboard.press("ArrowDown")
    expect(page.locator("#badge-1")).to_have_class(re.compile("look-2"))


def test_same_people_same_rules_begins_with_one_tap(companion, device):
    companion.play(START, OPEN, {"action": "go_out", "player": "Ann"})
    companion.play(*({"action": "hand", "player": name, "pips": 9} for name in NAMES[1:]))
    companion.play({"action": "close_round"}, {"action": "finish_game"})
    page = device("/", **PHONE)
    page.click("#again")
    expect(page.locator("#act")).to_contain_text("Who has the engine and starts?")
    page.click("#starter-2")
    expect(page.locator("#state")).to_contain_text("Bob's turn")


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_undo_stays_in_reach_while_a_train_is_open(companion, device, kind):
    companion.play(START, OPEN, {"action": "mark", "train": "Bob"})
    page = device("/table", **kind)
    before = page.locator("#undo-button").bounding_box()
    page.click("#open-2")
    expect(page.locator("#close")).to_be_visible()
    assert page.locator("#undo-button").bounding_box() == before
    page.click("#undo-button")
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "false")
    assert companion.get("/api/table")["open_trains"] == []


@pytest.mark.parametrize("size", ["18px", "36px"])
def test_the_last_button_of_a_train_is_not_behind_the_foot(companion, device, size):
    companion.play(START, OPEN, {"action": "mark", "train": "Bob"})
    page = device("/table?train=Bob", **PHONE)
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
    page.evaluate("document.querySelector('#act').scrollTo(0, 1e6)")
    last = page.locator("#lay-0").bounding_box()
    foot = page.locator("#foot").bounding_box()
    assert last is not None and foot is not None
    assert last["y"] + last["height"] <= foot["y"]


def test_names_in_the_hub_grow_with_the_text_and_stay_apart(companion, device):
    companion.play({**START, "players": ["Ann", "Grandmother Josephine", "Cleo", "Wilhelmine"]})
    page = device("/table", **TABLET)
    boxes = """() => [...document.querySelectorAll(".seat-name")].map(e => {
        const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"""
    usual = page.evaluate(boxes)
    page.evaluate("document.documentElement.style.fontSize = '36px'")
    large = page.evaluate(boxes)
    hub = page.locator(".hub").bounding_box()
    scale = page.evaluate("document.querySelector('.hub').getScreenCTM().a")
    page.evaluate("document.documentElement.style.fontSize = ''")
    scale /= page.evaluate("document.querySelector('.hub').getScreenCTM().a")
    tall = [(b[3] - b[1]) / scale / (a[3] - a[1]) for a, b in zip(usual, large, strict=True)]
    assert max(tall) > 1.3 and min(tall) > 0.99, tall
    for n, (left, top, right, bottom) in enumerate(large):
        assert hub["x"] - 1 <= left and right <= hub["x"] + hub["width"] + 1
        for a, b, c, d in large[:n]:
            assert right <= a or c <= left or bottom <= b or d <= top


def test_the_engine_beside_the_question_follows_the_length(companion, device):
    page = device("/new", **TABLET)
    fill(page)
    page.click('label:has([name=set][value="9"])')
    page.locator("[name=step][value=start]").last.click()
    shown = page.locator("#first-engine [data-engine]:visible")
    expect(shown).to_have_text("9-9")
    page.click("label:has(#length--3)")
    expect(shown).to_have_text("3-3")
    page.click("#other-length summary")
    page.select_option("#first", "5")
    expect(shown).to_have_text("5-5")
    page.select_option("#first", "")
    expect(shown).to_have_text("3-3")
    page.click("#begin")
    expect(page).to_have_url(re.compile("/table$"))
    assert companion.get("/api/table")["engine"] == "3-3"


def test_without_script_every_length_shows_its_engine(device):
    page = device("/new", **PLAIN)
    fill(page)
    page.locator("[name=step][value=start]").last.click()
    expect(page.locator("#first-engine")).to_be_hidden()
    tiles = page.locator(".new-lengths .tile")
    expect(tiles).to_have_count(page.locator("[name=length]").count())
    for tile in tiles.all():
        expect(tile).to_be_visible()


def test_the_first_page_is_as_tall_as_its_words_whatever_stands_beside_it(device):
    page = device("/", **TABLET)
    words = page.locator("#hello").bounding_box()["height"]
    page.evaluate("document.querySelector('#join').style.height = '600px'")
    assert page.locator("#hello").bounding_box()["height"] == words < 250
