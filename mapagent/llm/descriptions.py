"""What model servers tell about themselves, each in its own place.

all        GET  /models     https://platform.openai.com/docs/api-reference/models/list
vLLM       GET  /models     `max_model_len`; https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
llama.cpp  GET  //props     https://github.com/ggml-org/llama.cpp/tree/master/tools/server#get-props
Ollama     POST //api/show  https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information
           GET  //api/ps    https://github.com/ollama/ollama/blob/main/docs/api.md#list-running-models
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from mapagent.llm.failures import ServerError
from mapagent.llm.server import ModelServer

_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ModelList:
    """What `/models` says.

    Attributes:
        names: The models there are.
        context_tokens: Of the model in question, where the list says it.
        owner: Who serves it ("vllm", "llamacpp", "library", ...).
    """

    names: tuple[str, ...]
    context_tokens: int | None = None
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Description:
    """What a server says of itself and the model; None where it does not."""

    server: str = ""
    context_tokens: int | None = None
    vision: bool | None = None


async def list_models(server: ModelServer) -> ModelList:
    """The server's models.

    Raises:
        ServerError: It cannot be reached, does not accept the key, or has no such list.
    """
    rows = _mapping(await server.get("/models")).get("data")
    known = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    names = tuple(str(row["id"]) for row in known if "id" in row)
    chosen = next((row for row in known if row.get("id") == server.target.model), known[0] if known else {})
    meta = chosen.get("meta")
    inner = meta.get("n_ctx") if isinstance(meta, dict) else None
    return ModelList(names, _count(chosen.get("max_model_len") or inner), str(chosen.get("owned_by") or ""))


async def describe(server: ModelServer, listed: ModelList) -> Description:
    """What the server tells beyond its list, asked where such a server would have it."""
    if listed.owner == "vllm":
        return Description("vllm", listed.context_tokens)
    if server.target.shown_url.startswith("https://api.openai.com"):
        return Description("openai")
    props = await _told(server, "//props")
    settings = props.get("default_generation_settings")
    if isinstance(settings, dict):
        modalities = props.get("modalities")
        vision = modalities.get("vision") if isinstance(modalities, dict) else None
        context = _count(settings.get("n_ctx")) or listed.context_tokens
        return Description("llama.cpp", context, vision if isinstance(vision, bool) else None)
    return await _ollama(server, listed)


async def _ollama(server: ModelServer, listed: ModelList) -> Description:
    model = server.target.model
    shown = await _told(server, "//api/show", {"model": model})
    if "model_info" not in shown:
        return Description("", listed.context_tokens)
    capabilities = shown.get("capabilities")
    vision = "vision" in capabilities if isinstance(capabilities, list) else None
    return Description("ollama", await _ollama_context(server, shown), vision)


async def _ollama_context(server: ModelServer, shown: dict[str, Any]) -> int | None:
    """The context the model runs with: what it could have at most is not what it is given."""
    running = (await _told(server, "//api/ps")).get("models")
    for row in running if isinstance(running, list) else ():
        if isinstance(row, dict) and server.target.model in {row.get("name"), row.get("model")}:
            return _count(row.get("context_length"))
    found = _NUM_CTX.search(str(shown.get("parameters") or ""))
    return int(found.group(1)) if found else None


async def _told(server: ModelServer, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the server says at a path; nothing if it has no such path."""
    try:
        return _mapping(await (server.get(path) if body is None else server.post(path, body)))
    except ServerError:
        return {}


def _mapping(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
