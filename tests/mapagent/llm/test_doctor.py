"""`mapagent doctor` tells the truth on four set-ups: offline, local model, wrong key, server down."""

import json
import os
import shutil
import socket
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mapagent.llm.profile import ProfileStore
from mapagent.runtime.config import default_data_home
from mapagent.runtime.diagnostics import State, check_ocr, check_postgis
from tests.support.chat import openai_error
from tests.support.cli import CommandLine, Ran
from tests.support.loopback import Asked, Scripted, json_reply, serving
from tests.support.maps import demo_map
from tests.support.model_server import CONTEXT_TOKENS, RunningModel


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.fixture
def with_map(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A data home with the demo map in it."""
    home = tmp_path / "data"
    shutil.copytree(demo_map().resolve(), home / "maps" / "helsinki")
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(home))
    return home


def _findings(ran: Ran) -> dict[tuple[str, str], dict[str, Any]]:
    value = json.loads(ran.out)
    assert value["ok"] is (ran.code == 0)
    return {(row["area"], row["name"]): row for row in value["findings"]}


def test_offline_on_a_new_machine(command: CommandLine) -> None:
    ran = command("doctor")
    assert ran.code == 0
    assert "ok   model     offline" in ran.out
    assert "Add one with `mapagent map add FILE.osm.pbf`." in ran.out


def test_offline_with_a_map(command: CommandLine, with_map: Path) -> None:
    found = _findings(command("doctor", "--json"))
    assert found["provider", "osm"]["state"] == "ok"
    assert "helsinki" in found["provider", "osm"]["detail"]
    assert "with routes" in found["maps", "helsinki"]["detail"]


def test_a_damaged_map_fails(command: CommandLine, with_map: Path) -> None:
    features = with_map / "maps" / "helsinki" / "features.sqlite"
    features.write_bytes(features.read_bytes()[:1000])
    ran = command("doctor")
    assert ran.code == 1
    assert "features.sqlite is missing or cut short" in ran.out
    assert "mapagent map add" in ran.out


def test_a_local_model(command: CommandLine, smol: RunningModel) -> None:
    """What is printed, and what is kept for the client."""
    found = _findings(command("doctor", "--json", "--model", "smol", "--base-url", smol.base_url))
    assert "llama.cpp" in found["model", "smol"]["detail"]
    assert found["model", "schema"]["state"] == "ok"
    assert found["model", "tools"]["state"] == "no"
    assert found["model", "vision"]["state"] == "no"
    assert "no model called 'smol'" in found["model", "note"]["detail"]
    store = ProfileStore(default_data_home(os.environ) / "models")
    kept = store.load(smol.base_url, "smol", now=datetime.now(UTC))
    assert kept is not None
    assert (kept.server, kept.models, kept.context_tokens) == ("llama.cpp", (smol.served,), CONTEXT_TOKENS)
    assert (kept.schema_obeyed, kept.tools_called, kept.vision) == (True, False, False)
    assert kept.writing_tokens_per_s is not None


def test_an_address_without_a_name_takes_the_servers_model(command: CommandLine) -> None:
    def script(asked: Asked) -> Scripted:
        if asked.path == "/v1/models":
            return json_reply({"object": "list", "data": [{"id": "the-only-one"}, {"id": "another"}]})
        return json_reply(openai_error("Not today."), 403)

    with serving(script) as server:
        found = _findings(command("doctor", "--json", "--base-url", f"{server.url}/v1"))
    assert found["model", "the-only-one"]["state"] == "fail"
    assert found["model", "models"]["detail"] == "the-only-one, another"


def test_a_wrong_key(command: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPAGENT_API_KEY", "sk-wrong-0123")
    refusal = json_reply(openai_error("Incorrect API key provided: sk-wrong-0123."), 401)
    with serving(lambda _: refusal) as server:
        ran = command("doctor", "--model", "gpt-4o", "--base-url", f"{server.url}/v1")
    assert ran.code == 1
    assert "does not accept the key" in ran.out
    assert "MAPAGENT_API_KEY" in ran.out
    assert "sk-wrong-0123" not in ran.out + ran.err


def test_no_key(command: CommandLine) -> None:
    ran = command("doctor", "--model", "gpt-4o")
    assert ran.code == 1
    assert "The model 'gpt-4o' at https://api.openai.com/v1 needs a key." in ran.out


def test_a_server_that_is_down(command: CommandLine) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    ran = command("doctor", "--model", "small", "--base-url", f"http://127.0.0.1:{port}/v1")
    assert ran.code == 1
    assert f"The model server http://127.0.0.1:{port}/v1 cannot be reached" in ran.out
    assert "Start it, or check --base-url." in ran.out


def test_a_provider_that_was_asked_for_and_cannot_be_had(command: CommandLine) -> None:
    found = _findings(command("doctor", "--json", "--provider", "recorded:nowhere.json"))
    assert found["provider", "recorded:nowhere.json"]["state"] == "fail"
    assert found["model", "offline"]["state"] == "ok"
    found = _findings(command("doctor", "--json", "--map", "atlantis"))
    assert "atlantis" in found["provider", "osm"]["detail"]


def test_postgis_is_told_as_it_is(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = str(server.getsockname()[1])
        environ = {"PGHOST": "127.0.0.1", "PGPORT": port, "PATH": ""}
        (up,) = check_postgis(environ)
        assert f"PostgreSQL at 127.0.0.1:{port}" in up.detail
        assert up.state is State.NO  # something listens, but nobody has said that it has PostGIS
    (down,) = check_postgis(environ)
    assert "no PostgreSQL server at 127.0.0.1" in down.detail
    (down,) = check_postgis({"PGHOST": str(tmp_path)})
    assert down.state is State.NO
    (down,) = check_postgis({"PGPORT": "five"})
    assert down.state is State.NO


def test_ocr_is_told_as_it_is() -> None:
    from importlib.util import find_spec

    there = all(find_spec(name) for name in ("rapidocr", "openvino"))
    assert check_ocr()[0].state is (State.OK if there else State.NO)


def test_offline_it_imports_no_client() -> None:
    script = (
        "import sys; from mapagent.interfaces.cli.main import main; main(['doctor']); "
        "print([name for name in ('openai', 'httpx2', 'PIL', 'requests') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
