"""What all solvers share: the trail of evidence, merged places, labels, and places named by options."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from map_tools.facts import NearbyFact, PlaceFact
from map_tools.ids import ID_PREFIX
from map_tools.types import LatLng, Place
from mapagent.answer import Claim, Solution, Status, Value
from modules.offline.intents import HERE
from modules.names import SAME_SCORE, normalise, similarity
from modules.view import Found, View

CONTEXT_ID = "context:"
"""Ids of places read from supplied text begin so; no provider knows them."""

SAME_PLACE_SCORE = 0.95
"""Two names this alike denote one place when facts are merged: stricter than looking a name up, because a
short name contained in a longer one ("Museum", "Museum Cafe") is often another place."""

TAIL = re.compile(r"\s+[-–—|]\s+|,\s+|\s*\(")
"""Where an option's name ends and its address begins ("Name - Street 5", "Name, Street 5")."""


@dataclass(slots=True)
class Trail:
    """Collects what a solution rests on while it is worked out."""

    evidence_ids: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def use(self, *evidence_ids: str) -> None:
        """Notes evidence that was used (each once)."""
        self.evidence_ids += [one for one in dict.fromkeys(evidence_ids) if one not in self.evidence_ids]

    def warn(self, text: str) -> None:
        """Notes a warning (each once)."""
        if text and text not in self.warnings:
            self.warnings.append(text)

    def claim(self, rule: str, inputs: Iterable[str], result: Any, **arguments: Any) -> None:
        """Notes a step of the derivation; its inputs count as used."""
        used = tuple(dict.fromkeys(inputs))
        self.use(*used)
        self.claims.append(Claim(rule=rule, inputs=used, arguments=arguments, result=result))

    def copy(self) -> "Trail":
        """A trail of its own that begins with what this one holds."""
        return Trail(list(self.evidence_ids), list(self.claims), list(self.warnings))

    def answered(self, value: Value, explanation: str, ranking: Iterable[Value] = ()) -> Solution:
        """The solution of a question that has an answer."""
        return Solution(
            status=Status.ANSWERED,
            value=value,
            ranking=tuple(ranking),
            explanation=explanation,
            claims=tuple(self.claims),
            evidence_ids=tuple(self.evidence_ids),
            warnings=tuple(self.warnings),
        )


def title(place: Place) -> str:
    """What a place is called: its name, or its kind and address where it has none."""
    if place.name:
        return place.name
    kind = place.categories[0].replace("_", " ") if place.categories else "place"
    return f"unnamed {kind}, {place.address}" if place.address else f"unnamed {kind}"


def ranked_as[T](items: Sequence[T], rank: int) -> T | None:
    """The item of this rank: 1 for the first, -1 for the last; None if there is none."""
    index = rank if rank < 0 else rank - 1
    return items[index] if rank and -len(items) <= index < len(items) else None


def address_holds(place: Place, words: AbstractSet[str]) -> bool | None:
    """Whether all these words, in their normal form, stand in the address; None if that is not known."""
    return None if place.address is None else words <= set(normalise(place.address).split())


def anchor_words(view: View, anchor: str) -> str:
    """The words for an anchor: the name of the user's place where a supplied text says what that is."""
    here = view.try_place(HERE) if anchor == HERE else None
    return title(here.place) if here is not None and here.place.id.startswith(CONTEXT_ID) else anchor


def labels(places: Sequence[Place]) -> tuple[str, ...]:
    """A label for each place, all different: the name, with its address or a number where names repeat."""
    names = [title(place) for place in places]
    times = Counter(names)
    made: dict[str, None] = {}
    for place, name in zip(places, names, strict=True):
        label = f"{name} ({place.address})" if times[name] > 1 and place.address else name
        number = 2
        unique = label
        while unique in made:
            unique, number = f"{label} #{number}", number + 1
        made[unique] = None
    return tuple(made)


def reference(place: Place) -> str:
    """The words by which a tool finds exactly this place again: its id, or its name if it has no other."""
    return place.name if place.id.startswith(CONTEXT_ID) else ID_PREFIX + place.id


def merged(first: Place, second: Place) -> Place:
    """`first` with what it lacks taken from `second`."""
    gaps = {
        name: value
        for name in Place.model_fields
        if (value := getattr(second, name)) not in (None, "", ()) and getattr(first, name) in (None, "", ())
    }
    gaps["services"] = {**second.services, **first.services}
    gaps["attributes"] = {**second.attributes, **first.attributes}
    return first.model_copy(update=gaps)


def same_place(a: Place, b: Place) -> bool:
    """True if the two are one place: by id, or by name where either comes from supplied text."""
    if a.id == b.id:
        return True
    if not (a.id.startswith(CONTEXT_ID) or b.id.startswith(CONTEXT_ID)):
        return False
    return bool(a.name and b.name) and similarity(a.name, b.name) >= SAME_PLACE_SCORE


def enriched(view: View, place: Place) -> tuple[Place, tuple[str, ...]]:
    """The place with everything other facts say of it, and the ids of the evidence that added something."""
    used: list[str] = []
    for item, fact in view.facts(PlaceFact):
        if same_place(place, fact.place):
            fuller = merged(place, fact.place)
            if fuller != place:
                used.append(item.id)
                place = fuller
    return place, tuple(used)


def position_of(view: View, trail: Trail, found: Found) -> LatLng | None:
    """The position of a place from all facts about it; None if no source gives one.

    Where only another place at the very same numbered address has a position, that one counts (with a
    warning).
    """
    place, more = enriched(view, found.place)
    trail.use(found.evidence_id, *more)
    if place.location is not None:
        return place.location
    for evidence_id, other in _all_places(view):
        if other.location is not None and _same_address(place, other):
            trail.use(evidence_id)
            trail.warn(f"{title(place)} is taken to be where {title(other)} is, at the same address.")
            return other.location
    return None


def _all_places(view: View) -> Iterator[tuple[str, Place]]:
    for item, fact in view.facts(PlaceFact):
        yield item.id, fact.place
    for item, nearby in view.facts(NearbyFact):
        yield from ((item.id, entry.place) for entry in nearby.items)


def _same_address(a: Place, b: Place) -> bool:
    """True for equal addresses with a house number and more: a district alone is no position."""
    first, second = normalise(a.address or ""), normalise(b.address or "")
    return first == second and len(first.split()) > 2 and any(word.isdigit() for word in first.split())


def head(option: str) -> str:
    """The name an option begins with ("Name - Street 5" → "Name")."""
    return TAIL.split(option.strip(), maxsplit=1)[0].strip() or option.strip()


def option_score(option: str, place: Place) -> float:
    """0 to 1: how well an option's text names this place.

    An address in the option decides between places of the same name.
    """
    names = [name for name in (place.name, *place.aliases) if name]
    if not names:
        return 0.0
    score = max(max(similarity(option, name), similarity(head(option), name)) for name in names)
    tail = option.strip()[len(head(option)) :]
    if place.address and normalise(tail):
        words, known = set(normalise(tail).split()), set(normalise(place.address).split())
        score += 0.02 * len(words & known) / len(words)
    return score


def match_options(options: Sequence[tuple[int, str]], places: Sequence[Place]) -> dict[int, int]:
    """Which place each option names: index of the option → position of the place.

    The best pairs are taken first, and a place is taken once, so that two options never mean one place.
    """
    pairs = [
        (option_score(text, place), -position, index)
        for index, text in options
        for position, place in enumerate(places)
    ]
    taken: dict[int, int] = {}
    for score, negative, index in sorted(pairs, reverse=True):
        if score >= SAME_SCORE and index not in taken and -negative not in taken.values():
            taken[index] = -negative
    return taken


def option_places(view: View) -> tuple[tuple[int, Found], ...]:
    """The places the options name, as far as they can be found; asks for those not yet known."""
    found: list[tuple[int, Found]] = []
    for index, text in view.question.live_options():
        place = view.try_place(text)
        if place is None and not view.waiting and head(text) != text:
            place = view.try_place(head(text))
        if place is not None:
            found.append((index, place))
    return tuple(found)
