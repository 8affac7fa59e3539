"""The settings page: a device's own wishes, and what holds for the whole table."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from scoring import Evening, a_picture

from companion.report import report
from companion.web import WebSettings
from companion.web.devices import SYSTEMS
from companion.web.rounds import round_key
from tests.visitor import OPEN, START, Place, Visitor, sentences


class House(Evening):
    """A table that keeps photos, with people at their devices."""

    def visitor(self) -> Visitor:
        """Somebody new."""
        return Visitor(self)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[House]:
    place = House(tmp_path)
    yield place
    place.game.close()


def pressed(page: str, *names: str) -> dict[str, bool]:
    """Which of these buttons holds."""
    return {
        name: re.search(rf'id="{name}" aria-pressed="(true|false)"', page)[1] == "true"
        for name in names
    }


def sheets(page: str) -> dict[str, str | None]:
    """Every style sheet of a page with its media."""
    found = re.findall(
        r'<link rel="stylesheet" href="/static/([\w-]+)\.css[^"]*"( media="[^"]+")?', page
    )
    return {name: media.strip() or None for name, media in found}


def test_colours_follow_the_device_until_somebody_chooses(place: House) -> None:
    ann = place.visitor()
    page = ann.get("/settings").text
    assert pressed(page, "theme-device", "theme-light", "theme-dark") == {
        "theme-device": True,
        "theme-light": False,
        "theme-dark": False,
    }
    assert sheets(page)["base-night"] == 'media="screen and (prefers-color-scheme: dark)"'
    assert page.count('name="theme-color"') == 2


def test_day_and_lamplight_hold_on_every_page_of_this_device_only(place: House) -> None:
    place.play(START, OPEN)
    ann, bob = place.visitor(), place.visitor()
    assert ann.post("/settings/device", {"theme": "dark"}).location == "/settings"
    for path in ("/settings", "/table", "/sheet", "/"):
        dark = sheets(ann.get(path).text)
        assert {media for name, media in dark.items() if name.endswith("-night")} == {
            'media="screen"'
        }
        assert 'media="screen and' in bob.get(path).text
    ann.post("/settings/device", {"theme": "light"})
    page = ann.get("/table").text
    assert "base" in sheets(page) and not [name for name in sheets(page) if "night" in name]
    assert 'content="#1f4a3c">' in page and "#100c09" not in page
    ann.post("/settings/device", {"theme": "device"})
    assert "prefers-color-scheme" in ann.get("/table").text


def test_a_change_of_colours_makes_the_page_another_one(place: House) -> None:
    # parts are swapped within the same page only: style sheets need the whole of it
    ann = place.visitor()

    def about() -> str:
        return re.search(r'data-about="([^"]*)"', ann.get("/settings").text)[1]

    said = {about()}
    for wish in ({"theme": "dark"}, {"sounds": "on"}):
        ann.post("/settings/device", wish)
        said.add(about())
    assert len(said) == 3


def test_sounds_are_off_and_cost_nothing_until_wished(place: House) -> None:
    place.play(START, OPEN)
    ann = place.visitor()
    assert pressed(ann.get("/settings").text, "sounds-off", "sounds-on")["sounds-off"]
    assert "sounds.js" not in ann.get("/table").text
    ann.post("/settings/device", {"sounds": "on"})
    assert "sounds.js" in ann.get("/table").text
    assert ann.client.get_cookie("sounds").http_only
    ann.post("/settings/device", {"sounds": "off"})
    assert "sounds.js" not in ann.get("/table").text
    assert ann.client.get_cookie("sounds") is None


@pytest.mark.parametrize(
    "wish", [{}, {"theme": "pink"}, {"sounds": ""}, {"theme": "dark", "sounds": "loud"}]
)
def test_what_is_not_offered_is_refused(place: House, wish: dict[str, str]) -> None:
    ann = place.visitor()
    answer = ann.post("/settings/device", wish)
    assert answer.status_code == 422
    assert ann.client.get_cookie("theme") is None
    ann.client.set_cookie("theme", "pink")
    assert pressed(ann.get("/settings").text, "theme-device")["theme-device"]


def test_the_ceremony_is_switched_here_too(place: House) -> None:
    ann = place.visitor()
    assert pressed(ann.get("/settings").text, "ceremony-on")["ceremony-on"]
    ann.post("/ceremony", {"do": "off"}, headers={"Referer": "http://localhost/settings"})
    assert pressed(ann.get("/settings").text, "ceremony-off")["ceremony-off"]


def test_the_languages_are_offered(place: House) -> None:
    page = place.visitor().get("/settings").text
    assert pressed(page, "language-device", "language-sl") == {
        "language-device": True,
        "language-sl": False,
    }


# ---- the table -----------------------------------------------------------------------------------


def kept(place: House, visitor: Visitor) -> str:
    """The way of keeping that the page shows as chosen."""
    page = visitor.get("/settings").text
    ways = pressed(page, "keep-round", "keep-game", "keep-month", "keep-ever")
    assert sum(ways.values()) == 1
    return next(way for way, holds in ways.items() if holds).removeprefix("keep-")


def a_scored_round(place: House) -> str:
    """A round that was closed with a photo; the photo."""
    place.play(START, OPEN)
    about = {"kind": "hand", "round": round_key(place.game.table)}
    photo = place.photos.keep(a_picture(), about)
    for player in ("Red", "Blue", "Green"):
        hand = {"action": "hand", "player": player, "tiles": ["5-12"], "photo": photo}
        place.play(
            hand if player == "Red" else {"action": "go_out", "player": player, "overrule": True}
        )
    place.play({"action": "close_round"})
    return photo


def test_how_photos_are_kept_is_the_tables_choice(place: House, tmp_path: Path) -> None:
    ann, bob = place.visitor(), place.visitor()
    assert kept(place, ann) == "ever"
    assert "No photo is kept now." in sentences(ann.get("/settings"))
    answer = ann.post("/settings/photos", {"keep": "game"})
    assert (answer.status_code, answer.location) == (303, "/settings#photos")
    assert kept(place, bob) == "game"


def test_photos_that_would_go_at_once_are_asked_about_first(place: House) -> None:
    photo = a_scored_round(place)
    before = report(place.game.table)
    ann = place.visitor()
    assert "1 photo is kept. It takes 1 MB;" in sentences(ann.get("/settings"))
    asked = ann.post("/settings/photos", {"keep": "round"})
    assert asked.status_code == 409
    assert "1 photo would be deleted now. The scores stay." in sentences(asked)
    assert 'name="keep" value="round" id="delete-photos"' in asked.text
    assert kept(place, ann) == "ever" and place.photos.get(photo), "nothing was done yet"
    ann.post("/settings/photos", {"keep": "round", "sure": "1"})
    assert kept(place, ann) == "round"
    assert place.photos.get(photo) is None and not place.photos.path(photo).exists()
    assert report(place.game.table) == before
    assert before["scores"]["Red"] == [17]


def test_pages_of_a_photo_that_went_lead_on(place: House) -> None:
    photo = a_scored_round(place)
    ann = place.visitor()
    assert f"/photo/{photo}" in ann.get("/sheet/1/1").text
    ann.post("/settings/photos", {"keep": "round", "sure": "1"})
    cell = ann.get("/sheet/1/1")
    assert cell.status_code == 200 and f"/photo/{photo}" not in cell.text
    assert "17" in sentences(cell)
    assert ann.get(f"/photo/{photo}").location == "/sheet?gone=photo"
    assert ann.get(f"/photo/{photo}.jpg").status_code == 404


def test_what_stays_needs_no_question(place: House) -> None:
    a_scored_round(place)
    assert place.visitor().post("/settings/photos", {"keep": "game"}).status_code == 303


@pytest.mark.parametrize("keep", ["", "week"])
def test_no_other_way_of_keeping(place: House, keep: str) -> None:
    ann = place.visitor()
    assert ann.post("/settings/photos", {"keep": keep, "sure": "1"}).status_code == 422
    assert kept(place, ann) == "ever"


def test_where_no_photos_are_kept_there_is_no_choice(tmp_path: Path) -> None:
    ann = Place(tmp_path).visitor()
    assert "keep-ever" not in ann.get("/settings").text
    assert ann.post("/settings/photos", {"keep": "round"}).status_code == 422


@pytest.mark.parametrize("at_start", [False, True])
def test_the_best_train_is_allowed_here_or_by_the_start(tmp_path: Path, at_start: bool) -> None:
    place = Place(tmp_path, settings=WebSettings(secret="s", best_train=at_start))
    ann = place.visitor()
    assert pressed(ann.get("/settings").text, "best-on")["best-on"] == at_start
    assert ann.get("/best-train").status_code == (200 if at_start else 403)
    answer = ann.post("/settings/best-train", {"best_train": "off" if at_start else "on"})
    assert answer.location == "/settings#best-train"
    assert ann.get("/best-train").status_code == (403 if at_start else 200)
    assert ("/best-train" in ann.get("/").text) != at_start
    assert ann.post("/settings/best-train", {"best_train": "perhaps"}).status_code == 422


# ---- keeping a tablet awake ----------------------------------------------------------------------


def test_the_own_system_is_open_and_the_others_are_there(place: House) -> None:
    agent = {"User-Agent": "Mozilla/5.0 (Linux; Android 9; KFMAWI Build/PS7327) Silk/126.2"}
    page = place.visitor().client.get("/settings", headers=agent).text
    folds = re.findall(r'<details class="fold"( open)? id="awake-(\w+)">', page)
    assert [name for opened, name in folds if opened] == ["fire"]
    assert sorted(name for _, name in folds) == sorted(SYSTEMS)
    assert "Settings › Display › Display Sleep: choose 30 minutes." in page
    assert "may not keep a screen on" in page


def test_both_pages_are_linked_from_home_and_table(place: House) -> None:
    place.play(START, OPEN)
    ann = place.visitor()
    for path in ("/", "/table"):
        page = ann.get(path).text
        assert 'href="/camera"' in page and 'href="/settings"' in page
