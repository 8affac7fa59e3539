"""Devices at the table: Chromium as a tablet, as a phone, and as a browser without script."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from walking import Walk, take_photos

from tests.running import Companion
from tests.stages import Stages

FLAGS = (
    "--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()

LONGEST = 480.0
"""Seconds that a test may take before its browser is ended; the longest takes two minutes."""
ALARM = pytest.StashKey[threading.Timer]()

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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A browser that does not answer is waited for without end, and no signal ends that: its own
    end does, and the next test gets another one."""
    item.stash[ALARM] = threading.Timer(LONGEST, end_browsers, [os.getpid()])
    item.stash[ALARM].daemon = True
    item.stash[ALARM].start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """It ended in time."""
    yield
    item.stash[ALARM].cancel()


def end_browsers(process: int) -> None:
    """Kill every Chromium that this process, or one it began, has begun."""
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, thread.read_text().split()):
            end_browsers(child)
            with contextlib.suppress(OSError):
                if "chrom" in Path(f"/proc/{child}/exe").resolve().name:
                    os.kill(child, signal.SIGKILL)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Callable[[], Browser]]:
    """Gives the one Chromium of all tests, which the environment names; once it has ended another.

    One that was ended cannot be closed, and ends with the driver.
    """
    expect.set_options(timeout=15_000)
    begun: list[Browser] = []
    with sync_playwright() as playwright:

        def running() -> Browser:
            if not begun or not begun[-1].is_connected():
                path = os.environ.get("COMPANION_CHROMIUM") or "chromium"
                begun.append(playwright.chromium.launch(executable_path=path, args=FLAGS))
            return begun[-1]

        yield running
        if begun and begun[-1].is_connected():
            begun[-1].close()


@pytest.fixture
def browser(chromium: Callable[[], Browser]) -> Browser:
    """The Chromium of all tests."""
    return chromium()


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    """A companion with a simulated hub and nothing played yet."""
    with Companion(tmp_path / "data", "--camera", "simulated") as running:
        yield running


@contextlib.contextmanager
def devices(browser: Browser, companion: Companion, **always: object) -> Iterator[tuple]:
    """Gives what opens a page on a device, and the errors on these pages so far."""
    complaints: list[str] = []
    opened = []

    def open_page(path: str = "/", **kind: object) -> Page:
        context = browser.new_context(base_url=companion.address, **always, **kind)  # type: ignore
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.extend(unexpected(said)))
        page.goto(path)
        return page

    yield open_page, complaints
    for context in opened:
        context.close()


@pytest.fixture
def device(browser: Browser, companion: Companion) -> Iterator[Open]:
    """Opens a page on a device: ``device("/table", **PHONE)``. Errors on the page fail the test."""
    with devices(browser, companion) as (open_page, complaints):
        yield open_page
    assert not complaints


# ---- a walk through every page: see walking.py ---------------------------------------------------


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    """An evening stopped at several moments, each by a companion of its own."""
    with Stages(tmp_path_factory.mktemp("stages")) as evening:
        yield evening


@pytest.fixture(scope="session")
def photos(
    chromium: Callable[[], Browser], stages: Stages, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The photos that some pages show, by what they are for."""
    return take_photos(chromium(), stages, tmp_path_factory.mktemp("photos"))


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
