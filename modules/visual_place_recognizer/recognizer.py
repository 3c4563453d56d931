"""The port of whoever says what a picture shows and where it is, and the one that reads labels."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Protocol

from map_tools.errors import ToolError
from map_tools.providers.base import Provider
from map_tools.types import LatLng
from map_tools.vision.boxes import Label, LabelReader
from map_tools.vision.locating import Located, NotLocated, locate
from map_tools.wire.meter import metered
from mapagent.ports import Account
from modules.visual_place_recognizer.picture import Sheet


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a recognizer makes of a picture.

    Attributes:
        labels: What it read.
        center: What is in the middle; None if that is not known, with the reason.
        radius_m: From the middle to a corner; None with `center`.
        located: The exact frame, from a recognizer that solves for it.
        named: The words a recognizer has for the middle.
        reason: Why the picture is not located.
        warnings: What to doubt about it.
    """

    labels: tuple[Label, ...] = ()
    center: LatLng | None = None
    radius_m: float | None = None
    located: Located | None = None
    named: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = ()


class Recognizer(Protocol):
    """Says what a map picture shows and where it is."""

    name: str

    async def recognize(
        self, sheet: Sheet, provider: Provider | None, account: Account, *, labels: tuple[Label, ...] = ()
    ) -> Sighting:
        """Looks at a picture.

        Args:
            sheet: The picture.
            provider: Where names are looked up; None: there is no map.
            account: What calls are charged to.
            labels: What was read in it before, if anything.

        Raises:
            ConfigError: What it needs is not installed.
            LimitError: A budget is spent.
            ModelError: The model cannot be reached.
        """
        ...


class LabelRecognizer:
    """Reads labels and solves for the frame in which they lie on the map; exact, offline.

    Args:
        open_reader: Makes the reader of text when the first picture comes.
    """

    name = "labels"

    def __init__(self, open_reader: Callable[[], LabelReader]) -> None:
        self._open_reader = open_reader
        self._reader: LabelReader | None = None

    async def recognize(
        self,
        sheet: Sheet,
        provider: Provider | None,
        account: Account,
        *,
        labels: tuple[Label, ...] = (),
    ) -> Sighting:
        """The labels of the picture, and its frame where enough of them are on the map."""
        labels = labels or await asyncio.to_thread(self._read, sheet)
        where = await _locate(labels, sheet, provider, account)
        if isinstance(where, NotLocated):
            return Sighting(labels=labels, reason=where.reason)
        frame = where.frame
        return Sighting(labels=labels, center=frame.center, radius_m=frame.radius_m, located=where)

    def _read(self, sheet: Sheet) -> tuple[Label, ...]:
        """Lines of text, merged into labels with their icons; blocking."""
        from map_tools.vision.icons import with_icons
        from map_tools.vision.merging import merge_labels

        if self._reader is None:
            self._reader = self._open_reader()
        return with_icons(merge_labels(self._reader.read_labels(sheet.png), sheet.height_px), sheet.image)


async def _locate(
    labels: tuple[Label, ...], sheet: Sheet, provider: Provider | None, account: Account
) -> Located | NotLocated:
    if provider is None:
        return NotLocated("There is no map to look the labels up on.")
    ledger = account.ledger
    free = provider.capabilities.cheap_names
    with nullcontext() if free else metered(ledger, left_s=lambda: ledger.left_s):
        try:
            return await locate(labels, sheet.width_px, sheet.height_px, provider)
        except ToolError as error:
            return NotLocated(f"The labels could not be looked up: {error}")
