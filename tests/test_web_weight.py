"""What the table page costs: bytes over the wire at the first load, and at the second."""

import gzip
import re

import pytest

from companion.web import weight
from tests.visitor import START, Place

MOST = 120_000
"""Bytes of the first load of the table page, in all."""
SCRIPT = 25_000
"""Bytes of all scripts of a page, as they are written."""
NAMES = [f"Great-aunt Number {number}" for number in range(1, 15)]
PACKED = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    place.play({**START, "players": NAMES, "hand": 5, "overrule": True})
    for number in range(13):
        place.play({"action": "open_round"})
        if number < 12:
            place.play({"action": "go_out", "player": NAMES[0]})
            for name in NAMES[1:]:
                place.play({"action": "hand", "player": name, "pips": 10 + number})
            place.play({"action": "close_round"})
    yield place
    place.game.close()


def files(page):
    """What the page loads besides itself, style sheets' pictures included."""
    found = re.findall(r'(?:<link[^>]* href|<script[^>]* src|<img[^>]* src)="([^"]+)"', page.text)
    return [address.replace("&amp;", "&") for address in found]


def on_the_wire(answer):
    """Bytes of an answer: the body as sent, and its headers."""
    return len(answer.data) + sum(len(f"{k}: {v}\r\n") for k, v in answer.headers)


@pytest.mark.parametrize("path", ["/table", "/table?train=mexican", "/", "/new"])
def test_the_first_load_is_small_and_everything_comes_from_here(place, path):
    client = place.visitor().client
    page = client.get(path)
    needed = files(page)
    assert [address for address in needed if not address.startswith("/static/")] == []
    assert any(address.startswith("/static/companion.js") for address in needed)
    loaded = [page, *(client.get(address) for address in needed)]
    assert {answer.status_code for answer in loaded} == {200}
    plain = sum(map(on_the_wire, loaded))
    packed = sum(on_the_wire(client.get(each, headers=PACKED)) for each in [path, *needed])
    assert packed < MOST / 2 and plain < 2 * MOST, (packed, plain)
    scripts = [answer for answer in loaded if "javascript" in answer.mimetype]
    assert 0 < sum(len(answer.data) for answer in scripts) <= SCRIPT


def test_a_file_is_kept_by_its_mark_and_never_stale(place, tmp_path):
    client = place.visitor().client
    for address in files(client.get("/table")):
        assert re.search(r"\?v=[0-9a-f]{10}$", address), address
        assert "immutable" in client.get(address).headers["Cache-Control"]
    bare = client.get("/static/down.svg")
    assert bare.headers["Cache-Control"] == weight.DAY
    again = client.get("/static/down.svg", headers={"If-None-Match": bare.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    style = tmp_path / "style.css"
    style.write_text("a {}")
    before = weight.mark(style)
    style.write_text("a { color: red }")
    assert before and weight.mark(style) != before
    assert weight.mark(tmp_path / "nothing.css") is None


def test_texts_are_packed_for_whoever_takes_them_so(place):
    client = place.visitor().client
    for path in ("/sheet", "/static/companion.js", "/api/table"):
        plain, packed = client.get(path), client.get(path, headers=PACKED)
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
        if path.startswith(("/static", "/api")):
            assert gzip.decompress(packed.data) == plain.data
    tag = client.get("/static/base.css", headers=PACKED).headers["ETag"]
    kept = client.get("/static/base.css", headers={**PACKED, "If-None-Match": tag})
    assert (kept.status_code, kept.data) == (304, b"")


def test_what_is_small_streams_or_is_a_picture_is_left_as_it_is(place):
    client = place.visitor().client
    assert "Content-Encoding" not in client.get("/healthz", headers=PACKED).headers
    live = client.get("/live", headers=PACKED, buffered=False)
    assert "Content-Encoding" not in live.headers
    assert b"event: table" in next(live.response)
    live.close()
