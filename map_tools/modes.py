"""The travel mode as an argument: Google's four words, and what people and models write for them."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from map_tools.types import TravelMode

SYNONYMS = {
    "drive": TravelMode.DRIVING,
    "car": TravelMode.DRIVING,
    "taxi": TravelMode.DRIVING,
    "walk": TravelMode.WALKING,
    "foot": TravelMode.WALKING,
    "on foot": TravelMode.WALKING,
    "pedestrian": TravelMode.WALKING,
    "bike": TravelMode.BICYCLING,
    "bicycle": TravelMode.BICYCLING,
    "cycling": TravelMode.BICYCLING,
    "cycle": TravelMode.BICYCLING,
    "bus": TravelMode.TRANSIT,
    "train": TravelMode.TRANSIT,
    "public transport": TravelMode.TRANSIT,
}

TOLD = {"walk": "on foot", "bike": "by bike", "drive": "by car", "transit": "by public transport"}
"""How a mode is told, by the word that programs have for it."""


def _mode(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    word = value.strip().lower().removeprefix("by ")
    return SYNONYMS.get(word, word)


def merge_mode_alias(values: Any) -> Any:
    """Accepts `mode` for `travel_mode`: the paper's Route tool lists both (appendix C)."""
    if not isinstance(values, dict) or "mode" not in values:
        return values
    merged = {key: value for key, value in values.items() if key != "mode"}
    merged.setdefault("travel_mode", values["mode"])
    return merged


Mode = Annotated[TravelMode, BeforeValidator(_mode)]
"""A travel mode; "car", "on foot", "DRIVING" and the like are understood."""
