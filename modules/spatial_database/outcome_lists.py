"""Lists as an answer: names, kinds, and the kind of one place."""

from collections.abc import Sequence

from mapagent.answer import Named, NameSet, Text
from modules.spatial_database.features import FeatureInfo
from modules.spatial_database.kind_values import PLACE_COLUMNS
from modules.spatial_database.outcome import Outcome, Scene, evidence, nothing
from modules.spatial_database.tools.calculate_metric import MetricArguments, MetricResult
from modules.offline.spatial_intent import SpatialIntent

MOST_NAMED = 50
"""Names given in one answer."""
AMENITY = "amenity"
"""The column of kinds of amenity."""


def listed_names(
    intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments
) -> Outcome:
    """All that fit, or as many as asked for."""
    most = intent.n or MOST_NAMED
    names = tuple(dict.fromkeys(info.name for info in result.features if info.name))
    if not names:
        return Outcome(None, scene.where, reason=f"{nothing(intent, scene)} What there is has no name.")
    cited = evidence(intent, scene, result.features[:MOST_NAMED], arguments)
    more = f" The first {most} of {len(names)} are named." if len(names) > most and not intent.n else ""
    value = NameSet(names=names[:most]) if len(names) > 1 else Named(name=names[0])
    explained = f"{len(names)} fit.{more}"
    return Outcome(
        value, scene.where, explained, evidence_ids=(cited,), distances_m=_distances(result.features)
    )


def listed_kinds(scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
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


def kind_of(scene: Scene) -> Outcome:
    """The kind of the anchor, as the data writes it."""
    if scene.anchor is None:
        return Outcome(None)
    place = scene.findings.as_place(scene.anchor)
    kind = next(iter(place.categories), None)
    if kind is None:
        reason = f"The data does not tell what '{scene.anchor.name}' is ({', '.join(PLACE_COLUMNS)})."
        return Outcome(None, scene.where, reason=reason)
    return Outcome(Text(text=kind, topic="category"), scene.where, f"{scene.anchor.name} is {kind}.")


def _distances(features: Sequence[FeatureInfo]) -> dict[str, float]:
    """How far the nearest feature of each name is; none of those that were not measured."""
    found: dict[str, float] = {}
    for info in features:
        if info.distance_m is not None:
            found[info.name] = min(info.distance_m, found.get(info.name, info.distance_m))
    return found
