"""Programs for questions about one way: how long, how far, which streets, what comes next."""

import re
from collections.abc import Callable

from map_tools.compute.route_steps import FEATURES
from modules.offline.intents import BACK, RouteIntent
from modules.offline.programs.words import MODES, limits, listed, metres, place, program, quoted, seconds

_SELECT = {
    "fastest": ("min", "duration"),
    "shortest": ("min", "distance"),
    "longest": ("max", "distance"),
    "slowest": ("max", "duration"),
}
_TURNS = {"left_turn": "left", "right_turn": "right", "uturn": "u-turn"}


def route(intent: RouteIntent, mode: str, modes: tuple[str, ...]) -> str:
    """A question about a way.

    Args:
        intent: What the grammar read.
        mode: The mode meant where the question names none.
        modes: Those that are compared where it names none.
    """
    mode = MODES[intent.mode] if intent.mode is not None else mode
    return _Route(intent, mode, modes).program()


def _streets(along: str) -> str:
    """The streets of an option, without its "via"."""
    return re.sub(r"^\s*via\s+", "", along, flags=re.IGNORECASE)


class _Route:
    def __init__(self, intent: RouteIntent, mode: str, modes: tuple[str, ...]) -> None:
        self.intent = intent
        self.mode = mode
        self.modes = tuple(MODES[one] for one in intent.modes) or modes

    def program(self) -> str:
        asks: dict[str, Callable[[], str]] = {
            "duration": self._measure, "distance": self._measure, "via": self._via, "alternatives": self._alternatives,
            "steps": lambda: self._of_way("way.steps"), "difference": self._difference, "fewest": self._by_feature,
            "most": self._by_feature, "best_mode": self._best_mode, "order": self._order, "next_step": self._next_step,
            "first_step": lambda: self._of_way("way.steps[0]"),
            "last_step": lambda: self._of_way('[s for s in way.steps if s.maneuver != "arrive"][-1]'),
            "turn_onto": lambda: self._of_way(f"[s for s in way.steps if uses(s, {self._street()})][0].turn"),
            "next_street": lambda: self._beside("after", 0), "previous_street": lambda: self._beside("before", -1),
            "exit": self._exit, "arrival_side": self._side, "count": lambda: self._of_way(self._feature("way")),
            "has": lambda: self._of_way(f"{self._feature('way')} > 0"), "landmark": self._landmark,
        }  # fmt: skip
        return asks[self.intent.ask]()

    def _beside(self, operator: str, index: int) -> str:
        """The first or last street of the way, or of the part of it after or before the street of the question."""
        streets = f"{operator}(way.streets, {self._street()})" if self.intent.after else "way.streets"
        return self._of_way(f"{streets}[{index}]")

    def _street(self) -> str:
        return quoted(self.intent.after or "")

    @property
    def _ends(self) -> str:
        return f'a, b, "{self.mode}"'

    @property
    def _head(self) -> list[str]:
        return [f"a = {place(self.intent.origin)}", f"b = {place(self.intent.destination)}"]

    @property
    def _ways(self) -> str:
        """The alternatives, those left out that have what the question rules out."""
        ways = f"routes({self._ends}{self._over})"
        tests = [f"{self._feature('r', one, None)} == 0" for one in self.intent.without]
        return f"[r for r in {ways} if {' and '.join(tests)}]" if tests else ways

    @property
    def _over(self) -> str:
        return f", via={listed(self.intent.via)}" if self.intent.via else ""

    def _way(self) -> str:
        """The one way that is meant."""
        intent = self.intent
        if intent.along:
            return f"({self._called(intent.along)} + {self._along(intent.along)})[0]"
        if intent.select == "fastest" and not intent.without:
            return f"travel({self._ends}{self._over})"
        pick, measure = _SELECT[intent.select]
        return f"{pick}({self._ways}, key=lambda r: r.{measure})"

    def _along(self, along: str) -> str:
        """The ways along some streets."""
        return f"[r for r in {self._ways} if uses(r, {quoted(_streets(along))})]"

    def _called(self, along: str) -> str:
        """The ways that are called by some streets."""
        return f"[r for r in {self._ways} if r.name == {quoted(_streets(along))}]"

    def _of_way(self, value: str) -> str:
        return program(*self._head, f"way = {self._way()}", f"answer({value})")

    def _measure(self) -> str:
        intent = self.intent
        measure = intent.ask
        if intent.stretch is not None:
            return self._of_way(f"sum(s.{measure} for s in way.steps if uses(s, {quoted(intent.stretch)}))")
        unit = metres if measure == "distance" else seconds
        value = limits(
            f"way.{measure}",
            None if intent.at_most is None else unit(intent.at_most),
            None if intent.at_least is None else unit(intent.at_least),
        )
        other = "distance" if measure == "duration" else "duration"
        also = f", {other}=way.{other}" if intent.also else ""
        return self._of_way(f"{value}{also}")

    def _limited(self) -> str:
        """The ways that keep within the limits of the question."""
        intent = self.intent
        measure, unit = ("distance", metres) if intent.limit_unit == "m" else ("duration", seconds)
        if intent.at_most is None and intent.at_least is None:
            return self._ways
        test = limits(
            f"r.{measure}",
            None if intent.at_most is None else unit(intent.at_most),
            None if intent.at_least is None else unit(intent.at_least),
        )
        return f"[r for r in {self._ways} if {test}]"

    def _via(self) -> str:
        if self.intent.along:
            return self._of_way("way")
        pick, measure = _SELECT[self.intent.select]
        return program(*self._head, f"answer({pick}({self._limited()}, key=lambda r: r.{measure}))")

    def _alternatives(self) -> str:
        return program(*self._head, f"answer(count({self._limited()}))")

    def _difference(self) -> str:
        intent = self.intent
        measure = "distance" if intent.select in {"shortest", "longest"} else "duration"
        if intent.modes:
            first, second = ((*self.modes, "drive", "walk"))[:2]
            return program(
                *self._head,
                f'x = travel(a, b, "{first}").{measure}',
                f'y = travel(a, b, "{second}").{measure}',
                f'answer(abs(x - y), less="{first}" if x < y else "{second}")',
            )
        if intent.against == BACK:
            return program(
                *self._head,
                f'answer(abs(travel({self._ends}).{measure} - travel(b, a, "{self.mode}").{measure}))',
            )
        if intent.via:
            return program(
                *self._head,
                f"answer(abs(travel({self._ends}{self._over}).{measure} - travel({self._ends}).{measure}))",
            )
        falling = ", reverse=True" if intent.select in {"longest", "slowest"} else ""
        ways = f"ways = sort({self._ways}, key=lambda r: r.{measure}{falling})"
        best = "ways[0]"
        other = "ways[-1]" if intent.against in {"slowest", "longest"} else "ways[1]"
        if intent.along:
            other = f"{self._along(intent.along)}[0]"
            if intent.against not in {None, "slowest", "longest"}:
                best = f"{self._along(intent.against or '')}[0]"
        return program(*self._head, ways, f"answer(abs({other}.{measure} - {best}.{measure}))")

    def _feature(self, way: str, feature: str | None = None, street: str | None = "") -> str:
        """How often a way has a feature (on one street)."""
        feature = feature or self.intent.feature or "step"
        on = self.intent.after if street == "" else street
        if feature in {"arrive_left", "arrive_right"}:
            return f'count(s for s in {way}.steps if known(s.side) and s.side == "{feature.removeprefix("arrive_")}")'
        if feature not in FEATURES and not on:
            return f"count(s for s in {way}.steps if {quoted(feature)} in s.text)"
        return f"features({way}, {quoted(feature)}{f', on={quoted(on)}' if on else ''})"

    def _by_feature(self) -> str:
        features = [self.intent.feature or "turn", *self.intent.more_features]
        total = " + ".join(self._feature("r", one) for one in features)
        most = self.intent.ask == "most"
        kept = f"[r for r in {self._ways} if {total} > 0]" if most else self._ways
        return program(*self._head, f"answer({'max' if most else 'min'}({kept}, key=lambda r: {total}))")

    def _best_mode(self) -> str:
        measure = "distance" if self.intent.select in {"shortest", "longest"} else "duration"
        pick = "max" if self.intent.select in {"longest", "slowest"} else "min"
        names = ", ".join(f'"{mode}"' for mode in self.modes)
        lines = [*self._head, f"modes = [m for m in [{names}] if known(travel(a, b, m).{measure})]"]
        best = f"{pick}(modes, key=lambda m: travel(a, b, m).{measure})"
        if self.intent.claim is not None:
            return program(*lines, f'answer({best} == "{MODES[self.intent.claim]}")')
        return program(*lines, f"answer({best})")

    def _order(self) -> str:
        ends = listed((self.intent.destination, *self.intent.others))
        measure = "distance" if self.intent.select in {"shortest", "longest"} else "duration"
        falling = ", reverse=True" if self.intent.select in {"longest", "slowest"} else ""
        return program(
            f"a = {place(self.intent.origin)}",
            f'answer(sort({ends}, key=lambda p: travel(a, p, "{self.mode}").{measure}{falling}))',
        )

    def _next_step(self) -> str:
        intent = self.intent
        if intent.feature:
            nth = intent.nth or 1
            having = f"[s for s in way.steps if features(s, {quoted(intent.feature)}) > 0]"
            return self._of_way(f"after(way.steps, {having}[{nth - 1 if nth > 0 else nth}])[0]")
        if intent.after is None:
            return self._of_way("way.steps[0]")
        return self._of_way(f"after(way.steps, {self._street()})[0]")

    def _exit(self) -> str:
        nth = self.intent.nth or 1
        at = nth - 1 if nth > 0 else nth
        if self.intent.after:
            onto = f"[s for s in way.steps if known(s.exit) and uses(s, {self._street()})]"
            on_it = f"[s for s in after(way.steps, {self._street()}) if known(s.exit)]"
            return program(
                *self._head, f"way = {self._way()}", f"onto = {onto}",
                f"answer(onto[{at}].exit if count(onto) > {max(at, 0)} else {on_it}[{at}].exit)",
            )  # fmt: skip
        return self._of_way(f"[s for s in way.steps if known(s.exit)][{at}].exit")

    def _side(self) -> str:
        feature = self.intent.feature
        if feature and feature != self.intent.destination:
            return self._of_way(
                f"[s.side for s in way.steps if {quoted(feature)} in s.text and known(s.side)][0]"
            )
        return self._of_way("[s.side for s in way.steps if known(s.side)][-1]")

    def _landmark(self) -> str:
        if self.intent.after:
            steps = (
                f"[s for s in way.steps if uses(s, {self._street()})] + after(way.steps, {self._street()})"
            )
            return self._of_way(f"[s.landmarks[0] for s in {steps} if count(s.landmarks) > 0][0]")
        return self._of_way("[s.landmarks[0] for s in way.steps if count(s.landmarks) > 0][0]")
