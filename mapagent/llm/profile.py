"""What is known of a server and model: told by it, found by the probe or learnt in use, kept in a file for each pair.

What servers tell about themselves, each in its own place:

all        GET  /models     https://platform.openai.com/docs/api-reference/models/list
vLLM       GET  /models     `max_model_len`; https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
llama.cpp  GET  //props     https://github.com/ggml-org/llama.cpp/tree/master/tools/server#get-props
Ollama     POST //api/show  https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information
           GET  //api/ps    https://github.com/ollama/ollama/blob/main/docs/api.md#list-running-models
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from map_tools.files import private_folder
from map_tools.types import Frozen
from mapagent.llm.failures import ServerError
from mapagent.llm.server import ModelServer

FORMAT_VERSION = 1
MAX_AGE = timedelta(days=30)
"""Servers are updated: what was found longer ago is found out again."""

_SLUG = re.compile(r"[^a-z0-9.]+")


class ServerProfile(Frozen):
    """What a server can do with a model; None where that is not known.

    Attributes:
        version: Version of this form.
        base_url: The server, without credentials.
        model: The model's name.
        found_at: When.
        probed: True if the probe asked; False if all was learnt from refusals.
        server: "llama.cpp", "vllm", "ollama", "openai" or empty.
        models: What the server says it has.
        schema_obeyed: Replies are held to a JSON schema.
        tools_called: Functions are called in the way of the protocol.
        tools_in_text: Functions are called, but in the words of the reply.
        tool_choice_obeyed: A function that must be called is called.
        parallel_calls: Several functions are called in one reply.
        vision: Pictures are seen.
        context_tokens: Longest prompt and reply together.
        reading_tokens_per_s, writing_tokens_per_s: Speed.
        refused: Output modes the server refused in use, with its words.
    """

    version: int = FORMAT_VERSION
    base_url: str
    model: str
    found_at: datetime
    probed: bool = False
    server: str = ""
    models: tuple[str, ...] = ()
    schema_obeyed: bool | None = None
    tools_called: bool | None = None
    tools_in_text: bool | None = None
    tool_choice_obeyed: bool | None = None
    parallel_calls: bool | None = None
    vision: bool | None = None
    context_tokens: int | None = None
    reading_tokens_per_s: float | None = None
    writing_tokens_per_s: float | None = None
    refused: Mapping[str, str] = Field(default_factory=dict)


class ProfileStore:
    """The profiles in a folder.

    Args:
        folder: Made when the first profile is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, base_url: str, model: str) -> Path:
        """The file of a server and model."""
        digest = hashlib.sha256(f"{base_url}\n{model}".encode()).hexdigest()[:12]
        slug = _SLUG.sub("-", model.lower())[-40:].strip("-.")
        return self.folder / f"{slug or 'model'}-{digest}.json"

    def load(self, base_url: str, model: str, *, now: datetime) -> ServerProfile | None:
        """What is known; None if nothing is, it is too old, or the file is damaged or of another version."""
        try:
            data = json.loads(self.path(base_url, model).read_text(encoding="utf-8"))
            if not isinstance(data, dict) or data.get("version") != FORMAT_VERSION:
                return None
            profile = ServerProfile.model_validate(data)
        except (OSError, ValueError, ValidationError):
            return None
        return profile if abs(now - profile.found_at) < MAX_AGE else None

    def save(self, profile: ServerProfile) -> None:
        """Keeps a profile in one step: readers see the old or the new one, whole.

        Raises:
            OSError: The folder cannot be written.
        """
        private_folder(self.folder)
        target = self.path(profile.base_url, profile.model)
        descriptor, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(profile.model_dump_json(indent=1) + "\n")
            Path(name).replace(target)
        except OSError:
            with suppress(OSError):
                Path(name).unlink()
            raise


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
