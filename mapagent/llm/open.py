"""Opens the model the settings name; nothing is asked of its server yet."""

from pathlib import Path

from map_tools.errors import ConfigError
from mapagent.llm.cache import ModelCache
from mapagent.llm.chat import ChatModel
from mapagent.llm.client import ChatOptions, OpenAiChat
from mapagent.llm.failures import Target
from mapagent.llm.prices import price_by, served_model
from mapagent.llm.profile import ProfileStore
from mapagent.llm.server import OPENAI_URL, ModelServer, Pace, is_private
from mapagent.runtime.config import Settings


def open_model(settings: Settings, name: str | None = None) -> ChatModel:
    """The chat model of the settings.

    Args:
        settings: Server, key, limits.
        name: The model's name; default: `settings.model` without a reasoner's prefix ("cascade:NAME").

    Raises:
        ConfigError: A key is missing, or a budget is set for a model of unknown price.
    """
    target = model_target(settings, name)
    price = price_by(settings, target.model)
    if settings.max_usd is not None and not price.known:
        raise ConfigError(
            f"What '{target.model}' at {target.shown_url} costs is not known, so max_usd cannot be kept.",
            "Set price_in and price_out (USD for a million tokens), or leave max_usd out.",
        )
    options = ChatOptions(
        price=price,
        temperature=settings.temperature,
        seed=settings.model_seed,
        context_tokens=settings.context_tokens,
        prompts=settings.prompts,
    )
    return OpenAiChat(
        ModelServer(target, pace=model_pace(settings)),
        options,
        cache=ModelCache(cache_path(settings)) if settings.model_cache else None,
        profiles=profile_store(settings),
    )


def model_target(settings: Settings, name: str | None = None) -> Target:
    """Server, model and key of the settings.

    Raises:
        ConfigError: A key is missing.
    """
    base_url = settings.base_url or OPENAI_URL
    model = name or served_model(settings)
    if settings.api_key is None and not is_private(base_url):
        raise ConfigError(
            f"The model '{model}' at {Target(base_url, model).shown_url} needs a key.",
            "Set MAPAGENT_API_KEY, give your own server with --base-url, or ask with --model offline.",
        )
    return Target(base_url, model, settings.api_key)


def model_pace(settings: Settings) -> Pace:
    """How fast the settings allow to ask."""
    return Pace(
        concurrency=settings.model_concurrency,
        requests_per_s=settings.model_requests_per_s,
        timeout_s=settings.model_timeout_s,
    )


def cache_path(settings: Settings) -> Path:
    """The file of the kept replies."""
    return settings.data_home / "cache" / "model.sqlite"


def profile_store(settings: Settings) -> ProfileStore:
    """Where it is kept what servers can do."""
    return ProfileStore(settings.data_home / "models")
