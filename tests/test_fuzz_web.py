"""Whatever is sent to the server is read or refused in a sentence, and nothing is lost by it."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from companion.darkroom import Darkroom
from companion.errors import PhotoUnreadable
from companion.exporting import document
from companion.report import report
from tests.evening_games import JULY, JUNE, MAY, kept
from tests.fuzzing import (
    CHANGES,
    FIELDS,
    OPENING,
    Forms,
    House,
    anything,
    changed,
    check,
    fuzzed,
    house,
    near_actions,
    texts,
    which,
)
from tests.scoring import drawn


def picture_as(kind: str) -> bytes:
    """A small picture of a tile in this kind of file."""
    written = BytesIO()
    Image.fromarray(drawn(["5-12"]).image[::8, ::8, ::-1]).save(written, kind)
    return written.getvalue()


JSON_TEXTS = st.one_of(
    st.binary(max_size=80),
    anything.map(lambda said: json.dumps(said).encode()),
    st.sampled_from([b"[", b'{"action":', b'{"action":"mark","train":', b'{"players":[']).flatmap(
        lambda part: st.integers(1, 99_000).map(lambda times: (part * times)[:99_990])
    ),
    near_actions(2).map(lambda said: json.dumps(said).encode("utf-16")),
    near_actions(2).map(lambda said: b"\xef\xbb\xbf" + json.dumps(said).encode()),
    st.tuples(near_actions(), near_actions()).map(
        lambda two: (json.dumps(two[0])[:-1] + "," + json.dumps(two[1])[1:]).encode()
    ),
    st.integers(1, 90_000).map(lambda n: b'{"action":"mark","train":"Ann","revision":' + b"9" * n),
    st.integers(1, 4000).map(
        lambda n: b'{"action":"undo","revision":' + b"9" * n + b',"once":"a"}'
    ),
)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One house for many examples: whatever came before, the next is borne as well."""
    with house(tmp_path_factory.mktemp("fuzz")) as found:
        found.furnish()
        yield found


@pytest.fixture(scope="module")
def darkroom() -> Iterator[Darkroom]:
    """A process that reads photos, the same one for all."""
    with Darkroom(patience=30) as found:
        yield found


@fuzzed(examples=50, share=0.15)
@given(told=st.lists(near_actions(), max_size=40))
def test_after_any_taps_every_page_opens_and_the_journal_makes_the_same_table(
    tmp_path: Path, told: list[dict[str, Any]]
) -> None:
    with house(tmp_path) as here:
        for said in [*OPENING, *told]:
            before = report(here.game.table)
            body = json.dumps(said).encode()
            answer = here.client.post("/api/actions", data=body, content_type="application/json")
            check(answer, said)
            if answer.status_code != 200:
                assert answer.status_code in (409, 413, 422), answer.status_code
                assert report(here.game.table) == before, "a refused tap changed something"
        here.look()
        here.check_replay()


@fuzzed(examples=250, share=0.08)
@given(body=JSON_TEXTS)
@example(body=b"[" * 99_000)
@example(body=b'{"action":' * 9_000)
@example(body=b'{"action":"undo","revision":NaN}')
@example(body=b'{"action":"hand","player":"Ann","pips":1e999}')
@example(body=b'{"action":"hand","player":"Ann","pips":' + b"9" * 5000 + b"}")
def test_any_bytes_as_an_action(furnished: House, body: bytes) -> None:
    answer = furnished.client.post("/api/actions", data=body, content_type="application/json")
    check(answer, body[:200])
    assert answer.status_code in (200, 409, 413, 422)
    assert answer.is_json


def all_forms(here: House) -> dict[str, list[tuple[str, list[tuple[str, str]]]]]:
    """Every form that the pages show now, by the page that shows it."""
    found = {}
    for address in here.addresses():
        answer = here.client.get(address)
        if answer.mimetype == "text/html":
            found[address] = Forms(answer.text, address).forms
    return found


def taking(here: House) -> list[str]:
    """Every address that takes a form, shown on a page or not."""
    fill = {"int": "1", "default": "0" * 32}
    found = []
    for rule in here.app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.rule.startswith("/api/"):
            address = rule.rule
            for name in rule.arguments:
                kind = "int" if "int" in type(rule._converters[name]).__name__.lower() else ""
                part = address[address.index("<") : address.index(">") + 1]
                address = address.replace(part, fill[kind or "default"], 1)
            found.append(address)
    return found


def test_the_forms_are_found(furnished: House) -> None:
    sent = {address for forms in all_forms(furnished).values() for address, _fields in forms}
    assert len(sent) > 20, sent
    assert len(taking(furnished)) > 25


def one_of(things: list[Any], number: int) -> Any:
    """The thing of this number, counted round and round."""
    return things[number % len(things)]


def as_sent(text: str) -> str:
    """A text as it can be sent in a form or an address."""
    return text.encode("utf-8", "replace").decode()


@fuzzed(examples=400, share=0.2)
@given(
    shown=st.booleans(),
    form=which,
    left_out=st.integers(0, 2**40),
    more=st.lists(st.tuples(which, which | texts), max_size=5),
    photo=st.none() | st.binary(max_size=30),
    by_script=st.booleans(),
)
def test_any_form_is_taken_or_refused(
    furnished: House,
    shown: bool,
    form: int,
    left_out: int,
    more: list[tuple[int, int | str]],
    photo: bytes | None,
    by_script: bool,
) -> None:
    here = furnished
    pages = all_forms(here) if form % 20 == 0 or not KNOWN else KNOWN
    KNOWN.update(pages)
    forms = [each for page in sorted(pages) for each in pages[page]]
    fields = [field for _address, held in forms for field in held]
    address, held = one_of(forms, form) if shown else (one_of(taking(here), form), [])
    sent = [field for n, field in enumerate(held) if not left_out >> n % 40 & 1]
    for name, value in more:
        told = one_of(fields, value)[1] if isinstance(value, int) else as_sent(value)
        sent.append((one_of(fields, name)[0], told))
    data: dict[str, list[Any]] = {}
    for name, value in sent:
        data.setdefault(name, []).append(value)
    data["token"] = [here.token]
    if photo is not None:
        data["photo"] = [(BytesIO(photo), "a.jpg")]
    headers = {"X-Companion": "1"} if by_script else {}
    answer = here.client.post(address, data=data, headers=headers)
    check(answer, (address, data))
    assert answer.status_code in (200, 303, 400, 403, 404, 405, 409, 413, 422, 429, 503)
    if answer.status_code == 303:
        check(here.client.get(answer.location), (address, data))


KNOWN: dict[str, Any] = {}

ASKED = (
    *("tile", "add", "gone", "point", "found", "who", "all", "set", "engine", "typed", "goal"),
    *("find", "photo", "machine", "new", "longer", "there", "once", "players", "player", "hand"),
    *("rules", "length", "width", "look", "seat", "game", "again", "n", "round", "double_last"),
)
TAILS = [
    "",
    "",
    "",
    "",
    "/",
    "x",
    "/1",
    "%00",
    "%ff",
    "/..",
    "%25",
    "/-9",
    ".jpg",
    "/" + "9" * 99,
]
HEADERS = st.sampled_from(["Referer", "Accept-Language", "Cookie", "User-Agent", "Range", "Accept"])


@fuzzed(examples=200, share=0.08)
@given(
    place=which,
    tail=st.sampled_from(TAILS),
    asked=st.lists(st.tuples(st.sampled_from(ASKED), texts.map(as_sent)), max_size=4),
    headers=st.dictionaries(HEADERS, texts, max_size=2),
)
def test_any_address_is_answered(
    furnished: House,
    place: int,
    tail: str,
    asked: list[tuple[str, str]],
    headers: dict[str, str],
) -> None:
    address = one_of(furnished.addresses(), place) + tail
    lines = {
        name: "".join(char for char in value if char.isprintable() and char < "\x7f")
        for name, value in headers.items()
    }
    answer = furnished.client.get(f"/./{address[1:]}", query_string=asked, headers=lines)
    check(answer, (address, asked, lines))
    answer = furnished.client.get(address.replace("//", "/"), query_string=asked, headers=lines)
    check(answer, (address, asked, lines))


PICTURES = {kind: picture_as(kind) for kind in ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP")}
FTYP = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200)
BODIES = st.one_of(
    st.tuples(st.sampled_from([*PICTURES.values(), FTYP]), CHANGES).map(lambda two: changed(*two)),
    st.binary(max_size=200),
    st.integers(1, 200_000).map(lambda n: b"\xff\xd8" + b"\xff" * n),
    st.integers(1, 50_000).map(lambda n: b"\xff\xd8" + b"\xff\xe0\x00\x02" * n),
)


@fuzzed(examples=150, share=0.1)
@given(data=BODIES)
def test_any_bytes_as_a_photo(darkroom: Darkroom, data: bytes) -> None:
    before = darkroom.process
    for what in (darkroom.develop, darkroom.read):
        try:
            what(data)
        except PhotoUnreadable as refusal:
            assert str(refusal).endswith("."), refusal
    assert before in (None, darkroom.process), "the process fell over"


LINES = st.sampled_from(
    [
        b'Content-Disposition: form-data; name="photo"; filename="a.jpg"',
        b'Content-Disposition: form-data; name="photo"; filename="../../a\0.jpg"',
        b"Content-Disposition: form-data; name=photo; filename*=UTF-8''%ff%00",
        b'Content-Disposition: form-data; name="photo"',
        b'Content-Disposition: form-data; name="set"',
        b"Content-Disposition: form-data",
        b"Content-Type: text/plain; charset=utf-7",
        b"Content-Type: image/jpeg",
        b"Content-Transfer-Encoding: base64",
        b"",
        b"x" * 9000,
    ]
)
PARTS = st.lists(
    st.tuples(
        st.sampled_from([b"--x", b"--x--", b"--y", b"", b"--"]),
        st.lists(LINES | st.binary(max_size=20), max_size=3),
        st.sampled_from([b"", b"12", PICTURES["JPEG"], b"\r\n" * 30]) | st.binary(max_size=30),
    ),
    max_size=5,
)
KINDS = st.sampled_from(
    [
        *(
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "multipart/form-data; boundary=",
        ),
        *("multipart/mixed; boundary=x", "application/x-www-form-urlencoded", "image/jpeg", ""),
        *("multipart/form-data; boundary=" + "x" * 300, 'multipart/form-data; boundary="x'),
        *("multipart/form-data; boundary=x; charset=utf-16", "application/json"),
    ]
)


@fuzzed(examples=150, share=0.04)
@given(parts=PARTS, kind=KINDS, times=st.sampled_from([1, 1, 1, 400]))
def test_any_form_of_an_upload(
    furnished: House, parts: list[tuple[bytes, list[bytes], bytes]], kind: str, times: int
) -> None:
    body = b"".join(
        begin + b"\r\n" + b"\r\n".join(lines) + b"\r\n\r\n" + inside + b"\r\n"
        for begin, lines, inside in parts * times
    )
    answer = furnished.client.post("/api/read", data=body, content_type=kind)
    check(answer, body[:500])
    assert answer.status_code in (200, 413, 415, 422), answer.status_code
    answer = furnished.client.post("/count", data=body, content_type=kind)
    assert answer.status_code in (400, 413), "without a token nothing is taken"


@pytest.fixture(scope="module")
def past_games() -> dict[str, Any]:
    return document(kept(MAY, JUNE, JULY))


@fuzzed(examples=150, share=0.1)
@given(data=st.data())
def test_any_file_of_games(
    furnished: House, past_games: dict[str, Any], data: st.DataObject
) -> None:
    here = furnished
    body = json.dumps(spoilt(past_games, data)).encode()
    body = changed(body, data.draw(st.one_of(st.just([]), st.just([]), CHANGES)))
    before = report(here.game.table), len(here.game.kept())
    form = {"token": here.token, "games": (BytesIO(body), "games.json")}
    answer = here.client.post("/games/import", data=form)
    check(answer, body[:300])
    assert answer.status_code in (303, 422)
    assert report(here.game.table) == before[0], "an import touched the table"
    if answer.status_code == 422:
        assert len(here.game.kept()) == before[1]
    elif len(here.game.kept()) != before[1]:
        here.look()


def spoilt(told: Any, data: st.DataObject) -> Any:
    """The same document with a few of its values changed, wherever they are."""
    told = json.loads(json.dumps(told))
    for _time in range(data.draw(st.integers(0, 3))):
        inside = told
        for _step in range(data.draw(st.integers(0, 5))):
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            parts = [key for key in keys if isinstance(inside[key], (dict, list)) and inside[key]]
            if not parts:
                break
            inside = inside[one_of(parts, data.draw(which))]
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = one_of(keys, data.draw(which))
        value = inside[key]
        if isinstance(value, dict) and "action" in value and data.draw(st.booleans()):
            inside[key] = data.draw(near_actions())
        elif isinstance(key, str) and key in FIELDS and data.draw(st.booleans()):
            inside[key] = data.draw(FIELDS[key])
        else:
            inside[key] = data.draw(anything)
    return told


def test_after_all_of_it_nothing_is_lost(furnished: House) -> None:
    furnished.look()
    furnished.check_replay()
