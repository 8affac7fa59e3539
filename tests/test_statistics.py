"""Figures over many games, from the journal's actions alone, with the sums beside them."""

from fractions import Fraction

from companion.report import double_blanks
from companion.statistics import games, groups, statistics
from companion.table import replay
from telling import act


def game(players, *rounds, rules="classic", finish=True, **start):
    """The actions of a game; each round maps players to pips, tiles, or nothing for out."""
    said = [act("start_game", players=list(players), set=9, rules=rules, overrule=True, **start)]
    for hands in rounds:
        said.append(act("open_round"))
        for name, left in hands.items():
            if left is None:
                said.append(act("go_out", player=name))
            else:
                kind = "tiles" if isinstance(left, list) else "pips"
                said.append(act("hand", player=name, **{kind: left}))
        said.append(act("close_round"))
    return said + ([act("finish_game")] if finish else [])


FIRST = game(
    ("Ann", "Bob"),
    {"Ann": None, "Bob": ["0-0", "1-2"]},  # Ann 0, Bob 50 + 3 = 53
    {"Ann": 20, "Bob": None},  # Ann 20, Bob 0
)
SECOND = game(
    ("bob", "Ann"),
    {"bob": None, "Ann": 31},  # Bob 0, Ann 31
)
THIRD = game(("Ann", "Bob", "Cem"), {"Ann": 10, "Bob": 10, "Cem": 90})
ASIDE = game(("Ann", "Bob"), {"Ann": None, "Bob": 70}, finish=False)


def figures(actions, **choice):
    return {each.name: each for each in statistics(games(actions), **choice)}


def test_games_are_told_apart_and_one_set_aside_counts_for_itself():
    played = games([*FIRST, *ASIDE, *SECOND])
    assert [each.phase for each in played] == ["finished", "between", "finished"]
    found = figures([*FIRST, *ASIDE, *SECOND])
    ann, bob = found["Ann"], found["bob"]
    # Ann: 0, 20 and 31 are 51 in 3 rounds; she won the first: 20 to 53
    assert (ann.games, ann.wins, ann.rounds, ann.points) == (2, 1, 3, 51)
    assert (ann.average, ann.best, ann.worst) == (Fraction(17), 0, 31)
    assert (ann.went_out, ann.double_blanks, ann.unfinished) == (1, 0, 1)
    # Bob: 53, 0 and 0
    assert (bob.games, bob.wins, bob.rounds, bob.points) == (2, 1, 3, 53)
    assert (bob.average, bob.best, bob.worst) == (Fraction(53, 3), 0, 53)
    assert (bob.went_out, bob.double_blanks, bob.unfinished) == (2, 1, 1)


def test_the_game_still_being_played_is_unfinished():
    found = figures([*FIRST, *ASIDE])
    assert (found["Ann"].games, found["Ann"].unfinished) == (1, 1)
    only = figures(ASIDE)["Ann"]
    assert (only.games, only.rounds, only.average, only.best) == (0, 0, None, None)


def test_a_shared_win_counts_for_each():
    found = figures(THIRD)
    assert [found[name].wins for name in ("Ann", "Bob", "Cem")] == [1, 1, 0]


def test_a_group_is_exactly_these_people():
    played = games([*FIRST, *SECOND, *THIRD])
    assert groups(played) == [(("Ann", "bob"), 2), (("Ann", "Bob", "Cem"), 1)]
    two = figures([*FIRST, *SECOND, *THIRD], group=("ANN", "Bob"))
    assert set(two) == {"Ann", "bob"}
    assert two["Ann"].games == 2
    assert figures([*FIRST, *THIRD], group=("Ann",)) == {}


def test_positive_games_are_counted_apart():
    positive = game(("Ann", "Bob"), {"Ann": None, "Bob": 40}, overrides={"scoring": "positive"})
    assert figures([*FIRST, *positive])["Ann"].games == 1
    ann = figures([*FIRST, *positive], positive=True)["Ann"]
    assert (ann.games, ann.wins, ann.best, ann.worst) == (1, 1, 40, 40)


def test_corrections_undo_and_rounds_missed_are_heeded():
    said = [
        *FIRST,
        act("correct", round=2, player="Ann", pips=99),
        act("correct", round=2, player="Ann", pips=30),
        act("undo"),
    ]
    assert figures(said)["Ann"].worst == 99
    late = game(("Ann", "Bob"), {"Ann": None, "Bob": 40}, finish=False)
    late += [act("add_player", name="Cem", past="highest"), act("open_round")]
    late += [act("hand", player=name, pips=5) for name in ("Ann", "Bob", "Cem")]
    late += [act("close_round"), act("finish_game")]
    cem = figures(late)["Cem"]
    assert (cem.rounds, cem.points, cem.games) == (1, 5, 1), "40 for the missed round is not his"


def test_a_first_game_taken_back_never_was():
    assert games([FIRST[0], act("undo")]) == []
    assert len(games([FIRST[0], act("undo"), *SECOND])) == 1
    # taking back within a second game never makes it a third
    assert len(games([*FIRST, *SECOND[:2], act("undo"), *SECOND[1:]])) == 2


def test_the_tiles_tell_who_held_the_double_blank():
    assert double_blanks(replay(FIRST)) == [["Bob"], []]
    assert double_blanks(replay([])) == []


def test_games_won_one_after_another():
    ann, bob = ({"Ann": None, "Bob": 9}, {"Ann": 9, "Bob": None})
    said = [
        each for won in (ann, ann, bob, ann, ann, ann, bob) for each in game(("Ann", "Bob"), won)
    ]
    found = figures(said)
    assert (found["Ann"].streak, found["Ann"].winning) == (3, 0)
    assert (found["Bob"].streak, found["Bob"].winning) == (1, 1)
    # a game that was set aside breaks nothing
    found = figures([*said, *game(("Ann", "Bob"), ann, finish=False), *game(("Ann", "Bob"), bob)])
    assert (found["Bob"].streak, found["Bob"].winning) == (2, 2)
