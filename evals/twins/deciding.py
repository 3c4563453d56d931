"""Which statements decide a question: told by the program that a right answer comes from, and by its evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.suites.mapeval_file import MapEvalRecord
from evals.twins.aims import Aim, EveryWay, FieldOf, ListAround, Ways
from evals.twins.words import load_words
from map_tools.facts import Fact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.text import normalise
from map_tools.types import TravelMode
from mapagent.agent import MapAgent
from mapagent.question import Question
from modules.query.language import syntax
from modules.query.language.parser import parse

HOURS = frozenset({"is_open", "hours", "opens", "closes"})
MEASURED = frozenset({"distance", "direction", "lies"})
CHOOSING = frozenset({"min", "max", "sort", "nearest", "judge"})
"""Operators that compare several ways: with one gone another choice of them may do."""
STATED = frozenset({"rating", "address", "phone", "website", "price"})
"""Fields that a text states of a place by themselves; services tell by what is left out, too."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A rightly answered question.

    Attributes:
        calls: The operators of its program.
        fields: The fields that its program looks at.
        facts: What was read.
    """

    calls: frozenset[str]
    fields: frozenset[str]
    ordered: bool
    facts: tuple[Fact, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the places that were looked up by their names."""
        found = (fact for fact in self.facts if isinstance(fact, PlaceFact))
        return tuple(dict.fromkeys(fact.place.name for fact in found))


async def aims_of(record: MapEvalRecord, agent: MapAgent) -> tuple[Aim, ...]:
    """What to take away, one aim a twin; empty if the agent's answer is not the right one.

    Only the original is asked; whether the agent refuses a twin plays no part in which twins there are. With
    "none of the above" among the options it is a matter of opinion what is right where nothing is known.
    """
    if any(normalise(text) in load_words().none_of_these for text in record.answer.options):
        return ()
    question = Question(text=record.question, options=record.answer.options, context=record.context)
    answer = await agent.ask(question, use_provider=False)
    if answer.option_index != record.answer.correct or not answer.program:
        return ()
    case = _case(answer.program, tuple(item.value for item in answer.evidence))
    right = record.answer.options[record.answer.correct]
    found = (
        *_lists(case, question.options),
        *_ways(case, question.text, right),
        *_fields(case),
        *_positions(case, right),
    )
    return tuple(dict.fromkeys(found))


def _case(program: str, facts: tuple[Fact, ...]) -> _Case:
    nodes = [node for one in parse(program).statements for node in syntax.walk(one.expr)]
    calls = [node for node in nodes if isinstance(node, syntax.Call)]
    trips = [dict(node.keywords) for node in calls if node.operator == "trip"]
    return _Case(
        calls=frozenset(node.operator for node in calls),
        fields=frozenset(node.name for node in nodes if isinstance(node, syntax.Field)),
        ordered=not any({"order", "skip"} & given.keys() for given in trips),
        facts=facts,
    )


def _lists(case: _Case, options: Sequence[str]) -> Iterator[Aim]:
    names = frozenset(text for text in options if any(map(str.isalpha, text)))
    for fact in case.facts:
        if isinstance(fact, NearbyFact):
            anchor = fact.anchor_place.name if fact.anchor_place is not None else fact.anchor
            yield ListAround(anchor, fact.what, names)


def _ways(case: _Case, question: str, right: str) -> Iterator[Aim]:
    """Each leg where all of them count; else all ways together, as another choice of them might do.

    That a plan is impossible may follow from the stays alone, so such answers are let be. Where the question
    leaves the mode open, the ways by any mode go.
    """
    ends = [
        (fact.origin_name, fact.destination_name, fact.mode.value)
        for fact in case.facts
        if isinstance(fact, TravelFact | RoutesFact)
    ]
    if not ends or normalise(right) in load_words().impossible:
        return
    if not load_words().modes_in(question):
        ends = [(start, end, mode.value) for start, end, _ in ends for mode in TravelMode]
    pairs = list(dict.fromkeys(frozenset((start, end)) for start, end, _ in ends))
    if (case.ordered and not case.calls & CHOOSING) or len(pairs) == 1:
        yield from (Ways(frozenset(end for end in ends if {*end[:2]} == pair)) for pair in pairs)
    else:
        yield EveryWay(frozenset(mode for _, _, mode in ends))


def _fields(case: _Case) -> Iterator[Aim]:
    """What was looked up of the places."""
    hours = ["hours"] if case.calls & HOURS or "opening_hours" in case.fields else []
    for name in case.places:
        yield from (FieldOf(name, field, asked=field != "hours") for field in (*hours, *_stated(case)))


def _stated(case: _Case) -> Iterator[str]:
    for field in sorted(case.fields & STATED):
        yield {"price": "price_level"}.get(field, field)


def _positions(case: _Case, right: str) -> Iterator[Aim]:
    """Positions without which nothing can be measured: of the only two places, and of the answer."""
    if not case.calls & MEASURED or any(isinstance(fact, TravelFact | RoutesFact) for fact in case.facts):
        return
    for name in sorted(case.places):
        if len(case.places) <= 2 or normalise(name) in normalise(right):
            yield FieldOf(name, "location")
