"""What a place serves and offers, under whichever key a source states it: cuisines, diets, services."""

from collections.abc import Mapping

from map_tools.types import Place
from modules.names import normalise

_DIET_KEY = "diet:"
"""OpenStreetMap states a diet as `diet:vegan=yes` beside `cuisine` (https://wiki.openstreetmap.org/wiki/Key:diet)."""
_SAME = {
    "serves vegetarian": "vegetarian",
    "serves vegan": "vegan",
    "restroom": "toilets",
    "allows dogs": "dogs",
}
"""Keys of services that mean one thing: as Google's place fields have it, and as OpenStreetMap does."""
DIETS = frozenset({"vegetarian", "vegan", "halal", "kosher", "gluten free"})


def serves(place: Place, cuisine: str) -> bool | None:
    """True if a cuisine or diet is stated or in the name; None if nothing is stated at all."""
    wanted = normalise(cuisine)
    diet = _diet(place, wanted)
    stated = [normalise(text) for text in place.attributes.get("cuisine", "").split(";") if text.strip()]
    kinds = [normalise(text) for text in place.categories]
    if diet or any(wanted in text for text in (*stated, *kinds, normalise(place.name))):
        return True
    if wanted in DIETS:
        return diet  # a cuisine says nothing of the diets a kitchen caters for
    return False if stated else None


def offers(place: Place, service: str) -> bool | None:
    """Whether a place offers a service; None if the source does not say."""
    wanted = normalise(service)
    same = _SAME.get(wanted, wanted)
    key = service_key(place.services, wanted) or service_key(place.services, same)
    if key is not None:
        return place.services[key]
    return serves(place, same) if same in DIETS else None


def service_key(stated: Mapping[str, object], service: str | None) -> str | None:
    """The key that means this service, however it is spelt ("serves lunch", "serves_lunch")."""
    wanted = normalise(service or "")
    same = {wanted, _SAME.get(wanted, wanted)}
    return next((key for key in stated if wanted and normalise(key) in same), None)


def _diet(place: Place, wanted: str) -> bool | None:
    if wanted not in DIETS:
        return None
    for key, holds in place.services.items():
        if _SAME.get(normalise(key), normalise(key)) == wanted:
            return holds
    said = place.attributes.get(_DIET_KEY + wanted.replace(" ", "_"))
    return None if said is None else said in {"yes", "only"}
