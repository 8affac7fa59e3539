"""The event stream and the server around it, over a real socket."""

import http.client
import json
import re
import socket
import threading
import time

import pytest

from companion.errors import DeviceTrouble
from companion.joining import PLAYER, Key, grouped
from companion.web import WebSettings, live, serving
from tests.running import all_joined, eventually
from tests.served import Served
from tests.visitor import OPEN, START, Place

MARK = {"action": "mark", "train": "Red"}


class Server(Served):
    """The application served to this machine."""

    def open(self, path="/live"):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        line.request("GET", path)
        return line.getresponse()


@pytest.fixture
def server(tmp_path):
    place = Place(tmp_path, settings=WebSettings(secret="s", streams=3))
    place.play(START, OPEN)
    with Server(place) as served:
        yield served
    place.game.close()


def event(answer):
    """The next event of a stream as (name, data), comments and retry skipped."""
    name = None
    while True:
        got = answer.fp.readline()
        assert got, "the stream has ended"
        line = got.decode().strip()
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            return name, json.loads(line[6:])


def rest(answer):
    """The lines of a stream until its end, without the lengths and empty lines around them."""
    lines = []
    while (got := answer.fp.readline()) and got.strip() != b"0":
        lines += [got.decode().strip()] if b": " in got else []
    return lines


def test_a_tap_is_told_to_every_page_at_once(server):
    pages = [server.open() for _ in range(2)]
    for page in pages:
        assert page.getheader("Content-Type").startswith("text/event-stream")
        assert page.getheader("Cache-Control") == "no-store"
        assert event(page) == ("table", {"revision": 2})
    began = time.monotonic()
    server.place.play(MARK)
    for page in pages:
        assert event(page) == ("table", {"revision": 3})
    assert time.monotonic() - began < 0.5


def test_what_was_seen_between_the_page_and_its_stream_is_told(server):
    page = server.place.visitor().get("/table").text
    stream = re.search(r'data-live="([^"]+)"', page)[1].replace("&amp;", "&")
    server.place.app.extensions["companion"].hushed.add("a question")
    late = server.open(stream)
    assert event(late) == ("table", {"revision": 2})
    assert event(late)[0] == "hub"
    again = server.open(
        re.search(r'data-live="([^"]+)"', server.place.visitor().get("/table").text)[1]
    )
    event(again)
    server.place.play(MARK)
    assert event(again) == ("table", {"revision": 3})


def open_streams(server, wanted):
    """How many streams are open, once it is the wanted number, or after five seconds."""
    deadline = time.monotonic() + 5
    while server.streams.open != wanted and time.monotonic() < deadline:
        time.sleep(0.05)
    return server.streams.open


def test_a_page_that_has_left_gives_its_place_back_at_once(server):
    """Quick page changes of one phone, long before anything more is written to its streams."""
    for _ in range(30):
        page = server.open()
        assert page.status == 200 and event(page) == ("table", {"revision": 2})
        page.close()
        time.sleep(0.1)
    began = time.monotonic()
    assert open_streams(server, 0) == 0
    assert time.monotonic() - began < 3 < live.PING_SECONDS


def test_where_all_streams_are_taken_the_oldest_makes_room_for_the_newest(server, monkeypatch):
    monkeypatch.setattr(live, "SETTLED", 0)
    pages = [server.open() for _ in range(3)]
    for page in pages:
        event(page)
    newest = server.open()
    assert event(newest) == ("table", {"revision": 2})
    assert rest(pages[0])[-1] == "retry: 20000", "this one opens another later"
    assert open_streams(server, 3) == 3
    server.place.play(MARK)
    for page in (*pages[1:], newest):
        assert event(page) == ("table", {"revision": 3})


def test_of_many_more_pages_than_places_none_takes_another_ones_at_once(server, monkeypatch):
    """They ask instead: else each would drive out another all the time."""
    monkeypatch.setattr(live, "BEYOND", 0)
    pages = [server.open() for _ in range(3)]
    for page in pages:
        event(page)
    refused = [server.open() for _ in range(5)]
    assert [page.status for page in refused] == [503] * 5
    assert list(json.load(refused[0])) == ["error"]
    server.place.play(MARK)
    for page in pages:
        assert event(page) == ("table", {"revision": 3})
    assert not any(place.is_set() for place in server.streams._places), "none has to leave"
    asked = json.load(server.open("/healthz"))
    assert asked["revision"] == 3, "by this they see that something changed"


def test_streams_that_do_not_end_hold_no_more_than_a_few_places(server, monkeypatch):
    monkeypatch.setattr(live, "SETTLED", 0)
    held = [server.streams.enter() for _ in range(3 + live.BEYOND)]
    assert all(held) and [place.is_set() for place in held].count(True) == live.BEYOND
    full = server.open()
    assert full.status == 503 and list(json.load(full)) == ["error"]
    for place in held:
        server.streams.leave(place)
    assert event(server.open()) == ("table", {"revision": 2})


def test_a_quiet_stream_is_pinged_so_that_its_page_knows_it_lives(server, monkeypatch):
    monkeypatch.setattr(live, "PING_SECONDS", 0.2)
    page = server.open()
    assert event(page) == ("table", {"revision": 2})
    assert event(page) == ("ping", {"revision": 2})
    server.place.play(MARK)
    assert event(page) == ("table", {"revision": 3})


def test_a_stream_ends_after_a_while_and_makes_room(server, monkeypatch):
    monkeypatch.setattr(live, "LIFE_SECONDS", 0.2)
    page = server.open()
    event(page)
    assert page.fp.readline().strip() in (b"", b"0"), "the page opens the next one"
    deadline = time.monotonic() + 5
    while server.streams.open and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.streams.open == 0


def test_devices_that_read_nothing_block_nobody(server):
    """Two of the three streams are opened and never read, through five hundred taps."""
    deaf = []
    for _ in range(2):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        line.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deaf.append(line)
    page = server.open()
    assert event(page) == ("table", {"revision": 2})
    for _ in range(250):
        server.place.play(MARK, {"action": "unmark", "train": "Red"})
    began = time.monotonic()
    server.place.play(MARK)
    while event(page) != ("table", {"revision": 503}):
        pass
    answer = server.open("/table")
    assert answer.status == 200 and b"</html>" in answer.read()
    assert time.monotonic() - began < 3
    for line in deaf:
        line.close()


def test_what_the_camera_sees_is_told_too(tmp_path):
    from companion.sighting import Sighting

    class Watching:
        sighting = None
        trouble = None
        moving = moved = False

    watch = Watching()
    place = Place(tmp_path, watch=watch)
    lines = live.events(place.app.extensions["companion"])
    assert "event: table" in next(lines)
    watch.sighting = Sighting(taken=3.0)
    assert "event: hub" in next(lines)
    watch.moving = True
    assert "event: hub" in next(lines)
    place.app.extensions["companion"].hushed.add("it is right")
    assert "event: hub" in next(lines), "the others see that it was answered"
    place.app.extensions["companion"].streams.end()
    assert list(lines) == []


def test_pages_are_made_one_after_the_other_and_none_waits_for_ever(monkeypatch):
    """At each tap every device fetches the table: the first need not wait for all."""
    inside, most, over = [], [], threading.Event()

    @live.in_turn
    def page(number):
        inside.append(number)
        most.append(len(inside))
        over.wait(30)
        inside.remove(number)
        return number

    devices = [threading.Thread(target=page, args=(n,)) for n in range(10)]
    for device in devices:
        device.start()
    assert eventually(lambda: len(most) == live.AT_ONCE)
    time.sleep(0.2)
    assert len(most) == live.AT_ONCE, "the others wait"
    over.set()
    all_joined(devices)
    assert len(most) == 10 and max(most) == live.AT_ONCE
    over.clear()
    monkeypatch.setattr(live, "TURN_SECONDS", 0.1)
    stuck = [threading.Thread(target=page, args=(n,)) for n in range(3)]
    for device in stuck:
        device.start()
    assert eventually(lambda: len(inside) == 3), "what is stuck keeps nobody"
    over.set()
    all_joined(stuck)
    monkeypatch.setattr(live, "TURN_SECONDS", 100)
    after = [threading.Thread(target=page, args=(n,), daemon=True) for n in range(10)]
    for device in after:
        device.start()
    all_joined(after, 20)


def test_the_table_is_made_in_turn(server, monkeypatch):
    taken = []
    monkeypatch.setattr(live._turns, "acquire", lambda timeout: taken.append(timeout))
    assert server.open("/table").status == 200
    assert taken == [live.TURN_SECONDS]


def test_all_streams_end_promptly_with_the_server(server):
    pages = [server.open() for _ in range(3)]
    for page in pages:
        event(page)
    began = time.monotonic()
    server.streams.end()
    for page in pages:
        assert page.fp.readline().strip() in (b"", b"0")
    assert time.monotonic() - began < 1.5
    assert server.open().status == 503, "no new ones while it closes"


def test_a_stream_that_is_never_read_gives_its_place_back(tmp_path):
    place = Place(tmp_path)
    client = place.app.test_client()
    client.head("/live").close()
    assert place.app.extensions["companion"].streams.open == 0


def test_a_port_in_use_is_a_sentence(server):
    with pytest.raises(DeviceTrouble, match="choose another with --port"):
        serving.serve(server.place.app, "127.0.0.1", server.port)


def test_the_address_is_a_number():
    assert serving.address("127.0.0.1", 8000) == "http://127.0.0.1:8000/"
    assert serving.address("::1", 8000) == "http://[::1]:8000/"
    found = serving.address("0.0.0.0", 9000)
    assert found.startswith("http://") and found.endswith(":9000/")
    assert found.split("//")[1].split(":")[0].replace(".", "").isdigit()


def test_the_address_is_shown_with_its_code():
    import io

    class Screen(io.StringIO):
        def isatty(self):
            return True

    key = Key(b"k" * 32)
    code = grouped(key.code(PLAYER))
    out = Screen()
    serving.announce("http://192.168.1.23:8000/", key, out)
    assert f"http://192.168.1.23:8000/ and type {code}" in out.getvalue()
    assert "On this machine" not in out.getvalue(), "where its own name leads nowhere"
    assert "▄" in out.getvalue() or "█" in out.getvalue()
    log = io.StringIO()
    told = {"here": serving.spot("0.0.0.0", 8000), "codes": "/x/companion key --data /y"}
    for each in (out, log):
        serving.announce("http://192.168.1.23:8000/", key, each, **told)
        assert "shown by: /x/companion key --data /y\n" in each.getvalue()
        assert "\nOn this machine, as host: http://localhost:8000/\n" in each.getvalue()
    assert "http://192.168.1.23:8000/" in log.getvalue()
    assert code not in log.getvalue() and key.link(PLAYER) not in log.getvalue()
    assert "▄" not in log.getvalue() and "█" not in log.getvalue()


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([], "No network was found"), (["192.168.1.23"], "choose another with --host")],
)
def test_without_a_network_no_code_is_shown_that_no_phone_can_use(monkeypatch, numbers, words):
    import io

    monkeypatch.setattr(serving, "lan_numbers", lambda: numbers)
    for where in ("http://127.0.0.1:8000/", "http://[::1]:8000/", "http://localhost:8000/"):
        out = io.StringIO()
        here = serving.spot(where[7:-6].strip("[]"), 8000)
        serving.announce(where, Key(b"k" * 32), out, here=here)
        assert f"\nOn this machine, as host: {where}\n" in out.getvalue()
        assert words in out.getvalue() and "serves this machine only" in out.getvalue()
        assert "▄" not in out.getvalue() and "█" not in out.getvalue()
