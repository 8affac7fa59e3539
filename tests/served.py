"""The application behind its real door, in a thread of this process, and ended as it began.

A server that is left running keeps a hundred threads, and its game, until the tests end.
"""

import threading
from typing import Any

import pytest

from companion.web import serving
from companion.web.doorway import Doorway
from tests.running import free_port
from tests.visitor import Place


class Served:
    """Serves a place at a free port; use it with ``with``, or call `end`."""

    def __init__(self, place: Place, host: str = "127.0.0.1") -> None:
        self.place, self.host, self.port = place, host, free_port()
        self.streams = place.app.extensions["companion"].streams
        self._doors: list[Doorway] = []
        ready = threading.Event()
        with pytest.MonkeyPatch.context() as patch:
            opened = serving.open_doors

            def open_doors(*about: Any, **more: Any) -> list[Doorway]:
                self._doors = opened(*about, **more)
                return self._doors

            patch.setattr(serving, "open_doors", open_doors)
            self.thread = threading.Thread(target=self._serve, args=(ready,), daemon=True)
            self.thread.start()
            assert ready.wait(60)

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _serve(self, ready: threading.Event) -> None:
        serving.serve(self.place.app, self.host, self.port, on_ready=ready.set)

    def end(self) -> None:
        """Let everybody go, and wait until the server and its threads have ended."""
        self.streams.end()
        self._doors[0].trigger.pull_trigger(self._close)
        self.thread.join(60)
        assert not self.thread.is_alive(), "it serves on"
        self._doors[0].task_dispatcher.shutdown()

    def _close(self) -> None:
        """In the thread that looks after the sockets, which goes once there are none."""
        for visit in list(self._doors[0].active_channels.values()):
            visit.handle_close()
        for door in self._doors:
            door.close()
