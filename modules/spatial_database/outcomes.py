"""What a tool's result comes to as an answer: value, claims, explanation."""

from collections.abc import Sequence

from map_tools.compute.geodesy import bearing_deg, wind, wind_name
from map_tools.compute.quantities import format_distance
from mapagent.answer import Claim, Named, Quantity, Value
from modules.spatial_database.features import FeatureInfo
from modules.spatial_database.outcome import SHOWN, Outcome, Scene, evidence, nothing
from modules.spatial_database.outcome_lists import kind_of, listed_kinds, listed_names
from modules.spatial_database.outcome_measures import between, sized, total
from modules.spatial_database.tools.calculate_metric import MetricArguments, MetricResult
from modules.offline.spatial_intent import SIZES, TOTALS, SpatialIntent


def outcome_of(
    intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments | None
) -> Outcome:
    """The outcome of a result.

    Args:
        intent: What was asked.
        scene: The places it is about.
        result: What CalculateMetric gave.
        arguments: What it was asked; None where it was not needed.
    """
    if arguments is None:
        return kind_of(scene) if intent.ask == "kind" else between(intent, scene)
    if intent.ask in TOTALS:
        return total(intent, scene, result, arguments)
    if not result.features:
        return Outcome(None, scene.where, reason=nothing(intent, scene))
    if intent.pick in SIZES:
        return sized(intent, scene, result, arguments)
    if intent.ask == "kinds":
        return listed_kinds(scene, result, arguments)
    if intent.ask == "names":
        return listed_names(intent, scene, result, arguments)
    return _one(intent, scene, result, arguments)


def _one(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """One feature: its name, where it is, how far or in which direction."""
    named = [info for info in result.features if info.name] or list(result.features)
    chosen = _chosen(intent, named)
    if chosen is None:
        return Outcome(None, scene.where, reason=nothing(intent, scene))
    cited = evidence(intent, scene, list(dict.fromkeys((*result.features[:SHOWN], chosen))), arguments)
    value, claims = _value(intent, scene, chosen, cited)
    if intent.ask == "fact":
        return _fact(intent, scene, chosen, cited)
    skipped = result.features[0] is not chosen and intent.pick == "nearest" and not result.features[0].name
    return Outcome(
        value=value,
        where=scene.where,
        explanation=_explained(intent, scene, chosen),
        claims=claims,
        evidence_ids=(cited,),
        warnings=("A nearer one has no name in the data.",) if skipped else (),
    )


def _chosen(intent: SpatialIntent, named: Sequence[FeatureInfo]) -> FeatureInfo | None:
    """The k-th of the order; where any will do, the nearest that can be told where it is."""
    if intent.pick != "any":
        return named[intent.k - 1] if len(named) >= intent.k else None
    return next((info for info in named if "," in info.address), named[0])


def _value(
    intent: SpatialIntent, scene: Scene, chosen: FeatureInfo, cited: str
) -> tuple[Value, tuple[Claim, ...]]:
    origin = scene.anchor
    claims: list[Claim] = []
    if origin is not None and chosen.name and origin.name and chosen.distance_m is not None:
        ends = {"a": origin.name, "b": chosen.name}
        claims.append(Claim(rule="distance", inputs=(cited,), arguments=ends, result=chosen.distance_m))
    if intent.ask == "distance" and chosen.distance_m is not None:
        return Quantity(value=chosen.distance_m, unit="m"), tuple(claims)
    if intent.ask == "direction" and origin is not None:
        azimuth = bearing_deg(origin.location, chosen.location)
        if chosen.name and origin.name:
            ends = {"a": origin.name, "b": chosen.name}
            claims.append(Claim(rule="bearing", inputs=(cited,), arguments=ends, result=azimuth))
        return Quantity(value=azimuth, unit="deg"), tuple(claims)
    note = ""
    if intent.ask == "location":
        note = chosen.address or f"{chosen.lat:.6f}, {chosen.lng:.6f}"
    name = chosen.name or f"unnamed {intent.what}"
    return Named(name=name, place=scene.findings.as_place(chosen), note=note), tuple(claims)


def _explained(intent: SpatialIntent, scene: Scene, chosen: FeatureInfo) -> str:
    """How the feature was found, in a sentence."""
    if scene.anchor is None or chosen.distance_m is None:
        return f"{chosen.name or intent.what} is what fits."
    way = wind_name(wind(bearing_deg(scene.anchor.location, chosen.location)))
    start = scene.anchor.name or "there"
    return f"{chosen.name or 'It'} lies {format_distance(chosen.distance_m)} from {start}, in the {way}."


def _fact(intent: SpatialIntent, scene: Scene, chosen: FeatureInfo, cited: str) -> Outcome:
    """The feature is found, but what is asked about it is in no table."""
    reason = (
        f"The {intent.pick} {intent.what} is '{chosen.name}', but no table tells what is asked of it "
        f"({intent.fact}): needs an external source."
    )
    return Outcome(None, scene.where, reason=reason, evidence_ids=(cited,))
