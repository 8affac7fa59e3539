"""A companion running as its own process, as the people at the table start it.

Every wait here ends: a process that says nothing for too long is killed with all its children.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

STARTING = int(os.environ.get("COMPANION_PATIENCE", "180"))
"""Seconds that a start may take on a machine with much else to do; usually it takes one or two."""
ENDING = max(60, STARTING // 3)
"""Seconds that an end may take there."""
SERVE = ("-m", "companion")
"""What Python runs: the companion itself, or something around it that breaks things."""


@contextlib.contextmanager
def within(seconds: float, process: "subprocess.Popen[Any]") -> Iterator[None]:
    """Kill this process once so many seconds are over, so that whoever reads from it goes on."""
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    alarm = threading.Timer(seconds, end)
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()
    assert not late.is_set(), f"it said nothing for {seconds} seconds: {process.args}"


def all_joined(threads: Iterable[threading.Thread], seconds: float = 60) -> None:
    """Wait for these threads; one that does not end in so many seconds fails the test."""
    deadline = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
        assert not thread.is_alive(), f"after {seconds} seconds this went on: {thread.name}"


def eventually(true: Callable[[], Any], seconds: float = 30) -> bool:
    """Whether this becomes true within so many seconds."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def free_port() -> int:
    """A port of this machine that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Companion:
    """``companion serve`` in a process of its own; use it with ``with``.

    ``before`` goes before the command, as a tracer does; ``runs`` is what Python runs.
    """

    def __init__(
        self,
        data: Path,
        *flags: str,
        before: Sequence[str] = (),
        runs: Sequence[str] = SERVE,
        env: dict[str, str] | None = None,
    ) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.data = data
        self._flags = flags
        self._before, self._runs, self._env = before, runs, env or {}
        self.said = ""
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Companion":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start_only(self) -> None:
        """Start it, and do not wait for it."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("COMPANION_")}
        command = [*self._before, sys.executable, *self._runs, "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(self.data), *self._flags]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**kept, **self._env},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
        )

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.start_only()
        assert self.process is not None
        deadline = time.monotonic() + STARTING
        while True:
            try:
                self.get("/healthz")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(f"it did not start: {self._all_killed()}")
                time.sleep(0.05)

    def kill(self) -> None:
        """Kill it, and wait for nothing."""
        assert self.process is not None
        self.process.kill()

    def stop(self, how: int = signal.SIGTERM) -> int:
        """End it with a signal; gives its exit status, and ``said`` is all it printed."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.said, _ = self.process.communicate(timeout=ENDING)
        except subprocess.TimeoutExpired:
            raise AssertionError(
                f"it did not end within {ENDING} s: {self._all_killed()}"
            ) from None
        return self.process.returncode

    def _all_killed(self) -> str:
        """End it and every process that it began; what it said."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        try:
            return self.process.communicate(timeout=ENDING)[0]
        except subprocess.TimeoutExpired:
            return "(what it began still holds its output)"

    def get(self, path: str) -> Any:
        """The JSON that it answers."""
        with urllib.request.urlopen(self.address + path, timeout=ENDING) as answer:
            return json.load(answer)

    def page(self, path: str, cookie: str = "") -> str:
        """The page that somebody with this cookie is shown."""
        request = urllib.request.Request(self.address + path, headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=ENDING) as answer:
            return str(answer.read().decode())

    def joined(self, path: str) -> tuple[str, str]:
        """The cookie of somebody who opens a page for the first time, and its forms' token."""
        with urllib.request.urlopen(self.address + path, timeout=ENDING) as answer:
            cookies = answer.headers.get_all("Set-Cookie") or []
            page = answer.read().decode()
        cookie = "; ".join(cookie.partition(";")[0] for cookie in cookies)
        return cookie, page.partition('name="token" value="')[2].partition('"')[0]

    def play(self, *actions: dict[str, Any]) -> Any:
        """Send actions one after the other; gives the table after the last."""
        table: Any = None
        for action in actions:
            request = urllib.request.Request(
                self.address + "/api/actions",
                json.dumps(action).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=ENDING) as answer:
                table = json.load(answer)
        return table

    def refused(self, action: dict[str, Any]) -> tuple[int, Any]:
        """Status and JSON of an action that is refused."""
        try:
            self.play(action)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        raise AssertionError(f"{action} was accepted")
