"""Who may use which page: each is named here, and what is not named is the host's alone.

Knows names of pages, not who is asking.
"""

from __future__ import annotations

from companion.joining import HOST, PLAYER, ROLES, SPECTATOR

OPEN = frozenset(
    {
        "static",
        "api.health",
        "joining.page",
        "joining.link",
        "joining.enter",
        "language.choose",
    }
)
"""Without having joined."""

SPECTATORS = frozenset(
    {
        "api.lamps",
        "api.table",
        "ceremony.switch",
        "games.show",
        "home.home",
        "live.stream",
        "pastgame.show",
        "persons.show",
        "rules.show",
        "settings.device",
        "settings.show",
        "sheet.chart",
        "sheet.show",
        "table.hub_picture",
        "table.show",
        "tv.show",
    }
)
"""To look at, and what concerns one's own device only."""

PLAYERS = frozenset(
    {
        "api.actions",
        "api.read",
        "besttrain.photo",
        "besttrain.show",
        "camera.picture",
        "camera.show",
        "count.enter",
        "count.show",
        "count.tiles",
        "games.resume",
        "hunting.answer",
        "pastgame.cell",
        "pastgame.correct",
        "pastgame.undo",
        "photos.change",
        "photos.crop",
        "photos.more",
        "photos.picture",
        "photos.score",
        "photos.show",
        "picks.keep",
        "picks.show",
        "rules.change",
        "score.block",
        "score.close",
        "score.enter",
        "score.hand",
        "score.out",
        "score.show",
        "seats.act",
        "seats.show",
        "setup.new",
        "setup.step",
        "sheet.cell",
        "sheet.correct",
        "table.hub_answer",
        "table.tap",
        "table.undo",
        "takeaway.game_json",
        "takeaway.games_json",
        "takeaway.scores_csv",
        "takeaway.sheet_csv",
    }
)
"""To play, to score, to put right and to take along."""


def least(page: str | None) -> str | None:
    """The least role that may use a page; None where nobody needs to have joined.

    An address that is no page at all is told so to whoever has joined.
    """
    if page in OPEN:
        return None
    if page is None or page in SPECTATORS:
        return SPECTATOR
    return PLAYER if page in PLAYERS else HOST


def enough(role: str | None, needed: str | None) -> bool:
    """Whether who has this role, or has not joined, may what needs that one."""
    return needed is None or (role is not None and ROLES.index(role) >= ROLES.index(needed))
