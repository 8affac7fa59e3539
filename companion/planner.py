"""The best opening train from a hand: the longest one, or the one that leaves the fewest pips.

The values are places and the tiles are ways between two places, so a train is a walk from the
engine that uses no tile twice. Instead of trying walks, the search asks which tiles to leave out.
What is laid must hang together with the engine, and every value except the two ends of the train
must stand on an even number of halves (doubles aside). The cheapest tiles whose removal puts the
halves right are found exactly, by pairing up the values with an odd number of halves along the
cheapest ways. Where they cut off a part of the hand, or leave a double with nothing to follow it,
the question splits into smaller ones, the most promising first; the first answer that is a real
train is then the best one.

Knows no clock, no pages and no other player's tiles: whether the time is over is asked of the
caller, and a tile that does not fit the engine's set is the caller's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import Literal

from companion.dominoes import Tile
from companion.errors import Trouble
from companion.pairing import NEVER, Ways, bits
from companion.saying import say

Goal = Literal["tiles", "pips"]

Ends = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """A train as it is laid from the engine, each tile's inner end first, and what is left."""

    train: tuple[Ends, ...]
    left: tuple[Tile, ...]
    exact: bool
    """False when the time was over before this was known to be the best."""

    @property
    def tiles(self) -> int:
        """How many tiles the train has."""
        return len(self.train)

    @property
    def pips_left(self) -> int:
        """The plain pips left in hand: the 0-0 has none, whatever the house rules charge."""
        return sum(tile.pips for tile in self.left)


def best_train(
    hand: Iterable[Tile],
    engine: Tile,
    *,
    goal: Goal = "tiles",
    double_rule: bool = True,
    hurry: Callable[[], bool] = lambda: False,
    progress: Callable[[Plan], None] = lambda plan: None,
) -> Plan:
    """The longest train from the engine, or with ``goal="pips"`` the one that leaves least.

    Ties of one goal are settled by the other. With ``double_rule`` the train never ends on a
    double while tiles remain in hand. ``hurry`` is asked between the steps of the search
    (a few milliseconds each) whether the time is over; then the best train found so far is given,
    with ``exact`` false. ``progress`` is told each better train on the way. Raises Trouble when
    the engine is no double, lies in the hand, or a tile is given twice.
    """
    tiles = _checked(hand, engine)
    search = _Search(tiles, engine.low, goal, double_rule)

    def plan(exact: bool) -> Plan:
        laid, train = search.best_tiles, []
        if laid:
            train = _walk([tiles[n] for n in bits(laid)], engine.low)
        left = tuple(tile for n, tile in enumerate(tiles) if not laid >> n & 1)
        return Plan(tuple(train), left, exact)

    for better in search.steps():
        if better:
            progress(plan(exact=False))
        if hurry():
            return plan(exact=search.over)
    return plan(exact=True)


def _checked(hand: Iterable[Tile], engine: Tile) -> tuple[Tile, ...]:
    """The hand in order; Trouble for what cannot be a hand beside this engine."""
    if not engine.is_double:
        raise Trouble(say("The %(tile)s is no engine: name a double like 12-12.", tile=engine))
    tiles = tuple(sorted(hand))
    for tile, following in zip(tiles, tiles[1:]):
        if tile == following:
            raise Trouble(
                say(
                    "The %(tile)s is given twice: every tile exists once, so name it once.",
                    tile=tile,
                )
            )
    if engine in tiles:
        raise Trouble(
            say(
                "The %(tile)s lies in the hub as the engine: leave it out of the hand.", tile=engine
            )
        )
    return tiles


def _walk(tiles: Iterable[Tile], start: int) -> list[Ends]:
    """Lay out tiles that are known to make one train from ``start``; a double goes in early."""
    ways: dict[int, list[Tile]] = {}
    doubles = set()
    for tile in tiles:
        if tile.is_double:
            doubles.add(tile.low)
        else:
            ways.setdefault(tile.low, []).append(tile)
            ways.setdefault(tile.high, []).append(tile)
    gone: set[Tile] = set()
    stops, path = [], [start]
    while path:
        onward = ways.get(path[-1], [])
        while onward and onward[-1] in gone:
            onward.pop()
        if onward:
            tile = onward.pop()
            gone.add(tile)
            path.append(tile.low + tile.high - path[-1])
        else:
            stops.append(path.pop())
    train, here = [], start
    for there in reversed(stops[:-1]):
        train.append((here, there))
        if there in doubles:
            doubles.remove(there)
            train.append((there, there))
        here = there
    return train


@dataclass(frozen=True, slots=True)
class _Question:
    """The best train that ends on the value ``end``, within ``tiles`` and with all of ``kept``.

    The sets of tiles are bit masks over the hand in order; ``kept`` are never doubles.
    """

    end: int
    tiles: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class _Guess:
    """The answer if nothing but the halves mattered: no train of the question is worth more."""

    question: _Question
    worth: int
    out: int
    """The tiles left out to put the halves right."""


class _Search:
    """Answers one hand: questions by their promise, the best train found so far beside them."""

    def __init__(self, hand: tuple[Tile, ...], start: int, goal: Goal, double_rule: bool) -> None:
        self._hand, self._start, self._double_rule = hand, start, double_rule
        self._size = max(start, *(tile.high for tile in hand), 0) + 1
        pips = [tile.pips for tile in hand]
        if goal == "tiles":
            self._worth = [sum(pips) + 1 + n for n in pips]
        else:
            self._worth = [n * (len(hand) + 1) + 1 for n in pips]
        self._touching = [0] * self._size
        self._doubles = 0
        for n, tile in enumerate(hand):
            self._touching[tile.low] |= 1 << n
            self._touching[tile.high] |= 1 << n
            self._doubles |= int(tile.is_double) << n
        self._ways = lru_cache(maxsize=256)(self._find_ways)
        self._open: list[tuple[int, int, _Guess]] = []
        self._asked = 0
        self.best_tiles = 0
        self._best_worth = 0

    @property
    def over(self) -> bool:
        """Whether no open question promises more than the best train found."""
        return not self._open or -self._open[0][0] <= self._best_worth

    def steps(self) -> Iterator[bool]:
        """Search on, a few milliseconds a step; each tells whether it found a better train.

        The first step looks at every end once, so it finds some train if one can start.
        """
        everything = (1 << len(self._hand)) - 1
        ends = {self._start} | {end for tile in self._hand for end in tile.ends}
        yield any([self._ask(_Question(end, everything)) for end in sorted(ends)])
        while not self.over:
            for question in self._split(heappop(self._open)[2]):
                yield self._ask(question)

    def _ask(self, question: _Question) -> bool:
        """Guess at a question, keep it open if it promises more; whether the train is better."""
        guess = self._guess(question)
        if guess is None or guess.worth <= self._best_worth:
            return False
        self._asked += 1
        heappush(self._open, (-guess.worth, self._asked, guess))
        laid = self._laid(guess)
        worth = self._sum(laid)
        if worth <= self._best_worth:
            return False
        self.best_tiles, self._best_worth = laid, worth
        return True

    def _guess(self, question: _Question) -> _Guess | None:
        """What a question promises at most; None when it has no answer."""
        tiles, values = self._together(question.tiles, self._start)
        if question.kept & ~tiles or not values >> question.end & 1:
            return None
        odd = 1 << self._start ^ 1 << question.end
        single = tiles & ~self._doubles
        for value in bits(values):
            odd ^= ((self._touching[value] & single).bit_count() & 1) << value
        cost, out = self._ways(single & ~question.kept).pair_up(odd)
        if cost >= NEVER:
            return None
        return _Guess(replace(question, tiles=tiles), self._sum(tiles) - cost, out)

    def _laid(self, guess: _Guess) -> int:
        """The tiles of the train that a guess gives at once: what hangs together."""
        laid, _ = self._together(guess.question.tiles & ~guess.out, self._start)
        at_end = self._touching[guess.question.end] & laid
        double = at_end & self._doubles
        bare = double and (at_end ^ double).bit_count() == 1
        if bare and self._double_rule and laid != (1 << len(self._hand)) - 1:
            laid ^= double
        return laid

    def _split(self, guess: _Guess) -> Iterator[_Question]:
        """The smaller questions that together hold every train of a guess that was none."""
        question = guess.question
        rest = question.tiles & ~guess.out
        rest &= ~self._together(rest, self._start)[0]
        without, ways = self._cut_off(guess, rest) if rest else self._lone_double(guess)
        if not without & question.kept:
            yield replace(question, tiles=question.tiles & ~without)
        tiles = question.tiles
        for n in bits(ways):
            yield replace(question, tiles=tiles, kept=question.kept | 1 << n)
            tiles ^= 1 << n

    def _lone_double(self, guess: _Guess) -> tuple[int, int]:
        """The double that would end the train, and the left-out tiles that could follow it."""
        at_end = self._touching[guess.question.end]
        return at_end & self._doubles, at_end & guess.out

    def _cut_off(self, guess: _Guess, rest: int) -> tuple[int, int]:
        """A part of the hand that the train does not reach, and the left-out ways into it.

        Of several parts, the one with the fewest ways.
        """
        parts = []
        while rest:
            first = (rest & -rest).bit_length() - 1
            tiles, values = self._together(rest, self._hand[first].low)
            rest &= ~tiles
            touching = ways = 0
            for value in bits(values):
                touching |= self._touching[value] & guess.question.tiles
                ways ^= self._touching[value] & guess.out
            parts.append((touching, ways))
        return min(parts, key=lambda part: part[1].bit_count())

    def _together(self, tiles: int, start: int) -> tuple[int, int]:
        """The tiles that hang together with a value, and the values they reach, as bit masks."""
        reached, values, waiting = 0, 1 << start, [start]
        while waiting:
            for n in bits(self._touching[waiting.pop()] & tiles & ~reached):
                reached |= 1 << n
                for end in self._hand[n].ends:
                    if not values >> end & 1:
                        values |= 1 << end
                        waiting.append(end)
        return reached, values

    def _sum(self, tiles: int) -> int:
        return sum(self._worth[n] for n in bits(tiles))

    def _find_ways(self, tiles: int) -> Ways:
        found = ((1 << n, *self._hand[n].ends, self._worth[n]) for n in bits(tiles))
        return Ways(self._size, found)
