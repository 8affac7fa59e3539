"""The networks' files are the ones that were described, small, and loadable."""

import hashlib
from pathlib import Path

import pytest

from companion.errors import Trouble
from companion.vision import networks
from companion.vision.networks import WEIGHTS, Network

MOST_BYTES = 8_000_000


def listed() -> dict[str, str]:
    lines = (WEIGHTS / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def test_the_sums_are_of_all_files_and_right() -> None:
    files = {path.name: path for path in WEIGHTS.glob("*.onnx")}
    assert listed() == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()
    }


def test_together_they_are_small() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*.onnx")) <= MOST_BYTES


def test_each_is_described() -> None:
    words = (WEIGHTS / "README.md").read_text()
    assert all(f"`{name}`" in words for name in listed())
    assert "rendered pictures only" in words


def test_a_missing_file_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "WEIGHTS", tmp_path)
    with pytest.raises(Trouble, match="cannot load finder.onnx: install the companion again"):
        Network("finder")
