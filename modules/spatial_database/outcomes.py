"""What a tool's result comes to as an answer: value, claims, explanation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from map_tools.compute.geodesy import bearing_deg, distance_m, wind, wind_name
from map_tools.compute.quantities import format_distance
from mapagent.answer import Claim, Named, NameSet, Quantity, Solution, Status, Text, Value
from modules.intents import SpatialIntent
from modules.spatial_database.features import FeatureInfo
from modules.spatial_database.findings import Findings
from modules.spatial_database.kinds import PLACE_COLUMNS
from modules.spatial_database.tools.calculate_metric import MetricArguments, MetricResult

MOST_NAMED = 50
"""Names given in one answer."""
SHOWN = 10
"""Features of a ranking kept as evidence."""
_SIZES = frozenset({"largest", "smallest", "longest", "shortest"})

AMENITY = "amenity"
"""The column of kinds of amenity."""


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
        if info is None:
            return ""
        return f"{info.name} ({info.address or f'{info.lat:.4f}, {info.lng:.4f}'})"


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
        return _kind(scene) if intent.ask == "kind" else _between(intent, scene)
    if intent.ask in {"count", "area", "length"}:
        return _total(intent, scene, result, arguments)
    if not result.features:
        return Outcome(None, scene.where, reason=_nothing(intent, scene))
    if intent.pick in _SIZES:
        return _sized(intent, scene, result, arguments)
    if intent.ask == "kinds":
        return _kinds(scene, result, arguments)
    if intent.ask == "names":
        return _names(intent, scene, result, arguments)
    return _one(intent, scene, result, arguments)


def _nothing(intent: SpatialIntent, scene: Scene) -> str:
    reach = f" within {format_distance(intent.within_m)}" if intent.within_m is not None else ""
    side = f" in the {wind_name(intent.direction)}" if intent.direction else ""
    towards = f" towards {intent.toward}" if intent.toward else ""
    place = scene.anchor.name if scene.anchor else (scene.around.name if scene.around else "there")
    return f"There is no {intent.what or 'place'}{reach}{side}{towards} of {place} in the data."


def _evidence(
    intent: SpatialIntent, scene: Scene, found: Sequence[FeatureInfo], arguments: MetricArguments
) -> str:
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


def _one(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """One feature: its name, where it is, how far or in which direction."""
    named = [info for info in result.features if info.name] or list(result.features)
    chosen = _chosen(intent, named)
    if chosen is None:
        return Outcome(None, scene.where, reason=_nothing(intent, scene))
    cited = _evidence(intent, scene, list(dict.fromkeys((*result.features[:SHOWN], chosen))), arguments)
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


def _names(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """All that fit, or as many as asked for."""
    most = intent.n or MOST_NAMED
    names = tuple(dict.fromkeys(info.name for info in result.features if info.name))
    if not names:
        return Outcome(None, scene.where, reason=f"{_nothing(intent, scene)} What there is has no name.")
    cited = _evidence(intent, scene, result.features[:MOST_NAMED], arguments)
    more = f" The first {most} of {len(names)} are named." if len(names) > most and not intent.n else ""
    value = NameSet(names=names[:most]) if len(names) > 1 else Named(name=names[0])
    explained = f"{len(names)} fit.{more}"
    return Outcome(
        value, scene.where, explained, evidence_ids=(cited,), distances_m=_distances(result.features)
    )


def _distances(features: Sequence[FeatureInfo]) -> dict[str, float]:
    """How far the nearest feature of each name is; none of those that were not measured."""
    found: dict[str, float] = {}
    for info in features:
        if info.distance_m is not None:
            found[info.name] = min(info.distance_m, found.get(info.name, info.distance_m))
    return found


def _kinds(scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """The kinds of amenity that lie around, as the data writes them; a place to swim in is none of them."""
    written = (scene.findings.features.text(info, AMENITY) for info in result.features)
    kinds = sorted({kind for kind in written if kind is not None})
    cited = scene.findings.nearby(
        scene.anchor.name if scene.anchor else "", scene.anchor, AMENITY, result.features, arguments,
        radius_m=arguments.radius_m,
    )  # fmt: skip
    if not kinds:
        return Outcome(None, scene.where, reason="No amenities found.", evidence_ids=(cited,))
    return Outcome(NameSet(names=tuple(kinds)), scene.where, f"{len(kinds)} kinds.", evidence_ids=(cited,))


def _kind(scene: Scene) -> Outcome:
    """The kind of the anchor, as the data writes it."""
    if scene.anchor is None:
        return Outcome(None)
    place = scene.findings.as_place(scene.anchor)
    kind = next(iter(place.categories), None)
    if kind is None:
        reason = f"The data does not tell what '{scene.anchor.name}' is ({', '.join(PLACE_COLUMNS)})."
        return Outcome(None, scene.where, reason=reason)
    return Outcome(Text(text=kind, topic="category"), scene.where, f"{scene.anchor.name} is {kind}.")


def _between(intent: SpatialIntent, scene: Scene) -> Outcome:
    """The distance or the direction from one named place to another."""
    a, b = scene.anchor, scene.around
    if a is None or b is None:
        return Outcome(None)
    cited = tuple(one.id for one in scene.findings.evidence)
    ends = {"a": a.name, "b": b.name}
    metres, azimuth = distance_m(a.location, b.location), bearing_deg(a.location, b.location)
    by_rule = {"distance": metres, "bearing": azimuth}
    rule = "bearing" if intent.ask == "direction" else "distance"
    value = Quantity(value=by_rule[rule], unit="deg" if rule == "bearing" else "m")
    claims = (
        (Claim(rule=rule, inputs=cited, arguments=ends, result=value.value),) if a.name and b.name else ()
    )
    return Outcome(value, scene.where, f"From {a.name} to {b.name} in a straight line.", claims, cited)


def _sized(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """The largest, smallest, longest or shortest."""
    place = intent.k - 1
    if place >= len(result.features):
        return Outcome(None, scene.where, reason=f"There are only {result.total} of them.")
    named = [info for info in result.features if info.name]
    chosen = result.features[place] if result.features[place].name else next(iter(named), None)
    if chosen is None or chosen.size is None:
        return Outcome(None, scene.where, reason=f"The {intent.pick} has no name in the data.")
    cited = _evidence(intent, scene, result.features[:SHOWN], arguments)
    sizes = {f"{info.name or intent.what} [{info.id}]": info.size or 0.0 for info in result.features}
    rule = "max" if intent.pick in {"largest", "longest"} else "min"
    label = f"{chosen.name} [{chosen.id}]"
    rank = list(sizes).index(label) + 1
    claim = Claim(rule=rule, inputs=(cited,), arguments={"values": sizes, "k": rank}, result=label)
    unit = "m2" if intent.pick in {"largest", "smallest"} else "m"
    scene.findings.computed(f"size of {chosen.name}", f"{chosen.size:.0f} {unit}", "", (cited,))
    value = Named(name=chosen.name, place=scene.findings.as_place(chosen))
    return Outcome(value, scene.where, f"{chosen.name} is the {intent.pick}.", (claim,), (cited,))


def _total(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """A count, a total area or a total length."""
    amount = result.value or 0.0
    if intent.ask != "count" and amount == 0:
        return Outcome(None, scene.where, reason=_nothing(intent, scene))
    cited = _evidence(intent, scene, result.features, arguments)
    place = scene.around or scene.anchor
    label = f"{intent.ask} of {intent.what} ({place.name if place else ''})"
    formula = f"{result.total} features"
    ids = (scene.findings.computed(label, f"{amount:.0f} {result.unit}", formula, (cited,)), cited)
    if intent.ask == "count" and result.features:
        labels = [info.name or info.id for info in result.features]
        claim = Claim(rule="count", inputs=(cited,), arguments={"labels": labels}, result=len(labels))
    else:
        parts = list(result.parts) if result.parts else [amount]
        claim = Claim(rule="sum", inputs=(cited,), arguments={"values": parts, "unit": ""}, result=amount)
    explanation = (
        f"{result.total} features add up to it." if intent.ask != "count" else "All that fit were counted."
    )
    return Outcome(Quantity(value=amount, unit=result.unit), scene.where, explanation, (claim,), ids)
