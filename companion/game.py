"""The game: journal and table under one lock; the only thing here that changes.

An action is accepted by the rules, stored durably, and only then shown to anybody. Knows no
pages, lamps or cameras: who wants to hear of a new table listens.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from companion.actions import Action, parse_action
from companion.choices import Choices
from companion.closing import Closing
from companion.errors import JournalTrouble, NotAnAction, RuleBroken
from companion.houserules import HouseRules
from companion.intake import Intake, Told, taken_in
from companion.journal import Journal
from companion.journalfile import Damaged
from companion.kept import DELETED, KeptGame, amended, deletable, find, once_more, resumable
from companion.listening import Listener
from companion.saying import say
from companion.shelf import Shelf
from companion.since import Since, since
from companion.table import Table, replay

log = logging.getLogger(__name__)

LONGEST_KEY = 200
"""Letters of a ``once`` key at most."""


class Stale(RuleBroken):
    """The sender saw an older table than the one there is now: the one of revision ``seen``."""

    def __init__(self, sentence: str, seen: int = 0) -> None:
        super().__init__(sentence)
        self.seen = seen


class Game(Closing):
    """One journal's games, of which the latest is at the table. Safe from any thread.

    Owns the journal from here on and closes it. ``clock`` gives the time that is stamped on
    actions that carry none.
    """

    def __init__(
        self, journal: Journal, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._playing = threading.Lock()
        self._changed = threading.Condition()
        self._listeners: list[Listener[Table]] = []
        self._closed = False
        self._shelf = Shelf(journal)
        self._table = self._replayed()
        self.house_rules = HouseRules(journal)
        self.choices = Choices(journal)

    def _replayed(self) -> Table:
        """The table of the journal; one that no longer makes sense is set aside for a new one."""
        journal = self._journal
        try:
            table = replay(journal.actions())
            if table.revision != journal.count:
                raise Damaged(say("holds an action that changes nothing"))
            self._shelf.check()
            return table
        except RuleBroken as refusal:
            log.warning("the journal does not replay: %s", refusal)
            journal.set_aside(say("holds an action that the rules refuse"))
        except Damaged as damage:
            journal.set_aside(str(damage))
        self._shelf = Shelf(journal)
        return Table.empty()

    @property
    def table(self) -> Table:
        """The newest table; it never changes itself."""
        return self._table

    @property
    def notice(self) -> str | None:
        """A sentence for the page, when a damaged journal was set aside at the start."""
        return self._journal.notice

    @property
    def closed(self) -> bool:
        """Whether the game is shutting down, so that those who wait can leave."""
        return self._closed

    def play(
        self,
        action: Action | dict[str, Any],
        *,
        revision: int | None = None,
        once: str | None = None,
    ) -> Table:
        """Accept an action, store it and give the table after it.

        ``revision`` is the one the sender saw: if the table has gone on since, Stale is raised.
        ``once`` is a key of the sender's own: an action that was accepted under it before is not
        played again, and the table as it was right after it is given. Raises RuleBroken when the
        rules refuse, JournalTrouble when nothing could be stored; either way nothing has changed
        and the key may be used again.
        """
        with self._playing:
            if once is not None and self._knows(once):
                return self._first_answer(once)
            self._check_seen(revision)
            return self._accept(self._stamped(parse_action(action)), once)

    def ready(self, patience: float = 5.0) -> bool:
        """Whether a tap would be taken now, or within so many seconds."""
        if not self._playing.acquire(timeout=patience):
            return False
        self._playing.release()
        return True

    def kept(self) -> list[KeptGame]:
        """Every game here, those played and those imported; the one told of last at the end."""
        return self._shelf.games()

    def since(self, revision: int) -> Since:
        """What has been done and taken back since the table had this revision."""
        return since(map(parse_action, self._journal.actions()), revision)

    def amend(
        self,
        number: int,
        action: Action | dict[str, Any],
        *,
        seen: int | None = None,
        once: str | None = None,
    ) -> None:
        """Put something right in a finished game that is not at the table: correct, or undo that.

        The table and its revision stay as they are. ``seen`` is how many actions of the game the
        sender saw: if more were told since, Stale is raised. ``once`` as in ``play``. Raises
        RuleBroken when the rules refuse, JournalTrouble when nothing could be stored.
        """
        self.kept()  # a long list is worked out before, so that no tap waits for it
        with self._playing:
            if self._knows(once):
                return
            action, kept = self._stamped(parse_action(action)), self.kept()
            _check_same(find(kept, number), seen)
            amended(kept, number, action)
            self._journal.append_past([(number, [action.to_json()])], once)
            self._note_checked()

    def delete(self, number: int, *, seen: int | None = None, once: str | None = None) -> None:
        """Let a past game be there no more, nor those that it had taken up again.

        What was told of them stays in the journal, with the word that they are deleted. ``seen``
        and ``once`` as in ``amend``. Raises RuleBroken for a game at the table and for none,
        JournalTrouble when nothing could be stored.
        """
        self.kept()
        with self._playing:
            if self._knows(once):
                return
            kept = self.kept()
            _check_same(find(kept, number), seen)
            told = [{"action": DELETED, "at": self._now()}]
            self._journal.append_past([(each, told) for each in deletable(kept, number)], once)
            self._note_checked()

    def deleted(self) -> frozenset[int]:
        """Where in the journal the games were started that have been deleted since."""
        return self._shelf.deleted()

    def take_in(self, games: Iterable[KeptGame], *, once: str | None = None) -> Intake:
        """Keep games from elsewhere beside those here; none of them comes to the table.

        Either all of it is stored or nothing; under a key that was accepted before nothing is.
        All that takes long is done before the table is held up. Raises JournalTrouble.
        """
        games = list(games)
        counts = self._journal.count, self._journal.past_count
        intake = taken_in(self.kept(), games, self._shelf.lowest)
        written = _written(intake.told)
        with self._playing:
            if counts != (self._journal.count, self._journal.past_count):
                intake = taken_in(self.kept(), games, self._shelf.lowest)
                written = _written(intake.told)
            if written and not self._knows(once):
                self._journal.append_past(written, once)
                self._shelf.put(intake.told, intake.new)
                self._note_checked()
            return intake

    def _note_checked(self) -> None:
        """What was just stored was played through: the next start need not do it again."""
        try:
            self._shelf.checked()
        except JournalTrouble as trouble:
            log.warning("the next start will take longer: %s", trouble)

    def resume(
        self,
        number: int,
        *,
        overrule: bool = False,
        revision: int | None = None,
        once: str | None = None,
    ) -> Table:
        """Take up the game of this number again: its actions are stored anew as a new game.

        ``overrule`` sets a game aside that is still being played; it can be taken up again like
        any other. ``revision`` and ``once`` as in ``play``. Raises RuleBroken for a game that
        cannot go on, JournalTrouble when nothing could be stored; nothing has changed then.
        """
        self.kept()
        with self._playing:
            if self._knows(once):
                return self._table
            self._check_seen(revision)
            actions = once_more(resumable(self.kept(), number))
            state, table = self._table.state, self._table
            if state is not None and state.phase != "finished" and not overrule:
                raise RuleBroken(
                    say("A game is still being played: set it aside to go on with that one."),
                    overrulable=True,
                )
            for action in actions:
                table = table.after(action)
            self._journal.append_all([action.to_json() for action in actions], once)
            return self._show(table)

    def _first_answer(self, once: str) -> Table:
        """The table after the action that was accepted under this key."""
        place = self._journal.place_of(once)
        if place is None or place == self._table.revision:
            return self._table
        return replay(self._journal.actions()[:place])

    def _knows(self, once: str | None) -> bool:
        """Whether what is asked under this key was accepted before."""
        if once is None:
            return False
        _check_key(once)
        return self._journal.knows(once)

    def _check_seen(self, revision: int | None) -> None:
        if revision is not None and revision != self._table.revision:
            raise Stale(
                say("Somebody else tapped in the meantime: look at the table again, then repeat."),
                revision,
            )

    def _stamped(self, action: Action) -> Action:
        if action.at is not None:
            return action
        return replace(action, at=self._now())

    def _now(self) -> str:
        return self._clock().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _accept(self, action: Action, once: str | None) -> Table:
        table = self._table.after(action)
        if table is self._table:
            if once is not None:
                self._journal.settle(once)
            return table
        self._journal.append(action.to_json(), once)
        return self._show(table)

    def _show(self, table: Table) -> Table:
        """Let everybody see the table whose actions are stored."""
        with self._changed:
            self._table = table
            self._changed.notify_all()
            for listener in self._listeners:
                listener.tell(table)
        return table

    def listen(self, callback: Callable[[Table], None]) -> None:
        """Call back with the table now and with each newest one, in a thread of its own.

        A callback that is slow skips tables; one that raises is logged. Neither delays a tap.
        """
        listener = Listener(callback)
        with self._changed:
            self._listeners.append(listener)
            listener.tell(self._table)

    def wait(self, revision: int, seconds: float) -> Table:
        """The table as soon as its revision is another, or after ``seconds``, or at closing."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._table.revision != revision, seconds
            )
            return self._table

    def close(self) -> None:
        """Wake those who wait, stop the listeners and close the journal. Twice does no harm."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener.stop()
        with self._playing:
            self._journal.close()


def _written(told: Iterable[Told]) -> list[tuple[int, str]]:
    return [(n, Journal.written(each.to_json() for each in run)) for n, run in told]


def _check_same(game: KeptGame, seen: int | None) -> None:
    if seen not in (None, len(game.actions)):
        raise Stale(
            say("Somebody else corrected this game in the meantime: look at it again."), seen or 0
        )


def _check_key(once: object) -> None:
    if not (isinstance(once, str) and once.isascii() and 0 < len(once) <= LONGEST_KEY):
        raise NotAnAction(
            say("once must be a key of 1 to %(most)s plain letters and digits.", most=LONGEST_KEY)
        )
