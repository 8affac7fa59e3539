"""Backups: whole copies of the journal that are made by themselves, and a few of them kept.

A copy is made beside the running game, from a connection of its own, so that no tap waits for it.
Knows SQLite files and their names; knows neither actions nor photos.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from companion.errand import Errand
from companion.durable import make_folder, sync_folder
from companion.errors import JournalTrouble
from companion.game import Game
from companion.journalfile import trouble
from companion.saying import say
from companion.table import Table

log = logging.getLogger(__name__)

NEWEST, DAYS, WEEKS = 5, 7, 8
"""How many copies are kept: the newest ones, and the last one of so many days and weeks."""
_STAMP = "%Y%m%d-%H%M%S"
_NAME = re.compile(r"journal-(\d{8}-\d{6})\.db")


def copy(source: Path, target: Path) -> None:
    """Copy a journal, in use or not, whole or not at all; durable when it returns.

    Raises JournalTrouble, a sentence, when either disk refuses.
    """
    unborn = target.with_name(f"{target.name}.new")
    try:
        unborn.unlink(missing_ok=True)
        os.close(os.open(unborn, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with (
            contextlib.closing(sqlite3.connect(reading(source), uri=True)) as old,
            contextlib.closing(sqlite3.connect(unborn)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
        with unborn.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(unborn, target)
        sync_folder(target.parent)
    except (sqlite3.Error, OSError) as error:
        with contextlib.suppress(OSError):
            unborn.unlink()
        if isinstance(error, sqlite3.Error):
            raise trouble(error) from error
        raise JournalTrouble(
            f"The backup {target} cannot be written ({error.strerror or error}): "
            "name a place on a disk with room that this user may write to."
        ) from error


def reading(path: Path) -> str:
    """The address under which SQLite opens a file without ever writing to it."""
    return f"{path.absolute().as_uri()}?mode=ro"


def name_of(moment: datetime) -> str:
    """What the copy of this moment is called."""
    return f"journal-{moment.strftime(_STAMP)}.db"


def moment_of(name: str) -> datetime | None:
    """When the copy of this name was made; None for any other file."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    with contextlib.suppress(ValueError):
        return datetime.strptime(found[1], _STAMP)
    return None


def to_keep(moments: Iterable[datetime]) -> set[datetime]:
    """Which copies stay: the newest ones, and the last of each of the latest days and weeks that
    have any. A clock that jumped does no harm, since only days with copies count."""
    newest = sorted(moments, reverse=True)
    kept = set(newest[:NEWEST])
    for most, part in ((DAYS, _day), (WEEKS, _week)):
        last: dict[object, datetime] = {}
        for moment in newest:
            last.setdefault(part(moment), moment)
        kept.update(list(last.values())[:most])
    return kept


def _day(moment: datetime) -> object:
    return moment.date()


def _week(moment: datetime) -> object:
    return moment.isocalendar()[:2]


class Backups(Errand):
    """Makes a copy at the start and when rounds have been closed; use it with ``with``.

    ``folder`` is where the copies go, ``clock`` tells the time of their names. A disk that refuses
    is logged, told in ``notice``, which the pages show, and tried again after the next round.
    """

    def __init__(
        self,
        game: Game,
        journal: Path,
        folder: Path,
        *,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.notice: str | None = None
        """Why the latest copy could not be made, as a sentence; None when it was."""
        self._journal, self._folder, self._clock = journal, folder, clock
        super().__init__("backups", game, _calm, self._make)

    def kept(self) -> list[Path]:
        """The copies that there are, the newest first."""
        return kept(self._folder)

    def _make(self) -> None:
        try:
            self._copy(self._clock())
            self.notice = None
        except (JournalTrouble, OSError) as refusal:
            cause = refusal.__cause__ or refusal
            self.notice = say(
                "No copy of the games could be kept (%(why)s): make room on the disk, and allow "
                "writing to %(folder)s.",
                why=getattr(cause, "strerror", None) or str(cause),
                folder=self._folder,
            )
            log.warning("no backup was made: %s", refusal)

    def _copy(self, now: datetime) -> None:
        """One copy, of a journal that holds anything; then the old ones go."""
        if not _holds_anything(self._journal):
            return
        make_folder(self._folder)
        copy(self._journal, self._folder / name_of(now))
        rotate(self._folder)


def _calm(table: Table) -> tuple[str, int] | None:
    """Where the table is between two rounds and outside of games; None while one is played."""
    if table.state is None:
        return ("none", 0)
    phase = table.state.phase
    return None if phase in ("playing", "scoring") else (phase, len(table.state.closed))


def _holds_anything(journal: Path) -> bool:
    """Whether there is anything to lose; an empty copy would only drive a full one out."""
    try:
        with contextlib.closing(sqlite3.connect(reading(journal), uri=True)) as connection:
            asked = "SELECT EXISTS (SELECT 1 FROM actions) OR EXISTS (SELECT 1 FROM past)"
            return bool(connection.execute(asked).fetchone()[0])
    except sqlite3.Error as error:
        raise trouble(error) from error


def kept(folder: Path) -> list[Path]:
    """The copies in a folder, the newest first; none where it cannot be read."""
    try:
        inside = list(folder.iterdir())
    except OSError:
        return []
    found = [path for path in inside if moment_of(path.name)]
    return sorted(found, key=lambda path: path.name, reverse=True)


def rotate(folder: Path) -> None:
    """Let those copies go that need not be kept."""
    found = {moment: path for path in kept(folder) if (moment := moment_of(path.name))}
    stay = to_keep(found)
    for moment, path in found.items():
        if moment not in stay:
            path.unlink(missing_ok=True)
