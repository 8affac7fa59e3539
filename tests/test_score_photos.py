"""The scorecard's figures, worked out by hand."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.dominoes import Tile
from companion.vision.draw import draw_hand
from photo_scores import SCRIPT, scorecard

score = scorecard()

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]


def tile(*ends: int, at: float = 0, sure: bool = True, confidence: float = 1) -> dict[str, Any]:
    corners = [[x + at, y + at] for x, y in SQUARE]
    return {"ends": list(ends), "corners": corners, "sure": sure, "confidence": confidence}


def answer(*tiles: dict[str, Any], sure: bool = True) -> dict[str, Any]:
    return {"tiles": list(tiles), "sure": sure}


def marked(label: list[list[int]], said: dict[str, Any], **more: Any) -> Any:
    return score.mark("p.jpg", {"tiles": label, **more}, said)


def test_an_exact_photo() -> None:
    one = marked([[3, 1], [2, 2]], answer(tile(2, 2), tile(1, 3)))
    assert one.exact and one.halves == 4 and one.asked == 0


def test_a_tile_reported_twice_is_an_extra() -> None:
    one = marked([[1, 3]], answer(tile(1, 3), tile(3, 1)))
    assert one.extra == [(1, 3)] and one.missing == []


def test_halves_are_paired_at_best() -> None:
    one = marked([[1, 3], [5, 6], [4, 4]], answer(tile(1, 3), tile(5, 4), tile(6, 0)))
    assert one.missing == [(4, 4), (5, 6)]
    assert one.halves == 2 + 1 + 1


def test_what_lies_in_an_ignored_area_counts_only_when_it_is_real() -> None:
    ignored = [[[95, 95], [120, 95], [120, 120], [95, 120]]]
    said = answer(tile(1, 3, at=100), tile(6, 6, at=100, sure=False))
    one = marked([[1, 3]], said, ignore=ignored)
    assert one.exact and one.asked == 0 and one.lenient


def test_reliability_tells_how_often_a_confidence_was_right() -> None:
    said = answer(
        tile(1, 3, confidence=0.99),
        tile(3, 1, confidence=0.6),
        tile(2, 2, confidence=0.55),
        tile(4, 4, confidence=1.0),
    )
    lines = score.reliability([marked([[1, 3], [2, 2], [4, 4]], said)])
    assert lines[1:] == [
        "0.50 to 0.70       2   57.5   50.0",
        "0.97 to 1.00       2   99.5  100.0",
    ]


def test_the_card_counts_shares() -> None:
    exact = marked([[1, 3]], answer(tile(1, 3)))
    silent = marked([[1, 3]], answer(tile(1, 4)))
    timid = marked([[1, 3]], answer(tile(1, 3, sure=False), sure=False))
    unread = marked([[1, 3]], {"error": "no"})
    figures = score.Card([exact, silent, timid, unread]).figures()
    assert figures == {
        "photos": 4,
        "real": 4,
        "tiles": 50,
        "halves": 62.5,
        "extra": 25,
        "exact": 50,
        "exact_low": pytest.approx(15.0, abs=0.1),
        "exact_high": pytest.approx(85.0, abs=0.1),
        "silent": 25,
        "timid": 25,
        "asks": 25,
    }
    assert score.worst([exact, silent, unread], 5) == [
        "  p.jpg (sure): missing 1-3, extra 1-4",
        "  p.jpg: missing 1-3, extra none, no",
    ]


def test_the_script_scores_a_labelled_folder(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    hands = {"a.jpg": [Tile(1, 2), Tile(5, 9)], "b.jpg": [Tile(3, 3)]}
    for seed, (name, tiles) in enumerate(hands.items()):
        cv2.imwrite(str(tmp_path / "img" / name), draw_hand(tiles, 640, 480, seed=seed).image)
    labels = {name: {"tiles": [t.ends for t in tiles]} for name, tiles in hands.items()}
    labels["c.jpg"] = {"tiles": [], "complete": False}  # type: ignore[dict-item]
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    figures = tmp_path / "figures.json"
    run = subprocess.run(
        [str(SCRIPT), str(tmp_path), "--json", str(figures)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "100.00" in run.stdout
    assert json.loads(figures.read_text())["all"]["exact"] == 100
    assert os.access(SCRIPT, os.X_OK)
