"""The line of `companion check` about the table's key and the secret of the cookies."""

import os
from pathlib import Path

import pytest

from companion.checkkeys import keys
from companion.keyfile import TableKey
from tests.test_check import WITHOUT, Said, as_somebody


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder that was used already, without games."""
    folder = tmp_path / "data"
    folder.mkdir()
    TableKey(folder / "key")
    (folder / "secret").write_text("0" * 64)
    return folder


def test_where_all_is_well_or_yet_to_be_made_there_is_no_line(data: Path) -> None:
    assert list(keys(data)) == []
    assert list(keys(data / "none" / "yet")) == []


@pytest.mark.parametrize("fault", ["folder", "damaged"])
def test_what_keeps_the_companion_from_starting_is_said(data: Path, fault: str) -> None:
    for path in (data / "key", data / "secret"):
        path.unlink()
        if fault == "folder":
            path.mkdir()
        else:
            path.write_bytes(b"\xff\xfe coffee")
    said = Said(data, *WITHOUT)
    assert said.status == 1 and "To be put right: key, secret." in said.text
    for name in ("key", "secret"):
        mark, words = said.lines[name]
        assert mark == "not" and words.startswith(str(data / name))
        what = "is a folder: move it away" if fault == "folder" else "is damaged: remove it"
        assert what in words


@pytest.mark.parametrize("name", ["key", "secret"])
def test_what_this_user_may_not_read_is_said(data: Path, name: str) -> None:
    (data / name).chmod(0o000)
    for path in (data / "key", data / "secret"):
        if os.geteuid() == 0 and path.name != name:
            path.chmod(0o644)
    with as_somebody(data):
        told = list(keys(data))
    assert [each.name for each in told] == [name]
    assert "cannot be read (Permission denied): run it as the user who owns" in told[0].said
