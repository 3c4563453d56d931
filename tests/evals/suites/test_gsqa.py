"""The suite gsqa: its file, what counts, and how answers are judged."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from shapely import Point, box

from evals.ports import Item, Score
from evals.suites.gsqa import Gsqa
from evals.suites.scoring.gsqa import score_gsqa
from evals.worlds.database import WorldDatabase, beside
from map_tools.errors import InputFileError
from map_tools.spatial_db.duckdb_engine import connect, sql_text
from map_tools.types import LatLng, Place
from mapagent.core.answer import Answer, Named, NameSet, Quantity, Status, Value
from mapagent.runtime.config import Settings
from tests.support.data import shared

OUTPUTS = {
    "T1": "name",
    "T4": "name",
    "T7": "name",
    "T8": "name",
    "T12": "name",
    "T13": "loc",
    "T21": "angle",
}
OUTPUTS |= {"T23": "count", "T25": "distance", "T27": "area", "T28": "length"}


def record(number: int, template: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": number,
        "template": template,
        "type": "x",
        "question": "Which mill is nearest?",
        "answer_type": OUTPUTS[template],
        "table": "pois",
        "answers": [{"name": "Old Mill"}],
        "entities": {},
        "world_ok": True,
    } | changes


def load(tmp_path: Path, *records: dict[str, Any]) -> tuple[Item, ...]:
    path = tmp_path / "dev.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return Gsqa().load(tmp_path, "fair")


def one(tmp_path: Path, template: str, answers: list[dict[str, Any]]) -> Item:
    (item,) = load(tmp_path, record(1, template, answers=answers))
    return item


def answered(text: str, value: Value | None = None) -> Answer:
    return Answer(status=Status.ANSWERED, text=text, value=value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2"),
        (json.dumps(record(1, "T1")), "line 2: the id 1 was used before, in line 1"),
        (json.dumps(record(2, "T1") | {"template": "T29"}), r"line 2 \(id 2\).*no template 'T29'"),
        (json.dumps(record(2, "T23", answer_type="name")), "asks for count, not for name"),
        (json.dumps(record(2, "T23")), "no answer has a 'count'"),
        (json.dumps(record(2, "T1", world_ok=None)), "world_ok"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "dev.jsonl").write_text(json.dumps(record(1, "T1")) + "\n" + line + "\n")
    with pytest.raises(InputFileError, match=message):
        Gsqa().load(tmp_path, "fair")


def test_what_is_reported_apart_and_what_is_defective(tmp_path: Path) -> None:
    items = load(
        tmp_path,
        record(1, "T1"),
        record(2, "T1", world_ok=False),
        record(3, "T7"),
        record(4, "T8"),
        record(5, "T12"),
        record(6, "T4", towards_azimuth=22.0),
        record(7, "T4", towards_azimuth=337.5),
        record(8, "T4", towards_azimuth=338.0),
        record(9, "T12", true_gold=True),
    )
    assert [bool(item.apart) for item in items] == [False, True, True, True, *[False] * 5]
    assert [bool(item.defective) for item in items] == [False] * 4 + [True, True, False, True, False]


def test_names(tmp_path: Path) -> None:
    item = one(tmp_path, "T1", [{"name": "Old Mill Inn"}, {"name": "Tower"}])
    assert score_gsqa(item, answered("Tower")).values["strict"] == 1
    loose = score_gsqa(item, answered("Old Mill"))
    assert loose.correct
    assert loose.values["strict"] == 0
    assert loose.values["parsed_f1"] == pytest.approx(0.8)
    assert not score_gsqa(item, answered("New Bridge")).correct


def test_who_names_more_than_three_places_is_wrong(tmp_path: Path) -> None:
    item = one(tmp_path, "T1", [{"name": "Tower"}])
    three, four = NameSet(names=("A", "B", "Tower")), NameSet(names=("A", "B", "C", "Tower"))
    assert score_gsqa(item, answered("-", three)).correct
    assert not score_gsqa(item, answered("-", four)).correct
    assert not score_gsqa(item, answered("A\nB\nC\nTower")).correct


def test_locations_by_address_or_position(tmp_path: Path) -> None:
    item = one(
        tmp_path, "T13", [{"name": "Old Mill", "address": "River Street, Westport", "lat": 47.0, "lon": 9.0}]
    )
    assert score_gsqa(item, answered("12 River Street, Westport")).correct
    near = Place(id="n1", name="Old Mill", location=LatLng(lat=47.0005, lng=9.0))  # some 56 m to the north
    far = Place(id="n2", name="Old Mill", location=LatLng(lat=47.1, lng=9.0))  # some 11 km
    score = score_gsqa(item, answered("-", Named(name="Old Mill", place=near)))
    assert score.correct
    assert score.values["distance_error"] == pytest.approx(55.6 / 500_000, rel=0.01)
    score = score_gsqa(item, answered("-", Named(name="Old Mill", place=far)))
    assert not score.correct
    assert score.values["distance_error"] == pytest.approx(11_118 / 500_000, rel=0.01)


def test_an_address_is_looked_up_in_the_world(tmp_path: Path) -> None:
    item = one(tmp_path, "T13", [{"address": "River Street, Westport", "lat": 47.0, "lon": 9.0}])
    known = {"Quay, Eastport": LatLng(lat=47.0, lng=9.0)}
    score = score_gsqa(item, answered("Quay, Eastport"), known.get)
    assert score.values["distance_error"] == 0
    assert not score.correct  # a looked-up position tells the error, not that the address is right
    assert "distance_error" not in score_gsqa(item, answered("Elsewhere"), known.get).values


def test_directions_by_sector(tmp_path: Path) -> None:
    item = one(tmp_path, "T21", [{"angle": 350.0}])
    score = score_gsqa(item, answered("north"))
    assert score.correct
    assert score.values["angle_error"] == pytest.approx(10 / 180)
    assert not score_gsqa(item, answered("north-west")).correct
    assert score_gsqa(item, answered("-", Quantity(value=352, unit="deg"))).values["strict"] == 1


@pytest.mark.parametrize(
    ("template", "field", "unit"),
    [("T23", "count", "count"), ("T25", "distance", "m"), ("T27", "area", "m2"), ("T28", "length", "m")],
)
def test_numbers_within_ten_percent(tmp_path: Path, template: str, field: str, unit: str) -> None:
    item = one(tmp_path, template, [{field: 200}])
    assert score_gsqa(item, answered("-", Quantity(value=219, unit=unit))).correct
    score = score_gsqa(item, answered("-", Quantity(value=900, unit=unit)))
    assert not score.correct
    assert score.values["relative_error"] == 1
    nothing = score_gsqa(item, answered("no idea"))
    assert nothing.values["attempted"] == 0
    assert nothing.invalid


def test_a_fact_of_another_source_and_its_place_are_told_apart(tmp_path: Path) -> None:
    item = one(tmp_path, "T7", [{"name": "Old Mill", "multihop_answer": "1928"}])
    refusal = Answer(
        status=Status.UNANSWERABLE,
        text="",
        reason="The nearest is Old Mill; its age needs an external source.",
    )
    score = score_gsqa(item, refusal)
    assert score.refused
    assert score.values["place_found"] == 1
    assert not score.correct
    assert score_gsqa(item, answered("1928")).correct


def test_metrics(tmp_path: Path) -> None:
    items = load(
        tmp_path,
        record(1, "T1"),
        record(2, "T1"),
        record(3, "T8"),
        record(4, "T23", answers=[{"count": 10}]),
        record(5, "T27", answers=[{"area": 10.0}], world_ok=False),
    )
    suite = Gsqa()
    replies = ("Old Mill", "Bridge", "Old Mill", "ten", "-")
    judged = [(item, suite.score(item, answered(text))) for item, text in zip(items, replies, strict=True)]
    figures = suite.metrics(judged)
    assert (figures["headline"]["n"], figures["headline"]["correct"]) == (3, 2)
    assert figures["entity_macro"] == pytest.approx((0.5 + 1) / 2)
    assert figures["numeric_macro"] == pytest.approx((1 + 0) / 2)
    assert figures["headline_numeric_macro"] == 1
    assert figures["apart"]["T8"]["place_found"] == 1
    assert figures["apart"]["not_in_the_extract"]["n"] == 1
    assert figures["by_type"]["areas"]["attempted"] == 0
    assert figures["ver"] == 1
    assert figures["sensitivity"]["numeric"]["0.01"] == 0.5
    assert json.dumps(figures)


def test_a_question_that_failed_has_no_figures_and_counts_as_wrong(tmp_path: Path) -> None:
    items = load(tmp_path, record(1, "T1"), record(2, "T23", answers=[{"count": 10}]))
    figures = Gsqa().metrics([(item, Score(correct=False, invalid=True)) for item in items])
    assert figures["ver"] == 0
    assert figures["sensitivity"]["numeric"]["0.5"] == 0
    assert figures["headline"]["correct"] == 0


def test_the_public_file() -> None:
    """Counts of the data's README: T7 and T8 are 100, and 1,030 others follow from the extract."""
    items = Gsqa().load(shared("gsqa"), "fair")
    assert len(items) == 1392
    assert sum(item.apart == "needs an external source" for item in items) == 100
    assert sum(not item.apart for item in items) == 1030
    assert {item.category for item in items} == {f"T{number}" for number in range(1, 29)}


def test_the_extract_as_a_gazetteer(tmp_path: Path) -> None:
    """By name and by address as the published evaluator joins it, written with DuckDB for the test."""
    pytest.importorskip("duckdb")
    with connect() as database:
        database.execute(
            "CREATE TABLE pois AS SELECT 1 AS osm_id, 'Old Mill' AS poi_name, 'Quay' AS addr_street,"
            " 'Westport' AS addr_city, NULL::VARCHAR AS addr_state, '123' AS addr_postcode,"
            " ST_Point(9.5, 47.25) AS geometry"
        )
        database.execute(f"COPY pois TO '{tmp_path / 'pois.parquet'}'")
    suite = Gsqa()
    provider = suite.provider(tmp_path, Settings(data_home=tmp_path / "home"), tmp_path)
    assert isinstance(provider, WorldDatabase)
    assert provider.exact("old mill")
    asyncio.run(provider.close())
    item = one(tmp_path, "T13", [{"name": "Old Mill", "address": "Elsewhere", "lat": 47.25, "lon": 9.5}])
    for text in ("old mill", "Quay, Westport, 123"):
        assert suite.score(item, answered(text)).values["distance_error"] == 0
    assert "world" in suite.notes()["geocoder"]


def test_a_world_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"pois\.parquet"):
        Gsqa().provider(tmp_path, Settings(), tmp_path)


def write_world(folder: Path) -> Path:
    """Two places and a region, as GeoParquet."""
    pytest.importorskip("duckdb")
    folder.mkdir()
    rows = {
        "pois": ("poi_name, amenity, addr_city, addr_state", [
            ("Old Mill", "cafe", "Westport", "QX", Point(10.0, 50.0)),
            ("New Mill", "cafe", "Easton", "QX", Point(10.2, 50.0)),
        ]),
        "regions": ("region_name, wikipedia", [
            ("Westport", "en:Westport, Queensland", box(9.9, 49.9, 10.1, 50.1)),
        ]),
    }  # fmt: skip
    with connect() as database:
        for table, (columns, values) in rows.items():
            names = [name.strip() for name in columns.split(",")]
            selects = []
            for number, (*texts, shape) in enumerate(values, 1):
                fields = ", ".join(
                    f"{sql_text(str(text))} AS {name}" for text, name in zip(texts, names, strict=True)
                )
                selects.append(
                    f"SELECT {number} AS id, {number} AS osm_id, {fields},"
                    f" ST_GeomFromText({sql_text(shape.wkt)}) AS geometry"
                )
            path = sql_text(str(folder / f"{table}.parquet"))
            database.execute(f"COPY ({' UNION ALL '.join(selects)}) TO {path}")
    return folder


def test_the_places_are_a_map_and_tables(tmp_path: Path) -> None:
    world = write_world(tmp_path / "world")

    async def looks() -> None:
        provider = WorldDatabase.of_world(world, tmp_path / "home", name="town", note={"directions": "sides"})
        try:
            (candidate, *_) = await provider.find_place("Old Mill")
            assert candidate.place.name == "Old Mill"
            around = await provider.nearby(LatLng(lat=50.0, lng=10.0), radius_m=1_000, categories=("cafe",))
            assert [one.place.name for one in around] == ["Old Mill"]
            assert provider.engine.note == {"directions": "sides"}
            assert provider.source == world
            assert provider.exact("westport, queensland")
            assert provider.score("Old Mil") > 0.8
        finally:
            await provider.close()

    asyncio.run(looks())
    kept = [path.name for path in (tmp_path / "home" / "worlds").iterdir()]
    assert len(kept) == 1
    asyncio.run(looks())
    assert [path.name for path in (tmp_path / "home" / "worlds").iterdir()] == kept


def test_the_folder_beside_the_questions_is_found(tmp_path: Path) -> None:
    write_world(tmp_path / "gsqa_world")
    (tmp_path / "gsqa").mkdir()
    assert beside(tmp_path / "gsqa", "gsqa_world") == tmp_path / "gsqa_world"
    assert beside(tmp_path / "gsqa" / "dev.jsonl", "gsqa_world") == tmp_path / "gsqa_world"
    assert beside(tmp_path / "gsqa", "mapqa_world") is None


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="nowhere"):
        WorldDatabase.of_world(tmp_path / "nowhere", tmp_path, name="town")
