"""The training loop: steps, a running mean of the weights, and checkpoints that go on.

Knows nothing of tiles. What is measured and exported is the running mean of the weights, which
is steadier than the weights of the last step.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training.tasks import Task

WARM_UP = 150
"""Steps in which the rate of learning rises."""
MEMORY = 0.998
"""How much of the mean of the weights is kept at each step."""
IN_HALVES = any(torch.cpu.get_capabilities().get(way) for way in ("avx512_bf16", "amx_bf16"))
"""Whether the processor works with 16 bits itself: one that does not takes ten times as long."""


@dataclass(frozen=True)
class Plan:
    """How a network is trained: so many ``steps``, at most so many ``minutes`` in this run, the
    highest ``rate``, the ``seed``, and how many minutes lie between two checkpoints."""

    steps: int
    minutes: float
    rate: float
    seed: int
    save_every: float = 3.0


def learning_rate(plan: Plan, step: int) -> float:
    """Rises at first, then falls along a half cosine nearly to nothing."""
    rising = min(1.0, (step + 1) / WARM_UP)
    falling = 0.5 * (1 + math.cos(math.pi * min(1.0, step / plan.steps)))
    return plan.rate * rising * falling + 1e-6


def train(network: nn.Module, task: Task, plan: Plan, checkpoint: Path) -> nn.Module:
    """Trains until the steps are done or the minutes are over; answers the mean network.

    Goes on from the checkpoint if it is there, and writes it every few minutes and at the end.
    """
    network = network.to(memory_format=torch.channels_last)
    mean = deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.01)
    step = resume(checkpoint, network, mean, optimizer)
    torch.manual_seed(plan.seed + step)
    start = saved = told = time.monotonic()
    cost, since = 0.0, step
    while step < plan.steps and time.monotonic() - start < 60 * plan.minutes:
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(plan, step)
        cost += one_step(network, task, optimizer, plan.seed, step)
        step += 1
        remember(mean, network, min(MEMORY, step / (step + 20)))
        now = time.monotonic()
        if now - told > 30:
            speed = (step - since) * task.batch_size / (now - told)
            print(f"step {step}: cost {cost / (step - since):.4f}, {speed:.0f}/s", flush=True)
            told, cost, since = now, 0.0, step
        if now - saved > 60 * plan.save_every:
            save(checkpoint, network, mean, optimizer, step)
            saved = now
    save(checkpoint, network, mean, optimizer, step)
    return mean


def one_step(
    network: nn.Module, task: Task, optimizer: torch.optim.Optimizer, seed: int, step: int
) -> float:
    """Learns from one batch; answers its cost."""
    network.train()
    pictures, answers = task.batch(seed, step)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=IN_HALVES):
        given = network(pictures.contiguous(memory_format=torch.channels_last))
    loss = task.loss(given.float(), answers)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def remember(mean: nn.Module, network: nn.Module, kept: float) -> None:
    """Moves the mean of the weights a little towards the network's."""
    for old, new in zip(mean.state_dict().values(), network.state_dict().values()):
        if old.dtype.is_floating_point:
            old.lerp_(new, 1 - kept)
        else:
            old.copy_(new)


def save(
    path: Path,
    network: nn.Module,
    mean: nn.Module,
    optimizer: torch.optim.Optimizer,
    step: int,
) -> None:
    """Writes the checkpoint whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    held: dict[str, Any] = {
        "network": network.state_dict(),
        "mean": mean.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
    }
    torch.save(held, unfinished)
    unfinished.replace(path)


def resume(
    path: Path, network: nn.Module, mean: nn.Module, optimizer: torch.optim.Optimizer
) -> int:
    """Takes up a checkpoint if there is one; answers how many steps are done."""
    if not path.exists():
        return 0
    held = torch.load(path, weights_only=True)
    network.load_state_dict(held["network"])
    mean.load_state_dict(held["mean"])
    optimizer.load_state_dict(held["optimizer"])
    return int(held["step"])


@torch.no_grad()
def measured(network: nn.Module, task: Task) -> dict[str, float]:
    """What the network makes of the examples it never learned, averaged over batches."""
    network.eval()
    sums: dict[str, list[float]] = defaultdict(list)
    for pictures, answers in task.held_out():
        for name, value in task.measure(network(pictures), answers).items():
            if not math.isnan(value):
                sums[name].append(value)
    return {name: sum(values) / len(values) for name, values in sums.items()}
