"""What a newcomer sees at the door."""

import pytest
from conftest import PHONE, TABLET
from playwright.sync_api import Browser

from companion.joining import PLAYER
from companion.keyfile import TableKey
from tests.running import Companion

ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}


@pytest.mark.parametrize("kind", [PHONE, TABLET], ids=["phone", "tablet"])
def test_field_and_buttons_of_the_door_are_of_one_width(
    companion: Companion, browser: Browser, kind: dict[str, object]
) -> None:
    context = browser.new_context(
        base_url=companion.address, extra_http_headers=ELSEWHERE, **kind  # type: ignore
    )
    page = context.new_page()
    page.goto(f"/join/{TableKey(companion.data / 'key').key.link(PLAYER)}")
    page.goto("/join")
    boxes = [page.locator(each).bounding_box() for each in ("#code", "#enter", "#home")]
    assert len({(box["x"], box["width"]) for box in boxes if box}) == 1 and all(boxes), boxes
    page.click("#home")
    page.wait_for_url(f"{companion.address}/")
    context.close()
