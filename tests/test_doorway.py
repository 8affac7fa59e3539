"""The server's door: no stranger takes it away from the family, or the disk from the companion."""

import contextlib
import errno
import gc
import inspect
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import waitress.buffers
from waitress import channel, parser
from waitress import server as waitress_server

from companion.asking import answers
from companion.web import WebSettings, arriving, doorway, serving
from companion.web.allowance import TAKE_FILES
from companion.web.security import HEADERS
from tests.running import eventually
from tests.served import Served
from tests.visitor import OPEN, START, Place

ROOT = Path(__file__).parent.parent
SLOTH = b"GET / HTTP/1.1\r\n"
FORM = "Content-Type: multipart/form-data; boundary=x\r\n"


class Door(Served):
    """The application behind its door, and ways to knock there."""

    def knock(self, said: bytes = b"", from_: str = "127.0.0.1") -> socket.socket:
        """A connection from this address of the machine itself, on which this was sent."""
        line = socket.socket()
        line.bind((from_, 0))
        line.settimeout(30)
        line.connect(("127.0.0.1", self.port))
        if said:
            line.sendall(said)
        return line

    def told(self, said: bytes, from_: str = "127.0.0.1") -> str:
        """The whole answer to this."""
        with self.knock(said, from_) as line:
            return rest(line)


def rest(line: socket.socket) -> str:
    """What comes on a connection until it ends."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := line.recv(65536):
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")


def ended(line: socket.socket) -> bool:
    """Whether the server has closed this connection, on which it says nothing."""
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Door]]:
    doors: list[Door] = []

    def begin(host: str = "127.0.0.1") -> Door:
        place = Place(tmp_path, settings=WebSettings(secret="s", streams=3))
        place.play(START, OPEN)
        doors.append(Door(place, host))
        return doors[-1]

    yield begin
    for each in doors:
        each.end()
        each.place.game.close()


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 is this machine; its other loopback numbers are taken for others of the house."""
    here = "127.0.0.1"
    monkeypatch.setattr(doorway, "is_loopback", lambda number: number == here)
    monkeypatch.setattr("companion.web.visitors.is_loopback", lambda number: number == here)


def test_of_one_address_those_that_wait_longest_go(
    served: Callable[..., Door], far: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "MOST_EACH", 10)
    door = served()
    with contextlib.ExitStack() as stack:
        sloths = [stack.enter_context(door.knock(SLOTH, "127.0.0.2")) for _ in range(25)]
        other = stack.enter_context(door.knock(SLOTH, "127.0.0.3"))
        own = [stack.enter_context(door.knock(SLOTH)) for _ in range(25)]
        assert eventually(lambda: all(ended(line) for line in sloths[:15]))
        assert not any(ended(line) for line in (*sloths[15:], other, *own))
        assert "200 OK" in door.told(b"GET /join HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", "127.0.0.2")


def test_a_stranger_with_many_sockets_takes_the_server_from_nobody(
    served: Callable[..., Door], far: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one with many addresses: others get in, and this machine hears that all is well."""
    monkeypatch.setattr(doorway, "MOST_CONNECTIONS", 60)
    monkeypatch.setattr(doorway, "KEPT_FREE", 10)
    door = served()
    with contextlib.ExitStack() as stack:
        sloths = [
            stack.enter_context(door.knock(SLOTH, f"127.0.{1 + n % 7}.9")) for n in range(150)
        ]
        assert answers("127.0.0.1", door.port, patience=20)
        hello = b"GET /join HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"
        assert "200 OK" in door.told(hello, "127.0.0.9")
        assert eventually(lambda: sum(map(ended, sloths)) == 101), "50, and one made room"


def test_whoever_is_served_or_sends_a_photo_stays_while_others_have_to_go() -> None:
    def visit(came: float, claimed: int = 0, *, served: bool = False) -> Any:
        gone: list[bool] = []
        request = SimpleNamespace(claimed=claimed, began=came)
        worth = doorway.Visit.worth.fget(SimpleNamespace(request=request, since=came))
        return SimpleNamespace(
            requests=[1] if served else [], worth=worth, gone=gone, let_go=lambda: gone.append(True)
        )

    visits = [visit(1, served=True), visit(2, 5_000_000), visit(4), visit(3), visit(5)]
    doorway._keep(visits, 3)
    assert [bool(each.gone) for each in visits] == [False, False, True, True, False]


def test_a_request_that_does_not_arrive_in_its_time_is_ended(
    served: Callable[..., Door], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arriving, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(arriving, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(doorway, "LOOK_SECONDS", 0)
    door = served()
    body = b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    with door.knock(SLOTH) as head, door.knock(body) as slow, door.knock() as idle:
        began = time.monotonic()
        while not (ended(head) and ended(slow)):
            assert time.monotonic() - began < 20, "one byte after the other keeps them open"
            for line, byte in ((head, b"X-a: b\r\n"), (slow, b"x")):
                with contextlib.suppress(OSError):
                    line.send(byte)
            time.sleep(0.1)
        assert not ended(idle), "a browser may open one before it needs it"


def test_a_body_may_take_as_long_as_slow_wifi_needs() -> None:
    request = arriving.Arriving(SimpleNamespace(), SimpleNamespace())
    request.began, request.headers_finished = 0.0, True
    request.body_bytes_received = 12 * 1024 * 1024
    assert not request.overdue(400) and request.overdue(500)
    request.body_bytes_received = 0
    assert not request.overdue(39) and request.overdue(41)


def test_an_idle_connection_is_ended_whatever_empty_lines_it_sends(
    served: Callable[..., Door], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "IDLE_SECONDS", 1)
    monkeypatch.setattr(doorway, "LOOK_SECONDS", 0)
    door = served()
    with door.knock() as line:
        began = time.monotonic()
        while not ended(line):
            assert time.monotonic() - began < 20
            with contextlib.suppress(OSError):
                line.send(b"\r\n\r\n")
            time.sleep(0.1)


def head(path: str, more: str = "", length: int | None = 1_000_000) -> bytes:
    """The head of a form with a file."""
    sized = "Transfer-Encoding: chunked\r\n" if length is None else f"Content-Length: {length}\r\n"
    return f"POST {path} HTTP/1.1\r\nHost: 192.168.1.50\r\n{FORM}{sized}{more}\r\n".encode()


def taken(door: Door, said: bytes, from_: str = "127.0.0.2") -> bool:
    """Whether the door wants the body after this head; else what it says is a plain 413."""
    with door.knock(said[:-2] + b"Expect: 100-continue\r\n\r\n", from_) as line:
        answer = line.recv(65536).decode()
        if answer.startswith("HTTP/1.1 100 "):
            return True
        answer += rest(line)
    assert answer.startswith("HTTP/1.1 413 "), answer
    assert answer.endswith(f"\r\n\r\n{arriving.TOO_MUCH}\n")
    return False


def test_a_body_is_only_taken_in_of_who_may_send_it(served: Callable[..., Door], far: None) -> None:
    door = served()
    place = door.place
    cookies = {}
    for role in ("player", "spectator"):
        visitor = place.visitor(role)
        made = visitor.client.get_cookie(place.app.config["SESSION_COOKIE_NAME"], "192.168.1.50")
        assert made is not None
        cookies[role] = f"Cookie: {made.key}={made.value}\r\n"
    bearer = "Authorization: Bearer {}\r\n"
    right = bearer.format(place.key.link("player"))
    assert not taken(door, head("/count")), "a stranger"
    assert not taken(door, head("/count", "Cookie: companion-1=eyJyb2xlIjoicGxheWVyIn0.a.b\r\n"))
    assert not taken(door, head("/count", cookies["spectator"]))
    assert taken(door, head("/count", cookies["player"]))
    assert not taken(door, head("/table", cookies["player"])), "no page that takes a photo"
    assert not taken(door, head("/nowhere/at/all", cookies["player"]))
    assert not taken(door, head("/games/import", cookies["player"])), "of the host only"
    assert not taken(door, head("/count", cookies["player"], 10**9)), "whoever sends it"
    assert not taken(door, head("/api/read", bearer.format("wrong")))
    assert taken(door, head("/api/read", right))
    assert taken(door, head("/api/read").replace(b"192.168.1.50", b"localhost"), "127.0.0.1")
    assert taken(door, head("/join", length=60_000)), "a small one is asked later"
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (100_000, b"x" * 100_000)
    assert " 413 " in door.told(head("/api/read", length=None) + chunks, "127.0.0.2")[:20]
    answer = door.told(head("/api/read", right + "Connection: close\r\n", None) + chunks)
    assert " 422 " in answer[:20], "it was read, and is no photo"
    place.app.extensions["companion"].door.keys.renew()
    assert not taken(door, head("/count", cookies["player"])), "who was thrown out"


def test_who_is_refused_hears_it_though_he_sends_all_first(
    served: Callable[..., Door], far: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what he sends is no other request; nor has he to wait to know that this was all."""
    monkeypatch.setattr(doorway, "LOOK_SECONDS", 0)
    monkeypatch.setattr(doorway, "DEAF_SECONDS", 600)
    door = served()
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    body = smuggled * (8_000_000 // len(smuggled))
    answer = door.told(head("/count", length=len(body)) + body, "127.0.0.2")
    assert answer.endswith(f"\n{arriving.TOO_MUCH}\n") and answer.count("HTTP/1.1") == 1
    answer = door.told(b"nonsense\r\n\r\n" + smuggled)
    assert answer.endswith(f"\n{arriving.SENTENCES[400]}\n") and answer.count("HTTP/1.") == 1
    monkeypatch.setattr(doorway, "DEAF_SECONDS", 0.5)
    with door.knock(head("/count"), "127.0.0.2") as line:
        assert " 413 " in rest(line)[:20]
        began = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - began < 20:
                line.send(b"x" * 1000)
                time.sleep(0.05)
        assert time.monotonic() - began < 20, "not for ever"


def test_bodies_on_their_way_take_no_more_than_their_share_together(
    served: Callable[..., Door], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arriving, "MOST_TAKEN_IN", 2_500_000)
    door = served()
    local = head("/api/read").replace(b"192.168.1.50", b"localhost")
    with door.knock(local), door.knock(local):
        answer = door.told(local)
        assert answer.startswith("HTTP/1.1 503 ") and answer.endswith(f"\n{arriving.BUSY}\n")
        chunk = b"%x\r\n%s\r\n" % (100_000, b"x" * 100_000)
        counted = head("/api/read", length=None).replace(b"192.168.1.50", b"localhost")
        assert door.told(counted + chunk).startswith("HTTP/1.1 503 ")
    assert eventually(lambda: taken_or_busy(door, local)), "those have left"


def taken_or_busy(door: Door, said: bytes) -> bool:
    """Whether the door wants the body after this head; False while it is busy."""
    with door.knock(said[:-2] + b"Expect: 100-continue\r\n\r\n") as line:
        return line.recv(65536).startswith(b"HTTP/1.1 100 ")


def deleted() -> int:
    """How many temporary files this process holds, as they have no name any more."""
    found = 0
    for each in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += str(each.readlink()).endswith("(deleted)")
    return found


def test_who_leaves_in_the_middle_of_a_body_leaves_nothing_behind(
    served: Callable[..., Door],
) -> None:
    door = served()
    before = deleted()
    gc.disable()
    try:
        with door.knock(head("/api/read").replace(b"192.168.1.50", b"localhost")) as line:
            line.sendall(b"x" * 800_000)
            assert eventually(lambda: deleted() > before)
        assert eventually(lambda: deleted() == before, 10)
    finally:
        gc.enable()


def test_a_process_that_may_open_little_lets_fewer_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def most(handles: int) -> int:
        more = {"threads": 1, "handles": handles, "largest": 1000, "headers": {}}
        door = doorway.open_doors(print, "127.0.0.1", 0, allowance=lambda _: 0, **more)[0]
        door.task_dispatcher.shutdown()
        door.close()
        return door.most

    assert [most(4096), most(1024), most(256)] == [1000, 824, 100]


def test_a_full_disk_is_one_sentence_and_one_line_in_the_log(
    served: Callable[..., Door], monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    class Full:
        def __getattr__(self, _: str) -> Any:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(waitress.buffers, "TempfileBasedBuffer", lambda *_: Full())
    door = served()
    local = head("/api/read").replace(b"192.168.1.50", b"localhost")
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            answer = door.told(local + b"x" * 700_000)
            assert answer == "" or answer.endswith(f"\n{arriving.NO_ROOM}\n")
        assert answers("127.0.0.1", door.port)
    said = [record.getMessage() for record in caplog.records]
    assert said == ["what is sent cannot be taken in: No space left on device"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"POST /api/read HTTP/1.1\r\nContent-Length: 5x\r\n\r\n", 400),
        (b"POST /count HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\nX-a: " + b"b" * 40_000 + b"\r\n\r\n", 431),
        (b"POST /join HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ],
)
def test_what_no_page_is_asked_about_gets_a_sentence_and_every_header(
    served: Callable[..., Door], said: bytes, status: int
) -> None:
    top, _, body = served().told(said).partition("\r\n\r\n")
    assert int(top.split()[1]) == status
    assert body == arriving.SENTENCES[status] + "\n"
    told = dict(line.split(": ", 1) for line in top.split("\r\n")[1:])
    assert {name: told.get(name) for name in HEADERS} == HEADERS
    assert told["Cache-Control"] == "no-store" and told["Connection"] == "close"


def test_an_odd_head_is_refused_without_a_word_in_the_log(
    served: Callable[..., Door], far: None, caplog: Any
) -> None:
    door = served()
    for host in ("", "[", "a:b:c", "x" * 300, "\x85\xff", "a b", "xn--\xff"):
        for path in ("/api/read", "//api/read", "/\xff%00", "*", "http://[/x"):
            said = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100000\r\n"
            answer = door.told(said.encode("latin-1") + b"Cookie: \xff=\xfe\r\n\r\n", "127.0.0.2")
            assert re.match("HTTP/1.[01] 4(00|13) ", answer), (host, path, answer)
    assert not caplog.records


def test_every_page_that_takes_a_file_is_named() -> None:
    text = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    forms = [form for form in re.findall(r"<form[^>]*>", text) if "multipart/form-data" in form]
    named = {re.search(r"url_for\('([\w.]+)'", form)[1] for form in forms}  # type: ignore[index]
    assert len(forms) >= 5 and TAKE_FILES == named | {"api.read"}


def test_who_listens_everywhere_is_reached_at_the_number_that_is_announced(
    served: Callable[..., Door],
) -> None:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 on this machine")
    door = served("::")
    assert ":" not in serving.address("::", door.port).removeprefix("http://").split(":")[0]
    assert answers("127.0.0.1", door.port) and answers("::1", door.port)
    assert answers("::", door.port)


def test_a_full_house_is_not_written_into_the_log(served: Callable[..., Door]) -> None:
    served()
    assert not logging.getLogger("waitress.queue").isEnabledFor(logging.WARNING)


def test_this_is_the_waitress_whose_inside_the_door_knows() -> None:
    """Read ``companion/web/doorway.py`` anew before this is changed for another version."""
    assert version("waitress").startswith("3.0.")
    wanted = {
        waitress_server.BaseWSGIServer.readable: ("self.maintenance(now)", "next_channel_cleanup"),
        waitress_server.BaseWSGIServer.maintenance: ("self.active_channels.values()",),
        waitress_server.BaseWSGIServer.handle_accept: ("self.channel_class(self, conn, addr",),
        channel.HTTPChannel.add_channel: ("self.server.active_channels[self._fileno] = self",),
        channel.HTTPChannel.del_channel: ("del ac[fd]",),
        channel.HTTPChannel.received: (
            "self.request = self.parser_class(self.adj)",
            "self.requests.append(self.request)",
        ),
        channel.HTTPChannel.service: ("self.error_task_class(self, request)", "request.close()"),
        parser.HTTPRequestParser.received: ("self.headers_finished = True", "if self.completed:"),
    }
    for method, words in wanted.items():
        text = inspect.getsource(method)
        assert all(word in text for word in words), method.__qualname__
