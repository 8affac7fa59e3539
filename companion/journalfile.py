"""The journal's file on the disk: made whole or not at all, checked, and set aside when damaged.

Knows SQLite and file names; knows neither actions nor the table. A file that cannot be trusted
is renamed together with its write-ahead log, and never written to.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.durable import make_folder, sync_folder
from companion.errors import JournalTrouble
from companion.saying import in_a_row, say

APPLICATION_ID = 0x4D545243
"""Marks the file as ours in the header of SQLite ("MTRC")."""

SCHEMA_VERSION = 3

COPIES = "backups"
"""The folder of the journal's copies, beside it."""
BEFORE = "before-restore"
"""How the copy of what was there before a backup was restored begins."""

_RULES = """
CREATE TABLE rules (
    name TEXT PRIMARY KEY, shown TEXT NOT NULL, preset TEXT NOT NULL, overrides TEXT NOT NULL,
    used INTEGER NOT NULL
) WITHOUT ROWID;
"""
_PAST = """
CREATE TABLE past (
    n INTEGER PRIMARY KEY, game INTEGER NOT NULL, actions TEXT NOT NULL, once TEXT UNIQUE
);
"""
_CHOICES = """
CREATE TABLE choices (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

SCHEMA = f"""
CREATE TABLE actions (
    n INTEGER PRIMARY KEY, game INTEGER NOT NULL, action TEXT NOT NULL, once TEXT UNIQUE
);
CREATE TABLE settled (once TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE people (
    name TEXT PRIMARY KEY, shown TEXT NOT NULL, colour INTEGER NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE photos (
    id TEXT PRIMARY KEY, made TEXT NOT NULL, reading TEXT NOT NULL, draft TEXT
) WITHOUT ROWID;
{_RULES}
{_PAST}
{_CHOICES}
"""

MIGRATIONS = {1: _RULES, 2: _PAST + _CHOICES}
"""What makes a file of this version one of the next."""

_TABLES = {1: {"actions", "settled", "people", "photos"}}
_TABLES[2] = _TABLES[1] | {"rules"}
_TABLES[3] = _TABLES[2] | {"past", "choices"}
_SIDE_FILES = ("-wal", "-shm")
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY_MILLISECONDS = 5000


class InUse(JournalTrouble):
    """Another companion holds the data folder."""


class Damaged(Exception):
    """The file is there but cannot be trusted; the text finishes "…, because it"."""


def open_file(path: Path) -> sqlite3.Connection:
    """Open the journal's file, made anew where there is none, checked where there is one.

    Raises Damaged for a file to be set aside, JournalTrouble when the disk does not let us in.
    """
    try:
        if path.is_symlink() and not path.exists():
            raise JournalTrouble(
                f"The journal {path} leads to {path.readlink()}, which is not there: "
                "connect that disk, or remove the link."
            )
        if path.is_dir():
            raise JournalTrouble(f"The journal {path} is a folder: move it away.")
        if not path.exists():
            _refuse_orphans(path)
            _make(path)
        path.chmod(0o600)
        return _checked(path)
    except JournalTrouble:
        raise
    except OSError as error:
        raise JournalTrouble(
            f"The journal {path} cannot be opened ({error.strerror or error}): "
            "check that the disk is there and that this user may write to the folder."
        ) from error


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the data folder for this companion; the system lets go when the process ends.

    Raises InUse when another companion holds it, JournalTrouble when it cannot be made.
    """
    try:
        make_folder(folder)
        handle = os.open(folder / "in-use", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise JournalTrouble(
            f"The data folder {folder} cannot be used ({error.strerror or error}): "
            "name a folder that this user may write to with --data."
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise InUse(
            f"Another companion uses {folder} already: stop it, or name another folder with --data."
        ) from error
    try:
        yield
    finally:
        os.close(handle)


def _refuse_orphans(path: Path) -> None:
    """A log without its file would be poured into whatever is made in the file's place."""
    log = log_of(path)
    if log.exists() and log.stat().st_size:
        raise Damaged(say("had lost its main part"))


def log_of(path: Path) -> Path:
    """SQLite's log beside a journal, where what was stored last lies."""
    return Path(f"{path}-wal")


def _make(path: Path) -> None:
    """Build the empty database under another name and move it in place in one step.

    So an empty or half-made file under the real name is always damage, never a birth cut short.
    """
    make_folder(path.parent)
    unborn = Path(f"{path}.new")
    unborn.unlink(missing_ok=True)
    os.close(os.open(unborn, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with contextlib.closing(sqlite3.connect(unborn, isolation_level=None)) as connection:
            connection.executescript(
                f"PRAGMA synchronous = FULL; PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {SCHEMA_VERSION}; BEGIN; {SCHEMA} COMMIT;"
            )
    except sqlite3.Error as error:
        unborn.unlink(missing_ok=True)
        raise trouble(error) from error
    os.replace(unborn, path)
    sync_folder(path.parent)


def _checked(path: Path) -> sqlite3.Connection:
    """A connection to a file that SQLite and we recognise as whole and ours."""
    if path.stat().st_size == 0:
        raise Damaged(say("was empty"))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        _recognise(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _bring_up(connection)
    except sqlite3.Error as error:
        connection.close()
        if is_damage(error):
            raise Damaged(say("could not be read (%(why)s)", why=str(error))) from error
        raise trouble(error) from error
    except Damaged:
        connection.close()
        raise
    return connection


def _recognise(connection: sqlite3.Connection) -> None:
    if _number(connection, "application_id") != APPLICATION_ID:
        raise Damaged(say("was written by another program"))
    version = _number(connection, "user_version")
    if version > SCHEMA_VERSION:
        raise Damaged(say("was written by a newer version of this program"))
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    if version not in _TABLES or not tables >= _TABLES[version]:
        raise Damaged(say("lacked a part"))
    if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise Damaged(say("was damaged"))


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _bring_up(connection: sqlite3.Connection) -> None:
    """Give a file of an earlier version what this one needs, in one transaction.

    Runs after the file was found whole, so that a damaged one is never written to.
    """
    if _number(connection, "user_version") == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_number(connection, "user_version"), SCHEMA_VERSION):
            for statement in MIGRATIONS[version].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.rollback()
        raise


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite speaks of the file's content rather than of the disk or a lock."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return "decode" in str(error)
    return code == sqlite3.SQLITE_IOERR_SHORT_READ or code & 0xFF in _DAMAGE


def trouble(error: sqlite3.Error) -> JournalTrouble:
    """SQLite's error as one sentence that says what to do."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return JournalTrouble(_ADVICE.get(code, _other(str(error))))


def _other(why: str) -> str:
    return say(
        "Nothing was saved, because the disk reports “%(why)s”: check it and try again.", why=why
    )


def refused(error: OSError) -> JournalTrouble:
    """What the disk says to another file of the data folder, in the same sentences."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return JournalTrouble(_ADVICE[sqlite3.SQLITE_FULL])
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return JournalTrouble(_ADVICE[sqlite3.SQLITE_CANTOPEN])
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return JournalTrouble(_ADVICE[sqlite3.SQLITE_READONLY])
    return JournalTrouble(_other(error.strerror or str(error)))


MOVED = say(
    "Nothing was saved, because the saved games were moved away meanwhile: bring their files back, "
    "or start the companion again."
)
BUSY = say("Nothing was saved, because another program holds the file: close it and try again.")
DAMAGED = say(
    "Nothing was saved, because the file is damaged: start the companion again to set it aside."
)
_ADVICE = {
    sqlite3.SQLITE_FULL: say(
        "Nothing was saved, because the disk is full: free some space and try again."
    ),
    sqlite3.SQLITE_READONLY: say(
        "Nothing was saved, because the disk or folder is read-only: "
        "allow writing and try again."
    ),
    sqlite3.SQLITE_CANTOPEN: say(
        "Nothing was saved, because the folder is missing or closed to this user: open it up."
    ),
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_CONSTRAINT: say(
        "Nothing was saved, because another companion writes to the same file: "
        "stop one of the two and restart the other."
    ),
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}


def journals_aside(path: Path) -> bool:
    """Whether journals lie beside this one that may know of more photos than it does."""
    damaged = path.parent.glob(f"{path.name}.damaged-*")
    return any(damaged) or any(path.parent.glob(f"*/{BEFORE}-*.db"))


def set_aside(path: Path, why: str) -> str:
    """Rename the file with its log beside it and give the sentence for the page.

    The main file goes first: a log left alone is recognised, a file without its log is not.
    Raises JournalTrouble where the folder does not allow it; then nothing was touched.
    """
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    name = f"{path.name}.damaged-{stamp}"
    copy = 1
    while any(Path(f"{path.parent / name}{end}").exists() for end in ("", *_SIDE_FILES)):
        copy += 1
        name = f"{path.name}.damaged-{stamp}-{copy}"
    try:
        for end in ("", *_SIDE_FILES):
            old = Path(f"{path}{end}")
            if old.exists():
                old.rename(f"{path.parent / name}{end}")
        sync_folder(path.parent)
    except OSError as error:
        raise JournalTrouble(
            f"The saved games in {path} cannot be used, because the file {why}, and it cannot be "
            f"renamed ({error.strerror}): allow writing to the folder, or move the file away."
        ) from error
    kept = say(
        "The saved games could not be used, because the file %(why)s. It was kept unchanged as "
        "%(name)s in %(folder)s, and a new, empty record was begun.",
        why=why,
        name=name,
        folder=path.parent,
    )
    return _with_the_way_back(kept, path)


def lost(path: Path, taps: int) -> str:
    """The sentence for the page when so many taps that were stored are not there any more."""
    gone = say(
        "The last %(n)s taps are missing, because the log of the saved games was removed or "
        "damaged: look at the table, and tap again what is missing.",
        n=taps,
    )
    return _with_the_way_back(gone, path)


def _with_the_way_back(told: str, path: Path) -> str:
    latest = max(path.parent.glob(f"{COPIES}/{path.stem}-*.db"), default=None)
    if latest is None:
        return told
    back = say(
        "To bring back the last backup, stop the companion and run: companion restore %(file)s",
        file=latest,
    )
    return in_a_row([told, back])
