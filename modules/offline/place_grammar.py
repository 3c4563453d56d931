"""Questions for a fact about one place: address, phone number, rating, services, tags of the map."""

from itertools import pairwise

from modules.offline.analysis import Analysis
from modules.offline.intents import Attribute, PlaceFactIntent
from modules.offline.lexicon import Cue, word_set
from modules.offline.marks import SURE, Mention
from modules.offline.ranking import ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import explained, sought

_ATTRIBUTES = {
    "attribute.phone": Attribute.PHONE,
    "attribute.email": Attribute.EMAIL,
    "attribute.website": Attribute.WEBSITE,
    "attribute.address": Attribute.ADDRESS,
    "attribute.rating_count": Attribute.RATING_COUNT,
    "attribute.rating": Attribute.RATING,
    "attribute.price_level": Attribute.PRICE_LEVEL,
    "attribute.location": Attribute.LOCATION,
    "attribute.category": Attribute.CATEGORY,
}
"""In falling order of how clearly the words ask for the fact; ties of equal length are settled by it."""
_STATEMENT_STARTS = frozenset(
    {"is", "are", "does", "do", "has", "have", "can", "could", "may", "was", "will", "would", "am"}
)
_EXPLAINED = (
    "attribute",
    "other",
    "service",
    "condition",
    "ask.how_many",
    "ask.where",
    "ask.who",
    "price",
    "mode",
)
_TERSE = 6
"""A question of so few words may consist of a name and a service alone ("X wheelchair access?")."""


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question for one fact."""
    place = the_place(analysis)
    if place is None:
        return []
    readings = [*_services(analysis, place), *_attributes(analysis, place), *_others(analysis, place)]
    return readings or _where_is(analysis, place)


def the_place(analysis: Analysis) -> Mention | None:
    """The one place a question is about: the last one named so, else the surest, else the stated position."""
    named = analysis.by_role("named")
    if named:
        return named[-1]
    ranked = [item for item in analysis.places if item.role != "self"]
    ranked.sort(key=lambda item: (-item.strength, item.role not in {"of", "subject", "for", "at"}))
    if ranked and ranked[0].strength >= 0.5:
        return ranked[0]
    if analysis.here is not None:
        return analysis.here
    target = next((item for item in analysis.by_role("target") if item.strength >= SURE), None)
    return ranked[0] if ranked else target


def _penalty(analysis: Analysis) -> float:
    """What speaks against one place being meant: superlatives, radii, a second place, a kind looked for."""
    seeks = any(item.strength < SURE for item in sought(analysis)) and not analysis.by_role("named")
    several = sum(item.strength >= SURE and item.role != "self" for item in analysis.places) > 1
    ranked = ranking(analysis).by != "none" or analysis.has("ask.which_of", "ask.pair")
    spatial = analysis.has("ask.between") or bool(analysis.winds) or bool(analysis.by_role("than"))
    return (
        0.25 * ranked
        + 0.35 * spatial
        + 0.25 * seeks
        + 0.15 * bool(analysis.distances)
        + 0.1 * (several and not analysis.by_role("named"))
    )


def _reading(analysis: Analysis, place: Mention, cue: float, intent: PlaceFactIntent) -> Reading:
    used = explained(analysis, *_EXPLAINED, mentions=[place, *analysis.by_role("target", "named", "in")])
    used += [(mark.start, mark.end) for mark in analysis.conditions]
    weak = 0.1 * (place.strength < 0.5)
    return Reading(intent, score(analysis, max(cue - _penalty(analysis) - weak, 0.0), used))


def _outside(analysis: Analysis, cues: list[Cue], place: Mention) -> list[Cue]:
    """The cues that are not inside a name."""
    names = [place, *(item for item in analysis.places if item.strength >= SURE)]
    spans = [(item.start, item.end) for item in names]
    kept = []
    for cue in cues:
        start, end = analysis.span(cue)
        if not any(low <= start and end <= high for low, high in spans):
            kept.append(cue)
    return kept


def _services(analysis: Analysis, place: Mention) -> list[Reading]:
    cues = _outside(analysis, analysis.find("service"), place)
    named_first = bool(cues) and place.end <= analysis.span(cues[0])[0]
    terse = len(analysis.tokens) <= _TERSE and named_first and not analysis.kinds
    if not cues or not (_is_statement(analysis) or terse):
        return []
    best = max(cues, key=lambda cue: cue.last - cue.first)
    intent = PlaceFactIntent(place=place.place, attribute=Attribute.SERVICE, service=best.key)
    return [_reading(analysis, place, 0.93, intent)]


def _is_statement(analysis: Analysis) -> bool:
    """True for a yes/no question or an order to find out whether."""
    if analysis.option_kind == "yes_no":
        return True
    words = {token.norm for token in analysis.tokens}
    return bool(analysis.starts & _STATEMENT_STARTS) or bool(words & {"whether", "if", "does", "available"})


def _attributes(analysis: Analysis, place: Mention) -> list[Reading]:
    taken = [(mark.start, mark.end) for mark in analysis.distances]
    if analysis.by_role("target") and analysis.filters.model_fields_set and not analysis.by_role("named"):
        return []
    tags = analysis.find("other")
    cues = [
        cue
        for cue in _outside(analysis, analysis.find(*_ATTRIBUTES), place)
        if analysis.span(cue) not in taken and not any(_longer(tag, cue) for tag in tags)
    ]
    if not cues:
        return []
    order = list(_ATTRIBUTES)
    best = max(cues, key=lambda cue: (cue.last - cue.first, -order.index(cue.group)))
    attribute = _ATTRIBUTES[best.group]
    filters = analysis.filters
    asks_yes_no = _is_statement(analysis) and analysis.option_kind in {"none", "yes_no"}
    at_least: float | None = None
    if asks_yes_no and attribute in {Attribute.RATING, Attribute.RATING_COUNT}:
        at_least = filters.min_rating if attribute is Attribute.RATING else filters.min_rating_count
    if asks_yes_no and filters.min_rating_count is not None:
        attribute, at_least = Attribute.RATING_COUNT, filters.min_rating_count
    intent = PlaceFactIntent(place=place.place, attribute=attribute, at_least=at_least)
    return [_reading(analysis, place, 0.9, intent)]


def _longer(tag: Cue, cue: Cue) -> bool:
    """True if a phrase for a tag goes on where the other ends ("what kind" within "what kind of food")."""
    return tag.first <= cue.first and cue.last < tag.last


def _others(analysis: Analysis, place: Mention) -> list[Reading]:
    cues = _outside(analysis, analysis.find("other"), place)
    if not cues:
        return []
    best = max(cues, key=lambda cue: cue.last - cue.first)
    intent = PlaceFactIntent(place=place.place, attribute=Attribute.OTHER, service=best.key)
    return [_reading(analysis, place, 0.86, intent)]


def _where_is(analysis: Analysis, place: Mention) -> list[Reading]:
    """The bare questions: "Where is X?" asks for the address, "what is X?" for its kind."""
    if analysis.has("ask.where") and not _looks_for(analysis):
        intent = PlaceFactIntent(place=place.place, attribute=Attribute.ADDRESS)
        return [_reading(analysis, place, 0.85, intent)]
    plain = place.role in {"subject", "of"} and not analysis.has("sup", "comp", "need")
    if "what" in analysis.starts and len(analysis.places) == 1 and plain:
        intent = PlaceFactIntent(place=place.place, attribute=Attribute.CATEGORY)
        return [_reading(analysis, place, 0.65, intent)]
    return []


def _looks_for(analysis: Analysis) -> bool:
    """True for "where can I ...", "where to ...": a place for doing something, unless it is to be found."""
    norms = [token.norm for token in analysis.tokens]
    asked = any(
        first == "where" and second in word_set("where", "doing") for first, second in pairwise(norms)
    )
    return asked and not word_set("where", "finding") & set(norms)
