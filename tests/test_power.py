"""Shut down, restart and update are orders to the system's own units, and offered only there."""

import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.edges import Power
from hardware.power import AGAIN, NEWER, OFF, SystemPower, open_power
from hardware.supply import FIRMWARE, supply

ROOT = Path(__file__).parent.parent
IN_SERVICE = "0::/system.slice/mexican-train.service\n"


class System:
    """systemctl as it answers: which units it was asked to start, and what it says to that."""

    def __init__(self, status: int = 0, says: str = "") -> None:
        self.asked: list[Sequence[str]] = []
        self._status, self._says = status, says

    def __call__(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        self.asked.append(command)
        return subprocess.CompletedProcess(command, self._status, "", self._says)


def test_each_order_starts_its_own_unit_and_returns_at_once() -> None:
    system = System()
    power: Power = SystemPower(system)
    assert [power.shut_down(), power.restart(), power.update()] == [None, None, None]
    assert [command[-1] for command in system.asked] == [OFF, AGAIN, NEWER]
    for command in system.asked:
        assert command[:1] == ["systemctl"] and {"--no-block", "--no-ask-password"} < {*command}


def test_a_refusal_is_a_sentence_that_says_what_to_do() -> None:
    power = SystemPower(System(1, "See logs.\nInteractive authentication required.\n"))
    assert power.shut_down() == (
        "The system refused (Interactive authentication required.): "
        "run scripts/install-pi again, which sets its rights."
    )
    assert "refused (1)" in str(SystemPower(System(1)).restart())


def test_a_machine_without_systemd_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "refused ([Errno 2] No such file" in str(SystemPower().update())


def test_it_runs_the_real_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "systemctl"
    tool.write_text('#!/bin/sh\necho "$@" >"$0.asked"\necho "Access denied" >&2\nexit 4\n')
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "refused (Access denied)" in str(SystemPower().shut_down())
    assert (tmp_path / "systemctl.asked").read_text().split()[-1] == OFF


@pytest.mark.parametrize(
    ("cgroup", "installed", "offered"),
    [
        (IN_SERVICE, True, True),
        ("12:memory:/x\n1:name=systemd:/system.slice/mexican-train.service\n", True, True),
        (IN_SERVICE, False, False),
        ("0::/user.slice/user-1000.slice/session-1.scope\n", True, False),
        ("0::/system.slice/not-mexican-train.service\n", True, False),
    ],
)
def test_it_is_offered_only_as_the_installed_service(
    tmp_path: Path, cgroup: str, installed: bool, offered: bool
) -> None:
    (tmp_path / "cgroup").write_text(cgroup)
    for unit in (OFF, AGAIN, NEWER) if installed else (OFF, AGAIN):
        (tmp_path / unit).touch()
    found = open_power(cgroup=tmp_path / "cgroup", units=tmp_path)
    assert (found is not None) == offered


def test_this_very_machine_is_not_one() -> None:
    assert open_power() is None
    assert open_power(cgroup=Path("/nowhere")) is None


def test_the_units_are_those_that_the_installation_brings() -> None:
    for unit in (OFF, AGAIN, NEWER):
        assert (ROOT / "scripts" / "pi" / unit).is_file()
        assert f'"{unit}"' in (ROOT / "scripts" / "pi" / "mexican-train.rules").read_text()


# ---- supply voltage and heat ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "mark", "words"),
    [
        ("0", "ok", "cool enough"),
        ("50005", "not", "too low now"),
        ("50000", "not", "too low since the start"),
        ("e0008", "not", "too hot and slows down"),
        ("80000", "note", "was too hot since the start"),
    ],
)
def test_what_the_firmware_tells(tmp_path: Path, bits: str, mark: str, words: str) -> None:
    told = supply(tmp_path, lambda: f"throttled=0x{bits}\n")
    assert (told.mark, words in told.said) == (mark, True), told
    (tmp_path / FIRMWARE).parent.mkdir(parents=True)
    (tmp_path / FIRMWARE).write_text(f"{bits}\n")
    assert supply(tmp_path, lambda: None) == told


@pytest.mark.parametrize(("alarm", "mark"), [("1", "not"), ("0", "ok")])
def test_the_alarm_of_the_kernel_will_do(tmp_path: Path, alarm: str, mark: str) -> None:
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        chip = tmp_path / "class" / "hwmon" / f"hwmon{number}"
        chip.mkdir(parents=True)
        (chip / "name").write_text(f"{name}\n")
        if name == "rpi_volt":
            (chip / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert supply(tmp_path, lambda: None).mark == mark


def test_a_machine_that_tells_nothing_is_no_fault(tmp_path: Path) -> None:
    assert supply(tmp_path, lambda: None).mark == "note"
    assert supply(tmp_path, lambda: "VCHI initialization failed").mark == "note"
