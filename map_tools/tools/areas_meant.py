"""Which of the places that fit a name are meant where an area is wanted, to search inside of."""

from collections.abc import Sequence

from map_tools.errors import PlaceNotFoundError
from map_tools.kinds import concepts
from map_tools.kinds.concepts import AREA_KINDS, LINEAR, is_street
from map_tools.text import normalise
from map_tools.types import Candidate, Place

EQUAL_SCORE = 0.001
"""Scores that differ by less say the same."""
_HOUSES = frozenset(
    {"shop", "food", "lodging", "school", "kindergarten", "pharmacy", "bank", "library", "office"}
    | {"bus_stop", "tram_stop", "stop_position", "platform"}
)
"""Kinds that are often called after the quarter they stand in."""
_SHOPPING_CENTRES = frozenset({"mall", "marketplace"})
_NAMED = 5


def areas_meant(text: str, found: Sequence[Candidate], close: Sequence[Candidate]) -> Sequence[Candidate]:
    """Those with an outline; all that can be an area if there are none.

    Where the name is that of a district or town, a building of the same name is not meant.

    Args:
        text: The name.
        found: All that fits it, best first.
        close: Those of them that fit about as well as the best.

    Raises:
        PlaceNotFoundError: Only shops, hotels, schools and the like bear the name, or buildings whose names have
            its words among others.
    """
    districts = [one for one in close if not AREA_KINDS.isdisjoint(one.place.categories)]
    if not districts:
        close = [one for one in close if not _is_house(text, one.place)]
        if not any(_is_called(text, one.place) and concepts.is_ground(one.place.categories) for one in close):
            districts = [one for one in found if _is_settlement_of(text, one.place)]
        if not (districts or close):
            raise _none_called(text, found)
    outlined = [one for one in districts or close if one.outlined]
    streets = [one for one in close if is_street(one.place.categories)]
    if streets and not districts and all(streets[0].score - one.score > EQUAL_SCORE for one in outlined):
        return streets  # "Rosary Street" is rather the street than the car park of this name
    return outlined or districts or close


def _is_house(text: str, place: Place) -> bool:
    """Whether a place is a shop, hotel, stop or the like whose kind the text does not name, and so no area it means.

    So is a street or building whose name has further words: "Aston" is no "Aston Chapel", but may be "Aston Park", or
    an outline of no kind, such as the "boundary of Aston" of a supplied text.
    """
    kinds = {*place.categories}
    if not kinds and place.extent is not None and place.extent.kind == "area":
        return False
    named = {category for span in concepts.find_in(text) for category in span.value.ids}
    if kinds & (named | _SHOPPING_CENTRES | AREA_KINDS):
        return False
    is_open = concepts.is_ground(kinds) and not kinds & LINEAR
    return bool(kinds & _HOUSES) or (not is_open and not _is_called(text, place) and _holds(text, place))


def _is_settlement_of(text: str, place: Place) -> bool:
    """Whether a place is a settlement or quarter whose name has the words of the text among others."""
    return not AREA_KINDS.isdisjoint(place.categories) and _holds(text, place)


def _is_called(text: str, place: Place) -> bool:
    return normalise(text) in map(normalise, (place.name, *place.aliases))


def _holds(text: str, place: Place) -> bool:
    """Whether one of a place's names has all words of a text."""
    words = {*normalise(text).split()}
    return any(words.issubset(normalise(name).split()) for name in (place.name, *place.aliases))


def _none_called(text: str, found: Sequence[Candidate]) -> PlaceNotFoundError:
    others = ", ".join(dict.fromkeys(_with_kind(one.place) for one in found[:_NAMED] if one.place.name))
    return PlaceNotFoundError(
        f"No area called '{text}' is on the map; of this name there are: {others}.",
        "Name the area otherwise, or search near a place.",
    )


def _with_kind(place: Place) -> str:
    return f"{place.name} ({concepts.label_of(place.categories[0])})" if place.categories else place.name
