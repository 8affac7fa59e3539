"""One LED per seat and one for the Mexican Train, lit as the table says.

Each LED sits between its GPIO pin and ground with a resistor of 680 Ω to 1 kΩ. What a lamp should
show and how bright it is at a moment is decided in ``companion.lamps``; this module only carries
it to gpiozero's pins, from one thread that alone touches them. So a driver that blocks delays
nobody. Knows no rules and no pages.

    with TrainLights() as lights:
        lights.show(report(game.table))
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal, Self

from gpiozero import PWMLED, Device
from gpiozero.exc import PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.closing import Closing
from companion.edges import NOT_CONNECTED as NOT_CONNECTED
from companion.edges import Wire
from companion.lamps import Lamp, brightness, lamps, walk_step
from companion.saying import say
from hardware.wiring import wires

log = logging.getLogger(__name__)

Mode = Literal["auto", "pi", "none"]

DEFAULT_PINS = (17, 18, 27, 22, 23, 24, 25, 12, 13)
"""BCM numbers: the seats clockwise from seat 1, then the Mexican Train. Keeps I²C (2, 3), SPI
(7-11) and UART (14, 15) free, and uses pins that are pulled down at power-up, so that no lamp
glows before the program starts."""

_TICK = 0.05
"""Seconds between looks at a blinking lamp, an eighth of the fastest blink."""

_RETRY = 5.0
"""Seconds until a lamp that failed is tried again."""

_SETTLING = 0.1
"""Seconds that ``lamps`` waits for the pins to be written, at most."""

_STUCK = 1.0
"""Seconds after which a driver that has not come back is named as trouble."""

_CLOSING = 2.0
"""Seconds that ``close`` waits for the lamps to go out, at most."""


class TrainLights(Closing):
    """The lamps of the table. ``show`` and ``lamps`` may be called from any thread.

    ``mode``: ``pi`` uses the machine's pins, ``auto`` falls back to gpiozero's mock pins, ``none``
    touches nothing. A pin factory that gpiozero has been given already is used as it is. ``pins``
    are as in DEFAULT_PINS, the Mexican Train's last.
    """

    def __init__(
        self,
        pins: Sequence[int | None] = DEFAULT_PINS,
        mode: Mode = "auto",
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins: list[int | None] = [*pins]
        self.mode = mode
        self.factory: Any = None
        """gpiozero's pin factory in use, real or mock; None without any."""
        self._clock = clock
        self._news = threading.Condition()
        self._wanted: list[Lamp] = []
        self._orders = self._written = self._shown = 0
        self._busy_since: float | None = None
        self._walk_began: float | None = None
        self._stopping = False
        self._missing: str | None = None
        self._failing: str | None = None
        self._leds: dict[int, Any] = {}
        self._lit: dict[int, bool] = {}
        self._resting: dict[int, float] = {}
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Take the pins, all lamps off."""
        if self.mode != "none":
            self._open()
        if self._leds:
            self._thread = threading.Thread(target=self._work, name="lamps", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """All lamps off and the pins given back, as far as the driver answers in time."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join(_CLOSING)

    def show(self, report: Mapping[str, Any]) -> None:
        """State every lamp from the replay JSON of a table. Returns at once.

        A report of an older revision than the one that was shown last comes too late.
        """
        wanted, revision = lamps(report), report.get("revision", self._shown)
        with self._news:
            if revision < self._shown:
                return
            self._shown = revision
            self._wanted = wanted
            self._orders += 1
            self._news.notify_all()

    def lamps(self, revision: int = 0) -> list[dict[str, Any]]:
        """Train, pin (None without one), state and whether it is lit, as read from the pin.

        Waits a moment for a table of this revision to be shown.
        """
        with self._news:
            self._news.wait_for(lambda: self._settled(revision) or self._stopping, _SETTLING)
            return [
                {
                    "train": lamp.train,
                    "pin": pin,
                    "state": lamp.state,
                    "lit": pin is not None and self._lit.get(pin, False),
                }
                for lamp, pin in self._paired(self._wanted)
            ]

    def _settled(self, revision: int) -> bool:
        """Whether a table of this revision, or a later one, is on the pins."""
        written = self._thread is None or self._written == self._orders
        return self._shown >= revision and written

    def wires(self) -> list[Wire]:
        """Which lamp hangs on which pin; none where no lamps are wanted."""
        return [] if self.mode == "none" else wires(self._pins)

    def walk(self) -> bool:
        """Light each lamp in turn, whoever sits there, then state the table again.

        Returns at once; False where there is no pin to light. A walk that goes on begins anew.
        """
        with self._news:
            if self._thread is None or self._stopping:
                return False
            self._walk_began = self._clock()
            self._orders += 1
            self._news.notify_all()
        return True

    @property
    def walking(self) -> int | None:
        """The pin that a walk lights just now; None while there is no walk."""
        began = self._walk_began
        if began is None:
            return None
        walked = [pin for pin in self._pins if pin is not None]
        step = walk_step(len(walked), self._clock() - began)
        return None if step is None else walked[step]

    @property
    def dark(self) -> bool:
        """Whether every lamp is off, as read from the pins."""
        return not any(self._lit.values())

    @property
    def trouble(self) -> str | None:
        """A sentence for the page when lamps are missing, failing or stuck, else None."""
        since = self._busy_since
        if since is not None and self._clock() - since > _STUCK:
            return say(
                "The lamps do not answer: check their wiring and the power supply; "
                "the trains on this page are right all the same."
            )
        return self._missing or self._failing

    def _paired(self, wanted: list[Lamp]) -> list[tuple[Lamp, int | None]]:
        """Each lamp with its pin; seats beyond the pin table and unusable pins have none."""
        if self.mode == "none":
            return [(lamp, None) for lamp in wanted]
        seats = wanted[:-1]
        paired: list[tuple[Lamp, int | None]] = list(zip_longest(seats, self._pins[:-1]))
        return [*paired[: len(seats)], *((lamp, self._pins[-1]) for lamp in wanted[-1:])]

    def _open(self) -> None:
        """Find the machine's pins or their mock, and an LED at each."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PinFactoryFallback)
                Device.ensure_pin_factory()
            self.factory = Device.pin_factory
        except Exception as error:  # every pin library has its own kinds of errors
            log.info("no GPIO: %s", error)
            self._missing = NOT_CONNECTED
            if self.mode == "auto":
                self.factory = MockFactory(pin_class=MockPWMPin)
        if self.factory is None:
            return
        for place, pin in enumerate(self._pins):
            if pin is None:
                continue
            try:
                self._leds[pin] = PWMLED(pin, pin_factory=self.factory)
            except Exception as error:  # one bad pin leaves the others lit
                self._pins[place] = None
                log.warning("lamp on GPIO%s: %s", pin, error)
                self._missing = _not_usable(pin, error)

    def _work(self) -> None:
        """The ticker: writes what is due until the lights are closed, then turns all off."""
        pause: float | None = None
        while True:
            with self._news:
                self._news.wait_for(
                    lambda: self._stopping or self._written != self._orders, timeout=pause
                )
                if self._stopping:
                    break
                order, wanted = self._orders, self._wanted
                walked = self.walking
                ended = walked is None and self._walk_began is not None
                if ended:
                    self._walk_began = None
            self._write(self._due(wanted, walked), afresh=ended or order != self._written)
            with self._news:
                self._written = order
                self._news.notify_all()
            blinking = any(lamp.state in ("slow", "fast") for lamp in wanted)
            pause = _TICK if blinking or walked is not None else (_RETRY if self._resting else None)
        self._write({}, afresh=True)
        for led in self._leds.values():
            led.close()

    def _due(self, wanted: list[Lamp], walked: int | None) -> dict[int, float]:
        """How bright each pin should be now: the one lamp of a walk, else as the table says."""
        if walked is not None:
            return {walked: 1.0}
        now = self._clock()
        return {
            pin: brightness(lamp.state, lamp.marked, now)
            for lamp, pin in self._paired(wanted)
            if pin is not None
        }

    def _write(self, due: Mapping[int, float], *, afresh: bool) -> None:
        """Bring every LED to its brightness: all of them afresh, or those that change."""
        now = self._busy_since = self._clock()
        for pin, led in self._leds.items():
            if afresh or self._resting.get(pin, now) <= now:
                self._write_one(pin, led, due.get(pin, 0.0), afresh or pin in self._resting)
        if not self._resting:
            self._failing = None
        self._busy_since = None

    def _write_one(self, pin: int, led: Any, value: float, afresh: bool) -> None:
        """Bring one LED to its brightness and read back whether it is lit."""
        try:
            if afresh or led.value != value:
                led.value = value
            self._lit[pin] = led.value > 0
            self._resting.pop(pin, None)
        except Exception as error:  # a driver's error is its lamp's alone
            if pin not in self._resting:
                log.warning("lamp on GPIO%s: %s", pin, error)
            self._lit[pin] = False
            self._resting[pin] = self._clock() + _RETRY
            self._failing = say(
                "The lamp on GPIO%(pin)s does not answer (%(why)s): check its wiring; "
                "it is tried again every few seconds.",
                pin=pin,
                why=str(error),
            )


def _not_usable(pin: int, error: Exception) -> str:
    """Why there is no lamp on this pin, and what to do."""
    if "busy" in str(error).lower():
        return say(
            "The lamp on GPIO%(pin)s cannot be used, as another program holds it: "
            "stop that program (another companion?), or choose another pin.",
            pin=pin,
        )
    return say(
        "The lamp on GPIO%(pin)s cannot be used (%(why)s): choose another pin for it, "
        "or install python3-lgpio (sudo apt install python3-lgpio).",
        pin=pin,
        why=str(error),
    )
