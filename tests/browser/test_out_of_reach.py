"""The companion cannot be reached for a while: nothing typed is lost, and a tap counts once."""

import re
from pathlib import Path

import pytest
from conftest import PHONE, TABLET
from playwright.sync_api import Page, Route, expect
from test_evening import begin, photo, went_out

NOT_SENT = "Not sent: the companion cannot be reached. Try again."

__all__ = ["photo"]


def drawn(companion) -> int:
    """How many tiles lie in the boneyard."""
    boneyard = companion.get("/api/table")["boneyard"]
    assert isinstance(boneyard, int)
    return boneyard


@pytest.mark.parametrize("kind", [TABLET, PHONE], ids=["tablet", "phone"])
def test_a_hand_typed_out_of_reach_is_sent_when_it_is_back_and_counts_once(companion, device, kind):
    page = device(**kind)
    begin(page)
    page.goto("/score/2")
    page.fill("#typed", "10+7")
    companion.stop()
    expect(page.locator("#offline")).to_be_visible(timeout=20_000)
    page.click("#save")
    expect(page.locator("#unsent")).to_have_text(NOT_SENT)
    expect(page.locator("#unsent")).to_be_in_viewport()
    expect(page.locator("#typed")).to_have_value("10+7")
    page.click("#save")
    expect(page.locator("#typed")).to_have_value("10+7")
    page.locator("header a").first.click()  # a link leads nowhere either
    expect(page.locator("#typed")).to_have_value("10+7")
    companion.start()
    expect(page.locator("#unsent")).to_have_text("Not sent yet. Try again.", timeout=20_000)
    page.click("#save")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"] == {"Bob": {"tiles": None, "points": 17}}
    assert companion.get("/api/table")["revision"] == 3
    expect(page.locator("#unsent")).to_be_hidden()


def test_a_tap_on_the_table_that_does_not_arrive_says_so_and_works_later(companion, device):
    page = device(**PHONE)
    begin(page)
    companion.stop()
    page.click("#mark-2")
    expect(page.locator("#unsent")).to_have_text(NOT_SENT)
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "false")
    page.locator("#open-2").click()
    expect(page).to_have_url(re.compile("/table"))
    companion.start()
    expect(page.locator("#unsent")).to_have_text("Not sent yet. Try again.", timeout=20_000)
    page.click("#mark-2")
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true")
    expect(page.locator("#unsent")).to_be_hidden()
    assert companion.get("/api/table")["open_trains"] == ["Bob"]


def test_a_tap_that_another_device_did_meanwhile_is_not_tried_again(companion, device):
    page = device(**PHONE)
    begin(page)
    page.context.set_offline(True)
    page.click("#mark-2")
    expect(page.locator("#unsent")).to_be_visible()
    companion.play({"action": "mark", "train": "Bob"})
    page.context.set_offline(False)
    expect(page.locator("#mark-2")).to_have_attribute("aria-checked", "true", timeout=20_000)
    expect(page.locator("#unsent")).to_be_hidden()
    assert companion.get("/api/table")["open_trains"] == ["Bob"]


def lose_the_answer(page: Page, path: str) -> None:
    """The next form for this path arrives, but what is answered never comes back."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(f"**{path}", lose, times=1)


def test_a_tap_whose_answer_was_lost_is_not_counted_again(companion, device):
    start = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "hub"}
    companion.play(start, {"action": "open_round"})
    before = drawn(companion)
    page = device("/table?train=Bob", **TABLET)
    lose_the_answer(page, "/table")
    page.click("#draw")
    expect(page.locator("#unsent")).to_be_visible()
    assert drawn(companion) == before - 1
    expect(page.locator("#state")).to_contain_text(f"{before - 1} tiles")
    page.click("#draw")
    expect(page.locator("#draw")).to_have_count(0)
    assert drawn(companion) == before - 1, "tried again, counted once"
    page.goto("/table?train=Bob")
    page.click("#draw")
    expect(page.locator("#state")).to_contain_text(f"{before - 2} tiles")


def test_a_hand_whose_answer_was_lost_is_not_counted_again(companion, device):
    page = device(**PHONE)
    begin(page)
    page.goto("/score/2")
    page.fill("#typed", "41")
    lose_the_answer(page, "/score/2")
    page.click("#save")
    expect(page.locator("#unsent")).to_be_visible()
    expect(page.locator("#typed")).to_have_value("41")
    revision = companion.get("/api/table")["revision"]
    page.click("#save")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["revision"] == revision


def test_a_photo_chosen_out_of_reach_leaves_the_page_as_it_is(companion, device, photo: Path):
    page = device(**PHONE)
    begin(page)
    page.goto("/score/2")
    companion.stop()
    page.set_input_files("input[type=file] >> nth=0", photo)
    expect(page.locator("#unsent")).to_have_text(NOT_SENT)
    expect(page.locator("#typed")).to_be_visible()
    companion.start()


def test_names_typed_for_a_new_game_stay(companion, device):
    page = device(**TABLET)
    page.goto("/new")
    page.fill("#name-1", "Ann")
    page.fill("#name-2", "Bob")
    companion.stop()
    page.click("#go")
    expect(page.locator("#unsent")).to_have_text(NOT_SENT)
    expect(page.locator("#name-2")).to_have_value("Bob")
    companion.start()
    page.click("#go")
    expect(page.locator("#begin")).to_be_visible()


def test_a_tablet_wakes_up_where_it_was(companion, device):
    page = device(**TABLET)
    begin(page)
    page.goto("/score/2")
    page.fill("#typed", "17")
    companion.stop()
    expect(page.locator("body")).to_contain_text("Offline", timeout=20_000)
    companion.start()
    expect(page.locator("#offline")).to_be_hidden(timeout=20_000)
    expect(page.locator("#typed")).to_have_value("17")
    page.click("#save")
    expect(page).to_have_url(re.compile("/score$"))
    assert companion.get("/api/table")["hands"] == {"Bob": {"tiles": None, "points": 17}}


# ---- another device goes on ----------------------------------------------------------------------


def all_hands(companion) -> None:
    """Everybody's hand of the open round."""
    for number, player in enumerate(companion.get("/api/table")["game"]["players"]):
        companion.play({"action": "hand", "player": player, "pips": number})


def test_a_page_left_open_becomes_the_other_page_whole(companion, device):
    page = device(**PHONE)
    begin(page)
    all_hands(companion)
    page.goto("/score")
    expect(page.locator("#close-round")).to_be_visible()
    companion.play({"action": "close_round"})
    expect(page).to_have_url(re.compile("/sheet"))
    expect(page.locator("#close-round")).to_have_count(0)
    companion.play({"action": "open_round"})
    page.goto("/score")
    expect(page.locator("#hands .badge use").first).to_be_visible()
    drawn_shapes = page.evaluate("""() => [...document.querySelectorAll("#hands use")]
        .every(use => document.querySelector(use.getAttribute("xlink:href")))""")
    assert drawn_shapes


def test_shapes_stay_while_parts_change(companion, device):
    page = device(**TABLET)
    begin(page)
    page.goto("/sheet")
    all_hands(companion)
    companion.play({"action": "close_round"}, {"action": "open_round"})
    expect(page.locator("#sheet tbody tr")).not_to_have_count(0)
    for path in ("/table", "/", "/sheet"):
        page.goto(path)
        companion.play({"action": "mark", "train": "Ann"}, {"action": "undo"})
        page.wait_for_timeout(300)
        missing = page.evaluate("""() => [...document.querySelectorAll("main use")]
            .filter(use => !document.querySelector(use.getAttribute("xlink:href"))).length""")
        assert missing == 0, path


def test_who_types_is_told_that_the_page_has_moved_on_and_keeps_the_typing(companion, device):
    page = device(**PHONE)
    begin(page)
    went_out(page, 1)
    page.goto("/score/2")
    page.fill("#typed", "23")
    all_hands_but_first = {"Bob": 1, "Cem": 2}
    for player, pips in all_hands_but_first.items():
        companion.play({"action": "hand", "player": player, "pips": pips})
    companion.play({"action": "close_round"})
    expect(page.locator("#moved")).to_contain_text("This page has moved on.")
    expect(page.locator("#typed")).to_have_value("23")
    page.locator("#moved a").click()
    expect(page).to_have_url(re.compile("/sheet"))


def test_a_page_of_a_player_who_is_gone_goes_too(companion, device):
    page = device(**TABLET)
    begin(page)
    all_hands(companion)
    companion.play({"action": "close_round"})
    page.goto("/sheet/1/3")
    start = {"action": "start_game", "players": ["Zoe", "Yan"], "set": 6, "rules": "classic"}
    companion.play({**start, "overrule": True}, {"action": "open_round"})
    expect(page.locator("body")).not_to_contain_text("Cem")


def test_a_refusal_that_somebody_reads_stays(companion, device):
    page = device(**TABLET)
    begin(page)
    page.goto("/table?train=Bob")
    companion.play({"action": "mark", "train": "Cem"})
    page.goto("/new")
    page.fill("#name-1", "Ann")
    page.click("#go")
    expect(page.locator("#refusal")).to_be_focused()
    companion.play({"action": "unmark", "train": "Cem"})
    page.wait_for_timeout(500)
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("#name-1")).to_have_value("Ann")
