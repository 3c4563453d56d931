"""Worlds built from benchmark files, kept below the data home under the hash of what they were built from."""

import hashlib
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from evals.runner.identity import code_digest
from evals.worlds.build import Passage, WorldReport, build_world_of
from map_tools.errors import InputFileError, MapStoreError

WORLD_FILE = "world.json"
REPORT_FILE = "report.json"
MIN_UNDERSTOOD = 0.95
"""Below this share of understood lines a world would answer from gaps; it is not built."""
SHOWN_MISSES = 5


@dataclass(frozen=True, slots=True)
class KeptWorld:
    """A world on disk: `path` is for `--provider recorded:PATH`, `report` says how it came about."""

    path: Path
    report: WorldReport


def world_for(passages: Sequence[Passage], *, name: str, attribution: str, root: Path) -> KeptWorld:
    """The world of these texts: from the cache if this very code built it, or built now.

    Args:
        passages: The texts in the order of the file.
        name: Name of the world.
        attribution: The credit answers show.
        root: Folder of all worlds (the data home's "worlds").

    Raises:
        InputFileError: Less than `MIN_UNDERSTOOD` of the lines are understood; names the first ones.
        MapStoreError: The folder cannot be written.
    """
    folder = root / f"{name}-{_key(passages, name, attribution)}"
    known = _read(folder)
    if known is not None:
        return known
    built = build_world_of(passages, name=name, attribution=attribution)
    _check(built.report, name)
    texts = {
        WORLD_FILE: built.world.model_dump_json(exclude_defaults=True),
        REPORT_FILE: built.report.model_dump_json(indent=1),
    }
    _write(folder, texts)
    return KeptWorld(folder / WORLD_FILE, built.report)


def _key(passages: Sequence[Passage], name: str, attribution: str) -> str:
    digest = hashlib.sha256(f"{name}\0{attribution}".encode())
    for passage in passages:
        digest.update(f"\0{passage.id}\0{passage.text}".encode())
    return digest.hexdigest()[:16]


def _read(folder: Path) -> KeptWorld | None:
    """The world of an earlier run; None if there is none, its files are damaged, or other code built it."""
    try:
        report = WorldReport.model_validate_json((folder / REPORT_FILE).read_text("utf-8"))
    except (OSError, ValidationError, UnicodeDecodeError):
        return None
    world = folder / WORLD_FILE
    ours = report.built_by == code_digest() and world.is_file()
    return KeptWorld(world, report) if ours else None


def _check(report: WorldReport, name: str) -> None:
    share = report.share_understood
    if share is None or share >= MIN_UNDERSTOOD:
        return
    shown = "; ".join(f"{miss.passage}: '{miss.line.strip()}'" for miss in report.misses[:SHOWN_MISSES])
    raise InputFileError(
        f"Only {share:.1%} of the lines of {name} are understood, so no world is made of it: {shown}.",
        "Give a hand-written world with --world PATH (docs/recorded-world.md).",
    )


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Writes the files beside and renames: a kill leaves nothing half-made, two processes do not collide."""
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        beside.mkdir(parents=True)
        for name, text in texts.items():
            (beside / name).write_text(text, encoding="utf-8")
        if folder.exists() and _read(folder) is None:
            shutil.rmtree(folder)
        try:
            beside.rename(folder)
        except OSError:
            if _read(folder) is None:  # not another process that was faster
                raise
    except OSError as error:
        raise MapStoreError(
            f"The world cannot be written to {folder}: {error.strerror}.",
            "Make sure that there is space and that you may write there.",
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
