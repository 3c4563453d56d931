"""From the words of a question to a place on the map: the one place where names are settled.

Several places may fit equally well (the branches of a chain, towns of the same name). A qualifier ("X,
City"), the user's position, or the other places of the same call may settle which one is meant; what they do
not settle is reported as rivals, never decided in silence.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from map_tools.compute.geodesy import distance_m
from map_tools.compute.shape_text import parse_position
from map_tools.errors import LimitError, PlaceNotFoundError, ToolError, UnsupportedError
from map_tools.facts import Fact, FailureFact, PlaceFact
from map_tools.kinds import concepts
from map_tools.kinds.concepts import AREA_KINDS, LINEAR, plain_area
from map_tools.providers.base import Bounded, NarrowsNames, Provider
from map_tools.text import normalise
from map_tools.tools.base import HERE_WORDS, ToolContext, failure_of
from map_tools.tools.candidates import (
    EQUAL_SCORE,
    are_rivals,
    areas_meant,
    found_once,
    is_end_of,
    lie_apart,
    sureness,
    told_apart,
)
from map_tools.tools.descriptions import (
    corner_of,
    definite_in,
    described,
    givers,
    is_another,
    is_related,
    named_so,
    of_the_kind,
    outshines,
)
from map_tools.types import ID_PREFIX, Candidate, LatLng, Place, is_own

CANDIDATES = 10
"""How many candidates are looked at for one name."""
RIVAL_MARGIN = 0.02
"""Candidates whose score is this close to the best one's fit as well as it does."""
WANTED_MARGIN = 0.08
"""Where an area or a line is wanted, one is preferred to what fits better by at most this and is none."""
CLEARLY_NEARER = 4
"""A candidate so many times nearer to another place of the call than its rivals is the one that is meant."""


type Wanted = Literal["", "area", "line"]
"""What a name should be one of, if the words can mean one."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the words `query` came to."""

    query: str
    place: Place
    score: float = 1.0
    rivals: tuple[Place, ...] = ()
    told_apart: tuple[str, ...] = ()

    def fact(self) -> PlaceFact:
        """The resolution as a fact."""
        return PlaceFact(
            query=self.query,
            place=self.place,
            score=self.score,
            rivals=self.rivals,
            told_apart=self.told_apart,
        )

    def ambiguity(self) -> FailureFact | None:
        """Why nothing should be computed from this place, if it is ambiguous."""
        if not self.rivals:
            return None
        shown = "; ".join(f"{number}. {each}" for number, each in enumerate(self.told_apart, 1))
        left = len(self.rivals) + 1 - len(self.told_apart)
        more = f"; and {left} more" if left else ""
        return FailureFact(
            code="ambiguous",
            message=f"'{self.query}' may be any of {len(self.rivals) + 1} places: {shown}{more}.",
            remedy="Say which one, for example by its street or city.",
            subject=self.query,
            candidates=(self.place, *self.rivals),
        )


async def resolve(
    text: str,
    provider: Provider,
    context: ToolContext,
    *,
    wanted: Wanted = "",
    kind: tuple[str, ...] = (),
    inside: str | None = None,
    near: LatLng | None = None,
) -> Resolved:
    """The place these words mean.

    A name of one of the user's own places is that place, and no provider is asked for it.
    Words for a kind without a name ("the town hall") mean the one of the map, or of the area, if it is clear
    which (`map_tools.tools.descriptions`).

    Args:
        text: A name, an address, a position, or what else `MapTool` allows.
        provider: The source of places.
        context: Where the user is.
        wanted: "area": one with an outline, to search inside of; "line": a street, river or railway. If the
            words can mean one.
        kind: Category ids, one of which the place must have; none: any.
        inside: The id of an area it must lie in.
        near: What the place is near to; left out: what the context says.

    Raises:
        PlaceNotFoundError: Nothing on the map fits.
        UnsupportedError: The user's position is meant and not known, or an area or line is wanted and the name is
            that of a place of the user's own.
        ToolError: The provider failed.
    """
    fixed = _position(text, context)
    if fixed is not None:
        return Resolved(query=text, place=fixed)
    if text.startswith(ID_PREFIX):
        place_id = text.removeprefix(ID_PREFIX)
        if is_own(place_id):
            return Resolved(query=text, place=_as_wanted(_own_with_id(place_id, context), wanted))
        told = None if provider.capabilities.full_candidates else context.known.get(place_id)
        return Resolved(query=text, place=told or await provider.place_details(place_id))
    near = near if near is not None else context.near
    own = context.own.called(text, near=near)
    if own is not None:
        return Resolved(query=text, place=_as_wanted(own, wanted))
    corner = await corner_of(text, provider)
    if corner is not None:
        return Resolved(query=text, place=corner)
    candidates = await _candidates(text, provider, near, kind=kind, inside=inside, wanted=wanted)
    found: Sequence[Candidate] = found_once(candidates)
    chosen = await _of_kind(text, found, provider, near, kind=kind, inside=inside)
    if chosen is None:
        found = _of_its_kind(text, found, provider)
        chosen = _choose(text, _wanted(text, found, wanted), near) if found else None
    sure = _sure(text, chosen) if chosen is not None else None
    if not kind and inside is None and _leaves_doubt(text, chosen, sure):
        more = found_once(await described(text, provider, near))
        sure = _sure(text, _choose(text, _wanted(text, more, wanted), near)) if more else sure
    if sure is None:
        raise _not_found(text, kind)
    if not sure.rivals:
        return sure
    return replace(sure, told_apart=await told_apart((sure.place, *sure.rivals), provider))


def _own_with_id(place_id: str, context: ToolContext) -> Place:
    found = context.own.with_id(place_id)
    if found is None:
        raise PlaceNotFoundError(
            f"None of your own places has the id '{place_id}'.", "`mapagent places list` shows them."
        )
    return found


def _as_wanted(own: Place, wanted: Wanted) -> Place:
    if wanted:
        raise UnsupportedError(
            f"'{own.name}' is a place of your own, a point without an outline or a course.",
            "Search near it, within a distance.",
        )
    return own


async def _candidates(
    text: str,
    provider: Provider,
    near: LatLng | None,
    *,
    kind: tuple[str, ...],
    inside: str | None,
    wanted: Wanted = "",
) -> tuple[Candidate, ...]:
    """Places that fit a name; of a kind and inside an area, where the provider does not look there itself."""
    if wanted == "line" and not kind and provider.capabilities.narrow_names:
        # "Dunbar" is the street, though a district is called just so
        found = await _candidates(text, provider, near, kind=tuple(LINEAR), inside=inside)
        if found:
            return found
    if not kind and inside is None:
        found = await provider.find_place(text, near=near, limit=CANDIDATES)
        return tuple(one for one in found if wanted == "line" or not is_end_of(text, one.place))
    if provider.capabilities.narrow_names:
        narrowing = cast("NarrowsNames", provider)
        return await narrowing.find_place(text, near=near, limit=CANDIDATES, kind=kind, inside=inside)
    found = await provider.find_place(text, near=near, limit=CANDIDATES)
    if kind:
        found = tuple(item for item in found if set(kind) & set(item.place.categories))
    if inside is not None:
        within = {place.id for place in await provider.inside(inside, categories=kind)}
        found = tuple(item for item in found if item.place.id in within)
    return found


async def _of_kind(
    text: str,
    found: Sequence[Candidate],
    provider: Provider,
    near: LatLng | None,
    *,
    kind: tuple[str, ...],
    inside: str | None,
) -> Resolved | None:
    """The place that a kind without a name means; None for a text that is a name, or names nothing else.

    Without an article the words may be the name of something ("Opera", a station), which comes first; but a famous
    casino comes before a shop that is called "Casino". Where no place of the kind has a name, one called so is meant:
    the "Hallenbad" of a village is the sports centre "Hallenbad Eschen", and none of the pools in its gardens.
    """
    definite = definite_in(text)
    if definite is None or (kind and not set(kind) & set(definite.kind.ids)):
        return None
    called = [one.place for one in found if normalise(one.place.name) == normalise(text)]
    if called and not definite.article and any(is_related(definite, place) for place in called):
        return None
    places = await of_the_kind(definite, provider, near=near, inside=inside)
    if not places or (called and not definite.article and not outshines(places, called)):
        return None
    if not any(place.name for place in places) and named_so(definite, text, (one.place for one in found)):
        return None
    return Resolved(query=text, place=places[0], rivals=places[1:])


def _of_its_kind(text: str, found: Sequence[Candidate], provider: Provider) -> Sequence[Candidate]:
    """What a kind with an article in front may mean on a map without one: nothing of quite another kind."""
    definite = definite_in(text)
    if definite is None or not definite.article or not isinstance(provider, Bounded):
        return found
    return [one for one in found if not is_another(definite, text, one.place)]


def _sure(text: str, chosen: Resolved) -> Resolved:
    """What was chosen, with how sure that is."""
    return replace(chosen, score=sureness(text, chosen.place, chosen.score))


def _leaves_doubt(text: str, chosen: Resolved | None, sure: Resolved | None) -> bool:
    """Whether nothing was chosen, words beside a name may tell rivals apart, or a kind there is not the place's."""
    if chosen is None or sure is None:
        return True
    return _says_more(text, chosen.place) if chosen.rivals else sure.score < chosen.score


def _says_more(text: str, place: Place) -> bool:
    """Whether a text has words that are not in the names of a place."""
    own = " ".join((place.name, *place.aliases))
    return not {*normalise(text).split()} <= {*normalise(own).split()}


def _not_found(text: str, kind: tuple[str, ...]) -> PlaceNotFoundError:
    what = f"{concepts.label_of(kind[0])} called '{text}'" if kind else f"place called '{text}'"
    return PlaceNotFoundError(f"No {what} is on the map.", "Check the spelling, or add the street or city.")


async def resolve_all(
    texts: Iterable[str], provider: Provider, context: ToolContext
) -> dict[str, Resolved | FailureFact]:
    """Resolves several places at once; each one that fails is a `FailureFact` about its words.

    A name that stays ambiguous on its own is settled where one candidate is clearly nearer to the first of
    the others that is not.
    """
    unique = tuple(dict.fromkeys(texts))
    results = await asyncio.gather(*(_resolve_or_fail(text, provider, context) for text in unique))
    settled = [
        item.place.location
        for item in results
        if isinstance(item, Resolved) and not item.rivals and item.place.location is not None
    ]
    return {
        text: _settle(item, settled) if isinstance(item, Resolved) else item
        for text, item in zip(unique, results, strict=True)
    }


def usable(resolved: Mapping[str, Resolved | FailureFact]) -> dict[str, Place]:
    """The places one can compute with: found and not ambiguous, by the words they were asked for."""
    return {
        text: item.place for text, item in resolved.items() if isinstance(item, Resolved) and not item.rivals
    }


def resolution_facts(resolved: Mapping[str, Resolved | FailureFact]) -> tuple[Fact, ...]:
    """A fact for each place, and a failure for each that was not found or is ambiguous."""
    facts: list[Fact] = []
    for item in resolved.values():
        if isinstance(item, FailureFact):
            facts.append(item)
            continue
        facts.append(item.fact())
        ambiguity = item.ambiguity()
        if ambiguity is not None:
            facts.append(ambiguity)
    return tuple(facts)


def trouble(resolved: Mapping[str, Resolved | FailureFact], texts: Iterable[str]) -> FailureFact | None:
    """The first reason why nothing can be computed from these places; None if all are usable."""
    for text in texts:
        item = resolved[text]
        reason = item if isinstance(item, FailureFact) else item.ambiguity()
        if reason is not None:
            return reason
    return None


async def _resolve_or_fail(text: str, provider: Provider, context: ToolContext) -> Resolved | FailureFact:
    try:
        return await resolve(text, provider, context)
    except (ToolError, LimitError) as error:
        return failure_of(error, text)


def _position(text: str, context: ToolContext) -> Place | None:
    """The user's own position or written coordinates, as a place without a name on the map."""
    if normalise(text) in HERE_WORDS:
        if context.here is None:
            raise UnsupportedError("Your position is not known.", "Give it with --near LAT,LON.")
        return Place(id="here", name="your position", location=context.here)

    position = parse_position(text)
    if position is None:
        return None
    return Place(id=f"point:{text.strip()}", name=text.strip(), location=position)


def _choose(text: str, found: Sequence[Candidate], near: LatLng | None) -> Resolved:
    """The best candidate, and as rivals the others that fit as well and lie elsewhere."""
    tied = givers(text, found) or [
        candidate for candidate in found if found[0].score - candidate.score <= RIVAL_MARGIN
    ]
    tied = _exactly(text, _of_named_kind(text, _own_name_first(text, tied)))
    tied = _qualified(text, [other for other in tied if are_rivals(text, tied[0].place, other.place)])
    if near is not None:
        tied.sort(key=lambda candidate: _distance_from(near, candidate.place))
        if tied[0].place.location is not None:
            tied = tied[:1]
    chosen = tied[0]
    rivals = tuple(other.place for other in tied[1:] if lie_apart(chosen.place, other.place))
    return Resolved(query=text, place=chosen.place, score=chosen.score, rivals=rivals)


def _wanted(text: str, found: Sequence[Candidate], wanted: Wanted) -> Sequence[Candidate]:
    """Those with an outline, or of a course, that fit about as well; all if there are none.

    Raises:
        PlaceNotFoundError: An area is wanted, and nothing that can be one bears the name.
    """
    close = [candidate for candidate in found if found[0].score - candidate.score <= WANTED_MARGIN]
    if wanted == "line":
        return [candidate for candidate in close if LINEAR & {*candidate.place.categories}] or found
    if not wanted:
        return found
    return areas_meant(text, found, close)


def _own_name_first(text: str, tied: list[Candidate]) -> list[Candidate]:
    """Of those that fit best, the ones whose own name is in the text before those with an alias in it."""
    words = set(normalise(text).split())

    def rank(candidate: Candidate) -> tuple[bool, bool]:
        behind = tied[0].score - candidate.score > EQUAL_SCORE
        return behind, not words.issuperset(normalise(candidate.place.name).split())

    return sorted(tied, key=rank)


def _of_named_kind(text: str, tied: list[Candidate]) -> list[Candidate]:
    """Those of a kind the name itself mentions ("University of X" is no station of that name), if any are."""
    named = {category for span in concepts.find_in(text, beside=True) for category in span.value.ids}
    if plain_area(text) and len(_exactly(text, tied)) == len(tied):
        named |= AREA_KINDS
    return [candidate for candidate in tied if named & set(candidate.place.categories)] or tied


def _exactly(text: str, tied: list[Candidate]) -> list[Candidate]:
    """Those called exactly this, if any are: "Corner Gym" is no other gym called "Corner"."""
    wanted = normalise(text)
    return [candidate for candidate in tied if normalise(candidate.place.name) == wanted] or tied


def _qualified(text: str, tied: list[Candidate]) -> list[Candidate]:
    """Those whose address holds the words of the text that are not in their name ("X, City"), if any do."""
    words = set(normalise(text).split())

    def leftover_in_address(place: Place) -> bool:
        left = words.difference(normalise(place.name).split())
        return bool(left) and left.issubset(normalise(place.address or "").split())

    return [candidate for candidate in tied if leftover_in_address(candidate.place)] or tied


def _settle(item: Resolved, others: Sequence[LatLng]) -> Resolved:
    """Drops the rivals if one candidate is clearly nearer to the first other place than the next one.

    One whose position is not known may be nearer still.
    """
    if not item.rivals or not others:
        return item
    ranked = sorted((item.place, *item.rivals), key=lambda place: _distance_from(others[0], place))
    first_m, second_m = (_distance_from(others[0], place) for place in ranked[:2])
    unknown = any(place.location is None for place in ranked)
    if unknown or first_m * CLEARLY_NEARER > second_m:
        return item
    return replace(item, place=ranked[0], rivals=(), told_apart=())


def _distance_from(point: LatLng, place: Place) -> float:
    return float("inf") if place.location is None else distance_m(point, place.location)
