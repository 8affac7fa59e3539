"""Counting a photo without a game."""

from io import BytesIO

from scoring import Evening, Told, a_picture, drawn, seen, text_of

from companion.developing import Developer
from companion.vision.crops import as_jpeg
from companion.vision.read import Reader

pytest_plugins = ("fixtures_score",)


def count(evening: Evening, data: bytes, **fields: str) -> str:
    """Count a photo; its id."""
    answer = evening.send("/count", do="photo", photo=(BytesIO(data), "a.jpg"), **fields)
    assert answer.status_code == 303, text_of(answer)
    return evening.read(answer.location)


def test_pips_and_points_without_a_game(evening: Evening) -> None:
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((5, 12)), seen((0, 0), 200))
    photo = count(evening, a_picture())
    page = text_of(evening.page(f"/photo/{photo}"))
    assert "67 points · 17 pips" in page and "Count another photo" in page
    assert evening.reader.asked == [{"highest": None, "double_blank": 50}]
    assert evening.game.table.revision == 0


def test_set_and_blank_are_chosen(evening: Evening) -> None:
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((5, 12)), seen((0, 0), 200))
    photo = count(evening, a_picture(), set="9", blank="0")
    page = text_of(evening.page(f"/photo/{photo}"))
    assert "17 pips" in page and "There is no 5-12 in this set." in page
    assert evening.reader.asked == [{"highest": 9, "double_blank": 0}]


def test_tiles_are_corrected_as_in_a_game(evening: Evening) -> None:
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((5, 12)),)
    photo = count(evening, a_picture())
    evening.tap(photo, tile=1, one=6)
    evening.tap(photo, do="add", a=1, b=1)
    assert "20 pips" in text_of(evening.page(f"/photo/{photo}"))
    answer = evening.confirm(photo)
    assert answer.status_code == 422 and evening.game.table.revision == 0


def test_refusals_keep_what_was_chosen(evening: Evening) -> None:
    answer = evening.send("/count", do="photo", set="12", blank="0")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "No photo was chosen: choose one, then send it." in text_of(page)
    assert 'name="set" value="12" checked' in page and 'name="blank" value="0" checked' in page
    assert "is none of them" in text_of(evening.send("/count", do="photo", set="7"))
    assert evening.send("/count", do="camera").status_code == 503


def test_the_hub_camera_counts_too(evening: Evening) -> None:
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((1, 2)),)
    evening.watch.image = drawn(["1-2"]).image
    photo = evening.read(evening.send("/count", do="camera").location)
    assert "3 pips" in text_of(evening.page(f"/photo/{photo}"))


def test_a_drawn_photo_is_counted_by_the_real_reader(evening: Evening, reader: Reader) -> None:
    object.__setattr__(evening.app.extensions["companion"], "darkroom", Developer(reader))
    photo = count(evening, as_jpeg(drawn(["1-2", "4-4", "6-9"], seed=2).image))
    found = evening.photos.get(photo)
    assert found is not None and found.draft is not None
    assert sorted(map(str, (piece.tile for piece in found.draft.pieces))) == ["1-2", "4-4", "6-9"]
