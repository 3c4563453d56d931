"""Checks of searches around a position and inside an area."""

from map_tools.compute.geodesy import distance_m
from map_tools.errors import UnsupportedError
from map_tools.providers.base import CutList
from map_tools.testing.contract.checking import (
    Check,
    NotApplicableError,
    Subject,
    demand,
    demand_tuple_of,
    refusal,
    same_length,
    shown,
)
from map_tools.types import NearbyPlace, Place, RankBy

EMPTY_RADIUS_M = 500
FEW = 3
NO_KIND = "no_such_category"
FLOAT_SLACK_M = 0.001


async def nearby_types(subject: Subject) -> str:
    """A tuple of places, each well-formed, with at least as many as the sample knows of."""
    if not subject.provider.capabilities.nearby:
        sample = subject.sample
        asked = subject.provider.nearby(sample.position, radius_m=sample.radius_m)
        return str(await refusal(asked, UnsupportedError))
    found = await subject.everything()
    demand_tuple_of(NearbyPlace, found, "nearby")
    wanted, category = subject.sample.at_least, subject.sample.category
    if isinstance(found, CutList):
        wanted = min(wanted, FEW)  # the source says that it does not tell all
    demand(len(found) >= wanted, f"{len(found)} places of '{category}' instead of {wanted} or more")
    return f"{len(found)} places"


async def nearby_pages(subject: Subject) -> str:
    """Pages put together repeat nothing."""
    ids = [item.place.id for item in await subject.everything()]
    twice = sorted({each for each in ids if ids.count(each) > 1})
    demand(not twice, f"listed more than once: {', '.join(twice[:FEW])}")
    return f"{len(ids)} different places"


async def nearby_ids(subject: Subject) -> str:
    """The ids of a search lead to the places it lists."""
    for item in (await subject.everything())[:FEW]:
        detailed = await subject.provider.place_details(item.place.id)
        same = (detailed.id, detailed.name) == (item.place.id, item.place.name)
        demand(same, f"'{item.place.id}' is {item.place.name} here and {detailed.name} in detail")
    return f"the first {FEW}"


async def nearby_radius(subject: Subject) -> str:
    """Distances recomputed on the ellipsoid stay within the radius."""
    sample = subject.sample
    for item in await subject.everything():
        if item.place.location is not None:
            away_m = distance_m(sample.position, item.place.location)
            demand(
                away_m <= sample.radius_m or same_length(away_m, sample.radius_m),
                f"'{item.place.name}' lies {away_m:.0f} m away, the radius is {sample.radius_m:.0f} m",
            )
    return f"within {sample.radius_m:.0f} m"


async def nearby_distances(subject: Subject) -> str:
    """Stated distances are metres along the geodesic."""
    found = await subject.everything()
    checked = 0
    for item in found:
        if item.place.location is None or item.distance_m is None:
            continue
        true_m = distance_m(subject.sample.position, item.place.location)
        demand(
            same_length(item.distance_m, true_m),
            f"'{item.place.name}' lies {true_m:.0f} m away and says {item.distance_m:g}",
        )
        checked += 1
    if not checked:
        raise NotApplicableError("no place has both a location and a distance")
    return f"{checked} distances"


async def nearby_order(subject: Subject) -> str:
    """Ranked by distance, the nearest comes first."""
    found = await subject.around(rank=RankBy.DISTANCE)
    distances = [item.distance_m for item in found if item.distance_m is not None]
    demand(distances == sorted(distances), f"the distances are {[round(each) for each in distances[:10]]}")
    return f"{len(distances)} ascending distances"


async def nearby_kind(subject: Subject) -> str:
    """Only places of the kind asked for."""
    category = subject.sample.category
    for item in await subject.everything():
        demand(
            category in item.place.categories,
            f"'{item.place.name}' is {', '.join(item.place.categories) or 'of no category'}, not {category}",
        )
    return category


async def nearby_no_kind(subject: Subject) -> str:
    """A kind that the service does not know is not any kind."""
    try:
        found = await subject.around(categories=(NO_KIND,))
    except UnsupportedError as error:
        return str(error)
    demand(found == (), f"the category '{NO_KIND}' gave {shown(found)}")
    return "an empty tuple"


async def nearby_keyword(subject: Subject) -> str:
    """A place is found by its own name as keyword, and not by other words."""
    place = await subject.place(subject.sample.place)
    found = await subject.around(categories=(), keyword=place.name)
    demand(
        place.id in [item.place.id for item in found], f"the keyword '{place.name}' does not find the place"
    )
    missing = subject.sample.missing
    found = await subject.around(categories=(), keyword=missing)
    demand(found == (), f"the keyword '{missing}' gave {shown(found)}")
    return f"'{place.name}'"


async def nearby_limit(subject: Subject) -> str:
    """At most `limit` places, and the nearest of them."""
    everything, few = await subject.everything(), await subject.around(limit=FEW)
    demand(len(few) <= FEW, f"{len(few)} places for limit={FEW}")
    expected, got = ([item.distance_m for item in each] for each in (everything[:FEW], few))
    demand(
        len(expected) == len(got) and all(map(_same_distance, expected, got)),
        f"limit={FEW} gives places at {got} m, the nearest are at {expected} m",
    )
    return f"{len(few)} of {len(everything)}"


def _same_distance(one: float | None, other: float | None) -> bool:
    """True if two distances of one place are equal but for what computing with floats makes of them."""
    if one is None or other is None:
        return one is other
    return abs(one - other) < FLOAT_SLACK_M


async def nearby_empty(subject: Subject) -> str:
    """Nothing around is an empty tuple."""
    sample = subject.sample
    subject.demand_nearby()
    found = await subject.provider.nearby(
        sample.nowhere, radius_m=EMPTY_RADIUS_M, categories=(sample.category,)
    )
    demand(found == (), f"around {sample.nowhere} it gave {shown(found)}")
    return "an empty tuple"


async def areas(subject: Subject) -> str:
    """A search inside an area is served where it is declared, and refused where it is not."""
    if not subject.provider.capabilities.areas:
        place = await subject.place(subject.sample.place)
        return str(await refusal(subject.provider.inside(place.id), UnsupportedError))
    if subject.sample.area is None:
        raise NotApplicableError("the sample names no area")
    candidates = await subject.provider.find_place(subject.sample.area)
    if not candidates:
        raise NotApplicableError(f"needs '{subject.sample.area}', which is not found; see 'known-names'")
    area = next((item.place for item in candidates if item.outlined), candidates[0].place)
    kind = subject.sample.area_category
    found = await subject.provider.inside(area.id, categories=(kind,) if kind else ())
    demand_tuple_of(Place, found, "inside")
    demand(found, f"nothing lies inside '{area.name}'")
    demand(area.id not in [place.id for place in found], f"'{area.name}' lies inside itself")
    return f"{len(found)} places inside {area.name}"


CHECKS = (
    Check(
        "nearby-types",
        "nearby returns a tuple of well-formed places, as many as are known to be there, or is not declared.",
        "Return tuple(...), a CutList if the service tells no more; check how the category is translated; or "
        "set capabilities.nearby=False and raise UnsupportedError.",
        nearby_types,
    ),
    Check(
        "nearby-pages",
        "No place comes twice.",
        "Ask each next page with the service's own token, and drop repeated ids.",
        nearby_pages,
    ),
    Check(
        "nearby-ids",
        "The id of a place found nearby leads to the details of the same place.",
        "Use one id for a place in all replies.",
        nearby_ids,
    ),
    Check(
        "nearby-radius",
        "Every place lies within the radius.",
        "Send the radius in the service's unit, and drop what lies outside.",
        nearby_radius,
    ),
    Check(
        "nearby-distances",
        "Stated distances are metres from the centre.",
        "Compute them with map_tools.compute.geodesy.distance_m, or convert the service's unit.",
        nearby_distances,
    ),
    Check(
        "nearby-order",
        "Ranked by distance, places come nearest first.",
        "Sort by distance after the pages are put together.",
        nearby_order,
    ),
    Check(
        "nearby-kind",
        "Every place is of the category asked for.",
        "Translate the service's types to category ids, and drop what does not fit.",
        nearby_kind,
    ),
    Check(
        "nearby-no-kind",
        "A category that the service does not know is refused or gives nothing, never places of any kind.",
        "Raise UnsupportedError where no type of the service stands for it, so that nobody counts none.",
        nearby_no_kind,
    ),
    Check(
        "nearby-keyword",
        "A place is found by its own name as a keyword, and by no other words.",
        "Pass `keyword` on, or match it against the names.",
        nearby_keyword,
    ),
    Check(
        "nearby-limit",
        "nearby returns at most as many places as asked for, the nearest ones.",
        "Cut the list at `limit` after sorting.",
        nearby_limit,
    ),
    Check(
        "nearby-empty",
        "Where nothing is around, nearby returns an empty tuple.",
        "Return () where the service says that it found nothing.",
        nearby_empty,
    ),
    Check(
        "areas",
        "A search inside an area is served if declared, and else refused with UnsupportedError.",
        "Serve `inside`, or set capabilities.areas=False and raise UnsupportedError.",
        areas,
    ),
)
