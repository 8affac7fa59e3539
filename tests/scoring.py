"""A running game with its pages, for the tests of scoring, counting and the sheet."""

import re
import threading
import time
from collections.abc import Iterable
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.dominoes import Tile
from companion.errors import DeviceTrouble
from companion.game import Game
from companion.journal import Journal
from companion.observation import PhotoReading, Reading
from companion.photos import PhotoStore
from companion.vision.crops import as_jpeg
from companion.vision.draw import DrawnHand, draw_hand
from companion.web import WebSettings, create_app

PEOPLE = ["Ann", "Bob", "Cy"]


class Told:
    """A reader that has been told what lies in the photo, and can be made to wait."""

    def __init__(self) -> None:
        self.tiles: tuple[Reading, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self.go = threading.Event()
        self.go.set()
        self.asked: list[dict[str, Any]] = []

    def read(
        self, image: Any, *, highest: int | None = None, double_blank: int = 50
    ) -> PhotoReading:
        self.go.wait(10)
        self.asked.append({"highest": highest, "double_blank": double_blank})
        height, width = image.shape[:2]
        return PhotoReading(width, height, self.tiles, self.warnings)


class HubCamera:
    """A hub camera of which only the next picture is known."""

    moving = moved = False
    trouble: str | None = None
    sighting = None
    camera = SimpleNamespace(there=True)

    def __init__(self) -> None:
        self.image: Any = None

    def fresh(self) -> Any:
        if self.image is None:
            raise DeviceTrouble("The camera does not answer: plug it in and try again.")
        return type("Frame", (), {"image": self.image})


def seen(
    ends: tuple[int, int],
    x: float = 100,
    y: float = 100,
    why: str | None = None,
    second: tuple[int | None, int | None] = (None, None),
) -> Reading:
    """A tile read at this place, lying flat, 80 pixels long."""
    corners = ((x, y + 40), (x, y), (x + 80, y), (x + 80, y + 40))
    return Reading(ends, corners, 0.9, why is None, why, second)


def drawn(tiles: Iterable[str], seed: int = 0) -> DrawnHand:
    """A photo-like picture of these tiles."""
    return draw_hand([Tile.parse(tile) for tile in tiles], 1280, 960, seed)


def a_picture() -> bytes:
    """The bytes of some JPEG."""
    return as_jpeg(np.full((300, 400, 3), 90, np.uint8))


class Evening:
    """One browser at a running game."""

    def __init__(self, folder: Path, reader: Any = None) -> None:
        self.journal = Journal.open(folder / "games.sqlite")
        self.game = Game(self.journal)
        self.reader = reader or Told()
        self.photos = PhotoStore(folder / "photos", self.journal)
        self.watch = HubCamera()
        self.app: Flask = create_app(
            self.game,
            reader=self.reader,
            watch=self.watch,
            photos=self.photos,
            settings=WebSettings(secret="s"),
        )
        self.browser: FlaskClient = self.app.test_client()
        self.browser.get("/count")
        with self.browser.session_transaction() as session:
            self.token = session["token"]

    def play(self, *actions: dict[str, Any]) -> None:
        for action in actions:
            self.game.play(action)

    def start(self, people: list[str] | None = None, **more: Any) -> None:
        """A game with an open round."""
        begin = {"action": "start_game", "players": people or PEOPLE, "set": 12}
        self.play({**begin, "rules": "classic", **more}, {"action": "open_round"})

    def whole_round(self, *points: int) -> None:
        """Give everybody these points in the open round and close it."""
        players = self.report["game"]["players"]
        for player, pips in zip(players, points, strict=True):
            self.play({"action": "hand", "player": player, "pips": pips})
        self.play({"action": "close_round"})

    @property
    def report(self) -> dict[str, Any]:
        from companion.report import report

        return report(self.game.table)

    def page(self, address: str) -> str:
        answer = self.browser.get(address)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)

    def field(self, address: str, name: str) -> str:
        """The value of a hidden field on a page."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page(address))
        assert found, name
        return found[1]

    def send(self, address: str, **fields: Any) -> TestResponse:
        """Send a form."""
        return self.browser.post(address, data={"token": self.token, **fields})

    def hand(self, seat: int, **fields: Any) -> TestResponse:
        """Send the form of one hand, as its page makes it."""
        player = self.report["game"]["players"][seat - 1]
        if "round" not in fields:
            fields["round"] = self.field(f"/score/{seat}", "round")
        return self.send(f"/score/{seat}", **{"player": player, **fields})

    def photo(self, seat: int, data: bytes | None = None) -> str:
        """Send a photo of a hand and wait for its reading; its id."""
        file = (BytesIO(a_picture() if data is None else data), "hand.jpg")
        answer = self.hand(seat, do="photo", photo=file)
        assert answer.status_code == 303, answer.get_data(as_text=True)
        return self.read(answer.location)

    def read(self, address: str) -> str:
        """The photo of an address, once it has been read."""
        photo = urlsplit(address).path.split("/")[-1]
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = self.photos.get(photo)
            if found is not None and found.draft is not None:
                return photo
            self.browser.get(f"/photo/{photo}")
        raise AssertionError("the photo was not read")

    def tap(self, photo: str, **fields: Any) -> TestResponse:
        """Tap on a tile of a photo."""
        return self.send(f"/photo/{photo}/tiles", **fields)

    def confirm(self, photo: str, **fields: Any) -> TestResponse:
        """Everything is right."""
        return self.send(f"/photo/{photo}/score", **fields)

    def close(self) -> None:
        self.game.close()


def text_of(answer: TestResponse | str) -> str:
    """What a page says, without its marks."""
    html = answer if isinstance(answer, str) else answer.get_data(as_text=True)
    plain = re.sub(r"<[^>]*>", " ", html)
    for mark, letter in (("&#39;", "'"), ("&#34;", '"'), ("&amp;", "&")):
        plain = plain.replace(mark, letter)
    return " ".join(plain.split())


VARIES = r'name="(?:once|token|revision)" value="[^"]*"|data-revision="\d+"'


class _Outside(HTMLParser):
    """Collects a page without its parts and without the symbols that it draws with."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.kept: list[str] = []
        self.parts: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        part = "data-part" in told or told.get("id") == "sprite"
        if "data-part" in told:
            self.parts.add(str(told["id"]))
        hidden = part or any(self.open)
        if not hidden:
            self.kept.append(self.get_starttag_text() or "")
        if tag not in VOID:
            self.open.append(part)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not any(self.open):
            self.kept.append(self.get_starttag_text() or "")

    def handle_data(self, data: str) -> None:
        if not any(self.open) and data.strip():
            self.kept.append(data.strip())


VOID = {"meta", "link", "input", "img", "br", "hr"}


def outside_parts(html: str) -> tuple[list[str], set[str]]:
    """What of a page stays as it is until it is loaded anew, and the names of its live parts."""
    page = _Outside()
    page.feed(re.sub(VARIES, "", html))
    page.close()
    return page.kept, page.parts
