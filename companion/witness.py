"""What bears witness beside the journal: how much was stored, and in which files.

A log that somebody removes takes its taps along without a word, as SQLite cannot know that it ever
was. So the count of what was stored is noted in a small file of its own, after each commit: what
it says was on the disk once. Knows no SQLite and no actions.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_ENDING = "-count"
_WIDTH = 20


class Witness:
    """The noted count of one journal. Its file is only ever written over in one piece."""

    def __init__(self, journal: Path) -> None:
        self._path = beside(journal)
        self._handle: int | None = None

    def note(self, count: int) -> None:
        """So much is stored now. A disk that refuses loses the note only, and nobody is told."""
        with contextlib.suppress(OSError):
            if self._handle is None:
                self._handle = os.open(self._path, os.O_CREAT | os.O_WRONLY, 0o600)
            os.pwrite(self._handle, f"{count:0{_WIDTH}}\n".encode("ascii"), 0)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def noted(journal: Path) -> int:
    """How much was stored in this journal at least; 0 where nothing tells."""
    try:
        return int(beside(journal).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def beside(journal: Path) -> Path:
    """The file of the count."""
    return Path(f"{journal}{_ENDING}")


def forget(journal: Path) -> None:
    """Another journal takes this one's place."""
    beside(journal).unlink(missing_ok=True)


def identity(path: Path) -> tuple[int, int] | None:
    """Which file this name leads to, None for none: another one under the same name differs."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
