"""Brings a generated benchmark up to date with a newer map (GS-QA, section 3.6)."""

import json
from pathlib import Path
from typing import Any

from evals.generate.folder import TRUTH_FILE, check_free
from evals.generate.gsqa.generator import Generator, write
from evals.generate.gsqa.params import Options, Params, UnfitError
from evals.generate.gsqa.record import Made
from map_tools.errors import InputFileError


def refresh(folder: Path, old: Path, seed: int, out: Path, options: Options) -> dict[str, Any]:
    """Asks the old questions of the new map; those that are no good any more are replaced by new ones.

    A replacement is of the same template. The manifest says how many were kept and which were replaced, why.

    Args:
        folder: The newer map's folder.
        old: The folder of the benchmark.
        seed: Of the choice of replacements.
        out: The folder to write.
        options: What kinds of questions are let in.

    Raises:
        UsageError: `out` cannot be written, or holds something.
        InputFileError: `old` holds none.
    """
    check_free(out)
    before = [(str(truth["id"]), _params(old, truth)) for truth in _read_truth(old)]
    generator = Generator(folder, seed, options)
    kept: list[Made] = []
    replaced: dict[str, str] = {}
    for number, params in before:
        try:
            kept.append(generator.again(number, params))
        except UnfitError as unfit:
            replaced[number] = str(unfit)
    fresh = _replacements(generator, dict(before), replaced)
    made = sorted([*kept, *fresh], key=lambda one: [number for number, _ in before].index(one.record["id"]))
    return write(generator, made, {"seed": seed, "kept": len(kept), "replaced": replaced}, out)


def _replacements(generator: Generator, before: dict[str, Params], gone: dict[str, str]) -> list[Made]:
    """A new question of the same template under the id of each that is gone, as far as the map has them."""
    needed: dict[str, list[str]] = {}
    for number in gone:
        needed.setdefault(before[number].template, []).append(number)
    standing = [params for number, params in before.items() if number not in gone]
    fresh: dict[str, list[Made]] = {}
    for one in generator.make({template: len(ids) for template, ids in needed.items()}, standing):
        fresh.setdefault(one.record["template"], []).append(one)
    return [
        _renumbered(one, number)
        for template, numbers in needed.items()
        for number, one in zip(numbers, fresh.get(template, ()), strict=False)
    ]


def _renumbered(one: Made, number: str) -> Made:
    return Made(one.record | {"id": number}, one.truth | {"id": number})


def _read_truth(folder: Path) -> list[dict[str, Any]]:
    try:
        lines = (folder / TRUTH_FILE).read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        raise InputFileError(
            f"{folder / TRUTH_FILE} cannot be read.", "Name the folder of a generated benchmark."
        ) from error


def _params(old: Path, truth: dict[str, Any]) -> Params:
    try:
        return Params(**truth["params"])
    except (KeyError, TypeError) as error:
        raise InputFileError(
            f"{old} holds no GS-QA benchmark of this version.", "Name one made by `mapagent generate gsqa`."
        ) from error
