"""Photos are read in a process of their own, and nothing that happens to it reaches the others."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.darkroom import CROWDED, FAILED, MOST_WAITING, SLOW, Darkroom
from companion.dominoes import Tile
from companion.errors import PhotoUnreadable, Trouble
from companion.saying import Said
from companion.vision.crops import as_jpeg
from companion.vision.draw import draw_hand
from companion.vision.photo import NO_PICTURE, load
from companion.vision.read import Reader
from tests.running import ROOT, STARTING, eventually, within

HAND = ("5-12", "0-0", "7-9")


@pytest.fixture(scope="module")
def photo() -> bytes:
    return as_jpeg(draw_hand([Tile.parse(tile) for tile in HAND], 800, 600, 3).image)


@pytest.fixture(scope="module")
def darkroom() -> Iterator[Darkroom]:
    with Darkroom() as darkroom:
        yield darkroom


def running(process: int | None) -> bool:
    if process is None:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def acting(how: str, **more: float) -> Darkroom:
    """A darkroom whose process does this after it was sent a job."""
    text = f"import os, sys, time; sys.stdin.buffer.read(8); {how}"
    return Darkroom(command=(sys.executable, "-c", text), **more)


STUCK = """
import time
from companion import developing
developing.Developer.develop = lambda self, data: time.sleep(600)
developing.main()
"""
ASKING = f"""
import sys, threading
from companion.darkroom import Darkroom
room = Darkroom(command=(sys.executable, "-c", {STUCK!r}))
threading.Thread(target=room.develop, args=(b"a photo",), daemon=True).start()
while room.process is None:
    pass
print(room.process, flush=True)
sys.stdin.read()
"""


def test_whoever_is_killed_leaves_no_reading_process_behind() -> None:
    """Even one that is stuck in a decoder, and holds what the killed one had open."""
    with subprocess.Popen(
        [sys.executable, "-c", ASKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as server:
        assert server.stdout is not None
        with within(STARTING, server):
            reading = int(server.stdout.readline())
        time.sleep(1)  # so that it is at work
        assert running(reading)
        server.kill()
    assert eventually(lambda: not running(reading), 60)


def test_it_reads_what_the_reader_reads(darkroom: Darkroom, photo: bytes) -> None:
    reading = darkroom.read(photo, highest=12, double_blank=25)
    own = Reader().read(load(photo), highest=12, double_blank=25)
    assert reading.tiles == own.tiles and reading.points == own.points
    assert {str(tile.tile) for tile in reading.tiles} == set(HAND)


def test_it_develops_a_photo_for_the_store(darkroom: Darkroom) -> None:
    large = as_jpeg(np.full((3000, 4000, 3), 90, np.uint8))
    made = darkroom.develop(large)
    assert made.startswith(b"\xff\xd8\xff") and load(made).shape == (1920, 2560, 3)


def test_what_is_no_picture_is_refused_in_the_same_words(darkroom: Darkroom) -> None:
    before = darkroom.process
    with pytest.raises(PhotoUnreadable) as refused:
        darkroom.develop(b"no picture at all")
    assert str(refused.value) == NO_PICTURE and isinstance(str(refused.value), Said)
    assert darkroom.process == before, "the same process goes on"


def test_a_process_that_died_while_it_waited_costs_no_photo(
    darkroom: Darkroom, photo: bytes
) -> None:
    darkroom.develop(photo)
    process = darkroom.process
    assert process is not None
    os.kill(process, signal.SIGKILL)
    assert darkroom.read(photo).tiles
    assert darkroom.process != process and not running(process)


def test_a_process_that_dies_at_a_photo_is_tried_once_more(tmp_path: Path, photo: bytes) -> None:
    crash = f"import sys, pathlib; pathlib.Path({str(tmp_path)!r}, 'n').open('a').write('x')"
    with Darkroom(command=(sys.executable, "-c", f"{crash}; sys.stdin.buffer.read(8)")) as room:
        with pytest.raises(Trouble) as trouble:
            room.read(photo)
    assert str(trouble.value) == FAILED
    assert (tmp_path / "n").read_text() == "x", "a fresh one is not tried again"


def test_no_more_wait_than_the_server_can_bear(photo: bytes) -> None:
    room = acting("time.sleep(60)")
    said: list[str] = []

    def ask() -> None:
        try:
            room.read(photo)
        except Trouble as trouble:
            said.append(str(trouble))

    asking = [threading.Thread(target=ask) for _ in range(MOST_WAITING + 5)]
    for each in asking:
        each.start()
    end = time.monotonic() + 10
    while said.count(CROWDED) < 5:
        assert time.monotonic() < end
        time.sleep(0.01)
    room.close()
    for each in asking:
        each.join(10)
    assert said.count(CROWDED) == 5 and said.count(FAILED) == MOST_WAITING


@pytest.mark.parametrize(
    "how",
    [
        "os.abort()",
        "sys.exit(0)",
        "os.write(1, b'an answer of another kind')",
        "os.write(1, b'\\xff' * 8); time.sleep(0.5)",
        "os.write(1, b'\\0\\0\\0\\2\\0\\0\\0\\0[]')",
        "os.write(1, b'\\0\\0\\0\\2\\0\\0\\0\\0{}')",
        "os.write(1, b'\\0\\0\\0\\2\\0\\0\\0\\0{{')",
    ],
)
def test_nonsense_from_the_process_is_one_sentence(how: str, photo: bytes) -> None:
    with acting(how) as room:
        for job in (room.develop, room.read):
            with pytest.raises(Trouble) as trouble:
                job(photo)
            assert str(trouble.value) == FAILED


def test_a_photo_that_hangs_is_given_up(photo: bytes) -> None:
    with acting("time.sleep(60)", patience=0.4) as room:
        began = time.monotonic()
        with pytest.raises(Trouble) as trouble:
            room.read(photo * 30)
        assert str(trouble.value) == SLOW and time.monotonic() - began < 5
        assert room.process is None


def test_a_machine_without_room_for_a_process_says_so(tmp_path: Path, photo: bytes) -> None:
    with Darkroom(command=(str(tmp_path / "missing"),)) as room:
        with pytest.raises(Trouble, match="could not be read"):
            room.read(photo)


def test_it_leaves_when_no_photo_comes_and_comes_back(photo: bytes) -> None:
    with Darkroom(idle=0.2) as room:
        room.develop(photo)
        process = room.process
        end = time.monotonic() + 10
        while room.process is not None:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert not running(process)
        assert room.develop(photo)


def test_closing_ends_it_even_while_it_works(photo: bytes) -> None:
    room = acting("time.sleep(60)")
    said: list[Exception] = []

    def ask() -> None:
        try:
            room.read(photo)
        except Trouble as trouble:
            said.append(trouble)

    asking = threading.Thread(target=ask)
    asking.start()
    while room.process is None:
        time.sleep(0.01)
    process = room.process
    room.close()
    asking.join(5)
    assert said and not running(process)
    with pytest.raises(Trouble):
        room.develop(photo)


def test_the_process_is_confined(darkroom: Darkroom, photo: bytes) -> None:
    darkroom.develop(photo)
    limits = Path(f"/proc/{darkroom.process}/limits").read_text(encoding="ascii")
    told = {line[:25].strip(): line[26:47].strip() for line in limits.splitlines()}
    assert told["Max file size"] == "0" and told["Max core file size"] == "0"
    assert int(told["Max address space"]) < 2 << 30
    score = Path(f"/proc/{darkroom.process}/oom_score_adj").read_text(encoding="ascii")
    assert int(score) == 500


def test_the_largest_picture_fits_and_a_larger_one_is_refused(darkroom: Darkroom) -> None:
    clear = np.zeros((8000, 8000, 4), np.uint8)
    done, coded = cv2.imencode(".png", clear, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    assert done and load(darkroom.develop(coded.tobytes())).min() > 250
    done, coded = cv2.imencode(".png", np.zeros((10001, 10000), np.uint8))
    with pytest.raises(PhotoUnreadable, match="megapixels"):
        darkroom.develop(coded.tobytes())
