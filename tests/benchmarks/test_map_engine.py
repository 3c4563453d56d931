"""Map engines: how they are asked, what about, and the tables."""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from pyproj import Geod
from rapidfuzz.distance import OSA

from benchmarks import history
from benchmarks.map_engine import __main__ as command
from benchmarks.map_engine import tasks
from benchmarks.map_engine.asking import answer_to, ask
from benchmarks.map_engine.engines import ENGINES, Absent, Stage, growth, table
from benchmarks.map_engine.tasks import write_city
from map_tools.maps.feature import Feature
from map_tools.maps.making.extract import Extract
from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import features

TASKS = {
    "names": ["Alpha", "Beta"],
    "misspelt": [["Aplha", "Alpha"]],
    "centers": [[[1.0, 2.0], [100.0, 200.0]], [[3.0, 4.0], []]],
    "ways": [[[1.0, 2.0], [3.0, 4.0]]],
    "stops": [[1.0, 2.0], [3.0, 4.0]],
    "tag": ["amenity", "cafe"],
    "radius_m": 1_000.0,
    "limit": 15,
}


class Half:
    """Finds only Alpha, has distances of a sphere, knows no travel times."""

    closed = False
    looks = 0

    def open(self) -> None: ...

    def find(self, text: str) -> str | None:
        return "Alpha" if text.startswith("A") else None

    def nearby(
        self, center: Sequence[float], radius_m: float, tag: tuple[str, str], limit: int
    ) -> list[float]:
        assert (radius_m, tag, limit) == (1_000.0, ("amenity", "cafe"), 15)
        return [100.5, 199.0] if list(center) == [1.0, 2.0] else [5.0]

    def route(self, start: object, end: object) -> float | None:
        return None

    def matrix(self, stops: object) -> int:
        raise NotImplementedError

    def processor_s(self) -> float:
        """Half a second for each time it is looked at."""
        self.looks += 1
        return self.looks / 2

    def close(self) -> None:
        self.closed = True


def test_what_is_right_and_what_cannot_be_done() -> None:
    engine = Half()
    figures = ask(engine, TASKS)
    assert {name: value for name, value in figures.items() if name.endswith("right")} == {
        "name right": 0.5,
        "misspelt name right": 1.0,
        "nearby right": 0.5,
        "route right": 0.0,
    }
    assert not any(name.startswith("matrix") for name in figures)
    assert all(value >= 0 for value in figures.values())
    assert (figures["name cpu ms"], figures["route cpu ms"]) == (250.0, 500.0)
    assert engine.closed


def test_figures_are_one_line_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps(TASKS))
    answer_to(Half(), tmp_path)
    assert json.loads(capsys.readouterr().out)["name right"] == 0.5


def test_asking_needs_nothing_but_python() -> None:
    """Engines that have an environment of their own, without our packages, run the same code."""
    imported = "[name for name in sys.modules if name in {'numpy', 'pydantic', 'map_tools'}]"
    program = f"import sys, benchmarks.map_engine.asking; print({imported})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_engines_that_are_not_here_say_how_to_bring_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.map_engine.engines.PEER_PYTHON", tmp_path / "none")
    for name, remedy in {"pyrosm": "make bench-env", "osmnx": "make bench-env", "postgis": "--dsn"}.items():
        with pytest.raises(Absent, match=remedy):
            ENGINES[name](Stage(tmp_path, "", 1.0))


def test_tables() -> None:
    measured = {
        1_000: {
            "osm": {"ingest s": 2.0, "name ms": 4.0, "name cpu ms": 1.0, "name right": 1.0},
            "other": {"name ms": 2.0, "name cpu ms": 3.0},
        },
        5_000: {"osm": {"ingest s": 8.0, "name ms": 4.0}, "other": {}},
    }
    assert "| 1,000 | name | other | 2 ms | 0.5 | 3 ms | 3.0 |  |" in table(measured)
    assert "| 1,000 | name | osm | 4 ms | 1.0 | 1 ms | 1.0 | 100% |" in table(measured)
    assert "| 1,000 | ingest | osm | 2 s | 1.0 |  |  |  |" in table(measured)
    assert "| osm | ingest | 1,000 | 5,000 | 4.00 × |" in growth(measured)
    assert "other" not in growth(measured)


def test_our_engine_in_processes_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "history.jsonl"
    arguments = ["--sizes", "2000", "--engines", "osm", "--no-sql", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["map_engine", *arguments])
    assert command.main() == 0
    (entry,) = history.read(out)
    assert entry.figures["osm, 2000: name right"] == 1.0
    assert entry.figures["osm, 2000: nearby right"] == 1.0
    assert entry.figures["osm, 2000: route right"] == 1.0
    assert entry.figures["osm, 2000: matrix right"] == 1.0
    assert "| 2,000 | ingest peak | osm |" in capsys.readouterr().out


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


FIGURES = {"name ms": 2.0, "name cpu ms": 1.0, "name right": 0.5, "memory MB": 100.0}
LARGER = {"name ms": 3.0, "name cpu ms": 1.0, "name right": 1.0, "memory MB": 400.0}
SLOWER = {"name ms": 8.0, "name cpu ms": 3.0, "name right": 1.0}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_each_row_has_a_cell_for_each_column() -> None:
    lines = table({1000: {"osm": FIGURES, "other": SLOWER}}).splitlines()
    header = _cells(lines[0])
    rows = [dict(zip(header, _cells(line), strict=True)) for line in lines]
    assert len(header) == len(_cells(lines[1])) == 8
    assert [row["engine"] for row in rows[2:]] == ["osm", "osm", "other"]


def test_others_are_told_as_multiples_of_ours() -> None:
    *_, last = table({1000: {"osm": FIGURES, "other": SLOWER}}).splitlines()
    assert _cells(last) == ["1,000", "name", "other", "8 ms", "4.0", "3 ms", "3.0", "100%"]


def test_growth_is_told_from_one_size_to_the_next() -> None:
    grown = growth({1000: {"osm": FIGURES}, 10_000: {"osm": LARGER}})
    assert "| osm | memory | 1,000 | 10,000 | 4.00 × |" in grown
    assert "| osm | name | 1,000 | 10,000 | 1.50 × |" in grown
