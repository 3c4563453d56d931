"""The map tools as the recommender calls them: all at once, evidence kept, failures told apart."""

import asyncio
from collections.abc import Iterable, Sequence

from map_tools.facts import ComputedFact, Fact, FailureFact, NearbyFact, PlaceFact, RoutesFact
from map_tools.types import LatLng, Place
from mapagent.answer import Status
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import Run, ToolCall
from modules.recommender.errors import CannotTellError

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
        self._pinned: dict[str, tuple[Place, str]] = {}

    def pin(self, words: str, spot: LatLng, formula: str) -> None:
        """Says where a place is that no look-up of places finds, for all searches after this one."""
        fact = ComputedFact(label=words, value=str(spot), formula=formula)
        self._pinned[words] = (Place(id=f"at:{spot}", name=words, location=spot), self.derived(fact, ()).id)

    async def fetch(self, calls: Sequence[ToolCall]) -> list[Evidence]:
        """What some calls bring, run at once."""
        results = await asyncio.gather(
            *(self._run.call_tool(self._step, self._located(call)) for call in calls)
        )
        evidence = [item for result in results for item in result]
        self.evidence += evidence
        return evidence

    async def lists(self, calls: Sequence[ToolCall]) -> list[tuple[str, NearbyFact]]:
        """The lists that some searches bring, with the ids of their evidence.

        Raises:
            CannotTellError: A search failed; that is no empty list.
        """
        found = checked(await self.fetch(calls))
        return [
            self._named(call, evidence_id, fact)
            for call, (evidence_id, fact) in zip(calls, found, strict=True)
        ]

    def _located(self, call: ToolCall) -> ToolCall:
        """The call with positions for the places that are pinned."""
        spots = {words: str(place.location) for words, (place, _) in self._pinned.items()}
        return call.model_copy(
            update={
                "arguments": {
                    key: spots.get(value, value) if isinstance(value, str) else value
                    for key, value in call.arguments.items()
                }
            }
        )

    def _named(self, call: ToolCall, evidence_id: str, fact: NearbyFact) -> tuple[str, NearbyFact]:
        """The list of a search around a place that is pinned, as one around that place."""
        pinned = self._pinned.get(call.arguments["location"])
        if pinned is None:
            return evidence_id, fact
        place, pin_id = pinned
        named = fact.model_copy(update={"anchor": place.name, "anchor_place": place})
        return self.derived(named, (evidence_id, pin_id)).id, named

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
