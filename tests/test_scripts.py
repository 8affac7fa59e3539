"""The scripts install once, repair what was interrupted, and say what they leave out.

They run for real in a copy of the repository's root; only Python is a stand-in, which notes what
it is asked and keeps a note of which OpenCV is installed.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = ("scripts/run", "scripts/test", "scripts/environment.sh", "scripts/benchmark", ".ci/run")

STAND_IN = r"""#!/usr/bin/env bash
printf '%s\n' "$*" >>"$NOTES/asked"
printf '%s' "${TMPDIR:-}" >"$NOTES/works in"
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/companion" ;;
    *" download "*"--dest "*) touch "${@: -2:1}/opencv_python_headless.whl" ;;
    *" install --editable "*) [[ -z "${OFFLINE:-}" ]] && echo opencv-python >>"$NOTES/opencv" ;;
    *" install --no-deps "*.whl) echo opencv-python-headless >>"$NOTES/opencv" ;;
    *" uninstall --yes "*) sed -i "/^${@: -1}\$/d" "$NOTES/opencv" ;;
    *"importlib.metadata"*) grep -qx "${@: -1}" "$NOTES/opencv" && echo 5.0.0 ;;
    "-c import cv2")
        if [[ -n "${NO_GL:-}" ]] && grep -qx opencv-python "$NOTES/opencv"; then
            echo "ImportError: libGL.so.1: cannot open shared object file" >&2
            exit 1
        fi ;;
esac
"""

TOOLS = "bash cat cksum cp dirname grep mkdir mktemp rm sed touch uname".split()
"""All that the scripts may count on besides Python."""


class Copy:
    """A copy of the scripts in a folder of its own, with a stand-in for Python."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a copy"
        self.notes = folder / "notes"
        self.bin = folder / "bin"
        for made in (self.root, self.notes, self.bin):
            made.mkdir()
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        for name in ("setup.cfg", "pyproject.toml"):
            shutil.copy(ROOT / name, self.root)
        (self.notes / "opencv").touch()
        self.put("python3", STAND_IN)
        for tool in TOOLS:
            (self.bin / tool).symlink_to(str(shutil.which(tool)))

    def put(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def run(self, script: str, *flags: str, **settings: str) -> tuple[int, str, list[str]]:
        """Exit status, all that was said, and what Python was asked."""
        (self.notes / "asked").write_text("")
        env = {
            **{k: v for k, v in os.environ.items() if not k.startswith("COMPANION_")},
            "PATH": str(self.bin),
            "NOTES": str(self.notes),
            **settings,
        }
        done = subprocess.run(
            [self.root / "scripts" / script, *flags],
            **{"cwd": self.bin, "env": env, "text": True},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
        )
        asked = (self.notes / "asked").read_text().splitlines()
        return done.returncode, done.stdout, [line for line in asked if not line.startswith("-c")]

    @property
    def opencv(self) -> list[str]:
        """Which of the two packages of OpenCV are installed."""
        return (self.notes / "opencv").read_text().split()

    def change_setup(self) -> None:
        with (self.root / "setup.cfg").open("a") as file:
            file.write("\n")


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def installs(asked: list[str]) -> int:
    return sum("install --editable" in line for line in asked)


def makes(asked: list[str]) -> int:
    return sum(line.startswith("-m venv") for line in asked)


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_are_sound(script: str) -> None:
    subprocess.run(["bash", "-n", ROOT / script], check=True, timeout=60)


@pytest.mark.tools
@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
@pytest.mark.parametrize("script", SCRIPTS)
def test_shellcheck_finds_no_fault_with_the_scripts(script: str) -> None:
    done = subprocess.run(
        ["shellcheck", "-x", ROOT / script], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_first_start_installs_and_the_second_only_serves(copy: Copy) -> None:
    status, _, asked = copy.run("run", "--port", "9000", "--data", "my games")
    assert (status, makes(asked), installs(asked)) == (0, 1, 1)
    assert asked[-1] == "serve --port 9000 --data my games"
    assert copy.run("run")[1:] == ("", ["serve"])


def test_a_changed_setup_is_installed_again_into_the_same_environment(copy: Copy) -> None:
    copy.run("run")
    copy.change_setup()
    _, _, asked = copy.run("run")
    assert (makes(asked), installs(asked)) == (0, 1)


def test_an_interrupted_installation_is_begun_again_from_nothing(copy: Copy) -> None:
    copy.run("run")
    (copy.root / ".venv" / "companion-unfinished").touch()
    (copy.root / ".venv" / "half a package").touch()
    status, _, asked = copy.run("run")
    assert (status, makes(asked), installs(asked)) == (0, 1, 1)
    assert not (copy.root / ".venv" / "half a package").exists()


def test_a_failed_installation_says_what_to_do_and_is_tried_again(copy: Copy) -> None:
    status, said, asked = copy.run("run", OFFLINE="1")
    assert (status, installs(asked)) == (1, 1)
    assert "check the internet connection, then start this again." in said
    status, _, asked = copy.run("run")
    assert (status, makes(asked), installs(asked)) == (0, 0, 1)


def test_an_old_python_is_refused_with_what_to_install(copy: Copy) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14", "python"):
        copy.put(name, "#!/bin/sh\nexit 1\n")
    status, said, _ = copy.run("run")
    assert status == 1
    assert said.splitlines()[-1].startswith("Python 3.11 or newer is needed: install it")


def test_without_libgl_the_headless_twin_takes_the_place_and_stays(copy: Copy) -> None:
    status, said, asked = copy.run("run", NO_GL="1")
    assert (status, copy.opencv, asked[-1]) == (0, ["opencv-python-headless"], "serve")
    assert "OpenCV cannot be used here (ImportError: libGL.so.1" in said
    assert "taking opencv-python-headless 5.0.0 instead" in said
    assert any(line.endswith(" opencv-python-headless==5.0.0") for line in asked)
    assert copy.run("run", NO_GL="1")[1:] == ("", ["serve"])
    copy.change_setup()
    copy.run("run", NO_GL="1")
    assert copy.opencv == ["opencv-python-headless"]


def test_the_test_environment_serves_the_start_too(copy: Copy) -> None:
    copy.run("test", "-q")
    assert copy.run("run")[1:] == ("", ["serve"])


def test_all_checks_run_and_what_is_left_out_is_said(copy: Copy) -> None:
    status, said, asked = copy.run("test")
    assert status == 0
    checks = [line.split()[1] for line in asked if line.split()[1] not in ("venv", "pip")]
    assert checks == ["black", "flake8", "mypy", "pytest"]
    assert "The photos tests are left out: set COMPANION_PHOTOS to a folder" in said
    assert "The browser tests are left out: install Chromium" in said
    assert "The tools tests are left out: run sudo apt install shellcheck strace" in said
    assert "The network tests are left out: set COMPANION_NETWORK=1" in said
    left_out = "not browser and not photos and not tools and not network"
    assert asked[-1] == f"-m pytest -m {left_out} -n 2 --dist loadfile --max-worker-restart 0"


def test_with_arguments_only_pytest_runs(copy: Copy) -> None:
    copy.run("test", "-q")
    _, _, asked = copy.run("test", "tests/test_game.py", "-k", "key or tap")
    assert len(asked) == 1 and asked[0].startswith("-m pytest ")
    assert asked[0].endswith("tests/test_game.py -k key or tap")


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no memory is a folder here")
def test_tests_work_in_memory_where_there_is_plenty(copy: Copy) -> None:
    (copy.bin / "tail").symlink_to(str(shutil.which("tail")))
    for room, wanted in (("9000000", "/dev/shm"), ("65536", ""), ("nonsense", "")):
        copy.put("df", f"#!/bin/sh\nprintf '   Avail\\n%s\\n' {room}\n")
        assert copy.run("test", "-q", TMPDIR="")[0] == 0
        assert (copy.notes / "works in").read_text() == wanted
    copy.put("df", "#!/bin/sh\necho 9000000\n")
    copy.run("test", "-q", TMPDIR=str(copy.notes))
    assert (copy.notes / "works in").read_text() == str(copy.notes), "whoever said where is asked"


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser", "google-chrome", "mine"])
def test_with_all_that_tests_need_nothing_is_left_out(copy: Copy, browser: str) -> None:
    for program in (browser, "shellcheck", "strace", "systemd-analyze"):
        copy.put(program, "#!/bin/sh\n")
    mine = {"COMPANION_CHROMIUM": str(copy.bin / "mine")} if browser == "mine" else {}
    here = {"COMPANION_PHOTOS": str(copy.notes), "COMPANION_NETWORK": "1", **mine}
    _, said, asked = copy.run("test", **here)
    assert "left out" not in said
    assert asked[-1] == "-m pytest -n 2 --dist loadfile --max-worker-restart 0"


def test_where_everything_is_required_what_is_missing_fails(copy: Copy) -> None:
    here = {"COMPANION_REQUIRE_ALL": "1", "COMPANION_PHOTOS": str(copy.root / "nowhere")}
    status, said, asked = copy.run("test", **here)
    assert status == 1
    assert "Every test has to run here: install Chromium" in said
    copy.put("chromium", "#!/bin/sh\n")
    status, said, asked = copy.run("test", **here)
    assert status == 1
    assert f"Every test has to run here: there is no folder {copy.root / 'nowhere'}." in said
    assert not [line for line in asked if line.startswith("-m pytest")]
    here["COMPANION_PHOTOS"] = str(copy.notes)
    tools = ("shellcheck", "systemd-analyze", "strace")
    for missing in tools:
        for program in tools:
            copy.put(program, "#!/bin/sh\n")
        (copy.bin / missing).unlink()
        status, said, asked = copy.run("test", **here)
        assert status == 1
        assert "Every test has to run here: run sudo apt install shellcheck strace" in said
    copy.put("strace", "#!/bin/sh\n")
    status, said, asked = copy.run("test", **here)
    assert (status, asked[-1]) == (
        0,
        "-m pytest -m not network -n 2 --dist loadfile --max-worker-restart 0",
    )
