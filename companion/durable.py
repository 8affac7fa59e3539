"""Files and folders that are still there after the plug was pulled.

A file is written whole or not at all, and a new name is made to last in its folder. Knows nothing
of what is in them.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

SCARCE = 50 * 10**6
"""Bytes of a disk that are left free for what is scored: no photo may take them."""


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder last, should the plug be pulled."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder that is this user's alone, where there is none, and those it lies in."""
    missing = [each for each in (folder, *folder.absolute().parents) if not each.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in missing:
        sync_folder(each.absolute().parent)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that only this user may read; until it is whole its old content stays.

    Raises OSError when the disk refuses; then no half of it is left.
    """
    unborn = path.with_suffix(".new")
    try:
        unborn.unlink(missing_ok=True)
        with os.fdopen(os.open(unborn, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unborn, path)
        sync_folder(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            unborn.unlink()
        raise
