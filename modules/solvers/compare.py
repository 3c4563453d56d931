"""Several named places compared: which has most or least of something, or fulfils a condition."""

from collections.abc import Sequence

from map_tools.types import Place
from mapagent.answer import Quantity, Solution
from mapagent.answer import Sequence as Order
from modules.offline.intents import Attribute, Compare, ComparePlacesIntent
from modules.solvers.choices import Choice, choices_of, require_rivals, those
from modules.solvers.common import Trail, enriched
from modules.solvers.conditions import claim_arguments, conditions_of, excluded, none_left, sift
from modules.solvers.edges import hours_measure
from modules.solvers.facts import lacks, noun_of
from modules.solvers.geometry import located, wind_named
from modules.solvers.measures import measure_words
from modules.solvers.order import Scored, claimed, ranked
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
    if intent.direction is not None:
        require_rivals(view, choices)
        return claimed(view, _furthest(view, trail, intent, kept), intent.claim)
    if intent.attribute is None:
        return those(view, trail, kept)
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
        trail.warn(f"Nobody states their {noun_of(intent.attribute)}, so left out: {', '.join(left)}.")
    if intent.ask == "difference":
        return _difference(trail, intent, scored)
    solution = ranked(view, trail, scored, intent.pick, noun_of(intent.attribute).capitalize(), k=intent.k)
    if intent.ask == "order":
        return _in_order(solution, scored, intent)
    return claimed(view, solution, intent.claim)


def _difference(trail: Trail, intent: ComparePlacesIntent, scored: Sequence[Scored]) -> Solution:
    """How far two places are apart in what they are compared by.

    Raises:
        CannotTellError: Not both of the places state it.
    """
    noun = noun_of(intent.attribute or Attribute.RATING)
    if len(scored) != 2:
        raise CannotTellError(f"The {noun} is not stated of both places, so no difference can be told.")
    more, less = sorted(scored, key=lambda one: -one.measure)
    inputs = [one.choice.places[0].evidence_id for one in (more, less)]
    hours = intent.attribute is Attribute.HOURS
    # Hours are stated as times of day, so their seconds stand in no evidence.
    unit, factor = "open_s" if hours else more.unit, 60 if more.unit == "minutes_of_day" else 1
    values = [one.measure * factor for one in (more, less)]
    gap = round(values[0] - values[1], 6)
    trail.claim("difference", inputs, gap, values=values, unit=unit)
    value = Quantity(value=gap, unit="s" if hours else unit)
    sides = " − ".join(f"{one.choice.label} {measure_words(one.measure, one.unit)}" for one in (more, less))
    return trail.answered(value, f"{noun.capitalize()}: {sides} = {measure_words(gap, value.unit)}.")


def _in_order(solution: Solution, scored: Sequence[Scored], intent: ComparePlacesIntent) -> Solution:
    """The names in order instead of the first one.

    Raises:
        CannotTellError: A place does not state what they are put in order by.
    """
    if len(scored) < len(intent.places):
        raise CannotTellError("Not all of the places state what they are to be put in order by.")
    falling = intent.pick is Compare.MAX
    order = sorted(scored, key=lambda one: one.measure, reverse=falling)
    names = tuple(one.choice.label for one in order)
    return solution.model_copy(update={"value": Order(names=names), "ranking": ()})


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
    """The hours of one place; by the first opening (MIN) or the last closing (MAX) if nothing is said."""
    by = intent.by or ("opens" if intent.pick is Compare.MIN else "closes")
    measured = hours_measure(view, trail, choice.places[0].place, intent.when, by)
    return None if measured is None else Scored(choice, *measured)


def _furthest(view: View, trail: Trail, intent: ComparePlacesIntent, choices: Sequence[Choice]) -> Solution:
    """Who lies furthest in a direction: by latitude for north and south, by longitude for east and west.

    Raises:
        CannotTellError: The direction lies between two of these four, or a position is missing.
    """
    wind = wind_named(intent.direction or "")
    if len(wind) > 1:
        raise CannotTellError("Places can be ordered from north to south and from west to east only.")
    spots = [(choice, located(view, trail, choice.places[0])) for choice in choices]
    scored = [Scored(choice, spot.lat if wind in "NS" else spot.lng, "deg") for choice, spot in spots]
    axis = "Latitude" if wind in "NS" else "Longitude"
    return ranked(view, trail, scored, Compare.MAX if wind in "NE" else Compare.MIN, axis)
