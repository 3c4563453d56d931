"""Conditions on places, judged with three outcomes: a fact that is not stated never fulfils one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from map_tools.types import Place
from modules.offline.intents import Filters, When
from modules.names import normalise, same_name
from modules.solvers.common import address_holds, labels
from modules.solvers.moments import WEEKDAYS
from modules.solvers.offers import offers, serves
from modules.view import CannotTellError, View


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in words, the fact it needs, and its test (None: the source does not state the fact)."""

    words: str
    fact: str
    test: Callable[[Place], bool | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one condition did: positions kept, dropped, and those whose fact is not stated."""

    condition: Condition
    kept: tuple[int, ...]
    failed: tuple[int, ...]
    unknown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sifted:
    """Positions of the places that fulfil all conditions, and what each condition did."""

    kept: tuple[int, ...]
    outcomes: tuple[Outcome, ...]

    def unstated(self) -> str:
        """The fact no place states at all although a condition needs it; empty if there is none."""
        return next(
            (one.condition.fact for one in self.outcomes if one.unknown and not (one.kept or one.failed)), ""
        )

    def warnings(self) -> tuple[str, ...]:
        """Which facts some, but not all, places leave open."""
        return tuple(
            f"Left out, because nobody states their {one.condition.fact}: {len(one.unknown)}."
            for one in self.outcomes
            if one.unknown and (one.kept or one.failed)
        )


def sift(places: Sequence[Place], conditions: Sequence[Condition]) -> Sifted:
    """Judges every place by every condition; all must hold together."""
    outcomes = []
    kept = set(range(len(places)))
    for condition in conditions:
        verdicts = [condition.test(place) for place in places]
        outcome = Outcome(
            condition,
            kept=tuple(i for i, verdict in enumerate(verdicts) if verdict is True),
            failed=tuple(i for i, verdict in enumerate(verdicts) if verdict is False),
            unknown=tuple(i for i, verdict in enumerate(verdicts) if verdict is None),
        )
        kept &= set(outcome.kept)
        outcomes.append(outcome)
    return Sifted(tuple(sorted(kept)), tuple(outcomes))


def claim_arguments(places: Sequence[Place], outcome: Outcome) -> dict[str, object]:
    """The arguments of a "filter" claim for one condition."""
    names = labels(places)
    return {
        "condition": outcome.condition.words,
        "kept": [names[i] for i in outcome.kept],
        "dropped": [names[i] for i in (*outcome.failed, *outcome.unknown)],
    }


def conditions_of(view: View, filters: Filters) -> tuple[Condition, ...]:
    """The conditions a question sets, except for its direction (which needs an anchor)."""
    made: list[Condition] = []
    made += _bounds("rating", "rating", filters.min_rating, filters.max_rating)
    made += _bounds("rating_count", "number of ratings", filters.min_rating_count, filters.max_rating_count)
    made += _choices(filters)
    made += _opening(view, filters)
    made += [_service(key, wanted=True) for key in filters.services]
    made += [_service(key, wanted=False) for key in filters.without_services]
    made += _words(filters)
    if filters.same_street_as is not None:
        made += _same_street(view, filters.same_street_as)
    return tuple(made)


def excluded(place: Place, filters: Filters) -> bool:
    """True if the question rules this place out by name."""
    return any(same_name(name, place.name) for name in filters.exclude if place.name)


def _bounds(field: str, noun: str, lowest: float | None, highest: float | None) -> list[Condition]:
    def judge(holds: Callable[[float], bool]) -> Callable[[Place], bool | None]:
        def test(place: Place) -> bool | None:
            stated = getattr(place, field)
            return None if stated is None else holds(float(stated))

        return test

    made = []
    if lowest is not None:
        made.append(Condition(f"{noun} at least {lowest:g}", noun, judge(lambda stated: stated >= lowest)))
    if highest is not None:
        made.append(Condition(f"{noun} at most {highest:g}", noun, judge(lambda stated: stated <= highest)))
    return made


def _choices(filters: Filters) -> list[Condition]:
    made = []
    levels, cuisine = filters.price_levels, filters.cuisine
    if levels:
        shown = " or ".join(str(level) for level in sorted(levels))
        made.append(
            Condition(
                f"price level {shown}",
                "price level",
                lambda place: None if place.price_level is None else place.price_level in levels,
            )
        )
    if cuisine:
        made.append(Condition(f"cuisine {cuisine}", "cuisine", lambda place: serves(place, cuisine)))
    unwanted = filters.without_cuisine
    if unwanted:
        made.append(
            Condition(
                f"no {unwanted} cuisine",
                "cuisine",
                lambda place: None if (verdict := serves(place, unwanted)) is None else not verdict,
            )
        )
    return made


def _opening(view: View, filters: Filters) -> list[Condition]:
    made = []
    if filters.open_at is not None:
        when = filters.open_at
        made.append(
            Condition(f"open {_when_words(when)}", "opening hours", lambda place: _open(view, place, when))
        )
    if filters.open_presumed is not None:
        now = filters.open_presumed
        made.append(
            Condition(
                f"not closed {_when_words(now)}",
                "opening hours",
                lambda place: _open(view, place, now) is not False,
            )
        )
    if filters.closed_at is not None:
        moment = filters.closed_at
        made.append(
            Condition(
                f"closed {_when_words(moment)}",
                "opening hours",
                lambda place: None if (state := _open(view, place, moment)) is None else not state,
            )
        )
    return made


def _open(view: View, place: Place, when: When) -> bool | None:
    if place.hours is None:
        return None
    from modules.solvers.opening_verdict import verdict

    return verdict(view, place, when).state


def _when_words(when: When) -> str:
    if when.is_now:
        return "now"
    parts = []
    if when.days:
        parts.append("on " + " and ".join(WEEKDAYS[day] for day in when.days))
    elif when.weekday is not None:
        parts.append(f"on {WEEKDAYS[when.weekday]}")
    if when.day is not None:
        parts.append(f"on {when.day.isoformat()}")
    if when.relative_days is not None:
        parts.append({0: "today", 1: "tomorrow"}.get(when.relative_days, f"in {when.relative_days} days"))
    if when.at is not None:
        parts.append(
            f"at {when.at:%H:%M}" if when.until is None else f"from {when.at:%H:%M} to {when.until:%H:%M}"
        )
    return " ".join(parts)


def _service(key: str, *, wanted: bool) -> Condition:
    noun = key.replace("_", " ")

    def test(place: Place) -> bool | None:
        stated = offers(place, key)
        return None if stated is None else stated is wanted

    return Condition(noun if wanted else f"no {noun}", f"answer to '{noun}'", test)


def _words(filters: Filters) -> list[Condition]:
    made = []
    if filters.name_contains:
        part = normalise(filters.name_contains)
        made.append(
            Condition(
                f"'{filters.name_contains}' in the name",
                "name",
                lambda place: (
                    any(part in normalise(name) for name in (place.name, *place.aliases) if name)
                    if place.name
                    else None
                ),
            )
        )
    if filters.address_contains:
        words = set(normalise(filters.address_contains).split())
        made.append(
            Condition(
                f"'{filters.address_contains}' in the address",
                "address",
                lambda place: address_holds(place, words),
            )
        )
    return made


def _same_street(view: View, name: str) -> list[Condition]:
    """On the street of a place, which is the first part of its address without the house number.

    Raises:
        CannotTellError: Its street is not known.
    """
    found = view.try_place(name)
    if view.waiting:
        return []
    first = normalise(((found.place.address if found else None) or "").split(",")[0])
    street = {word for word in first.split() if not any(sign.isdigit() for sign in word)}
    if not street:
        raise CannotTellError(f"The street of '{name}' is not known.")
    return [
        Condition(
            f"on the street of {name}",
            "address",
            lambda place: address_holds(place, street),
        )
    ]


def none_left(what: str, count: int, sifted: Sifted, source: str) -> CannotTellError:
    """The error where no place fulfils the conditions."""
    missing = sifted.unstated()
    if missing:
        return CannotTellError(f"{source} states the {missing} of none of the {count} places ({what}).")
    words = " and ".join(one.condition.words for one in sifted.outcomes)
    return CannotTellError(f"None of the {count} places ({what}) fulfils: {words}.")
