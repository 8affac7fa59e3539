"""The sheet on paper, the chart on a phone, the winners' ceremony, and the television."""

import re
from itertools import combinations, pairwise

import pytest
from conftest import PHONE, TABLET, until
from playwright.sync_api import Page, expect

from companion.rulebook import PRESETS

NAMES = ["Ann", "Grandmother Josephine", "Cem", "Wilhelmine", "Žiga", "Dee", "Eva"]
NAMES += ["Filip", "Hans", "Ida", "Jo", "Kim", "Maximilian", "Nia"]
OPENING = {"action": "open_round", "overrule": True}
TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
LARGE_TABLET = {"viewport": {"width": 1366, "height": 1024}}


def start(people, **more):
    """A game of this many people."""
    begin = {"action": "start_game", "players": NAMES[:people], "set": 12, "rules": "classic"}
    return {**begin, "overrule": True, **more}


def a_round(people, number=0):
    """A round with scores of one to three digits."""
    out = NAMES[number % people]
    hands = [
        {"action": "hand", "player": name, "pips": 5 + 37 * ((number + seat) % 4)}
        for seat, name in enumerate(NAMES[:people])
        if name != out
    ]
    return [OPENING, {"action": "go_out", "player": out}, *hands, {"action": "close_round"}]


def pages_of(page: Page) -> int:
    """How many sheets of paper the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


# ---- on paper ------------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [2, 7, 14])
def test_sheet_and_chart_are_one_page_each_on_paper(companion, device, people):
    companion.play(start(people))
    page = device("/sheet", **TABLET, color_scheme="dark")
    assert pages_of(page) == 1, "as an empty form"
    for number in range(13):
        companion.play(*a_round(people, number))
    for path in ("/sheet", "/sheet/chart"):
        page.goto(path)
        expect(page.locator(".sheet, .chart").first).to_be_visible()
        assert pages_of(page) == 1, path
    page.goto("/sheet")
    page.emulate_media(media="print")
    for hidden in (".bar", ".foot", ".winners", ".sheet-views"):
        expect(page.locator(hidden).first).to_be_hidden()
    inks = page.evaluate(
        "[...document.querySelectorAll('.cell b, .sheet-name, .sheet-total td')]"
        ".map(e => getComputedStyle(e).color)"
    )
    assert set(inks) == {"rgb(0, 0, 0)"}, "black on white, by night too"
    wide = page.evaluate("document.querySelector('.sheet').scrollWidth - document.body.clientWidth")
    assert wide <= 0


def test_the_rule_card_is_one_page_on_paper(companion, device):
    page = device("/rules", **TABLET)
    for preset in PRESETS:
        page.goto(f"/rules?rules={preset}")
        assert pages_of(page) == 1, preset
    companion.play(start(4, overrides={"marker_penalty": 10, "block_only": True}))
    page.goto("/rules")
    assert pages_of(page) == 1


def test_a_phone_corrects_a_score_by_the_keypad(companion, device):
    companion.play(start(3), *a_round(3))
    page = device("/sheet", **PHONE)
    expect(page.locator(".sheet-tap")).to_be_visible()
    page.locator(".cell").nth(1).click()
    expect(page.locator("#stands-now")).to_contain_text("in this round.")
    for key in ("2", "0", "+", "4"):
        page.click(f'[data-key="{key}"]')
    expect(page.locator("#correct-save")).to_be_in_viewport(ratio=1)
    page.click("#correct-save")
    expect(page.locator(".cell-score")).to_have_text("24")


# ---- the chart -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_chart_of_a_full_table_fits_and_its_names_keep_apart(companion, device, kind):
    companion.play(start(14))
    for number in range(3):
        companion.play(*a_round(14, number))
    page = device("/sheet", **kind)
    page.click("#as-chart")
    expect(page.locator(".chart-plot")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    names = page.locator(".chart-names text:visible")
    expect(names).to_have_count(14)
    boxes = [each.bounding_box() for each in names.all()]
    for one, other in combinations(boxes, 2):
        assert abs(one["y"] - other["y"]) >= 0.9 * min(one["height"], other["height"])
    plot = page.locator(".chart-plot").bounding_box()
    assert plot["width"] >= 150
    assert all(box["x"] > plot["x"] + plot["width"] for box in boxes)
    assert max(box["x"] + box["width"] for box in boxes) <= page.viewport_size["width"]


def test_the_chart_follows_the_game(companion, device):
    companion.play(start(3), *a_round(3))
    page = device("/sheet/chart", **TABLET)
    expect(page.locator(".bar-of")).to_have_count(2)
    companion.play(*a_round(3, 1))
    expect(page.locator(".bar-of")).to_have_count(4)


# ---- the ceremony --------------------------------------------------------------------------------

MOVING = "document.getAnimations().filter(a => (a.animationName || '').startsWith('cheer')).length"


def test_the_ceremony_is_played_once_and_never_after_a_correction(companion, device):
    companion.play(start(3, rounds=1), *a_round(3)[:-1])
    page = device("/sheet", **TABLET)
    companion.play({"action": "close_round"})
    expect(page.locator(".winners h1")).to_have_text("Ann wins")
    until(page, f"{MOVING} > 20")
    companion.play({"action": "correct", "round": 1, "player": NAMES[1], "went_out": True})
    companion.play({"action": "correct", "round": 1, "player": "Ann", "pips": 9})
    expect(page.locator(".winners h1")).to_have_text(f"{NAMES[1]} wins")
    assert page.evaluate(MOVING) == 0
    page.reload()
    expect(page.locator(".cheer-scene")).to_be_visible()
    assert page.evaluate(MOVING) == 0


def test_the_ceremony_stands_still_for_who_asked_for_that(companion, device):
    companion.play(start(3, rounds=1), *a_round(3))
    page = device("/sheet", **TABLET, reduced_motion="reduce")
    expect(page.locator("body.cheers .cheer-scene")).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator(".cheer-paper")).to_be_hidden()
    page = device("/settings", **TABLET)
    page.click("#ceremony-off")
    expect(page.locator("#ceremony-off")).to_have_attribute("aria-pressed", "true")
    page.goto("/sheet")
    expect(page.locator(".cheer-scene")).to_be_visible()
    assert page.evaluate(MOVING) == 0


# ---- the television ------------------------------------------------------------------------------


def scrolls(page: Page) -> list[float]:
    """How far the page goes beyond the screen, and how far below it anybody's row ends."""
    return page.evaluate("""() => [
        document.documentElement.scrollWidth - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
        Math.max(0, ...[...document.querySelectorAll(".tv-person, .tv-left > *, .tv-join")]
            .map(e => e.getBoundingClientRect().bottom - innerHeight)),
    ]""")


@pytest.mark.parametrize("kind", [TELEVISION, LARGE_TABLET], ids=["television", "tablet"])
@pytest.mark.parametrize("people", [2, 6, 10, 14])
def test_the_television_follows_the_game_and_never_scrolls(companion, device, kind, people):
    page = device("/tv", **kind)
    expect(page.locator("#tv-hello")).to_be_visible()
    companion.play(start(people, rounds=2))
    expect(page.locator(".tv-person")).to_have_count(people)
    companion.play({**OPENING, "starter": "Ann"}, {"action": "turn", "player": "Ann"})
    said = page.locator("#tv-state")
    expect(said).to_contain_text("Ann's turn.")
    page.evaluate("window.mine = 'the same page still'")
    companion.play({"action": "lay_double", "train": "Ann", "value": 7, "player": "Ann"})
    companion.play({"action": "mark", "train": "Ann"})
    expect(said).to_contain_text("Grandmother Josephine must cover the 7-7.")
    expect(page.locator(".tv-person", has_text="Ann")).to_contain_text("open")
    expect(page.locator(".hub .double-open")).to_have_count(1)
    assert scrolls(page) == [0, 0, 0], "in a round"
    companion.play(*a_round(people)[1:])
    expect(page.locator(".chart")).to_be_visible()
    expect(page.locator(".tv-person").first).to_contain_text("Ann")
    assert scrolls(page) == [0, 0, 0], "between rounds"
    assert page.evaluate("window.mine") == "the same page still"
    companion.play(*a_round(people, 1))
    expect(page.locator(".tv-winner")).to_contain_text("win")
    expect(page.locator(".cheer-scene")).to_be_visible()
    assert scrolls(page) == [0, 0, 0], "at the end"


def test_the_television_is_read_from_the_sofa(companion, device):
    companion.play(start(14), OPENING, {"action": "turn", "player": "Ann"})
    page = device("/tv", **TELEVISION)
    for words, least in ((".tv-name:not(.tv-long)", 32), (".tv-said", 36), (".tv-head h1", 50)):
        size = page.locator(words).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert size >= least, words
    tile = page.locator(".tv-tile").bounding_box()
    assert tile["width"] >= 140


def test_the_television_without_script_loads_itself_anew(companion, device):
    companion.play(start(3), OPENING, {"action": "turn", "player": "Cem"})
    page = device("/tv", **TELEVISION, java_script_enabled=False)
    expect(page.locator("#tv-state")).to_contain_text("Cem's turn.")
    companion.play({"action": "turn", "player": "Ann"})
    expect(page.locator("#tv-state")).to_contain_text("Ann's turn.", timeout=20_000)


@pytest.mark.parametrize("rounds", [2, 12])
def test_the_television_names_engines_by_both_ends(companion, device, rounds):
    companion.play(start(3), *(act for n in range(rounds) for act in a_round(3, n)))
    page = device("/tv", **TELEVISION)
    names = page.locator(".chart-engine:visible")
    expect(names.last).to_have_text(f"{13 - rounds}-{13 - rounds}")
    expect(names.last.locator(".chart-half")).to_be_visible()
    boxes = [name.bounding_box() for name in names.all()]
    assert len(boxes) >= 2
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] < right["x"]
