"""Every setting once: its name, default, unit and meaning.

A setting comes from the flag, else from the environment (``COMPANION_PORT``), else from
``settings.toml`` in the data directory, else its default. Knows no devices.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import Trouble

FILE = "settings.toml"
USABLE_PINS = range(2, 28)
"""BCM numbers on the 40-pin header; 0 and 1 belong to the boards on top."""


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
        except ValueError:
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
        Setting("host", "0.0.0.0", "", "the address to listen on; 127.0.0.1 for this machine only"),
        Setting("port", 8000, "", "the port to listen on", least=1, most=65535),
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
    except (OSError, ValueError) as error:
        raise Trouble(f"{path} cannot be read ({error}): put it right or remove it.") from None
    for name in said:
        if name not in SETTINGS:
            raise Trouble(f"{path} names a setting that does not exist: {name}.")
    return said


def pins(said: str) -> tuple[int, ...] | None:
    """Pin numbers written as ``4, 17, 27``; None where the defaults are meant."""
    if not said.strip():
        return None
    try:
        numbers = tuple(int(pin) for pin in said.split(","))
    except ValueError:
        raise Trouble(f"pins must be BCM numbers with commas between them, not {said!r}.") from None
    for pin in numbers:
        if pin not in USABLE_PINS:
            raise Trouble(f"pins names {pin}: choose BCM numbers from 2 to 27.")
        if numbers.count(pin) > 1:
            raise Trouble(f"pins names {pin} twice: every lamp needs a pin of its own.")
    return numbers


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
