"""What works here, what does not, and what to do about it: the checks behind `mapagent doctor`."""

import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from contextlib import closing
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from map_tools.errors import MapAgentError, MapStoreError, UsageError
from map_tools.maps.info import MapInfo, check_sizes, read_info
from map_tools.types import Frozen
from mapagent.llm.failures import ServerError
from mapagent.llm.open import model_pace, model_target, profile_store
from mapagent.llm.probe import Probe, ProbeResult
from mapagent.llm.profile import ServerProfile, list_models
from mapagent.llm.server import ModelServer
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import LANGUAGE_MODEL, OFFLINE, PLANNERS, map_home, open_provider
from mapagent.runtime.plugins import Plugins


class State(StrEnum):
    """The state of a checked item."""

    OK = "ok"
    """It works."""
    NO = "no"
    """It is missing, but nothing that was requested needs it."""
    FAIL = "fail"
    """It was requested and does not work."""


class Finding(Frozen):
    """The result of checking one item.

    Attributes:
        area: Its area: "model", "provider", "maps", "postgis", "ocr".
        name: The item.
        state: Its state.
        detail: What was found.
        remedy: What to do, empty if nothing.
    """

    area: str
    name: str
    state: State
    detail: str = ""
    remedy: str = ""


def failed(area: str, name: str, error: MapAgentError) -> Finding:
    """The finding for an error of an item that was requested."""
    return Finding(area=area, name=name, state=State.FAIL, detail=error.message, remedy=error.remedy)


async def check_model(settings: Settings) -> tuple[Finding, ...]:
    """Does the model answer, and what can its server do? What is found is kept for the client.

    Without a model's name, but with a server's address, the server's first model is looked at.
    """
    if _needs_no_server(settings):
        return (Finding(area="model", name=settings.model, state=State.OK, detail="needs no model server"),)
    try:
        name = await _first_model(settings) if settings.model == OFFLINE else None
        target = model_target(settings, name)
    except UsageError as error:
        return (failed("model", settings.model, error),)
    server = ModelServer(target, pace=model_pace(settings))
    try:
        result = await Probe(server).run()
    finally:
        await server.close()
    if result.error is not None:
        return (failed("model", target.model, result.error), *_models(result))
    return (*_findings(result), _kept(settings, result.profile))


def _needs_no_server(settings: Settings) -> bool:
    """Whether the model is a planner of its own, the embedded one or a plug-in's."""
    own = set(Plugins(PLANNERS, "planner").names()) - {LANGUAGE_MODEL}
    return settings.model in own and settings.base_url is None


async def _first_model(settings: Settings) -> str:
    """The first model of the server, or "model" if it lists none."""
    server = ModelServer(model_target(settings, "model"))
    try:
        names = (await list_models(server)).names
    except ServerError:
        names = ()  # the probe will fail likewise, and report it
    finally:
        await server.close()
    return names[0] if names else "model"


def _findings(result: ProbeResult) -> tuple[Finding, ...]:
    profile = result.profile
    of = f" ({profile.server})" if profile.server else ""
    answers = Finding(
        area="model",
        name=profile.model,
        state=State.OK,
        detail=f"answers at {profile.base_url}{of}; asked {result.calls} times, {result.tokens} tokens",
    )
    notes = (Finding(area="model", name="note", state=State.NO, detail=note) for note in result.notes)
    return (answers, *_models(result), *_abilities(profile), *notes, *_measures(profile))


def _models(result: ProbeResult) -> tuple[Finding, ...]:
    names = result.profile.models
    if not names:
        return ()
    return (Finding(area="model", name="models", state=State.OK, detail=", ".join(names)),)


def _abilities(profile: ServerProfile) -> tuple[Finding, ...]:
    tools = "functions are called" if profile.tools_called else "functions are not called"
    if profile.tools_in_text and not profile.tools_called:
        tools = "functions are called only in the words of the reply; they are read from there"
    rows = (
        ("schema", profile.schema_obeyed, "replies are held to a JSON schema", "a JSON schema is not obeyed"),
        ("tools", profile.tools_called, tools, tools),
        ("tool choice", profile.tool_choice_obeyed, "a demanded call is made", "is ignored"),
        ("parallel calls", profile.parallel_calls, "several in one reply", "one at a time"),
        ("vision", profile.vision, "pictures are seen", "pictures are not seen"),
    )
    return tuple(
        Finding(area="model", name=name, state=State.OK if able else State.NO, detail=yes if able else no)
        for name, able, yes, no in rows
        if able is not None
    )


def _measures(profile: ServerProfile) -> tuple[Finding, ...]:
    if profile.context_tokens is None:
        context = Finding(
            area="model",
            name="context",
            state=State.NO,
            detail="the server does not state its context length",
            remedy="Set context_tokens, or overlong prompts may be cut silently.",
        )
    else:
        context = Finding(
            area="model", name="context", state=State.OK, detail=f"{profile.context_tokens} tokens"
        )
    speeds = (
        ("reading", profile.reading_tokens_per_s),
        ("writing", profile.writing_tokens_per_s),
    )
    told = ", ".join(f"{name} {speed:g} tokens/s" for name, speed in speeds if speed is not None)
    return (context, *((Finding(area="model", name="speed", state=State.OK, detail=told),) if told else ()))


def _kept(settings: Settings, profile: ServerProfile) -> Finding:
    store = profile_store(settings)
    try:
        store.save(profile)
    except OSError as error:
        return Finding(
            area="model",
            name="memory",
            state=State.NO,
            detail=f"what was found cannot be kept below {store.folder}: {error.strerror}",
            remedy="Make it writable, or the client probes the server again each time.",
        )
    path = store.path(profile.base_url, profile.model)
    return Finding(area="model", name="memory", state=State.OK, detail=f"kept in {path}")


async def check_provider(settings: Settings, *, asked: bool) -> tuple[Finding, ...]:
    """Opens the settings' provider as a question would; nothing is asked of a service.

    Args:
        settings: Which provider, which map, which key.
        asked: Whether the user chose the provider or the map. Where nothing is chosen and nothing set up yet,
            nothing has failed.
    """
    if not asked and settings.provider == "osm" and not map_home(settings).list():
        return (
            Finding(
                area="provider",
                name="osm",
                state=State.NO,
                detail="ready, but there is no map yet",
                remedy="Add one with `mapagent map add FILE.osm.pbf`.",
            ),
        )
    try:
        provider = open_provider(settings)
    except MapAgentError as error:
        return (failed("provider", settings.provider, error),)
    try:
        where = f"map '{provider.map_name}'" if provider.map_name else "opened"
        modes = ", ".join(sorted(mode.value for mode in provider.capabilities.modes)) or "no routes"
        return (Finding(area="provider", name=provider.name, state=State.OK, detail=f"{where}; {modes}"),)
    finally:
        await provider.close()


def check_maps(settings: Settings) -> tuple[Finding, ...]:
    """One finding for each map of the store. A damaged one fails only if it is the one to be used."""
    home = map_home(settings)
    names = home.list()
    if not names:
        return (
            Finding(
                area="maps",
                name="store",
                state=State.NO,
                detail=f"no maps yet in {home.root}",
                remedy="Add one with `mapagent map add FILE.osm.pbf`.",
            ),
        )
    used = settings.map or home.last_added()
    findings = []
    for name in names:
        try:
            info = read_info(home.path(name))
            check_sizes(home.path(name), info)
            findings.append(Finding(area="maps", name=name, state=State.OK, detail=_told(info)))
        except MapStoreError as error:
            state = State.FAIL if name == used and settings.provider == "osm" else State.NO
            findings.append(
                Finding(area="maps", name=name, state=state, detail=error.message, remedy=error.remedy)
            )
        except MapAgentError as error:  # removed while we looked
            findings.append(Finding(area="maps", name=name, state=State.NO, detail=error.message))
    return tuple(findings)


def _told(info: MapInfo) -> str:
    routes = "with routes" if info.routable else "without routes"
    size_mb = sum(mark.size_bytes for mark in info.files.values()) / 1e6
    return f"{info.counts.get('features', 0):,} features, {routes}, {size_mb:.1f} MB, from {info.source_file}"


POSTGRES_PORT = 5432
SOCKET_FOLDERS = (Path("/var/run/postgresql"), Path("/tmp"))  # noqa: S108 - where servers put their sockets
"""https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-UNIX-SOCKET-DIRECTORIES"""
CONNECT_TIMEOUT_S = 0.5
QUERY_TIMEOUT_S = 3.0
DRIVERS = ("psycopg", "asyncpg", "psycopg2")


def check_postgis(environ: Mapping[str, str] | None = None) -> tuple[Finding, ...]:
    """Is there a PostgreSQL server with PostGIS, and something to talk to it with?

    Args:
        environ: PGHOST and PGPORT say where (https://www.postgresql.org/docs/current/libpq-envars.html).
    """
    environ = os.environ if environ is None else environ
    driver = next((name for name in DRIVERS if find_spec(name) is not None), None)
    psql = shutil.which("psql", path=environ.get("PATH"))
    place = _server(environ)
    talk = f"driver {driver}" if driver else "no Python driver"
    talk += ", psql" if psql else ", no psql"
    if place is None:
        where = f"{environ.get('PGHOST') or 'localhost'}:{environ.get('PGPORT') or POSTGRES_PORT}"
        return (
            Finding(
                area="postgis",
                name="server",
                state=State.NO,
                detail=f"no PostgreSQL server at {where} ({talk})",
                remedy="Needed only for maps too large for one process; set PGHOST and PGPORT.",
            ),
        )
    version = _postgis_version(psql, environ) if psql else "unknown without psql"
    return (
        Finding(
            area="postgis",
            name="server",
            state=State.OK if version[0].isdigit() else State.NO,
            detail=f"PostgreSQL at {place} ({talk}); PostGIS {version}",
            remedy="" if driver else "Install a driver to use it: pip install psycopg.",
        ),
    )


def check_ocr() -> tuple[Finding, ...]:
    """Can text in pictures be read?"""
    missing = [name for name in ("rapidocr", "openvino") if find_spec(name) is None]
    if missing:
        return (
            Finding(
                area="ocr",
                name="rapidocr",
                state=State.NO,
                detail=f"not installed: {', '.join(missing)}",
                remedy="Needed only for pictures: pip install 'mapagent[vision]'.",
            ),
        )
    return (Finding(area="ocr", name="rapidocr", state=State.OK, detail="installed"),)


def _server(environ: Mapping[str, str]) -> str | None:
    """Where a PostgreSQL server listens, None if nowhere."""
    host, port = environ.get("PGHOST", ""), environ.get("PGPORT", "") or str(POSTGRES_PORT)
    if not port.isdecimal():
        return None
    folders = (Path(host),) if host.startswith("/") else () if host else SOCKET_FOLDERS
    for folder in folders:
        path = folder / f".s.PGSQL.{port}"
        if path.exists() and _answers(str(path)):
            return str(path)
    if host.startswith("/"):
        return None
    name = host or "localhost"
    return f"{name}:{port}" if _answers((name, int(port))) else None


def _answers(address: str | tuple[str, int]) -> bool:
    try:
        if isinstance(address, tuple):
            socket.create_connection(address, timeout=CONNECT_TIMEOUT_S).close()
            return True
        with closing(socket.socket(socket.AF_UNIX)) as local:
            local.settimeout(CONNECT_TIMEOUT_S)
            local.connect(address)
            return True
    except OSError:
        return False


def _postgis_version(psql: str, environ: Mapping[str, str]) -> str:
    """The version of PostGIS that the server can load, or why it is not known."""
    query = "SELECT default_version FROM pg_available_extensions WHERE name = 'postgis'"
    try:
        ran = subprocess.run(
            [psql, "-XAtwq", "-d", environ.get("PGDATABASE") or "postgres", "-c", query],
            capture_output=True,
            text=True,
            timeout=QUERY_TIMEOUT_S,
            check=False,
            env=dict(environ),
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown: psql gives no answer"
    if ran.returncode != 0:
        return "unknown: psql may not log in"
    return ran.stdout.strip() or "is not installed there"
