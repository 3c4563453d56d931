"""Measures as an answer: the largest and longest, totals, the way from one place to another."""

from map_tools.compute.geodesy import bearing_deg, distance_m
from mapagent.answer import Claim, Named, Quantity
from modules.spatial_database.outcome import SHOWN, Outcome, Scene, evidence, nothing
from modules.spatial_database.tools.calculate_metric import MetricArguments, MetricResult
from modules.offline.spatial_intent import SpatialIntent


def sized(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """The largest, smallest, longest or shortest."""
    place = intent.k - 1
    if place >= len(result.features):
        return Outcome(None, scene.where, reason=f"There are only {result.total} of them.")
    named = [info for info in result.features if info.name]
    chosen = result.features[place] if result.features[place].name else next(iter(named), None)
    if chosen is None or chosen.size is None:
        return Outcome(None, scene.where, reason=f"The {intent.pick} has no name in the data.")
    cited = evidence(intent, scene, result.features[:SHOWN], arguments)
    sizes = {f"{info.name or intent.what} [{info.id}]": info.size or 0.0 for info in result.features}
    rule = "max" if intent.pick in {"largest", "longest"} else "min"
    label = f"{chosen.name} [{chosen.id}]"
    rank = list(sizes).index(label) + 1
    claim = Claim(rule=rule, inputs=(cited,), arguments={"values": sizes, "k": rank}, result=label)
    unit = "m2" if intent.pick in {"largest", "smallest"} else "m"
    scene.findings.computed(f"size of {chosen.name}", f"{chosen.size:.0f} {unit}", "", (cited,))
    value = Named(name=chosen.name, place=scene.findings.as_place(chosen))
    return Outcome(value, scene.where, f"{chosen.name} is the {intent.pick}.", (claim,), (cited,))


def total(intent: SpatialIntent, scene: Scene, result: MetricResult, arguments: MetricArguments) -> Outcome:
    """A count, a total area or a total length."""
    amount = result.value or 0.0
    if intent.ask != "count" and amount == 0:
        return Outcome(None, scene.where, reason=nothing(intent, scene))
    cited = evidence(intent, scene, result.features, arguments)
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


def between(intent: SpatialIntent, scene: Scene) -> Outcome:
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
