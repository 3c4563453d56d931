"""What the embedded map answers, the database answers: a sample of calls, drawn from the map by a seed."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from functools import lru_cache

import pytest

from map_tools.maps.store import MapStore
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.providers.postgis.provider import PostgisProvider
from map_tools.types import Candidate, LatLng, TravelMode
from tests.support.maps import demo_map

type Ask = Callable[[Provider], Awaitable[object]]

LEAD = 0.1
"""How much worse than the best one a candidate may be to be compared."""
KINDS = (
    "cafe",
    "restaurant",
    "tram_stop",
    "museum",
    "pharmacy",
    "street",
    "hotel",
    "cuisine=pizza",
    "wheelchair=yes",
    "no_such_kind",
)


@lru_cache(maxsize=1)
def sampled() -> list[tuple[str, LatLng]]:
    """Names of the map and where their bearers are, in a random order."""
    store = MapStore.open(demo_map())
    rows = random.Random(1).sample(range(len(store)), 400)
    places = [place for place in store.places(rows) if place.name]
    store.close()
    return [(place.name, place.location) for place in places if place.location is not None]


def slipped(chance: random.Random, name: str) -> str:
    """A name with two letters swapped, or one left out, doubled or replaced."""
    at = chance.randrange(1, len(name) - 1)
    return chance.choice(
        (
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            name[:at] + name[at + 1 :],
            name[:at] + name[at] + name[at:],
            name[:at] + chance.choice("aeinrst") + name[at + 1 :],
        )
    )


async def differences(embedded: Provider, server: Provider, asks: dict[str, Ask]) -> list[str]:
    return [name for name, ask in asks.items() if await ask(embedded) != await ask(server)]


def differing(embedded: Provider, server: Provider, asks: dict[str, Ask]) -> list[str]:
    return asyncio.run(differences(embedded, server, asks))


def around(center: LatLng, radius_m: float, **more: object) -> Ask:
    return lambda provider: provider.nearby(center, radius_m=radius_m, **more)


async def unlike(embedded: Provider, server: Provider, texts: dict[str, LatLng | None]) -> list[str]:
    """The texts for which the two find different places.

    Names are sifted differently before the same code ranks them: far below the best one others may stand.
    """
    found = {
        text: [await provider.find_place(text, near=near, limit=20) for provider in (embedded, server)]
        for text, near in texts.items()
    }
    return [text for text, (one, other) in found.items() if leading(one) != leading(other)]


def leading(found: tuple[Candidate, ...]) -> list[Candidate]:
    return [each for each in found if each.score >= found[0].score - LEAD]


def differently_found(embedded: Provider, server: Provider, texts: dict[str, LatLng | None]) -> list[str]:
    return asyncio.run(unlike(embedded, server, texts))


def test_names(embedded: OsmProvider, provider: PostgisProvider) -> None:
    texts: dict[str, LatLng | None] = {name: None for name, _ in sampled()[:60]}
    texts |= dict(sampled()[60:90])
    assert differently_found(embedded, provider, texts) == []


def test_names_with_more_words(embedded: OsmProvider, provider: PostgisProvider) -> None:
    texts = [
        text
        for name, _ in sampled()[:12]
        for text in (f"{name}, Helsinki, Finland", f"the museum {name}", f"{name} in Kluuvi", f"hotel {name}")
    ]
    texts += ["Mannerheimintie 5", "5 Aleksanterinkatu, Helsinki", "", "?", "a"]
    assert differently_found(embedded, provider, dict.fromkeys(texts)) == []


def test_names_of_a_kind_and_inside_an_area(embedded: OsmProvider, provider: PostgisProvider) -> None:
    store = MapStore.open(demo_map())
    area = next(store.place(row).id for row in store.best_known(50) if store.has_outline(row))
    store.close()
    asks: dict[str, Ask] = {}
    for name, _ in sampled()[:12]:
        for kind in (("cafe",), ("street", "tram_stop"), ()):
            asks[f"{name} {kind}"] = lambda provider, name=name, kind=kind: provider.find_place(
                name, kind=kind, inside=area, limit=3
            )
    for kind in KINDS:
        asks[kind] = lambda provider, kind=kind: provider.find_place("Ateneum", kind=(kind,))
    assert differing(embedded, provider, asks) == []


def test_misspelt_names(embedded: OsmProvider, provider: PostgisProvider) -> None:
    chance = random.Random(3)
    texts = [slipped(chance, name) for name, _ in sampled() if len(name) > 5][:80]

    async def others() -> list[str]:
        return [
            text
            for text in texts
            if await embedded.find_place(text, limit=1) != await provider.find_place(text, limit=1)
        ]

    assert asyncio.run(others()) == []


@pytest.mark.parametrize("limit", [1, 15, None])
def test_nearby(embedded: OsmProvider, provider: PostgisProvider, limit: int | None) -> None:
    chance = random.Random(5)
    asks = {
        f"{kind} around {at}": around(at, chance.choice((80, 400, 3_000)), categories=(kind,), limit=limit)
        for kind in KINDS
        for _, at in chance.sample(sampled(), 3)
    }
    at = sampled()[0][1]
    asks["everything"] = around(at, 200, limit=limit)
    asks["two kinds"] = around(at, 900, categories=("cafe", "bakery", "restaurant"), limit=limit)
    asks["a word"] = around(at, 2_000, keyword="pizza", limit=limit)
    asks["a word of a kind"] = around(at, 2_000, keyword="coffee", categories=("cafe",), limit=limit)
    asks["no word"] = around(at, 200, keyword="!", limit=limit)
    asks["nothing"] = around(at, 0, limit=limit)
    assert differing(embedded, provider, asks) == []


def test_far_around(embedded: OsmProvider, provider: PostgisProvider) -> None:
    """Circles around the poles, across the antimeridian and around the whole earth."""
    centers = [LatLng(lat=90, lng=0), LatLng(lat=-10, lng=179.9), LatLng(lat=60.2, lng=-155.1)]
    asks = {
        f"{center} {radius_m}": around(center, radius_m, categories=("museum",), limit=3)
        for center in centers
        for radius_m in (1_000.0, 4_000_000.0, 20_100_000.0)
    }
    assert differing(embedded, provider, asks) == []


def test_inside(embedded: OsmProvider, provider: PostgisProvider) -> None:
    store = MapStore.open(demo_map())
    areas = [store.place(row) for row in store.best_known(300) if store.outline(row)][:8]
    store.close()
    assert len(areas) == 8
    asks: dict[str, Ask] = {}
    for area in areas:
        asks[area.name] = lambda provider, area=area: provider.inside(area.id)
        asks[f"cafes in {area.name}"] = lambda provider, area=area: provider.inside(
            area.id, categories=("cafe",), keyword="coffee"
        )
    assert differing(embedded, provider, asks) == []


def test_shapes_and_what_lies_around_them(embedded: OsmProvider, provider: PostgisProvider) -> None:
    store = MapStore.open(demo_map())
    rows = [*store.best_known(60), *(row for row, _ in store.find("Mannerheimintie", limit=3))]
    places = [place for place in store.places(rows) if place.categories]
    store.close()
    asks: dict[str, Ask] = {}
    for place in places:
        asks[place.name] = lambda provider, place=place: provider.shape(place.id)
        for limit in (3, None):
            asks[f"{limit} cafes around {place.name}"] = lambda provider, place=place, limit=limit: (
                provider.nearby(place, radius_m=700, categories=("cafe", "bar"), limit=limit)
            )
        asks[f"coffee around {place.name}"] = lambda provider, place=place: provider.nearby(
            place, radius_m=300, keyword="coffee"
        )
    assert differing(embedded, provider, asks) == []


def test_everywhere(embedded: OsmProvider, provider: PostgisProvider) -> None:
    asks: dict[str, Ask] = {
        kind: lambda provider, kind=kind: provider.everywhere(categories=(kind, "cafe")) for kind in KINDS
    }
    asks["a word"] = lambda provider: provider.everywhere(keyword="pizza")
    asks["all"] = lambda provider: provider.everywhere()
    assert differing(embedded, provider, asks) == []
    assert embedded.extent == provider.extent


def test_details_and_names_that_cost_nothing(embedded: OsmProvider, provider: PostgisProvider) -> None:
    store = MapStore.open(demo_map())
    ids = [place.id for place in store.places(range(0, len(store), 97))]
    store.close()
    asks: dict[str, Ask] = {one: lambda provider, one=one: provider.place_details(one) for one in ids}
    assert differing(embedded, provider, asks) == []
    for text in ("Ateneum", "atneum", "Kauppatori, Helsinki", "Zyxwvut Qqqqqq", ""):
        assert embedded.score(text) == provider.score(text)
        assert embedded.exact(text) == provider.exact(text)
    assert embedded.kinds == provider.kinds
    assert embedded.capabilities == provider.capabilities
    assert embedded.terms == provider.terms


def test_ways(embedded: OsmProvider, provider: PostgisProvider) -> None:
    stops = tuple(at for _, at in sampled()[:6])
    asks: dict[str, Ask] = {
        mode.value: lambda provider, mode=mode: provider.directions(
            stops[0], stops[1], mode=mode, alternatives=True
        )
        for mode in sorted(embedded.capabilities.modes)
    }
    asks["matrix"] = lambda provider: provider.matrix(stops, stops, mode=TravelMode.WALKING)
    assert differing(embedded, provider, asks) == []
