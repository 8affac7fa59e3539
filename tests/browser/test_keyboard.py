"""Without touching the screen: Tab, Enter, Space and the arrows lead through everything."""

import re
from pathlib import Path
from typing import Any

from conftest import PHONE, TABLET
from playwright.sync_api import Page, expect
from test_evening import photo
from walking import STOPS

__all__ = ["photo"]

MOST = 250
"""Stops of the Tab key on the longest page, and then some."""

FOCUSED = """() => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const around = [e, e.nextElementSibling, e.closest("label"), ...e.querySelectorAll("*")];
    const look = () => around.filter(Boolean).map((a) => {
        const s = getComputedStyle(a);
        const edge = [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow, s.borderColor];
        return [...edge, s.stroke, s.left].join(); }).join(";");
    const shown = parseFloat(getComputedStyle(e).opacity) ? e : e.closest("label") || e;
    const box = shown.getBoundingClientRect();
    const under = (y) => {
        const top = document.elementFromPoint(box.left + box.width / 2, y);
        const bar = top && top.closest(".foot, .strips");
        return !top || Boolean(bar && !bar.contains(e)); };
    const hidden = [0.1, 0.5, 0.9].every((part) => under(box.top + box.height * part));
    const on = look();
    e.blur();
    const off = look();
    e.focus({ preventScroll: true });
    const name = e.localName + (e.id ? "#" + e.id : "." + e.className);
    const counts = e.matches(TARGETS);
    return { name, text: e.textContent.trim().slice(0, 30), ring: on !== off, hidden, counts };
}"""
"""What has the keyboard: its name, whether it shows that it has, and whether a bar hides it."""

SKIP = "a.skip"
"""The first of every page."""
TARGETS = "a[href], svg a, button, summary, select, textarea, input:not([type=hidden])"
FOCUSED = FOCUSED.replace("TARGETS", repr(TARGETS))
REACHABLE = """() => {
    const groups = new Set();
    const again = (e) => e.type === "radio" && (groups.has(e.name) || !groups.add(e.name));
    const seen = (e) => e.checkVisibility({ visibilityProperty: true });
    return [...document.querySelectorAll(TARGETS)]
        .filter((e) => seen(e) && e.tabIndex >= 0 && !e.disabled && !again(e)).length; }""".replace(
    "TARGETS", repr(TARGETS)
)
"""How many stops the Tab key has on a page; of radio buttons one a group."""


def through(page: Page) -> list[dict[str, Any]]:
    """Press Tab through the whole page from its start; what had the keyboard, in turn."""
    page.keyboard.press("Tab")  # from here on the ring is shown
    if page.locator(SKIP).count():
        page.focus(SKIP)
    elif page.evaluate(REACHABLE) == 0:
        return []
    found = [page.evaluate(FOCUSED)]
    for _ in range(MOST):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None or at["name"] == found[0]["name"]:
            return found
        found.append(at)
    raise AssertionError(f"Tab finds no end: {found[-5:]}")


def test_tab_reaches_everything_on_every_page_and_shows_where_it_is(walk):
    page = walk.page
    page.set_viewport_size(PHONE["viewport"])  # where the bars leave the least room
    for stop in STOPS:
        walk.go(stop)
        found = through(page)
        for at in found:
            if not at["ring"]:
                walk.fault(f"{at['name']} {at['text']!r} does not show that it has the keyboard")
            if at["hidden"]:
                walk.fault(f"{at['name']} {at['text']!r} has the keyboard behind a bar")
        counted = [at["name"] for at in found if at["counts"]]
        wanted = page.evaluate(REACHABLE)
        if len(counted) != wanted:
            walk.fault(f"Tab stops at {len(counted)} of {wanted}: {', '.join(counted)}")
    walk.done()


# ---- the ways through an evening ---------------------------------------------------------------

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
HERE = "selector => Boolean(document.activeElement.matches(selector))"


def tab(page: Page, selector: str) -> None:
    """Press Tab until this has the keyboard, from wherever it is now."""
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if page.evaluate(HERE, selector):
            return
    raise AssertionError(f"Tab does not lead to {selector} on {page.url}")


def press(page: Page, selector: str, key: str = "Enter") -> None:
    """Go there by Tab and press a key."""
    tab(page, selector)
    page.keyboard.press(key)


def kept(page: Page) -> None:
    """Something on the page still has the keyboard after it changed."""
    lost = "document.activeElement === document.body || !document.activeElement"
    assert not page.evaluate(lost), f"nothing has the keyboard on {page.url}"


def test_the_first_tab_offers_to_skip_the_bar(companion, device):
    page = device("/rules", **TABLET)
    page.keyboard.press("Tab")
    expect(page.locator(SKIP)).to_be_focused()
    expect(page.locator(SKIP)).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('#main').contains(document.activeElement)")


def test_a_new_game_and_taps_on_the_table(companion, device):
    page = device("/", **TABLET)
    press(page, "#new-game")
    expect(page).to_have_url(re.compile("/new$"))
    for number, name in enumerate(("Ann", "Bob", "Cem"), 1):
        tab(page, f"#name-{number}")
        page.keyboard.type(name)
    press(page, "#down-1", "Space")
    expect(page.locator("#name-1, [name=name]").first).to_have_value("Bob")
    kept(page)
    tab(page, "[name=set]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#set-6")).to_be_checked()
    press(page, "#go")
    expect(page.locator("#begin")).to_be_visible()
    tab(page, "[name=starter]")
    page.keyboard.press("ArrowUp")
    press(page, "#begin")
    expect(page).to_have_url(re.compile("/table"))
    table = companion.get("/api/table")
    assert table["game"]["players"] == ["Bob", "Ann", "Cem"] and table["starter"] == "Cem"
    press(page, "#mark-2", "Space")
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    expect(page.locator("#mark-2")).to_be_focused()
    press(page, "#train-3")
    expect(page.locator("#act")).to_be_focused()
    press(page, "#act button")
    expect(page.locator("#undo-button")).not_to_contain_text("marker up on Ann")
    kept(page)
    press(page, "#undo-button")
    expect(page.locator("#undo-button")).to_contain_text("marker up on Ann")
    expect(page.locator("#undo-button")).to_be_focused()


def test_a_round_is_scored_by_keypad_and_by_tapping_tiles(companion, device):
    companion.play(START, OPEN)
    page = device("/table", **TABLET)
    press(page, "#next")
    expect(page).to_have_url(re.compile("/score$"))
    press(page, "#out-1")
    expect(page.locator("#hand-1")).to_contain_text("went out")
    kept(page)
    press(page, "#enter-2")
    expect(page).to_have_url(re.compile("/score/2$"))
    for key in "1+7":
        press(page, f'[data-key="{key}"]', "Space")
    expect(page.locator("#typed")).to_have_value("1+7")
    expect(page.locator("#typed-sum[aria-live]")).to_contain_text("8")
    press(page, "#save")
    expect(page).to_have_url(re.compile("/score$"))
    press(page, "#enter-3")
    expect(page).to_have_url(re.compile("/score/3$"))
    press(page, "#pick-tiles")
    expect(page).to_have_url(re.compile("/score/3/tiles$"))
    for tile in ("3-4", "5-12"):
        press(page, f'#grid input[value="{tile}"]', "Space")
    expect(page.locator("[aria-live] #grid-total")).to_have_text("24")
    press(page, '#grid-picked [aria-label="3-4"]')
    expect(page.locator("#grid-total")).to_have_text("17")
    kept(page)
    press(page, "#save")
    expect(page).to_have_url(re.compile("/score$"))
    press(page, "#close-round")
    expect(page).to_have_url(re.compile("/sheet"))
    assert companion.get("/api/table")["scores"] == {"Ann": [0], "Bob": [8], "Cem": [17]}


def test_a_photo_is_put_right(companion, device, photo: Path):
    companion.play(START, OPEN)
    page = device("/score/2", **TABLET)
    with page.expect_file_chooser() as asked:  # the way there gives the browser time to listen
        press(page, "#photo-take")
    asked.value.set_files(photo)
    expect(page.locator("#total")).to_contain_text("19", timeout=30_000)
    press(page, "#tiles a")
    expect(page.locator("#check")).to_be_focused()
    tab(page, "#one-0")
    page.keyboard.press("Enter")
    expect(page.locator("#total")).not_to_contain_text("19")
    kept(page)
    expect(page.locator("#ear")).to_have_text(page.locator("#total").inner_text())
    press(page, "#undo-button")
    expect(page.locator("#total")).to_contain_text("19")
    kept(page)
    press(page, "#confirm")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"]["Bob"]["points"] == 19


def test_a_score_on_the_sheet_is_corrected(companion, device):
    hands = [{"action": "hand", "player": player, "pips": 5} for player in START["players"]]
    companion.play(START, OPEN, *hands, {"action": "close_round"})
    page = device("/sheet", **TABLET)
    press(page, "a.cell")
    expect(page.locator("#correct-save")).to_be_visible()
    tab(page, "#score")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("21")
    press(page, "#correct-save")
    expect(page.locator(".cell-score")).to_have_text("21")
    kept(page)
    press(page, "#undo-button")
    expect(page.locator(".cell-score")).to_have_text("5")
    expect(page.locator("#undo-button")).to_be_focused()


def test_the_keyboard_is_not_lost_when_others_tap(companion, device):
    companion.play(START, OPEN)
    page = device("/score", **TABLET)
    tab(page, "#out-3")
    companion.play({"action": "go_out", "player": "Ann"})
    expect(page.locator("#hand-1")).to_contain_text("went out")
    kept(page)
    tab(page, "#enter-2")
    companion.play({"action": "hand", "player": "Cem", "pips": 9})
    expect(page.locator("#hand-3")).to_contain_text("9")
    expect(page.locator("#enter-2")).to_be_focused()
    companion.play({"action": "hand", "player": "Bob", "pips": 4})
    expect(page.locator("#hand-2")).to_contain_text("4")
    kept(page)
    expect(page.locator("#ear")).to_have_text("Every hand is there.")


def test_what_changes_on_the_table_is_told_to_ears(companion, device):
    companion.play(START, OPEN)
    page = device("/table", **TABLET)
    companion.play({"action": "turn", "player": "Bob"})
    expect(page.locator("[aria-live] #state")).to_contain_text("Bob's turn")
