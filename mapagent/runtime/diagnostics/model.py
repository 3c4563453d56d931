"""Does the model answer, and what can its server do?"""

from map_tools.errors import UsageError
from mapagent.core.planners import GROUP, LANGUAGE_MODEL
from mapagent.llm.descriptions import list_models
from mapagent.llm.failures import ServerError
from mapagent.llm.open import model_pace, model_target, profile_store
from mapagent.llm.probe import Probe, ProbeResult
from mapagent.llm.profile import ServerProfile
from mapagent.llm.server import ModelServer
from mapagent.runtime.config import Settings
from mapagent.runtime.diagnostics.finding import Finding, State, failed
from mapagent.runtime.plugins import Plugins

AREA = "model"
OFFLINE = "offline"


async def check_model(settings: Settings) -> tuple[Finding, ...]:
    """The findings about the settings' model; what its server can do is kept for the client.

    Without a model's name, but with a server's address, the server's first model is looked at.
    """
    if _needs_no_server(settings):
        return (Finding(area=AREA, name=settings.model, state=State.OK, detail="needs no model server"),)
    try:
        name = await _first_model(settings) if settings.model == OFFLINE else None
        target = model_target(settings, name)
    except UsageError as error:
        return (failed(AREA, settings.model, error),)
    server = ModelServer(target, pace=model_pace(settings))
    try:
        result = await Probe(server).run()
    finally:
        await server.close()
    if result.error is not None:
        return (failed(AREA, target.model, result.error), *_models(result))
    return (*_findings(result), _kept(settings, result.profile))


def _needs_no_server(settings: Settings) -> bool:
    """Whether the model is a planner of its own, the embedded one or a plug-in's."""
    own = set(Plugins(GROUP, "planner").names()) - {LANGUAGE_MODEL}
    return settings.model in own and settings.base_url is None


async def _first_model(settings: Settings) -> str:
    """The first model of the server, or "model" where it tells none."""
    server = ModelServer(model_target(settings, "model"))
    try:
        names = (await list_models(server)).names
    except ServerError:
        names = ()  # the probe meets the same trouble, and tells it
    finally:
        await server.close()
    return names[0] if names else "model"


def _findings(result: ProbeResult) -> tuple[Finding, ...]:
    profile = result.profile
    of = f" ({profile.server})" if profile.server else ""
    answers = Finding(
        area=AREA,
        name=profile.model,
        state=State.OK,
        detail=f"answers at {profile.base_url}{of}; asked {result.calls} times, {result.tokens} tokens",
    )
    notes = (Finding(area=AREA, name="note", state=State.NO, detail=note) for note in result.notes)
    return (answers, *_models(result), *_abilities(profile), *notes, *_measures(profile))


def _models(result: ProbeResult) -> tuple[Finding, ...]:
    names = result.profile.models
    if not names:
        return ()
    return (Finding(area=AREA, name="models", state=State.OK, detail=", ".join(names)),)


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
        Finding(area=AREA, name=name, state=State.OK if able else State.NO, detail=yes if able else no)
        for name, able, yes, no in rows
        if able is not None
    )


def _measures(profile: ServerProfile) -> tuple[Finding, ...]:
    if profile.context_tokens is None:
        context = Finding(
            area=AREA,
            name="context",
            state=State.NO,
            detail="the server does not tell its context",
            remedy="Set context_tokens, or too long a prompt may be cut in silence.",
        )
    else:
        context = Finding(
            area=AREA, name="context", state=State.OK, detail=f"{profile.context_tokens} tokens"
        )
    speeds = (
        ("reading", profile.reading_tokens_per_s),
        ("writing", profile.writing_tokens_per_s),
    )
    told = ", ".join(f"{name} {speed:g} tokens/s" for name, speed in speeds if speed is not None)
    return (context, *((Finding(area=AREA, name="speed", state=State.OK, detail=told),) if told else ()))


def _kept(settings: Settings, profile: ServerProfile) -> Finding:
    store = profile_store(settings)
    try:
        store.save(profile)
    except OSError as error:
        return Finding(
            area=AREA,
            name="memory",
            state=State.NO,
            detail=f"what was found cannot be kept below {store.folder}: {error.strerror}",
            remedy="Make it writable, or the client finds out again each time.",
        )
    path = store.path(profile.base_url, profile.model)
    return Finding(area=AREA, name="memory", state=State.OK, detail=f"kept in {path}")
