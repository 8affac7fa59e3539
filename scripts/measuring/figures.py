"""What a figure is, how it is taken, how it is written down, and on which machine.

Each figure is stated as a ratio to a yardstick of the same run where one exists, so that it says
something on another machine too.
"""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = [f"Player {number}" for number in range(1, 15)]


@dataclass(frozen=True)
class Figure:
    """One line: what was measured, its milliseconds, and how often the yardstick fits into it."""

    what: str
    milliseconds: float
    ratio: float | None = None
    yardstick: str = ""


@dataclass(frozen=True)
class Weight:
    """One line: what was weighed, and its bytes."""

    what: str
    bytes: int


def spent(work: Callable[[], Any], times: int = 5) -> float:
    """The median of so many runs, in milliseconds, after one to warm up."""
    work()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def least(*works: Callable[[], Any], times: int = 5) -> list[float]:
    """The least processor time of so many runs of each in milliseconds, to which nobody else adds.

    They take turns, so that a machine that is faster now than later is so for all of them.
    """
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, took in zip(works, taken):
            gc.collect()
            start = time.process_time()
            work()
            took.append(1000 * (time.process_time() - start))
    return [min(took) for took in taken]


def line(figure: Figure | Weight) -> str:
    """One line of the table."""
    if isinstance(figure, Weight):
        return f"{figure.what:49} {figure.bytes / 1000:9.1f} kB"
    ratio = f"{figure.ratio:8.1f} x {figure.yardstick}" if figure.ratio is not None else ""
    return f"{figure.what:49} {figure.milliseconds:9.1f} ms {ratio}".rstrip()


def machine() -> str:
    """The machine and what runs on it, in two lines."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    waiting = os.getloadavg()[0]
    return (
        f"{processor()}, {os.cpu_count()} cores, {memory:.1f} GB of memory, load {waiting:.1f}\n"
        f"{platform.platform()}, Python {platform.python_version()}, OpenCV {cv2.__version__},"
        " one thread"
    )


def processor() -> str:
    """What the processor, or on a Pi the whole machine, calls itself."""
    model = Path("/proc/device-tree/model")
    if model.exists():
        return model.read_text(encoding="utf-8").strip("\0 \n")
    about = Path("/proc/cpuinfo")
    for told in about.read_text(encoding="utf-8").splitlines() if about.exists() else ():
        if told.startswith("model name"):
            return told.partition(":")[2].strip()
    return platform.processor() or platform.machine()
