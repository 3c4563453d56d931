"""A provider with a memory: each name and each place is asked for once, whatever the tools look up again."""

import asyncio
from collections import Counter

import pytest

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import ChoosesFacts, Provider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.providers.world_file import WorldFile
from map_tools.providers.wrappers import PassingProvider, remembering
from map_tools.tools import TOOLS
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng, Place

MILL = {"name": "Old Mill", "location": [50.0, 5.0], "categories": ["museum"]}
INN = {"name": "Star Inn", "location": [50.001, 5.0], "categories": ["pub"]}
WORLD = WorldFile.model_validate(
    {
        "format": "mapagent-world",
        "version": 1,
        "places": [MILL, INN],
        "travel_times": [
            {"origin": a, "destination": b, "mode": "walking", "duration": 90, "distance": 111}
            for a, b in (("Old Mill", "Star Inn"), ("Star Inn", "Old Mill"))
        ],
    }
)


class Online(PassingProvider):
    """A recorded world that behaves as one over a network: look-ups cost, candidates are not complete."""

    def __init__(self, inner: Provider, calls: Counter[str] | None = None) -> None:
        super().__init__(inner)
        self.capabilities = inner.capabilities.model_copy(
            update={"cheap_names": False, "full_candidates": False}
        )
        self.calls: Counter[str] = Counter() if calls is None else calls

    async def _before(self, call: str) -> None:
        self.calls[call] += 1


class Choosing(Online):
    """Its calls bring the facts that are wanted."""

    def wanting(self, facts: frozenset[str]) -> Provider:
        self.calls["+".join(sorted(facts))] += 1
        return Online(self._inner, self.calls)


@pytest.fixture(name="world")
def _world() -> RecordedProvider:
    return RecordedProvider(build_world((WORLD,)))


def test_a_name_and_a_place_are_asked_for_once(world: RecordedProvider) -> None:
    online = Online(world)

    async def asked() -> tuple[Place, Place]:
        provider = remembering(online)
        for _ in range(2):
            (found,) = await provider.find_place("Old Mill", limit=1)
            details = await provider.place_details(found.place.id)
        return found.place, details

    found, details = asyncio.run(asked())
    assert found.name == details.name == "Old Mill"
    assert online.calls == {"find_place": 1, "place_details": 1}


def test_what_is_asked_otherwise_is_asked_again(world: RecordedProvider) -> None:
    online = Online(world)

    async def asked() -> None:
        provider = remembering(online)
        await provider.find_place("Old Mill", limit=1)
        await provider.find_place("Old Mill", limit=2)
        await provider.find_place("Old Mill", limit=2, near=LatLng(lat=50.0, lng=5.0))

    asyncio.run(asked())
    assert online.calls == {"find_place": 3}


def test_a_failure_is_not_remembered(world: RecordedProvider) -> None:
    online = Online(world)

    async def asked() -> None:
        provider = remembering(online)
        for _ in range(2):
            with pytest.raises(PlaceNotFoundError):
                await provider.place_details("nowhere")

    asyncio.run(asked())
    assert online.calls == {"place_details": 2}


class Forgetful(Online):
    """Its ids have gone stale."""

    async def place_details(self, place_id: str) -> Place:
        raise PlaceNotFoundError(f"There is no place with the id '{place_id}' any more.")


def test_a_name_that_led_to_a_stale_id_is_asked_for_again_and_no_other(world: RecordedProvider) -> None:
    online = Forgetful(world)

    async def asked() -> None:
        provider = remembering(online)
        for name in ("Old Mill", "Star Inn"):
            await provider.find_place(name, limit=1)
        with pytest.raises(PlaceNotFoundError):
            await provider.place_details("old-mill")
        assert online.calls["find_place"] == 2
        await provider.find_place("Star Inn", limit=1)
        assert online.calls["find_place"] == 2
        await provider.find_place("Old Mill", limit=1)
        assert online.calls["find_place"] == 3

    asyncio.run(asked())


def test_a_trip_after_a_look_up_fetches_nothing_twice(world: RecordedProvider) -> None:
    online = Online(world)

    async def asked() -> None:
        provider = remembering(online)
        info, trip = TOOLS["PlaceInfo"], TOOLS["Trip"]
        await info(info.parameters.model_validate({"location_address": "Old Mill"}), provider, ToolContext())
        arguments = {
            "current_location": "Old Mill",
            "visiting_places": ["id:star-inn"],
            "travel_mode": "walking",
        }
        await trip(trip.parameters.model_validate(arguments), provider, ToolContext())

    asyncio.run(asked())
    assert online.calls == {"find_place": 1, "place_details": 2, "matrix": 1}


def test_facts_that_are_chosen_again_come_from_memory(world: RecordedProvider) -> None:
    online = Choosing(world)
    provider = remembering(online)
    assert isinstance(provider, ChoosesFacts)

    async def asked() -> None:
        for _ in range(2):
            await provider.wanting(frozenset({"hours"})).place_details("old-mill")
        await provider.wanting(frozenset({"phone"})).place_details("old-mill")

    asyncio.run(asked())
    assert online.calls == {"hours": 1, "phone": 1, "place_details": 2}


def test_a_map_on_this_machine_needs_no_memory(world: RecordedProvider) -> None:
    assert world.capabilities.cheap_names
    assert remembering(world) is world
    assert not isinstance(remembering(Online(world)), ChoosesFacts)
