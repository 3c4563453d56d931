"""Questions about one route: how long, how far, which way, what comes next, which mode."""

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from modules.intents import HERE, RouteIntent
from modules.names import same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.reading import Reading, score
from modules.offline.trip_grammar_stops import pattern as trip_pattern
from modules.offline.route_grammar_names import Slot, says, slots, street_like, words

Ask = Literal[
    "duration", "distance", "via", "next_step", "next_street", "previous_street", "exit", "count", "has",
    "landmark", "alternatives", "difference", "steps", "fewest", "most", "best_mode", "first_step", "last_step",
]  # fmt: skip

TURN_ASKS = frozenset(("next_step", "next_street", "previous_street", "exit", "landmark", "count"))
"""Questions about a place on the route, so that the route itself may be named by a street."""

FEATURES = (
    "roundabout",
    "left_turn",
    "right_turn",
    "uturn",
    "turn",
    "stairs",
    "toll",
    "ferry",
    "highway",
    "step",
)

_ON_ROUTE = re.compile(
    r"\b(?:on|along|take|taking|using|for|of|with|choose|follow|following)\s+the\s+(?P<name>(?:via\s+)?[^,.?!]{2,60}?)\s+route\b",
    re.IGNORECASE,
)
_SELECTING = re.compile(
    r"\b(?:fast|quick|short|long|slow|best|driving|walking|cycling|car|bike|second|first|third|same|this|that|direct|whole|entire)\w*\b",
    re.IGNORECASE,
)
_VERB_FIRST = re.compile(r"(?:\w+, )?(?:is|are|does|do|can|could|will|would|am)\b")
_DOES = re.compile(
    r"\b(?:involves?|requires?|goes?|passes|pass|uses?|takes?|has|have|includes?|contains?|crosses|runs?|leads?|features?|"
    r"merges?|needs?|follows?|asks?|makes?|stays?|travels?|turns?)\b\s*(?P<rest>[^?.!]+)",
    re.IGNORECASE,
)
_PADDING = re.compile(
    r"^(?:(?:me|us|you|to|taking|take|turning|going|go|through|along|by|past|over|across|via|onto|on|a|an|the|use|using|of|pass|"
    r"passing|follow|following|walk|walking|drive|driving|up|some|any|least|one)\s+)+|\s+(?:multiple|several|many|two|three)\s+times?$|"
    r"\s+(?:at least )?(?:once|twice)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Frame:
    """What the question says of the route before it is known what is asked of it."""

    analysis: Analysis
    origin: str
    destination: str
    vias: list[Slot] = field(default_factory=list)
    afters: list[Slot] = field(default_factory=list)
    befores: list[Slot] = field(default_factory=list)
    spots: list[Slot] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
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
        return re.sub(r"\s+", " ", "".join(text))


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question about one route."""
    frame = _frame(analysis)
    if frame is None:
        return []
    ask = _ask(frame)
    if ask is None:
        return []
    intent = _intent(frame, ask)
    return [Reading(intent, score(analysis, _cue(frame, ask), _used(frame)))]


def _frame(analysis: Analysis) -> _Frame | None:
    """Origin, destination and the streets named; None if the question names no way."""
    tos = list(slots(analysis, "to"))
    froms = list(slots(analysis, "from"))
    afters = list(slots(analysis, "after"))
    befores = list(slots(analysis, "before"))
    ends = [slot for slot in tos if not any(_inside(slot, other) for other in (*afters, *befores))]
    found = _between(analysis) or _ends(ends, froms)
    if found is None:
        return None
    origin, destination = found
    named = origin is not None and not _means_here(origin.text)
    frame = _Frame(
        analysis,
        origin.text if origin is not None and named else analysis.here_place,
        destination.text,
        stated=origin is not None or analysis.here is not None or analysis.refers_here,
    )
    taken = [slot for slot in (origin, destination) if slot is not None]
    frame.afters = [slot for slot in afters if slot not in taken]
    frame.befores = befores
    weak = [slot for slot in slots(analysis, "along") if _surely_named(slot)]
    vias = list(slots(analysis, "via")) or weak
    frame.vias = [slot for slot in vias if not _clash(slot, [*taken, *afters, *befores])]
    frame.spots = [slot for slot in slots(analysis, "at") if not _clash(slot, [*taken, *befores])]
    for slot in (*taken, *frame.afters, *frame.befores, *frame.vias):
        frame.spans.append((slot.start, slot.end))
    return frame


def _between(analysis: Analysis) -> tuple[Slot, Slot] | None:
    """The ends in "between A and B"."""
    for mention in analysis.by_role("between"):
        parts = mention.parts
        if len(parts) == 2:
            first, second = (Slot("from", part.start, part.end, part.place, mention.start) for part in parts)
            return first, second
    return None


def _ends(tos: list[Slot], froms: list[Slot]) -> tuple[Slot | None, Slot] | None:
    """Origin and destination: of several, a pair said in one breath ("from A to B") counts first."""
    written = [slot for slot in tos if slot.text[:1].isupper() or not slot.text[:1].isalpha()]
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
    return (None, named[0]) if named else None


def _means_here(name: str) -> bool:
    """True for "my current location", "home", "the hotel"."""
    return set(name.casefold().split()) <= words("here") | {"current", "present", "own", "my", "starting"}


def _surely_named(slot: Slot) -> bool:
    """True if a slot after a common word ("through", "on") is a name for certain."""
    return slot.text[:1].isupper() or street_like(slot.text)


def _inside(slot: Slot, other: Slot) -> bool:
    """True if a slot's cue is part of another slot's cue or name ("after getting to X")."""
    return other.cue_start <= slot.cue_start < other.end


def _clash(slot: Slot, others: list[Slot]) -> bool:
    return any(slot.start < other.end and other.start < slot.end for other in others)


def _ask(frame: _Frame) -> Ask | None:
    """What is wanted of the route; the tests stand in the order in which they overrule each other."""
    text, options = frame.asking, frame.analysis.option_kind
    feature = _feature(text)
    routes_asked = options == "via" or says(text, "ask", "which_route") is not None
    if says(text, "ask", "exit") and frame.spots + frame.afters:
        return "exit"
    if says(text, "ask", "landmark"):
        return "landmark"
    if routes_asked:
        compared = _compared(text, feature)
        if compared is not None:
            return compared
    if says(text, "ask", "alternatives"):
        return "alternatives"
    if feature and says(text, "ask", "count") and not routes_asked:
        return "count"
    turn = _turn_ask(frame, text)
    return turn or _whole_ask(frame, text, feature)


def _compared(text: str, feature: str | None) -> Ask | None:
    """Fewest or most of something, among routes."""
    if feature and says(text, "ask", "fewest"):
        return "fewest"
    if feature and says(text, "ask", "most"):
        return "most"
    if says(text, "ask", "which_route") and (feature or _deed(text)):
        return "most"
    return None


def _deed(text: str) -> str | None:
    """What the wanted route does: "goes through X" → "x"; None if it is no more than being fast or short."""
    found = says(text, "ask", "which_route")
    deed = _DOES.search(text, found.start()) if found else None
    if deed is None:
        return None
    rest = _PADDING.sub("", deed["rest"].strip()).strip()
    empty = (
        not rest
        or _SELECTING.search(rest) is not None
        or says(rest, "ask", "duration")
        or says(rest, "ask", "distance")
    )
    return None if empty else rest


def _turn_ask(frame: _Frame, text: str) -> Ask | None:
    """Questions about one place on the route."""
    if frame.befores and says(text, "ask", "previous_street"):
        return "previous_street"
    if frame.afters and says(text, "ask", "next_street") and not says(text, "ask", "next_step"):
        return "next_street"
    if frame.afters and (says(text, "ask", "next_step") or says(text, "ask", "next_street")):
        return "next_step"
    for ask in ("first_step", "last_step"):
        if says(text, "ask", ask):
            return "first_step" if ask == "first_step" else "last_step"
    return None


def _whole_ask(frame: _Frame, text: str, feature: str | None) -> Ask | None:
    """Questions about the route as a whole."""
    options = frame.analysis.option_kind
    if says(text, "ask", "difference"):
        return "difference"
    if says(text, "ask", "best_mode") and (
        len(_modes(frame)) > 1 or says(text, "ask", "best_mode").group().startswith(("which", "what", "how"))
    ):
        return "best_mode"
    if feature and says(text, "ask", "has"):
        return "has"
    if options == "via":
        return "via"
    yes_no = _asks_yes_no(frame)
    if says(text, "ask", "duration") or options == "duration" or (yes_no and frame.analysis.durations):
        return "duration"
    if _says_distance(frame, text) or options == "distance" or (yes_no and frame.analysis.distances):
        return "distance"
    for ask in ("via", "steps"):
        if says(text, "ask", ask):
            return "via" if ask == "via" else "steps"
    return None


def _says_distance(frame: _Frame, text: str) -> bool:
    return says(text, "ask", "distance") is not None and not frame.analysis.has("ask.straight")


def _modes(frame: _Frame) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mark.value.value for mark in frame.analysis.modes))


def _feature(text: str) -> str | None:
    """The feature of a route the question speaks of."""
    return next((feature for feature in FEATURES if says(text, "feature", feature)), None)


def _intent(frame: _Frame, ask: Ask) -> RouteIntent:
    analysis, text = frame.analysis, frame.asking
    along, stops = _along(frame, ask)
    modes = tuple(dict.fromkeys(mark.value for mark in analysis.modes))
    limits = _limits(frame, ask)
    return RouteIntent(
        origin=frame.origin or HERE,
        destination=frame.destination,
        via=stops,
        mode=None if ask == "best_mode" or not modes else modes[0],
        modes=modes if ask == "best_mode" else (),
        select=_select(text, ask, along),
        along=along,
        ask=ask,
        after=_after(frame, ask),
        feature=_feature_asked(frame, ask),
        at_most=limits[0],
        at_least=limits[1],
    )


def _along(frame: _Frame, ask: Ask) -> tuple[str | None, tuple[str, ...]]:
    """The street(s) that tell the route from others, and the stops on the way."""
    named = _ON_ROUTE.search(frame.analysis.text)
    if named and not _SELECTING.fullmatch(named["name"].strip()):
        return named["name"].strip(), ()
    if ask in {"most", "fewest"}:
        return None, ()
    vias = frame.vias[:1]
    if not vias:
        return None, ()
    text = vias[0].text
    if ask in TURN_ASKS or street_like(text):
        return text, ()
    parts = tuple(part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+(?:then\s+)?", text) if part)
    return None, parts


def _select(
    text: str, ask: Ask, along: str | None
) -> Literal["fastest", "shortest", "longest", "slowest", "along"]:
    if along and ask not in {"via", "difference"}:
        return "along"
    for choice in ("slowest", "shortest", "longest"):
        if says(text, "select", choice) and not (
            choice == "shortest" and says(text, "select", "fastest") and ask == "best_mode"
        ):
            return "slowest" if choice == "slowest" else "shortest" if choice == "shortest" else "longest"
    return "fastest"


def _after(frame: _Frame, ask: Ask) -> str | None:
    """The place on the route the question is about."""
    if ask == "previous_street":
        return frame.befores[0].text
    if ask in {"next_step", "next_street", "landmark"}:
        return frame.afters[0].text if frame.afters else None
    if ask in {"exit", "count"}:
        spots = [slot for slot in frame.spots if street_like(slot.text)] or (
            frame.afters if ask == "exit" else []
        )
        named = [slot.text for slot in spots if slot.text not in {via.text for via in frame.vias[:1]}]
        return named[0] if named else None
    return None


def _feature_asked(frame: _Frame, ask: Ask) -> str | None:
    if ask not in {"count", "has", "fewest", "most"}:
        return None
    feature = _feature(frame.asking)
    if feature or ask != "most":
        return feature
    found = says(frame.text, "ask", "which_route")
    deed = _DOES.search(frame.text, found.end() - len(found.group().split()[-1])) if found else None
    return _PADDING.sub("", deed["rest"].strip()).strip() if deed else None


def _asks_yes_no(frame: _Frame) -> bool:
    """True if the options are yes and no, or the last sentence begins with its verb."""
    last = frame.text.split(". ")[-1].strip()
    return frame.analysis.option_kind == "yes_no" or _VERB_FIRST.match(last) is not None


def _limits(frame: _Frame, ask: Ask) -> tuple[float | None, float | None]:
    """For yes/no questions: at most or at least so long or so far."""
    marks = (
        frame.analysis.durations
        if ask == "duration"
        else frame.analysis.distances
        if ask == "distance"
        else ()
    )
    if not marks or not _asks_yes_no(frame):
        return None, None
    if re.search(
        r"\b(?:more than|longer than|over|at least|exceed\w*|farther than|further than)\s*$",
        frame.text[: marks[0].start],
    ):
        return None, marks[0].value
    return marks[0].value, None


def _cue(frame: _Frame, ask: Ask) -> float:
    """How typical of a route question this is."""
    spoken = bool(frame.analysis.modes) or re.search(
        r"\b(?:routes?|way|road|drive|travel|path|journey|trip)\b", frame.text
    )
    cue = 0.95 if spoken else 0.75
    if ask in {"via", "steps"} and frame.analysis.option_kind == "text" and frame.analysis.kinds:
        cue -= 0.3  # places are asked for, on the way
    if ask in {"duration", "distance", "via", "steps"} and _goes_on(frame):
        cue -= 0.3  # a trip of several legs
    if ask == "distance" and not spoken:
        cue = 0.45  # a straight line is as likely
    if ask == "steps" and not frame.analysis.options:
        cue -= 0.1
    return cue if frame.stated else cue - 0.15


def _goes_on(frame: _Frame) -> bool:
    """True if the question speaks of a way back or of going on to another place."""
    if trip_pattern("back", "words").search(frame.asking):
        return True
    others = [slot for slot in slots(frame.analysis, "to") if slot.text[:1].isupper()]
    return any(
        not same_name(slot.text, frame.destination) and not same_name(slot.text, frame.origin)
        for slot in others
    )


def _used(frame: _Frame) -> list[Span]:
    analysis = frame.analysis
    spans = list(frame.spans)
    spans += [(slot.cue_start, slot.end) for slot in frame.spots]
    spans += [(mark.start, mark.end) for mark in (*analysis.modes, *analysis.durations, *analysis.distances)]
    spans += [(mention.start, mention.end) for mention in analysis.by_role("self", "qualifier")]
    sections = (
        ("ask", get_args(Ask)),
        ("select", ("shortest", "longest", "slowest", "fastest")),
        ("feature", FEATURES),
    )
    for section, keys in sections:
        for key in keys:
            found = says(frame.text, section, key)
            if found:
                spans.append(found.span())
    return spans
