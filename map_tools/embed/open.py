"""Chooses an embedder by configuration."""

from typing import Annotated

from pydantic import Field, SecretStr

from map_tools.embed.hashing import HashingEmbedder
from map_tools.embed.port import Embedder
from map_tools.embed.static import StaticEmbedder, installed
from map_tools.errors import ConfigError
from map_tools.types import Frozen

AUTO, HASHING, STATIC, REMOTE = "auto", "hashing", "wordllama", "openai:"


class EmbedSetting(Frozen):
    """Which embedder is wanted.

    Attributes:
        model: "auto" (wordllama where it is installed, else hashing), "hashing", "wordllama", or
            "openai:NAME" for a model behind an OpenAI-compatible API.
        base_url: The API's address; None for OpenAI's own.
        api_key: Its key.
        dimensions: Length of its vectors (1,536 are those of text-embedding-3-small).
    """

    model: str = AUTO
    base_url: str | None = None
    api_key: SecretStr = SecretStr("")
    dimensions: Annotated[int, Field(ge=1, le=8192)] = 1536


def open_embedder(setting: EmbedSetting) -> Embedder:
    """The embedder that a setting names; nothing is loaded or asked yet.

    Raises:
        ConfigError: There is no such embedder, or it is not installed.
    """
    if setting.model.startswith(REMOTE):
        from map_tools.embed.remote import RemoteEmbedder

        return RemoteEmbedder(
            setting.model.removeprefix(REMOTE),
            dimensions=setting.dimensions,
            base_url=setting.base_url,
            api_key=setting.api_key.get_secret_value(),
        )
    if setting.model == STATIC or (setting.model == AUTO and installed()):
        return StaticEmbedder()
    if setting.model in {HASHING, AUTO}:
        return HashingEmbedder()
    raise ConfigError(
        f"There is no embedding model '{setting.model}'.",
        f"Known: {AUTO}, {HASHING}, {STATIC}, {REMOTE}NAME.",
    )
