"""Shut down, restart and update on the settings page: with a question, and by a host only."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.pressing import UNPLUG
from companion.web import machine
from tests.visitor import OPEN, START, Place, sentences


class Power:
    """A machine that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.refusal: str | None = None

    def _do(self, what: str) -> str | None:
        self.told.append(what)
        return self.refusal

    def shut_down(self) -> str | None:
        return self._do("off")

    def restart(self) -> str | None:
        return self._do("restart")

    def update(self) -> str | None:
        return self._do("update")


@pytest.fixture
def power() -> Power:
    return Power()


@pytest.fixture
def place(tmp_path: Path, power: Power) -> Iterator[Place]:
    place = Place(tmp_path, power=power)
    yield place
    place.game.close()


def test_a_machine_that_is_not_ours_to_command_offers_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    ann = place.visitor()
    assert 'id="machine"' not in ann.get("/settings?machine=off").text
    assert ann.post("/settings/machine", {"do": "off"}).status_code == 404
    place.game.close()


@pytest.mark.parametrize("what", ["off", "restart", "update"])
def test_every_order_is_asked_first_and_then_carried_out(
    place: Place, power: Power, what: str
) -> None:
    place.play(START, OPEN)
    ann = place.visitor()
    page = ann.get("/settings").text
    assert f'href="/settings?machine={what}#machine"' in page and 'id="machine-yes"' not in page
    asked = ann.get(f"/settings?machine={what}")
    assert f'name="do" value="{what}" id="machine-yes"' in asked.text
    assert "Nothing that was scored is lost." in sentences(asked)
    assert power.told == []
    answer = ann.post("/settings/machine", {"do": what})
    assert (answer.status_code, answer.location) == (303, "/settings#machine")
    assert power.told == [what]
    after = ann.get("/settings")
    assert machine.UNDER_WAY[what] in sentences(after)
    assert 'id="machine-off"' not in after.text
    assert place.told["phase"] == "playing"


def test_after_the_end_has_begun_everybody_reads_when_to_unplug(place: Place) -> None:
    place.visitor().post("/settings/machine", {"do": "off"})
    other = place.visitor("spectator").get("/settings")
    assert str(UNPLUG) in sentences(other)


def test_an_order_that_came_to_nothing_is_forgotten(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = place.visitor()
    ann.post("/settings/machine", {"do": "update"})
    assert 'id="machine-said"' in ann.get("/settings").text
    monkeypatch.setattr(machine, "FORGOTTEN", 0.0)
    assert 'id="machine-update"' in ann.get("/settings").text


@pytest.mark.parametrize("role", ["player", "spectator"])
def test_whoever_only_plays_or_looks_on_is_offered_nothing_and_told_who_can(
    place: Place, power: Power, role: str
) -> None:
    ann = place.visitor(role)
    assert 'id="machine"' not in ann.get("/settings?machine=off").text
    answer = ann.post("/settings/machine", {"do": "off"})
    assert answer.status_code == 403
    assert "Only the host can do that. Ask whoever runs the table." in sentences(answer)
    assert power.told == []


def test_another_device_that_joined_as_host_may(place: Place, power: Power) -> None:
    ann = place.visitor("host")
    assert 'id="machine-off"' in ann.get("/settings").text
    assert ann.post("/settings/machine", {"do": "off"}).status_code == 303
    assert power.told == ["off"]


@pytest.mark.parametrize(
    ("address", "host"),
    [("127.0.0.1", "127.0.0.1:8000"), ("::1", "[::1]:8000"), ("::ffff:127.0.0.1", "localhost")],
)
def test_whoever_sits_there_may(place: Place, address: str, host: str) -> None:
    page = place.visitor().client.get(
        "/settings", environ_base={"REMOTE_ADDR": address}, headers={"Host": host}
    )
    assert 'id="machine-off"' in page.text


def test_a_refusal_of_the_system_is_shown_and_nothing_is_under_way(
    place: Place, power: Power
) -> None:
    power.refusal = "The system refused (denied): run scripts/install-pi again."
    ann = place.visitor()
    answer = ann.post("/settings/machine", {"do": "restart"})
    assert answer.status_code == 503 and power.refusal in sentences(answer)
    assert 'id="machine-off"' in ann.get("/settings").text


def test_what_is_no_order_is_refused(place: Place, power: Power) -> None:
    ann = place.visitor()
    assert ann.post("/settings/machine", {"do": "explode"}).status_code == 422
    assert ann.client.post("/settings/machine", data={"do": "off"}).status_code == 400
    assert 'id="machine-yes"' not in ann.get("/settings?machine=explode").text
    assert power.told == []
