"""Puts pictures, frames and questions together into a folder.

images/0001.png ...   the pictures
frames.jsonl          a line each: exact centre, scale, bounding box, and all labels with their pixels
dev.jsonl             the questions, in the form of MapEval-Visual as the suite `mapeval-visual` reads it
truth.jsonl           the account of each answer
manifest.json         map, seed, counts
"""

import json
import random
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from itertools import cycle
from pathlib import Path
from typing import Any

from evals.generate.folder import MANIFEST_FILE, TRUTH_FILE, check_free
from evals.generate.map_images.picture import show
from evals.generate.map_images.questions import CATEGORIES, FAMILIES, Bench, Draft, words
from evals.generate.map_images.scene import Scene
from evals.generate.map_images.variety import PLAIN, Variety
from evals.generate.world import RawMap
from map_tools.errors import LimitError, UsageError

FORMAT_VERSION = 2
FRAMES_FILE = "frames.jsonl"
QUESTIONS_FILE = "dev.jsonl"
IMAGES = "images"
TRIES = 30
"""Drafts of one family tried on one picture."""
LETTERS = "ABCD"

type Record = dict[str, Any]


def generate(
    folder: Path, count: int, seed: int, out: Path, variety: Variety = PLAIN, *, questions_each: int = 4
) -> dict[str, Any]:
    """Writes a benchmark of `count` pictures of the map in `folder`; returns its manifest.

    Raises:
        UsageError: There is no style of a name; `out` holds something already, or cannot be written.
        MapStoreError: The folder holds no map.
        ConfigError: The font package is not installed.
        LimitError: No place of the map has enough labels around it; nothing is written.
    """
    check_free(out)
    raw = RawMap(folder)
    scene = Scene(raw)
    dice = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    frames: list[Record] = []
    questions: list[Record] = []
    truths: list[Record] = []
    turn = cycle(FAMILIES)
    beside = _beside(out)
    try:
        for number in range(1, count + 1):
            shown = show(scene, dice, variety)
            if shown is None:
                raise LimitError(
                    f"The map '{raw.info['name']}' has too few named places for a picture.",
                    "Take another map.",
                )
            image = f"{IMAGES}/{number:04d}.png"
            variety.worn(shown.paint(), dice).save(beside / image, optimize=True)
            frames.append({"image": image, **shown.record()})
            for family, draft in _drafts(Bench(shown, dice), turn, questions_each):
                record, truth = _worded(len(questions) + 1, image, family, draft, dice)
                questions.append(record)
                truths.append(truth)
        manifest = {
            "format": FORMAT_VERSION,
            "map": raw.info["name"],
            "map_source_sha256": raw.info["source_sha256"],
            "attribution": raw.info["attribution"],
            "seed": seed,
            "variety": asdict(variety),
            "pictures": count,
            "n": len(questions),
        }
        _write(beside, frames, questions, truths, manifest)
        beside.replace(out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Name another --out.") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return manifest


def _beside(out: Path) -> Path:
    """A folder to fill beside `out`, so that a kill leaves nothing half-made."""
    beside = out.with_name(f".{out.name}-{secrets.token_hex(4)}")
    try:
        (beside / IMAGES).mkdir(parents=True)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Name another --out.") from error
    return beside


def _write(
    folder: Path, frames: list[Record], questions: list[Record], truths: list[Record], manifest: Record
) -> None:
    for name, records in ((FRAMES_FILE, frames), (QUESTIONS_FILE, questions), (TRUTH_FILE, truths)):
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (folder / name).write_text(lines, "utf-8")
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _drafts(bench: Bench, turn: Iterator[str], count: int) -> Iterator[tuple[str, Draft]]:
    """Questions about one picture, the families in turn; those that find no material are passed over."""
    made = 0
    for family in (next(turn) for _ in range(2 * len(FAMILIES))):
        draft = next(
            (one for one in (FAMILIES[family](bench) for _ in range(TRIES)) if one is not None), None
        )
        if draft is not None:
            yield family, draft
            made += 1
        if made == count:
            return


def _worded(number: int, image: str, family: str, draft: Draft, dice: random.Random) -> tuple[Record, Record]:
    wording = dice.choice(words()["wordings"][family])
    options = [*draft.wrong, *((draft.right,) if draft.right is not None else ())]
    dice.shuffle(options)
    name = f"picture-{number:04d}"
    record: Record = {
        "id": name,
        "image": image,
        "question": wording.format(**draft.slots),
        "options": options,
        "answer": None if draft.right is None else LETTERS[options.index(draft.right)],
        "answer_text": draft.right,
        "category": CATEGORIES[family],
    }
    return record, {"id": name, "family": family, "why": draft.why}
