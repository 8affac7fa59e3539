"""One at a time, and the first answer again for whoever comes with the same key."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from companion.errors import RuleBroken
from companion.web import turnstile
from companion.web.language import speak_languages
from companion.web.turnstile import Turnstile


@pytest.fixture
def app() -> Flask:
    app = Flask(__name__, static_folder=None)
    speak_languages(app)
    return app


class Slow:
    """Work that goes on until it is let go; counts how often it was begun."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Semaphore(0), threading.Event()
        self.times = 0

    def __call__(self, once: str | None) -> str:
        self.times += 1
        self.begun.release()
        assert self.go_on.wait(5)
        return f"answer {self.times}"


def sent(app: Flask, door: Turnstile[str], once: str | None, work: Slow) -> str:
    with app.test_request_context():
        return door.through(once, work)


def test_a_second_one_is_told_to_wait_a_moment(app: Flask) -> None:
    door, work = Turnstile[str](), Slow()
    with ThreadPoolExecutor() as pool:
        first = pool.submit(sent, app, door, "a", work)
        assert work.begun.acquire(timeout=5)
        for once in ("b", None):
            with pytest.raises(RuleBroken, match="Too busy just now. Try again in a moment."):
                sent(app, door, once, work)
        work.go_on.set()
        assert first.result() == "answer 1"
    assert sent(app, door, "b", work) == "answer 2"


def test_the_same_key_gets_the_first_answer_at_once_and_later(app: Flask) -> None:
    door, work = Turnstile[str](), Slow()
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(sent, app, door, "a", work) for _ in range(2)]
        assert work.begun.acquire(timeout=5)
        work.go_on.set()
        assert [one.result() for one in both] == ["answer 1", "answer 1"]
    assert sent(app, door, "a", work) == "answer 1" and work.times == 1
    assert sent(app, door, None, work) == "answer 2"


def test_what_was_refused_may_be_tried_again(app: Flask) -> None:
    door = Turnstile[str]()

    def refuse(once: str | None) -> str:
        raise RuleBroken("no")

    with app.test_request_context():
        with pytest.raises(RuleBroken, match="no"):
            door.through("a", refuse)
        assert door.through("a", lambda once: "yes") == "yes"


def test_only_the_latest_answers_are_remembered(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turnstile, "REMEMBERED", 2)
    door = Turnstile[str]()
    with app.test_request_context():
        for once in "abc":
            door.through(once, lambda once: f"first {once}")
        assert door.through("c", lambda once: "anew") == "first c"
        assert door.through("a", lambda once: "anew") == "anew"
