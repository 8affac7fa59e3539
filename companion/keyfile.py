"""The file of the table's key: made once, readable by nobody else, renewed when that is asked.

Notices when another process, as ``companion key --new`` is, has renewed it. Knows no page.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from pathlib import Path

from companion.durable import sync_folder, write_whole
from companion.errors import Trouble
from companion.joining import Key

FILE = "key"
BYTES = 32


class TableKey:
    """The key as it is now; without a path it lives as long as this object. Safe in any thread.

    Raises Trouble for a file that is damaged, and OSError where the disk does not let us in.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._seen: tuple[int, ...] | None = None
        if path is None:
            self._key = Key(secrets.token_bytes(BYTES))
            return
        if not os.path.lexists(path):
            _write_first(path, secrets.token_bytes(BYTES))
        self._seen = _mark(path)
        self._key = _read(path)

    @property
    def key(self) -> Key:
        """The key. While its file cannot be read the last one holds."""
        if self._path is not None and (mark := _mark(self._path)) != self._seen:
            with self._lock:
                try:
                    self._key = _read(self._path)
                    self._seen = mark
                except (OSError, Trouble):
                    self._seen = mark
        return self._key

    def renew(self) -> Key:
        """Another key from now on; whoever joined by the old one is out.

        Raises OSError when the disk refuses; then the old one holds on.
        """
        made = secrets.token_bytes(BYTES)
        with self._lock:
            if self._path is not None:
                _replace(self._path, made)
                self._seen = _mark(self._path)
            self._key = Key(made)
            return self._key


def _mark(path: Path) -> tuple[int, ...] | None:
    """What changes when the file is replaced; None where it is gone."""
    try:
        now = path.stat()
    except OSError:
        return None
    return now.st_ino, now.st_mtime_ns, now.st_size


def _read(path: Path) -> Key:
    master = whole(path)
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    return Key(master)


def whole(path: Path) -> bytes:
    """What is in a key's file; changes nothing. Raises Trouble for a damaged one, and OSError."""
    try:
        master = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        master = b""
    if len(master) != BYTES:
        raise Trouble(
            f"{path} is damaged: remove it, then a new key is made and every device joins anew."
        )
    return master


def _write(path: Path, master: bytes) -> None:
    write_whole(path, f"{master.hex()}\n".encode("ascii"))


def _replace(path: Path, master: bytes) -> None:
    """The same; a disk that refuses only after the file is in its place has not refused."""
    try:
        _write(path, master)
    except OSError:
        with contextlib.suppress(OSError, Trouble):
            if whole(path) == master:
                return
        raise


def _write_first(path: Path, master: bytes) -> None:
    """The same, but a file that another process made meanwhile stays as it is."""
    beside = path.with_name(f"{path.name}-{secrets.token_hex(4)}")
    _write(beside, master)
    try:
        if not _linked(beside, path):
            os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def _linked(beside: Path, path: Path) -> bool:
    """Give the file its name unless somebody has it; False where the disk knows no such thing."""
    try:
        os.link(beside, path)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True
