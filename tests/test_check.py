"""`companion check` under every condition that it names, each made for real."""

import contextlib
import errno
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from companion import check
from companion.checkline import Line
from companion.checkreport import for_help, private_here, unnamed
from companion.game import Game
from companion.journal import Journal
from companion.journalfile import SCHEMA_VERSION
from hardware import checks
from tests.running import ROOT, Companion, free_port
from tests.visitor import OPEN, START

NOBODY = 65534
WITHOUT = ("--camera", "none", "--lights", "none", "--host", "127.0.0.1")


class Said:
    """What the command printed: its lines by name, the report for helpers, and its status."""

    def __init__(self, data: Path, *flags: str, **env: str) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("COMPANION_")}
        told = {"cwd": ROOT, "env": {**kept, **env}, "capture_output": True, "text": True}
        command = [sys.executable, "-m", "companion", "check", "--data", str(data)]
        if "--port" not in flags:
            command += ["--port", str(free_port())]
        command += flags
        done = subprocess.run(command, timeout=180, **told)  # type: ignore[call-overload]
        self.status, self.text = done.returncode, done.stdout
        assert done.stderr == ""
        above, _, self.help = done.stdout.partition("When you ask for help")
        found = re.findall(r"^(ok|note|NOT) +(\w+) +(.+)$", above, re.MULTILINE)
        self.lines = {name: (mark.lower(), said) for mark, name, said in found}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a game in it."""
    folder = tmp_path / "data"
    with Game(Journal.open(folder / "journal.db")) as game:
        game.play(START)
        game.play(OPEN)
    return folder


@contextlib.contextmanager
def as_somebody(folder: Path) -> Iterator[None]:
    """Root may do everything, so what others may not is tried as nobody."""
    if os.geteuid():
        yield
        return
    for parent in [folder, *folder.parents]:
        if parent.stat().st_uid == 0 and parent.name.startswith(
            ("pytest", "popen", "test_", "data")
        ):
            parent.chmod(parent.stat().st_mode | 0o011)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


# ---- all is well ---------------------------------------------------------------------------------


def test_where_all_is_well_every_line_says_so(data: Path) -> None:
    said = Said(data, "--camera", "simulated")
    names = ["libGL", "camera", "pins", "lamps", "buttons", "power", "disk", "data", "clock"]
    names.insert(names.index("clock"), "copies")
    assert [*said.lines] == [*names, "address"]
    assert "not" not in {mark for mark, _ in said.lines.values()}, said.text
    assert said.lines["camera"][0] == "ok" and "sends pictures of" in said.lines["camera"][1]
    assert said.lines["data"][1] == "The saved games are whole: 2 taps can be played again."
    assert said.lines["lamps"] == ("note", said.lines["lamps"][1])
    assert "python3-lgpio" in said.lines["lamps"][1]
    assert "Everything that was asked for works." in said.text
    assert said.status == 0


def test_no_camera_where_none_was_named_is_no_fault(data: Path) -> None:
    said = Said(data, "--lights", "none", "--host", "127.0.0.1")
    assert said.lines["camera"][0] == "note"
    assert "the simulated table is shown" in said.lines["camera"][1]
    assert said.lines["lamps"] == ("note", "No lamps were asked for.")
    assert said.lines["address"][0] == "note" and "this machine only" in said.lines["address"][1]
    assert said.status == 0


def test_a_new_installation_has_no_games_and_is_not_made_one(tmp_path: Path) -> None:
    said = Said(tmp_path / "none" / "yet", *WITHOUT)
    assert said.lines["data"][0] == "ok" and "No game was saved" in said.lines["data"][1]
    assert said.status == 0
    assert list(tmp_path.iterdir()) == []


def test_nothing_in_the_data_folder_is_changed(data: Path) -> None:
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    Said(data, *WITHOUT)
    after = {path.name: path.read_bytes() for path in data.iterdir()}
    assert after == before


# ---- what was asked for and is not there ---------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "name", "words"),
    [
        (("--camera", "pi"), "camera", "sudo apt install python3-picamera2"),
        (("--camera", "webcam:77"), "camera", "plug one in"),
        (("--camera", "folder:/nowhere"), "camera", "name one with pictures in it"),
        (("--camera", "eye"), "camera", "There is no camera called 'eye'"),
        (("--lights", "pi"), "lamps", "sudo apt install python3-lgpio"),
        (("--host", "8.8.8.8"), "address", "8.8.8.8 is no address of this machine"),
    ],
)
def test_what_was_asked_for_and_is_missing_fails(
    data: Path, flags: tuple[str, str], name: str, words: str
) -> None:
    said = Said(data, *WITHOUT, *flags)
    mark, told = said.lines[name]
    assert mark == "not" and words in told, said.text
    assert f"To be put right: {name}." in said.text
    assert said.status == 1


@pytest.mark.parametrize(
    ("written", "name", "words"),
    [
        ('pins = "17, 17, 18"', "pins", "GPIO17 twice"),
        ('pins = "17, 14"', "pins", "serial console"),
        ("agree = 'many'", "settings", "must be a whole number"),
        ("porto = 3", "settings", "names a setting that does not exist: porto"),
        ("[", "settings", "cannot be read"),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    data: Path, written: str, name: str, words: str
) -> None:
    (data / "settings.toml").write_text(written)
    said = Said(data, "--camera", "none")
    assert said.lines[name][0] == "not" and words in said.lines[name][1], said.text
    assert said.status == 1
    assert "disk" in said.lines and "address" in said.lines, "the others are looked at all the same"


def test_without_the_graphics_library_it_says_what_to_install(data: Path, tmp_path: Path) -> None:
    why = "libGL.so.1: cannot open shared object file: No such file or directory"
    (tmp_path / "cv2.py").write_text(f"raise ImportError({why!r})\n")
    said = Said(data, *WITHOUT, PYTHONPATH=str(tmp_path))
    assert said.lines["libGL"][0] == "not" and why in said.lines["libGL"][1]
    assert "sudo apt install libgl1 libglib2.0-0" in said.lines["libGL"][1]
    assert "camera" not in said.lines
    assert said.status == 1


def test_the_copies_of_the_games_are_looked_at(data: Path, tmp_path: Path) -> None:
    assert check.copies(tmp_path / "none").mark == "ok"
    assert "one is made at every start" in check.copies(data).said
    (data / "backups").mkdir(mode=0o700)
    (data / "backups" / datetime.now().strftime("journal-%Y%m%d-%H%M%S.db")).touch()
    assert check.copies(data).mark == "ok"
    later = datetime.now().timestamp() + 3 * 24 * 3600
    os.utime(data / "journal.db", (later, later))
    assert "start the companion for a new one" in (line := check.copies(data)).said
    assert line.mark == "note"
    shutil.rmtree(data / "backups")
    (data / "backups").write_text("a file where the folder should be")
    assert check.copies(data).mark == "not"


# ---- the disk ------------------------------------------------------------------------------------


def test_a_folder_that_this_user_may_not_write_to(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    folder.chmod(0o555)
    with as_somebody(folder):
        line = check.disk(folder)
    assert line.mark == "not" and f"This user may not write to {folder}" in line.said


def test_a_folder_that_this_user_may_not_even_see(tmp_path: Path) -> None:
    closed = tmp_path / "data"
    (closed / "inner").mkdir(parents=True)
    with as_somebody(tmp_path):
        os.seteuid(os.getuid())
        closed.chmod(0)
        if not os.getuid():
            os.seteuid(NOBODY)
        line = check.disk(closed / "inner")
    closed.chmod(0o700)
    assert line.mark == "not" and f"This user may not write to {closed / 'inner'}" in line.said


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "is a file: name a folder with --data" in check.disk(tmp_path / "data").said
    assert Said(tmp_path / "data", *WITHOUT).status == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of a megabyte, where this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, capture_output=True, timeout=60).returncode
    ):
        pytest.skip("this user may mount no disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True, timeout=60)


def test_a_disk_that_is_nearly_full_full_or_read_only(small_disk: Path) -> None:
    assert "Only 1 MB are free" in (line := check.disk(small_disk)).said and line.mark == "not"
    with contextlib.suppress(OSError):
        (small_disk / "photos").write_bytes(bytes(2 * 2**20))
    line = check.disk(small_disk)
    assert line == Line("disk", "not", f"The disk of {small_disk} is full: " + FULL)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True, timeout=60)
    line = check.disk(small_disk)
    assert line.mark == "not" and "is read-only" in line.said


FULL = "free some space, old photos first."


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, f"is full: {FULL}"),
        (errno.EDQUOT, f"is full: {FULL}"),
        (errno.EROFS, "is read-only: check the card or the disk"),
        (errno.EACCES, "run it as the user who owns that folder"),
        (errno.EIO, "reports “Input/output error”: check it"),
    ],
)
def test_a_disk_that_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def refuse(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(check.os, "fsync", refuse)
    line = check.disk(tmp_path)
    assert line.mark == "not" and str(tmp_path) in line.said and words in line.said


@pytest.mark.parametrize(
    ("free", "mark"), [(10**12, "ok"), (check.SOME - 1, "note"), (check.SCARCE - 1, "not")]
)
def test_how_much_room_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, mark: str
) -> None:
    monkeypatch.setattr(check.shutil, "disk_usage", lambda _: type("Disk", (), {"free": free}))
    assert check.disk(tmp_path).mark == mark


# ---- the saved games -----------------------------------------------------------------------------


def rewrite(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as journal, journal:
        for statement in statements:
            journal.execute(statement)


DAMAGES = {
    "noise": (lambda path: path.write_bytes(b"spilled coffee" * 1000), "is damaged"),
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "cut": (lambda path: os.truncate(path, 8192), "is damaged"),
    "a hole": (lambda path: _overwrite(path, 12_288, 8_192), "is damaged"),
    "another's": (lambda path: rewrite(path, "PRAGMA application_id = 5"), "by another program"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "cannot be opened"),
    "no sense": (
        lambda path: rewrite(path, 'UPDATE actions SET action = \'{"action": "knock"}\''),
        "holds what the rules refuse",
    ),
}


def _overwrite(path: Path, start: int, length: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xff" * length)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_journal_is_told_and_left_as_it_is(data: Path, damage: str) -> None:
    damaging, words = DAMAGES[damage]
    path = data / "journal.db"
    damaging(path)
    before = path.read_bytes() if path.is_file() else None
    said = Said(data, *WITHOUT)
    mark, told = said.lines["data"]
    assert mark == "not" and words in told, said.text
    assert said.status == 1
    assert before is None or path.read_bytes() == before


def test_a_journal_of_a_newer_version_asks_for_an_update(data: Path) -> None:
    rewrite(data / "journal.db", f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    line = check.data(data)
    assert line.mark == "not" and "update the companion before you start it" in line.said


def test_a_journal_of_somebody_else(data: Path) -> None:
    (data / "journal.db").chmod(0o600)
    if os.geteuid():
        (data / "journal.db").chmod(0)
    with as_somebody(data):
        line = check.data(data)
    assert line.mark == "not" and "run it as the user who owns them" in line.said


# ---- clock and address ---------------------------------------------------------------------------


def test_a_clock_that_cannot_be_right(data: Path, tmp_path: Path) -> None:
    assert check.clock(tmp_path).mark == "ok"
    assert "connect to the internet" in check.clock(tmp_path, datetime(1970, 1, 1)).said
    later = datetime(2031, 5, 1).timestamp()
    os.utime(data / "journal.db", (later, later))
    line = check.clock(data, datetime(2030, 5, 1))
    assert line.mark == "not" and "a game was saved on 2031-05-01" in line.said
    assert check.clock(data, datetime(2031, 5, 2)).mark == "ok"


def test_a_port_of_another_program(data: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(0.1)
        port = other.getsockname()[1]
        refusing = threading.Thread(target=_hang_up, args=(other,))
        refusing.start()
        said = Said(data, *WITHOUT, "--port", str(port))
        refusing.join(60)
    assert said.lines["address"][0] == "not"
    assert f"Port {port} cannot be opened, as another program uses it" in said.lines["address"][1]
    assert said.status == 1


def _hang_up(other: socket.socket) -> None:
    """Take one visitor and say nothing."""
    for _ in range(200):
        with contextlib.suppress(TimeoutError):
            other.accept()[0].close()
            return


def test_a_port_that_only_root_may_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refused)
    assert "choose one above 1023" in check.reached("127.0.0.1", 80, False).said


# ---- a companion that runs -----------------------------------------------------------------------


def test_a_companion_that_runs_is_left_alone(data: Path) -> None:
    with Companion(data, "--camera", "simulated") as companion:
        lamps = companion.get("/api/lamps")
        port = ("--port", str(companion.port))
        said = Said(data, "--camera", "pi", "--lights", "pi", "--host", "127.0.0.1", *port)
        assert said.lines["camera"][0] == said.lines["lamps"][0] == "note"
        assert "The companion that runs holds the camera" in said.lines["camera"][1]
        assert said.lines["address"] == (
            "ok",
            f"The companion runs: open http://127.0.0.1:{companion.port}/ on the tablets.",
        )
        assert said.lines["data"][0] == "ok"
        assert said.status == 0
        assert companion.get("/api/lamps") == lamps
        elsewhere = Said(data, *WITHOUT)
        assert elsewhere.lines["address"][0] == "not"
        assert "name its port with --port" in elsewhere.lines["address"][1]
        other = Said(data.parent / "other", *WITHOUT, *port)
        assert other.lines["address"][0] == "not"
        assert "with another data folder" in other.lines["address"][1]
    assert "Traceback" not in companion.said


def test_devices_of_a_companion_that_runs_are_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "TrainLights", lambda *_: pytest.fail("opened"))
    monkeypatch.setattr(checks, "Buttons", lambda *_: pytest.fail("opened"))
    assert checks.lamps((17, 18), "pi", held=True).mark == "note"
    assert checks.buttons((4,), held=True).mark == "note"
    assert checks.buttons((), held=True).said == "No buttons were asked for."


# ---- asking for help -----------------------------------------------------------------------------


def test_the_report_names_nobody_and_no_place(data: Path) -> None:
    pictures = data.parent / "Josephine's pictures"
    said = Said(data, "--camera", f"folder:{pictures}", "--host", "0.0.0.0", HOME="/home/josephine")
    assert f"Python {sys.version.split()[0]}" in said.help and "opencv-python" in said.help
    assert "camera: not." in said.help and "address: ok." in said.help
    for private in (str(data), str(pictures), "osephine", socket.gethostname(), str(data.parent)):
        assert private not in said.help, private
    assert not re.search(r"\b\d+\.\d+\.\d+\.\d+:", said.help)


def test_what_is_taken_out_of_the_report() -> None:
    text = "In /home/ann/games/x.db, at 192.168.1.20:8000 and [fe80::1%eth0]:80, ann on kitchen."
    assert unnamed(text, {"ann", "kitchen"}) == "In …, at …:8000 and …:80, … on …."
    assert unnamed("Version 5.0.0 of 5.0.0.93 for banner", {"ann"}).endswith("for banner")
    assert socket.gethostname() in private_here()
    assert "ann" not in for_help([Line("disk", "ok", "of ann")], {"ann"}).replace("annot", "")
