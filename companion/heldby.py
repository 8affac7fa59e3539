"""Where the companion that holds a data folder listens: a line in the file by which it holds it.

So another command asks nobody for the port. It is no promise: the line stays when the companion has
ended, and only whoever knows that one runs may believe it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

FILE = "in-use"
_LONGEST = 1000
"""Bytes that are read of it."""


def note(folder: Path, host: str, port: int) -> None:
    """Write it down for whoever asks; a disk that refuses leaves nothing to be read."""
    with suppress(OSError):
        handle = os.open(folder / FILE, os.O_WRONLY | os.O_TRUNC)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"host": host, "port": port}, file)


def noted(folder: Path) -> tuple[str, int] | None:
    """Host and port as they were written down last; None where that cannot be read."""
    try:
        with (folder / FILE).open("rb") as file:
            told = json.loads(file.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    host, port = told.get("host"), told.get("port")
    right = isinstance(host, str) and type(port) is int and 0 < port < 2**16
    return (str(host), int(str(port))) if right else None
