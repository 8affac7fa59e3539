"""Who may tap: tokens, origins, headers, sizes; and every error as a sentence."""

import io
import json
import re

import pytest

from companion.errors import DeviceTrouble, PhotoUnreadable
from companion.web import WebSettings
from tests.visitor import OPEN, START, Place, sentences

MARK = {"action": "mark", "train": "Red"}


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    place.play(START, OPEN)
    yield place
    place.game.close()


def pages(place):
    """Every address that takes a GET or a POST, as (rule, method)."""
    for rule in place.app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            yield rule, method


def test_every_answer_carries_the_headers(place):
    ann = place.visitor()
    for path in ("/", "/table", "/new", "/nowhere", "/healthz", "/api/table", "/static/base.css"):
        headers = ann.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
    assert ann.get("/table").headers["Cache-Control"] == "no-store"


def test_no_page_has_inline_script_or_style_or_anything_from_elsewhere(place):
    ann = place.visitor()
    for path in ("/", "/table", "/table?train=Red", "/table?next=1", "/new", "/nowhere"):
        page = ann.get(path).text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)", page), path
        outside = re.findall(r'(?:src|href|action)="(?:https?:)?//[^"]*"', page)
        assert outside == [], path


def test_every_form_post_needs_its_token(place):
    ann = place.visitor()
    ann.get("/new")
    before = place.told
    for rule, method in pages(place):
        if method == "POST" and not rule.rule.startswith("/api/"):
            path = re.sub(r"<[^>]+>", "1", rule.rule)
            for token in ({}, {"token": ""}, {"token": "x" * 24}):
                page = ann.client.post(path, data={"act": "mark", "train": "Red", **token})
                assert page.status_code == 400, path
                assert "load it again" in sentences(page)
    assert place.told == before


def test_a_token_of_another_browser_does_not_count(place):
    ann, eve = place.visitor(), place.visitor()
    stolen = eve.token
    ann.get("/new")
    page = ann.client.post("/table", data={"act": "mark", "train": "Red", "token": stolen})
    assert page.status_code == 400


def test_the_cookie_is_for_this_site_and_no_script_and_outlives_a_restart(tmp_path):
    first = Place(tmp_path)
    ann = first.visitor()
    cookie = ann.get("/new").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Expires=" in cookie
    token = ann.token
    first.game.close()
    again = Place(tmp_path)
    again.play(START, OPEN)
    ben = again.visitor()
    name, value = cookie.split(";")[0].split("=", 1)
    ben.client.set_cookie(name, value)
    tap = {"act": "mark", "train": "Red", "token": token}
    assert ben.client.post("/table", data=tap).status_code == 303


FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:81"},
    {"Sec-Fetch-Site": "cross-site"},
]


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize("path", ["/api/actions", "/api/read", "/table", "/undo"])
def test_what_another_site_sends_is_refused(place, path, headers):
    ann = place.visitor()
    fields = {"token": ann.token, "act": "mark", "train": "Red"}
    if path == "/api/actions":
        answer = ann.client.post(path, json=MARK, headers=headers)
    else:
        answer = ann.client.post(path, data=fields, headers=headers)
    assert answer.status_code == 403
    assert place.told["open_trains"] == []


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}]
)
def test_what_our_own_pages_and_programs_send_is_taken(place, headers):
    answer = place.visitor().client.post("/api/actions", json=MARK, headers=headers)
    assert answer.status_code == 200
    assert place.told["open_trains"] == ["Red"]


def test_nothing_changes_by_get(place):
    before = place.told
    ann = place.visitor()
    for rule, method in pages(place):
        if method == "GET" and rule.rule not in ("/live", "/static/<path:filename>"):
            ann.get(re.sub(r"<[^>]+>", "1", rule.rule) + "?act=mark&train=Red&action=undo")
    assert place.told == before


def test_too_large_an_upload_is_a_sentence(tmp_path):
    place = Place(tmp_path, settings=WebSettings(secret="s", upload_limit=1000))
    ann = place.visitor()
    photo = {"photo": (io.BytesIO(b"x" * 5000), "hand.jpg")}
    answer = ann.client.post("/api/read", data=photo)
    assert answer.status_code == 413
    assert answer.json == {"error": "The file is too large: send a photo of at most 0 megabytes."}
    page = ann.client.post("/table", data={"act": "x" * 5000})
    assert page.status_code == 413 and "too large" in sentences(page)


@pytest.mark.parametrize("path", ["/nowhere", "/static/nowhere.css", "/table/../x"])
def test_a_page_that_is_not_there_is_a_sentence_and_a_button(place, path):
    page = place.visitor().get(path)
    assert page.status_code == 404
    assert "There is no such page here" in sentences(page)
    assert 'id="refused-back"' in page.text


def test_back_leads_to_our_own_pages_only(place):
    client = place.visitor().client
    for referer, back in (
        ("http://localhost/table?train=Red", "/table?train=Red"),
        ("http://evil.example/table", "/"),
        ("http://localhost//evil.example", "/"),
        ("javascript:alert(1)", "/"),
    ):
        page = client.get("/undo", headers={"Referer": referer}).text
        assert re.search(r'href="([^"]*)" id="refused-back"', page)[1] == back
        assert (">Home<" in page) == (back == "/")


def test_a_page_that_is_gone_leads_home_not_back_to_itself(place):
    page = place.visitor().client.get("/x", headers={"Referer": "http://localhost/y"}).text
    assert 'href="/" id="refused-back">Home<' in page


def test_our_script_is_told_where_to_go_and_a_browser_is_led_there(place):
    ann = place.visitor()
    fields = {"act": "mark", "train": "Red"}
    led = ann.post("/table", fields)
    assert (led.status_code, led.location) == (303, "/table")
    told = ann.post("/table", fields, headers={"X-Companion": "script"})
    assert (told.status_code, told.json) == (200, {"then": "/table"})


def test_every_page_says_which_it_is(place):
    ann = place.visitor()
    for path, name in (("/", "home"), ("/table", "table"), ("/new", "new"), ("/x", "refused")):
        assert f'data-page="{name}.html"' in ann.get(path).text
    answer = ann.post("/new", {"name": ["Ann"], "step": "start"})
    assert 'data-answer="yes"' in answer.text
    assert "data-answer" not in ann.get("/new").text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (PhotoUnreadable("That is no picture."), 422),
        (DeviceTrouble("The camera does not answer: plug it in."), 503),
        (RuntimeError("secret detail"), 500),
    ],
)
def test_every_error_is_one_sentence(place, error, status):
    def fail():
        raise error

    place.app.add_url_rule("/fail", view_func=fail)
    place.app.add_url_rule("/api/fail", endpoint="api_fail", view_func=fail)
    page = place.visitor().get("/fail")
    assert page.status_code == status
    said = sentences(page)
    assert "secret detail" not in said
    if status != 500:
        assert str(error) in said
    else:
        assert "what was scored is safe" in said
    answer = json.loads(place.visitor().get("/api/fail").text)
    assert list(answer) == (["refused"] if status == 422 else ["error"])


def test_a_broken_address_in_a_header_is_refused_or_ignored(place):
    ann = place.visitor()
    headers = {"Origin": "http://["}
    assert ann.client.post("/api/actions", json=MARK, headers=headers).status_code == 403
    lost = ann.client.get("/nowhere", headers={"Referer": "http://["})
    assert lost.status_code == 404
    assert "There is no such page here." in lost.text


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_a_method_that_no_page_takes_is_said_so(place, method):
    answer = getattr(place.visitor().client, method)("/table")
    assert answer.status_code == 405
    assert "This address only takes taps." in answer.text


def test_numbers_without_end_are_no_numbers(place):
    ann = place.visitor()
    long = "9" * 5000
    names = ["Ann", "Bob"]
    for path, form in (
        ("/new", {"name": names, "look": [long, long], "step": "start", "set": long}),
        ("/table", {"act": "lay_double", "train": "Red", "value": long}),
        ("/score/1", {"player": "Red", "round": f"1.{long}", "score": long, "do": "type"}),
    ):
        assert ann.post(path, form).status_code < 500, path
