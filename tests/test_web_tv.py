"""The television: what it shows at each moment, in which light, and that nobody can tap there."""

import re
from pathlib import Path

import pytest
from visitor import OPEN, START, Place, sentences

from companion.web import WebSettings

ROUND = [
    {"action": "go_out", "player": "Red"},
    {"action": "hand", "player": "Blue", "pips": 12},
    {"action": "hand", "player": "Green", "pips": 40},
    {"action": "close_round"},
]
BROWSER = {"Accept": "text/html,*/*"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def rows(html: str) -> list[str]:
    """What stands beside each player, top to bottom."""
    people = re.search(r'<ol class="tv-people".*?</ol>', html, re.S)
    assert people
    texts = re.findall(r"<li.*?</li>", people[0], re.S)
    return [" ".join(re.sub(r"<[^>]*>", " ", text).split()) for text in texts]


def test_before_a_game_it_says_that_it_waits(place: Place) -> None:
    answer = place.visitor().get("/tv")
    assert answer.status_code == 200
    assert "When a game begins, this screen follows it." in sentences(answer)


def test_where_others_can_join_it_shows_the_address(tmp_path: Path) -> None:
    place = Place(tmp_path, settings=WebSettings(secret="s", address="http://192.168.1.5:8000/"))
    for actions in ([], [START, OPEN]):
        place.play(*actions)
        page = place.visitor().get("/tv").text
        assert "http://192.168.1.5:8000/" in page and 'class="qr"' in page
    home = place.visitor().get("/").text
    assert "On the television: http://192.168.1.5:8000/tv" in home


def test_without_a_network_home_leads_to_it_by_a_link(place: Place) -> None:
    assert 'href="/tv"' in place.visitor().get("/").text


def test_it_shows_the_round_and_what_is_up_with_whom(place: Place) -> None:
    place.play(START, OPEN, {"action": "turn", "player": "Green"})
    place.play({"action": "mark", "train": "Blue"}, {"action": "knock", "player": "Red"})
    page = place.visitor().get("/tv")
    said = sentences(page)
    assert "Round 1" in said and "Green's turn." in said
    assert rows(page.text) == ["Red one tile left", "Blue open", "Green"]
    assert len(re.findall('class="tv-person tv-turn', page.text)) == 1
    assert "lamp-steady" in page.text, "the hub shows the open train's lamp"


def test_a_double_and_who_must_cover_it_are_told(place: Place) -> None:
    place.play(START, OPEN, {"action": "turn", "player": "Red"})
    place.play({"action": "lay_double", "train": "Red", "value": 5, "player": "Red"})
    page = place.visitor().get("/tv")
    assert "Blue must cover the 5-5." in sentences(page)
    assert rows(page.text)[1] == "Blue must cover"
    assert 'class="double-open"' in page.text


def test_while_hands_are_counted_it_shows_which_are_in(place: Place) -> None:
    place.play(START, OPEN, *ROUND[:2])
    page = place.visitor().get("/tv")
    assert "Red went out." in sentences(page)
    assert rows(page.text) == ["Red went out", "Blue +12", "Green …"]


def test_between_rounds_it_shows_the_standings_and_the_chart(place: Place) -> None:
    place.play(START, OPEN, *ROUND, {**OPEN, "starter": "Blue"}, *ROUND)
    page = place.visitor().get("/tv")
    said = sentences(page)
    assert "Round 2 is scored" in said and "The 10-10 comes next." in said
    assert rows(page.text) == ["1 Red leads +0 0", "2 Blue +12 24", "3 Green +40 80"]
    assert 'class="chart"' in page.text and 'class="hub"' not in page.text


def test_at_the_end_it_names_the_winners(place: Place) -> None:
    place.play({**START, "rounds": 1}, OPEN, *ROUND)
    page = place.visitor().get("/tv")
    assert "Red wins" in sentences(page) and 'class="cheer-scene"' in page.text
    assert rows(page.text) == ["1 Red leads 0", "2 Blue 12", "3 Green 40"]


def test_the_ceremony_plays_once_for_each_device(place: Place) -> None:
    place.play({**START, "rounds": 1}, OPEN, *ROUND)
    one, other = place.visitor(), place.visitor()
    cheers = [
        'page-tv cheers"' in visitor.client.get("/tv", headers=BROWSER).text
        for visitor in (one, one, other)
    ]
    assert cheers == [True, False, True]


@pytest.mark.parametrize(
    "moment",
    [[], [START], [START, OPEN], [START, OPEN, *ROUND], [{**START, "rounds": 1}, OPEN, *ROUND]],
)
def test_nothing_can_be_tapped(place: Place, moment: list[dict[str, object]]) -> None:
    place.play(*moment)
    page = place.visitor().get("/tv").text
    shown = page.split('<main id="main"')[1].split('id="sprite"')[0]
    assert not re.findall(r"<(?:a|button|form|input|select|details)\b", shown)


def test_it_is_dark_unless_the_device_asks_for_daylight(place: Place) -> None:
    place.play(START, OPEN)
    visitor = place.visitor()
    night = r'href="/static/tv-night\.css[^"]*" media="screen"'
    base = r'href="/static/base-night\.css[^"]*" media="screen"'
    page = visitor.get("/tv").text
    assert re.search(night, page) and re.search(base, page)
    visitor.client.set_cookie("theme", "light")
    assert "-night.css" not in visitor.get("/tv").text
    visitor.client.set_cookie("theme", "dark")
    assert re.search(night, visitor.get("/tv").text)


def test_without_script_it_loads_itself_anew(place: Place) -> None:
    page = place.visitor().get("/tv").text
    found = re.search(r"<noscript>(.*?)</noscript>", page, re.S)
    assert found and 'http-equiv="refresh" content="10"' in found[1]
    assert 'id="refresh"' not in page


def test_all_that_changes_is_in_a_live_part(place: Place) -> None:
    place.play(START, OPEN)
    page = place.visitor().get("/tv").text
    for part in ("tv-left", "tv-state", "tv-people"):
        assert re.search(rf'id="{part}" data-part', page)
