"""What looks through the house for what is dangerous, and through what it is built upon."""

import importlib.util
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def bandit(*paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bandit", "-q", "-r", "-f", "custom", "--msg-template"]
    told = "{relpath}:{line}: {test_id} {msg}"
    run = [*command, told, *map(str, paths)]
    return subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_bandit_finds_nothing_that_is_not_explained() -> None:
    done = bandit(ROOT / "companion", ROOT / "hardware")
    assert (done.returncode, done.stdout.strip()) == (0, "")


def test_bandit_looks(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import pickle\npickle.loads(b'')\n")
    done = bandit(tmp_path)
    assert done.returncode == 1 and "B301" in done.stdout


def test_each_exception_says_which_and_why() -> None:
    lines = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for top in ("companion", "hardware")
        for path in sorted((ROOT / top).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if "# nosec" in line and not re.search(r"# nosec B\d{3}( B\d{3})* # [a-z].{3,}", line)
    ]
    assert lines == []


@pytest.fixture(scope="module")
def licences() -> ModuleType:
    """The script as a module."""
    loader = SourceFileLoader("licences", str(ROOT / "scripts" / "licences"))
    spec = importlib.util.spec_from_loader("licences", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_dependency_may_be_used(licences: ModuleType, capsys: pytest.CaptureFixture) -> None:
    assert licences.main() == 0, capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()
    names = {line.split()[0] for line in lines}
    assert {"flask", "waitress", "werkzeug", "numpy", "opencv-python", "hypothesis"} <= names
    assert licences.OURS not in names


@pytest.mark.parametrize(
    ("licence", "fit"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("GNU General Public License v3 (GPLv3)", False),
        ("MIT AND AGPL-3.0", False),
        ("Proprietary", False),
        ("Mitigating Licence", False),
        ("", False),
    ],
)
def test_which_licences_fit(licences: ModuleType, licence: str, fit: bool) -> None:
    assert licences.fits(licence) is fit


def test_a_licence_that_is_no_fit_is_one_sentence(
    licences: ModuleType, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(licences, "FIT", ("BSD",))
    monkeypatch.setattr(licences, "READ", {})
    assert licences.main() == 1
    said = capsys.readouterr().out
    assert "waitress is under" in said and said.endswith("in its place.\n")
