"""What the system calls of a companion say: was everything on the disk when it was answered?

Reads the output of ``strace``. A kill leaves the system's own memory alone, the pulled plug does
not: only what was synced before an answer survives that.
"""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

CALLS = (
    *("openat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "unlink", "unlinkat"),
    *("write", "writev", "pwrite64", "pwritev", "ftruncate", "fsync", "fdatasync"),
    *("listen", "recvfrom", "sendto", "sendmsg"),
)


def strace(out: Path) -> list[str]:
    """The command that goes before another one to write its calls to a file.

    The other one keeps its place (``-D``), so that a signal reaches it.
    """
    calls = f"trace={','.join(CALLS)}"
    return ["strace", "-D", "-f", "--seccomp-bpf", "-y", "-s", "60", "-e", calls, "-o", str(out)]


LINE = re.compile(r"(?P<who>\d+) +(?:<\.\.\. )?(?P<name>\w+)(?P<again> resumed>)?\(?(?P<rest>.*)")
ON = re.compile(r"\d+<(?P<path>[^>]*)>")
NAMES = re.compile(r'"([^"]*)"')
SUCCESS = re.compile(r'"HTTP/1\.[01] (200|30\d)')
POSTED = re.compile(r'"(?P<how>GET|HEAD|POST) (?P<where>\S+)')


class Trace:
    """Follows the calls in order, and notes each answer that came before its sync.

    ``folder`` is where everything has to last, but for what lies in or is called one of
    ``passing``; ``there`` are the names that were in it before.
    """

    def __init__(
        self, folder: Path, there: Iterable[Path] = (), passing: Iterable[str] = ()
    ) -> None:
        self._folder, self._passing = str(folder), tuple(passing)
        self._names = {str(path) for path in there}
        self._unsynced: dict[str, int] = {}
        self._syncing: dict[str, tuple[str, int]] = {}
        self._reading: dict[str, str] = {}
        self._asked: dict[str, str] = {}
        self.faults: list[str] = []
        """Each answer, or new name, that came too early, in words."""
        self.answered: Counter[str] = Counter()
        """How often what was answered with success."""
        self.synced: Counter[str] = Counter()
        """How often which file or folder was synced."""

    def follow(self, text: str) -> "Trace":
        """Follow all calls of a trace."""
        for number, line in enumerate(text.splitlines()):
            if found := LINE.match(line):
                self._call(number, found["who"], found["name"], found["again"], found["rest"])
        return self

    def _call(self, n: int, who: str, name: str, again: str | None, rest: str) -> None:
        whole = not rest.endswith("<unfinished ...>")
        if name in ("fsync", "fdatasync"):
            if not again and (on := ON.match(rest)):
                self._syncing[who] = (on["path"], n)
            if whole and rest.endswith("= 0"):
                self._sync(*self._syncing[who])
        elif name == "recvfrom":
            self._heard(who, again, rest)
        elif again:
            return
        elif name in ("write", "writev", "pwrite64", "pwritev", "ftruncate", "sendto", "sendmsg"):
            self._write(n, name, rest)
        elif name == "listen":
            self._answer("listen", rest)
        elif " = -1 " not in rest:
            self._name(n, name, rest)

    def _heard(self, who: str, again: str | None, rest: str) -> None:
        line = self._reading.get(who, "") if again else rest.partition("<")[0]
        self._reading[who] = line
        if found := POSTED.search(rest):
            self._asked[line] = f"{found['how']} {found['where']}"

    def _write(self, n: int, name: str, rest: str) -> None:
        on = ON.match(rest)
        if on is None:
            return
        number = rest.partition("<")[0]
        if number == "1" and name == "write":
            self._answer("said", rest)
        elif on["path"].startswith("socket:") or on["path"].startswith("TCP:"):
            if SUCCESS.search(rest) and self._asked.get(number, "").startswith("POST"):
                self._answer(self._asked.pop(number), rest)
        elif self._lasting(on["path"]):
            self._unsynced[on["path"]] = n

    def _name(self, n: int, name: str, rest: str) -> None:
        names = NAMES.findall(rest)
        if not names:
            return
        new = names[-1]
        if name.startswith("unlink"):
            self._names.discard(new)
            self._unsynced.pop(new, None)
        elif name.startswith("rename"):
            if names[0] in self._unsynced:
                self.faults.append(f"{new} got its name before its content was synced")
            self._unsynced.pop(new, None)
            self._is_new(n, new)
        elif name.startswith("mkdir") or ("O_CREAT" in rest and new not in self._names):
            self._is_new(n, new)

    def _is_new(self, n: int, path: str) -> None:
        self._names.add(path)
        if self._lasting(path):
            self._unsynced[str(Path(path).parent)] = n

    def _lasting(self, path: str) -> bool:
        inside = path.startswith(f"{self._folder}/")
        return inside and not any(part in path[len(self._folder) :] for part in self._passing)

    def _sync(self, path: str, began: int) -> None:
        self.synced[path] += 1
        if self._unsynced.get(path, began) <= began:
            self._unsynced.pop(path, None)

    def _answer(self, what: str, rest: str) -> None:
        self.answered[what] += 1
        for path in self._unsynced:
            self.faults.append(f"{what} was answered before {path} was synced: {rest[:60]}")
