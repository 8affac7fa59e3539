"""The contract for programs: JSON in, JSON out, refusals included."""

import io

import pytest

from companion.observation import PhotoReading, Reading
from companion.report import report
from hardware.lights import DEFAULT_PINS, TrainLights
from tests.visitor import OPEN, START, Place

SQUARE = ((0.0, 0.0), (0.0, 10.0), (20.0, 10.0), (20.0, 0.0))


class Eyes:
    """A reader that sees the double-blank and the 3-4 in every picture."""

    def read(self, image, *, highest=None, double_blank=50):
        tiles = (Reading((0, 0), SQUARE), Reading((3, 4), SQUARE))
        high, wide = image.shape[:2]
        return PhotoReading(wide, high, tiles, (), 1.0, highest, double_blank)


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path, reader=Eyes())
    yield place
    place.game.close()


@pytest.fixture
def client(place):
    return place.visitor().client


def picture():
    from PIL import Image

    data = io.BytesIO()
    Image.new("RGB", (64, 48), "#c0a080").save(data, "JPEG")
    return data.getvalue()


def test_health_and_table(place, client):
    assert client.get("/healthz").json == {"ok": True, "revision": 0, "seen": " 0"}
    assert client.get("/api/table").json == report(place.game.table)


def test_an_action_answers_the_table(place, client):
    for number, action in enumerate((START, OPEN), 1):
        answer = client.post("/api/actions", json=action)
        assert answer.status_code == 200
        assert answer.json == report(place.game.table)
        assert answer.json["revision"] == number


def test_a_refusal_says_why(place, client):
    answer = client.post("/api/actions", json=OPEN)
    assert answer.status_code == 422
    assert answer.json == {"refused": {"why": "No game has been started: start one first."}}


def test_a_stale_tap_learns_how_the_table_stands(place, client):
    place.play(START, OPEN)
    late = client.post("/api/actions", json={"action": "mark", "train": "Red", "revision": 1})
    assert late.status_code == 409
    assert late.json["table"] == report(place.game.table)
    assert "Somebody else tapped" in late.json["refused"]["why"]
    good = client.post("/api/actions", json={"action": "mark", "train": "Red", "revision": 2})
    assert good.status_code == 200


def test_the_same_key_counts_once(place, client):
    place.play(START, OPEN)
    draw = {"action": "draw", "player": "Red", "once": "key"}
    first, second = (client.post("/api/actions", json=draw) for _ in range(2))
    assert first.json == second.json
    assert place.game.table.revision == 3


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"mark"', b"null", b'{"action": 5}', b"\xff\xfe", b"[" * 5000]
)
def test_what_is_no_action_is_refused_in_a_sentence(client, body):
    answer = client.post("/api/actions", data=body, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json["refused"]["why"].endswith(".")


@pytest.mark.parametrize("odd", [{"revision": "7"}, {"revision": True}, {"once": 5}, {"once": ""}])
def test_odd_revisions_and_keys_are_refused(place, client, odd):
    place.play(START, OPEN)
    answer = client.post("/api/actions", json={"action": "mark", "train": "Red", **odd})
    assert answer.status_code == 422
    assert place.told["open_trains"] == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_an_action_must_come_as_json(place, client, kind):
    place.play(START, OPEN)
    answer = client.post("/api/actions", data=b'{"action": "undo"}', content_type=kind)
    assert answer.status_code == 415
    assert answer.json == {"error": "Send the action as application/json."}


def test_a_photo_is_read(client):
    answer = client.post("/api/read", data={"photo": (io.BytesIO(picture()), "hand.jpg")})
    assert answer.status_code == 200
    told = answer.json
    assert (told["photo"], told["width"], told["height"]) == ("hand.jpg", 64, 48)
    assert (told["pips"], told["points"]) == (7, 57)


def test_set_and_blank_are_taken_from_form_or_address(client):
    photo = {"photo": (io.BytesIO(picture()), "hand.jpg"), "blank": "25"}
    assert client.post("/api/read?set=9", data=photo).json["points"] == 32


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "No photo came along"),
        ({"photo": (io.BytesIO(b"hello"), "hand.jpg")}, ""),
        ({"photo": (io.BytesIO(b""), "hand.jpg")}, ""),
        ({"photo": (io.BytesIO(picture()), "h.jpg"), "set": "13"}, "set must be one of 6, 9, 12"),
        ({"photo": (io.BytesIO(picture()), "h.jpg"), "blank": "x"}, "blank must be one of 0, 25"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_name(client, data, sentence):
    answer = client.post("/api/read", data=data)
    assert answer.status_code == 422
    assert sorted(answer.json) == ["error", "photo"]
    assert sentence in answer.json["error"] and answer.json["error"].endswith(".")


def test_lamps_are_as_the_device_says_at_once_after_a_tap(tmp_path, client):
    assert client.get("/api/lamps").json == []
    with TrainLights() as lights:
        place = Place(tmp_path / "other", lights=lights)
        place.game.listen(lambda table: lights.show(report(table)))
        there = place.visitor().client
        for action in (
            {"action": "start_game", "players": ["Red", "Blue"], "set": 9, "rules": "hub"},
            {"action": "open_round"},
            {"action": "mark", "train": "Blue"},
        ):
            assert there.post("/api/actions", json=action).status_code == 200
        red, blue, mexican = there.get("/api/lamps").json
    assert red == {"train": "Red", "pin": DEFAULT_PINS[0], "state": "off", "lit": False}
    assert blue == {"train": "Blue", "pin": DEFAULT_PINS[1], "state": "steady", "lit": True}
    assert mexican == {"train": "mexican", "pin": DEFAULT_PINS[-1], "state": "off", "lit": False}


@pytest.mark.parametrize("path", ["/api/nowhere", "/api/actions"])
def test_a_wrong_address_is_json_too(client, path):
    answer = client.get(path)
    assert answer.status_code in (404, 405)
    assert list(answer.json) == ["error"]
