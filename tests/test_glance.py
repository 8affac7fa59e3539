"""Many tiles are read at a glance first, by a small network; a hand by the large one alone."""

import random
from collections import Counter

import pytest

from companion.dominoes import DominoSet, Tile
from companion.vision import values
from companion.vision.draw import DrawnHand, draw_hand
from companion.vision.geometry import Picture
from companion.vision.networks import Network
from companion.vision.read import Reader


def hand(count: int) -> DrawnHand:
    tiles = [tile.ends for tile in DominoSet(12)]
    return draw_hand(random.Random(count).sample(tiles, count), 2000, 1500, seed=count)


def looks(picture: Picture, monkeypatch: pytest.MonkeyPatch) -> tuple[Counter[str], list[Tile]]:
    """How many pictures each network looked at, by its name, and what was read."""
    counts: Counter[str] = Counter()
    begin, run = Network.__init__, Network.run

    def named(self: Network, name: str) -> None:
        begin(self, name)
        setattr(self, "name", name)

    def counted(self: Network, pictures: list[Picture]) -> object:
        counts[getattr(self, "name")] += len(pictures)
        return run(self, pictures)

    with monkeypatch.context() as patch:
        patch.setattr(Network, "__init__", named)
        patch.setattr(Network, "run", counted)
        reading = Reader().read(picture)
    return counts, sorted(one.tile for one in reading.tiles)


def test_many_tiles_are_read_alike_and_mostly_at_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = hand(60).image
    quick, read = looks(picture, monkeypatch)
    assert quick["glance"] >= 60
    assert quick["values"] < 30
    monkeypatch.setattr(values, "A_HAND", 1000)
    slow, same = looks(picture, monkeypatch)
    assert slow["glance"] == 0 and slow["values"] >= 120
    assert read == same == sorted(Tile.of(*one.ends) for one in hand(60).tiles)


def test_a_hand_is_read_by_the_large_network(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, read = looks(hand(12).image, monkeypatch)
    assert counts["glance"] == 0 and counts["values"] == 24
    assert read == sorted(Tile.of(*one.ends) for one in hand(12).tiles)
