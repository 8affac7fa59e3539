"""The table's key: its links and codes, who guesses at them, and its file."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from companion import durable
from companion.errors import Trouble
from companion.joining import ALPHABET, HOST, LENGTHS, PLAYER, ROLES, SPECTATOR
from companion.joining import ALL_BACK, ALL_TRIES, BACK, TRIES, Guesses, Key, group, grouped
from companion.keyfile import TableKey
from tests.disks import filled, mounted

ONE, OTHER = Key(b"1" * 32), Key(b"2" * 32)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_a_link_and_a_code_of_its_own(role: str) -> None:
    assert ONE.opened_by_link(ONE.link(role)) == role
    assert ONE.opened_by_code(ONE.code(role)) == role
    assert len(ONE.link(role)) == 24, "144 bits"
    assert len(ONE.code(role)) == LENGTHS[role] and set(ONE.code(role)) <= set(ALPHABET)
    assert OTHER.opened_by_link(ONE.link(role)) is None
    assert OTHER.opened_by_code(ONE.code(role)) is None


def test_a_code_may_be_typed_as_people_type() -> None:
    code = ONE.code(HOST)
    for typed in (grouped(code), code.lower(), f" {code[:3]} {code[3:]}\n", f"{grouped(code)}."):
        assert ONE.opened_by_code(typed) == HOST
    assert grouped("ACD347") == "ACD-347" and grouped("ACDE3479") == "ACDE-3479"


@pytest.mark.parametrize("told", ["", "x", "ÄÖÜ", "\ud800", "0" * 10_000, "-", ONE.generation])
def test_what_is_no_key_opens_nothing(told: str) -> None:
    assert ONE.opened_by_link(told) is None and ONE.opened_by_code(told) is None


def test_codes_and_links_open_only_as_what_they_are() -> None:
    for role in ROLES:
        assert ONE.opened_by_link(ONE.code(role)) is None
        assert ONE.opened_by_code(ONE.link(role)) is None


def test_nothing_that_looks_like_something_else_is_in_a_code() -> None:
    assert not set(ALPHABET) & set("0O1IL2Z5S8B")
    seen = {letter for n in range(60) for letter in Key(bytes([n]) * 32).code(HOST)}
    assert seen == set(ALPHABET), "every one of them comes up"


def test_the_master_is_never_printed() -> None:
    assert "1111" not in repr(ONE) and (b"1" * 32).hex() not in repr(ONE)
    assert ONE.generation != OTHER.generation and ONE.generation not in ONE.link(PLAYER)


# ---- guessing ------------------------------------------------------------------------------------


def test_who_guesses_wrong_too_often_has_to_wait_and_nobody_else() -> None:
    guesses = Guesses()
    for _ in range(TRIES):
        assert guesses.wait("10.0.0.1", 100.0) == 0
        guesses.wrong("10.0.0.1", 100.0)
    assert guesses.wait("10.0.0.1", 100.0) == BACK
    assert guesses.wait("10.0.0.2", 100.0) == 0
    assert guesses.wait("10.0.0.1", 100.0 + BACK - 1) == pytest.approx(1)
    assert guesses.wait("10.0.0.1", 100.0 + BACK) == 0
    guesses.wrong("10.0.0.1", 100.0 + BACK)
    assert guesses.wait("10.0.0.1", 100.0 + BACK) == BACK, "one more try came back, not all"


def test_many_addresses_together_have_to_wait_too() -> None:
    guesses = Guesses()
    for n in range(ALL_TRIES):
        assert guesses.wait(f"10.0.{n}.1", 0.0) == 0
        guesses.wrong(f"10.0.{n}.1", 0.0)
    assert guesses.wait("192.168.1.2", 0.0) == ALL_BACK
    assert guesses.wait("192.168.1.2", ALL_BACK) == 0


def test_an_evening_of_guessing_finds_no_code() -> None:
    """Every try that is let through within six hours, from as many addresses as one likes."""
    guesses, now, tries, n = Guesses(), 0.0, 0, 0
    while now < 6 * 3600:
        n += 1
        who = f"10.{n // 65536}.{n // 256 % 256}.{n % 256}"
        wait = guesses.wait(who, now)
        if wait:
            now += wait
        else:
            guesses.wrong(who, now)
            tries += 1
    assert tries * 2 / len(ALPHABET) ** LENGTHS[PLAYER] < 1e-5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fd00::1", "fd00::ffff:1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::2%wlan0"),
        ("10.0.0.1:5678", "10.0.0.1:5679"),
        ("[fd00::1]:5678", "fd00::1"),
    ],
)
def test_addresses_that_one_device_may_have_count_as_one(one: str, other: str) -> None:
    assert group(one) == group(other)
    assert group("10.0.0.1") != group("10.0.0.2") and group("fd00::1") != group("fd00:0:0:1::1")
    assert group("nonsense " * 50) == ("nonsense " * 50)[:50]


# ---- the file ------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = TableKey(path).key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert TableKey(path).key == key
    assert TableKey().key != TableKey().key
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_a_new_key_is_noticed_by_whoever_has_the_file_open(tmp_path: Path) -> None:
    serving = TableKey(tmp_path / "key")
    before = serving.key
    made = TableKey(tmp_path / "key").renew()
    assert serving.key == made != before
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "spilled coffee", "ab" * 31, "\xff"])
def test_a_damaged_file_is_a_sentence_and_is_not_replaced(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(Trouble, match="key is damaged: remove it"):
        TableKey(path)
    assert path.read_text(encoding="latin-1") == text


def test_a_file_that_goes_bad_while_it_is_used_throws_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "key"
    keys = TableKey(path)
    before = keys.key
    path.write_text("spilled coffee")
    assert keys.key == before
    path.unlink()
    assert keys.key == before
    assert keys.renew() == keys.key != before
    assert TableKey(path).key == keys.key


def test_a_disk_that_refuses_leaves_the_key_as_it_is(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        keys = TableKey(disk / "key")
        before = keys.key
        stone = filled(disk)
        with pytest.raises(OSError, match="No space"):
            keys.renew()
        assert keys.key == before == TableKey(disk / "key").key
        assert sorted(os.listdir(disk)) == ["key", "stone"]
        stone.unlink()
        assert keys.renew() == keys.key != before


def test_a_disk_that_refuses_once_the_new_key_is_in_place_has_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    keys = TableKey(tmp_path / "key")
    before = keys.key
    monkeypatch.setattr(durable, "sync_folder", refuse)
    made = keys.renew()
    assert made == keys.key == TableKey(tmp_path / "key").key != before


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = TableKey(path).key
    path.chmod(0o644)
    assert TableKey(path).key == key and stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_that_start_at_once_agree(tmp_path: Path) -> None:
    found = []
    begin = threading.Barrier(8)

    def start() -> None:
        begin.wait(10)
        found.append(TableKey(tmp_path / "key").key.generation)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(found) == 8 and len(set(found)) == 1
    assert os.listdir(tmp_path) == ["key"]


def test_a_spectator_is_the_least_and_a_host_the_most() -> None:
    assert ROLES == (SPECTATOR, PLAYER, HOST)
