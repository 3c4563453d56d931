"""The reader's network on numpy: an encoder reads a question once, a decoder writes a program token by token.

The encoder makes a vector of each piece of a word; it is a transformer as of BERT (Devlin et al., 2019,
arXiv:1810.04805), begun from MiniLM (Wang et al., 2020, arXiv:2002.10957). The decoder is a small one of its own. A
token that stands for words of the question comes with a pointer to their first and last word (pointer networks:
Vinyals et al., 2015, arXiv:1506.03134). The decoder is told which words it has pointed to already, so that a list of
names is followed to its end (coverage: See et al., 2017, arXiv:1704.04368).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modules.nlu.words import Pieces

type Floats = NDArray[np.float32]
type Layer = Mapping[str, Any]

ENCODER_HEADS = 12
_GELU = np.float32(np.sqrt(2 / np.pi))
DECODER_HEADS = 8
LONGEST_INPUT, LONGEST_PROGRAM = 152, 72
"""Maximum number of pieces read and of tokens written, as in training."""
BEGIN, END = 1, 2
"""Ids of the tokens that begin and end a row; 0 is padding."""
POINTING = frozenset({"S", "T", "T2", "Q", "N"})
"""Tokens that stand for words: a name or kind, a time, one of the other half of the day, an amount, a number."""
_WIDEST = 16
"""Maximum number of words in a span."""
_ENDS, _SPANS = 3, 3
"""Numbers of first and last words, and of spans made of them, that are followed up."""
NEVER = -1e9
_HOPELESS = 4.0
"""A partial row whose score is this much below a finished one's is given up."""
_LOST = 4.0
"""A partial row whose score is this much below the best one's is not followed."""


def encoded(weights: Layer, ids: Sequence[int], segments: Sequence[int]) -> Floats:
    """Runs the encoder over a row of pieces; returns their vectors, (pieces, d).

    Args:
        weights: Those of the encoder.
        ids: Ids of the pieces.
        segments: The segment of each piece.
    """
    words: Floats = weights["words"][list(ids)] * weights["words_scale"]
    x = normed(
        words + weights["positions"][: len(ids)] + weights["segments"][list(segments)], weights["norm"]
    )
    for layer in weights["layers"]:
        parts = np.split(x @ layer["qkv"] + layer["qkv_bias"], 3, axis=-1)
        q, k, v = (parted(part, ENCODER_HEADS) for part in parts)
        seen = joined(attended(q, k, v)) @ layer["out"] + layer["out_bias"]
        x = normed(x + seen, layer["norm1"])
        x = normed(x + fed(x, layer), layer["norm2"])
    return x


def normed(x: Floats, norm: Floats) -> Floats:
    """Layer normalisation; `norm` holds the factors and the offsets."""
    share = np.float32(1 / x.shape[-1])
    apart = x - np.add.reduce(x, -1, keepdims=True) * share
    spread = np.sqrt(np.add.reduce(apart * apart, -1, keepdims=True) * share + 1e-6)
    made: Floats = apart / spread * norm[0] + norm[1]
    return made


def fed(x: Floats, layer: Layer) -> Floats:
    """The feed-forward part of a layer, with GELU by its usual approximation."""
    inner = x @ layer["inner"] + layer["inner_bias"]
    inner = inner * (1 + np.tanh(_GELU * inner * (1 + np.float32(0.044715) * inner * inner))) / 2
    made: Floats = inner @ layer["outer"] + layer["outer_bias"]
    return made


def parted(x: Floats, heads: int) -> Floats:
    """(n, d) as (heads, n, d / heads)."""
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def joined(x: Floats) -> Floats:
    """(heads, n, d / heads) as (n, d)."""
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


def scale(q: Floats) -> np.float32:
    """The factor of attention scores: 1 / sqrt(d)."""
    return np.float32(q.shape[-1] ** -0.5)


def attended(q: Floats, k: Floats, v: Floats) -> Floats:
    """Scaled dot-product attention."""
    return softmax(q @ k.swapaxes(-1, -2) * scale(q)) @ v


def softmax(x: Floats) -> Floats:
    """Softmax along the last axis."""
    raised: Floats = np.exp(x - x.max(-1, keepdims=True))
    made: Floats = raised / raised.sum(-1, keepdims=True)
    return made


def log_softmax(x: Floats) -> Floats:
    """Logarithm of the softmax along the last axis."""
    shifted = x - x.max(-1, keepdims=True)
    made: Floats = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return made


@dataclass(frozen=True, slots=True)
class Row:
    """A row of tokens that the network has written.

    Attributes:
        score: The logarithm of its probability.
        weakest: The logarithm of the probability of its least likely step.
        tokens: The tokens.
        spans: For each token the first and last word it stands for; None for tokens that stand for themselves.
    """

    score: float
    weakest: float
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int] | None, ...]


@dataclass(slots=True)
class _Memory:
    """What the decoder attends to while it writes: arrays over the pieces or the words of a question.

    `word_of` holds the index of each piece's word; for a piece of no word, the index after the last word's.
    """

    first: Floats
    last: Floats
    begins: Floats
    ends: Floats
    unusable: NDArray[np.bool_]
    word_of: NDArray[np.int64]
    cross: list[tuple[Floats, Floats]]


@dataclass(slots=True)
class _Written:
    """State of several partial rows.

    Attributes:
        tokens: Their last tokens.
        spans: The first and last words that these point to, (rows, 2); -1 for none.
        covered: 1 for words that any of their tokens points to, else 0.
        cache: The keys and values of all but the last tokens, layer by layer; None before there are any.
    """

    tokens: NDArray[np.int64]
    spans: NDArray[np.int64]
    covered: Floats
    cache: Sequence[tuple[Floats, Floats] | None]


@dataclass(slots=True)
class _Step:
    """Scores of the next step of several rows.

    Attributes:
        tokens: Log probabilities of the next token.
        begins: Log probabilities of the first word that it stands for.
        asked: Query vectors by which its last word is found.
        cache: The keys and values of all tokens so far, layer by layer.
    """

    tokens: Floats
    begins: Floats
    asked: Floats
    cache: list[tuple[Floats, Floats]]


class Network:
    """The trained network.

    Args:
        weights: Arrays by their names, in single precision.
        tokens: The tokens by their numbers.
    """

    def __init__(self, weights: Mapping[str, Any], tokens: Sequence[str]) -> None:
        self._encoder: Layer = weights["encoder"]
        self._decoder: Layer = weights["decoder"]
        self._tokens = tuple(tokens)
        self._points = np.array([token in POINTING for token in tokens])

    def rows(self, pieces: Pieces, *, width: int) -> list[Row]:
        """The likeliest rows for a question, best first (beam search).

        Args:
            pieces: The question.
            width: Beam width.
        """
        memory = self._remember(pieces)
        alive, ended = [Row(0.0, 0.0, (), ())], list[Row]()
        covered = np.zeros((1, len(memory.first) + 1), np.float32)
        nothing = [None] * len(self._decoder["layers"])
        written = _Written(np.array([BEGIN]), np.array([[-1, -1]]), covered, nothing)
        for step in range(LONGEST_PROGRAM):
            following = self._step(memory, written, step)
            best = self._best(memory, alive, following, width)
            kept: list[tuple[Row, int, int]] = []
            for score, row, token, span in best:
                if score < best[0][0] - _LOST:
                    break
                weakest = min(alive[row].weakest, score - alive[row].score)
                if token == END:
                    ended.append(replace(alive[row], score=score, weakest=weakest))
                elif token > END and len(kept) < width:
                    tokens, spans = (*alive[row].tokens, self._tokens[token]), (*alive[row].spans, span)
                    kept.append((Row(score, weakest, tokens, spans), row, token))
            if not kept or _decided(ended, kept[0][0].score, width):
                break
            alive = [row for row, _, _ in kept]
            chosen = np.array([row for _, row, _ in kept])
            written = _Written(
                tokens=np.array([token for _, _, token in kept]),
                spans=np.array([row.spans[-1] or (-1, -1) for row in alive]),
                covered=written.covered[chosen],
                cache=[(keys[chosen], values[chosen]) for keys, values in following.cache],
            )
            for number, longer in enumerate(alive):
                if (span := longer.spans[-1]) is not None:
                    written.covered[number, span[0] : span[1] + 1] = 1
        return sorted(ended, key=lambda row: -row.score)

    def _best(
        self, memory: _Memory, alive: Sequence[Row], following: _Step, width: int
    ) -> list[tuple[float, int, int, tuple[int, int] | None]]:
        """Continuations that may be among the best, best first: score, row, token, span."""
        found: list[tuple[float, int, int, tuple[int, int] | None]] = []
        for number, row in enumerate(alive):
            scores = following.tokens[number]
            chosen = np.argsort(-scores)[: width + 1]
            chosen = chosen[row.score + scores[chosen] > alive[0].score - _LOST]
            points = self._points[chosen].any()
            spans = self._spans(memory, following.begins[number], following.asked[number]) if points else []
            for token in chosen:
                score = row.score + float(scores[token])
                if self._points[token]:
                    found += [(score + own, number, int(token), span) for own, span in spans]
                else:
                    found.append((score, number, int(token), None))
        return sorted(found, key=lambda one: -one[0])

    def _spans(self, memory: _Memory, begins: Floats, asked: Floats) -> list[tuple[float, tuple[int, int]]]:
        """The likeliest spans with their scores: where one ends depends on where it begins."""
        firsts = np.argsort(-begins)[:_ENDS]
        linked = asked + memory.first[firsts] @ self._decoder["link"]
        ends = linked @ memory.ends.T * scale(linked)
        ends[:, memory.unusable] = NEVER
        ends = log_softmax(ends)
        found = [
            (float(begins[i] + ends[number, j]), (int(i), int(j)))
            for number, i in enumerate(firsts)
            for j in np.argsort(-ends[number])[:_ENDS]
            if i <= j < i + _WIDEST
        ]
        return sorted(found, reverse=True)[:_SPANS]

    def _remember(self, pieces: Pieces) -> _Memory:
        weights = self._decoder
        read = encoded(self._encoder, pieces.ids, pieces.segments)
        memory = normed(read @ weights["memory"] + weights["memory_bias"], weights["memory_norm"])
        first, last = memory[pieces.first], memory[pieces.last]
        cross = []
        for layer in weights["layers"]:
            k, v = np.split(memory @ layer["cross_kv"], 2, axis=-1)
            cross.append((parted(k, DECODER_HEADS).transpose(0, 2, 1), parted(v, DECODER_HEADS)))
        word_of = np.full(len(memory), len(first))
        for word, (begin, end) in enumerate(zip(pieces.first, pieces.last, strict=True)):
            word_of[begin : end + 1] = word
        return _Memory(
            first, last, first @ weights["begin_keys"], last @ weights["end_keys"],
            ~np.array(pieces.usable), word_of, cross,
        )  # fmt: skip

    def _step(self, memory: _Memory, written: _Written, step: int) -> _Step:
        """Runs the decoder for one step of several rows."""
        tokens, spans, covered = written.tokens, written.spans, written.covered
        weights, rows = self._decoder, len(tokens)
        x = weights["tokens"][tokens] + weights["positions"][step]
        if (spans >= 0).any():
            pointed = np.concatenate([memory.first[spans[:, 0]], memory.last[spans[:, 1]]], axis=-1)
            x = x + np.where(spans[:, :1] >= 0, pointed @ weights["span"], np.float32(0))
        x = normed(x, weights["norm"])
        seen_before = covered[:, None, None, memory.word_of]
        longer: list[tuple[Floats, Floats]] = []
        for layer, past, (cross_k, cross_v) in zip(
            weights["layers"], written.cache, memory.cross, strict=True
        ):
            q, k, v = np.split(x @ layer["qkv"], 3, axis=-1)
            keys = k[:, None] if past is None else np.concatenate([past[0], k[:, None]], axis=1)
            values = v[:, None] if past is None else np.concatenate([past[1], v[:, None]], axis=1)
            longer.append((keys, values))
            own = attended(q.reshape(rows, DECODER_HEADS, 1, -1), _by_head(keys), _by_head(values))
            x = normed(x + own.reshape(rows, -1) @ layer["out"], layer["norm1"])
            q = (x @ layer["cross_q"]).reshape(rows, DECODER_HEADS, 1, -1)
            own_key, own_value = layer["covered"].reshape(2, DECODER_HEADS, 1, -1)
            told = (q * own_key).sum(-1, keepdims=True) * seen_before
            shares = softmax((q @ cross_k + told) * scale(q))
            seen = shares @ cross_v + (shares * seen_before).sum(-1, keepdims=True) * own_value
            x = normed(x + seen.reshape(rows, -1) @ layer["cross_out"], layer["norm2"])
            x = normed(x + fed(x, layer), layer["norm3"])
        begins: Floats = (x @ weights["begins"]) @ memory.begins.T * scale(x)
        begins += (x @ weights["covered"])[:, None] * covered[:, :-1]
        begins[:, memory.unusable] = NEVER
        told = x @ weights["choice"] + weights["choice_bias"]
        return _Step(log_softmax(told), log_softmax(begins), x @ weights["ends"], longer)


def _decided(ended: Sequence[Row], ahead: float, width: int) -> bool:
    """Whether unfinished rows, the best of which scores `ahead`, can no longer change the result."""
    best = max((row.score for row in ended), default=-np.inf)
    return best > ahead + _HOPELESS or (len(ended) >= width and best > ahead)


def _by_head(x: Floats) -> Floats:
    """(rows, n, d) as (rows, heads, n, d / heads)."""
    return x.reshape(*x.shape[:2], DECODER_HEADS, -1).transpose(0, 2, 1, 3)
