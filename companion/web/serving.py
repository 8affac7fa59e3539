"""Serves the application: a thread for every live page, an address to type, a quick end.

Wraps waitress. Knows the application only through its services' streams; devices and the journal
are closed by whoever opened them, after `serve` returns.
"""

from __future__ import annotations

import ctypes
import errno
import ipaddress
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO
from urllib.parse import urlsplit

import segno
import waitress
from flask import Flask

from companion.errors import DeviceTrouble
from companion.importing import LARGEST
from companion.web.services import KEY, Services
from companion.web.uploads import MOST

log = logging.getLogger(__name__)

SPARE_THREADS = 16
"""Threads for taps and pictures beside those that the live pages hold."""
_MALLOC_POOLS = -8
"""M_ARENA_MAX of glibc's mallopt."""
NOWHERE = "192.0.2.1"
"""An address that exists nowhere (RFC 5737): asking for the way to it sends nothing."""


def serve(
    app: Flask,
    host: str = "0.0.0.0",
    port: int = 8000,
    *,
    on_ready: Callable[[], None] | None = None,
    on_stop: Callable[[], None] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, or until `stop` is called; then end the live pages and return.

    ``on_ready`` is called once the port is open, ``on_stop`` as soon as the end begins. Raises
    DeviceTrouble when the port cannot be had. Run it in the main thread.
    """
    few_pools()
    here: Services = app.extensions[KEY]
    threads = here.streams.limit + SPARE_THREADS
    try:
        server = waitress.create_server(
            app,
            host=host,
            port=port,
            threads=threads,
            connection_limit=threads + 100,
            channel_timeout=60,
            channel_request_lookahead=1,  # so that a page that leaves is noticed while it is served
            max_request_body_size=(MOST + 1) * max(here.settings.upload_limit, LARGEST),
            ident=None,
        )
    except (OSError, ValueError) as error:
        raise DeviceTrouble(not_opened(host, port, error)) from error
    with ending_by_signal(here.streams.end):
        if on_ready is not None:
            on_ready()
        try:
            server.run()
        finally:
            here.streams.end()
            if on_stop is not None:
                on_stop()
            server.close()


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
    """Where the system lets us: keep freed memory in two pools instead of one for each thread.

    A photo takes tens of megabytes while it is decoded, and 80 threads may each have decoded one.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_MALLOC_POOLS, 2)


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
    if host not in ("", "0.0.0.0", "::"):
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    numbers = lan_numbers()
    return f"http://{numbers[0] if numbers else '127.0.0.1'}:{port}/"


def lan_numbers() -> list[str]:
    """This machine's IPv4 numbers on its networks, the likeliest first. Sends nothing."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((NOWHERE, 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            log.debug("no way out: asking the host name instead")
    try:
        named = socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        named = []
    found += [number for number in [*interface_numbers(), *named] if number not in found]
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


def announce(where: str, out: TextIO | None = None) -> None:
    """Print the address, and its QR code for phones where there is a network to reach it by."""
    out = out or sys.stdout
    if only_here(where):
        why = (
            "That address serves this machine only: choose another with --host for the phones."
            if lan_numbers()
            else "No network was found, so it serves this machine only. For the phones, connect "
            "this machine to the Wi-Fi and start it again."
        )
        out.write(f"\nOpen {where} on this machine.\n{why}\n")
    else:
        out.write(f"\nOpen {where} on this machine and on every phone on the same Wi-Fi:\n\n")
        segno.make(where, error="l", micro=False).terminal(out=out, compact=True, border=2)
    out.write("\nStop with Ctrl-C.\n")
    out.flush()
