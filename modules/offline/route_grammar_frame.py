"""What a question says of a route: where it begins and ends, and the streets and places named on the way."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from map_tools.concepts import lookup
from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import UNSAID
from modules.offline.marks import SURE, Mention
from modules.offline.route_grammar_ends import joined_ends, start_before
from modules.offline.route_grammar_names import Slot, slot_at, slot_behind, slots
from modules.offline.route_grammar_passed import passed_streets, start_of, street_of_way
from modules.offline.route_grammar_written import slots_before, written_names
from modules.offline.route_vocabulary import pattern, says, street_like, words
from modules.offline.speaker import as_speaker

_TWO_ENDS = 2
_SHORT_FORMS = ((re.compile(r"'s\b"), " is"), (re.compile(r"'re\b"), " are"), (re.compile(r"'ll\b"), " will"))


@dataclass(slots=True)
class Frame:
    """What the question says of the route before it is known what is asked of it.

    `route` is the name of the route ("the Harbour Rd route"); `destination` is `UNSAID` where that is all the
    question tells of the way.
    """

    analysis: Analysis
    origin: str
    destination: str
    vias: list[Slot] = field(default_factory=list)
    afters: list[Slot] = field(default_factory=list)
    befores: list[Slot] = field(default_factory=list)
    spots: list[Slot] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    route: Slot | None = None
    stated: bool = True

    @property
    def text(self) -> str:
        """The question, lower case."""
        return self.analysis.text.casefold()

    @property
    def asking(self) -> str:
        """The question without its names, so that "Exit Street" or "North Turn" mean nothing."""
        text = list(self.text)
        for start, end in self.spans:
            text[start:end] = [" "] * (end - start)
        asking = "".join(text)
        for short, full in _SHORT_FORMS:
            asking = short.sub(full, asking)
        asking = as_speaker(asking)
        return re.sub(r"\s+", " ", asking).strip()


def frame_of(analysis: Analysis) -> Frame | None:
    """Origin, destination and the streets named; None if the question names no way."""
    afters = list(slots(analysis, "after"))
    befores = list(slots(analysis, "before"))
    origin, destination = _named_ends(analysis, [*afters, *befores])
    taken = [slot for slot in (origin, destination) if slot is not None]
    route = _route_name(analysis)
    if route is None and taken:
        route = _way_called(analysis, [end.text for end in taken])
    if not taken and not _is_way_told(analysis, route):
        return None
    weak = [slot for slot in slots(analysis, "along") if _surely_named(slot)]
    vias = list(slots(analysis, "via")) or weak
    vias = [slot for slot in vias if not _clash(slot, [*taken, *afters, *befores])]
    ways = [*vias, *([route] if route is not None else [])]
    told = [*taken, *befores, *ways]
    passed = passed_streets(analysis, afters, told, origin)
    vias = vias if ways else street_of_way(analysis, passed, told)
    named = origin is not None and not _means_here(origin.text)
    frame = Frame(
        analysis,
        origin.text if origin is not None and named else start_of(analysis, passed),
        destination.text if destination is not None else UNSAID,
        stated=destination is None or origin is not None or analysis.here is not None or analysis.refers_here,
    )
    frame.route = route
    frame.afters = passed
    frame.befores = befores
    frame.vias = [slot for slot in vias if not _clash(slot, passed)]
    told = [*taken, *befores, *([route] if route is not None and route not in frame.vias else [])]
    frame.spots = [slot for slot in slots(analysis, "at") if not _clash(slot, told)]
    for slot in (*taken, *frame.afters, *frame.befores, *frame.vias):
        frame.spans.append((slot.start, slot.end))
    return frame


def _named_ends(analysis: Analysis, on_way: list[Slot]) -> tuple[Slot | None, Slot | None]:
    """Where the way begins and ends; `on_way` are the streets on it, whose cues may hold those of an end."""
    froms = [*slots(analysis, "from"), *slots_before(analysis, "from", "start_behind")]
    tos = [slot for slot in slots(analysis, "to") if not _is_visit(analysis, slot)]
    tos += [*_left_for(analysis, froms), *slots_before(analysis, "to", "reached_behind")]
    ends = [slot for slot in tos if not any(_inside(slot, other) for other in on_way)]
    if not ends and says(analysis.text, "ask", "arrival_side"):
        ends = tos  # "when I arrive at X, on which side is it"
    found = _between(analysis) or _ends(analysis, ends, froms) or joined_ends(analysis)
    origin, destination = found or (None, None)
    if origin is None and analysis.option_kind == "via":
        return _in_order(analysis, destination, froms)
    return origin, destination


def _route_name(analysis: Analysis) -> Slot | None:
    """The street that names the route ("on the Harbour Rd route")."""
    found = says(analysis.text, "pattern", "on_route")
    if found is None or says(found["name"], "pattern", "selecting"):
        return None
    return Slot("route", *found.span("name"), found["name"].strip(), found.start())


def _way_called(analysis: Analysis, ends: list[str]) -> Slot | None:
    """The name in capitals of the way asked about ("the A5 drive"), unless that is one of its ends."""
    called = pattern("pattern", "way_called").finditer(analysis.text)
    names = [one for one in called if not any(same_name(one["name"], end) for end in ends)]
    one = names[0] if len(names) == 1 else None
    return Slot("route", *one.span("name"), one["name"], one.start()) if one is not None else None


def _is_way_told(analysis: Analysis, route: Slot | None) -> bool:
    """True if a street tells the route, so that its ends may be left out."""
    told = [*([route] if route is not None else []), *slots(analysis, "via")]
    return any(slot.text[:1].isupper() or slot.text[:1].isdigit() for slot in told)


def named_routes(frame: Frame) -> tuple[str, ...]:
    """The routes told by their streets, in the order of the text ("via A5", "the Harbour Rd route")."""
    text = frame.analysis.text
    compared = says(text, "pattern", "than") is not None
    found = {slot.start: slot.text for slot in frame.vias if compared or slot.role == "via"}
    if (pair := streets_compared(text)) is not None:
        found |= {pair.start(key): pair[key] for key in ("one", "two")}
    for match in pattern("pattern", "route_named").finditer(text):
        name = match["name"]
        if not name[0].islower() and not says(name, "pattern", "selecting"):
            found[match.start("name")] = name
    return tuple(dict.fromkeys(found[start] for start in sorted(found)))


def streets_compared(text: str) -> re.Match[str] | None:
    """Where two streets are told as routes and compared ("how much quicker is the A5 than Mill Road")."""
    found = says(text, "pattern", "streets_compared")
    return found if found and street_like(found["one"]) and street_like(found["two"]) else None


def _left_for(analysis: Analysis, froms: list[Slot]) -> Iterator[Slot]:
    """The place after "for" in "leaving A for B"."""
    for origin in froms:
        leaves = pattern("pattern", "leaving").match(analysis.text, origin.cue_start)
        bound = pattern("pattern", "bound_for").match(analysis.text, origin.end)
        if leaves is None or bound is None:
            continue
        if (end := slot_behind(analysis, "to", bound)) is not None:
            yield end


def _between(analysis: Analysis) -> tuple[Slot, Slot] | None:
    """The ends in "between A and B"."""
    for mention in analysis.by_role("between"):
        parts = _two_of(analysis, mention.parts)
        if len(parts) == 2 and not any(says(part.text, "pattern", "selecting") for part in parts):
            first, second = (Slot("from", part.start, part.end, part.place, mention.start) for part in parts)
            return first, second
    return None


def _two_of(analysis: Analysis, parts: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The parts, of "A and B, City" two: what follows the comma tells where B lies."""
    joints = [analysis.text[one.end : two.start].strip() for one, two in pairwise(parts)]
    if len(joints) < 2 or not joints[0].startswith("and") or set(joints[1:]) != {","}:
        return parts
    whole = analysis.text[parts[1].start : parts[-1].end]
    return parts[0], replace(parts[1], end=parts[-1].end, text=whole)


def _is_visit(analysis: Analysis, end: Slot) -> bool:
    """True for "after a visit to X": it tells no way to X."""
    return says(analysis.text[: end.cue_start], "pattern", "visited") is not None


def _in_order(analysis: Analysis, end: Slot | None, froms: list[Slot]) -> tuple[Slot | None, Slot | None]:
    """The two places that a question to choose a way names, in the order told; as known if there are not two.

    Where the speaker is counts as the first of them.
    """
    if analysis.here is not None:
        away = [item for item in analysis.places if item.role not in {"self", "in"} and item.strength >= SURE]
        one = away[0] if end is None and len(away) == 1 else None
        return None, Slot("to", one.start, one.end, one.place, one.start) if one is not None else end
    around = [(item.start, item.end) for item in analysis.by_role("in", "qualifier")]
    apart = (slot_at(analysis, "from", span) for span in written_names(analysis) if span not in around)
    begun = [slot.text for slot in froms]  # a square, say, which as a street would be no end
    named = [slot for slot in apart if not street_like(slot.text) or slot.text in begun]
    if end is not None:
        named = [*(slot for slot in named if not _clash(slot, [end])), end]
    if len(named) != _TWO_ENDS:
        return None, end
    starts = [same_name(named[1].text, slot.text) for slot in froms]
    return (named[1], named[0]) if end is None and any(starts) else (named[0], named[1])


def _ends(analysis: Analysis, tos: list[Slot], froms: list[Slot]) -> tuple[Slot | None, Slot] | None:
    """Origin and destination: of several, a pair said in one breath ("from A to B") counts first.

    Without a "from" the name that stands right before "to" is the origin ("on foot, A to B").
    """
    written = [slot for slot in tos if _is_written(analysis, slot)]
    if any(written_names(analysis)):
        tos = [slot for slot in tos if slot in written or _points(slot)]
    named = [slot for slot in written or tos if not street_like(slot.text)] or written or tos
    pairs = [
        (max(origin.cue_start - end.end, end.cue_start - origin.end), origin, end)
        for origin in froms
        for end in named
        if not same_name(origin.text, end.text) and not _clash(origin, [end])
    ]
    if pairs:
        _, origin, end = min(pairs, key=lambda pair: pair[0])
        return origin, end
    led = ((start_before(analysis, end), end) for end in named)
    return next((pair for pair in led if pair[0] is not None), (None, named[0]) if named else None)


def _is_written(analysis: Analysis, slot: Slot) -> bool:
    """True for a name: written with a capital or a figure, or small but known to the map."""
    known = any(item.start == slot.start and item.strength >= SURE for item in analysis.mentions)
    return known or slot.text[:1].isupper() or not slot.text[:1].isalpha()


def _points(slot: Slot) -> bool:
    """True for "the station": a kind of place, not a deed ("to drop parcels")."""
    return any(lookup(word) is not None for word in (slot.text, slot.text.split()[-1]))


def _means_here(name: str) -> bool:
    """True for "my current location", "home", "the hotel"."""
    rest = pattern("pattern", "current").sub("", name.casefold()).split()
    return set(rest) <= words("here")


def _surely_named(slot: Slot) -> bool:
    """True if a slot after a common word ("through", "on") is a name for certain."""
    return slot.text[:1].isupper() or street_like(slot.text)


def _inside(slot: Slot, other: Slot) -> bool:
    """True if a slot's cue is part of another slot's cue or name ("after getting to X")."""
    return other.cue_start <= slot.cue_start < other.end


def _clash(slot: Slot, others: list[Slot]) -> bool:
    return any(slot.start < other.end and other.start < slot.end for other in others)
