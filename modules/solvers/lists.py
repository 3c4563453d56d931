"""Finding the list of nearby places that answers a need: a supplied text's own first, else the map's."""

from collections.abc import Sequence
from dataclasses import dataclass

from map_tools.facts import NearbyFact, PlaceFact
from map_tools.types import NearbyPlace, Place
from mapagent.evidence import Evidence
from modules.offline.intents import HERE, NearbyIntent, What
from modules.names import SAME_SCORE, normalise, similarity
from modules.needs import NearbyNeed
from modules.solvers.common import Trail, title
from modules.view import CannotTellError, Found, View, best_mention


@dataclass(frozen=True, slots=True)
class Listing:
    """A nearby list in use.

    Attributes:
        items: Without the anchor itself.
        anchor: What the anchor was resolved to, where the source says.
        sorted_by_distance: The order of the items is by distance even where no distance is stated.
        complete: False if the source cut the list.
    """

    items: tuple[NearbyPlace, ...]
    evidence_id: str
    anchor: Place | None
    radius_m: float | None
    sorted_by_distance: bool
    complete: bool
    source: str

    @property
    def from_text(self) -> bool:
        """True if the list stands in supplied text."""
        return self.source == "The text"


def find_list(view: View, trail: Trail, need: NearbyNeed) -> Listing | None:
    """The list that answers a need; None while it is to be fetched.

    A full list (`everything`) that the source cut is replaced by what there is, with `complete` False, once
    nothing more can be fetched.

    Raises:
        CannotTellError: There is no such list.
    """
    found = context_list(view, need)
    if found is None:
        found = _from_map(view, need)
    if found is None:
        return None
    item, fact = found
    trail.use(item.id)
    items = tuple(entry for entry in fact.items if not _is_anchor(entry.place, fact))
    return Listing(
        items=items,
        evidence_id=item.id,
        anchor=fact.anchor_place,
        radius_m=fact.radius_m,
        sorted_by_distance=fact.sorted_by_distance,
        complete=fact.complete,
        source="The text" if item.source.tool == "context" else "The map",
    )


def context_list(view: View, need: NearbyNeed) -> tuple[Evidence, NearbyFact] | None:
    """The list of supplied text that fits best: around the same anchor, of the same or an unnamed kind.

    A list around another place never serves: what is nearest to one place says nothing about another.
    """
    here = view.try_place(HERE) if need.anchor == HERE else None
    anchor = need.anchor if here is None else title(here.place)
    fitting = [
        (_kind_score(fact, need.what), best_mention(anchor, _anchor_names(fact)), item, fact)
        for item, fact in view.facts(NearbyFact)
        if item.source.tool == "context"
    ]
    around = [one for one in fitting if one[1] >= SAME_SCORE and one[0] > 0]
    if not around:
        return None
    best = max(around, key=lambda one: (one[0], one[1]))
    return best[2], best[3]


def described(view: View, intent: NearbyIntent) -> list[Found]:
    """The places of the wanted kind that supplied text describes one by one, without the anchors."""
    wanted = _categories(intent.what.text, intent.what.categories)
    found = [
        Found(place=fact.place, evidence_id=item.id)
        for item, fact in view.facts(PlaceFact)
        if item.source.tool == "context" and wanted & _kinds(fact.place)
    ]
    anchors = [place.place.id for anchor in intent.anchors if (place := view.try_place(anchor)) is not None]
    return [one for one in found if one.place.id not in anchors]


def _kinds(place: Place) -> set[str]:
    """The categories of a place: as stated, else as its name says ("Harbour Museum")."""
    if place.categories:
        return set(place.categories)
    from map_tools.concepts import find_in

    return {kind for phrase in find_in(place.name) for kind in phrase.value.ids}


def _from_map(view: View, need: NearbyNeed) -> tuple[Evidence, NearbyFact] | None:
    try:
        return view.nearby(need)
    except CannotTellError:
        if not need.everything:
            raise
        return view.nearby(need.model_copy(update={"everything": False}))


def _anchor_names(fact: NearbyFact) -> Sequence[str]:
    place = fact.anchor_place
    return (fact.anchor, place.name, *place.aliases) if place else (fact.anchor,)


def _kind_score(fact: NearbyFact, what: What) -> float:
    """0 to 1: how well a list's kind is the kind wanted; 0 if the two are known to differ.

    A kind in words nobody knows (of the list or of the question) is not known to differ.
    """
    wanted, listed = _categories(what.text, what.categories), _categories(fact.what, fact.categories)
    alike = similarity(fact.what, what.text)
    shared = set(normalise(fact.what).split()) & set(normalise(what.text).split())
    if wanted & listed:
        return max(alike, len(wanted & listed) / len(wanted | listed), 0.5)
    if alike >= SAME_SCORE or shared:
        return max(alike, 0.4)
    return 0.1 if not wanted or not listed else 0.0


def _categories(words: str, stated: Sequence[str]) -> set[str]:
    if stated:
        return set(stated)
    from map_tools.concepts import lookup

    concept = lookup(words)
    return set(concept.ids) if concept else set()


def _is_anchor(place: Place, fact: NearbyFact) -> bool:
    if fact.anchor_place is not None and place.id == fact.anchor_place.id:
        return True
    return bool(place.name) and normalise(place.name) == normalise(fact.anchor)
