"""Every setting once: its name, default, unit and meaning.

A setting comes from the flag, else from the environment (``COMPANION_PORT``), else from
``settings.toml`` in the data directory, else its default. Knows no devices.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import Trouble

FILE = "settings.toml"
HEADER_PINS = range(28)
"""BCM numbers on the 40-pin header."""
RESERVED = {
    **dict.fromkeys((0, 1), "belongs to the boards on top (ID EEPROM)"),
    **dict.fromkeys((2, 3), "is the I2C bus and has a resistor of its own"),
    **dict.fromkeys((14, 15), "is the serial console (UART)"),
}
"""BCM numbers that neither a lamp nor a button can have, and why."""
USABLE_PINS = tuple(pin for pin in HEADER_PINS if pin not in RESERVED)
SPI_PINS = range(7, 12)
"""Free unless SPI is switched on, when the system holds them: the last to choose."""
MOST_SEATS = 14
MOST_BUTTONS = 8
"""Seats with a button of their own, at most: nine lamps and eight buttons fill the header but for
the SPI pins."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; ``unit`` is empty where it has none."""

    name: str
    default: str | int | float
    unit: str
    help: str
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float = 0

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"COMPANION_{self.name.upper()}"

    def read(self, value: object, source: str) -> str | int | float:
        """The value in the default's type; Trouble says where a wrong one stands."""
        kind = type(self.default)
        try:
            if isinstance(value, bool) or not isinstance(value, (str, int, float)):
                raise ValueError
            if kind is int and isinstance(value, float):
                raise ValueError
            read = kind(value)
        except (ValueError, OverflowError):
            wanted = {int: "a whole number", float: "a number", str: "a text"}[kind]
            raise Trouble(f"{self.name} in {source} must be {wanted}, not {value!r}.") from None
        if self.choices and read not in self.choices:
            raise Trouble(f"{self.name} in {source} must be one of {', '.join(self.choices)}.")
        if not isinstance(read, str) and not self.least <= read <= self.most:
            raise Trouble(f"{self.name} in {source} must be {self.least} to {self.most}.")
        return read


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "host",
            "0.0.0.0",  # nosec B104 # the whole house plays
            "",
            "the address to listen on; 127.0.0.1 for this machine only",
        ),
        Setting("port", 8000, "", "the port to listen on", least=1, most=65535),
        Setting(
            "name",
            "",
            "",
            "other names that browsers open this machine by, with commas between them: "
            "table.example",
        ),
        Setting(
            "camera",
            "auto",
            "",
            "where the picture of the hub comes from: auto, pi, webcam[:N], folder:DIR, "
            "simulated or none",
        ),
        Setting(
            "lights",
            "auto",
            "",
            "the lamps at the trains: auto, pi or none",
            choices=("auto", "pi", "none"),
        ),
        Setting("pins", "", "BCM", "pins of the lamps: seats in order, then the Mexican Train"),
        Setting(
            "buttons",
            "off",
            "BCM",
            "push buttons: off, seats or table on their usual pins, or pins: one alone is the "
            "table's, several are the seats' in order",
        ),
        Setting("hub", "auto", "", "where the hub lies in the picture: auto, or x,y from 0 to 1"),
        Setting(
            "agree",
            2,
            "frames",
            "how many readings of the hub must agree before one counts",
            least=1,
            most=20,
        ),
        Setting("pace", 2.0, "per second", "how often the hub is looked at", least=0.1, most=10),
        Setting("upload", 25, "megabytes", "the largest photo that is accepted", least=1, most=200),
        Setting(
            "streams",
            64,
            "",
            "how many live pages may follow the game at once",
            least=1,
            most=500,
        ),
        Setting(
            "best_train",
            "off",
            "",
            "whether people may look for the best train of their hand on their phone: on or off",
            choices=("on", "off"),
        ),
    )
}


def data_folder(flag: str | None = None) -> Path:
    """Where games and photos are kept: the flag, ``COMPANION_DATA``, or the user's data folder."""
    told = flag or os.environ.get("COMPANION_DATA")
    if told:
        return Path(told).expanduser()
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "mexican-train"


def settings(data: Path, flags: Mapping[str, Any]) -> dict[str, Any]:
    """All settings by name. A flag that is None was not given.

    Raises Trouble with a sentence for a file that cannot be read and for a wrong value.
    """
    written = _written(data / FILE)
    values: dict[str, Any] = {}
    for name, setting in SETTINGS.items():
        if flags.get(name) is not None:
            values[name] = setting.read(flags[name], f"--{name}")
        elif setting.variable in os.environ:
            values[name] = setting.read(os.environ[setting.variable], setting.variable)
        elif name in written:
            values[name] = setting.read(written[name], FILE)
        else:
            values[name] = setting.default
    return values


def _written(path: Path) -> dict[str, Any]:
    if path.parent.exists() and not path.parent.is_dir():
        raise Trouble(f"{path.parent} is a file: name a folder with --data.")
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise Trouble(f"{path} cannot be read ({error}): put it right or remove it.") from None
    for name in said:
        if name not in SETTINGS:
            raise Trouble(f"{path} names a setting that does not exist: {name}.")
    return said


def pins(said: str) -> tuple[int, ...] | None:
    """Pin numbers written as ``4, 17, 27``; None where the defaults are meant.

    Raises Trouble, with the pins to choose from, for those that no lamp can have.
    """
    if not said.strip():
        return None
    numbers = _numbers("pins", said)
    _check("pins", numbers, ())
    if len(numbers) > MOST_SEATS + 1:
        raise Trouble(
            f"pins names {len(numbers)} pins, and GPIO{numbers[MOST_SEATS + 1]} is one too many: "
            f"name at most {MOST_SEATS} seats and the Mexican Train."
        )
    return numbers


def buttons(said: str, lamps: Iterable[int], seats: tuple[int, ...], table: int) -> tuple[int, ...]:
    """The pins of the buttons: none, one for the table, or the seats' in order.

    ``lamps`` have their pins already; ``seats`` and ``table`` are the usual pins of buttons.
    Raises Trouble, with the pins to choose from, for those that no button can have.
    """
    usual = {"off": (), "": (), "seats": seats, "table": (table,)}
    word = said.strip()
    numbers = usual[word] if word in usual else _numbers("buttons", said)
    _check("buttons", numbers, tuple(lamps))
    if len(numbers) > MOST_BUTTONS:
        raise Trouble(
            f"buttons names {len(numbers)} pins, and GPIO{numbers[MOST_BUTTONS]} is one too many: "
            f"name at most {MOST_BUTTONS}, or only one for the whole table."
        )
    return numbers


def _numbers(name: str, said: str) -> tuple[int, ...]:
    try:
        return tuple(int(pin) for pin in said.split(","))
    except ValueError:
        raise Trouble(
            f"{name} must be BCM numbers with commas between them, not {said!r}."
        ) from None


def _check(name: str, numbers: tuple[int, ...], lamps: tuple[int, ...]) -> None:
    """Refuse by name a pin that is not on the header, reserved, or taken already."""
    for place, pin in enumerate(numbers):
        if pin not in HEADER_PINS:
            why = f"names {pin}, which is not on the header"
        elif pin in RESERVED:
            why = f"names GPIO{pin}, which {RESERVED[pin]}"
        elif pin in lamps:
            why = f"names GPIO{pin}, which a lamp has already"
        elif pin in numbers[:place]:
            why = f"names GPIO{pin} twice"
        else:
            continue
        free = [n for n in USABLE_PINS if n not in numbers and n not in lamps]
        best = [str(n) for n in free if n not in SPI_PINS] or [str(n) for n in free]
        instead = f"choose one of {', '.join(best)}" if best else "name fewer pins"
        raise Trouble(f"{name} {why}: {instead} instead.")


def hub_centre(said: str) -> tuple[float, float] | None:
    """The hub's place in the picture as fractions; None where it is to be found."""
    if said == "auto":
        return None
    try:
        across, down = (float(part) for part in said.split(","))
    except ValueError:
        raise Trouble(f"hub must be auto or two numbers like 0.5,0.5, not {said!r}.") from None
    if not (0 <= across <= 1 and 0 <= down <= 1):
        raise Trouble(f"hub must lie in the picture: two numbers from 0 to 1, not {said!r}.")
    return across, down
