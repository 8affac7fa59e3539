"""Tiles are known again by place and value, and believed once enough looks agree."""

from __future__ import annotations

from companion.agreement import Agreement, Marks
from companion.dominoes import Tile
from companion.lines import SeenMarker, SeenTrain
from companion.observation import Reading
from companion.tracking import Glance, Tracks, length, matched, twice

Pair = tuple[int, int]


def tile(ends: Pair, x: float, y: float = 0.0, confidence: float = 1.0) -> Reading:
    """A tile of 100 by 50 pixels with its top left corner there; unsure below one half."""
    corners = ((x, y + 50), (x, y), (x + 100, y), (x + 100, y + 50))
    sure = confidence >= 0.5
    return Reading(ends, corners, confidence, sure, None if sure else "unclear")


ALWAYS = Glance()
STILL = Glance(unchanged=lambda track: True, same_pips=lambda track: True)


def values(readings: list[Reading]) -> list[Pair]:
    return [reading.tile.ends for reading in readings]


def test_what_enough_looks_agree_on_is_added_once() -> None:
    tracks = Tracks(3)
    news = []
    for step in range(5):
        tracks.look([tile((5, 2), step * 0.7)], ALWAYS)
        news.append(tracks.news())
    none: tuple[Pair, ...] = ()
    assert news == [(none, none)] * 2 + [(((2, 5),), none)] + [(none, none)] * 2
    assert tracks.settled


def test_tiles_side_by_side_stay_apart_and_swapped_readings_find_their_places() -> None:
    one, other = tile((1, 2), 0), tile((3, 4), 0, 50)
    assert matched([one, other], [tile((3, 4), 2, 49), tile((1, 2), 2, -1)]) == {0: 1, 1: 0}
    assert matched([one], [tile((1, 2), 0, 50)]) == {}
    assert matched([one], [tile((6, 6), 5)]) == {0: 0}


def test_a_value_that_flips_for_a_look_or_two_is_no_news() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0)], ALWAYS)
    tracks.news()
    for ends in [(5, 3), (5, 2), (5, 3), (5, 3), (5, 2)]:
        tracks.look([tile(ends, 0)], STILL)
        assert tracks.news() == ((), ())
    assert values(tracks.believed) == [(2, 5)]


def test_a_clearly_better_reading_that_repeats_is_believed() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0, confidence=0.4)], ALWAYS)
    assert tracks.news() == (((2, 5),), ())
    told = []
    for _ in range(4):
        tracks.look([tile((5, 3), 0)], STILL)
        told.append(tracks.news())
    assert told == [((), ()), ((), ()), (((3, 5),), ((2, 5),)), ((), ())]


def test_an_unsure_reading_never_replaces_a_sure_one_whose_pips_are_the_same() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0)], ALWAYS)
    for _ in range(9):
        tracks.look([tile((5, 3), 0, confidence=0.4)], STILL)
    assert values(tracks.believed) == [(2, 5)] and tracks.settled


def test_a_tile_swapped_for_another_is_believed_as_soon_as_looks_agree() -> None:
    tracks = Tracks(2)
    for ends in [(9, 9), (9, 9), (8, 8)]:
        tracks.look([tile(ends, 0)], ALWAYS)
    tracks.news()
    assert not tracks.settled
    tracks.look([tile((8, 8), 0)], ALWAYS)
    assert tracks.news() == (((8, 8),), ((9, 9),)) and tracks.settled


def test_a_tile_that_is_not_found_stays_where_the_picture_is_unchanged() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0)], ALWAYS)
    tracks.news()
    tracks.look([], STILL)
    assert tracks.news() == ((), ()) and values(tracks.present) == [(2, 5)]
    tracks.look([], ALWAYS)
    assert tracks.news() == ((), ((2, 5),)) and not tracks.present


def test_a_covered_tile_is_not_in_view_and_still_believed() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0)], ALWAYS)
    for _ in range(5):
        tracks.look([], Glance(covered=lambda track: True))
    assert not tracks.present and values(tracks.believed) == [(2, 5)]
    tracks.look([tile((5, 2), 0)], ALWAYS)
    assert values(tracks.present) == [(2, 5)]


def test_beside_a_hand_another_value_is_not_believed_until_it_has_gone() -> None:
    tracks = Tracks(2)
    tracks.look([tile((5, 10), 0)], ALWAYS)
    tracks.look([tile((5, 10), 0)], ALWAYS)
    fingers = Glance(touched=lambda track: True)
    for _ in range(9):
        tracks.look([tile((10, 10), 0)], fingers)
        assert tracks.settled and values(tracks.believed) == [(5, 10)]
    for _ in range(2):
        tracks.look([tile((10, 10), 0)], ALWAYS)
    assert values(tracks.believed) == [(10, 10)]


def test_of_a_table_that_is_swept_only_what_lies_under_a_hand_stays() -> None:
    lying = [tile((n, n + 1), 200 * n) for n in range(7)]
    tracks = Tracks(2)
    tracks.look(lying, ALWAYS)
    tracks.look(lying, ALWAYS)
    covered = {(0, 1), (1, 2)}
    sweeping = Glance(
        covered=lambda track: track.reading.ends in covered,
        touched=lambda track: track.reading.ends == (1, 2),
    )
    tracks.look([], sweeping)
    tracks.look([], sweeping)
    assert values(tracks.believed) == [(1, 2)]
    left = Glance(covered=lambda track: True)
    tracks.look([], left)
    assert values(tracks.believed) == [(1, 2)] and not tracks.settled
    tracks.look([], left)
    assert not tracks.believed, "the shadows that went with the tiles hide nothing"
    tracks.look(lying[:2], ALWAYS)
    tracks.look(lying[:2], ALWAYS)
    tracks.look([lying[0]], left)
    assert values(tracks.believed) == [(0, 1), (1, 2)], "this is a hand over one tile"


def test_what_was_not_looked_at_is_carried_over() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0), tile((1, 1), 300)], ALWAYS)
    tracks.look([tile((1, 1), 300)], Glance(looked=lambda reading: reading.centre[0] > 200))
    assert values(tracks.present) == [(2, 5), (1, 1)]


def test_what_appears_where_nothing_changed_must_repeat() -> None:
    tracks = Tracks(1)
    stale = Glance(fresh=lambda reading: False)
    added = []
    for _ in range(4):
        tracks.look([tile((0, 0), 0)], stale)
        added.append(tracks.news()[0])
    assert added == [(), (), ((0, 0),), ()]


def test_a_new_tile_where_a_doubtful_one_was_seen_is_believed_at_once() -> None:
    tracks = Tracks(1)
    tracks.look([tile((0, 0), 0)], Glance(fresh=lambda reading: False))
    assert tracks.news() == ((), ())
    tracks.look([tile((5, 2), 10)], ALWAYS)
    assert tracks.news() == (((2, 5),), ())


def test_a_flicker_comes_to_an_end() -> None:
    tracks = Tracks(2)
    looks = 0
    while not (looks and tracks.settled) and looks < 20:
        ends = (5, 2) if looks % 3 else (5, 3)
        tracks.look([tile(ends, 0)], ALWAYS)
        looks += 1
    assert looks <= 8


def test_a_second_copy_is_added_and_a_tile_that_moves_is_no_news() -> None:
    tracks = Tracks(1)
    tracks.look([tile((5, 2), 0)], ALWAYS)
    tracks.news()
    tracks.look([tile((5, 2), 0), tile((2, 5), 300)], ALWAYS)
    assert tracks.news() == (((2, 5),), ()) and twice(tracks.believed) == [Tile(2, 5)]
    tracks.look([tile((5, 2), 500), tile((2, 5), 300)], ALWAYS)
    assert tracks.news() == ((), ())


def test_lengths() -> None:
    assert length(tile((1, 2), 7)) == 100
    assert length(Reading((1, 2), ((0, 0),) * 4)) == 1


def test_marks_need_agreement_each_way() -> None:
    marks = Marks(2)
    plain = (SeenTrain(1, ((9, 4),)), SeenTrain(None, ((9, 5),)))
    told = []
    for seats in [{1}, {1, 3}, {1, 3}, set(), {3}, {3}, {3}]:
        marks.see({seat: SeenMarker((9.0, 9.0), "coin", 0.5) for seat in seats}, 0.5)
        told.append(([line.seat for line in marks.on(plain) if line.marked], marks.settled))
    assert told == [
        ([], False),
        ([1], False),
        ([1, 3], True),
        ([1, 3], False),
        ([3], True),
        ([3], True),
        ([3], True),
    ]
    bare = [line for line in marks.on(plain, {3: 90.0}) if line.seat == 3]
    assert bare == [SeenTrain(3, (), marked=True, way=90.0)]
    assert [line.seat for line in marks.on(plain)] == [1, 3, None]


def test_a_mark_stays_while_its_marker_is_faint_or_covered() -> None:
    marks, plain = Marks(1), (SeenTrain(1, ((9, 4),)),)
    faint = {1: SeenMarker((40.0, 30.0), "coin", 0.2)}
    marks.see(faint, 0.5)
    assert not marks.on(plain)[0].marked, "nothing was seen there before"
    marks.see({1: SeenMarker((40.0, 30.0), "coin", 0.6)}, 0.5)
    marks.see(faint, 0.5)
    assert marks.on(plain)[0].marked
    marks.see({}, 0.5, lambda place: place == (40.0, 30.0))
    assert marks.on(plain)[0].marked
    marks.see({}, 0.5)
    assert not marks.on(plain)[0].marked


def test_under_a_hand_only_what_the_look_before_told_is_confirmed() -> None:
    marks = Marks(2)
    coins = {seat: SeenMarker((40.0 * seat, 30.0), "coin", 0.6) for seat in (1, 2, 3)}
    for _ in range(2):
        marks.see({1: coins[1], 2: coins[2]}, 0.5)
    marks.see({3: coins[3]}, 0.5)
    assert marks.doubtful
    marks.confirm({}, 0.5, lambda place: place == (80.0, 30.0))
    assert sorted(marks.places) == [
        2
    ], "the first is seen to be gone, of the third nothing is known"
    marks.confirm({1: coins[1], 3: coins[3]}, 0.5, lambda place: True)
    assert sorted(marks.places) == [2, 3]
    marks.confirm({}, 0.5)
    assert sorted(marks.places) == [3] and not marks.doubtful and marks.settled


def test_a_mark_that_is_hidden_between_two_looks_is_waited_for_as_any_other() -> None:
    marks, coin = Marks(2), {1: SeenMarker((9.0, 9.0), "coin", 0.5)}
    for found in (coin, coin, {}):
        marks.see(found)
    marks.see({}, 0.5, lambda place: True)
    assert marks.places and marks.settled
    marks.see({})
    assert not marks.settled, "the next look comes at once"
    marks.see({})
    assert not marks.places


def test_marks_that_never_agree_do_not_hold_up_the_rest() -> None:
    marks = Marks(2)
    for look in range(8):
        marks.see({1: SeenMarker((9.0, 9.0), "coin", 0.5)} if look % 2 else {}, 0.5)
        marks.see({2: SeenMarker((9.0, 9.0), "coin", 0.5)}, 0.5)
        marks.see({}, 0.5)
    assert [line.seat for line in marks.on(())] == []
    flicker = Marks(2)
    seen = [
        flicker.see({n: SeenMarker((9.0, 9.0), "coin", 0.5)}) or flicker.settled for n in range(9)
    ]
    assert seen[0] is False and seen[-1] is True


def test_a_mark_that_flickers_is_waited_for_once() -> None:
    marks, coin = Marks(2), {1: SeenMarker((9.0, 9.0), "coin", 0.5)}
    waited = 0
    for _ in range(6):
        marks.see(coin)
        waited += not marks.settled
        marks.see({})
        assert marks.settled
    assert waited == 1 and not marks.places
    marks.see({**coin, 2: coin[1]})
    assert not marks.settled, "another seat's mark may still be new"
    marks.see({**coin, 2: coin[1]})
    assert marks.places == {1: (9.0, 9.0), 2: (9.0, 9.0)} and marks.settled


def test_agreement_wants_the_same_in_a_row() -> None:
    agreement = Agreement(2)
    assert [agreement.see(what) for what in "abba"] == [False, False, True, False]
