"""Words for a place that are no name of it: a kind, a name with what else is known of the place, two streets.

"The town hall", "the Opera" is the one of the map, or of where one is: the only one of its kind, or the one that is
clearly better known than the rest; of several that are equally well known none is chosen.

"Sila by Sendlinger Tor", "Toy Museum (Spielzeugmuseum)" are parted in every way into a name and a rest; a place of that
name counts only if the rest is true of it: it is its kind, stands in its address, or names something that it is near
to. So no word is left over, and nothing is taken for what it is not.

"Robson Street & Bute Street" is their corner, unless something is called just so.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from rapidfuzz import fuzz

from map_tools.compute import shapes
from map_tools.compute.geodesy import distance_m
from map_tools.kinds import concepts
from map_tools.kinds.category_file import Concept
from map_tools.kinds.concepts import BUILDING, LINEAR, is_ground
from map_tools.maps.search.names import canonical, small_words, spellings_of, without_article
from map_tools.one_place import is_singular, is_stop, kinship, own_kinds
from map_tools.providers.base import Bounded, HasShapes, NarrowsNames, Provider
from map_tools.providers.likeness import ALIKE
from map_tools.text import normalise
from map_tools.tools.candidates import FAINT, bears, is_called
from map_tools.types import Candidate, Geometry, LatLng, Place, Shape

KNOWN_FROM = 5.0
"""What is less known than this is known to nobody but its visitors."""

CLEARLY_BETTER = 2.0
"""One is clearly better known if it is so many times as well known as the next one."""

CLEARLY_NEARER = 4
"""... and clearly nearer if the next one is so many times as far."""

_ENTRIES = {"wikipedia": 3.0, "wikidata": 2.0}
_FACT, _MOST_FACTS = 0.1, 30
"""What an article in an encyclopedia, an entry in its database, and each fact of a place count; a name in another
language counts 1."""

SURE = 0.85
"""A name is taken for the one that is told from this score on."""

NEAR_M = 400.0
"""So near is what is told to be "at" or "by" something: a few minutes on foot."""

LONGEST = 8
"""Texts of more words are no names with an addition."""

ON_STREET_M = 60.0
"""So near to a street is what stands on it."""

_VOWEL, _DOUBLED = re.compile("[aeiouy]"), re.compile(r"([^\W\d_])\1+")
_ANY_VOWEL = "."
_TELLING_CONSONANTS = 3
_CANDIDATES = 10
JOINTS = (" & ", " and ", " / ")
MEET_WITHIN_M = 30.0
"""Streets that come no nearer to each other have no corner."""


@dataclass(frozen=True, slots=True)
class Definite:
    """A kind that a text names and nothing else.

    Attributes:
        kind: The kind.
        word: The words for it, in canonical form, if they tell more than the kind ("opera", of the theatres).
        article: They have an article in front.
    """

    kind: Concept
    word: str
    article: bool


def definite_in(text: str) -> Definite | None:
    """The kind a whole text names; None if it says more, or less."""
    plain = without_article(text)
    kind = concepts.lookup(plain)
    if kind is None:
        return None
    word = canonical(plain) if concepts.is_narrow(plain) else ""
    return Definite(kind, word, article=plain != text.strip())


async def of_the_kind(
    definite: Definite, provider: Provider, *, near: LatLng | None, inside: str | None
) -> tuple[Place, ...]:
    """The places that may be meant, the likeliest first; one if it is clear which.

    Args:
        definite: The kind.
        provider: The source of places; one that cannot tell all of its map gives none.
        near: Where one is.
        inside: The id of an area they must lie in.
    """
    ids = definite.kind.ids
    if inside is not None:
        places = await provider.inside(inside, categories=ids)
    elif isinstance(provider, Bounded):
        places = await provider.everywhere(categories=ids)
    else:
        return ()
    ranked = _each_once(sorted(_telling(definite, places), key=_known, reverse=True))
    known = [_known(place) for place in ranked[:2]]
    if len(ranked) < 2 or (is_singular(ids) and _is_clear(*known)):
        return tuple(ranked[:1])
    if near is not None:
        ranked.sort(key=lambda place: _away_m(near, place))
        if _away_m(near, ranked[0]) * CLEARLY_NEARER <= _away_m(near, ranked[1]) < float("inf"):
            return tuple(ranked[:1])
    return tuple(ranked)


def outshines(places: Sequence[Place], others: Iterable[Place]) -> bool:
    """Whether there is just one place, and it is clearly better known than all of the others."""
    return len(places) == 1 and all(_is_clear(_known(places[0]), _known(other)) for other in others)


def givers(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Where a stop fits a name best: what it is named after, a place of that name by it with an entry of its own.

    "Isartor" is the gate, and not the station at the gate. What is nothing but a building may be the station's own, and
    a street is too long to be meant for its stop.
    """
    stop = found[0].place
    if not is_stop(stop.categories):
        return []
    return [
        one
        for one in found
        if is_called(text, one.place)
        and not _ENTRIES.keys().isdisjoint(one.place.attributes)
        and not is_stop(one.place.categories)
        and LINEAR.isdisjoint(one.place.categories)
        and own_kinds(one.place.categories) != {BUILDING}
        and stop.location is not None
        and _away_m(stop.location, one.place) <= NEAR_M
    ]


def named_so(definite: Definite, text: str, places: Iterable[Place]) -> bool:
    """Whether a place of the kind, or of one akin to it, has the words at the beginning of its name.

    Never where nobody looks for the kind by a name, as for benches.
    """
    sought = not concepts.is_nameless(definite.kind.ids)
    return sought and any(bears(text, place) and is_related(definite, place) for place in places)


def is_another(definite: Definite, text: str, place: Place) -> bool:
    """Whether a place is of quite another kind, and only its name has the words: Cathedral Square is no cathedral."""
    called = canonical(text) in map(canonical, (place.name, *place.aliases))
    return not called and not is_related(definite, place)


def is_related(definite: Definite, place: Place) -> bool:
    """Whether a place is of the kind, or of one akin to it."""
    kinds = (definite.kind.id, *concepts.umbrellas_of(definite.kind.id))
    return kinship(kinds, place.categories) > 0


async def described(text: str, provider: Provider, near: LatLng | None) -> tuple[Candidate, ...]:
    """The places that a name and an addition to it mean; empty if there are none.

    Only a provider whose names cost nothing is asked; others read such texts themselves.
    """
    if not provider.capabilities.cheap_names or len(text.split()) > LONGEST:
        return ()
    for name, rest in _parted(text):
        sure = await _sure(name, provider, near)
        fitting = [one for one in sure if _says_kind(rest, one) or _in_address(rest, one)]
        if sure and not fitting:
            fitting = await _nearest(name, rest, provider)
        if fitting:
            return tuple(fitting)
    return await _bearing(text, provider)


async def _bearing(text: str, provider: Provider) -> tuple[Candidate, ...]:
    """Those of a kind with the other words in their name, else the only one in the area of that name.

    "Porto city hall" is the Câmara Municipal do Porto, "La Massana library" the Biblioteca comunal there. Failing
    those, the only one with the words in another language's spelling may be meant: "tobacco museum" is the Museu del
    Tabac.
    """
    if not isinstance(provider, Bounded):
        return ()
    akin: list[Place] = []
    plain = without_article(text)
    for kind in concepts.find_in(plain, beside=True):
        before, after = plain[: kind.start], plain[kind.end :].split()
        while after and after[0].lower() in small_words():
            after.pop(0)
        rest = before.strip() or " ".join(after)
        if not rest or (before.strip() and after):
            continue
        places = await provider.everywhere(categories=kind.value.ids)
        found = [place for place in places if _holds(rest, place)]
        if not found and provider.capabilities.areas:
            found = await _only_one_in(rest, kind.value.ids, provider)
        if found:
            return tuple(Candidate(place=place, score=SURE) for place in found)
        akin = akin or [place for place in places if _holds_akin(rest, place)]
    return (Candidate(place=akin[0], score=FAINT),) if len(akin) == 1 else ()


async def _only_one_in(name: str, kinds: tuple[str, ...], provider: Provider) -> list[Place]:
    """The place of a kind in the area that is certainly called so, if there is just one."""
    for area in await _sure(name, provider, None):
        if "admin" in area.place.categories and is_called(name, area.place):
            inside = await provider.inside(area.place.id, categories=kinds)
            return list(inside) if len(inside) == 1 else []
    return []


async def corner_of(text: str, provider: Provider) -> Place | None:
    """The corner of the two streets that a text names; None if it names no two, or they do not meet."""
    names = next((text.split(joint) for joint in JOINTS if text.count(joint) == 1), None)
    if names is None or not provider.capabilities.narrow_names or not isinstance(provider, HasShapes):
        return None
    whole = await provider.find_place(text, limit=1)
    if whole and normalise(whole[0].place.name) == normalise(text):
        return None

    courses = []
    for name in names:
        narrowing = cast("NarrowsNames", provider)
        found = await narrowing.find_place(name.strip(), limit=3, kind=tuple(LINEAR))
        course = await _course(found, provider)
        if course is None:
            return None
        courses.append(course)
    (first, one), (second, other) = courses
    if shapes.distance_m(one, other) > MEET_WITHIN_M:
        return None
    at = shapes.nearest_point(one, other)
    return Place(id=f"point:{at.lat},{at.lng}", name=f"{first} & {second}", location=at)


def _telling(definite: Definite, places: Sequence[Place]) -> list[Place]:
    """Those whose names say the word, if the kind alone does not; else those of the kind itself, or all."""
    named = [place for place in places if place.name]
    if definite.word:
        called = [place for place in named if _says(definite.word, (place.name, *place.aliases))]
        return called or [place for place in named if _says(definite.word, place.attributes.values())]
    own = [place for place in named if definite.kind.id in own_kinds(place.categories)]
    return own or named or list(places)


def _each_once(places: Sequence[Place]) -> list[Place]:
    """Without the further pieces of a river or street, which bear its name."""
    found: dict[str, Place] = {}
    for number, place in enumerate(places):
        key = canonical(place.name) if is_ground(place.categories) and place.name else str(number)
        found.setdefault(key, place)
    return list(found.values())


def _says(words: str, texts: Iterable[str]) -> bool:
    """True if a text holds what tells the words from their kind, or compounds of it ("Staatsoper")."""
    telling = words.split()[:-1] or [words]  # an opera house, an art museum
    wanted = [tuple(spellings_of(word)) for word in telling]
    parts = [canonical(text).split() for text in texts]
    return any(
        all(any(part.startswith(each) or part.endswith(each) for part in own) for each in wanted)
        for own in parts
    )


def _holds(words: str, place: Place) -> bool:
    """Whether all the words stand in one name of a place."""
    wanted = {*canonical(words).split()}
    return any(wanted <= {*canonical(name).split()} for name in (place.name, *place.aliases))


def _holds_akin(words: str, place: Place) -> bool:
    """Whether all the words, or words akin to them, stand in one name of a place."""
    wanted = canonical(words).split()
    names = [canonical(name).split() for name in (place.name, *place.aliases)]
    return any(all(any(_is_akin(one, other) for other in name) for one in wanted) for name in names)


def _is_akin(word: str, other: str) -> bool:
    """Whether words may be forms of one loanword ("tobacco", "tabaco"): alike, with vowels between the same consonants.

    Short ones say too little.
    """
    frame = _frame(word)
    return word == other or (
        len(frame.replace(_ANY_VOWEL, "")) >= _TELLING_CONSONANTS
        and frame == _frame(other)
        and word[0] == other[0]
        and fuzz.ratio(word, other) >= ALIKE
    )


def _frame(word: str) -> str:
    """The consonants of a word, each once in a row, and where vowels stand before the last of them."""
    consonants = _VOWEL.sub(_ANY_VOWEL, _DOUBLED.sub(r"\1", word).replace("k", "c"))
    return consonants.rstrip(_ANY_VOWEL)


def _known(place: Place) -> float:
    """How well a place is known, as far as a map tells."""
    written = max((count for key, count in _ENTRIES.items() if key in place.attributes), default=0.0)
    facts = min(len(place.attributes), _MOST_FACTS)
    return written + len(place.aliases) + _FACT * facts + (place.rating_count or 0)


def _is_clear(best: float, second: float) -> bool:
    return best >= KNOWN_FROM and best >= CLEARLY_BETTER * second


def _away_m(near: LatLng, place: Place) -> float:
    return float("inf") if place.location is None else distance_m(near, place.location)


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """The ways to part a text into a name and the rest: at a joining word, else those with the longest names first."""
    head, bracket, inner = text.partition("(")
    if bracket:
        yield from ((head.strip(), inner.strip(" )")), (inner.strip(" )"), head.strip()))
        return
    words = text.replace(",", " ").split()
    parts = [(words[:size], words[size:]) for size in range(len(words) - 1, 0, -1)]
    joined = [part for part in parts if part[1][0].lower() in small_words()]
    for own, other in joined or [way for part in parts for way in (part, part[::-1])]:
        name, rest = _bare(own), _bare(other)
        if name and rest:
            yield " ".join(name), " ".join(rest)


def _bare(words: Sequence[str]) -> Sequence[str]:
    """Words without the small ones around them."""
    held = [number for number, word in enumerate(words) if word.lower() not in small_words()]
    return words[held[0] : held[-1] + 1] if held else ()


def _says_kind(rest: str, candidate: Candidate) -> bool:
    """Whether words end with a kind that the place is of: "toy museum"."""
    ends = [span.value.ids for span in concepts.find_in(rest, beside=True) if span.end == len(rest)]
    return any(not {*ids}.isdisjoint(candidate.place.categories) for ids in ends)


def _in_address(rest: str, candidate: Candidate) -> bool:
    return {*canonical(rest).split()} <= {*canonical(candidate.place.address or "").split()}


async def _nearest(name: str, rest: str, provider: Provider) -> list[Candidate]:
    """The one of a name that is nearest to what the rest names, if it is near to it, or on it where it is a street."""
    apart: list[tuple[float, Candidate]] = []
    for anchor in await _sure(rest, provider, None):
        there = await _geometry(anchor, provider) if is_called(rest, anchor.place) else None
        if there is None:
            continue
        near_m = ON_STREET_M if LINEAR & {*anchor.place.categories} else NEAR_M
        for one in await _sure(name, provider, anchor.place.location):
            place = await _geometry(one, provider)
            away_m = math.inf if place is None else shapes.distance_m(place, there)
            apart += [(away_m, one)] if away_m < near_m else []
    return [min(apart, key=lambda found: found[0])[1]] if apart else []


async def _sure(text: str, provider: Provider, near: LatLng | None) -> list[Candidate]:
    """What is certainly called so: its name begins with the words, whatever stands behind them."""
    found = await provider.find_place(text, near=near, limit=_CANDIDATES)
    return [one for one in found if one.score >= SURE and bears(text, one.place)]


async def _geometry(candidate: Candidate, provider: Provider) -> Geometry | None:
    """The outline or course of a place where it has one, else its position."""
    wide = candidate.outlined or not LINEAR.isdisjoint(candidate.place.categories)
    shape = await provider.shape(candidate.place.id) if wide and isinstance(provider, HasShapes) else None
    return shape or candidate.place.location


async def _course(found: Sequence[Candidate], provider: HasShapes) -> tuple[str, Shape] | None:
    """The name and the whole course of the street that was found."""
    if not found or found[0].score < SURE:
        return None
    shape = await provider.shape(found[0].place.id)
    return None if shape is None else (found[0].place.name, shape)
