"""The encoder of the reader's network on numpy: a row of pieces of words becomes a vector for each piece.

It is a transformer as of BERT (Devlin et al., 2019, arXiv:1810.04805), begun from MiniLM (Wang et al., 2020,
arXiv:2002.10957).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float32]
type Layer = Mapping[str, Any]

ENCODER_HEADS = 12
_GELU = np.float32(np.sqrt(2 / np.pi))


def encoded(weights: Layer, ids: Sequence[int], segments: Sequence[int]) -> Floats:
    """What the encoder makes of a row of pieces: a vector for each.

    Args:
        weights: Of the encoder.
        ids: The pieces.
        segments: What each of them belongs to.
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
    """What scores of attention are multiplied by."""
    return np.float32(q.shape[-1] ** -0.5)


def attended(q: Floats, k: Floats, v: Floats) -> Floats:
    """What each query sees of the values."""
    return softmax(q @ k.swapaxes(-1, -2) * scale(q)) @ v


def softmax(x: Floats) -> Floats:
    """Shares, along the last axis."""
    raised: Floats = np.exp(x - x.max(-1, keepdims=True))
    made: Floats = raised / raised.sum(-1, keepdims=True)
    return made


def log_softmax(x: Floats) -> Floats:
    """Logarithms of shares, along the last axis."""
    shifted = x - x.max(-1, keepdims=True)
    made: Floats = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return made
