"""What is done with the bytes of a photo: made ready to be stored, and read.

Runs in the process that calls it, or as one of its own: ``python -m companion.developing`` takes
one job after the other from its standard input until that ends. It may then use so much memory
and no more, write no file, and is the first to go when the machine runs short, so that a picture
made to harm can end nothing but its own reading.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import struct
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any, Protocol

from companion.errors import PhotoUnreadable, Trouble
from companion.observation import DOUBLE_BLANK, PhotoReading
from companion.parcels import packed_reading, packed_sentence
from companion.photos import made_ready
from companion.vision.photo import TOO_LARGE, load

HEAD = struct.Struct(">II")
"""Before each message: how many bytes of JSON and how many of a picture follow."""
MOST_TOLD, MOST_SENT = 8 << 20, 256 << 20
"""Bytes of JSON and of a picture in one message at most."""
MEMORY = 1536 << 20
"""Bytes of address space: the largest picture that is let in takes 0.9 thousand million."""
_LAST_JOB = 10.0
"""Seconds for the job at hand once nobody sends more."""
_FIRST_TO_GO = "500"
"""For the kernel that must choose whom to end; 0 is usual and 1000 the most."""


class PictureReader(Protocol):
    """The reader of decoded pictures."""

    def read(
        self, image: Any, *, highest: int | None = None, double_blank: int = DOUBLE_BLANK
    ) -> PhotoReading:
        """All tiles in a BGR picture."""


class Developer:
    """Develops and reads photos in this process."""

    def __init__(self, reader: PictureReader) -> None:
        self._reader = reader

    def develop(self, data: bytes) -> bytes:
        """A photo's bytes as they are stored: upright, a JPEG, nothing but the picture.

        Raises PhotoUnreadable with a sentence for what is no picture.
        """
        return made_ready(load(data))

    def read(
        self, data: bytes, *, highest: int | None = None, double_blank: int = DOUBLE_BLANK
    ) -> PhotoReading:
        """All tiles in a photo's bytes. Raises PhotoUnreadable for what is no picture."""
        return self._reader.read(load(data), highest=highest, double_blank=double_blank)


def taken(stream: IO[bytes]) -> tuple[Any, bytes] | None:
    """The next message, its JSON and its picture; None at the end, or where it breaks off.

    Raises ValueError for a message of another shape.
    """
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    told, sent = HEAD.unpack(head)
    if told > MOST_TOLD or sent > MOST_SENT:
        raise ValueError("the message is too long")
    text, picture = stream.read(told), stream.read(sent)
    if len(text) < told or len(picture) < sent:
        return None
    return json.loads(text), picture


def give(stream: IO[bytes], told: Any, picture: bytes = b"") -> None:
    """Send one message."""
    text = json.dumps(told).encode()
    stream.write(HEAD.pack(len(text), len(picture)) + text)
    stream.write(picture)
    stream.flush()


def work(developer: Developer, jobs: IO[bytes], answers: IO[bytes]) -> None:
    """Do all jobs until there are no more."""
    while (job := taken(jobs)) is not None:
        told, picture = job
        try:
            answer, made = _done(developer, told, picture)
        except MemoryError:
            answer, made = {"unreadable": packed_sentence(TOO_LARGE)}, b""
        except PhotoUnreadable as refusal:
            answer, made = {"unreadable": packed_sentence(str(refusal))}, b""
        except Trouble as trouble:
            answer, made = {"trouble": packed_sentence(str(trouble))}, b""
        give(answers, answer, made)


def _done(developer: Developer, told: Any, picture: bytes) -> tuple[dict[str, Any], bytes]:
    if told["job"] == "develop":
        return {}, developer.develop(picture)
    reading = developer.read(picture, highest=told["highest"], double_blank=told["blank"])
    return {"reading": packed_reading(reading)}, b""


def confine() -> None:
    """Give up what a decoder never needs, before it sees its first picture."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO, encoding="ascii")


def end_with_the_jobs(jobs: int) -> None:
    """End a while after the other end of this pipe was closed, whatever a decoder is doing then.

    So a process that reads does not outlive the server that was killed beside it.
    """
    there = select.poll()
    there.register(jobs, 0)
    there.poll()
    time.sleep(_LAST_JOB)
    os._exit(1)


def main() -> None:
    """Be the process that reads; what a library prints goes to the log, not into an answer."""
    from companion.vision.read import Reader

    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    confine()
    jobs = sys.stdin.fileno()
    threading.Thread(target=end_with_the_jobs, args=(jobs,), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        work(Developer(Reader()), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
