"""Which services are asked, their terms, and requests of the two libraries as the wire takes them.

The services are named in the part `[providers.geopy-routingpy]` of the configuration.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Self
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field, SecretStr, model_validator

from map_tools.errors import ConfigError
from map_tools.providers.base import Terms
from map_tools.types import Frozen, TravelMode
from map_tools.wire import Retention, WireRequest
from map_tools.wire.request import is_secret_name

GOOGLE = frozenset({"google", "googlev3"})


class ServiceOption(Frozen):
    """A service.

    Attributes:
        service: The library's name for it ("photon", "ors").
        options: What its class is made with (`domain`, `base_url`, ...).
        key_variable: The environment variable that holds its key; empty if it needs none.
    """

    service: str = Field(min_length=1)
    options: Mapping[str, str | int | float | bool] = Field(default_factory=dict)
    key_variable: str = ""

    @model_validator(mode="after")
    def _no_key_in_the_open(self) -> Self:
        for name in self.options:
            if is_secret_name(name):
                raise ValueError(f"'{name}' is a key; name the environment variable with it in key_variable")
        return self

    @model_validator(mode="after")
    def _not_google(self) -> Self:
        if self.service.lower() in GOOGLE:
            raise ValueError("Google has terms of its own; use the provider 'google'")
        return self

    def key(self) -> SecretStr | None:
        """The key; None for a service without one.

        Raises:
            ConfigError: The variable is not set.
        """
        if not self.key_variable:
            return None
        value = os.environ.get(self.key_variable, "").strip()
        if not value:
            raise ConfigError(f"The service '{self.service}' needs a key.", f"Set {self.key_variable}.")
        return SecretStr(value)


class RouterOption(ServiceOption):
    """A routing service for one mode of travel; `profile`: the service's own word for the mode."""

    profile: str = Field(min_length=1)


class TermsOption(Frozen):
    """The terms of the services, which only their user knows: see `map_tools.providers.base.Terms`.

    Attributes:
        attribution: The credit to be shown.
        attribution_url: Where the terms stand.
        base_map: What results may be drawn over: "any", or the name of the only base map allowed.
        keep_days: For how many days replies may be kept; 0: not at all.
    """

    attribution: str = Field(min_length=1)
    attribution_url: str = Field(pattern="^https://")
    base_map: str = Field(min_length=1)
    keep_days: Annotated[int, Field(ge=0)]

    def terms(self) -> Terms:
        """The terms of the provider."""
        return Terms(
            attribution=self.attribution,
            attribution_url=self.attribution_url,
            base_map=self.base_map,
            keep_payload_days=self.keep_days,
        )

    def retention(self) -> Retention:
        """What the wire may keep."""
        return Retention(*(self.keep_days,) * 3)


class AdapterOptions(Frozen):
    """The whole part.

    Attributes:
        geocoder: Finds places; a service of `geopy.geocoders`.
        routers: A service of `routingpy.routers` for each mode that is to be served.
        terms: The terms of these services.
        requests_per_s: Pace for each host.
    """

    geocoder: ServiceOption
    routers: Mapping[TravelMode, RouterOption] = Field(default_factory=dict)
    terms: TermsOption
    requests_per_s: Annotated[float, Field(gt=0)] = 1.0

    def addresses(self) -> Iterator[str]:
        """The addresses of all services, as far as the options name them; "" for a library's own."""
        domain = str(self.geocoder.options.get("domain", ""))
        yield f"//{domain}" if domain else ""
        yield from (str(router.options.get("base_url", "")) for router in self.routers.values())

    @model_validator(mode="after")
    def _each_mode_has_its_own_graph(self) -> Self:
        """An OSRM server holds one graph, whatever profile its address names."""
        seen: dict[object, TravelMode] = {}
        for mode, router in self.routers.items():
            if router.service.lower() == "osrm":
                other = seen.setdefault(router.options.get("base_url"), mode)
                if other is not mode:
                    raise ValueError(f"{other.value} and {mode.value} name the same OSRM server")
        return self


FORM = "application/x-www-form-urlencoded"
_OURS = frozenset({"user-agent", "content-type", "accept-encoding"})
"""Headers that the wire sets itself."""


def wire_request(url: str, headers: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> WireRequest:
    """The request that a library makes of an address.

    Args:
        url: The address with its query.
        headers: The library's headers.
        body: Sent by POST, as JSON or, if the headers say so, as a form; None: GET.
    """
    names = {name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}
    request = WireRequest.from_url(url, secret_names=tuple(filter(is_secret_name, names)))
    sent = {
        name: str(value) for name, value in headers.items() if name.lower() not in _OURS and value is not None
    }
    request = replace(
        request,
        headers={name: value for name, value in sent.items() if not is_secret_name(name)},
        secret_headers={name: value for name, value in sent.items() if is_secret_name(name)},
    )
    if body is None:
        return request
    if any(str(value).startswith(FORM) for value in headers.values()):
        return replace(request, method="POST", form={name: str(value) for name, value in body.items()})
    return replace(request, method="POST", json=dict(body))
