"""Whether a Raspberry Pi gets enough power and stays cool enough.

Reads what its firmware tells: bits 0 to 3 hold now, bits 16 to 19 tell the same since the start
(under-voltage, clock held back, throttled, hot), as the documentation of ``vcgencmd
get_throttled`` lists them. Where neither is there, the kernel's own alarm for the voltage is read.
"""

from __future__ import annotations

import subprocess  # nosec B404 # our own commands, no shell
from collections.abc import Callable
from pathlib import Path

from companion.checkline import Line, bad, note, ok

FIRMWARE = "devices/platform/soc/soc:firmware/get_throttled"
UNDER_VOLTAGE, HELD_BACK = 1, 2 | 4 | 8
SINCE_START = 16
"""How far the bits for the time since the start lie above those for now."""
NAME = "power"


def vcgencmd() -> str | None:
    """What the firmware's own tool says; None where there is none."""
    try:
        done = subprocess.run(  # nosec B603 B607 # our own words, no shell
            ["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def supply(sys: Path = Path("/sys"), ask: Callable[[], str | None] = vcgencmd) -> Line:
    """How the power and the heat are."""
    bits = _bits(sys, ask)
    if bits is None:
        return note(NAME, "This machine does not tell its supply voltage, which only a Pi does.")
    if bits & UNDER_VOLTAGE:
        return bad(NAME, "The voltage is too low now: use the Pi's own power supply and cable.")
    if bits & HELD_BACK:
        return bad(NAME, "The Pi is too hot and slows down: give it air, or a cooler.")
    past = bits >> SINCE_START
    if past & UNDER_VOLTAGE:
        return bad(
            NAME,
            "The voltage was too low since the start: use the Pi's own power supply and cable, "
            "then start it again.",
        )
    if past & HELD_BACK:
        return note(NAME, "The Pi was too hot since the start and slowed down: give it more air.")
    return ok(NAME, "The voltage is right, and the Pi is cool enough.")


def _bits(sys: Path, ask: Callable[[], str | None]) -> int | None:
    try:
        return int((sys / FIRMWARE).read_text(), 16)
    except (OSError, ValueError):
        pass
    try:
        return int((ask() or "").strip().removeprefix("throttled="), 16)
    except ValueError:
        return _alarm(sys)


def _alarm(sys: Path) -> int | None:
    """The kernel's alarm for the voltage as the same bits; None where it has none."""
    for chip in sorted(sys.glob("class/hwmon/hwmon*")):
        try:
            if (chip / "name").read_text().strip() == "rpi_volt":
                return UNDER_VOLTAGE & int((chip / "in0_lcrit_alarm").read_text())
        except (OSError, ValueError):
            continue
    return None
