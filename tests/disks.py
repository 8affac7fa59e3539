"""Real file systems that are small, or that refuse, and faults in the system calls below them."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def mounted(folder: Path, size: str = "1m") -> Iterator[Path]:
    """A file system of its own, of this size, where this user may mount one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this user may mount no disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True, timeout=60)


def filled(folder: Path) -> Path:
    """Fill a file system to the last byte; the file that does it."""
    stone = folder / "stone"
    with contextlib.suppress(OSError), stone.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    return stone


@contextlib.contextmanager
def refusing(process: int, error: str, *calls: str, path: Path | None = None) -> Iterator[None]:
    """Let these system calls of a process fail, of those on ``path`` where one is named."""
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(process)]
    command += ["-e", f"trace={','.join(calls)}", "-e", f"inject={','.join(calls)}:error={error}"]
    command += [] if path is None else ["-P", str(path)]
    tracer = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not _all_traced(process):
            assert tracer.poll() is None and time.monotonic() < deadline, "it cannot be traced"
            time.sleep(0.02)
        yield
    finally:
        tracer.terminate()
        tracer.wait(60)


def _all_traced(process: int) -> bool:
    """Whether every thread is traced by now."""
    return all(
        "TracerPid:\t0" not in Path(f"/proc/{process}/task/{thread}/status").read_text()
        for thread in os.listdir(f"/proc/{process}/task")
    )
