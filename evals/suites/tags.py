"""Words to tags: a kind and its qualities in plain English, for which a method finds the features of a map.

The shape is that of OverpassNL (Staniek et al. 2024, https://doi.org/10.1162/tacl_a_00654), whose pairs are of
questions and Overpass queries and are judged by the queries' form and by their results; the questions are our own,
made over any map by `mapagent generate tags`.

What is found is compared with the features that have the tags. Where a method shows its program, the condition in it
is compared too: by the features that the program's own reading of tags would put under it, not by its words.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from evals.answers import names_in
from evals.metrics.measures import f1
from evals.metrics.statistics import mean
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, read_typed
from map_tools.errors import ProgramError
from map_tools.kinds.tag_categories import categories_of
from map_tools.kinds.wanted import field_of, read_wanted
from map_tools.maps.places import place_of
from map_tools.providers.base import Provider
from map_tools.text import normalise
from map_tools.types import Frozen, LatLng
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.query.language import syntax
from modules.query.language.parser import parse

FILE_NAMES = ("dataset.json",)

type Word = Annotated[str, Field(min_length=1)]


class Tag(Frozen):
    """A condition: a key with one of some values, alone or in a list ("pizza;kebab")."""

    key: Word
    values: Annotated[tuple[Word, ...], Field(min_length=1)]

    def fits(self, tags: Mapping[str, str]) -> bool:
        """Whether a feature with these tags fulfils it."""
        said = {part.strip() for part in tags.get(self.key, "").split(";")}
        return not said.isdisjoint(self.values)


class TagsRecord(Frozen):
    """One question.

    Attributes:
        kind: The tag of the kind.
        qualities: The conditions beside it.
        right: OpenStreetMap ids of all features in range that fulfil them ("n123"), with their names, which may be
            empty.
    """

    id: Word
    question: AskedText
    kind: Tag
    qualities: tuple[Tag, ...]
    right: Annotated[Mapping[str, str], Field(min_length=1)]

    @model_validator(mode="after")
    def _one_kind(self) -> "TagsRecord":
        if len(self.kind.values) != 1:
            raise ValueError("a kind has one value")
        return self


class Tags:
    """The questions over the map that the settings name."""

    name = "tags"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All questions in the file's order; the category is how many qualities are asked for."""
        return tuple(
            Item(
                id=record.id,
                category=("kind alone", "one quality", "several qualities")[min(len(record.qualities), 2)],
                task=Task(question=Question(text=record.question)),
                gold=record.model_dump(mode="json"),
                group=record.id,
            )
            for record in read_typed(data, TagsRecord, FILE_NAMES)
        )

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None: the one that the settings name."""
        return None

    def score(self, item: Item, answer: Answer) -> Score:
        """Right if exactly the right features are found; further: precision, recall, F1, and the condition."""
        gold = TagsRecord.model_validate(item.gold)
        refused = answer.status is not Status.ANSWERED
        values = _overlap(gold, answer)
        read = condition(answer.program)
        if read is not None:
            values["condition"] = float(means(read, gold))
        return Score(correct=values["f1"] == 1, refused=refused, values=values)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Means of the overlap over all questions; of the condition over those where a method shows one."""
        scores = [score.values for _, score in judged]
        shown = [values["condition"] for values in scores if "condition" in values]
        overlap = {
            name: mean([values.get(name, 0.0) for values in scores]) for name in ("precision", "recall", "f1")
        }
        return {**overlap, "conditions_shown": len(shown), "condition": mean(shown)}


def _overlap(gold: TagsRecord, answer: Answer) -> dict[str, float]:
    """Precision, recall and F1 of the features given; of names where the method gives no features."""
    if answer.places or answer.program:
        found = [
            {one.removeprefix("osm:") for one in (place.id, *place.merged_from)} for place in answer.places
        ]
        right = set(gold.right)
    else:
        found = [{normalise(name)} for name in names_in(answer.text)]
        right = {normalise(name) or osm for osm, name in gold.right.items()}
    hits = [one & right for one in found]
    precision = sum(map(bool, hits)) / len(found) if found else 0.0
    recall = len(set().union(*hits)) / len(right)
    return {"precision": precision, "recall": recall, "f1": f1(precision, recall)}


class Condition(Frozen):
    """What a program searches for.

    Attributes:
        kind: The words for the kind.
        tests: Field or key, and what it has to be; (“”, False) stands for a test of another form.
    """

    kind: str
    tests: tuple[tuple[str, bool | str], ...]


def condition(program: str) -> Condition | None:
    """What the one `places(…)` of a program searches for; None if there is no such program."""
    try:
        nodes = [node for one in parse(program).statements for node in syntax.walk(one.expr)]
    except ProgramError:
        return None
    match [node for node in nodes if isinstance(node, syntax.Call) and node.operator == "places"]:
        case [syntax.Call(positional=(syntax.String(text=kind), *_)) as search]:
            tests = dict(search.keywords).get("where")
            return Condition(
                kind=kind, tests=tuple(_tests(tests.body)) if isinstance(tests, syntax.Lambda) else ()
            )
    return None


def _tests(node: syntax.Expr) -> Iterator[tuple[str, bool | str]]:
    match node:
        case syntax.Logic(operator="and"):
            for part in node.items:
                yield from _tests(part)
        case syntax.Negation(value=inner) if name := _read(inner):
            yield name, False
        case syntax.Comparison(items=(one, syntax.String(text=value)), comparators=("==",)) if name := _read(
            one
        ):
            yield name, value
        case _:
            name = _read(node)
            yield name, bool(name)


def _read(node: syntax.Expr) -> str:
    """The field or key of a place that is read; empty for anything else."""
    match node:
        case syntax.Field(value=syntax.Name(), name=name):
            return name
        case syntax.Call(operator="fact", positional=(syntax.Name(), syntax.String(text=key))):
            return key
    return ""


def means(read: Condition, gold: TagsRecord) -> bool:
    """Whether a program's condition is the kind asked for with just the qualities asked for."""
    wanted = read_wanted(read.kind)
    key, value = gold.kind.key, gold.kind.values[0]
    kinds = {*categories_of({key: value})[:1], f"{key}={value}"}
    tests = {*read.tests, *((wanted.keyword, True),) * bool(wanted.keyword)}
    forms = [_forms(tag) for tag in gold.qualities]
    return (
        not kinds.isdisjoint(wanted.categories[:1])
        and len(tests) == len(forms)
        and all(any((name, said) in form for form in forms) for name, said in tests)
        and all(not form.isdisjoint(tests) for form in forms)
    )


def _forms(tag: Tag) -> frozenset[tuple[str, bool | str]]:
    """The tests by which a program may say a quality: a service, the key's value, or a word beside the kind."""
    forms: set[tuple[str, bool | str]] = set()
    for value in tag.values:
        forms |= {(tag.key, value), (value, True), (value.replace("_", " "), True)}
        place = place_of("", {tag.key: value}, (), LatLng(lat=0, lng=0), "")
        forms |= {(field_of(service), said) for service, said in place.services.items()}
        if value in {"yes", "no"}:
            forms.add((tag.key, value == "yes"))
    return frozenset(forms)
