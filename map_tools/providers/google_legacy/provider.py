"""The provider `google-legacy`: Google's older Places, Directions and Distance Matrix API.

For projects that have these services already: new projects cannot enable them since March 2025
(https://developers.google.com/maps/legacy).
"""

from typing import Self

from map_tools.clock import Clock, SystemClock
from map_tools.providers.base import ProviderSetting
from map_tools.providers.google_common.provider import GoogleMapsProvider
from map_tools.providers.google_common.terms import google_wire, required_key
from map_tools.providers.google_legacy.client import LegacyClient, judge
from map_tools.providers.google_legacy.places import PlaceCalls
from map_tools.providers.google_legacy.routes import RouteCalls


class GoogleLegacyProvider(GoogleMapsProvider):
    """Answers from Google's older services: around a position at most 60 places of a type, in pages of 20.

    Places are also found by their international phone number.

    Args:
        client: The way to Google.
        language: Language of names and instructions (BCP 47).
        region: Two-letter country code, or empty.
        clock: Tells whether a departure lies in the past.
        facts: Attributes of `Place` that details bring; None: all the usual ones.
    """

    name: str = "google-legacy"

    def __init__(
        self,
        client: LegacyClient,
        *,
        language: str = "en",
        region: str = "",
        clock: Clock | None = None,
        facts: frozenset[str] | None = None,
    ) -> None:
        self._client = client
        self._language = language
        self._region = region
        self._clock = clock or SystemClock()
        places = PlaceCalls(client, language, region or None)
        super().__init__(places, RouteCalls(client, language, region or None, self._clock), facts)

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; see `GoogleMapsProvider.from_setting`."""
        key = required_key(setting)
        client = LegacyClient(google_wire(setting, judge), key, base_url=setting.base_url)
        return cls(client, language=setting.language, region=setting.region)

    def wanting(self, facts: frozenset[str]) -> "GoogleLegacyProvider":
        """The same provider, whose details bring these facts at the price they have."""
        return GoogleLegacyProvider(
            self._client, language=self._language, region=self._region, clock=self._clock, facts=facts
        )

    async def close(self) -> None:
        """Ends the threads and closes the connections."""
        await self._client.close()
