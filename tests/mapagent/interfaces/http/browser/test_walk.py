"""One walk through the page: a conversation, what lies within a walk, a ride, a day with its calendar, a choice.

What the page says is held against programs that say in full what was asked, the feed, the extract's tags, and files
read by readers of the tests.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from geographiclib.geodesic import Geodesic
from geographiclib.polygonarea import PolygonArea
from shapely.geometry import Point, Polygon, shape

from tests.mapagent.interfaces.http.browser import walk
from tests.mapagent.interfaces.http.browser.steps import answer, drawn
from tests.mapagent.interfaces.takeaway.readers import read_calendar
from tests.support.browser import opened
from tests.support.http_server import Client, serving
from tests.support.literal import ALKOS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STOPS = [[24.9372, 60.1697], [24.9437, 60.1673], [24.952, 60.1679]]
"""Of tram 4 from Glass Palace by Theatre to Market Square, in the feed."""


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server over the demo map with a timetable."""
    with serving(walk.timed_home(tmp_path_factory.mktemp("walk"))) as client:
        yield client


@pytest.fixture
def strolled(timed: Client, chromium: "Browser") -> Iterator["Page"]:
    """Its page."""
    with opened(chromium, str(timed.base_url)) as page:
        yield page


def query(client: Client, program: str, **more: Any) -> dict[str, Any]:
    """What the library says to a program."""
    reply = client.post("/api/query", json={"program": program, **more})
    assert reply.status_code == 200, reply.text
    record: dict[str, Any] = reply.json()
    return record


def saved(page: "Page", button: str) -> bytes:
    """The file that a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(download.value.path()).read_bytes()


def features(page: "Page", role: str) -> list[dict[str, Any]]:
    """What the page saves as GeoJSON of a role, each thing once."""
    told = json.loads(saved(page, "GeoJSON"))
    assert told["type"] == "FeatureCollection"
    return [one for one in told["features"] if one["properties"]["role"] == role]


def test_a_conversation_of_six_turns(strolled: "Page", timed: Client) -> None:
    headlines = walk.talk(strolled)
    told = strolled.locator("#thread .turn-answer").all_inner_texts()
    assert told == [query(timed, turn.program)["answer"] for turn in walk.TALK]
    walked, driven, *_ = told
    assert [line.split()[-1] for line in (walked, driven)] == ["min", "min"]
    assert int(driven.split()[0]) < int(walked.split()[0])
    assert told[2:4] == ["18:00", "17:00"], "opening_hours of Kiasma: Sa 10:00-18:00; Su 10:00-17:00"
    assert headlines[4] == "6 places, the nearest 90 m from Ateneum"
    assert "unnamed cafe" in headlines[5], "internet_access=wlan is stated of one of the six"
    assert strolled.locator(".place-card").count() == 1


def test_what_lies_within_a_walk_is_drawn_and_saved(strolled: "Page", timed: Client) -> None:
    told = walk.reach(strolled)
    (area,) = features(strolled, "shape")
    assert area["geometry"]["type"] == "Polygon"
    within = shape(area["geometry"])
    size = query(timed, 'answer(reachable("Ateneum", "3 min", "walk").size)')["answer"]
    assert size == f"{hectares(within):.1f} ha"
    (museum,) = query(timed, 'answer(place("Ateneum"))')["places"]
    assert within.contains(spot(museum))
    around = query(timed, 'answer(places("cafe", near="Ateneum", within="500 m"))')["places"]
    inside = {one["id"] for one in around if within.contains(spot(one))}
    assert told == f"{len(inside)} places"
    assert strolled.locator(".place-card").count() == len(inside)
    near = 'where=lambda p: travel("Ateneum", p, "walk").duration <= "3 min"'
    reached = query(timed, f'answer(places("cafe", near="Ateneum", within="300 m", {near}))')["places"]
    assert len(reached) >= 5
    assert {one["id"] for one in reached} <= inside, "each measured by itself"


def spot(place: dict[str, Any]) -> Point:
    return Point(place["lng"], place["lat"])


def hectares(area: Polygon) -> float:
    """The size of an area on the ellipsoid."""
    ring = PolygonArea(Geodesic.WGS84)
    for lng, lat in area.exterior.coords[:-1]:
        ring.AddPoint(lat, lng)
    return abs(ring.Compute()[2]) / 10_000


def test_how_far_one_gets_is_a_button_of_each_place(strolled: "Page", timed: Client) -> None:
    answer(strolled, "Which museum is closest to Kiasma?")
    strolled.get_by_role("button", name="Within 10 min of Amos Rex").click()
    size = strolled.locator(".parts dd")
    size.wait_for()
    program = 'reached = reachable("Amos Rex", "10 min", "walk")\nanswer(reached, size=reached.size)'
    assert size.inner_text() == query(timed, program)["parts"]["size"]["text"]
    assert len(features(strolled, "shape")) >= 1
    assert strolled.get_by_role("button", name="Directions").count() == 0, "an area is nowhere to go to"


def test_a_ride_by_the_timetable(strolled: "Page", timed: Client) -> None:
    walk.ride(strolled)
    way = strolled.locator(".way").inner_text()
    assert "8 min by public transport · 7:58–8:06" in way, "the tram goes at 8:00, the next one at 8:15"
    assert "Tram 4 towards Market Square" in way
    assert "Board at Glass Palace at 08:00 · Get off at Market Square at 08:05" in way
    (line,) = features(strolled, "route")
    assert line["geometry"]["coordinates"][1:-1] == STOPS
    strolled.get_by_role("button", name="On foot").click()
    strolled.get_by_role("button", name="By public transport", exact=True).click()
    strolled.locator(".way-time", has_text="7:58–8:06").wait_for()


def test_a_day_is_a_calendar(strolled: "Page", timed: Client) -> None:
    assert walk.day(strolled) == "11:30"
    kiasma, amos = read_calendar(saved(strolled, "Calendar"))
    assert (kiasma["SUMMARY"], amos["SUMMARY"]) == ("Kiasma", "Amos Rex")
    assert query(timed, 'answer(travel("Ateneum", "Kiasma", "walk").duration)')["answer"] == "10 min"
    assert (kiasma["DTSTART"], kiasma["DTEND"]) == ("20261128T081000Z", "20261128T085500Z")
    opening = ("20261128T090000Z", "20261128T093000Z")  # three minutes' walk, and it opens at eleven
    assert (amos["DTSTART"], amos["DTEND"]) == opening
    assert "Mannerheimintie 22-24" in amos["LOCATION"]


def test_a_doubt_is_ended_by_a_click(strolled: "Page", timed: Client) -> None:
    choices = walk.doubt(strolled)
    assert choices == [f"{number}. Alko, {address}" for number, address in enumerate(ALKOS, 1)]
    strolled.locator(".choice").nth(1).click()
    strolled.locator("#account-card").wait_for()
    from_, to = (
        query(timed, f'answer(place("{name}"))', choice=choice)["places"][0]
        for name, choice in (("Kiasma", []), ("Alko", [2]))
    )
    away = Geodesic.WGS84.Inverse(from_["lat"], from_["lng"], to["lat"], to["lng"])["s12"]
    assert strolled.locator(".answer-text").inner_text() == f"{away:.0f} m"
    assert strolled.locator("#thread .turn").count() == 1
    drawn(strolled, "found")
