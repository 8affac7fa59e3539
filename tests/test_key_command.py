"""``companion key``: shows what lets devices in, and makes a new key while the companion runs."""

import http.client
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import heldby
from companion.cli import main
from companion.cli.options import in_full
from companion.joining import HOST, PLAYER, ROLES, SPECTATOR, grouped
from companion.keyfile import TableKey
from companion.web import serving
from tests.running import ROOT, Companion, eventually

ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}


def shown(data: Path, *flags: str) -> str:
    """What the command prints."""
    done = CliRunner().invoke(main, ["key", "--data", str(data), "--port", "9999", *flags])
    assert done.exit_code == 0, done.output
    return done.output


def test_it_shows_a_code_for_every_role_and_makes_the_key_where_there_is_none(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    said = shown(data)
    key = TableKey(data / "key").key
    assert stat.S_IMODE((data / "key").stat().st_mode) == 0o600
    assert "There was no key yet" in said
    codes = re.findall(r"open http://[^/]+:9999/ and type ([A-Z0-9-]+)", said)
    assert codes == [grouped(key.code(role)) for role in (PLAYER, SPECTATOR, HOST)]
    assert "█" in said and key.master.hex() not in said
    again = shown(data)
    assert said.endswith(again) and "no key yet" not in again, "asking changes nothing"
    assert shown(data) == again


def test_a_new_one_is_another(tmp_path: Path) -> None:
    before = shown(tmp_path)
    after = shown(tmp_path, "--new")
    assert "every device has to join anew" in after and "every device has" not in before
    old = set(re.findall(r"type ([A-Z0-9-]+)", before))
    assert len(old) == len(ROLES) and not old & set(re.findall(r"type ([A-Z0-9-]+)", after))


def test_a_damaged_key_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("spilled coffee")
    done = CliRunner().invoke(main, ["key", "--data", str(tmp_path)])
    assert done.exit_code == 1 and "key is damaged: remove it" in done.output
    assert (tmp_path / "key").read_text() == "spilled coffee"


@pytest.mark.parametrize("flags", [(), ("--new",)])
def test_where_no_companion_ever_ran_nothing_is_made(tmp_path: Path, flags: tuple[str]) -> None:
    away = tmp_path / "new" / "data"
    done = CliRunner().invoke(main, ["key", "--data", str(away), *flags])
    assert done.exit_code == 1 and list(tmp_path.iterdir()) == []
    assert f"No companion has run with the folder {away} yet: name the one" in done.output
    assert "--data" in done.output and done.output.count("\n") == 1


def test_the_start_tells_the_whole_command_and_it_works_as_it_stands(tmp_path: Path) -> None:
    if not serving.lan_numbers():
        pytest.skip("no network that another device could join from")
    data = tmp_path / "the games' folder"
    with Companion(data, "--camera", "none", "--host", "0.0.0.0") as companion:
        companion.stop()
        words = re.search(r"are shown by: (.+ key .+)\n", companion.said)
        assert words and f"as host: http://localhost:{companion.port}/\n" in companion.said
        companion.start()
        away = {**os.environ, "COMPANION_DATA": str(tmp_path / "another"), "PYTHONPATH": str(ROOT)}
        command = ["sh", "-c", words[1]]
        done = subprocess.run(command, cwd="/", env=away, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
    code = grouped(TableKey(data / "key").key.code(SPECTATOR))
    assert f":{companion.port}/ and type {code}" in done.stdout.decode()


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("/home/ann/game/.venv/bin/companion", "/home/ann/game/.venv/bin/companion key --data /d"),
        ("/opt/mexican-train/current/.venv/bin/companion", "sudo companion key"),
        ("/home/a b/companion", "'/home/a b/companion' key --data /d"),
    ],
)
def test_a_command_is_told_as_this_machine_takes_it(
    monkeypatch: pytest.MonkeyPatch, program: str, told: str
) -> None:
    monkeypatch.setattr(sys, "argv", [program])
    assert in_full("key", Path("/d")) == told


def of_a_running(folder: Path, *flags: str) -> tuple[int, str]:
    """Exit status and output of the command, told no port."""
    done = CliRunner().invoke(main, ["key", "--data", str(folder), *flags])
    return done.exit_code, done.output


def test_it_knows_where_the_companion_listens_that_runs(tmp_path: Path) -> None:
    with Companion(tmp_path, "--camera", "none") as companion:
        status, said = of_a_running(tmp_path)
        assert status == 0 and f"open http://127.0.0.1:{companion.port}/ and type" in said
        assert "did not say" not in said
        _, said = of_a_running(tmp_path, "--port", "9333")
        assert "open http://127.0.0.1:9333/ and type" in said, "what is asked for goes first"
        _, said = of_a_running(tmp_path, "--host", "192.0.2.7")
        assert f"open http://192.0.2.7:{companion.port}/ and type" in said
        for spoilt in ("", "[]", '{"host": 1, "port": 2}', '{"host": "", "port": 0}', "\0" * 5000):
            (tmp_path / "in-use").write_text(spoilt)
            status, said = of_a_running(tmp_path)
            assert status == 0 and ":8000/ and type" in said
            assert "A companion runs here and did not say on which port" in said
    heldby.note(tmp_path, "127.0.0.1", companion.port)
    status, said = of_a_running(tmp_path)
    assert status == 0 and ":8000/ and type" in said, "it runs no more"
    assert "A companion runs here" not in said


def test_a_key_that_is_gone_is_not_made_anew_behind_a_companion_that_runs(tmp_path: Path) -> None:
    with Companion(tmp_path, "--camera", "none", "--name", "table.example") as companion:
        token = TableKey(tmp_path / "key").key.link(PLAYER)

        def ask(path: str, cookie: str = "") -> http.client.HTTPResponse:
            line = http.client.HTTPConnection("127.0.0.1", companion.port, timeout=20)
            line.request("GET", path, headers={**ELSEWHERE, "Cookie": cookie})
            return line.getresponse()

        cookie = (ask(f"/join/{token}").getheader("Set-Cookie") or "").partition(";")[0]
        (tmp_path / "key").unlink()
        status, said = of_a_running(tmp_path)
        assert status == 1 and "key is gone" in said and "companion key --new" in said
        assert not (tmp_path / "key").exists()
        assert ask("/", cookie).status == 200
        status, said = of_a_running(tmp_path, "--new")
        assert status == 0 and "every device has to join anew" in said
        assert ask("/", cookie).status == 401


def test_a_new_key_throws_devices_out_of_a_companion_that_runs(tmp_path: Path) -> None:
    with Companion(tmp_path, "--camera", "none", "--name", "table.example") as companion:
        token = TableKey(tmp_path / "key").key.link(PLAYER)

        def ask(path: str, **headers: str) -> http.client.HTTPResponse:
            line = http.client.HTTPConnection("127.0.0.1", companion.port, timeout=20)
            line.request("GET", path, headers={**ELSEWHERE, **headers})
            return line.getresponse()

        assert ask("/", Host="table.example").status == 401, "a name that was given"
        assert ask("/", Host="evil.example").status == 421
        joined = ask(f"/join/{token}")
        cookie = (joined.getheader("Set-Cookie") or "").partition(";")[0]
        stream = ask("/live", Cookie=cookie)
        assert (joined.status, stream.status) == (303, 200)
        assert ask("/", Cookie=cookie).status == 200
        shown(tmp_path, "--new")
        assert ask("/", Cookie=cookie).status == 401
        assert ask(f"/join/{token}").status == 401
        ended: list[bytes] = []
        assert eventually(lambda: ended.append(stream.read(1)) or ended[-1] == b"")
        again = TableKey(tmp_path / "key").key.link(PLAYER)
        assert ask(f"/join/{again}").status == 303
        companion.stop()
    for secret in (token, again):
        assert secret not in companion.said
