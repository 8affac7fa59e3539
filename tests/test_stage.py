"""An evening that plays itself before a camera: its times, its hands and its picture."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from math import dist

import numpy as np
import pytest

from companion.vision.drawtable import HEIGHT, WIDTH
from companion.vision.read import Reader
from hardware.evening import Evening, Light, Moment, Reach
from hardware.stage import Stage


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    return list(Evening(2, rounds=3).moments())


def test_time_goes_on_without_gaps(moments: list[Moment]) -> None:
    assert moments[0].at == 0
    for one, other in itertools.pairwise(moments):
        assert one.at <= one.until == other.at
    assert moments[-1].until > 300


def test_the_same_seed_is_the_same_evening(moments: list[Moment]) -> None:
    assert list(Evening(2, rounds=3).moments()) == moments
    assert next(Evening(3, rounds=1).moments()).light != moments[0].light


def test_a_whole_evening_has_thirteen_rounds_down_to_the_blank() -> None:
    engines = [m for m in Evening(5).moments() if m.kind == "engine"]
    right = [str(m.scene.engine) for m in engines if m.scene.engine == m.wanted]
    assert right == [f"{n}-{n}" for n in range(12, -1, -1)]


def test_every_move_happens_under_a_hand(moments: list[Moment]) -> None:
    for one, other in itertools.pairwise(moments):
        if other.kind not in ("draw", "light"):
            assert one.scene != other.scene
            assert any(hand.at(other.at) is not None for hand in other.hands)
        else:
            assert one.scene == other.scene


def test_hands_come_stay_and_go() -> None:
    hand = Reach(10.0, 13.0, (2.0, 1.0), way=0.0, sway=0.0)
    assert hand.at(9.9) is None and hand.at(13.0) is None
    assert hand.at(11.5) == (2.0, 1.0)
    start = hand.at(10.0)
    assert start is not None and start[0] > 14


def test_hands_pass_and_rest_and_the_light_changes(moments: list[Moment]) -> None:
    resting = [hand for m in moments for hand in m.hands if hand.sway < 0.1]
    passing = [hand for m in moments for hand in m.hands if hand.sway == 0.5]
    assert resting and passing and max(h.until - h.since for h in resting) > 3
    lights = {m.light for seed in range(3) for m in Evening(seed, rounds=2).moments()}
    assert any(light.shadow for light in lights) and len({light.gain for light in lights}) > 4
    changes = [m for seed in range(8) for m in Evening(seed, rounds=2).moments()]
    assert any(m.kind == "light" for m in changes)


def test_seeds_differ_in_all_that_varies() -> None:
    evenings = [Evening(seed) for seed in range(30)]
    assert {e.marker for e in evenings} == {"train", "token", "coin"}
    assert {e.style for e in evenings} == {"ivory", "white", "black", "pinned"}
    assert {e.ground for e in evenings} == {"wood", "cloth"}
    assert {e.table.at_end for e in evenings} == {True, False} == {e.dim for e in evenings}
    assert {len(e.table.players) for e in evenings} == {3, 4, 5, 6}
    assert Evening(1, players=2).looks.startswith("2 players, ")


@pytest.mark.parametrize("seed, missed", [(1, 0), (2, 0), (7, 0), (3, 5), (5, 5)])
def test_all_tiles_of_a_round_are_read_where_they_lie(seed: int, missed: int) -> None:
    """What the camera is shown can be seen; of black tiles one look at the whole misses a few."""
    evening = Evening(seed, rounds=1)
    stage = Stage(evening)
    full = max(evening.moments(), key=lambda m: sum(len(line.tiles) for line in m.scene.lines))
    picture, clear = stage.frame(replace(full, hands=()), full.at)
    assert clear and picture.shape == (HEIGHT, WIDTH, 3)
    seen = {tile.tile: tile.centre for tile in Reader().read(picture, highest=12).tiles}
    spots = [spot for line in full.scene.lines for spot in line.tiles]
    assert full.scene.engine is not None
    there = {*(spot.tile for spot in spots), full.scene.engine}
    assert set(seen) <= there and len(there - set(seen)) <= missed
    assert dist(seen[full.scene.engine], stage.centre) < 8
    for spot in spots:
        if spot.tile in seen:
            assert dist(seen[spot.tile], stage.seen(spot.x, spot.y)) < 10


def test_a_frame_is_clear_exactly_when_no_hand_is_in_it(moments: list[Moment]) -> None:
    evening = Evening(2, rounds=3)
    evening.noise = 0
    stage = Stage(evening)
    for moment in moments[3:9]:
        bare = replace(moment, hands=())
        for now in np.arange(moment.at, moment.until, 0.5):
            picture, clear = stage.frame(moment, now)
            free, _ = stage.frame(bare, now)
            assert clear == np.array_equal(picture, free)


def test_the_light_swells_slowly_and_a_shadow_is_dark(moments: list[Moment]) -> None:
    evening = Evening(2, rounds=1)
    evening.noise, evening.drift = 0, 0.06
    stage = Stage(evening)
    bright, dark = (stage.frame(moments[0], now)[0].mean() for now in (47 / 4, 47 * 3 / 4))
    assert 1.05 < bright / dark < 1.2
    shade = Light(0.5, 0.2, 0.3, shadow=(0.0, 0.0, 0.2, 0.5))
    lit, shaded = (
        stage.frame(replace(moments[0], light=light), 0)[0]
        for light in (replace(shade, shadow=None), shade)
    )
    assert shaded[:100, :100].mean() < 0.75 * lit[:100, :100].mean()
    assert shaded[-100:, -100:].mean() > 0.97 * lit[-100:, -100:].mean()


def test_the_seats_lie_round_the_hub_clockwise() -> None:
    stage = Stage(Evening(4, rounds=1))
    ways = stage.directions
    assert abs(ways[0] - 90) < 4
    turned = [(way - ways[0]) % 360 for way in ways]
    assert turned == sorted(turned) and len(ways) == len(stage.evening.table.players) + 1
    assert abs(stage.length - stage.evening.unit) < 6


def test_the_markers_lie_apart_to_be_taught() -> None:
    evening = Evening(4, rounds=1)
    puts = evening.teaching().scene.markers
    assert [put.train for put in puts] == list(evening.table.players)
    assert all(dist((a.x, a.y), (b.x, b.y)) > 1 for a, b in itertools.combinations(puts, 2))


def test_frames_come_quickly(moments: list[Moment]) -> None:
    stage = Stage(Evening(2, rounds=3))
    began, frames = time.process_time(), 0
    for moment in moments[2:40]:
        for now in np.arange(moment.at, moment.until, 1 / 3):
            stage.frame(moment, now)
            frames += 1
    assert (time.process_time() - began) / frames < 0.06
