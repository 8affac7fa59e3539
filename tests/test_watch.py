"""The watch rests, waits, reads and agrees at the right moments, whatever the camera does."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from table_reports import PLAYERS, table_report

from companion.agreement import Agreement
from companion.dominoes import Tile
from companion.edges import Frame
from companion.errors import DeviceTrouble
from companion.following import CHANGED, MOVING, Attention
from companion.observation import PhotoReading
from companion.sighting import Sighting, compare
from companion.vision import frames
from companion.vision.read import Reader
from companion.watch import FAILED, Watch
from hardware.camera import NoCamera, SimulatedCamera
from hardware.simulator import Simulator


@pytest.fixture(scope="module")
def true_reader() -> Reader:
    return Reader()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class CountingReader:
    """The true reader, counting how often it is asked."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.asked = reader, 0
        self.pixels: list[int] = []
        """How large the pictures were that it was shown."""

    def read(self, image: Any, *, highest: int | None = None, area: Any = None) -> PhotoReading:
        self.asked += 1
        self.pixels.append(image.shape[0] * image.shape[1])
        return self.reader.read(image, highest=highest, area=area)

    def outlines(self, image: Any, area: Any = None, **known: Any) -> list[tuple[Any, float]]:
        return self.reader.outlines(image, area, **known)


class OddCamera(SimulatedCamera):
    """A camera over the simulated table that is unplugged now and then, or sends smaller frames."""

    off, scale = False, 1.0

    def frame(self, after: float | None = None) -> Frame:
        if self.off:
            raise DeviceTrouble("The test camera is unplugged: plug it in.")
        frame = super().frame(after)
        image = cv2.resize(frame.image, None, fx=self.scale, fy=self.scale)
        return replace(frame, image=np.asarray(image, np.uint8))


class Table:
    """A simulated table under watch, stepped by hand, two looks a second."""

    def __init__(self, reader: Reader, trains: int = 5, **options: Any) -> None:
        self.clock = Clock()
        self.simulator = Simulator(seed=6, clock=self.clock)
        started = PLAYERS[:trains]
        for turn in (*started, None):
            self.simulator.follow(table_report("9-9", PLAYERS, started=started, turn=turn))
        self.reader = CountingReader(reader)
        self.watch = Watch(SimulatedCamera(self.simulator), self.reader, **options)

    def look(self, times: int = 1) -> list[str]:
        acts = []
        for _ in range(times):
            acts.append(self.watch.step(self.clock.now))
            self.clock.now += 0.5
        return acts

    @property
    def seen(self) -> Sighting:
        assert self.watch.sighting is not None
        return self.watch.sighting

    @property
    def kind(self) -> str:
        return compare(table_report("9-9", PLAYERS), self.watch.sighting).kind


@pytest.fixture
def table(true_reader: Reader) -> Table:
    return Table(true_reader, highest=lambda: 12)


# --- the pure parts


def test_agreement_needs_the_same_several_times_in_a_row() -> None:
    agreement = Agreement(3)
    assert [agreement.see(what) for what in "aabaaab"] == [False] * 5 + [True, False]
    agreement.see("b")
    agreement.see("b")
    assert agreement.settled
    agreement.doubt()
    assert not agreement.settled and not agreement.see("b")


def test_nothing_seen_can_be_agreed_on_as_well() -> None:
    assert [Agreement(1).see(None), Agreement(0).see(None)] == [True, True]
    assert [Agreement(2).see(None)] == [False]


def test_attention_rests_waits_and_reads() -> None:
    attention = Attention(patience=4)

    def step(moving: bool, changed: bool, settled: bool, now: float) -> str:
        return attention.step(moving=moving, changed=changed, settled=settled, now=now)

    assert step(False, True, False, 0) == "read"
    assert step(False, False, False, 1) == "read"
    assert step(False, False, True, 2) == "rest"
    assert step(True, True, True, 3) == "wait"
    assert step(True, True, True, 6.9) == "wait"
    assert step(True, True, True, 7.1) == "read"
    assert step(False, True, True, 8) == "read"
    assert step(True, True, True, 9) == "wait"


# --- frames compared


def test_noise_and_a_change_of_light_are_no_change() -> None:
    simulator = Simulator(seed=2)
    one, other = simulator.frame(), simulator.frame()
    assert frames.change(frames.coloured(one), frames.coloured(other)) == 0
    darker = frames.coloured((other * 0.9).astype(np.uint8))
    assert frames.change(frames.coloured(one), darker) < CHANGED


def test_a_blinking_lamp_is_no_change() -> None:
    clock = Clock()
    simulator = Simulator(seed=2, clock=clock)
    report = table_report(started=("Ann",), doubles={"Ann": "4-4"})
    simulator.follow(report)
    dark = frames.coloured(simulator.frame())
    clock.now += 0.5
    bright = simulator.frame()
    assert frames.change(dark, frames.coloured(bright)) < CHANGED / 1.4
    cv2.circle(bright, (1000, 100), 12, (80, 255, 80), -1)
    assert frames.change(dark, frames.coloured(bright)) < CHANGED / 1.4


def test_a_tile_and_a_hand_are_changes() -> None:
    simulator = Simulator(seed=2)
    simulator.follow(table_report())
    before = frames.coloured(simulator.frame())
    simulator.follow(table_report(started=("Ann",)))
    after = frames.coloured(simulator.frame())
    assert frames.change(before, after) > 1.4 * CHANGED
    simulator.hide()
    assert frames.change(after, frames.coloured(simulator.frame())) > 5 * MOVING
    assert frames.change(before, before[:100]) == 1


def test_the_slot_tells_one_engine_from_another() -> None:
    simulator = Simulator(seed=2)
    simulator.follow(table_report())
    slots = []
    for engine in ("9-9", "9-9", "8-8"):
        simulator.lay_engine(engine)
        slots.append(frames.slot(simulator.frame(), (640, 480), 92))
    assert not frames.slot_changed(slots[0], slots[1])
    assert frames.slot_changed(slots[1], slots[2])


def test_a_lifted_tile_covers_nothing_but_a_hand_does() -> None:
    simulator = Simulator(seed=2)
    simulator.follow(table_report())
    before = frames.coloured(simulator.frame())
    simulator.lay_engine(None)
    lifted = frames.coloured(simulator.frame())
    simulator.hide()
    hidden = simulator.frame()
    size = (1280, 960)
    assert not frames.covered(lifted, before, size, (640, 480), 92)
    assert frames.covered(frames.coloured(hidden), before, size, (640, 480), 92)
    assert frames.skin_over(hidden, (640, 480), 92)
    simulator.show()
    assert not frames.skin_over(simulator.frame(), (640, 480), 92)


# --- watching the simulated table with the true reader


def test_two_equal_looks_agree_and_then_it_rests(table: Table) -> None:
    assert table.look() == ["read"] and table.watch.sighting is None
    assert table.look() == ["read"]
    assert table.seen.engine == Tile(9, 9) and table.seen.certain and table.kind == "agrees"
    assert table.seen.jpeg.startswith(b"\xff\xd8") and table.seen.frame == "simulated table"
    assert table.seen.reading is not None and len(table.seen.reading.tiles) > 5
    assert table.look(6) == ["rest"] * 6
    assert table.reader.asked == table.watch.looks == 2


def test_of_a_table_full_of_trains_only_the_new_tile_is_read(table: Table) -> None:
    started = PLAYERS[:5]
    for turn in 4 * started:
        table.simulator.follow(table_report("9-9", PLAYERS, started=started, turn=turn))
    assert table.look(6)[-1] == "rest" and len(table.seen.tiles) > 25
    whole, already = max(table.reader.pixels), len(table.reader.pixels)
    table.simulator.follow(table_report("9-9", PLAYERS, started=started, turn=PLAYERS[0]))
    assert table.look(6)[-1] == "rest" and len(table.seen.added) == 1
    read = table.reader.pixels[already:]
    assert len(read) == 2, "halves of two tiles in a train are no tile to be read"
    assert max(read) < 0.1 * whole


def test_blinking_lamps_do_not_wake_it(table: Table) -> None:
    report = table_report("9-9", PLAYERS, started=PLAYERS[:5], doubles={"Bob": "4-4"})
    table.simulator.follow(report)
    table.look(3)
    asked = table.reader.asked
    assert table.look(8) == ["rest"] * 8 and table.reader.asked == asked


def test_a_wrong_engine_is_seen_and_the_right_one_again(table: Table) -> None:
    table.look(3)
    table.simulator.lay_engine("8-8")
    table.look(3)
    assert table.seen.engine == Tile(8, 8) and table.kind == "differs"
    table.simulator.lay_right_engine()
    table.look(3)
    assert table.kind == "agrees"


def test_an_engine_that_is_lifted_leaves_an_empty_slot(table: Table) -> None:
    table.look(3)
    table.simulator.lay_engine(None)
    table.look(3)
    assert table.kind == "empty"


@pytest.mark.parametrize("trains", [0, 1, 5])
def test_a_hand_over_the_hub_is_told_and_the_last_sighting_stands(
    true_reader: Reader, trains: int
) -> None:
    table = Table(true_reader, trains)
    table.look(3)
    table.simulator.hide()
    table.look(4)
    assert table.seen.hidden and table.kind == "hidden"
    clear = table.watch.last_clear
    assert clear is not None and clear.engine == Tile(9, 9)
    table.simulator.show()
    table.look(4)
    assert table.kind == "agrees"


def test_an_engine_lifted_under_a_hand_is_missing_afterwards(table: Table) -> None:
    table.look(3)
    table.simulator.hide()
    table.look(4)
    table.simulator.lay_engine(None)
    table.simulator.show()
    table.look(4)
    assert table.kind == "empty"


def test_a_hand_that_lies_there_from_the_first_frame_is_told(table: Table) -> None:
    table.simulator.hide()
    table.look(3)
    assert table.kind == "hidden" and table.watch.last_clear is None


def test_a_hand_that_passes_changes_nothing(table: Table) -> None:
    table.look(3)
    seen, asked = table.seen, table.reader.asked
    table.simulator.pass_hand()
    table.clock.now += 0.2
    moved = []
    for _ in range(6):
        act = table.look(1)
        moved.append(table.watch.moving)
        assert moved[-1] or act != ["wait"]
    assert any(moved) and table.kind == "agrees"
    assert table.seen.likeness == seen.likeness
    table.look(4)
    assert not table.watch.moving
    assert table.kind == "agrees" and table.reader.asked <= asked + 4


def test_listeners_hear_news_only_and_may_fail(table: Table) -> None:
    heard: list[Tile | None] = []

    def fail(_seen: Sighting) -> None:
        raise ValueError("broken listener")

    table.watch.listen(fail)
    table.watch.listen(lambda seen: heard.append(seen.engine))
    table.look(4)
    table.simulator.lay_engine("3-3")
    table.look(4)
    assert heard == [Tile(9, 9), Tile(3, 3)]


def test_another_set_is_read_anew(true_reader: Reader) -> None:
    highest = [12]
    table = Table(true_reader, highest=lambda: highest[0])
    table.look(3)
    highest[0] = 6
    assert table.look(3) == ["read", "read", "rest"]
    assert table.kind == "unsure"


# --- the camera in trouble, and the thread


class FailingCamera(NoCamera):
    """Shows a grey picture, fails or hangs, as the test says."""

    name = "test camera"

    def __init__(self) -> None:
        super().__init__()
        self.fault: str | None = None
        self.release = threading.Event()

    def _take(self, after: float) -> Frame:
        if self.fault == "hangs":
            self.release.wait(10)
        if self.fault:
            raise DeviceTrouble("The test camera is unplugged: plug it in.")
        return Frame(np.full((96, 128, 3), 90, np.uint8), time.monotonic(), self.name)


class QuickReader:
    def read(self, image: Any, *, highest: int | None = None, area: Any = None) -> PhotoReading:
        return PhotoReading(image.shape[1], image.shape[0])

    def outlines(self, image: Any, area: Any = None, **known: Any) -> list[tuple[Any, float]]:
        return []


@pytest.fixture
def failing() -> Iterator[tuple[FailingCamera, Watch]]:
    camera = FailingCamera()
    watch = Watch(camera, QuickReader(), pace=0.01, retry=0.02)
    yield camera, watch
    camera.release.set()
    watch.stop()


def test_a_look_that_fails_is_said_and_the_next_one_still_comes() -> None:
    class Broken(QuickReader):
        works = False

        def read(self, image: Any, *, highest: int | None = None, area: Any = None) -> PhotoReading:
            if not self.works:
                raise ArithmeticError("no such number")
            return super().read(image, highest=highest, area=area)

    reader, camera = Broken(), FailingCamera()
    camera.fault = ""
    with Watch(camera, reader, pace=0.01, retry=0.02) as watch:
        wait_for(lambda: watch.trouble == FAILED)
        reader.works = True
        wait_for(lambda: watch.trouble is None and watch.sighting is not None)


def wait_for(what: Any, seconds: float = 3.0) -> None:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.005)
    assert what()


def test_a_failing_camera_keeps_its_sentence_and_is_tried_again(
    failing: tuple[FailingCamera, Watch],
) -> None:
    camera, watch = failing
    watch.start()
    wait_for(lambda: watch.sighting is not None)
    camera.fault = "unplugged"
    wait_for(lambda: watch.trouble == "The test camera is unplugged: plug it in.")
    assert watch.sighting is not None
    camera.fault = None
    wait_for(lambda: watch.trouble is None)


def test_it_stops_within_a_second_even_when_the_camera_hangs(
    failing: tuple[FailingCamera, Watch],
) -> None:
    camera, watch = failing
    camera.fault = "hangs"
    watch.start()
    time.sleep(0.05)
    began = time.monotonic()
    watch.stop()
    assert time.monotonic() - began < 1
    watch.stop()


def test_a_fresh_frame_is_taken_after_the_call(true_reader: Reader) -> None:
    with Table(true_reader).watch as watch:
        asked = time.monotonic()
        frame = watch.fresh()
        assert frame.taken > asked
        data = watch.picture()
    assert data is not None and data.startswith(b"\xff\xd8")


def test_an_older_frame_is_never_handed_out_as_fresh(true_reader: Reader) -> None:
    table = Table(true_reader)
    table.look(2)
    older = table.watch.picture()
    table.simulator.lay_hand([Tile(1, 2), Tile(3, 4)])
    asked = time.monotonic()
    frame = table.watch.fresh()
    assert frame.taken > asked
    seen = true_reader.read(frame.image)
    assert sorted(str(tile.tile) for tile in seen.tiles) == ["1-2", "3-4"]
    assert table.watch.picture() != older


def test_a_fresh_frame_of_no_camera_is_refused() -> None:
    watch = Watch(NoCamera(), QuickReader())
    with pytest.raises(DeviceTrouble, match="There is no camera"):
        watch.fresh()
    assert watch.picture() is None


def test_since_when_it_works_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("companion.watch.time.monotonic", lambda: now[0])
    camera = FailingCamera()
    watch = Watch(camera, QuickReader())
    assert watch.since == 100
    for fault, at, since in [(None, 101, 100), ("off", 102, 102), ("off", 103, 102)]:
        camera.fault, now[0] = fault, at
        watch.step(at)
        assert watch.since == since
    camera.fault, now[0] = None, 104.0
    watch.fresh()
    assert (watch.since, watch.trouble) == (104, None), "whoever asked for the picture"
    camera.fault, now[0] = "off", 105.0
    with pytest.raises(DeviceTrouble):
        watch.fresh()
    assert (watch.since, watch.trouble) == (105, "The test camera is unplugged: plug it in.")


def test_after_a_long_outage_nothing_is_told_until_it_is_seen_again(
    true_reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("companion.watch.time.monotonic", lambda: now[0])
    simulator = Simulator(seed=2)
    simulator.follow(table_report("9-9", PLAYERS))
    camera = OddCamera(simulator)
    watch = Watch(camera, true_reader, highest=lambda: 12)

    def step(times: int) -> None:
        for _ in range(times):
            now[0] += 0.5
            watch.step(now[0])

    step(4)
    assert watch.sighting is not None and watch.sighting.engine == Tile(9, 9)
    camera.off = True
    step(2)
    camera.off = False
    step(1)
    assert watch.sighting is not None, "one frame that is missing says nothing of the table"
    camera.off = True
    step(12)
    simulator.lay_engine("8-8")
    camera.off = False
    step(1)
    assert watch.sighting is None and watch.last_clear is None
    step(4)
    assert watch.sighting is not None and watch.sighting.engine == Tile(8, 8)


def test_frames_of_another_size_are_read_anew_and_are_no_news(true_reader: Reader) -> None:
    simulator = Simulator(seed=2)
    simulator.follow(table_report("9-9", PLAYERS, started=PLAYERS[:2], turn="Cem"))
    camera = OddCamera(simulator)
    watch = Watch(camera, true_reader, highest=lambda: 12)
    steps = itertools.count()

    def seen() -> Sighting:
        for _ in range(5):
            watch.step(next(steps) / 2)
        assert watch.sighting is not None
        return watch.sighting

    first = seen()
    assert first.engine == Tile(9, 9) and len(first.tiles) > 1
    for scale in (0.5, 1.0):
        camera.scale = scale
        now = seen()
        assert (now.engine, now.added, now.removed) == (Tile(9, 9), (), ())
        assert now.reading.width == 1280 * scale
        assert max(x for tile in now.tiles for x, _ in tile.corners) < 1280 * scale


def test_where_the_slot_is_is_known_after_the_first_look(table: Table) -> None:
    assert table.watch.slot is None
    table.look(2)
    assert table.watch.slot is not None
    (x, y), length = table.watch.slot
    assert abs(x - 640) < 30 and abs(y - 480) < 30
    assert length is not None and 70 < length < 110
