"""What Google says when it refuses, and the sentence with the remedy that a user gets instead.

The new services answer with an HTTP error and `{"error": {"status", "message", "details": [{"reason"}]}}`
(https://cloud.google.com/apis/design/errors), the older ones with HTTP 200 and a `status` word
(https://developers.google.com/maps/documentation/directions/get-directions#StatusCodes).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

from map_tools.errors import PlaceNotFoundError, ProviderError, ToolError, UnsupportedError

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
