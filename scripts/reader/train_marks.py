"""Trains the marks of supplied texts on top of the reader's encoder; runs where `train.py` does (`make reader`).

    python train_marks.py WINDOWS.json.gz READER_WEIGHTS.npz MINILM_FOLDER OUT.npz [--epochs N] [--on MARKS.npz]

The encoder stays as the reader has it: adapters of low rank are learned beside its matrices (Hu et al., 2021,
arXiv:2106.09685), and its norms and offsets anew. `modules/nlu/marks.py` computes the same with numpy.
"""

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from train import (
    ENCODER_HEADS,
    ENCODER_SIZE,
    PACE,
    SEED,
    UNREAD,
    Base,
    Encoder,
    EncoderLayer,
    attended,
    average,
    by_head,
    dropped,
    follow,
    fresh,
    go_on,
    joined,
    normed,
    picked,
    put,
    rate_at,
    read,
    settle,
    write,
    zeros,
)

RANK, POINTER = 64, 128
"""The rank of the adapters, and the size of what pointers are compared by."""
BATCH, LONGEST = 8, 256
RATE, DECAY, SMOOTHING, AVERAGED = 1e-3, 0.01, 0.02, 0.995
LABELS_WEIGHT = 4.0
"""Labels count so much more than pointers."""
MARKED, DISTANCES, LINES, NEAR_WEIGHT = 1, 9, 4, 5.0
"""The segment of ends of lines; so many steps of distance, each twice the last, and so many lines are told apart before
and behind a word; what is known of them is learned so much faster."""
RELATIONS = ("same", "of", "start")
_UNKNOWN = "[UNK]"


class Adapted(nn.Module):
    """A layer of the encoder with adapters."""

    def __init__(self, layer: EncoderLayer) -> None:
        super().__init__()
        self.chance = layer.chance
        self._matrices = {name: getattr(layer, name).detach() for name in ("qkv", "out", "inner", "outer")}
        for name, matrix in self._matrices.items():
            self.register_parameter(f"{name}_a", fresh(matrix.shape[0], RANK))
            self.register_parameter(f"{name}_b", nn.Parameter(torch.zeros(RANK, matrix.shape[1])))
        for name in ("norm1", "norm2", "qkv_bias", "out_bias", "inner_bias", "outer_bias"):
            self.register_parameter(name, nn.Parameter(getattr(layer, name).detach().clone()))

    def _times(self, x: Tensor, name: str) -> Tensor:
        down, up = getattr(self, f"{name}_a"), getattr(self, f"{name}_b")
        return x @ self._matrices[name] + (x @ down) @ up + getattr(self, f"{name}_bias")

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """The next vectors of the pieces."""
        q, k, v = (by_head(part, ENCODER_HEADS) for part in self._times(x, "qkv").chunk(3, -1))
        x = normed(x + dropped(self._times(joined(attended(q, k, v, mask)), "out"), self), self.norm1)
        inner = functional.gelu(self._times(x, "inner"), approximate="tanh")
        return normed(x + dropped(self._times(inner, "outer"), self), self.norm2)


class Marker(nn.Module):
    """Labels the words of a window and points from values to names."""

    def __init__(self, encoder: Encoder, labels: int, modes: int) -> None:
        super().__init__()
        for parameter in encoder.parameters():
            parameter.requires_grad = False
        self.chance = encoder.chance
        self._encoder = (encoder,)
        self.layers = nn.ModuleList(Adapted(layer) for layer in encoder.layers)
        self.positions = nn.Parameter(encoder.positions.detach().clone(), requires_grad=False)
        self.label, self.label_bias = fresh(ENCODER_SIZE, labels), zeros(labels)
        self.mode, self.mode_bias = fresh(ENCODER_SIZE, modes), zeros(modes)
        for name in RELATIONS:
            self.register_parameter(name, fresh(ENCODER_SIZE, POINTER))
            self.register_parameter(f"{name}_keys", fresh(ENCODER_SIZE, POINTER))
            self.register_parameter(f"{name}_words", zeros(2 * DISTANCES + 1))
            self.register_parameter(f"{name}_lines", zeros(2 * LINES + 1))

    def forward(self, batch: dict[str, Any]) -> Tensor:
        """The loss: of the labels, of what they point to, and of the modes."""
        encoder, mask = self._encoder[0], batch["read"][:, None, None, :]
        x = encoder.words[batch["ids"]] + self.positions[: batch["ids"].shape[1]]
        x = dropped(normed(x + encoder.segments[batch["segments"]], encoder.norm), self)
        for layer in self.layers:
            x = layer(x, mask)
        words = dropped((picked(x, batch["first"]) + picked(x, batch["last"])) / 2, self)
        told = (words @ self.label + self.label_bias).float().transpose(1, 2)
        loss = LABELS_WEIGHT * functional.cross_entropy(
            told, batch["labels"], ignore_index=-100, label_smoothing=SMOOTHING
        )
        anchors = torch.cat([x[:, :1], words], 1)
        missed, count = torch.zeros(()), 0
        for name in RELATIONS:
            rows, places, right = batch[name]
            keys = anchors @ getattr(self, f"{name}_keys")
            asked = words[rows, places] @ getattr(self, name)
            scores = (keys[rows] @ asked[..., None]).squeeze(-1).float() * POINTER**-0.5
            scores[:, 1:] += NEAR_WEIGHT * self._near(name, batch["lines"][rows], places)
            scores = scores.masked_fill(~batch["anchors"][rows], -1e4)
            missed = missed + (scores.logsumexp(1) - scores.masked_fill(~right, -1e4).logsumexp(1)).sum()
            count += len(rows)
        rows, places, right = batch["modes"]
        modes = (words[rows, places] @ self.mode + self.mode_bias).float()
        missed = missed + functional.cross_entropy(modes, right, reduction="sum")
        return loss + missed / max(1, count + len(rows))

    def _near(self, name: str, lines: Tensor, places: Tensor) -> Tensor:
        """How much each word of a window is preferred for how far, and on which line, it is from others."""
        away = torch.arange(lines.shape[1]) - places[:, None]
        steps = (away.sign() * (away.abs() + 1).float().log2().long()).clamp(-DISTANCES, DISTANCES)
        apart = (lines - lines.gather(1, places[:, None])).clamp(-LINES, LINES)
        return (
            getattr(self, f"{name}_words")[steps + DISTANCES] + getattr(self, f"{name}_lines")[apart + LINES]
        )


def batch_of(windows: Sequence[dict[str, Any]], unread: int, chance: random.Random) -> dict[str, Any]:
    """Some windows as arrays."""
    rows = len(windows)
    pieces, words = (max(len(one[name]) for one in windows) for name in ("ids", "first"))
    whole: dict[str, Any] = {
        name: torch.zeros(rows, pieces, dtype=torch.long) for name in ("ids", "segments")
    }
    whole |= {name: torch.zeros(rows, words, dtype=torch.long) for name in ("first", "last", "lines")}
    whole["labels"] = torch.full((rows, words), -100)
    whole["read"] = torch.zeros(rows, pieces, dtype=torch.bool)
    whole["anchors"] = torch.zeros(rows, words + 1, dtype=torch.bool)
    for row, one in enumerate(windows):
        ids = [unread if chance.random() < UNREAD else piece for piece in one["ids"]]
        for name, values in (
            ("ids", ids),
            *((name, one[name]) for name in ("segments", "first", "last", "labels")),
        ):
            whole[name][row, : len(values)] = torch.tensor(values)
        ends = [one["segments"][first] == MARKED for first in one["first"]]
        whole["lines"][row, : len(ends)] = torch.tensor(ends).cumsum(0)
        whole["read"][row, : len(ids)] = True
        whole["anchors"][row, : len(one["first"]) + 1] = True
    for name in RELATIONS:
        told = [(row, at, right) for row, one in enumerate(windows) for at, right in one["pointed"][name]]
        marked = torch.zeros(len(told), words + 1, dtype=torch.bool)
        for number, (_, _, right) in enumerate(told):
            marked[number, right] = True
        whole[name] = _indexed(told), _indexed(told, 1), marked
    modes = [(row, at, mode) for row, one in enumerate(windows) for at, mode in one["modes"]]
    whole["modes"] = _indexed(modes), _indexed(modes, 1), _indexed(modes, 2)
    return whole


def _indexed(told: Sequence[tuple[Any, ...]], part: int = 0) -> Tensor:
    return torch.tensor([one[part] for one in told], dtype=torch.long)


def batches(windows: Sequence[Any], chance: random.Random) -> Iterator[list[Any]]:
    """All windows once."""
    order = list(windows)
    chance.shuffle(order)
    yield from (order[at : at + BATCH] for at in range(0, len(order), BATCH))


def train(network: Marker, windows: Sequence[Any], epochs: float, unread: int, *, pace: float = 1.0) -> None:
    """Trains in place, and tells the loss as it goes; the weights are averaged over the last steps."""
    chance = random.Random(SEED)  # noqa: S311 (nothing is secret)
    moving = [one for one in network.parameters() if one.requires_grad]
    averaged = [one.detach().clone() for one in moving]
    optimizer = torch.optim.AdamW(moving, lr=pace * RATE, weight_decay=DECAY)
    steps = math.ceil(epochs * math.ceil(len(windows) / BATCH))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, steps))
    begun, losses = time.monotonic(), list[float]()
    network.train()
    while len(losses) < steps:
        for part in batches(windows, chance):
            if len(losses) == steps:
                break
            with torch.autocast("cpu", torch.bfloat16):
                loss = network(batch_of(part, unread, chance))
            follow(loss, optimizer, schedule, moving)
            losses.append(loss.item())
            average(averaged, moving, AVERAGED, len(losses))
            if len(losses) % 200 == 0 or len(losses) == steps:
                passed = (time.monotonic() - begun) / 60
                sys.stdout.write(
                    f"step {len(losses)} of {steps}: loss {sum(losses[-200:]) / 200:.3f}, {passed:.1f} min\n"
                )
                sys.stdout.flush()
    put(moving, averaged)


def main() -> None:
    """Trains and writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("windows", type=Path)
    parser.add_argument("reader", type=Path, help="the weights of the trained reader")
    parser.add_argument("base", type=Path, help="the folder of MiniLM: model.safetensors, tokenizer.json")
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=float, default=2.3)
    parser.add_argument("--on", type=Path, help="packed marks to go on from")
    given = parser.parse_args()
    settle()
    told = read(given.windows)
    base = Base(given.base)
    pieces = base.pieces()
    encoder = Encoder(base, pieces, np.random.default_rng(SEED), longest=LONGEST)
    with np.load(given.reader) as weights:
        kept = {
            name.removeprefix("encoder/").replace("/", "."): torch.tensor(weights[name])
            for name in weights.files
            if name.startswith("encoder/") and not name.endswith("positions")
        }
    encoder.load_state_dict(kept, strict=False)
    network = Marker(encoder, len(told["tokens"]), len(told["modes"]))
    if given.on is not None:
        go_on(network, given.on)
    pace = 1.0 if given.on is None else PACE
    train(network, told["windows"], given.epochs, pieces.index(_UNKNOWN), pace=pace)
    write(network, given.out)


if __name__ == "__main__":
    main()
