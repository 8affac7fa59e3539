"""What several commands share: options that are settings, and the pins they lead to."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from companion import config
from companion.plain import in_one_line

Command = TypeVar("Command", bound=Callable[..., Any])

PICTURES = "camera"
"""The data folder's own folder of pictures, which ``auto`` shows where there is no camera."""

INSTALLED = Path("/opt/mexican-train")
"""Where ``scripts/install-pi`` puts the program, with a command that knows its folder and user."""

SETS = click.Choice(["6", "9", "12", "15", "18"])

data_option = click.option("--data", help="The folder of games and photos.")


def setting(name: str) -> Callable[[Command], Command]:
    """The flag of a setting, with its help and its default."""
    told = config.SETTINGS[name]
    return click.option(f"--{name}", help=f"{told.help} (default: {told.default or 'auto'})")


def in_full(command: str, folder: Path) -> str:
    """A command about this data folder as it is typed in any shell of this machine."""
    program = Path(sys.argv[0]).absolute()
    if INSTALLED in program.parents:
        return f"sudo companion {command}"
    start = [str(program)]
    if program.name == "__main__.py":
        start = [sys.executable, "-m", "companion"]
    return in_one_line(shlex.join([*start, command, "--data", str(folder.absolute())]))


def wiring(told: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The pins of the lamps and those of the buttons; Trouble names one that cannot be had."""
    from hardware.buttons import SEAT_PINS, TABLE_PIN
    from hardware.lights import DEFAULT_PINS

    lamps = config.pins(told["pins"]) or DEFAULT_PINS
    taken = () if told["lights"] == "none" else lamps
    return lamps, config.buttons(told["buttons"], taken, SEAT_PINS, TABLE_PIN)
