"""The map tools as the recommender calls them: evidence kept, failures told apart."""

from collections.abc import Iterable, Sequence

from map_tools.facts import Fact, FailureFact, NearbyFact
from mapagent.core.answer import Evidence, Source, Step
from mapagent.core.ports import Run, ToolCall
from modules.query.operators.recommend import MODULE

SURROUNDINGS = "surroundings"
"""What a search asks for that is not after candidates, but after what lies around them."""


class CannotTellError(Exception):
    """The map does not tell; carries the failure that says why."""

    def __init__(self, failure: FailureFact) -> None:
        super().__init__(failure.message)
        self.failure = failure


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

    async def listed(self, call: ToolCall) -> tuple[str, NearbyFact]:
        """The list that a search brings, with the id of its evidence.

        Raises:
            CannotTellError: The search failed; that is no empty list.
        """
        evidence = await self._run.call_tool(self._step, call)
        self.evidence += evidence
        for _, failure in facts_of(evidence, FailureFact):
            raise CannotTellError(failure)
        return next(iter(facts_of(evidence, NearbyFact)))

    def handed_over(self) -> tuple[Evidence, ...]:
        """The evidence since this was last called."""
        taken = tuple(self.evidence)
        self.evidence.clear()
        return taken

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


def search(what: str, location: str, categories: Sequence[str], radius_m: float | None) -> ToolCall:
    """A search for all places of some kinds, in a circle or (without a radius) in an area."""
    area = {"inside": True} if radius_m is None else {"radius": round(radius_m, 1)}
    arguments = {"query": what, "location": location, "categories": list(categories), **area}
    return ToolCall(tool="Nearby", arguments={**arguments, "everything": True})


def facts_of[F: Fact](evidence: Iterable[Evidence], kind: type[F]) -> Iterable[tuple[str, F]]:
    """The facts of a kind among some evidence, with its ids."""
    return ((item.id, item.value) for item in evidence if isinstance(item.value, kind))
