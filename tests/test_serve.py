"""``companion serve`` as a process: it starts, ends cleanly, and comes back as it was."""

import http.client
import signal
import stat
import threading
import time
import urllib.request

import cv2
import pytest

from companion.vision.draw import draw_hand
from tests.running import Companion, all_joined

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 9, "rules": "classic"}
OPEN = {"action": "open_round", "starter": "Ann"}
MARK = {"action": "mark", "train": "Bob"}


def lit(companion):
    """Which lamps are lit, read back from the pins."""
    return [lamp["train"] for lamp in companion.get("/api/lamps") if lamp["lit"]]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_after_a_restart_the_table_and_the_lamps_are_as_they_were(tmp_path, how):
    companion = Companion(tmp_path, "--camera", "none")
    with companion:
        before = companion.play(START, OPEN, MARK, {"action": "start_mexican_train"})
        assert lit(companion) == ["Bob", "mexican"]
        companion.stop(how)
    with companion:
        assert companion.get("/api/table") == before
        assert lit(companion) == ["Bob", "mexican"]
        companion.play({"action": "undo"}, {"action": "undo"})
        assert lit(companion) == []


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_and_says_where_it_was(tmp_path, how):
    with Companion(tmp_path) as companion:
        began = time.monotonic()
        assert companion.stop(how) == 0
        assert time.monotonic() - began < 5
    assert f"http://127.0.0.1:{companion.port}/" in companion.said
    assert "serves this machine only" in companion.said
    assert "the simulated table is shown" in companion.said
    assert "No lamps are connected" in companion.said
    assert "Traceback" not in companion.said


def test_what_it_keeps_is_for_its_owner_only(tmp_path):
    with Companion(tmp_path / "new" / "data", "--camera", "none") as companion:
        companion.play(START)
        for file in companion.data.rglob("*"):
            assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
        assert stat.S_IMODE(companion.data.stat().st_mode) & 0o077 == 0


def test_a_damaged_database_is_set_aside_and_the_page_says_so(tmp_path):
    with Companion(tmp_path, "--camera", "none") as companion:
        companion.play(START)
    noise = b"spilled coffee" * 1000
    (tmp_path / "journal.db").write_bytes(noise)
    with companion:
        assert companion.get("/api/table")["phase"] == "none"
        companion.play(START)
    kept = [path for path in tmp_path.iterdir() if path.is_file() and path.read_bytes() == noise]
    assert len(kept) == 1, "never overwritten"
    assert kept[0].name in companion.said


def test_a_port_in_use_is_one_sentence(tmp_path):
    with Companion(tmp_path / "one", "--camera", "none") as first:
        second = Companion(tmp_path / "two", "--camera", "none")
        second.port = first.port
        second.address = f"http://127.0.0.1:{first.port + 1 if first.port < 65535 else 1}"
        with pytest.raises(AssertionError, match=f"Port {first.port} cannot be opened"):
            second.start()


def test_lamps_without_a_pi_are_named_with_what_to_do(tmp_path):
    with Companion(tmp_path, "--camera", "none", "--lights", "pi") as companion:
        companion.play(START, OPEN, MARK)
        assert not any(lamp["lit"] for lamp in companion.get("/api/lamps"))
    with Companion(tmp_path, "--camera", "none", "--lights", "none") as companion:
        assert all(lamp["pin"] is None for lamp in companion.get("/api/lamps"))
        states = {lamp["train"]: lamp["state"] for lamp in companion.get("/api/lamps")}
        assert states == {"Ann": "off", "Bob": "steady", "Cem": "off", "mexican": "off"}


def test_a_second_companion_on_the_same_folder_is_refused(tmp_path):
    with Companion(tmp_path, "--camera", "none") as first:
        with pytest.raises(AssertionError, match="Another companion uses"):
            Companion(tmp_path, "--camera", "none").start()
        assert first.get("/healthz")["ok"]


def test_odd_things_in_the_data_folder_are_one_sentence(tmp_path):
    (tmp_path / "secret").write_bytes(b"\xff\xfe")
    with pytest.raises(AssertionError, match="secret is damaged: remove it") as failed:
        Companion(tmp_path, "--camera", "none").start()
    assert "Traceback" not in str(failed.value)
    (tmp_path / "secret").unlink()
    (tmp_path / "secret").mkdir()
    with pytest.raises(AssertionError, match="The machine refused .*secret") as failed:
        Companion(tmp_path, "--camera", "none").start()
    assert "Traceback" not in str(failed.value)


def test_it_ends_cleanly_while_photos_are_being_read(tmp_path):
    picture = draw_hand([(a, b) for a in range(6) for b in range(a, 6)], 4000, 3000, seed=1)
    photo = cv2.imencode(".jpg", picture.image)[1].tobytes()
    body = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body += photo + b"\r\n--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    with Companion(tmp_path, "--camera", "simulated") as companion:
        request = urllib.request.Request(companion.address + "/api/read", body, kind)
        senders = [threading.Thread(target=_ignoring_the_end, args=(request,)) for _ in range(4)]
        for sender in senders:
            sender.start()
        time.sleep(0.5)
        began = time.monotonic()
        assert companion.stop() == 0
        assert time.monotonic() - began < 5
        all_joined(senders)


def _ignoring_the_end(request):
    try:
        urllib.request.urlopen(request, timeout=20).read()
    except (OSError, http.client.HTTPException):
        pass


@pytest.mark.parametrize("pause", [0.01, 0.05, 0.3])
def test_an_impatient_second_signal_changes_nothing(tmp_path, pause):
    with Companion(tmp_path, "--camera", "simulated") as companion:
        companion.play(START, OPEN, MARK)
        companion.process.send_signal(signal.SIGTERM)
        time.sleep(pause)
        assert companion.stop(signal.SIGTERM) == 0
    assert "Traceback" not in companion.said


@pytest.mark.parametrize("host", ["nonsense.invalid", "8.8.8.8", "x" * 300])
def test_an_address_of_another_machine_is_one_sentence(tmp_path, host):
    companion = Companion(tmp_path, "--camera", "none", "--host", host)
    with pytest.raises(AssertionError, match="is no address of this machine") as failed:
        companion.start()
    assert "Traceback" not in str(failed.value)
