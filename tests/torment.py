"""A companion that is killed at random moments, while it is told a game without end.

``python tests/torment.py 1000`` does that so often and prints the counts.
"""

import json
import random
import signal
import socket
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from running import ENDING, ROOT, Companion

PEOPLE = ["Ann", "Bob", "Cem", "Dee"]
BEGINS = 0.15
"""Part of the kills that come while it starts."""
UPLOADS = 0.15
"""Part of the requests that send a photo."""


def round_of(number: int) -> Iterator[dict[str, Any]]:
    """What is told of one round."""
    yield {"action": "open_round"}
    for person in PEOPLE:
        yield {"action": "start_train", "player": person}
    for turn in range(3):
        person = PEOPLE[(number + turn) % 4]
        yield {"action": "mark", "train": person}
        yield {"action": "lay_double", "train": person, "value": turn}
        yield {"action": "cover", "train": person}
        yield {"action": "unmark", "train": person}
    yield {"action": "go_out", "player": PEOPLE[number % 4]}
    for place in range(1, 4):
        yield {"action": "hand", "player": PEOPLE[(number + place) % 4], "pips": 10 * place}
    yield {"action": "close_round"}


def told() -> Iterator[dict[str, Any]]:
    """Games of three rounds, one after the other, without end."""
    while True:
        yield {"action": "start_game", "players": PEOPLE, "set": 12, "rules": "classic"}
        for number in range(3):
            yield from round_of(number)
        yield {"action": "finish_game"}


class Torment:
    """Kills a companion over one data folder, and looks each time at what is left."""

    def __init__(self, folder: Path, seed: int, photo: bytes) -> None:
        self.data, self.photo = folder, photo
        self.dice = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self._actions: list[dict[str, Any]] = []
        self._coming = told()
        self.acknowledged = 0
        """How many actions were answered with success."""
        self.photos: set[str] = set()
        """The photos whose keeping was answered with success."""
        self._usual = {False: 0.003, True: 0.02}
        """Seconds that a tap and a photo take."""
        self.companion = Companion(folder, "--camera", "none")

    def action(self, n: int) -> dict[str, Any]:
        """The n-th action, from 1."""
        self._actions += islice(self._coming, max(0, n - len(self._actions)))
        return self._actions[n - 1]

    def kill_and_look(self) -> None:
        """One life: started, told things, killed, started again and looked at."""
        if self.dice.random() < BEGINS:
            self._killed_at_start()
        else:
            with self.companion:
                self._look()
                self._killed_while_telling()
        self.counts["kills"] += 1

    def look(self) -> None:
        """Start it once more and look."""
        with self.companion:
            self._look()

    def _killed_at_start(self) -> None:
        if self.counts["at the start"] % 2 == 0 and (self.data / "journal.db").exists():
            make_old(self.data / "journal.db")
            self.counts["brought up to date"] += 1
        self.companion.start_only()
        time.sleep(self.dice.uniform(0, 1.5))
        self.companion.stop(signal.SIGKILL)
        self.counts["at the start"] += 1

    def _killed_while_telling(self) -> None:
        """Send requests; while one of them is on its way or being done, kill."""
        for _ in range(self.dice.randint(2, 12)):
            self._send_one(None)
        self._send_one(self.dice.uniform(0, 0.5))
        self.companion.stop(signal.SIGKILL)

    def _send_one(self, killed_after: float | None) -> None:
        """Send one request, and kill after such a part of its usual time, where one is given."""
        sends_photo = self.dice.random() < UPLOADS
        began = time.monotonic()
        request = self._upload() if sends_photo else self._tap(self.acknowledged + 1)
        with socket.create_connection(("127.0.0.1", self.companion.port), ENDING) as line:
            line.sendall(request)
            if killed_after is not None:
                time.sleep(killed_after * self._usual[sends_photo])
                self.companion.kill()
            answer = _all_of(line)
        self.counts["requests"] += 1
        whole = b"\r\n\r\n" in answer
        if killed_after is not None and not whole:
            self.counts["in flight"] += 1
        if not whole:
            return
        status = int(answer.split(b" ", 2)[1])
        assert status in (200, 303), answer[:500]
        if killed_after is None:
            self._usual[sends_photo] += 0.3 * (time.monotonic() - began - self._usual[sends_photo])
        if sends_photo:
            place = answer.partition(b"Location: /photo/")[2]
            self.photos.add(place[:32].decode())
        else:
            self.acknowledged += 1

    def _tap(self, n: int) -> bytes:
        body = json.dumps({**self.action(n), "once": f"tap {n}"}).encode()
        return _request("/api/actions", "application/json", body)

    def _upload(self) -> bytes:
        body = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        body += self.photo + b'\r\n--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n'
        body += self._token.encode() + b"\r\n--x--\r\n"
        kind = "multipart/form-data; boundary=x"
        return _request("/count", kind, body, f"Cookie: {self._cookie}\r\n")

    def _look(self) -> None:
        """The table is what was acknowledged, or one more; that one again changes nothing."""
        table = self.companion.get("/api/table")
        stored = table["revision"] - self.acknowledged
        assert stored in (0, 1), f"{self.acknowledged} were acknowledged, {table['revision']} kept"
        self.counts["kept though not answered"] += stored
        self.acknowledged += stored
        assert table == self._wanted(), "the table is not what was told"
        if self.acknowledged:
            last = {**self.action(self.acknowledged), "once": f"tap {self.acknowledged}"}
            again = self.companion.play(last)
            assert again["revision"] == self.acknowledged, "the same key counted twice"
        self._look_at_lamps(table)
        self._look_at_photos()
        self._cookie, self._token = self.companion.joined("/count")

    def _wanted(self) -> Any:
        from companion.report import report
        from companion.table import replay

        self.action(max(1, self.acknowledged))
        return json.loads(json.dumps(report(replay(self._actions[: self.acknowledged]))))

    def _look_at_lamps(self, table: Any) -> None:
        from companion.lamps import lamp_states

        lamps = self.companion.get("/api/lamps")
        assert [(lamp["train"], lamp["state"]) for lamp in lamps] == lamp_states(table)
        for lamp in lamps:
            if lamp["state"] in ("off", "steady"):
                assert lamp["lit"] is (lamp["state"] == "steady")

    def _look_at_photos(self) -> None:
        """Every photo that was acknowledged is there, and no file that nobody knows of."""
        with sqlite3.connect(f"file:{self.data / 'journal.db'}?mode=ro", uri=True) as journal:
            known = {row[0] for row in journal.execute("SELECT id FROM photos")}
        files = {file.stem for file in (self.data / "photos").glob("*") if file.is_file()}
        assert self.photos <= known and known == files
        self.photos = known


def make_old(path: Path) -> None:
    """Make a journal what version 1 would have written of it."""
    with closing(sqlite3.connect(path)) as journal:
        journal.executescript(
            "DROP TABLE rules; DROP TABLE past; DROP TABLE choices; PRAGMA user_version = 1"
        )


def _request(path: str, kind: str, body: bytes, more: str = "") -> bytes:
    head = f"POST {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n{more}"
    return f"{head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def _all_of(line: socket.socket) -> bytes:
    """What comes until the other side ends, however it does."""
    parts = []
    try:
        while part := line.recv(65536):
            parts.append(part)
    except OSError:
        pass
    return b"".join(parts)


def main() -> None:
    """So many kills as the command line says."""
    sys.path.insert(0, str(ROOT))
    from companion.vision.crops import as_jpeg
    from companion.vision.draw import draw_hand

    kills = int(sys.argv[1])
    photo = as_jpeg(draw_hand([(1, 2), (3, 4)], 640, 480, 1).image)
    with tempfile.TemporaryDirectory() as folder:
        torment = Torment(Path(folder) / "data", int(time.time()), photo)
        for n in range(kills):
            torment.kill_and_look()
            if n % 10 == 9:
                sys.stdout.write(f"{dict(torment.counts)}\n")
                sys.stdout.flush()
        torment.look()
        sys.stdout.write(
            f"{torment.acknowledged} actions, {len(torment.photos)} photos, all there\n"
        )


if __name__ == "__main__":
    main()
