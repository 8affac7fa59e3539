"""The link for BG Stats: the fields that its makers name, and the values of this game."""

import json
from urllib.parse import parse_qs, urlsplit

from evening_games import JULY, MAY, game, kept

from companion.bgstats import link, play_of
from companion.kept import kept_games
from telling import act


def test_the_address_carries_the_play():
    (may,) = kept(MAY)
    address = urlsplit(link(may))
    assert (address.scheme, address.netloc) == ("https", "app.bgstatsapp.com")
    assert (address.path, address.fragment) == ("/createPlay.html", "")
    (data,) = parse_qs(address.query, strict_parsing=True)["data"]
    assert json.loads(data) == {
        "sourceName": "Mexican Train companion",
        "sourcePlayId": may.id,
        "playDate": "2024-05-31 20:00:09",
        "game": {
            "name": "Mexican Train",
            "sourceGameId": "mexican-train",
            "highestWins": False,
            "noPoints": False,
        },
        "players": [
            {
                "name": "Ann",
                "sourcePlayerId": "ann",
                "startPlayer": True,
                "score": 20,
                "rank": 1,
                "winner": True,
            },
            {
                "name": "Bob",
                "sourcePlayerId": "bob",
                "startPlayer": False,
                "score": 62,
                "rank": 2,
                "winner": False,
            },
        ],
    }


def test_names_are_data_and_nothing_else():
    name = 'Zoë & "Ö" #1?=%'
    (one,) = kept(game("2024-05-31", [name, "Bob"], {name: 0, "Bob": 5}))
    address = link(one)
    assert not set(' "<>#&') & set(address)
    assert json.loads(parse_qs(urlsplit(address).query)["data"][0])["players"][0]["name"] == name


def test_a_correction_later_moves_the_winner_but_not_the_date():
    fix = {**act("correct", round=1, player="Bob", pips=0), "at": "2025-01-01T00:00:00Z"}
    (may,) = kept_games(MAY, [(1, [fix])])
    play = play_of(may)
    assert play["playDate"] == "2024-05-31 20:00:09"
    assert [each["winner"] for each in play["players"]] == [False, True]


def test_the_time_is_universal_and_an_evening_has_a_length():
    said = game("2024-05-31", ["Ann", "Bob"], {"Ann": 0, "Bob": 5}, finish=False)
    said.append({**act("finish_game"), "at": "2024-05-31T23:30:00+01:00"})
    play = play_of(kept(said)[0])
    assert (play["playDate"], play["durationMin"]) == ("2024-05-31 22:30:00", 150)
    said[-1]["at"] = "2024-06-30T23:30:00+01:00"
    assert "durationMin" not in play_of(kept(said)[0]), "it lay overnight"


def test_points_that_are_won_are_said_to_win():
    won = {"overrides": {"scoring": "positive"}}
    (one,) = kept(game("2024-05-31", ["Ann", "Bob"], {"Ann": None, "Bob": 40}, **won))
    assert play_of(one)["game"]["highestWins"] is True


def test_there_is_no_link_for_what_is_not_over_or_has_no_time():
    assert link(kept(JULY)[0]) is None
    assert link(kept([{k: v for k, v in said.items() if k != "at"} for said in MAY])[0]) is None
