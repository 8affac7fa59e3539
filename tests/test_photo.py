"""Files of every kind become an upright picture or one plain sentence."""

import io
import os
import struct
import sys
import types
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.errors import PhotoUnreadable
from companion.vision import photo
from companion.vision.headers import Header, header_of
from companion.vision.photo import load

RED, BLUE = (200, 30, 20), (20, 30, 200)


def flag() -> Image.Image:
    """Four times as wide as high, red on the left and blue on the right, as colours of Pillow."""
    picture = Image.new("RGB", (160, 40), RED)
    picture.paste(BLUE, (80, 0, 160, 40))
    return picture


def stored(picture: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    data = io.BytesIO()
    picture.save(data, kind, **options)
    return data.getvalue()


def tagged(turn: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = turn
    return exif


def red_side(image: np.ndarray) -> str:
    """Where the red half lies in a picture of blue, green, red."""
    height, width = image.shape[:2]
    places = {
        "left": image[height // 2, width // 8],
        "right": image[height // 2, -width // 8],
        "top": image[height // 8, width // 2],
        "bottom": image[-height // 8, width // 2],
    }
    across = ("left", "right") if width > height else ("top", "bottom")
    return next(side for side in across if places[side][2] > places[side][0])


UPRIGHT = {1: "left", 2: "right", 3: "right", 4: "left", 5: "top", 6: "top", 7: "bottom"}
UPRIGHT[8] = "bottom"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_rotation_tags_are_obeyed(turn: int, kind: str) -> None:
    image = load(stored(flag(), kind, exif=tagged(turn)))
    assert image.shape == ((40, 160, 3) if turn < 5 else (160, 40, 3))
    assert red_side(image) == UPRIGHT[turn]


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("RGB", "JPEG"),
        ("CMYK", "JPEG"),
        ("L", "JPEG"),
        ("RGB", "PNG"),
        ("L", "PNG"),
        ("P", "PNG"),
        ("1", "PNG"),
        ("RGBA", "PNG"),
        ("LA", "PNG"),
        ("RGB", "WEBP"),
        ("RGBA", "WEBP"),
    ],
)
def test_every_kind_of_pixel_becomes_three_bytes(mode: str, kind: str) -> None:
    image = load(stored(flag().convert(mode), kind))
    assert image.shape == (40, 160, 3)
    assert image.dtype == np.uint8
    if mode in ("RGB", "RGBA", "CMYK", "P"):
        assert red_side(image) == "left"


def test_sixteen_bits_become_eight() -> None:
    levels = np.linspace(0, 65535, 160).astype(np.uint16)
    image = load(stored(Image.fromarray(np.tile(levels, (40, 1))), "PNG"))
    assert image[20, 0].tolist() == [0, 0, 0]
    assert image[20, -1].tolist() == [255, 255, 255]
    assert abs(int(image[20, 80, 0]) - 128) < 3


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_half_of_a_colour_shines_through_on_white(kind: type) -> None:
    most = np.iinfo(kind).max
    picture = np.zeros((600, 4, 4), kind)
    picture[:, :, 2] = most
    picture[:, :, 3] = most // 2
    loaded = load(cv2.imencode(".png", picture)[1].tobytes())
    # half red, half white: red stays 255, the others are half of 255
    assert np.abs(loaded.reshape(-1, 3).astype(int) - (128, 128, 255)).max() <= 1


def test_sixteen_bits_count_twice_before_anything_is_decoded() -> None:
    header = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII5B", 13, b"IHDR", 6000, 6000, 16, 6, 0, 0, 0)
    with pytest.raises(PhotoUnreadable, match="too large"):
        load(header + b"IEND\xae\x42\x60\x82")


def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "photo.jpg")
    for odd in (tmp_path / "photo.jpg", Path("/dev/zero")):
        with pytest.raises(PhotoUnreadable, match="is no ordinary file: name a photo."):
            load(odd)


def test_what_is_transparent_becomes_white() -> None:
    picture = flag().convert("RGBA")
    picture.paste((0, 0, 0, 0), (0, 0, 80, 40))
    image = load(stored(picture, "PNG"))
    assert image[20, 20].tolist() == [255, 255, 255]
    assert image[20, 140].tolist() == [200, 30, 20]


def refused(source: bytes | Path) -> str:
    with pytest.raises(PhotoUnreadable) as refusal:
        load(source)
    return str(refusal.value)


def test_an_empty_file_is_refused() -> None:
    assert refused(b"") == "The file is empty: take the photo again."


def test_a_text_file_with_a_photos_name_is_refused(tmp_path: Path) -> None:
    note = tmp_path / "hand.jpg"
    note.write_text("5-12, 3-4 and the double blank\n")
    assert refused(note) == "This is no picture: send a photo as JPEG or PNG."


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "no.jpg") == "There is no file no.jpg: check its name."
    assert "is a folder" in refused(tmp_path)


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "PDF"])
def test_other_kinds_are_named(kind: str) -> None:
    wanted = f"A {kind} file cannot be read: send a photo as JPEG or PNG."
    assert refused(stored(flag(), kind)) == wanted


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_file_that_is_cut_short_is_refused(kind: str) -> None:
    data = stored(flag(), kind)
    for length in range(12, len(data) - 1, 7):
        assert refused(data[:length]) == "The picture is cut short: send it again."


def test_a_picture_may_be_followed_by_something_else() -> None:
    assert load(stored(flag()) + b"\0" * 100 + b"a film of the last second").shape == (40, 160, 3)


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture() -> None:
    thumbnail = stored(flag().resize((16, 4)))
    data = stored(flag(), exif=b"Exif\0\0" + thumbnail)
    assert load(data).shape == (40, 160, 3)
    assert refused(data[:-2]) == "The picture is cut short: send it again."


def png_bomb(width: int, height: int) -> bytes:
    """A PNG file of a few bytes that claims to be this large."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + pixels + chunk(b"IEND", b"")


def jpeg_bomb() -> bytes:
    """A JPEG file whose frame claims 60,000 pixels either way."""
    data = bytearray(stored(flag()))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", 60000, 60000)
    return bytes(data)


@pytest.mark.parametrize("data", [png_bomb(10001, 10000), png_bomb(8001, 8000), jpeg_bomb()])
def test_too_many_pixels_are_refused_before_they_are_decoded(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decode(*_: object) -> None:
        raise AssertionError("this must not be decoded")

    monkeypatch.setattr("cv2.imdecode", decode)
    assert refused(data) == "The picture is too large: send one of at most 64 megapixels."


def test_a_damaged_picture_is_refused() -> None:
    assert refused(png_bomb(100, 0)) == "The picture is damaged: take the photo again."


def test_a_file_of_many_megabytes_is_not_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo, "MOST_MEGABYTES", 0)
    (tmp_path / "film.jpg").write_bytes(stored(flag()))
    assert refused(tmp_path / "film.jpg").startswith("The file is too large")


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"


def test_heic_without_its_extra_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    assert refused(HEIC) == (
        "HEIC photos cannot be read here: send it as JPEG, "
        "or install the companion with its extra heic."
    )


class FakeHeif:
    """What pillow-heif hands out: a size at once, the pixels when they are asked for."""

    def __init__(self, pixels: np.ndarray, size: tuple[int, int]) -> None:
        self._pixels, self.size = pixels, size

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        return self._pixels


def with_heif(monkeypatch: pytest.MonkeyPatch, answer: Callable[[], FakeHeif]) -> None:
    heif = types.ModuleType("pillow_heif")

    def open_heif(_: io.BytesIO, *, convert_hdr_to_8bit: bool, bgr_mode: bool) -> FakeHeif:
        assert convert_hdr_to_8bit and bgr_mode
        return answer()

    setattr(heif, "open_heif", open_heif)
    monkeypatch.setitem(sys.modules, "pillow_heif", heif)


@pytest.mark.parametrize("shape", [(4, 6), (4, 6, 3), (4, 6, 4)])
def test_heic_is_read_with_its_extra(
    shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_heif(monkeypatch, lambda: FakeHeif(np.full(shape, 255, np.uint8), (6, 4)))
    assert load(HEIC).tolist() == np.full((4, 6, 3), 255).tolist()


def test_a_heic_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with_heif(monkeypatch, lambda: FakeHeif(np.empty(0, np.uint8), (9000, 9000)))
    assert refused(HEIC).startswith("The picture is too large")


def test_a_damaged_heic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> FakeHeif:
        raise ValueError("no image")

    with_heif(monkeypatch, damaged)
    assert refused(HEIC) == "The picture is damaged: take the photo again."


def test_headers_tell_kind_and_size() -> None:
    for kind in ("JPEG", "PNG", "WEBP"):
        assert header_of(stored(flag(), kind)) == Header(kind, 160, 40)
    assert header_of(stored(flag(), "JPEG", progressive=True)) == Header("JPEG", 160, 40)
    assert header_of(stored(flag(), "WEBP", lossless=True)) == Header("WEBP", 160, 40)
    assert header_of(stored(flag(), "WEBP", exif=tagged(1))) == Header("WEBP", 160, 40)
    assert header_of(b"hello") is None


STARTS = [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 ", HEIC, b"GIF8"]


@given(st.sampled_from(STARTS), st.binary(max_size=200))
def test_garbage_is_refused_with_a_sentence(start: bytes, rest: bytes) -> None:
    sentence = refused(start + rest)
    assert sentence.endswith(".")
    assert ": " in sentence


@settings(deadline=None)
@given(st.data())
def test_a_photo_with_flipped_bytes_is_read_or_refused(data: st.DataObject) -> None:
    picture = bytearray(stored(flag(), data.draw(st.sampled_from(["JPEG", "PNG", "WEBP"]))))
    for _ in range(data.draw(st.integers(1, 4))):
        picture[data.draw(st.integers(0, len(picture) - 1))] = data.draw(st.integers(0, 255))
    try:
        image = load(bytes(picture))
    except PhotoUnreadable as refusal:
        assert str(refusal).endswith(".")
    else:
        assert image.ndim == 3 and image.shape[2] == 3 and image.dtype == np.uint8
