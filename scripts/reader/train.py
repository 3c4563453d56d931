"""Trains the reader's network; runs in an environment of its own that has torch (`make reader`).

    python train.py PREPARED.json.gz MINILM_FOLDER OUT.npz [--epochs N] [--on READER.npz [--decoder]]

With `--on` it goes on from packed weights, at a third of the rates: enough to learn what was added to the bank.
With `--decoder` the encoder stays as it is, so that the marks trained on it go on being valid.
It needs nothing of the project, whose `modules/nlu/network.py` computes the same with numpy. With the same seed,
versions and number of threads it gives the same weights.
"""

import argparse
import gzip
import json
import math
import random
import struct
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

ENCODER_SIZE, ENCODER_HEADS, ENCODER_LAYERS = 384, 12, 6
SIZE, HEADS, INNER, LAYERS = 256, 8, 768, 2
SEGMENTS, LONGEST_INPUT, LONGEST_PROGRAM = 12, 152, 72
BEGIN, END = 1, 2
BATCH, SEED, DROPPED, SMOOTHING = 48, 1, 26, 0.05
"""`DROPPED` of 256 numbers are left out at a time."""
ENCODER_RATE, DECODER_RATE, DECAY, LAST_RATE = 1.5e-4, 8e-4, 0.01, 0.02
"""Learning rates at their highest; the last is a share of that."""
PACE = 1 / 3
"""The share of these with which training goes on."""
AVERAGED = 0.998
"""The weights are an average over the last steps: so much of it stays at each step."""
WARM = 1 / 15
"""The share of steps in which the rates rise."""
AS_IS = 0.45
"""How often an example is taken as it stands and not with other names."""
UNREAD = 0.03
"""The share of pieces that the network is not shown, so that it does not hang on single words."""
THREADS = 2
_UNKNOWN = "[UNK]"


class Base:
    """The arrays of the pretrained encoder."""

    def __init__(self, folder: Path) -> None:
        raw = (folder / "model.safetensors").read_bytes()
        size = struct.unpack("<Q", raw[:8])[0]
        self._head, self._body = json.loads(raw[8 : 8 + size]), memoryview(raw)[8 + size :]
        vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
        self._numbers: dict[str, int] = vocabulary

    def pieces(self) -> list[str]:
        """The pieces that it reads, in the order of their numbers."""
        return sorted(self._numbers, key=lambda piece: self._numbers[piece])

    def array(self, name: str) -> Tensor:
        """One array."""
        told = self._head[name]
        begin, end = told["data_offsets"]
        values = np.frombuffer(self._body[begin:end], np.float32).reshape(told["shape"])
        return torch.tensor(values.copy())

    def turned(self, name: str) -> Tensor:
        """A matrix to multiply from the right with."""
        return self.array(name).T.contiguous()

    def words(self, pieces: Sequence[str]) -> Tensor:
        """The vectors of some pieces."""
        rows = torch.tensor([self._numbers[piece] for piece in pieces])
        return self.array("embeddings.word_embeddings.weight")[rows]


def norm_of(base: Base, name: str) -> nn.Parameter:
    """Factors and offsets of a layer normalisation."""
    return nn.Parameter(torch.stack([base.array(f"{name}.weight"), base.array(f"{name}.bias")]))


def fresh(*shape: int, gain: float = 1.0) -> nn.Parameter:
    """A matrix that nothing was learned of yet."""
    return nn.Parameter(torch.randn(*shape) * gain / math.sqrt(shape[0]))


def zeros(size: int) -> nn.Parameter:
    """Offsets."""
    return nn.Parameter(torch.zeros(size))


def fresh_norm(size: int) -> nn.Parameter:
    """A layer normalisation that changes nothing yet."""
    return nn.Parameter(torch.stack([torch.ones(size), torch.zeros(size)]))


def normed(x: Tensor, norm: Tensor) -> Tensor:
    """Layer normalisation."""
    return functional.layer_norm(x, x.shape[-1:], norm[0], norm[1], 1e-6)


def by_head(x: Tensor, heads: int) -> Tensor:
    """(batch, n, d) as (batch, heads, n, d / heads)."""
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)


def joined(x: Tensor) -> Tensor:
    """(batch, heads, n, d / heads) as (batch, n, d)."""
    return x.transpose(1, 2).flatten(2)


class EncoderLayer(nn.Module):
    """A layer of the encoder."""

    def __init__(self, base: Base, number: int, chance: np.random.Generator) -> None:
        super().__init__()
        self.chance = chance
        at = f"encoder.layer.{number}"
        own = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
        self.qkv = nn.Parameter(torch.cat([base.turned(f"{one}.weight") for one in own], 1))
        self.qkv_bias = nn.Parameter(torch.cat([base.array(f"{one}.bias") for one in own]))
        self.out = nn.Parameter(base.turned(f"{at}.attention.output.dense.weight"))
        self.out_bias = nn.Parameter(base.array(f"{at}.attention.output.dense.bias"))
        self.norm1 = norm_of(base, f"{at}.attention.output.LayerNorm")
        self.inner = nn.Parameter(base.turned(f"{at}.intermediate.dense.weight"))
        self.inner_bias = nn.Parameter(base.array(f"{at}.intermediate.dense.bias"))
        self.outer = nn.Parameter(base.turned(f"{at}.output.dense.weight"))
        self.outer_bias = nn.Parameter(base.array(f"{at}.output.dense.bias"))
        self.norm2 = norm_of(base, f"{at}.output.LayerNorm")

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """The next vectors of the pieces."""
        q, k, v = (by_head(part, ENCODER_HEADS) for part in (x @ self.qkv + self.qkv_bias).chunk(3, -1))
        seen = joined(attended(q, k, v, mask))
        x = normed(x + dropped(seen @ self.out + self.out_bias, self), self.norm1)
        return normed(x + dropped(fed(x, self), self), self.norm2)


class DecoderLayer(nn.Module):
    """A layer of the decoder."""

    def __init__(self, chance: np.random.Generator) -> None:
        super().__init__()
        self.chance = chance
        self.qkv, self.out, self.norm1 = fresh(SIZE, 3 * SIZE), fresh(SIZE, SIZE, gain=0.5), fresh_norm(SIZE)
        self.cross_q, self.cross_kv = fresh(SIZE, SIZE), fresh(SIZE, 2 * SIZE)
        self.cross_out, self.norm2 = fresh(SIZE, SIZE, gain=0.5), fresh_norm(SIZE)
        self.covered = zeros(2 * SIZE)
        self.inner, self.inner_bias = fresh(SIZE, INNER), zeros(INNER)
        self.outer, self.outer_bias = fresh(INNER, SIZE, gain=0.5), zeros(SIZE)
        self.norm3 = fresh_norm(SIZE)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, covered: Tensor) -> Tensor:
        """The next vectors of the tokens; `covered` are the pieces that were pointed to before each of them."""
        q, k, v = (by_head(part, HEADS) for part in (x @ self.qkv).chunk(3, -1))
        own = joined(attended(q, k, v, torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()))
        x = normed(x + dropped(own @ self.out, self), self.norm1)
        k, v = (by_head(part, HEADS) for part in (memory @ self.cross_kv).chunk(2, -1))
        q, covered = by_head(x @ self.cross_q, HEADS), covered[:, None]
        own_key, own_value = self.covered.view(2, HEADS, 1, -1)
        scores = q @ k.transpose(2, 3) + (q * own_key).sum(-1, keepdim=True) * covered
        shares = (scores * q.shape[-1] ** -0.5).float().masked_fill(~mask, -1e4).softmax(-1)
        seen = shares @ v.float() + (shares * covered).sum(-1, keepdim=True) * own_value
        x = normed(x + dropped(joined(seen) @ self.cross_out, self), self.norm2)
        return normed(x + dropped(fed(x, self), self), self.norm3)


def attended(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Attention, step by step: on a processor the fused one takes three times as long to learn from."""
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(2, 3)
    return scores.masked_fill(~mask, -1e4).softmax(-1).to(v.dtype) @ v


def fed(x: Tensor, layer: Any) -> Tensor:
    """The feed-forward part of a layer."""
    inner = functional.gelu(x @ layer.inner + layer.inner_bias, approximate="tanh")
    return inner @ layer.outer + layer.outer_bias


def dropped(x: Tensor, module: Any) -> Tensor:
    """Dropout while it is trained; its chances are bytes, as torch's own take a tenth of the time of training."""
    if not module.training:
        return x
    bytes_ = torch.from_numpy(module.chance.integers(0, 256, x.numel(), np.uint8)).view(x.shape)
    return x * (bytes_ >= DROPPED) * (256 / (256 - DROPPED))


class Encoder(nn.Module):
    """Reads the pieces."""

    def __init__(
        self,
        base: Base,
        pieces: Sequence[str],
        chance: np.random.Generator,
        longest: int = LONGEST_INPUT,
    ) -> None:
        super().__init__()
        self.chance = chance
        positions = base.array("embeddings.position_embeddings.weight")[:longest]
        positions = positions + base.array("embeddings.token_type_embeddings.weight")[0]
        self.words = nn.Parameter(base.words(pieces), requires_grad=False)
        self.positions = nn.Parameter(positions, requires_grad=False)
        self.segments = nn.Parameter(torch.zeros(SEGMENTS, ENCODER_SIZE))
        self.norm = norm_of(base, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(EncoderLayer(base, number, chance) for number in range(ENCODER_LAYERS))

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Vectors of the pieces."""
        x = self.words[ids] + self.positions[: ids.shape[1]] + self.segments[segments]
        x = dropped(normed(x, self.norm), self)
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Decoder(nn.Module):
    """Writes the tokens."""

    def __init__(self, tokens: int, chance: np.random.Generator) -> None:
        super().__init__()
        self.chance = chance
        self.tokens = fresh(tokens, SIZE, gain=math.sqrt(tokens) / 4)
        self.positions = fresh(LONGEST_PROGRAM, SIZE, gain=math.sqrt(LONGEST_PROGRAM) / 10)
        self.memory, self.memory_bias = fresh(ENCODER_SIZE, SIZE), zeros(SIZE)
        self.memory_norm, self.norm = fresh_norm(SIZE), fresh_norm(SIZE)
        self.span = fresh(2 * SIZE, SIZE)
        self.layers = nn.ModuleList(DecoderLayer(chance) for _ in range(LAYERS))
        self.choice, self.choice_bias = fresh(SIZE, tokens), zeros(tokens)
        self.begins, self.ends = fresh(SIZE, SIZE), fresh(SIZE, SIZE)
        self.begin_keys, self.end_keys = fresh(SIZE, SIZE), fresh(SIZE, SIZE)
        self.link, self.covered = fresh(SIZE, SIZE, gain=0.5), zeros(SIZE)

    def forward(self, read: Tensor, batch: dict[str, Tensor], mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of the next token, of the first and of the last word it points to."""
        memory = normed(read @ self.memory + self.memory_bias, self.memory_norm)
        first, last = picked(memory, batch["first"]), picked(memory, batch["last"])
        begin, end = batch["begin_before"], batch["end_before"]
        pointed = (
            torch.cat([picked(first, begin.clamp(min=0)), picked(last, end.clamp(min=0))], -1) @ self.span
        )
        y = self.tokens[batch["before"]] + self.positions[: begin.shape[1]]
        y = y + pointed * (begin >= 0)[..., None]
        y = dropped(normed(y, self.norm), self)
        words = torch.arange(first.shape[1])
        hit = (begin[..., None] <= words) & (words <= end[..., None]) & (begin >= 0)[..., None]
        covered = functional.pad((hit.cumsum(1) > 0).float(), (0, 1))
        pieces = covered.gather(2, batch["word_of"][:, None].expand(-1, begin.shape[1], -1))
        for layer in self.layers:
            y = layer(y, memory, mask, pieces)
        unusable, scale = ~batch["usable"][:, None], SIZE**-0.5
        begins = (y @ self.begins) @ (first @ self.begin_keys).transpose(1, 2) * scale
        begins = begins + (y @ self.covered)[..., None] * covered[..., :-1]
        asked = y @ self.ends + picked(first, batch["begin"].clamp(min=0)) @ self.link
        ends = asked @ (last @ self.end_keys).transpose(1, 2) * scale
        told = y @ self.choice + self.choice_bias
        return told.float(), *(one.float().masked_fill(unusable, -1e4) for one in (begins, ends))


class Reader(nn.Module):
    """The whole network."""

    def __init__(self, base: Base, pieces: Sequence[str], tokens: int) -> None:
        super().__init__()
        chance = np.random.default_rng(SEED)
        self.encoder = Encoder(base, pieces, chance)
        self.decoder = Decoder(tokens, chance)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """The loss: of the tokens, and of the words they point to, for each token that is wanted."""
        mask = batch["read"][:, None, None, :]
        read = self.encoder(batch["ids"], batch["segments"], mask)
        told, begins, ends = self.decoder(read, batch, mask)
        pointing = batch["begin"] >= 0
        loss = (missed(told, batch["wanted"], SMOOTHING) * batch["weight"]).sum()
        for scores, right in ((begins, batch["begin"]), (ends, batch["end"])):
            loss = loss + (missed(scores, right.clamp(min=0)) * pointing).sum()
        return loss / batch["weight"].sum()


def picked(x: Tensor, places: Tensor) -> Tensor:
    """The vectors at some places of each row."""
    return x.gather(1, places[..., None].expand(-1, -1, x.shape[-1]))


def missed(scores: Tensor, right: Tensor, smoothing: float = 0.0) -> Tensor:
    """Cross-entropy for each token."""
    return functional.cross_entropy(
        scores.transpose(1, 2), right, reduction="none", label_smoothing=smoothing
    )


def batch_of(versions: Sequence[dict[str, Any]], unread: int, chance: random.Random) -> dict[str, Tensor]:
    """Some versions as arrays."""
    rows = len(versions)
    pieces, words = max(len(one["ids"]) for one in versions), max(len(one["first"]) for one in versions)
    length = max(len(one["tokens"]) for one in versions) + 1
    whole = {name: torch.zeros(rows, pieces, dtype=torch.long) for name in ("ids", "segments")}
    whole |= {name: torch.zeros(rows, words, dtype=torch.long) for name in ("first", "last")}
    whole |= {name: torch.zeros(rows, length, dtype=torch.long) for name in ("before", "wanted")}
    pointers = ("begin", "end", "begin_before", "end_before")
    whole |= {name: torch.full((rows, length), -1) for name in pointers}
    whole |= {
        "read": torch.zeros(rows, pieces, dtype=torch.bool),
        "word_of": torch.full((rows, pieces), words),
    }
    whole |= {"usable": torch.zeros(rows, words, dtype=torch.bool), "weight": torch.zeros(rows, length)}
    for row, one in enumerate(versions):
        ids = [unread if chance.random() < UNREAD else piece for piece in one["ids"]]
        for name, values in (
            ("ids", ids),
            *((name, one[name]) for name in ("segments", "first", "last", "usable")),
        ):
            whole[name][row, : len(values)] = torch.tensor(values)
        whole["read"][row, : len(ids)] = True
        for word, (begin, end) in enumerate(zip(one["first"], one["last"], strict=True)):
            whole["word_of"][row, begin : end + 1] = word
        tokens = one["tokens"]
        whole["before"][row, : len(tokens) + 1] = torch.tensor([BEGIN, *tokens])
        whole["wanted"][row, : len(tokens) + 1] = torch.tensor([*tokens, END])
        whole["weight"][row, : len(tokens) + 1] = 1
        for at, span in enumerate(one["spans"]):
            if span is not None:
                whole["begin"][row, at], whole["end"][row, at] = span
                whole["begin_before"][row, at + 1], whole["end_before"][row, at + 1] = span
    return whole


def batches(examples: Sequence[Any], chance: random.Random) -> Iterator[list[Any]]:
    """All examples once, those of like length together."""
    order = list(examples)
    chance.shuffle(order)
    wide = BATCH * 40
    made = []
    for begin in range(0, len(order), wide):
        part = sorted(
            order[begin : begin + wide], key=lambda one: (len(one[0]["ids"]) // 6, len(one[0]["tokens"]))
        )
        made += [part[at : at + BATCH] for at in range(0, len(part), BATCH)]
    chance.shuffle(made)
    for part in made:
        yield [one[0] if chance.random() < AS_IS else chance.choice(one[1:]) for one in part]


def rate_at(step: int, steps: int) -> float:
    """The share of the highest learning rate: it rises in a line and falls with a cosine."""
    warm = int(steps * WARM)
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm))) * (1 - LAST_RATE) + LAST_RATE


def train(network: Reader, examples: Sequence[Any], epochs: int, unread: int, *, pace: float = 1.0) -> None:
    """Trains in place, at a share of the full rates, and tells the loss of each epoch."""
    chance = random.Random(SEED)  # noqa: S311 (nothing is secret)
    learned = [one for one in network.encoder.parameters() if one.requires_grad]
    groups = [
        {"params": learned, "lr": pace * ENCODER_RATE},
        {"params": list(network.decoder.parameters()), "lr": pace * DECODER_RATE},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
    moving = [one for one in network.parameters() if one.requires_grad]
    averaged = [one.detach().clone() for one in moving]
    steps = epochs * math.ceil(len(examples) / BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_at(step, steps))
    begun, done = time.monotonic(), 0
    network.train()
    for epoch in range(epochs):
        losses = []
        for part in batches(examples, chance):
            with torch.autocast("cpu", torch.bfloat16):
                loss = network(batch_of(part, unread, chance))
            follow(loss, optimizer, schedule, moving)
            losses.append(loss.item())
            average(averaged, moving, AVERAGED, done)
            done += 1
        passed = time.monotonic() - begun
        sys.stdout.write(f"epoch {epoch + 1}: loss {sum(losses) / len(losses):.3f}, {passed / 60:.0f} min\n")
        sys.stdout.flush()
    put(moving, averaged)


def follow(loss: Tensor, optimizer: Any, schedule: Any, moving: Sequence[Tensor]) -> None:
    """One step down the slope of the loss."""
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(moving, 1.0)
    optimizer.step()
    schedule.step()


@torch.no_grad()
def average(averaged: Sequence[Tensor], moving: Sequence[Tensor], most: float, done: int) -> None:
    """Takes the weights after a step into their average: at first evenly, later `most` of the average stays."""
    torch._foreach_lerp_(averaged, moving, 1 - min(most, done / (done + 10)))


@torch.no_grad()
def put(moving: Sequence[Tensor], averaged: Sequence[Tensor]) -> None:
    """Takes the averages for the weights."""
    for parameter, value in zip(moving, averaged, strict=True):
        parameter.copy_(value)


def settle() -> None:
    """Makes training the same each time."""
    torch.manual_seed(SEED)
    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(mode=True)


@torch.no_grad()
def go_on(network: nn.Module, path: Path, tokens: Sequence[str] = ()) -> None:
    """Takes packed weights over; of tokens those that both have, by what they stand for."""
    with np.load(path) as packed:
        about = json.loads(bytes(packed["about"]).decode("utf-8"))
        arrays = {
            name: packed[name] * packed[f"{name}:scale"] if f"{name}:scale" in packed else packed[name]
            for name in packed.files
        }
    before = {token: number for number, token in enumerate(about["tokens"])}
    both = [(number, before[token]) for number, token in enumerate(tokens) if token in before]
    now, then = torch.tensor([one for one, _ in both]), [one for _, one in both]
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        kept = torch.tensor(np.asarray(arrays[name.replace(".", "/")], np.float32))
        if name == "decoder.tokens":
            parameter[now] = kept[then]
        elif name in {"decoder.choice", "decoder.choice_bias"}:
            parameter[..., now] = kept[..., then]
        else:
            parameter.copy_(kept)


def read(path: Path) -> Any:
    """What was prepared for training."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def write(network: nn.Module, path: Path) -> None:
    """Keeps the weights of a network; the dots of their names become slashes."""
    named = network.state_dict().items()
    np.savez(path, **{name.replace(".", "/"): value.detach().float().numpy() for name, value in named})


def main() -> None:
    """Trains and writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("base", type=Path, help="the folder of MiniLM: model.safetensors, tokenizer.json")
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--on", type=Path, help="packed weights to go on from")
    parser.add_argument("--decoder", action="store_true", help="leave the encoder as it is")
    given = parser.parse_args()
    settle()
    prepared = read(given.prepared)
    pieces = prepared["pieces"]
    network = Reader(Base(given.base), pieces, len(prepared["tokens"]))
    if given.on is not None:
        go_on(network, given.on, prepared["tokens"])
    if given.decoder:
        network.encoder.requires_grad_(requires_grad=False)
    pace = 1.0 if given.on is None else PACE
    train(network, prepared["examples"], given.epochs, pieces.index(_UNKNOWN), pace=pace)
    write(network, given.out)


if __name__ == "__main__":
    main()
