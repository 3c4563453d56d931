"""The user's own places in the server: known to him alone, who uses it on this machine."""

from argparse import ArgumentParser
from pathlib import Path

import pytest

from map_tools.own_places import OwnPlace
from map_tools.types import LatLng
from mapagent.interfaces.http.serve import TOKEN_VARIABLE, configure, options_from
from mapagent.runtime.config import Settings
from mapagent.runtime.own_places import FILE, OwnPlacesFile
from tests.mapagent.interfaces.http.conftest import demo_home
from tests.support.cli import CommandLine
from tests.support.http_server import Client, served, serving

HOME, MOVED = LatLng(lat=60.16507, lng=24.94013), LatLng(lat=60.17603, lng=24.94207)
QUESTION = "Which cafe is nearest to home?"
TOKEN = "open-sesame"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data home with the demo map and an own place."""
    folder = demo_home(tmp_path / "data")
    OwnPlacesFile(folder).add([OwnPlace(name="home", location=HOME)])
    return folder


def nearest_cafe(client: Client, at: LatLng) -> str:
    program = f'answer(nearest("cafe", to="{at.lat}, {at.lng}"))'
    answer: str = client.post("/api/query", json={"program": program}).json()["answer"]
    return answer


def test_a_question_with_home_is_answered_from_where_home_is_now(home: Path) -> None:
    with serving(home, own_places=True) as client:
        first = client.ask(QUESTION).json()
        OwnPlacesFile(home).add([OwnPlace(name="home", location=MOVED)])
        second = client.ask(QUESTION).json()
        OwnPlacesFile(home).remove()
        third = client.ask(QUESTION).json()
        expected = [nearest_cafe(client, at) for at in (HOME, MOVED)]
    assert [first["answer"], second["answer"]] == expected
    assert expected[0] != expected[1]
    assert "home is a place of your own" in first["understood"]
    assert "of your own" not in str(third)


def test_a_file_that_breaks_is_told_until_it_is_mended(home: Path) -> None:
    content = (home / FILE).read_text()
    with serving(home, own_places=True) as client:
        (home / FILE).write_text("{")
        broken = client.ask(QUESTION)
        (home / FILE).write_text(content)
        mended = client.ask(QUESTION)
    assert broken.status_code == 422
    assert "are damaged" in broken.json()["error"]["message"]
    assert mended.json()["status"] == "answered"


@pytest.mark.parametrize(
    ("arguments", "token", "known"),
    [
        ((), "", True),
        (("--host", "localhost"), "", True),
        (("--host", "::1"), "", True),
        (("--no-own-places",), "", False),
        (("--open",), "", False),
        ((), TOKEN, False),
        (("--host", "0.0.0.0", "--open"), "", False),
        (("--host", "0.0.0.0"), TOKEN, False),
        (("--own-places",), TOKEN, True),
        (("--host", "0.0.0.0", "--open", "--own-places"), "", True),
    ],
)
def test_whoever_serves_others_has_to_say_so(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], token: str, known: bool
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, token)
    parser = ArgumentParser()
    configure(parser)
    assert options_from(parser.parse_args(arguments), Settings()).own_places is known


@pytest.mark.parametrize(("arguments", "known"), [((), True), (("--open",), False)])
def test_an_open_server_does_not_know_them(
    home: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], known: bool
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    with served(*arguments, data_home=home) as client:
        reply = client.post("/api/query", json={"program": 'answer(distance("home", "Ateneum"))'})
        asked = client.ask(QUESTION)
    assert ("a place of your own" in reply.text) is known
    assert ("a place of your own" in asked.text) is known
    assert (str(HOME.lat) in asked.text + reply.text) is False


def test_nor_does_one_with_a_token(home: Path) -> None:
    with serving(home, token=TOKEN) as client:
        reply = client.post(
            "/api/ask", json={"question": QUESTION}, headers={"authorization": f"Bearer {TOKEN}"}
        )
    assert reply.status_code == 200
    assert "of your own" not in reply.text


def test_what_was_asked_where_they_were_known_is_not_told_where_they_are_not(home: Path) -> None:
    with serving(home) as client:
        before = client.ask("Which cafe is nearest to Ateneum?").json()
    with serving(home, own_places=True) as client:
        mine = client.ask(QUESTION).json()
        shown = client.get(f"/api/history/{mine['id']}")
        assert str(HOME.lat) in shown.text, "what there is to draw has the position"
        assert [item["id"] for item in client.get("/api/history").json()["items"]] == [
            mine["id"],
            before["id"],
        ]
    with serving(home) as client:
        items = client.get("/api/history").json()["items"]
        paths = (f"history/{mine['id']}", f"answers/{mine['id']}.geojson", f"traces/{mine['id']}")
        replies = [client.get(f"/api/{path}") for path in paths]
        assert client.get(f"/api/history/{before['id']}").status_code == 200
    assert [item["id"] for item in items] == [before["id"]]
    assert {reply.status_code for reply in replies} == {404}
    assert "No question has the id" in replies[0].text
    with serving(home, own_places=True) as client:
        assert client.get(f"/api/history/{mine['id']}").status_code == 200


def test_a_damaged_file_is_told_before_anything_is_served(mapagent: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE).write_text("{")
    ran = mapagent("serve", "--port", "0")
    assert ran.code == 2
    assert "Your own places" in ran.err
