"""Stands in for picamera2: the real class's names and parameters, and faults on demand."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

RED = (20, 30, 220)
"""A red card in BGR."""

CALLED = (
    *("__init__", "configure", "camera_configuration", "create_video_configuration", "start"),
    *("stop", "close", "set_controls", "capture_request", "cancel_all_and_flush"),
    "global_camera_info",
)
"""What is called of the class Picamera2."""
CALLED_OF_REQUEST = ("make_array", "get_metadata", "release")
"""What is called of its CompletedRequest."""

RECORDED = {
    "__init__": "self, camera_num=0, verbose_console=None, tuning=None, allocator=None",
    "configure": "self, camera_config=None",
    "camera_configuration": "self",
    "create_video_configuration": "self, main={}, lores=None, raw={}, "
    "transform=libcamera.Transform(), colour_space=None, buffer_count=6, controls={}, "
    "display='main', encode='main', queue=True, sensor={}, use_case='video'",
    "start": "self, config=None, show_preview=False",
    "stop": "self",
    "close": "self",
    "set_controls": "self, controls",
    "capture_request": "self, wait=None, signal_function=None, flush=None",
    "cancel_all_and_flush": "self",
    "global_camera_info": "",
    "make_array": "self, name",
    "get_metadata": "self",
    "release": "self",
}
"""The parameters as they stand in picamera2 0.3.38, taken from its text by ``signatures``."""


def signatures(source: str, of: str, names: tuple[str, ...]) -> dict[str, str]:
    """The parameters of these methods of a class in this text; of overloads the last counts."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == of:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name in names:
                    found[method.name] = _parameters(method.args)
    return found


def _parameters(arguments: ast.arguments) -> str:
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    return ast.unparse(arguments)


def own_signatures() -> dict[str, str]:
    """The parameters of the classes below."""
    source = Path(__file__).read_text(encoding="utf-8")
    return signatures(source, "Picamera2", CALLED) | signatures(
        source, "CompletedRequest", CALLED_OF_REQUEST
    )


def card(colour: tuple[int, ...] = RED, size: tuple[int, int] = (48, 64)) -> Array:
    """A picture of one colour, of as many channels as the colour has."""
    return np.full((*size, len(colour)), colour, np.uint8)


class libcamera:  # noqa: N801
    """What the defaults of the parameters name."""

    class Transform:
        """A picture as it is."""


class CompletedRequest:
    """A picture with its metadata, to be released once."""

    def __init__(self, camera: Picamera2, array: Array, began: float) -> None:
        self._camera, self._array, self._began = camera, array, began
        camera.held += 1

    def make_array(self, name: str) -> Array:
        assert name == "main"
        return self._array.copy()

    def get_metadata(self) -> dict[str, Any]:
        exposure = 5000
        told = {
            "SensorTimestamp": int(self._began * 1e9) + exposure * 1000,
            "ExposureTime": exposure,
            "AnalogueGain": 2.0,
        }
        return told if self._camera.fault == "mono" else told | {"ColourGains": (1.5, 1.7)}

    def release(self) -> None:
        self._camera.held -= 1


class Picamera2:
    """One camera. ``fault`` is what is wrong with it:

    ``system`` and ``busy``: it cannot be opened; ``unplugged``: each capture fails; ``hangs``: no
    picture comes, and the capture stays queued; ``stale``: a few pictures from before the request
    come first, ``old``: nothing else ever comes; ``late``: pictures take their time; ``shuffled``:
    new and old ones come in turn; ``swapped``: the driver insists on red first; ``four``: on four
    channels; ``mono``: the sensor knows no colour; ``stubborn``: it takes no controls.
    """

    infos: list[dict[str, Any]] = []
    fault: str | None = None
    opened: list[Picamera2] = []

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        if Picamera2.fault == "system":
            raise RuntimeError("camera manager")
        return Picamera2.infos

    def __init__(  # type: ignore[no-untyped-def]
        self, camera_num=0, verbose_console=None, tuning=None, allocator=None
    ):
        if self.fault == "busy":
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.held, self.running, self.closed = 0, False, False
        self.controls: dict[str, Any] = {}
        self.config: dict[str, Any] = {}
        self.queued = self.shown = 0
        Picamera2.opened.append(self)

    def create_video_configuration(  # type: ignore[no-untyped-def]
        self, main={}, lores=None, raw={}, transform=libcamera.Transform(), colour_space=None,
        buffer_count=6, controls={}, display="main", encode="main", queue=True, sensor={},
        use_case="video",
    ):  # fmt: skip
        return {"main": dict(main)}

    def configure(self, camera_config=None):  # type: ignore[no-untyped-def]
        assert not self.running
        self.config = camera_config
        insists = {"swapped": "BGR888", "four": "XRGB8888"}
        self.config["main"]["format"] = insists.get(
            str(self.fault), camera_config["main"]["format"]
        )

    def camera_configuration(self):  # type: ignore[no-untyped-def]
        return self.config

    def start(self, config=None, show_preview=False):  # type: ignore[no-untyped-def]
        self.running = True

    def stop(self):  # type: ignore[no-untyped-def]
        assert not self.queued, "it would wait for ever behind what is queued"
        self.running = False

    def close(self):  # type: ignore[no-untyped-def]
        self.closed = True

    def set_controls(self, controls):  # type: ignore[no-untyped-def]
        if self.fault == "stubborn":
            raise RuntimeError("Control AeEnable is not advertised by libcamera")
        self.controls |= controls

    def cancel_all_and_flush(self):  # type: ignore[no-untyped-def]
        self.queued = 0

    def capture_request(  # type: ignore[no-untyped-def]
        self, wait=None, signal_function=None, flush=None
    ):
        assert self.running
        if self.fault == "unplugged":
            raise RuntimeError("camera frontend has timed out")
        if self.fault == "hangs":
            self.queued += 1
            time.sleep(min(wait, 0.02))
            raise TimeoutError
        time.sleep(0.05 if self.fault == "late" else 0.002)
        self.shown += 1
        if flush is not None and self._comes_old():
            return CompletedRequest(self, self._coloured(card((0, 0, 0))), flush / 1e9 - 0.05)
        return CompletedRequest(self, self._coloured(card()), time.monotonic())

    def _comes_old(self) -> bool:
        if self.fault == "shuffled":
            return self.shown % 2 == 0
        return self.fault == "old" or (self.fault == "stale" and self.shown % 5 != 0)

    def _coloured(self, image: Array) -> Array:
        """The picture with its channels as the configuration says."""
        form = self.config["main"]["format"]
        if form == "XRGB8888":
            return np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
        return image[..., ::-1] if form == "BGR888" else image
