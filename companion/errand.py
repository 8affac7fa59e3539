"""An errand: something done in a thread of its own whenever the table has come somewhere else.

Knows no journal and no photo: what is done, and where the table is, others say.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable

from companion.closing import Closing
from companion.game import Game
from companion.table import Table

log = logging.getLogger(__name__)

_PATIENCE = 1.0
"""Seconds that ``close`` waits for one that is under way."""


class Errand(Closing):
    """Runs one errand at the start and at every news; use it with ``with``.

    ``where`` tells where a table is: another answer than before is news, and None is none. ``run``
    is the errand, never begun twice at once; ``every`` so many seconds it runs without news too.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        where: Callable[[Table], Hashable],
        run: Callable[[], None],
        *,
        every: float | None = None,
    ) -> None:
        self._where, self._run, self._every = where, run, every
        self._news = threading.Event()
        self._stopping = self._began = False
        self._seen: Hashable = None
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()
        game.listen(self._look)

    def close(self) -> None:
        """Run no more."""
        self._stopping = True
        self._news.set()
        self._thread.join(_PATIENCE)

    def _look(self, table: Table) -> None:
        now = self._where(table)
        if not self._began or (now is not None and now != self._seen):
            self._began, self._seen = True, now
            self._news.set()

    def _work(self) -> None:
        while True:
            self._news.wait(self._every)
            self._news.clear()
            if self._stopping:
                return
            try:
                self._run()
            except Exception:  # the thread's own outermost edge: the next errand must still be run
                log.exception("the errand of the %s failed", self._thread.name)
