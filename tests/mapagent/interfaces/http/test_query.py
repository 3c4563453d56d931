"""Programs over HTTP: answers like those to questions, faults told by their line, names chosen by number."""

import json
from pathlib import Path
from typing import Any

import pytest
import shapely
from geographiclib.geodesic import Geodesic

from mapagent.interfaces.cli.main import main
from tests.support.awkward import FOUND, WORLD
from tests.support.http_server import Client, read_events, serving

CAFE = """museum = place("Kiasma")
cafe = nearest("cafe", to=museum)  # the one meant
answer(cafe, walk=travel(museum, cafe, "walk").duration, straight=distance(museum, cafe))"""
ALKO = 'shop = place("Alko")\nanswer(shop.address)'
"""Alko is a chain: the demo map has two of its shops."""
OWNED = "<img src=x onerror=alert(1)>\u202eevil"


def query(client: Client, program: str, **more: Any) -> dict[str, Any]:
    reply = client.post("/api/query", json={"program": program, **more})
    assert reply.status_code == 200, reply.text
    record: dict[str, Any] = reply.json()
    return record


def test_the_answer_is_what_the_command_line_prints(
    client: Client,
    data_home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(data_home))
    (tmp_path / "cafe.mq").write_text(CAFE)
    assert main(["query", str(tmp_path / "cafe.mq"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    replied = query(client, CAFE)
    assert len(replied.pop("id")) == 16
    assert replied.pop("conversation") is None, "it came without one"
    assert [card["name"] for card in replied.pop("cards")] == [place["name"] for place in printed["places"]]
    assert [way["mode"] for way in replied.pop("ways")] == ["walking"]
    for record in (printed, replied):
        record["usage"].pop("latency_s")
    assert replied == printed


def test_parts_places_and_what_was_understood(client: Client) -> None:
    record = query(client, CAFE)
    assert record["status"] == "answered"
    assert record["program"] == CAFE
    assert "the cafe nearest to Kiasma" in record["understood"]
    (cafe,) = record["places"]
    museum = query(client, 'answer(place("Kiasma"))')["places"][0]
    away = Geodesic.WGS84.Inverse(museum["lat"], museum["lng"], cafe["lat"], cafe["lng"])["s12"]
    assert record["parts"]["straight"]["value"] == {
        "kind": "quantity",
        "unit": "m",
        "value": pytest.approx(away, abs=0.5),
    }
    assert record["parts"]["walk"]["value"]["value"] > away / 2, "nobody walks at 2 m/s"
    assert query(client, f'answer(place("{cafe["id"]}"))')["places"] == [cafe], "an id names the place again"


def test_what_is_reached_is_drawn(client: Client) -> None:
    told = stream(client, 'answer(count(places("cafe", inside=reachable("Kiasma", "5 min", "walk"))))')[
        -1
    ].data
    assert told["status"] == "answered"
    (area,) = [one for one in told["features"] if one["properties"]["role"] == "shape"]
    anchor = next(one for one in told["features"] if one["properties"]["role"] == "anchor")
    cafes = [one for one in told["features"] if one["properties"]["role"] == "candidate"]
    drawn = shapely.from_geojson(json.dumps(area["geometry"]))
    outer = drawn.exterior if drawn.geom_type == "Polygon" else drawn.geoms[0].exterior
    assert outer.is_ccw, "RFC 7946, section 3.1.6"
    assert area["properties"]["name"] == "within 5 min of Kiasma"
    centre = query(client, 'answer(place("Kiasma"))')["places"][0]
    assert drawn.contains(shapely.Point(centre["lng"], centre["lat"]))
    assert anchor["geometry"]["type"] == "Point"
    assert any(drawn.contains(shapely.Point(one["geometry"]["coordinates"])) for one in cafes)


def test_options_position_moment_and_text_count(client: Client) -> None:
    walk = 'answer(travel("Ateneum", "Kiasma", "walk").duration)'
    assert query(client, walk, options=["2 minutes", "10 minutes", "40 minutes"])["option"] == "B"
    # Kiasma closes at 17 on Sundays and at 20:30 on Fridays (opening_hours in the extract).
    moments = ("2026-11-22T18:00", "2026-11-20T18:00")
    opened = [query(client, 'answer(is_open("Kiasma", now))', at=at)["parts"] or at for at in moments]
    assert opened == list(moments)
    told = [query(client, 'answer(is_open("Kiasma", now))', at=at)["answer"] for at in moments]
    assert [text.split()[0].strip(".,").lower() for text in told] == ["no", "yes"]
    here = {"lat": 60.1720, "lng": 24.9367}
    assert "Kiasma" in query(client, 'answer(nearest("museum", to=here))', near=here)["answer"]
    text = "Tickets: adults 14 EUR, children 6 EUR."
    assert "34" in query(client, 'answer(2 * quote("14 EUR") + quote("6 EUR"))', context=text)["answer"]


@pytest.mark.parametrize(
    ("program", "line", "words"),
    [
        ('a = place("Kiasma")\nanswer(a.phone', 2, "line"),
        ('a = place("Kiasma")\n\nanswer(nearst("cafe", to=a))', 3, "nearst"),
        ('answer(nearest("cafe", to="Kiasma", radius="1 km"))', 1, "radius"),
        ("answer(b)", 1, "`b`"),
        ("import os", 1, ""),
        ('answer(place("Kiasma"))\nanswer(1)', 1, "answer"),
        ("", 0, "empty"),
        ("answer(" + "(" * 10_000 + "1" + ")" * 10_000 + ")", 0, "longer"),
        ('answer("' + "x" * 5_000 + '")', 0, "longer"),
        ("\n".join(f"a{n} = {n}" for n in range(40)) + "\nanswer(a1)", 0, "30 statements"),
        ('answer(distance("Kiasma", "Ateneum") < 500)', 1, "500"),
    ],
)
def test_a_fault_is_told_with_its_line_and_mend(client: Client, program: str, line: int, words: str) -> None:
    reply = client.post("/api/query", json={"program": program})
    assert reply.status_code == 422
    error = reply.json()["error"]
    assert (error["code"], error["line"]) == ("program", line)
    assert words in error["fault"]
    assert error["fault"] in error["message"]
    assert error["mend"] == error["remedy"]
    (event,) = [one for one in stream(client, program) if one.name == "error"]
    assert event.data == error


def stream(client: Client, program: str) -> list[Any]:
    with client.stream("POST", "/api/query/stream", json={"program": program}) as reply:
        return read_events("".join(reply.iter_text()))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "program"),
        ({"program": 7}, "program"),
        ({"program": "x" * 64_001}, "64000"),
        ({"program": "answer(1)", "model": "offline"}, "model"),
        ({"program": "answer(1)", "map": "atlantis"}, "atlantis"),
        ({"program": "answer(1)", "options": ["a"] * 27}, "too many"),
        ({"program": "answer(1)", "choice": [0]}, "count from 1"),
        ({"program": "answer(1)", "choice": ["first"]}, "choice"),
        ({"program": "\ud800"}, ""),
    ],
)
def test_wrong_bodies_are_422(client: Client, body: Any, words: str) -> None:
    content = json.dumps(body).encode()
    reply = client.post("/api/query", content=content, headers={"content-type": "application/json"})
    assert reply.status_code == 422
    assert words in reply.text


def test_without_a_map_the_remedy_is_told(tmp_path: Path) -> None:
    with serving(tmp_path / "empty") as client:
        reply = client.post("/api/query", json={"program": CAFE})
    assert reply.status_code == 422
    assert "mapagent map add" in reply.json()["error"]["remedy"]


def test_the_run_is_told_as_it_goes(client: Client) -> None:
    events = stream(client, CAFE)
    assert events[0].name == "plan"
    steps = [step["id"] for step in events[0].data["steps"]]
    assert steps == ["museum", "cafe", "answer"]
    assert events[0].data["steps"][1]["subgoal"] == "the one meant"
    for what in ("step_started", "step_finished"):
        assert sorted(event.data["id"] for event in events if event.name == what) == sorted(steps)
    last = events[-1]
    assert last.name == "answer"
    roles = [feature["properties"]["role"] for feature in last.data["features"]]
    assert "route" in roles, "the walk is drawn by its course"
    assert "answer" in roles


def test_an_ambiguous_name_is_chosen_by_its_number(client: Client) -> None:
    asked = query(client, ALKO)
    assert asked["status"] == "ambiguous"
    candidates = asked["candidates"]
    assert [one["number"] for one in candidates] == [1, 2]
    assert {one["asked"] for one in candidates} == {"Alko"}
    assert len({one["told"] for one in candidates}) == 2
    for one in candidates:
        chosen = query(client, ALKO, choice=[one["number"]])
        assert (chosen["status"], chosen["answer"], chosen["candidates"]) == ("answered", one["address"], [])
        assert any(one["told"] in warning for warning in chosen["warnings"])
    by_question = client.ask("What is the address of Alko?", choice=2).json()
    assert by_question["answer"] == candidates[1]["address"]
    drawn = stream(client, ALKO)[-1].data["features"]
    numbers = [one["properties"].get("number") for one in drawn if one["properties"]["role"] == "choice"]
    assert numbers == ["1", "2"]


def test_a_number_that_nobody_has_is_refused(client: Client) -> None:
    reply = client.post("/api/query", json={"program": ALKO, "choice": [3]})
    assert reply.status_code == 422
    assert "choose 1 to 2" in reply.json()["error"]["remedy"]


def test_two_ambiguous_names_are_chosen_one_after_the_other(client: Client) -> None:
    program = 'a = place("Alko")\nb = place("Espresso House")\nanswer(a.address, other=b.address)'
    first = query(client, program)
    second = query(client, program, choice=[2])
    assert (first["candidates"][1]["address"], second["candidates"][0]["asked"]) == (
        second["answer"],
        "Espresso House",
    )
    assert second["parts"]["other"]["known"] is False
    number, address = next((one["number"], one["address"]) for one in second["candidates"] if one["address"])
    both = query(client, program, choice=[2, number])
    assert both["parts"]["other"]["text"] == address
    assert both["candidates"] == []


def test_a_program_is_remembered_by_its_question_or_by_its_meaning(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path) as client:
        query(client, ALKO)
        asked = query(client, ALKO, question="Where is the shop?", choice=[1])
        items = client.get("/api/history").json()["items"]
        kept = client.get(f"/api/history/{asked['id']}").json()
        figures = client.get("/api/metrics").text
    assert items[0]["question"] == "Where is the shop?"
    assert "Alko" in items[1]["question"]
    assert kept["question"]["program"] == ALKO
    assert kept["answer"]["program"] == ALKO
    assert 'mapagent_asks_total{status="answered"} 1' in figures


def test_too_many_programs_are_turned_away_like_questions(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, asks_per_minute=2) as client:
        codes = [client.post("/api/query", json={"program": "answer(1)"}).status_code for _ in range(4)]
    assert 429 in codes


def test_programs_need_the_token_too(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, token="open-sesame") as client:
        refused = [
            client.post(path, json={"program": CAFE}).status_code
            for path in ("/api/query", "/api/query/stream")
        ]
        assert [*refused, client.get("/api/language").status_code] == [401, 401, 401]


def test_only_json_is_taken(client: Client) -> None:
    reply = client.post("/api/query", content=b"answer(1)", headers={"content-type": "text/plain"})
    assert reply.status_code == 415


def test_hostile_names_in_results_stay_text(tmp_path: Path) -> None:
    world = WORLD.read_text("utf-8").replace(FOUND, json.dumps(f"{FOUND} {OWNED}")[1:-1])
    (tmp_path / "world.json").write_text(world, "utf-8")
    with serving(tmp_path / "home", provider=f"recorded:{tmp_path / 'world.json'}") as client:
        reply = client.post("/api/query", json={"program": f'answer(place("{FOUND}"), here=1)'})
    assert reply.headers["content-type"] == "application/json"
    assert OWNED in reply.json()["places"][0]["name"]


def test_the_language_is_told(client: Client) -> None:
    told = client.get("/api/language", params={"examples": 2}).json()
    names = {one["name"] for one in told["operators"]}
    assert {"place", "nearest", "travel", "is_open", "count", "answer"} <= names
    modules = {one["name"]: one["module"] for one in told["operators"]}
    assert (modules["nearest"], modules["trip"]) == ("map_service", "sequencer")
    assert "nearest(what, to" in told["card"]
    assert told["card"].count("```") == 4, "two examples, each in a fence"
    assert "mark(" not in told["card"]
    assert "mark(" in client.get("/api/language", params={"picture": True}).json()["card"]
    assert client.get("/api/language", params={"examples": 51}).status_code == 422
