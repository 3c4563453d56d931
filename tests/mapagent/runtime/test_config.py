"""Settings: layers, origins, secrets, and what a wrong one is told."""

from pathlib import Path

import pytest

from map_tools.errors import ConfigError, InputFileError
from mapagent.runtime.config import load_settings


def test_each_layer_wins_over_the_one_below(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('model = "from-file"\nprovider = "from-file"\nmap = "from-file"\n')
    environ = {"MAPAGENT_PROVIDER": "from-env", "MAPAGENT_MAP": "from-env"}
    loaded = load_settings(config=file, flags={"map": "from-flag", "model": None}, environ=environ)
    settings = loaded.settings
    assert (settings.model, settings.provider, settings.map) == ("from-file", "from-env", "from-flag")
    assert [loaded.origins[name] for name in ("model", "provider", "map")] == ["file", "environment", "flag"]
    assert {name: origin for name, _, origin in loaded.shown()}["concurrency"] == "default"


def test_a_secret_is_never_shown() -> None:
    loaded = load_settings(environ={"MAPAGENT_API_KEY": "sk-very-secret"})
    rows = {name: value for name, value, _ in loaded.shown()}
    assert rows["api_key"] == "(set)"
    assert "sk-very-secret" not in repr(loaded) + str(rows)
    assert loaded.settings.api_key is not None
    assert loaded.settings.api_key.get_secret_value() == "sk-very-secret"


def test_a_key_may_come_from_a_file_but_not_stand_in_the_configuration(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("sk-from-file\n")
    file = tmp_path / "settings.toml"
    file.write_text(f'api_key_file = "{key}"\n')
    settings = load_settings(config=file, environ={}).settings
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-from-file"
    file.write_text('api_key = "sk-open"\n')
    with pytest.raises(ConfigError, match=r"holds 'api_key'") as caught:
        load_settings(config=file, environ={})
    assert "sk-open" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = 1\n", r"'colour' \(from the file\) is not a setting"),
        ("deadline_s = -1\n", r"'deadline_s' \(from the file\) is wrong"),
    ],
)
def test_a_wrong_setting_is_named_with_its_origin(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_settings(config=file, environ={})


def test_a_wrong_environment_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'max_rounds' \(from the environment\)"):
        load_settings(environ={"MAPAGENT_MAX_ROUNDS": "many"})
    with pytest.raises(InputFileError, match=r"cannot be read"):
        load_settings(config=tmp_path / "absent.toml", environ={})
    broken = tmp_path / "broken.toml"
    broken.write_text("= nothing")
    with pytest.raises(InputFileError, match=r"not TOML"):
        load_settings(config=broken, environ={})


def test_data_home_follows_the_xdg_convention(tmp_path: Path) -> None:
    settings = load_settings(environ={"XDG_DATA_HOME": str(tmp_path)}).settings
    assert settings.data_home == tmp_path / "mapagent"


def test_a_slip_in_a_variables_name_is_told(caplog: pytest.LogCaptureFixture) -> None:
    settings = load_settings(environ={"MAPAGENT_MAX_USED": "0.10"}).settings
    assert settings.max_usd is None
    assert caplog.messages == [
        "MAPAGENT_MAX_USED is no setting and counts for nothing; is MAPAGENT_MAX_USD meant?"
    ]


@pytest.mark.parametrize("variable", ["MAPAGENT_SERVE_TOKEN", "MAPAGENT_TEST_CACHE", "MAPAGENT_PROVIDERS"])
def test_what_others_call_their_variables_is_not_judged(
    variable: str, caplog: pytest.LogCaptureFixture
) -> None:
    load_settings(environ={variable: "x"})
    assert caplog.messages == []
