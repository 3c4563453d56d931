"""What is asked of a route."""

import re
from typing import Literal

from map_tools.types import TravelMode
from modules.names import same_name
from modules.offline.lexicon import lexicon
from modules.offline.route_grammar_frame import Frame
from modules.offline.route_grammar_passed import are_steps
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import pattern, says, street_like, words
from modules.offline.tokens import tokenise

type Ask = Literal[
    "duration", "distance", "via", "next_step", "next_street", "previous_street", "exit", "count", "has",
    "landmark", "alternatives", "difference", "steps", "fewest", "most", "best_mode", "first_step",
    "last_step", "turn_onto", "arrival_side",
]  # fmt: skip

FEATURES = (
    "roundabout", "left_turn", "right_turn", "uturn", "turn", "stairs", "toll", "ferry", "highway", "step",
)  # fmt: skip
"""The features of a route, the narrower before the wider."""


_RARE = frozenset({"roundabout", "uturn", "stairs", "toll", "ferry"})
"""Features that tell a route from others: who asks on which way there is one wants the way that has it."""

_SHUNNED = frozenset({"ferry", "highway", "roundabout", "stairs", "toll"})
"""Features that people ask for ways without."""

_CLAUSE_END = re.compile(r"[.,;:?!]")

_MEASURED = (("ask", "duration"), ("ask", "distance"), ("select", "fastest"), ("select", "slowest"))
"""Vocabulary of being fast or long, which is no deed of a route ("takes the least time")."""


def shunned(text: str) -> tuple[str, ...]:
    """The features that the way must not have ("toll-free", "without stairs")."""
    told = (
        feature
        for feature in sorted(_SHUNNED)
        for said in pattern("feature", feature).finditer(text)
        if text[said.end() :].startswith("-free")
        or said.group().endswith("-free")
        or says(text[: said.start()], "pattern", "shunned")
    )
    return tuple(dict.fromkeys(told))


def ask_of(frame: Frame) -> Ask | None:
    """What is wanted of the route; the tests stand in the order in which they overrule each other."""
    text, options = frame.asking, frame.analysis.option_kind
    feature = feature_of(text)
    if says(text, "pattern", "two_ways") or (feature and len(_modes(frame)) > 1):
        return None
    chosen = not are_steps(frame.analysis.options) and says(text, "ask", "which_route") is not None
    routes_asked = options == "via" or chosen
    if says(text, "ask", "exit"):
        return "exit"
    if says(text, "ask", "arrival_side"):
        return "arrival_side"
    if says(text, "ask", "landmark"):
        return "landmark"
    if options != "via" and says(text, "ask", "first_step"):
        return "first_step"
    if routes_asked and (compared := _compared(text, feature) or _told_by_street(frame)) is not None:
        return compared
    if says(text, "ask", "alternatives"):
        return "alternatives"
    if feature and says(text, "ask", "count") and not routes_asked:
        return "count"
    turn = _turn_ask(frame, text)
    return turn or _whole_ask(frame, text, feature)


def _compared(text: str, feature: str | None) -> Ask | None:
    """Fewest or most of something, among routes.

    What is told before the question ("I can't climb stairs") does not decide which.
    """
    asked = says(text, "ask", "which_route")
    clause = text[asked.start() :] if asked is not None else ""
    text = clause if feature and feature_of(clause) == feature else text
    if feature and says(text, "ask", "avoided"):
        return "most"
    if feature and says(text, "ask", "fewest"):
        return "fewest"
    if feature and says(text, "ask", "most"):
        return "most"
    if says(text, "ask", "which_route") and (feature or _deed(text)):
        return "most"
    return "most" if feature in _RARE else None


def _told_by_street(frame: Frame) -> Ask | None:
    """That of "which walk uses Mill Road", "I want to pass Mill Road. Which of the routes does that"."""
    if frame.analysis.option_kind == "via" and any(street_like(slot.text) for slot in frame.vias):
        return "most"
    found = says(frame.text, "ask", "which_route")
    verb_end = found.end() if found is not None else 0
    told = any(slot.role == "along" and slot.cue_start < verb_end <= slot.start for slot in frame.vias)
    return "most" if told else None


def _deed(text: str) -> str | None:
    """What the wanted route does: "goes through X" → "x"; None if it is no more than being fast or short."""
    found = says(text, "ask", "which_route")
    deed = pattern("pattern", "does").search(text, found.start()) if found else None
    if deed is None:
        return None
    rest = _bare(deed["rest"])
    measured = any(says(deed["rest"], *entry) for entry in _MEASURED)
    measured = measured or says(rest, "pattern", "limit") is not None
    empty = not rest or rest in words("leading")  # only the name of an end stood there
    return None if empty or measured or says(rest, "pattern", "selecting") else rest


def _bare(words: str) -> str:
    """What is left of "taking a ramp onto X several times": "ramp onto X"."""
    return pattern("pattern", "padding").sub("", words.strip()).strip()


def _turn_ask(frame: Frame, text: str) -> Ask | None:
    """Questions about one place on the route."""
    if says(text, "ask", "turn_onto") and frame.spots:
        return "turn_onto"
    if frame.befores and says(text, "ask", "previous_street"):
        return "previous_street"
    if frame.afters and says(text, "ask", "next_street") and not says(text, "ask", "next_step"):
        return "next_street"
    asked = says(text, "ask", "next_step") or says(text, "ask", "next_street")
    if frame.afters and (asked or are_steps(frame.analysis.options)):
        return "next_step"
    return _end_ask(text)


def _end_ask(text: str) -> Ask | None:
    """Questions about the beginning or the end of the route; its streets are those before and after all."""
    if says(text, "ask", "first_street"):
        return "next_street"
    if says(text, "ask", "last_street"):
        return "previous_street"
    if says(text, "ask", "first_step"):
        return "first_step"
    return "last_step" if says(text, "ask", "last_step") else None


def _whole_ask(frame: Frame, text: str, feature: str | None) -> Ask | None:
    """Questions about the route as a whole."""
    options = frame.analysis.option_kind
    if says(text, "ask", "difference"):
        return "difference"
    if len(option_modes(frame)) > 1:
        return "best_mode"
    if _is_mode_asked(frame, text):
        return "best_mode"
    measured = options in {"duration", "distance"} or (feature in shunned(text) and _measure_ask(frame, text))
    if (feature or _street_in_question(frame)) and says(text, "ask", "has") and not measured:
        return "has"
    if options == "via":
        return "via"
    return _measure_ask(frame, text) or _way_ask(text) or ("duration" if _is_bare(frame, text) else None)


def _is_mode_asked(frame: Frame, text: str) -> bool:
    """True if the way of travelling is wanted; "how do I get there fastest on foot" has told it."""
    asked = says(text, "ask", "best_mode")
    if asked is None or len(_modes(frame)) > 1:
        return asked is not None
    told = len(_modes(frame)) == 1 and says(asked.group(), "pattern", "mode_told") is not None
    return not told and says(asked.group(), "pattern", "mode_asked") is not None


def _measure_ask(frame: Frame, text: str) -> Ask | None:
    """How long or how far; yes/no questions are told by the limit they name."""
    options = frame.analysis.option_kind
    yes_no = asks_yes_no(frame)
    if options == "distance":
        return "distance"
    if says(text, "ask", "duration") or options == "duration" or (yes_no and frame.analysis.durations):
        return "duration"
    if _says_distance(frame, text) or (yes_no and frame.analysis.distances):
        return "distance"
    return None


def _way_ask(text: str) -> Ask | None:
    if says(text, "ask", "via"):
        return "via"
    return "steps" if says(text, "ask", "steps") else None


def _is_bare(frame: Frame, text: str) -> bool:
    """True for no more than a way and a mode: "A to B by car?"."""
    plain = bool(frame.analysis.modes) and not frame.analysis.options
    return plain and frame.stated and says(text, "pattern", "bare") is not None


def _says_distance(frame: Frame, text: str) -> bool:
    return says(text, "ask", "distance") is not None and not frame.analysis.has("ask.straight")


def _street_in_question(frame: Frame) -> str | None:
    """The street a yes/no question asks after ("does the route use X?")."""
    named = [slot.text for slot in frame.vias if slot.role == "along" and street_like(slot.text)]
    return named[0] if named and asks_yes_no(frame) else None


def option_modes(frame: Frame) -> tuple[TravelMode, ...]:
    """The travel modes to choose from, if every option is one ("Walking", "By bus")."""
    modes: list[TravelMode] = []
    for option in frame.analysis.options:
        cues = [cue for cue in lexicon().find(tokenise(option)) if cue.family == "mode"]
        if not cues:
            return ()
        modes.append(TravelMode(cues[0].key))
    return tuple(dict.fromkeys(modes))


def _modes(frame: Frame) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mark.value.value for mark in frame.analysis.modes))


def feature_of(text: str) -> str | None:
    """The feature of a route the question speaks of."""
    return next((feature for feature in FEATURES if says(text, "feature", feature)), None)


def more_features(frame: Frame, ask: Ask, feature: str | None) -> tuple[str, ...]:
    """What else there should be fewest or most of ("avoid roundabouts and tolls")."""
    if ask not in {"fewest", "most"} or feature is None:
        return ()
    said = [one for one in FEATURES if one not in {feature, "step"} and says(frame.asking, "feature", one)]
    return tuple(one for one in said if not (one == "turn" and feature.endswith("turn")))


def feature_asked(frame: Frame, ask: Ask) -> str | None:
    """The feature that is counted or compared: a known one, or the words that tell the wanted route."""
    if ask == "arrival_side":
        return _on_the_way(frame)
    if ask == "next_step" and frame.afters:
        spot = after_words(frame)
        return feature_of(spot) if spot.islower() else None  # a capital makes it a street
    if ask not in {"count", "has", "fewest", "most"}:
        return None
    feature = feature_of(frame.asking)
    if ask == "has" and feature is None:
        return _street_in_question(frame)
    side = says(frame.asking, "pattern", "ends_at")
    if ask == "most" and feature is None and side is not None:
        return f"arrive_{side['side'].casefold()}"
    if feature or ask != "most":
        return feature
    found = says(frame.text, "ask", "which_route")
    if found is None:
        return frame.vias[0].text.casefold() if frame.vias else None
    verb = found.end() - len(found.group().rsplit(maxsplit=1)[-1])
    deed = pattern("pattern", "does").search(frame.text, verb)
    rest = _bare(_without_ends(frame, deed["rest"])) if deed else None
    return _on_the_way(frame) if rest in words("pointing") else rest


def _without_ends(frame: Frame, rest: str) -> str:
    """What the route does, up to where its ends are told ("uses the bridge between A and B")."""
    ends = "|".join(re.escape(name.casefold()) for name in (frame.origin, frame.destination) if name)
    return re.split(rf"\s+(?:between|from|to)\s+(?:the\s+)?(?:{ends})", rest, maxsplit=1)[0]


def after_words(frame: Frame) -> str:
    """The words for what one is past: the name of a street, or a feature ("second roundabout")."""
    slot = frame.afters[0]
    clause = _CLAUSE_END.split(frame.text[slot.start :], maxsplit=1)[0]
    feature = feature_of(clause)
    found = says(clause, "feature", feature) if feature is not None and slot.text.islower() else None
    return clause[: found.end()] if found is not None else slot.text


def _on_the_way(frame: Frame) -> str | None:
    """The place whose side is asked for, if that is neither an end of the way nor its street."""
    text = frame.analysis.text
    told = [*frame.spans, *([(frame.route.start, frame.route.end)] if frame.route else [])]
    ends = (frame.origin, frame.destination)
    free = [
        text[start:end]
        for start, end in written_names(frame.analysis)
        if not any(start < other[1] and other[0] < end for other in told)
    ]
    others = (name for name in free if not any(same_name(name, end) for end in ends))
    return next((name for name in others if not street_like(name)), None)


def asks_yes_no(frame: Frame) -> bool:
    """True if the options are yes and no, or the last sentence begins with its verb."""
    last = frame.text.split(". ")[-1].strip()
    return frame.analysis.option_kind == "yes_no" or says(last, "pattern", "verb_first") is not None
