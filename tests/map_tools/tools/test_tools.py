"""The four tools over the hand-written world; expected values are read off `harbour.json`."""

import itertools
from collections.abc import Sequence
from typing import Any, cast

import pytest
from pydantic import ValidationError

from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.providers.base import Provider
from map_tools.tools import TOOLS
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng, NearbyPlace, TravelMode
from tests.map_tools.providers.contract import run
from tests.map_tools.providers.worlds import harbour
from tests.map_tools.tools.fakes import Candidates, Counting, candidate


def call(
    tool: str, provider: Any = None, context: ToolContext | None = None, **arguments: Any
) -> tuple[Fact, ...]:
    chosen = TOOLS[tool]
    checked = chosen.parameters.model_validate(arguments)
    return run(chosen(checked, cast("Provider", provider or harbour()), context or ToolContext()))


def only[F](facts: Sequence[Fact], kind: type[F]) -> F:
    (found,) = [fact for fact in facts if isinstance(fact, kind)]
    return found


def failures(facts: Sequence[Fact]) -> dict[str, str]:
    return {fact.subject: fact.code for fact in facts if isinstance(fact, FailureFact)}


def test_names_and_parameters_of_the_paper() -> None:
    # MapAgent, appendix C.
    assert {name: set(tool.parameters.model_fields) for name, tool in TOOLS.items()} == {
        "Nearby": {
            "query",
            "location",
            "type",
            "categories",
            "radius",
            "keyword",
            "inside",
            "everything",
            "limit",
            "facts",
            "details",
        },
        "PlaceInfo": {"location_address", "facts", "shape", "near", "inside", "kind", "wanted"},
        "Route": {"origin", "destination", "travel_mode", "alternatives", "waypoints", "avoid"}
        | {"depart_at", "arrive_by"},
        "Trip": {"current_location", "visiting_places", "travel_mode", "details", "origins"}
        | {"depart_at", "arrive_by"},
    }
    assert all(tool.description for tool in TOOLS.values())


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({"mode": "walking"}, "walking"),
        ({"travel_mode": "DRIVING"}, "driving"),
        ({"mode": "by bike"}, "bicycling"),
        ({"travel_mode": "walk", "mode": "driving"}, "walking"),
        ({}, "driving"),
    ],
)
def test_mode_is_an_alias(given: dict[str, str], mode: str) -> None:
    for name, places in (
        ("Route", {"origin": "A", "destination": "B"}),
        ("Trip", {"current_location": "A", "visiting_places": ["B"]}),
    ):
        assert TOOLS[name].parameters.model_validate({**places, **given}).travel_mode == mode  # type: ignore[attr-defined]


def test_unknown_arguments_and_modes_are_refused() -> None:
    with pytest.raises(ValidationError):
        TOOLS["Route"].parameters.model_validate({"origin": "A", "destination": "B", "speed": 3})
    with pytest.raises(ValidationError):
        TOOLS["Route"].parameters.model_validate({"origin": "A", "destination": "B", "mode": "teleport"})


class TestPlaceInfo:
    def test_everything_known(self) -> None:
        fact = only(call("PlaceInfo", location_address="Lighthouse Museum"), PlaceFact)
        assert (fact.query, fact.place.rating) == ("Lighthouse Museum", 4.6)
        assert fact.rivals == ()

    def test_details_are_fetched_where_candidates_lack_them(self) -> None:
        provider = Counting(harbour(), incomplete=True)
        call("PlaceInfo", provider, location_address="Lighthouse Museum")
        assert provider.calls == {"find_place": 1, "place_details": 1}

    def test_ambiguous(self) -> None:
        fact = only(call("PlaceInfo", location_address="Tides Coffee"), PlaceFact)
        assert {fact.place.id, *(rival.id for rival in fact.rivals)} == {"tides-north", "tides-south"}

    def test_not_found(self) -> None:
        assert failures(call("PlaceInfo", location_address="Atlantis")) == {"Atlantis": "place_not_found"}


class TestNearby:
    def test_list_around_an_anchor(self) -> None:
        facts = call("Nearby", query="restaurants", location="Lighthouse Museum", radius=1000)
        fact = only(facts, NearbyFact)
        assert [item.place.name for item in fact.items] == ["Green Bowl", "Salt & Smoke"]
        assert (fact.anchor, fact.what, fact.radius_m) == ("Lighthouse Museum", "restaurants", 1000)
        assert "restaurant" in fact.categories
        assert fact.complete
        assert only(facts, PlaceFact).place.id == "lighthouse-museum"

    def test_words_beside_a_kind_that_are_not_understood_are_no_absence(self) -> None:
        facts = call(
            "Nearby", query="restaurants open Sunday 08:00", location="Lighthouse Museum", radius=1000
        )
        assert failures(facts) == {"restaurants open Sunday 08:00": "unsupported"}
        assert "Of 2 places (restaurant)" in only(facts, FailureFact).message

    def test_a_cuisine_that_there_is_none_of_is_an_absence(self) -> None:
        facts = call("Nearby", query="mongolian restaurants", location="Lighthouse Museum", radius=1000)
        assert only(facts, NearbyFact).items == ()

    def test_a_cut_list_is_not_complete(self) -> None:
        arguments = {"query": "restaurant", "location": "Lighthouse Museum"}
        cut = only(call("Nearby", **arguments, limit=1), NearbyFact)
        assert ([item.place.name for item in cut.items], cut.complete) == (["Green Bowl"], False)
        assert only(call("Nearby", **arguments, limit=2), NearbyFact).complete
        everything = only(call("Nearby", **arguments, limit=1, everything=True), NearbyFact)
        assert (len(everything.items), everything.complete) == (2, True)

    def test_where_no_kind_is_asked_for_it_lists_what_has_a_name_and_is_no_street(self) -> None:
        class Street(Candidates):
            async def nearby(self, center: object, **asked: object) -> tuple[NearbyPlace, ...]:
                features = [
                    ("", "cafe"), ("Mill", "museum"), ("Harbour Road", "street"), ("", "traffic_signals"),
                    ("Lamp 7", "street_lamp"), ("Bean", "cafe"),
                ]  # fmt: skip
                return tuple(
                    NearbyPlace(
                        place=candidate(name, 60, 24 + 0.001 * at, categories=(kind,)).place, distance_m=at
                    )
                    for at, (name, kind) in enumerate(features)
                )

        asked = {"query": "places", "location": "Old Inn", "limit": 5}
        fact = only(call("Nearby", Street(candidate("Old Inn", 60, 25)), **asked), NearbyFact)
        assert [item.place.name for item in fact.items] == ["Mill", "Bean"]

    def test_the_anchor_is_not_near_itself(self) -> None:
        fact = only(call("Nearby", query="restaurant", location="Green Bowl"), NearbyFact)
        assert [item.place.name for item in fact.items] == ["Salt & Smoke"]

    @pytest.mark.parametrize(
        "arguments",
        [
            {"query": "vegan restaurants"},
            {"query": "vegan", "type": "restaurant"},
            {"query": "somewhere without meat", "type": "restaurant|cafe", "keyword": "vegan"},
            {"query": "Green Bowl"},
        ],
    )
    def test_keywords(self, arguments: dict[str, str]) -> None:
        fact = only(call("Nearby", location="Lighthouse Museum", **arguments), NearbyFact)
        assert [item.place.name for item in fact.items] == ["Green Bowl"]

    def test_an_empty_keyword_is_none(self) -> None:
        fact = only(
            call("Nearby", query="a bite", type="restaurant", keyword="", location="Lighthouse Museum"),
            NearbyFact,
        )
        assert len(fact.items) == 2

    def test_known_categories_are_not_read_again(self) -> None:
        facts = call(
            "Nearby", query="a place for lunch", categories=["restaurant"], location="Lighthouse Museum"
        )
        assert [item.place.name for item in only(facts, NearbyFact).items] == ["Green Bowl", "Salt & Smoke"]

    def test_around_here(self) -> None:
        context = ToolContext(here=LatLng(lat=-12.503, lng=130.752))
        fact = only(call("Nearby", None, context, query="restaurant", location="here"), NearbyFact)
        assert fact.items[0].place.name == "Salt & Smoke"
        assert fact.items[0].distance_m == pytest.approx(0, abs=0.01)
        assert failures(call("Nearby", query="restaurant", location="here")) == {"here": "unsupported"}

    def test_failures_speak_of_the_anchor(self) -> None:
        assert failures(call("Nearby", query="bar", location="Atlantis")) == {"Atlantis": "place_not_found"}
        assert failures(call("Nearby", query="bar", location="Tides Coffee")) == {"Tides Coffee": "ambiguous"}
        no_position = call("Nearby", query="museum", location="Customs House")
        assert failures(no_position) == {"Customs House": "unsupported"}
        inside = call("Nearby", query="museum", location="Lighthouse Museum", inside=True)
        assert failures(inside) == {"Lighthouse Museum": "unsupported"}

    def test_nothing_near_is_an_empty_list(self) -> None:
        fact = only(call("Nearby", query="pharmacy", location="Lighthouse Museum"), NearbyFact)
        assert (fact.items, fact.complete) == ((), True)


class TestRoute:
    def test_routes(self) -> None:
        arguments = {"origin": "Customs House", "destination": "Lighthouse Museum"}
        best = only(call("Route", **arguments), RoutesFact)
        assert ([route.summary for route in best.routes], best.complete) == (["Pier Road"], False)
        every = only(call("Route", **arguments, alternatives=True), RoutesFact)
        assert ([route.summary for route in every.routes], every.complete) == (
            ["Pier Road", "Coast Highway"],
            True,
        )
        assert every.origin_place is not None
        assert every.origin_place.id == "customs-house"

    def test_failures_speak_of_the_pair(self) -> None:
        missing = call("Route", origin="Customs House", destination="Atlantis")
        assert failures(missing) == {
            "Atlantis": "place_not_found",
            "Customs House → Atlantis": "place_not_found",
        }
        no_way = call("Route", origin="Customs House", destination="Green Bowl")
        assert failures(no_way) == {"Customs House → Green Bowl": "no_route"}
        by_bus = call("Route", origin="Customs House", destination="Green Bowl", mode="transit")
        assert failures(by_bus) == {"Customs House → Green Bowl": "unsupported"}
        ambiguous = call("Route", origin="Tides Coffee", destination="Customs House")
        assert failures(ambiguous) == {
            "Tides Coffee": "ambiguous",
            "Tides Coffee → Customs House": "ambiguous",
        }


class TestTrip:
    PLACES = ("Lighthouse Museum", "Salt & Smoke")

    def test_every_ordered_pair(self) -> None:
        facts = call("Trip", current_location="Customs House", visiting_places=self.PLACES)
        times = {(f.origin, f.destination): f.duration_s for f in facts if isinstance(f, TravelFact)}
        assert times == {
            ("Customs House", "Lighthouse Museum"): 720,
            ("Lighthouse Museum", "Customs House"): 780,
            ("Customs House", "Salt & Smoke"): 120,
        }
        assert failures(facts) == {
            "Lighthouse Museum → Salt & Smoke": "no_route",
            "Salt & Smoke → Lighthouse Museum": "no_route",
            "Salt & Smoke → Customs House": "no_route",
        }
        assert [fact.query for fact in facts if isinstance(fact, PlaceFact)] == [
            "Customs House",
            *self.PLACES,
        ]

    def test_one_missing_place_loses_nothing_else(self) -> None:
        facts = call(
            "Trip", current_location="Customs House", visiting_places=["Lighthouse Museum", "Atlantis"]
        )
        assert len([fact for fact in facts if isinstance(fact, TravelFact)]) == 2
        assert failures(facts)["Customs House → Atlantis"] == "place_not_found"
        assert failures(facts)["Atlantis"] == "place_not_found"

    def test_mode_not_served(self) -> None:
        facts = call("Trip", current_location="Customs House", visiting_places=self.PLACES, mode="transit")
        codes = set(failures(facts).values())
        assert codes == {"unsupported"}
        assert len(failures(facts)) == 6

    @pytest.mark.parametrize(("incomplete", "details"), [(False, 0), (True, 9)])
    def test_eight_places_take_one_matrix_and_one_look_up_each(
        self, *, incomplete: bool, details: int
    ) -> None:
        provider = Counting(harbour(), incomplete=incomplete)
        names = [
            "Salt & Smoke",
            "Green Bowl",
            "Quay Noodles",
            "Lighthouse Museum",
            "id:tides-north",
            "id:tides-south",
        ]
        call(
            "Trip",
            provider,
            current_location="Customs House",
            visiting_places=[*names, "-12.5,130.7", "-12.4,130.7"],
        )
        # Two places are given by id (looked up by it), two by coordinates (not looked up at all).
        assert provider.calls["find_place"] == 5
        assert provider.calls["place_details"] == 2 + (7 if details else 0)
        assert provider.calls["matrix"] == 1
        assert provider.calls["directions"] == 0
        # Look-ups at once, then the matrix and the details at once: twice a provider's latency in all.
        assert provider.rounds == 2

    def test_travel_between_the_same_words_is_left_out(self) -> None:
        facts = call("Trip", current_location="Customs House", visiting_places=["Customs House"])
        assert [fact.kind for fact in facts] == ["place"]

    def test_pairs_cover_all_permutations(self) -> None:
        stops = ("Customs House", *self.PLACES, "Green Bowl")
        facts = call("Trip", current_location=stops[0], visiting_places=stops[1:])
        pairs = {f"{a} → {b}" for a, b in itertools.permutations(stops, 2)}
        known = {f"{f.origin} → {f.destination}" for f in facts if isinstance(f, TravelFact)}
        assert known | set(failures(facts)) == pairs
        assert all(fact.mode is TravelMode.DRIVING for fact in facts if isinstance(fact, TravelFact))


@pytest.mark.parametrize(
    ("query", "keyword"), [("museum", "wheelchair"), ("wheelchair accessible museum", None)]
)
def test_a_property_is_judged_by_what_places_state(query: str, keyword: str | None) -> None:
    fact = only(call("Nearby", query=query, keyword=keyword, location="Green Bowl", radius=5000), NearbyFact)
    assert [item.place.name for item in fact.items] == ["Lighthouse Museum"]
    assert (fact.having, fact.not_stated) == (("wheelchair",), 0)


def test_what_is_not_stated_is_counted_and_what_is_denied_is_not() -> None:
    cafes = only(call("Nearby", query="cafe", keyword="wifi", location="Green Bowl", radius=5000), NearbyFact)
    assert (cafes.items, cafes.not_stated) == ((), 2)
    museums = only(
        call("Nearby", query="dog friendly museum", location="Green Bowl", radius=5000), NearbyFact
    )
    assert (museums.items, museums.not_stated) == ((), 0)
