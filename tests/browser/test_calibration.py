"""The calibration page by touch, by taps alone, and without script; what it set is there after."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import Locator, Page, expect

from tests.running import Companion, eventually

PLAYERS = ["Ann", "Bob", "Cem", "Dee"]
START = {"action": "start_game", "players": PLAYERS, "set": 12, "rules": "classic"}
BEGUN = [{"action": "start_train", "player": player} for player in PLAYERS]


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion with a simulated hub, round which all five trains have begun."""
    with Companion(tmp_path / "data", "--camera", "simulated") as running:
        running.play(START, {"action": "open_round"}, *BEGUN, {"action": "start_mexican_train"})
        yield running


def middle(page: Page, name: str) -> tuple[float, float]:
    """Where a handle is on the screen."""
    box = page.locator(f".lay-all [data-handle={name}] .lay-knob").first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, name: str, right: float, down: float) -> None:
    """Take a handle a little beside its middle, as fingers do, and drop it elsewhere."""
    x, y = middle(page, name)
    page.mouse.move(x + 9, y - 9)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2, steps=3)
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def number(page: Page, name: str) -> float:
    """What a number field holds."""
    return float(page.input_value(f"[name={name}]"))


def states(page: Page) -> list[str]:
    """What the page says of hub, play area and seats."""
    return page.locator(".lay-state dd").all_inner_texts()


def kept(page: Page) -> None:
    """Press the button and wait until it counts."""
    page.click("#keep")
    expect(page.locator(".lay-state dd").first).to_have_text("set by hand")


def test_everything_is_found_moved_kept_and_shown(companion, device):
    page = device("/calibration", **TABLET)
    assert states(page)[:2] == ["found at every look", "the whole picture"]
    page.click("#find")
    expect(page.locator("#found")).to_have_text("The hub was found by the trains around it.")
    assert abs(number(page, "hub_x") - 50) < 1.5 and abs(number(page, "hub_y") - 50) < 1.5
    ways = [number(page, f"seat{seat}_way") for seat in range(1, 6)]
    slots = [90, 135, 180, 225, 45]
    assert all(abs(math.remainder(a - b, 360)) < 5 for a, b in zip(ways, slots)), ways
    before = number(page, "hub_x")
    drag(page, "hub", 30, 0)
    drag(page, "corner1", 60, 45)
    drag(page, "seat2", 0, 40)
    assert number(page, "hub_x") > before + 2
    kept(page)
    told = {name: number(page, name) for name in ("hub_x", "corner1_x", "corner1_y", "seat2_way")}
    assert told["corner1_x"] > 8 and told["seat2_way"] < 135
    other = device("/camera?whole=1", **PHONE)
    expect(other.locator("#view .lay-area").first).to_be_visible()
    expect(other.locator("#view .lay-seat")).to_have_count(5)
    companion.stop()
    companion.start()
    page.goto("/calibration")
    assert {name: number(page, name) for name in told} == told
    page.click("#reset")
    expect(page.locator("#forget")).to_contain_text("would be forgotten")
    page.click("#leave-kept")
    expect(page.locator("#forget")).to_have_count(0)
    expect(page.locator(".lay-state dd").first).to_have_text("set by hand")
    page.click("#reset")
    page.click("#reset-anyway")
    expect(page.locator(".lay-state dd").first).to_have_text("found at every look")


def test_crossed_corners_are_refused_and_stay_to_be_put_right(device):
    page = device("/calibration", **TABLET)
    x, y = middle(page, "corner1")
    right, down = middle(page, "corner2")
    drag(page, "corner1", right - x - 20, 5)
    drag(page, "corner2", x - right + 20, 5)
    page.click("#keep")
    expect(page.locator("#refusal")).to_contain_text("The sides of the play area cross")
    assert number(page, "corner1_x") > 80 and middle(page, "corner1")[0] > 300
    assert states(page)[1] == "the whole picture"


@pytest.mark.parametrize("kind", [TABLET, PLAIN], ids=["tablet", "plain"])
def test_what_was_kept_on_another_device_meanwhile_is_said_before_it_is_lost(device, kind):
    page, other = device("/calibration", **kind), device("/calibration", **PHONE)
    drag(other, "hub", 20, 0)
    kept(other)
    theirs = other.input_value("[name=hub_x]")
    page.click("#numbers summary")
    page.fill("[name=seat1_way]", "100")
    page.click("#keep")
    expect(page.locator("#refusal")).to_contain_text("Somebody else changed the calibration")
    assert page.input_value("[name=seat1_way]") == "100"
    assert page.input_value("[name=hub_x]") == theirs
    page.click("#keep")
    expect(page.locator("#kept")).to_be_visible()
    assert page.input_value("[name=hub_x]") == theirs


def test_one_tap_puts_the_chosen_point_and_the_next_one_is_chosen(device):
    page = device("/calibration", **PHONE)
    picture = page.locator(".only-script svg")
    box = picture.bounding_box()
    assert box
    picture.click(position={"x": box["width"] * 0.4, "y": box["height"] * 0.6})
    assert (number(page, "hub_x"), number(page, "hub_y")) == pytest.approx((40, 60), abs=0.6)
    expect(page.locator("[name=point]:checked")).to_have_attribute("value", "corner1")
    kept(page)


def test_handles_are_large_enough_for_fingers(device):
    page = device("/calibration", **PHONE)
    for name in ("hub", "corner1", "seat1"):
        width = page.eval_on_selector(
            f".lay-all [data-handle={name}] .lay-touch",
            "it => parseFloat(getComputedStyle(it).strokeWidth)",
        )
        assert width >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    x, y = middle(page, "corner1")
    page.mouse.move(x - 18, y - 18)
    page.mouse.down()
    page.mouse.move(x + 60, y + 50, steps=2)
    page.mouse.up()
    assert number(page, "corner1_x") > 12


def test_the_picture_lives_while_the_page_is_open(device):
    page = device("/calibration", **TABLET)
    picture = page.locator(".only-script svg image")
    first = picture.get_attribute("xlink:href")
    expect(picture).not_to_have_attribute("xlink:href", str(first), timeout=10_000)


def tap_at(picture: Locator, x: float, y: float) -> None:
    """Tap a picture at a share of its width and height."""
    box = picture.bounding_box()
    assert box
    picture.click(position={"x": box["width"] * x, "y": box["height"] * y})


def test_without_script_taps_and_numbers_do_the_same(device):
    page = device("/calibration", **PLAIN)
    shown = page.locator(".plain-tap:visible")
    spots = {
        "hub": (0.5, 0.5),
        "corner1": (0.1, 0.1),
        "corner2": (0.9, 0.1),
        "corner3": (0.9, 0.9),
    }
    for name, (x, y) in spots.items():
        expect(page.locator("[name=point]:checked")).to_have_attribute("value", name)
        expect(shown).to_have_count(1)
        tap_at(shown, x, y)
    assert states(page)[:2] == ["set by hand", "set by hand"]
    page.click("#numbers summary")
    assert (number(page, "hub_x"), number(page, "corner3_y")) == pytest.approx((50, 90), abs=1)
    page.fill("[name=corner3_x]", "5")
    page.click("#keep")
    expect(page.locator("#refusal")).to_be_visible()
    page.fill("[name=corner3_x]", "85")
    kept(page)
    page.click("#numbers summary")
    assert number(page, "corner3_x") == 85


@pytest.mark.parametrize("kind", [TABLET, PLAIN], ids=["tablet", "plain"])
def test_a_marker_is_taught_by_a_tap(companion, device, kind):
    companion.play({"action": "mark", "train": "Cem"})
    page = device("/calibration/markers", **kind)
    page.fill("#marker-name", "Cem's train")
    if kind is TABLET:
        page.wait_for_timeout(3000)
        marker_at(page.locator("svg[data-place]"))
        page.click("#learn")
    else:
        marker_at(page.locator(".plain-tap:visible"))
    expect(page.locator(".marker-row")).to_contain_text("Cem's train")
    expect(page.locator(".marker-picture")).to_have_js_property("complete", True)
    page.click("#forget-0")
    expect(page.locator("#no-markers")).to_be_visible()


def test_marker_questions_are_tried_in_the_simulated_hub(companion, device):
    page = device("/calibration/markers", **TABLET)
    picture = page.locator("svg[data-place] image")

    def cems(button: str) -> None:
        """Lay or lift Cem's marker in the simulated hub."""
        page.select_option("#sim-train", "Cem")
        page.click(button)

    cems("#sim-marker-up")
    for _picture in range(2):
        shown = picture.get_attribute("xlink:href")
        expect(picture).not_to_have_attribute("xlink:href", str(shown), timeout=10_000)
    marker_at(page.locator("svg[data-place]"))
    page.click("#learn")
    expect(page.locator(".marker-row")).to_contain_text("Marker 1")
    page.goto("/table")
    page.click("text=Marker up: open to all", timeout=20_000)
    page.goto("/calibration/markers")
    cems("#sim-marker-off")
    page.goto("/table")
    expect(page.locator(".ask")).to_contain_text(
        "The marker on Cem's train is gone", timeout=20_000
    )
    page.click("text=Marker off: closed again")
    assert eventually(lambda: companion.get("/api/table")["open_trains"] == [])


def test_what_was_moved_is_not_left_behind_unasked(device):
    page = device("/calibration", **TABLET)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    drag(page, "hub", 30, 0)
    page.click("#to-markers")
    expect(page.locator("#unkept")).to_contain_text("What was moved is not kept yet.")
    assert page.url.endswith("/calibration") and number(page, "hub_x") > 51
    kept(page)
    page.click("#to-markers")
    expect(page).to_have_url(re.compile("/calibration/markers$"))
    page.click("#to-calibration")
    drag(page, "hub", 30, 0)
    page.click("#find")
    expect(page.locator("#find-anyway")).to_be_visible()
    assert number(page, "hub_x") > 53
    assert asked == []
    page.click("#to-markers")
    page.click("#leave")
    expect(page).to_have_url(re.compile("/calibration/markers$"))
    assert asked == []
    page.click("#to-calibration")
    drag(page, "hub", 30, 0)
    page.reload()
    assert asked == ["beforeunload"]


def test_seats_are_guessed_between_those_that_were_put(companion, device):
    companion.play({**START, "overrule": True}, {"action": "open_round"})
    page = device("/calibration", **TABLET)
    guessed = page.locator(".lay-all .lay-guess")
    for _ in range(60):
        if guessed.count() == 5:
            break
        page.wait_for_timeout(250)
        page.reload()
    expect(guessed).to_have_count(5)
    assert states(page)[2] == "only guessed: put each in its place"
    drag(page, "seat1", -100, -100)
    expect(guessed).to_have_count(4)
    way = number(page, "seat1_way")
    assert 100 < way < 170 and page.input_value("[name=seat2_way]") == ""
    hub, second = middle(page, "hub"), middle(page, "seat2")
    there = math.degrees(math.atan2(second[1] - hub[1], second[0] - hub[0]))
    assert abs(math.remainder(there - way - 72, 360)) < 3
    page.click("#keep")
    expect(page.locator(".lay-state dd").last).to_have_text("1 of 5 told, the others are guessed")
    expect(guessed).to_have_count(4)
    assert number(page, "seat1_way") == way


def marker_at(picture: Locator) -> None:
    """Tap Cem's marker, at the end of the train that leaves the hub to the left."""
    tap_at(picture, 0.311, 0.505)


def test_the_self_test_says_how_well_the_set_is_read(device):
    page = device("/calibration/test", **TABLET)
    page.click("#read")
    expect(page.locator("#verdict")).to_have_text("This set is read well in this light.")
    expect(page.locator(".test-row")).to_have_count(7)
    page.fill("#tiles", "5-13")
    page.click("#read")
    expect(page.locator("#refusal")).to_contain_text("not in a double-12 set")
