"""Somebody at a tablet: a browser's cookie and form token, without the browser."""

import re
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from companion.game import Game
from companion.journal import Journal
from companion.report import report
from companion.web import WebSettings, create_app

PLAYERS = ["Red", "Blue", "Green"]
START = {"action": "start_game", "players": PLAYERS, "set": 12, "rules": "classic", "hand": 12}
OPEN = {"action": "open_round", "starter": "Red"}


class Place:
    """A game on a journal of its own, and the application around it."""

    def __init__(self, folder: Path, **services: Any) -> None:
        self.journal = Journal.open(folder / "journal.db")
        self.game = Game(self.journal)
        settings = services.pop("settings", WebSettings(secret="one for the tests"))
        services.setdefault("reader", None)
        services.setdefault("people", self.journal)
        self.app = create_app(self.game, settings=settings, **services)

    def play(self, *actions: dict[str, Any]) -> dict[str, Any]:
        """Play these and give the report after the last."""
        for action in actions:
            self.game.play(action)
        return report(self.game.table)

    @property
    def told(self) -> dict[str, Any]:
        """The report of the table as it is."""
        return report(self.game.table)

    def visitor(self) -> "Visitor":
        """Somebody new."""
        return Visitor(self)


class Visitor:
    """One browser: keeps its cookie, fills the token into forms."""

    def __init__(self, place: Place) -> None:
        self.client = place.app.test_client()

    def get(self, path: str) -> TestResponse:
        """Open a page."""
        return self.client.get(path)

    @property
    def token(self) -> str:
        """The token of this browser's forms."""
        found = re.search(r'name="token" value="([^"]+)"', self.get("/new").text)
        assert found
        return found[1]

    def post(self, path: str, fields: dict[str, Any] | None = None, **more: Any) -> TestResponse:
        """Send a form with its token; ``more`` goes to the client (headers and the like)."""
        return self.client.post(path, data={"token": self.token, **(fields or {})}, **more)

    def tap(self, act: str, **fields: Any) -> TestResponse:
        """One button of the table page."""
        return self.post("/table", {"act": act, **fields})


def sentences(page: TestResponse) -> str:
    """The page's text without markup, blanks tidied."""
    html = re.sub(r'<span class="tile-name">(.*?)</span>', r"\1", page.text)
    bare = re.sub(r"<(script|style|svg|head)\b.*?</\1>|<[^>]+>", " ", html, flags=re.S)
    bare = bare.replace("&#39;", "'").replace("&amp;", "&").replace("&#34;", '"')
    return " ".join(bare.split())
