"""Settings: defaults in code < `--config` file < `MAPAGENT_*` environment < flags.

Keys come only from the environment or a key file, and are never shown or written: `settings_record` is the part of
a run's settings that may be recorded.
"""

import hashlib
import json
import logging
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from map_tools.downloads import GEOFABRIK_INDEX
from map_tools.errors import ConfigError, InputFileError
from map_tools.validation import first_fault
from map_tools.wire.environment import WebAddress
from mapagent.runtime.ledger import Limits

ENV_PREFIX = "MAPAGENT_"
_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_log = logging.getLogger(__name__)
Origin = Literal["default", "file", "environment", "flag"]


OWN_MAP = "osm"
"""The provider of maps on this machine."""
OWN_MAP_CALLS = 1_000
"""A call to a local map takes under a millisecond and is free: enough for five rounds over lists of 200 places."""


class Settings(BaseModel):
    """Everything that can be set. Names are those of the configuration file.

    Attributes:
        model: What understands language: "offline", a model's name, or "cascade:NAME".
        base_url: Address of the OpenAI-compatible server of the model.
        provider: Where map facts come from: a plug-in's name, "recorded:PATH" for a recorded world.
        map: Which map; None: the last one added.
        data_home: Where maps, caches and worlds are kept; below `$XDG_DATA_HOME` unless it is set.
        regions_index: Where `mapagent map add --region` looks for regions: an index in Geofabrik's format.
        max_rounds: Most rounds of map calls for one question.
        max_tool_calls: Most map calls for one question; None: 80 to a service, 1,000 to a map on this machine.
        deadline_s: Wall time of one question.
        max_usd: Most money for one question, for model and map calls; None for no limit.
        concurrency: Simultaneous map calls.
        temperature: Sampling temperature of every model call; 0 for the likeliest words.
        model_seed: Seed of the server's sampling; None leaves it to the server.
        model_concurrency: Simultaneous model calls.
        model_requests_per_s: Most model calls a second; None for no limit.
        model_timeout_s: Longest time for one model call.
        model_cache: Whether replies of models are kept below `data_home` and used again.
        context_tokens: Longest prompt and reply together; None: as the probe found.
        price_in, price_out: USD for a million tokens read or written; None for the published price.
        api_key: Key of the model server; from the environment or a key file only.
        google_key: Key of Google's services; likewise.
        google_base_url: Address to use instead of Google's (an emulator); None: Google's.
        google_keep_payload_days: For how many days whole replies of Google are kept on this machine. Google's
            terms allow it only where you have a right of your own to do so (`docs/google.md`).
        language: Language of the names and instructions that map services send (BCP 47).
        region: Two-letter code of the country whose point of view counts; empty: the service's choice.
        record: A file to record all traffic with map services in, to be replayed.
        replay: Such a file to answer from, with the network off and at the moment of the recording.
        record_payloads: Record also services whose terms forbid keeping their replies; the file must stay on
            this machine.
        contact: An e-mail or web address where operators of public map services can reach you; without one,
            these services are not used.
        telemetry: Whether traces and metrics go to OpenTelemetry (`mapagent.runtime.telemetry`).
        telemetry_content: Whether they include questions, answers and arguments.
        processes: Number of parallel processes: each keeps to its share of a map service's requests per
            second. `--executor ray` sets it for its workers.
        machines: Number of machines they run on; those on one machine keep the strictest rates together.
        modules, providers: Settings of single modules and providers, by name.
        prompts: A folder with your own prompts, `PACKAGE/NAME.md`, instead of the built-in ones.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "offline"
    base_url: WebAddress | None = None
    provider: str = OWN_MAP
    map: str | None = None
    data_home: Path = Field(default_factory=lambda: default_data_home(os.environ))
    regions_index: WebAddress = GEOFABRIK_INDEX
    max_rounds: int = Field(default=8, ge=1, le=100)
    max_tool_calls: int | None = Field(default=None, ge=0)
    deadline_s: float = Field(default=60.0, gt=0)
    max_usd: float | None = Field(default=None, ge=0)
    concurrency: int = Field(default=8, ge=1, le=256)
    temperature: float = Field(default=0.0, ge=0, le=2)
    model_seed: int | None = None
    model_concurrency: int = Field(default=4, ge=1, le=256)
    model_requests_per_s: float | None = Field(default=None, gt=0)
    model_timeout_s: float = Field(default=120.0, gt=0)
    model_cache: bool = True
    context_tokens: int | None = Field(default=None, ge=256)
    price_in: float | None = Field(default=None, ge=0)
    price_out: float | None = Field(default=None, ge=0)
    prompts: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    record_payloads: bool = False
    contact: str = ""
    telemetry: bool = False
    telemetry_content: bool = False
    processes: int = Field(default=1, ge=1)
    machines: int = Field(default=1, ge=1)
    modules: dict[str, dict[str, Any]] = Field(default_factory=dict)
    providers: dict[str, dict[str, Any]] = Field(default_factory=dict)
    api_key: SecretStr | None = None
    google_key: SecretStr | None = None
    google_base_url: WebAddress | None = None
    google_keep_payload_days: float = Field(default=0.0, ge=0)
    language: str = Field(default="en", min_length=2)
    region: str = Field(default="", pattern="^([A-Za-z]{2})?$")

    def limits(self) -> Limits:
        """The limits of one question."""
        return Limits(
            max_rounds=self.max_rounds,
            max_tool_calls=self._tool_calls(),
            deadline_s=self.deadline_s,
            max_usd=self.max_usd,
            concurrency=self.concurrency,
        )

    def _tool_calls(self) -> int:
        if self.max_tool_calls is not None:
            return self.max_tool_calls
        return OWN_MAP_CALLS if self.provider == OWN_MAP else Limits.max_tool_calls


SECRETS = ("api_key", "google_key")
TABLES = ("modules", "providers")
"""Settings that only a file can hold: a section for each module or provider."""
_LIKE = 0.8
"""Similarity from which an unknown name is taken for a misspelling ("max_used" and "max_usd": 0.93)."""
_SECRET_NAME = re.compile(r"key|token|secret|password|dsn", re.IGNORECASE)
_CREDENTIALS = re.compile(r"//[^/@]*@")


def default_data_home(environ: Mapping[str, str]) -> Path:
    """`$XDG_DATA_HOME/mapagent`, by default below ~/.local/share.

    A relative path is ignored (https://specifications.freedesktop.org/basedir-spec/latest/).
    """
    base = environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "mapagent"


@dataclass(frozen=True)
class LoadedSettings:
    """Settings with the origin of each value."""

    settings: Settings
    origins: Mapping[str, Origin]

    def shown(self) -> list[tuple[str, str, Origin]]:
        """(name, value, origin) for display; of a secret only that it is set."""
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
    """A value safe to show: modules' own settings and addresses can hold keys as well."""
    if isinstance(value, dict):
        return str({key: masked(key, item) for key, item in value.items()})
    return _CREDENTIALS.sub("//***@", str(value)) if name.endswith("base_url") else str(value)


def masked(name: str, value: Any) -> Any:
    """A plug-in's setting with keys and passwords replaced by stars, also those of inner tables and lists.

    A number is no secret: it says how many tokens, not which.
    """
    if isinstance(value, dict):
        return {key: masked(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(name, item) for item in value]
    if not isinstance(value, str):
        return value
    return "***" if _SECRET_NAME.search(name) else _CREDENTIALS.sub("//***@", value)


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
        fault = first_fault(error)
        name = str(fault.path[0]) if fault.path else "?"
        where = origins.get(name, "default")
        problem = "is not a setting" if fault.kind == "extra_forbidden" else f"is wrong: {fault.reason}"
        raise ConfigError(f"'{name}' (from the {where}) {problem}.", "See `mapagent config show`.") from error


def share_setting(settings: Settings, module: str, name: str, default: float, *, of: str) -> float:
    """Reads a module's setting that is a share, 0 to 1; `of` names its owner in messages.

    Raises:
        ConfigError: It is not a number from 0 to 1.
    """
    value = settings.modules.get(module, {}).get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(
            f"The {of}'s {name} {value!r} is not a number from 0 to 1.",
            f"Set {name} under [modules.{module}] in the configuration file.",
        )
    return float(value)


def _file_values(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputFileError(
            f"The configuration file {path} cannot be read: {error.strerror}.", "Name a file you may read."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputFileError(
            f"The configuration file {path} is not TOML: {error}.", "configs/ has files to begin with."
        ) from error
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
    path = Path(value).expanduser()
    try:
        key = path.read_text(encoding="utf-8").strip()
        _warn_if_shared(path)
    except OSError as error:
        raise InputFileError(
            f"The key file {value} cannot be read: {error.strerror}.", "Name a file you may read."
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"The key file {value} is not text.", "It should hold nothing but the key."
        ) from error
    if not key:
        raise InputFileError(f"The key file {value} is empty.", "It should hold the key.")
    return key


def _warn_if_shared(path: Path) -> None:
    """Warns if others can read the user's own key file; mounted secrets, owned by others, are left as they are."""
    found = path.stat()
    if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_mode & _FOR_OTHERS:
        _log.warning("The key file %s can be read by others; `chmod 600` keeps it yours.", path)


def _environment_values(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable, text in environ.items():
        if not variable.startswith(ENV_PREFIX) or not text:
            continue
        name = variable.removeprefix(ENV_PREFIX).lower()
        if name not in Settings.model_fields:
            _warn_of_slip(variable, name)
        elif name not in TABLES:
            values[name] = text
    return values


def _warn_of_slip(variable: str, name: str) -> None:
    """Warns of a likely misspelling, such as of a budget; other variables of this prefix are other programs'."""
    from difflib import get_close_matches

    meant = get_close_matches(name, Settings.model_fields, n=1, cutoff=_LIKE)
    if meant:
        _log.warning(
            "%s is no setting and counts for nothing; is %s%s meant?", variable, ENV_PREFIX, meant[0].upper()
        )


def read_section[M: BaseModel](model: type[M], settings: Settings, *path: str, see: str) -> M:
    """Reads the section `[modules.PATH]` of the settings; what it leaves out has the model's default.

    Args:
        model: Pydantic model of the section.
        settings: The settings.
        path: The module's name, and the names of parts of its section.
        see: The documentation page to name in errors.

    Raises:
        ConfigError: A name is unknown or a value wrong; the message says which.
    """
    section: object = settings.modules
    for name in path:
        section = section.get(name, {}) if isinstance(section, dict) else section
    try:
        return model.model_validate(section)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or path[-1]
        raise ConfigError(
            f"'{where}' in [modules.{'.'.join(path)}] is wrong: {first['msg']}.", f"See {see}."
        ) from error


_NOT_RECORDED = ("data_home", "prompts", "max_usd", "contact", "processes", "machines", "regions_index")
"""Settings of the machine, the person or the budget, which do not change answers."""


def settings_record(settings: Settings) -> dict[str, Any]:
    """The settings as JSON, without what may be secret (keys, addresses, those of plug-ins) or local."""
    values = settings.model_dump(mode="json", exclude={*SECRETS, *_NOT_RECORDED})
    addresses = [name for name in values if name.endswith("base_url")]
    values |= {f"{name}_set": values.pop(name) is not None for name in addresses}
    for name in TABLES:
        # Not even the digest depends on secrets: it could be used to test guessed passwords.
        told = {plugin: masked(plugin, own) for plugin, own in values[name].items()}
        values |= {name: sorted(told), f"{name}_sha256": digest([json.dumps(told, sort_keys=True).encode()])}
    return values


def digest(parts: Iterable[bytes]) -> str:
    """SHA-256 over all parts, one after the other."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part)
    return hashed.hexdigest()
