"""Questions over HTTP: the same answers and files as on the command line, and what happens on the way."""

import base64
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from mapagent.interfaces.cli.main import main
from tests.mapagent.interfaces.takeaway.readers import ink, read_calendar, read_gpx
from tests.support.http_server import Client, serving

WALK = "How long does it take to walk from Ateneum to Kiasma?"
CAFES = "Which cafes are within 150 m of Ateneum?"


def test_the_answer_is_what_the_command_line_prints(
    client: Client, data_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(data_home))
    assert main(["ask", WALK, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    replied = client.ask(WALK).json()
    assert len(replied.pop("id")) == 16
    assert len(replied.pop("conversation")) == 22
    assert (replied.pop("cards"), len(replied.pop("ways"))) == ([], 1), "of the page alone"
    for record in (printed, replied):
        record["usage"].pop("latency_s")
    assert replied == printed


def test_options_position_and_moment_count(client: Client) -> None:
    options = ["2 minutes", "10 minutes", "40 minutes"]
    assert client.ask(WALK, options=options).json()["option"] == "B"
    # Kiasma closes at 17 on Sundays and at 20:30 on Fridays (opening_hours in the extract).
    sunday, friday = "2026-11-22T18:00", "2026-11-20T18:00"
    answers = [client.ask("Is Kiasma open now?", at=at).json()["answer"] for at in (sunday, friday)]
    assert [answer.split()[0].strip(".,").lower() for answer in answers] == ["no", "yes"]
    near = client.ask("Which museum is nearest to me?", near={"lat": 60.1720, "lng": 24.9367}).json()
    assert "Kiasma" in near["answer"]


def test_a_text_is_answered_from_without_a_map(tmp_path: Path) -> None:
    text = "Information of The Anchor:\n- Location: 5 Quay Street.\n- Phone Number: +44 20 7946 0958.\n"
    with serving(tmp_path / "empty") as client:
        reply = client.ask("What is the phone number of The Anchor?", context=text).json()
    assert "7946 0958" in reply["answer"]
    assert (reply["provider"], reply["map"]) == ("context", None)


def test_the_run_is_told_as_it_goes(client: Client) -> None:
    events = client.events(CAFES)
    names = [event.name for event in events]
    assert names[0] == "plan"
    assert names[-1] == "answer"
    steps = [step["id"] for step in events[0].data["steps"]]
    for what in ("step_started", "step_finished"):
        assert sorted(event.data["id"] for event in events if event.name == what) == sorted(steps)
    assert names.index("evidence") < names.index("step_finished"), "facts come in before their step ends"
    told = {item["id"] for event in events if event.name == "step_finished" for item in event.data["items"]}
    assert told == {item["id"] for item in events[-1].data["evidence"]}


def test_each_fact_says_what_to_draw(client: Client) -> None:
    answer = client.events(CAFES)[-1].data
    features = answer["features"]
    assert {feature["properties"]["evidence"] for feature in features} <= {
        "answer",
        *(item["id"] for item in answer["evidence"]),
    }
    (circle,) = (feature for feature in features if feature["properties"]["role"] == "circle")
    ring = circle["geometry"]["coordinates"][0]
    north = max(lat for _, lat in ring) - min(lat for _, lat in ring)
    assert north == pytest.approx(300 / 111_400, rel=0.01), "a degree of latitude is 111.4 km at 60 degrees"
    nearest = client.events("Which cafe is nearest to Ateneum?")[-1].data["features"]
    assert "circle" not in {feature["properties"]["role"] for feature in nearest}, "nobody spoke of a circle"
    walk = client.events(WALK)[-1].data["features"]
    (line,) = (feature for feature in walk if feature["properties"]["role"] == "route")
    lng, lat = line["geometry"]["coordinates"][0]
    assert (lng, lat) == pytest.approx((24.944, 60.170), abs=0.002), "longitude comes first"


@pytest.mark.parametrize("text", ["not base64!", "data:image/png,raw", base64.b64encode(b"nothing").decode()])
def test_what_is_no_picture_is_said_in_a_sentence(client: Client, text: str) -> None:
    reply = client.ask("What is this?", image=text)
    assert reply.status_code == 422
    error = reply.json()["error"]
    assert error["code"] == "input_file"
    assert "picture" in error["message"]
    assert "/" not in error["message"], "no path of this machine is told"


def test_a_picture_is_looked_at_and_nothing_of_it_stays(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    image = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(image, "PNG")
    url = "data:image/png;base64," + base64.b64encode(image.getvalue()).decode()
    reply = client.ask("Which place is in the middle of this map?", image=url).json()
    assert {item["tool"] for item in reply["evidence"]} == {"visual_place_recognizer"}
    assert reply["status"] != "answered"
    assert not list(tmp_path.iterdir())


def test_openapi_describes_the_paths(client: Client) -> None:
    described = client.get("/api/openapi.json").json()
    paths = {"/api/ask", "/api/ask/stream", "/api/query", "/api/query/stream", "/api/language"}
    assert paths | {"/api/history", "/api/traces/{ask_id}", "/api/maps"} <= set(described["paths"])
    schemas = described["components"]["schemas"]
    assert schemas["AskBody"]["required"] == ["question"]
    assert schemas["QueryBody"]["required"] == ["program"]
    assert {"program", "understood", "parts", "candidates"} <= set(schemas["AnswerRecord"]["properties"])
    assert {"line", "fault", "mend"} <= set(schemas["Problem"]["properties"])


DAY = (
    'answer(trip([visit("Kiasma", stay="45 min")], start="Ateneum", mode="walk", depart="10:00").arrive)',
    "2026-11-21T09:00",
)


def test_a_walk_in_each_format(client: Client) -> None:
    ask_id = client.ask(WALK).json()["id"]
    replies = {form: client.get(f"/api/answers/{ask_id}.{form}") for form in ("geojson", "gpx", "png")}
    assert {form: reply.status_code for form, reply in replies.items()} == {
        "geojson": 200,
        "gpx": 200,
        "png": 200,
    }
    assert [reply.headers["content-type"] for reply in replies.values()] == [
        "application/geo+json",
        "application/gpx+xml",
        "image/png",
    ]
    for form, reply in replies.items():
        assert reply.headers["content-disposition"] == f'attachment; filename="mapagent-{ask_id}.{form}"'
    saved = json.loads(replies["geojson"].content)
    assert saved["question"] == WALK
    assert saved["features"] == client.get(f"/api/history/{ask_id}").json()["features"]
    assert list(read_gpx(replies["gpx"].text).tracks) == ["Ateneum → Kiasma"]
    with Image.open(io.BytesIO(replies["png"].content)) as image:
        height = image.height
        assert image.width == 1000
    assert ink(replies["png"].content, (16, height - 42, 260, height - 14)) > 200, "whose data it is"


def test_a_plan_is_a_calendar(client: Client) -> None:
    program, at = DAY
    ask_id = client.post("/api/query", json={"program": program, "at": at}).json()["id"]
    reply = client.get(f"/api/answers/{ask_id}.ics")
    assert reply.headers["content-type"] == "text/calendar; charset=utf-8"
    (event,) = read_calendar(reply.content)
    assert (event["SUMMARY"], event["DTSTART"]) == ("Kiasma", "20261121T081000Z")
    assert "Ateneum to Kiasma" in event["DESCRIPTION"], "a program is told in words"


@pytest.mark.parametrize(
    ("question", "form", "message"),
    [
        (WALK, "ics", "The answer has no plan"),
        ("How long does it take to walk from Ateneum to Nowhere at all?", "gpx", "There is no answer"),
    ],
)
def test_nothing_to_save_is_said_in_a_sentence(
    client: Client, question: str, form: str, message: str
) -> None:
    reply = client.get(f"/api/answers/{client.ask(question).json()['id']}.{form}")
    assert reply.status_code == 422
    assert reply.json()["error"]["code"] == "usage"
    assert reply.json()["error"]["message"].startswith(message)


def test_what_is_not_there_is_not_found(client: Client) -> None:
    assert client.get("/api/answers/0123456789abcdef.gpx").status_code == 404
    for wrong in ("0123456789abcdef.exe", "nothing.gpx", "../x.gpx"):
        assert client.get(f"/api/answers/{wrong}").status_code in {404, 422}


def test_a_token_is_wanted(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, token="right") as client:
        assert client.get("/api/answers/0123456789abcdef.png").status_code == 401
