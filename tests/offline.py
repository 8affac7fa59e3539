"""An evening without any network: played by http from beginning to end, every socket watched.

``python -m tests.offline FOLDER``, begun in a network namespace of its own where that is allowed;
prints as JSON whom the companion's processes tried to speak to.
"""

import fcntl
import json
import os
import socket
import struct
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.running import Companion, eventually

WATCH = """
import json, os, sys

def heard(event, told):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        where, kind = told[1], told[0].type.name
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        where, kind = told[0], event.partition(".")[2]
    else:
        return
    where = where if isinstance(where, (str, bytes)) or where is None else where[0]
    line = json.dumps([event, kind, where.decode() if isinstance(where, bytes) else where])
    file = os.open(os.environ["HEARD"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(file, line.encode() + b"\\n")
    os.close(file)

sys.addaudithook(heard)
"""
"""What every Python of the companion runs first."""
UP = struct.pack("16sh14x", b"lo", 0x1 | 0x40)  # IFF_UP, IFF_RUNNING


def loopback_up() -> None:
    """Let this machine speak to itself; a new namespace begins without that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        fcntl.ioctl(asking, 0x8914, UP)  # SIOCSIFFLAGS


def unroutable() -> int:
    """How often this namespace was asked for a way out that there is not."""
    names, values = [
        line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if "Ip:" in line
    ][:2]
    return int(dict(zip(names, values, strict=True))["OutNoRoutes"])


def evening(companion: Companion, photo: bytes) -> None:
    """A whole game of two rounds with a photo, and every page that is linked from any."""
    people = ["Ann", "Bob"]
    start = {"action": "start_game", "players": people, "set": 12, "rules": "hub", "rounds": 2}
    companion.play(start)
    for _number in range(2):
        companion.play({"action": "open_round"}, {"action": "mark", "train": "Bob"})
        companion.play({"action": "go_out", "player": "Ann"})
        companion.play({"action": "hand", "player": "Bob", "pips": 7}, {"action": "close_round"})
    assert companion.get("/api/table")["phase"] == "finished"
    there = send_photo(companion, photo)
    assert eventually(lambda: 'class="photo"' in companion.page(there), 120), "it was not read"
    for path in ("/", "/new", "/table", "/sheet", "/games", "/tv", "/settings", "/rules", there):
        assert "<h1" in companion.page(path), path
    companion.page("/games/scores.csv")
    assert companion.get("/healthz")["ok"]


def send_photo(companion: Companion, photo: bytes) -> str:
    """Send a photo to be counted; where its tiles are shown."""
    cookie, token = companion.joined("/count")
    parts = [("token", "", token.encode()), ("photo", '; filename="a.jpg"', photo)]
    body = b"".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, more, data in parts
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": cookie}
    request = urllib.request.Request(companion.address + "/count", body + b"--x--\r\n", kind)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return str(answer.url).removeprefix(companion.address)


def main(folder: Path) -> None:
    """Play, and tell what was heard."""
    from companion.vision.crops import as_jpeg
    from companion.vision.draw import draw_hand

    alone = "--alone" in sys.argv
    if alone:
        loopback_up()
    asked = unroutable() if alone else 0
    (folder / "watch").mkdir()
    (folder / "watch" / "sitecustomize.py").write_text(WATCH)
    heard = folder / "heard"
    told = {"PYTHONPATH": str(folder / "watch"), "HEARD": str(heard)}
    photo = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
    data, flags = folder / "data", ("--camera", "simulated", "--host", "0.0.0.0")
    with Companion(data, *flags, env=told) as companion:
        evening(companion, photo)
    lines = heard.read_text().splitlines() if heard.exists() else []
    found: dict[str, Any] = {
        "heard": [json.loads(line) for line in lines],
        "alone": alone,
        "unroutable": unroutable() - asked if alone else 0,
        "namespace": os.readlink("/proc/self/ns/net"),
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
