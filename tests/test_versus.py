"""One person's games, and two against each other, with the sums beside them."""

from fractions import Fraction

from evening_games import JULY, JUNE, MAY, game, kept

from companion.versus import Rounds, meetings, results, rounds

AUGUST = game("2024-08-02", ["bob", "ANN"], {"bob": 4, "ANN": 4})
# May: Ann 0 and 20, Bob 59 and 3. June: Ann 10, Bob 0, Cem 90. August: level.
GAMES = kept(MAY, JUNE, JULY, AUGUST)


def test_a_persons_games_one_after_another():
    found = results(GAMES, "Ann")
    assert [(each.total, each.place, each.won) for each in found] == [
        (20, 1, True),
        (10, 2, False),
        (4, 1, True),
    ]
    assert [each.average for each in found] == [10, 10, 4]
    assert results(GAMES, "Bob")[0].average == Fraction(62, 2)
    assert results(GAMES, "Nobody") == []


def test_two_against_each_other():
    met = meetings(GAMES, "ann", "Bob")
    assert [each.ahead for each in met] == [-1, 1, 0]
    assert [each.ahead for each in meetings(GAMES, "Bob", "Ann")] == [1, -1, 0]
    # rounds: 0 to 59, 20 to 3, 10 to 0, 4 to 4
    assert rounds(met, "Ann", "Bob") == Rounds(4, 1, 2, 34, 66)
    assert meetings(GAMES, "Ann", "Dee") == []


def test_where_points_are_won_more_is_better():
    won = {"overrides": {"scoring": "positive"}}
    games = kept(MAY, game("2024-09-01", ["Ann", "Bob"], {"Ann": None, "Bob": 40}, **won))
    met = meetings(games, "Ann", "Bob", positive=True)
    assert [each.ahead for each in met] == [-1]
    assert rounds(met, "Ann", "Bob") == Rounds(1, 1, 0, 40, 0)
    assert len(meetings(games, "Ann", "Bob")) == 1


def test_who_has_a_hole_is_neither_ahead_nor_behind():
    said = game("2024-05-31", ["Ann", "Bob"], {"Ann": 4, "Bob": 6}, finish=False)
    said += [{"action": "add_player", "name": "Cem", "past": "none"}, {"action": "open_round"}]
    said += [{"action": "hand", "player": who, "pips": 1} for who in ("Ann", "Bob", "Cem")]
    said += [{"action": "close_round"}, {"action": "finish_game"}]
    (cem,) = results(kept(said), "Cem")
    assert (cem.place, cem.won, cem.average) == (None, False, 1)
    (met,) = meetings(kept(said), "Ann", "Cem")
    assert met.ahead == 0
    assert rounds([met], "Ann", "Cem") == Rounds(1, 0, 0, 1, 1)
