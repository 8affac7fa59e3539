"""A fixed camera over a real game: every move's tile is seen, and nothing else.

The folder board lies beside the one that COMPANION_PHOTOS names; each game in it has its pictures
in order and board_labels.json.
"""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.vision.read import Reader
from companion.watching import watch_command
from hardware.camera import FolderCamera

pytestmark = pytest.mark.photos


@pytest.fixture(scope="module")
def games() -> dict[Path, dict[str, Any]]:
    """The games' folders with their labels."""
    named = os.environ.get("COMPANION_PHOTOS")
    found = sorted((Path(named).parent / "board").glob("*/board_labels.json")) if named else []
    if not found:
        raise RuntimeError("Set COMPANION_PHOTOS to a folder with the folder board beside it.")
    return {path.parent: json.loads(path.read_text(encoding="utf-8")) for path in found}


@pytest.mark.parametrize("larger", [1.0, 1.05])
def test_each_move_is_seen_and_nothing_else(
    games: dict[Path, dict[str, Any]], larger: float
) -> None:
    reader = Reader()
    for folder, labels in games.items():
        corners = np.array(labels["_info"]["grid_corners_px"])
        area = corners.mean(0) + larger * (corners - corners.mean(0))
        lines: list[str] = []
        watch_command(
            FolderCamera(folder, once=True),
            reader,
            lines.append,
            area=",".join(f"{value:.1f}" for value in area.ravel()),
            agree=1,
            json_out=True,
        )
        seen = {line["frame"]: (line["added"], line["removed"]) for line in map(json.loads, lines)}
        moves = [name for name in labels if name != "_info"]
        assert seen == {name: ([sorted(labels[name]["added"])], []) for name in moves}
