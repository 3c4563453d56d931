"""What a model's tokens cost."""

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

from mapagent.llm.server import OPENAI_URL, is_private
from mapagent.runtime.config import Settings

OPENAI_HOST = "https://api.openai.com/"
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens.

    Attributes:
        usd_in, usd_out: For tokens read and written.
        source: Where the price is from ("settings", "own server", "list of 2025-08", "unknown").
    """

    usd_in: float
    usd_out: float
    source: str

    @property
    def known(self) -> bool:
        """False if nobody said what it costs; it is then counted as nothing."""
        return self.source != UNKNOWN

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """USD for so many tokens."""
        return (prompt_tokens * self.usd_in + completion_tokens * self.usd_out) / _MILLION


UNKNOWN = "unknown"
OWN_SERVER = "own server"


def served_model(settings: Settings) -> str:
    """The name by which the settings' model is known to its server ("cascade:NAME" is "NAME" there)."""
    return settings.model.rpartition("cascade:")[2]


def price_by(settings: Settings, name: str | None = None) -> Price:
    """The price of a model at the server of the settings; default: that of their own model."""
    return price_of(
        name or served_model(settings),
        settings.base_url or OPENAI_URL,
        usd_in=settings.price_in,
        usd_out=settings.price_out,
    )


def price_of(
    model: str, base_url: str, *, usd_in: float | None = None, usd_out: float | None = None
) -> Price:
    """The price of a model at a server: the settings', nothing on one's own machines, else the published one.

    Args:
        model: The model's name; a dated name ("gpt-4o-2024-11-20") has the price of the undated one.
        base_url: The server; the published prices are those of OpenAI's own.
        usd_in: The settings' price of a million tokens read.
        usd_out: The settings' price of a million tokens written.
    """
    if usd_in is not None or usd_out is not None:
        return Price(usd_in or 0.0, usd_out or 0.0, "settings")
    if is_private(base_url):
        return Price(0.0, 0.0, OWN_SERVER)
    if base_url.startswith(OPENAI_HOST):
        table = tomllib.loads((files("mapagent.llm") / "prices.toml").read_text(encoding="utf-8"))
        listed = table["usd_per_million"]
        price = listed.get(model) or listed.get(_DATED.sub("", model))
        if price is not None:
            return Price(price[0], price[1], f"list of {table['as_of']}")
    return Price(0.0, 0.0, UNKNOWN)
