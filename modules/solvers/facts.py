"""Facts about a place as values: reads them, and says what the source lacks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from map_tools.facts import NearbyFact, PlaceFact
from map_tools.types import Place
from mapagent.answer import Quantity, Text, Value, YesNo
from modules.offline.intents import Attribute
from modules.names import normalise
from modules.solvers.common import title
from modules.solvers.offers import service_key
from modules.view import CannotTellError, View

NOT_IN_OSM = frozenset({Attribute.RATING, Attribute.RATING_COUNT, Attribute.PRICE_LEVEL})
"""OpenStreetMap records no opinions (https://wiki.openstreetmap.org/wiki/Good_practice, "Verifiability")."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a place.

    `field` is its path within `Place` ("rating", "services.wifi"), `raw` the value there, `noun` how a
    sentence calls it.
    """

    field: str
    noun: str
    raw: Any
    value: Value

    @property
    def words(self) -> str:
        """The fact for an explanation: "rating 4.5", "serves lunch: no"."""
        if isinstance(self.value, YesNo):
            return f"{self.noun}: {'yes' if self.value.value else 'no'}"
        return f"{self.noun} {self.raw}"


@dataclass(frozen=True, slots=True)
class _Plain:
    field: str
    noun: str
    make: Callable[[Any], Value]


def _text(topic: str) -> Callable[[Any], Value]:
    return lambda raw: Text(text=str(raw), topic=topic)


def _quantity(unit: str) -> Callable[[Any], Value]:
    return lambda raw: Quantity(value=float(raw), unit=unit)


_PLAIN: Mapping[Attribute, _Plain] = {
    Attribute.ADDRESS: _Plain("address", "address", _text("address")),
    Attribute.PHONE: _Plain("phone", "phone number", _text("phone")),
    Attribute.WEBSITE: _Plain("website", "website", _text("website")),
    Attribute.EMAIL: _Plain("email", "e-mail address", _text("email")),
    Attribute.RATING: _Plain("rating", "rating", _quantity("rating")),
    Attribute.RATING_COUNT: _Plain("rating_count", "number of ratings", _quantity("count")),
    Attribute.PRICE_LEVEL: _Plain("price_level", "price level", _quantity("price_level")),
    Attribute.LOCATION: _Plain("location", "position", _text("location")),
}


def noun_of(attribute: Attribute, service: str | None = None) -> str:
    """How a sentence calls an attribute."""
    if attribute in _PLAIN:
        return _PLAIN[attribute].noun
    if attribute is Attribute.HOURS:
        return "opening hours"
    if attribute is Attribute.CATEGORY:
        return "kind"
    return (service or attribute.value).rpartition(":")[2].replace("_", " ")


def fact_of(place: Place, attribute: Attribute, service: str | None = None) -> Fact | None:
    """The fact, or None where the source does not state it: nothing stated is never read as "no"."""
    noun = noun_of(attribute, service)
    if attribute in _PLAIN:
        plain = _PLAIN[attribute]
        raw = getattr(place, plain.field)
        return None if raw is None else Fact(plain.field, noun, _jsonable(raw), plain.make(raw))
    if attribute is Attribute.HOURS:
        return (
            Fact("hours", noun, place.hours.text, _text("hours")(place.hours.text)) if place.hours else None
        )
    if attribute is Attribute.CATEGORY:
        return _category(place, noun)
    return _service(place, noun, service) or _tag(place, noun, service)


def _jsonable(raw: Any) -> Any:
    return raw if isinstance(raw, str | int | float) else str(raw)


def _category(place: Place, noun: str) -> Fact | None:
    if not place.categories:
        return None
    words = place.categories[0].replace("_", " ")
    return Fact("categories", noun, place.categories[0], Text(text=words, topic="category"))


def _service(place: Place, noun: str, service: str | None) -> Fact | None:
    key = service_key(place.services, service)
    if key is None:
        return None
    return Fact(f"services.{key}", noun, place.services[key], YesNo(value=place.services[key]))


def said_of_others(view: View, place: Place, service: str | None) -> str | None:
    """The key of a service that supplied text says of other places but not of this one; else None.

    Only where the text states a sister of it for this place ("serves dinner" for "serves lunch"): such a text
    names what there is, so its silence speaks.
    """
    wanted = normalise(service or "").split()
    if len(wanted) < 2 or not any(normalise(key).split()[:1] == wanted[:1] for key in place.services):
        return None
    for item, fact in view.facts(PlaceFact):
        key = service_key(fact.place.services, service)
        if item.source.tool == "context" and key is not None and fact.place.services[key]:
            return key
    return None


def _tag(place: Place, noun: str, service: str | None) -> Fact | None:
    key = service_key(place.attributes, service)
    if key is None and service == "height" and "peak" in place.categories:
        key = service_key(place.attributes, "ele")  # of a mountain the height above the sea is meant
    if key is None:
        return None
    raw = place.attributes[key]
    if raw.casefold() in {"yes", "no"}:
        return Fact(f"attributes.{key}", noun, raw, YesNo(value=raw.casefold() == "yes"))
    return Fact(f"attributes.{key}", noun, raw, Text(text=raw, topic=key))


def lacks(
    view: View, evidence_id: str, place: Place, attribute: Attribute, service: str | None = None
) -> CannotTellError:
    """The error for a fact that the source of this evidence does not state."""
    source, provider = _source(view, evidence_id)
    noun, name = noun_of(attribute, service), title(place)
    if attribute is Attribute.SERVICE:
        return CannotTellError(f"{source} does not say whether this holds for {name}: {noun}.")
    reason = f"{source} has no {noun} for {name}."
    if provider in {"osm", "postgis"} and attribute in NOT_IN_OSM:
        reason += " OpenStreetMap carries none; a provider that does is needed."
    return CannotTellError(reason)


def _source(view: View, evidence_id: str) -> tuple[str, str]:
    """How to call the source of a piece of evidence at the start of a sentence, and its provider."""
    for item, _ in chain(view.facts(PlaceFact), view.facts(NearbyFact)):
        if item.id == evidence_id:
            name = "The text" if item.source.tool == "context" else "The map"
            return name, item.source.provider
    return "The map", ""
