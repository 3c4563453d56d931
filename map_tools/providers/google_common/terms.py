"""What Google asks of everybody who uses its services, and what it says when it refuses.

It asks for a key, a pace and money, and limits what may be kept and shown. Sources:
https://cloud.google.com/maps-platform/terms (3.2.3: no scraping, no caching beyond what is allowed),
https://cloud.google.com/maps-platform/terms/maps-service-terms (what may be cached: place ids for ever,
coordinates for up to 30 days) and https://developers.google.com/maps/documentation/places/web-service/policies
(attribution; results on a map only on a Google map). Prices are data: `map_tools/data/google_prices.toml`.

A refusal becomes a sentence with the remedy. The new services answer with an HTTP error and
`{"error": {"status", "message", "details": [{"reason"}]}}` (https://cloud.google.com/apis/design/errors), the older
ones with HTTP 200 and a `status` word
(https://developers.google.com/maps/documentation/directions/get-directions#StatusCodes).
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import SecretStr

from map_tools.errors import ConfigError, PlaceNotFoundError, ProviderError, ToolError, UnsupportedError
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


CONSOLE = "https://console.cloud.google.com"
KEY_HELP = f"Check MAPAGENT_GOOGLE_KEY against {CONSOLE}/google/maps-apis/credentials."
LEGACY_HINT = "New projects cannot enable it any more: use --provider google there."
"""Since March 2025 (https://developers.google.com/maps/legacy)."""


@dataclass(frozen=True, slots=True)
class Api:
    """A service as the Google Cloud console lists it: its title and the name its page is found under."""

    title: str
    service: str
    legacy: bool = False

    @property
    def how_to_enable(self) -> str:
        """The remedy where the service is switched off."""
        switch = f"Enable '{self.title}' for the key's project: {CONSOLE}/apis/library/{self.service}."
        return f"{switch} {LEGACY_HINT}" if self.legacy else switch


PLACES = Api("Places API (New)", "places.googleapis.com")
ROUTES = Api("Routes API", "routes.googleapis.com")
LEGACY_PLACES = Api("Places API", "places-backend.googleapis.com", legacy=True)
LEGACY_DIRECTIONS = Api("Directions API", "directions-backend.googleapis.com", legacy=True)
LEGACY_MATRIX = Api("Distance Matrix API", "distance-matrix-backend.googleapis.com", legacy=True)


class Refusal(Enum):
    """Why Google did not answer."""

    DISABLED = "disabled"
    KEY_INVALID = "key_invalid"
    KEY_BLOCKED = "key_blocked"
    BILLING = "billing"
    QUOTA = "quota"
    NOT_FOUND = "not_found"
    WAYPOINTS = "waypoints"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    INVALID = "invalid"
    DENIED = "denied"
    BROKEN = "broken"


REASONS: Mapping[str, Refusal] = {
    "SERVICE_DISABLED": Refusal.DISABLED,
    "API_KEY_SERVICE_BLOCKED": Refusal.KEY_BLOCKED,
    "API_KEY_HTTP_REFERRER_BLOCKED": Refusal.KEY_BLOCKED,
    "API_KEY_IP_ADDRESS_BLOCKED": Refusal.KEY_BLOCKED,
    "API_KEY_ANDROID_APP_BLOCKED": Refusal.KEY_BLOCKED,
    "API_KEY_IOS_APP_BLOCKED": Refusal.KEY_BLOCKED,
    "API_KEY_INVALID": Refusal.KEY_INVALID,
    "BILLING_DISABLED": Refusal.BILLING,
    "RATE_LIMIT_EXCEEDED": Refusal.QUOTA,
    "RESOURCE_QUOTA_EXCEEDED": Refusal.QUOTA,
}
"""Reasons in the details of an error (https://cloud.google.com/apis/design/errors#error_info; the list:
https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto)."""

STATUSES: Mapping[str, Refusal] = {
    # the new services (https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto)
    "PERMISSION_DENIED": Refusal.DENIED,
    "UNAUTHENTICATED": Refusal.KEY_INVALID,
    "RESOURCE_EXHAUSTED": Refusal.QUOTA,
    "NOT_FOUND": Refusal.NOT_FOUND,
    "INVALID_ARGUMENT": Refusal.INVALID,
    # the older ones
    "REQUEST_DENIED": Refusal.DENIED,
    "OVER_QUERY_LIMIT": Refusal.QUOTA,
    "OVER_DAILY_LIMIT": Refusal.BILLING,
    "INVALID_REQUEST": Refusal.INVALID,
    "MAX_WAYPOINTS_EXCEEDED": Refusal.WAYPOINTS,
    "MAX_ELEMENTS_EXCEEDED": Refusal.TOO_LARGE,
    "MAX_DIMENSIONS_EXCEEDED": Refusal.TOO_LARGE,
    "MAX_ROUTE_LENGTH_EXCEEDED": Refusal.TOO_LONG,
}

WORDS: tuple[tuple[str, Refusal], ...] = (
    ("billing", Refusal.BILLING),
    ("api key not valid", Refusal.KEY_INVALID),
    ("api key is invalid", Refusal.KEY_INVALID),
    ("must use an api key", Refusal.KEY_INVALID),
    ("api key is expired", Refusal.KEY_INVALID),
    ("api key expired", Refusal.KEY_INVALID),
    ("not activated", Refusal.DISABLED),
    ("not enabled", Refusal.DISABLED),
    ("legacyapinotactivated", Refusal.DISABLED),
    ("legacy api", Refusal.DISABLED),
    ("has not been used in project", Refusal.DISABLED),
    ("is disabled", Refusal.DISABLED),
    ("not authorized to use this api key", Refusal.KEY_BLOCKED),
    ("not authorized to use this api", Refusal.DISABLED),
    ("are blocked", Refusal.KEY_BLOCKED),
)
"""What a message of a denied request says, for services and replies that give no reason; first match counts
(https://developers.google.com/maps/documentation/javascript/error-messages names the cases)."""

_QUOTED = frozenset({Refusal.DENIED, Refusal.KEY_BLOCKED})

_SENTENCES: Mapping[Refusal, tuple[str, str]] = {
    Refusal.DISABLED: ("Google's {api} is not enabled for this key.", ""),
    Refusal.DENIED: ("Google's {api} denied the request: it may not be enabled for this key.", ""),
    Refusal.KEY_INVALID: ("Google does not accept the key for the {api}.", KEY_HELP),
    Refusal.KEY_BLOCKED: (
        "The Google key may not be used for the {api} from here.",
        f"Allow this service and this machine to use it: {CONSOLE}/google/maps-apis/credentials.",
    ),
    Refusal.BILLING: (
        "Google's {api} needs a project with billing enabled.",
        f"Enable billing for the key's project: {CONSOLE}/project/_/billing/enable.",
    ),
    Refusal.QUOTA: (
        "The quota of Google's {api} is used up.",
        f"Wait a little, or raise the quota: {CONSOLE}/google/maps-apis/quotas.",
    ),
    Refusal.WAYPOINTS: (
        "Google's {api} takes no more than 25 stops on the way.",
        "Ask for fewer stops at once.",
    ),
    Refusal.TOO_LARGE: ("Google's {api} refuses a table of this size.", "Ask for fewer places at once."),
}
"""The sentence and the remedy; an empty remedy is how to enable the service."""

MAX_QUOTED_CHARS = 200


def refused(api: Api, status: str, message: str = "", *, reason: str = "", subject: str = "") -> ToolError:
    """The error for a refusal.

    Args:
        api: The service that refused.
        status: Google's word for it ("REQUEST_DENIED", "RESOURCE_EXHAUSTED").
        message: Google's sentence, quoted where it adds something.
        reason: The reason code of the details, if there is one.
        subject: What was asked for, in words ("the place 'ChIJ...'").
    """
    return _error(_refusal(status, message, reason), api, status, message, subject)


def broken(api: Api, what: str) -> ProviderError:
    """The error for a reply that is not in the documented form."""
    return ProviderError(
        f"The {api.title} of Google sent a reply that cannot be read: {what}.", "Try again later."
    )


def reason_of(error: Mapping[str, Any]) -> str:
    """The reason code in the details of an error of the new services; empty if there is none."""
    details = error.get("details")
    listed = details if isinstance(details, list) else []
    found = (each.get("reason", "") for each in listed if isinstance(each, Mapping))
    return next((str(reason) for reason in found if reason), "")


@contextmanager
def reading(api: Api) -> Iterator[None]:
    """Turns the trouble of reading a reply that is not as documented into one `ProviderError`."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise broken(api, " ".join(f"{type(error).__name__} at {error}".split())[:120]) from error


def _refusal(status: str, message: str, reason: str) -> Refusal:
    if reason in REASONS:
        return REASONS[reason]
    found = STATUSES.get(status, Refusal.BROKEN)
    if found in {Refusal.DENIED, Refusal.INVALID}:
        plain = message.casefold()
        return next((refusal for words, refusal in WORDS if words in plain), found)
    return found


def _error(refusal: Refusal, api: Api, status: str, message: str, subject: str) -> ToolError:
    said = f" It says: {_quoted(message)}" if message else ""
    if refusal is Refusal.NOT_FOUND:
        return PlaceNotFoundError(
            f"Google has no {subject or 'such place'}.", "Look the place up by its name again."
        )
    if refusal is Refusal.TOO_LONG:
        return UnsupportedError("Google refuses a route of this length.", "Ask for a shorter way.")
    if refusal is Refusal.INVALID:
        return ProviderError(f"Google's {api.title} did not accept the request ({status}).{said}")
    if refusal is Refusal.BROKEN:
        return ProviderError(f"Google's {api.title} failed ({status}).{said}", "Try again later.")
    sentence, remedy = _SENTENCES[refusal]
    return ProviderError(
        f"{sentence.format(api=api.title)}{said if refusal in _QUOTED else ''}",
        remedy or api.how_to_enable,
    )


def _quoted(message: str) -> str:
    """Google's words on one line, shortened; they are data, and the key is never in them."""
    line = " ".join(message.split())
    return f"'{line[: MAX_QUOTED_CHARS - 3]}...'" if len(line) > MAX_QUOTED_CHARS else f"'{line}'"
