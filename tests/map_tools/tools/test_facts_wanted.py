"""Facts cost money at some providers: what the tools ask for, and what a cut list makes of an answer."""

from typing import Any

import pytest

from map_tools.facts import NearbyFact, PlaceFact
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


def call(tool: str, provider: Provider, **arguments: Any) -> tuple[Any, ...]:
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
