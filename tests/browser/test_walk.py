"""Every page, at four sizes, by day and by night: nothing is cut, small, or complained of."""

from io import BytesIO
from threading import Thread
from urllib.parse import urlsplit

from walking import FAULTS, NOWHERE, STOPS, Stop
from werkzeug.serving import make_server

from tests.scoring import Evening, a_picture
from tests.visitor import Place


def test_every_page_fits_at_every_size(walk):
    for stop in STOPS:
        walk.go(stop)
        walk.look()
    walk.done()


NO_PAGES = {
    "api.health",
    "api.table",
    "api.lamps",
    "camera.picture",
    "joining.link",
    "live.stream",
    "markers.picture",
    "photos.crop",
    "photos.picture",
    "seen.picture",
    "static",
    "table.hub_picture",
    "takeaway.game_json",
    "takeaway.games_json",
    "takeaway.scores_csv",
    "takeaway.sheet_csv",
}
"""What answers a GET with something else than a page."""


def test_the_walk_leads_to_every_page_there_is(tmp_path):
    place = Place(tmp_path)
    addresses = place.app.url_map.bind("localhost")
    seen = {addresses.match(urlsplit(stop.path).path)[0] for stop in STOPS if stop is not NOWHERE}
    taken = {rule.endpoint for rule in place.app.url_map.iter_rules() if "GET" in rule.methods}
    place.game.close()
    missing = sorted(taken - seen - NO_PAGES)
    assert not missing, f"add a stop to walking.py, or to NO_PAGES: {missing}"
    assert not seen & NO_PAGES and NO_PAGES <= taken


def test_waiting_for_a_photo_fits(walk, tmp_path):
    evening = Evening(tmp_path)
    evening.start()
    evening.reader.go.clear()
    photos = [
        evening.hand(seat, do="photo", photo=(BytesIO(a_picture()), "p.jpg")) for seat in (1, 2)
    ]
    server = make_server("127.0.0.1", 0, evening.app, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    walk.open(Stop("waiting", photos[1].location), f"http://127.0.0.1:{server.port}")
    walk.page.route("**/photo/*", lambda route: route.fulfill(status=204))  # it stays as it is
    walk.look()
    evening.reader.go.set()
    server.shutdown()
    evening.close()
    walk.done()


BAD = """
<p style="width: 3000px">far too wide</p>
<p style="font-size: 10px">small print</p>
<p style="width: 60px; overflow: hidden; white-space: nowrap">cut at the edge</p>
<p style="width: 60px; background: pink; white-space: nowrap">out of its box</p>
<p style="width: 60px; overflow-wrap: anywhere">unreasonably long</p>
<p style="position: absolute; left: 20px; top: 300px">one</p>
<p style="position: absolute; left: 25px; top: 302px">other</p>
<p><button style="height: 20px">Tap</button></p>
<p style="animation: turn 9s infinite; width: 9px">&nbsp;</p>
<style>@keyframes turn { to { opacity: 0 } }</style>
"""
GOOD = """
<p>Text with a <a href="#x">link</a> in it.</p>
<div style="overflow: auto; width: 90px"><p style="width: 900px">what can be scrolled to</p></div>
<p><button style="width: 48px; height: 48px; font-size: 16px">Tap</button></p>
"""


def test_the_look_is_not_blind(browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(BAD)
    found = "\n".join(page.evaluate(FAULTS, {"large": False}))
    for words in (
        "scrolls sideways",
        'text of 10 px: "small print"',
        'cut by p: "cut at',
        'runs out of p: "out of',
        'breaks the word "unreasonably"',
        '"one" lies over "other"',
        "by 20 px to touch",
        "moves: turn",
    ):
        assert words in found, words
    page.set_content(GOOD)
    assert page.evaluate(FAULTS, {"large": False}) == []
    page.close()
