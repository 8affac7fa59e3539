"""Telling a table what happened, in few words."""

from companion.report import report
from companion.table import Table

START = {"action": "start_game", "players": ["Ann", "Bob", "Cem"], "set": 9, "rules": "classic"}


def act(name, /, **fields):
    """One action."""
    return {"action": name, **fields}


def do(table, *actions):
    """The table after several actions."""
    for action in actions:
        table = table.after(action)
    return table


def playing(*actions, starter="Ann", players=("Ann", "Bob", "Cem"), rules="classic", **switches):
    """The table after these actions in the first round of a double-9 game."""
    start = {**START, "players": list(players), "rules": rules, "overrides": switches}
    opened = act("open_round", **({} if starter is None else {"starter": starter}))
    return do(Table.empty(), start, opened, *actions)


def told(*actions, **game):
    """The report on such a table."""
    return report(playing(*actions, **game))
