"""The kept games as the journal has them: worked out when somebody asks, and none of it twice.

Reads only what the journal has gone on since the last time. Changes nothing and knows no lock but
its own, so that no tap waits for a long list. A past game that the rules no longer take, or that
cannot be read, is left out and logged; the others are there all the same.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence

from companion.actions import Action, parse_action
from companion.errors import RuleBroken
from companion.journal import Journal
from companion.journalfile import Damaged
from companion.kept import DELETED, KeptGame, game_of, in_order, is_deletion, is_start

log = logging.getLogger(__name__)

CHECKED = "past-checked"
"""The choice under which the journal notes how much of its past was played through."""

_DELETION = Journal.written([{"action": DELETED}]).rstrip("]}")
"""How a deletion begins in the journal."""


class Shelf:
    """Every game of one journal. Safe from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._working = threading.Lock()
        self._count = self._past = self._latest = 0
        self._told: dict[int, tuple[Action, ...]] = {}
        self._starts: dict[int, int] = {}
        self._deleted: set[int] = set()
        self._found: dict[int, KeptGame | None] = {}
        self._games: list[KeptGame] = []

    @property
    def lowest(self) -> int:
        """The lowest number that a game has, 0 where none was imported."""
        return min(0, *self._told, 0)

    def games(self) -> list[KeptGame]:
        """Every game, the one told of last at the end."""
        with self._working:
            if (self._count, self._past) != (self._journal.count, self._journal.past_count):
                self._work_out(self._read())
            return self._games

    def deleted(self) -> frozenset[int]:
        """Where in the journal the games were started that have been deleted since.

        Asks the file alone: a long past need not be played through for it.
        """
        rows = self._journal.run(
            "SELECT min(n) FROM actions WHERE game < (SELECT max(game) FROM actions) AND game IN "
            "(SELECT game FROM past WHERE substr(actions, 1, ?) = ?) GROUP BY game",
            (len(_DELETION), _DELETION),
        )
        return frozenset(int(row[0]) for row in rows)

    def put(self, told: Sequence[tuple[int, Sequence[Action]]], known: Iterable[KeptGame]) -> None:
        """What has just been stored of past games need not be read: it was played through."""
        with self._working:
            if self._past + len(told) != self._journal.past_count:
                return  # somebody asked in between, and has read it
            self._past += len(told)
            for number, actions in told:
                self._told[number] = (*self._told.get(number, ()), *actions)
            new = {game.number: game for game in known}
            self._found |= new
            self._work_out({number for number, _actions in told} - new.keys())

    def check(self) -> None:
        """At the start: play the past through unless that was done. Raises RuleBroken, Damaged.

        What is taken in later is played through before it is stored, so a long past costs a start
        nothing.
        """
        done = self._journal.run("SELECT value FROM choices WHERE name = ?", (CHECKED,))
        if self._journal.past_count and done != [(str(self._journal.past_count),)]:
            with self._working:
                self._work_out(self._read(strict=True), strict=True)
            self.checked()

    def checked(self) -> None:
        """Note that all that is stored of past games makes sense."""
        noted = (CHECKED, str(self._journal.past_count))
        self._journal.run("INSERT OR REPLACE INTO choices VALUES (?, ?)", noted)

    def _read(self, *, strict: bool = False) -> set[int]:
        """Take in what is new in the journal; the numbers of the games that it is about."""
        new: dict[int, list[Action]] = defaultdict(list)
        for said in self._journal.actions(self._count):
            self._count += 1
            if not self._latest or is_start(said):
                self._latest += 1
                self._starts[self._latest] = self._count
            new[self._latest].append(parse_action(said))
        try:
            for number, told in self._journal.past(self._past):
                self._past += 1
                if is_deletion(told) and number < self._latest:
                    self._deleted.add(number)
                    new[number].clear()
                else:
                    new[number].extend(map(parse_action, told))
        except (Damaged, RuleBroken) as trouble:
            if strict:
                raise
            log.error("the past games cannot be read: %s", trouble)
            self._past = self._journal.past_count
        for number, actions in new.items():
            self._told[number] = (*self._told.get(number, ()), *actions)
        for number in self._deleted & new.keys():
            self._told[number] = ()
        return set(new)

    def _work_out(self, numbers: Iterable[int], *, strict: bool = False) -> None:
        """Play these games through, and see how all of them stand."""
        for number in numbers:
            try:
                game = game_of(number, self._told[number], self._starts.get(number))
            except RuleBroken as refusal:
                if strict:
                    raise
                log.error("game %s cannot be played through: %s", number, refusal)
                game = None
            self._found[number] = game
        self._games = in_order(filter(None, self._found.values()), self._latest)
