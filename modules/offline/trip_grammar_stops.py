"""The stops of a trip as a question tells them: places in order, stays, modes, the way back."""

import re
from collections.abc import Iterator

from map_tools.concepts import find_in
from modules.names import normalise, same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.options import ordered_names
from modules.offline.route_vocabulary import street_like, words
from modules.offline.text_areas import is_area
from modules.offline.trip_grammar_begin import begin_unstayed
from modules.offline.trip_grammar_names import overlaps, stated_positions, trip_names, whole_of
from modules.offline.trip_grammar_searches import searched_stops
from modules.offline.trip_grammar_stays import assign_stays, is_budget
from modules.offline.trip_grammar_trail import Stop, Trail, blanked, pattern

_STAYED = 2
"""With so many stays told, names without one behind the start are no stops."""
_STAY_REACH = 24
"""How many characters behind a stay the name may stand that it is said of ("an hour relaxing in X")."""
_LOOP = 2
"""A list of more names than this that ends with its first one is a round trip."""
_AREAS = frozenset(
    {"city", "town", "village", "suburb", "district", "island", "region", "country", "quarter"}
)
"""Kinds of places that a trip may be in as a whole."""
_ORDER = re.compile(r"\s*(?:->|>|→|,|;|\bthen\b)\s*", re.IGNORECASE)


def trail(analysis: Analysis) -> Trail:
    """Reads the stops of a trip."""
    searched = searched_stops(analysis)
    names = [span for span in trip_names(analysis) if not overlaps(span, tuple(searched))]
    found = Trail(start=_here(analysis), stops=[])
    found.spans = sorted([*names, *(searched if names else ())])
    for start, end in found.spans:
        stop = Stop(start, end, _clean(analysis.text[start:end]), what=searched.get((start, end)))
        if stop.what is None:
            _place(analysis, found, stop)
        else:
            _place_searched(analysis, found, stop)
    _join_qualified(analysis, found)
    _name_ways(analysis, found)
    if not found.stops and (analysis.option_kind == "order" or ordered_names(analysis.options)):
        found.stops = list(_of_options(analysis, found))
    _drop_topic(analysis, found)
    _drop_areas(analysis, found)
    begin_unstayed(analysis, found)
    found.back = _way_back(analysis, found) or _closed_chain(analysis, found) or found.back
    if not found.stops and found.end_stop is not None and found.end != found.start:
        # "I must be back at A by six; when do I leave B?": no more than the way from B to A.
        found.stops, found.end_stop, found.end, found.back = [found.end_stop], None, None, None
    return found


def _drop_topic(analysis: Analysis, found: Trail) -> None:
    """Leaves out the city a question begins with: it alone has no stay, and other names tell that it is one.

    They do if the trip starts elsewhere, or the city is a part of theirs ("London ... Tower of London"). So
    too if its sentence tells the time at hand ("Seestadt in six hours?").
    """
    if not found.stops or found.stops[0].dwell_s or analysis.sentence_at(found.stops[0].start):
        return
    first, *others = found.stops
    stayed = len(others) >= _STAYED and all(stop.dwell_s for stop in others)
    inside = any(normalise(first.text) in normalise(stop.text).split() for stop in others)
    begun = first.start == 0 and found.start is not None
    budget = found.budget
    timed = budget is not None and analysis.sentence_at(first.start) == analysis.sentence_at(budget.start)
    if (stayed and (inside or begun)) or (timed and first.start == 0):
        found.stops.remove(first)


def _drop_areas(analysis: Analysis, found: Trail) -> None:
    """Leaves out the city that the places of a supplied text lie in, where stays tell what the stops are."""
    if sum(stop.dwell_s > 0 for stop in found.stops) < _STAYED:
        return
    found.stops = [stop for stop in found.stops if stop.dwell_s or not is_area(analysis.context, stop.text)]
    if found.start is not None and is_area(analysis.context, found.start):
        found.start = None


def _place_searched(analysis: Analysis, found: Trail, stop: Stop) -> None:
    """Adds a stop that is searched for: last, or before the place that one is "on the way to"."""
    last = found.stops[-1] if found.stops else None
    before = analysis.text[: last.start].casefold() if last is not None else ""
    found.stops.insert(len(found.stops) - bool(pattern("search", "on_way_to").search(before)), stop)


def _name_ways(analysis: Analysis, found: Trail) -> None:
    """Gives each street after "via" to the leg it tells: that of the same clause, before or behind it."""
    text = analysis.text.casefold()
    for way in found.ways:
        before = next((stop for stop in reversed(found.stops) if stop.end <= way.start), None)
        behind = next((stop for stop in found.stops if stop.start >= way.end), None)
        parted = before is None or pattern("place", "clause_end").search(text[before.end : way.start])
        target = (behind or before) if parted else before
        if target is not None:
            target.along = way.text


def _of_options(analysis: Analysis, found: Trail) -> Iterator[Stop]:
    """The stops where only the options, which are orders, name them ("in which order should I see them?").

    Options that come back to their first name make the trip a round trip that starts there.
    """
    at = len(analysis.text) - 1
    names = _ORDER.split(analysis.options[0])
    if found.start is None and len(names) > _LOOP and same_name(names[0], names[-1]):
        found.start = _clean(names[0])
        found.back = (at, at)
    for name in names:
        known = found.start is not None and same_name(name, found.start)
        if name and not known and name.casefold() not in words("home"):
            yield Stop(at, at, _clean(name))


def _closed_chain(analysis: Analysis, found: Trail) -> Span | None:
    """Where a list of stops comes back to its first one ("A - B - C - A")."""
    if not found.repeats or len(found.spans) < 3:
        return None
    last, (_, previous_end) = found.repeats[-1], sorted(found.spans)[-2]
    first = found.start or (found.stops[0].text if found.stops else "")
    joint = analysis.text[previous_end : last.start].casefold()
    if (last.start, last.end) != max(found.spans) or not same_name(last.text, first):
        return None
    return (last.start, last.end) if pattern("back", "joint").fullmatch(joint) else None


def _here(analysis: Analysis) -> str | None:
    """Where the question says the speaker is."""
    stay = pattern("place", "for_the_day")
    text = analysis.text.casefold()
    return next((here.place for here in stated_positions(analysis) if not stay.match(text, here.end)), None)


def _clean(name: str) -> str:
    return " ".join(name.split()).strip(" \"',.")


def _place(analysis: Analysis, found: Trail, stop: Stop) -> None:
    """Adds a name as the start, a stop, a repetition, or (a city the trip is in) not at all."""
    before = analysis.text[max(0, stop.start - 50) : stop.start].casefold()
    known = [*([found.start] if found.start else []), *(other.text for other in found.stops)]
    if any(_is_again(stop.text, name) for name in known):
        found.repeats.append(stop)
    elif pattern("place", "carrier").search(before):
        found.stops.append(stop)
    elif _is_lodging_in(analysis, found, stop):
        found.used.append((stop.start, stop.end))
    elif found.start is None and pattern("place", "start_surely").search(before):
        found.start = stop.text
    elif _is_city(analysis, stop, before) or _is_way(stop, before):
        found.used.append((stop.start, stop.end))
        if street_like(stop.text) and pattern("place", "way_named").search(before):
            found.ways.append(stop)
    elif found.start is None and _is_start(analysis, found, stop, before):
        found.start = stop.text
    else:
        found.stops.append(stop)


def _is_lodging_in(analysis: Analysis, found: Trail, stop: Stop) -> bool:
    """True for the city of "Hotel Linde, my hotel in Bern"."""
    ends = [end for _, end in found.spans if end <= stop.start]
    gap = analysis.text[max(ends) : stop.start].casefold() if ends else ""
    return pattern("place", "lodging_in").fullmatch(gap) is not None


def _is_again(name: str, known: str) -> bool:
    """True if a name repeats a known one, be it in short; "Tower of London" does not repeat "London"."""
    told = set(normalise(known).split())
    longer = len(told) == 1 and told < set(normalise(name).split())
    return same_name(name, known) and not longer


def _is_start(analysis: Analysis, found: Trail, stop: Stop, before: str) -> bool:
    """True if the trip begins at this name."""
    if pattern("place", "bound_for").search(before):
        return False
    if found.stops:
        return pattern("place", "left_name").search(before) is not None
    following = next((start for start, _ in found.spans if start >= stop.end), None)
    gap = analysis.text[stop.end : following].casefold() if following is not None else ""
    led_to = bool(pattern("place", "to_next").fullmatch(gap)) and not pattern("place", "going").search(before)
    return led_to or pattern("place", "start").search(before) is not None


def _is_way(stop: Stop, before: str) -> bool:
    """True for a street one goes along, for what names a route, or a means of transport with a name."""
    along = street_like(stop.text) and pattern("place", "via").search(before)
    named = pattern("place", "route_named").search(before)
    return bool(along or named or pattern("place", "means_named").search(before))


def _is_city(analysis: Analysis, stop: Stop, before: str) -> bool:
    """True for "in Lausanne, I want ...", "my Bern plan": where the trip is, unless one stays for a time.

    A name that says of what kind the place is ("in Lausanne Museum") is that of a stop.
    """
    text = analysis.text.casefold()
    about = pattern("place", "city").search(before) and not pattern("place", "there").search(before)
    if not (about or pattern("place", "topic").match(text, stop.end)):
        return False
    if any(_AREAS.isdisjoint(kind.value.ids) for kind in find_in(stop.text)):
        return False
    stays = [mark for mark in analysis.durations if not is_budget(text, mark)]
    near = [text[mark.end - 1 : stop.start] for mark in stays if 0 <= stop.start - mark.end < _STAY_REACH]
    return all(". " in between for between in near)


def _join_qualified(analysis: Analysis, found: Trail) -> None:
    """Joins a name to the one before its comma ("X, City") where it is no stop of its own.

    It is none if the stops of the list bring their stays and the first has its own only with the second, or
    if it comes last in its clause without "and".
    """
    stayed = assign_stays(analysis, found)
    if stayed >= _STAYED:
        area = _area_of_start(analysis, found)
        found.stops = [stop for stop in found.stops if stop.dwell_s or not area[0] <= stop.start < area[1]]
    index = 0
    while index + 1 < len(found.stops):
        one, two = found.stops[index], found.stops[index + 1]
        gap = analysis.text[one.end : two.start]
        lone = gap == ", " and not analysis.text[two.end : two.end + 5].startswith((", and", " and", ", or"))
        bare = gap == ", " and stayed >= _STAYED and not one.dwell_s
        whole = whole_of(analysis, (one.start, one.end), (two.start, two.end))
        told = whole is not None and whole.end == two.end
        bare = bare or (told and stayed >= _STAYED and not two.dwell_s)
        if bare or (
            lone and stayed == 0 and len(found.stops) == 2 and not re.match(r"\s*,", analysis.text[two.end :])
        ):
            one.text, one.end = analysis.text[one.start : two.end], two.end
            one.dwell_s = one.dwell_s or two.dwell_s
            found.stops.remove(two)
        else:
            index += 1


def _area_of_start(analysis: Analysis, found: Trail) -> Span:
    """The stretch behind the start that tells where it lies ("starting at X, City, Country"); else empty."""
    whole = (
        item
        for item in analysis.by_role("from")
        if item.parts and same_name(item.parts[0].text, found.start or "")
    )
    for item in whole:
        if " and " not in item.text:
            return item.parts[0].end, item.end
    return 0, 0


def _way_back(analysis: Analysis, found: Trail) -> Span | None:
    """Where the question speaks of going back; a place named for it that is no start becomes the end."""
    text = blanked(analysis, found.spans)
    # "How long is my round trip: ..." tells no way back yet.
    first = found.stops[0].start if found.stops else 0
    said = [
        match
        for match in pattern("back", "words").finditer(text)
        if not pattern("back", "negated").search(text[: match.start()])
    ]
    match = next((one for one in said if one.end() > first), said[0] if said else None)
    if match is None:
        return None
    target = next((stop for stop in found.stops if 0 <= stop.start - match.end() < 25), None)
    if target is not None and _goes_on(text, target, found):
        return None
    between = text[match.end() : target.start].strip() if target is not None else ""
    if target is not None and pattern("back", "to_place").fullmatch(between):
        found.stops.remove(target)
        found.end_stop = target
        if found.start is None:
            found.start = found.end = target.text
        else:
            found.end = target.text
    return match.span()


def _goes_on(text: str, home: Stop, found: Trail) -> bool:
    """True if the trip goes on from where one comes back to ("home to X for a rest and then to Y")."""
    following = next((stop for stop in found.stops if stop.start > home.start), None)
    return (
        following is not None
        and pattern("back", "going_on").search(text[home.end : following.start]) is not None
    )


def speaks_of_way_back(text: str) -> bool:
    """True if a question speaks of going back."""
    return pattern("back", "words").search(text) is not None
