"""Keys appear nowhere: not in what is printed, not in what is written, not where things go wrong."""

from pathlib import Path

import pytest

from tests.support.awkward import register
from tests.support.cli import CommandLine

KEY = "sk-marker-3f9a77"
QUESTION = "What is the address of Customs House?"


@pytest.fixture(autouse=True)
def _keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("MAPAGENT_API_KEY", KEY)
    monkeypatch.setenv("MAPAGENT_GOOGLE_KEY", KEY)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", QUESTION, "--json"],
        ["ask", QUESTION, "--explain"],
        ["ask", QUESTION, "--estimate"],
        ["ask", "Flarp the gnee?", "--json"],
        ["ask", "", "--json"],
        ["ask", QUESTION, "--near", "x"],
        ["ask", QUESTION, "--model", "gpt-99"],
        ["ask", QUESTION, "--max-usd", "-1"],
        ["ask", QUESTION, "--context", "/no/such/file"],
        ["ask", QUESTION, "--model", "raving", "--explain"],
        ["ask", QUESTION, "--model", "endless", "--json"],
        ["config", "show"],
        ["config", "show", "--max-usd", "-1"],
        ["module", "list"],
        ["provider", "list"],
        ["map", "list"],
        ["map", "add", "/no/such/file"],
        ["map", "synth", "--seed", "1", "--size", "60"],
    ],
    ids=" ".join,
)
def test_keys_appear_nowhere(
    mapagent: CommandLine, tmp_path: Path, world: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "ask":
        arguments = [*arguments, "--provider", world, "--trace", str(tmp_path / "trace.jsonl")]
    ran = mapagent(*arguments)
    assert ran.out or ran.err
    assert KEY not in ran.out
    assert KEY not in ran.err
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in written if KEY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("provider", ["broken", "refusing"])
def test_failing_providers(mapagent: CommandLine, tmp_path: Path, provider: str) -> None:
    trace = tmp_path / "trace.jsonl"
    ran = mapagent("ask", QUESTION, "--provider", provider, "--explain", "--trace", trace)
    assert KEY not in ran.out + ran.err + trace.read_text("utf-8")


def test_a_key_file_is_named_but_its_content_is_not_shown(mapagent: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{KEY}-of-a-file\n")
    config = tmp_path / "settings.toml"
    config.write_text(f'google_key_file = "{tmp_path / "key"}"')
    ran = mapagent("config", "show", "--config", config)
    assert ran.code == 0
    assert KEY not in ran.out
    keys = [line.split() for line in ran.out.splitlines() if line.startswith(("api_key", "google_key"))]
    assert keys == [["api_key", "(set)", "(environment)"], ["google_key", "(set)", "(environment)"]]


def test_a_key_in_a_file_that_holds_settings_is_refused(mapagent: CommandLine, tmp_path: Path) -> None:
    config = tmp_path / "settings.toml"
    config.write_text(f'api_key = "{KEY}"')
    ran = mapagent("config", "show", "--config", config)
    assert ran.code == 2
    assert KEY not in ran.err


def test_other_places_that_can_hold_a_key(mapagent: CommandLine, tmp_path: Path) -> None:
    config = tmp_path / "settings.toml"
    config.write_text(
        f'base_url = "https://user:{KEY}@example.org/v1"\n'
        f'[modules.weather]\ntoken = "{KEY}"\nunits = "metric"\n[modules.weather.deep]\nApiKey = "{KEY}"\n'
    )
    ran = mapagent("config", "show", "--config", config)
    assert ran.code == 0
    assert KEY not in ran.out
    assert "https://***@example.org/v1" in ran.out
    assert "'units': 'metric'" in ran.out


def test_settings_as_python_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from mapagent.runtime.config import load_settings

    loaded = load_settings()
    assert loaded.settings.api_key is not None
    assert loaded.settings.api_key.get_secret_value() == KEY
    for text in (repr(loaded), str(loaded.settings), loaded.settings.model_dump_json()):
        assert KEY not in text
