"""The evening's scorecard: what counts as seen, as right and as confirmed."""

from __future__ import annotations

import pytest

from companion.dominoes import Tile
from companion.lines import SeenTrain
from companion.observation import Reading
from companion.sighting import Sighting
from hardware.evening import Kind, Light, Moment
from hardware.laying import Lying
from hardware.scene import Line, Put, Scene
from hardware.scorecard import ENOUGH, Scorer, Scores, told

PLAYERS = ("Ann", "Bob")
HUB = Tile(9, 9)
CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 5.0), (0.0, 5.0))


def scene(
    *tiles: tuple[int, int], engine: Tile | None = HUB, marked: tuple[str, ...] = ()
) -> Scene:
    """Ann's train with these tiles, from the hub outwards."""
    lying = tuple(Lying(ends, 2.0 + n, 0.0, 0.0) for n, ends in enumerate(tiles))
    lines = (Line(1, lying),) if lying else ()
    return Scene(engine, lines, tuple(Put(name, 1.0, 0.0, 0.0) for name in marked))


def seen(
    *tiles: tuple[int, int],
    engine: Tile | None = HUB,
    added: tuple[tuple[int, int], ...] = (),
    marked: tuple[str, ...] = (),
    certain: bool = True,
    hidden: bool = False,
) -> Sighting:
    """A sighting of that scene."""
    lines = []
    if tiles or "Ann" in marked:
        end = tiles[-1][1] if tiles else None
        lines.append(SeenTrain(1, tiles, end, marked="Ann" in marked))
    if "Bob" in marked:
        lines.append(SeenTrain(2, (), marked=True))
    lying = [*tiles, *([engine.ends] if engine else [])]
    return Sighting(
        engine=engine,
        certain=certain,
        hidden=hidden,
        tiles=tuple(Reading(ends, CORNERS) for ends in lying),
        added=added,
        lines=tuple(lines),
    )


class Told:
    """A scorer that is told moments, frames and sightings in short."""

    def __init__(self) -> None:
        self.scorer, self.now = Scorer(PLAYERS), 0.0

    def move(self, kind: Kind, lies: Scene, frames: int = 0, wanted: Tile = HUB) -> None:
        light = Light(0.5, 0.5, 0.3)
        self.scorer.moment(Moment(self.now, self.now, kind, "said", lies, light, (), 1, wanted))
        self.frames(frames)

    def frames(self, count: int, clear: bool = True) -> None:
        for _ in range(count):
            self.scorer.frame(clear)

    def see(self, sighting: Sighting, clear: bool = True) -> bool:
        return self.scorer.sighting(sighting, clear, self.now)

    def end(self) -> Scores:
        return self.scorer.end()


@pytest.fixture
def told_() -> Told:
    begun = Told()
    begun.move("engine", scene(), 2)
    begun.see(seen(added=((9, 9),)))
    begun.frames(8)
    return begun


def test_an_engine_and_a_tile_that_are_seen(told_: Told) -> None:
    told_.move("lay", scene((9, 4)), 2)
    assert told_.see(seen((9, 4), added=((4, 9),)))
    told_.frames(6)
    scores = told_.end()
    assert (scores.seen, scores.moves) == (2, 2) and (scores.right, scores.sightings) == (2, 2)
    assert (scores.engines, scores.confirmed, scores.slowest) == (1, 1, 2)
    assert scores.good and told_.scorer.notes == []


def test_the_same_again_tells_nothing(told_: Told) -> None:
    assert not told_.see(seen())
    assert told_.end().sightings == 1


def test_a_move_that_was_covered_too_soon_does_not_count(told_: Told) -> None:
    told_.move("lay", scene((9, 4)), ENOUGH - 1)
    told_.frames(20, clear=False)
    assert told_.end().moves == 1


def test_a_move_that_nobody_saw(told_: Told) -> None:
    told_.move("lay", scene((9, 4)), ENOUGH)
    told_.see(seen())
    scores = told_.end()
    assert (scores.seen, scores.moves) == (1, 2) and not scores.good
    assert any("not seen: said" in note for note in told_.scorer.notes)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (seen((9, 4), added=((4, 9),), marked=("Bob",)), "markers"),
        (seen((4, 9), added=((4, 9),)), "open ends"),
        (seen((9, 4), added=((4, 9), (1, 1))), "new tiles"),
        (seen((9, 4), added=()), "new tiles"),
        (seen((9, 4), added=((4, 9),), engine=None), "engine"),
        (seen((9, 4), added=((4, 9),), hidden=True), "engine"),
    ],
)
def test_what_can_be_wrong_with_a_sighting(told_: Told, wrong: Sighting, kind: str) -> None:
    told_.move("lay", scene((9, 4)), 2)
    told_.see(wrong)
    scores = told_.end()
    assert scores.faults == {kind: 1} and (scores.right, scores.sightings) == (1, 2)
    assert kind in told_.scorer.notes[0]


def test_a_marker_is_seen_by_its_seat(told_: Told) -> None:
    told_.move("mark", scene(marked=("Bob",)), ENOUGH)
    told_.see(seen(marked=("Bob",)))
    told_.move("unmark", scene(), ENOUGH)
    scores = told_.end()
    assert (scores.seen, scores.moves) == (2, 3)


def test_under_a_hand_the_change_may_be_told_or_not(told_: Told) -> None:
    told_.move("lay", scene((9, 4)))
    told_.frames(3, clear=False)
    told_.see(seen(hidden=True, engine=None), clear=False)
    told_.see(seen((9, 4), added=((4, 9),)), clear=False)
    assert told_.end().faults == {}
    told_.see(seen(engine=HUB, marked=("Ann",)), clear=False)
    assert told_.scorer.scores.faults["markers"] == 1


def test_a_wrong_engine_that_is_believed_is_counted_every_time(told_: Told) -> None:
    told_.see(seen(engine=Tile(8, 8)))
    assert told_.end().wrong_engines == 1
    told_.see(seen(engine=Tile(8, 8), certain=False))
    assert told_.scorer.scores.wrong_engines == 1


def test_a_wrong_engine_that_lies_there_is_no_mistake_of_the_camera() -> None:
    begun = Told()
    begun.move("engine", scene(engine=Tile(8, 8)), 3)
    begun.see(seen(engine=Tile(8, 8), added=((8, 8),)))
    begun.move("engine", scene(), 4)
    begun.see(seen(added=((9, 9),)))
    scores = begun.end()
    assert (scores.wrong_engines, scores.engines, scores.slowest) == (0, 1, 4)


@pytest.mark.parametrize(("frames", "confirmed"), [(ENOUGH, 1), (ENOUGH + 1, 0)])
def test_an_engine_must_be_confirmed_in_time(frames: int, confirmed: int) -> None:
    begun = Told()
    begun.move("engine", scene(), frames)
    begun.see(seen(added=((9, 9),)))
    scores = begun.end()
    assert (scores.engines, scores.confirmed) == (1, confirmed)


def test_an_engine_that_was_never_confirmed() -> None:
    begun = Told()
    begun.move("engine", scene(), 20)
    begun.move("clear", Scene(), 8)
    scores = begun.end()
    assert (scores.engines, scores.confirmed) == (1, 0) and not scores.good


def test_evenings_add_up() -> None:
    one, two = Scores(10, 5, 5, 4, 4, 0, 1, 1, 3), Scores(10, 5, 4, 4, 3, 1, 1, 0, 9)
    two.faults.update(["markers"])
    assert one.good and not two.good
    one.add(two)
    assert one.to_json() == {
        **dict(frames=20, moves=10, seen=9, sightings=8, right=7, wrong_engines=1),
        **dict(engines=2, confirmed=1, slowest=9, faults={"markers": 1}, good=False),
    }
    assert "90.0%" in one.lines()[0] and "wrong: 1 markers" in one.lines()[1]
    assert "none" in Scores().lines()[0]


def test_a_sighting_in_words() -> None:
    words = told(seen((9, 4), added=((4, 9),), marked=("Ann", "Bob")), PLAYERS)
    assert words == "9-9 in the hub; new 4-9; open ends Ann 4; marked Ann, Bob"
