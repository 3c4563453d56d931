"""The stops of a trip as a question tells them: places in order, stays, modes, the way back."""

import re
from collections.abc import Iterator, Sequence

from map_tools.concepts import lookup
from modules.names import normalise, same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.marks import Mention
from modules.offline.route_grammar_ends import dashed, plain_chain, start_before
from modules.offline.route_grammar_names import slots, street_like, words
from modules.offline.route_grammar_written import written_names
from modules.offline.trip_grammar_stays import assign_stays, is_budget
from modules.offline.trip_grammar_trail import Stop, Trail, blanked, pattern

_ORDER = re.compile(r"\s*(?:->|>|→|,|;|\bthen\b)\s*", re.IGNORECASE)
_THE_KIND = re.compile(r"\b(?:to|visit|at|reach|see|into|via)\s+[Tt]he\s+(?P<kind>[a-z]+(?: [a-z]+)?)\b")


def trail(analysis: Analysis) -> Trail:
    """Reads the stops of a trip."""
    names = _names(analysis)
    found = Trail(start=_here(analysis), stops=[])
    found.spans = [(start, end) for start, end in names]
    for start, end in names:
        _place(analysis, found, Stop(start, end, _clean(analysis.text[start:end])))
    _join_qualified(analysis, found)
    if not found.stops and analysis.option_kind == "order":
        found.stops = list(_of_options(analysis, found))
    found.back = _way_back(analysis, found) or _closed_chain(analysis, found)
    if not found.stops and found.end_stop is not None and found.end != found.start:
        # "I must be back at A by six; when do I leave B?": no more than the way from B to A.
        found.stops, found.end_stop, found.end, found.back = [found.end_stop], None, None, None
    return found


def _of_options(analysis: Analysis, found: Trail) -> Iterator[Stop]:
    """The stops where only the options, which are orders, name them ("in which order should I see them?")."""
    at = len(analysis.text) - 1
    for name in _ORDER.split(analysis.options[0]):
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
    return next((here.place for here in _selves(analysis)), None)


def _selves(analysis: Analysis) -> list[Mention]:
    """Where the question says the speaker is; "can I stay at X" says nothing of the kind."""
    text = analysis.text.casefold()
    here = analysis.by_role("self")
    return [one for one in here if not pattern("place", "not_here").search(text[: one.start])]


def _names(analysis: Analysis) -> list[Span]:
    """The names of places in the order of the text; without capitals those that follow a cue."""
    cities = [one for one in analysis.by_role("qualifier") if _is_qualifier(analysis, one)]
    apart = [*_selves(analysis), *cities]
    taken = [(mention.start, mention.end) for mention in apart]
    names = [span for span in _undashed(analysis) if not _overlaps(span, taken)]
    if not names:
        names = [(slot.start, slot.end) for slot in plain_chain(analysis)]
    if not names:
        tos = list(slots(analysis, "to"))
        led = [one for slot in tos[:1] if (one := start_before(analysis, slot)) is not None]
        cued = [*tos, *led, *slots(analysis, "from"), *slots(analysis, "visit")]
        names = [(slot.start, slot.end) for slot in cued if not _overlaps((slot.start, slot.end), taken)]
    known = normalise(" ".join(analysis.text[start:end] for start, end in names)).split()
    for match in _THE_KIND.finditer(analysis.text):
        kind = next((words_ for words_ in _heads(match["kind"]) if lookup(words_) is not None), None)
        span = match.start("kind"), match.start("kind") + len(kind or "")
        pointed = kind is not None and kind.split()[-1] not in known and kind not in words("home")
        if pointed and not _overlaps(span, [*names, *taken]):
            names.append(span)
    return sorted(dict.fromkeys(names))


def _is_qualifier(analysis: Analysis, one: Mention) -> bool:
    """True for a city behind a name; not for a list, nor for a place named before ("to unload at X")."""
    named = (analysis.text[slice(*span)] for span in written_names(analysis) if span[1] <= one.start)
    return " and " not in one.text and not any(same_name(one.text, name) for name in named)


def _undashed(analysis: Analysis) -> list[Span]:
    """The names written as names; a single one with a dash is two ("A - B and back")."""
    names = list(written_names(analysis))
    ends = dashed(analysis, names[0]) if len(names) == 1 else None
    return [(slot.start, slot.end) for slot in ends] if ends else names


def _heads(kind: str) -> tuple[str, ...]:
    return (kind, kind.split(maxsplit=1)[0])


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _clean(name: str) -> str:
    return " ".join(name.split()).strip(" \"',.")


def _place(analysis: Analysis, found: Trail, stop: Stop) -> None:
    """Adds a name as the start, a stop, a repetition, or (a city the trip is in) not at all."""
    before = analysis.text[max(0, stop.start - 50) : stop.start].casefold()
    known = [*([found.start] if found.start else []), *(other.text for other in found.stops)]
    if any(same_name(stop.text, name) for name in known):
        found.repeats.append(stop)
    elif pattern("place", "carrier").search(before):
        found.stops.append(stop)
    elif found.start is None and pattern("place", "start_surely").search(before):
        found.start = stop.text
    elif _is_city(analysis, stop, before) or _is_way(stop, before):
        found.used.append((stop.start, stop.end))
    elif found.start is None and _is_start(analysis, found, stop, before):
        found.start = stop.text
    else:
        found.stops.append(stop)


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
    """True for a street one goes along, or a means of transport with a name."""
    along = street_like(stop.text) and pattern("place", "via").search(before)
    return bool(along or pattern("place", "means_named").search(before))


def _is_city(analysis: Analysis, stop: Stop, before: str) -> bool:
    """True for "in Lausanne, I want ...", "explore Bern": where the trip is, unless one stays for a time."""
    if not pattern("place", "city").search(before) or pattern("place", "there").search(before):
        return False
    text = analysis.text.casefold()
    stays = [mark for mark in analysis.durations if not is_budget(text, mark)]
    return not any(0 <= stop.start - mark.end < 12 for mark in stays)


def _join_qualified(analysis: Analysis, found: Trail) -> None:
    """Joins a name to the one before its comma ("X, City") where it is no stop of its own.

    It is none if the stops of the list bring their stays and the first has its own only with the second, or
    if it comes last in its clause without "and".
    """
    stayed = assign_stays(analysis, found)
    index = 0
    while index + 1 < len(found.stops):
        one, two = found.stops[index], found.stops[index + 1]
        gap = analysis.text[one.end : two.start]
        lone = gap == ", " and not analysis.text[two.end : two.end + 5].startswith((", and", " and", ", or"))
        bare = gap == ", " and stayed >= 2 and not one.dwell_s
        if bare or (
            lone and stayed == 0 and len(found.stops) == 2 and not re.match(r"\s*,", analysis.text[two.end :])
        ):
            one.text, one.end = analysis.text[one.start : two.end], two.end
            one.dwell_s = one.dwell_s or two.dwell_s
            found.stops.remove(two)
        else:
            index += 1


def _way_back(analysis: Analysis, found: Trail) -> Span | None:
    """Where the question speaks of going back; a place named for it that is no start becomes the end."""
    text = blanked(analysis, found.spans)
    last = found.stops[-1].end if found.stops else 0
    said = [
        match
        for match in pattern("back", "words").finditer(text)
        if not pattern("back", "negated").search(text[: match.start()])
    ]
    match = next((one for one in said if one.end() > last or found.stops), said[-1] if said else None)
    if match is None:
        return None
    target = next((stop for stop in found.stops if 0 <= stop.start - match.end() < 25), None)
    between = text[match.end() : target.start].strip() if target is not None else ""
    if target is not None and pattern("back", "to_place").fullmatch(between):
        found.stops.remove(target)
        found.end_stop = target
        if found.start is None:
            found.start = found.end = target.text
        else:
            found.end = target.text
    return match.span()


def speaks_of_way_back(text: str) -> bool:
    """True if a question speaks of going back."""
    return pattern("back", "words").search(text) is not None
