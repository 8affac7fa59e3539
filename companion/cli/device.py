"""Commands about this machine: what works on it, and its lamps."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import click

from companion import config
from companion.checkline import Line, bad
from companion.cli.options import PICTURES, data_option, setting, wiring
from companion.errors import Trouble
from companion.journalfile import InUse, alone


@click.command()
@data_option
@setting("host")
@setting("port")
@setting("camera")
@setting("lights")
def check(data: str | None, **flags: str | None) -> None:
    """Say what works on this machine and what does not, and what to do about it."""
    from companion import check as checking
    from companion import checkreport

    folder = config.data_folder(data)
    told, faults = checking.settings(folder, flags)
    held = checking.running(folder)
    lines = checkreport.print_lines(
        (*faults, *_devices(folder, told, held), *checking.house(folder, told, held)), click.echo
    )
    private = checkreport.private_here(folder, folder.absolute(), told["camera"].partition(":")[2])
    click.echo(f"\n{checkreport.summary(lines)}\n\n{checkreport.for_help(lines, private)}")
    sys.exit(1 if any(line.mark == "not" for line in lines) else 0)


def _devices(folder: Path, told: dict[str, Any], held: bool) -> Iterator[Line]:
    """The lines for OpenCV and for what hangs on this machine."""
    from companion import check as checking
    from hardware import checks, supply

    yield (opencv := checking.opencv())
    if opencv.mark == "ok":
        yield checks.camera(told["camera"], folder / PICTURES, held=held)
    try:
        lamp_pins, button_pins = wiring(told)
    except Trouble as trouble:
        yield bad("pins", str(trouble))
    else:
        yield from checks.wired(lamp_pins, told["lights"], button_pins, held=held)
    yield supply.supply()


@click.command()
@click.option("--walk", is_flag=True, help="Light each lamp in turn, and say which.")
@data_option
@setting("lights")
def lamps(walk: bool, data: str | None, **flags: str | None) -> None:
    """Print which lamp and which button hangs on which pin."""
    from companion.lampwalk import say_buttons, say_wires
    from hardware.wiring import button_wires, wires

    folder = config.data_folder(data)
    told = config.settings(folder, flags)
    pins, button_pins = wiring(told)
    if not walk:
        click.echo(say_wires(wires(pins) if told["lights"] != "none" else ()))
        if button_pins:
            click.echo(say_buttons(button_wires(button_pins)))
        return
    with ExitStack() as stack:
        try:
            if folder.is_dir():
                stack.enter_context(alone(folder))
        except InUse:
            raise Trouble(
                "The companion is running and holds the lamps: walk them from its page "
                "“Camera and lamps”, or stop it first."
            ) from None
        stopped = _walk(pins, told["lights"])
    sys.exit(130 if stopped else 0)


def _walk(pins: tuple[int, ...], mode: Literal["auto", "pi", "none"]) -> bool:
    """Walk the lamps, and put all of them out however that ends; whether it was stopped."""
    from companion.lampwalk import walk_command
    from hardware.lights import NOT_CONNECTED, TrainLights

    stopped, real = False, True
    ends = (signal.SIGINT, signal.SIGTERM)
    before = {each: signal.signal(each, signal.default_int_handler) for each in ends}
    try:
        with TrainLights(pins, mode) as lights:
            real = lights.trouble != NOT_CONNECTED
            walk_command(lights, click.echo, real=real)
    except KeyboardInterrupt:
        stopped = True
    finally:
        for each, how in before.items():
            signal.signal(each, how)
    lit = lights.trouble or "A lamp may still be lit: take its power away."
    dark = "All lamps are off." if real else "No lamp was lit."
    click.echo(dark if lights.dark else lit)
    return stopped
