"""A hand over several photos: one draft, one score, every photo kept with it."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from scoring import Evening, Told, a_picture, drawn, seen, text_of
from werkzeug.test import TestResponse as Response

from companion.developing import Developer
from companion.errors import DeviceTrouble
from companion.observation import Reading
from companion.vision.crops import as_jpeg
from companion.vision.read import Reader
from companion.web import WebSettings

pytest_plugins = ("fixtures_score",)


def told(evening: Evening, *tiles: Reading) -> None:
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = tiles


def add(evening: Evening, photo: str, *tiles: Reading) -> str:
    """One more photo with these tiles; the address that it leads to once it was read."""
    told(evening, *tiles)
    picture = (BytesIO(a_picture()), "more.jpg")
    answer = evening.send(f"/photo/{photo}/more", do="photo", photo=picture)
    assert answer.status_code == 303, text_of(answer)
    evening.read(answer.location)
    return str(evening.browser.get(answer.location).location)


def test_another_photo_goes_into_the_same_hand(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200))
    photo = evening.photo(1)
    page = evening.page(f"/photo/{photo}")
    assert "Add another photo" in page and page.count('class="photo"') == 1
    assert add(evening, photo, seen((6, 6))) == f"/photo/{photo}"
    page = evening.page(f"/photo/{photo}")
    assert page.count('class="photo"') == 2 and "36 points" in text_of(page)
    assert 'id="shared"' not in page and "Everything is right" in page
    assert evening.confirm(photo).status_code == 303
    assert evening.report["hands"]["Ann"] == {"tiles": ["5-12", "3-4", "6-6"], "points": 36}


def sent_at_once(evening: Evening, photo: str, many: int) -> Response:
    files = [(BytesIO(a_picture()), f"{n}.jpg") for n in range(many)]
    return evening.send(f"/photo/{photo}/more", do="photo", photo=files)


def stored(evening: Evening) -> int:
    return len(list(evening.photos.folder.glob("*.jpg")))


def test_no_more_than_six_photos_of_a_hand_however_they_come(evening: Evening) -> None:
    evening.start()
    photo = evening.photo(1)
    refused = sent_at_once(evening, photo, 6)
    assert refused.status_code == 422 and stored(evening) == 1
    assert "Choose at most 6 photos of one hand." in text_of(refused)
    with ThreadPoolExecutor() as pool:
        many = list(pool.map(lambda _n: sent_in_parallel(evening, photo), range(8)))
    assert sorted(many) == [303] * 5 + [422] * 3 and stored(evening) == 6
    for known in evening.photos.kept():
        evening.read(f"/photo/{known.id}")
    refused = sent_at_once(evening, photo, 1)
    assert "There are 6 photos of this hand already." in text_of(refused)
    found = evening.photos.get(photo)
    assert found is not None and found.draft is not None and len(found.draft.shots) == 5
    evening.send(f"/photo/{photo}/more", leave=found.draft.shots[0].id)
    assert sent_at_once(evening, photo, 2).status_code == 422, "one was left out, not two"
    assert sent_at_once(evening, photo, 1).status_code == 303


def sent_in_parallel(evening: Evening, photo: str) -> int:
    browser = evening.app.test_client()
    browser.get("/count")
    with browser.session_transaction() as session:
        token = session["token"]
    told = {"token": token, "do": "photo", "photo": (BytesIO(a_picture()), "a.jpg")}
    return browser.post(f"/photo/{photo}/more", data=told).status_code


def test_an_added_photo_takes_no_photos_of_its_own(evening: Evening) -> None:
    evening.start()
    photo = evening.photo(1)
    add(evening, photo, seen((6, 6)))
    found = evening.photos.get(photo)
    assert found is not None and found.draft is not None
    added = found.draft.shots[0].id
    assert sent_at_once(evening, added, 1).status_code == 303 and stored(evening) == 2


@pytest.mark.parametrize("bad", [b"no picture", b""])
def test_of_several_photos_all_are_kept_or_none(evening: Evening, bad: bytes) -> None:
    evening.start()
    files = [(BytesIO(data), f"{n}.jpg") for n, data in enumerate((a_picture(), a_picture(), bad))]
    assert evening.hand(1, do="photo", photo=files).status_code == 422
    assert evening.photos.kept() == [] and stored(evening) == 0


def test_where_the_disk_is_full_none_of_several_stays(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    write, written = evening.photos._write, []

    def full(path: Path, data: bytes) -> None:
        written.append(path)
        if len(written) == 2:
            raise DeviceTrouble("The photo could not be saved.")
        write(path, data)

    monkeypatch.setattr(evening.photos, "_write", full)
    files = [(BytesIO(a_picture()), f"{n}.jpg") for n in range(3)]
    assert evening.hand(1, do="photo", photo=files).status_code == 503
    assert evening.photos.kept() == [] and stored(evening) == 0


def test_each_of_several_photos_keeps_the_limit_of_one(evening: Evening) -> None:
    settings = WebSettings(secret="s", upload_limit=100_000)
    evening.app.extensions["companion"] = replace(
        evening.app.extensions["companion"], settings=settings
    )
    evening.start()
    data = a_picture() + bytes(80_000)
    files = [(BytesIO(data), f"{n}.jpg") for n in range(6)]
    assert evening.hand(1, do="photo", photo=files).status_code == 303
    assert stored(evening) == 6
    big = (BytesIO(a_picture() + bytes(100_000)), "big.jpg")
    assert evening.hand(2, do="photo", photo=big).status_code == 413
    assert stored(evening) == 6


def test_the_tile_on_both_photos_is_asked_about_and_then_counted_once(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200))
    photo = evening.photo(1)
    add(evening, photo, seen((12, 5)), seen((6, 6), 200))
    page = evening.page(f"/photo/{photo}")
    assert "5-12 is on both photos: the same tile? Yes, count it once" in text_of(page)
    assert 'id="apart"' not in page, "in a known set there is only one"
    assert "In photo 1" in page and "In photo 2" in page and "53 points" in text_of(page)
    assert page.index('id="shared"') < page.index('id="tiles"')
    evening.tap(photo, do="same", both="5-12")
    page = evening.page(f"/photo/{photo}")
    assert 'id="shared"' not in page and "36 points" in text_of(page)
    assert "Undo 5-12 counted once" in text_of(page)
    evening.tap(photo, do="undo", edited=evening.field(f"/photo/{photo}", "edited"))
    assert "53 points" in text_of(evening.page(f"/photo/{photo}"))


def test_several_tiles_on_both_photos_are_one_question(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200))
    photo = evening.photo(1)
    add(evening, photo, seen((12, 5)), seen((3, 4), 200))
    page = evening.page(f"/photo/{photo}")
    assert "These are on both photos: 3-4, 5-12. The same tiles?" in text_of(page)
    both = re.findall(r'name="both" value="([^"]*)"', page)
    evening.tap(photo, do="same", both=both)
    assert "24 points" in text_of(evening.page(f"/photo/{photo}"))


def test_a_misread_twin_is_set_right_instead(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    add(evening, photo, seen((12, 5)))
    evening.tap(photo, tile=2, ends="12-6")
    page = evening.page(f"/photo/{photo}")
    assert 'id="shared"' not in page and "35 points" in text_of(page)


def test_in_an_unknown_set_they_may_be_two(evening: Evening) -> None:
    told(evening, seen((5, 12)))
    picture = (BytesIO(a_picture()), "a.jpg")
    photo = evening.read(evening.send("/count", do="photo", photo=picture).location)
    add(evening, photo, seen((5, 12)))
    assert "No, they are two tiles" in text_of(evening.page(f"/photo/{photo}"))
    evening.tap(photo, do="apart", both="5-12")
    page = evening.page(f"/photo/{photo}")
    assert 'id="shared"' not in page and "34 pips" in text_of(page)


def test_an_added_photo_can_be_left_out_again(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    add(evening, photo, seen((6, 6)))
    page = evening.page(f"/photo/{photo}")
    found = re.search(r'name="leave" value="(\w+)" id="leave-2"', page)
    assert found
    evening.send(f"/photo/{photo}/more", leave=found[1])
    page = evening.page(f"/photo/{photo}")
    assert page.count('class="photo"') == 1 and "17 points" in text_of(page)
    assert evening.browser.get(f"/photo/{found[1]}").location == f"/photo/{photo}"


def test_several_photos_chosen_at_once_are_one_hand(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    files = [(BytesIO(a_picture()), f"{n}.jpg") for n in range(3)]
    answer = evening.hand(2, do="photo", photo=files)
    last = evening.read(answer.location)
    first = evening.browser.get(f"/photo/{last}").location
    assert first != f"/photo/{last}"
    page = evening.page(first)
    assert page.count('class="photo"') == 3
    assert "5-12 is on several photos: the same tile?" in text_of(page)
    many = [(BytesIO(a_picture()), f"{n}.jpg") for n in range(7)]
    answer = evening.hand(2, do="photo", photo=many, score="9")
    assert answer.status_code == 422 and "Choose at most 6 photos" in text_of(answer)
    assert 'name="score" value="9"' in answer.get_data(as_text=True)


def test_there_is_an_end_to_adding(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    for _number in range(5):
        add(evening, photo, seen((5, 12)))
    picture = (BytesIO(a_picture()), "more.jpg")
    answer = evening.send(f"/photo/{photo}/more", do="photo", photo=picture)
    assert answer.status_code == 422
    assert "There are 6 photos of this hand already." in text_of(answer)


@pytest.mark.parametrize("data", [b"", b"a shopping list"])
def test_what_is_no_photo_leaves_the_hand_as_it_is(evening: Evening, data: bytes) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    answer = evening.send(f"/photo/{photo}/more", do="photo", photo=(BytesIO(data), "a.jpg"))
    assert answer.status_code == 422 and 'id="refusal"' in answer.get_data(as_text=True)
    assert evening.send(f"/photo/{photo}/more", do="camera").status_code == 503
    assert "17 points" in text_of(evening.page(f"/photo/{photo}"))


def test_photos_left_unread_by_a_restart_are_read_in_their_order(evening: Evening) -> None:
    evening.start()
    told(evening, seen((1, 2)))
    key = evening.field("/score/1", "round")
    about = {"kind": "hand", "player": "Ann", "who": 1, "round": key, "set": 12, "blank": 50}
    first = evening.photos.keep(a_picture(), about)
    second = evening.photos.keep(a_picture(), {**about, "with": first})
    evening.read(second)
    assert evening.browser.get(f"/photo/{second}").location == f"/photo/{first}"
    assert "1-2 is on both photos" in text_of(evening.page(f"/photo/{first}"))


def test_after_the_round_all_photos_are_shown_and_none_is_added(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    add(evening, photo, seen((6, 6)))
    evening.confirm(photo)
    evening.play({"action": "hand", "player": "Bob", "pips": 1})
    evening.play({"action": "hand", "player": "Cy", "pips": 2}, {"action": "close_round"})
    page = evening.page(f"/photo/{photo}")
    assert page.count('class="photo"') == 2 and 'id="more"' not in page and "leave-2" not in page
    cell = evening.page("/sheet/1/1")
    pictures = set(re.findall(r"/photo/(\w{32})\.jpg", cell))
    assert photo in pictures and len(pictures) == 2
    assert "read from a photo" in cell and "then corrected" not in cell
    picture = (BytesIO(a_picture()), "more.jpg")
    late = evening.send(f"/photo/{photo}/more", do="photo", photo=picture)
    assert "That round is over" in text_of(late)


def test_halves_are_enlarged_beside_their_numbers(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    add(evening, photo, seen((6, 6)))
    page = evening.page(f"/photo/{photo}?tile=2")
    assert page.count(f'<img src="/photo/{photo}/crop/2"') == 2 and "half-right" in page
    assert evening.browser.get(f"/photo/{photo}/crop/2").mimetype == "image/jpeg"
    assert "Left half" in page and 'id="other-12"' in page


def test_the_crop_of_a_tile_is_cut_from_its_own_photo(evening: Evening, reader: Reader) -> None:
    evening.start()
    object.__setattr__(evening.app.extensions["companion"], "darkroom", Developer(reader))
    photo = evening.photo(3, as_jpeg(drawn(["5-12"], seed=3).image))
    picture = (BytesIO(as_jpeg(drawn(["6-6"], seed=4).image)), "more.jpg")
    evening.read(evening.send(f"/photo/{photo}/more", do="photo", photo=picture).location)
    found = evening.photos.get(photo)
    assert found is not None and found.draft is not None
    assert [str(piece.tile) for piece in found.draft.pieces] == ["5-12", "6-6"]
    crops = [evening.browser.get(f"/photo/{photo}/crop/{n}").get_data() for n in (1, 2)]
    for data, tile in zip(crops, ("5-12", "6-6"), strict=True):
        again = evening.read(
            evening.send("/count", do="photo", photo=(BytesIO(data), "crop.jpg")).location
        )
        read = evening.photos.get(again)
        assert read is not None and read.draft is not None
        assert [str(piece.tile) for piece in read.draft.pieces] == [tile]


def test_while_a_photo_is_read_a_bar_and_the_place_are_shown(evening: Evening) -> None:
    evening.start()
    told(evening, seen((1, 2)))
    assert isinstance(evening.reader, Told)
    evening.reader.go.clear()
    photos = [
        evening.hand(seat, do="photo", photo=(BytesIO(a_picture()), "a.jpg")).location
        for seat in (1, 2, 3)
    ]
    page = evening.page(photos[2])
    assert "2 photos are before yours" in page
    bar = re.search(r'<progress [^>]*max="1" value="([\d.]+)"', page)
    assert bar and 0 <= float(bar[1]) < 1 / 3
    assert re.search(r"<noscript><meta http-equiv=.refresh. content=.1.></noscript>", page)
    evening.reader.go.set()
    evening.read(photos[2])
