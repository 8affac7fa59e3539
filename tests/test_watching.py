"""The command watch: a line for each agreed look, and nothing stops it but the last picture."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest
from click.testing import CliRunner
from coloured import Reader, Table

from companion.cli import main
from companion.errors import RuleBroken
from companion.findings import IN_THE_WAY, UNREAD_HERE
from companion.observation import UNREAD, PhotoReading
from companion.watching import watch_command
from hardware.camera import FolderCamera

FIELDS = ["frame", "engine", "tiles", "added", "removed", "trains", "questions"]


def store(folder: Path, table: Table, name: str) -> None:
    cv2.imwrite(str(folder / name), table.frame().image)


def told(folder: Path, **options: Any) -> list[dict[str, Any]]:
    lines: list[str] = []
    options = {"json_out": True, "agree": 1, **options}
    watch_command(FolderCamera(folder, once=True), Reader(), lines.append, **options)
    return [json.loads(line) for line in lines]


@pytest.fixture
def moves(tmp_path: Path) -> Path:
    """A folder of six pictures: two tiles, one more, a hand, the same, a tile gone, unchanged."""
    table = Table(((1, 2), (40, 40)), ((2, 3), (150, 60)))
    store(tmp_path, table, "1.png")
    table.tiles.append(((3, 4), (260, 40)))
    store(tmp_path, table, "2.png")
    table.blobs = [((200.0, 120.0), 110, (120, 150, 200))]
    store(tmp_path, table, "3.png")
    table.blobs = []
    store(tmp_path, table, "4.png")
    del table.tiles[0]
    store(tmp_path, table, "5.png")
    store(tmp_path, table, "6.png")
    return tmp_path


def test_every_picture_has_its_line(moves: Path) -> None:
    lines = told(moves)
    assert [line["frame"] for line in lines] == [f"{number}.png" for number in range(1, 7)]
    assert all(list(line) == FIELDS for line in lines)
    assert [line["added"] for line in lines] == [[[1, 2], [2, 3]], [[3, 4]], [], [], [], []]
    assert [line["removed"] for line in lines] == [[], [], [], [], [[1, 2]], []]
    assert [IN_THE_WAY in line["questions"] for line in lines] == [False] * 2 + [True] + [False] * 3
    assert lines[1]["tiles"][0].keys() == {"ends", "corners", "confidence", "sure", "why"}


def test_a_broken_picture_has_its_line_too_and_the_rest_is_read(moves: Path) -> None:
    (moves / "2b.jpg").write_bytes(b"\xff\xd8\xff nothing more")
    lines = told(moves)
    assert [line["frame"] for line in lines][:4] == ["1.png", "2.png", "2b.jpg", "3.png"]
    broken = lines[2]
    assert list(broken) == FIELDS and len(broken["tiles"]) == 3
    assert (broken["added"], broken["removed"]) == ([], [])
    (why,) = broken["questions"]
    assert why.startswith("2b.jpg cannot be shown")
    assert lines[5]["removed"] == [[1, 2]]


def test_with_agreement_only_news_is_told(moves: Path) -> None:
    lines = told(moves, agree=2)
    assert [line["added"] for line in lines if line["added"]] == [[[1, 2], [2, 3]], [[3, 4]]]
    assert [line["removed"] for line in lines if line["removed"]] == [[[1, 2]]]
    assert lines[-1]["frame"] == "6.png"


def test_only_the_area_is_told(moves: Path) -> None:
    lines = told(moves, area="100,0,639,0,639,300,100,300")
    assert [line["added"] for line in lines[:2]] == [[[2, 3]], [[3, 4]]]
    assert all(line["removed"] == [] for line in lines)


@pytest.mark.parametrize(
    "area",
    [
        "",
        "1,2,3",
        "a,b,c,d,e,f,g,h",
        "0,0,nan,0,9,9,0,9",
        "0,0,500,400,500,0,0,400",
        "0,0,100,0,200,0,300,0",
        "0,0,5000,0,5000,4000,0,4000",
        "0,0,9,0,9,9,0,9",
    ],
)
def test_nonsense_is_no_area(moves: Path, area: str) -> None:
    with pytest.raises(RuleBroken, match=r"\.$"):
        told(moves, area=area)


def test_in_words(moves: Path) -> None:
    lines: list[str] = []
    watch_command(FolderCamera(moves, once=True), Reader(), lines.append, agree=1)
    assert lines[0] == "1.png: 2 tiles, laid: 1-2, 2-3"
    assert lines[2] == f"3.png: 3 tiles\n  {IN_THE_WAY}"
    assert lines[4] == "5.png: 2 tiles, taken away: 1-2"


def test_a_camera_is_not_asked_to_take_its_photo_again(moves: Path) -> None:
    class Unsure(Reader):
        def read(self, image: Any, **options: Any) -> PhotoReading:
            return replace(super().read(image, **options), warnings=(UNREAD,))

    lines: list[str] = []
    watch_command(FolderCamera(moves, once=True), Unsure(), lines.append, agree=1)
    assert lines[0].endswith(f"\n  {UNREAD_HERE}") and "photo" not in lines[0]


def test_people_are_asked_once_and_again_when_the_question_comes_back(tmp_path: Path) -> None:
    table = Table(((1, 2), (40, 40)), ((1, 2), (150, 60)))
    copies = "There are two of the 1-2: is one of them another tile?"
    second = table.tiles[1]
    for name, tiles in (("1", 2), ("2", 2), ("3", 1), ("4", 2)):
        table.tiles[1:] = [second] if tiles == 2 else []
        store(tmp_path, table, f"{name}.png")
    lines: list[str] = []
    watch_command(FolderCamera(tmp_path, once=True), Reader(), lines.append, agree=1)
    assert [copies in line for line in lines] == [True, False, False, True]
    assert [copies in line["questions"] for line in told(tmp_path)] == [True, True, False, True]


def test_the_command_itself(tmp_path: Path) -> None:
    table = Table()
    store(tmp_path, table, "empty.png")
    store(tmp_path, table, "empty too.png")
    camera = ["watch", "--camera", f"folder:{tmp_path}"]
    result = CliRunner().invoke(main, [*camera, "--agree", "1", "--json"])
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.output.splitlines()]
    assert [line["frame"] for line in lines] == ["empty too.png", "empty.png"]
    assert all(line["tiles"] == [] and line["engine"] is None for line in lines)
    result = CliRunner().invoke(main, [*camera, "--area", "1,2"])
    assert result.exit_code == 1 and "eight numbers" in result.output
    result = CliRunner().invoke(main, ["watch", "--camera", f"folder:{tmp_path / 'none'}"])
    assert result.exit_code == 1 and "cannot be read" in result.output


def test_which_camera_was_found_is_said_beside_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.watching.watch_command", lambda *told, **options: None)
    result = CliRunner().invoke(main, ["watch", "--camera", "auto"])
    assert result.exit_code == 0 and result.stdout == ""
    assert "found" in result.stderr and result.stderr.strip().endswith(".")
