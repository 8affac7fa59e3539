"""The reader on drawn hands, and the command that reads photos and folders."""

import io
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from companion.cli import main
from companion.dominoes import Tile
from companion.errors import Trouble
from companion.observation import NO_TILES, PhotoReading, Point, Reading
from companion.reading import Progress, doubt_in_words, in_words, photos_in, read_command
from companion.vision.draw import BLACK, IVORY, PINNED, WHITE, DrawnHand, Style, draw_hand
from companion.vision.geometry import Picture
from companion.vision.photo import load
from companion.vision.read import Reader, odds_in_set

HAND = [Tile.parse(tile) for tile in ("0-0 1-6 2-9 3-12 4-4 5-11 7-8 10-12".split())]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def hand() -> DrawnHand:
    return draw_hand(HAND, 1000, 750, seed=4)


def tiles_of(reading: PhotoReading) -> list[Tile]:
    return sorted(tile.tile for tile in reading.tiles)


def distance(one: Sequence[Point], other: Sequence[Point]) -> float:
    return float(np.abs(np.array(one) - np.array(other)).max())


@pytest.mark.parametrize("style", [IVORY, WHITE, BLACK, PINNED])
def test_a_drawn_hand_is_read(reader: Reader, style: Style) -> None:
    drawn = draw_hand(HAND, 1000, 750, seed=1, style=style)
    reading = reader.read(drawn.image, highest=12)
    assert tiles_of(reading) == HAND
    assert reading.sure
    assert reading.pips == sum(tile.pips for tile in HAND)
    assert reading.points == reading.pips + 50
    assert (reading.width, reading.height) == (1000, 750)
    assert reading.milliseconds > 0


def test_every_value_is_read(reader: Reader) -> None:
    for first in range(0, 13, 7):
        tiles = [Tile.of(value, (value * 5 + 3) % 13) for value in range(first, first + 6)]
        drawn = draw_hand(tiles, 1000, 750, seed=first)
        assert tiles_of(reader.read(drawn.image)) == sorted(tiles)


def test_corners_are_clockwise_from_the_first_end(reader: Reader, hand: DrawnHand) -> None:
    truth = {Tile.of(*drawn.ends): drawn for drawn in hand.tiles if drawn.ends}
    for tile in reader.read(hand.image).tiles:
        drawn = truth[tile.tile]
        ends, corners = drawn.ends, list(drawn.corners)
        around = [corners, corners[2:] + corners[:2]]
        if ends == tile.ends:
            around = around if tile.tile.is_double else around[:1]
        else:
            around = around[1:]
        assert min(distance(tile.corners, way) for way in around) < 8


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_photo_reads_the_same(reader: Reader, hand: DrawnHand, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(hand.image, turns))
    assert tiles_of(reader.read(turned, highest=12)) == HAND


def test_a_photo_turned_by_its_tag_reads_the_same(reader: Reader, hand: DrawnHand) -> None:
    sideways = Image.fromarray(np.rot90(hand.image)[:, :, ::-1])
    exif = Image.Exif()
    exif[0x0112] = 6
    data = io.BytesIO()
    sideways.save(data, "JPEG", quality=90, exif=exif)
    upright = load(data.getvalue())
    assert upright.shape == hand.image.shape
    by_tag, as_drawn = reader.read(upright), reader.read(hand.image)
    assert tiles_of(by_tag) == HAND
    for one, other in zip(by_tag.tiles, as_drawn.tiles, strict=True):
        assert distance([one.centre], [other.centre]) < 3


@pytest.mark.parametrize("quality", [40, 70])
def test_a_compressed_photo_reads_the_same(reader: Reader, hand: DrawnHand, quality: int) -> None:
    _, data = cv2.imencode(".jpg", hand.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert tiles_of(reader.read(load(data.tobytes()), highest=12)) == HAND


def test_colour_is_not_needed(reader: Reader, hand: DrawnHand) -> None:
    _, data = cv2.imencode(".png", cv2.cvtColor(hand.image, cv2.COLOR_BGR2GRAY))
    assert tiles_of(reader.read(load(data.tobytes()), highest=12)) == HAND


def test_backs_are_not_tiles(reader: Reader) -> None:
    drawn = draw_hand(HAND[:4], 1000, 750, seed=2, backs=3)
    assert tiles_of(reader.read(drawn.image, highest=12)) == HAND[:4]


def test_the_set_doubts_what_it_does_not_hold(reader: Reader) -> None:
    drawn = draw_hand([Tile(1, 2), Tile(3, 12), Tile(4, 5), Tile(4, 5)], 800, 600, seed=3)
    reading = reader.read(drawn.image, highest=6)
    doubts = sorted((str(tile.tile), tile.why) for tile in reading.tiles)
    assert doubts == [
        ("1-2", None),
        ("3-12", "not in this set"),
        ("4-5", "duplicate"),
        ("4-5", "duplicate"),
    ]
    assert not reading.sure
    assert reading.set_highest == 6
    assert reader.read(drawn.image).sure


@pytest.mark.parametrize("seed", range(4))
def test_a_tile_with_pips_beyond_the_edge_is_cut_off(reader: Reader, seed: int) -> None:
    drawn = draw_hand([Tile(6, 6)], 800, 600, seed=seed)
    across = [x for x, _ in drawn.tiles[0].corners]
    edge = round(max(across) - 0.2 * (max(across) - min(across)))
    reading = reader.read(drawn.image[:, :edge], highest=12)
    assert [tile.why for tile in reading.tiles] == ["cut off"]
    assert (reading.pips, reading.sure) == (0, False)


@pytest.mark.parametrize("seed", range(4))
def test_a_tile_that_loses_only_its_rim_counts(reader: Reader, seed: int) -> None:
    drawn = draw_hand([Tile(6, 6)], 800, 600, seed=seed)
    edge = round(max(x for x, _ in drawn.tiles[0].corners)) - 2
    reading = reader.read(drawn.image[:, :edge], highest=12)
    assert [(tile.tile, tile.why) for tile in reading.tiles] == [(Tile(6, 6), None)]


def test_a_bare_table_says_what_to_do(reader: Reader) -> None:
    reading = reader.read(draw_hand([], 600, 450, seed=1).image)
    assert reading.tiles == ()
    assert reading.warnings == (NO_TILES,)
    assert not reading.sure


@pytest.mark.parametrize("size", [(1, 1), (1, 900), (900, 2), (5, 4000), (64, 64)])
@pytest.mark.parametrize("grey", [0, 128, 255])
def test_a_picture_of_any_shape_is_read(reader: Reader, size: tuple[int, int], grey: int) -> None:
    reading = reader.read(np.full((*size, 3), grey, np.uint8))
    assert (reading.height, reading.width) == size
    assert reading.tiles == ()


def test_noise_is_no_tile(reader: Reader) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert reader.read(noise).tiles == ()


def test_only_the_area_is_read(reader: Reader, hand: DrawnHand) -> None:
    area = [(0.0, 0.0), (500.0, 0.0), (500.0, 750.0), (0.0, 750.0)]
    truth = [
        Tile.of(*drawn.ends)
        for drawn in hand.tiles
        if drawn.ends and sum(x for x, _ in drawn.corners) / 4 < 500
    ]
    whole = {tile.tile: tile.centre for tile in reader.read(hand.image).tiles}
    reading = reader.read(hand.image, area=area)
    assert 0 < len(truth) < len(HAND)
    assert tiles_of(reading) == sorted(truth)
    assert (reading.width, reading.height) == (1000, 750)
    for tile in reading.tiles:
        assert distance([tile.centre], [whole[tile.tile]]) < 6


@pytest.mark.parametrize("area", [[(10, 10)] * 4, [(-9, -9), (-5, -9), (-5, -5), (-9, -5)]])
def test_an_empty_area_holds_no_tiles(reader: Reader, hand: DrawnHand, area: list[Point]) -> None:
    assert reader.read(hand.image, area=area).warnings == (NO_TILES,)


def test_reading_leaves_the_picture_as_it_was(reader: Reader, hand: DrawnHand) -> None:
    before = hand.image.copy()
    reader.read(hand.image)
    assert np.array_equal(before, hand.image)


def test_the_set_decides_between_close_values() -> None:
    odds = np.zeros((2, 2, 20))
    odds[:, :, 12], odds[:, :, 13] = 0.55, 0.45
    odds[1, 1, 12], odds[1, 1, 13] = 0.1, 0.9
    decided = odds_in_set(odds, 12)
    assert decided[0, 0, 12] == pytest.approx(1)
    assert decided[1, 0, 12] == pytest.approx(1)
    assert decided[1, 1, 13] == pytest.approx(0.9)
    assert np.array_equal(odds_in_set(odds, 18), odds)


def saved(folder: Path, name: str, image: Picture) -> str:
    cv2.imwrite(str(folder / name), image)
    return str(folder / name)


def read_json(
    capsys: pytest.CaptureFixture[str],
    *paths: str,
    status: int = 0,
    overlay_dir: str | None = None,
) -> list[dict[str, Any]]:
    told = read_command(paths, json_out=True, highest=12, double_blank=25, overlay_dir=overlay_dir)
    assert told == status
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_command_prints_a_line_of_json_for_each_photo(
    tmp_path: Path, hand: DrawnHand, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = saved(tmp_path, "hand.png", hand.image)
    (answer,) = read_json(capsys, photo)
    assert list(answer) == [
        *("photo", "width", "height", "tiles", "pips", "points", "sure", "warnings"),
        "milliseconds",
    ]
    assert answer["photo"] == photo
    assert sorted(Tile.of(*tile["ends"]) for tile in answer["tiles"]) == HAND
    assert answer["points"] == answer["pips"] + 25


def test_an_unreadable_photo_does_not_stop_the_others(
    tmp_path: Path, hand: DrawnHand, capsys: pytest.CaptureFixture[str]
) -> None:
    note = tmp_path / "note.jpg"
    note.write_text("no picture")
    photo = saved(tmp_path, "hand.jpg", hand.image)
    told = read_json(capsys, str(note), str(tmp_path / "gone.jpg"), photo, status=1)
    assert told[0] == {
        "photo": str(note),
        "error": "This is no picture: send a photo as JPEG or PNG.",
    }
    assert told[1]["error"] == "There is no file gone.jpg: check its name."
    assert len(told[2]["tiles"]) == len(HAND)


def test_a_folder_gives_its_photos_by_name(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "notes.txt", "c.jpeg"):
        (tmp_path / name).touch()
    (tmp_path / "folder.jpg").mkdir()
    names = [Path(photo).name for photo in photos_in(str(tmp_path))]
    assert names == ["a.png", "b.JPG", "c.jpeg"] and photos_in("x.jpg") == ["x.jpg"]


def test_folders_are_walked_and_links_to_folders_and_overlays_passed_over(tmp_path: Path) -> None:
    for name in ("b/2.jpg", "b/a/1.png", "a.jpg", "b.jpg", "drawn/a-read.jpg", "z/note.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b" / "again").symlink_to(tmp_path)
    (tmp_path / "c.jpg").symlink_to(tmp_path / "b.jpg")
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "nothing")
    found = photos_in(str(tmp_path), without=str(tmp_path / "z" / ".." / "drawn"))
    names = [str(Path(photo).relative_to(tmp_path)) for photo in found]
    assert names == ["a.jpg", "b/2.jpg", "b/a/1.png", "b.jpg", "c.jpg"]


@pytest.fixture
def nobody() -> Iterator[None]:
    """Whom a file's rights hold for: the tests may run as one who may do everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_nobody_may_read_stops_nothing(hand: DrawnHand, nobody: None) -> None:
    with tempfile.TemporaryDirectory() as name:
        for folder in ("closed", "open/closed", "dark"):
            (Path(name) / folder).mkdir(parents=True)
        good = saved(Path(name) / "open", "good.jpg", hand.image)
        secret = saved(Path(name), "secret.jpg", hand.image)
        dark = saved(Path(name) / "dark", "a.jpg", hand.image)
        closed = [secret, f"{name}/closed", f"{name}/open/closed", f"{name}/dark"]
        for path in closed:
            os.chmod(path, 0)
        try:
            asked = ["read", "--json", *closed[:2], dark, f"{name}/open"]
            done = CliRunner().invoke(main, asked)
        finally:
            for path in closed:
                os.chmod(path, 0o700)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["photo"] for one in told] == [*closed[:2], dark, closed[2], good]
    assert all(one["error"].endswith("check who may read it.") for one in told[:4])
    assert len(told[4]["tiles"]) == len(HAND) and done.exit_code == 1


def test_an_overlay_that_cannot_be_written_stops_nothing(
    tmp_path: Path, hand: DrawnHand, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [saved(tmp_path, f"{name}.jpg", hand.image) for name in ("n" * 250, "short")]
    drawn = tmp_path / "drawn"
    told = read_json(capsys, *photos, status=1, overlay_dir=str(drawn))
    assert [one["photo"] for one in told] == photos
    assert [file.name for file in drawn.iterdir()] == ["short-read.jpg"]


def test_overlays_do_not_go_among_the_photos(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="holds the photos themselves: choose another folder"):
        read_command(
            [str(tmp_path)], json_out=True, highest=None, double_blank=50, overlay_dir=str(tmp_path)
        )


def test_a_name_of_two_lines_is_told_in_one(capsys: pytest.CaptureFixture[str]) -> None:
    status = read_command(
        ["a\nb.jpg"], json_out=False, highest=None, double_blank=50, overlay_dir=None
    )
    assert status == 1
    assert capsys.readouterr().out.count("\n") == 1


def test_a_folder_without_photos_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read_json(capsys, str(tmp_path), status=1) == []


def test_a_folder_without_photos_is_said_also_beside_one_that_has_some(
    tmp_path: Path, hand: DrawnHand, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "some").mkdir()
    saved(tmp_path / "some", "hand.jpg", hand.image)
    folders = [str(tmp_path / name) for name in ("none", "some")]
    status = read_command(folders, json_out=True, highest=None, double_blank=50, overlay_dir=None)
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1 and status == 1
    assert said.err == f"There are no photos in the folder {folders[0]}: name one that has some.\n"


def test_the_command_speaks_to_people_and_draws_what_it_read(
    tmp_path: Path, hand: DrawnHand, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two").mkdir()
    photos = [saved(tmp_path, "h.png", hand.image), saved(tmp_path / "two", "h.png", hand.image)]
    drawn = tmp_path / "drawn"
    read_command(photos, json_out=False, highest=9, double_blank=50, overlay_dir=str(drawn))
    said = capsys.readouterr().out
    assert f"{photos[0]}: 94 pips, 144 points, 8 tiles (please check)" in said
    assert "3-12? not in this set" in said
    assert sorted(file.name for file in drawn.iterdir()) == ["h-read-2.jpg", "h-read.jpg"]
    assert load(drawn / "h-read.jpg").shape == hand.image.shape


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path, hand: DrawnHand) -> None:
    photo = saved(tmp_path, "hand.png", hand.image)
    (tmp_path / "taken").touch()
    with pytest.raises(Trouble, match="cannot be written: choose another folder"):
        read_command(
            [photo],
            json_out=True,
            highest=None,
            double_blank=50,
            overlay_dir=str(tmp_path / "taken"),
        )


def test_doubts_are_said_with_what_else_it_could_be() -> None:
    square = ((0.0, 10.0), (0.0, 0.0), (20.0, 0.0), (20.0, 10.0))
    tile = Reading((3, 5), square, 0.6, False, "glare", (4, None))
    assert doubt_in_words(tile) == "3-5? glare, perhaps 4 for 3"
    cut = Reading((3, 5), square, 0.6, False, "cut off", (4, 6))
    assert doubt_in_words(cut) == "3-5? cut off, not counted"
    assert in_words("p.jpg", PhotoReading(9, 9, (tile, cut), ("Look.",))).splitlines() == [
        "p.jpg: 8 pips, 2 tiles (please check)",
        "  3-5? glare, perhaps 4 for 3",
        "  3-5? cut off, not counted",
        "  Look.",
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_and_only_with_many_photos() -> None:
    screen = Terminal()
    progress = Progress(6, screen)
    for number in range(1, 7):
        progress.next()
        assert screen.getvalue().endswith(f"photo {number} of 6")
        progress.wipe()
        assert screen.getvalue().endswith("\r" + " " * 40 + "\r"), "the answer begins its line"
    for count, other in ((2, Terminal()), (6, io.StringIO())):
        progress = Progress(count, other)
        progress.next()
        progress.wipe()
        assert other.getvalue() == ""


def test_a_name_that_is_no_text_is_still_printed(capsys: pytest.CaptureFixture[str]) -> None:
    name = "na\udce9me.jpg"
    status = read_command([name], json_out=False, highest=None, double_blank=50, overlay_dir=None)
    assert status == 1
    assert capsys.readouterr().out == "na?me.jpg: There is no file na?me.jpg: check its name.\n"
