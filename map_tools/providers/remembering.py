"""A provider with a memory for one question: no name and no place is looked up twice.

A list that is followed by a trip names the same places again; over a network each look-up is a wait, and
often money. What is remembered lives as long as the question: no service's rules about keeping are touched.
"""

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import ChoosesFacts, Provider
from map_tools.providers.passing import PassingProvider
from map_tools.types import Candidate, LatLng, Place


def remembering(provider: Provider) -> Provider:
    """The provider with a memory; one whose look-ups cost nothing stays as it is."""
    if provider.capabilities.cheap_names:
        return provider
    return _Choosing(provider, provider) if isinstance(provider, ChoosesFacts) else _Remembering(provider)


class _Remembering(PassingProvider):
    """Keeps names that were found, and details. What fails is asked for again."""

    def __init__(self, inner: Provider) -> None:
        super().__init__(inner)
        self._found: dict[tuple[str, LatLng | None, int], tuple[Candidate, ...]] = {}
        self._details: dict[str, Place] = {}

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """As found before, else asked for."""
        key = (text, near, limit)
        if key not in self._found:
            self._found[key] = await super().find_place(text, near=near, limit=limit)
        return self._found[key]

    async def place_details(self, place_id: str) -> Place:
        """As told before, else asked for; names that led to an id nobody knows any more are forgotten."""
        if place_id not in self._details:
            try:
                self._details[place_id] = await super().place_details(place_id)
            except PlaceNotFoundError:
                self._forget(place_id)
                raise
        return self._details[place_id]

    def _forget(self, place_id: str) -> None:
        self._found = {
            key: found
            for key, found in self._found.items()
            if all(candidate.place.id != place_id for candidate in found)
        }


class _Choosing(_Remembering):
    """The same for a provider whose calls bring the facts that are wanted, with a memory for each choice."""

    def __init__(self, inner: Provider, choosing: ChoosesFacts) -> None:
        super().__init__(inner)
        self._choosing = choosing
        self._chosen: dict[frozenset[str], Provider] = {}

    def wanting(self, facts: frozenset[str]) -> Provider:
        """The provider for these facts; asked for them again it remembers."""
        if facts not in self._chosen:
            self._chosen[facts] = _Remembering(self._choosing.wanting(facts))
        return self._chosen[facts]
