"""Fixtures of the scoring tests: an evening to score, and the real reader loaded once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scoring import Evening

from companion.vision.read import Reader


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A game whose reader is told what it reads."""
    evening = Evening(tmp_path)
    yield evening
    evening.close()


@pytest.fixture(scope="session")
def reader() -> Reader:
    """The real reader, loaded once."""
    return Reader()
