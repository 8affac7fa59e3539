"""A finished game as a link that BG Stats, an app that keeps a diary of plays, understands.

Follows what its makers publish for other programs: one JSON object in the address. Nothing is
sent by us; who taps the link opens the app, which shows the play and asks before it is kept.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from companion.kept import FINISHED, KeptGame
from companion.names import folded
from companion.scores import places, score_sheet, totals, winners

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Mexican Train companion"
GAME_NAME, GAME_ID = "Mexican Train", "mexican-train"

ONE_EVENING = timedelta(hours=12)
"""A game that took longer lay overnight: how long it was played nobody knows."""


def link(game: KeptGame) -> str | None:
    """The address that offers this game to the app; None for one without a winner or a time."""
    play = play_of(game)
    if play is None:
        return None
    return ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def play_of(game: KeptGame) -> dict[str, Any] | None:
    """The play as the app takes it. Its date is the end of the game, in universal time."""
    ended = game.ended
    if game.status != FINISHED or ended is None:
        return None
    state, end = game.state, _universal(ended)
    sheet = score_sheet(state)
    sums, placed, won = totals(sheet), places(state, sheet), winners(state, sheet)
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": game.id,
        "playDate": end.strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": GAME_NAME,
            "sourceGameId": GAME_ID,
            "highestWins": state.rules.positive,
            "noPoints": False,
        },
        "players": [
            {
                "name": person.name,
                "sourcePlayerId": folded(person.name),
                "startPlayer": person.number == state.closed[0].starter,
                "score": sums[person.number],
                "rank": placed[person.number],
                "winner": person.number in won,
            }
            for person in state.people
        ],
    }
    took = end - _universal(game.began or ended)
    if timedelta(minutes=1) <= took <= ONE_EVENING:
        play["durationMin"] = int(took.total_seconds() // 60)
    return play


def _universal(at: str) -> datetime:
    moment = datetime.fromisoformat(at)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
