"""What came out for one way to understand a question's names, and how it is told where nothing did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from map_tools.compute.geodesy import wind_name
from map_tools.compute.quantities import format_distance
from mapagent.answer import Claim, Named, Solution, Status, Value
from modules.spatial_database.features import FeatureInfo
from modules.spatial_database.findings import Findings
from modules.spatial_database.tools.calculate_metric import MetricArguments
from modules.offline.spatial_intent import SpatialIntent

SHOWN = 10
"""Features of a ranking kept as evidence."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a result is about: the anchor, the region or second place, and where evidence goes."""

    findings: Findings
    anchor: FeatureInfo | None = None
    around: FeatureInfo | None = None
    toward: object = None

    @property
    def where(self) -> str:
        """The place in words, with its address."""
        info = self.anchor or self.around
        return "" if info is None else info.told


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out for one way to understand a question's names.

    Attributes:
        value: None if there is nothing, with the `reason`.
        where: The place it was worked out for.
        distances_m: How far what is named lies from it, by name, where that was measured.
    """

    value: Value | None
    where: str = ""
    explanation: str = ""
    claims: tuple[Claim, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    reason: str = ""
    warnings: tuple[str, ...] = ()
    distances_m: Mapping[str, float] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """What distinguishes one value from another."""
        value = self.value
        if isinstance(value, Named):
            return value.name
        return value.model_dump_json() if value is not None else ""

    def solution(self, notes: tuple[str, ...]) -> Solution:
        """As a solution."""
        return Solution(
            status=Status.ANSWERED,
            value=self.value,
            explanation=self.explanation,
            claims=self.claims,
            evidence_ids=self.evidence_ids,
            warnings=(*notes, *self.warnings),
        )


def nothing(intent: SpatialIntent, scene: Scene) -> str:
    """Why there is no outcome: nothing fits, in words."""
    reach = f" within {format_distance(intent.within_m)}" if intent.within_m is not None else ""
    side = f" in the {wind_name(intent.direction)}" if intent.direction else ""
    towards = f" towards {intent.toward}" if intent.toward else ""
    place = scene.anchor.name if scene.anchor else (scene.around.name if scene.around else "there")
    return f"There is no {intent.what or 'place'}{reach}{side}{towards} of {place} in the data."


def evidence(
    intent: SpatialIntent, scene: Scene, found: Sequence[FeatureInfo], arguments: MetricArguments
) -> str:
    """Takes down the features found; the id of the evidence."""
    anchor = scene.anchor or scene.around
    return scene.findings.nearby(
        intent.anchor or intent.region or (anchor.name if anchor else ""),
        anchor,
        intent.what,
        found,
        arguments,
        radius_m=arguments.radius_m,
        inside=arguments.region is not None,
        complete=False,
    )
