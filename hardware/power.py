"""Shut down, restart and update: asked of the system's own units that the installation made.

The companion runs as a user of its own with no rights over the machine. ``scripts/install-pi``
puts three units beside it that root carries out, and a rule that lets this user start these three
and nothing else. Each waits a moment first, so that the page that asked still gets its answer.
Where the companion does not run as that installed service, nothing of this is offered.
"""

from __future__ import annotations

import subprocess  # nosec B404 # our own commands, no shell
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.edges import Power
from companion.saying import say

SERVICE = "mexican-train.service"
OFF, AGAIN, NEWER = (f"mexican-train-{what}.service" for what in ("off", "restart", "update"))
UNITS = Path("/etc/systemd/system")
CGROUP = Path("/proc/self/cgroup")
"""Names the service that a process belongs to: ``0::/system.slice/mexican-train.service``."""
_PATIENCE = 10.0
"""Seconds that the system may take to accept an order."""

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # nosec B603 # our own words, no shell
        command,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        stdin=subprocess.DEVNULL,
    )


class SystemPower:
    """The machine's power, through systemd. Every order returns once it was accepted.

    Each answers None when it is under way, else a sentence that says why not and what to do.
    """

    def __init__(self, run: Run = _run) -> None:
        self._run = run

    def shut_down(self) -> str | None:
        """Switch the machine off, in a few seconds."""
        return self._start(OFF)

    def restart(self) -> str | None:
        """Switch it off and on again, in a few seconds."""
        return self._start(AGAIN)

    def update(self) -> str | None:
        """Fetch the newest version and start it; if it does not come up, the old one goes on."""
        return self._start(NEWER)

    def _start(self, unit: str) -> str | None:
        try:
            done = self._run(["systemctl", "--no-ask-password", "--no-block", "start", unit])
        except (OSError, subprocess.SubprocessError) as error:
            return _refused(str(error))
        if not done.returncode:
            return None
        return _refused((done.stderr.strip().splitlines() or [str(done.returncode)])[-1])


def _refused(why: str) -> str:
    return say(
        "The system refused (%(why)s): run scripts/install-pi again, which sets its rights.",
        why=why,
    )


def open_power(*, cgroup: Path = CGROUP, units: Path = UNITS) -> Power | None:
    """The machine's power; None unless this process is the service that install-pi made."""
    try:
        told = cgroup.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    ours = any(line.rpartition("/")[2] == SERVICE for line in told)
    there = all((units / unit).exists() for unit in (OFF, AGAIN, NEWER))
    return SystemPower() if ours and there else None
