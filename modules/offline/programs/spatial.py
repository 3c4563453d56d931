"""Programs for questions over all features of a map: ranges, directions, regions, totals.

What the benchmarks mean by their words stands here, in the programs: "north of" is the octant of GS-QA
(section 3) or, in data that says so, anywhere further north (MapQA); "towards" is within half an octant;
where any feature will do, it is the nearest that can be told where it is (GS-QA takes those with a city or a
state); the total of a region's features takes each of them whole.
"""

from modules.offline.programs.words import metres, place, program, quoted, side
from modules.offline.spatial_intent import SIZES, TOTALS, SpatialIntent

_GREATEST = frozenset({"largest", "longest"})
_AREAS = frozenset({"largest", "smallest"})
_HALVES = {"N": "p.lat > a.lat", "S": "p.lat < a.lat", "E": "p.lng > a.lng", "W": "p.lng < a.lng"}
TOWARDS_DEG = 22.5
"""Half of an octant: "towards B from A" is within this of the direction from A to B (GS-QA, section 3)."""
_NAMED = "known(p.name)"
_TOLD_WHERE = '(known(p.city) or known(fact(p, "addr:state")))'


def spatial(intent: SpatialIntent, *, halves: bool = False) -> str:
    """The program of a question over all features of a map.

    Args:
        intent: What the question asks.
        halves: "north of" means anywhere further north.
    """
    if intent.described:
        return program(f"unanswerable({quoted(f'{intent.anchor} is told by a fact that is in no table')})")
    lines: list[str] = []
    if intent.corner is not None:
        lines.append(f"a = place({quoted(' & '.join(intent.corner))})")
    elif intent.anchor is not None:
        lines.append(f"a = {place(intent.anchor)}")
    if intent.other is not None:
        lines.append(f"b = {place(intent.other)}")
        return program(*lines, f"answer({_between(intent)})")
    if intent.ask == "kind":
        return program(*lines, "answer(a.amenity if known(a.amenity) else a.kind)")
    if intent.toward is not None:
        lines.append(f"b = place({quoted(intent.toward)}, near=a)")
    if intent.region is not None:
        lines.append(f"r = area({quoted(intent.region)})")
    return program(*lines, *_Writer(intent, halves=halves).lines())


def _between(intent: SpatialIntent) -> str:
    return "direction(a, to=b)" if intent.ask == "direction" else "distance(a, b)"


class _Writer:
    """Writes what is asked of the features that an intent describes; `a`, `b` and `r` are set."""

    def __init__(self, intent: SpatialIntent, *, halves: bool) -> None:
        self._intent = intent
        self._halves = halves
        self._what = quoted(intent.what or "place")
        self._anchored = intent.anchor is not None or intent.corner is not None

    def lines(self) -> list[str]:
        """The last lines of the program."""
        intent = self._intent
        if intent.ask in TOTALS and intent.pick == "any":
            return self._total()
        if intent.ask == "kinds":
            return [
                f"found = {self._found('known(p.amenity)')}",
                "answer([g.key for g in group(found, by=lambda p: p.amenity)])",
            ]
        if intent.ask == "names" and intent.pick == "any":
            cut = f"[:{intent.n}]" if intent.n is not None else ""
            return [f"answer({self._found()}{cut})"]
        if intent.n is not None:
            return [f"answer({self._found()}[:{intent.n}])"]
        return self._one()

    def _total(self) -> list[str]:
        """All features together; those without the measure, such as points, add nothing to it."""
        if self._intent.ask == "count":
            return [f"answer(count({self._found()}))"]
        measure = "size" if self._intent.ask == "area" else "length"
        found = f"found = {self._found()}"
        return [found, f"answer(sum(p.{measure} for p in found if known(p.{measure})), of=count(found))"]

    def _one(self) -> list[str]:
        """The feature that is meant, and what is asked about it."""
        intent = self._intent
        if intent.pick in SIZES:
            return self._by_size()
        lines = [f"one = {self._chosen()}"]
        if intent.ask in {"name", "location"} and intent.pick == "any" and self._anchored:
            any_one = f"one = told if known(told) else {self._chosen()}"
            lines = [f"told = {self._chosen(_TOLD_WHERE)}", any_one]
        value = {
            "direction": "direction(a, to=one)",
            "distance": "distance(a, one)",
            "fact": f"fact(one, {quoted(intent.fact)})",
        }.get(intent.ask, "one")
        part = "" if value == "one" else ", place=one"
        return [*lines, f"answer({value}{part})"]

    def _chosen(self, *further: str) -> str:
        """The nearest or farthest one, or the first in a region; those without a name are left out."""
        intent = self._intent
        if intent.pick == "farthest":
            found = self._found(*further)
            return f"sort({found}, key=lambda p: distance(a, p), reverse=True)[{intent.k - 1}]"
        if self._anchored and intent.k == 1:
            return f"nearest({self._what}, to=a{self._bounds()}{self._where(*further)})"
        return f"{self._found(_NAMED, *further)}[{intent.k - 1}]"

    def _by_size(self) -> list[str]:
        """By area; or by length, where the pieces of one name are one road or river."""
        intent = self._intent
        falling = ", reverse=True" if intent.pick in _GREATEST else ""
        if intent.pick in _AREAS:
            unnamed = intent.ask in TOTALS
            found = self._found("known(p.size)") if unnamed else self._found(_NAMED, "known(p.size)")
            one = f"one = sort({found}, key=lambda p: p.size{falling})[{intent.k - 1}]"
            return [one, "answer(one.size, place=one)" if unnamed else "answer(one, size=one.size)"]
        found = f"found = {self._found(_NAMED, 'known(p.length)')}"
        groups = "group(found, by=lambda p: p.name)"
        ranked = f"ranked = sort({groups}, key=lambda g: sum(p.length for p in g.items){falling})"
        one = f"one = ranked[{intent.k - 1}]"
        length = "sum(p.length for p in one.items)"
        asked = f"{length}, name=one.key" if intent.ask in TOTALS else f"one.key, length={length}"
        return [found, ranked, one, f"answer({asked})"]

    def _found(self, *further: str) -> str:
        """The search: around a place, in a region, or for measures all that reaches into it."""
        intent = self._intent
        measured = intent.pick in SIZES or intent.ask in {"area", "length"}
        if intent.region is not None and not self._anchored:
            bound = "touching=r" if measured and not intent.whole else "inside=r"
            return f"places({self._what}, {bound}{self._where(*further)})"
        if not self._anchored:
            return f"places({self._what}{self._where(*further)})"
        if measured and intent.within_m is not None:
            around = f"touching=buffer(a, {metres(intent.within_m)})"
            return f"places({self._what}, {around}{self._where(*further)})"
        return f"places({self._what}, near=a{self._bounds()}{self._where(*further)})"

    def _bounds(self) -> str:
        intent = self._intent
        within = f", within={metres(intent.within_m)}" if intent.within_m is not None else ""
        return f"{within}, inside=r" if intent.region is not None else within

    def _where(self, *further: str) -> str:
        """The conditions: first what says least of all of them, for a source may search by it."""
        intent = self._intent
        tests = []
        if intent.direction is not None:
            tests += self._side(intent.direction)
        if intent.toward is not None:
            tests.append(f'abs(direction(a, to=p) - direction(a, to=b)) <= "{TOWARDS_DEG} deg"')
        if intent.beyond_m is not None:
            tests.append(f"distance(a, p) >= {metres(intent.beyond_m)}")
        if intent.whole and intent.region is not None:
            tests.append("p in r")
        tests += further
        return f", where=lambda p: {' and '.join(tests)}" if tests else ""

    def _side(self, direction: str) -> list[str]:
        if self._halves:
            return [_HALVES[letter] for letter in direction]
        return [f"direction(a, to=p).name == {side(direction)}"]
