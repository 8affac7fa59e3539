"""What the fuzzing tests share: how long they go on, what they send, and the house that bears it.

They are the same at every run, and short. ``COMPANION_FUZZ=3600`` makes them last an hour
altogether, with other luck at each run; the seed is printed where something falls over.
"""

import functools
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.test import TestResponse

from companion.actions import VOCABULARY
from companion.game import Game
from companion.journal import Journal
from companion.keepsakes import Keepsakes
from companion.photos import PhotoStore
from companion.report import report
from companion.switches import SWITCHES
from companion.table import replay
from companion.web import WebSettings, create_app
from tests.scoring import Told, a_picture, seen
from tests.test_web_calibration import Watching

SECONDS = float(os.environ.get("COMPANION_FUZZ", "0"))
"""How long all fuzzing together lasts; 0 for the usual, short run."""

PEOPLE = ["Ann", "Bob", "Cy"]
Test = Callable[..., None]


def fuzzed(examples: int, share: float) -> Callable[[Test], Test]:
    """So many examples, the same at every run; in a long run ``share`` of its time instead."""

    def dress(test: Test) -> Test:
        usual = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=not SECONDS,
            print_blob=True,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )(test)
        if not SECONDS:
            return usual

        @functools.wraps(usual)
        def long(*args: Any, **more: Any) -> None:
            end, tried = time.monotonic() + SECONDS * share, 0
            while time.monotonic() < end:
                number = secrets.randbits(32)
                print(f"{test.__name__}: seed {number}, {tried} examples before it")
                seed(number)(usual)(*args, **more)
                tried += examples

        return long

    return dress


# ---- what is sent -------------------------------------------------------------------------------

ODD_TEXTS = [
    *(
        "",
        " ",
        "0",
        "-1",
        "1e9",
        "999999",
        "1000000",
        "9" * 400,
        "NaN",
        "１２",
        "٣",
        "None",
        "null",
    ),
    *("true", "\x00", "\r\n", "\x1b[2J", "\u202eevil", "\ud800", "a\ud83d", "\ufeff", "\u200d"),
    *("=1+1", "<b>", "%s%(n)s%", "{{7*7}}", "../../x", "'; DROP TABLE actions; --", "a" * 5000),
    *("mexican", "Mexican", "ANN", "Ann", "Bob", "Cy", "ＡＮＮ", "5-12", "12-12", "0-0", "99-99"),
    *("classic", "hub", "thirteen", "all", "on", "off", "1", "2", "6", "12", "18", "\U0001f600"),
]
texts = st.one_of(st.sampled_from(ODD_TEXTS), st.text(max_size=60))
numbers = st.one_of(
    st.integers(-3, 20),
    st.sampled_from([2**31, 2**63, -(2**63), 10**9, 10**9 + 1, 10**400]),
    st.floats(allow_nan=True, allow_infinity=True),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)

_names = st.sampled_from([*PEOPLE, *PEOPLE, "Dee", "mexican", "ann "])
_tiles = st.sampled_from(["5-12", "12-5", "0-0", "12-12", "3-4", "11-11", "18-18", "1-x"])
_switches = st.sampled_from([*SWITCHES, "no such switch"])
_values = st.sampled_from([value for switch in SWITCHES.values() for value in switch.values])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "players": st.lists(_names, min_size=1, max_size=15, unique=True) | st.just(PEOPLE),
    "set": st.sampled_from([6, 9, 12, 12, 12, 15, 18, 7]),
    "rules": st.sampled_from(["classic", "hub", "thirteen", "none"]),
    "overrides": st.dictionaries(_switches, _values, max_size=3),
    "hand": st.none() | st.integers(0, 30),
    "first_engine": _tiles,
    "rounds": st.integers(0, 4),
    "engine": _tiles,
    "tile": _tiles,
    "tiles": st.lists(_tiles, max_size=5),
    "pips": st.integers(-1, 200),
    "photo": st.text("0123456789abcdef", min_size=32, max_size=32) | texts,
    "went_out": st.just(True),
    "replace": st.booleans(),
    "round": st.integers(0, 3),
    "value": _values | st.integers(0, 13),
    "n": st.integers(0, 20),
    "seat": st.integers(0, 5),
    "past": st.sampled_from(["none", "zero", "average", "highest"]),
    "switch": _switches,
    "why": texts,
    "at": st.sampled_from(
        ["2024-05-31T20:15:00Z", "1970-01-01", "8999-12-31T23:59:59+23:59", "2024-W01-1", "soon"]
    ),
    "by": texts,
    "overrule": st.booleans(),
    **dict.fromkeys(("player", "train", "name", "starter"), _names),
}


@st.composite
def near_actions(draw: st.DrawFn, spoilt: int = 6) -> dict[str, Any]:
    """An action as it should be, but for one time in ``spoilt``: then a field is odd."""
    name = draw(st.sampled_from(sorted(VOCABULARY)))
    shape = VOCABULARY[name]
    keys = [*shape.needed, *draw(st.lists(st.sampled_from([*shape.optional, "overrule", "at"])))]
    if shape.one_of:
        keys.append(draw(st.sampled_from(sorted(shape.one_of))))
    said = {"action": name, **{key: draw(FIELDS[key]) for key in keys}}
    if draw(st.integers(1, spoilt)) == spoilt:
        key = draw(st.sampled_from([*said, "by", "once", "revision", "extra"]))
        said[key] = draw(anything)
    return said


which = st.integers(0, 10**6)
"""One of many things that are only known when it comes to it."""


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["cut", "flip", "put", "double", "swap", "tail"]),
        st.floats(0, 1),
        st.sampled_from([b"\xff", b"\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\xff\xd9"])
        | st.binary(min_size=1, max_size=12),
    ),
    max_size=6,
)


def changed(data: bytes, changes: list[tuple[str, float, bytes]]) -> bytes:
    """The bytes with these changes, each at a part of their length."""
    for how, part, piece in changes:
        at = int(part * len(data))
        if how == "cut":
            data = data[:at]
        elif how == "flip":
            data = data[:at] + bytes(255 - byte for byte in data[at : at + 3]) + data[at + 3 :]
        elif how == "put":
            data = data[:at] + piece + data[at + len(piece) :]
        elif how == "double":
            data = data[:at] + data[at // 2 : at] + data[at:]
        elif how == "swap":
            data = data[at:] + data[:at]
        else:
            data += piece * 50
    return data


OPENING = [
    {"action": "start_game", "players": PEOPLE, "set": 12, "rules": "classic", "hand": 12},
    {"action": "open_round", "starter": "Ann"},
]


def round_told(*hands: int) -> list[dict[str, Any]]:
    """The round's hands and its end."""
    told = [
        {"action": "hand", "player": name, "pips": left}
        for name, left in zip(PEOPLE, hands, strict=False)
    ]
    return [*told, {"action": "close_round"}]


# ---- who bears it -------------------------------------------------------------------------------


class Templates(BytecodeCache):
    """Every template compiled once for all houses."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._known:
            bucket.code = self._known[bucket.key]

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key] = bucket.code


TEMPLATES = Templates()


class House:
    """A game with all that a page may speak of: past games, photos, a camera, kept pictures.

    No error is hidden behind a page: what breaks breaks the test.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal.open(folder / "journal.db")
        self.game = Game(self.journal)
        self.photos = PhotoStore(folder / "photos", self.journal)
        self.keepsakes = Keepsakes(folder / "seen")
        reader = Told()
        reader.tiles = (seen((5, 12)), seen((3, 4), 200, why="glare", second=(None, 5)))
        self.app = create_app(
            self.game,
            reader=reader,
            watch=Watching(),
            photos=self.photos,
            keepsakes=self.keepsakes,
            people=self.journal,
            settings=WebSettings(secret="one for the tests", best_train=True),
        )
        self.app.config["PROPAGATE_EXCEPTIONS"] = True
        self.app.jinja_env.bytecode_cache = TEMPLATES
        self.client = self.app.test_client()

    @property
    def token(self) -> str:
        """The token of this browser's forms."""
        found = re.search(r'name="token" value="([^"]+)"', self.client.get("/new").text)
        assert found
        return found[1]

    def furnish(self) -> None:
        """A past game, one in its second round, a photo that was read and a kept picture."""
        played = [*OPENING, *round_told(0, 5, 7), {"action": "finish_game"}]
        for said in [*played, *OPENING, *round_told(3, 0, 9), {"action": "open_round"}]:
            self.game.play(said)
        self.keepsakes.keep(a_picture(), {"why": [], "tiles": ["5-12"]}, "doubt")
        sent = {"token": self.token, "photo": (BytesIO(a_picture()), "a.jpg")}
        there = self.client.post("/count", data=sent).location
        until = time.monotonic() + 20
        while self.client.get(there).status_code != 200 or not self.photos.kept():
            assert time.monotonic() < until
        while self.photos.get(self.photos.kept()[0].id).draft is None:  # type: ignore[union-attr]
            self.client.get(there)
            assert time.monotonic() < until

    def addresses(self) -> list[str]:
        """Every page and file that may be looked at now, by the application's own routes."""
        known = {
            "seat": [1, len(PEOPLE)],
            "kept": [game.number for game in self.game.kept()][-4:],
            "round_number": [1],
            "column": [1, 2],
            "photo": [photo.id for photo in self.photos.kept()][:3],
            "name": [each.id for each in self.keepsakes.all()][:1],
            "number": [0],
            "tile": [1],
            "filename": ["base.css"],
        }
        found = []
        with self.app.test_request_context():
            for rule in self.app.url_map.iter_rules():
                if "GET" not in (rule.methods or ()) or rule.endpoint == "live.stream":
                    continue
                values = [{}]
                for name in rule.arguments:
                    values = [
                        {**one, name: each} for one in values for each in known.get(name, ["x"])
                    ]
                found += [
                    self.app.url_map.bind("localhost").build(rule.endpoint, v) for v in values
                ]
        return sorted(set(found))

    def look(self) -> None:
        """Open every page: none of them breaks."""
        for address in self.addresses():
            check(self.client.get(address), address)

    def check_replay(self) -> None:
        """What is stored makes the table that is shown, and makes it again."""
        shown = report(self.game.table)
        assert report(replay(self.journal.actions())) == shown
        with Game(Journal.open(self.journal.path)) as again:
            assert again.notice is None
            assert report(again.table) == shown
            assert [one.id for one in again.kept()] == [one.id for one in self.game.kept()]


def check(answer: TestResponse, said: object) -> None:
    """An answer is a reading or a refusal in a sentence, never a failure."""
    assert answer.status_code < 500 or answer.status_code == 503, (answer.status_code, said)
    if answer.status_code >= 400:
        assert answer.is_json or "<h1" in answer.text, (answer.status_code, said)


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """A house in a new folder of its own inside this one, which goes with it."""
    inside = folder / secrets.token_hex(6)
    inside.mkdir()
    with opened(inside) as found:
        yield found
    shutil.rmtree(inside)


@contextmanager
def opened(inside: Path) -> Iterator[House]:
    """The house of this folder, with whatever lies in it."""
    found = House(inside)
    try:
        yield found
    finally:
        found.game.close()


class Forms(HTMLParser):
    """The forms of a page: where each is sent and what it holds."""

    def __init__(self, page: str, address: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, list[tuple[str, str]]]] = []
        self._address = address
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form" and told.get("method", "").lower() == "post":
            self.forms.append((told.get("action") or self._address, []))
        elif tag in ("input", "button", "select", "textarea") and told.get("name") and self.forms:
            self.forms[-1][1].append((told["name"], told.get("value", "")))
