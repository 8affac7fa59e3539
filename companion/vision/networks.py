"""The small neural networks in ``weights/``, run through OpenCV. Knows not what they tell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import Trouble
from companion.saying import say
from companion.vision.geometry import Picture

WEIGHTS = Path(__file__).parent / "weights"
BATCH = 8
"""Pictures in one run: what more of them make between two layers falls out of the processor's
nearest memory, so that each takes a tenth longer; and it is kept until the next run."""


class Network:
    """One network of ``weights/NAME.onnx``: pictures of one size in, rows of numbers out.

    Not safe for two threads at once: the caller keeps a lock.
    """

    def __init__(self, name: str) -> None:
        # The classic engine runs these networks in two thirds of the time; OpenCV takes it into
        # account only when it reads the file itself.
        path = WEIGHTS / f"{name}.onnx"
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path), cv2.dnn.ENGINE_CLASSIC)
        except cv2.error as problem:
            raise Trouble(
                say(
                    "The tile reader cannot load %(file)s: install the companion again.",
                    file=path.name,
                )
            ) from problem

    def run(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """One row of answers for each picture; all must have the same size."""
        answers = []
        for first in range(0, len(pictures), BATCH):
            blob = cv2.dnn.blobFromImages(pictures[first : first + BATCH], 1 / 255)
            self._net.setInput(blob)
            answers.append(np.array(self._net.forward(), np.float32))
        return np.concatenate(answers)

    def let_go(self, smallest: tuple[int, int]) -> None:
        """Give back what the last run took: fifty megabytes, if its picture was large.

        A network keeps its room until a picture of another size comes, so it is shown one of
        this height and width.
        """
        self.run([np.zeros((*smallest, 3), np.uint8)])
