"""The map tools as the recommender calls them: all at once, evidence kept, failures told apart."""

import asyncio
from collections.abc import Iterable, Sequence

from map_tools.errors import PlaceNotFoundError
from map_tools.facts import Fact, FailureFact, NearbyFact
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import Run, ToolCall
from modules.query.operators.recommend import MODULE

SURROUNDINGS = "surroundings"
"""What a search asks for that is not after candidates, but after what lies around them."""


class CannotTellError(Exception):
    """The map does not tell; carries the failure that says why."""

    def __init__(self, failure: FailureFact) -> None:
        super().__init__(failure.message)
        self.failure = failure

    @classmethod
    def because(cls, message: str, code: str = PlaceNotFoundError.code) -> "CannotTellError":
        """The error with a reason of its own."""
        return cls(FailureFact(code=code, message=message))


class Searching:
    """Calls map tools for one step of one run.

    Attributes:
        evidence: What the tools have brought and what was made of it, failures included, until it is handed
            over.
    """

    def __init__(self, step: Step, run: Run) -> None:
        self._step = step
        self._run = run
        self.evidence: list[Evidence] = []
        self._references: dict[str, str] = {}

    def settle(self, words: str, reference: str) -> None:
        """Says by which reference a tool finds the place that words mean, for all searches after this one."""
        self._references[words] = reference

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
        return checked(await self.fetch(calls))

    def handed_over(self) -> tuple[Evidence, ...]:
        """The evidence since this was last called."""
        taken = tuple(self.evidence)
        self.evidence.clear()
        return taken

    def made_good(self, failures: Iterable[str]) -> None:
        """Leaves out failures, by their ids, in whose place something else was found."""
        ids = frozenset(failures)
        self.evidence = [item for item in self.evidence if item.id not in ids]

    def derived(self, fact: Fact, origins: Iterable[str], warnings: Iterable[str] = ()) -> Evidence:
        """Records a fact that was computed from others."""
        made = self._run.evidence_of(
            self._step,
            fact,
            Source(tool=MODULE),
            derived_from=tuple(dict.fromkeys(origins)),
            warnings=tuple(dict.fromkeys(filter(None, warnings))),
        )
        self.evidence.append(made)
        return made

    def _located(self, call: ToolCall) -> ToolCall:
        """The call with references for the places that are settled."""
        arguments = {
            key: self._references.get(value, value) if isinstance(value, str) else value
            for key, value in call.arguments.items()
        }
        return call.model_copy(update={"arguments": arguments})


def search(what: str, location: str, categories: Sequence[str], radius_m: float | None) -> ToolCall:
    """A search for all places of some kinds, in a circle or (without a radius) in an area."""
    area = {"inside": True} if radius_m is None else {"radius": round(radius_m, 1)}
    arguments = {"query": what, "location": location, "categories": list(categories), **area}
    return ToolCall(tool="Nearby", arguments={**arguments, "everything": True})


def facts_of[F: Fact](evidence: Iterable[Evidence], kind: type[F]) -> Iterable[tuple[str, F]]:
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
    return next((CannotTellError(fact) for _, fact in facts_of(evidence, FailureFact)), None)
