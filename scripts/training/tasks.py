"""What each of the four networks is given in training, and what its errors cost.

A task hands out batches by number: the same seed and number always give the same batch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from companion.vision.values import VALUES
from training import maps
from training.chance import Random
from training.labels import UNREADABLE
from training.store import read_cuts, read_scenes

HELD_OUT = 0.02
"""Share of the examples that is kept for measuring."""
SMOOTHING = 0.01
"""Share of a value's target that is spread over all answers."""
CANNOT_TELL = 0.3
"""Weight of a half that cannot be read; its target is an even spread over all values."""


class Task(Protocol):
    """One network's lessons."""

    batch_size: int

    def batch(self, seed: int, number: int) -> tuple[Tensor, Tensor]:
        """Pictures and answers."""

    def loss(self, given: Tensor, wanted: Tensor) -> Tensor:
        """The mean cost of the network's answers."""

    def held_out(self) -> list[tuple[Tensor, Tensor]]:
        """Batches for measuring, without changes at random."""

    def measure(self, given: Tensor, wanted: Tensor) -> dict[str, float]:
        """Figures that people understand."""


class CutTask:
    """What refiner and value reader have in common: cut-outs in memory, changed at random.

    Each folder may be given a weight, as in ``folder*3``: its examples come so often.
    """

    what = ""
    batch_size = 192

    def __init__(self, folders: list[str]) -> None:
        pictures, answers, weights = [], [], []
        for folder in folders:
            name, _, weight = folder.partition("*")
            more, wanted = read_cuts([Path(name)], self.what)
            pictures += more
            answers += wanted
            weights += [np.full(len(one), float(weight or 1)) for one in wanted]
        if not pictures:
            raise ValueError(f"There is nothing for the {self.what} network in {folders}.")
        self._pictures, self._answers = pictures, np.concatenate(answers)
        sizes = [len(one) for one in pictures]
        self._file = np.repeat(np.arange(len(sizes)), sizes)
        self._row = np.concatenate([np.arange(size) for size in sizes])
        chosen = np.random.default_rng(0).permutation(len(self._file))
        kept = int(len(chosen) * HELD_OUT)
        self._measured, self._learned = chosen[:kept][:4000], chosen[kept:]
        shares = np.cumsum(np.concatenate(weights)[self._learned])
        self._shares = shares / shares[-1]

    def __len__(self) -> int:
        return len(self._learned)

    def batch(self, seed: int, number: int) -> tuple[Tensor, Tensor]:
        """A batch, mirrored, tinted, dimmed, blurred and made noisy at random."""
        rng = np.random.default_rng([seed, number])
        drawn = np.searchsorted(self._shares, rng.random(self.batch_size))
        chance = torch.Generator().manual_seed(int(rng.integers(1 << 62)))
        pictures, answers = self._at(self._learned[drawn])
        pictures, answers = self.mirrored(pictures, answers, chance)
        return varied(pictures, chance), answers

    def held_out(self) -> list[tuple[Tensor, Tensor]]:
        """The examples that are never learned, as they are."""
        steps = range(0, len(self._measured), self.batch_size)
        return [self._at(self._measured[step : step + self.batch_size]) for step in steps]

    def _at(self, numbers: np.ndarray) -> tuple[Tensor, Tensor]:
        held = [self._pictures[self._file[one]][self._row[one]] for one in numbers]
        pictures = torch.from_numpy(np.stack(held)).permute(0, 3, 1, 2).float() / 255
        return pictures, torch.from_numpy(self._answers[numbers])

    def mirrored(self, x: Tensor, y: Tensor, chance: torch.Generator) -> tuple[Tensor, Tensor]:
        """Some of the pictures mirrored, with their answers."""
        raise NotImplementedError


def some(count: int, share: float, chance: torch.Generator) -> Tensor:
    """A mark for each of ``count`` examples, true for about this share."""
    return torch.rand(count, generator=chance) < share


def varied(x: Tensor, chance: torch.Generator) -> Tensor:
    """Pictures (n, 3, h, w) with other colours, light, sharpness and noise."""
    count = len(x)

    def numbers(*shape: int) -> Tensor:
        return torch.randn(shape, generator=chance)

    if some(1, 0.3, chance):
        x = x[:, torch.randperm(3, generator=chance)]
    plain = some(count, 0.15, chance)[:, None, None, None]
    x = torch.where(plain, x.mean(1, keepdim=True).expand_as(x), x)
    if some(1, 0.2, chance):
        factor = 0.4 + 0.5 * float(torch.rand(1, generator=chance))
        small = F.interpolate(x, scale_factor=factor, mode="area")
        x = F.interpolate(small, size=x.shape[2:], mode="bilinear")
    x = x * (1 + 0.2 * numbers(count, 1, 1, 1)) + 0.07 * numbers(count, 3, 1, 1)
    rough = some(count, 0.35, chance)[:, None, None, None] * 0.05
    amount = rough * torch.rand((count, 1, 1, 1), generator=chance)
    return (x + numbers(*x.shape) * amount).clamp(0, 1)


class ValueTask(CutTask):
    """Counting the pips of both halves."""

    what = "value"

    def mirrored(self, x: Tensor, y: Tensor, chance: torch.Generator) -> tuple[Tensor, Tensor]:
        swapped, flipped = some(len(x), 0.5, chance), some(len(x), 0.5, chance)
        x = torch.where(swapped[:, None, None, None], x.flip(3), x)
        y = torch.where(swapped[:, None], y.flip(1), y)
        return torch.where(flipped[:, None, None, None], x.flip(2), x), y

    def loss(self, given: Tensor, wanted: Tensor) -> Tensor:
        odds = F.log_softmax(given.reshape(-1, VALUES + 1), 1)
        answers = wanted.reshape(-1).long()
        known = answers != UNREADABLE
        told = F.nll_loss(odds, answers.clamp(min=0), reduction="none")
        told = (1 - SMOOTHING) * told - SMOOTHING * odds.mean(1)
        untold = -CANNOT_TELL * odds[:, :VALUES].mean(1)
        return torch.where(known, told, untold).mean()

    def measure(self, given: Tensor, wanted: Tensor) -> dict[str, float]:
        answers, told = wanted.long(), given.reshape(-1, 2, VALUES + 1)
        odds, best = torch.softmax(told, 2).max(2)
        pips = (answers != UNREADABLE) & (answers < VALUES)
        right = best == answers
        return {
            "halves right": float(right[pips].float().mean()),
            "of 13 to 18": float(right[pips & (answers > 12)].float().mean()),
            "sure and wrong": float((~right & (odds >= 0.8))[pips].float().mean()),
            "right and unsure": float((right & (odds < 0.8))[pips].float().mean()),
            "no tile told": float(right[answers == VALUES].float().mean()),
            "unreadable yet sure": float((odds >= 0.8)[answers == UNREADABLE].float().mean()),
        }


class RefinerTask(CutTask):
    """Putting four corners right, and telling tiles from all else."""

    what = "refiner"

    def mirrored(self, x: Tensor, y: Tensor, chance: torch.Generator) -> tuple[Tensor, Tensor]:
        corners, tile = y[:, :8].reshape(-1, 4, 2), y[:, 8:]
        for axis, order, sign in (
            (3, [1, 0, 3, 2], [-1.0, 1]),
            (2, [3, 2, 1, 0], [1.0, -1]),
        ):
            flipped = some(len(x), 0.5, chance)[:, None, None]
            x = torch.where(flipped[..., None], x.flip(axis), x)
            corners = torch.where(flipped, corners[:, order] * torch.tensor(sign), corners)
        return x, torch.cat([corners.reshape(-1, 8), tile], 1)

    def loss(self, given: Tensor, wanted: Tensor) -> Tensor:
        tile = wanted[:, 8] > 0.5
        away = F.smooth_l1_loss(given[tile, :8], wanted[tile, :8], beta=0.05)
        return 4 * away + F.binary_cross_entropy_with_logits(given[:, 8], wanted[:, 8])

    def measure(self, given: Tensor, wanted: Tensor) -> dict[str, float]:
        tile, told = wanted[:, 8] > 0.5, torch.sigmoid(given[:, 8])
        away = (given[tile, :8] - wanted[tile, :8]).abs()
        return {
            "corner off, median": float(away.median()),
            "corner off, 95 %": float(away.flatten().quantile(0.95)),
            "told right": float(((told > 0.5) == tile).float().mean()),
            "tiles below 0.9": float((told[tile] < 0.9).float().mean()),
            "others above 0.9": float((told[~tile] >= 0.9).float().mean()),
        }


class FinderTask:
    """Finding tiles in windows of whole scenes."""

    batch_size = 8

    def __init__(self, folders: list[str]) -> None:
        stored = list(read_scenes([Path(folder) for folder in folders]))
        if not stored:
            raise ValueError(f"There are no scenes in {folders}.")
        kept = min(160, max(8, int(len(stored) * HELD_OUT)))
        self._measured, self._learned = stored[:kept], stored[kept:]

    def __len__(self) -> int:
        return len(self._learned)

    def batch(self, seed: int, number: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng([seed, number])
        drawn = rng.integers(0, len(self._learned), self.batch_size)
        pictures, answers = self._windows([self._learned[one] for one in drawn], rng)
        chance = torch.Generator().manual_seed(int(rng.integers(1 << 62)))
        return varied(pictures, chance), answers

    def held_out(self) -> list[tuple[Tensor, Tensor]]:
        rng = np.random.default_rng(3)
        steps = range(0, len(self._measured), self.batch_size)
        return [self._windows(self._measured[step : step + self.batch_size], rng) for step in steps]

    @staticmethod
    def _windows(stored: list, rng: Random) -> tuple[Tensor, Tensor]:
        shown = [maps.window(one, rng) for one in stored]
        pictures = torch.from_numpy(np.stack([picture for picture, _ in shown]))
        answers = torch.from_numpy(np.stack([answer for _, answer in shown]))
        return pictures.permute(0, 3, 1, 2).float() / 255, answers

    def loss(self, given: Tensor, wanted: Tensor) -> Tensor:
        heat, counts = wanted[:, 0], wanted[:, 1]
        outline, near, face = wanted[:, 2:10], wanted[:, 10:11], wanted[:, 11]
        odds = torch.sigmoid(given[:, 0]).clamp(1e-5, 1 - 1e-5)
        peak = heat > 0.999
        found = (-((1 - odds) ** 2) * torch.log(odds))[peak].sum()
        false = -(odds**2) * torch.log(1 - odds) * (1 - heat) ** 4 * counts
        heated = (found + false[~peak].sum()) / peak.sum().clamp(min=1)
        away = ((given[:, 1:9] - outline).abs() * near).sum((0, 2, 3)) / near.sum().clamp(min=1)
        costs = away.new_tensor([0.4, 0.4, 2, 1, 1, 2, 1, 1])
        faced = F.binary_cross_entropy_with_logits(given[:, 9], face)
        return heated + (away * costs).sum() + 1.5 * faced

    def measure(self, given: Tensor, wanted: Tensor) -> dict[str, float]:
        odds = torch.sigmoid(given[:, 0])
        tops = (odds == F.max_pool2d(odds[:, None], 3, 1, 1)[:, 0]) & (odds > 0.25)
        tiles = wanted[:, 0] > 0.999
        near_top = F.max_pool2d((tops * 1.0)[:, None], 3, 1, 1)[:, 0] > 0
        near_tile = F.max_pool2d((wanted[:, 0] > 0.5).float()[:, None], 3, 1, 1)[:, 0] > 0
        false = tops & ~near_tile & (wanted[:, 1] > 0)
        return {
            "loss": float(self.loss(given, wanted)),
            "tiles found": float(near_top[tiles].float().mean()),
            "false peaks for 100 tiles": 100 * float(false.sum()) / max(1, int(tiles.sum())),
        }


TASKS: dict[str, type[CutTask] | type[FinderTask]] = {
    "values": ValueTask,
    "glance": ValueTask,
    "refiner": RefinerTask,
    "finder": FinderTask,
}
