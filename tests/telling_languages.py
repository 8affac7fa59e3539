"""A made-up language for tests: every text of a catalog stands in brackets, so strangers show."""

import importlib.util
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

LEFT, RIGHT = "⟦", "⟧"
MADE_UP = "nl"
"""It is spoken in the place of this language."""

SHOWN = ("title", "aria-label", "alt", "placeholder", "label", "data-lost", "data-back")
"""Attributes that people see or hear."""
UNREAD = ("script", "style")

ROOT = Path(__file__).parent.parent


def load_catalogs() -> ModuleType:
    """The module scripts/catalogs.py."""
    if "catalogs" not in sys.modules:
        path = ROOT / "scripts" / "catalogs.py"
        spec = importlib.util.spec_from_file_location("catalogs", path)
        assert spec is not None and spec.loader is not None
        sys.modules["catalogs"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["catalogs"]


def speak(app, folder: Path) -> None:
    """Let the application read its Dutch from a catalog in the made-up language."""
    catalogs = load_catalogs()
    made = catalogs.Words(MADE_UP)
    for message in catalogs.template():
        if message.id:
            told = tuple(LEFT + text + RIGHT for text in catalogs.english(message))
            made.add(message.id, told if message.pluralizable else told[0])
    path = folder / MADE_UP / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(catalogs.as_mo(made))
    app.extensions["babel"].translation_directories = [str(folder)]


class Reader(HTMLParser):
    """What people read on a page, in order: texts, and the attributes that are shown."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.attributes: list[str] = []
        self._unread: str | None = None
        self._native: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag in UNREAD:
            self._unread = tag
        if "lang" in told and tag != "html":
            self._native.append(tag)
        self.attributes += [told[name] or "" for name in SHOWN if name in told]

    def handle_endtag(self, tag: str) -> None:
        if self._unread == tag:
            self._unread = None
        if self._native[-1:] == [tag]:
            self._native.pop()
        self.text += " "

    def handle_data(self, data: str) -> None:
        if self._unread is None and not self._native:
            self.text += data


def strangers(page: str, names: tuple[str, ...] = ()) -> list[str]:
    """The words on a page that stand in no text of a catalog, without these names."""
    reader = Reader(page)
    found = []
    for told in (reader.text, *reader.attributes):
        found += re.findall(r"[^\W\d_]{2,}", _outside(told))
    return [word for word in found if word not in names]


def _outside(told: str) -> str:
    """What stands outside every pair of brackets."""
    depth, left = 0, ""
    for char in told:
        depth += (char == LEFT) - (char == RIGHT)
        left += char if not depth and char != RIGHT else " " * (char == RIGHT)
    return left
