"""The map tools as the recommender calls them: all at once, evidence kept, failures told apart."""

import asyncio
from collections.abc import Iterable, Sequence

from map_tools.facts import ComputedFact, Fact, FailureFact, NearbyFact, PlaceFact, RoutesFact
from mapagent.answer import Status
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import Run, ToolCall
from modules.view import CannotTellError

SURROUNDINGS = "surroundings"
"""What a search asks for that is not after candidates, but after what lies around them."""


class Searching:
    """Calls map tools for one step of one run.

    Attributes:
        evidence: Everything the tools have brought so far, failures included, and what was made of it.
    """

    def __init__(self, step: Step, run: Run) -> None:
        self._step = step
        self._run = run
        self.evidence: list[Evidence] = []

    async def fetch(self, calls: Sequence[ToolCall]) -> list[Evidence]:
        """What some calls bring, run at once."""
        results = await asyncio.gather(*(self._run.call_tool(self._step, call) for call in calls))
        evidence = [item for result in results for item in result]
        self.evidence += evidence
        return evidence

    async def lists(self, calls: Sequence[ToolCall]) -> list[tuple[str, NearbyFact]]:
        """The lists that some searches bring, with the ids of their evidence.

        Raises:
            CannotTellError: A search failed; that is no empty list.
        """
        return checked(await self.fetch(calls))

    def derived(self, fact: Fact, origins: Iterable[str]) -> Evidence:
        """Records a fact that was computed from others."""
        made = self._run.evidence_of(
            self._step, fact, Source(tool="compute"), derived_from=tuple(dict.fromkeys(origins))
        )
        self.evidence.append(made)
        return made


def search(what: str, location: str, categories: Sequence[str], radius_m: float | None) -> ToolCall:
    """A search for all places of some kinds, in a circle or (without a radius) in an area."""
    area = {"inside": True} if radius_m is None else {"radius": round(radius_m, 1)}
    arguments = {"query": what, "location": location, "categories": list(categories), **area}
    return ToolCall(tool="Nearby", arguments={**arguments, "everything": True})


def facts_of[F: (ComputedFact, FailureFact, NearbyFact, PlaceFact, RoutesFact)](
    evidence: Iterable[Evidence], kind: type[F]
) -> Iterable[tuple[str, F]]:
    """The facts of a kind among some evidence, with its ids."""
    return ((item.id, item.value) for item in evidence if isinstance(item.value, kind))


def checked(evidence: Sequence[Evidence]) -> list[tuple[str, NearbyFact]]:
    """The lists among some evidence.

    Raises:
        CannotTellError: There is a failure among it.
    """
    failed = failure_in(evidence)
    if failed is not None:
        raise failed
    return list(facts_of(evidence, NearbyFact))


def failure_in(evidence: Iterable[Evidence]) -> CannotTellError | None:
    """The first failure among some evidence, as the reason why nothing can be recommended."""
    for _, fact in facts_of(evidence, FailureFact):
        status = Status.AMBIGUOUS if fact.code == "ambiguous" else Status.UNANSWERABLE
        return CannotTellError(f"{fact.message} {fact.remedy}".strip(), status)
    return None
