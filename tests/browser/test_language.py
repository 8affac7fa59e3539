"""The switch of languages by touch: the page is shown in the new language, on this device alone."""

from urllib.parse import urlsplit

import pytest
from conftest import PHONE, PLAIN, TABLET
from playwright.sync_api import expect


@pytest.mark.parametrize("kind", [TABLET, PHONE, PLAIN], ids=["tablet", "phone", "plain"])
@pytest.mark.parametrize("path", ["/", "/settings"])
def test_a_tap_on_a_language_shows_the_page_in_it(device, kind, path):
    page = device(path, **kind, locale="en-GB")
    other = device(path, **kind, locale="es-MX")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(other.locator("html")).to_have_attribute("lang", "es")
    page.click("#language-sl")
    expect(page.locator("html")).to_have_attribute("lang", "sl")
    expect(page.locator("#language-sl")).to_have_attribute("aria-pressed", "true")
    assert urlsplit(page.url).path == path
    page.goto("/new")
    expect(page.locator("html")).to_have_attribute("lang", "sl")
    other.reload()
    expect(other.locator("html")).to_have_attribute("lang", "es")


def test_a_page_that_is_open_elsewhere_on_the_device_follows(device, companion):
    page = device("/", **TABLET)
    second = page.context.new_page()
    second.goto("/table")
    page.click("#language-pt")
    expect(page.locator("html")).to_have_attribute("lang", "pt")
    companion.play({"action": "start_game", "players": ["Ann", "Bob"], "set": 9, "rules": "hub"})
    expect(second.locator("html")).to_have_attribute("lang", "pt")
