"""What is known of a server and model: found by the probe or learnt in use, kept in a file for each pair."""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import Field, ValidationError

from map_tools.types import Frozen
from map_tools.wire.private import private_folder

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
