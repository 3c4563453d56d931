"""Leads the requests of the `googlemaps` client through the wire.

So throttle, retries, cache, recording, budget and redaction are the same as for every other provider. The
client itself never holds the key: it is given a stand-in, and the key is put in here.
"""

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import requests
from pydantic import SecretStr
from requests.adapters import BaseAdapter

from map_tools.errors import ProviderError
from map_tools.providers.google_common.errors import Api, broken, refused
from map_tools.wire import Cost, Verdict, Wire, WireReply, WireRequest

STAND_IN_KEY = "AIza-put-in-by-the-wire"
"""What the client is given: it refuses keys that begin otherwise, whatever Google accepts
(https://github.com/googlemaps/google-maps-services-python/blob/v4.10.0/googlemaps/client.py)."""
KEY_PARAMETER = "key"
FINE = frozenset({"OK", "ZERO_RESULTS"})
BUSY = frozenset({"UNKNOWN_ERROR", "OVER_QUERY_LIMIT"})
"""Statuses after which asking again may help
(https://developers.google.com/maps/documentation/places/web-service/search-nearby#PlacesSearchStatus)."""


def judge(reply: WireReply) -> Verdict:
    """What the status inside a reply means: the older services answer with HTTP 200 even when they refuse."""
    status, _ = status_of(reply)
    if status in FINE:
        return Verdict.GOOD
    return Verdict.RETRY if status in BUSY else Verdict.FINAL


def status_of(reply: WireReply) -> tuple[str, str]:
    """Status word and message of a reply; the HTTP status where there is none."""
    try:
        body = reply.json()
    except ProviderError:
        body = None
    if not isinstance(body, Mapping) or not isinstance(body.get("status"), str):
        return _no_status(reply), ""
    return body["status"], str(body.get("error_message", ""))


def _no_status(reply: WireReply) -> str:
    return f"HTTP {reply.status}"


class WireAdapter(BaseAdapter):
    """A transport for `requests` that sends through the wire from a worker thread.

    Args:
        wire: The way to the network.
        key: Put in place of `STAND_IN_KEY`.
        api: The service asked, for error sentences.
        cost: What the request is billed.
    """

    def __init__(self, wire: Wire, key: SecretStr, api: Api, cost: Cost) -> None:
        super().__init__()
        self._wire = wire
        self._key = key
        self._api = api
        self._cost = cost

    def send(
        self,
        request: requests.PreparedRequest,
        *_args: Any,
        **_options: Any,
    ) -> requests.Response:
        """Sends a request and hands over the reply; timeouts and the like are the wire's.

        Raises:
            ToolError: No reply, or one with an HTTP error: the client would try those again on its own.
            LimitError: The budget does not hold the cost.
        """
        asked = WireRequest.from_url(request.url or "", secret_names=(KEY_PARAMETER,))
        keyed = replace(asked, secret_params={KEY_PARAMETER: self._key.get_secret_value()})
        reply = self._wire.send_blocking(keyed, cost=self._cost)
        status, message = status_of(reply)
        if not reply.ok:
            raise refused(self._api, status, message)
        if status == _no_status(reply):
            raise broken(self._api, "it has no status")
        response = requests.Response()
        response.status_code = reply.status
        response.url = reply.address
        response.raw = io.BytesIO(reply.body)
        return response

    def close(self) -> None:
        """Nothing to close: the wire outlives the request."""


def session_over(adapter: BaseAdapter) -> requests.Session:
    """A session that has no other way out, whatever proxies the environment names."""
    session = requests.Session()
    session.trust_env = False
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session
