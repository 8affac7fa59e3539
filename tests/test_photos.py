"""The store of photos: durable, nameless, and never led astray by a name."""

import threading
import time
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from scoring import a_picture, seen
from PIL import Image

from companion.errors import DeviceTrouble, PhotoUnreadable, Trouble
from companion.dominoes import Tile
from companion.journal import Journal
from companion.observation import PhotoReading
from companion.photos import LONGEST, PhotoStore
from companion.vision.crops import upright_tile
from companion.vision.photo import load
from companion.web.reading import FAILED, ReadingQueue
from tests.running import all_joined

READING = PhotoReading(400, 300, (seen((5, 12)), seen((3, 4), 200)))


@pytest.fixture
def store(tmp_path: Path) -> PhotoStore:
    return PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "games.sqlite"))


def test_kept_and_found_by_its_id(store: PhotoStore) -> None:
    photo = store.keep(a_picture(), {"player": "Ann"})
    found = store.get(photo)
    assert found is not None
    assert (found.about, found.reading, found.draft) == ({"player": "Ann"}, None, None)
    assert store.picture(photo).shape == (300, 400, 3)
    assert list(store.folder.iterdir()) == [store.path(photo)]


def test_stored_upright_without_what_the_camera_wrote(store: PhotoStore) -> None:
    tags = Image.Exif()
    tags[0x0112] = 6  # turned by a quarter
    tags[0x010F] = "A camera with a name"
    data = BytesIO()
    Image.new("RGB", (400, 300), "navy").save(data, "JPEG", exif=tags)
    photo = store.keep(data.getvalue())
    assert store.picture(photo).shape[:2] == (400, 300)
    written = store.path(photo).read_bytes()
    assert b"Exif" not in written and b"camera" not in written


def test_a_png_becomes_a_jpeg_and_a_large_one_smaller(store: PhotoStore) -> None:
    data = BytesIO()
    Image.new("RGB", (LONGEST + 400, 300)).save(data, "PNG")
    photo = store.keep(data.getvalue())
    assert store.path(photo).read_bytes()[:2] == b"\xff\xd8"
    assert store.picture(photo).shape[1] == LONGEST


def test_what_is_no_picture_is_not_kept(store: PhotoStore) -> None:
    with pytest.raises(PhotoUnreadable):
        store.keep(b"a shopping list")
    assert not store.folder.exists()


@pytest.mark.parametrize("name", ["", "..", "../games", "a" * 32 + "/x", "A" * 32, "0" * 31 + "\n"])
def test_only_ids_of_our_own_become_paths(store: PhotoStore, name: str) -> None:
    assert store.get(name) is None
    with pytest.raises(KeyError):
        store.path(name)


def test_reading_and_draft_outlive_a_restart(store: PhotoStore, tmp_path: Path) -> None:
    photo = store.keep(a_picture())
    store.save_reading(photo, READING)
    store.edit(photo, lambda draft: draft.with_half(1, 1, 11))
    again = PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "games.sqlite")).get(photo)
    assert again is not None and again.draft is not None and again.reading is not None
    assert again.draft.tiles == (Tile(5, 11), Tile(3, 4))
    assert again.reading["tiles"][0]["ends"] == [5, 12]


def test_two_taps_at_once_are_both_kept(store: PhotoStore) -> None:
    photo = store.keep(a_picture())
    store.save_reading(photo, READING)
    taps = [
        threading.Thread(target=store.edit, args=(photo, lambda draft: draft.with_added((1, 1))))
        for _ in range(12)
    ]
    for tap in taps:
        tap.start()
    all_joined(taps)
    found = store.get(photo)
    assert found is not None and found.draft is not None
    assert len(found.draft.pieces) == 14


def test_a_photo_knows_the_tiles_that_were_read_in_it(store: PhotoStore) -> None:
    photo = store.keep(a_picture())
    cut = seen((1, 2), 300, why="cut off")
    store.save_reading(photo, PhotoReading(400, 300, (seen((5, 12)), seen((4, 3), 200), cut)))
    found = store.get(photo)
    assert found is not None
    read = [Tile(5, 12), Tile(3, 4)]
    assert found.reads(read) and found.reads([*read, Tile(1, 2)])
    assert not found.reads(read[:1]) and not found.reads([*read, Tile(0, 0)])
    assert not found.reads([Tile(5, 11), Tile(3, 4)])


def test_edits_and_their_undo_outlive_a_restart(store: PhotoStore, tmp_path: Path) -> None:
    photo = store.keep(a_picture())
    store.save_reading(photo, READING)
    store.edit(photo, lambda draft: draft.without(1))
    again = PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "games.sqlite"))
    undone = again.edit(photo, lambda draft: draft.undone(1))
    assert undone is not None and undone.tiles == (Tile(5, 12), Tile(3, 4))


def test_nothing_to_edit_before_it_was_read(store: PhotoStore) -> None:
    assert store.edit(store.keep(a_picture()), lambda draft: draft) is None
    assert store.edit("0" * 32, lambda draft: draft) is None


def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("a file where the folder should be")
    store = PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "games.sqlite"))
    with pytest.raises(DeviceTrouble, match="The photo could not be saved"):
        store.keep(a_picture())


def test_an_upright_tile_reads_from_its_first_end() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    image[10:50, 40:60] = 255  # the upper half of a tile that stands at x 40 to 60, y 10 to 90
    corners = ((40.0, 10.0), (60.0, 10.0), (60.0, 90.0), (40.0, 90.0))
    laid = upright_tile(image, corners, 200)
    assert laid.shape == (136, 236, 3)
    assert laid[68, 60].min() > 200 and laid[68, 180].max() < 50


def test_what_was_cut_short_is_swept_and_nothing_else(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        store = PhotoStore(tmp_path / "photos", journal)
        kept = store.path(store.keep(a_picture()))
        half, orphan, other = (
            store.folder / name for name in (f"{'a' * 32}.new", f"{'b' * 32}.jpg", "holiday.jpg")
        )
        for file in (half, orphan, other):
            file.write_bytes(b"x")
        assert store.sweep() == 2
        assert sorted(store.folder.iterdir()) == sorted([kept, other])


def test_photos_of_a_journal_that_was_set_aside_are_left_for_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        kept = PhotoStore(tmp_path / "photos", journal)
        photo = kept.path(kept.keep(a_picture()))
    path.write_bytes(b"noise" * 1000)
    for _ in range(2):
        with Journal.open(path) as journal:
            assert PhotoStore(tmp_path / "photos", journal).sweep() == 0
    assert photo.exists()


def test_photos_are_read_one_after_the_other() -> None:
    go, seen_now = threading.Event(), []

    def read(photo: str) -> None:
        go.wait(5)
        seen_now.append(photo)

    queue = ReadingQueue(read, longest=2)
    assert queue.put("a") and queue.put("b") and queue.put("a")
    assert (queue.place("a"), queue.place("b"), queue.place("c")) == (1, 2, None)
    assert queue.full() and not queue.put("c")
    assert not queue.wait("a", 0.01)
    go.set()
    assert queue.wait("b", 5)
    assert seen_now == ["a", "b"]


def test_a_photo_that_fails_does_not_stop_the_next() -> None:
    def read(photo: str) -> None:
        if photo == "bad":
            raise PhotoUnreadable("This is no picture: send a photo as JPEG or PNG.")
        if photo == "worse":
            raise ZeroDivisionError

    queue = ReadingQueue(read)
    for photo in ("bad", "worse", "good"):
        queue.put(photo)
    assert queue.wait("good", 5)
    assert queue.failure("bad") == "This is no picture: send a photo as JPEG or PNG."
    assert queue.failure("worse") == FAILED
    assert queue.failure("good") is None


def test_other_reading_takes_its_turn_on_the_same_thread() -> None:
    go, order = threading.Event(), []

    def read(photo: str) -> None:
        go.wait(5)
        order.append((photo, threading.current_thread().name))

    queue = ReadingQueue(read, longest=2)
    queue.put("a")
    waiting = [threading.Thread(target=lambda: queue.now(lambda: read("other"))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    give_up = time.monotonic() + 5
    while queue._others < 2 and time.monotonic() < give_up:
        time.sleep(0.01)
    with pytest.raises(Trouble, match="Many photos wait to be read"):
        queue.now(lambda: None)
    go.set()
    for thread in waiting:
        thread.join(5)
    assert [photo for photo, _ in order] == ["a", "other", "other"]
    assert len({name for _, name in order}) == 1
    with pytest.raises(PhotoUnreadable):
        queue.now(lambda: load(b"no picture"))


# ---- several photos of one hand ---------------------------------------------------------


def two_photos(store: PhotoStore) -> tuple[str, str]:
    """A hand over two photos: 5-12 and 3-4 on the first, 3-4 and 6-6 on the second."""
    first = store.keep(a_picture())
    second = store.keep(a_picture(), {"with": first})
    store.save_reading(first, READING)
    store.save_reading(second, PhotoReading(400, 300, (seen((4, 3)), seen((6, 6), 200))))
    return first, second


def test_a_photo_goes_into_the_draft_of_the_one_it_was_taken_with(store: PhotoStore) -> None:
    first, second = two_photos(store)
    found = store.get(first)
    assert found is not None and found.draft is not None
    assert [shot.id for shot in found.draft.shots] == [second]
    assert found.draft.tiles == (Tile(5, 12), Tile(3, 4), Tile(3, 4), Tile(6, 6))


def test_tiles_of_two_photos_are_as_read_whether_a_shared_one_counts_once_or_twice(
    store: PhotoStore,
) -> None:
    first, _second = two_photos(store)
    found = store.get(first)
    assert found is not None
    once = [Tile(5, 12), Tile(3, 4), Tile(6, 6)]
    assert found.reads(once) and found.reads([*once, Tile(3, 4)])
    assert not found.reads(once[:2]) and not found.reads([*once, Tile(6, 6)])


# ---- the bar while one waits --------------------------------------------------------------


def test_the_bar_only_ever_grows_until_the_photo_is_read() -> None:
    go = [threading.Event() for _ in range(3)]
    queue = ReadingQueue(lambda photo: go[int(photo)].wait(10) and None)
    for photo in "012":
        queue.put(photo)
    seen_at = []
    for number, event in enumerate(go):
        until = time.monotonic() + 5
        while queue.place("2") != 3 - number and time.monotonic() < until:
            time.sleep(0.005)
        time.sleep(0.05)
        seen_at.append(queue.progress("2"))
        event.set()
    assert queue.wait("2", 5)
    assert seen_at == sorted(seen_at) and 0 <= seen_at[0] < 1 / 3
    assert 1 / 3 <= seen_at[1] < 2 / 3 <= seen_at[2] < 1
    assert queue.progress("2") == 1
