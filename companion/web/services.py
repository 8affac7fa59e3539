"""What the pages may reach: one typed accessor instead of globals.

Knows the shapes of the things it hands out and nothing of what they do; the
command line builds the real ones, tests build small ones.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from flask import current_app, g

from companion.edges import Buttons, Camera, Lights, Power, SimulatorControls
from companion.ownnames import LOCALHOST
from companion.report import report
from companion.table import Table

if TYPE_CHECKING:
    from companion.game import Game
    from companion.keepsakes import Keepsakes
    from companion.observation import PhotoReading
    from companion.photos import PhotoStore
    from companion.sighting import Sighting
    from companion.web.asks import Hushed
    from companion.web.live import Streams
    from companion.web.people import People
    from companion.web.visitors import Door

KEY = "companion"


class Reads(Protocol):
    """The photo reader: a BGR picture in, an observation out."""

    def read(
        self, image: Any, *, highest: int | None = None, double_blank: int = 50
    ) -> PhotoReading: ...


class Develops(Protocol):
    """The darkroom: a photo's bytes in; a JPEG to be stored, or an observation, out."""

    def develop(self, data: bytes) -> bytes: ...

    def read(
        self, data: bytes, *, highest: int | None = None, double_blank: int = 50
    ) -> PhotoReading: ...


class Watches(Protocol):
    """The hub camera's loop: the last agreed sighting, and a frame taken after the call.

    ``since`` is when the camera began to work, or to be in trouble, in seconds of
    ``time.monotonic``; ``slot`` where the engine lies in its picture, with a tile's length.
    """

    camera: Camera
    since: float

    @property
    def moving(self) -> bool: ...

    @property
    def moved(self) -> bool: ...

    @property
    def sighting(self) -> Sighting | None: ...

    @property
    def trouble(self) -> str | None: ...

    @property
    def slot(self) -> tuple[tuple[float, float], float | None] | None: ...

    def fresh(self) -> Any: ...


@dataclass(frozen=True)
class WebSettings:
    """What the pages need to be told from outside.

    ``secret`` signs cookies and should outlive a restart; ``upload_limit`` is in bytes
    (phones send 3 to 12 megabytes); ``streams`` live pages at once, each holding a
    thread of the server; ``address`` is the http address with a number that others type;
    ``best_train`` lets people look for the best train of their hand; ``names`` are those that
    this machine is opened by, beside numbers.
    """

    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    upload_limit: int = 25 * 1024 * 1024
    streams: int = 64
    address: str | None = None
    best_train: bool = False
    names: frozenset[str] = frozenset({LOCALHOST})


@dataclass(frozen=True)
class Services:
    """Everything behind the pages. What is None is not there on this machine."""

    game: Game
    reader: Reads
    darkroom: Develops
    lights: Lights | None
    watch: Watches | None
    simulated: Callable[[], SimulatorControls | None]
    photos: PhotoStore | None
    people: People
    settings: WebSettings
    streams: Streams
    hushed: Hushed
    door: Door
    keepsakes: Keepsakes | None = None
    buttons: Buttons | None = None
    power: Power | None = None
    notices: Sequence[Callable[[], str | None]] = ()

    @property
    def simulator(self) -> SimulatorControls | None:
        """The simulated table, as long as it is what the camera looks at."""
        return self.simulated()


def services() -> Services:
    """The services of the running application."""
    found: Services = current_app.extensions[KEY]
    return found


def table_now() -> Table:
    """The table as this request sees it: the same one from its first line to its last."""
    if "table" not in g:
        g.table = services().game.table
    seen: Table = g.table
    return seen


def report_now() -> dict[str, Any]:
    """The report on ``table_now()``, made once a request."""
    if "report" not in g:
        g.report = report(table_now())
    made: dict[str, Any] = g.report
    return made


def forget_now() -> None:
    """After a tap was played: let the rest of this request see the new table."""
    g.pop("table", None)
    g.pop("report", None)
