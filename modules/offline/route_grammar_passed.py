"""The street on the way that a question is about: where one has come to, and what comes next is asked."""

from modules.intents import HERE
from modules.names import same_name
from modules.offline.analysis import Analysis
from modules.offline.route_grammar_names import Slot, pattern, says, slots, street_like
from modules.offline.route_grammar_written import written_names

_MOST = 0.7
"""Share of the options that must be instructions; strays such as "None of these" are forgiven."""


def passed_streets(
    analysis: Analysis, afters: list[Slot], told: list[Slot], origin: Slot | None
) -> list[Slot]:
    """The streets one is past.

    Where no phrase leads to one ("after X"), it is where one says to be, or the only other street that a
    question after the next step names.

    Args:
        analysis: The question.
        afters: The streets behind such a phrase.
        told: The ends of the way, and the streets that tell which way it is.
        origin: Where the way begins, if the question names that.
    """
    found = afters or (_standing(analysis, origin) if origin is not None else [])
    if found or not _asks_next(analysis):
        return [slot for slot in found if slot not in told]
    others = [slot for slot in _streets(analysis) if not any(same_name(slot.text, one.text) for one in told)]
    alone = len({slot.text for slot in others}) == 1
    return others[:1] if alone else []


def start_of(analysis: Analysis, passed: list[Slot]) -> str:
    """Where the way begins if the question names no place: not the street on the way one has come to."""
    place = analysis.here_place
    on_way = any(same_name(slot.text, place) and street_like(slot.text) for slot in passed)
    return HERE if on_way else place


def are_steps(options: tuple[str, ...]) -> bool:
    """True if the options are instructions ("Turn left onto Mill Road")."""
    steps = sum(pattern("pattern", "instruction").match(option.strip()) is not None for option in options)
    return bool(options) and steps > _MOST * len(options)


def _standing(analysis: Analysis, origin: Slot) -> list[Slot]:
    """Where one says to be, behind the place where the way begins ("from A to B ... I'm at Mill Road")."""
    return [slot for slot in slots(analysis, "standing") if slot.start > origin.end]


def _asks_next(analysis: Analysis) -> bool:
    said = says(analysis.text, "ask", "next_step") or says(analysis.text, "ask", "next_street")
    return said is not None or are_steps(analysis.options)


def _streets(analysis: Analysis) -> list[Slot]:
    named = ((start, end, analysis.text[start:end].strip(" \"'")) for start, end in written_names(analysis))
    return [Slot("after", start, end, text, start) for start, end, text in named if street_like(text)]
