"""Memory that large pictures take is given back once the table is at rest, and nothing changes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.edges import Frame
from companion.vision.draw import draw_hand
from companion.vision.read import Reader
from companion.watch import Watch

HELD = """
import pathlib, re
from companion.vision.read import Reader
from companion.web.serving import few_pools
from hardware.simulator import Simulator

def held():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"RssAnon:\\s+(\\d+)", status)[1])

few_pools()
reader, frame = Reader(), Simulator(seed=1).frame()
reader.read(frame)
before = held()
reader.let_go()
print(before - held())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux alone tells it there")
def test_a_large_picture_is_let_go():
    env = {**os.environ, "MALLOC_ARENA_MAX": "2"}
    told = subprocess.run(
        [sys.executable, "-c", HELD],
        cwd=Path(__file__).parent.parent,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    assert int(told.stdout) > 25_000, "of fifty megabytes that the finder takes, most come back"


def test_the_next_picture_is_read_as_before():
    image = draw_hand([(1, 2), (3, 4), (12, 12)], 640, 480, seed=1).image
    reader = Reader()
    first = reader.read(image)
    reader.let_go()
    reader.let_go()
    assert reader.read(image).tiles == first.tiles
    assert len(first.tiles) == 3


class Table:
    """A camera over a table on which something is laid when told so."""

    trouble = None
    sensor_name = "drawn"

    def __init__(self):
        self.image = draw_hand([(3, 4)], 640, 480, seed=1).image

    def frame(self, after=None):
        return Frame(self.image, 0.0, "drawn")


def test_it_is_let_go_each_time_the_table_comes_to_rest():
    times, table = [], Table()
    watch = Watch(table, Reader(), at_rest=lambda: times.append(1))
    acts = [watch.step(number / 2) for number in range(8)]
    assert acts[0] == "read" and acts[-2:] == ["rest", "rest"]
    assert len(times) == 1
    table.image = np.ascontiguousarray(table.image[::-1, ::-1])
    acts = [watch.step(number / 2) for number in range(8, 150)]  # what may be a hand, a minute
    assert "read" in acts and acts[-1] == "rest"
    assert len(times) >= 2
