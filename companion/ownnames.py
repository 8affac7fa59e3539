"""The names by which a browser may ask for this machine: its own, and numbers.

A page of another site that makes its own name point here ("DNS rebinding") asks by that name, and
is told from ours by it. Reads what this system says of itself; asks nobody.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

AVAHI = Path("/etc/avahi/avahi-daemon.conf")
"""Where ``scripts/install-pi`` sets the name in the house's network."""
RESOLVER = Path("/etc/resolv.conf")
LOCALHOST = "localhost"
LOCAL = ".local"
_FORM = re.compile(r"[A-Za-z0-9.\-_]+(:\d+)?|\[[0-9A-Fa-f:.%]+\](:\d+)?")
"""A Host header as browsers send it: nothing before an @, no path."""
_SECOND = re.compile(r"-\d+$")
"""What is put behind a name that another machine of the house has already."""


def own_names(more: str = "", avahi: Path = AVAHI, resolver: Path = RESOLVER) -> frozenset[str]:
    """This machine's names in small letters; ``more`` are others, with commas between them."""
    machine = socket.gethostname().lower().rstrip(".")
    short = machine.partition(".")[0]
    local = {short, *_told(avahi, "host-name=")}
    names = {LOCALHOST, machine, *local, *(name + LOCAL for name in local)}
    domains = " ".join([*_told(resolver, "search "), *_told(resolver, "domain ")]).split()
    names |= {f"{short}.{domain.rstrip('.')}" for domain in domains}
    names |= {name.strip().rstrip(".") for name in more.lower().split(",")}
    return frozenset(name for name in names if name)


def _told(path: Path, begin: str) -> list[str]:
    """What stands behind this beginning of a line in a system's file; nothing without the file."""
    found = []
    with suppress(OSError, ValueError):
        for line in path.read_text(encoding="utf-8").splitlines():
            bare = line.strip().lower().replace("\t", " ")
            if bare.startswith(begin):
                found.append(bare[len(begin) :].strip())
    return [name for name in found if name]


def named(host: str) -> str | None:
    """The name or number in a Host header, in small letters; None for what is none."""
    if not _FORM.fullmatch(host):
        return None
    with suppress(ValueError):
        return (urlsplit(f"//{host}").hostname or "").rstrip(".") or None
    return None


def is_ours(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header names this machine: by a number, or by one of these names."""
    name = named(host)
    if name is None:
        return False
    if name.endswith(LOCAL):
        name = _SECOND.sub("", name.removesuffix(LOCAL)) + LOCAL if name not in names else name
    return is_number(name) or name in names


def is_number(name: str) -> bool:
    """Whether it is an address in digits, which no other site's page can be opened by."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(number: str) -> bool:
    """Whether an address in digits leads back to the machine that asks."""
    try:
        found = ipaddress.ip_address(number)
    except ValueError:
        return False
    inner = getattr(found, "ipv4_mapped", None)
    return bool((inner or found).is_loopback)
