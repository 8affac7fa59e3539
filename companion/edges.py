"""The edges of the house: what the companion asks of camera, lamps, buttons, power and simulator.

Only the shapes stand here, so that the companion never imports the machine's side. Knows no
device, no pin and no driver.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from companion.dominoes import Tile
from companion.errors import DeviceTrouble
from companion.saying import say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


NOT_CONNECTED = say(
    "No lamps are connected: to light them, run the companion on a Raspberry Pi with "
    "python3-lgpio installed (sudo apt install python3-lgpio), then start it again."
)
"""The trouble of lamps that there are none of: each is known by its pin, none can be lit."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a camera: BGR, height × width × 3, upright.

    ``taken`` is when its exposure began or later, in seconds of ``time.monotonic``; ``name`` is
    the file's name where it came from a file, else the camera's.
    """

    image: NDArray[np.uint8]
    taken: float
    name: str


class NoMoreFrames(DeviceTrouble):
    """A folder of pictures has come to its end."""


class BadFrame(DeviceTrouble):
    """One picture that cannot be read; the camera goes on. ``frame`` is its name."""

    def __init__(self, sentence: str, frame: str) -> None:
        super().__init__(sentence)
        self.frame = frame


class Camera(Protocol):
    """A camera that opens itself when it is first asked and can be asked again after trouble."""

    name: str
    trouble: str | None
    """What is wrong and what to do about it, None while it works."""
    why: str
    """Why this camera was taken, as a sentence."""
    there: bool
    """False where there is no camera at all, so that trying again is of no use."""

    def frame(self, after: float | None = None) -> Frame:
        """A picture taken after this moment of ``time.monotonic``; None means after the call.

        Raises DeviceTrouble, with a sentence that says what to plug in or install.
        """

    def close(self) -> None:
        """Let go of the device; closing twice does no harm."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Wire(NamedTuple):
    """One lamp's or button's wire: the seat from 1, its BCM number and its place on the header.

    The seat is None at the Mexican Train's lamp and at the table's one button; pin and header are
    None for a pin that cannot be used.
    """

    seat: int | None
    pin: int | None
    header: int | None


class Lights(Protocol):
    """The lamps by the trains."""

    @property
    def trouble(self) -> str | None:
        """What is wrong with the lamps and what to do, None while all are well."""

    def show(self, report: dict[str, Any]) -> None:
        """Make every lamp say what the table's report says; never blocks.

        A report of an older revision than the one shown last changes nothing.
        """

    def lamps(self, revision: int = 0) -> list[dict[str, Any]]:
        """Every lamp: its train, pin, state and whether it is lit, read back from the device.

        Waits a moment for a table of this revision to be shown.
        """

    def wires(self) -> list[Wire]:
        """Which lamp hangs on which pin; none where no lamps are wanted."""

    def walk(self) -> bool:
        """Light each lamp in turn, then state the table again; returns at once.

        False where there is no pin to light.
        """

    @property
    def walking(self) -> int | None:
        """The pin that a walk lights just now; None while there is no walk."""


class Buttons(Protocol):
    """The push buttons at the seats, or the one of the table."""

    @property
    def trouble(self) -> str | None:
        """What is wrong with the buttons and what to do, None while all are well."""

    @property
    def said(self) -> str | None:
        """What the last press was answered, None where it simply worked."""

    def wires(self) -> list[Wire]:
        """Which button hangs on which pin; none where no buttons are wanted."""


class Power(Protocol):
    """The machine's own power and its software. Each answers at once; None means it is under way,
    else the sentence that says why not and what to do."""

    def shut_down(self) -> str | None:
        """Switch the machine off safely, so that it can be unplugged."""

    def restart(self) -> str | None:
        """Switch it off and on again."""

    def update(self) -> str | None:
        """Bring the companion up to date and start it again."""


class SimulatorControls(Protocol):
    """What a page can do to the simulated table."""

    @property
    def engine(self) -> Tile | None:
        """The double that lies in the hub's slot."""

    @property
    def hidden(self) -> bool:
        """Whether a hand lies over the hub."""

    @property
    def hand(self) -> tuple[Tile, ...] | None:
        """The tiles that lie under the camera instead of the hub, None while there are none."""

    @property
    def moved_markers(self) -> frozenset[str]:
        """Trains whose marker a hand laid or lifted, so that it is not as the table was told."""

    def hand_of(self, player: str) -> tuple[Tile, ...]:
        """What this player still holds."""

    def lay_marker(self, train: str, there: bool) -> None:
        """Lay this train's marker on the table, or lift it, whatever the table was told."""

    def lay_engine(self, double: str | None) -> None:
        """Put this double into the hub, whatever the round wants; None takes the engine away."""

    def lay_right_engine(self) -> None:
        """Put the round's own engine back into the hub."""

    def hide(self) -> None:
        """Lay a hand over the hub, until ``show``."""

    def show(self) -> None:
        """Take the hand away."""

    def pass_hand(self) -> None:
        """Move a hand across the hub once, which takes a few seconds."""

    def lay_hand(self, tiles: Iterable[Tile | str]) -> None:
        """Lay these tiles loose under the camera, to be scored."""

    def clear_hand(self) -> None:
        """Take them away: the camera sees the hub again."""
