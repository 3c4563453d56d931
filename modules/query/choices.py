"""Names that fit several places, and the asker's choice of one of them by its number."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from map_tools.facts import PlaceFact
from modules.query.interpreter.context import Facts, PlaceRequest, Reply, Request
from modules.query.interpreter.running import Outcome
from modules.query.interpreter.several import Ambiguity
from modules.query.values.things import Items
from modules.query.values.unknown import Unknown, Why


def ambiguity_of(outcome: Outcome) -> Ambiguity | None:
    """The ambiguous name that keeps an outcome from being known: of its main value, else of its parts."""
    finished = outcome.finished
    asked = [finished.value, *(value for _, value in finished.parts)]
    unknowns = [one for value in asked for one in _unknowns(value)]
    if unknowns:
        # What was made of an ambiguous name may give a reason of its own.
        unknowns += [derived.result for derived in outcome.derivation if isinstance(derived.result, Unknown)]
    found = next((one for one in unknowns if one.why is Why.AMBIGUOUS and one.candidates), None)
    return None if found is None else _named(found, outcome.facts.known)


def settled(facts: Facts, ambiguity: Ambiguity, fact: PlaceFact, evidence: Iterable[str]) -> Facts:
    """The facts in which the look-ups of an ambiguous name return the chosen place."""
    made = Facts()
    reply = Reply(fact=fact, evidence=tuple(evidence))
    made.take({**facts.known, **dict.fromkeys(ambiguity.requests, reply)})
    return made


def _unknowns(value: Any) -> Iterator[Unknown]:
    if isinstance(value, Unknown):
        yield value
    elif isinstance(value, Items):
        yield from (one for one in value if isinstance(one, Unknown))


def _named(found: Unknown, known: Mapping[Request, Reply]) -> Ambiguity | None:
    """The ambiguity behind a value that is not known, with the look-ups that it comes from."""
    ids = {place.id for place in found.candidates}
    asked = {
        request: reply.fact
        for request, reply in known.items()
        if isinstance(request, PlaceRequest)
        and isinstance(reply.fact, PlaceFact)
        and {reply.fact.place.id, *(rival.id for rival in reply.fact.rivals)} == ids
    }
    if not asked:
        return None
    first = next(iter(asked.values()))
    return Ambiguity(first.query, found.candidates, tuple(asked), first.told_apart)
