"""The city as a file is the city that our own maps are made of, and the tasks know its truth."""

import random
from functools import lru_cache
from pathlib import Path

import pytest
from pyproj import Geod
from rapidfuzz.distance import OSA

from evals.bench.map_engine import tasks
from evals.bench.map_engine.tasks import write_city
from map_tools.maps.extract import Extract
from map_tools.maps.feature import Feature
from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import features


@lru_cache(maxsize=1)
def city() -> City:
    return City(7, 2_000)


def known(feature: Feature) -> tuple[str, str, frozenset[str]]:
    return str(feature.shape), feature.tags.get("name", ""), frozenset(feature.categories)


@pytest.mark.parametrize("name", ["city.osm.pbf", "city.osm"])
def test_the_file_holds_the_whole_city(tmp_path: Path, name: str) -> None:
    write_city(city(), tmp_path / name)
    read = Extract(tmp_path / name)
    stops = {"bus_stop", "platform"}  # buses are no matter of these engines
    expected = [known(each) for each in features(city()) if not stops & set(each.categories)]
    assert sorted(map(known, read.features()), key=repr) == sorted(expected, key=repr)
    assert read.damaged == 0


def test_the_nearest_places_are_those_of_the_city() -> None:
    drawn = tasks.draw(city())
    geod = Geod(ellps="WGS84")
    cafes = [place.at for place in city().places() if place.kind.value == "cafe"]
    for (lat, lng), truth in drawn.centers:
        away = sorted(geod.inv(lng, lat, at.lng, at.lat)[2] for at in cafes)
        assert truth == pytest.approx(
            [each for each in away if each <= drawn.radius_m][: drawn.limit], abs=0.01
        )


def test_the_same_tasks_each_time_and_names_of_the_city() -> None:
    drawn = tasks.draw(city())
    assert drawn == tasks.draw(city())
    names = {place.name for place in city().places()}
    assert {*drawn.names, *(name for _, name in drawn.misspelt)} <= names
    assert (len(drawn.names), len(drawn.misspelt), len(drawn.stops)) == (30, 30, 8)


def test_a_misspelt_name_has_two_slips() -> None:
    """A swap and a letter left out, by the distance that counts a swap as one (optimal string alignment)."""
    chance = random.Random(1)
    for name in ("Zum Goldenen Hirsch", "Backhaus am Tor"):
        for _ in range(50):
            assert 1 <= OSA.distance(tasks.misspelt(chance, name), name) <= 2
