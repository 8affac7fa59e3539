"""Devices at the table: Chromium as a tablet, as a phone, and as a browser without script."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from walking import Walk, take_photos

from tests.running import Companion
from tests.stages import Stages

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

TABLET = {"viewport": {"width": 1080, "height": 810}, "has_touch": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLAIN = {**TABLET, "java_script_enabled": False}

Open = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives the pages in a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def unexpected(said: ConsoleMessage) -> list[str]:
    """What the page complains of. Refused forms, pages that are gone, and a server that is gone or
    whose answer gets lost are meant."""
    meant = ("status of 404", "status of 409", "status of 422", "net::ERR_")
    loud = said.type == "error" and not any(words in said.text for words in meant)
    return [said.text] if loud else []


def until(page: Page, wish: str) -> None:
    """Wait for an expression to become true. The browser's own way of waiting needs ``eval``, which
    our pages forbid."""
    for _ in range(150):
        if page.evaluate(wish):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never came true on {page.url}: {wish}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests: the one that the environment names."""
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("COMPANION_CHROMIUM") or "chromium", args=FLAGS
        )
        yield chromium
        chromium.close()


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion with a simulated hub and nothing played yet."""
    with Companion(tmp_path / "data", "--camera", "simulated") as running:
        yield running


@pytest.fixture
def device(browser: Browser, companion: Companion) -> Iterator[Open]:
    """Opens a page on a device: ``device("/table", **PHONE)``. Errors on the page fail the test."""
    complaints: list[str] = []
    opened = []

    def open_page(path: str = "/", **kind: object) -> Page:
        context = browser.new_context(base_url=companion.address, **kind)  # type: ignore[arg-type]
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.extend(unexpected(said)))
        page.goto(path)
        return page

    yield open_page
    for context in opened:
        context.close()
    assert not complaints


# ---- a walk through every page: see walking.py ---------------------------------------------------


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    """An evening stopped at several moments, each by a companion of its own."""
    with Stages(tmp_path_factory.mktemp("stages")) as evening:
        yield evening


@pytest.fixture(scope="session")
def photos(
    browser: Browser, stages: Stages, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The photos that some pages show, by what they are for."""
    return take_photos(browser, stages, tmp_path_factory.mktemp("photos"))


@pytest.fixture
def walker(
    browser: Browser, stages: Stages, photos: dict[str, str]
) -> Iterator[Callable[..., Walk]]:
    """Makes a device that goes from page to page, where nothing moves while it is looked at."""
    opened = []

    def begin(**kind: object) -> Walk:
        every: dict[str, object] = {**TABLET, "reduced_motion": "reduce", **kind}
        opened.append(browser.new_context(**every))  # type: ignore[arg-type]
        return Walk(opened[-1].new_page(), stages, photos)

    yield begin
    for context in opened:
        context.close()


@pytest.fixture
def walk(walker: Callable[..., Walk]) -> Walk:
    """A walk in English."""
    return walker()
