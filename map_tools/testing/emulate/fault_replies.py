"""What each fault looks like in each generation.

Statuses: https://developers.google.com/maps/documentation/places/web-service/legacy/search#PlacesSearchStatus;
errors of the new services: https://cloud.google.com/apis/design/errors. The wording is our own.
"""

from map_tools.testing.emulate.endpoints import LegacyEndpoint, NewEndpoint
from map_tools.testing.emulate.faults import FaultKind
from map_tools.testing.emulate.legacy.envelope import INVALID_REQUEST, ZERO_RESULTS, LegacyStatusError
from map_tools.testing.emulate.new.envelope import INVALID_ARGUMENT, Json, RpcError

WEB_PAGE = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Sign in first.</body></html>\n"
_DOMAIN = "googleapis.com"
_QUOTA = "You have exceeded your rate limit or daily quota for this API."


def legacy_fault(endpoint: LegacyEndpoint, kind: FaultKind) -> None:
    """Ends a legacy request as the fault does; faults that spoil or delay a good reply do nothing here.

    Raises:
        LegacyStatusError: The status the fault is told by.
    """
    match kind:
        case FaultKind.ZERO_RESULTS:
            raise LegacyStatusError(ZERO_RESULTS)
        case FaultKind.OVER_QUERY_LIMIT | FaultKind.RESOURCE_EXHAUSTED:
            raise LegacyStatusError("OVER_QUERY_LIMIT", _QUOTA)
        case FaultKind.REQUEST_DENIED:
            raise LegacyStatusError("REQUEST_DENIED", "The provided API key is invalid.")
        case FaultKind.NOT_ENABLED:
            raise LegacyStatusError(
                "REQUEST_DENIED",
                f"You're calling a legacy API, not enabled for your project ({endpoint.service.title}).",
            )
        case FaultKind.UNKNOWN_ERROR:
            raise LegacyStatusError("UNKNOWN_ERROR")
        case FaultKind.STALE_TOKEN:
            raise LegacyStatusError(INVALID_REQUEST)


def new_fault(endpoint: NewEndpoint, kind: FaultKind) -> bool:
    """Ends a request of the new generation as the fault does.

    Returns:
        True if the reply is to be empty; False for faults that spoil or delay a good reply.

    Raises:
        RpcError: The error the fault is told by.
    """
    match kind:
        case FaultKind.ZERO_RESULTS if endpoint.prefix:
            raise RpcError("NOT_FOUND", "The place was not found.")
        case FaultKind.ZERO_RESULTS:
            return True
        case FaultKind.OVER_QUERY_LIMIT | FaultKind.RESOURCE_EXHAUSTED:
            raise RpcError("RESOURCE_EXHAUSTED", _QUOTA, (_info(endpoint, "RATE_LIMIT_EXCEEDED"),))
        case FaultKind.REQUEST_DENIED:
            raise RpcError(
                INVALID_ARGUMENT,
                "API key not valid. Please pass a valid API key.",
                (_info(endpoint, "API_KEY_INVALID"),),
            )
        case FaultKind.NOT_ENABLED:
            raise RpcError(
                "PERMISSION_DENIED",
                f"{endpoint.service.title} has not been used in this project before or it is disabled.",
                (_info(endpoint, "SERVICE_DISABLED"),),
            )
        case FaultKind.UNKNOWN_ERROR:
            raise RpcError("UNAVAILABLE", "The service is currently unavailable.")
        case FaultKind.STALE_TOKEN:
            raise RpcError(INVALID_ARGUMENT, "The page_token is invalid.")
    return False


def _info(endpoint: NewEndpoint, reason: str) -> Json:
    """The machine-readable part of an error (https://google.aip.dev/193#errorinfo)."""
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": _DOMAIN,
        "metadata": {"service": endpoint.service.name},
    }
