"""Who has the engine: the question each round, and the drawing step by step."""

from companion.hunt import hunt
from companion.report import report
from companion.table import Table
from telling import START, act, do, playing


def test_it_is_asked_each_round_until_it_is_known_who_starts():
    assert hunt(Table.empty()) is None
    assert hunt(Table.empty().after(START)) is None
    table = playing(starter=None)
    assert hunt(table).question == "Who has the 9-9?"
    assert hunt(table.after(act("turn", player="Bob"))) is None
    assert hunt(table.after(act("start_train", player="Bob"))) is None
    assert hunt(table.after(act("block"))) is None
    assert hunt(playing(starter="Ann")) is None
    ended = do(table, *(act("hand", player=p, pips=1) for p in ("Ann", "Bob", "Cem")))
    following = do(ended, act("close_round"), act("open_round"))
    assert hunt(following).question == "Who has the 8-8?"


def test_in_turn_one_after_the_other_draws_and_the_boneyard_counts_it():
    table, drew = playing(starter=None), []
    for _ in range(4):
        step = hunt(table)
        drew += step.drawing
        table = do(table, *step.draws)
    assert drew == ["Ann", "Bob", "Cem", "Ann"]
    assert hunt(table).step == "Nobody? Bob draws one tile and starts if it is the 9-9."
    assert hunt(table).drawn == 4
    # 55 tiles less three hands of 15 less four drawn
    assert report(table)["boneyard"] == 6
    assert hunt(table.after(act("undo"))).drawing == ("Ann",)


def test_everybody_draws_again_and_again():
    table = playing(starter=None, engine_hunt="everybody")
    assert hunt(table).drawing == ("Ann", "Bob", "Cem")
    part = table.after(act("draw", player="Bob"))
    assert hunt(part).drawing == ("Ann", "Cem")
    whole = do(table, *hunt(table).draws)
    assert hunt(whole).drawing == ("Ann", "Bob", "Cem")
    assert hunt(whole).step.startswith("Nobody? Everybody draws one tile")
    assert report(whole)["boneyard"] == 7


def test_nobody_draws_from_an_empty_boneyard():
    table = playing(starter=None, engine_hunt="everybody")
    table = table.after(act("draw", player="Ann", n=8))
    assert hunt(table).drawing == ("Bob", "Cem"), "two tiles are left"
    table = do(table, *hunt(table).draws)
    assert hunt(table).drawing == hunt(table).draws == ()
    assert hunt(table).step == ("The boneyard is empty, so somebody must hold the 9-9: look again.")


def test_an_engine_laid_first_is_looked_for_by_nobody():
    asked = hunt(playing(starter=None, rules="hub"))
    assert (asked.question, asked.drawing) == ("Who starts?", ())
    assert asked.step == "The 9-9 lies in the hub: choose who starts."
