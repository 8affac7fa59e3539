"""The journal: every accepted action in order, appended durably and never changed.

Beside them lies what was told of games that are past: corrections, and whole games that were
imported. Also remembers the people who played, and lends its database to the store of photos.
Knows nothing of the rules: whether the actions make sense together is for the table to say.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion import journalfile
from companion.closing import Closing
from companion.errors import JournalTrouble
from companion.journalfile import Damaged, is_damage
from companion.saying import say
from companion.witness import Witness, identity, noted

log = logging.getLogger(__name__)

_INSERT = "INSERT INTO actions VALUES (?, ?, ?, ?)"
_INSERT_PAST = "INSERT INTO past VALUES (?, ?, ?, ?)"

Told = list[dict[str, Any]]
"""Actions as JSON objects."""


class Person(NamedTuple):
    """Somebody who played before, with the colour they had."""

    name: str
    colour: int


class Journal(Closing):
    """The open journal. All methods may be called from any thread; use it with ``with``.

    ``notice`` is a sentence for the page when a damaged file was set aside, or when taps that were
    stored have gone, else None. ``missing`` is how many have.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice: str | None = None
        self.missing = 0
        self._lock = threading.RLock()
        self._closed = False
        self._count = self._game = self._past = 0
        self._files: tuple[object, object] = (None, None)
        self._witness = Witness(path)
        stored = noted(path)
        self._connection = self._open()
        self._look()
        if self.notice is None and stored > self._count + self._past:
            self.missing = stored - self._count - self._past
            self.notice = journalfile.lost(path, self.missing)
        self._note()

    @classmethod
    def open(cls, path: str | Path) -> Journal:
        """Open the journal of this file, begun anew where there is none.

        A file that cannot be trusted is set aside under another name. Raises JournalTrouble,
        a sentence, when the disk does not let us read or write.
        """
        return cls(Path(path))

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        with self._lock:
            self._closed = True
            self._connection.close()
            self._witness.close()

    @property
    def count(self) -> int:
        """How many actions are stored."""
        return self._count

    @property
    def past_count(self) -> int:
        """How often something was told of past games."""
        return self._past

    def append(self, action: Mapping[str, Any], once: str | None = None) -> None:
        """Store one action; when this returns it survives the plug being pulled.

        ``once`` is stored in the same transaction. Raises JournalTrouble when nothing was stored.
        """
        with self._lock:
            row = self._row(action, self._count, self._game, once)
            self.run(_INSERT, row)
            self._count, self._game = row[:2]
            self._note()

    def append_all(self, actions: Sequence[Mapping[str, Any]], once: str | None = None) -> None:
        """Store several actions in one transaction: all of them or none.

        ``once`` is the key of them all. Raises JournalTrouble when nothing was stored.
        """
        with self._lock:
            n, game = self._count, self._game
            rows: list[tuple[int, int, str, str | None]] = []
            for action in actions:
                rows.append(self._row(action, n, game, None if rows else once))
                n, game = rows[-1][:2]
            self._all(_INSERT, rows)
            self._count, self._game = n, game
            self._note()

    def append_past(
        self, told: Sequence[tuple[int, str | Sequence[Mapping[str, Any]]]], once: str | None = None
    ) -> None:
        """Store what was told of past games, by their numbers: all of it or nothing.

        The actions of one may come as ``written`` gave them.

        A game played here has the number of its start, from 1; an imported one a number below 0
        of its own, chosen by who stores it. Raises JournalTrouble when nothing was stored.
        """
        with self._lock:
            rows: list[tuple[int, int, str, str | None]] = []
            for n, (game, actions) in enumerate(told, start=self._past + 1):
                text = actions if isinstance(actions, str) else _text(list(actions))
                rows.append((n, game, text, None if rows else once))
            self._all(_INSERT_PAST, rows)
            self._past += len(rows)
            self._note()

    @staticmethod
    def written(actions: Iterable[Mapping[str, Any]]) -> str:
        """Actions as they are stored of a past game: much of it is better written beforehand."""
        return _text(list(actions))

    def past(self, after: int = 0) -> list[tuple[int, Told]]:
        """All that was told of past games, in order, each with the number of its game.

        ``after`` leaves out so many that were read before. Raises Damaged where it cannot be read.
        """
        rows = self._rows("SELECT n, game, actions FROM past WHERE n > ? ORDER BY n", after)
        return [_told(row, place) for place, row in enumerate(rows, start=after + 1)]

    @staticmethod
    def _row(
        action: Mapping[str, Any], count: int, game: int, once: str | None
    ) -> tuple[int, int, str, str | None]:
        """What is stored of an action that follows ``count`` others, the last of this game."""
        return count + 1, game + (action["action"] == "start_game"), _text(action), once

    def settle(self, once: str) -> None:
        """Remember the key of an action that was accepted and changed nothing."""
        self.run("INSERT INTO settled VALUES (?)", (once,))

    def knows(self, once: str) -> bool:
        """Whether an action with this key was accepted before."""
        found = self.run(
            "SELECT 1 FROM actions WHERE once = ? UNION ALL SELECT 1 FROM settled WHERE once = ?"
            " UNION ALL SELECT 1 FROM past WHERE once = ?",
            (once, once, once),
        )
        return bool(found)

    def place_of(self, once: str) -> int | None:
        """The number of the action that was stored under this key, None for no such action."""
        found = self.run("SELECT n FROM actions WHERE once = ?", (once,))
        return int(found[0][0]) if found else None

    def actions(self, after: int = 0) -> list[dict[str, Any]]:
        """All stored actions in order, without the first so many. Raises Damaged where they are
        not a whole sequence."""
        rows = self._rows("SELECT n, action FROM actions WHERE n > ? ORDER BY n", after)
        return [_action(row, place) for place, row in enumerate(rows, start=after + 1)]

    def _rows(self, sql: str, after: int) -> list[tuple[Any, ...]]:
        """The rows found. Raises Damaged where the file is."""
        try:
            return self.run(sql, (after,))
        except JournalTrouble as trouble:
            if isinstance(trouble.__cause__, sqlite3.Error) and is_damage(trouble.__cause__):
                raise Damaged(say("could not be read")) from trouble
            raise

    def set_aside(self, why: str) -> None:
        """Keep the file under another name, begin a new one and say so in ``notice``."""
        with self._lock:
            self._connection.close()
            self.notice = journalfile.set_aside(self.path, why)
            self._connection = self._open()
            self._look()
            self._note()

    def remember(self, names: Sequence[str], colours: Sequence[int]) -> None:
        """Keep the people of a game with their colours, for the next evening's choice."""
        if len(names) != len(colours):
            raise ValueError("each name needs one colour")
        with self._lock:
            used = self.run("SELECT coalesce(max(used), 0) + 1 FROM people")[0][0]
            people = [(n.casefold(), n, c, used) for n, c in zip(names, colours, strict=True)]
            self._all("INSERT OR REPLACE INTO people VALUES (?, ?, ?, ?)", people)

    def remembered(self) -> list[Person]:
        """The people who played before, those of the latest game first."""
        rows = self.run("SELECT shown, colour FROM people ORDER BY used DESC, name")
        return [Person(name, colour) for name, colour in rows]

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """One statement under the lock, durable when it returns; gives the rows it found.

        For the parts that keep their own table here. Raises JournalTrouble, a sentence.
        """
        with self._lock:
            if self._closed:
                raise JournalTrouble(
                    say("The companion is closing: start it again, then try again.")
                )
            if not (sql.startswith("SELECT") or self._connection.in_transaction):
                self._hold_on()
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise journalfile.trouble(error) from error

    def _all(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """The same statement for several rows: all of them or none."""
        self.run("BEGIN IMMEDIATE")
        try:
            for row in rows:
                self.run(sql, row)
            self.run("COMMIT")
        except JournalTrouble:
            self._connection.rollback()
            raise

    def _open(self) -> sqlite3.Connection:
        try:
            return journalfile.open_file(self.path)
        except Damaged as damage:
            self.notice = journalfile.set_aside(self.path, str(damage))
            return journalfile.open_file(self.path)

    def _look(self) -> None:
        """See how much there is, and in which files."""
        row = self.run("SELECT count(*), coalesce(max(game), 0) FROM actions")[0]
        self._count, self._game = int(row[0]), int(row[1])
        self._past = int(self.run("SELECT count(*) FROM past")[0][0])
        self._files = self._identities()

    def _note(self) -> None:
        self._witness.note(self._count + self._past)

    def _identities(self) -> tuple[object, object]:
        return identity(self.path), identity(journalfile.log_of(self.path))

    def _hold_on(self) -> None:
        """Before something is stored: see that it goes where the next start will look for it.

        A log that was removed from under us is poured into the file, as long as we still have it.
        Raises JournalTrouble where the file itself has gone.
        """
        try:
            now = self._identities()
        except OSError:
            return  # whether anything can be stored is then for SQLite to find out
        if now == self._files:
            return
        if now[0] != self._files[0]:
            raise JournalTrouble(journalfile.MOVED)
        log.warning("the log of %s was removed while it was in use", self.path)
        try:
            if self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise JournalTrouble(journalfile.BUSY)
            self._connection.close()
            self._connection = journalfile.open_file(self.path)
            self._look()
        except sqlite3.Error as error:
            raise journalfile.trouble(error) from error
        except Damaged as damage:
            raise JournalTrouble(journalfile.DAMAGED) from damage


def _text(told: object) -> str:
    return json.dumps(told, separators=(",", ":"))


def _read(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None


def _action(row: tuple[Any, ...], place: int) -> dict[str, Any]:
    """The action of one row, which must stand at its place."""
    n, text = row
    action = _read(text)
    if n != place or not isinstance(action, dict):
        raise Damaged(say("had lost action %(n)s", n=place))
    return action


def _told(row: tuple[Any, ...], place: int) -> tuple[int, Told]:
    """What one row tells of a past game."""
    n, game, text = row
    told = _read(text)
    if n != place or not isinstance(told, list) or not isinstance(game, int):
        raise Damaged(say("had lost entry %(n)s of the past games", n=place))
    return game, told
