"""Scores as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import RuleBroken
from companion.web.sums import typed_score


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("10+15+8", 33),
        ("0", 0),
        ("007", 7),
        (" 12 ", 12),
        ("10 + 15", 25),
        ("10+15+", 25),
        ("0000000000012", 12),
    ],
)
def test_a_number_or_a_sum(text: str, score: int) -> None:
    assert typed_score(text) == score


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type a score first: 0 if nothing was left."),
        ("   ", "Type a score first: 0 if nothing was left."),
        ("-3", "A score cannot be negative: type what was left in the hand."),
        ("−3", "A score cannot be negative: type what was left in the hand."),
        ("ten", "ten is not a score: type digits, or a sum like 10+15+8."),
        ("+", "+ is not a score: type digits, or a sum like 10+15+8."),
        ("10++5", "10++5 is not a score: type digits, or a sum like 10+15+8."),
        ("10 5", "10 5 is not a score: type digits, or a sum like 10+15+8."),
        ("1e3", "1e3 is not a score: type digits, or a sum like 10+15+8."),
        ("٣", "٣ is not a score: type digits, or a sum like 10+15+8."),
        ("12345678", "12345678 is far too much for one hand: look at it again."),
        ("1" * 201, "That is too long for one hand: type one number or a short sum."),
    ],
)
def test_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RuleBroken) as refusal:
        typed_score(text)
    assert str(refusal.value) == sentence


@given(st.lists(st.integers(0, 999), min_size=1, max_size=20))
def test_a_sum_is_the_sum_of_its_numbers(numbers: list[int]) -> None:
    assert typed_score("+".join(map(str, numbers))) == sum(numbers)


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_a_sentence(text: str) -> None:
    try:
        assert typed_score(text) >= 0
    except RuleBroken as refusal:
        assert str(refusal).endswith((".", "!"))
