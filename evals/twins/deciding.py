"""Which statements decide a question: told by the evidence that a right answer rests on."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evals.suites.mapeval_file import MapEvalRecord
from evals.twins.aims import Aim, EveryWay, FieldOf, ListAround, Ways
from evals.twins.words import load_words
from map_tools.facts import ComputedFact, Fact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.text import normalise
from map_tools.types import TravelMode
from mapagent.agent import MapAgent
from mapagent.answer import Answer
from mapagent.evidence import Evidence
from mapagent.question import Question

SOLVER = "solution_generator"
LEGS = {"travel", "sum", "step"}
"""Computations that need every way they name: with one gone there is nothing to compute."""
SCHEDULES = {"itinerary", "option"}
"""Computations that try several ways, or stop at the first leg that does not fit."""
SERVICES = "services."
POSITIONS = {"distance", "bearing"}


@dataclass(frozen=True, slots=True)
class _Step:
    """A computation and the facts it began with."""

    rule: str
    field: str
    facts: tuple[Fact, ...]


async def aims_of(record: MapEvalRecord, agent: MapAgent) -> tuple[Aim, ...]:
    """What to take away, one aim a twin; empty if the agent's answer is not the right one.

    Only the original is asked; whether the agent refuses a twin plays no part in which twins there are. With
    "none of the above" among the options it is a matter of opinion what is right where nothing is known.
    """
    if any(normalise(text) in load_words().none_of_these for text in record.answer.options):
        return ()
    question = Question(text=record.question, options=record.answer.options, context=record.context)
    answer = await agent.ask(question, use_provider=False)
    if answer.option_index != record.answer.correct:
        return ()
    steps = tuple(_steps(answer))
    right = record.answer.options[record.answer.correct]
    found = (
        *_lists(steps, question.options),
        *_ways(steps, question.text, right),
        *_fields(steps),
        *_positions(steps, right),
    )
    return tuple(dict.fromkeys(found))


def _steps(answer: Answer) -> Iterator[_Step]:
    by_id = {item.id: item for item in answer.evidence}
    solving = {step.id for step in answer.plan.steps if step.module == SOLVER} if answer.plan else set()
    for item in answer.evidence:
        if item.step_id in solving and isinstance(item.value, ComputedFact):
            facts = tuple(one.value for one in _roots(item, by_id))
            said = item.source.arguments
            yield _Step(str(said.get("rule", "")), str(said.get("field", "")), facts)


def _roots(item: Evidence, by_id: dict[str, Evidence]) -> Iterator[Evidence]:
    """The evidence that was read, not computed, behind a computation."""
    for evidence_id in item.derived_from:
        origin = by_id.get(evidence_id)
        if origin is not None and isinstance(origin.value, ComputedFact):
            yield from _roots(origin, by_id)
        elif origin is not None:
            yield origin


def _lists(steps: Sequence[_Step], options: Sequence[str]) -> Iterator[Aim]:
    names = frozenset(text for text in options if any(map(str.isalpha, text)))
    for fact in _facts(steps):
        if isinstance(fact, NearbyFact):
            yield ListAround(fact.anchor, fact.what, names)


def _ways(steps: Sequence[_Step], question: str, right: str) -> Iterator[Aim]:
    """Each leg where all of them count; else all ways together, as another choice of them might do.

    That a plan is impossible may follow from the stays alone, so such answers are let be. Where the question
    leaves the mode open, the ways by any mode go.
    """
    ends = [
        (fact.origin, fact.destination, fact.mode.value)
        for fact in _facts(steps)
        if isinstance(fact, TravelFact | RoutesFact)
    ]
    if not ends or normalise(right) in load_words().impossible:
        return
    if not load_words().modes_in(question):
        ends = [(start, end, mode.value) for start, end, _ in ends for mode in TravelMode]
    pairs = list(dict.fromkeys(frozenset((start, end)) for start, end, _ in ends))
    rules = {step.rule for step in steps}
    if not rules & SCHEDULES and (rules <= LEGS or len(pairs) == 1):
        yield from (Ways(frozenset(end for end in ends if {*end[:2]} == pair)) for pair in pairs)
    else:
        yield EveryWay(frozenset(mode for _, _, mode in ends))


def _fields(steps: Sequence[_Step]) -> Iterator[Aim]:
    """What was looked up; no services, as a list of them tells by what it leaves out, too."""
    for step in steps:
        field = "hours" if step.rule == "open" else step.field if step.rule == "lookup" else ""
        if field.startswith(SERVICES):
            continue
        for fact in step.facts if field else ():
            if isinstance(fact, PlaceFact):
                yield FieldOf(fact.query, field, asked=step.rule == "lookup")


def _positions(steps: Sequence[_Step], right: str) -> Iterator[Aim]:
    """Positions without which nothing can be measured: of what all distances begin at, and of the answer."""
    measured = [
        {fact.query for fact in step.facts if isinstance(fact, PlaceFact)}
        for step in steps
        if step.rule in POSITIONS
    ]
    for name in sorted(set().union(*measured)):
        if all(name in pair for pair in measured) or normalise(name) in normalise(right):
            yield FieldOf(name, "location")


def _facts(steps: Iterable[_Step]) -> Iterator[Fact]:
    for step in steps:
        yield from step.facts
