"""Push buttons: one at each seat, or one for the whole table.

Each sits between its GPIO pin and ground; the Pi's own resistor pulls the pin up, so that no other
part is needed. What a press means is decided in ``companion.presses``; this module only tells it
how long which contact was closed. Edges wake one thread, which looks again and again until the
contacts rest; while nobody presses it sleeps.

    with Buttons((4, 5, 6), heard=Pressing(game)):
        ...
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Self

from gpiozero import Button, Device
from gpiozero.exc import PinFactoryFallback

from companion.closing import Closing
from companion.edges import Wire
from companion.presses import Meaning, Press
from companion.saying import say
from hardware.wiring import button_wires

log = logging.getLogger(__name__)

Heard = Callable[[int | None, Meaning], str | None]
"""Told the seat (None for the table's button) and what the press means; answers a refusal."""

SEAT_PINS = (4, 5, 6, 16, 19, 20, 21, 26)
"""BCM numbers of the buttons of seats 1 to 8, where nothing else is said. They touch none of the
usual lamps, and keep I²C (2, 3), SPI (7-11) and UART (14, 15) free."""
TABLE_PIN = 26
"""BCM number of the one button of the table."""

_TICK = 0.01
"""Seconds between looks at a contact that moves: a third of what it must stay."""

_CLOSING = 1.0
"""Seconds that ``close`` waits for a press that is being played, at most."""

NO_BUTTONS = say(
    "No buttons are connected: to use them, run the companion on a Raspberry Pi with "
    "python3-lgpio installed (sudo apt install python3-lgpio), then start it again."
)


class Buttons(Closing):
    """Listens to the buttons from ``with`` on.

    ``pins``: one alone is the table's, several are the seats' in order; none wants no buttons.
    ``heard`` is called on a thread of the buttons' own. A pin factory that gpiozero has been given
    already is used as it is.
    """

    def __init__(
        self,
        pins: Sequence[int],
        heard: Heard,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins: list[int | None] = [*pins]
        self._alone = len(self._pins) == 1
        self._heard, self._clock = heard, clock
        self._edge = threading.Event()
        self._stopping = False
        self._missing: str | None = None
        self.said: str | None = None
        """What the last press was answered, None where it simply worked."""
        self._contacts: dict[int, Any] = {}
        self._presses: dict[int, Press] = {}
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Take the pins and begin to listen."""
        if self._pins:
            self._open()
        if self._contacts:
            self._thread = threading.Thread(target=self._work, name="buttons", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """Stop listening and give the pins back."""
        self._stopping = True
        self._edge.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSING)
        contacts, self._contacts = self._contacts, {}
        for contact in contacts.values():
            contact.close()

    def wires(self) -> list[Wire]:
        """Which button hangs on which pin; none where no buttons are wanted."""
        return button_wires(self._pins)

    @property
    def trouble(self) -> str | None:
        """What is wrong with the buttons and what to do, None while all are well."""
        for place, press in self._presses.items():
            if press.stuck:
                return say(
                    "The button on GPIO%(pin)s is stuck: free it, or take its wire off. "
                    "It does nothing until it has been let go.",
                    pin=self._pins[place],
                )
        return self._missing

    def _open(self) -> None:
        """Find the machine's pins or their mock, and a button at each."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PinFactoryFallback)
                Device.ensure_pin_factory()
        except Exception as error:  # every pin library has its own kinds of errors
            log.info("no GPIO: %s", error)
            self._missing = NO_BUTTONS
            return
        for place, pin in enumerate(self._pins):
            try:
                contact = Button(pin, pull_up=True)
                contact.when_pressed = contact.when_released = self._edge.set
                self._contacts[place], self._presses[place] = contact, Press()
            except Exception as error:  # one bad pin leaves the others working
                log.warning("button on GPIO%s: %s", pin, error)
                self._pins[place] = None
                self._missing = say(
                    "The button on GPIO%(pin)s cannot be used (%(why)s): "
                    "choose another pin for it.",
                    pin=pin,
                    why=str(error),
                )

    def _work(self) -> None:
        """Look at the contacts while any of them moves, else wait for an edge."""
        while not self._stopping:
            resting = [self._look(place) for place in self._contacts]
            self._edge.wait(None if all(resting) else _TICK)
            self._edge.clear()

    def _look(self, place: int) -> bool:
        """Look at one contact, and tell what its press means; whether it rests now."""
        press = self._presses[place]
        try:
            closed = bool(self._contacts[place].is_pressed)
            what = press.step(closed, self._clock())
            if what is not None:
                self.said = self._heard(None if self._alone else place + 1, what)
        except Exception:  # a driver's error or a listener's is this button's alone
            log.exception("button on GPIO%s", self._pins[place])
            return True
        return press.resting
