"""What a question would cost, in words, before anything is asked."""

from mapagent.llm.prices import OWN_SERVER, price_by, served_model
from mapagent.runtime.config import Settings

OWN_MAPS = frozenset({"osm", "postgis", "recorded"})
PUBLIC = "osm-web"
GOOGLE = frozenset({"google", "google-legacy"})


def estimate(settings: Settings) -> str:
    """A sentence on the model and one on the map service; how many calls a question takes is not foreseen."""
    provider = settings.provider.partition(":")[0]
    if settings.model == "offline" and provider in OWN_MAPS:
        return "This question costs nothing: the embedded model and a map of your own are free."
    return f"{_of_model(settings)}\n{_of_provider(provider)}"


def _of_model(settings: Settings) -> str:
    if settings.model == "offline":
        return "The embedded model costs nothing."
    name, price = served_model(settings), price_by(settings)
    if price.source == OWN_SERVER:
        return f"The model '{name}' runs on a server of your own, where nobody charges for tokens."
    if not price.known:
        return f"What the model '{name}' costs is not known: set price_in and price_out."
    return (
        f"The model '{name}' costs {price.usd_in:g} USD for a million tokens read and {price.usd_out:g} for "
        f"a million written ({price.source}); --max-usd sets a limit."
    )


def _of_provider(provider: str) -> str:
    if provider in OWN_MAPS:
        return "A map of your own costs nothing."
    if provider == PUBLIC:
        return "Public OpenStreetMap servers charge nothing."
    if provider in GOOGLE:
        return "Google bills each request: docs/google.md has the prices, --max-usd sets a limit."
    return f"What the provider '{provider}' charges is not known."
