"""Details of places: what is asked for, as it may cost money, and what a provider fails to give."""

from collections import Counter
from typing import Any

import pytest

from map_tools.errors import LimitError, MapAgentError, PlaceNotFoundError, ProviderError
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact
from map_tools.providers.base import CutList, Provider, asking_for
from map_tools.providers.recorded import RecordedProvider
from map_tools.tools import TOOLS
from map_tools.tools.base import ToolContext
from map_tools.types import NearbyPlace, Place
from tests.map_tools.providers.contract import run
from tests.map_tools.providers.worlds import harbour

HARBOUR_FACTS = harbour().capabilities.facts - {"reviews"}


class Choosy(RecordedProvider):
    """A provider that is told which facts are wanted; `brief`: its lists say no hours."""

    def __init__(self, inner: RecordedProvider, *, brief: bool = False, cut: bool = False) -> None:
        super().__init__(inner._world)
        self.capabilities = self.capabilities.model_copy(update={"full_candidates": not brief})
        self.brief, self.cut = brief, cut
        self.asked: list[frozenset[str]] = []
        self.looked_up: list[str] = []

    def wanting(self, facts: frozenset[str]) -> Provider:
        self.asked.append(facts)
        return self

    async def place_details(self, place_id: str) -> Place:
        self.looked_up.append(place_id)
        return await super().place_details(place_id)

    async def nearby(self, *args: Any, **options: Any) -> tuple[NearbyPlace, ...]:
        found = await super().nearby(*args, **options)
        if self.brief:
            found = tuple(NearbyPlace(place=_brief(item.place), distance_m=item.distance_m) for item in found)
        return CutList(found) if self.cut else found


def _brief(place: Place) -> Place:
    return place.model_copy(update={"hours": None})


def call(tool: str, provider: Any, **arguments: Any) -> tuple[Any, ...]:
    chosen = TOOLS[tool]
    return run(chosen(chosen.parameters.model_validate(arguments), provider, ToolContext()))


def listed(provider: Provider, **arguments: Any) -> NearbyFact:
    facts = call("Nearby", provider, location="Customs House", query="restaurant", **arguments)
    (found,) = [fact for fact in facts if isinstance(fact, NearbyFact)]
    return found


@pytest.mark.parametrize(("facts", "asked"), [((), HARBOUR_FACTS), (("hours",), frozenset({"hours"}))])
def test_what_is_wanted_is_handed_on(facts: tuple[str, ...], asked: frozenset[str]) -> None:
    provider = Choosy(harbour())
    (found,) = call("PlaceInfo", provider, location_address="Customs House", facts=facts)
    assert isinstance(found, PlaceFact)
    listed(provider, facts=facts)
    assert provider.asked == [asked, asked]


def test_a_provider_that_does_not_choose_is_asked_as_it_is() -> None:
    provider = harbour()
    assert asking_for(provider, {"hours"}) is provider


def test_a_cut_list_is_not_complete() -> None:
    assert listed(Choosy(harbour()), everything=True).complete
    assert not listed(Choosy(harbour(), cut=True), everything=True).complete


@pytest.mark.parametrize(
    ("brief", "details", "lookups"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_places_are_looked_up_one_by_one_only_where_that_adds_something(
    brief: bool, details: bool, lookups: bool
) -> None:
    provider = Choosy(harbour(), brief=brief)
    found = listed(provider, details=details)
    assert found.items
    assert bool(provider.looked_up) is lookups
    whole = {item.place.id: item.place for item in listed(harbour()).items}
    expected = whole if lookups or not brief else {key: _brief(place) for key, place in whole.items()}
    assert {item.place.id: item.place for item in found.items} == expected


STALE = PlaceNotFoundError("No place has the id 'x'.")


class Failing:
    """A provider whose details fail the first so many times for each place."""

    def __init__(self, error: MapAgentError, times: int) -> None:
        self.inner = harbour()
        self.capabilities = self.inner.capabilities.model_copy(update={"full_candidates": False})
        self.searches = 0
        self._error = error
        self._times = times
        self._asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def find_place(self, text: str, **more: Any) -> Any:
        self.searches += 1
        return await self.inner.find_place(text, **more)

    async def place_details(self, place_id: str) -> Place:
        self._asked[place_id] += 1
        if self._asked[place_id] <= self._times:
            raise self._error
        return await self.inner.place_details(place_id)


def lost(facts: tuple[Fact, ...]) -> list[tuple[str, str, str]]:
    return [(fact.code, fact.message, fact.subject) for fact in facts if isinstance(fact, FailureFact)]


def trip(provider: Failing) -> tuple[Fact, ...]:
    return call("Trip", provider, current_location="Lighthouse Museum", visiting_places=["Green Bowl"])


def nearby(provider: Failing) -> tuple[Fact, ...]:
    return call(
        "Nearby", provider, query="restaurants", location="Lighthouse Museum", radius=1000, details=True
    )


def test_a_stale_id_is_looked_up_anew() -> None:
    provider = Failing(STALE, 1)
    (fact,) = call("PlaceInfo", provider, location_address="Green Bowl")
    assert isinstance(fact, PlaceFact)
    assert fact.place.id == "green-bowl"
    assert provider.searches == 2


def test_an_id_that_stays_stale_is_a_failure() -> None:
    provider = Failing(STALE, 9)
    facts = call("PlaceInfo", provider, location_address="Green Bowl")
    assert lost(facts) == [("provider", "No place has the id 'x'.", "details of Green Bowl")]
    assert provider.searches == 2


def test_a_trip_looks_its_places_up_anew_too() -> None:
    provider = Failing(STALE, 1)
    assert lost(trip(provider)) == lost(trip(Failing(STALE, 0)))
    assert provider.searches == 4


@pytest.mark.parametrize(
    ("error", "code"),
    [(ProviderError("Down."), "provider"), (STALE, "provider"), (LimitError("Spent."), "limit")],
)
def test_a_trip_says_whose_details_are_lacking(error: MapAgentError, code: str) -> None:
    facts = trip(Failing(error, 99))
    named = [one for one in lost(facts) if one[2].startswith("details of")]
    assert named == [
        (code, error.message, "details of Lighthouse Museum"),
        (code, error.message, "details of Green Bowl"),
    ]
    assert [fact.place.id for fact in facts if isinstance(fact, PlaceFact)] == [
        "lighthouse-museum",
        "green-bowl",
    ]


def test_a_list_says_whose_details_are_lacking() -> None:
    facts = nearby(Failing(ProviderError("Down."), 1))
    assert lost(facts) == [
        ("provider", "Down.", "details of Green Bowl"),
        ("provider", "Down.", "details of Salt & Smoke"),
    ]
    (found,) = [fact for fact in facts if isinstance(fact, NearbyFact)]
    assert [item.place.name for item in found.items] == ["Green Bowl", "Salt & Smoke"]


def test_nothing_is_lacking_where_nothing_fails() -> None:
    assert lost(nearby(Failing(STALE, 0))) == []
