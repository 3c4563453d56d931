"""What every provider must keep: subclass `ProviderContract` and say what the map behind yours holds."""

import asyncio
import itertools
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import pytest
from pyproj import Geod

from map_tools.errors import NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Provider
from map_tools.types import LatLng, Place, TravelMode

NOWHERE = LatLng(lat=-54.4, lng=3.4)
"""Bouvet Island: no test map reaches it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Facts of the test map, known from outside the code under test.

    Attributes:
        name: An unambiguous place; `position` where it lies, give or take `tolerance_m`.
        category: A category with at least two places within `radius_m` of that place.
        origin, destination: Names of places with a way between them by `mode`.
    """

    name: str
    position: LatLng
    category: str
    origin: str
    destination: str
    mode: TravelMode
    tolerance_m: float = 300
    radius_m: float = 2_000


def run[T](work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end."""
    return asyncio.run(work)


def geodesic_m(a: LatLng, b: LatLng) -> float:
    return float(Geod(ellps="WGS84").inv(a.lng, a.lat, b.lng, b.lat)[2])


class ProviderContract:
    """Subclasses define the fixtures `provider` and `sample`."""

    @pytest.fixture
    def sample(self) -> Sample:
        raise NotImplementedError

    @pytest.fixture
    def provider(self) -> Provider:
        raise NotImplementedError

    def place(self, provider: Provider, name: str) -> Place:
        return run(provider.find_place(name))[0].place

    def test_is_a_provider(self, provider: Provider) -> None:
        assert isinstance(provider, Provider)
        assert provider.name
        assert provider.capabilities.facts <= set(Place.model_fields)

    def test_declares_its_terms(self, provider: Provider) -> None:
        assert provider.terms.attribution
        assert provider.terms.attribution_url.startswith("https://")

    def test_axis_order(self, provider: Provider, sample: Sample) -> None:
        location = self.place(provider, sample.name).location
        assert location is not None
        assert geodesic_m(location, sample.position) <= sample.tolerance_m

    def test_candidates_fall_in_score(self, provider: Provider, sample: Sample) -> None:
        found = run(provider.find_place(sample.name, limit=5))
        scores = [candidate.score for candidate in found]
        assert 1 <= len(found) <= 5
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1 for score in scores)

    def test_candidates_tell_their_distance_from_the_context(
        self, provider: Provider, sample: Sample
    ) -> None:
        found = run(provider.find_place(sample.name, near=sample.position))
        assert found[0].place.location is not None
        expected = geodesic_m(sample.position, found[0].place.location)
        assert found[0].distance_m == pytest.approx(expected, rel=1e-3, abs=1)

    def test_unknown_place_is_an_empty_result(self, provider: Provider) -> None:
        assert run(provider.find_place("Zyxwvut Qqqqqq")) == ()
        assert run(provider.find_place("")) == ()

    def test_details_by_id(self, provider: Provider, sample: Sample) -> None:
        place = self.place(provider, sample.name)
        assert run(provider.place_details(place.id)).id == place.id

    def test_unknown_id(self, provider: Provider) -> None:
        with pytest.raises(PlaceNotFoundError):
            run(provider.place_details("no-such-id"))

    def test_nearby_ascends_within_the_radius(self, provider: Provider, sample: Sample) -> None:
        found = run(
            provider.nearby(
                sample.position, radius_m=sample.radius_m, categories=(sample.category,), limit=None
            )
        )
        distances = [item.distance_m for item in found if item.distance_m is not None]
        assert len(found) >= 2
        assert distances == sorted(distances)
        assert all(distance <= sample.radius_m for distance in distances)
        assert all(sample.category in item.place.categories for item in found)

    def test_nearby_distances_are_geodesic(self, provider: Provider, sample: Sample) -> None:
        found = run(provider.nearby(sample.position, radius_m=sample.radius_m, categories=(sample.category,)))
        for item in found:
            assert item.place.location is not None
            expected = geodesic_m(sample.position, item.place.location)
            assert item.distance_m == pytest.approx(expected, rel=1e-3, abs=1)

    def test_nearby_limit_takes_the_nearest(self, provider: Provider, sample: Sample) -> None:
        kind = {"radius_m": sample.radius_m, "categories": (sample.category,)}
        everything = run(provider.nearby(sample.position, **kind, limit=None))
        first = run(provider.nearby(sample.position, **kind, limit=1))
        assert [item.place.id for item in first] == [everything[0].place.id]

    def test_nearby_nothing(self, provider: Provider, sample: Sample) -> None:
        assert run(provider.nearby(NOWHERE, radius_m=500, categories=(sample.category,))) == ()

    def test_directions_between_places(self, provider: Provider, sample: Sample) -> None:
        origin, destination = (self.place(provider, name) for name in (sample.origin, sample.destination))
        routes = run(provider.directions(origin, destination, mode=sample.mode, alternatives=True))
        assert routes
        for route in routes:
            assert route.duration_s is not None
            assert route.duration_s > 0
            assert len(route.legs) == 1

    def test_one_route_unless_alternatives_are_asked(self, provider: Provider, sample: Sample) -> None:
        origin, destination = (self.place(provider, name) for name in (sample.origin, sample.destination))
        assert len(run(provider.directions(origin, destination, mode=sample.mode))) == 1

    def test_no_way_to_nowhere(self, provider: Provider, sample: Sample) -> None:
        origin = self.place(provider, sample.origin)
        with pytest.raises(NoRouteError):
            run(provider.directions(origin, NOWHERE, mode=sample.mode))

    def test_undeclared_modes_are_refused(self, provider: Provider, sample: Sample) -> None:
        origin, destination = (self.place(provider, name) for name in (sample.origin, sample.destination))
        for mode in set(TravelMode) - provider.capabilities.modes:
            with pytest.raises(UnsupportedError):
                run(provider.directions(origin, destination, mode=mode))
            with pytest.raises(UnsupportedError):
                run(provider.matrix((origin,), (destination,), mode=mode))

    def test_declared_modes_are_served(self, provider: Provider, sample: Sample) -> None:
        origin = self.place(provider, sample.origin)
        for mode in provider.capabilities.modes:
            matrix = run(provider.matrix((origin,), (origin,), mode=mode))
            assert matrix.mode is mode

    def test_matrix_shape_and_empty_cells(self, provider: Provider, sample: Sample) -> None:
        origin, destination = (self.place(provider, name) for name in (sample.origin, sample.destination))
        matrix = run(provider.matrix((origin, destination), (destination, origin, NOWHERE), mode=sample.mode))
        assert [len(row) for row in matrix.rows] == [3, 3]
        assert matrix.rows[0][0].duration_s
        assert matrix.rows[0][1].duration_s == 0
        assert matrix.rows[0][2].duration_s is None
        assert matrix.rows[0][2].distance_m is None

    def test_areas_are_refused_where_there_are_none(self, provider: Provider, sample: Sample) -> None:
        point = self.place(provider, sample.name)
        if not provider.capabilities.areas:
            with pytest.raises(UnsupportedError):
                run(provider.inside(point.id))

    def test_twenty_calls_at_once(self, provider: Provider, sample: Sample) -> None:
        origin, destination = (self.place(provider, name) for name in (sample.origin, sample.destination))

        async def burst() -> list[object]:
            calls = itertools.islice(
                itertools.cycle(
                    [
                        lambda: provider.find_place(sample.name),
                        lambda: provider.nearby(
                            sample.position, radius_m=sample.radius_m, categories=(sample.category,)
                        ),
                        lambda: provider.directions(origin, destination, mode=sample.mode),
                        lambda: provider.matrix((origin,), (destination,), mode=sample.mode),
                    ]
                ),
                20,
            )
            return await asyncio.gather(*(call() for call in calls))

        results = run(burst())
        for first, again in zip(results[:4], results[4:8], strict=True):
            assert first == again
