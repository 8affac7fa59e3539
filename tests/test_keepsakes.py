"""Doubtful pictures are kept for a look, few of them, and never at anybody's cost."""

import threading
from datetime import UTC, datetime, timedelta

from companion.keepsakes import Keepsakes, is_id
from tests.running import all_joined

NOON = datetime(2026, 5, 4, 12, 0, 0, 250, UTC)


def kept(keepsakes, number, size=100, doubt=None):
    now = NOON + timedelta(seconds=number)
    return keepsakes.keep(b"x" * size, {"n": number}, doubt or f"doubt {number}", now)


def test_the_newest_comes_first_with_what_was_made_of_it(tmp_path):
    keepsakes = Keepsakes(tmp_path / "seen")
    assert keepsakes.all() == []
    for number in range(3):
        kept(keepsakes, number)
    found = keepsakes.all()
    assert [each.about["n"] for each in found] == [2, 1, 0]
    assert found[2].kept == NOON
    assert keepsakes.picture(found[0].id) == b"x" * 100


def test_the_oldest_go_when_there_are_too_many(tmp_path):
    keepsakes = Keepsakes(tmp_path, most=4)
    for number in range(10):
        kept(keepsakes, number)
    assert [each.about["n"] for each in keepsakes.all()] == [9, 8, 7, 6]
    assert len(list(tmp_path.iterdir())) == 8


def test_the_oldest_go_when_they_take_too_much(tmp_path):
    keepsakes = Keepsakes(tmp_path, most_bytes=1000)
    for number in range(5):
        kept(keepsakes, number, size=300)
    assert [each.about["n"] for each in keepsakes.all()] == [4, 3, 2]
    kept(keepsakes, 9, size=5000)
    assert [each.about["n"] for each in keepsakes.all()] == [9]


def test_the_same_doubt_is_kept_once_in_a_while(tmp_path):
    keepsakes = Keepsakes(tmp_path)
    assert kept(keepsakes, 0, doubt="is it the 9-9?")
    assert kept(keepsakes, 30, doubt="is it the 9-9?") is None
    assert kept(keepsakes, 31, doubt="is it the 8-8?")
    assert kept(keepsakes, 300, doubt="is it the 8-8?")
    assert len(keepsakes.all()) == 3


def test_a_picture_can_be_deleted_and_all_of_them(tmp_path):
    keepsakes = Keepsakes(tmp_path)
    first, second, third = (kept(keepsakes, number) for number in range(3))
    assert keepsakes.forget([second, "../journal.db"]) == 1
    assert [each.id for each in keepsakes.all()] == [third, first]
    assert keepsakes.forget() == 2
    assert list(tmp_path.iterdir()) == []


def test_no_name_but_its_own_is_ever_read(tmp_path):
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    keepsakes = Keepsakes(tmp_path / "seen")
    for name in ("../secret", "secret", "20260504T120000", "99999999T999999999999", ""):
        assert keepsakes.picture(name) is None and not is_id(name)


def test_a_disk_that_refuses_hurts_nobody(tmp_path):
    (tmp_path / "seen").write_text("a file is in the way")
    keepsakes = Keepsakes(tmp_path / "seen")
    assert kept(keepsakes, 0) is None
    assert keepsakes.all() == [] and keepsakes.forget() == 0


def test_a_damaged_note_loses_only_itself(tmp_path):
    keepsakes = Keepsakes(tmp_path)
    name = kept(keepsakes, 0)
    for damage in (b"{", b"[1]"):
        (tmp_path / f"{name}.json").write_bytes(damage)
        assert keepsakes.all()[0].about == {}


def test_many_may_keep_at_once(tmp_path):
    keepsakes = Keepsakes(tmp_path, most=10)

    def keep(start):
        for number in range(start, 60, 3):
            kept(keepsakes, number)

    threads = [threading.Thread(target=keep, args=(start,)) for start in range(3)]
    for thread in threads:
        thread.start()
    all_joined(threads)
    assert len(keepsakes.all()) == 10
