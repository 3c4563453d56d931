"""The geocoders of geopy, asked through the wire. Only this file knows geopy.

https://geopy.readthedocs.io/en/stable/#geocoders; adapters: https://geopy.readthedocs.io/en/stable/#adapters.

The places found have no ids that geopy could ask for again. So an id holds what is known of the place, in the form
of a geo URI (RFC 5870) with a query: whoever has the id has the place.
"""

import inspect
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlencode

from geopy.adapters import AdapterHTTPError, BaseAsyncAdapter
from geopy.exc import (
    ConfigurationError,
    GeocoderAuthenticationFailure,
    GeocoderInsufficientPrivileges,
    GeocoderNotFound,
    GeocoderQuotaExceeded,
    GeocoderRateLimited,
    GeopyError,
)
from geopy.geocoders import SERVICE_TO_GEOCODER, get_geocoder_for_service
from geopy.location import Location
from geopy.point import Point

from map_tools.errors import ConfigError, ProviderError
from map_tools.kinds.tag_categories import categories_of
from map_tools.providers.geopy_routingpy.options import ServiceOption, wire_request
from map_tools.providers.http_clients import HttpClients, reading
from map_tools.types import LatLng, Place
from map_tools.wire.request import is_secret_name

ASKED_FOR = 15
"""Results asked for whatever the limit: equal questions share a reply."""
LIMITS = ("limit", "max_results", "maxresults", "maximum_responses", "candidates")
CONTEXTS = ("location_bias", "at", "proximity", "location")
"""The names that geocoders have for how many results are wanted, and for where the user is."""

SCHEME = "geo:"
FACTS = frozenset({"location", "address", "categories"})
_NAMES = ("name", "title", "text", "label")
_NESTED = ("properties", "poi", "address")
"""Where services write a name: https://geopy.readthedocs.io/en/stable/#geopy.location.Location.raw"""
_TAGS = (("osm_key", "osm_value"), ("category", "type"), ("class", "type"))
"""Where services on OpenStreetMap's data write the main tag."""


class Geocoder:
    """One geocoder.

    Args:
        option: Which one.
        http_clients: The way to the network.
        language: Language of names and addresses (BCP 47), for geocoders that take one.

    Raises:
        ConfigError: geopy knows no such geocoder, or it cannot be made with these options.
    """

    def __init__(self, option: ServiceOption, http_clients: HttpClients, language: str) -> None:
        self._service = option.service
        self._geocoder = _made(option, http_clients)
        self._takes = frozenset(inspect.signature(self._geocoder.geocode).parameters)
        self._usual: dict[str, Any] = {name: ASKED_FOR for name in LIMITS if name in self._takes}
        if "language" in self._takes:
            self._usual["language"] = language

    async def found(self, text: str, near: LatLng | None) -> list[Location]:
        """The results for a text, in the service's order.

        Raises:
            ProviderError: The service refused, or sent something unreadable.
        """
        context = {
            name: Point(near.lat, near.lng) for name in CONTEXTS if near is not None and name in self._takes
        }
        try:
            with reading(f"The geocoder '{self._service}'"):
                found = await self._geocoder.geocode(text, exactly_one=False, **self._usual, **context)
        except GeopyError as error:
            raise self._refusal(error) from error
        return found or []

    def _refusal(self, error: GeopyError) -> ProviderError:
        remedy = "Try again later."
        if isinstance(error, GeocoderAuthenticationFailure | GeocoderInsufficientPrivileges):
            remedy = "Check its key."
        elif isinstance(error, GeocoderQuotaExceeded) and not isinstance(error, GeocoderRateLimited):
            remedy = "Wait until its quota is renewed."
        reason = " ".join(str(error).split()).rstrip(".")
        return ProviderError(f"The geocoder '{self._service}' refused ({reason}).", remedy)


def _made(option: ServiceOption, http_clients: HttpClients) -> Any:
    try:
        kind = get_geocoder_for_service(option.service)
    except GeocoderNotFound as error:
        known = ", ".join(sorted(SERVICE_TO_GEOCODER))
        raise ConfigError(f"geopy knows no geocoder '{option.service}'.", f"Known: {known}.") from error

    def adapter(*, proxies: object, ssl_context: object) -> _WireAdapter:
        return _WireAdapter(http_clients, proxies=proxies, ssl_context=ssl_context)

    try:
        return kind(**option.options, **_key_of(kind, option), user_agent="mapagent", adapter_factory=adapter)
    except (TypeError, ValueError, ConfigurationError) as error:
        raise ConfigError(
            f"The geocoder '{option.service}' cannot be made: {str(error).rstrip('.')}.",
            "Its options are listed in geopy's documentation.",
        ) from error


def _key_of(kind: type, option: ServiceOption) -> Mapping[str, str]:
    """The key under the name that the geocoder's class has for it."""
    key = option.key()
    if key is None:
        return {}
    parameters = inspect.signature(kind).parameters
    name = next((name for name in parameters if is_secret_name(name)), None)
    if name is None:
        raise ConfigError(f"The geocoder '{option.service}' takes no key.", "Leave out its key_variable.")
    return {name: key.get_secret_value()}


class _WireAdapter(BaseAsyncAdapter):  # type: ignore[misc]
    """geopy's way to the network: ours."""

    def __init__(self, http_clients: HttpClients, *, proxies: object, ssl_context: object) -> None:
        super().__init__(proxies=proxies, ssl_context=ssl_context)
        self._http_clients = http_clients

    async def get_json(self, url: str, *, timeout: float, headers: Mapping[str, str]) -> Any:  # noqa: ARG002, ASYNC109 (time-outs are the wire's)
        """A reply's JSON; statuses that are not good are geopy's to read."""
        reply = await self._http_clients.send(wire_request(url, headers))
        if not reply.ok:
            raise AdapterHTTPError(
                f"status {reply.status}",
                status_code=reply.status,
                headers=dict(reply.headers),
                text=reply.text(),
            )
        return reply.json()

    async def get_text(self, url: str, *, timeout: float, headers: Mapping[str, str]) -> str:  # noqa: ARG002, ASYNC109
        """Not used by geocoders that speak JSON."""
        raise ProviderError("This geocoder does not speak JSON.", "Choose another one.")


def read_place(found: Location) -> Place:
    """The place of a result."""
    raw = found.raw if isinstance(found.raw, Mapping) else {}
    at = LatLng(lat=found.latitude, lng=found.longitude)
    address = str(found.address or "")
    name = _name(raw) or address.partition(",")[0].strip()
    return _place(at, name, address, _categories(raw))


def place_of(place_id: str) -> Place | None:
    """The place that an id holds; None for a foreign id."""
    position, _, query = place_id.removeprefix(SCHEME).partition("?")
    fields = parse_qs(query)
    try:
        lat, lng = map(float, position.split(","))
        at = LatLng(lat=lat, lng=lng)
        name, address = fields["q"][0], fields.get("address", [""])[0]
    except (ValueError, KeyError):
        return None
    return _place(at, name, address, tuple(fields.get("kind", ())))


def _place(at: LatLng, name: str, address: str, categories: tuple[str, ...]) -> Place:
    told = [("q", name), ("address", address), *(("kind", category) for category in categories)]
    return Place(
        id=f"{SCHEME}{at.lat:.7f},{at.lng:.7f}?{urlencode([pair for pair in told if pair[1]])}",
        name=name,
        location=LatLng(lat=round(at.lat, 7), lng=round(at.lng, 7)),
        categories=categories,
        address=address or None,
    )


def _name(raw: Mapping[str, Any]) -> str:
    inner = [raw[key] for key in _NESTED if isinstance(raw.get(key), Mapping)]
    for values in (raw, *inner):
        for key in _NAMES:
            if isinstance(values.get(key), str) and values[key]:
                return str(values[key])
    return ""


def _categories(raw: Mapping[str, Any]) -> tuple[str, ...]:
    properties = raw.get("properties")
    for values in (raw, properties if isinstance(properties, Mapping) else {}):
        for key, value in _TAGS:
            if isinstance(values.get(key), str) and isinstance(values.get(value), str):
                return categories_of({values[key]: values[value]})
    return ()
