"""axe finds nothing on any page against WCAG 2.2 at level AA, by day and by night."""

from axe_playwright_python.sync_playwright import Axe
from walking import STOPS

GUIDELINES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ASKED = {"runOnly": {"type": "tag", "values": GUIDELINES}, "resultTypes": ["violations"]}
BY_NIGHT = {**ASKED, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""What a page says is the same by day and by night; only its colours are not."""


def test_axe_finds_nothing_by_day_nor_by_night(walk):
    axe, page = Axe(), walk.page
    page.set_viewport_size({"width": 1080, "height": 3000})  # nothing lies under the foot
    for stop in STOPS:
        walk.go(stop)
        for scheme, asked in (("light", ASKED), ("dark", BY_NIGHT)):
            page.emulate_media(color_scheme=scheme)
            for found in axe.run(page, options=asked).response["violations"]:
                for node in found["nodes"]:
                    walk.fault(f"{found['id']}: {found['help']}: {node['html'][:120]}", scheme)
    walk.done()


def test_axe_is_not_blind(walk):
    """It would have found something: pale text, and a field without a name."""
    page = walk.page
    walk.go(STOPS[0])
    page.evaluate("""() => {
        document.querySelector("h1").style.color = "#ddd";
        document.querySelector("main").appendChild(document.createElement("input")); }""")
    found = {each["id"] for each in Axe().run(page, options=ASKED).response["violations"]}
    assert {"color-contrast", "label"} <= found
