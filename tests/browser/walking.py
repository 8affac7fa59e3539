"""A walk through every page there is: the stops, the photos they need, and how one is looked at."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import pytest
from playwright.sync_api import Browser, Page, Response, expect

from companion.vision.draw import draw_hand
from tests.stages import FIVE, Stages

GONE = (404, 409, 422)
"""What a page may answer whose very subject is a refusal."""


@dataclass(frozen=True)
class Stop:
    """One page at one stage of the evening; ``then`` is what is done there before it is looked at.

    ``path`` may name a photo that `take_photos` took: ``/photo/{doubt}``.
    """

    stage: str
    path: str
    then: Callable[[Page], None] | None = None
    refused: bool = False

    def __str__(self) -> str:
        return f"{self.path} ({self.stage}{', ' + self.then.__name__ if self.then else ''})"


# ---- what is done at some stops ------------------------------------------------------------------


def answered(page: Page) -> None:
    """The form that was sent has been answered with a page of its own."""
    expect(page.locator("body")).to_have_attribute("data-answer", "yes")


def names_filled_in(page: Page) -> None:
    """The first step of a new game is sent: on to the second, or, while a game is being played,
    to the question what becomes of that one."""
    for number, name in enumerate(FIVE[:3], 1):
        page.fill(f"#name-{number}", name)
    page.click("#go")
    answered(page)


def nothing_typed(page: Page) -> None:
    """An empty hand is refused, also to who presses Enter."""
    page.press("#typed", "Enter")
    answered(page)


def another_typed(page: Page) -> None:
    """A hand for somebody who has one: what stands is shown beside what was typed."""
    page.fill("#typed", "10+15")
    page.click("#save")
    answered(page)


def insists(page: Page) -> None:
    """A game is taken up again while another is being played: refused, with a way on."""
    page.locator("button[id^=resume]").first.click()
    answered(page)


def all_folds_open(page: Page) -> None:
    """Everything that can be unfolded is."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")


def crossed_corners(page: Page) -> None:
    """A play area that is none is refused, and what was typed stays."""
    all_folds_open(page)
    for number, (x, y) in enumerate(((10, 10), (90, 90), (90, 10), (10, 90)), 1):
        page.fill(f"[name=corner{number}_x]", str(x))
        page.fill(f"[name=corner{number}_y]", str(y))
    page.click("#keep")
    answered(page)


def tiles_tested(page: Page) -> None:
    """The self-test has read its tiles."""
    page.click("#read")
    expect(page.locator("#read")).not_to_have_attribute("aria-busy", "true", timeout=60_000)
    expect(page.locator("#verdict")).to_be_visible()


def something_kept(page: Page) -> None:
    """A wrong engine lay in the hub for a while."""
    there = page.url
    page.goto(there.replace("/seen", ""))
    page.select_option("#sim-value", "3")
    page.click("#sim-lay")
    expect(page.locator("#camera-words")).to_contain_text("3-3", timeout=60_000)
    page.click("#sim-right")
    page.goto(there)
    expect(page.locator(".kept-one").first).to_be_visible()


NOWHERE = Stop("empty", "/nowhere", refused=True)
BEST = "engine=10-10&typed=10-5+5-9+9-9+9-1+1-3+3-3+3-8+8-10+6-6"
STOPS = [
    NOWHERE,
    Stop("empty", "/"),
    Stop("empty", "/new"),
    Stop("empty", "/new", all_folds_open),
    Stop("empty", "/new", names_filled_in),
    Stop("empty", "/table"),
    Stop("empty", "/score"),
    Stop("empty", "/sheet"),
    Stop("empty", "/sheet/chart"),
    Stop("empty", "/games"),
    Stop("empty", "/rules"),
    Stop("empty", "/rules?rules=thirteen", all_folds_open),
    Stop("empty", "/seats"),
    Stop("empty", "/count"),
    Stop("empty", "/count/tiles?set=18&tile=5-12&tile=0-0"),
    Stop("empty", "/best-train?set=18"),
    Stop("empty", "/photo/{count}"),
    Stop("empty", "/camera"),
    Stop("empty", "/settings"),
    Stop("empty", "/settings?key=new"),
    Stop("empty", "/join"),
    Stop("empty", "/tv"),
    Stop("begun", "/"),
    Stop("begun", "/table"),
    Stop("begun", "/table", all_folds_open),
    Stop("begun", "/score"),
    Stop("begun", "/score/2"),
    Stop("begun", "/score/2", nothing_typed, refused=True),
    Stop("begun", "/score/2/tiles"),
    Stop("begun", "/count"),
    Stop("begun", "/camera", all_folds_open),
    Stop("begun", "/calibration", all_folds_open),
    Stop("begun", "/calibration", crossed_corners, refused=True),
    Stop("begun", "/calibration/markers"),
    Stop("begun", "/calibration/test", tiles_tested),
    Stop("begun", "/camera/seen"),
    Stop("begun", "/camera/seen", something_kept),
    Stop("begun", "/settings", all_folds_open),
    Stop("begun", "/tv"),
    Stop("round", "/"),
    Stop("round", "/new", names_filled_in, refused=True),
    Stop("round", "/table"),
    Stop("round", "/table?train=Cem"),
    Stop("round", "/table?train=Grandmother+Josephine"),
    Stop("round", "/table?train=mexican"),
    Stop("round", "/score"),
    Stop("round", "/score/1", another_typed, refused=True),
    Stop("round", "/score/3"),
    Stop("round", "/score/1/tiles"),
    Stop("round", "/photo/{doubt}"),
    Stop("round", "/photo/{doubt}?tile=1"),
    Stop("round", "/photo/{doubt}?add=1"),
    Stop("round", "/sheet"),
    Stop("round", "/sheet/chart"),
    Stop("round", "/sheet/1/2"),
    Stop("round", "/games"),
    Stop("round", "/games", insists, refused=True),
    Stop("round", f"/best-train?find=1&{BEST}"),
    Stop("round", "/tv"),
    Stop("between", "/table"),
    Stop("between", "/table?next=1"),
    Stop("between", "/rules", all_folds_open),
    Stop("between", "/seats"),
    Stop("between", "/seats", all_folds_open),
    Stop("between", "/sheet"),
    Stop("between", "/sheet/chart"),
    Stop("between", "/tv"),
    Stop("over", "/"),
    Stop("over", "/score"),
    Stop("over", "/sheet"),
    Stop("over", "/sheet/13/5"),
    Stop("over", "/sheet/chart"),
    Stop("over", "/tv"),
    Stop("over", "/games"),
    Stop("over", "/games/import?games=2"),
    Stop("over", "/games/1"),
    Stop("over", "/games/3"),
    Stop("over", "/games/1/1/2"),
    Stop("over", "/figures?of=Ann"),
    Stop("over", "/figures?of=Ann&against=Grandmother+Josephine"),
]


# ---- the photos ----------------------------------------------------------------------------------


def take_photos(browser: Browser, stages: Stages, folder: Path) -> dict[str, str]:
    """One photo that is only counted, one in doubt, and one that closes a game; their ids."""
    whole, cut = folder / "whole.jpg", folder / "cut.jpg"
    cv2.imwrite(str(whole), draw_hand([(5, 6), (1, 3), (2, 2)], 1200, 900, seed=3).image)
    hand = draw_hand([(1, 2), (4, 5), (6, 6)], 900, 1200, seed=4)
    heights = [[y for _x, y in tile.corners] for tile in hand.tiles]
    top, bottom = max((min(ys), max(ys)) for ys in heights)
    cv2.imwrite(str(cut), hand.image[: int(top + 0.8 * (bottom - top))])
    asked = {
        "count": ("empty", "/count", whole),
        "doubt": ("round", "/score/3", cut),
        "proof": ("over", "/score/5", whole),
    }
    taken = {}
    for photo, (stage, path, file) in asked.items():
        context = browser.new_context(base_url=stages[stage].address)
        page = context.new_page()
        page.goto(path)
        page.set_input_files("input[type=file] >> nth=0", file)
        expect(page.locator("#total").first).to_be_visible(timeout=60_000)
        found = re.search("/photo/([^/?#]+)", page.url)
        assert found, page.url
        taken[photo] = found[1]
        if stage == "over":
            page.click("#confirm")
            page.click("#close-round")
            expect(page).to_have_url(re.compile("/sheet"))
        context.close()
    return taken


# ---- looking -------------------------------------------------------------------------------------


SIZES = [(1080, 810), (1366, 1024), (390, 844), (1920, 1080)]
LARGE_ON = (1080, 390)
"""Widths of the screens that are also looked at in text of twice the size."""
USUAL = 16
"""Pixels: what browsers call text of the usual size, unless somebody asks for larger."""
FAULTS = (Path(__file__).parent / "faults.js").read_text()


@dataclass
class Walk:
    """A device that goes from stop to stop and notes what its browser complains of."""

    page: Page
    stages: Stages
    photos: dict[str, str]
    faults: dict[str, list[str]] = field(default_factory=dict)
    _at: Stop | None = None

    def __post_init__(self) -> None:
        self.page.set_default_timeout(15_000)
        self.page.on("pageerror", lambda error: self.fault(f"error: {error}"))
        self.page.on("console", lambda said: said.type == "error" and self._console(said.text))
        self.page.on("response", self._answered)
        self.page.on("requestfailed", lambda r: self._failed(r.url, r.failure or ""))

    def fault(self, words: str, where: str = "") -> None:
        """Note what is wrong at this stop."""
        self.faults.setdefault(f"{self._at}: {words}", []).append(where)

    def _console(self, text: str) -> None:
        if not text.startswith("Failed to load resource"):
            self.fault(f"console: {text}")

    def _answered(self, answer: Response) -> None:
        if self._at is None:
            return
        meant = self._at.refused and answer.status in GONE
        if answer.status >= 400 and not meant:
            self.fault(f"{answer.status} for {answer.url}")
        if urlsplit(answer.url).hostname not in (None, "127.0.0.1"):
            self.fault(f"asks another machine: {answer.url}")

    def _failed(self, url: str, why: str) -> None:
        if "ERR_ABORTED" not in why:
            self.fault(f"{why} for {url}")

    def go(self, stop: Stop) -> None:
        """Open the page of a stop and do there what is to be done."""
        self.open(stop, self.stages[stop.stage].address)

    def open(self, stop: Stop, address: str) -> None:
        """The same at the companion of this address."""
        self._at = stop
        path = stop.path.format(**self.photos)
        self.page.goto(address + path)
        if not self.page.url.endswith(path):
            self.fault(f"leads to {self.page.url}")
        if stop.then is not None:
            stop.then(self.page)

    def look(self) -> None:
        """Note the faults of the open page at every size, by day and by night, in large text."""
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                self.measure(f"{width}×{height} {scheme}")
            if width in LARGE_ON:
                self.letters(2 * USUAL)
                self.measure(f"{width}×{height}, text at 200 %", large=True)
                self.letters(USUAL)

    def measure(self, where: str = "", *, large: bool = False) -> None:
        """Note the faults of the open page as it is on the screen."""
        for fault in self.page.evaluate(FAULTS, {"large": large}):
            self.fault(fault, where)

    def letters(self, size: int) -> None:
        """Set the size of text as people do in the settings of their browser."""
        browser = self.page.context.new_cdp_session(self.page)
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        browser.detach()

    def done(self) -> None:
        """The test fails where anything was noted: each fault once, with where it was seen."""
        if self.faults:
            noted = (f"{said} [{', '.join(filter(None, at))}]" for said, at in self.faults.items())
            pytest.fail("\n".join([f"{len(self.faults)} faults:", *noted]), pytrace=False)
