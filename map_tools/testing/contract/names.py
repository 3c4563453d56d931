"""Checks of finding places by name and by id."""

from map_tools.compute.geodesy import distance_m
from map_tools.errors import PlaceNotFoundError
from map_tools.testing.contract.checking import (
    BreachError,
    Check,
    NotApplicableError,
    Subject,
    demand,
    demand_tuple_of,
    demand_value,
    refusal,
    same_length,
    shown,
)
from map_tools.types import Candidate, LatLng, Place

ENOUGH = 5


async def known_names(subject: Subject) -> str:
    """The places of the sample are found."""
    sample = subject.sample
    texts = dict.fromkeys((sample.place, sample.origin, sample.destination, sample.via, sample.area))
    known = [text for text in texts if text is not None]
    for text in known:
        demand(await subject.provider.find_place(text), f"'{text}' is not found")
    return f"{len(known)} names"


async def find_types(subject: Subject) -> str:
    """A tuple of candidates, each well-formed."""
    found = await subject.provider.find_place(subject.sample.place)
    demand_tuple_of(Candidate, found, "find_place")
    return f"{len(found)} candidates"


async def axis_order(subject: Subject) -> str:
    """The known place lies where it lies."""
    sample = subject.sample
    location = (await subject.place(sample.place)).location
    if location is None:
        raise BreachError(f"'{sample.place}' has no location")
    off_m = distance_m(location, sample.position)
    if off_m <= sample.tolerance_m:
        return f"{off_m:.0f} m off"
    swapped = _swapped(location)
    if swapped is not None and distance_m(swapped, sample.position) <= sample.tolerance_m:
        raise BreachError(f"latitude and longitude are swapped: {location} for {sample.position}")
    raise BreachError(f"'{sample.place}' lies {off_m:.0f} m off, at {location} instead of {sample.position}")


def _swapped(at: LatLng) -> LatLng | None:
    return LatLng(lat=at.lng, lng=at.lat) if abs(at.lng) <= 90 else None


async def ranking(subject: Subject) -> str:
    """Best first, with scores above 0 and up to 1."""
    scores = [item.score for item in await subject.provider.find_place(subject.sample.place, limit=ENOUGH)]
    demand(scores == sorted(scores, reverse=True), f"the scores are {scores}")
    demand(all(0 < score <= 1 for score in scores), f"the scores are {scores}")
    return f"scores {scores}"


async def find_limit(subject: Subject) -> str:
    """At most `limit` candidates, and the best of them."""
    many = await subject.provider.find_place(subject.sample.place, limit=ENOUGH)
    demand(len(many) <= ENOUGH, f"{len(many)} candidates for limit={ENOUGH}")
    one = await subject.provider.find_place(subject.sample.place, limit=1)
    demand(len(one) <= 1, f"{len(one)} candidates for limit=1")
    demand(
        [item.place.id for item in one] == [item.place.id for item in many[:1]],
        "limit=1 does not give the best candidate",
    )
    return "at most as many as asked for"


async def context_distance(subject: Subject) -> str:
    """With a context each candidate tells how far away it is, so that a wrong city is noticed."""
    sample = subject.sample
    # A context that is not the place itself, so that a distance of 0 is no right answer.
    near = LatLng(lat=sample.position.lat + 0.01, lng=sample.position.lng)
    found = await subject.provider.find_place(sample.place, near=near)
    demand(found, f"'{sample.place}' is not found with a context")
    for item in found:
        if item.place.location is None:
            continue
        true_m = distance_m(near, item.place.location)
        stated_m = item.distance_m
        demand(
            stated_m is not None and same_length(stated_m, true_m),
            f"'{item.place.name}' is {true_m:.0f} m from the context and says {stated_m}",
        )
    return f"{len(found)} distances"


async def unknown_name(subject: Subject) -> str:
    """Nothing found is an empty tuple, not an error and not something else."""
    for text in (subject.sample.missing, ""):
        found = await subject.provider.find_place(text)
        demand(found == (), f"'{text}' gave {shown(found)}")
    return "an empty tuple"


async def details(subject: Subject) -> str:
    """The id of a candidate leads to the same place."""
    place = await subject.place(subject.sample.place)
    detailed = await subject.provider.place_details(place.id)
    demand_value(Place, detailed, "place_details")
    demand(detailed.id == place.id, f"the id '{place.id}' became '{detailed.id}'")
    demand(detailed.name == place.name, f"'{place.name}' became '{detailed.name}'")
    return place.id


async def full_candidates(subject: Subject) -> str:
    """Where candidates are declared complete, details add nothing."""
    if not subject.provider.capabilities.full_candidates:
        raise NotApplicableError("candidates are not declared complete")
    place = await subject.place(subject.sample.place)
    detailed = await subject.provider.place_details(place.id)
    same = detailed.model_copy(update={"id": place.id, "name": place.name})
    demand(same == place, "place_details knows more or other things")
    return "candidates are complete"


async def unknown_id(subject: Subject) -> str:
    """An id that no place has is an error of its own."""
    error = await refusal(subject.provider.place_details(subject.sample.missing_id), PlaceNotFoundError)
    return str(error)


async def cheap_names(subject: Subject) -> str:
    """Where names are declared cheap, `score` tells how well words fit."""
    if not subject.provider.capabilities.cheap_names:
        raise NotApplicableError("looking up names is not declared cheap")
    score = getattr(subject.provider, "score", None)
    if score is None:
        raise BreachError("there is no method score(text)")
    known, missing = score(subject.sample.place), score(subject.sample.missing)
    demand(
        0 <= missing < known <= 1, f"score is {known} for the known place and {missing} for the missing one"
    )
    return f"score {known:.2f} against {missing:.2f}"


CHECKS = (
    Check(
        "known-names",
        "The places of the sample are found by their names.",
        "Correct the sample if the service does not have them; else look at how `find_place` asks.",
        known_names,
    ),
    Check(
        "find-types",
        "find_place returns a tuple of well-formed candidates.",
        "Build Candidate and Place with their constructors; return tuple(...).",
        find_types,
    ),
    Check(
        "axis-order",
        "A known place lies where it lies: latitude first, longitude second.",
        "Swap the axes where the reply is parsed (GeoJSON and many routers write longitude first).",
        axis_order,
    ),
    Check(
        "ranking",
        "Candidates come best first, with scores above 0 and up to 1.",
        "Sort by score; scale the service's score, or count down from 1 in its order.",
        ranking,
    ),
    Check(
        "find-limit",
        "find_place returns at most as many candidates as asked for, the best ones.",
        "Cut the list at `limit` after ranking.",
        find_limit,
    ),
    Check(
        "context-distance",
        "With a context, each candidate states its distance from it in metres.",
        "Set Candidate.distance_m with map_tools.compute.geodesy.distance_m.",
        context_distance,
    ),
    Check(
        "unknown-name",
        "A name that no place has gives an empty tuple, and so does an empty name.",
        "Return () where the service says that it found nothing.",
        unknown_name,
    ),
    Check(
        "details-by-id",
        "The id of a candidate leads to the details of the same place.",
        "Use one id for a place in all replies.",
        details,
    ),
    Check(
        "full-candidates",
        "Candidates that are declared complete are complete.",
        "Set capabilities.full_candidates=False, or fill candidates like details.",
        full_candidates,
    ),
    Check(
        "unknown-id",
        "An id that no place has raises PlaceNotFoundError.",
        "Map the service's not-found status to PlaceNotFoundError.",
        unknown_id,
    ),
    Check(
        "cheap-names",
        "A provider that declares cheap names scores words from 0 to 1.",
        "Write score(text), or set capabilities.cheap_names=False.",
        cheap_names,
    ),
)
