"""The lines of `companion check` for what hangs on this machine: camera, pins and lamps.

Opens each device for a moment, as the companion would, and lets go of it again. Where a companion
runs, its devices are left to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from companion.checkline import Line, bad, note, ok
from companion.edges import Camera
from companion.errors import DeviceTrouble
from hardware.buttons import Buttons
from hardware.lights import NOT_CONNECTED, Mode, TrainLights

HELD = "The companion that runs holds the {}: its page “Camera and lamps” shows {}."


def camera(spec: str, pictures: Path, *, held: bool) -> Line:
    """Whether the camera that this names sends a picture; none found for ``auto`` is no fault.

    ``pictures`` is the folder that ``auto`` shows where there is no camera.
    """
    from hardware.camera import open_camera
    from hardware.simulator import Simulator

    if spec == "none":
        return note("camera", "No camera was asked for.")
    if held:
        return note("camera", HELD.format("camera", "its picture"))
    try:
        with open_camera(spec, Simulator, pictures=pictures) as found:
            return _looked_through(spec, found)
    except DeviceTrouble as trouble:
        return bad("camera", str(trouble))


def _looked_through(spec: str, found: Camera) -> Line:
    """The line of a camera that could be opened; raises DeviceTrouble where it sends nothing."""
    from hardware.camera import simulated_table

    height, width = found.frame().image.shape[:2]
    if spec == "auto" and simulated_table(found) is not None:
        return note("camera", found.why)
    sends = f"The {found.name} sends pictures of {width} × {height}."
    return ok("camera", f"{sends} {found.why}".strip())


def wired(
    lamp_pins: Sequence[int], mode: Mode, button_pins: Sequence[int], *, held: bool
) -> Iterator[Line]:
    """Which pin is whose, the lamps, and the buttons. No pin is named twice."""
    yield pins(() if mode == "none" else lamp_pins, button_pins)
    yield lamps(lamp_pins, mode, held=held)
    yield buttons(button_pins, held=held)


def pins(lamp_pins: Sequence[int], button_pins: Sequence[int]) -> Line:
    """Which pin is whose, as BCM numbers."""
    *seats, mexican = lamp_pins or (None,)
    told = []
    if mexican is not None:
        told.append(f"lamps of the seats {_listed(seats)}, of the Mexican Train {mexican}")
    if button_pins:
        told.append(f"buttons {_listed(button_pins)}")
    return ok("pins", f"By BCM number: {'; '.join(told)}." if told else "No pins are used.")


def _listed(numbers: Iterable[int | None]) -> str:
    return ", ".join(str(number) for number in numbers)


def lamps(pins: Sequence[int], mode: Mode, *, held: bool) -> Line:
    """Whether the lamps can be lit; that none are connected is no fault unless they are wanted."""
    if mode == "none":
        return note("lamps", "No lamps were asked for.")
    if held:
        return note("lamps", HELD.format("lamps", "them"))
    with TrainLights(pins, mode) as lights:
        trouble = lights.trouble
    if trouble is None:
        return ok(
            "lamps", f"All {len(pins)} lamps can be lit: see them with companion lamps --walk."
        )
    missing = mode == "auto" and trouble == NOT_CONNECTED
    return (note if missing else bad)("lamps", trouble)


def buttons(pins: Sequence[int], *, held: bool) -> Line:
    """Whether the buttons can be listened to."""
    if not pins:
        return note("buttons", "No buttons were asked for.")
    if held:
        return note("buttons", HELD.format("buttons", "them"))
    with Buttons(pins, lambda seat, what: None) as pressed:
        trouble = pressed.trouble
    return (
        ok("buttons", f"All {len(pins)} buttons are heard.")
        if trouble is None
        else bad("buttons", trouble)
    )
