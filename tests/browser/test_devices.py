"""Settings, camera and lamps by touch: what is chosen is seen at once, and a walk is followed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PHONE, PLAIN, TABLET, until
from playwright.sync_api import Page, expect

from tests.running import Companion

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
LAMPS = {"GPIOZERO_PIN_FACTORY": "mock", "GPIOZERO_MOCK_PIN_CLASS": "mockpwmpin"}
PAPER, LAMPLIGHT = "rgb(236, 227, 208)", "rgb(21, 16, 12)"


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion with a simulated hub, and lamps at three seats and the Mexican Train."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "settings.toml").write_text('pins = "5, 6, 16, 20"\n')
    with Companion(data, "--camera", "simulated", env=LAMPS) as running:
        running.play(START, {"action": "open_round", "starter": "Ann"})
        yield running


def wide(page: Page) -> int:
    """How much wider the page is than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("kind", [TABLET, PHONE, PLAIN], ids=["tablet", "phone", "plain"])
def test_the_chosen_colours_hold_whatever_the_device_says(device, kind):
    page = device("/settings", **kind, color_scheme="dark")
    expect(page.locator("body")).to_have_css("background-color", LAMPLIGHT)
    page.click("#theme-light")
    expect(page.locator("body")).to_have_css("background-color", PAPER)
    expect(page.locator("#theme-light")).to_have_attribute("aria-pressed", "true")
    page.goto("/table")
    expect(page.locator("body")).to_have_css("background-color", PAPER)
    page.goto("/settings")
    page.click("#theme-device")
    expect(page.locator("body")).to_have_css("background-color", LAMPLIGHT)
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_css("background-color", PAPER)
    page.click("#theme-dark")
    expect(page.locator("body")).to_have_css("background-color", LAMPLIGHT)
    assert wide(page) <= 0


def test_what_holds_for_the_table_is_seen_on_every_device(companion, device):
    page = device("/settings", **TABLET)
    page.click("#keep-game")
    expect(page.locator("#keep-game")).to_have_attribute("aria-pressed", "true")
    page.click("#best-on")
    expect(page.locator("#best-on")).to_have_attribute("aria-pressed", "true")
    other = device("/settings", **PHONE)
    expect(other.locator("#keep-game")).to_have_attribute("aria-pressed", "true")
    other.goto("/")
    other.click("#to-best-train")
    expect(other).to_have_url(f"{companion.address}/best-train")


TONES = """
window.tones = 0;
window.AudioContext = class extends AudioContext {
  createOscillator() { window.tones += 1; return super.createOscillator(); }
};
"""


def test_a_tone_is_heard_only_where_it_is_wished_and_only_on_the_table_page(companion, device):
    page = device("/settings", **TABLET)
    page.add_init_script(TONES)
    page.goto("/table")
    page.click("h1")
    companion.play({"action": "turn", "player": "Bob"})
    expect(page.locator("#state")).to_contain_text("Bob's turn")
    assert page.evaluate("window.tones") == 0
    page.goto("/settings")
    page.click("#sounds-on")
    expect(page.locator("#sounds-on")).to_have_attribute("aria-pressed", "true")
    page.goto("/table")
    page.click("h1")
    until(page, "document.querySelector('script[src*=sounds]') !== null")
    companion.play({"action": "mark", "train": "Bob"})
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    assert page.evaluate("window.tones") == 0, "a marker is seen, and no turn"
    companion.play({"action": "turn", "player": "Cem"})
    expect(page.locator("#state")).to_contain_text("Cem's turn")
    until(page, "window.tones === 1")
    page.goto("/score")
    page.click("h1")
    companion.play({"action": "turn", "player": "Ann"})
    companion.play({"action": "go_out", "player": "Bob"})
    expect(page.locator("#main")).to_contain_text("went out")
    assert page.evaluate("window.tones") == 0, "never where scores are entered"


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_camera_page_follows_what_the_camera_sees(companion, device, kind):
    page = device("/camera", **kind)
    words = page.locator("#camera-words")
    expect(words).to_have_text("The hub shows the 12-12, this round's engine.")
    expect(page.locator("#view text", has_text="12-12")).to_be_visible()
    assert (
        page.evaluate("document.querySelector('#view image').getBoundingClientRect().width") > 250
    )
    page.select_option("#sim-value", "8")
    page.click("#sim-lay")
    expect(words).to_contain_text("Round 1 wants the 12-12, I see the 8-8")
    expect(page.locator("#view text", has_text="8-8")).to_be_visible()
    page.click("#whole")
    expect(page.locator("#view svg")).to_have_attribute("viewBox", "0 0 1280 960")
    page.click("#sim-hide")
    expect(page.locator("#sim-show")).to_be_visible()
    expect(words).to_contain_text("Something covers the hub")
    page.click("#sim-right")
    expect(words).to_have_text("The hub shows the 12-12, this round's engine.")
    assert wide(page) <= 0


def test_the_walk_is_followed_on_the_page_until_the_lamps_show_the_table(companion, device):
    companion.play({"action": "mark", "train": "Ann"})
    page = device("/camera", **TABLET)
    expect(page.locator("#lamp-1")).to_contain_text("lit: open to all")
    page.click("#walk")
    for number, pin in enumerate((5, 6, 16, 20), start=1):
        expect(page.locator("#walk-words")).to_contain_text(f"Lit now: GPIO{pin}.")
        expect(page.locator(f"#lamp-{number}")).to_contain_text("lit now")
    expect(page.locator("#walk-words")).to_be_empty()
    expect(page.locator("#lamp-1")).to_contain_text("lit: open to all")
    lamps = {lamp["train"]: lamp["lit"] for lamp in companion.get("/api/lamps")}
    assert lamps == {"Ann": True, "Bob": False, "Cem": False, "mexican": False}


def test_without_script_the_walk_begins_and_the_page_says_so(companion, device):
    page = device("/camera", **PLAIN)
    page.click("#walk")
    expect(page.locator("#walk-words")).to_contain_text("Lit now: GPIO5.")
    page.click("#refresh")
    expect(page.locator("#lamps")).to_be_visible()
