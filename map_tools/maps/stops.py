"""By which means of travel one gets on and off at a stop, as its tags say."""

from collections.abc import Mapping

_MEANS = (
    "bus",
    "trolleybus",
    "coach",
    "tram",
    "train",
    "subway",
    "light_rail",
    "monorail",
    "ferry",
    "funicular",
)
"""Keys with the value yes, https://wiki.openstreetmap.org/wiki/Tag:public_transport%3Dplatform."""
_IMPLIED = {
    ("highway", "bus_stop"): "bus",
    ("highway", "platform"): "bus",
    ("amenity", "bus_station"): "bus",
    ("amenity", "ferry_terminal"): "ferry",
    ("railway", "tram_stop"): "tram",
    ("railway", "halt"): "train",
    ("station", "subway"): "subway",
    ("station", "light_rail"): "light_rail",
    ("station", "monorail"): "monorail",
    ("station", "funicular"): "funicular",
}


def means_of(tags: Mapping[str, str]) -> frozenset[str]:
    """The means of travel that the tags of a stop, or of a part of one, tell; empty if none."""
    found = {key for key in _MEANS if tags.get(key) == "yes"}
    found |= {means for (key, value), means in _IMPLIED.items() if tags.get(key) == value}
    if tags.get("railway") == "station" and "station" not in tags and not found:
        found.add("train")
    return frozenset(found)
