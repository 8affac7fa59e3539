"""Rounds that play themselves: real tiles, by the rules, with slips that are put right."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from math import dist

import pytest

from companion.dominoes import DominoSet, Tile
from hardware.laying import MEXICAN, Train, fits, marker_place, overlap
from hardware.playing import FULL, Round
from hardware.scene import Deed, Table

NAMES = ("Ann", "Bob", "Cem", "Dot", "Eli", "Fay")
REACH = (6.7, 5.0)


def played(seed: int, engine: int = 9, players: int = 4, at_end: bool = True) -> list[Deed]:
    table = Table(NAMES[:players], REACH, at_end)
    return list(Round(table, Tile(engine, engine), 24 // players, random.Random(seed)).play())


ROUNDS = [played(seed, seed % 13, 2 + seed % 5, seed % 3 > 0) for seed in range(20)]


@pytest.fixture(params=range(len(ROUNDS)))
def deeds(request: pytest.FixtureRequest) -> list[Deed]:
    return ROUNDS[request.param]


def test_the_same_seed_is_the_same_round() -> None:
    assert played(3) == played(3) != played(4)


def test_no_tile_is_there_twice(deeds: list[Deed]) -> None:
    whole = set(DominoSet(12))
    for deed in deeds:
        lying = Counter(spot.tile for line in deed.scene.lines for spot in line.tiles)
        assert max(lying.values(), default=1) == 1 and set(lying) <= whole
        assert deed.kind in ("back", "engine") or deed.scene.engine not in lying
        assert sum(lying.values()) <= FULL


def test_every_tile_of_the_set_stays_in_the_round() -> None:
    table = Table(NAMES[:4], REACH)
    round_ = Round(table, Tile(5, 5), 7, random.Random(1))
    for deed in itertools.takewhile(lambda deed: deed.kind != "clear", round_.play()):
        lying = [spot.tile for train in round_.trains.values() for spot in train.lying]
        held = [tile for hand in round_.hands.values() for tile in hand]
        if deed.kind != "lay" or "does not match" not in deed.said:
            assert Counter([*lying, *held, *round_.boneyard, Tile(5, 5)]) == Counter(DominoSet(12))


def test_tiles_lie_apart_and_within_reach(deeds: list[Deed]) -> None:
    full = max(deeds, key=lambda deed: sum(len(line.tiles) for line in deed.scene.lines))
    spots = [spot for line in full.scene.lines for spot in line.tiles]
    for one, other in itertools.combinations(spots, 2):
        if overlap(one, other):  # laid a little askew they may touch, no more
            assert dist((one.x, one.y), (other.x, other.y)) > 0.47
    for spot in spots:
        assert all(abs(x) < REACH[0] + 0.1 and abs(y) < REACH[1] + 0.1 for x, y in spot.corners)


def test_joints_match_but_for_a_slip(deeds: list[Deed]) -> None:
    slipping = False
    for deed in deeds:
        slipping = "does not match" in deed.said
        wrong = 0
        for line in deed.scene.lines:
            value = ROUNDS.index(deeds) % 13
            for spot in line.tiles:
                wrong += spot.ends[0] != value
                value = spot.ends[1]
        assert wrong == slipping, deed.said


def test_an_open_double_is_covered_before_anything_else(deeds: list[Deed]) -> None:
    """Unless all tiles of its value are laid, or there is no room: then it is let be."""
    before = deeds[0]
    for deed in deeds[1:]:
        if deed.kind == "lay" and "does not match" not in deed.said:
            owed = [line for line in before.scene.lines if line.tiles[-1].tile.is_double]
            grown = {line.seat for line in deed.scene.lines} - {
                line.seat for line in before.scene.lines if line in deed.scene.lines
            }
            if len(owed) == 1 and owed[0].seat not in grown:
                value = owed[0].tiles[-1].ends[0]
                lying = [spot.tile for line in before.scene.lines for spot in line.tiles]
                used = sum(value in tile.ends for tile in [*lying, before.scene.engine])
                assert used == 13 or _no_room(before, owed[0].seat), deed.said
        before = deed


def _no_room(deed: Deed, seat: int | None) -> bool:
    """Whether straight on and round both corners something is in the way."""
    line = next(line for line in deed.scene.lines if line.seat == seat)
    x, y = line.tiles[-1].x, line.tiles[-1].y
    near = [
        spot
        for other in deed.scene.lines
        for spot in other.tiles
        if 0 < dist((spot.x, spot.y), (x, y)) < 1.6
    ]
    edge = abs(x) > REACH[0] - 1.4 or abs(y) > REACH[1] - 1.4
    return len(near) > 1 or edge or bool(deed.scene.markers)


def test_markers_lie_beside_the_tiles_and_apart(deeds: list[Deed]) -> None:
    for deed in deeds:
        places = [(put.x, put.y) for put in deed.scene.markers]
        for one, other in itertools.combinations(places, 2):
            assert dist(one, other) > 0.3
        for place in places:
            for line in deed.scene.lines:
                assert all(dist(place, (spot.x, spot.y)) > 0.3 for spot in line.tiles)


def test_everything_that_happens_at_a_table_happens() -> None:
    said = [deed for deeds in ROUNDS for deed in deeds]
    kinds = Counter(deed.kind for deed in said)
    assert set(kinds) == {"engine", "lay", "back", "mark", "unmark", "draw", "clear"}
    words = " ".join(deed.said for deed in said)
    for part in ("wrong one", "does not match", "was forgotten", "still stood", "crosswise"):
        assert part in words
    for end in (" is out", "table is full", "Nobody can play"):
        assert end in words
    assert any(line.seat is None for deed in said for line in deed.scene.lines)


def test_a_round_ends_swept_and_with_the_right_engine_before_that(deeds: list[Deed]) -> None:
    assert deeds[-1].kind == "clear" and deeds[-1].scene.lines == ()
    assert deeds[-1].scene.engine is None and not deeds[-1].scene.markers
    assert deeds[-2].scene.engine == Tile.of(*[ROUNDS.index(deeds) % 13] * 2)


def test_a_marker_lies_where_the_rules_put_it() -> None:
    train = Train(0.0, 1.42, 9)
    end = marker_place(None, 0.0, 8, REACH, [train], at_end=True)
    hub = marker_place(None, 0.0, 8, REACH, [train], at_end=False)
    assert end[0] == pytest.approx(1.64) and hub[0] == pytest.approx(0.92)
    crowded = marker_place(None, 0.0, 8, REACH, [train], at_end=True, markers=[(1.64, 0.0)])
    assert dist(crowded[:2], (1.64, 0.0)) > 0.6


def test_no_tile_is_laid_on_a_marker() -> None:
    from hardware.laying import Lying

    spot = Lying((1, 2), 3.0, 0.0, 0.0)
    train = Train(0.0, 2.0, 1)
    assert fits(spot, REACH, train, [], [(3.0, 0.8)])
    assert not fits(spot, REACH, train, [], [(3.0, 0.4)])


def test_trains_leave_an_aisle_and_keep_off_the_hub() -> None:
    from hardware.laying import Lying

    one, other = Train(0.0, 1.5, 1), Train(1.0, 1.5, 2)
    other.lying.append(Lying((2, 3), 3.0, 0.0, 0.0))
    one.lying.append(Lying((1, 2), -3.0, 0.0, 0.0))
    close, apart = Lying((1, 2), 3.0, 0.6, 0.0), Lying((1, 2), 3.0, 0.7, 0.0)
    assert not fits(close, REACH, one, [one, other]) and fits(apart, REACH, one, [one, other])
    assert not fits(Lying((2, 5), 1.2, 0.0, 0.0), REACH, one, [one])


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 8])
def test_every_seat_and_the_mexican_train_have_a_slot_of_their_own(players: int) -> None:
    names = tuple(f"P{n}" for n in range(players))
    table = Table(names, REACH)
    slots = [round(table.slot(name), 6) for name in (*names, MEXICAN)]
    assert len(set(slots)) == players + 1 and slots[:-1] == sorted(slots[:-1])
