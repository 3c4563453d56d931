"""Packing keeps what was trained, to a 254th of each column's span."""

import io

import numpy as np

from modules.nlu.weights import load
from scripts.reader.pack import packed


def test_arrays_come_back_in_their_tables() -> None:
    chance = np.random.default_rng(2)
    weights = {
        "encoder.words": chance.normal(size=(7, 4)), "encoder.layers.0.out": chance.normal(size=(4, 5)),
        "encoder.layers.1.out": chance.normal(size=(4, 5)) * 9, "encoder.norm": chance.normal(size=(2, 4)),
    }  # fmt: skip
    named = {name.replace(".", "/"): value.astype(np.float32) for name, value in weights.items()}
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **packed(named, ["a", "b"], ["x"]))
    file.seek(0)
    found = load(file)
    assert (found.tokens, found.pieces) == (("a", "b"), ("x",))
    encoder = found.arrays["encoder"]
    for number in (0, 1):
        want = weights[f"encoder.layers.{number}.out"]
        assert np.all(
            np.abs(encoder["layers"][number]["out"] - want) <= np.abs(want).max(axis=0) / 254 + 1e-6
        )
    assert np.allclose(encoder["norm"], weights["encoder.norm"], atol=1e-6)
    words = encoder["words"] * encoder["words_scale"]
    assert np.all(
        np.abs(words - weights["encoder.words"]) <= np.abs(weights["encoder.words"]).max(axis=0) / 254 + 1e-6
    )
