"""Checks of what is looked up: places, areas and lines by their names, facts of them, words of a text."""

from collections.abc import Mapping
from typing import Any

from map_tools.text import normalise
from map_tools.types import LatLng, Place
from modules.query.values.things import Thing
from modules.query.values.unknown import Unknown
from modules.query.verify import measuring, searching
from modules.query.verify.cited import Asked, Check, Cited, Fault, looked_up
from modules.query.verify.stated import place_field


def look_up(role: str, words: str, given: Mapping[str, Any], cited: Cited, claimed: Any) -> Any:
    """A place, area or line by its name; a position is read from the words."""
    here = cited.situation
    if role == "area" and here.bounded and normalise(words) == normalise(here.map_name):
        return Thing(Place(id=searching.WHOLE_MAP, name=here.map_name), role="area")
    found = looked_up(words, role, given, cited, claimed)
    degrees = [part.strip().removeprefix("-") for part in words.split(",")]
    if (
        isinstance(found, Thing)
        and len(degrees) == 2
        and all(one.replace(".", "", 1).isdigit() for one in degrees)
    ):
        lat, lng = map(float, words.split(","))
        at = found.place.location
        if at is None or measuring.inverse(at, LatLng(lat=lat, lng=lng))[0] > 1.0:
            return Fault(f"the position {words}")
    return found


def _looked_up(role: str) -> Check:
    return lambda asked: look_up(role, asked["name"], asked.arguments, asked.cited, asked.claimed)


def _quote(asked: Asked) -> Any:
    """Words that stand in the text; what they are said of stands before them or in their line."""
    text = " ".join(asked.cited.situation.text.casefold().split())
    at = text.rfind(" ".join(asked["words"].casefold().split()))
    about = normalise(asked["about"] or "")
    said = at >= 0 and (not about or about in normalise(text[: at + 300]))
    if isinstance(asked.claimed, Unknown):
        lines = map(normalise, asked.cited.situation.text.splitlines())
        denied = not any(normalise(asked["words"]) in line and about in line for line in lines)
        return asked.claimed if denied else asked["words"]
    return asked["words"] if said else Fault("nothing: the text does not say so")


CHECKS: Mapping[str, Check] = {
    "place": _looked_up("place"),
    "area": _looked_up("area"),
    "line": _looked_up("line"),
    "fact": lambda asked: place_field(asked["of"], asked["key"], asked.cited),
    "quote": _quote,
}
