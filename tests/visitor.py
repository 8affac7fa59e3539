"""Somebody at a tablet: a browser's cookie and form token, without the browser."""

import re
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from companion.game import Game
from companion.joining import Key
from companion.journal import Journal
from companion.report import report
from companion.web import WebSettings, create_app
from companion.web.visitors import Door

HERE = "http://192.168.1.50:8000/"
"""The address by which other machines reach this one in tests."""
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

    @property
    def key(self) -> Key:
        """The table's key."""
        door: Door = self.app.extensions["companion"].door
        return door.keys.key

    def visitor(self, role: str | None = None) -> "Visitor":
        """Somebody new: at this machine itself, or from elsewhere, joined as this."""
        if role is None:
            return Visitor(self)
        far = self.stranger()
        assert far.get(f"/join/{self.key.link(role)}").status_code == 303
        return far

    def stranger(self, number: str = "192.168.1.20") -> "Visitor":
        """Somebody on another machine, who has not joined."""
        return Visitor(self, {"REMOTE_ADDR": number}, HERE)


class Visitor:
    """One browser: keeps its cookie, fills the token into forms.

    ``environ`` is what the server knows of its connection, ``host`` what it asks by.
    """

    def __init__(
        self, place: Place, environ: dict[str, str] | None = None, host: str = "http://localhost/"
    ) -> None:
        self.client = place.app.test_client()
        self.environ, self.host = environ or {}, host

    def get(self, path: str, **more: Any) -> TestResponse:
        """Open a page; ``more`` goes to the client."""
        sent: dict[str, Any] = {"environ_overrides": self.environ, "base_url": self.host, **more}
        return self.client.get(path, **sent)

    @property
    def token(self) -> str:
        """The token of this browser's forms."""
        page = self.get("/new")
        page = self.get("/settings") if page.status_code == 403 else page
        found = re.search(r'name="token" value="([^"]+)"', page.text)
        assert found
        return found[1]

    def post(self, path: str, fields: dict[str, Any] | None = None, **more: Any) -> TestResponse:
        """Send a form with its token; ``more`` goes to the client (headers and the like)."""
        sent: dict[str, Any] = {"environ_overrides": self.environ, "base_url": self.host, **more}
        return self.client.post(path, data={"token": self.token, **(fields or {})}, **sent)

    def tap(self, act: str, **fields: Any) -> TestResponse:
        """One button of the table page."""
        return self.post("/table", {"act": act, **fields})


def sentences(page: TestResponse) -> str:
    """The page's text without markup, blanks tidied."""
    html = re.sub(r'<span class="tile-name">(.*?)</span>', r"\1", page.text)
    bare = re.sub(r"<(script|style|svg|head)\b.*?</\1>|<[^>]+>", " ", html, flags=re.S)
    bare = bare.replace("&#39;", "'").replace("&amp;", "&").replace("&#34;", '"')
    return " ".join(bare.split())
