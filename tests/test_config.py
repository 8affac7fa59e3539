"""Settings: each once, from flag, environment, file or default; wrong ones are refused."""

import pytest

from companion import config
from companion.errors import Trouble


def test_defaults(tmp_path, monkeypatch):
    for setting in config.SETTINGS.values():
        monkeypatch.delenv(setting.variable, raising=False)
    told = config.settings(tmp_path, {})
    assert told == {name: setting.default for name, setting in config.SETTINGS.items()}


def test_the_flag_beats_the_environment_beats_the_file(tmp_path, monkeypatch):
    (tmp_path / "settings.toml").write_text("port = 1\nagree = 3\npace = 1\n")
    assert config.settings(tmp_path, {})["port"] == 1
    monkeypatch.setenv("COMPANION_PORT", "2")
    told = config.settings(tmp_path, {"port": None})
    assert (told["port"], told["agree"], told["pace"]) == (2, 3, 1.0)
    assert config.settings(tmp_path, {"port": "3"})["port"] == 3


@pytest.mark.parametrize(
    "written, sentence",
    [
        ("port = true", "port in settings.toml must be a whole number, not True."),
        ("port = 70000", "port in settings.toml must be 1 to 65535."),
        ("agree = 0", "agree in settings.toml must be 1 to 20."),
        ("lights = 'disco'", "lights in settings.toml must be one of auto, pi, none."),
        ("port = 1.5", "port in settings.toml must be a whole number"),
        ("colour = 1", "names a setting that does not exist: colour."),
        ("port =", "cannot be read"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path, written, sentence):
    (tmp_path / "settings.toml").write_text(written)
    with pytest.raises(Trouble) as trouble:
        config.settings(tmp_path, {})
    assert sentence in str(trouble.value)


def test_where_data_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    assert config.data_folder() == tmp_path / "mexican-train"
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "here"))
    assert config.data_folder() == tmp_path / "here"
    assert config.data_folder(str(tmp_path / "flag")) == tmp_path / "flag"


def test_pins_and_the_hubs_place():
    assert config.pins("") is None
    assert config.pins("4, 17,27") == (4, 17, 27)
    assert config.hub_centre("auto") is None
    assert config.hub_centre("0.4,0.5") == (0.4, 0.5)
    for wrong in ("a,b", "4 17"):
        with pytest.raises(Trouble, match="BCM numbers"):
            config.pins(wrong)
    for wrong in ("middle", "0.5", "1,2,3"):
        with pytest.raises(Trouble, match="two numbers"):
            config.hub_centre(wrong)
    with pytest.raises(Trouble, match="must lie in the picture"):
        config.hub_centre("2,0.5")


@pytest.mark.parametrize(
    "said, sentence",
    [
        ("4,4,17", "pins names GPIO4 twice: choose one of 5, 6, 12, 13, 16, "),
        ("4,40", "pins names 40, which is not on the header: choose one of 5, 6, 12, "),
        ("4,-1", "pins names -1, which is not on the header: choose one of 5, 6, 12, "),
        ("1,17", "pins names GPIO1, which belongs to the boards on top (ID EEPROM): choose one"),
        ("17,2", "pins names GPIO2, which is the I2C bus and has a resistor of its own: choose"),
        ("17,14", "pins names GPIO14, which is the serial console (UART): choose one of 4, 5, "),
        (
            "4,5,6,7,8,9,10,11,12,13,16,17,18,19,20,21",
            "pins names 16 pins, and GPIO21 is one too many: name at most 14 seats and the Mexican",
        ),
    ],
)
def test_a_pin_that_no_lamp_can_have_is_refused_by_name_with_others_to_choose(said, sentence):
    with pytest.raises(Trouble) as trouble:
        config.pins(said)
    assert sentence in str(trouble.value)


def test_fourteen_seats_and_the_mexican_train_have_room_and_so_have_buttons():
    fifteen = config.pins("4,5,6,12,13,16,17,18,19,20,21,22,23,24,25")
    assert len(fifteen) == 15
    assert config.buttons("26,27,7,8,9,10,11", fifteen, (), 0) == (26, 27, 7, 8, 9, 10, 11)


def test_a_file_in_the_folders_place_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Trouble, match="file is a file: name a folder with --data."):
        config.settings(tmp_path / "file", {})
