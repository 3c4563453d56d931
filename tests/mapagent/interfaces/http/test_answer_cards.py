"""Cards of places and ways: against the tags of the demo extract and against distances worked out here.

Its tags `opening_hours`: Espresso House Mo-Fr 07:00-22:00; Sa 08:30-22:30; Su 08:30-21:00, and Roasberg 24/7.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from geographiclib.geodesic import Geodesic

from map_tools.types import Hours, LatLng, Place
from mapagent.core.answer import Answer, Part, Status
from mapagent.core.question import Question
from mapagent.interfaces.http.answer_cards import place_cards, way_cards
from tests.support.http_server import Client

CAFES = 'answer(places("cafe", near="Ateneum", within="150 m"))'
SATURDAY_NOON = "2026-11-28T12:00"
HERE = {"lat": 60.17, "lng": 24.94}


def query(client: Client, program: str, **more: Any) -> dict[str, Any]:
    reply = client.post("/api/query", json={"program": program, **more})
    assert reply.status_code == 200, reply.text
    record: dict[str, Any] = reply.json()
    return record


def card(record: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [one for one in record["cards"] if one["name"] == name]
    assert isinstance(found, dict)
    return found


def test_a_list_has_a_card_for_each_place_in_its_order(client: Client) -> None:
    record = query(client, CAFES, at=SATURDAY_NOON)
    assert [one["id"] for one in record["cards"]] == [one["id"] for one in record["places"]]
    assert len(record["cards"]) == 6
    anchor = query(client, 'answer(place("Ateneum"))')["places"][0]
    for one in record["cards"]:
        away = Geodesic.WGS84.Inverse(anchor["lat"], anchor["lng"], one["lat"], one["lng"])["s12"]
        assert one["distance_m"] == pytest.approx(away, abs=0.1)
        assert one["distance_from"] == {"id": anchor["id"], "name": "Ateneum"}
    assert card(record, "Jääpuiston kahvila")["website"] == "https://www.jaapuisto.fi/kahvila/"
    assert card(record, "Roasberg")["phone"] is None


@pytest.mark.parametrize(
    ("at", "is_open", "until"),
    [
        (SATURDAY_NOON, True, "2026-11-28T22:30+02:00"),
        ("2026-11-28T10:00:00Z", True, "2026-11-28T22:30+02:00"),
        ("2026-11-28T23:00", False, "2026-11-29T08:30+02:00"),
        ("2026-11-29T23:00", False, "2026-11-30T07:00+02:00"),
    ],
    ids=["local time", "with a zone", "closed until the next day", "another day has other hours"],
)
def test_whether_a_place_is_open_at_the_moment_asked_about(
    client: Client, at: str, is_open: bool, until: str
) -> None:
    opening = card(query(client, CAFES, at=at), "Espresso House")["opening"]
    assert (opening["open"], opening["until"]) == (is_open, until)


def test_what_never_closes_is_open_without_an_end(client: Client) -> None:
    opening = card(query(client, CAFES, at=SATURDAY_NOON), "Roasberg")["opening"]
    assert opening == {"open": True, "at": "2026-11-28T12:00+02:00", "until": None}


def test_a_question_about_a_place_shows_that_place(client: Client) -> None:
    (one,) = query(client, 'answer(place("Ateneum").phone)')["cards"]
    assert (one["name"], one["phone"], one["kind"]) == ("Ateneum", "+3580294500401", "museum")
    assert one["distance_m"] is None, "nobody said where from"


def test_of_a_place_whose_phone_is_not_stated_the_rest_is_shown(client: Client) -> None:
    """Parks have no telephone: this one has no tag `phone`."""
    record = query(client, 'answer(place("Esplanadinpuisto").phone)')
    assert record["status"] == "unanswerable"
    assert [one["name"] for one in record["cards"]] == ["Esplanadinpuisto"]


def test_how_far_it_is_from_the_asker(client: Client) -> None:
    (one,) = query(client, 'answer(nearest("museum", to=here))', near=HERE)["cards"]
    away = Geodesic.WGS84.Inverse(HERE["lat"], HERE["lng"], one["lat"], one["lng"])["s12"]
    assert one["distance_m"] == pytest.approx(away, abs=0.1)
    assert one["distance_from"] == {"id": "id:here", "name": "your position"}
    (told,) = query(client, 'answer(place("Ateneum").phone)', near=HERE)["cards"]
    assert told["distance_from"]["id"] == "id:here"


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ('answer(places("cafe", inside=reachable("Ateneum", "3 min", "walk")))', False),
        ('answer(places("cafe", inside=buffer("Ateneum", "100 m")))', False),
        ('answer(places("cafe", near="60.17,24.944", within="150 m"))', True),
    ],
    ids=["within a travel time", "in a made area", "around a position"],
)
def test_how_far_places_are_is_told_from_what_was_asked_about_alone(
    client: Client, program: str, told: bool
) -> None:
    record = query(client, program)
    assert record["cards"]
    assert {one["distance_m"] is not None for one in record["cards"]} == {told}
    drawn = client.get(f"/api/history/{record['id']}").json()["features"]
    roles = [one["properties"]["role"] for one in drawn]
    assert ("circle" in roles) == told, "the circle that a search needs is nobody's question"
    assert "answer" in roles


def test_a_way_has_its_streets_though_only_its_time_was_asked(client: Client) -> None:
    record = query(client, 'answer(travel("Ateneum", "Kiasma", "walk").duration)')
    (way,) = record["ways"]
    assert (way["origin"]["name"], way["destination"]["name"], way["mode"]) == (
        "Ateneum",
        "Kiasma",
        "walking",
    )
    assert record["answer"] == f"{way['duration_s'] / 60:.0f} min"
    assert way["via"] == "Kaivokatu", "the street between the two squares"
    assert sum(step["distance_m"] or 0 for step in way["steps"]) == pytest.approx(way["distance_m"], rel=0.02)
    assert any("Kaivokatu" in step["instruction"] for step in way["steps"])
    assert record["cards"] == []


def test_ids_of_a_way_ask_for_the_same_way_again(client: Client) -> None:
    (way,) = query(client, 'answer(travel("Ateneum", "Kiasma", "walk").duration)')["ways"]
    ends = f'"{way["origin"]["id"]}", "{way["destination"]["id"]}"'
    (again,) = query(client, f'answer(travel({ends}, "walk"))')["ways"]
    assert again["duration_s"] == pytest.approx(way["duration_s"], abs=1)
    assert (again["origin"], again["destination"]) == (way["origin"], way["destination"])


def test_a_trip_has_its_stays_and_the_ways_between(client: Client) -> None:
    visits = '[visit("Kiasma", stay="45 min"), visit("Amos Rex", stay="30 min")]'
    program = f'answer(trip({visits}, mode="walk", start="Ateneum", depart="10:00"))'
    record = query(client, program, at="2026-11-27T08:00")
    assert [(one["stay"], one["name"]) for one in record["cards"]] == [(1, "Kiasma"), (2, "Amos Rex")]
    first, second = record["cards"]
    begin = datetime.fromisoformat(first["begin"])
    assert (datetime.fromisoformat(first["end"]) - begin).total_seconds() == 45 * 60
    assert [way["leg"] for way in record["ways"]] == [1, 2]
    assert [way["destination"]["name"] for way in record["ways"]] == ["Kiasma", "Amos Rex"]
    between = datetime.fromisoformat(second["begin"]) - datetime.fromisoformat(first["end"])
    assert between.total_seconds() >= record["ways"][1]["duration_s"] - 60


def test_parts_have_cards_too_and_no_place_has_two(client: Client) -> None:
    program = (
        'cafe = nearest("cafe", to="Kiasma")\nanswer(cafe, museum=nearest("museum", to="Kiasma"), cafe=cafe)'
    )
    record = query(client, program)
    assert [one["part"] for one in record["cards"]] == [None, "museum"]


@pytest.mark.parametrize(
    "program", ['unanswerable("knowledge")', 'answer(place("Alko").address)', 'answer(place("Qwxyz"))']
)
def test_a_refusal_has_no_cards(client: Client, program: str) -> None:
    record = query(client, program)
    assert record["status"] != "answered"
    assert (record["cards"], record["ways"]) == ([], [])


def given(*places: Place, **more: Any) -> Answer:
    return Answer(status=Status.ANSWERED, places=places, **more)


NOW = datetime(2026, 11, 27, 10, 0, tzinfo=UTC)
QUESTION = Question(text="Where?")
AT = LatLng(lat=60.17, lng=24.94)


@pytest.mark.parametrize("spec", [None, "sunrise-sunset", '"by appointment"'])
def test_hours_that_tell_nothing_of_the_moment_are_shown_as_they_are_written(spec: str | None) -> None:
    place = Place(id="x:1", name="A", location=AT, hours=Hours(spec=spec, text="as written"))
    (one,) = place_cards(given(place), QUESTION, NOW)
    assert (one["hours"], one["opening"]) == ("as written", None)


def test_of_a_place_whose_position_nobody_knows_nothing_is_told_but_what_it_has() -> None:
    place = Place(id="x:1", name="A", hours=Hours(spec="24/7", text="24/7"))
    (one,) = place_cards(given(place), QUESTION.model_copy(update={"near": AT}), NOW)
    assert (one["lat"], one["opening"], one["distance_m"]) == (None, None, None)


def test_the_zone_is_that_of_the_place() -> None:
    place = Place(
        id="x:1",
        name="A",
        location=LatLng(lat=40.75, lng=-73.99),
        hours=Hours(spec="Mo-Su 04:00-06:00", text="4-6"),
    )
    (one,) = place_cards(given(place), QUESTION, NOW)
    assert one["opening"] == {
        "open": True,
        "at": "2026-11-27T05:00-05:00",
        "until": "2026-11-27T06:00-05:00",
    }


def test_so_many_places_that_nobody_reads_them_are_cut() -> None:
    places = tuple(Place(id=f"x:{number}", name=str(number)) for number in range(250))
    cards = place_cards(given(*places, parts={"more": Part(text="", places=places)}), QUESTION, NOW)
    assert [one["name"] for one in cards] == [str(number) for number in range(100)]
    assert way_cards(given(*places), {}) == []
