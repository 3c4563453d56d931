"""Answers as files over HTTP: what the command line saves."""

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tests.mapagent.interfaces.takeaway.readers import ink, read_calendar, read_gpx
from tests.support.http_server import Client, serving

WALK = "How long does it take to walk from Ateneum to Kiasma?"
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
