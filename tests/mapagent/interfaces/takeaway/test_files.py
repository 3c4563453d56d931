"""Answers over the demo map saved as files, held against the extract itself."""

import json
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import osmium
import pytest
from PIL import Image
from pyproj import Geod

from tests.mapagent.interfaces.takeaway.readers import ink, read_calendar, read_gpx
from tests.support.cli import CommandLine, Ran
from tests.support.data import demo_extract

GEOD = Geod(ellps="WGS84")
FLAGS = ("geojson", "gpx", "ics", "picture")
CAFES = 'answer(places("cafe", near="Ateneum", within="150 m"))'
WALK = 'answer(travel("Ateneum", "Kiasma", "walk").duration)'
DAY = """
day = trip([visit("Kiasma", stay="45 min"), visit("Kampin kappeli", stay="30 min")],
           start="Ateneum", mode="walk", depart="10:00")
answer(day.arrive)
"""
FREE = """
day = trip([visit("Roasberg", stay="30 min"), visit("Kampin kappeli", stay="10 min"), visit("Kiasma", stay="1 h")],
           start="Ateneum", mode="walk", depart="10:00", order="free")
answer(day)
"""
AT = ("--at", "2026-11-21T09:00")


@pytest.fixture
def save(mapagent: CommandLine, demo: None, tmp_path: Path) -> Callable[..., Ran]:
    """Runs a program and saves its answer in the given formats."""

    def run(program: str, *formats: str, more: tuple[str, ...] = AT) -> Ran:
        file = tmp_path / "asked.mq"
        file.write_text(program, encoding="utf-8")
        flags = [word for name in formats for word in (f"--{name}", str(tmp_path / f"saved.{name}"))]
        return mapagent("query", file, *flags, *more)

    return run


def cafes(around: tuple[float, float], radius_m: float) -> dict[str, tuple[float, float]]:
    """The cafes of the extract that are nodes, by name, as (longitude, latitude)."""
    found = {}
    for item in osmium.FileProcessor(str(demo_extract())):
        if item.is_node() and item.tags.get("amenity") == "cafe":
            spot = (item.lon, item.lat)
            if GEOD.inv(*around, *spot)[2] <= radius_m:
                found[item.tags.get("name", "")] = spot
    return found


def test_geojson_has_what_the_extract_has(save: Callable[..., Ran], tmp_path: Path) -> None:
    assert save(CAFES, "geojson").code == 0
    saved = json.loads((tmp_path / "saved.geojson").read_text("utf-8"))
    assert (saved["type"], saved["attribution"]) == ("FeatureCollection", "© OpenStreetMap contributors")
    assert all(feature["type"] == "Feature" for feature in saved["features"])
    roles = {feature["properties"]["role"] for feature in saved["features"]}
    assert {"anchor", "circle", "answer"} <= roles
    (anchor,) = {
        tuple(feature["geometry"]["coordinates"])
        for feature in saved["features"]
        if feature["properties"]["role"] == "anchor"
    }
    given = {
        feature["properties"]["name"]: tuple(feature["geometry"]["coordinates"])
        for feature in saved["features"]
        if feature["properties"]["role"] == "answer"
    }
    expected = cafes(anchor, 150)
    assert len(expected) == 6
    assert given == {name: pytest.approx(spot, abs=1e-6) for name, spot in expected.items()}


def test_a_walk_is_a_track_as_long_as_its_answer(save: Callable[..., Ran], tmp_path: Path) -> None:
    ran = save(f"{WALK[:-1]}, far=travel('Ateneum', 'Kiasma', 'walk').distance)", "gpx", "geojson")
    assert ran.code == 0, ran.err
    gpx = read_gpx((tmp_path / "saved.gpx").read_text("utf-8"))
    assert gpx.credit == "© OpenStreetMap contributors"
    assert gpx.routes == {}
    ((name, line),) = gpx.tracks.items()
    assert name == "Ateneum → Kiasma"
    told_m = next(
        feature["properties"]["distance_m"]
        for feature in json.loads((tmp_path / "saved.geojson").read_text("utf-8"))["features"]
        if feature["properties"]["role"] == "route"
    )
    length_m = sum(GEOD.inv(*a, *b)[2] for a, b in pairwise(line))
    assert length_m == pytest.approx(told_m, rel=0.02)
    assert set(gpx.waypoints) == {"Ateneum", "Kiasma"}
    for place, end in (("Ateneum", line[0]), ("Kiasma", line[-1])):
        assert GEOD.inv(*gpx.waypoints[place], *end)[2] < 60, "the way ends at the place's door"


def test_places_are_waypoints(save: Callable[..., Ran], tmp_path: Path) -> None:
    assert save(CAFES, "gpx").code == 0
    gpx = read_gpx((tmp_path / "saved.gpx").read_text("utf-8"))
    assert gpx.tracks == {}
    assert set(gpx.waypoints) == {name or "unnamed cafe" for name in cafes((24.944068, 60.170017), 150)}


def test_a_trip_is_an_event_a_visit(save: Callable[..., Ran], tmp_path: Path) -> None:
    ran = save(DAY, "ics", "gpx", "geojson")
    assert ran.code == 0, ran.err
    content = (tmp_path / "saved.ics").read_bytes()
    kiasma, chapel = read_calendar(content)
    assert [event["SUMMARY"] for event in (kiasma, chapel)] == ["Kiasma", "Kampin kappeli"]
    assert kiasma["LOCATION"] == "Kiasma, Mannerheiminaukio 2, 00100 Helsinki"
    # Helsinki is two hours ahead of UTC in November; the museum is ten minutes from Ateneum.
    assert (kiasma["DTSTART"], kiasma["DTEND"]) == ("20261121T081000Z", "20261121T085500Z")
    assert chapel["DTEND"] == "20261121T093100Z"
    assert "11:31" in ran.out
    latitude, longitude = map(float, kiasma["GEO"].split(";"))
    assert (latitude, longitude) == pytest.approx((60.1720, 24.9367), abs=1e-3)
    assert {"UID", "DTSTAMP"} <= kiasma.keys()
    assert kiasma["UID"] != chapel["UID"]

    gpx = read_gpx((tmp_path / "saved.gpx").read_text("utf-8"))
    assert list(gpx.tracks) == ["Ateneum → Kiasma", "Kiasma → Kampin kappeli"]
    assert list(gpx.waypoints)[:2] == ["1. Kiasma", "2. Kampin kappeli"]
    visits = [
        feature["properties"]
        for feature in json.loads((tmp_path / "saved.geojson").read_text("utf-8"))["features"]
        if feature["properties"]["role"] == "visit"
    ]
    assert [visit["begin"] for visit in visits] == ["2026-11-21T10:10:00+02:00", "2026-11-21T11:01:00+02:00"]

    ran = save(DAY, "ics")
    assert (ran.code, ran.err) == (0, ""), "the day was given"
    again = read_calendar((tmp_path / "saved.ics").read_bytes())
    assert [event["UID"] for event in again] == [kiasma["UID"], chapel["UID"]], (
        "read in again, it adds nothing"
    )


def test_a_calendar_without_a_day_says_that_it_is_today(save: Callable[..., Ran], tmp_path: Path) -> None:
    before = datetime.now(ZoneInfo("Europe/Helsinki")).date()
    ran = save(DAY, "ics", more=())
    after = datetime.now(ZoneInfo("Europe/Helsinki")).date()
    assert ran.code == 0, ran.err
    first = read_calendar((tmp_path / "saved.ics").read_bytes())[0]
    assert first["DTSTART"][:8] in {f"{before:%Y%m%d}", f"{after:%Y%m%d}"}
    assert any(f"is for today, {day}, which is assumed without --at" in ran.err for day in (before, after))
    dated = save(DAY.replace('"10:00"', '"2031-03-04 10:00"'), "ics", more=())
    assert (dated.code, dated.err) == (0, ""), "the program itself names the day"
    assert save(CAFES, "geojson", more=()).err == "", "only a calendar is of a day"


def test_of_a_free_order_only_the_ways_that_are_taken(save: Callable[..., Ran], tmp_path: Path) -> None:
    ran = save(FREE, "gpx", "ics")
    assert ran.code == 0, ran.err
    gpx = read_gpx((tmp_path / "saved.gpx").read_text("utf-8"))
    stops = [event["SUMMARY"] for event in read_calendar((tmp_path / "saved.ics").read_bytes())]
    assert sorted(stops) == ["Kampin kappeli", "Kiasma", "Roasberg"]
    ends = [tuple(name.split(" → ")) for name in gpx.tracks]
    assert [end for _, end in ends] == stops, "three ways of the nine that were timed, in their order"
    assert all(before[1] == after[0] for before, after in pairwise(ends))


def test_an_area_that_was_made_is_saved_with_its_shape(save: Callable[..., Ran], tmp_path: Path) -> None:
    ran = save('answer(area("Kaisaniemi"))', "geojson", "picture")
    assert ran.code == 0, ran.err
    assert "within 1000 m" in ran.out
    saved = json.loads((tmp_path / "saved.geojson").read_text("utf-8"))
    (shape,) = (one for one in saved["features"] if one["properties"]["role"] == "shape")
    assert shape["geometry"]["type"] == "Polygon"
    lngs, lats = zip(*shape["geometry"]["coordinates"][0], strict=True)
    area_m2, _ = GEOD.polygon_area_perimeter(lngs, lats)
    assert area_m2 == pytest.approx(3.14159e6, rel=0.01), "counterclockwise, and a circle of a kilometre"


def test_the_picture_has_the_map_and_the_credit(save: Callable[..., Ran], tmp_path: Path) -> None:
    assert save(DAY, "picture").code == 0
    content = (tmp_path / "saved.picture").read_bytes()
    with Image.open(tmp_path / "saved.picture") as image:
        assert image.width == 1000
        assert 750 < image.height < 1000
        width, height = image.size
        colours = {colour for _, colour in image.convert("RGB").crop((0, 0, 1000, 700)).getcolors(1_000_000)}
    assert (29, 99, 196) in colours, "the way"
    assert (221, 214, 202) in colours, "buildings of the map"
    assert ink(content, (16, height - 42, 260, height - 14)) > 200, "© OpenStreetMap contributors"
    assert ink(content, (width - 200, height - 42, width, height - 14)) == 0, "and nothing beside it"


def test_the_picture_tells_other_answers_apart(save: Callable[..., Ran], tmp_path: Path) -> None:
    pictures = []
    for program in (CAFES, WALK):
        assert save(program, "picture").code == 0
        pictures.append((tmp_path / "saved.picture").read_bytes())
    assert pictures[0] != pictures[1], "the second took the place of the first"


@pytest.mark.parametrize(
    ("program", "form", "told"),
    [
        (CAFES, "ics", "no plan with visits"),
        (WALK, "ics", "no plan with visits"),
        ("answer(1 + 1)", "geojson", "nothing to save"),
        ("answer(1 + 1)", "picture", "nothing to save"),
        ('answer(place("Nowhere at all"))', "gpx", "There is no answer"),
        ('unanswerable("no map could tell")', "geojson", "There is no answer"),
    ],
)
def test_nothing_to_save_is_one_sentence_and_wrong_use(
    save: Callable[..., Ran], tmp_path: Path, program: str, form: str, told: str
) -> None:
    ran = save(program, form)
    assert ran.code == 2
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / f"saved.{form}").exists()


def test_what_can_be_saved_is_saved_beside_what_cannot(save: Callable[..., Ran], tmp_path: Path) -> None:
    ran = save(CAFES, *FLAGS)
    assert ran.code == 2
    assert sorted(path.name for path in tmp_path.glob("saved.*")) == [
        "saved.geojson",
        "saved.gpx",
        "saved.picture",
    ]


def test_a_file_that_cannot_be_written_is_told_before_anything_is_asked(
    mapagent: CommandLine,
    demo: None,
    tmp_path: Path,
) -> None:
    nowhere = tmp_path / "none" / "saved.gpx"
    for path, told in ((nowhere, "no folder"), (tmp_path, "it is a folder")):
        ran = mapagent("ask", "Which cafe is nearest to Ateneum?", "--gpx", path)
        assert (ran.code, ran.out) == (2, "")
        assert str(path) in ran.err
        assert told in ran.err


def test_a_question_is_the_title(mapagent: CommandLine, demo: None, tmp_path: Path) -> None:
    question = "How long does it take to walk from Ateneum to Kiasma?"
    ran = mapagent("ask", question, "--geojson", tmp_path / "walk.geojson", "--json")
    assert ran.code == 0
    saved = json.loads((tmp_path / "walk.geojson").read_text("utf-8"))
    assert (saved["question"], saved["answer"]) == (question, json.loads(ran.out)["answer"])


def test_times_of_a_text_float_and_places_without_position_stay(
    mapagent: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "facts.txt").write_text(
        "Travel time from The Pier to The Anchor on foot is 12 mins.\n"
        "Travel time from The Anchor to Old Mill on foot is 20 mins.\n",
        encoding="utf-8",
    )
    (tmp_path / "day.mq").write_text(
        'answer(trip([visit("The Anchor", stay="30 min"), "Old Mill"], start="The Pier", mode="walk", '
        'depart="10:00").arrive)',
        encoding="utf-8",
    )
    asked = ("query", tmp_path / "day.mq", "--context", tmp_path / "facts.txt")
    ran = mapagent(*asked, "--ics", tmp_path / "day.ics", "--at", "2026-11-21T09:00")
    assert ran.code == 0, ran.err
    anchor, mill = read_calendar((tmp_path / "day.ics").read_bytes())
    assert (anchor["DTSTART"], anchor["DTEND"]) == ("20261121T101200", "20261121T104200")
    assert mill["DTSTART"] == "20261121T110200"
    assert "DTEND" not in mill, "RFC 5545, 3.8.2.2: an end is later than its start"
    assert "GEO" not in anchor
    assert anchor["LOCATION"] == "The Anchor"
    undated = mapagent(*asked, "--ics", tmp_path / "other.ics")
    assert undated.code == 2, "no day is known"
    drawn = mapagent(*asked, "--picture", tmp_path / "day.png")
    assert drawn.code == 2
    assert "Nothing in the answer has a position" in drawn.err
