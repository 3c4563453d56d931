"""The street on the way that a question is about: where one has come to, and what comes next is asked."""

from dataclasses import replace
from functools import lru_cache

from modules.names import same_name
from modules.offline.analysis import Analysis
from modules.offline.intents import HERE
from modules.offline.route_grammar_names import Slot, slot_at, slots
from modules.offline.route_grammar_written import slots_before, written_names
from modules.offline.route_vocabulary import pattern, says, street_like

_TWO = 2
"""Streets that a question can name beside the ends of the way: the one that tells the way, and one on it."""
_MOST = 0.7
"""Share of the options that must be instructions; strays such as "None of these" are forgiven."""


def passed_streets(
    analysis: Analysis, afters: list[Slot], told: list[Slot], origin: Slot | None
) -> list[Slot]:
    """The streets one is past.

    Where no phrase leads to one ("after X"), it is where one says to be, or the last of the other streets
    that a question after the next step names.

    Args:
        analysis: The question.
        afters: The streets behind such a phrase.
        told: The ends of the way, and the streets that tell which way it is.
        origin: Where the way begins, if the question names that.
    """
    begun = origin.text if origin is not None else ""
    found = [slot for slot in afters if slot not in told and not same_name(slot.text, begun)]
    found = found or [slot for slot in _standing(analysis, origin, told) if slot not in told]
    if found or not _asks_next(analysis):
        return found
    others = _others(analysis, told)
    return others[-1:] if len({slot.text for slot in others}) <= _TWO else []


def street_of_way(analysis: Analysis, passed: list[Slot], told: list[Slot]) -> list[Slot]:
    """The street left over, which tells the way if nothing else does ("I drive the A5, now on Mill Road").

    So it does where ways are to choose from ("Mill Road is part of one of the routes. Which?").
    """
    turning = passed and (_asks_next(analysis) or says(analysis.text, "ask", "exit"))
    if turning or analysis.option_kind == "via":
        others = _others(analysis, [*told, *passed, *([] if passed else _stated(analysis))])
        return others[:1] if len({slot.text for slot in others}) == 1 else []
    if passed or not says(analysis.text, "ask", "count"):
        return []
    ends = {slot.end for slot in slots_before(analysis, "via", "leads_on")}
    led = [slot for slot in _others(analysis, told) if slot.end in ends] if ends else []
    return led if len(led) == 1 else []


def start_of(analysis: Analysis, passed: list[Slot]) -> str:
    """Where the way begins if the question names no place: not the street on the way one has come to."""
    place = analysis.here_place
    on_way = any(same_name(slot.text, place) and street_like(slot.text) for slot in passed)
    return HERE if on_way else place


@lru_cache(maxsize=64)
def are_steps(options: tuple[str, ...]) -> bool:
    """True if the options are instructions ("Turn left onto Mill Road")."""
    steps = sum(pattern("pattern", "instruction").match(option.strip()) is not None for option in options)
    return bool(options) and steps > _MOST * len(options)


def _standing(analysis: Analysis, origin: Slot | None, told: list[Slot]) -> list[Slot]:
    """Where one says to be: a street, or what is not where the way begins ("from A to B ... I'm at X").

    Where the way begins may be what is meant if it is not told, nor more than where it ends.
    """
    if origin is None and len(told) <= 1 and not are_steps(analysis.options):
        return _behind(analysis)
    found = list(slots(analysis, "standing"))
    apart = [slot for slot in found if origin is not None and not same_name(slot.text, origin.text)]
    return (
        apart or [slot for slot in found if street_like(slot.text)] or _behind(analysis) or _stated(analysis)
    )


def _behind(analysis: Analysis) -> list[Slot]:
    """The name of which it is said afterwards that one is there ("once Mill Road has been reached")."""
    return slots_before(analysis, "after", "passed_behind")


def _stated(analysis: Analysis) -> list[Slot]:
    """The street the question says one is on in other words ("Mill Road is where I am")."""
    here = analysis.here
    if here is None or not street_like(here.text):
        return []
    return [Slot("after", here.start, here.end, here.text, here.start)]


def _asks_next(analysis: Analysis) -> bool:
    said = says(analysis.text, "ask", "next_step") or says(analysis.text, "ask", "next_street")
    asked = said is not None and analysis.option_kind != "via"  # "which way" asks for one of the routes then
    return asked or are_steps(analysis.options)


def _others(analysis: Analysis, told: list[Slot]) -> list[Slot]:
    """The streets named that are none of these."""
    return [slot for slot in _streets(analysis) if not any(same_name(slot.text, one.text) for one in told)]


def _streets(analysis: Analysis) -> list[Slot]:
    """The streets named; "Mill Road and A5" is one, for so a way is told."""
    found: list[Slot] = []
    for span in written_names(analysis):
        street = slot_at(analysis, "after", span)
        last = found[-1] if found else None
        if not street_like(street.text):
            continue
        if last is not None and analysis.text[last.end : street.start].strip() == "and":
            found[-1] = replace(last, end=street.end, text=analysis.text[last.start : street.end])
        else:
            found.append(street)
    return found
