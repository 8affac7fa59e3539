"""Which webcams are plugged in, as Linux tells it.

Opens none of them.
"""

from __future__ import annotations

import glob
from pathlib import Path

PI_OWN = ("bcm2835", "rpi", "rp1", "pispbe", "unicam")
"""How a Pi's kernel names its codecs, image processors and camera ports, which are no webcams."""


def plugged_in(number: int) -> bool:
    """Whether there is a device of this number."""
    return Path(f"/dev/video{number}").exists()


def webcams() -> list[int]:
    """The numbers of the webcams that Linux knows, lowest first.

    A webcam takes several numbers, of which the first of its own (index 0) sends pictures.
    """
    found = [path.removeprefix("/dev/video") for path in glob.glob("/dev/video*")]
    return sorted(int(number) for number in found if number.isdecimal() and _is_webcam(number))


def _is_webcam(number: str) -> bool:
    index, name = (_told(f"/sys/class/video4linux/video{number}/{what}") for what in _TOLD)
    return index in ("", "0") and not name.startswith(PI_OWN)


_TOLD = ("index", "name")


def _told(path: str) -> str:
    """What the system says in this file; nothing where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
