"""Reads a wish for a recommendation, without a model.

The paper has a model split the question into a spatial and a semantic sentence (appendices F.1 and F.2); here
vocabularies mark the words of taste, and the grammar of map questions reads what remains.
"""

from collections.abc import Iterable

from map_tools import concepts
from map_tools.phrases import Phrase
from mapagent.ports import NameHints
from mapagent.question import Question
from modules.intents import Filters
from modules.offline.analyser import analyse
from modules.offline.analysis import Analysis
from modules.offline.lexicon import glue
from modules.offline.marks import Mark, Mention
from modules.offline.slots import unwanted_cuisine
from modules.offline.tokens import tidy, tokenise
from modules.recommender.spatial_reading import SpatialReading, blocks_in, read_space
from modules.recommender.target import category_of, target_of
from modules.recommender.vocabulary import TASTES, is_taste, keys_in, phrases
from modules.recommender.wish import Emphasis, Geometry, Wish

_OTHER_ASKS = (
    "sup.nearest", "sup.farthest", "sup.best", "sup.most_reviewed", "comp", "ask.how_many", "ask.how_far",
    "ask.how_long", "ask.which_way", "ask.pair", "ask.what_time",
)  # fmt: skip
"""What other readings answer: an order by one measure, a number, a moment."""
_EATING = frozenset({"food", "nightlife"})
_HARD_SERVICES = frozenset(
    {"wheelchair", "serves_vegetarian", "serves_vegan", "gluten_free", "halal", "kosher", "allows_dogs"}
)
"""Services one cannot do without; all others are matters of taste."""


def understand(question: Question, names: NameHints | None = None) -> Wish | None:
    """The wish a question expresses.

    Args:
        question: As it came in; one with options or supplied text asks for something else.
        names: Tells names from other words where a look-up costs nothing.

    Returns:
        None if it is no wish: nothing is said of what the place should be like, no kind of place is looked
        for, or nothing is measured from.
    """
    if question.options or question.context is not None:
        return None
    text = tidy(question.text)
    if not is_taste(text):
        return None
    tastes = [found for section in TASTES for found in phrases(section, text)]
    if not tastes and "route" not in keys_in("geometry", text):
        return None
    masked = _without(text, (*tastes, *phrases("scale", text), *blocks_in(text)))
    analysis = analyse(masked, names)
    target = target_of(_without(analysis.text, analysis.places))
    space = read_space(analysis, text)
    if target is None or space is None or analysis.has(*_OTHER_ASKS):
        return None
    return _wish(text, analysis, target, space)


def _wish(text: str, analysis: Analysis, target: str, space: SpatialReading) -> Wish:
    categories, what = _kind(analysis, target)
    spatial, semantic = (tuple(sorted(keys_in(section, text))) for section in ("spatial", "semantic"))
    no_chain = "avoid" in keys_in("chain", text)
    advice = "seek" in keys_in("frame", text)
    stressed = keys_in("weights", text)
    tastes = len(spatial) + len(semantic) + no_chain
    return Wish(
        geometry=space.geometry,
        anchors=space.anchors,
        mode=space.mode,
        function=space.function,
        distance_m=space.distance_m,
        stated_distance=space.stated,
        target=target,
        what=what,
        categories=categories,
        filters=_filters(analysis),
        cuisines=_cuisines(analysis),
        no_chain=no_chain,
        meal=_meal(text),
        spatial_words=spatial,
        semantic_words=semantic,
        spatial_text=_sentence(text, "spatial"),
        semantic_text=_semantic_sentence(text, analysis),
        emphasis=Emphasis(*stressed) if len(stressed) == 1 else Emphasis.BALANCED,
        contradictory=len(stressed) > 1,
        binding=bool(tastes) and (advice or tastes > 1 or space.geometry is Geometry.ROUTE),
    )


def _kind(analysis: Analysis, target: str) -> tuple[tuple[str, ...], str]:
    """The category ids looked for, and their words: the kinds named of the target's type, else all of it."""
    whole = concepts.concept(category_of(target))
    wider = {category_of(target), *(_EATING if target == "restaurant" else ())}
    whatever = target == "attraction"  # parks, shops, theatres: travellers call anything an attraction
    named = [mark.value for mark in analysis.kinds if whatever or _is_of(mark.value.id, wider)]
    if named:
        ids = tuple(dict.fromkeys(one for concept in named for one in concept.ids))
        return ids, " or ".join(dict.fromkeys(concept.label for concept in named))
    return (whole.ids if whole else (category_of(target),)), (whole.label if whole else target)


def _is_of(category: str, umbrellas: set[str]) -> bool:
    return category in umbrellas or not umbrellas.isdisjoint(concepts.umbrellas_of(category))


def _filters(analysis: Analysis) -> Filters:
    """The hard conditions: ratings, prices, a time to be open at, services one needs, what is ruled out."""
    said = analysis.filters
    when = analysis.when
    unwanted = unwanted_cuisine(analysis)
    needed = (*(service for service in said.services if service in _HARD_SERVICES), *_diets(analysis))
    return said.model_copy(
        update={
            "services": tuple(dict.fromkeys(needed)),
            "open_at": when if when.at is not None or analysis.has("open.now") else None,
            "without_cuisine": unwanted.value if unwanted else None,
            "exclude": tuple(item.text for item in analysis.by_role("without")),
        }
    )


def _cuisines(analysis: Analysis) -> tuple[str, ...]:
    """The kinds of food wanted, apart from diets."""
    return tuple(value for value in _wanted_food(analysis) if _diet(value) is None)


def _diets(analysis: Analysis) -> tuple[str, ...]:
    """The services that the diets said ask for ("vegan" is `serves_vegan`)."""
    found = (_diet(value) for value in _wanted_food(analysis))
    return tuple(diet for diet in found if diet is not None)


def _wanted_food(analysis: Analysis) -> tuple[str, ...]:
    unwanted = unwanted_cuisine(analysis)
    return tuple(dict.fromkeys(mark.value for mark in analysis.cuisines if mark != unwanted))


def _diet(cuisine: str) -> str | None:
    return next((key for key in (f"serves_{cuisine}", cuisine) if key in _HARD_SERVICES), None)


def _meal(text: str) -> str | None:
    """The meal that is meant: the latest one named, for a late dinner is a dinner too."""
    said = keys_in("meal", text)
    late = "late" in said or ("dinner" in said and "late" in text.casefold().split())
    if late:
        return "late"
    return next((meal for meal in ("dinner", "lunch", "brunch", "breakfast") if meal in said), None)


def _sentence(text: str, section: str) -> str:
    """The phrases of a section as one sentence, each with the key it stands for."""
    said = sorted(phrases(section, text), key=lambda found: found.start)
    words = [word for found in said for word in (text[found.start : found.end], found.value)]
    return ", ".join(dict.fromkeys(words))


def _semantic_sentence(text: str, analysis: Analysis) -> str:
    """The question without the places and the words for where: M_k of equation 8.

    Kinds of food are left out too: they are hard conditions, so they cannot tell candidates apart, and would
    only favour places that have the word in their name.
    """
    rest = _without(analysis.text, (*analysis.places, *analysis.cuisines))
    for section in ("geometry", "scale", "frame"):
        rest = _without(rest, phrases(section, rest))
    plain = (token.norm for token in tokenise(rest) if token.is_word)
    words = (word for word in plain if word not in glue() and not word[0].isdigit())
    return " ".join(dict.fromkeys((_sentence(text, "semantic"), *words))).strip()


def _without(text: str, parts: Iterable[Phrase[str] | Mention | Mark[str]]) -> str:
    """The text with some parts turned into blanks, so that all others keep their places."""
    chars = list(text)
    for part in parts:
        chars[part.start : part.end] = " " * (part.end - part.start)
    return "".join(chars)
