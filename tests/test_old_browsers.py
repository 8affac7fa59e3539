"""Scoring uses only what browsers of 2015 know, or what they may ignore without loss.

This goes for every page on which a score is entered, and for the style sheets of these pages.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest

from companion import web
from tests import old_browsers as known
from tests.scoring import Evening, a_picture, seen

STATIC = Path(web.__file__).parent / "static"


class Rule(NamedTuple):
    """One rule of a style sheet: the at-rules around it, its selectors, what it declares."""

    around: tuple[str, ...]
    selectors: list[str]
    declared: list[tuple[str, str]]


def rules(css: str) -> Iterator[Rule]:
    """The rules of a style sheet, those inside of at-rules too."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    around: list[str] = []
    for head, mark, body in re.findall(r"([^{}]*)([{}])(?:([^{}]*)(?=\}))?", css):
        head = head.strip()
        if mark == "}":
            if around and not head:
                around.pop()
        elif head.startswith("@") and not body.strip():
            around.append(head)
        else:
            pairs = (each.partition(":") for each in body.split(";") if each.strip())
            told = [(name.strip().lower(), value.strip()) for name, _, value in pairs]
            yield Rule(tuple(around), [each.strip() for each in head.split(",")], told)
            around.append(head)


def unknown_css(css: str) -> list[str]:
    """What browsers of 2015 make nothing or something else of."""
    return [fault for rule in rules(css) for fault in unknown_in(rule)]


def unknown_in(rule: Rule) -> Iterator[str]:
    """The same of one rule."""
    for at in (each for each in (*rule.around, *rule.selectors) if each.startswith("@")):
        if at[1:].split()[0].split("(")[0] not in known.AT_RULES:
            yield at
    newer = [unknown_pseudo(each) for each in rule.selectors]
    for selector, names in zip(rule.selectors, newer, strict=True):
        yield from (f"{selector}: {name}" for name in names - set(known.NEWER_PSEUDO))
        if "~=" in selector or " i]" in selector:
            yield selector
    if any(newer) and not all(newer):
        yield f"{', '.join(rule.selectors)}: one that is newer takes the others with it"
    if "@supports" not in " ".join(rule.around):
        yield from unknown_declared(rule)


def unknown_pseudo(selector: str) -> set[str]:
    """The pseudo-classes and pseudo-elements that are newer."""
    return set(re.findall(r"::?([a-z-]+)", re.sub(r"\[.*?\]", "", selector))) - known.PSEUDO


def unknown_declared(rule: Rule) -> Iterator[str]:
    """What a rule declares in words that are newer, with nothing before it for older ones."""
    told: set[str] = set()
    for name, value in rule.declared:
        where = f"{', '.join(rule.selectors)} {{ {name}: {value} }}"
        plain = re.sub(r"^-(webkit|moz|ms)-", "", name)
        old = name in known.PROPERTIES or name in known.NEWER_PROPERTIES
        if name.startswith("--") or not (old or (plain != name and plain.isascii())):
            yield where
        functions = set(re.findall(r"([a-z0-9-]+)\(", value.lower()))
        newer = functions & known.NEWER_FUNCTIONS
        again = any(f"{name}-".startswith(f"{each}-") for each in told)
        if functions - known.FUNCTIONS - newer or (newer and not again):
            yield where
        if name == "display" and value.split()[0] not in known.SHOWN_AS:
            yield where
        told.add(name)


class Page(HTMLParser):
    """What a page uses that browsers of 2015 do not know."""

    def __init__(self) -> None:
        super().__init__()
        self.unknown: list[str] = []
        self.drawing = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.drawing += tag == "svg"
        elements = known.DRAWN if self.drawing else known.ELEMENTS | set(known.NEWER_ELEMENTS)
        if tag not in elements:
            self.unknown.append(f"<{tag}>")
        for name, value in attrs:
            told = known.ATTRIBUTES | set(known.NEWER_ATTRIBUTES)
            if not self.drawing and name not in told and not re.match("(data|aria)-", name):
                self.unknown.append(f"<{tag} {name}>")
            if (tag, name) == ("input", "type") and value not in known.FIELDS:
                self.unknown.append(f"<input type={value}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.drawing -= tag == "svg"


def unknown_html(html: str) -> list[str]:
    """What browsers of 2015 do not know of a page."""
    page = Page()
    page.feed(html)
    return page.unknown


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Every page on which a score is entered or a photo is put right."""
    evening = Evening(tmp_path)
    evening.start()
    evening.reader.tiles = (seen((1, 2)), seen((5, 6), 300, why="glare"))
    photo = evening.photo(2)
    addresses = ["/score", "/score/1", "/score/1/tiles", "/count", "/count/tiles"]
    addresses += [f"/photo/{photo}{wish}" for wish in ("", "?tile=1", "?tile=2", "?add=1")]
    found = {address: evening.page(address) for address in addresses}
    found["refused"] = evening.hand(1, do="type", score="").get_data(as_text=True)
    evening.reader.go.clear()
    sent = evening.hand(3, do="photo", photo=(BytesIO(a_picture()), "hand.jpg"))
    found["waiting"] = evening.page(sent.location)
    evening.reader.go.set()
    yield found
    evening.close()


def test_pages_of_scoring_are_written_in_the_html_of_2015(pages):
    for address, html in pages.items():
        assert not unknown_html(html), address


def test_their_styles_are_written_in_the_css_of_2015(pages):
    linked = {
        name for html in pages.values() for name in re.findall(r'href="/static/([^"?]+\.css)', html)
    }
    assert {"base.css", "score.css"} <= linked
    for name in sorted(linked):
        assert not unknown_css((STATIC / name).read_text()), name


@pytest.mark.parametrize(
    "css",
    [
        "a { display: grid }",
        "a { gap: 1rem }",
        "a { color: var(--ink) }",
        ":root { --ink: #000 }",
        "a:has(b) { color: red }",
        "a:is(b, c) { color: red }",
        "a { inset: 0 }",
        "a { width: max(1px, 2px) }",
        "@media print { a { aspect-ratio: 1 } }",
        "@layer x { a { color: red } }",
        "@container (width > 1px) { a { color: red } }",
        "a, b:focus-visible { outline: 0 }",
    ],
)
def test_newer_css_is_noticed(css):
    assert unknown_css(f"b {{ color: red }} {css} i {{ margin: 0 }}")


@pytest.mark.parametrize(
    "css",
    [
        "a { display: -webkit-flex; display: flex; -webkit-align-items: center }",
        "a { padding: 1px; padding: max(1px, env(x, 1px)) }",
        "b { outline: 1px } b:focus:not(:focus-visible) { outline: 0 }",
        "@media (max-width: 9em) { a, b::before { content: ''; margin: 0 } }",
        "@keyframes x { from { opacity: 0 } to { opacity: 1 } }",
        "@supports (display: grid) { a { display: grid } }",
    ],
)
def test_older_css_and_what_may_be_missing_pass(css):
    assert unknown_css(css) == []


@pytest.mark.parametrize("html", ["<dialog>", "<a popover>", "<input type=color>", "<template>"])
def test_newer_html_is_noticed(html):
    assert unknown_html(html)
