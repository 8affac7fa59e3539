"""Starting from nothing, and the memory that is held: reading one photo, and serving."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.measuring.figures import ROOT, Figure, Weight, spent
from scripts.measuring.pictures import LARGE, jpeg_of
from scripts.measuring.running import companion
from scripts.measuring.weighing import LIMIT, weigh

READ_AND_TELL = """
import atexit, pathlib
from companion.cli import main
status = pathlib.Path("/proc/self/status")
atexit.register(lambda: print(status.read_text() if status.exists() else ""))
main()
"""
"""A program that is the command line and at its end tells, on Linux, what memory it took."""
TIMES = 3


def cold_start() -> Iterator[Figure]:
    """``companion read`` of one small photo in a new process, and ``companion serve`` until it
    answers, against starting Python alone."""
    with tempfile.TemporaryDirectory() as name:
        folder, photo = Path(name), Path(name) / "hand.jpg"
        photo.write_bytes(jpeg_of(2, 640, 480))

        def run(*words: str) -> None:
            subprocess.run((sys.executable, *words), cwd=ROOT, check=True, capture_output=True)

        python = spent(lambda: run("-c", "pass"), TIMES)
        read = spent(lambda: run("-m", "companion", "read", "--json", str(photo)), TIMES)
        yield Figure("companion read from cold", read, read / python, "starting Python")
        served = statistics.median(until_served(folder) for _ in range(TIMES))
        yield Figure("companion serve from cold", served, served / python, "starting Python")


def until_served(folder: Path) -> float:
    """Milliseconds from the start of ``companion serve`` until it answers."""
    start = time.perf_counter()
    with companion(folder):
        return 1000 * (time.perf_counter() - start)


def peak() -> Iterator[Weight]:
    """The most memory that ``companion read`` of a photo of 12 megapixels ever holds."""
    with tempfile.TemporaryDirectory() as folder:
        photo = large_photo(Path(folder))
        command = [sys.executable, "-c", READ_AND_TELL, "read", "--json", str(photo)]
        run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for most in re.findall(r"^VmHWM:\s+(\d+) kB", run.stdout, re.MULTILINE):
        yield Weight("companion read, peak at 12 megapixels", 1024 * int(most))


def serving() -> Iterator[Weight]:
    """The memory of ``companion serve`` with the simulated camera and all that it begins.

    Runs in a memory cgroup of the size that the unit on a Pi allows, where one can be made.
    Raises MemoryError where that does not suffice.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        rest, most, killed = weigh(large_photo(Path(folder)))
    if killed:
        raise MemoryError(f"{LIMIT} bytes did not suffice to read 12 megapixels")
    within = " in a cgroup of 400 MB" if killed is not None else ""
    yield Weight("companion serve at rest", rest)
    yield Weight(f"companion serve, 12 megapixels{within}", most)


def large_photo(folder: Path) -> Path:
    """A drawn photo of 12 megapixels with a hand of 15 tiles."""
    photo = folder / "hand.jpg"
    photo.write_bytes(jpeg_of(15, *LARGE))
    return photo
