"""A backup, a photo and a file of settings by somebody who means harm."""

import io
import sqlite3
import struct
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from companion import config
from companion.darkroom import Darkroom
from companion.errors import PhotoUnreadable, Trouble
from companion.photos import LONGEST
from companion.restoring import backup_command, restore_command
from companion.vision.crops import as_jpeg
from companion.vision.headers import header_of, is_bare
from companion.vision.photo import load
from tests.fuzzing import opened
from tests.test_restoring import played, table_of

# ---- backups ------------------------------------------------------------------------------------

FOREIGN = {
    "a trigger that eats taps": (
        "CREATE TRIGGER t AFTER INSERT ON actions BEGIN DELETE FROM actions; END"
    ),
    "a view in a table's place": "DROP TABLE rules; CREATE VIEW rules AS SELECT * FROM people",
    "an index": "CREATE INDEX i ON actions (game)",
    "a check that takes all day": "CREATE TABLE more (a CHECK (a <> zeroblob(1000000000)))",
    "a column more": "ALTER TABLE actions ADD COLUMN more DEFAULT 1",
    "a blob for a name": "INSERT INTO people VALUES ('x', x'41', 1, 1)",
    "a text for a number": "INSERT INTO people VALUES ('x', 'x', 'red', 1)",
    "a path for a photo": "UPDATE photos SET id = '../../x'",
    "a number for a name of rules": "INSERT INTO rules VALUES ('x', x'41', 'hub', '{}', 1)",
    "photos that were taken with each other": (
        'INSERT INTO photos SELECT \'{0}\', made, reading, \'{{"about": {{"kind": "count", '
        '"blank": 50, "with": "\' || id || \'"}}, "tiles": null}}\' FROM photos; '
        'UPDATE photos SET draft = \'{{"about": {{"kind": "count", "blank": 50, "with": "{0}"}}, '
        "\"tiles\": null}}' WHERE id <> '{0}'"
    ).format("0" * 32),
    "a photo of nothing": 'UPDATE photos SET draft = \'{"about": {}, "tiles": null}\'',
    "a photo of somebody at seat minus one": (
        'UPDATE photos SET draft = \'{"about": {"kind": "hand", "player": "Ann", "round": "1.1", '
        '"who": -1, "blank": 50}, "tiles": null}\''
    ),
    "that the game on the table was deleted": (
        'INSERT INTO past VALUES (1, 1, \'[{"action":"delete_game"}]\', NULL); '
        "INSERT INTO choices VALUES ('past-checked', '1')"
    ),
    "that a game was deleted, and more": (
        "INSERT INTO past VALUES (1, -1, "
        '\'[{"action":"delete_game"},{"action":"delete_game"}]\', NULL); '
        "INSERT INTO choices VALUES ('past-checked', '1')"
    ),
    "tiles that are none": (
        'UPDATE photos SET draft = \'{"about": {"kind": "count", "blank": 50}, "tiles": {"width": '
        '1, "height": 1, "warnings": [], "pieces": [{"number": 1, "ends": [99, "x"], "corners": '
        'null, "doubt": null, "others": [], "checked": true, "removed": false, "key": null}]}}\''
    ),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_backup_with_what_we_never_wrote_changes_nothing(kind: str, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    table, _photo = played(here, "Ann")
    there.mkdir()
    played(there, "Bob")
    with closing(sqlite3.connect(there / "journal.db")) as journal:
        journal.executescript(FOREIGN[kind])
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    with pytest.raises(Trouble, match="choose another backup"):
        restore_command(here, there / "journal.db")
    files = {path for path in here.rglob("*") if path.is_file()}
    assert {path: path.read_bytes() for path in files} == {**before, here / "in-use": b""}
    assert table_of(here) == table


def test_an_archive_that_leads_nowhere_is_said_to_be_damaged(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    played(here, "Ann")
    backup_command(here, tmp_path / "good.zip")
    data = bytearray((tmp_path / "good.zip").read_bytes())
    end = data.rindex(b"PK\x05\x06")
    struct.pack_into("<I", data, end + 16, 2**31)  # where the list of members begins
    (tmp_path / "bad.zip").write_bytes(bytes(data))
    with pytest.raises(Trouble, match="choose another backup"):
        restore_command(here, tmp_path / "bad.zip")


def noted() -> bytes:
    """A photo with everything that cameras and programs write into one, the place included."""
    exif = Image.Exif()
    exif[0x010F] = "Camera of mine"
    exif.get_ifd(0x8825)[2] = (IFDRational(52), IFDRational(22), IFDRational(12))
    exif.get_ifd(0x8825)[1] = "N"
    written = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 180, 90)).save(
        written,
        "JPEG",
        exif=exif,
        xmp=b'<x:xmpmeta><exif:GPSLatitude="52,22.2N"/></x:xmpmeta>',
        icc_profile=b"ICC of mine" + bytes(200),
        comment=b"taken at home",
    )
    return written.getvalue() + b"a film behind the picture"


def test_photos_of_a_backup_are_taken_only_as_we_store_them(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    _table, photo = played(here, "Ann")
    backup_command(here, tmp_path / "good.zip")
    good = as_jpeg(np.full((60, 80, 3), 99, np.uint8))
    wide = as_jpeg(np.zeros((1, LONGEST + 1, 3), np.uint8))
    for data, taken in ((good, 1), (noted(), 0), (wide, 0), (good + b"more", 0), (good[:-9], 0)):
        with (
            zipfile.ZipFile(tmp_path / "good.zip") as whole,
            zipfile.ZipFile(tmp_path / "bad.zip", "w") as bad,
        ):
            bad.writestr("journal.db", whole.read("journal.db"))
            bad.writestr(f"photos/{photo}.jpg", data)
        there = tmp_path / str(len(data))
        said = restore_command(there, tmp_path / "bad.zip")
        assert ("with 1 photo." if taken else "with 0 photos.") in said


# ---- uploads ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def darkroom() -> Iterator[Darkroom]:
    with Darkroom() as found:
        yield found


def test_nothing_of_the_camera_is_left_in_a_stored_photo(darkroom: Darkroom) -> None:
    sent = noted()
    assert not is_bare(sent) and b"Camera of mine" in sent
    stored = darkroom.develop(sent)
    assert is_bare(stored) and header_of(stored) is not None
    for note in (b"Exif", b"Camera", b"GPS", b"xmp", b"ICC", b"home", b"film"):
        assert note not in stored
    opened_again = Image.open(io.BytesIO(stored))
    assert not opened_again.getexif() and "icc_profile" not in opened_again.info


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_nor_of_another_kind_of_file(kind: str, darkroom: Darkroom) -> None:
    picture, written = Image.open(io.BytesIO(noted())), io.BytesIO()
    picture.save(written, kind, exif=picture.getexif(), icc_profile=picture.info["icc_profile"])
    assert b"Camera of mine" in written.getvalue()
    assert is_bare(darkroom.develop(written.getvalue()))


def test_a_stored_photo_is_served_as_what_it_is_under_a_name_of_our_own(tmp_path: Path) -> None:
    with opened(tmp_path) as here:
        data = io.BytesIO(noted())
        sent = {"token": here.token, "photo": (data, "../../<b>.html")}
        there = here.client.post("/count", data=sent).location
        assert [path.suffix for path in (tmp_path / "photos").iterdir()] == [".jpg"]
        answer = here.client.get(f"{there}.jpg")
        assert answer.mimetype == "image/jpeg" and is_bare(answer.data)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        for name in ("..%2f..%2fjournal.db", "%2e%2e", "A" * 32, "0" * 31 + "%00"):
            assert here.client.get(f"/photo/{name}.jpg").status_code == 404


def test_a_jpeg_of_nothing_but_markers_is_not_walked_to_its_end() -> None:
    whole = as_jpeg(np.full((8, 8, 3), 90, np.uint8))
    some, many = b"\xff" * 100, b"\xff" * 30_000
    found = header_of(whole[:2] + some + whole[2:])
    assert found is not None and found.whole
    found = header_of(whole[:2] + many + whole[2:])
    assert found is not None and not found.whole
    with pytest.raises(PhotoUnreadable, match="cut short"):
        load(whole[:2] + many + whole[2:])


def test_a_bomb_is_refused_before_it_is_decoded(darkroom: Darkroom) -> None:
    began = darkroom.process
    ihdr = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + ihdr + bytes(4)
    vp8x = b"RIFF\xff\xff\0\0WEBPVP8X\n\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff" + bytes(70_000)
    jpeg = bytearray(as_jpeg(np.full((8, 8, 3), 90, np.uint8)))
    at = jpeg.index(b"\xff\xc0")
    struct.pack_into(">HH", jpeg, at + 5, 65_000, 65_000)
    for bomb in (png, vp8x, bytes(jpeg)):
        with pytest.raises(PhotoUnreadable, match="megapixels"):
            darkroom.develop(bomb)
    assert began in (None, darkroom.process)


# ---- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["port = " + "[" * 5000, "port = " + "{a=" * 5000])
def test_settings_that_are_nested_without_end_are_one_sentence(
    written: str, tmp_path: Path
) -> None:
    (tmp_path / config.FILE).write_text(written)
    with pytest.raises(Trouble, match="put it right or remove it"):
        config.settings(tmp_path, {})
