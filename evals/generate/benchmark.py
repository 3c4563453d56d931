"""What all generators share: how many questions of each family, and the folder of a benchmark.

A folder is written whole or not at all, and never over anything.
"""

import hashlib
import json
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence, Sized
from pathlib import Path
from typing import Any

from map_tools.errors import UsageError


def shares[K](families: Sequence[K], total: int | None, each: int) -> dict[K, int]:
    """`each` of every family; or `total` in all, the first families one more where it does not divide."""
    if total is None:
        return dict.fromkeys(families, each)
    part, rest = divmod(total, len(families))
    return {family: part + (index < rest) for index, family in enumerate(families)}


DATASET_FILE = "dataset.json"
TRUTH_FILE = "truth.jsonl"
MANIFEST_FILE = "manifest.json"
FORMAT_VERSION = 1


def manifest_of(
    info: Mapping[str, Any], questions: Sized, given_up: Mapping[str, str], **facts: Any
) -> dict[str, Any]:
    """What was made of what.

    Args:
        info: Description of the map.
        questions: What was made.
        given_up: The families the map has too little for, with the reason.
        facts: What else there is to say, as the seed.
    """
    return {
        "format": FORMAT_VERSION,
        "map": info["name"],
        "map_source_sha256": info["source_sha256"],
        "attribution": info["attribution"],
        "given_up": given_up,
        "n": len(questions),
        **facts,
    }


def check_free(out: Path) -> None:
    """Looks before the work begins whether a folder can be written.

    Raises:
        UsageError: `out` is a file, or a folder that is not empty.
    """
    if out.is_dir():
        if any(out.iterdir()):
            raise UsageError(
                f"The folder {out} is not empty, and nothing is overwritten.", "Name another --out."
            )
    elif out.exists() or out.is_symlink():
        raise UsageError(f"{out} is not a folder.", "Name another --out.")


def write_benchmark(
    out: Path,
    records: Iterable[Mapping[str, Any]],
    truths: Iterable[Mapping[str, Any]],
    manifest: Mapping[str, Any],
    further: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Writes the three files of a benchmark, and further ones; returns the manifest with the questions' hash.

    Args:
        out: The folder.
        records: The questions.
        truths: How each answer follows.
        manifest: What was made of what.
        further: The texts of further files by name.

    Raises:
        UsageError: `out` cannot be written, or holds something.
    """
    check_free(out)
    dataset = json.dumps(list(records), ensure_ascii=False, indent=1) + "\n"
    complete = {**manifest, "sha256": hashlib.sha256(dataset.encode()).hexdigest()}
    texts = {
        DATASET_FILE: dataset,
        TRUTH_FILE: "".join(json.dumps(truth, ensure_ascii=False) + "\n" for truth in truths),
        MANIFEST_FILE: json.dumps(complete, ensure_ascii=False, indent=1) + "\n",
        **(further or {}),
    }
    try:
        _write(out, texts)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Name another --out.") from error
    return complete


def _write(out: Path, texts: Mapping[str, str]) -> None:
    """Fills a folder beside `out` and renames it, so that a kill leaves nothing half-made."""
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(f".{out.name}-{secrets.token_hex(4)}")
    beside.mkdir()
    try:
        for name, text in texts.items():
            (beside / name).write_text(text, "utf-8")
        beside.replace(out)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
