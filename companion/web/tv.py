"""The television: the table and the scores in large, without controls; it follows the game.

Shows what the other pages know and can be changed by nobody. Without JavaScript it loads itself
anew every few seconds.
"""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from companion.web.ceremony import cheers
from companion.web.hub import hub_places
from companion.web.joining import address_here, invitation
from companion.web.rounds import game_key
from companion.web.services import report_now, table_now
from companion.web.sheetrows import chart_of, score_sheet
from companion.web.words import _

pages = Blueprint("tv", __name__)

TALL, SMALL = 27.0, 18.0
"""How high the lines stand, in em: alone on the screen, and under the winners."""
FEW, SEVERAL = 6, 10
"""People whose rows are as large as can be, and those who have large ones still."""


@pages.get("/tv")
def show() -> ResponseReturnValue:
    """What is of interest now: the table while it is played, then how it stands, then who won."""
    now, table = report_now(), table_now()
    invited = invitation()
    joining = {"address": address_here(), "code": invited and invited.drawn}
    if now["game"] is None:
        return render_template("tv.html", sheet=None, follows_alone=True, **joining)
    sheet = score_sheet(table, now)
    count = len(sheet.columns)
    return render_template(
        "tv.html",
        sheet=sheet,
        in_order=sorted(sheet.columns, key=lambda column: column.place or count + 1),
        key=game_key(table),
        crowd="few" if count <= FEW else "several" if count <= SEVERAL else "many",
        places=hub_places(now, _("Mexican Train")),
        chart=chart_of(sheet, SMALL if sheet.finished else TALL),
        cheers=sheet.finished and cheers(game_key(table)),
        follows_alone=True,
        **joining,
    )
