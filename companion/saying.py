"""Sentences that can be said again in another language: `say("%(player)s went out", player=...)`.

What `say` gives is the English sentence, a plain str to everybody; it remembers the words and the
values it was made of, so that a page may tell it in the reader's language. Knows no language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Said(str):
    """The sentence in English. `text` holds the words with `%(name)s`, `values` what stands there.

    `many` is the text for other numbers than one, None for a sentence without a plural; the
    number is the value `num`. Values may be sentences themselves.
    """

    text: str
    values: Mapping[str, Any]
    many: str | None

    def __new__(cls, text: str, values: Mapping[str, Any], many: str | None = None) -> Said:
        """The sentence of these words and values."""
        words = text if many is None or values["num"] == 1 else many
        said = super().__new__(cls, words % values if values else words)
        said.text, said.values, said.many = text, values, many
        return said

    def __str__(self) -> str:
        """The sentence itself: what it was made of is not lost on the way, as in an error."""
        return self

    def __getnewargs__(self) -> Any:
        """What copies and pickles make it of again."""
        return self.text, self.values, self.many


def say(text: str, /, **values: Any) -> str:
    """A sentence, with `%(name)s` replaced by the value of that name."""
    return Said(text, values)


def say_many(one: str, many: str, num: int, /, **values: Any) -> str:
    """A sentence that differs with a number: `%(num)s` is the number."""
    return Said(one, {**values, "num": num}, many)


def phrase(text: str, /) -> str:
    """Marks words that are said later, once their values are known; gives them back as they are."""
    return text


def listed(names: Iterable[Any]) -> str:
    """Names one after another, as people say them: Ann, Bob and Cid."""
    *others, last = names
    if not others:
        return last if isinstance(last, str) else str(last)
    return say("%(some)s and %(last)s", some=in_line(others), last=last)


def either(choices: Iterable[Any]) -> str:
    """Words to choose from: Ann, Bob or Cid."""
    *others, last = choices
    if not others:
        return last if isinstance(last, str) else str(last)
    return say("%(some)s or %(last)s", some=in_line(others), last=last)


_COMMA, _BLANK = "%(some)s, %(next)s", "%(some)s %(next)s"
"""These two are written alike in every language that the pages speak."""


def in_line(names: Iterable[Any]) -> str:
    """Names one after another with commas only: Ann, Bob, Cid."""
    return _joined(_COMMA, names)


def in_a_row(sentences: Iterable[str]) -> str:
    """Sentences one after another, as one text."""
    return _joined(_BLANK, sentences)


def _joined(text: str, parts: Iterable[Any]) -> str:
    first, *others = parts
    some = first if isinstance(first, str) else str(first)
    for other in others:
        some = say(text, some=some, next=other)
    return some
