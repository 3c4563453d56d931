"""File formats made of features by hand: foreign names, ways without a course, what terms forbid."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from map_tools.errors import UsageError
from map_tools.facts import PlaceFact, TravelFact
from map_tools.types import LatLng, Place, Shape, TravelMode
from mapagent.core.answer import Answer, Evidence, Source, Status, Trip, TripLeg, TripVisit
from mapagent.interfaces.cli.show import as_record
from mapagent.interfaces.takeaway import lettering
from mapagent.interfaces.takeaway.features import answer_features
from mapagent.interfaces.takeaway.findings import Findings
from mapagent.interfaces.takeaway.formats import Format, calendar_of, gpx_of, made
from tests.mapagent.interfaces.takeaway.readers import read_calendar, read_gpx

MADE_AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOSTILE = 'Zoë\'s; "Bar", <b>\\n &amp;\r\nEND:VEVENT\x07 \u202e日本'
CLEAN = 'Zoë\'s; "Bar", <b>\\n &amp; END:VEVENT 日本'
"""The same as a line of words: a break is a blank, and what a terminal may obey is gone."""


def place(name: str, lat: float | None = 60.17, lng: float = 24.94, **more: Any) -> Place:
    return Place(
        id=f"x:{name}", name=name, location=None if lat is None else LatLng(lat=lat, lng=lng), **more
    )


def evidence(number: int, value: Any) -> Evidence:
    return Evidence(id=f"e{number}", step_id="answer", value=value, source=Source(tool="test"))


def findings(title: str = "asked", **answer: Any) -> Findings:
    given = Answer(status=Status.ANSWERED, text="an answer", attribution="© Somebody", **answer)
    return Findings.of(title, as_record(given), answer_features(given, {}))


def way(number: int, origin: Place, destination: Place) -> Evidence:
    fact = TravelFact(
        origin=origin.name, destination=destination.name, mode=TravelMode.WALKING, duration_s=600.0,
        distance_m=800.0, origin_place=origin, destination_place=destination,
    )  # fmt: skip
    return evidence(number, fact)


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 7, 1, hour, minute, tzinfo=UTC)


def test_foreign_words_stay_words() -> None:
    trip = Trip(visits=(TripVisit(place=place(HOSTILE, address=HOSTILE), begin=at(9), end=at(10)),))
    found = findings(HOSTILE, trip=trip)
    (event,) = read_calendar(calendar_of(found, MADE_AT).encode())
    assert event["SUMMARY"] == CLEAN
    assert event["LOCATION"] == f"{CLEAN}, {CLEAN}"
    assert event["DESCRIPTION"] == f"{CLEAN}\n© Somebody"
    assert (event["DTSTART"], event["DTSTAMP"]) == ("20260701T090000Z", "20261120T120000Z")
    assert list(read_gpx(gpx_of(found)).waypoints) == [f"1. {CLEAN}"]
    saved = json.loads(made(Format.GEOJSON, found))
    assert saved["features"][0]["properties"]["name"] == HOSTILE, "data is kept as it is"
    assert made(Format.PNG, found).startswith(b"\x89PNG")


@pytest.mark.parametrize("length", [60, 66, 67, 68, 75, 200])
@pytest.mark.parametrize("letter", ["a", "ä", "日", "🏛"])
def test_lines_are_folded_between_letters(letter: str, length: int) -> None:
    trip = Trip(visits=(TripVisit(place=place(letter * length), begin=at(9), end=at(9)),))
    (event,) = read_calendar(calendar_of(findings(trip=trip), MADE_AT).encode())
    assert event["SUMMARY"] == letter * length
    assert "DTEND" not in event


def test_a_way_without_a_course_is_no_track() -> None:
    a, b = place("A"), place("B", 60.18, 24.95)
    gpx = read_gpx(gpx_of(findings(evidence=(way(1, a, b),))))
    assert gpx.tracks == {}
    assert gpx.routes == {"A → B": [(24.94, 60.17), (24.95, 60.18)]}
    assert set(gpx.waypoints) == {"A", "B"}


def test_of_the_ways_that_were_timed_those_of_the_trip_in_its_order() -> None:
    a, b, c = place("A"), place("B", 60.18), place("C", 60.19)
    timed = [(a, c), (b, a), (c, b), (b, c), (a, b), (c, a)]
    legs = tuple(
        TripLeg(origin=one, destination=other, mode=TravelMode.WALKING) for one, other in ((a, b), (b, c))
    )
    trip = Trip(visits=(TripVisit(place=b), TripVisit(place=c)), legs=legs)
    found = findings(trip=trip, evidence=tuple(way(number, *ends) for number, ends in enumerate(timed)))
    assert list(read_gpx(gpx_of(found)).routes) == ["A → B", "B → C"]
    with pytest.raises(UsageError, match="no plan with visits on a known day"):
        calendar_of(found, MADE_AT)


def test_a_stop_nobody_knows_the_position_of() -> None:
    found = findings(trip=Trip(visits=(TripVisit(place=place("Pier", None), begin=at(9), end=at(10)),)))
    (feature,) = json.loads(made(Format.GEOJSON, found))["features"]
    assert feature["geometry"] is None, "RFC 7946, 3.2: unlocated"
    assert feature["properties"]["begin"] == "2026-07-01T09:00:00+00:00"
    for form in (Format.GPX, Format.PNG):
        with pytest.raises(UsageError):
            made(form, found)


def test_a_place_that_is_visited_twice_is_a_stop_twice() -> None:
    home = place("Home")
    found = findings(
        trip=Trip(visits=(TripVisit(place=home), TripVisit(place=place("B", 60.18)), TripVisit(place=home)))
    )
    assert list(read_gpx(gpx_of(found)).waypoints) == ["1. Home", "2. B", "3. Home"]


@pytest.mark.parametrize(
    ("wkt", "kind"),
    [
        ("MULTIPOLYGON (((0 0, 0 1, 1 1, 1 0, 0 0)), ((2 0, 3 0, 3 1, 2 0)))", "area"),
        ("POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (2 2, 2 3, 3 3, 3 2, 2 2))", "area"),
        ("MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))", "line"),
    ],
)
def test_shapes_of_several_parts_and_with_holes(wkt: str, kind: Any) -> None:
    fact = PlaceFact(query="It", place=place("It", 0.5, 0.5), shape=Shape(kind=kind, wkt=wkt))
    found = findings(evidence=(evidence(1, fact),))
    (shape,) = (one for one in found.features if one["properties"]["role"] == "shape")
    assert shape["geometry"]["type"].upper() == wkt.partition(" ")[0]
    assert shape["properties"]["name"] == "It"
    assert made(Format.PNG, found).startswith(b"\x89PNG")


def test_what_terms_forbid_is_not_saved() -> None:
    with pytest.raises(UsageError, match="Harbour maps only"):
        findings(places=(place("A"),), base_map="Harbour")


@pytest.mark.parametrize("status", [one for one in Status if one is not Status.ANSWERED])
def test_only_answers_are_saved(status: Status) -> None:
    given = Answer(status=status, places=(place("A"),))
    with pytest.raises(UsageError, match="There is no answer"):
        Findings.of("", as_record(given), answer_features(given, {}))


def test_without_roboto_accents_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Jääpuiston kahvila – 日本 Łódź"
    assert lettering.written(words, lettering.face(16)) == "Jääpuiston kahvila – Łódź"
    monkeypatch.setattr(lettering, "roboto", lambda *_: None)
    own = lettering.face(16)
    assert lettering.written(words, own).startswith("Jaapuiston kahvila")
    assert lettering.written("© OpenStreetMap contributors", own) == "© OpenStreetMap contributors"
    assert made(Format.PNG, findings(places=(place("日本"),))).startswith(b"\x89PNG")


def test_words_are_wrapped_and_cut() -> None:
    font = lettering.face(16)
    lines = lettering.wrapped("one two three four five six seven eight nine ten " * 5, font, 150, 3)
    assert len(lines) == 3
    assert all(font.getlength(line) <= 150 for line in lines)
    assert lines[-1].endswith("...")
    assert lettering.wrapped("one two", font, 150, 3) == ["one two"]
    assert lettering.wrapped("", font, 150, 3) == []
