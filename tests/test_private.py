"""What is here stays here: nobody else on this machine reads it, and none of it leaves it."""

import ipaddress
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.keepsakes import Keepsakes
from companion.restoring import backup_command
from companion.vision.crops import as_jpeg
from companion.vision.draw import draw_hand
from companion.web.serving import NOWHERE
from tests.fuzzing import opened
from tests.offline import send_photo
from tests.running import ROOT, Companion, eventually
from tests.scoring import a_picture

# ---- the data folder ----------------------------------------------------------------------------


def others_may(folder: Path) -> list[str]:
    """What in a folder, and the folder itself, anybody but its owner may look at."""
    return [
        f"{path.relative_to(folder)}: {path.lstat().st_mode & 0o777:o}"
        for path in (folder, *folder.rglob("*"))
        if path.lstat().st_mode & 0o077 and not stat.S_ISSOCK(path.lstat().st_mode)
    ]


@pytest.mark.parametrize("umask", ["022", "000"])
def test_after_an_evening_nobody_else_may_look_into_the_data_folder(
    umask: str, tmp_path: Path
) -> None:
    data = tmp_path / "deep" / "data"
    photo = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
    with_mask = ("sh", "-c", f'umask {umask}; exec "$@"', "sh")
    whole = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "hub"}
    hand = {"action": "hand", "player": "Bob", "pips": 7}
    with Companion(data, "--camera", "none", before=with_mask) as companion:
        companion.play(whole, {"action": "open_round"}, {"action": "go_out", "player": "Ann"})
        companion.play(hand, {"action": "close_round"})
        send_photo(companion, photo)
        assert eventually(lambda: list((data / "photos").glob("*.jpg")))
        assert eventually(lambda: list((data / "backups").glob("journal-*.db")))
        assert others_may(data) == [], "while it runs"
    assert others_may(data) == []
    assert {path.name for path in data.iterdir()} >= {"journal.db", "secret", "photos", "backups"}
    for command in (["backup", str(data / "all.zip")], ["restore", str(data / "all.zip")]):
        run = [*with_mask, sys.executable, "-m", "companion", *command, "--data", str(data)]
        subprocess.run(run, cwd=ROOT, check=True, timeout=120, stdout=subprocess.DEVNULL)
    assert list((data / "backups").glob("before-restore-*"))
    assert others_may(data) == [], "after a backup and a restore"


def test_kept_pictures_and_backups_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Keepsakes(tmp_path / "seen").keep(a_picture(), {"why": []}, "doubt")
        with Companion(tmp_path / "data", "--camera", "none"):
            pass
        backup_command(tmp_path / "data", tmp_path / "all.zip")
    finally:
        os.umask(before)
    assert others_may(tmp_path / "seen") == []
    assert others_may(tmp_path / "all.zip") == []


# ---- the network --------------------------------------------------------------------------------

CUTS = (["unshare", "-n"], ["unshare", "-Urn"])
"""How a process gets a network of its own with nothing in it: for root, and for others."""


def cut() -> list[str]:
    """What cuts a command off from the network; nothing where the system allows neither way."""
    for command in CUTS:
        try:
            if subprocess.run([*command, "true"], capture_output=True, timeout=30).returncode == 0:
                return command
        except OSError:
            continue
    return []


def stays_here(event: str, kind: str, where: Any) -> bool:
    """Whether what was tried reaches this machine only."""
    if where is None or str(where).startswith(("/", "\0", "@")):
        return True  # a socket of the system, as of its service manager
    if where == "localhost" or (where == NOWHERE and (event, kind) == PROBE):
        return True
    try:
        number = ipaddress.ip_address(str(where))
    except ValueError:
        return False
    return number.is_loopback or number.is_unspecified


PROBE = ("socket.connect", "SOCK_DGRAM")
"""Asking the system by which way it would go sends nothing."""


def test_a_whole_evening_needs_no_network_and_asks_nobody(tmp_path: Path) -> None:
    cutting = cut()
    command = [*cutting, sys.executable, "-m", "tests.offline", str(tmp_path)]
    command += ["--alone"] if cutting else []
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["heard"], "nothing at all was heard: the watch does not work"
    assert [tried for tried in told["heard"] if not stays_here(*tried)] == []
    probes = [where for _event, _kind, where in told["heard"] if where == NOWHERE]
    if told["alone"]:
        assert told["namespace"] != os.readlink("/proc/self/ns/net")
        assert told["unroutable"] <= len(probes), "a library asked for a way out by itself"


# ---- photos -------------------------------------------------------------------------------------


def test_a_photo_that_the_house_lets_go_is_gone_everywhere(tmp_path: Path) -> None:
    with opened(tmp_path) as here:
        here.furnish()
        (photo,) = (photo.id for photo in here.photos.kept())
        assert here.client.get(f"/photo/{photo}.jpg").status_code == 200
        here.keepsakes.keep(a_picture(), {"why": []}, "another doubt")
        gone = {"token": here.token, "forget": "all"}
        assert here.client.post("/camera/seen", data=gone).status_code == 303
        assert list((tmp_path / "seen").iterdir()) == []
        made = "UPDATE photos SET made = '2020-01-01T00:00:00Z'"
        here.journal.run(made)
        wish = {"token": here.token, "keep": "round"}
        asked = here.client.post("/settings/photos", data=wish)
        assert asked.status_code == 409 and here.photos.get(photo), "it is asked first"
        assert here.client.post("/settings/photos", data={**wish, "sure": "1"}).status_code == 303
        assert list((tmp_path / "photos").iterdir()) == [] and here.photos.kept() == []
        for address in (f"/photo/{photo}.jpg", f"/photo/{photo}/crop/1"):
            assert here.client.get(address).status_code in (303, 404)
        here.look()
