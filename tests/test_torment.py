"""Killed at any moment, whatever it was doing, the companion keeps all that it acknowledged.

Sixty kills; ``COMPANION_KILLS=1000`` makes so many.
"""

import os
from pathlib import Path

import pytest

from companion.vision.crops import as_jpeg
from companion.vision.draw import draw_hand
from torment import Torment

KILLS = int(os.environ.get("COMPANION_KILLS", "60"))
PART = 20
"""Kills in one test, so that two workers share them."""


@pytest.mark.parametrize("part", range(-(-KILLS // PART)))
def test_a_kill_loses_nothing_that_was_acknowledged(part: int, tmp_path: Path) -> None:
    photo = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
    torment = Torment(tmp_path / "data", part, photo)
    for _ in range(min(PART, KILLS - part * PART)):
        torment.kill_and_look()
    torment.look()
    counts = torment.counts
    assert torment.acknowledged > 3 * counts["kills"] and torment.photos
    assert counts["in flight"] >= 0.4 * counts["kills"], counts
    assert counts["at the start"] and counts["brought up to date"], counts
