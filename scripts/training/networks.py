"""The four networks in torch, and how they begin again from the weights the product ships.

Their inputs and outputs are those that ``companion/vision/weights/README.md`` describes. Layers
are named in the order in which they work, which is how weights from an ONNX file find them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F

from companion.vision.values import VALUES


def conv(ins: int, outs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, normalisation, rectifier."""
    layer = nn.Conv2d(ins, outs, size, stride, size // 2, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outs), nn.ReLU(inplace=True))


class Residual(nn.Module):
    """Two convolutions that add to what they are given."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.norm(self.second(self.first(x))))


class FinderNet(nn.Module):
    """A whole picture in, ten maps of a quarter of its size out: down to 1/32 and up again."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = conv(3, 16, 2)
        self.down4 = nn.Sequential(conv(16, 28, 2), Residual(28))
        self.down8 = nn.Sequential(conv(28, 48, 2), Residual(48))
        self.down16 = nn.Sequential(conv(48, 72, 2), Residual(72))
        self.down32 = nn.Sequential(conv(72, 96, 2), Residual(96), Residual(96))
        self.up16 = nn.Sequential(conv(72 + 96, 72, size=1), conv(72, 72))
        self.up8 = nn.Sequential(conv(48 + 72, 48, size=1), conv(48, 48))
        self.up4 = nn.Sequential(conv(28 + 48, 32, size=1), conv(32, 32))
        self.head = nn.Conv2d(32, 10, 1)
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[0] = -4

    def forward(self, x: Tensor) -> Tensor:
        at4 = self.down4(self.stem(x))
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        x = self.down32(at16)
        for beside, up in ((at16, self.up16), (at8, self.up8), (at4, self.up4)):
            x = up(torch.cat([beside, F.interpolate(x, scale_factor=2.0, mode="nearest")], 1))
        return self.head(x)


class RefinerNet(nn.Module):
    """A rough outline's cut-out in, four corners and "is a tile" out."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 24),
            conv(24, 40, 2),
            Residual(40),
            conv(40, 56, 2),
            Residual(56),
            conv(56, 48),
        )
        self.think = nn.Linear(48 * 6 * 12, 128)
        self.answer = nn.Linear(128, 9)

    def forward(self, x: Tensor) -> Tensor:
        return self.answer(F.relu(self.think(self.look(x).flatten(1))))


class ValueNet(nn.Module):
    """A straightened tile in, the logits of both halves out; one head reads either half."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 24),
            conv(24, 40, 2),
            Residual(40),
            conv(40, 64),
            Residual(64),
        )
        self.closer = nn.Sequential(conv(64, 64, 2), conv(64, 64))
        self.think = nn.Linear(64 * 6 * 6, 128)
        self.drop = nn.Dropout(0.2)
        self.answer = nn.Linear(128, VALUES + 1)
        # OpenCV misreads a flip, but not a choice of rows.
        self.register_buffer("backwards", torch.arange(11, -1, -1), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        x = self.look(x)
        left, right = x[:, :, :, :12], x[:, :, :, 12:24]
        right = right.index_select(2, self.backwards).index_select(3, self.backwards)
        if not self.training:
            return torch.cat([self.read(left), self.read(right)], 1)
        both = self.read(torch.cat([left, right]))
        return torch.cat(both.chunk(2), 1)

    def read(self, half: Tensor) -> Tensor:
        """The logits of halves that lie with their outer edge to the left."""
        return self.answer(self.drop(F.relu(self.think(self.closer(half).flatten(1)))))


class GlanceNet(ValueNet):
    """The same in a quarter of the time, for tables with many tiles; it leaves the hard ones."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(conv(3, 16, 2), conv(16, 16), conv(16, 32, 2), Residual(32))
        self.closer = nn.Sequential(conv(32, 40, 2), conv(40, 40))
        self.think = nn.Linear(40 * 6 * 6, 64)
        self.answer = nn.Linear(64, VALUES + 1)


NETWORKS: dict[str, type[nn.Module]] = {
    "finder": FinderNet,
    "refiner": RefinerNet,
    "values": ValueNet,
    "glance": GlanceNet,
}
HALVED = ("glance",)
"""Networks whose weights are written with 16 bits each, so that all files together stay small."""
EXAMPLE = {name: (1, 3, 256, 256) if name == "finder" else (2, 3, 48, 96) for name in NETWORKS}


def export(network: nn.Module, name: str, path: Path) -> None:
    """Writes the network as one ONNX file that ``cv2.dnn`` reads."""
    network = network.eval()
    free = {0: "n"} if name != "finder" else {2: "height", 3: "width"}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network,
        (torch.zeros(EXAMPLE[name]),),
        str(path),
        dynamo=False,
        opset_version=13,
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": free, "y": free},
    )
    model = onnx.load(str(path))
    share_weights(model.graph)
    if name in HALVED:
        halve_weights(model.graph)
    onnx.save(model, str(path))


def halve_weights(graph: onnx.GraphProto) -> None:
    """Writes the weights with 16 bits each, which OpenCV makes 32 again: half the file."""
    for one in graph.initializer:
        weights = numpy_helper.to_array(one)
        if weights.dtype == np.float32 and weights.ndim > 1:
            one.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), one.name))


def share_weights(graph: onnx.GraphProto) -> None:
    """Lets layers that work with the same weights name them alike, without copies in between."""
    held = {one.name for one in graph.initializer}
    same: dict[str, str] = {}
    for node in list(graph.node):
        if node.op_type == "Identity" and same.get(node.input[0], node.input[0]) in held:
            same[node.output[0]] = same.get(node.input[0], node.input[0])
            graph.node.remove(node)
    for node in graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = same.get(name, name)


def stored_weights(path: Path) -> list[tuple[Tensor, Tensor]]:
    """Weight and bias of each layer of an ONNX file, in the order in which they are used."""
    graph = onnx.load(str(path)).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    used: dict[str, tuple[Tensor, Tensor]] = {}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm") and node.input[1] not in used:
            weight, bias = (np.array(held[name], np.float32) for name in node.input[1:3])
            used[node.input[1]] = (torch.from_numpy(weight), torch.from_numpy(bias))
    return list(used.values())


def halfway(before: Path, after: Path, path: Path) -> None:
    """Writes the mean of two ONNX files of one network, the second trained from the first.

    It knows what the second learned and keeps more of what the first knew.
    """
    models = onnx.load(str(before)), onnx.load(str(after))
    ours, theirs = (in_use(model.graph) for model in models)
    if [numpy_helper.to_array(one).shape for one in ours] != [
        numpy_helper.to_array(one).shape for one in theirs
    ]:
        raise ValueError(f"{before} and {after} do not hold the same network.")
    for one, other in zip(ours, theirs):
        weights = numpy_helper.to_array(one)
        if weights.dtype.kind == "f":
            mean = (weights.astype(np.float32) + numpy_helper.to_array(other)) / 2
            one.CopyFrom(numpy_helper.from_array(mean.astype(weights.dtype), one.name))
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(models[0], str(path))


def in_use(graph: onnx.GraphProto) -> list[onnx.TensorProto]:
    """The stored tensors in the order in which they are used."""
    held = {one.name: one for one in graph.initializer}
    names = [name for node in graph.node for name in node.input if name in held]
    return [held[name] for name in dict.fromkeys(names)]


def begin_from(network: nn.Module, path: Path, pictures: Iterable[Tensor]) -> None:
    """Gives the network the weights of an ONNX file, in which normalisation is folded away.

    The normalisation is unfolded again by what passes through it on a few batches of
    ``pictures``, so that the network answers the same and can be trained further.
    """
    layers = [part for part in network.modules() if isinstance(part, (nn.Conv2d, nn.Linear))]
    norms = [part for part in network.modules() if isinstance(part, nn.BatchNorm2d)]
    stored = stored_weights(path)
    if [layer.weight.shape for layer in layers] != [weight.shape for weight, _ in stored]:
        raise ValueError(f"{path} does not hold a network of this shape.")
    follows = iter(norms)
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, stored):
            layer.weight.copy_(weight)
            if layer.bias is not None:
                layer.bias.copy_(bias)
                continue
            norm = next(follows)
            norm.bias.copy_(bias)
            norm.weight.fill_(1)
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
    unfold(network, norms, pictures)


def unfold(network: nn.Module, norms: list[nn.BatchNorm2d], pictures: Iterable[Tensor]) -> None:
    """Fits each normalisation to what it is fed; scale and shift undo it, so nothing changes."""
    sums = {norm: [0.0, torch.zeros_like(norm.bias), torch.zeros_like(norm.bias)] for norm in norms}

    def watch(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        flat = given[0].float()
        held = sums[norm]
        held[0] += 1
        held[1] += flat.mean((0, 2, 3))
        held[2] += flat.square().mean((0, 2, 3))

    hooks = [norm.register_forward_pre_hook(watch) for norm in norms]
    network.eval()
    with torch.no_grad():
        for batch in pictures:
            network(batch)
        for norm in norms:
            count, total, squares = sums[norm]
            mean = total / count
            variance = (squares / count - mean.square()).clamp(min=1e-6)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.add_(mean)
    for hook in hooks:
        hook.remove()
