"""Hours of play in minutes: memory, threads, open files and the disk stay as they were.

Two hours; ``COMPANION_HOURS=6`` plays a long evening, three rounds an hour.
"""

import http.client
import os
import re
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion.backups import DAYS, NEWEST, WEEKS
from companion.game import Game
from companion.journal import Journal
from companion.vision.crops import as_jpeg
from companion.vision.draw import draw_hand
from running import Companion, eventually
from torment import PEOPLE, round_of

HOURS = int(os.environ.get("COMPANION_HOURS", "2"))
ROUNDS = 3 * HOURS
TAPS = 20
"""In a round, beside what changes its score."""
PAGES = ("/table", "/sheet", "/tv", "/", "/score", "/settings", "/games", "/static/companion.js")
MEGABYTE = 2**20


@dataclass(frozen=True)
class Use:
    """What the companion takes of the machine after one round."""

    memory: int
    """Bytes of it and of the process that reads photos."""
    threads: int
    handles: int
    photos: int
    spare: int
    """Bytes on the disk beside the journal, its copies and the photos that are kept."""


def use_of(process: int, data: Path) -> Use:
    """What a process and its children, and its data folder, take now."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    others = [
        child
        for thread in Path(f"/proc/{process}/task").iterdir()
        for child in (thread / "children").read_text().split()
    ]
    sizes = {path: path.stat().st_size for path in data.rglob("*") if path.is_file()}
    lasting = ("journal.db", "backups", "photos")
    return Use(
        memory=sum(memory_of(each) for each in {str(process), *children, *others}),
        threads=len(os.listdir(f"/proc/{process}/task")),
        handles=len(os.listdir(f"/proc/{process}/fd")),
        photos=sum(path.suffix == ".jpg" and path.parent.name == "photos" for path in sizes),
        spare=sum(
            size for path, size in sizes.items() if path.relative_to(data).parts[0] not in lasting
        ),
    )


def lasting_use_of(process: int, data: Path) -> Use:
    """The same with the least memory of a few moments: a frame that is just being read, or a lamp
    picture drawn, takes tens of megabytes and gives them back; what leaks never goes."""
    moments = []
    for _ in range(8):
        moments.append(use_of(process, data))
        time.sleep(0.25)
    return replace(moments[-1], memory=min(use.memory for use in moments))


def memory_of(process: str) -> int:
    """The bytes of the machine's memory that it holds; 0 where it has just ended."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return 1024 * int(found[1]) if found else 0


class Tablet:
    """One tablet: opens pages, follows the game, and sends forms with a photo."""

    def __init__(self, companion: Companion) -> None:
        self._companion = companion
        self._cookie, self._token = companion.joined("/count")
        self._stream: http.client.HTTPConnection | None = None

    def _line(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._companion.port, timeout=120)

    def opens(self, path: str) -> str:
        """Open a page; its text."""
        line = self._line()
        line.request("GET", path, headers={"Cookie": self._cookie})
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        assert answer.status in (200, 303), (path, answer.status)
        return text

    def follows(self) -> None:
        """Leave the page, and so its stream, for another one."""
        self.close()
        self._stream = self._line()
        self._stream.request("GET", "/live", headers={"Cookie": self._cookie})
        assert self._stream.getresponse().status == 200

    def close(self) -> None:
        """Leave the page."""
        if self._stream is not None:
            self._stream.close()

    def sends(self, page: str, action: str, photo: bytes | None = None) -> str:
        """Send the form of a page that goes to this address; where that leads."""
        found = re.findall(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.S)
        form = next(form for form in found if ('type="file"' in form) is (photo is not None))
        part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
        body = "".join(part.format(name, unescape(value)) for name, value in hidden).encode()
        if photo is not None:
            body += part.format("do", "photo").encode()
            body += b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n'
            body += photo + b"\r\n"
        kind = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": self._cookie}
        line = self._line()
        line.request("POST", action, body + b"--x--\r\n", kind)
        answer = line.getresponse()
        text = answer.read()
        line.close()
        assert answer.status == 303, text.partition(b"<main")[2][:2000]
        return answer.headers["Location"]

    def tells_by_photo(self, player: str, photo: bytes) -> None:
        """Photograph a hand, wait for its tiles, and let them count."""
        there = f"/score/{PEOPLE.index(player) + 1}"
        where = self.sends(self.opens(there), there, photo)
        assert eventually(lambda: 'id="waiting"' not in self.opens(where), 180)
        self.sends(self.opens(where), f"{where}/score")


def one_round(companion: Companion, tablets: list[Tablet], number: int, photo: bytes) -> None:
    """Play a round: everybody looks at something after each tap, one hand is photographed."""
    shown = 0

    def play(action: dict[str, Any]) -> None:
        nonlocal shown
        companion.play(action)
        tablets[shown % len(tablets)].opens(PAGES[shown % len(PAGES)])
        if shown % 5 == 0:
            tablets[shown // 5 % len(tablets)].follows()
        shown += 1

    extra: Iterator[str] = iter(("mark", "unmark") * (TAPS // 2))
    photographed = False
    for action in round_of(number):
        if action["action"] == "go_out":
            for what in extra:
                play({"action": what, "train": PEOPLE[number % 4]})
        if action["action"] == "hand" and not photographed:
            tablets[0].tells_by_photo(action["player"], photo)
            photographed = True
        else:
            play(action)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
def test_a_long_evening_leaves_everything_as_it_was(tmp_path: Path) -> None:
    with Game(Journal.open(tmp_path / "journal.db")) as game:
        game.choices.keep_photos("round")
    uses: list[Use] = []
    with Companion(tmp_path, "--camera", "simulated") as companion:
        assert companion.process is not None
        tablets = [Tablet(companion) for _ in range(4)]
        for number in range(ROUNDS):
            if number % 3 == 0:
                game_of = {"action": "start_game", "players": PEOPLE, "set": 12}
                companion.play({**game_of, "rules": "classic"})
            photo = as_jpeg(draw_hand([(0, n) for n in range(1, 8)], 1600, 1200, number).image)
            one_round(companion, tablets, number, photo)
            if number % 3 == 2:
                companion.play({"action": "finish_game"})
            assert eventually(lambda: use_of_photos(tmp_path) <= 1), "the house lets photos go"
            uses.append(lasting_use_of(companion.process.pid, tmp_path))
        revision = companion.get("/api/table")["revision"]
        for tablet in tablets:
            tablet.close()
    told = "\n".join(str(astuple(use)) for use in uses)
    sys.stdout.write(
        f"\n{HOURS} hours, {revision} actions; bytes, threads, files, photos:\n{told}\n"
    )
    part = max(1, len(uses) // 3)
    first, last = uses[1 : 1 + part], uses[-part:]

    def usual(what: str, among: list[Use]) -> float:
        return statistics.median(getattr(use, what) for use in among)

    least = [min(use.memory for use in among) for among in (first, last)]
    assert least[1] < least[0] + 16 * MEGABYTE, told
    assert usual("threads", last) <= usual("threads", first) + 3, told
    assert usual("handles", last) <= usual("handles", first) + 8, told
    assert usual("spare", last) < usual("spare", first) + 8 * MEGABYTE, told
    assert len(list((tmp_path / "backups").iterdir())) <= NEWEST + DAYS + WEEKS
    assert (tmp_path / "journal.db").stat().st_size < 100_000 + 1_000 * revision


def use_of_photos(data: Path) -> int:
    """How many photos are kept."""
    return len(list((data / "photos").glob("*.jpg")))
