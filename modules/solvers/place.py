"""Facts about one place: address, phone, rating, price, services, tags; stated or asked as yes or no."""

from mapagent.answer import Quantity, Solution, Text, Value, YesNo
from mapagent.question import Question
from modules.offline.intents import Attribute, PlaceFactIntent
from modules.solvers.ambiguity import settle
from modules.solvers.common import Trail, enriched, title
from modules.solvers.facts import Fact, fact_of, lacks, said_of_others
from modules.view import CannotTellError, Found, View


def solve_place_fact(intent: PlaceFactIntent, view: View) -> Solution | None:
    """A fact about one place, or whether a statement about it holds.

    Raises:
        CannotTellError: The place is not found or its source does not state the fact.
    """
    found = view.place(intent.place)
    if found is None:
        return None
    return settle(view, (found,), lambda reading: _judge(view, intent, reading[0]))


def _judge(view: View, intent: PlaceFactIntent, found: Found) -> Solution:
    trail = Trail()
    silent = _silent(view, trail, intent, found)
    if silent is not None:
        return silent
    attribute = _attribute_at_hand(view, trail, intent, found)
    fact = looked_up(view, trail, found, attribute, intent.service)
    name = title(found.place)
    stated = f"{name}: {fact.words}."
    if intent.at_least is not None:
        number = _number(fact, name)
        word = "at least" if number >= intent.at_least else "less than"
        verdict = YesNo(value=number >= intent.at_least)
        return trail.answered(verdict, f"{stated} That is {word} {intent.at_least:g}.")
    if intent.is_value is not None:
        return trail.answered(YesNo(value=says(fact.value, intent.is_value)), stated)
    return trail.answered(fact.value, stated)


def _attribute_at_hand(view: View, trail: Trail, intent: PlaceFactIntent, found: Found) -> Attribute:
    """The attribute asked for; the position instead of an address that the source does not have."""
    place, _ = enriched(view, found.place)
    open_question = intent.is_value is None and not view.question.live_options()
    if intent.attribute is not Attribute.ADDRESS or place.address or not place.location or not open_question:
        return intent.attribute
    trail.warn(f"No address of {title(place)} is known; this is its position (latitude, longitude).")
    return Attribute.LOCATION


def _silent(view: View, trail: Trail, intent: PlaceFactIntent, found: Found) -> Solution | None:
    """No, where a supplied text says a service of other places and only its sisters of this one."""
    place, more = enriched(view, found.place)
    if intent.attribute is not Attribute.SERVICE or fact_of(place, intent.attribute, intent.service):
        return None
    key = said_of_others(view, place, intent.service)
    if key is None:
        return None
    noun = key.replace("_", " ")
    trail.use(found.evidence_id, *more)
    trail.warn(f"The text says '{noun}' of other places and not of {title(place)}; that is taken for a no.")
    stated = [name.replace("_", " ") for name, holds in place.services.items() if holds]
    return trail.answered(YesNo(value=False), f"{title(place)}: {', '.join(stated)}; nothing of '{noun}'.")


def looked_up(
    view: View, trail: Trail, found: Found, attribute: Attribute, service: str | None = None
) -> Fact:
    """A fact of a place with its evidence and claim noted.

    Raises:
        CannotTellError: The source does not state it.
    """
    place, more = enriched(view, found.place)
    fact = fact_of(place, attribute, service)
    if fact is None:
        raise lacks(view, found.evidence_id, place, attribute, service)
    inputs = (found.evidence_id, *more)
    trail.claim("lookup", inputs, fact.raw, place=title(place), field=fact.field)
    return fact


def says(value: Value, words: str) -> bool:
    """True if these words mean this value: phone numbers by digits, prices in words, names fuzzily."""
    if isinstance(value, YesNo):
        return value.value == (words.casefold() not in {"no", "false"})
    from modules.answer_generator.matching import Match, match

    return isinstance(match(value, (), Question(text="Is it so?", options=(words,))), Match)


def _number(fact: Fact, name: str) -> float:
    if isinstance(fact.value, Quantity):
        return fact.value.value
    if isinstance(fact.value, Text):
        from map_tools.compute.quantities import parse_number

        number = parse_number(fact.value.text)
        if number is not None:
            return float(number)
    raise CannotTellError(f"The {fact.noun} of {name} is not a number.")
