"""The port of whoever says what a picture shows and where it is, and the one that reads labels."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

from map_tools.errors import ToolError
from map_tools.providers.base import Provider
from map_tools.types import LatLng
from map_tools.vision.boxes import Label, LabelReader, Marker
from map_tools.vision.locating import Located, NotLocated, locate
from map_tools.vision.water import Span
from map_tools.wire.meter import metered
from mapagent.core.ports import RequestContext
from modules.visual_place_recognizer.picture import Sheet

REMEMBERED = 8
"""Pictures whose labels are kept: a few kilobytes each."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture shows: labels, markers without one, water (`map_tools.vision.water`) and a scale bar's scale."""

    labels: tuple[Label, ...]
    markers: tuple[Marker, ...] = ()
    water: tuple[Span, ...] = ()
    metres_per_px: float | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a recognizer makes of a picture.

    Attributes:
        labels: What it read.
        markers: Markers of places whose names it did not read.
        water: Where water is.
        metres_per_px: What its scale bar says.
        center: What is in the middle; None if that is not known, with the reason.
        radius_m: From the middle to a corner; None with `center`.
        located: The exact frame, from a recognizer that solves for it.
        named: The words a recognizer has for the middle.
        reason: Why the picture is not located.
        warnings: What to doubt about it.
    """

    labels: tuple[Label, ...] = ()
    markers: tuple[Marker, ...] = ()
    water: tuple[Span, ...] = ()
    metres_per_px: float | None = None
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
        self,
        sheet: Sheet,
        provider: Provider | None,
        request_context: RequestContext,
        *,
        labels: tuple[Label, ...] = (),
    ) -> Sighting:
        """Looks at a picture.

        Args:
            sheet: The picture.
            provider: Where names are looked up; None: there is no map.
            request_context: What calls are charged to.
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
        self._read_before: OrderedDict[bytes, Reading] = OrderedDict()
        # One thread: memory that a reader frees in one thread is not given to the next.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reader")

    async def recognize(
        self,
        sheet: Sheet,
        provider: Provider | None,
        request_context: RequestContext,
        *,
        labels: tuple[Label, ...] = (),
    ) -> Sighting:
        """The labels of the picture, and its frame where enough of them are on the map."""
        read = Reading(labels) if labels else await self._reading(sheet)
        where = await _locate(read.labels, sheet, provider, request_context)
        seen = Sighting(read.labels, read.markers, read.water, read.metres_per_px)
        if isinstance(where, NotLocated):
            return replace(seen, reason=where.reason)
        frame = where.frame
        return replace(seen, center=frame.center, radius_m=frame.radius_m, located=where)

    async def close(self) -> None:
        """Ends the reader's thread; a picture that is being read is read to its end."""
        self._thread.shutdown(wait=False)

    async def _reading(self, sheet: Sheet) -> Reading:
        """What is read in a picture; of the last few pictures it is remembered, for further questions."""
        key = sha256(sheet.png).digest()
        if key not in self._read_before:
            loop = asyncio.get_running_loop()
            self._read_before[key] = await loop.run_in_executor(self._thread, self._read, sheet)
            while len(self._read_before) > REMEMBERED:
                self._read_before.popitem(last=False)
        return self._read_before[key]

    def _read(self, sheet: Sheet) -> Reading:
        """Lines of text, merged into labels with their markers, and the other markers; blocking."""
        from map_tools.vision.markers import find_markers, with_markers
        from map_tools.vision.merging import merge_labels
        from map_tools.vision.scale import find_scale
        from map_tools.vision.water import find_water

        if self._reader is None:
            self._reader = self._open_reader()
        boxes = self._reader.read_labels(sheet.png)
        told, free = with_markers(merge_labels(boxes, sheet.height_px), find_markers(sheet.image))
        return Reading(told, free, find_water(sheet.image), find_scale(sheet.image, boxes))


async def _locate(
    labels: tuple[Label, ...], sheet: Sheet, provider: Provider | None, request_context: RequestContext
) -> Located | NotLocated:
    if provider is None:
        return NotLocated("There is no map to look the labels up on.")
    ledger = request_context.ledger
    free = provider.capabilities.cheap_names
    with nullcontext() if free else metered(ledger, left_s=lambda: ledger.left_s):
        try:
            return await locate(labels, sheet.width_px, sheet.height_px, provider)
        except ToolError as error:
            return NotLocated(f"The labels could not be looked up: {error}")
