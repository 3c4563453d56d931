"""Packs trained weights as the file that the reader is read from.

    python -m scripts.reader.pack WEIGHTS.npz PREPARED.json.gz
    python -m scripts.reader.pack MARKS.npz WINDOWS.json.gz --out modules/nlu/data/marks.npz

Matrices are kept in eight bits with a factor for each column: a quarter of the size, and no figure of the
benchmark moves by more than one question in two hundred.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from modules.nlu.weights import ABOUT, FILE, SCALE
from scripts.reader.examples import ROOT

OUT = ROOT / "modules" / "nlu" / "data" / FILE
_STEPS = 127


def main(arguments: Sequence[str]) -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args(arguments)
    with gzip.open(given.prepared, "rt", encoding="utf-8") as file:
        prepared = json.load(file)
    with np.load(given.weights) as weights:
        made = packed(dict(weights), prepared["tokens"], prepared.get("pieces", ()))
    np.savez(given.out, allow_pickle=False, **made)
    sys.stdout.write(f"{given.out.stat().st_size / 1e6:.1f} MB\n")


def packed(weights: Mapping[str, Any], tokens: Sequence[str], pieces: Sequence[str]) -> dict[str, Any]:
    """The arrays of the file."""
    made: dict[str, Any] = {}
    for name, array in sorted(weights.items()):
        if array.ndim == 2 and "norm" not in name:
            scale = np.maximum(np.abs(array).max(axis=0), 1e-12) / _STEPS
            made[name] = np.round(array / scale).astype(np.int8)
            made[f"{name}{SCALE}"] = scale.astype(np.float32)
        else:
            made[name] = array.astype(np.float32)
    about = {"tokens": list(tokens), "pieces": list(pieces)}
    made[ABOUT] = np.frombuffer(json.dumps(about, ensure_ascii=False).encode("utf-8"), dtype=np.uint8)
    return made


if __name__ == "__main__":
    main(sys.argv[1:])
