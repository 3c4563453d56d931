"""Several named places compared: which has most or least of something, or fulfils a condition."""

from collections.abc import Sequence
from datetime import timedelta

from map_tools.types import Place
from mapagent.answer import NameSet, Solution
from modules.intents import Attribute, Compare, ComparePlacesIntent, When
from modules.solvers.choices import Choice, choices_of, require_rivals
from modules.solvers.common import Trail, enriched, title
from modules.solvers.conditions import claim_arguments, conditions_of, excluded, none_left, sift
from modules.solvers.facts import lacks, noun_of
from modules.solvers.moments import Moments, moments
from modules.solvers.order import Scored, ranked
from modules.view import CannotTellError, Found, View


def solve_compare_places(intent: ComparePlacesIntent, view: View) -> Solution | None:
    """Which of several places fulfils the conditions, and of these has most or least of an attribute.

    Raises:
        CannotTellError: No place is known, none fulfils the conditions, or the attribute is not stated.
    """
    trail = Trail()
    choices = choices_of(view, trail, intent.places)
    if view.waiting:
        return None
    full = [_enriched(view, choice) for choice in choices]
    full = [choice for choice in full if not excluded(choice.places[0].place, intent.filters)]
    kept = _fulfilling(view, trail, intent, full)
    if intent.attribute is None:
        return _those(view, trail, kept)
    require_rivals(view, choices)
    if intent.attribute is Attribute.HOURS:
        scored = [one for choice in kept if (one := _hours(view, trail, choice, intent))]
    else:
        scored = [one for choice in kept if (one := _number(choice, intent.attribute))]
    if not scored:
        found = kept[0].places[0]
        raise lacks(view, found.evidence_id, found.place, intent.attribute)
    left = [choice.label for choice in kept if choice not in [one.choice for one in scored]]
    if left:
        trail.warn(f"Their {noun_of(intent.attribute)} is not stated, so left out: {', '.join(left)}.")
    return ranked(view, trail, scored, intent.pick, noun_of(intent.attribute).capitalize())


def _enriched(view: View, choice: Choice) -> Choice:
    found = choice.places[0]
    place, _ = enriched(view, found.place)
    return Choice((Found(place=place, evidence_id=found.evidence_id),), choice.option)


def _fulfilling(
    view: View, trail: Trail, intent: ComparePlacesIntent, choices: Sequence[Choice]
) -> list[Choice]:
    places: list[Place] = [choice.places[0].place for choice in choices]
    sifted = sift(places, conditions_of(view, intent.filters))
    for warning in sifted.warnings():
        trail.warn(warning)
    inputs = [choice.places[0].evidence_id for choice in choices]
    for outcome in sifted.outcomes:
        trail.claim("filter", inputs, len(outcome.kept), **claim_arguments(places, outcome))
    if not sifted.kept:
        raise none_left("those named", len(places), sifted, "The source")
    return [choices[position] for position in sifted.kept]


def _those(view: View, trail: Trail, kept: Sequence[Choice]) -> Solution:
    """All that fulfil the conditions; one of them where an option has to be chosen."""
    names = tuple(choice.label for choice in kept)
    trail.claim("count", [choice.places[0].evidence_id for choice in kept], len(names), labels=list(names))
    listed = f"Fulfilled by: {', '.join(names)}."
    if len(kept) > 1 and kept[0].option is None:
        return trail.answered(NameSet(names=names), listed)
    if len(kept) > 1:
        trail.warn(f"Several options fulfil the conditions: {', '.join(names)}; the first is given.")
    return trail.answered(kept[0].value(view), listed, [choice.value(view) for choice in kept[1:]])


def _number(choice: Choice, attribute: Attribute) -> Scored | None:
    numbers = {
        Attribute.RATING: lambda place: place.rating,
        Attribute.RATING_COUNT: lambda place: place.rating_count,
        Attribute.PRICE_LEVEL: lambda place: place.price_level,
    }
    if attribute not in numbers:
        raise CannotTellError(f"Places cannot be ordered by their {noun_of(attribute)}.")
    stated = numbers[attribute](choice.places[0].place)
    return None if stated is None else Scored(choice, float(stated), attribute.value)


def _hours(view: View, trail: Trail, choice: Choice, intent: ComparePlacesIntent) -> Scored | None:
    """Minutes after midnight: the first opening (MIN) or the last closing (MAX) on the day meant."""
    from map_tools.compute.hours import intervals_on

    place = choice.places[0].place
    if place.hours is None:
        return None
    meant: Moments = moments(view, place, _whole_day(intent.when))
    moment = meant.preferred or meant.choices[0]
    if len(meant.choices) > 1:
        trail.warn(f"No day was given; {moment} is assumed.")
    spans = intervals_on(place.hours, moment.day)
    if not spans:
        trail.warn(f"{title(place)} does not open on {moment}.")
        return None
    midnight = spans[0].opens.replace(hour=0, minute=0, second=0, microsecond=0)
    edge = spans[0].opens if intent.pick is Compare.MIN else spans[-1].closes
    return Scored(choice, (edge - midnight) / timedelta(minutes=1), "minutes_of_day")


def _whole_day(when: When | None) -> When:
    """The day without its time; a question that names no day leaves the week open."""
    from datetime import time

    if when is None or when.is_now:
        return When(at=time(12))
    return when.model_copy(update={"at": None, "until": None})
