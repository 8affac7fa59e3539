"""What a frame tells of a place without reading it: whether its tile is there still, and whether
light or a thing came over it."""

from functools import partial

import cv2
import numpy as np
import pytest

from companion.observation import Reading
from companion.vision import changes, frames
from companion.vision.covering import Covers, share_on, surface
from companion.vision.geometry import Picture

LEFT, TOP, WIDE, HIGH = 300, 200, 64, 32
CORNERS = (
    (float(LEFT), float(TOP + HIGH)),
    (float(LEFT), float(TOP)),
    (float(LEFT + WIDE), float(TOP)),
    (float(LEFT + WIDE), float(TOP + HIGH)),
)


def slot(*pips: tuple[int, int], body: int = 14) -> Picture:
    """A dark hub with its darker slot, or a dark tile with white pips in it, grey and noisy."""
    grey = np.full((480, 640), 30, np.uint8)
    cv2.rectangle(grey, (LEFT, TOP), (LEFT + WIDE, TOP + HIGH), body, -1)
    cv2.rectangle(grey, (LEFT, TOP), (LEFT + WIDE, TOP + HIGH), 55, 1)
    for x, y in pips:
        cv2.circle(grey, (LEFT + x, TOP + y), 4, 120, -1)
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1), np.uint8)
    noise = np.random.default_rng(len(pips)).normal(0, 2, grey.shape)
    return np.asarray(np.clip(grey + noise, 0, 255), np.uint8)


def test_a_dark_engine_lifted_from_a_dark_slot_is_gone() -> None:
    engine = Reading((1, 1), CORNERS)
    lying = slot((16, 16), (48, 16), body=20)
    face = changes.face(lying, engine, 640)
    again = slot((16, 16), (48, 16), body=22)
    assert changes.alike(face, again, engine, 640)
    assert not changes.alike(face, slot(), engine, 640)


def test_a_tile_without_contrast_is_still_there() -> None:
    blank = np.full((480, 640), 210, np.uint8)
    tile = Reading((0, 0), CORNERS)
    darker = np.full((480, 640), 150, np.uint8)
    assert changes.alike(changes.face(blank, tile, 640), darker, tile, 640)


def table(seed: int = 1) -> Picture:
    """A wooden table, small."""
    grain = np.random.default_rng(seed).normal(0, 14, (240, 1)) + 120
    wood = np.repeat(grain, 320, 1)[..., None] * np.array([0.45, 0.7, 1.0])
    return np.asarray(np.clip(wood, 0, 255), np.uint8)


def lit(picture: Picture, strength: float) -> Picture:
    """The same with a lamp's light in one corner, which ends softly."""
    y, x = np.mgrid[:240, :320]
    gain = 1 + strength * np.exp(-(((x - 60) / 70) ** 2) - ((y - 200) / 60) ** 2)
    return np.asarray(np.clip(picture * gain[..., None], 0, 255), np.uint8)


def hand(picture: Picture) -> Picture:
    """The same with an arm over it."""
    covered = picture.copy()
    cv2.line(covered, (0, 239), (110, 170), (130, 160, 205), 34)
    return covered


@pytest.mark.parametrize("strength", [0.35, 0.6, -0.4])
def test_light_that_comes_or_goes_covers_nothing(strength: float) -> None:
    before, after = table(), lit(table(), strength)
    lying = Reading((6, 9), ((240.0, 720.0), (340.0, 720.0), (340.0, 770.0), (240.0, 770.0)))
    differs = frames.differing(before, after)
    assert differs.sum() > 1000
    light = Covers(differs, [lying], [], 0.25, partial(frames.unevenly, before, after))
    assert light.largest() == 0 and not light.over(lying)
    assert Covers(differs, [lying], [], 0.25).largest() > 1000


def test_an_arm_in_changing_light_covers_what_lies_under_it() -> None:
    before, after = table(), hand(lit(table(), 0.1))
    lying = Reading((6, 9), ((240.0, 720.0), (340.0, 720.0), (340.0, 770.0), (240.0, 770.0)))
    uneven = partial(frames.unevenly, before, after)
    over = Covers(frames.differing(before, after), [lying], [], 0.25, uneven)
    assert over.largest() > 1000 and over.over(lying)


@pytest.mark.parametrize("sleeve", [(150, 90, 60), (60, 60, 150), (70, 130, 60)])
def test_an_even_sleeve_on_an_even_table_is_no_light(sleeve: tuple[int, int, int]) -> None:
    before = np.full((240, 320, 3), (70, 72, 75), np.uint8)
    after = before.copy()
    cv2.line(after, (0, 239), (160, 120), sleeve, 60)
    lying = Reading((6, 9), ((240.0, 720.0), (340.0, 720.0), (340.0, 770.0), (240.0, 770.0)))
    uneven = partial(frames.unevenly, before, after)
    over = Covers(frames.differing(before, after), [lying], [], 0.25, uneven)
    assert over.largest() > 5000


def test_a_hand_beside_a_tile_touches_it_and_a_small_thing_does_not() -> None:
    lying = Reading((6, 9), ((240.0, 720.0), (340.0, 720.0), (340.0, 770.0), (240.0, 770.0)))
    changed = np.zeros((240, 320), np.uint8)
    changed[196:240, 0:60] = 1
    assert Covers(changed, [lying], [lying], 0.25).touches(lying)
    far = Reading((6, 9), tuple((x + 500, y) for x, y in lying.corners))
    assert not Covers(changed, [far], [far], 0.25).touches(far)
    changed[:] = 0
    changed[196:206, 62:90] = 1
    assert not Covers(changed, [lying], [lying], 0.25).touches(lying)


def test_a_place_of_its_own_looks_the_same_whatever_comes_beside_it() -> None:
    before = table()
    cv2.circle(before, (100, 100), 6, (200, 60, 30), -1)
    beside = before.copy()
    cv2.line(beside, (200, 0), (140, 90), (200, 60, 30), 40)
    assert frames.same_at(before, beside, (100, 100), 7)
    gone = table()
    cv2.line(gone, (200, 0), (140, 90), (200, 60, 30), 40)
    assert not frames.same_at(before, gone, (100, 100), 7)
    assert not frames.same_at(before, beside, (4000, 100), 7), "outside the picture"
    assert not frames.same_at(before, beside[:100], (100, 90), 7), "another camera"


def test_a_place_on_two_tiles_is_told_from_one_beside_them() -> None:
    right = tuple((x + WIDE, y) for x, y in CORNERS)
    between = tuple((x + WIDE / 2, y) for x, y in CORNERS)
    beside = tuple((x, y + HIGH) for x, y in CORNERS)
    lying = surface([Reading((1, 2), CORNERS), Reading((2, 3), right)], (120, 160), 0.25)
    assert share_on(lying, Reading((2, 2), between), 0.25) == 1
    assert share_on(lying, Reading((2, 2), beside), 0.25) < 0.3
    assert share_on(lying, Reading((2, 2), tuple((x - 900, y) for x, y in CORNERS)), 0.25) == 0


def test_the_small_copy_does_not_hang_on_how_it_is_made() -> None:
    noise = np.random.default_rng(1).normal(128, 900, (960, 1280, 3))
    noise = np.clip(cv2.GaussianBlur(noise, (0, 0), 6), 0, 255).astype(np.uint8)
    for height, width in ((960, 1280), (950, 1280), (720, 1275), (240, 320), (100, 90)):
        picture = noise[:height, :width]
        small = frames.coloured(picture)
        assert small.shape == (round(height * 320 / width), 320, 3)
        plain = cv2.resize(picture, small.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert np.abs(small.astype(int) - plain).max() < frames.STEP / 3, (height, width)


def test_where_light_bleaches_a_place_nothing_has_changed() -> None:
    table = np.full((240, 320, 3), 150, np.uint8)
    table[100:140, 100:180] = 235
    brighter = np.clip(table * 1.4, 0, 255).astype(np.uint8)
    assert not frames.differing(table, brighter).any()
    brighter[60:80, 60:80] = 40
    assert 300 < frames.differing(table, brighter).sum() < 500
