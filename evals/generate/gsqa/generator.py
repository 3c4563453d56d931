"""Makes questions of the 28 templates over one map, and keeps the most different ones.

A filled template becomes words, and a record in GS-QA's form. A benchmark can be brought up to date with a newer map
(GS-QA, section 3.6).
"""

import json
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals.generate.benchmark import TRUTH_FILE, check_free, manifest_of, write_benchmark
from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.gsqa.solve import Drawer, Gold, Solver
from evals.generate.gsqa.templates import (
    Kind,
    Options,
    Params,
    Relation,
    Template,
    UnfitError,
    facts,
    kinds,
    narrow_kinds,
    relation_words,
    said_distance,
    templates,
)
from map_tools.errors import InputFileError, LimitError

_TABLES = {"largest": "areas", "longest": "lines", "area": "areas", "length": "lines"}


@dataclass(frozen=True, slots=True)
class Made:
    """A question with its answers, and what it was made of."""

    record: dict[str, Any]
    truth: dict[str, Any]


def made(
    number: str, params: Params, gold: Gold, *, reference: Reference, relation: Relation, dice: random.Random
) -> Made:
    """The question and its account; the wording is drawn, unless the map settles it."""
    template = templates()[params.template]
    wordings = _wordings(template, params)
    chosen = dice.randrange(len(wordings))
    text = worded(wordings[chosen], params, reference) + (
        relation_words(relation) if template.by_region else ""
    )
    record: dict[str, Any] = {
        "id": number,
        "template": template.id,
        "type": template.type,
        "question": text[0].upper() + text[1:],
        "answer_type": template.output,
        "table": _TABLES.get(template.select, "pois"),
        "answers": list(gold.answers),
        "entities": _entities(params, reference),
        "world_ok": True,
        "true_gold": True,
    }
    if gold.towards_azimuth is not None:
        record["towards_azimuth"] = gold.towards_azimuth
    anchor = reference.by_id.get(params.anchor)
    truth = {
        "id": number,
        "params": params.record(),
        "wording": chosen,
        "osm": list(gold.osm),
        "anchor_kind": _kind_of(anchor) if anchor else "",
    }
    return Made(record, truth)


def worded(wording: str, params: Params, reference: Reference) -> str:
    """A wording with its slots filled."""
    kind = kind_of(params)
    slots = {
        "kind": kind.one,
        "kinds": kind.many,
        "a_kind": kind.with_article,
        "distance": said_distance(params.radius_m),
        "direction": params.direction,
        "a": _anchor_words(params, reference),
        "b": reference.by_id[params.target].spoken if params.target else "",
        "region": reference.by_id[params.region].name if params.region else "",
    }
    return wording.format(**slots)


def kind_of(params: Params) -> Kind:
    """The words of the kind asked for."""
    if params.narrowed:
        every = narrow_kinds()
    else:
        group = {"areas": "area", "lines": "line"}.get(_TABLES.get(templates()[params.template].select, ""))
        every = kinds("area") if group == "area" else kinds("line") if group == "line" else kinds("poi")
    return next(kind for kind in every if (kind.tag, kind.narrowed) == (params.tag, params.narrowed))


def _wordings(template: Template, params: Params) -> tuple[str, ...]:
    if template.external != "answer":
        return template.wordings
    return next(fact.answer for fact in facts() if fact.key == params.fact)


def _anchor_words(params: Params, reference: Reference) -> str:
    if not params.anchor:
        return ""
    anchor = reference.by_id[params.anchor]
    if templates()[params.template].external != "anchor":
        return anchor.spoken
    fact = next(fact for fact in facts() if fact.key == params.fact)
    one = next(kind.one for kind in kinds("poi") if kind.anchor and _has(anchor, kind))
    return fact.anchor.format(kind=one, value=anchor.tags[params.fact])


def _entities(params: Params, reference: Reference) -> dict[str, dict[str, Any]]:
    """The filled slots, numbered as in GS-QA's files."""
    key, _, value = params.tag.partition("=")
    entities: list[dict[str, Any]] = [{"main_category": key, "sub_category": value}]
    if params.narrowed:
        entities[0]["poi_filter_desc"] = kind_of(params).one
        entities[0]["poi_filter_tag"] = params.narrowed
    if params.radius_m:
        entities.append({"distance": params.radius_m, "text": said_distance(params.radius_m)})
    entities += [
        _entity(reference.by_id[osm]) for osm in (params.anchor, params.target, params.region) if osm
    ]
    if params.direction:
        entities.append({"direction_desc": params.direction})
    return {f"[{number}]": entity for number, entity in enumerate(entities, 1)}


def _entity(thing: Thing) -> dict[str, Any]:
    lat, lon = thing.point
    return {"osm": thing.osm, "name": thing.name, "display_name": thing.spoken, "lon": lon, "lat": lat}


def _kind_of(thing: Thing) -> str:
    return next((kind.tag for kind in kinds("poi") if kind.anchor and _has(thing, kind)), "")


def _has(thing: Thing, kind: Kind) -> bool:
    key, _, value = kind.tag.partition("=")
    return thing.tags.get(key) == value


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
    manifest = manifest_of(
        generator.reference.raw.info, questions, generator.given_up,
        benchmark="gsqa", options=asdict(generator.options), **facts,
    )  # fmt: skip
    return write_benchmark(out, [one.record for one in questions], [one.truth for one in questions], manifest)


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
