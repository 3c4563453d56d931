"""Settings: defaults in code < `--config` file < `MAPAGENT_*` environment < flags.

Keys come only from the environment or a key file, and are never shown or written.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from map_tools.errors import ConfigError, InputFileError
from mapagent.ledger import Limits

ENV_PREFIX = "MAPAGENT_"
Origin = Literal["default", "file", "environment", "flag"]


class Settings(BaseModel):
    """Everything that can be set. Names are those of the configuration file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "offline"
    base_url: str | None = None
    provider: str = "osm"
    map: str | None = None
    data_home: Path = Field(default_factory=lambda: default_data_home(os.environ))
    max_rounds: int = Field(default=8, ge=1, le=100)
    max_tool_calls: int = Field(default=80, ge=0)
    deadline_s: float = Field(default=60.0, gt=0)
    max_usd: float | None = Field(default=None, ge=0)
    concurrency: int = Field(default=8, ge=1, le=256)
    modules: dict[str, dict[str, Any]] = Field(default_factory=dict)
    api_key: SecretStr | None = None
    google_key: SecretStr | None = None

    def limits(self) -> Limits:
        """The limits of one question."""
        return Limits(
            max_rounds=self.max_rounds,
            max_tool_calls=self.max_tool_calls,
            deadline_s=self.deadline_s,
            max_usd=self.max_usd,
            concurrency=self.concurrency,
        )


SECRETS = ("api_key", "google_key")
_SECRET_NAME = re.compile(r"key|token|secret|password", re.IGNORECASE)
_CREDENTIALS = re.compile(r"//[^/@]*@")


def default_data_home(environ: Mapping[str, str]) -> Path:
    """`$XDG_DATA_HOME/mapagent`, by default below ~/.local/share.

    A relative path counts for nothing (https://specifications.freedesktop.org/basedir-spec/latest/).
    """
    base = environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "mapagent"


@dataclass(frozen=True)
class LoadedSettings:
    """Settings with the origin of each value."""

    settings: Settings
    origins: Mapping[str, Origin]

    def shown(self) -> list[tuple[str, str, Origin]]:
        """(name, value, origin) for showing; a secret is only said to be set."""
        rows: list[tuple[str, str, Origin]] = []
        for name in Settings.model_fields:
            value = getattr(self.settings, name)
            if name in SECRETS:
                text = "(set)" if value is not None else "(not set)"
            else:
                text = "(not set)" if value is None else _harmless(name, value)
            rows.append((name, text, self.origins.get(name, "default")))
        return rows


def _harmless(name: str, value: Any) -> str:
    """A value as it may be shown: modules' own settings and addresses can hold keys as well."""
    if isinstance(value, dict):
        return str({key: _masked(key, item) for key, item in value.items()})
    return _CREDENTIALS.sub("//***@", str(value)) if name == "base_url" else str(value)


def _masked(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _masked(key, item) for key, item in value.items()}
    return "***" if _SECRET_NAME.search(name) else value


def load_settings(
    *,
    config: Path | None = None,
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> LoadedSettings:
    """Reads all layers.

    Args:
        config: A TOML file.
        flags: Values given on the command line; None means not given.
        environ: The environment (default: the process's).

    Raises:
        ConfigError: An unknown name or a wrong value; the message says where it was set.
        InputFileError: The file cannot be read.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    layers: tuple[tuple[Origin, Mapping[str, Any]], ...] = (
        ("default", {"data_home": default_data_home(environ)}),
        ("file", _file_values(config) if config else {}),
        ("environment", _environment_values(environ)),
        ("flag", {name: value for name, value in (flags or {}).items() if value is not None}),
    )
    for origin, layer in layers:
        for name, value in layer.items():
            values[name] = value
            origins[name] = origin
    try:
        return LoadedSettings(Settings.model_validate(values), origins)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "?"
        where = origins.get(name, "default")
        problem = "is not a setting" if first["type"] == "extra_forbidden" else f"is wrong: {first['msg']}"
        raise ConfigError(f"'{name}' (from the {where}) {problem}.", "See `mapagent config show`.") from error


def _file_values(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputFileError(f"The configuration file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputFileError(f"The configuration file {path} is not TOML: {error}.") from error
    for secret in SECRETS:
        if secret in values:
            raise ConfigError(
                f"The configuration file {path} holds '{secret}'.",
                f"Set {ENV_PREFIX}{secret.upper()} in the environment, or name a file with {secret}_file.",
            )
    for secret in SECRETS:
        key_file = values.pop(f"{secret}_file", None)
        if key_file is not None:
            values[secret] = _key_file(f"{secret}_file", key_file)
    return values


def _key_file(setting: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"'{setting}' (from the file) is not a path.", "Write the path in quotes.")
    try:
        key = Path(value).expanduser().read_text(encoding="utf-8").strip()
    except OSError as error:
        raise InputFileError(f"The key file {value} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"The key file {value} is not text.", "It should hold nothing but the key."
        ) from error
    if not key:
        raise InputFileError(f"The key file {value} is empty.", "It should hold the key.")
    return key


def _environment_values(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable, text in environ.items():
        if not variable.startswith(ENV_PREFIX) or not text:
            continue
        name = variable.removeprefix(ENV_PREFIX).lower()
        if name in Settings.model_fields and name != "modules":
            values[name] = text
    return values
