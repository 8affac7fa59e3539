"""Markers: taught from one frame, found in others under another light, and whose they are."""

import math
import random

import cv2
import numpy as np
import pytest

from companion.agreement import Marks
from companion.errors import RuleBroken
from companion.lines import SeenMarker, SeenTrain
from companion.observation import Reading
from companion.vision import drawhub, scenery
from companion.vision.hub import HubLook
from companion.vision.markers import Marker, find, learn
from companion.vision.marking import owners, ways_of
from companion.vision.spots import View, blobs
from hardware.laying import Train, ring
from hardware.simulator import Simulator

LENGTH = 92.0
SILVER, GOLD = (178, 182, 184), (60, 170, 205)
RED, BLUE, GREEN, YELLOW = drawhub.SEAT_COLOURS[:4]
KINDS = {
    "silver coin": ("coin", SILVER),
    "gold coin": ("coin", GOLD),
    "red token": ("token", RED),
    "blue token": ("token", BLUE),
    "green train": ("train", GREEN),
    "yellow train": ("train", YELLOW),
    "white train": ("train", (236, 240, 242)),
}


def paint(picture, kind, x, y, turn=0.0):
    """Draw one marker of this kind with its middle at (x, y)."""
    what, colour = KINDS[kind]
    if what == "coin":
        drawhub.draw_coin(picture, x, y, LENGTH, colour)
    elif what == "token":
        drawhub.draw_token(picture, x, y, LENGTH, colour)
    else:
        drawhub.draw_marker(picture, x, y, turn, LENGTH, colour)


def another_light(picture, seed, spread=3.0):
    """The same table in a light of another colour, from another side, with grain."""
    chance = np.random.default_rng(seed)
    rows, columns = np.mgrid[:960, :1280]
    turn, fall = chance.uniform(0, math.tau), chance.uniform(0, 0.3)
    ramp = np.cos(turn) * (columns / 1280 - 0.5) + np.sin(turn) * (rows / 960 - 0.5)
    tint = chance.uniform(0.85, 1.12, 3) * chance.uniform(0.65, 1.1)
    lit = picture * (1 - fall * (ramp + 0.5))[..., None] * tint
    return np.clip(lit + chance.normal(0, spread, lit.shape), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def table():
    """A simulated table with three trains: its picture and its tiles."""
    simulator = Simulator(4, 12, 4, noise=2.0, clock=lambda: 0.2)
    laid = simulator.table
    laid.follow(report(4))
    simulator.follow(report(4))
    for name in ("P1", "P2", "P4"):
        laid.trains[name] = Train(laid.slot(name), ring(laid.slots), 12)
        for _ in range(3):
            laid.grow(name)
    simulator.follow({**report(4), "started": ["P1", "P2", "P4"]})
    tiles = tuple(Reading(ends, corners) for ends, corners in simulator.truth())
    assert len(tiles) >= 8
    return simulator.frame(), tiles


def report(seats):
    names = [f"P{number + 1}" for number in range(seats)]
    return {
        "game": {"players": names, "set": 12, "rules": "hub", "hand": 15},
        **{
            "round": 1,
            "engine": "12-12",
            "turn": None,
            "started": [],
            "mexican_train": False,
        },
        **{"open_trains": [], "open_doubles": []},
    }


BARE = [(150, 150), (1100, 180), (1080, 800), (300, 300), (900, 120), (1150, 480)]
"""Places where nothing lies."""


def taught(table, kind):
    picture, tiles = table
    picture = picture.copy()
    paint(picture, kind, 1100, 300, 0.4)
    return learn(another_light(picture, 0, 2.0), (1106, 296), LENGTH, kind, tiles)


@pytest.mark.parametrize("kind", KINDS)
def test_a_marker_is_found_again_under_other_light_and_turned(table, kind):
    marker = taught(table, kind)
    found = laid = 0
    for seed in range(1, 5):
        chance = random.Random(seed)
        picture, tiles = table[0].copy(), table[1]
        places = chance.sample(BARE, 3)
        for x, y in places:
            paint(picture, kind, x, y, chance.uniform(0, math.tau))
        if seed % 2:
            drawhub.draw_hand_over(picture, 90, 700, 110, 0.8)
        seen = find(another_light(picture, seed), [marker], tiles, LENGTH)
        near = [min(math.dist(each.place, place) for place in places) for each in seen]
        assert all(far < 0.2 * LENGTH for far in near), f"only markers, seed {seed}: {seen}"
        found += len(seen)
        laid += len(places)
    assert found >= 0.85 * laid


def uneven_light(picture, seed):
    """The same table with a window or a lamp on one side, and a person's shadow on it."""
    chance = random.Random(seed)
    height, width = picture.shape[:2]
    side = chance.choice((-0.3, 1.3))
    light = 1.25 * scenery.lamplight(width, height, side, chance.random(), 0.4)
    shadow = scenery.blot(width, height, chance.random(), chance.random(), 0.2)
    lit = scenery.lit(picture, np.asarray(light * (1 - 0.4 * shadow), np.float32))
    return another_light(lit, seed)


@pytest.mark.parametrize("kind", ["silver coin", "red token", "green train"])
def test_a_marker_is_found_in_the_dark_and_in_the_bright_part_of_the_table(table, kind):
    marker = taught(table, kind)
    for seed in range(1, 7):
        picture = table[0].copy()
        for x, y in BARE:
            paint(picture, kind, x, y, 0.7)
        seen = find(uneven_light(picture, seed), [marker], table[1], LENGTH)
        where = sorted(min(BARE, key=lambda place: math.dist(place, one.place)) for one in seen)
        assert where == sorted(BARE), f"each of them once, seed {seed}"


def test_several_kinds_are_looked_for_in_one_go_as_each_alone(table):
    picture = table[0].copy()
    for kind, (x, y) in zip(KINDS, [*BARE, (400, 800)]):
        paint(picture, kind, x, y, 0.7)
    view = View.of(another_light(picture, 1), LENGTH, table[1])
    chance = np.random.default_rng(3)
    rare = [0.9] * 32 + [0.995] * 8  # many of them meet, and few
    shares = [np.asarray(chance.random(view.seen.shape) > each, np.float32) for each in rare]
    sizes = [(3 + number % 5, 60.0 + number) for number in range(40)]
    seen = 0
    for share, size, found in zip(shares, sizes, view.spots(shares, sizes)):
        alone = blobs(view.like(share), *size)
        told = [
            sorted((round(blob.x, 6), round(blob.y, 6), blob.area) for blob in some)
            for some in (found, alone)
        ]
        assert told[0] == told[1]
        seen += len(alone)
    assert seen > 1000


def test_nothing_else_is_a_marker(table):
    markers = [taught(table, kind) for kind in KINDS]
    for seed in range(1, 5):
        picture = table[0].copy()
        drawhub.draw_lamp(picture, 640, 590, LENGTH, True)
        drawhub.draw_lamp(picture, 520, 480, LENGTH, True)
        drawhub.draw_hand_over(picture, 1000, 260, 120, 2.0)
        assert find(another_light(picture, seed), markers, table[1], LENGTH) == ()
        assert find(uneven_light(picture, seed), markers, table[1], LENGTH) == ()


def test_markers_of_each_colour_are_told_apart(table):
    markers = [taught(table, kind) for kind in ("red token", "blue token", "green train")]
    picture = table[0].copy()
    paint(picture, "blue token", *BARE[0])
    paint(picture, "green train", *BARE[1], 2.0)
    seen = find(another_light(picture, 3), markers, table[1], LENGTH)
    assert {each.name for each in seen} == {"blue token", "green train"}


def test_only_the_places_asked_for_are_looked_at(table):
    marker = taught(table, "red token")
    picture = table[0].copy()
    paint(picture, "red token", *BARE[0])
    paint(picture, "red token", *BARE[1])
    (seen,) = find(picture, [marker], table[1], LENGTH, [(*BARE[1], 60.0)])
    assert math.dist(seen.place, BARE[1]) < 10
    assert find(picture, [], table[1], LENGTH) == ()


def test_another_size_of_picture_makes_no_difference(table):
    marker = taught(table, "red token")
    picture = table[0].copy()
    paint(picture, "red token", *BARE[3])
    larger = cv2.resize(picture, None, fx=1.5, fy=1.5)
    (seen,) = find(larger, [marker], (), 1.5 * LENGTH)
    assert math.dist(seen.place, (450, 450)) < 15


@pytest.mark.parametrize("place", [(300, 300), (-50, 20), (640, 480)])
def test_where_nothing_stands_out_nothing_is_learnt(table, place):
    with pytest.raises(RuleBroken, match="Nothing stands out there"):
        learn(table[0], place, LENGTH, "coin", table[1])


def test_a_marker_outlives_a_restart(table):
    marker = taught(table, "gold coin")
    again = Marker.from_json(marker.to_json())
    picture = table[0].copy()
    paint(picture, "gold coin", *BARE[2])
    assert [each.name for each in find(picture, [again], table[1], LENGTH)] == ["gold coin"]


@pytest.mark.parametrize(
    "change",
    [{"colours": [[99, 0, 0, 1]]}, {"size": -1}, {"long": "x"}, {"colours": [[1, 2]]}],
)
def test_a_stored_marker_that_is_none_is_refused(change):
    good = {"name": "coin", "colours": [[1, 2, 3, 0.5]], "size": 0.1, "long": 1.1}
    assert Marker.from_json(good).to_json()["name"] == "coin"
    with pytest.raises((KeyError, TypeError, ValueError)):
        Marker.from_json({**good, **change})


# ---- whose it is -----------------------------------------------------------------------------

WAYS = (90.0, 180.0, 270.0, 0.0)
LOOK = HubLook((500.0, 500.0), 100.0, 4, None)
TRAINS = (
    SeenTrain(1, ((12, 4), (4, 5)), 5, head=(500, 920), way=90, path=((500, 690), (500, 795))),
    SeenTrain(2, ((12, 7),), 7, head=(235, 500), way=180, path=((310, 500),)),
)


def marked(trains, markers, look, directions):
    """The trains with the marks that one look is enough for."""
    marks = Marks(1)
    marks.see(owners(trains, markers, look, directions))
    return marks.on(trains, ways_of(directions))


@pytest.mark.parametrize(
    ("place", "seat"),
    [
        ((505, 930), {1}),  # at the end
        ((570, 790), {1}),  # beside the last tile
        ((560, 700), {1}),  # beside the first tile
        ((500, 600), {1}),  # by the hub
        ((230, 520), {2}),
        ((500, 400), {3}),  # no tile there yet
        ((610, 495), {None}),  # the Mexican Train
        ((575, 575), set()),  # between two slots
        ((800, 900), set()),  # somewhere on the table
    ],
)
def test_a_marker_belongs_to_the_train_that_it_lies_by(place, seat):
    lines = marked(TRAINS, [SeenMarker(place, "coin", 0.9)], LOOK, WAYS)
    assert {line.seat for line in lines if line.marked} == seat
    assert [line.tiles for line in lines if line.tiles] == [train.tiles for train in TRAINS]


def test_one_between_two_trains_is_nobodys():
    close = (
        SeenTrain(1, ((12, 4),), 4, head=(500, 775), way=90, path=((500, 690),)),
        SeenTrain(2, ((12, 5),), 5, head=(600, 775), way=80, path=((600, 690),)),
    )
    lines = marked(close, [SeenMarker((550, 790), "coin", 0.9)], LOOK, ())
    assert not any(line.marked for line in lines)


def test_each_train_has_its_own():
    both = [SeenMarker((500, 930), "coin", 0.9), SeenMarker((220, 500), "coin", 0.8)]
    lines = marked(TRAINS, both, LOOK, WAYS)
    assert [line.seat for line in lines if line.marked] == [1, 2]
    assert marked(TRAINS, [], LOOK, WAYS) == TRAINS


CLOSE = (
    SeenTrain(1, ((12, 4),), 4, head=(500, 775), way=90, path=((500, 690),)),
    SeenTrain(2, ((12, 5), (5, 6)), 6, head=(605, 865), way=80, path=((600, 690), (602, 790))),
)
"""Two trains side by side; the second one is longer."""


def seats_of(trains, places, known=None):
    markers = [SeenMarker(place, "coin", 0.9) for place in places]
    found = owners(trains, markers, LOOK, (), known)
    return {seat: places.index(marker.place) for seat, marker in found.items()}


def test_a_marker_at_a_trains_end_is_not_the_one_that_it_passes():
    assert seats_of(CLOSE, [(552, 722)]) == {1: 0}


def test_a_train_that_has_a_marker_of_its_own_leaves_the_other_to_the_other():
    between = (558, 828)
    assert seats_of(CLOSE, [between]) == {2: 0}
    assert seats_of(CLOSE, [between, (650, 860)]) == {1: 0, 2: 1}
    assert seats_of(CLOSE, [(650, 830), (650, 860)]).keys() == {2}


def test_a_marker_that_lies_where_it_did_is_still_the_same_trains():
    longer = CLOSE[1:] + (
        SeenTrain(1, ((12, 4), (4, 3)), 3, head=(500, 875), path=((500, 690), (500, 795))),
    )
    place = (550, 800)
    assert seats_of(longer, [place]) == {}
    assert seats_of(longer, [place], {1: (552, 801)}) == {1: 0}
    assert seats_of(longer, [place], {2: (552, 801)}) == {2: 0}
    assert seats_of(longer, [(450, 860)], {2: (452, 860)}) == {1: 0}, "too far from the other"


def test_a_marker_that_went_on_with_a_tile_that_is_not_known_yet_is_still_its_own():
    others = SeenTrain(None, ((12, 3),), 3, head=(560, 1080), path=((560, 970),))
    place, before = (520, 1025), (505, 925)
    trains = (TRAINS[0], others)
    assert seats_of(trains, [place]) == {None: 0}
    assert seats_of(trains, [place], {1: before}) == {1: 0}
    assert seats_of(trains, [place, before], {1: before}) == {None: 0, 1: 1}
    assert seats_of(trains, [place], {1: (505, 890)}) == {None: 0}, "a tile is not so long"


def test_where_a_train_comes_back_to_the_hub_its_marker_is_still_its_own():
    back = (
        SeenTrain(1, ((12, 4), (4, 5)), 5, head=(610, 560), way=90, path=((500, 790), (610, 660))),
    )
    place = SeenMarker((608, 545), "coin", 0.9)
    ways = (90.0, 180.0, 270.0, 25.0)
    assert not owners(back, [place], LOOK, ways), "it could lie by the hub for another"
    assert owners(back, [place], LOOK, ways, {1: (610.0, 700.0)}) == {1: place}
    taken = SeenMarker((560, 790), "coin", 0.95)
    assert owners(back, [place, taken], LOOK, ways, {1: (610.0, 700.0)})[1] == taken
