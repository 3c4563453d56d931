"""Generated queries about ways over an invented town, whose travel times follow from a formula of the test's own.

Travel is along streets that run north-south and east-west, so a way is as long as both offsets together.
"""

import json
import random
import tomllib
from argparse import ArgumentParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest

from evals.generate.cli import MOBILITY
from evals.generate.mobility.families import FAMILIES, named_places
from evals.generate.mobility.generator import CLASSES, Generator, generate, words
from evals.suites.mobility import Mobility
from map_tools.errors import UsageError
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.providers.world_file import WorldFile
from map_tools.types import Avoid, LatLng, Matrix, MatrixCell, Place, Route, RouteLeg, RouteStep, TravelMode
from mapagent.runtime.config import Settings

SPEEDS = {"walking": 1.4, "bicycling": 5.0, "driving": 9.0}
MOTORWAY = 0.5
"""The share of the time that a motorway takes."""
M_PER_DEG = 111_195.0
NAMES = [
    f"{first} {second}"
    for first in ("Amber", "Birch", "Cobalt", "Dune")
    for second in ("Court", "Gate", "Hall", "Yard")
]
KINDS = ("museum", "cafe", "pharmacy", "library")
EACH = 4


def way_m(a: LatLng, b: LatLng) -> float:
    return M_PER_DEG * (abs(a.lat - b.lat) + abs(a.lng - b.lng))  # the town lies at the equator


class GridTown(RecordedProvider):
    """The town; driving takes a motorway wherever nobody avoids it."""

    async def matrix(self, origins: Any, destinations: Any, *, mode: TravelMode) -> Matrix:
        rows = tuple(tuple(self._cell_of(a, b, mode) for b in destinations) for a in origins)
        return Matrix(mode=mode, rows=rows)

    def _cell_of(self, a: Place, b: Place, mode: TravelMode, share: float = 1.0) -> MatrixCell:
        assert a.location is not None
        assert b.location is not None
        metres = way_m(a.location, b.location)
        share *= MOTORWAY if mode is TravelMode.DRIVING else 1
        return MatrixCell(distance_m=metres, duration_s=share * metres / SPEEDS[mode.value])

    async def directions(
        self,
        origin: Any,
        destination: Any,
        *,
        mode: TravelMode,
        waypoints: Any = (),
        avoid: Any = (),
        **_: Any,
    ) -> tuple[Route, ...]:
        stops = (origin, *waypoints, destination)
        share = 1 / MOTORWAY if avoid else 1.0
        road = (
            "Take the ramp onto the highway."
            if mode is TravelMode.DRIVING and not avoid
            else "Go along Main Street."
        )
        cells = [self._cell_of(a, b, mode, share) for a, b in pairwise(stops)]
        legs = tuple(
            RouteLeg(
                distance_m=cell.distance_m, duration_s=cell.duration_s, steps=(RouteStep(instruction=road),)
            )
            for cell in cells
        )
        whole_m, whole_s = (
            sum(getattr(cell, name) for cell in cells) for name in ("distance_m", "duration_s")
        )
        warnings = ("This route has a highway.",) if "highway" in road else ()
        return (Route(summary="", distance_m=whole_m, duration_s=whole_s, legs=legs, warnings=warnings),)


@pytest.fixture(scope="module")
def town() -> GridTown:
    dice = random.Random(4)
    spots = [(dice.uniform(-0.02, 0.02), dice.uniform(-0.02, 0.02)) for _ in NAMES]
    places = [
        {"id": f"osm:n{number}", "name": name, "location": at, "categories": [KINDS[number % len(KINDS)]]}
        for number, (name, at) in enumerate(zip(NAMES, spots, strict=True))
    ]
    times = [
        {"origin": "osm:n0", "destination": "osm:n1", "mode": mode, "duration": 1, "distance": 1}
        for mode in SPEEDS
    ]
    file = {"format": "mapagent-world", "version": 1, "places": places, "travel_times": times}
    return GridTown(build_world((WorldFile.model_validate(file),)))


@pytest.fixture(scope="module")
def made(town: GridTown, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a suite with queries of every class."""
    folder = tmp_path_factory.mktemp("made")

    async def main() -> None:
        named = await named_places(town, KINDS)
        assert len(named) == len(NAMES)
        generator = Generator(town, named, 11)
        queries = [one async for one in generator.make(dict.fromkeys(CLASSES, EACH))]
        again = Generator(town, named, 11)
        assert [one async for one in again.make(dict.fromkeys(CLASSES, EACH))] == queries
        assert generator.given_up == {}
        (folder / "dataset.json").write_text(json.dumps([one.record for one in queries]), "utf-8")
        (folder / "world.json").write_text(json.dumps(generator.replies.world("town", town.terms)), "utf-8")

    anyio.run(main)
    return folder


@pytest.fixture(scope="module")
def records(made: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((made / "dataset.json").read_text("utf-8"))
    assert len(found) == EACH * len(FAMILIES)
    return found


def of(records: list[dict[str, Any]], category: str) -> list[dict[str, Any]]:
    return [one for one in records if one["category"] == category]


def position(record: dict[str, Any], name: str) -> LatLng:
    """By the position that a record tells beside the id; that of the asker stands behind the place's name."""
    lat, lng = map(float, record["places"][name][-1].split(","))
    return LatLng(lat=lat, lng=lng)


def took_min(record: dict[str, Any]) -> float:
    """The minutes of all gold ways of a query, by the formula."""
    total_s = 0.0
    for call in record["tool_calls"]:
        told = call["parameters"]
        if call["tool"] == "Route":
            stops = [told["origin"], *told.get("waypoints", ()), told["destination"]]
            metres = sum(way_m(position(record, a), position(record, b)) for a, b in pairwise(stops))
            share = MOTORWAY if told["travel_mode"] == "driving" and "avoid" not in told else 1
            total_s += share * metres / SPEEDS[told["travel_mode"]]
    return total_s / 60


def test_durations_are_those_of_the_gold_ways(records: list[dict[str, Any]]) -> None:
    checked = 0
    for record in records:
        for right in record.get("outcome", ()):
            if "minutes" in right:
                assert right["minutes"] == pytest.approx(took_min(record), abs=0.02), record["id"]
                checked += 1
    assert checked == 5 * EACH - 1  # of five classes, but for one length


def test_clocks_are_so_far_apart(records: list[dict[str, Any]]) -> None:
    for record in of(records, "times"):
        (right,) = record["outcome"]
        found = [int(part) for part in right["clock"].split(":")[:2]]
        given = record.get("context", {}).get("moment", record["query"])
        at = next(
            given[i - 2 : i + 3] for i in range(len(given)) if given[i] == ":" and given[i - 1].isdigit()
        )
        apart = abs(60 * found[0] + found[1] - 60 * int(at[:2]) - int(at[3:]))
        assert apart == pytest.approx(took_min(record), abs=0.51), record["id"]


def test_the_best_is_the_best(records: list[dict[str, Any]]) -> None:
    for record in of(records, "choice"):
        (call,), (right,) = record["tool_calls"], record["outcome"]
        start = position(record, call["parameters"]["current_location"])
        best = min(
            call["parameters"]["visiting_places"], key=lambda name: way_m(start, position(record, name))
        )
        assert right["one_of"] == [best], record["id"]
    order = ("driving", "bicycling", "walking")
    for record in of(records, "modes"):
        best = min((call["parameters"]["travel_mode"] for call in record["tool_calls"]), key=order.index)
        word = {"driving": "car", "bicycling": "bike", "walking": "foot"}[best]
        assert word in record["outcome"][0]["one_of"]
        assert word not in record["outcome"][0]["none_of"]


def test_the_nearest_is_the_nearest(records: list[dict[str, Any]], town: GridTown) -> None:
    everything = anyio.run(town.everywhere)
    for record in of(records, "nearest"):
        search, way = record["tool_calls"]
        assert (search.get("round", 1), way["round"]) == (1, 2)
        start, kind = position(record, search["parameters"]["location"]), search["parameters"]["query"]
        others = [
            one
            for one in everything
            if kind in one.categories and one.name != search["parameters"]["location"]
        ]
        nearest = min(
            others,
            key=lambda one: (one.location.lat - start.lat) ** 2 + (one.location.lng - start.lng) ** 2,  # type: ignore[union-attr]
        )
        assert way["parameters"]["destination"] == nearest.name, record["id"]


def test_what_is_avoided_stands_in_call_and_words(records: list[dict[str, Any]]) -> None:
    for record in of(records, "preferences"):
        (call,) = record["tool_calls"]
        said = record["query"] + " ".join(record.get("context", {}).get("preferences", ()))
        assert call["parameters"]["avoid"] == ["motorways"]
        assert "motorways" in said
    assert any("preferences" in one.get("context", {}) for one in of(records, "preferences"))


def test_unanswerable_queries_have_no_gold(records: list[dict[str, Any]]) -> None:
    assert len(of(records, "unanswerable")) == EACH
    assert all("outcome" not in one and "tool_calls" not in one for one in of(records, "unanswerable"))


def test_replies_are_replayed(made: Path, records: list[dict[str, Any]]) -> None:
    """The suite's own map tells every gold way that avoids nothing the time of the outcome."""
    assert len(Mobility().load(made, "fair")) == len(records)
    provider = Mobility().provider(made, Settings())
    assert isinstance(provider, RecordedProvider)

    async def check(record: dict[str, Any]) -> None:
        for call in record["tool_calls"]:
            told = call["parameters"]
            if call["tool"] != "Route" or "waypoints" in told or "avoid" in told:
                continue
            a, b = (position(record, told[end]) for end in ("origin", "destination"))
            matrix = await provider.matrix((a,), (b,), mode=TravelMode(told["travel_mode"]))
            share = MOTORWAY if told["travel_mode"] == "driving" else 1
            expected_s = share * way_m(a, b) / SPEEDS[told["travel_mode"]]
            assert matrix.rows[0][0].duration_s == pytest.approx(expected_s, rel=1e-3), record["id"]

    for record in records:
        if "tool_calls" in record:
            anyio.run(check, record)


def test_every_family_has_wordings_with_its_slots() -> None:
    data = tomllib.loads(files("evals.generate.mobility").joinpath("wordings.toml").read_text("utf-8"))
    for name, texts in data["wordings"].items():
        slots = [{part.split("}")[0] for part in text.split("{")[1:]} for text in texts]
        assert len(texts) == len(set(texts)) >= 2, name
        named = [one - {"move", "by"} for one in slots]
        assert all(one == named[0] for one in named), name
    assert set(words().avoided) == {Avoid.TOLLS, Avoid.MOTORWAYS, Avoid.FERRIES}


def test_a_map_without_roads_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    for axis in ("lats", "lngs"):
        np.save(tmp_path / "index" / f"{axis}.npy", np.zeros(1))
    (tmp_path / "map.json").write_text('{"name": "town", "routable": false}', "utf-8")
    with pytest.raises(UsageError, match="no roads"):
        anyio.run(generate, tmp_path, {"via": 1}, 1, tmp_path / "out")


def test_too_few_places_give_nothing(town: GridTown) -> None:
    async def main() -> tuple[list[Any], dict[str, str]]:
        generator = Generator(town, (await named_places(town, KINDS))[:1], 1)
        return [one async for one in generator.make({"via": 2})], generator.given_up

    made, given_up = anyio.run(main)
    assert made == []
    assert "too few places" in given_up["via"]


def test_arguments() -> None:
    parser = ArgumentParser()
    MOBILITY.configure(parser)
    given = parser.parse_args(["--map", "m", "--n", "18", "--seed", "3", "--out", "o"])
    assert (given.n, given.seed, given.per_template) == (18, 3, None)
