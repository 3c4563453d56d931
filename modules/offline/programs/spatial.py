"""Programs for questions over all features of a map: ranges, directions, regions, totals."""

from modules.offline.programs.words import metres, place, program, quoted, side
from modules.offline.spatial_intent import SpatialIntent

_SIZE = {
    "largest": ("max", "size"),
    "smallest": ("min", "size"),
    "longest": ("max", "length"),
    "shortest": ("min", "length"),
}
TOWARDS_DEG = 22.5
"""Half of an octant: "towards B from A" is within this of the direction from A to B (GS-QA, section 3)."""


def spatial(intent: SpatialIntent) -> str:
    """The program of a question over all features of a map."""
    if intent.described:
        return program(f"unanswerable({quoted(f'{intent.anchor} is told by a fact that is in no table')})")
    lines: list[str] = []
    if intent.corner is not None:
        lines.append(f"a = place({quoted(' & '.join(intent.corner))})")
    elif intent.anchor is not None:
        lines.append(f"a = {place(intent.anchor)}")
    if intent.other is not None:
        return program(*lines, f"b = {place(intent.other)}", _between(intent))
    if intent.ask == "kind":
        return program(*lines, "answer(a.kind)")
    if intent.toward is not None:
        lines.append(f"b = {place(intent.toward)}")
    if intent.region is not None:
        lines.append(f"r = area({quoted(intent.region)})")
    return program(*lines, *_asked(intent))


def _between(intent: SpatialIntent) -> str:
    return "answer(direction(a, to=b))" if intent.ask == "direction" else "answer(distance(a, b))"


def _tests(intent: SpatialIntent) -> list[str]:
    tests = []
    if intent.direction is not None:
        tests.append(f"direction(a, to=p).name == {side(intent.direction)}")
    if intent.toward is not None:
        tests.append(f'abs(direction(a, to=p) - direction(a, to=b)) <= "{TOWARDS_DEG} deg"')
    if intent.beyond_m is not None:
        tests.append(f"distance(a, p) >= {metres(intent.beyond_m)}")
    if intent.whole and intent.region is not None:
        tests.append("p in r")
    return tests


def _found(intent: SpatialIntent) -> str:
    """The search: around a place, or what reaches into a region."""
    what = quoted(intent.what or "place")
    tests = _tests(intent)
    where = f", where=lambda p: {' and '.join(tests)}" if tests else ""
    anchored = intent.anchor is not None or intent.corner is not None
    if intent.region is not None and not anchored:
        return f"places({what}, touching=r{where})"
    bound = f", within={metres(intent.within_m)}" if intent.within_m is not None else ""
    region = ", inside=r" if intent.region is not None else ""
    if not bound and not region and not anchored:
        return f"places({what}{where})"
    return f"places({what}, near=a{bound}{region}{where})"


def _one(intent: SpatialIntent) -> str:
    """The feature that is meant."""
    found = _found(intent)
    if intent.pick in _SIZE:
        pick, measure = _SIZE[intent.pick]
        if intent.k == 1:
            return f"{pick}({found}, key=lambda p: p.{measure})"
        reverse = ", reverse=True" if pick == "max" else ""
        return f"sort({found}, key=lambda p: p.{measure}{reverse})[{intent.k - 1}]"
    if intent.pick == "farthest":
        return f"sort({found}, key=lambda p: distance(a, p), reverse=True)[{intent.k - 1}]"
    return f"{found}[{intent.k - 1}]"


def _asked(intent: SpatialIntent) -> list[str]:
    found = _found(intent)
    clipped = "r" if intent.region is not None else ""
    match intent.ask:
        case "count":
            return [f"answer(count({found}))"]
        case "area" | "length":
            measure = "size" if intent.ask == "area" else "length"
            if intent.pick != "any":
                return [f"one = {_one(intent)}", f"answer(one.{measure}, place=one)"]
            part = f"clip(p, r).{measure}" if clipped else f"p.{measure}"
            return [f"found = {found}", f"answer(sum({part} for p in found))"]
        case "kinds":
            return [f"found = {found}", "answer([g.key for g in group(found, by=lambda p: p.kind)])"]
        case "names" | "name" | "location" if intent.pick == "any" and intent.n is None:
            return [f"answer({found})"]
    if intent.n is not None:
        return [f"answer({found}[:{intent.n}])"]
    one = f"one = {_one(intent)}"
    value = {
        "name": "one", "names": "one", "location": "one", "direction": "direction(a, to=one)",
        "distance": "distance(a, one)", "fact": f"fact(one, {quoted(intent.fact)})", "kind": "one.kind",
    }.get(intent.ask, "one")  # fmt: skip
    part = "" if value == "one" else ", place=one"
    return [one, f"answer({value}{part})"]
