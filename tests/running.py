"""A companion running as its own process, as the people at the table start it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    """A port of this machine that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Companion:
    """``companion serve`` in a process of its own; use it with ``with``."""

    def __init__(self, data: Path, *flags: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.data = data
        self._flags = flags
        self.said = ""
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Companion":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start it and wait until it answers."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("COMPANION_")}
        command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(self.data), *self._flags]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=kept,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + 40
        while True:
            try:
                self.get("/healthz")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.process.kill()
                    raise AssertionError(f"it did not start: {self.process.communicate()[0]}")
                time.sleep(0.05)

    def stop(self, how: int = signal.SIGTERM) -> int:
        """End it with a signal; gives its exit status, and ``said`` is all it printed."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.said, _ = self.process.communicate(timeout=20)
        return self.process.returncode

    def get(self, path: str) -> Any:
        """The JSON that it answers."""
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            return json.load(answer)

    def play(self, *actions: dict[str, Any]) -> Any:
        """Send actions one after the other; gives the table after the last."""
        table: Any = None
        for action in actions:
            request = urllib.request.Request(
                self.address + "/api/actions",
                json.dumps(action).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=10) as answer:
                table = json.load(answer)
        return table

    def refused(self, action: dict[str, Any]) -> tuple[int, Any]:
        """Status and JSON of an action that is refused."""
        try:
            self.play(action)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        raise AssertionError(f"{action} was accepted")
