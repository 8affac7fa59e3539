"""What somebody tries who does not belong: each try against a running companion, and its answer.

``python -m tests.attacks`` starts a companion of its own, tries everything from another address
of this machine than the loopback one (or, where it has none, through a proxy), and prints a line a
try: what was tried, what was answered, and whether that is right.
"""

from __future__ import annotations

import html
import http.client
import json
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from companion.joining import ALPHABET, HOST, PLAYER, SPECTATOR, TRIES
from companion.keyfile import TableKey
from companion.web.serving import lan_numbers
from tests.running import Companion

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 9, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
MARK = {"action": "mark", "train": "Bob"}
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    text: str


@dataclass(frozen=True)
class Try:
    """One try: what it is, what was answered, and whether that is as it should be."""

    what: str
    answered: str
    right: bool

    def __str__(self) -> str:
        return f"{'ok ' if self.right else 'BAD'} {self.what}: {self.answered}"


@dataclass
class Attacker:
    """Somebody at another address of this machine, who keeps cookies as a browser does."""

    companion: Companion
    number: str | None
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """What a browser there writes as Host."""
        return f"{self.number or '198.51.100.1'}:{self.companion.port}"

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: str | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send this and read at most a little of the answer."""
        where = self.number or "127.0.0.1"
        line = http.client.HTTPConnection(where, self.companion.port, timeout=30)
        sent = {"Host": self.host, **({} if self.number else {"X-Forwarded-For": "198.51.100.7"})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            line.request(method, path, body, {**sent, **(headers or {})})
            came = line.getresponse()
            streams = came.headers.get_content_type() == "text/event-stream"
            text = "" if streams else came.read(200_000).decode("utf-8", "replace")
            for cookie in came.headers.get_all("Set-Cookie") or []:
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            return Answer(came.status, came.headers, text)
        finally:
            line.close()

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        """Send a form, with the token of the page to join by unless another one is given."""
        if "token" not in fields:
            found = re.search(r'name="token" value="([^"]+)"', self.ask("/join").text)
            fields = {**fields, "token": found[1] if found else ""}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask(path, "POST", urlencode(fields), {"Content-Type": FORM, **named})

    def act(self, action: object, **headers: str) -> Answer:
        """Send an action as a program does."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        kind = {"Content-Type": "application/json"}
        return self.ask("/api/actions", "POST", json.dumps(action), {**kind, **named})


class Attack:
    """All tries against one companion, which plays a round meanwhile."""

    def __init__(self, companion: Companion, number: str | None) -> None:
        self.companion, self.number = companion, number
        self.keys = TableKey(companion.data / "key")
        self.tries: list[Try] = []

    def somebody(self, role: str | None = None) -> Attacker:
        """A stranger, or a device that joined as this."""
        device = Attacker(self.companion, self.number)
        if role is not None:
            joined = device.ask(f"/join/{self.keys.key.link(role)}")
            assert joined.status == 303, joined
        return device

    def note(self, what: str, answer: Answer, *statuses: int, but: bool = True) -> None:
        """Note a try: right where it was answered by one of these, and nothing else is wrong."""
        table = self.companion.get("/api/table")
        safe = table["open_trains"] == [] and table["revision"] == 2
        quiet = answer.status in (200, 303) or not re.search("Ann|Bob|9-9", answer.text)
        said = re.search(r'(?:id="refused-why">|id="refusal"><p>|<h1[^>]*>)([^<]+)', answer.text)
        words = said[1] if said else " ".join(answer.text[:90].split())
        right = answer.status in statuses and but and safe and quiet
        self.tries.append(Try(what, f"{answer.status} {html.unescape(words)}", right))

    def run(self) -> list[Try]:
        """Try everything."""
        self.companion.play(START, OPEN)
        for attack in (self.as_a_stranger, self.as_another_site, self.beyond_ones_role):
            attack()
        self.by_odd_requests()
        self.by_listening()
        self.by_guessing()
        return self.tries

    def as_a_stranger(self) -> None:
        """Without the key."""
        eve = self.somebody()
        for path in ("/", "/table", "/settings", "/games/games.json", "/photo/x.jpg", "/hub.jpg"):
            self.note(f"open {path} without the key", eve.ask(path), 401)
        self.note("read the table as a program", eve.ask("/api/table"), 401)
        self.note("follow the game", eve.ask("/live"), 401)
        self.note("tap as a program", eve.act(MARK), 401)
        self.note("tap as a form", eve.post("/table", {"act": "mark", "train": "Bob"}), 401)
        self.note("look for pages by their answers", eve.ask("/nowhere"), 401)
        self.note("climb out of the style sheets", eve.ask("/static/../../key"), 401, 404)
        self.note("the same, encoded", eve.ask("/static/..%2f..%2f..%2fkey"), 401, 404)
        self.note(
            "claim to be this machine", eve.ask("/settings", headers={"Host": "localhost"}), 401
        )
        lie = {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
        self.note("claim to come from this machine", eve.ask("/settings", headers=lie), 401)
        eve.cookies[self.cookie_name()] = "eyJyb2xlIjoiaG9zdCJ9.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbb"
        self.note("forge a cookie", eve.ask("/settings"), 401)
        self.note(
            "send a token of one's own", eve.act(MARK, Authorization="Bearer " + "A" * 24), 401
        )

    def as_another_site(self) -> None:
        """Through the browser of somebody who has joined, from a page of another site."""
        victim = self.somebody(HOST)
        tap = {"act": "mark", "train": "Bob"}
        evil = {"Origin": "http://evil.example", "Sec_Fetch_Site": "cross-site"}
        self.note("a form of another site", victim.post("/table", tap, **evil), 403)
        self.note("the same without Origin", victim.post("/table", {**tap, "token": "x"}), 400)
        self.note("a sandboxed page", victim.post("/table", tap, Origin="null"), 403)
        self.note(
            "a page on another port", victim.post("/table", tap, Origin="http://localhost:81"), 403
        )
        self.note("an action of another site", victim.act(MARK, **evil), 403)
        plain = victim.ask("/api/actions", "POST", json.dumps(MARK), {"Content-Type": "text/plain"})
        self.note("an action as plain text, as forms can send", plain, 415)
        hidden = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        self.note("a picture in another site's page", victim.ask("/hub.jpg", headers=hidden), 403)
        self.note(
            "the table in another site's script", victim.ask("/api/table", headers=hidden), 403
        )
        rebound = victim.ask("/settings", headers={"Host": "evil.example"})
        self.note("a name that was made to lead here", rebound, 421)
        framed = victim.ask("/settings")
        policy = framed.headers["Content-Security-Policy"]
        closed = "frame-ancestors 'none'" in policy and "unsafe" not in policy
        closed = closed and framed.headers["X-Frame-Options"] == "DENY"
        self.note("a frame around our page", framed, 200, but=closed)
        got = victim.ask("/table?act=mark&train=Bob&token=x")
        self.note("a tap by an address alone", got, 200)

    def beyond_ones_role(self) -> None:
        """With a key that is not enough."""
        tv, phone = self.somebody(SPECTATOR), self.somebody(PLAYER)
        self.note("a television taps", tv.post("/table", {"act": "mark", "train": "Bob"}), 403)
        self.note("a television sends an action", tv.act(MARK), 403)
        for path, fields in (
            ("/settings/photos", {"keep": "round", "sure": "1"}),
            ("/settings/machine", {"do": "off"}),
            ("/settings/key", {}),
            ("/games/import", {}),
        ):
            self.note(f"a player asks for {path}", phone.post(path, fields), 403)
        page = phone.ask("/settings").text + tv.ask("/tv").text + tv.ask("/").text
        told = self.keys.key.code(HOST)[:4] in page or self.keys.key.link(PLAYER) in page
        self.note(
            "look for the host's code on a player's pages",
            phone.ask("/settings"),
            200,
            but=not told,
        )

    def by_odd_requests(self) -> None:
        """With requests that no browser makes."""
        eve = self.somebody()
        odd: list[tuple[str, Callable[[], Answer]]] = [
            ("a method of one's own", lambda: eve.ask("/table", "DELETE")),
            ("an address of 8,000 letters", lambda: eve.ask("/" + "a" * 8000)),
            ("a code of 60,000 letters", lambda: eve.post("/join", {"code": "A" * 60_000})),
            ("a form of a megabyte", lambda: eve.post("/join", {"code": "A" * 10**6})),
            ("JSON as deep as a well", lambda: eve.ask("/api/actions", "POST", "[" * 50_000)),
            ("a header that splits", lambda: eve.ask("/join/%0d%0aSet-Cookie:%20a=b")),
        ]
        for what, send in odd:
            self.note(what, send(), 400, 401, 404, 405, 413, 422)

    def by_listening(self) -> None:
        """By what is left behind: in the address, in what browsers tell, in cookies and files."""
        phone = self.somebody()
        token = self.keys.key.link(PLAYER)
        joined = phone.ask(f"/join/{token}")
        clean = token not in joined.headers["Location"] and token not in str(phone.cookies)
        clean = clean and joined.headers["Referrer-Policy"] == "no-referrer"
        self.note("read the token in address bar, referrer or cookie", joined, 303, but=clean)
        modes = {path.stat().st_mode & 0o077 for path in self.companion.data.rglob("*")}
        self.note(
            "read the key's file as another user", phone.ask("/healthz"), 200, but=modes == {0}
        )

    def by_guessing(self) -> None:
        """At last, as no code is taken from this address for a while."""
        eve = self.somebody()
        for n in range(TRIES):
            wrong = ALPHABET[n] * 6
            self.note(f"guess a code ({n + 1})", eve.post("/join", {"code": wrong}), 422, 429)
        right = {"code": self.keys.key.code(PLAYER)}
        self.note("guess on, and rightly", eve.post("/join", right), 429)
        link = eve.ask(f"/join/{self.keys.key.link(HOST)}")
        self.note("open a right link after that, as nobody guesses one", link, 303)

    def cookie_name(self) -> str:
        """What the cookie is called here."""
        return next(iter(self.somebody(SPECTATOR).cookies))


def attack(data: Path) -> tuple[list[Try], str, str, list[str]]:
    """All tries, from where they were made, what the companion printed, and its secrets."""
    number = next(iter(lan_numbers()), None)
    with Companion(data, "--host", "0.0.0.0", "--camera", "none") as companion:
        plan = Attack(companion, number)
        tries = plan.run()
        key = plan.keys.key
        secrets = [key.master.hex(), *(key.link(r) for r in (HOST, PLAYER, SPECTATOR))]
        secrets += [key.code(role) for role in (HOST, PLAYER, SPECTATOR)]
        companion.stop()
    return tries, number or "a proxy of this machine", companion.said, secrets


def main() -> int:
    """Try everything and print it; 1 where something was answered wrongly."""
    with tempfile.TemporaryDirectory() as folder:
        tries, where, said, secrets = attack(Path(folder) / "data")
    sys.stdout.write("".join(f"{each}\n" for each in tries))
    kept = not any(secret in said for secret in secrets)
    wrong = sum(not each.right for each in tries)
    sys.stdout.write(f"{len(tries)} tries from {where}, {wrong} answered wrongly; ")
    sys.stdout.write(f"the log {'names no secret' if kept else 'NAMES A SECRET'}\n")
    return 1 if wrong or not kept else 0


if __name__ == "__main__":
    sys.exit(main())
