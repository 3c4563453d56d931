"""Places of a kind around an anchor: which, how many, is there one, how far, what of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mapagent.answer import Named, NameSet, Quantity, Solution, Text, Value, YesNo
from modules.offline.intents import HERE, HOURS_RANKS, Compare, Filters, NearbyIntent
from modules.solvers.candidates import Pool, evidence_of, gather
from modules.solvers.common import Trail, labels, match_options, title
from modules.solvers.conditions import none_left
from modules.solvers.counts import solve_more
from modules.solvers.measures import measure_words
from modules.solvers.rankings import Ranked
from modules.solvers.remarks import besides, described, fact_about, next_named, way_to, whereabouts
from modules.solvers.selection import Selection, bounded, select
from modules.view import CannotTellError, View

SHOWN_PLACES = 5
"""The explanation shows so many places of a ranking."""


def solve_nearby(intent: NearbyIntent, view: View) -> Solution | None:
    """A question about places of a kind around (or inside) an anchor.

    The short list is asked for first; the full one only where the short one cannot hold the answer.

    Raises:
        CannotTellError: The anchor or the list is unknown, or the facts to judge by are not stated.
    """
    if not intent.anchors:
        raise CannotTellError("The question does not say near which place; name one, or give --near LAT,LON.")
    if intent.ask == "more":
        return solve_more(intent, view, solve_nearby)
    case = _found(view, bounded(intent))
    return None if case is None else _ASKS[intent.ask](case)


def _found(view: View, intent: NearbyIntent) -> "_Case | None":
    """The selection from the shortest list that holds the answer; None while facts are to be fetched."""
    case: _Case | None = None
    for everything in _stages(intent):
        trail = Trail()
        pool = gather(view, trail, intent, everything=everything)
        selection = select(view, trail, intent, pool) if pool else None
        if pool is None or selection is None:
            return None
        case = _Case(view, intent, trail, pool, selection)
        if pool.complete or len(selection.ranked) >= max(intent.k, intent.n or 1):
            break
    return case


def _stages(intent: NearbyIntent) -> tuple[bool, ...]:
    """Which lists to try: the nearest few (False), all (True)."""
    farthest = intent.rank_by == "distance" and intent.pick is Compare.MAX
    listing = intent.ask == "names" and intent.n is None and (intent.inside or intent.radius_m is not None)
    ranked = intent.rank_by in {"rating", "rating_count", "price_level", *HOURS_RANKS}
    counted = intent.ask == "count" or intent.min_count is not None or intent.max_count is not None
    if counted or farthest or listing or ranked or intent.max_duration_s is not None:
        return (True,)
    return (False, True) if intent.filters != Filters() or intent.k > 1 else (False,)


@dataclass(slots=True)
class _Case:
    """A selection, and the question put to it."""

    view: View
    intent: NearbyIntent
    trail: Trail
    pool: Pool
    selection: Selection

    @property
    def anchor(self) -> str:
        return " and ".join("your position" if one == HERE else one for one in self.intent.anchors)

    @property
    def ranked(self) -> tuple[Ranked, ...]:
        return self.selection.ranked

    def require(self) -> None:
        """Raises `CannotTellError` if no place is left."""
        if not self.ranked:
            raise self.nothing()

    def nothing(self) -> CannotTellError:
        """Why no place is left."""
        what, judged = self.intent.what.text, self.selection.judged
        if judged and self.selection.sifted.outcomes and not self.selection.sifted.kept:
            return none_left(what, len(judged), self.selection.sifted, self.pool.source)
        limit = self.intent.max_duration_s
        within = f" within {limit / 60:g} min" if limit is not None else ""
        return CannotTellError(f"{self.pool.source} has no {what} near {self.anchor}{within}.")

    def unstated(self) -> bool:
        """True if a condition needs a fact that no place states."""
        return bool(self.selection.judged) and bool(self.selection.sifted.unstated())

    def one(self) -> Ranked:
        """The place meant, claimed: the k-th, or the first option from there on if that is not an option."""
        self.require()
        rank = self._option_rank() if self.intent.ask == "name" else self.intent.k
        if len(self.ranked) < rank:
            raise CannotTellError(
                f"Only {len(self.ranked)} places ({self.intent.what.text}) are known, not {rank}."
            )
        self._claim_rank(rank)
        return self.ranked[rank - 1]

    def _option_rank(self) -> int:
        """The rank asked for, or the next one that an option names.

        The source may know places that whoever wrote the options did not: these only push others back.
        """
        k, options = self.intent.k, self.view.question.live_options()
        matched = sorted(match_options(options, [one.place for one in self.ranked]).values())
        ranks = [position + 1 for position in matched if position + 1 >= k]
        if self.intent.rank_by == "any" and len(ranks) > 1:
            names = ", ".join(title(self.ranked[rank - 1].place) for rank in ranks)
            self.trail.warn(f"Several options fulfil the question: {names}; the first is given.")
        if not ranks or ranks[0] == k:
            return k
        if self.intent.rank_by != "any":
            missed = title(self.ranked[k - 1].place)
            self.trail.warn(
                f"{missed} comes at this rank but is not among the options; the next that is, is given."
            )
        return ranks[0]

    def _claim_rank(self, rank: int) -> None:
        names = labels([one.place for one in self.ranked])
        rule = "max" if self.intent.pick is Compare.MAX and self.intent.rank_by != "any" else "min"
        self.trail.claim(
            rule,
            evidence_of(one.candidate for one in self.ranked),
            names[rank - 1],
            values={name: one.measure for name, one in zip(names, self.ranked, strict=True)},
            unit=self.ranked[0].unit,
            k=rank,
        )

    def said(self) -> str:
        """The beginning of the ranking in words."""
        parts = [
            title(one.place) + ("" if one.unit == "rank" else f" {measure_words(one.measure, one.unit)}")
            for one in self.ranked[:SHOWN_PLACES]
        ]
        more = " and more" if len(self.ranked) > SHOWN_PLACES else ""
        return f"{self.intent.what.text} near {self.anchor}: {', '.join(parts)}{more}."


def _named(one: Ranked) -> Value:
    return Named(name=title(one.place), place=one.place, note=whereabouts(one))


def _name(case: _Case) -> Solution | None:
    chosen = case.one()
    at = case.ranked.index(chosen)
    others = [_named(one) for one in (*case.ranked[at + 1 :], *case.ranked[:at])]
    if not case.intent.also:
        note = "; ".join(part for part in (whereabouts(chosen), next_named(case.ranked[at:])) if part)
        value = Named(name=title(chosen.place), place=chosen.place, note=note)
        return case.trail.answered(value, case.said(), others)
    noted = besides(case.view, case.trail, case.intent, chosen)
    if noted is None:
        return None
    value = Named(name=title(chosen.place), place=chosen.place, note=noted)
    return case.trail.answered(value, case.said(), others)


def _names(case: _Case) -> Solution:
    case.require()
    listed = case.ranked[: case.intent.n] if case.intent.n else case.ranked
    if case.intent.n and len(listed) < case.intent.n:
        case.trail.warn(f"Only {len(listed)} are known.")
    names = labels([one.place for one in listed])
    case.trail.claim("count", evidence_of(one.candidate for one in listed), len(listed), labels=list(names))
    return case.trail.answered(NameSet(names=described(listed, names)), case.said())


def _count(case: _Case) -> Solution:
    if case.unstated():
        raise case.nothing()
    if not case.pool.complete:
        if case.pool.source == "The map":
            raise CannotTellError(
                f"The map lists only the first {len(case.pool.candidates)} places ({case.intent.what.text}) "
                f"near {case.anchor}, so they cannot be counted."
            )
        case.trail.warn("The text may not list all places.")
    names = labels([one.place for one in case.ranked])
    inputs = evidence_of(one.candidate for one in case.ranked)
    case.trail.claim("count", inputs, len(names), labels=list(names))
    value = Quantity(value=len(names), unit="count")
    return case.trail.answered(
        value, case.said() if names else f"No {case.intent.what.text} near {case.anchor}."
    )


def _exists(case: _Case) -> Solution:
    least, most = case.intent.min_count, case.intent.max_count
    if least is not None or most is not None:
        return _enough(case, least or 0, float("inf") if most is None else most)
    if case.ranked:
        case.one()
        return case.trail.answered(YesNo(value=True), case.said())
    if case.unstated() or not case.pool.complete:
        raise case.nothing()
    return case.trail.answered(YesNo(value=False), f"No {case.intent.what.text} near {case.anchor} is known.")


def _enough(case: _Case, least: int, most: float) -> Solution:
    """Whether there are as many as said."""
    number = len(case.ranked)
    said = f"{number} {case.intent.what.text} near {case.anchor}."
    return _count(case).model_copy(
        update={"value": YesNo(value=least <= number <= most), "explanation": said}
    )


def _distance(case: _Case) -> Solution:
    chosen = case.one()
    metres = chosen.candidate.distance_m
    if metres is None:
        raise CannotTellError(f"{case.pool.source} does not say how far {title(chosen.place)} is.")
    return case.trail.answered(Quantity(value=metres, unit="m"), case.said())


def _way(case: _Case) -> Solution | None:
    """How long the way to the place takes, or how long it is."""
    chosen = case.one()
    found = way_to(case.view, case.trail, case.intent, chosen, case.intent.ask)
    if found is None:
        return None
    value, said = found
    words = f"{case.said()} {case.anchor} → {title(chosen.place)} {said}."
    return case.trail.answered(value, words)


def _direction(case: _Case) -> Solution:
    from map_tools.compute.geodesy import bearing_deg, wind_name
    from modules.solvers.geometry import nearest_winds

    chosen, spot = case.one(), case.pool.anchors[0]
    if spot is None or chosen.place.location is None:
        raise CannotTellError(f"The positions of {case.anchor} and {title(chosen.place)} are not both known.")
    bearing = bearing_deg(spot, chosen.place.location)
    names = {"a": case.intent.anchors[0], "b": title(chosen.place)}
    case.trail.claim("bearing", chosen.candidate.evidence_ids, bearing, **names)
    first, *others = (Text(text=wind_name(wind), topic="direction") for wind in nearest_winds(bearing))
    return case.trail.answered(first, case.said(), others)


def _fact(case: _Case) -> Solution | None:
    chosen, attribute = case.one(), case.intent.attribute
    if attribute is None:
        raise CannotTellError(f"The question does not say what it wants to know of {title(chosen.place)}.")
    fact = fact_about(case.view, case.trail, chosen, attribute, case.intent.service)
    if fact is None:
        return None
    return case.trail.answered(fact.value, f"{case.said()} {title(chosen.place)}: {fact.words}.")


_ASKS: Mapping[str, Callable[[_Case], Solution | None]] = {
    "name": _name,
    "names": _names,
    "count": _count,
    "exists": _exists,
    "distance": _distance,
    "duration": _way,
    "way": _way,
    "direction": _direction,
    "fact": _fact,
}
