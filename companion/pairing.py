"""Pairing up values along the cheapest tiles between them, for the best opening train.

Knows values, costs and bit masks of tiles; what a train is, the planner knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

NEVER = 1 << 60
"""Dearer than any hand."""


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Ways:
    """The cheapest ways between values over some tiles, and the cheapest pairing of values."""

    def __init__(self, size: int, tiles: Iterable[tuple[int, int, int, int]]) -> None:
        cost = [[NEVER] * size for _ in range(size)]
        over = [[0] * size for _ in range(size)]
        for bit, low, high, worth in tiles:
            cost[low][high] = cost[high][low] = worth
            over[low][high] = over[high][low] = bit
        for middle in range(size):
            onward, onward_over = cost[middle], over[middle]
            for here in range(size):
                first, row = cost[here][middle], cost[here]
                if here == middle or first >= NEVER:
                    continue
                for there in range(size):
                    if first + onward[there] < row[there] and there != here:
                        row[there] = first + onward[there]
                        over[here][there] = over[here][middle] ^ onward_over[there]
        self._cost, self._over = cost, over
        self._known: dict[int, tuple[int, int]] = {0: (0, 0)}

    def pair_up(self, values: int) -> tuple[int, int]:
        """The cheapest set of tiles that has an odd number of halves of just these values.

        Takes a bit mask of an even number of values, gives the cost (``NEVER`` and more when
        there is none) and the tiles.
        """
        known = self._known.get(values)
        if known is not None:
            return known
        first = (values & -values).bit_length() - 1
        others = values & values - 1
        row, over = self._cost[first], self._over[first]
        best, tiles = NEVER, 0
        for other in bits(others):
            if row[other] < best:
                rest, rest_tiles = self.pair_up(others ^ 1 << other)
                if row[other] + rest < best:
                    best, tiles = row[other] + rest, over[other] ^ rest_tiles
        self._known[values] = best, tiles
        return best, tiles
