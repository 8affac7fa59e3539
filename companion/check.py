"""`companion check`: what works on this machine and what does not, each with what to do.

Looks at the disk, the saved games, the clock, the address and OpenCV; what hangs on the machine is
looked at by whoever knows it. Changes nothing, and leaves a companion that runs alone: it asks it
how it is, and touches neither its camera nor its pins.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import socket
import sqlite3
import subprocess  # nosec B404 # our own commands, no shell
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion import config
from companion.asking import answers
from companion.backups import kept, moment_of
from companion.checkkeys import keys
from companion.checkline import Line, bad, note, ok
from companion.durable import SCARCE
from companion.errors import RuleBroken, Trouble
from companion.journalfile import APPLICATION_ID, COPIES, SCHEMA_VERSION
from companion.table import replay
from companion.witness import noted

SOME = 500 * 10**6
"""Free bytes under which the photos of an evening might be too many."""
EARLIEST = 2025
"""No game was kept by this program before this year."""
A_DAY = 24 * 3600
_TRIED = 64 * 1024
"""Bytes that are written to try the disk."""


def running(folder: Path) -> bool:
    """Whether a companion holds this data folder just now."""
    try:
        handle = os.open(folder / "in-use", os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError:
        return answers("127.0.0.1", 8000)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def opencv() -> Line:
    """Whether OpenCV can be imported, tried in a process of its own."""
    command = [sys.executable, "-c", "import cv2"]
    done = subprocess.run(command, capture_output=True, text=True)  # nosec B603 # no shell
    if not done.returncode:
        return ok("libGL", "OpenCV finds the graphics libraries it needs.")
    why = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
    return bad(
        "libGL",
        f"OpenCV cannot be used ({why}): run sudo apt install libgl1 libglib2.0-0, "
        "or start scripts/run again.",
    )


def disk(folder: Path) -> Line:
    """Whether the data folder can be written to, and what room is left."""
    try:
        there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except PermissionError as error:
        return bad("disk", _not_written(folder, error))
    if not there.is_dir():
        return bad("disk", f"{there} is a file: name a folder with --data.")
    try:
        with tempfile.TemporaryFile(dir=there) as trial:
            trial.write(bytes(_TRIED))
            trial.flush()
            os.fsync(trial.fileno())
        free = shutil.disk_usage(there).free
    except OSError as error:
        return bad("disk", _not_written(there, error))
    said = f"{free // 10**6} MB are free in {there}"
    if free < SCARCE:
        return bad("disk", f"Only {said}: delete photos on the page “Settings”, or free space.")
    if free < SOME:
        return note("disk", f"{said}: enough for now, but look at it before the next evening.")
    return ok("disk", f"{said}, and it can be written to.")


def _not_written(folder: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk of {folder} is full: free some space, old photos first."
    if error.errno == errno.EROFS:
        return f"The disk of {folder} is read-only: check the card or the disk, and mount it anew."
    if error.errno in (errno.EACCES, errno.EPERM):
        return (
            f"This user may not write to {folder}: run it as the user who owns that folder, "
            "or name another with --data."
        )
    return f"The disk of {folder} reports “{error.strerror or error}”: check it, keep a backup."


def data(folder: Path) -> Line:
    """Whether the saved games can be read, every action of them; nothing is changed."""
    path = folder / "journal.db"
    try:
        if not path.exists():
            return ok("data", f"No game was saved in {folder} yet.")
        if not path.stat().st_size:
            return bad("data", _set_aside(path, "is empty"))
        # where no log lies beside it, not even the log's files are made
        how = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as journal:
            journal.execute("PRAGMA busy_timeout = 5000")
            return _looked_into(journal, path)
    except (OSError, sqlite3.OperationalError) as error:
        return bad(
            "data",
            f"The saved games in {path} cannot be opened ({error}): run it as the user who owns "
            "them, or check the disk.",
        )
    except sqlite3.Error as error:
        return bad("data", _set_aside(path, f"is damaged ({error})"))


def _looked_into(journal: sqlite3.Connection, path: Path) -> Line:
    def number(pragma: str) -> int:
        return int(journal.execute(f"PRAGMA {pragma}").fetchone()[0])

    if number("application_id") != APPLICATION_ID:
        return bad("data", _set_aside(path, "was written by another program"))
    if number("user_version") > SCHEMA_VERSION:
        return bad(
            "data",
            f"{path} was written by a newer version of this program: update the companion "
            "before you start it.",
        )
    if (found := journal.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
        return bad("data", _set_aside(path, f"is damaged ({' '.join(str(found).split())})"))
    actions = journal.execute("SELECT action FROM actions ORDER BY n").fetchall()
    try:
        table = replay(json.loads(text) for (text,) in actions)
    except (RuleBroken, ValueError, TypeError, RecursionError) as error:
        return bad("data", _set_aside(path, f"holds what the rules refuse ({error})"))
    missing = noted(path) - table.revision - number_of_past(journal)
    if missing > 0:
        return bad(
            "data",
            f"The last {missing} taps are missing in {path}, because its log was removed or "
            "damaged: bring it back, or look at the table and tap again what is missing.",
        )
    return ok("data", f"The saved games are whole: {table.revision} taps can be played again.")


def number_of_past(journal: sqlite3.Connection) -> int:
    """How often something was told of past games; early journals know nothing of that."""
    try:
        return int(journal.execute("SELECT count(*) FROM past").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def copies(folder: Path) -> Line:
    """Whether the copies of the games are made: they can be written, and one is not too old."""
    made, games = folder / COPIES, folder / "journal.db"
    try:
        if not games.exists():
            return ok("copies", "There are no games to be copied yet.")
        if made.exists():
            with tempfile.TemporaryFile(dir=made):
                pass
        played = datetime.fromtimestamp(games.stat().st_mtime)
    except OSError as error:
        return bad("copies", _not_written(made, error))
    last = max((moment for path in kept(made) if (moment := moment_of(path.name))), default=None)
    if last is None:
        return note("copies", "No copy of the games was made yet: one is made at every start.")
    if played - last > timedelta(seconds=A_DAY):
        return note(
            "copies",
            f"The last copy of the games is of {last:%Y-%m-%d}: start the companion for a new one, "
            "or make one with companion backup.",
        )
    return ok("copies", f"The last copy of the games is of {last:%Y-%m-%d %H:%M}.")


def _set_aside(path: Path, why: str) -> str:
    return (
        f"{path} {why}: at its next start the companion keeps it under another name and begins "
        "anew, so bring a copy back first if you have one."
    )


def clock(folder: Path, now: datetime | None = None) -> Line:
    """Whether the clock can be right: no year before this program, no moment before its files."""
    now = now or datetime.now()
    told = f"{now:%Y-%m-%d %H:%M}"
    if now.year < EARLIEST:
        return bad("clock", f"The clock says {told}: connect to the internet once, or set it.")
    latest = 0.0
    with suppress(OSError):
        latest = (folder / "journal.db").stat().st_mtime
    if latest > now.timestamp() + A_DAY:
        last = datetime.fromtimestamp(latest)
        return bad(
            "clock",
            f"The clock says {told}, but a game was saved on {last:%Y-%m-%d}: connect to the "
            "internet once, or set it.",
        )
    return ok("clock", f"The clock says {told}.")


def reached(host: str, port: int, held: bool) -> Line:
    """Which address the tablets use, and whether the port is free or the companion's own.

    ``held`` tells that a companion runs on this data folder.
    """
    try:
        from companion.web.serving import address, lan_numbers, only_here
    except ImportError:  # the pages need OpenCV, which has a line of its own
        return bad("address", "Nothing can be served before OpenCV can be used: see libGL.")
    where = address(host, port)
    if held or (trouble := _port_trouble(host, port)) is not None:
        if not answers(host, port):
            return bad(
                "address",
                (
                    f"The companion that runs does not answer on port {port}: name its port with "
                    "--port, or stop it and start it again."
                    if held
                    else trouble or ""
                ),
            )
        if not held:
            return bad(
                "address",
                f"Another companion, with another data folder, uses port {port}: stop that one, "
                "or choose another with --port.",
            )
        return ok("address", f"The companion runs: open {where} on the tablets.")
    if only_here(where):
        why = (
            "choose another with --host for the tablets"
            if lan_numbers()
            else "connect this machine to the Wi-Fi for the tablets"
        )
        return note("address", f"{where} would serve this machine only: {why}.")
    return ok("address", f"Port {port} is free; the tablets will open {where}.")


def _port_trouble(host: str, port: int) -> str | None:
    """Why nothing can listen there; None where it can."""
    from companion.web.serving import not_opened

    try:
        kind, _, _, _, place = socket.getaddrinfo(
            host or "0.0.0.0",  # nosec B104 # the whole house plays
            port,
            type=socket.SOCK_STREAM,
            flags=socket.AI_PASSIVE,
        )[0]
        with socket.socket(kind, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
            trial.listen(1)
    except (OSError, UnicodeError) as error:
        return not_opened(host, port, error)
    return None


def house(folder: Path, told: Mapping[str, Any], held: bool) -> Iterator[Line]:
    """The lines of what has no wires: disk, saved games and their copies, clock and address."""
    yield disk(folder)
    yield data(folder)
    yield from keys(folder)
    yield copies(folder)
    yield clock(folder)
    yield reached(told["host"], told["port"], held)


def settings(folder: Path, flags: Mapping[str, Any]) -> tuple[dict[str, Any], list[Line]]:
    """The settings, and a line that says so when the usual ones stand in."""
    try:
        told = config.settings(folder, flags)
        config.hub_centre(told["hub"])
        return told, []
    except Trouble as trouble:
        usual = {name: setting.default for name, setting in config.SETTINGS.items()}
        return usual, [bad("settings", str(trouble))]
