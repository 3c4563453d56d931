"""Names of several places: a program is run for each of them, and what holds for all is the answer.

Branches of a chain, churches of one saint: a name alone does not tell which place is meant, but often
nothing depends on it. Where one name is all that keeps a program from its main value, and

- the value is the same for each of its places, that is the answer; places around which there is nothing at
  all are not the ones that are meant;
- each value is a whole list that a search found, what lies at any of them is: what is next to one of the
  places of a name is next to "a" place of that name;
- each value is a word, such as a kind, and two thirds agree, that word is the answer: the name stands for
  what nearly all its places are.

In each case a warning lists the places. Anything else stays ambiguous, with the places to choose from.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from map_tools.errors import UsageError
from map_tools.facts import PlaceFact
from map_tools.types import Place
from mapagent.core.answer import Candidate
from mapagent.core.rendering import told_apart
from modules.query.interpreter.context import Facts, PlaceRequest, Reply
from modules.query.interpreter.showing import place_text, shown
from modules.query.language import syntax
from modules.query.values.things import Finished, Items, Thing
from modules.query.values.unknown import Unknown, Why

if TYPE_CHECKING:
    from modules.query.interpreter.running import Outcome

MOST = 100
"""Maximum number of places of a name; one with more is a chain, and the question too vague."""
AGREEING_SHARE = 2 / 3
"""Share of the places of a name whose agreement suffices, whatever the others say."""
_LOOK_UPS = frozenset({"place", "area", "line"})
MOST_TOLD = 5
"""Maximum number of places listed in a warning."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A name of a program that fits several places.

    Attributes:
        words: The name, as the program has it.
        places: What it may mean.
        requests: The look-ups that it stands in.
        known: Descriptions of the first of the places, from these look-ups.
    """

    words: str
    places: tuple[Place, ...]
    requests: tuple[PlaceRequest, ...]
    known: tuple[str, ...] = ()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The places, told apart."""
        return told_apart(self.words, self.places, self.known)

    def told(self, number: int) -> str:
        """A candidate in a line."""
        return self.candidates[number - 1].told

    def chosen(self, number: int) -> PlaceFact:
        """The place that the name means by a choice, numbered from 1.

        Raises:
            UsageError: There are fewer candidates.
        """
        if number > len(self.places):
            raise UsageError(
                f"There is no candidate number {number} for '{self.words}'.",
                f"It may be any of {len(self.places)} places; choose 1 to {len(self.places)}.",
            )
        return PlaceFact(query=self.words, place=self.places[number - 1])

    def facts(self, known: Facts) -> Iterator[Facts]:
        """The facts, once for each place, as if it alone had the name."""
        for place in self.places:
            facts = Facts()
            facts.known = dict(known.known)
            for request in self.requests:
                reply = known.known[request]
                fact = PlaceFact(query=request.text, place=place, score=reply.fact.score)
                facts.known[request] = Reply(fact=fact, evidence=reply.evidence)
            yield facts


def sole_ambiguity(outcome: "Outcome") -> Ambiguity | None:
    """The one name that keeps a program from its main value; None if there is none, or there are several."""
    value = outcome.finished.value
    if not isinstance(value, Unknown) or value.why is not Why.AMBIGUOUS:
        return None
    results = [value, *(one.result for one in outcome.derivation)]
    open_ = {_ids(one.candidates): one.candidates for one in results if isinstance(one, Unknown)}
    open_.pop((), None)
    if len(open_) != 1:
        return None
    ((ids, places),) = open_.items()
    requests = tuple(
        request
        for request, reply in outcome.facts.known.items()
        if isinstance(request, PlaceRequest) and _ids(_candidates(reply.fact)) == ids
    )
    if not requests or not 1 < len(places) <= MOST:
        return None
    return Ambiguity(requests[0].text, places, requests)


def asks_which(program: syntax.Program) -> bool:
    """Whether the answer is the place of a name itself: nothing holds for all places that may be meant."""
    named = {statement.name: statement.expr for statement in program.statements}
    node = next(iter(getattr(program.answer.expr, "positional", ())), None)
    while isinstance(node, syntax.Name) and node.name in named:
        node = named[node.name]
    return isinstance(node, syntax.Call) and node.operator in _LOOK_UPS


def united(outcome: "Outcome", ambiguity: Ambiguity, each: Sequence["Outcome"]) -> "Outcome":
    """What holds for all places of the name; the outcome as it was where nothing does.

    Args:
        outcome: Without a choice.
        ambiguity: The name.
        each: For each place of the name, in their order.
    """
    if any(_is_limit(one.finished.value) for one in each):
        return outcome
    found = [pair for pair in zip(ambiguity.places, each, strict=True) if not _is_nothing(pair[1])]
    if not found:
        return outcome
    values = [one.finished.value for _, one in found]
    (common, times), *others = Counter(map(_key, values)).most_common()
    words = all(isinstance(value, str) for value in values)
    if not others or (words and times >= AGREEING_SHARE * len(values)):
        agreeing = [pair for pair in found if _key(pair[1].finished.value) == common]
        return _agreed(ambiguity, agreeing)
    if all(_is_whole_list(value) for value in values):
        return _any_of(ambiguity, found)
    return outcome


def _agreed(ambiguity: Ambiguity, agreeing: Sequence[tuple[Place, "Outcome"]]) -> "Outcome":
    first = agreeing[0][1]
    finished = first.finished
    parts = [
        (name, value if _same_part(name, value, agreeing) else _depends(ambiguity))
        for name, value in finished.parts
    ]
    told = _told(place_text(place) for place, _ in agreeing)
    count, total = len(agreeing), len(ambiguity.places)
    warning = (
        f"'{ambiguity.words}' may be any of {total} places, and this holds for each: {told}."
        if count == total
        else f"'{ambiguity.words}' may be any of {total} places; this holds for {count} of them: {told}."
    )
    return replace(
        first,
        finished=replace(finished, parts=tuple(parts)),
        warnings=(*first.warnings, warning),
        alternatives=tuple(one for _, one in agreeing),
    )


def _same_part(name: str, value: Any, agreeing: Sequence[tuple[Place, "Outcome"]]) -> bool:
    return all(_key(dict(one.finished.parts).get(name)) == _key(value) for _, one in agreeing)


def _depends(ambiguity: Ambiguity) -> Unknown:
    return Unknown(Why.AMBIGUOUS, f"It depends on which '{ambiguity.words}' is meant.", ambiguity.places)


def _any_of(ambiguity: Ambiguity, found: Sequence[tuple[Place, "Outcome"]]) -> "Outcome":
    """The union of what lies at the places: sorted by at how many of them it lies, then by rank."""
    times: Counter[Any] = Counter()
    rank: dict[Any, int] = {}
    members: dict[Any, Any] = {}
    for _, one in found:
        for number, member in enumerate(one.finished.value):
            key = member.id if isinstance(member, Thing) else _key(member)
            times[key] += 1
            rank[key] = min(number, rank.get(key, number))
            members.setdefault(key, member)
    first = found[0][1]
    ordered = sorted(times, key=lambda key: (-times[key], rank[key]))
    whole = first.finished.value.like([members[key] for key in ordered])
    told = _told(f"{place_text(place)}: {shown(one.finished.value)}" for place, one in found)
    return replace(
        first,
        finished=Finished(whole),
        warnings=(*first.warnings, f"{len(found)} places called '{ambiguity.words}' have some: {told}."),
        alternatives=tuple(one for _, one in found),
    )


def _candidates(fact: Any) -> tuple[Place, ...]:
    return (fact.place, *fact.rivals) if isinstance(fact, PlaceFact) else ()


def _ids(places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(place.id for place in places)


def _is_nothing(outcome: "Outcome") -> bool:
    value = outcome.finished.value
    return isinstance(value, Unknown) or (isinstance(value, Items) and not value.items)


def _is_limit(value: Any) -> bool:
    return isinstance(value, Unknown) and value.why is Why.LIMIT


def _is_whole_list(value: Any) -> bool:
    """Whether it is a search's complete list: not only the nearest few, and not a part of a list."""
    return isinstance(value, Items) and value.searched and value.complete and not value.part


def _key(value: Any) -> Any:
    """Identity of a value for comparison: its text."""
    return tuple(map(_key, value)) if isinstance(value, Items) else shown(value)


def _told(texts: Iterator[str]) -> str:
    """The first few, and how many more there are."""
    listed = list(texts)
    more = [f"and {len(listed) - MOST_TOLD} more"] if len(listed) > MOST_TOLD else []
    return "; ".join([*listed[:MOST_TOLD], *more])
