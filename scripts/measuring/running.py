"""A companion of its own to measure: started on a free port with a folder of its own, and ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.measuring.figures import ROOT

PATIENCE = 60.0
"""Seconds until it must answer."""


def free_port() -> int:
    """A port of this machine that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def companion(
    folder: Path, *flags: str, camera: str = "none", under: Sequence[str] = ()
) -> Iterator[tuple[int, int]]:
    """``companion serve`` while the ``with`` lasts: its port and its process, once it answers.

    ``under`` is a command that begins another. What it says goes to ``benchmark.log`` in the
    folder. Raises OSError when the companion ends by itself, TimeoutError when it never answers.
    """
    port = free_port()
    command = [*under, sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--data", str(folder), "--camera", camera, *flags]
    env = {**os.environ, "MALLOC_ARENA_MAX": "2"}
    with (folder / "benchmark.log").open("ab") as log:
        running = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz", running)
        yield port, running.pid
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(30)


def wait_for(address: str, running: subprocess.Popen[bytes]) -> None:
    """Return once the companion answers at the address."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            if running.poll() is not None:
                raise
            time.sleep(0.02)
    raise TimeoutError("the companion does not answer")
