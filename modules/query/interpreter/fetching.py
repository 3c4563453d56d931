"""From requests to map-tool calls and back: the fewest calls that serve a round, and what they reply."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from map_tools.facts import (
    DeparturesFact,
    FailureFact,
    NearbyFact,
    PlaceFact,
    ReachFact,
    RoutesFact,
    TravelFact,
)
from map_tools.types import TravelMode
from mapagent.core.answer import Evidence
from mapagent.core.ports import ToolCall
from modules.query.interpreter.context import (
    CellRequest,
    DeparturesRequest,
    DetailsRequest,
    PlaceRequest,
    ReachRequest,
    Reply,
    Request,
    RoutesRequest,
    SearchRequest,
    ShapeRequest,
)  # fmt: skip

WIDEST_M = 200_000
MAX_CELLS = 2_500
"""Cells of a round: 50 × 50, what map services answer at once at most."""

type Manner = tuple[TravelMode, str, str]
"""How and when one travels: the mode, the departure, the arrival."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """One call and the requests that it serves."""

    call: ToolCall
    requests: tuple[Request, ...]


def fetches(requests: Iterable[Request], *, database: bool = False) -> tuple[Fetch, ...]:
    """The calls that serve these requests.

    Cells of matrices are combined into rectangles, and shapes are looked up all at once.

    Args:
        requests: What is wanted.
        database: The source searches all of its features (`map_tools.spatial_db.port.SearchesFeatures`).
    """
    made: list[Fetch] = []
    cells: list[CellRequest] = []
    shapes: list[ShapeRequest] = []
    for request in requests:
        if isinstance(request, CellRequest):
            cells.append(request)
        elif isinstance(request, ShapeRequest):
            shapes.append(request)
        else:
            made.append(Fetch(_call(request, database=database), (request,)))
    return (*made, *_shapes(shapes), *_rectangles(cells))


def _shapes(requests: Sequence[ShapeRequest]) -> Iterator[Fetch]:
    if len(requests) == 1:
        yield Fetch(_call(requests[0], database=False), (requests[0],))
    elif requests:
        locations = [request.reference for request in requests]
        yield Fetch(ToolCall(tool="Shapes", arguments={"locations": locations}), tuple(requests))


def _call(request: Request, *, database: bool) -> ToolCall:
    if database and isinstance(request, PlaceRequest):
        return ToolCall(tool="ResolveLocation", arguments=_location(request))
    if database and isinstance(request, SearchRequest):
        return ToolCall(tool="SearchFeatures", arguments=_features(request))
    match request:
        case PlaceRequest():
            return ToolCall(tool="PlaceInfo", arguments=_place(request))
        case DetailsRequest():
            return ToolCall(tool="PlaceInfo", arguments={"location_address": request.reference})
        case ShapeRequest():
            return ToolCall(
                tool="PlaceInfo", arguments={"location_address": request.reference, "shape": True}
            )
        case SearchRequest():
            return ToolCall(tool="Nearby", arguments=_search(request))
        case RoutesRequest():
            return ToolCall(tool="Route", arguments=_route(request))
        case DeparturesRequest():
            return ToolCall(tool="Departures", arguments={"stop": request.stop, "at": request.at})
        case ReachRequest():
            return ToolCall(
                tool="Reach",
                arguments={
                    "origin": request.origin,
                    "within_s": request.within_s,
                    "travel_mode": request.mode.value,
                },
            )
    raise TypeError(f"no tool serves {request!r}")


def _place(request: PlaceRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {"location_address": request.text}
    for name in ("near", "inside", "wanted"):
        if getattr(request, name):
            arguments[name] = getattr(request, name)
    if request.kind:
        arguments["kind"] = list(request.kind)
    return arguments


def _location(request: PlaceRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {"location": request.text}
    if request.wanted == "area":
        arguments["region"] = True
    if request.inside:
        arguments["inside"] = request.inside
    if request.kind:
        arguments["kind"] = list(request.kind)
    return arguments


def _features(request: SearchRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {"query": request.what or "place", "location": request.center}
    if request.inside:
        arguments["relation"] = "touching" if request.touching else "inside"
    if request.outline:
        arguments["outline"] = request.outline
    bounds = {"radius": request.radius_m, "limit": request.limit, "sector": request.sector}
    return arguments | {name: value for name, value in bounds.items() if value is not None}


def _search(request: SearchRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "query": request.what or "place",
        "location": request.center,
        "categories": list(request.categories),
        "keyword": request.keyword,
    }
    if request.inside:
        arguments["inside"] = True
    else:
        arguments["radius"] = request.radius_m or WIDEST_M
    if request.limit is None:
        arguments["everything"] = True
    else:
        arguments["limit"] = min(request.limit, 200)
    return arguments


def _route(request: RoutesRequest) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "origin": request.origin,
        "destination": request.destination,
        "travel_mode": request.mode.value,
        "alternatives": request.alternatives,
    }
    if request.via:
        arguments["waypoints"] = list(request.via)
    if request.avoid:
        arguments["avoid"] = list(request.avoid)
    return arguments | _times(request.depart, request.arrive)


def _times(depart: str, arrive: str) -> dict[str, Any]:
    given = {"depart_at": depart, "arrive_by": arrive}
    return {name: moment for name, moment in given.items() if moment}


def _rectangles(cells: Sequence[CellRequest]) -> list[Fetch]:
    """Cells of one mode and time as rectangles: origins that lead to the same places share one."""
    by_origin: dict[tuple[Manner, str], list[str]] = defaultdict(list)
    for cell in cells:
        by_origin[_manner(cell), cell.origin].append(cell.destination)
    shared: dict[tuple[Manner, tuple[str, ...]], list[str]] = defaultdict(list)
    for (manner, origin), destinations in by_origin.items():
        shared[manner, tuple(sorted(destinations))].append(origin)
    merged = _squares(shared)
    return [
        Fetch(
            ToolCall(
                tool="Trip",
                arguments={
                    "current_location": origins[0],
                    "origins": list(origins),
                    "visiting_places": list(destinations),
                    "travel_mode": manner[0].value,
                    "details": False,
                    **_times(*manner[1:]),
                },
            ),
            tuple(
                cell
                for cell in cells
                if _manner(cell) == manner and cell.origin in origins and cell.destination in destinations
            ),
        )
        for manner, origins, destinations in merged
    ]


def _manner(cell: CellRequest) -> Manner:
    return cell.mode, cell.depart, cell.arrive


def _squares(
    shared: Mapping[tuple[Manner, tuple[str, ...]], Sequence[str]],
) -> list[tuple[Manner, tuple[str, ...], tuple[str, ...]]]:
    """Where every place leads to every other one, as in a trip of free order, one matrix is asked for."""
    rectangles = [(manner, tuple(origins), ends) for (manner, ends), origins in shared.items()]
    made: list[tuple[Manner, tuple[str, ...], tuple[str, ...]]] = []
    for manner in dict.fromkeys(one[0] for one in rectangles):
        own = [one for one in rectangles if one[0] == manner]
        wanted = sum(len(origins) * len(destinations) for _, origins, destinations in own)
        origins = tuple(dict.fromkeys(name for one in own for name in one[1]))
        destinations = tuple(dict.fromkeys(name for one in own for name in one[2]))
        if len(own) > 1 and len(origins) * len(destinations) <= min(2 * wanted, MAX_CELLS):
            made.append((manner, origins, destinations))
        else:
            made += own
    return made


def replies(fetch: Fetch, evidence: Sequence[Evidence]) -> dict[Request, Reply]:
    """The replies that a call's evidence gives to the requests it was made for."""
    if any(isinstance(request, CellRequest) for request in fetch.requests):
        return {
            request: _cell(request, evidence)
            for request in fetch.requests
            if isinstance(request, CellRequest)
        }
    if len(fetch.requests) > 1:
        return {
            request: _shape_reply(request, evidence)
            for request in fetch.requests
            if isinstance(request, ShapeRequest)
        }
    wanted = _FACTS[type(fetch.requests[0])]
    found = [item for item in evidence if isinstance(item.value, wanted)]
    failures = [item for item in evidence if isinstance(item.value, FailureFact)]
    request = fetch.requests[0]
    if found:
        item = found[-1] if wanted is not PlaceFact else found[0]
        return {
            request: Reply(
                fact=_shape(item) if isinstance(request, ShapeRequest) else item.value,
                failure=_failure(failures[0]) if failures else None,
                evidence=(item.id, *(one.id for one in failures)),
            )
        }
    if failures:
        return {request: Reply(failure=_failure(failures[0]), evidence=(failures[0].id,))}
    return {request: Reply(evidence=tuple(item.id for item in evidence))}


def module_reply(evidence: Sequence[Evidence]) -> Reply:
    """The reply in a module's evidence: all of its facts, or why there are none."""
    failures = [item for item in evidence if isinstance(item.value, FailureFact)]
    if failures and len(failures) == len(evidence):
        return Reply(failure=_failure(failures[0]), evidence=(failures[0].id,))
    return Reply(fact=tuple(evidence), evidence=tuple(item.id for item in evidence))


def _shape_reply(request: ShapeRequest, evidence: Sequence[Evidence]) -> Reply:
    """The reply about one of several shapes."""
    for item in evidence:
        fact = item.value
        if isinstance(fact, PlaceFact) and fact.query == request.reference:
            return Reply(fact=fact.shape, evidence=(item.id,))
        if isinstance(fact, FailureFact) and fact.subject in {request.reference, ""}:
            return Reply(failure=fact, evidence=(item.id,))
    return Reply()


def _shape(item: Evidence) -> Any:
    return getattr(item.value, "shape", None)


def _failure(item: Evidence) -> FailureFact:
    value = item.value
    if not isinstance(value, FailureFact):
        raise TypeError(f"{item.id} is no failure")
    return value


def _cell(cell: CellRequest, evidence: Sequence[Evidence]) -> Reply:
    subject = f"{cell.origin} → {cell.destination}"
    for item in evidence:
        fact = item.value
        if isinstance(fact, TravelFact) and (fact.origin, fact.destination) == (
            cell.origin,
            cell.destination,
        ):
            return Reply(fact=fact, evidence=(item.id,))
        if isinstance(fact, FailureFact) and fact.subject == subject:
            return Reply(failure=fact, evidence=(item.id,))
    general = [item for item in evidence if isinstance(item.value, FailureFact)]
    if general:
        return Reply(failure=_failure(general[0]), evidence=(general[0].id,))
    return Reply()


_FACTS: Mapping[type, type] = {
    PlaceRequest: PlaceFact,
    DetailsRequest: PlaceFact,
    ShapeRequest: PlaceFact,
    SearchRequest: NearbyFact,
    ReachRequest: ReachFact,
    DeparturesRequest: DeparturesFact,
    RoutesRequest: RoutesFact,
}
