"""What a model's tokens cost."""

from dataclasses import dataclass

from mapagent.llm.server import OPENAI_URL, is_private
from mapagent.runtime.config import Settings

_MILLION = 1_000_000
_ASKED_TOKENS = 1_000
"""The published price is that of a prompt of so many: some models cost more where prompts are far longer."""


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
    """The price in the list of genai-prices (https://github.com/pydantic/genai-prices); nothing is fetched."""
    import genai_prices

    usage = genai_prices.Usage(input_tokens=_ASKED_TOKENS, output_tokens=_ASKED_TOKENS)
    try:
        found = genai_prices.calc_price(usage, model, provider_api_url=base_url)
    except LookupError:
        return Price(0.0, 0.0, UNKNOWN)
    per_million = _MILLION // _ASKED_TOKENS
    return Price(
        float(found.input_price * per_million),
        float(found.output_price * per_million),
        f"list of genai-prices {genai_prices.__version__}",
    )
