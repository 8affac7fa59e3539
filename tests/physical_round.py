"""One round of real tiles on a real table: dealt, drawn, laid, covered, played out or blocked.

Knows nothing of the product: it plays by its own few lines of each rule system and tells what
was done as the actions of an evening, with what the table should then show in between.
"""

from __future__ import annotations

import random

from physical_rules import MEXICAN, Domino, Line, System, Told, written


class Round:
    """A round being played; ``hands`` and ``out`` are what is left of it at the end."""

    def __init__(
        self,
        chance: random.Random,
        system: System,
        people: list[str],
        highest: int,
        engine: int,
        hand: int,
        told: Told,
        talkative: bool,
    ) -> None:
        self.chance, self.system, self.people = chance, system, people
        self.engine, self.told, self.talkative = (engine, engine), told, talkative
        self.boneyard = [(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
        self.size = highest + 1
        if system.laid_first:
            self.boneyard.remove(self.engine)
        chance.shuffle(self.boneyard)
        self.hands = {p: [self.boneyard.pop() for _ in range(hand)] for p in people}
        self.lines = {train: Line(engine) for train in (*people, MEXICAN)}
        self.laid = {self.engine}
        self.doubles: list[tuple[int, str, str]] = []
        self.begun: list[str] = []
        self.knocked: list[str] = []
        self.out: list[str] = []
        self.blocked = False
        self.passes = 0

    def play(self) -> None:
        """From the engine to the moment when the tiles left are counted."""
        at_turn = self.people.index(self._begin())
        fresh = set(self.people)
        while True:
            player = self.people[at_turn]
            self._say_turn(player, opening=player in fresh)
            before = len(self.laid)
            self._turn(player, player in fresh)
            fresh.discard(player)
            moved = len(self.laid) > before
            self.passes = 0 if moved or self.boneyard else self.passes + 1
            if not self.hands[player]:
                self.out.append(player)
                self.told.act("go_out", player=player)
            if self.out and not (self.system.whole_train and fresh):
                break
            if self.passes >= len(self.people) and not fresh:
                self.blocked = True
                self.told.act("block")
                break
            at_turn = (at_turn + 1) % len(self.people)
        self._say_end()

    # The engine and who starts

    def _begin(self) -> str:
        starter = self.chance.choice(self.people) if self.system.laid_first else self._holder()
        if starter is not None:
            self.told.act("open_round", engine=written(self.engine), starter=starter)
        else:
            self.told.act("open_round")
            starter = self._hunt()
            self.told.act("turn", player=starter)
        if not self.system.laid_first:
            self.hands[starter].remove(self.engine)
        return starter

    def _holder(self) -> str | None:
        return next((p for p in self.people if self.engine in self.hands[p]), None)

    def _hunt(self) -> str:
        """Nobody holds the engine: draw, one after the other or all, until somebody does."""
        while True:
            for player in self.people:
                if self.boneyard:
                    self._draw(player, always_tell=True)
                if self._holder() is not None and not self.system.everybody_hunts:
                    break
            found = self._holder()
            if found is not None:
                return found

    # A turn

    def _turn(self, player: str, opening: bool) -> None:
        if not self.hands[player]:
            return
        self._knock(player)
        if opening and self.system.whole_train:
            return self._open_whole(player)
        owed = self._owed(player)
        if owed is not None:
            return self._cover(player, owed)
        moves = self._moves(player, opening)
        if not moves and (self.system.draws_in_opening or not opening):
            moves = self._moves_with_drawn(player, opening)
        if moves:
            self._lay(player, *self.chance.choice(moves))
            self._go_on(player, opening)
        else:
            self._mark(player)

    def _open_whole(self, player: str) -> None:
        """One's whole first train, as far as it goes."""
        while fitting := self._fitting(player, player):
            self._lay(player, self.chance.choice(fitting), player)
        if not self.lines[player].begun:
            self._mark(player)

    def _owed(self, player: str) -> tuple[int, str, str] | None:
        """The double this player must cover now."""
        own = all(laid_by == player for _, _, laid_by in self.doubles)
        if not self.doubles or (own and not self.system.every_player_covers):
            return None
        return self.doubles[0]

    def _cover(self, player: str, owed: tuple[int, str, str]) -> None:
        fitting = self._fitting(player, owed[1])
        if not fitting and self.boneyard:
            self._draw(player)
            fitting = self._fitting(player, owed[1])
        if fitting:
            self._lay(player, self.chance.choice(fitting), owed[1])
        else:
            self._mark(player)

    def _go_on(self, player: str, opening: bool) -> None:
        """After a double one more tile: on it where it fits, else wherever one may play."""
        mine: list[str] = []
        while self.hands[player] and self._newest_is_double:
            mine.append(self.newest[1])
            moves = [(tile, mine[0]) for tile in self._fitting(player, mine[0])]
            if not moves and len(mine) == 1:
                moves = self._moves(player, opening) or self._moves_with_drawn(player, opening)
            if not moves:
                return self._mark(player)
            self._lay(player, *self.chance.choice(moves))

    @property
    def _newest_is_double(self) -> bool:
        tile, train = self.newest
        return tile[0] == tile[1] and any(train == double[1] for double in self.doubles)

    def _moves(self, player: str, opening: bool) -> list[tuple[Domino, str]]:
        trains = [player, *self.system.opening_trains]
        if not opening:
            trains = [p for p in self.people if p == player or self.lines[p].marked] + [MEXICAN]
        return [(tile, train) for train in trains for tile in self._fitting(player, train)]

    def _moves_with_drawn(self, player: str, opening: bool) -> list[tuple[Domino, str]]:
        if not self.boneyard:
            return []
        self._draw(player)
        return self._moves(player, opening)

    def _fitting(self, player: str, train: str) -> list[Domino]:
        return [tile for tile in self.hands[player] if self.lines[train].end in tile]

    # What hands do

    def _draw(self, player: str, always_tell: bool = False) -> None:
        self.hands[player].append(self.boneyard.pop())
        if self.talkative or always_tell:
            self.told.act("draw", player=player)

    def _mark(self, player: str) -> None:
        if not self.lines[player].marked or self.chance.random() < 0.1:
            self.told.act("mark", train=player)
        self.lines[player].marked = True

    def _lay(self, player: str, tile: Domino, train: str) -> None:
        line = self.lines[train]
        self.hands[player].remove(tile)
        self.laid.add(tile)
        covered = [double for double in self.doubles if double[1] == train]
        self.newest = (tile, train)
        if tile[0] == tile[1]:
            self.doubles.append((tile[0], train, player))
            self.told.act("lay_double", train=train, value=tile[0], player=player)
        elif covered:
            self.doubles.remove(covered[0])
            self.told.act("cover", train=train, player=player)
        elif self.talkative:
            self.told.act("play", train=train, tile=f"{tile[1]}-{tile[0]}", player=player)
        elif not line.begun:
            self._say_begun(train)
        line.end = sum(tile) - line.end
        if not line.begun:
            line.begun = True
            self.begun.append(train)
        self._after_laying(player, train)

    def _say_begun(self, train: str) -> None:
        if train == MEXICAN:
            self.told.act("start_mexican_train")
        else:
            self.told.act("start_train", player=train)

    def _after_laying(self, player: str, train: str) -> None:
        """A marker may come down, one tile may be left, a double may be past covering."""
        if train == player and self.lines[player].marked:
            self.lines[player].marked = False
            self.told.act("unmark", train=player)
        self._knock(player)
        for double in list(self.doubles):
            value, where, _ = double
            if sum(value in tile for tile in self.laid) == self.size:
                self.doubles.remove(double)
                self.told.act("release", train=where)

    def _knock(self, player: str) -> None:
        if len(self.hands[player]) == 1 and player not in self.knocked:
            self.knocked.append(player)
            self.told.act("knock", player=player)

    # What is told and should be seen

    def _say_turn(self, player: str, opening: bool) -> None:
        if not self.talkative:
            return
        self.told.act("turn", player=player)
        to_cover = player
        if self._owed(player) is None:
            following = self.people[(self.people.index(player) + 1) % len(self.people)]
            to_cover = following if self.doubles else None
        self.told.show(turn=player, nudges=[], to_cover=to_cover, boneyard=len(self.boneyard))

    def _say_end(self) -> None:
        seen = {
            "open_trains": [p for p in self.people if self.lines[p].marked],
            "mexican_train": self.lines[MEXICAN].begun,
            "started": self.begun,
            "open_doubles": [
                {"double": f"{value}-{value}", "train": train, "player": player}
                for value, train, player in self.doubles
            ],
            "knocked": self.knocked,
            "went_out": self.out,
            "blocked": self.blocked,
            "nudges": [],
        }
        if self.talkative:
            seen["boneyard"] = len(self.boneyard)
        self.told.show(**seen)
