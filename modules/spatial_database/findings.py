"""Evidence of what the concept tools found."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from map_tools.facts import ComputedFact, NearbyFact, PlaceFact
from map_tools.types import NearbyPlace, Place
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import Run
from modules.spatial_database.features import FeatureInfo, Features
from modules.spatial_database.tools.base import Arguments


@dataclass
class Findings:
    """Writes down what the tools found while a question is worked on.

    Args:
        step: The step of the plan.
        run: Makes the evidence.
        features: Makes places of features.
    """

    step: Step
    run: Run
    features: Features
    evidence: list[Evidence] = field(default_factory=list)

    def place(
        self, words: str, info: FeatureInfo, arguments: Arguments, *, rivals: Sequence[FeatureInfo] = ()
    ) -> str:
        """A place was found for words; returns the evidence's id."""
        others = tuple(self.features.place(other) for other in rivals)
        fact = PlaceFact(query=words, place=self.features.place(info), rivals=others)
        return self._add(fact, "ResolveLocation", arguments)

    def nearby(
        self,
        words: str,
        anchor: FeatureInfo | None,
        what: str,
        found: Sequence[FeatureInfo],
        arguments: Arguments,
        *,
        radius_m: float | None = None,
        inside: bool = False,
        complete: bool = True,
    ) -> str:
        """Features were found around an anchor or inside a region; returns the evidence's id."""
        fact = NearbyFact(
            anchor=words,
            anchor_place=self.features.place(anchor) if anchor is not None else None,
            what=what,
            radius_m=radius_m,
            inside=inside,
            items=tuple(
                NearbyPlace(place=self.features.place(one), distance_m=one.distance_m) for one in found
            ),
            sorted_by_distance=all(one.distance_m is not None for one in found),
            complete=complete,
        )
        return self._add(fact, "CalculateMetric", arguments)

    def computed(self, label: str, value: str, formula: str, derived_from: tuple[str, ...]) -> str:
        """Something was worked out; returns the evidence's id."""
        fact = ComputedFact(label=label, value=value, formula=formula)
        one = self.run.evidence_of(self.step, fact, Source(tool="compute"), derived_from=derived_from)
        self.evidence.append(one)
        return one.id

    def as_place(self, info: FeatureInfo) -> Place:
        """A feature as a place."""
        return self.features.place(info)

    def _add(self, fact: PlaceFact | NearbyFact, tool: str, arguments: Arguments) -> str:
        provider = self.run.provider.name if self.run.provider else ""
        source = Source(
            tool=tool, provider=provider, arguments=arguments.model_dump(mode="json", exclude_defaults=True)
        )
        one = self.run.evidence_of(self.step, fact, source)
        self.evidence.append(one)
        return one.id
