"""The follower reads what changed, believes what looks agree on, and stands still for hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from coloured import HEIGHT, LONG, WIDE, WIDTH, Blob, Reader, Table

from companion.dominoes import Tile
from companion.findings import DARK, IN_THE_WAY, MOVED
from companion.following import Follower
from companion.layout import Layout
from companion.observation import Reading
from companion.sighting import Sighting
from companion.vision import frames, markers
from companion.vision.moved import View

HAND = ((200.0, 120.0), 110, (120, 150, 200))


class Followed:
    """A coloured table under a follower."""

    def __init__(self, table: Table, **options: Any) -> None:
        self.table, self.reader = table, Reader()
        self.follower = Follower(self.reader, **options)

    def look(self, times: int = 1) -> list[Sighting]:
        """The sightings of so many frames."""
        seen = []
        for _ in range(times):
            frame = self.table.frame()
            seen.append(self.follower.look(frame, frame.taken))
        return [sighting for sighting in seen if sighting is not None]

    @property
    def values(self) -> list[str]:
        """What is believed to lie there."""
        assert self.follower.sighting is not None
        return sorted(str(tile.tile) for tile in self.follower.sighting.tiles)


def four() -> Table:
    return Table(((1, 2), (40, 40)), ((2, 3), (150, 60)), ((3, 4), (260, 40)), ((4, 5), (60, 300)))


def with_token() -> tuple[Followed, Table, Blob]:
    """A hub with a token by it that the camera was taught; a tile, and the third seat's marker."""
    table = Table(((9, 9), (WIDTH / 2 - LONG / 2, HEIGHT / 2 - WIDE / 2)), ((9, 4), (420, 225)))
    there: Blob = ((WIDTH / 2 - 75, HEIGHT / 2), 12, (220, 40, 30))
    table.blobs = [there]
    token = markers.learn(table.frame().image, there[0], LONG, "token")
    layout = Layout(centre=(0.5, 0.5), directions=(0.0, 90.0, 180.0, 270.0))
    at = Followed(table, layout=lambda: layout, markers=lambda: (token,), seats=lambda: 3)
    return at, table, there


def test_a_tile_laid_is_added_once_and_only_its_part_is_read() -> None:
    at = Followed(four())
    (first,) = at.look(4)
    assert first.added == ((1, 2), (2, 3), (3, 4), (4, 5))
    asked = at.reader.asked
    at.table.tiles.append(((5, 6), (400, 300)))
    (news,) = at.look(5)
    assert (news.added, news.removed) == (((5, 6),), ())
    assert len(news.tiles) == 5 and at.reader.asked == asked + 2
    assert max(at.reader.pixels[asked:]) < 0.1 * WIDTH * HEIGHT


def test_a_tile_taken_away_is_removed_and_others_are_carried_over() -> None:
    at = Followed(four())
    at.look(4)
    del at.table.tiles[1]
    (news,) = at.look(5)
    assert (news.added, news.removed) == ((), ((2, 3),))
    assert at.values == ["1-2", "3-4", "4-5"]


def test_a_quiet_table_asks_nobody() -> None:
    at = Followed(four())
    at.look(3)
    asked = at.reader.asked
    assert at.look(30) == [] and at.reader.asked == asked and at.follower.looks == 2


def test_the_reading_of_one_look_alone_is_no_news() -> None:
    at = Followed(four(), agree=1, every=True)
    at.look()
    at.reader.lies = {(2, 3): (2, 6), (3, 4): None, (4, 5): Reading((4, 6), ((0, 0),) * 4, 0.5)}
    for seen in at.look(2):
        assert (seen.added, seen.removed) == ((), ())
    at.reader.lies = {}
    (seen,) = at.look()
    assert (seen.added, seen.removed) == ((), ()) and len(seen.tiles) == 4


def test_under_a_hand_tiles_stay_and_a_question_is_asked() -> None:
    at = Followed(four(), agree=1, every=True)
    at.look()
    at.table.blobs = [HAND]
    (seen,) = at.look()
    assert IN_THE_WAY in seen.questions and (seen.added, seen.removed) == ((), ())
    assert seen.reading is not None and len(seen.reading.tiles) < 4 == len(seen.tiles)
    at.table.blobs = []
    (seen,) = at.look()
    assert seen.questions == () and (seen.added, seen.removed) == ((), ())


def test_a_tile_laid_under_a_hand_is_added_when_the_hand_is_gone() -> None:
    at = Followed(four())
    at.look(4)
    at.table.blobs = [HAND]
    assert at.look() == [] and at.follower.moving and at.follower.act == "wait"
    at.look(3)
    at.table.tiles.append(((0, 6), (180, 130)))
    at.look(2)
    at.table.blobs = []
    news = at.look(6)
    assert [seen.added for seen in news if seen.added] == [((0, 6),)]
    assert all(not seen.removed for seen in news)


def test_only_the_area_counts() -> None:
    area = ((0.0, 0.0), (0.75, 0.0), (0.75, 0.5), (0.0, 0.5))
    at = Followed(four(), layout=lambda: Layout(area=area))
    at.look(3)
    assert at.values == ["1-2", "2-3", "3-4"]
    asked = at.reader.asked
    at.table.tiles.append(((6, 6), (500, 400)))
    at.table.blobs = [((560.0, 420.0), 40, (120, 150, 200))]
    assert at.look(4) == [] and at.reader.asked == asked
    at.table.tiles.append(((0, 6), (240, 150)))
    assert [seen.added for seen in at.look(4)] == [((0, 6),)]


def test_another_layout_counts_at_once() -> None:
    layout = [Layout()]
    at = Followed(four(), layout=lambda: layout[0])
    at.look(4)
    layout[0] = Layout(area=((0.0, 0.0), (1.0, 0.0), (1.0, 0.4), (0.0, 0.4)))
    news = at.look(4)
    assert news[-1].removed == ((4, 5),) and at.values == ["1-2", "2-3", "3-4"]


def test_the_same_tile_twice_is_added_and_asked_about() -> None:
    at = Followed(four(), highest=lambda: 12)
    at.look(4)
    at.table.tiles.append(((1, 2), (400, 300)))
    (seen,) = at.look(5)
    assert seen.added == ((1, 2),) and any("two of the 1-2" in asked for asked in seen.questions)
    assert [tile.why for tile in seen.tiles if tile.tile == Tile(1, 2)] == ["duplicate"] * 2
    at.table.tiles.pop()
    at.look(5)
    assert at.follower.sighting is not None and at.follower.sighting.questions == ()
    assert all(tile.sure for tile in at.follower.sighting.tiles)


def test_when_the_view_has_moved_the_last_sighting_stands_until_it_is_back() -> None:
    table = four()
    view = View()
    view.remember(frames.small(table.frame().image))
    at = Followed(table, view=lambda: view.to_bytes())
    at.look(4)
    before = at.follower.sighting
    assert before is not None and not at.follower.moved
    table.shift = (70, 30)
    (stands,) = at.look(8)
    assert at.follower.moved and MOVED in stands.questions
    assert stands.tiles == before.tiles and (stands.added, stands.removed) == ((), ())
    table.shift = (0, 0)
    at.look(8)
    assert not at.follower.moved and at.follower.sighting.questions == ()
    assert at.values == ["1-2", "2-3", "3-4", "4-5"]


def test_a_marker_by_the_hub_is_seen_under_fingers_too_until_it_goes() -> None:
    at, table, there = with_token()
    table.blobs = []
    at.look(4)
    marked = []
    fingers = (there[0], 24, (120, 150, 200))
    for blobs, looks in [([there], 9), ([there, fingers], 3), ([], 9)]:
        table.blobs = blobs
        at.look(looks)
        assert at.follower.sighting is not None
        marked.append(list(at.follower._marked.marks.places))
    assert marked == [[3], [3], []]


@pytest.mark.parametrize("agree, looks", [(1, 1), (3, 3)])
def test_so_many_looks_must_agree(agree: int, looks: int) -> None:
    at = Followed(four(), agree=agree)
    assert at.look(looks - 1) == []
    (first,) = at.look(1)
    assert len(first.tiles) == 4
    assert first.jpeg.startswith(b"\xff\xd8") and first.jpeg is first.jpeg


def test_a_mark_stays_while_the_tile_that_it_lies_by_is_not_believed_yet() -> None:
    row = HEIGHT / 2 - WIDE / 2
    table = Table(((9, 9), (WIDTH / 2 - LONG / 2, row)), ((4, 9), (420, row)))
    table.blobs = [((500, HEIGHT / 2), 12, (220, 40, 30))]
    token = markers.learn(table.frame().image, (500, HEIGHT / 2), LONG, "token")
    layout = Layout(centre=(0.5, 0.5), directions=(0.0, 90.0, 180.0, 270.0))
    at = Followed(table, layout=lambda: layout, markers=lambda: (token,), seats=lambda: 3)
    at.look(6)
    table.tiles += [((4, 5), (485, row)), ((5, 5), (550, row))]
    table.blobs = [((600, HEIGHT / 2 + 40), 12, (220, 40, 30))]
    told = []
    for look in range(7):
        at.reader.lies = {(5, 5): (5, look)} if look < 3 else {}
        told += at.look()
    assert [[line.seat for line in seen.lines if line.marked] for seen in told] == [[1]]
    assert at.values == ["4-5", "4-9", "5-5", "9-9"]


def test_a_hand_that_rests_beside_a_marker_does_not_become_the_table_at_once() -> None:
    at, table, there = with_token()
    spot = there[0]
    at.look(6)
    assert list(at.follower._marked.marks.places) == [3]
    table.blobs = [there, ((spot[0] - 30, spot[1]), 60, (120, 150, 200))]
    told = at.look(24)
    assert list(at.follower._marked.marks.places) == [3]
    assert all(line.marked for seen in told for line in seen.lines if line.seat == 3)
    table.blobs = []
    at.look(9)
    assert not at.follower._marked.marks.places


def test_on_a_quiet_table_it_is_told_that_the_hub_is_not_covered_any_more() -> None:
    at, _, _ = with_token()
    at.look(6)
    assert at.follower.sighting is not None
    at.follower.sighting = replace(at.follower.sighting, hidden=True)
    assert at.look() == [], "nothing was read since"
    at.follower._memory.untold = True
    (told,) = at.look()
    assert not told.hidden


@pytest.mark.parametrize("sizes", [(14, 26, 36), (12, 17, 26, 36), (20, 30, 40, 50)])
def test_a_hand_that_comes_in_step_by_step_never_becomes_the_table(sizes: tuple[int, ...]) -> None:
    at, table, there = with_token()
    at.look(6)
    for size in sizes:
        table.blobs = [there, ((there[0][0] - 20, there[0][1]), size, (120, 150, 200))]
        at.look()
    table.blobs = []
    at.look(3)
    assert not at.follower._marked.marks.places, "the marker went with it"


def test_a_marker_is_there_still_when_something_of_its_colour_comes() -> None:
    at, table, there = with_token()
    at.look(6)
    box = ((40.0, 80.0), 70, (220, 40, 30))
    table.blobs = [there, box]
    at.look(60)
    assert list(at.follower._marked.marks.places) == [3]
    table.blobs = [box]
    at.look(9)
    assert not at.follower._marked.marks.places


def test_a_hand_that_rests_at_a_tile_changes_no_value() -> None:
    table = four()
    at = Followed(table)
    at.look(4)
    at.reader.lies = {(3, 4): (4, 4)}
    table.blobs = [((330.0, 110.0), 60, (120, 150, 200))]
    at.look(18)
    assert at.values == ["1-2", "2-3", "3-4", "4-5"]
    table.blobs, at.reader.lies = [], {}
    at.look(6)
    assert at.values == ["1-2", "2-3", "3-4", "4-5"]


@pytest.mark.parametrize("every, agree", [(False, 2), (True, 1)])
def test_in_the_dark_the_last_sighting_stands_with_a_question(every: bool, agree: int) -> None:
    table = four()
    at = Followed(table, every=every, agree=agree)
    at.look(4)
    for light in (0.2, 0.05, 0.0):
        table.light = light
        told = at.look(5)
    assert at.values == ["1-2", "2-3", "3-4", "4-5"]
    assert all(DARK in seen.questions and not seen.removed for seen in told)
    assert len(told) == (5 if every else 0), "the question was told when it became dark"
    if every:
        frame = table.frame("the next picture")
        again = at.follower.look(frame, frame.taken)
        assert again is not None and again.frame == "the next picture"
    table.light = 1.0
    told = at.look(6)
    assert told[-1].questions == () and at.values == ["1-2", "2-3", "3-4", "4-5"]
