"""How the two providers are opened: the key they need, and the wire they send through."""

from pydantic import SecretStr

from map_tools.errors import ConfigError
from map_tools.providers.base import ProviderSetting
from map_tools.providers.google_common.terms import COORDINATE_DAYS
from map_tools.wire import Player, Recorder, Retention, Wire, WirePolicy
from map_tools.wire.policy import Judge

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
