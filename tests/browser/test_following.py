"""Open pages follow the table: through full streams, silent ones, and taps that come too late."""

import statistics
import time
import urllib.request

from conftest import TABLET
from playwright.sync_api import expect

from companion.web.live import BEYOND
from tests.running import Companion, eventually

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
MARK = {"action": "mark", "train": "Bob"}


def test_a_tap_that_comes_too_late_is_refused_with_what_changed(companion, device):
    companion.play(START, OPEN, MARK)
    page = device("/table", **TABLET)
    page.route("**/live*", lambda route: route.abort())
    page.route("**/healthz", lambda route: route.abort())
    page.reload()
    companion.play({"action": "knock", "player": "Cem"})
    page.click("#undo-button")
    stale = page.locator("#stale")
    expect(stale).to_contain_text("Somebody else tapped in the meantime")
    expect(stale).to_contain_text("New since you looked: Cem's knock.")
    expect(page.locator("#row-3")).to_contain_text("one tile left")
    assert companion.get("/api/table")["open_trains"] == ["Bob"], "nothing was taken back"
    page.click("#undo-button")
    expect(page.locator("#row-3")).not_to_contain_text("one tile left")
    expect(stale).to_be_hidden()


def test_streams_that_cannot_be_had_are_made_up_for_by_asking_and_nobody_notices(companion, device):
    companion.play(START, OPEN)
    page = device("/", **TABLET)
    page.route("**/live*", lambda route: route.fulfill(status=204))
    page.goto("/table")
    companion.play(MARK)
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    expect(page.locator("#offline")).to_be_hidden()


def test_a_page_that_is_refused_a_stream_asks_instead_and_gets_one_later(browser, tmp_path):
    with Companion(tmp_path, "--camera", "none", env={"COMPANION_STREAMS": "1"}) as companion:
        companion.play(START, OPEN)
        live = f"{companion.address}/live"
        taken = [urllib.request.urlopen(live, timeout=60) for _ in range(1 + BEYOND)]
        context = browser.new_context(base_url=companion.address)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.clock.install()
        with page.expect_response(lambda answer: answer.url.startswith(live)) as refused:
            page.goto("/table")
        assert refused.value.status == 503
        companion.play(MARK)
        page.clock.run_for(5_000)
        expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
        for each in taken:
            each.close()
        later = []
        page.on("response", lambda answer: later.append((answer.url[: len(live)], answer.status)))

        def follows():
            page.clock.run_for(10_000)
            page.wait_for_timeout(200)
            return (live, 200) in later

        assert eventually(follows)
        context.close()


def test_a_stream_that_went_silent_is_opened_anew(companion, device):
    """As after a sleep: the connection looks open, and nothing comes through it any more."""
    companion.play(START, OPEN)
    page = device("/", **TABLET)
    page.clock.install()
    page.add_init_script("""(() => { const Real = window.EventSource; window.opened = 0;
        window.EventSource = function (address) {
            window.opened += 1;
            if (window.opened > 1) return new Real(address);
            const dead = { readyState: 1, close() {}, addEventListener() {} };
            return dead; };
        Object.assign(window.EventSource, { CONNECTING: 0, OPEN: 1, CLOSED: 2 }); })()""")
    page.goto("/table")
    companion.play(MARK)
    page.clock.run_for(30_000)
    assert page.evaluate("window.opened") == 1
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "false")
    page.clock.run_for(30_000)
    assert page.evaluate("window.opened") >= 2
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")


def test_what_is_typed_stays_while_the_table_goes_on(companion, device):
    companion.play(START, OPEN)
    page = device("/new", **TABLET)
    page.fill("#name-1", "Zoe")
    page.click("#down-1")
    companion.play(MARK, {"action": "go_out", "player": "Ann"})
    page.wait_for_timeout(1500)
    assert page.locator("#name-1").input_value() == "Zoe"
    assert page.locator("input[name=name]").nth(1).input_value() == "Zoe"


def test_a_tap_shows_on_a_second_device_at_once(companion, device):
    companion.play(START, OPEN)
    one, other = device("/table", **TABLET), device("/table", **TABLET)
    other.evaluate("""() => { window.seen = []; new MutationObserver(() => {
            const on = document.querySelector("#mark-2").getAttribute("aria-checked");
            if (on !== window.last) { window.last = on; window.seen.push(Date.now()); }
        }).observe(document.body, { subtree: true, childList: true, attributes: true }); }""")
    taken = []
    for number in range(9):
        before = time.time() * 1000
        one.evaluate("document.querySelector('#mark-2').click()")
        wanted = "true" if number % 2 == 0 else "false"
        expect(other.locator("#mark-2")).to_have_attribute("aria-checked", wanted)
        expect(one.locator("#mark-2")).to_have_attribute("aria-checked", wanted)
        taken.append(other.evaluate("window.seen[window.seen.length - 1]") - before)
    assert statistics.median(taken) < 1000, taken
