"""What is asked of a provider that answers from a supplied text; reading one is `modules.context_reader.world`."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from map_tools.types import Place, TravelMode


@runtime_checkable
class TextSource(Protocol):
    """A provider that answers from a supplied text, alone or together with a map."""

    only: bool
    """Whether the text is all there is."""
    weekday: int | None
    """Which day the text says it is, 0 for Monday."""

    def here(self) -> Place | None:
        """Where the text says that the asker is."""
        ...

    def modes_told(self) -> Sequence[TravelMode]:
        """The modes by which it tells ways, the commonest first."""
        ...

    def expect(self, names: Sequence[str]) -> None:
        """Tells the names of a program before they are looked up."""
        ...
