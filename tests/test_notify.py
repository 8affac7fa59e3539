"""systemd hears that the companion is ready, alive and stopping, and hears nothing untrue."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.asking import answers
from companion.notify import ALIVE, READY, STOPPING, Heart, notify, watched
from tests.running import ROOT, STARTING, all_joined, free_port
from tests.visitor import Place


@pytest.fixture
def system(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
        hearing.bind(str(tmp_path / "notify"))
        hearing.settimeout(60)
        yield hearing


def test_a_word_reaches_the_socket_that_was_named(system: socket.socket) -> None:
    assert notify(READY, {"NOTIFY_SOCKET": system.getsockname()})
    assert system.recv(100) == b"READY=1"


def test_an_address_without_a_file_is_reached_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
        hearing.settimeout(60)
        hearing.bind(f"\0companion-{os.getpid()}")
        assert notify(STOPPING, {"NOTIFY_SOCKET": f"@companion-{os.getpid()}"})
        assert hearing.recv(100) == b"STOPPING=1"


@pytest.mark.parametrize("named", ["", "notify", "/nowhere/at/all"])
def test_where_nobody_listens_nothing_is_sent(named: str) -> None:
    assert not notify(READY, {"NOTIFY_SOCKET": named} if named else {})


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "120000000"}, 120),
        ({"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": str(os.getpid())}, 120),
        ({"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
    ],
)
def test_how_long_we_may_be_silent(told: dict[str, str], seconds: float | None) -> None:
    assert watched(told) == seconds


def test_a_sign_of_life_is_given_only_while_there_is_life() -> None:
    heard: list[str] = []
    life = [True, True, False, RuntimeError("stuck"), True]
    done = threading.Event()

    def alive() -> bool:
        if not life:
            done.set()
            return False
        now = life.pop(0)
        if isinstance(now, Exception):
            raise now
        return now

    def tell(state: str) -> bool:
        heard.append(state)
        return True

    with Heart(alive, 0.03, tell) as heart:
        heart.begin()
        assert done.wait(10)
        heart.end()
    assert heard == [READY, ALIVE, ALIVE, ALIVE, STOPPING]


def test_where_nobody_watches_nobody_is_asked() -> None:
    heard: list[str] = []
    with Heart(lambda: pytest.fail("asked"), None, lambda state: not heard.append(state)) as heart:
        heart.begin()
        time.sleep(0.05)
    assert heard == [READY]


def test_a_game_that_is_held_up_is_not_ready(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert place.game.ready(0.01)
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with place.game._playing:
            held.set()
            over.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    assert not place.game.ready(0.01)
    over.set()
    all_joined([holder])
    assert place.game.ready(0.01)
    place.game.close()


def test_what_does_not_answer_as_a_companion_does_is_none() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        assert not answers("127.0.0.1", mute.getsockname()[1], patience=0.2)
    assert not answers("", free_port())


def test_the_server_says_ready_when_it_answers_lives_and_says_that_it_stops(
    tmp_path: Path, system: socket.socket
) -> None:
    port = free_port()
    env = {**os.environ, "NOTIFY_SOCKET": system.getsockname(), "WATCHDOG_USEC": "600000"}
    command = [sys.executable, "-m", "companion", "serve", "--port", str(port)]
    command += ["--data", str(tmp_path / "data"), "--camera", "none", "--lights", "none"]
    serving = subprocess.Popen(
        [*command, "--host", "127.0.0.1"], cwd=ROOT, env=env, stdout=subprocess.DEVNULL
    )
    try:
        system.settimeout(STARTING)
        assert system.recv(100) == b"READY=1"
        assert answers("127.0.0.1", port)
        assert [system.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        serving.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        system.setblocking(False)
        with pytest.raises(BlockingIOError):
            for _ in range(10):
                system.recv(100)
        time.sleep(0.5)
        with pytest.raises(BlockingIOError):
            system.recv(100)
        serving.send_signal(signal.SIGCONT)
        system.settimeout(60)
        assert system.recv(100) == b"WATCHDOG=1"
        serving.send_signal(signal.SIGTERM)
        while (word := system.recv(100)) == b"WATCHDOG=1":
            pass
        assert word == b"STOPPING=1"
        assert serving.wait(60) == 0
    finally:
        serving.kill()
        serving.wait(60)
