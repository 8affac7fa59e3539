"""The simulated table follows the report with tiles of its own and shows them to a camera."""

from __future__ import annotations

import itertools
import time
from collections import Counter

import numpy as np
import pytest

from companion.dominoes import DominoSet, Tile
from companion.errors import Trouble
from companion.observation import PhotoReading
from companion.vision import drawhub
from companion.vision.hub import look_at_hub
from companion.vision.read import Reader
from hardware.laying import overlap
from hardware.simulator import HEIGHT, WIDTH, Simulator
from table_reports import PLAYERS, table_report


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


class Clock:
    """Seconds that only the test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def played(simulator: Simulator, players: tuple[str, ...], turns: int, engine: str = "9-9") -> None:
    """Everybody has begun and has laid one more tile in each of these rounds of turns."""
    for turn in itertools.islice(itertools.cycle(players), turns * len(players)):
        simulator.follow(table_report(engine, players, started=players, turn=turn))


def all_tiles(simulator: Simulator) -> Counter[Tile]:
    table = simulator.table
    lying = [spot.tile for train in table.trains.values() for spot in train.lying]
    held = [tile for hand in table.hands.values() for tile in hand]
    engine = [table.engine] if table.engine else []
    return Counter([*lying, *held, *table.boneyard, *engine])


def readings(reading: PhotoReading) -> list[tuple[int, int]]:
    return sorted(tile.tile.ends for tile in reading.tiles)


def lying(simulator: Simulator) -> list[tuple[int, int]]:
    return sorted((min(ends), max(ends)) for ends, _ in simulator.truth())


def test_without_a_game_the_hub_is_empty() -> None:
    simulator = Simulator()
    assert simulator.engine is None and simulator.truth() == []
    assert simulator.frame().shape == (HEIGHT, WIDTH, 3)
    simulator.follow(table_report(None, phase="none", round_=0))
    assert simulator.truth() == []


def test_every_tile_of_the_set_exists_once_whatever_is_played() -> None:
    simulator = Simulator(seed=5)
    played(simulator, PLAYERS, 3)
    simulator.follow(
        table_report("9-9", PLAYERS, started=PLAYERS, doubles={"Bob": "4-4"}, mexican=True)
    )
    assert all_tiles(simulator) == Counter(DominoSet(12))


def test_the_deal_follows_the_seed() -> None:
    one, same, other = (Simulator(seed=seed) for seed in (1, 1, 2))
    for simulator in (one, same, other):
        simulator.follow(table_report())
    assert one.hand_of("Ann") == same.hand_of("Ann") != other.hand_of("Ann")
    assert len(one.hand_of("Ann")) == 12 and one.hand_of("nobody") == ()


def test_trains_grow_from_the_engine_with_matching_joints() -> None:
    simulator = Simulator(seed=2)
    played(simulator, PLAYERS, 4)
    assert set(simulator.table.trains) == set(PLAYERS)
    for train in simulator.table.trains.values():
        value = 9
        for spot in train.lying:
            assert spot.ends[0] == value
            value = spot.ends[1]
    assert sum(len(train.lying) for train in simulator.table.trains.values()) > 20


def test_tiles_neither_overlap_nor_leave_the_picture() -> None:
    simulator = Simulator(seed=4)
    played(simulator, PLAYERS, 7)
    spots = [spot for train in simulator.table.trains.values() for spot in train.lying]
    for one, other in itertools.combinations(spots, 2):
        assert not overlap(one, other)
    for _, corners in simulator.truth():
        assert all(0 <= x < WIDTH and 0 <= y < HEIGHT for x, y in corners)


def test_an_open_double_lies_crosswise_until_it_is_covered() -> None:
    simulator = Simulator(seed=1)
    simulator.follow(table_report(started=("Ann",)))
    simulator.follow(table_report(started=("Ann",), doubles={"Ann": "5-5"}))
    train = simulator.table.trains["Ann"]
    assert train.open_double == Tile(5, 5)
    ahead = train.lying[-2].angle
    assert abs(np.cos(train.lying[-1].angle - ahead)) < 1e-6
    simulator.follow(table_report(started=("Ann",)))
    assert train.open_double is None and train.lying[-1].ends[0] == 5


def test_a_new_round_takes_all_tiles_back_and_lays_the_next_engine() -> None:
    simulator = Simulator()
    played(simulator, PLAYERS[:4], 2)
    simulator.lay_engine("3-3")
    simulator.follow(table_report("8-8", round_=5))
    assert simulator.engine == Tile(8, 8)
    assert simulator.table.trains == {}
    assert all_tiles(simulator) == Counter(DominoSet(12))


def test_undoing_a_start_takes_the_train_back() -> None:
    simulator = Simulator()
    simulator.follow(table_report(started=("Ann", "Bob")))
    simulator.follow(table_report(started=("Bob",)))
    assert set(simulator.table.trains) == {"Bob"}
    assert all_tiles(simulator) == Counter(DominoSet(12))


def test_a_renamed_player_keeps_train_and_hand() -> None:
    simulator = Simulator()
    simulator.follow(table_report(players=("Ann", "Bob"), started=("Ann",)))
    laid, hand = simulator.table.trains["Ann"].lying, simulator.hand_of("Ann")
    simulator.follow(table_report(players=("Anna", "Bob"), started=("Anna",)))
    assert simulator.table.trains["Anna"].lying == laid and simulator.hand_of("Anna") == hand


@pytest.mark.parametrize("count", [2, 8, 14])
def test_every_table_size_has_its_slots(count: int) -> None:
    players = tuple(f"P{n}" for n in range(count))
    simulator = Simulator(seed=9)
    simulator.follow(table_report("18-18", players, started=players, mexican=True, set_=18))
    assert simulator.table.slots == max(8, count + 1)
    assert all(simulator.table.trains[name].lying for name in (*players, "mexican"))


def test_a_marker_and_its_lamp_show() -> None:
    simulator = Simulator(noise=0, clock=Clock())
    simulator.follow(table_report(started=("Ann",)))
    before = simulator.frame().astype(int)
    simulator.follow(table_report(started=("Ann",), marked=("Ann",)))
    differing = np.abs(simulator.frame() - before).max(axis=2) > 40
    assert 400 < differing.sum() < 6000


def test_a_hand_lays_and_lifts_markers_until_the_table_is_told() -> None:
    simulator = Simulator(noise=0, clock=Clock())
    simulator.follow(table_report(started=("Ann",)))
    bare = simulator.frame().astype(int)

    def lies() -> bool:
        return bool((np.abs(simulator.frame() - bare).max(axis=2) > 40).sum() > 400)

    simulator.lay_marker("Ann", True)
    assert lies() and simulator.moved_markers == {"Ann"}
    simulator.follow(table_report(started=("Ann",), turn="Ann"))
    assert lies(), "nobody has told the table"
    simulator.lay_marker("Ann", False)
    assert not lies() and not simulator.moved_markers
    simulator.lay_marker("Ann", True)
    simulator.follow(table_report(started=("Ann",), marked=("Ann",)))
    assert lies() and not simulator.moved_markers
    simulator.lay_marker("Ann", False)
    assert simulator.moved_markers == {"Ann"}
    simulator.follow(table_report("8-8", round_=5))
    assert not simulator.moved_markers


def test_a_double_makes_the_lamp_blink() -> None:
    clock = Clock()
    simulator = Simulator(noise=0, clock=clock)
    simulator.follow(table_report(started=("Ann",), doubles={"Ann": "5-5"}))
    lit = simulator.frame().astype(int)
    clock.now = 0.5
    assert 20 < (np.abs(simulator.frame() - lit).max(axis=2) > 40).sum() < 2500


def test_the_engine_can_be_wrong_missing_and_right_again() -> None:
    simulator = Simulator()
    simulator.follow(table_report())
    simulator.lay_engine("8-8")
    assert simulator.engine == Tile(8, 8)
    simulator.lay_engine(None)
    assert simulator.engine is None
    simulator.lay_right_engine()
    assert simulator.engine == Tile(9, 9)
    with pytest.raises(Trouble, match="^The 3-8 is no double: the hub's slot takes a double.$"):
        simulator.lay_engine("8-3")


def test_a_hand_lies_over_the_hub_until_it_is_taken_away() -> None:
    simulator = Simulator(noise=0)
    simulator.follow(table_report())
    free = simulator.frame()
    simulator.hide()
    assert simulator.hidden
    changed = np.abs(simulator.frame().astype(int) - free).max(axis=2) > 30
    assert (
        changed[HEIGHT // 2 - 20 : HEIGHT // 2 + 20, WIDTH // 2 - 20 : WIDTH // 2 + 20].mean() > 0.9
    )
    simulator.show()
    assert np.array_equal(simulator.frame(), free)


def test_a_hand_passes_in_three_seconds() -> None:
    clock = Clock()
    simulator = Simulator(noise=0, clock=clock)
    simulator.follow(table_report())
    free = simulator.frame().astype(int)
    simulator.pass_hand()
    over = []
    for clock.now in (0.3, 1.5, 3.1):
        over.append(float((np.abs(simulator.frame() - free).max(axis=2) > 30).mean()))
    assert over[0] > 0.005 and over[1] > 0.05 and over[2] == 0


def test_a_hand_of_tiles_lies_under_the_camera(reader: Reader) -> None:
    simulator = Simulator()
    simulator.follow(table_report())
    hand = simulator.hand_of("Bob")
    simulator.lay_hand(str(tile) for tile in hand)
    assert simulator.hand == hand
    assert readings(reader.read(simulator.frame(), highest=12)) == sorted(t.ends for t in hand)
    simulator.clear_hand()
    assert simulator.hand is None and lying(simulator) == [(9, 9)]


@pytest.mark.parametrize("engine", ["0-0", "5-5", "9-9", "12-12"])
@pytest.mark.parametrize("trains", [0, 2, 7])
def test_the_true_reader_reads_the_hub(reader: Reader, engine: str, trains: int) -> None:
    simulator = Simulator(seed=trains + 3)
    started = PLAYERS[:trains]
    played(simulator, PLAYERS, 0, engine)
    for turn in (*started, *started, None):
        doubles = {name: double for name, double in zip(started, ("4-4", "7-7")) if turn is None}
        simulator.follow(table_report(engine, PLAYERS, started=started, turn=turn, doubles=doubles))
    reading = reader.read(simulator.frame(), highest=12)
    assert readings(reading) == lying(simulator)
    look = look_at_hub(reading)
    assert look.engine is not None and str(look.engine.tile) == engine and look.certain


def test_the_reader_sees_the_wrong_engine_and_the_empty_slot(reader: Reader) -> None:
    simulator = Simulator(seed=3)
    played(simulator, PLAYERS, 2)
    simulator.lay_engine("8-8")
    wrong = look_at_hub(reader.read(simulator.frame(), highest=12))
    assert wrong.engine is not None and wrong.engine.tile == Tile(8, 8)
    simulator.lay_engine(None)
    empty = look_at_hub(reader.read(simulator.frame(), highest=12))
    assert empty.tile is None and empty.certain and empty.trains >= 5


@pytest.mark.parametrize("aside", [-110, -60, 0, 60, 120])
def test_a_half_covered_engine_is_never_another_one(reader: Reader, aside: int) -> None:
    simulator = Simulator(seed=3)
    played(simulator, PLAYERS, 1, "12-12")
    frame = simulator.frame()
    drawhub.draw_hand_over(frame, WIDTH / 2 + aside, HEIGHT / 2 + 60, 110, 0.3)
    look = look_at_hub(reader.read(frame, highest=12))
    assert look.tile is None or not look.certain or look.tile.tile == Tile(12, 12)


def test_frames_differ_by_noise_and_come_quickly() -> None:
    simulator = Simulator()
    played(simulator, PLAYERS, 2)
    first, second = simulator.frame(), simulator.frame()
    difference = np.abs(first.astype(int) - second)
    assert 0 < difference.mean() < 4
    began = time.perf_counter()
    for _ in range(5):
        simulator.frame()
    assert (time.perf_counter() - began) / 5 < 0.06
