"""The wheel is whole: installed by itself it serves its pages and reads a photo."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.vision.draw import draw_hand
from tests.telling_languages import load_catalogs

pytestmark = pytest.mark.package

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    """A command's standard output; the test fails with all it said when it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=plain(), capture_output=True, timeout=500
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return done.stdout.decode()


def plain() -> dict[str, str]:
    """The environment without anything that could lead back into the repository."""
    dropped = ("PYTHON", "COMPANION_", "VIRTUAL_ENV")
    return {key: value for key, value in os.environ.items() if not key.startswith(dropped)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that nothing old and nothing new lies about."""
    source = tmp_path_factory.mktemp("source") / "copy"
    left = shutil.ignore_patterns(".*", "build", "dist", "data", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, source, ignore=left)
    out = source.parent / "wheels"
    run(sys.executable, *"-m build --wheel --no-isolation --outdir".split(), out, cwd=source)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a fresh environment with the wheel.

    The dependencies are lent by the running environment: a .pth file names its folders, and the
    .pth files in there, which lead to the repository, are not followed.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    lent = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "lent.pth").write_text("".join(f"{path}\n" for path in lent))
    pip = (sys.executable, "-m", "pip", "--python", home / "bin" / "python", "--quiet")
    run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=home)
    return home / "bin"


@pytest.fixture
def server(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a running server, started from the wheel."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = f"--host 127.0.0.1 --port {port} --camera none --lights none".split()
    command = [str(installed / "companion"), "serve", *flags, "--data", str(tmp_path / "data")]
    log = (tmp_path / "log").open("w+")
    process = subprocess.Popen(command, cwd=tmp_path, env=plain(), stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + 30
    while not answers(f"{address}/healthz"):
        said = (tmp_path / "log").read_text()
        assert process.poll() is None and time.monotonic() < end, f"it did not start:\n{said}"
        time.sleep(0.1)
    yield address
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) is not None
    log.close()


def answers(address: str) -> bool:
    try:
        return bool(fetch(address))
    except OSError:
        return False


def fetch(address: str, language: str = "en") -> str:
    asked = urllib.request.Request(address, headers={"Accept-Language": language})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return str(answer.read().decode())


def test_the_wheel_holds_every_page_picture_and_weight_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for inside, folder, kind in (
        ("companion/templates", ROOT / "templates", "*"),
        ("companion/web/static", ROOT / "companion" / "web" / "static", "*"),
        ("companion/web/translations", ROOT / "companion" / "web" / "translations", "*.mo"),
        ("companion/vision/weights", ROOT / "companion" / "vision" / "weights", "*"),
    ):
        files = [path for path in folder.rglob(kind) if path.is_file()]
        assert files
        for path in files:
            assert f"{inside}/{path.relative_to(folder).as_posix()}" in names
    tops = {name.split("/")[0] for name in names}
    (about,) = (top for top in tops if top.endswith(".dist-info"))
    assert tops == {"companion", "hardware", about}
    assert any(name.startswith(about) and name.endswith("LICENSE") for name in names)


def test_the_program_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = "import companion, hardware; print(companion.__file__, hardware.__file__)"
    for path in run(installed / "python", "-c", where, cwd=tmp_path).split():
        assert Path(path).is_relative_to(installed.parent)


def test_the_home_page_and_its_static_files_are_served(server: str) -> None:
    assert isinstance(json.loads(fetch(f"{server}/healthz")), dict)
    home = fetch(f"{server}/")
    assert "</html>" in home
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', home)
    assert files
    for file in files:
        assert fetch(f"{server}{file}")


def test_the_pages_speak_every_language(server: str) -> None:
    catalogs = load_catalogs()
    for language in catalogs.LANGUAGES:
        words = catalogs.read(language).get("New game")
        assert words is not None and words.string
        home = fetch(f"{server}/", language)
        assert f'<html lang="{language}"' in home and f">{words.string}</a>" in home


def test_a_photo_is_read(installed: Path, tmp_path: Path) -> None:
    drawn = draw_hand([(5, 12), (3, 3), (0, 9)], seed=4)
    assert cv2.imwrite(str(tmp_path / "hand.png"), drawn.image)
    line = run(installed / "companion", "read", "--json", "hand.png", cwd=tmp_path)
    read = json.loads(line)
    assert sorted(sorted(tile["ends"]) for tile in read["tiles"]) == [[0, 9], [3, 3], [5, 12]]
    assert read["pips"] == 32
