"""The camera's last doubtful pictures, kept for a look: few, small, and the oldest go first.

A picture is one JPEG file and beside it what was made of it, as JSON. A disk that refuses loses a
picture and hurts nobody. Knows no camera and no game.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

MOST = 40
"""So many pictures are kept at most."""
MOST_BYTES = 20_000_000
"""And so many bytes of them, or none but the newest."""
SAME_AGAIN = 120.0
"""Seconds in which the same doubt is not kept twice."""

_ID = re.compile(r"\d{8}T\d{12}")


@dataclass(frozen=True)
class Keepsake:
    """One doubtful picture: its id, when it was kept, and what it was kept with."""

    id: str
    kept: datetime
    about: Mapping[str, Any]


class Keepsakes:
    """The pictures in one folder. Safe from any thread."""

    def __init__(self, folder: Path, *, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder
        self._most, self._most_bytes = most, most_bytes
        self._lock = threading.Lock()
        self._last: tuple[str, datetime] | None = None

    def keep(
        self,
        jpeg: bytes,
        about: Mapping[str, Any],
        doubt: str,
        now: datetime | None = None,
    ) -> str | None:
        """Keep a picture with what was made of it; gives its id.

        None where the same ``doubt`` was kept a moment ago, or the disk refuses.
        """
        now = now or datetime.now(UTC)
        with self._lock:
            last = self._last
            if last and last[0] == doubt and abs((now - last[1]).total_seconds()) < SAME_AGAIN:
                return None
            self._last = (doubt, now)
            name = now.astimezone(UTC).strftime("%Y%m%dT%H%M%S%f")
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._write(f"{name}.json", json.dumps(dict(about)).encode())
                self._write(f"{name}.jpg", jpeg)
                self._make_room()
            except OSError as error:
                log.warning("a doubtful picture was not kept: %s", error)
                self._remove([name])
                return None
        return name

    def all(self) -> list[Keepsake]:
        """Every picture that is kept, the newest first."""
        return [self._told(name) for name in reversed(self._names())]

    def picture(self, name: str) -> bytes | None:
        """The JPEG of this id; None where there is none."""
        if not is_id(name):
            return None
        try:
            return (self.folder / f"{name}.jpg").read_bytes()
        except OSError:
            return None

    def forget(self, names: Sequence[str] | None = None) -> int:
        """Remove these pictures, or all; gives how many went."""
        with self._lock:
            here = self._names()
            gone = here if names is None else [name for name in here if name in names]
            self._remove(gone)
            self._last = None
        return len(gone)

    def _names(self) -> list[str]:
        """The ids of all pictures, the oldest first."""
        try:
            return sorted(path.stem for path in self.folder.glob("*.jpg") if is_id(path.stem))
        except OSError:
            return []

    def _told(self, name: str) -> Keepsake:
        try:
            about = json.loads((self.folder / f"{name}.json").read_bytes())
        except (OSError, ValueError):
            about = {}
        kept = datetime.strptime(name, "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
        return Keepsake(name, kept, about if isinstance(about, dict) else {})

    def _write(self, name: str, data: bytes) -> None:
        """Whole or not at all. Losing one to a pulled plug does no harm: nothing is synced."""
        unborn = self.folder / f"{name}.new"
        try:
            unborn.touch(mode=0o600)
            unborn.write_bytes(data)
            os.replace(unborn, self.folder / name)
        except OSError:
            with contextlib.suppress(OSError):
                unborn.unlink()
            raise

    def _make_room(self) -> None:
        names = self._names()
        sizes = [(self.folder / f"{name}.jpg").stat().st_size for name in names]
        gone = 0
        while len(names) - gone > 1 and (
            len(names) - gone > self._most or sum(sizes[gone:]) > self._most_bytes
        ):
            gone += 1
        self._remove(names[:gone])

    def _remove(self, names: Sequence[str]) -> None:
        for name in names:
            for ending in ("jpg", "json"):
                with contextlib.suppress(OSError):
                    (self.folder / f"{name}.{ending}").unlink(missing_ok=True)


def is_id(text: str) -> bool:
    """Whether this can be the id of a picture; nothing else ever becomes part of a path."""
    if not _ID.fullmatch(text):
        return False
    try:
        return bool(datetime.strptime(text, "%Y%m%dT%H%M%S%f"))
    except ValueError:
        return False
