"""What a model's tokens cost."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from mapagent.llm.server import OPENAI_URL, is_private
from mapagent.runtime.config import Settings

_MILLION = 1_000_000
_ASKED_TOKENS = 1_000
"""The published price is that of a prompt of so many: some models cost more where prompts are far longer."""
_WHOLE = r"(?:{})(?:(?<=\.)[^./]+)?(?:(?<=/)|(?=/|$))"
"""The list's patterns are beginnings of addresses: here they end with the host, or a part of the path. One that ends in
a dot leaves the top-level domain open."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens.

    Attributes:
        usd_in, usd_out: For tokens read and written.
        source: Where the price is from ("settings", "own server", "list of genai-prices 0.2.3", "unknown").
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
        model: The model's name, dated ("gpt-4o-2024-11-20") or not.
        base_url: The server; the list of genai-prices has those of public ones.
        usd_in: The settings' price of a million tokens read.
        usd_out: The settings' price of a million tokens written.
    """
    if usd_in is not None or usd_out is not None:
        return Price(usd_in or 0.0, usd_out or 0.0, "settings")
    if is_private(base_url):
        return Price(0.0, 0.0, OWN_SERVER)
    return _published(model, base_url)


def _published(model: str, base_url: str) -> Price:
    """The price in the list of genai-prices (https://github.com/pydantic/genai-prices); nothing is fetched.

    Where it depends on the hour it is the highest of the next day, for a budget must hold whenever it is spent. A model
    whose tokens cost nothing there, or not all that is paid (some cost something for each request), has no known price.
    """
    import genai_prices

    unknown = Price(0.0, 0.0, UNKNOWN)
    provider = _provider(base_url)
    if provider is None:
        return unknown
    usage = genai_prices.Usage(input_tokens=_ASKED_TOKENS, output_tokens=_ASKED_TOKENS)
    now = datetime.now(UTC)
    try:
        hourly = [
            genai_prices.calc_price(
                usage, model, provider_id=provider, genai_request_timestamp=now + timedelta(hours=hour)
            )
            for hour in range(24)
        ]
    except LookupError:
        return unknown
    if any(not 0 < one.total_price == one.input_price + one.output_price for one in hourly):
        return unknown
    per_million = _MILLION // _ASKED_TOKENS
    return Price(
        float(max(one.input_price for one in hourly) * per_million),
        float(max(one.output_price for one in hourly) * per_million),
        f"list of genai-prices {genai_prices.__version__}",
    )


def _provider(base_url: str) -> str | None:
    """Who has the server, by the list's names: the host is whole, or one below it, such as a provider's in a region."""
    from genai_prices.data_snapshot import get_snapshot

    address = urlsplit(base_url)
    if address.scheme != "https" or address.hostname is None:
        return None
    path = address.path.replace(".", "") or "/"  # without dots no part of it passes for a host
    labels = address.hostname.split(".")
    for first in range(len(labels)):
        url = f"https://{'.'.join(labels[first:])}{path}"
        for provider in get_snapshot().providers:
            if re.match(_WHOLE.format(provider.api_pattern), url):
                return provider.id
    return None
