"""By which names a browser may ask for this machine."""

from pathlib import Path

import pytest

from companion import ownnames
from companion.ownnames import is_loopback, is_ours, own_names


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> frozenset[str]:
    monkeypatch.setattr(ownnames.socket, "gethostname", lambda: "RaspberryPi")
    avahi, resolver = tmp_path / "avahi.conf", tmp_path / "resolv.conf"
    avahi.write_text("[server]\n#host-name=foo\nhost-name=mexican-train\nuse-ipv4=yes\n")
    resolver.write_text("nameserver 192.168.1.1\nsearch fritz.box lan.\n")
    return own_names("table.example, Games.Example.", avahi, resolver)


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "LOCALHOST:80", "localhost."),
        *("127.0.0.1:8000", "[::1]:8000", "192.168.1.5", "10.42.0.1:8000", "[fe80::1]:8000"),
        *("raspberrypi", "raspberrypi:8000", "raspberrypi.local:8000", "RASPBERRYPI.local."),
        *("mexican-train.local:8000", "mexican-train-2.local", "mexican-train"),
        *("raspberrypi.fritz.box", "raspberrypi.lan:8000", "table.example", "games.example:443"),
    ],
)
def test_our_own_names_and_numbers_are_ours(names: frozenset[str], host: str) -> None:
    assert is_ours(host, names)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "raspberrypi.evil.example", "foo.local"),
        *("127.0.0.1.evil.example", "192.168.1.5.nip.io", "evil.local", "mexican-train-2"),
        *("a@localhost", "localhost:8000@evil.example", "local host", "", "[::1", "127.0.0.1:x"),
        *("localhost/..", "localhost\\@evil.example", "[evil]:80", "1.2.3", "0x7f.1", "fritz.box"),
    ],
)
def test_others_are_not(names: frozenset[str], host: str) -> None:
    assert not is_ours(host, names)


def test_without_such_files_the_machine_still_knows_itself(tmp_path: Path) -> None:
    assert "localhost" in own_names("", tmp_path / "no", tmp_path / "none")


@pytest.mark.parametrize("number", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_what_leads_back_here(number: str) -> None:
    assert is_loopback(number)


@pytest.mark.parametrize("number", ["", "192.168.1.5", "fe80::1", "::ffff:10.0.0.1", "localhost"])
def test_what_leads_elsewhere(number: str) -> None:
    assert not is_loopback(number)
