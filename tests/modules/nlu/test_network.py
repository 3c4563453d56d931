"""The network against a plain computation of the same formulas, number by number in double precision."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from modules.nlu.network import BEGIN, DECODER_HEADS, ENCODER_HEADS, END, Network, Row
from modules.nlu.words import Pieces

TOKENS = ("<fill>", "<begin>", "<end>", "S", "answer(", ")", "name")
WIDE, SIZE, INNER = 2 * ENCODER_HEADS, 2 * DECODER_HEADS, 20
QUESTION = Pieces([1, 4, 5, 6, 7, 2], [0, 0, 0, 0, 2, 0], [1, 3, 4], [2, 3, 4], [True, True, False])


def weights(seed: int) -> dict[str, Any]:
    """Arrays of the right shapes; words are bytes with a scale, as they are packed."""
    chance = np.random.default_rng(seed)

    def some(*shape: int) -> Any:
        return (chance.normal(size=shape) * 0.6).astype(np.float32)

    def norm(size: int) -> Any:
        return np.stack([1 + some(size) / 5, some(size) / 5])

    encoder = {
        "words": chance.integers(-127, 127, (9, WIDE)).astype(np.int8), "words_scale": abs(some(WIDE)) / 100,
        "positions": some(12, WIDE), "segments": some(12, WIDE), "norm": norm(WIDE),
        "layers": [
            {
                "qkv": some(WIDE, 3 * WIDE), "qkv_bias": some(3 * WIDE),
                "out": some(WIDE, WIDE), "out_bias": some(WIDE),
                "inner": some(WIDE, INNER), "inner_bias": some(INNER),
                "outer": some(INNER, WIDE), "outer_bias": some(WIDE), "norm1": norm(WIDE), "norm2": norm(WIDE),
            }
            for _ in range(2)
        ],
    }  # fmt: skip
    decoder = {
        "tokens": some(len(TOKENS), SIZE), "positions": some(80, SIZE), "memory": some(WIDE, SIZE),
        "memory_bias": some(SIZE), "memory_norm": norm(SIZE), "norm": norm(SIZE), "span": some(2 * SIZE, SIZE),
        "choice": some(SIZE, len(TOKENS)), "choice_bias": some(len(TOKENS)), "link": some(SIZE, SIZE),
        **{name: some(SIZE, SIZE) for name in ("begins", "ends", "begin_keys", "end_keys")},
        "covered": some(SIZE),
        "layers": [
            {
                "qkv": some(SIZE, 3 * SIZE), "out": some(SIZE, SIZE), "norm1": norm(SIZE),
                "cross_q": some(SIZE, SIZE), "cross_kv": some(SIZE, 2 * SIZE), "cross_out": some(SIZE, SIZE),
                "covered": some(2 * SIZE),
                "norm2": norm(SIZE), "inner": some(SIZE, INNER), "inner_bias": some(INNER),
                "outer": some(INNER, SIZE), "outer_bias": some(SIZE), "norm3": norm(SIZE),
            }
            for _ in range(2)
        ],
    }  # fmt: skip
    return {"encoder": encoder, "decoder": decoder}


def normed(row: Any, norm: Any) -> Any:
    middle = sum(row) / len(row)
    spread = math.sqrt(sum((value - middle) ** 2 for value in row) / len(row) + 1e-6)
    return [(value - middle) / spread * a + b for value, a, b in zip(row, *norm, strict=True)]


def times(row: Any, matrix: Any, bias: Any = None) -> list[float]:
    out = [sum(float(a) * float(b) for a, b in zip(row, column, strict=True)) for column in matrix.T]
    return out if bias is None else [a + float(b) for a, b in zip(out, bias, strict=True)]


def added(*rows: Any) -> list[float]:
    return [sum(map(float, values)) for values in zip(*rows, strict=True)]


def likelihoods(row: Any) -> list[float]:
    most = max(row)
    total = sum(math.exp(value - most) for value in row)
    return [value - most - math.log(total) for value in row]


def attended(query: Any, keys: Any, values: Any, heads: int) -> list[float]:
    out: list[float] = []
    size = len(query) // heads
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = [
            sum(a * b for a, b in zip(query[part], key[part], strict=True)) / math.sqrt(size) for key in keys
        ]
        shares = [math.exp(score) for score in likelihoods(scores)]
        out += [
            sum(share * value[at] for share, value in zip(shares, values, strict=True))
            for at in range(size * head, size * (head + 1))
        ]
    return out


def fed(row: Any, layer: Any) -> list[float]:
    inner = [
        value * (1 + math.tanh(math.sqrt(2 / math.pi) * (value + 0.044715 * value**3))) / 2
        for value in times(row, layer["inner"], layer["inner_bias"])
    ]
    return times(inner, layer["outer"], layer["outer_bias"])


def encoded(told: Any) -> list[list[float]]:
    rows = [
        normed(
            added(
                told["words"][piece] * told["words_scale"].astype(float),
                told["positions"][at],
                told["segments"][segment],
            ),
            told["norm"],
        )
        for at, (piece, segment) in enumerate(zip(QUESTION.ids, QUESTION.segments, strict=True))
    ]
    for layer in told["layers"]:
        parts = [times(row, layer["qkv"], layer["qkv_bias"]) for row in rows]
        q, k, v = ([part[n * WIDE : (n + 1) * WIDE] for part in parts] for n in range(3))
        seen = [times(attended(one, k, v, ENCODER_HEADS), layer["out"], layer["out_bias"]) for one in q]
        rows = [normed(added(row, one), layer["norm1"]) for row, one in zip(rows, seen, strict=True)]
        rows = [normed(added(row, fed(row, layer)), layer["norm2"]) for row in rows]
    return rows


def score_of(row: Row, told: Any) -> float:
    """The logarithm of a row's probability, token by token."""
    decoder = told["decoder"]
    memory = [
        normed(times(one, decoder["memory"], decoder["memory_bias"]), decoder["memory_norm"])
        for one in encoded(told["encoder"])
    ]
    first, last = [memory[at] for at in QUESTION.first], [memory[at] for at in QUESTION.last]
    numbers = [TOKENS.index(token) for token in row.tokens]
    before, spans = [BEGIN, *numbers], [None, *row.spans]
    pointed_to: list[set[int]] = [set()]
    for span in row.spans:
        pointed_to.append(pointed_to[-1] | (set(range(span[0], span[1] + 1)) if span else set()))
    pieces = [
        {piece for word in covered for piece in range(QUESTION.first[word], QUESTION.last[word] + 1)}
        for covered in pointed_to
    ]
    states: list[Any] = []
    for at, (token, span) in enumerate(zip(before, spans, strict=True)):
        state = added(decoder["tokens"][token], decoder["positions"][at])
        if span is not None:
            state = added(state, times([*first[span[0]], *last[span[1]]], decoder["span"]))
        states.append(normed(state, decoder["norm"]))
    for layer in decoder["layers"]:
        parts = [times(state, layer["qkv"]) for state in states]
        q, k, v = ([part[n * SIZE : (n + 1) * SIZE] for part in parts] for n in range(3))
        own = [attended(q[at], k[: at + 1], v[: at + 1], DECODER_HEADS) for at in range(len(states))]
        states = [
            normed(added(state, times(one, layer["out"])), layer["norm1"])
            for state, one in zip(states, own, strict=True)
        ]
        crossed = [times(one, layer["cross_kv"]) for one in memory]
        keys, values = [one[:SIZE] for one in crossed], [one[SIZE:] for one in crossed]
        seen = [
            attended(
                times(state, layer["cross_q"]),
                marked(keys, layer["covered"][:SIZE], own_pieces),
                marked(values, layer["covered"][SIZE:], own_pieces),
                DECODER_HEADS,
            )
            for state, own_pieces in zip(states, pieces, strict=True)
        ]
        states = [
            normed(added(state, times(one, layer["cross_out"])), layer["norm2"])
            for state, one in zip(states, seen, strict=True)
        ]
        states = [normed(added(state, fed(state, layer)), layer["norm3"]) for state in states]
    total = 0.0
    for state, token, span, covered in zip(
        states, [*numbers, END], [*row.spans, None], pointed_to, strict=True
    ):
        total += likelihoods(times(state, decoder["choice"], decoder["choice_bias"]))[token]
        if span is not None:
            asked = added(times(state, decoder["ends"]), times(first[span[0]], decoder["link"]))
            again = sum(float(a) * float(b) for a, b in zip(state, decoder["covered"], strict=True))
            added_to = [again if word in covered else 0.0 for word in range(len(first))]
            total += pointed(times(state, decoder["begins"]), first, decoder["begin_keys"], added_to, span[0])
            total += pointed(asked, last, decoder["end_keys"], [0.0] * len(last), span[1])
    return total


def marked(rows: Any, mark: Any, which: set[int]) -> Any:
    return [added(row, mark) if at in which else row for at, row in enumerate(rows)]


def pointed(asked: Any, words: Any, keys: Any, added_to: Sequence[float], word: int) -> float:
    scores = [
        sum(a * b for a, b in zip(asked, times(one, keys), strict=True)) / math.sqrt(SIZE) + more
        if usable
        else -1e9
        for one, usable, more in zip(words, QUESTION.usable, added_to, strict=True)
    ]
    return likelihoods(scores)[word]


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_the_formulas(seed: int) -> None:
    told = weights(seed)
    rows = Network(told, TOKENS).rows(QUESTION, width=6)
    assert rows
    for row in sorted(rows, key=lambda one: len(one.tokens))[:2]:
        assert row.score == pytest.approx(score_of(row, told), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_a_wider_search_finds_nothing_worse_and_points_at_no_mark(seed: int) -> None:
    network = Network(weights(seed), TOKENS)
    narrow, wide = (network.rows(QUESTION, width=width) for width in (2, 12))
    assert not narrow or wide[0].score >= narrow[0].score - 1e-4
    assert [row.score for row in wide] == sorted((row.score for row in wide), reverse=True)
    spans = [span for row in wide for span in row.spans if span is not None]
    assert all(first <= last and QUESTION.usable[first] and QUESTION.usable[last] for first, last in spans)
    assert all(
        (span is None) == (token != "S")
        for row in wide
        for token, span in zip(row.tokens, row.spans, strict=True)
    )
