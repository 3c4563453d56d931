"""Multiple-choice questions about pictures, their answers measured in the exact frame; all of it in a folder.

What is asked is what somebody sees: labels and icons. The truth is the pixel of each place's own position; a
question whose answer a label's width could change is not asked.

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
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from itertools import cycle
from math import dist
from pathlib import Path
from typing import Any

from evals.generate.benchmark import MANIFEST_FILE, TRUTH_FILE, check_free
from evals.generate.map_images.labelling import Label
from evals.generate.map_images.picture import Shown, show
from evals.generate.map_images.scene import Scene
from evals.generate.map_images.style import PLAIN, Variety
from evals.generate.world import RawMap, distance_m, fold
from map_tools.errors import LimitError, UsageError

CLEAR_SHARE = 0.12
"""A place counts for a half if it is so far from the middle, as a share of the width or height."""
NEAR_RATIO = 1.6
NEAR_PX = 60
"""The nearest must be nearer than the next by this ratio and by so many pixels: labels stand beside icons."""
ASIDE_SHARE = 0.12
"""What is between two places lies no farther from the line between them, as a share of its length."""
LEAST_LINE_SHARE = 0.35
"""The two are at least so far apart, as a share of the picture's width."""
LEAST_DISTANCE_PX = 250
OPTIONS = 4
WRONG_DISTANCES = (0.45, 0.65, 1.45, 1.8, 2.2)
SYLLABLES = ("bel", "cor", "dun", "far", "gol", "har", "kel", "lor", "mon", "nar", "pel", "tav", "vel")
ENDINGS = ("House", "Gallery", "Market", "Tower", "Gardens", "Arcade")

type Family = Callable[["Bench"], "Draft | None"]


@dataclass(frozen=True)
class Draft:
    """A question without words; `right` is None if the picture cannot answer it."""

    slots: Mapping[str, str]
    right: str | None
    wrong: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Bench:
    """What a family makes its questions of."""

    shown: Shown
    dice: random.Random

    def pick(self, count: int) -> list[Label]:
        """Different places of the picture; fewer if it has fewer."""
        places = self.shown.places
        return self.dice.sample(places, min(count, len(places)))


@lru_cache(maxsize=1)
def words() -> dict[str, Any]:
    """The wordings, sides and kinds of `questions.toml`."""
    text = resources.files("evals.generate.map_images").joinpath("questions.toml").read_text("utf-8")
    return tomllib.loads(text)


def half(bench: Bench) -> Draft | None:
    """Which of four places lies in a half of the picture."""
    side = bench.dice.choice(sorted(words()["sides"]))
    inside = [label for label in bench.shown.places if _share(bench, label, side) < 0.5 - CLEAR_SHARE]
    outside = [label for label in bench.shown.places if _share(bench, label, side) > 0.5 + CLEAR_SHARE]
    if not inside or len(outside) < OPTIONS - 1:
        return None
    right = bench.dice.choice(inside)
    wrong = bench.dice.sample(outside, OPTIONS - 1)
    return _draft({"side": side}, right, wrong, f"at {_share(bench, right, side):.2f} from the {side} edge")


def outermost(bench: Bench) -> Draft | None:
    """Which of four places lies farthest to a side."""
    side = bench.dice.choice(sorted(words()["sides"]))
    chosen = sorted(bench.pick(OPTIONS), key=lambda label: _share(bench, label, side))
    if len(chosen) < OPTIONS:
        return None
    if _share(bench, chosen[1], side) - _share(bench, chosen[0], side) < CLEAR_SHARE:
        return None
    why = f"{_share(bench, chosen[0], side):.2f} of the way from the {side} edge"
    return _draft({"to_side": words()["sides"][side]}, chosen[0], chosen[1:], why)


def nearest(bench: Bench) -> Draft | None:
    """Which of four places is nearest to another."""
    chosen = bench.pick(OPTIONS + 1)
    if len(chosen) <= OPTIONS:
        return None
    anchor = chosen[0]
    rest = sorted(chosen[1:], key=lambda label: dist(anchor.anchor, label.anchor))
    first, second = (dist(anchor.anchor, label.anchor) for label in rest[:2])
    if second < max(first * NEAR_RATIO, first + NEAR_PX):
        return None
    return _draft({"a": anchor.feature.name}, rest[0], rest[1:], f"{first:.0f} px, the next {second:.0f} px")


def count(bench: Bench) -> Draft | None:
    """How many places of a kind are labelled."""
    kinds, found = _kind(bench)
    return _count({"kinds": kinds}, [label.feature.name for label in found], bench)


def count_half(bench: Bench) -> Draft | None:
    """How many places of a kind are labelled in a half of the picture."""
    kinds, found = _kind(bench)
    side = bench.dice.choice(sorted(words()["sides"]))
    shares = [_share(bench, label, side) for label in found]
    if any(abs(share - 0.5) < CLEAR_SHARE for share in shares):
        return None
    inside = [label.feature.name for label, share in zip(found, shares, strict=True) if share < 0.5]
    return _count({"kinds": kinds, "side": side}, inside, bench)


def between(bench: Bench) -> Draft | None:
    """Which of four places lies between two others."""
    ends = bench.pick(2)
    if len(ends) < 2 or dist(ends[0].anchor, ends[1].anchor) < LEAST_LINE_SHARE * bench.shown.frame.width_px:
        return None
    others = [(one, *_along(one, *ends)) for one in bench.shown.places if one not in ends]
    inside = [one for one, at, off in others if 0.25 < at < 0.75 and off < ASIDE_SHARE]
    outside = [one for one, at, off in others if not -0.2 < at < 1.2 or off > 0.5]
    if not inside or len(outside) < OPTIONS - 1:
        return None
    right = bench.dice.choice(inside)
    slots = {"a": ends[0].feature.name, "b": ends[1].feature.name}
    at, off = _along(right, *ends)
    return _draft(
        slots, right, bench.dice.sample(outside, OPTIONS - 1), f"at {at:.2f} of the way, {off:.2f} off"
    )


def distance(bench: Bench) -> Draft | None:
    """The straight line between two places, in metres: only the map's scale tells."""
    chosen = bench.pick(2)
    if len(chosen) < 2 or dist(chosen[0].anchor, chosen[1].anchor) < LEAST_DISTANCE_PX:
        return None
    a, b = chosen
    metres = distance_m(a.feature.point, b.feature.point)
    right = _metres(metres)
    wrong = tuple(_metres(metres * share) for share in bench.dice.sample(WRONG_DISTANCES, OPTIONS - 1))
    return Draft({"a": a.feature.name, "b": b.feature.name}, right, wrong, f"{metres:.1f} m")


def nowhere(bench: Bench) -> Draft | None:
    """What is nearest to a place that is not on the map."""
    name = f"{''.join(bench.dice.sample(SYLLABLES, 3)).capitalize()} {bench.dice.choice(ENDINGS)}"
    chosen = bench.pick(OPTIONS)
    if len(chosen) < OPTIONS or any(fold(name) in fold(one.feature.name) for one in bench.shown.labels):
        return None
    return Draft({"nowhere": name}, None, tuple(one.feature.name for one in chosen), f"no label reads {name}")


FAMILIES: Mapping[str, Family] = {
    "half": half,
    "outermost": outermost,
    "nearest": nearest,
    "count": count,
    "count_half": count_half,
    "between": between,
    "distance": distance,
    "nowhere": nowhere,
}
CATEGORIES: Mapping[str, str] = {
    "half": "poi",
    "outermost": "poi",
    "nearest": "nearby",
    "count": "counting",
    "count_half": "counting",
    "between": "nearby",
    "distance": "distance",
    "nowhere": "unanswerable",
}


def _share(bench: Bench, label: Label, side: str) -> float:
    """How far from a side a place lies: 0 at that edge, 1 at the opposite one."""
    x, y = label.anchor
    frame = bench.shown.frame
    shares = {"left": x / frame.width_px, "upper": y / frame.height_px}
    shares |= {"right": 1 - shares["left"], "lower": 1 - shares["upper"]}
    return shares[side]


def _kind(bench: Bench) -> tuple[str, list[Label]]:
    kinds = bench.dice.choice(sorted(words()["kinds"]))
    key, value = words()["kinds"][kinds].split("=")
    return kinds, [
        one for one in bench.shown.labels if one.kind == "poi" and one.feature.tags.get(key) == value
    ]


def _count(slots: Mapping[str, str], names: list[str], bench: Bench) -> Draft | None:
    if not 2 <= len(names) <= 12:
        return None
    around = [number for number in range(max(0, len(names) - 3), len(names) + 4) if number != len(names)]
    wrong = tuple(str(number) for number in bench.dice.sample(around, OPTIONS - 1))
    return Draft(slots, str(len(names)), wrong, ", ".join(names))


def _along(label: Label, a: Label, b: Label) -> tuple[float, float]:
    """Where a place lies along the line from a to b and how far off it, as shares of the line's length."""
    (ax, ay), (bx, by), (x, y) = a.anchor, b.anchor, label.anchor
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    return ((x - ax) * dx + (y - ay) * dy) / square, abs(dx * (y - ay) - dy * (x - ax)) / square


def _draft(slots: Mapping[str, str], right: Label, wrong: list[Label], why: str) -> Draft:
    names = tuple(label.feature.name for label in wrong)
    return Draft(slots, right.feature.name, names, f"{right.feature.name}: {why}")


def _metres(value: float) -> str:
    return f"{round(value, -1):.0f} m" if value < 1000 else f"{value / 1000:.1f} km"


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
