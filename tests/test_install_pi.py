"""The installation on a Pi: its steps can be read first, its units are sound, its wheels exist."""

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PI = ROOT / "scripts" / "pi"
SCRIPTS = (ROOT / "scripts" / "install-pi", PI / "hotspot", PI / "kiosk", PI / "command")
UNITS = sorted([*PI.glob("*.service"), *PI.glob("*.timer")])
STEPS = (
    "Packages of the system",
    "A user of its own, who may use pins and cameras and nothing else",
    "The program, as version",
    "The service, its rights, and its three orders",
    "The name mexican-train.local in the house's network",
    "A Wi-Fi of its own where no known one is near",
    "The machine's own screen",
    "Start",
    "Ready",
)


def install(*flags: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [ROOT / "scripts" / "install-pi", *flags], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_scripts_are_sound(script: Path) -> None:
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True, timeout=60)


@pytest.mark.tools
@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_shellcheck_finds_no_fault_with_the_scripts(script: Path) -> None:
    done = subprocess.run(["shellcheck", "-x", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.tools
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text()
        for program in re.findall(r"^ExecStart=(/\S+)", text, re.MULTILINE):
            if not Path(program).exists():  # what the installation puts there
                text = text.replace(f"ExecStart={program}", "ExecStart=/bin/true")
        (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", *sorted(tmp_path.iterdir())],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        **{"capture_output": True, "text": True, "timeout": 120},
    )
    ours = [line for line in done.stderr.splitlines() if "mexican-train" in line]
    assert ours == [] and done.returncode == 0, done.stderr


def test_a_dry_run_prints_every_step_and_changes_nothing() -> None:
    done = install("--dry-run", "--kiosk", "--name", "train")
    assert done.returncode == 0, done.stderr
    steps = re.findall(r"^ == (.*)$", done.stdout, re.MULTILINE)
    wanted = [step.replace("mexican-train.local", "train.local") for step in STEPS]
    assert [step[: len(want)] for step, want in zip(steps, wanted)] == wanted
    assert len(steps) == len(STEPS)
    for command in (
        "apt-get update",
        "python3-venv",
        "useradd --system --user-group --no-create-home --home-dir /var/lib/mexican-train",
        "write /etc/systemd/system/mexican-train.service",
        "write /etc/polkit-1/rules.d/50-mexican-train.rules",
        "host-name=train/ /etc/avahi/avahi-daemon.conf",
        "systemctl enable mexican-train-hotspot.timer",
        "systemctl enable mexican-train.service",
        "systemctl restart mexican-train.service",
    ):
        assert command in done.stdout, command
    assert not Path("/opt/mexican-train").exists()


def test_a_dry_uninstall_keeps_the_games() -> None:
    done = install("--dry-run", "--uninstall")
    assert done.returncode == 0, done.stderr
    removed = [line for line in done.stdout.splitlines() if line.startswith("   rm ")]
    assert "rm -rf /opt/mexican-train" in done.stdout
    assert removed and not any("/var/lib" in line for line in removed)
    assert "The games stay in /var/lib/mexican-train" in done.stdout
    for unit in UNITS:
        assert f"/etc/systemd/system/{unit.name}" in done.stdout, f"{unit.name} would stay"


def test_without_the_hotspot_there_is_none() -> None:
    said = install("--dry-run", "--no-hotspot").stdout
    assert "network-manager" not in said and "nmcli" not in said
    assert "enable mexican-train-hotspot.timer" not in said


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--nonsense",), "--nonsense is not known here: see scripts/install-pi --help."),
        (("--dry-run", "--name"), "--name needs small letters"),
        (("--dry-run", "--name", "a b; reboot"), "--name needs small letters"),
        (("--dry-run", "--name", "/etc"), "--name needs small letters"),
        (("--update", "--dry-run"), "Nobody told where newer versions come from"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(flags: tuple[str, ...], words: str) -> None:
    done = install(*flags)
    assert done.returncode == 1 and done.stderr.startswith(words), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_help_says_what_the_flags_do() -> None:
    said = install("--help").stdout
    for flag in ("--kiosk", "--no-hotspot", "--name", "--update", "--uninstall", "--dry-run"):
        assert flag in said
    assert "set -euo" not in said


def unit(name: str) -> dict[str, list[str]]:
    """What a unit says, all values of a name in order."""
    told: dict[str, list[str]] = {}
    for line in (PI / name).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            told.setdefault(line.partition("=")[0], []).append(line.partition("=")[2])
    return told


def test_the_service_has_its_own_user_its_limits_and_its_walls() -> None:
    told = unit("mexican-train.service")
    for name, value in {
        "Type": "notify",
        "User": "mexican-train",
        "Restart": "on-failure",
        "MemoryMax": "400M",
        "StateDirectory": "mexican-train",
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "CapabilityBoundingSet": "",
        "DevicePolicy": "closed",
    }.items():
        assert told[name] == [value]
    assert int(told["WatchdogSec"][0]) >= 60
    assert {line.split()[0] for line in told["DeviceAllow"]} >= {"char-gpiochip", "char-media"}


# ---- the Wi-Fi of its own ------------------------------------------------------------------------

NMCLI = r"""#!/usr/bin/env bash
echo "$*" >>"$NOTES"
case "$*" in
    "-t -f DEVICE,TYPE device") printf '%s\n' "lo:loopback" ${WIFI:-} ;;
    "-t -f TYPE,STATE,CONNECTION device") printf '%b' "${DEVICES:-}" ;;
    "-t -f NAME connection show --active") printf '%b' "${ACTIVE:-}" ;;
    "-t -f UUID,TYPE connection show") printf '%s\n' 1:802-11-wireless 2:802-11-wireless 3:802-3 ;;
    "-g connection.id connection show 1") echo home ;;
    "-g connection.id connection show 2") echo mexican-train ;;
    "-g 802-11-wireless.ssid connection show 1") echo "Our house" ;;
    *"wifi list"*) printf '%b' "${SEEN:-}" ;;
    "device connect"*) exit "${FAILS:-0}" ;;
esac
"""
WIFI = {"WIFI": "wlan0:wifi"}
OPEN = {"ACTIVE": "mexican-train\\n", "DEVICES": "wifi:connected:mexican-train\\n"}


@pytest.mark.parametrize(
    ("around", "does"),
    [
        ({}, None),
        ({**WIFI, "DEVICES": "wifi:connected:home\\n"}, None),
        ({**WIFI, "DEVICES": "wifi:disconnected:\\nethernet:connected:cable\\n"}, None),
        ({**WIFI, "DEVICES": "wifi:disconnected:\\n"}, "connection up mexican-train"),
        ({**WIFI, "SEEN": "Neighbour\\n\\n"}, "connection up mexican-train"),
        ({**WIFI, "SEEN": "Neighbour\\nOur house\\n"}, "device connect wlan0"),
        ({**WIFI, "SEEN": "Our house\\n", "FAILS": "4"}, "connection up mexican-train"),
        ({**WIFI, **OPEN, "STATIONS": "Station 00:11", "SEEN": "Our house\\n"}, None),
        ({**WIFI, **OPEN, "SEEN": "Our house\\n"}, "device connect wlan0"),
        ({**WIFI, **OPEN}, "connection up mexican-train"),
    ],
)
def test_a_wifi_of_its_own_is_open_only_where_no_known_one_is_near(
    tmp_path: Path, around: dict[str, str], does: str | None
) -> None:
    for name, text in {"nmcli": NMCLI, "iw": '#!/bin/sh\necho "${STATIONS:-}"\n'}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "NOTES": str(tmp_path / "notes"), **around}
    done = subprocess.run([PI / "hotspot"], env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    asked = (tmp_path / "notes").read_text().splitlines()
    orders = [line for line in asked if re.match(r"(connection (up|down)|device connect)", line)]
    assert (orders[-1:] or [None]) == [does]


# ---- wheels ready for a Pi -----------------------------------------------------------------------

GLIBC = {"3.11": 36, "3.13": 41}
"""The C library of bookworm, of trixie."""


def pip(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *words],
        **{"capture_output": True, "text": True, "timeout": 600},
    )


@pytest.mark.network
@pytest.mark.parametrize("python", GLIBC)
def test_everything_comes_as_a_ready_wheel_for_a_pi(tmp_path: Path, python: str) -> None:
    alone = pip("download", "--no-deps", "--only-binary=:all:", "-d", str(tmp_path), "segno")
    if alone.returncode:
        pytest.skip("no package registry can be reached")
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    wanted = setup["options"]["install_requires"].split()
    wanted += setup["options.extras_require"]["heic"].split()
    fits = [f"manylinux_2_{minor}_aarch64" for minor in range(17, GLIBC[python] + 1)]
    platforms = [word for fit in ("manylinux2014_aarch64", *fits) for word in ("--platform", fit)]
    done = pip(
        "download",
        "--only-binary=:all:",
        *("--python-version", python, "--implementation", "cp", *platforms),
        *("-d", str(tmp_path), *wanted),
    )
    assert done.returncode == 0, done.stderr
    names = [path.name.lower() for path in tmp_path.iterdir()]
    assert all(name.endswith(".whl") for name in names)
    for compiled in ("numpy", "opencv_python", "markupsafe", "pillow_heif"):
        assert any(name.startswith(compiled) and "aarch64" in name for name in names), names
