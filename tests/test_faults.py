"""What goes wrong below the companion is a sentence on the page, costs nothing that was stored, and
is over as soon as its cause is."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from companion import check
from companion.errors import JournalTrouble
from companion.game import Game
from companion.journal import Journal
from companion.vision.crops import as_jpeg
from companion.vision.draw import draw_hand
from disks import filled, mounted, refusing
from running import ROOT, STARTING, Companion, eventually
from test_migration import VERSION_1
from test_synced import photo_form

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"}
OPEN = {"action": "open_round"}
MARK, UNMARK = ({"action": act, "train": "Ann"} for act in ("mark", "unmark"))
PHOTO = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
PAGES = ("/", "/table", "/sheet", "/settings", "/new", "/count", "/games", "/live")
TRACED = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


def checked(data: Path) -> str:
    """What ``companion check`` says of a data folder."""
    command = [sys.executable, "-m", "companion", "check", "--data", str(data), "--camera", "none"]
    command += ["--lights", "none", "--host", "127.0.0.1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=STARTING)
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


def sent(companion: Companion, path: str, body: bytes, kind: str, cookie: str) -> tuple[int, str]:
    """Status and page after a form was sent."""
    request = urllib.request.Request(
        companion.address + path, body, {"Content-Type": kind, "Cookie": cookie}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def opens(companion: Companion, path: str) -> None:
    """The page, or the stream, opens as ever."""
    with urllib.request.urlopen(companion.address + path, timeout=60) as answer:
        assert answer.status == 200
        assert answer.readline()


def refuses_all(companion: Companion, why: str, photo: str) -> None:
    """Tap, form and photo are refused in a sentence, and every page opens all the same."""
    before = companion.get("/api/table")
    status, told = companion.refused({**MARK, "once": "again and again"})
    assert status == 503 and why in told["error"]
    cookie, token = companion.joined("/table")
    form = urllib.parse.urlencode({"token": token, "act": "mark", "train": "Ann"}).encode()
    status, page = sent(companion, "/table", form, "application/x-www-form-urlencoded", cookie)
    assert status == 503 and why in page and "Traceback" not in page
    body = photo_form(token, PHOTO)
    status, page = sent(companion, "/count", body, "multipart/form-data; boundary=x", cookie)
    assert status == 503 and photo in page
    for path in PAGES:
        opens(companion, path)
    assert companion.get("/api/table") == before


def goes_on(companion: Companion) -> None:
    """The tap that was refused is taken now, under the same key."""
    again = {**MARK, "once": "again and again"}
    first = companion.play(again)
    assert first["open_trains"] == ["Ann"] and companion.play(again) == first
    companion.play(UNMARK)


def kept_whole(data: Path, revision: int) -> None:
    """Everything that was acknowledged is there, and nothing was set aside."""
    assert not list(data.glob("*.damaged-*"))
    with Game(Journal.open(data / "journal.db")) as game:
        assert (game.notice, game.table.revision) == (None, revision)


def test_a_full_disk_is_told_and_scoring_goes_on_once_there_is_room(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "2m") as disk:
        data = disk / "data"
        with Companion(data, "--camera", "none") as companion:
            companion.play(START, OPEN)
            stone = filled(disk)
            refuses_all(companion, "the disk is full: free some space", "disk is nearly full")
            assert "is full: free some space" in checked(data)
            stone.unlink()
            goes_on(companion)
            assert "Only" in checked(data), "two megabytes are few"
        kept_whole(data, 4)


def test_photos_leave_the_last_of_the_disk_for_the_score(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "20m") as disk:
        with Companion(disk / "data", "--camera", "none") as companion:
            companion.play(START, OPEN)
            cookie, token = companion.joined("/count")
            body = photo_form(token, PHOTO)
            status, page = sent(
                companion, "/count", body, "multipart/form-data; boundary=x", cookie
            )
            assert status == 503 and "disk is nearly full" in page
            assert not list((disk / "data").glob("photos/*"))
            companion.play(MARK, UNMARK)


def test_a_companion_on_a_read_only_disk_says_so(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "2m") as disk:
        data = disk / "data"
        with Companion(data, "--camera", "none") as companion:
            companion.play(START, OPEN)
        before = (data / "journal.db").read_bytes()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True, timeout=60)
        with pytest.raises(AssertionError, match="Read-only file system") as failed:
            Companion(data, "--camera", "none").start()
        assert "Traceback" not in str(failed.value)
        assert "is read-only: check the card or the disk" in checked(data)
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True, timeout=60)
        assert (data / "journal.db").read_bytes() == before
        with Companion(data, "--camera", "none") as companion:
            goes_on(companion)
        kept_whole(data, 4)


@pytest.mark.tools
@TRACED
@pytest.mark.parametrize(
    ("error", "calls", "why"),
    [
        ("EROFS", ("pwrite64", "ftruncate"), "Nothing was saved"),
        ("EIO", ("fdatasync", "fsync"), "Nothing was saved, because the disk reports"),
        ("ENOSPC", ("pwrite64",), "the disk is full: free some space"),
    ],
)
def test_a_disk_that_begins_to_refuse_meanwhile(
    tmp_path: Path, error: str, calls: tuple[str, ...], why: str
) -> None:
    """The card went bad, or was mounted read-only, under a companion that runs."""
    with Companion(tmp_path, "--camera", "none") as companion:
        companion.play(START, OPEN)
        assert companion.process is not None
        log = tmp_path / "journal.db-wal"
        with refusing(companion.process.pid, error, *calls, path=log):
            refuses_all(companion, why, "Nothing was saved")
        assert not list((tmp_path / "photos").glob("*.jpg"))
        goes_on(companion)
    kept_whole(tmp_path, 4)


def test_a_folder_that_is_closed_meanwhile_and_at_the_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    bound = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"]
    before = bound if not os.geteuid() else []
    if before and not shutil.which("setpriv"):
        pytest.skip("there is no setpriv, and root may do everything")
    with Companion(data, "--camera", "none", before=before) as companion:
        companion.play(START, OPEN)
        data.chmod(0o000)
        try:
            companion.play(MARK, UNMARK)
            for path in PAGES:
                opens(companion, path)
            cookie, token = companion.joined("/count")
            body = photo_form(token, PHOTO)
            kind = "multipart/form-data; boundary=x"
            status, page = sent(companion, "/count", body, kind, cookie)
            assert status == 503 and "could not be saved (Permission denied)" in page
        finally:
            data.chmod(0o700)
        goes_on(companion)
    data.chmod(0o500)
    (data / "journal.db").chmod(0o400)
    try:
        with pytest.raises(AssertionError, match="name a folder that this user may write") as no:
            (data / "in-use").unlink()
            Companion(data, "--camera", "none", before=before).start()
        assert "Traceback" not in str(no.value)
    finally:
        data.chmod(0o700)
    kept_whole(data, 6)


# ---- what was stored has changed -----------------------------------------------------------------


def a_killed_journal(data: Path, taps: int = 40) -> None:
    """A data folder as a pulled plug leaves it: the latest taps lie in the log only."""
    with Companion(data, "--camera", "none") as companion:
        companion.play(START, OPEN)
    with Companion(data, "--camera", "none") as companion:
        assert eventually(lambda: any((data / "backups").glob("*.db")))
        companion.play(*([MARK, UNMARK] * (taps // 2 - 1)))
        companion.kill()


def cut(part: float) -> "object":
    """Cut a file off."""
    return lambda path: os.truncate(path, int(path.stat().st_size * part))


def noise(start: int, length: int) -> "object":
    """Write something else into a file."""

    def write(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(start)
            file.write(bytes(n * 167 % 256 for n in range(length)))

    return write


LOSSES = {
    "removed": Path.unlink,
    "emptied": cut(0),
    "header only": lambda path: os.truncate(path, 32),
    "half a frame": lambda path: os.truncate(path, 32 + 24 + 2000),
    "half": cut(0.5),
    "the last byte": lambda path: os.truncate(path, path.stat().st_size - 1),
    "noise in front": noise(0, 32),
    "noise inside": noise(20_000, 5000),
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("killed") / "data"
    a_killed_journal(data)
    return data


@pytest.mark.parametrize("loss", LOSSES)
def test_taps_that_went_with_the_log_are_missed(killed: Path, tmp_path: Path, loss: str) -> None:
    data = tmp_path / "data"
    shutil.copytree(killed, data)
    photo = data / "photos" / ("a" * 32 + ".jpg")
    photo.parent.mkdir()
    photo.write_bytes(b"whose row was in the log")
    LOSSES[loss](data / "journal.db-wal")  # type: ignore[operator]
    with Game(journal := Journal.open(shutil.copytree(data, tmp_path / "copy") / "journal.db")):
        missing = journal.missing
    assert missing == 40 - journal.count and missing > 0
    line = check.data(data)
    assert line.mark == "not" and f"The last {missing} taps are missing in {data}" in line.said
    assert (data / "journal.db-wal").exists() is (loss != "removed"), "nothing was changed by that"
    if loss != "removed":
        return
    with Companion(data, "--camera", "none") as companion:
        page = companion.page("/")
        assert f"The last {missing} taps are missing" in page
        assert "companion restore" in page
        assert companion.get("/api/table")["revision"] == 40 - missing
        assert photo.exists(), "what was lost may come back"
    with Companion(data, "--camera", "none") as companion:
        assert "are missing" not in companion.page("/"), "it was told once"


def test_a_log_that_is_removed_meanwhile_takes_nothing_along(tmp_path: Path) -> None:
    with Companion(tmp_path, "--camera", "none") as companion:
        companion.play(START, OPEN)
        (tmp_path / "journal.db-wal").unlink()
        companion.play(MARK)
        companion.kill()
    kept_whole(tmp_path, 3)


def test_games_that_are_moved_away_meanwhile_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        journal.append(START)
        path.rename(tmp_path / "elsewhere")
        with pytest.raises(JournalTrouble, match="moved away meanwhile: bring their files back"):
            journal.append(OPEN)
        (tmp_path / "elsewhere").rename(path)
        journal.append(OPEN)
    kept_whole(tmp_path, 2)


def test_a_backup_that_is_restored_is_no_loss(killed: Path, tmp_path: Path) -> None:
    from companion.restoring import backup_command, restore_command

    data = shutil.copytree(killed, tmp_path / "data")
    with Game(Journal.open(data / "journal.db")):
        backup_command(data, tmp_path / "backup.zip")
    with Game(Journal.open(data / "journal.db")) as game:
        game.play(MARK)
    restore_command(data, tmp_path / "backup.zip")
    kept_whole(data, 40)


SCHEMAS = {
    "older": (VERSION_1, "", 1),
    "newer": ("PRAGMA user_version = 99", "written by a newer version", 0),
}


@pytest.mark.parametrize("which", SCHEMAS)
def test_an_older_or_newer_schema_is_told_on_the_page(tmp_path: Path, which: str) -> None:
    path = tmp_path / "journal.db"
    statements, why, revision = SCHEMAS[which]
    if why:
        with Game(Journal.open(path)) as game:
            game.play(START)
    with sqlite3.connect(path) as journal:
        journal.executescript(statements)
    journal.close()
    before = path.read_bytes()
    said = checked(tmp_path)
    assert (why in said) if why else ("The saved games are whole" in said)
    assert path.read_bytes() == before
    with Companion(tmp_path, "--camera", "none") as companion:
        assert companion.get("/api/table")["revision"] == revision
        assert why in companion.page("/")
        companion.play(*([] if revision else [START]), OPEN)
    if why:
        (aside,) = tmp_path.glob("*.damaged-*")
        assert aside.read_bytes() == before


YEAR = 366 * 24 * 3600


@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["on", "back"])
def test_a_clock_that_jumps_a_year_costs_nothing(tmp_path: Path, jump: int) -> None:
    data, clock = tmp_path / "data", tmp_path / "clock"
    clock.write_text("0")
    env = {"FAULT_CLOCK": str(clock)}
    with Companion(data, "--camera", "none", runs=("-m", "tests.faulty"), env=env) as companion:
        companion.play(START, OPEN)
        cookie, token = companion.joined("/table")
        body = photo_form(token, PHOTO)
        kind = "multipart/form-data; boundary=x"
        assert sent(companion, "/count", body, kind, cookie)[0] == 200
        stream = urllib.request.urlopen(companion.address + "/live", timeout=60)
        clock.write_text(str(jump))
        try:
            companion.play(MARK)
        except OSError:  # a request may be cut off at the very jump: a page sends it again
            companion.play(MARK)
        form = urllib.parse.urlencode({"token": token, "act": "unmark", "train": "Ann"}).encode()
        kind = "application/x-www-form-urlencoded"
        status, page = sent(companion, "/table", form, kind, cookie)
        if status != 200:  # a visitor of a year ago, or one to come, loads the page again
            assert status == 400 and "load it again" in page
            cookie, token = companion.joined("/table")
            form = form.replace(form.split(b"&")[0], f"token={token}".encode())
            assert sent(companion, "/table", form, kind, cookie)[0] == 200
        told = b""
        while b'{"revision": 4}' not in told:
            assert (line := stream.readline()), "the stream goes on"
            told += line
        for path in PAGES:
            opens(companion, path)
        assert time.time() > 0
    assert len(list((data / "photos").glob("*.jpg"))) == 1
    kept_whole(data, 4)
