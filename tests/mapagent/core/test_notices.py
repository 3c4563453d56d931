"""What must be told with routes and travel times."""

from map_tools.facts import Fact, PlaceFact, RoutesFact, TravelFact
from map_tools.providers.base import Terms
from map_tools.types import Place, Route, TravelMode
from mapagent.core.evidence import Evidence, Source
from mapagent.core.notices import travel_notices

TERMS = Terms(attribution="©", travel_warnings={TravelMode.WALKING: "Mind the kerb."})


def evidence(*facts: Fact, provider: str = "maps") -> tuple[Evidence, ...]:
    source = Source(tool="Route", provider=provider)
    return tuple(
        Evidence(id=str(number), step_id="s", value=fact, source=source) for number, fact in enumerate(facts)
    )


def routes(mode: TravelMode, *warnings: str) -> RoutesFact:
    route = Route(summary="", distance_m=1, duration_s=1, warnings=warnings)
    return RoutesFact(origin="a", destination="b", mode=mode, routes=(route,))


def travel(mode: TravelMode) -> TravelFact:
    return TravelFact(origin="a", destination="b", mode=mode, duration_s=1, distance_m=1)


def test_warnings_come_once_and_in_order() -> None:
    found = evidence(
        routes(TravelMode.DRIVING, "Toll road", "Ferry"),
        routes(TravelMode.WALKING, "Ferry"),
        travel(TravelMode.WALKING),
    )
    assert travel_notices(found, TERMS) == ("Toll road", "Ferry", "Mind the kerb.")


def test_a_matrix_alone_brings_the_warning_of_its_mode() -> None:
    assert travel_notices(evidence(travel(TravelMode.WALKING)), TERMS) == ("Mind the kerb.",)
    assert travel_notices(evidence(travel(TravelMode.DRIVING)), TERMS) == ()


def test_supplied_text_is_under_nobodys_terms() -> None:
    found = evidence(routes(TravelMode.WALKING, "Steep"), provider="")
    assert travel_notices(found, TERMS) == ("Steep",)
    assert travel_notices(found, None) == ("Steep",)


def test_places_need_no_warning() -> None:
    assert travel_notices(evidence(PlaceFact(query="x", place=Place(id="1", name="x"))), TERMS) == ()
