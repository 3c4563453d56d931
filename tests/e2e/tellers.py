"""Works out the right answer to a question from the raw data of its map.

A table of cases names a teller, gives its arguments and, as a table at the end, its keywords:
`["nearest", "Kinopalatsi", 2, { amenity = "cinema" }]` is `nearest("Kinopalatsi", 2, amenity="cinema")`. Keywords
that are not named here are rules for tags (`RawMap.all`); `at` ("Sa 17:00") keeps what is open then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shapely import Point

from mapagent.core.answer import Status
from tests.e2e.cases import (
    Both,
    Clock,
    Clocks,
    Counts,
    Ends,
    Exactly,
    Expected,
    Judge,
    Lists,
    Metres,
    Minutes,
    Says,
    YesNo,
    minute_of,
    moment,
    names,
)
from tests.e2e.truth import NotClearError, Thing
from tests.e2e.ways import Ways

type Rules = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tellers(Ways):
    """All ways to work out an answer.

    Attributes:
        me: Where the user stands, whom tables call "me".
    """

    me: tuple[float, float] | None = None

    def tell(self, right: Sequence[Any]) -> Expected:
        """The right answer, told by the teller that is named first."""
        name, *arguments = right
        keywords = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
        expected: Expected = getattr(self, name)(*arguments, **keywords)
        return expected

    # what was read by hand

    def says(self, *words: str) -> Says:
        return Says(words)

    def exactly(self, words: str) -> Exactly:
        return Exactly(words)

    def yes(self) -> YesNo:
        return YesNo(True)

    def no(self) -> YesNo:
        return YesNo(False)

    def clock(self, time: str) -> Clock:
        return Clock(minute_of(time))

    def clocks(self, *times: str) -> Clocks:
        return Clocks(times)

    def minutes(self, minutes: float) -> Minutes:
        return Minutes(minutes)

    def both(self, *parts: Sequence[Any]) -> Both:
        """All of these in one answer."""
        judges = tuple(part for part in map(self.tell, parts) if isinstance(part, Judge))
        assert len(judges) == len(parts)
        return Both(judges)

    # no answer

    def unanswerable(self, *words: str) -> Ends:
        return Ends((Status.UNANSWERABLE,), words)

    def off_topic(self) -> Ends:
        return Ends((Status.NOT_UNDERSTOOD, Status.UNANSWERABLE))

    def nonsense(self) -> Ends:
        return Ends((Status.NOT_UNDERSTOOD,))

    def lacks(self, name: str, *keys: str) -> Ends:
        """The place has none of these tags."""
        assert not set(keys) & set(self.raw.one(name).tags)
        return self.unanswerable(name)

    def unknown(self, name: str) -> Ends:
        """Nothing has a name like this."""
        last = name.rsplit(maxsplit=1)[-1]
        assert not [thing for thing in self.raw.all(name=True) if last.casefold() in thing.name.casefold()]
        return self.unanswerable(last)

    def many(self, name: str) -> Ends:
        """Several places have the name."""
        assert sum(thing.name == name for thing in self.raw.all(name=True)) > 1
        return Ends((Status.AMBIGUOUS,), (name,))

    # facts of one place

    def tagged(self, name: str, *keys: str) -> Says:
        """What the first of these tags says."""
        return Says((self.raw.tag(name, *keys),))

    def just_tagged(self, name: str, key: str) -> Exactly:
        return Exactly(self.raw.tag(name, key))

    def address(self, name: str) -> Says:
        return Says((self.raw.tag(name, "addr:street"), self.raw.tag(name, "addr:housenumber")))

    def branch(self, name: str, street: str, key: str) -> Says:
        """The tag of the only branch in a street."""
        rules: Rules = {"name": name, "addr:street": street}
        (found,) = self.raw.all(**rules)
        return Says((found.tags[key],))

    def has(self, name: str, key: str, yes: str = "yes", no: str = "no") -> YesNo:
        """Whether the tag has the value for yes, not that for no."""
        return YesNo({yes: True, no: False}[self.raw.tag(name, key)])

    def is_open(self, name: str, at: str) -> YesNo:
        return YesNo(self.raw.one(name).open_at(moment(at)))

    def only_open(self, at: str, *places: str) -> Exactly:
        (found,) = (place for place in places if self.raw.one(place).open_at(moment(at)))
        return Exactly(found)

    # what is around, the anchor itself aside

    def nearest(self, anchor: str, k: int = 1, **rules: Any) -> Exactly:
        return Exactly(self._nearest(anchor, k, **rules).name)

    def nearest_of(self, anchor: str, *places: str) -> Exactly:
        return Exactly(self.raw.nearest(anchor, [self.raw.one(place) for place in places]).name)

    def nearest_of_kinds(self, anchor: str, kinds: Sequence[Rules]) -> Exactly:
        """The nearest of all that obey one of the sets of rules."""
        among = [thing for rules in kinds for thing in self._others(anchor, **rules)]
        return Exactly(self.raw.nearest(anchor, among).name)

    def names_nearest(self, anchor: str, **rules: Any) -> Says:
        return Says((self._nearest(anchor, **rules).name,))

    def tag_of_nearest(self, anchor: str, key: str, **rules: Any) -> Says:
        return Says((self._nearest(anchor, **rules).tags[key],))

    def first(self, anchor: str, k: int, **rules: Any) -> Lists:
        """The k nearest in order."""
        among = self._others(anchor, **rules)
        return names(self.raw.nearest_few(self._point(anchor), among, k), ordered=True)

    def within(self, anchor: str, radius_m: float, **rules: Any) -> Lists:
        return names(self._within(anchor, radius_m, **rules))

    def count(self, anchor: str, radius_m: float, **rules: Any) -> Counts:
        return Counts(len(self._within(anchor, radius_m, **rules)))

    def exists(self, anchor: str, radius_m: float, **rules: Any) -> YesNo:
        return YesNo(bool(self._within(anchor, radius_m, **rules)))

    def more_of(self, anchor: str, radius_m: float, one: tuple[str, Rules], other: tuple[str, Rules]) -> Says:
        """The word for the kind there is more of."""
        first, second = (len(self._within(anchor, radius_m, **rules)) for _, rules in (one, other))
        assert first != second
        return Says((one[0] if first > second else other[0],))

    def metres_to_nearest(self, anchor: str, **rules: Any) -> Metres:
        return Metres(self.raw.metres(anchor, self._nearest(anchor, **rules)))

    def road_to_nearest(self, mode: str, anchor: str, **rules: Any) -> Metres:
        return Metres(self.raw.road_metres(mode, anchor, self._nearest(anchor, **rules)))

    def minutes_to_nearest(self, mode: str, anchor: str, **rules: Any) -> Minutes:
        """The time to the nearest, which is the first to be reached as well."""
        near = self.raw.nearest_few(anchor, self._others(anchor, **rules), 2)
        times = [self.raw.minutes(mode, anchor, thing) for thing in near]
        if min(times) < times[0]:
            raise NotClearError(f"another one is reached sooner: {times}")
        return Minutes(times[0])

    def minutes_via_nearest(self, mode: str, start: str, end: str, **rules: Any) -> Minutes:
        return Minutes(self.raw.minutes(mode, start, self._nearest(start, **rules), end), 1.6)

    # whole districts and the whole map

    def everywhere(self, **rules: Any) -> Lists:
        return names(self._others("", **rules))

    def list_in(self, area: str, **rules: Any) -> Lists:
        return names(self._inside(area, **rules))

    def any_in(self, area: str, **rules: Any) -> YesNo:
        return YesNo(bool(self._inside(area, **rules)))

    def count_in(self, area: str, level: str = "", **rules: Any) -> Counts:
        """How many there are, without those that lie within another one of their name.

        The building of a school is no second school. The administrative level tells areas of one name apart.
        """
        things = self._inside(area, level, **rules)
        return Counts(sum(not any(_houses(other, thing) for other in things) for thing in things))

    def more_in(self, areas: Sequence[str], **rules: Any) -> Exactly:
        return Exactly(max(areas, key=lambda area: len(self._inside(area, **rules))))

    def more_in_than(self, area: str, other: str, **rules: Any) -> YesNo:
        return YesNo(len(self._inside(area, **rules)) > len(self._inside(other, **rules)))

    # what tellers share

    def _point(self, anchor: str) -> str | Thing:
        return Thing("node", 0, {"name": "me"}, *self.me) if anchor == "me" and self.me else anchor

    def _others(self, anchor: str, *, at: str = "", **rules: Any) -> list[Thing]:
        found = [thing for thing in self.raw.all(**rules) if thing.name != anchor]
        return [thing for thing in found if thing.open_at(moment(at))] if at else found

    def _nearest(self, anchor: str, k: int = 1, *, beside: str = "", **rules: Any) -> Thing:
        among = [thing for thing in self._others(anchor, **rules) if not beside or thing.name != beside]
        return self.raw.nearest(self._point(anchor), among, k)

    def _within(self, anchor: str, radius_m: float, **rules: Any) -> list[Thing]:
        return self.raw.within(self._point(anchor), self._others(anchor, **rules), radius_m)

    def _inside(self, area: str, level: str = "", **rules: Any) -> list[Thing]:
        area_rules: Rules = {"boundary": "administrative"} | ({"admin_level": level} if level else {})
        return self.raw.inside(self.raw.one(area, **area_rules), self.raw.all(**rules))


def _houses(other: Thing, thing: Thing) -> bool:
    """True if the other one of this name has the thing within it."""
    return (
        other is not thing
        and other.name == thing.name != ""
        and other.shape is not None
        and bool(other.shape.contains(Point(thing.lng, thing.lat)))
    )
