"""Makes questions of the 28 templates over one map, and keeps the most different ones."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evals.generate.folder import check_free, write_benchmark
from evals.generate.gsqa.draw import Drawer
from evals.generate.gsqa.params import Options, Params, UnfitError
from evals.generate.gsqa.record import Made, made
from evals.generate.gsqa.reference import Reference
from evals.generate.gsqa.solve import Gold, Solver
from evals.generate.gsqa.words import Template, templates
from map_tools.errors import LimitError

FORMAT_VERSION = 1
POOL_FACTOR = 3
"""So many candidates are made for each question that is kept (GS-QA makes ten, of a far larger map)."""
REPEATED = 150
"""After so many draws in a row that were all drawn before, the map has no more."""
NO_MORE = "the map has no more different ones"
ATTEMPTS = 30
"""Draws for each candidate before a template is given up."""


class Generator:
    """Questions over one map; equal seeds make equal questions.

    Args:
        folder: The map's folder.
        seed: Of all choices.
        options: What kinds of questions are let in.

    Raises:
        MapStoreError: The folder holds no map.
    """

    def __init__(self, folder: Path, seed: int, options: Options) -> None:
        self.reference = Reference(folder)
        self.options = options
        self.given_up: dict[str, str] = {}
        self._why = ""
        self._dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
        self._solver = Solver(self.reference, options)
        self._drawer = Drawer(self._solver, self.reference, self._dice, same_category=options.same_category)

    def make(self, counts: Mapping[str, int], taken: Collection[Params] = ()) -> Iterator[Made]:
        """So many questions of each template, in the templates' order; none that is `taken`.

        A template with fewer is listed in `given_up` with the most common reason.
        """
        for template in templates().values():
            wanted = counts.get(template.id, 0)
            pool = self._pool(template, POOL_FACTOR * wanted, set(taken)) if wanted else []
            chosen = diverse(pool, wanted)
            if len(chosen) < wanted:
                self.given_up[template.id] = f"{len(chosen)} of {wanted}: {self._why}"
            for number, (params, gold) in enumerate(chosen, 1):
                yield self._worded(f"{template.id}-{number:03d}", params, gold)

    def again(self, number: str, params: Params) -> Made:
        """A question of an older map over this one.

        Raises:
            UnfitError: It is no good question any more.
        """
        return self._worded(number, params, self._solver.solve(params))

    def _pool(self, template: Template, size: int, seen: set[Params]) -> list[tuple[Params, Gold]]:
        reasons: Counter[str] = Counter()
        pool: list[tuple[Params, Gold]] = []
        repeated = 0
        for _ in range(ATTEMPTS * size):
            if len(pool) >= size or repeated >= REPEATED:
                break
            try:
                params = self._drawer.draw(template)
                if params in seen:
                    repeated += 1
                    continue
                repeated = 0
                seen.add(params)
                pool.append((params, self._solver.solve(params)))
            except UnfitError as unfit:
                reasons[str(unfit)] += 1
        self._why = f"mostly, {reasons.most_common(1)[0][0]}" if reasons else NO_MORE
        return pool

    def _worded(self, number: str, params: Params, gold: Gold) -> Made:
        return made(
            number, params, gold, reference=self.reference, relation=self.options.relation, dice=self._dice
        )


def diverse(pool: Sequence[tuple[Params, Gold]], count: int) -> list[tuple[Params, Gold]]:
    """So many candidates, one of each group in turn (GS-QA, section 3.4), in the order they were made.

    A group is what asks for the same kind, in the same direction or region; small groups go first, so that
    what is rare on the map is asked for.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, (params, _) in enumerate(pool):
        groups.setdefault(
            (params.tag, params.narrowed, params.direction, params.region, params.fact), []
        ).append(index)
    queues = sorted(groups.values(), key=len)
    chosen: list[int] = []
    while len(chosen) < min(count, len(pool)):
        chosen += [queue.pop(0) for queue in queues if queue][: count - len(chosen)]
    return [pool[index] for index in sorted(chosen)]


def generate(
    folder: Path, counts: Mapping[str, int], seed: int, out: Path, options: Options
) -> dict[str, Any]:
    """Writes the benchmark's folder, with so many questions of each template; returns its manifest.

    Raises:
        UsageError: `out` cannot be written, or holds something.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no question at all.
    """
    check_free(out)
    generator = Generator(folder, seed, options)
    questions = list(generator.make(counts))
    return write(generator, questions, {"seed": seed}, out)


def write(
    generator: Generator, questions: Sequence[Made], facts: Mapping[str, Any], out: Path
) -> dict[str, Any]:
    """Writes questions and the account of their answers.

    Raises:
        LimitError: There are none; nothing is written.
        UsageError: `out` cannot be written.
    """
    if not questions:
        raise LimitError("The map gives no question at all.", "Take a larger map.")
    manifest = {**described(generator), **facts, "n": len(questions)}
    return write_benchmark(out, [one.record for one in questions], [one.truth for one in questions], manifest)


def described(generator: Generator) -> dict[str, Any]:
    """What the manifest says of the generator and its map."""
    info = generator.reference.raw.info
    return {
        "format": FORMAT_VERSION,
        "benchmark": "gsqa",
        "map": info["name"],
        "map_source_sha256": info["source_sha256"],
        "attribution": info["attribution"],
        "options": asdict(generator.options),
        "given_up": generator.given_up,
    }
