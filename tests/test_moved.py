"""A camera that was knocked is noticed; hands, tiles, light and lamps are not taken for that."""

from functools import cache

import cv2
import numpy as np
import pytest

from companion.vision.frames import small
from companion.vision.moved import View
from hardware.simulator import Simulator
from table_reports import PLAYERS, table_report

FOUR = PLAYERS[:4]
SEEDS = (1, 2)
BY_LIGHT = ("dark", "bright", "light from the side", "a shadow", "darkness")


class Clock:
    """Seconds that only the test moves on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@cache
def frames(seed):
    """What a camera that stands still sees of one table."""
    clock = Clock()
    table = Simulator(seed=seed, clock=clock)
    seen = {"no tiles": table.frame()}
    told = {"started": FOUR, "marked": FOUR[1:2], "doubles": {FOUR[2]: "7-7"}}
    table.follow(table_report("12-12", **told, round_=1))
    seen["a round"] = table.frame()
    clock.now = 0.6
    seen["a blinking lamp"] = table.frame()
    table.hide()
    seen["a hand over it"] = table.frame()
    table.show()
    table.pass_hand()
    clock.now += 1.5
    seen["a passing hand"] = table.frame()
    table.show()
    table.follow(table_report("11-11", started=FOUR, marked=FOUR[3:], round_=2))
    seen["the next round"] = table.frame()
    table.lay_hand(["1-2", "3-4", "5-6", "7-8", "12-12", "0-3", "4-9"])
    seen["a hand of tiles"] = table.frame()
    return seen


def lit_otherwise(frame, how):
    light = np.linspace(0.5, 1.2, frame.shape[1])[None, :, None]
    if how == "a shadow":
        dark = np.zeros(frame.shape[:2], np.uint8)
        cv2.fillPoly(dark, [np.int32([(200, 0), (800, 0), (500, 960), (0, 960)])], 1)
        light = 1 - 0.4 * cv2.GaussianBlur(dark.astype(np.float32), (0, 0), 15)[..., None]
    factor, more = {"dark": (0.45, 0), "bright": (1.35, 20), "darkness": (0.02, 0)}.get(how, (1, 0))
    lit = frame * (light if how in ("a shadow", "light from the side") else factor) + more
    return np.clip(lit, 0, 255).astype(np.uint8)


def knocked(frame, x=0.0, y=0.0, turn=0.0, zoom=1.0):
    height, width = frame.shape[:2]
    how = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
    how[:, 2] += (x * width, y * height)
    return cv2.warpAffine(frame, how, (width, height), borderMode=cv2.BORDER_REFLECT)


def remembered(frame):
    view = View()
    view.remember(small(frame))
    return view


@pytest.mark.parametrize("seed", SEEDS)
def test_what_goes_on_at_a_table_moves_no_camera(seed):
    seen = frames(seed)
    for before in ("a round", "no tiles"):
        view = remembered(seen[before])
        for now in (*seen, *BY_LIGHT):
            frame = seen[now] if now in seen else lit_otherwise(seen["a round"], now)
            assert not view.moved(small(frame)), (
                before,
                now,
                view.displaced(small(frame)),
            )


@pytest.mark.parametrize(
    "how",
    [
        {"x": 0.03},
        {"y": -0.03},
        {"x": -0.02, "y": 0.03},
        {"turn": 2},
        {"turn": -15},
        {"turn": 90},
        {"zoom": 1.03},
        {"zoom": 0.95},
        {"x": 0.15},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_knocked_camera_is_noticed_in_the_same_round_and_in_the_next(seed, how):
    seen = frames(seed)
    view = remembered(seen["a round"])
    for now in ("a round", "the next round", "a blinking lamp"):
        assert view.moved(small(knocked(seen[now], **how))), now


def test_a_small_tremor_is_no_knock():
    seen = frames(1)
    view = remembered(seen["a round"])
    assert not view.moved(small(knocked(seen["a round"], x=0.004, turn=0.2)))


def test_nothing_is_claimed_of_a_view_that_was_never_remembered_or_shows_nothing():
    assert not View().moved(small(frames(1)["a round"]))
    bare = np.full((960, 1280, 3), 120, np.uint8)
    view = remembered(bare)
    assert view.known and not view.moved(small(frames(1)["a round"]))
    assert not remembered(frames(1)["a round"]).moved(small(bare))


def test_a_view_outlives_a_restart():
    seen = frames(1)
    again = View.from_bytes(remembered(seen["a round"]).to_bytes())
    assert again.known and not again.moved(small(seen["a blinking lamp"]))
    assert again.moved(small(knocked(seen["a round"], x=0.05)))


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n"])
def test_a_damaged_view_remembers_nothing(data):
    assert not View.from_bytes(data).known
    with pytest.raises(ValueError):
        View.from_bytes(data).to_bytes()
