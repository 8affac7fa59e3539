"""Every page in every language: nothing is cut where words are longer than the English ones."""

import pytest
from walking import STOPS, Stop

from companion.web.language import LANGUAGES

LONGER = "sl"
"""The language whose pages are looked at as thoroughly as the English ones."""
OTHERS = sorted(set(LANGUAGES) - {"en", LONGER})
ONCE = {stop.path.partition("?")[0]: stop for stop in STOPS if stop.then is None}.values()
"""Every page once, as it is late in the evening."""


def arrive(walk, stop: Stop, language: str) -> None:
    """Open a page and see that it is in this language."""
    walk.go(stop)
    spoken = walk.page.get_attribute("html", "lang")
    if spoken != language:
        walk.fault(f"speaks {spoken}")


def test_every_page_fits_in_slovenian(walker):
    walk = walker(locale=LONGER)
    for stop in STOPS:
        arrive(walk, stop, LONGER)
        walk.look()
    walk.done()


@pytest.mark.parametrize("language", OTHERS)
def test_every_page_fits_in(walker, language):
    walk = walker(locale=language)
    for stop in ONCE:
        arrive(walk, stop, language)
        for width, height in ((1080, 810), (390, 844)):
            walk.page.set_viewport_size({"width": width, "height": height})
            walk.measure(f"{width}×{height}")
    walk.done()
