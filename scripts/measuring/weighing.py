"""What memory the running companion holds: at rest, and while it reads a photo of 12 megapixels.

Where this machine lets us, the companion runs in a memory cgroup of the size that its unit on a Pi
allows, so that it must do with it. Weighed is the sum over the companion and the processes that
it began: of what is theirs alone, and their share of what they have in common (PSS).
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from scripts.measuring.running import companion

LIMIT = 400 * 10**6
"""Bytes: MemoryMax of the unit, in its strictest reading."""
CGROUPS = (
    (Path("/sys/fs/cgroup"), "memory.max"),
    (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"),
)
"""Where memory cgroups are made, in version 2 and 1, and the file that holds their limit."""
REST = 8.0
"""Seconds after the start until the companion is at rest."""


def family(pid: int) -> list[int]:
    """A process and all that it began."""
    found = [pid]
    for parent in found:
        for tasks in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += [int(child) for child in tasks.read_text().split()]
    return found


def held(pid: int) -> int:
    """Bytes that a process and all that it began hold just now."""
    total = 0
    for each in family(pid):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += 1024 * int(line.split()[1])
    return total


class Most:
    """The most that a process and all that it began hold while its ``with`` lasts."""

    def __init__(self, pid: int) -> None:
        self.pid, self.bytes = pid, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._over.wait(0.02):
            self.bytes = max(self.bytes, held(self.pid))

    def __enter__(self) -> Most:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


@contextlib.contextmanager
def cgroup(limit: int = LIMIT) -> Iterator[Path | None]:
    """A memory cgroup of this size; None where none can be made."""
    for top, name in CGROUPS:
        made = top / f"companion-{os.getpid()}"
        try:
            made.mkdir()
            (made / name).write_text(str(limit))
        except OSError:
            with contextlib.suppress(OSError):
                made.rmdir()
            continue
        try:
            yield made
        finally:
            with contextlib.suppress(OSError):
                made.rmdir()
        return
    yield None


def killed_in(group: Path) -> int:
    """How many processes of this cgroup ended because its memory did not suffice."""
    for name in ("memory.events", "memory.oom_control"):
        with contextlib.suppress(OSError):
            told = dict(line.split() for line in (group / name).read_text().splitlines())
            return int(told["oom_kill"])
    return 0


def weigh(photo: Path, readings: int = 3) -> tuple[int, int, int | None]:
    """Bytes at rest, the most while a photo is read, and how many processes the cgroup ended.

    The last is None where no cgroup can be made. Raises OSError where the photo is not read.
    """
    with tempfile.TemporaryDirectory() as folder, cgroup() as group:
        inside = 'echo $$ >"$0/cgroup.procs" && exec "$@"'
        under = () if group is None else ("sh", "-c", inside, str(group))
        with companion(Path(folder), camera="simulated", under=under) as (port, process):
            time.sleep(REST)
            rest = held(process)
            with Most(process) as most:
                for _ in range(readings):
                    _send(f"http://127.0.0.1:{port}", photo)
            return rest, most.bytes, None if group is None else killed_in(group)


def _send(where: str, photo: Path) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body += photo.read_bytes() + b"\r\n--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(f"{where}/api/read", body, kind)
    urllib.request.urlopen(request, timeout=120).close()
