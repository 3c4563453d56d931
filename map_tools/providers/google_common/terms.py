"""What Google asks of everybody who uses its services: a key, a pace, money, and what may be kept and shown.

Sources: https://cloud.google.com/maps-platform/terms (3.2.3: no scraping, no caching beyond what is allowed),
https://cloud.google.com/maps-platform/terms/maps-service-terms (what may be cached: place ids for ever,
coordinates for up to 30 days) and https://developers.google.com/maps/documentation/places/web-service/policies
(attribution; results on a map only on a Google map). Prices are data: `map_tools/data/google_prices.toml`.
"""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import SecretStr

from map_tools.errors import ConfigError
from map_tools.providers.base import ProviderSetting, Terms
from map_tools.types import TravelMode
from map_tools.wire import Cost, Player, Recorder, Retention, Wire, WirePolicy
from map_tools.wire.policy import Judge

_BETA = "Google's {mode} routes are in beta: they may lack clear sidewalks, pedestrian paths or cycle paths."
"""Must be shown with such routes (https://developers.google.com/maps/documentation/routes/policies, and the
note on WALK and BICYCLE in https://developers.google.com/maps/documentation/routes/vehicles)."""

TERMS = Terms(
    attribution="Google Maps",
    attribution_url="https://cloud.google.com/maps-platform/terms",
    keep_payload_days=0,
    base_map="Google",
    travel_warnings={
        TravelMode.WALKING: _BETA.format(mode="walking"),
        TravelMode.BICYCLING: _BETA.format(mode="cycling"),
    },
)

COORDINATE_DAYS = 30
"""Consecutive calendar days for which coordinates may be kept."""

NO_AREAS = ("Google Maps does not tell what lies inside an area.", "Search within a radius instead.")
"""The sentence and the remedy where an outline is needed."""


ENTRUSTED = {
    "key": "google_key",
    "base_url": "google_base_url",
    "keep_payload_days": "google_keep_payload_days",
}
"""What the two providers alone are told (`map_tools.providers.base.Entrusted`)."""
REQUESTS_PER_S = 10.0
"""600 requests a minute are the usual quota of a method of the Places API (New); others allow more
(https://developers.google.com/maps/documentation/places/web-service/usage-and-billing#other-usage-limits)."""

ATTEMPTS = 5
"""Google asks to try again with exponentially growing waits after its errors
(https://developers.google.com/maps/documentation/places/web-service/web-services-best-practices#exponential-backoff),
and its own client does so for a minute. With one request in three lost, five attempts still lose no more than
one fact in four hundred; in vain they take 7.5 s of waiting."""


def required_key(setting: ProviderSetting) -> SecretStr:
    """The key of the setting; when a recording is played none is needed.

    Raises:
        ConfigError: There is none.
    """
    if isinstance(setting.recording, Player):
        return SecretStr("played")
    if setting.key is None or not setting.key.get_secret_value().strip():
        raise ConfigError(
            f"The provider '{setting.name}' needs a Google Maps Platform key.",
            "Set MAPAGENT_GOOGLE_KEY; docs/google.md says how to get one.",
        )
    return setting.key


def google_wire(setting: ProviderSetting, judge: Judge | None = None) -> Wire:
    """The wire for a provider: paced by Google's quotas, keeping no more than Google's terms allow.

    Args:
        setting: What the provider is opened with.
        judge: Reads the status inside replies; None: the HTTP status says it all.
    """
    terms = Retention(ids_days=None, coordinates_days=COORDINATE_DAYS)
    policy = WirePolicy(
        name=setting.name,
        title="Google Maps",
        attempts=ATTEMPTS,
        requests_per_s=None if setting.base_url else REQUESTS_PER_S,  # another server has limits of its own
        keep=terms.with_payloads(setting.keep_payload_days),
        judge=judge,
    ).shared(setting.processes, setting.machines)
    recording = setting.recording if isinstance(setting.recording, Recorder | Player) else None
    return Wire(policy, folder=setting.cache_folder, recording=recording)


def cost_of(tier: str, units: int = 1) -> Cost:
    """The cost of a request.

    Args:
        tier: Id of a price tier ("nearby_search_pro").
        units: How many are billed: 1 for a request, the elements of a matrix.
    """
    entry = _tiers()[tier]
    return Cost(sku=entry["name"], usd_each=entry["per_1000"] / 1000, units=units)


@lru_cache(maxsize=1)
def _tiers() -> dict[str, dict[str, Any]]:
    data = tomllib.loads((files("map_tools.data") / "google_prices.toml").read_text("utf-8"))
    tiers: dict[str, dict[str, Any]] = data["tiers"]
    return tiers
