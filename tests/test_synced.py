"""No success is answered before all of it is on the disk: shown by the system calls themselves."""

import http.client
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.game import Game
from companion.journal import Journal
from companion.photos import PhotoStore
from companion.vision.crops import as_jpeg
from companion.vision.draw import draw_hand
from running import ROOT, STARTING, Companion, eventually
from test_migration import VERSION_1
from torment import told
from tracing import Trace, strace

pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed"),
]

PASSING = ("-shm", "-count", "/in-use", "/backups", "/seen")
"""What need not last: SQLite's index is made anew, a count that is behind does no harm, the lock is
held by a process alone, and copies and pictures made by themselves were promised to nobody."""

COUNTED = {"kind": "count", "set": 12, "blank": 50}


def posted(companion: Companion, path: str, kind: str, body: bytes, cookie: str) -> str:
    """Send a form; where it leads."""
    line = http.client.HTTPConnection("127.0.0.1", companion.port, timeout=60)
    line.request("POST", path, body, {"Content-Type": kind, "Cookie": cookie})
    answer = line.getresponse()
    assert answer.status == 303, answer.read()[:500]
    line.close()
    return answer.headers["Location"]


def photo_form(token: str, photo: bytes) -> bytes:
    """The body of a form, its boundary x, with a photo."""
    body = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body += photo + b'\r\n--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n'
    return body + token.encode() + b"\r\n--x--\r\n"


def test_every_tap_form_and_photo_is_on_the_disk_before_it_is_answered(tmp_path: Path) -> None:
    out, data = tmp_path / "calls", tmp_path / "some" / "where" / "data"
    photo = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
    actions = told()
    with Companion(data, "--camera", "none", before=strace(out)) as companion:
        companion.play(*(next(actions) for _ in range(3)))
        cookie, token = companion.joined("/table")
        form = "application/x-www-form-urlencoded"
        for body in (f"token={token}&act=mark&train=Ann", f"token={token}&act=unmark&train=Ann"):
            posted(companion, "/table", form, body.encode(), cookie)
        for _ in range(2):
            parts = photo_form(token, photo)
            where = posted(companion, "/count", "multipart/form-data; boundary=x", parts, cookie)
            assert eventually(lambda: 'id="waiting"' not in companion.page(where, cookie), 120)
        companion.play({"action": "mark", "train": "Bob"})
    trace = Trace(tmp_path, [tmp_path, out], PASSING).follow(out.read_text())
    assert trace.faults == []
    assert trace.answered["POST /api/actions"] == 4
    assert trace.answered["POST /table"] == trace.answered["POST /count"] == 2
    assert trace.answered["listen"]
    assert trace.synced[str(data / "journal.db-wal")] > 8
    assert trace.synced[str(data / "photos")] == 2 and trace.synced[str(tmp_path / "some")]


def test_an_older_journal_is_brought_up_to_date_on_the_disk_too(tmp_path: Path) -> None:
    out, data = tmp_path / "calls", tmp_path / "data"
    data.mkdir()
    with sqlite3.connect(data / "journal.db") as journal:
        journal.executescript(VERSION_1)
    there = [tmp_path, out, data, data / "journal.db"]
    with Companion(data, "--camera", "none", before=strace(out)) as companion:
        companion.play({"action": "open_round"})
    trace = Trace(tmp_path, there, PASSING).follow(out.read_text())
    assert trace.faults == [] and trace.answered["POST /api/actions"] == 1
    assert trace.synced[str(data / "journal.db-wal")] > 2


def test_a_backup_is_on_the_disk_before_it_is_said_and_so_is_what_is_restored(
    tmp_path: Path,
) -> None:
    data, other, file = tmp_path / "data", tmp_path / "other", tmp_path / "backup.zip"
    photo = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
    for folder in (data, other):
        with Game(journal := Journal.open(folder / "journal.db")) as game:
            game.play(next(told()))
            PhotoStore(folder / "photos", journal).keep_made(photo, COUNTED)
    for words in (("backup", "--data", data, file), ("restore", "--data", other, file)):
        out = tmp_path / str(words[0])
        there = [tmp_path, out, *data.rglob("*"), *other.rglob("*")]
        command = [*strace(out), sys.executable, "-m", "companion", *map(str, words)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=STARTING)
        assert done.returncode == 0 and "photo" in done.stdout, done.stdout + done.stderr
        passing = (
            "-shm",
            "-count",
            "/in-use",
            "/data/journal.db-wal",
        )  # what is read from needs no log
        trace = Trace(tmp_path, there, passing).follow(out.read_text())
        assert trace.faults == [] and trace.answered["said"] >= 1
        assert trace.synced[str(tmp_path if words[0] == "backup" else other)]
