"""Serves the application: a thread for every live page, an address to type, a quick end.

The door itself is ``doorway``. Knows the application only through its services' streams; devices
and the journal are closed by whoever opened them, after `serve` returns.
"""

from __future__ import annotations

import ctypes
import errno
import ipaddress
import logging
import re
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import TextIO
from urllib.parse import urlsplit

import segno
from flask import Flask

from companion.darkroom import MOST_WAITING
from companion.errors import DeviceTrouble
from companion.joining import PLAYER, Key, grouped
from companion.web.allowance import allowance, largest
from companion.web.doorway import open_doors
from companion.web.live import BEYOND
from companion.web.reading import LONGEST_QUEUE
from companion.web.security import HEADERS
from companion.web.services import KEY, Services

log = logging.getLogger(__name__)

SPARE_THREADS = 16
"""Threads for taps and pages beside those that live pages hold, or photos that wait their turn."""
_HANDLES = 4096
"""Files and connections that the process may have open, where the system lets it."""
_MALLOC = {-8: 2, -3: 4 * 2**20, -1: 8 * 2**20}
"""For glibc's mallopt: M_ARENA_MAX, and in bytes M_MMAP_THRESHOLD and M_TRIM_THRESHOLD."""
NOWHERE = "192.0.2.1"
"""An address that exists nowhere (RFC 5737): asking for the way to it sends nothing."""


def serve(
    app: Flask,
    host: str = "0.0.0.0",  # nosec B104 # the whole house plays
    port: int = 8000,
    *,
    on_ready: Callable[[], None] | None = None,
    on_stop: Callable[[], None] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then end the live pages and return.

    ``on_ready`` is called once the port is open, ``on_stop`` as soon as the end begins and once
    more when the server has ended. Raises DeviceTrouble when the port cannot be had. Run it in the
    main thread.
    """
    few_pools()
    handles = many_handles()
    here: Services = app.extensions[KEY]
    threads = here.streams.limit + BEYOND + MOST_WAITING + LONGEST_QUEUE + SPARE_THREADS
    try:
        doors = open_doors(
            app,
            host,
            port,
            threads=threads,
            handles=handles,
            largest=largest(here.settings.upload_limit),
            allowance=partial(allowance, app),
            headers={**HEADERS, "Cache-Control": "no-store"},
        )
    except (OSError, ValueError) as error:
        raise DeviceTrouble(not_opened(host, port, error)) from error

    def end() -> None:
        here.streams.end()
        if on_stop is not None:
            on_stop()

    hide_tokens(logging.getLogger("waitress"))
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full house is nothing to report
    hide_tokens(app.logger)
    with ending_by_signal(end):
        if on_ready is not None:
            on_ready()
        try:
            doors[0].run()
        finally:
            end()
            for door in doors:
                door.close()


_TOKEN = re.compile(r"/join/[^\s'\"\]]+")


class _Hidden(logging.Filter):
    """Takes the tokens out of what is logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record stays, without what would let its reader in."""
        said = record.getMessage()
        if "/join/" in said:
            record.msg, record.args = _TOKEN.sub("/join/…", said), ()
        return True


def hide_tokens(log: logging.Logger) -> None:
    """Let this log name no link that lets a device in."""
    if not any(isinstance(each, _Hidden) for each in log.filters):
        log.addFilter(_Hidden())


def not_opened(host: str, port: int, error: Exception) -> str:
    """Why nothing listens there, and what to do."""
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return (
            f"Port {port} cannot be opened, as another program uses it: "
            "stop that one or choose another with --port."
        )
    if code == errno.EACCES:
        return f"Port {port} is not for this user: choose one above 1023 with --port."
    return f"{host or 'Nothing'} is no address of this machine: leave --host out, or name one."


def few_pools() -> None:
    """Where the system lets us: keep freed memory in two pools instead of one for each thread, and
    give what whole pictures took back at once. Called before anything large is made.

    A photo takes tens of megabytes while it is decoded, and 80 threads may each have decoded one.
    Pieces under 4 megabytes stay, as asking the system for them each time makes reading slower.
    """
    with suppress(OSError, AttributeError):
        for option, value in _MALLOC.items():
            ctypes.CDLL(None).mallopt(option, value)


def many_handles() -> int:
    """Let the process have as many connections open as it takes, where the system lets us; how many
    it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _HANDLES if hard == resource.RLIM_INFINITY else min(_HANDLES, hard)
    if soft == resource.RLIM_INFINITY:
        return _HANDLES
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


@contextmanager
def ending_by_signal(end: Callable[[], None]) -> Iterator[None]:
    """Let SIGTERM and SIGINT end the server; only the main thread can be asked so.

    Once the end has begun further signals are ignored, so that every lamp is put out.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        end()
        raise SystemExit(0)

    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    for each in before:
        signal.signal(each, stop)
    try:
        yield
    except SystemExit as leaving:
        if leaving.code:
            raise
    finally:
        if signal.getsignal(signal.SIGTERM) is stop:
            for each, handler in before.items():
                signal.signal(each, handler)


def address(host: str, port: int) -> str:
    """The http address with a number that another phone can type."""
    if host not in ("", "0.0.0.0", "::"):  # nosec B104 # the whole house plays
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    numbers = lan_numbers()
    return f"http://{numbers[0] if numbers else '127.0.0.1'}:{port}/"


def spot(host: str, port: int) -> str | None:
    """Where this machine itself opens it, as host; None where only its number in the house leads
    there, which asks for the key."""
    if host in ("", "0.0.0.0", "::"):  # nosec B104 # the whole house plays
        return f"http://localhost:{port}/"
    where = address(host, port)
    return where if only_here(where) else None


def lan_numbers() -> list[str]:
    """This machine's IPv4 numbers on its networks, the likeliest first. Sends nothing."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((NOWHERE, 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            log.debug("no way out: asking the interfaces instead")
    found += [number for number in interface_numbers() if number not in found]
    return [number for number in found if not ipaddress.ip_address(number).is_loopback]


def interface_numbers() -> list[str]:
    """The number of every network interface, where the system (Linux) lets us ask."""
    try:
        import fcntl
    except ImportError:
        return []
    numbers = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            request = name.encode()[:15].ljust(40, b"\0")
            try:
                answer = fcntl.ioctl(asking.fileno(), 0x8915, request)  # SIOCGIFADDR
            except OSError:
                continue
            numbers.append(socket.inet_ntoa(answer[20:24]))
    return numbers


def only_here(where: str) -> bool:
    """Whether an http address can be opened on this machine alone."""
    host = urlsplit(where).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def announce(
    where: str,
    key: Key,
    out: TextIO | None = None,
    *,
    here: str | None = None,
    codes: str = "companion key",
) -> None:
    """Print the address and how others join; the key itself only on a screen, never in a log.

    ``here`` is where this machine opens it without a key, ``codes`` the command that shows what
    lets others in.
    """
    out = out or sys.stdout
    own = f"\nOn this machine, as host: {here}\n" if here else ""
    if only_here(where):
        why = (
            "That address serves this machine only: choose another with --host for the phones."
            if lan_numbers()
            else "No network was found, so it serves this machine only. For the phones, connect "
            "this machine to the Wi-Fi and start it again."
        )
        out.write(f"{own}{why}\n")
    elif not out.isatty():
        out.write(f"\nFor phones and tablets on the same Wi-Fi: {where}\n")
        out.write(f"The codes that let them in are shown by: {codes}\n{own}")
    else:
        out.write("\nFor phones and tablets on the same Wi-Fi:\n\n")
        invite(where, key, PLAYER, out)
        out.write(f"The codes for the television and for another host are shown by: {codes}\n{own}")
    out.write("\nStop with Ctrl-C.\n")
    out.flush()


def invite(where: str, key: Key, role: str, out: TextIO) -> None:
    """Print how a device joins as this: the QR code, and the address with the code to type."""
    link = f"{where}join/{key.link(role)}"
    segno.make(link, error="l", micro=False).terminal(out=out, compact=True, border=2)
    out.write(f"Scan this, or open {where} and type {grouped(key.code(role))}\n")
