"""The companion with something broken below it: ``python -m tests.faulty serve ...``.

``FAULT_LAMPS``   a file with the seconds for which the driver of the lamps blocks at each of them
``FAULT_PHOTOS``  seconds for which the process that reads photos hangs at each of them
``FAULT_CLOCK``   a file with the seconds by which the clock is wrong
"""

import datetime
import os
import sys
import time
from pathlib import Path
from typing import Any


def slow_lamps(file: Path) -> None:
    """A driver that does not come back for as long as the file says."""
    from gpiozero.pins.mock import MockPWMPin

    right = MockPWMPin._set_state

    def blocking(self: Any, value: Any) -> None:
        time.sleep(float(file.read_text()))
        right(self, value)

    MockPWMPin._set_state = blocking


def hanging_photos(seconds: float) -> None:
    """A decoder that does not come back for so long."""
    from companion.darkroom import Darkroom

    hang = f"import time; time.sleep({seconds})"
    assert Darkroom.__init__.__kwdefaults__
    Darkroom.__init__.__kwdefaults__["command"] = (sys.executable, "-c", hang)


def wrong_clock(file: Path) -> None:
    """A clock that is wrong by what the file says, at any moment."""
    real_time, real = time.time, datetime.datetime

    def wrong() -> float:
        return float(file.read_text())

    class Wrong(real):  # type: ignore[valid-type, misc]
        """The moment by the wrong clock."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real.now(tz) + datetime.timedelta(seconds=wrong())

    time.time = lambda: real_time() + wrong()
    datetime.datetime = Wrong  # type: ignore[misc]


def main() -> None:
    """Break what is asked for, then be the companion."""
    asked = os.environ
    if "FAULT_CLOCK" in asked:
        wrong_clock(Path(asked["FAULT_CLOCK"]))
    if "FAULT_LAMPS" in asked:
        slow_lamps(Path(asked["FAULT_LAMPS"]))
    if "FAULT_PHOTOS" in asked:
        hanging_photos(float(asked["FAULT_PHOTOS"]))
    from companion.cli import main as companion

    companion()


if __name__ == "__main__":
    main()
