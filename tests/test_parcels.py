"""Readings and sentences come out of a parcel as they went in, and nothing else comes out."""

import json
from typing import Any

import pytest

from companion.observation import PhotoReading, Reading
from companion.parcels import (
    packed_reading,
    packed_sentence,
    unpacked_reading,
    unpacked_sentence,
)
from companion.saying import Said, say, say_many

CORNERS = ((1.5, 2.0), (1.5, 1.0), (3.5, 1.0), (3.5, 2.0))


def there_and_back(packed: Any) -> Any:
    return json.loads(json.dumps(packed))


@pytest.mark.parametrize(
    "sentence",
    [
        "just words, 100 %",
        say("Nothing to fill in: 100 %"),
        say("%(who)s waits for %(what)s.", who="Ann", what=say("the %(n)s", n=3)),
        say_many("one tile", "%(num)s tiles", 1),
        say_many("one tile", "%(num)s tiles", 7),
    ],
)
def test_a_sentence_can_still_be_told_in_another_language(sentence: str) -> None:
    back = unpacked_sentence(there_and_back(packed_sentence(sentence)))
    assert back == sentence and type(back) is type(sentence)
    if isinstance(sentence, Said):
        assert (back.text, back.values, back.many) == (
            sentence.text,
            sentence.values,
            sentence.many,
        )


def test_a_reading_keeps_everything() -> None:
    reading = PhotoReading(
        800,
        600,
        (
            Reading((5, 12), CORNERS, 0.25, False, "glare", (6, None)),
            Reading((0, 0), CORNERS),
        ),
        (say("There may be more: %(n)s.", n=2),),
        12.5,
        12,
        25,
    )
    assert unpacked_reading(there_and_back(packed_reading(reading))) == reading


@pytest.mark.parametrize(
    "harm", [{"tiles": [[1]]}, {"tiles": 3}, {"width": None}, {"warnings": [[]]}]
)
def test_another_shape_is_refused(harm: dict[str, Any]) -> None:
    packed = {**packed_reading(PhotoReading(8, 6)), **harm}
    with pytest.raises(ValueError):
        unpacked_reading(packed)
    with pytest.raises(ValueError):
        unpacked_reading({})
