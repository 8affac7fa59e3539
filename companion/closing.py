"""What is opened must be closed: one way to do it with ``with``.

Knows nothing of what it closes.
"""

from __future__ import annotations

from typing import Self


class Closing:
    """Whatever has a ``close``: closed at the end of its ``with``, however that ends."""

    def close(self) -> None:
        """Let go of what was opened; a second time does no harm."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
