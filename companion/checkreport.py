"""What `companion check` prints: its lines, and a report to send when asking for help.

The report names no person, no game, no place: folders, addresses and names of this machine and
its user are taken out.
"""

from __future__ import annotations

import getpass
import importlib.metadata
import os
import platform
import re
import socket
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.checkline import Line

PARTS = ("mexican-train-companion", "opencv-python", "opencv-python-headless", "numpy", "gpiozero")
SHOWN = {"ok": "ok  ", "note": "note", "not": "NOT "}
SEND = (
    "When you ask for help, send these lines with what you did and what you saw instead. "
    "They name no person, no game and no address:"
)
_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(\.\d{1,3}){3}(?![\w.])|\[[0-9a-fA-F:.%\w]*:[^\]]*\]")
_PATH = re.compile(r"(?<![\w:/)~])(/[^\s:;,)”]+)+")


def print_lines(lines: Iterable[Line], tell: Callable[[str], object]) -> list[Line]:
    """Tell every line as soon as it is known; gives all of them."""
    told = []
    for line in lines:
        tell(f"{SHOWN[line.mark]}  {line.name:<8} {line.said}")
        told.append(line)
    return told


def summary(lines: Iterable[Line]) -> str:
    """How it went, in one sentence."""
    faults = [line.name for line in lines if line.mark == "not"]
    if not faults:
        return "Everything that was asked for works."
    return f"To be put right: {', '.join(faults)}."


def for_help(lines: Iterable[Line], private: Iterable[str]) -> str:
    """The report for whoever helps; ``private`` are texts that must not be in it."""
    private = tuple(private)
    told = [f"  {line.name}: {line.mark}. {unnamed(line.said, private)}" for line in lines]
    return "\n".join([SEND, "", *(f"  {line}" for line in machine()), *told])


def machine() -> list[str]:
    """What this machine and this installation are."""
    return [
        f"machine: {_model()}, {platform.machine()}, {platform.system()} {platform.release()}",
        f"system: {_system()}, Python {platform.python_version()}",
        "parts: " + ", ".join(f"{part} {found}" for part in PARTS if (found := _version(part))),
    ]


def unnamed(text: str, private: Iterable[str]) -> str:
    """The text without addresses, folders and these private texts."""
    for word in sorted(filter(None, private), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "…", text)
    return _PATH.sub("…", _NUMBER.sub("…", text))


def private_here(*more: object) -> set[str]:
    """Names and places of this machine and its user, and ``more`` of them."""
    found = {str(Path.home()), socket.gethostname(), *(str(each) for each in more)}
    try:
        found.add(getpass.getuser())
    except (OSError, KeyError):
        found.add(str(os.getuid()))
    return {word for word in found if len(word) > 1}


def _model() -> str:
    try:
        told = Path("/proc/device-tree/model").read_text(encoding="utf-8")
    except OSError:
        return "no Raspberry Pi"
    return told.strip("\0\n ")


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform()


def _version(part: str) -> str | None:
    try:
        return importlib.metadata.version(part)
    except importlib.metadata.PackageNotFoundError:
        return None
