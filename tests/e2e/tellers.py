"""Ways to work out right answers that several families of questions share."""

from collections.abc import Callable
from datetime import datetime

from tests.e2e.cases import Counts, Exactly, Expected, moment, names
from tests.e2e.truth import RawMap, Rule, Thing

type Teller = Callable[[RawMap], Expected]


def nearest(anchor: str, k: int = 1, **rules: Rule) -> Teller:
    """The answer is the k-th nearest to the anchor (the anchor itself aside)."""
    return lambda raw: Exactly(raw.nearest(anchor, others(raw, anchor, **rules), k).name)


def first(anchor: str, k: int, **rules: Rule) -> Teller:
    """The answer lists the k nearest in order."""
    return lambda raw: names(raw.nearest_few(anchor, others(raw, anchor, **rules), k), ordered=True)


def within(anchor: str, radius_m: float, **rules: Rule) -> Teller:
    """The answer lists all within a radius."""
    return lambda raw: names(raw.within(anchor, others(raw, anchor, **rules), radius_m))


def count(anchor: str, radius_m: float, **rules: Rule) -> Teller:
    """The answer is how many are within a radius."""
    return lambda raw: Counts(len(raw.within(anchor, others(raw, anchor, **rules), radius_m)))


def others(raw: RawMap, anchor: str, **rules: Rule) -> list[Thing]:
    """The objects that obey the rules, without the anchor itself."""
    return [thing for thing in raw.all(**rules) if thing.name != anchor]


def open_kinds(raw: RawMap, when: datetime, **rules: Rule) -> list[Thing]:
    """The objects that obey the rules and are open."""
    return [thing for thing in raw.all(**rules) if thing.open_at(when)]


def kinds(raw: RawMap, day: str, time: str, **rules: Rule) -> list[Thing]:
    """As `open_kinds`, at a time on a weekday."""
    return open_kinds(raw, moment(day, time), **rules)
