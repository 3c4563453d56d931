"""The provider `google`: Google's Places API (New) and Routes API.

Each request asks for no more fields than the facts wanted need, because the dearest field sets the price
(`docs/google.md`).
"""

from typing import Self

from map_tools.clock import Clock, SystemClock
from map_tools.providers.base import ProviderSetting
from map_tools.providers.google.places import PlaceCalls
from map_tools.providers.google.routes import RouteCalls
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_common.provider import GoogleMapsProvider
from map_tools.providers.google_common.terms import google_wire, required_key


class GoogleProvider(GoogleMapsProvider):
    """Answers from Google's present services: around a position at most 20 places by kind, or 60 by keyword.

    Args:
        service: The way to Google.
        language: Language of names and instructions (BCP 47).
        region: Two-letter country code, or empty.
        clock: Tells whether a departure lies in the past.
        facts: Attributes of `Place` that searches bring beside name, kind, address and position, and that
            details bring; None: searches bring no more, details all the usual ones.
    """

    name: str = "google"

    def __init__(
        self,
        service: GoogleService,
        *,
        language: str = "en",
        region: str = "",
        clock: Clock | None = None,
        facts: frozenset[str] | None = None,
    ) -> None:
        self._service = service
        self._language = language
        self._region = region
        self._clock = clock or SystemClock()
        locale = {"languageCode": language} | ({"regionCode": region} if region else {})
        places = PlaceCalls(service, locale, facts or frozenset())
        super().__init__(places, RouteCalls(service, locale, self._clock), facts)
        # Searches that already bring what is wanted make a second request for the details needless.
        self.capabilities = self.capabilities.model_copy(update={"full_candidates": facts is not None})

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; see `GoogleMapsProvider.from_setting`."""
        key = required_key(setting)
        service = GoogleService(google_wire(setting), key, base_url=setting.base_url)
        return cls(service, language=setting.language, region=setting.region)

    def wanting(self, facts: frozenset[str]) -> "GoogleProvider":
        """The same provider, whose searches and details bring these facts at the price they have."""
        return GoogleProvider(
            self._service, language=self._language, region=self._region, clock=self._clock, facts=facts
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self._service.close()
