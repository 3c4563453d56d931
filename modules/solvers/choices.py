"""The places a question chooses from: those it names, its options, or a kind of place near an anchor."""

from collections.abc import Sequence
from dataclasses import dataclass

from mapagent.answer import Named, NameSet, OptionPick, Solution, Value
from modules.needs import NearbyNeed
from modules.solvers.common import Trail, option_places, title
from modules.solvers.lists import find_list
from modules.view import CannotTellError, Found, View


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: a place, or several for a pair; `option` is its index if it is an option's."""

    places: tuple[Found, ...]
    option: int | None = None

    @property
    def label(self) -> str:
        """The names, for claims and explanations."""
        return " and ".join(title(found.place) for found in self.places)

    def value(self, view: View) -> Value:
        """The choice as the value of a solution."""
        if self.option is not None:
            return OptionPick(index=self.option, text=view.question.options[self.option])
        if len(self.places) > 1:
            return NameSet(names=tuple(title(found.place) for found in self.places))
        return Named(name=title(self.places[0].place), place=self.places[0].place)


def choices_of(
    view: View, trail: Trail, names: Sequence[str], need: NearbyNeed | None = None
) -> tuple[Choice, ...]:
    """The places to choose from: `names`, else the options, else the places that answer `need`.

    Options that cannot be found are left out with a warning. Empty while the view waits.

    Raises:
        CannotTellError: A named place cannot be found, or there is nothing to choose from.
    """
    if names:
        found = [(name, view.try_place(name)) for name in names]
        missing = [name for name, place in found if place is None]
        choices = [Choice((place,)) for _, place in found if place is not None]
    elif view.question.live_options():
        resolved = dict(option_places(view))
        missing = [text for index, text in view.question.live_options() if index not in resolved]
        choices = [Choice((place,), index) for index, place in resolved.items()]
    else:
        return _listed(view, trail, need)
    if view.waiting:
        return ()
    if names and missing:
        listed = ", ".join(f"'{name}'" for name in missing)
        raise CannotTellError(f"Not found: {listed}; the places named can only be compared if all are known.")
    return _known(choices, missing, trail)


def those(view: View, trail: Trail, kept: Sequence[Choice], measured: str = "") -> Solution:
    """All choices that fulfil what is asked; one of them where an option has to be chosen.

    `measured` are words for what they were judged by, for the explanation.
    """
    names = tuple(choice.label for choice in kept)
    trail.claim("count", [choice.places[0].evidence_id for choice in kept], len(names), labels=list(names))
    listed = f"{measured} Fulfilled by: {', '.join(names)}.".lstrip()
    if len(kept) > 1 and kept[0].option is None:
        return trail.answered(NameSet(names=names), listed)
    if len(kept) > 1:
        trail.warn(f"Several options fulfil the conditions: {', '.join(names)}; the first is given.")
    return trail.answered(kept[0].value(view), listed, [choice.value(view) for choice in kept[1:]])


def require_rivals(view: View, choices: Sequence[Choice]) -> None:
    """Raises `CannotTellError` if of several options only one is known: it would win unopposed."""
    if len(choices) < min(2, len(view.question.live_options())):
        raise CannotTellError("Only one of the options is known, so there is nothing to compare it with.")


def _listed(view: View, trail: Trail, need: NearbyNeed | None) -> tuple[Choice, ...]:
    if need is None:
        raise CannotTellError("The question names no places to choose from; give them or options.")
    found = find_list(view, trail, need)
    if found is None:
        return ()
    choices = [Choice((Found(place=entry.place, evidence_id=found.evidence_id),)) for entry in found.items]
    return _known(choices, [], trail)


def _known(choices: Sequence[Choice], missing: Sequence[str], trail: Trail) -> tuple[Choice, ...]:
    if not choices:
        listed = ", ".join(f"'{name}'" for name in missing)
        raise CannotTellError(f"None of the places to choose from is known: {listed}.")
    for found in (place for choice in choices for place in choice.places):
        if found.rivals:
            trail.warn(
                f"'{title(found.place)}' fits {len(found.rivals) + 1} places; the best match is taken."
            )
    if missing:
        trail.warn(f"Not found and left out: {', '.join(missing)}.")
    return tuple(choices)
