"""The renderer that the networks learn from: the same seed gives the same picture, and what it
says is true of the picture. Training itself is tried by `scripts/train_reader --smoke`, for it
needs more than the product does."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.pips import HIGHEST
from companion.vision import find, refine
from companion.vision.geometry import Pyramid

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
sys.path.append(str(SCRIPTS))

from training import cuts, maps, scenes, space, store, styles  # noqa: E402
from training.faces import draw_face, half_places  # noqa: E402
from training.labels import UNREADABLE, Label  # noqa: E402
from training.layouts import KINDS, lay  # noqa: E402

SEEDS = (3, 14, 15, 92)
LIGHT = np.array([-0.6, -0.8])


def plain_style(seed: int) -> styles.Style:
    """A set with flat black pips on clear white, its layouts drawn from the seed."""
    style = styles.any_style(np.random.default_rng(seed))
    white, black = np.full(3, 245.0), np.full(3, 10.0)
    return replace(
        style,
        highest=HIGHEST,
        body=white,
        dark=False,
        grain=0,
        wear=0,
        bevel=0,
        pips=(black,) * (HIGHEST + 1),
        divider="none",
        spinner=False,
        frame=False,
        sunk=0,
        gloss=0,
        hollow=False,
    )


def blobs(half: np.ndarray) -> int:
    """How many dark spots a part of a picture shows."""
    dark = (half.mean(2) < 120).astype(np.uint8)
    return cv2.connectedComponents(dark, connectivity=4)[0] - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_face_shows_as_many_pips_as_it_is_said_to(seed: int) -> None:
    style = plain_style(seed)
    for value in range(HIGHEST + 1):
        rng = np.random.default_rng(seed)
        face = draw_face((value, HIGHEST - value), style, 400, LIGHT, rng)
        middle = face.picture.shape[1] // 2
        assert blobs(face.picture[:, :middle]) == value == len(face.pips[0])
        assert blobs(face.picture[:, middle:]) == HIGHEST - value == len(face.pips[1])


@pytest.mark.parametrize("row", ["outer", "inner", "long"])
def test_every_layout_has_the_right_number_of_places_within_the_half(row: str) -> None:
    for way in range(4):
        ways = {value: way for value in range(HIGHEST + 1)}
        for turned in (False, True):
            style = replace(
                plain_style(1), layouts=ways, short_row=row, across=turned, old_seven=turned
            )
            for value in range(HIGHEST + 1):
                spots = half_places(value, style)
                assert len(spots) == value == len(np.unique(spots.round(4), axis=0))
                assert ((spots > 0.1) & (spots < 0.9)).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_gives_the_same_picture_and_labels(seed: int) -> None:
    one, again = scenes.scene(seed), scenes.scene(seed)
    assert one.picture.tobytes() == again.picture.tobytes()
    assert [label.read for label in one.labels] == [label.read for label in again.labels]
    for label, same in zip(one.labels, again.labels):
        assert np.array_equal(label.corners, same.corners)
    assert one.picture.tobytes() != scenes.scene(seed + 1).picture.tobytes()


@pytest.mark.parametrize("seed", SEEDS)
def test_labels_lie_in_the_picture_and_say_only_what_is_there(seed: int) -> None:
    drawn = scenes.scene(seed)
    assert drawn.picture.shape == (scenes.SIDE, scenes.SIDE, 3)
    for label in drawn.labels:
        assert label.corners.shape == (4, 2) and np.isfinite(label.corners).all()
        assert 0 <= label.visible <= 1
        if label.visible >= cuts.WHOLE:
            centre = label.corners.mean(0)
            assert (centre > 0).all() and (centre < scenes.SIDE).all()
        if label.ends is None:
            assert label.read == (UNREADABLE, UNREADABLE)
        else:
            assert all(0 <= end <= HIGHEST for end in label.ends)
            assert all(read in (end, UNREADABLE) for read, end in zip(label.read, label.ends))


def test_in_most_scenes_whole_tiles_can_be_read() -> None:
    clear = []
    for seed in range(20, 40):
        whole = [label for label in scenes.scene(seed).labels if cuts.is_whole(label)]
        if whole:
            clear.append(sum(UNREADABLE not in label.read for label in whole) > 0.7 * len(whole))
    assert len(clear) >= 10 and sum(clear) >= 0.6 * len(clear)


def test_a_camera_overhead_sees_a_tile_as_it_lies() -> None:
    camera = space.Camera.over(np.zeros(2), 100, np.pi / 2, 0.0, 800, 640)
    tile = space.lying(0.5, 0.25, 0.0, 0.5, 0.0)
    assert tile.shows_face(camera) and not tile.sides(camera)
    seen = camera.see(tile.face)
    goal = [[320, 320], [420, 320], [420, 370], [320, 370]]
    assert np.allclose(seen, goal, atol=0.5)


def test_a_standing_tile_shows_its_face_to_the_people_and_its_back_to_others() -> None:
    camera = space.Camera.over(np.zeros(2), 100, 0.5, 0.0, 800, 640)
    towards = space.standing(0, 0, 0.0, 0.0, False, 0.5, 0.2)
    away = space.standing(0, 0, np.pi, 0.0, False, 0.5, 0.2)
    assert towards.shows_face(camera) and not away.shows_face(camera)
    assert np.isclose(towards.corners[:, 2].max(), 0)


def test_every_kind_of_layout_comes_up() -> None:
    rng = np.random.default_rng(5)
    seen = {lay(rng, 0.5, 0.2, 3.0)[0] for _ in range(150)}
    assert seen == set(KINDS)


def test_cut_outs_go_with_their_answers() -> None:
    drawn = scenes.scene(14)
    made = cuts.cut_scene(drawn.picture, drawn.labels, np.random.default_rng(1))
    assert len(made.value_pictures) == len(made.value_answers) > 0
    assert len(made.refiner_pictures) == len(made.refiner_answers) > 0
    assert all(-1 <= end <= cuts.NO_TILE for answer in made.value_answers for end in answer)
    assert all(picture.shape == (48, 96, 3) for picture in made.value_pictures)


def test_the_refiner_is_told_the_corners_as_it_answers_them() -> None:
    corners = np.array([[100.0, 100], [300, 120], [290, 220], [90, 200]])
    made = cuts.Cuts()
    made.add_refiner(Pyramid(np.zeros((400, 400, 3), np.uint8)), corners, corners)
    answer = made.refiner_answers[0]
    assert answer[8] == 1
    assert np.allclose(answer[:8].reshape(4, 2), refine.SIGNS / refine.MARGIN, atol=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, 4.4])
def test_the_finder_finds_the_outline_in_the_maps_it_is_taught(angle: float) -> None:
    along = np.array([np.cos(angle), np.sin(angle)]) * 40
    across = np.array([-along[1], along[0]]) / 2
    corners = cuts.parallelogram(np.array([150.0, 170]), np.stack([along, across]))
    taught = maps.maps(corners[None], np.array([store.TILE]))
    answer = np.concatenate([taught[:1], taught[2:10], taught[11:]])
    answer[0] = 12 * (answer[0] - 0.5)
    found = find.decoded(answer.astype(np.float32))
    assert len(found) == 1
    assert min(
        np.abs(found.corners[0] - same).max() for same in (corners, cuts.turned(corners))
    ) == pytest.approx(0, abs=0.1)


def test_a_window_teaches_nothing_about_tiles_that_it_cuts() -> None:
    corners = np.array([[[-40.0, 100], [40, 100], [40, 140], [-40, 140]]])
    kinds = maps.kinds_inside(corners, np.array([store.TILE], np.int8))
    assert kinds.tolist() == [store.UNCLEAR]
    taught = maps.maps(corners, kinds)
    assert taught[0].max() == 0 and taught[1].min() == 0


def test_tiles_that_are_covered_are_neither_found_nor_missed() -> None:
    corners = np.array([[10.0, 10], [90, 10], [90, 50], [10, 50]])
    label = Label(corners, (3, 4), (UNREADABLE, 4), 0.7)
    assert store.kind_of(label) == store.UNCLEAR
    assert store.kind_of(replace(label, visible=0.95)) == store.TILE
    assert store.kind_of(replace(label, visible=0.2)) == store.NOTHING
    assert store.kind_of(replace(label, ends=None, visible=1)) == store.NOTHING


def test_files_of_scenes_are_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SCENES", 3)
    for name in ("one", "other"):
        store.render_file(tmp_path / name, 2)
    one, other = (np.load(tmp_path / name / "00002.npz") for name in ("one", "other"))
    assert set(one) == set(other)
    assert all(np.array_equal(one[part], other[part]) for part in one)
    stored = list(store.read_scenes([tmp_path / "one"]))
    assert len(stored) == 3 and stored[0].picture().shape == (scenes.SIDE, scenes.SIDE, 3)
    seen: set[Path] = set()
    pictures, answers = store.read_cuts([tmp_path / "one"], "value", seen)
    assert [len(part) for part in pictures] == [len(part) for part in answers]
    assert store.read_cuts([tmp_path / "one"], "value", seen) == ([], [])


def test_scenes_can_be_looked_at(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS / "render_tiles"), str(tmp_path), "--show", "1"]
    subprocess.run(command, check=True, timeout=300)
    assert cv2.imread(str(tmp_path / "0.jpg")).shape == (scenes.SIDE, scenes.SIDE, 3)
