"""The recognizer of the MapAgent paper (section 3; prompt: appendix B): a model names centre and radius.

Its words are checked: they must have the form asked for (one repair), name a place the map knows, and lie
where labels of the picture lie too.
"""

import re

from map_tools.compute.geodesy import distance_m
from map_tools.errors import ModelReplyError, ToolError
from map_tools.providers.base import Provider
from map_tools.types import LatLng
from map_tools.vision.boxes import Label
from map_tools.vision.locating import LEAST_SCORE, worth_looking_up
from map_tools.vision.pixels import as_png, shrunk
from mapagent.core.ports import RequestContext
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ChatModel
from mapagent.llm.request import SHOWN_SIDE_PX
from modules.visual_place_recognizer.picture import Sheet
from modules.visual_place_recognizer.recognizer import Sighting

PACKAGE = "modules.visual_place_recognizer"
MAX_TOKENS = 120
LARGEST_RADIUS_M = 3_000_000.0
"""A picture of a continent."""
SMALLEST_RADIUS_M = 20.0
CHECKED_LABELS = 8
LEAST_NEAR = 2
"""So many labels must be found around the place that is named."""
REACH = 2.0
"""... within so many radii of it: models misjudge scales."""

_REPLY = re.compile(
    r"(?P<name>[^\n]*?[^\s,;:(])[\s,;:(]+(?:radius:?\s*)?(?P<value>\d+(?:[.,]\d+)?)\s*"
    r"(?P<unit>m|km|meters?|metres?|kilometers?|kilometres?)\)?\.?",
    re.IGNORECASE,
)


class ModelRecognizer:
    """Asks a vision model where a picture is.

    Args:
        model: A model that sees pictures.
    """

    name = "model"

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def recognize(
        self,
        sheet: Sheet,
        provider: Provider | None,
        request_context: RequestContext,
        *,
        labels: tuple[Label, ...] = (),
    ) -> Sighting:
        """Centre and radius as the model has them, if they stand up to the checks."""
        try:
            named, radius_m = await self._ask(sheet, request_context)
        except ModelReplyError as error:
            return Sighting(labels=labels, reason=str(error))
        if provider is None:
            return Sighting(labels=labels, named=named, reason="There is no map to look the place up on.")
        try:
            return await _checked(named, radius_m, labels, provider)
        except ToolError as error:
            return Sighting(labels=labels, named=named, reason=f"'{named}' could not be looked up: {error}")

    async def close(self) -> None:
        """Frees the model's connections."""
        await self._model.close()

    async def _ask(self, sheet: Sheet, request_context: RequestContext) -> tuple[str, float]:
        """Name of the middle and radius in metres; a reply of another form is sent back once.

        Raises:
            ModelReplyError: The second reply is of no use either.
        """
        system, ask = load_prompt(PACKAGE, "locate"), load_prompt(PACKAGE, "locate_ask")
        messages: tuple[ChatMessage, ...] = (
            ChatMessage(role="system", text=system.fill(), prompt=system.mark),
            ChatMessage(
                role="user",
                text=ask.fill(),
                images=(as_png(shrunk(sheet.image, SHOWN_SIDE_PX)),),
                prompt=ask.mark,
            ),
        )
        problem = ""
        for label in ("picture.locate", "picture.locate.again"):
            reply = await self._model.complete(
                messages, request_context=request_context, label=label, max_tokens=MAX_TOKENS
            )
            parsed = parse_reply(reply.text)
            if not isinstance(parsed, str):
                return parsed
            problem = parsed
            again = load_prompt(PACKAGE, "locate_again")
            messages = (
                *messages,
                ChatMessage(role="assistant", text=reply.text or "(nothing)"),
                ChatMessage(role="user", text=again.fill(problem=problem), prompt=again.mark),
            )
        raise ModelReplyError(f"The vision model did not say where the picture is: {problem}")


def parse_reply(text: str) -> tuple[str, float] | str:
    """The name and the radius in metres of a reply; or what is wrong with it."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return f"It has {len(lines)} lines instead of one."
    found = _REPLY.fullmatch(lines[0].strip())
    if found is None:
        return "It does not end with a radius and its unit behind an address."
    factor = 1000.0 if found["unit"].lower().startswith("k") else 1.0
    radius_m = float(found["value"].replace(",", ".")) * factor
    if not SMALLEST_RADIUS_M <= radius_m <= LARGEST_RADIUS_M:
        return f"No picture of a map has a radius of {radius_m:g} m."
    return found["name"].strip(" ,;:("), radius_m


async def _checked(named: str, radius_m: float, labels: tuple[Label, ...], provider: Provider) -> Sighting:
    """The named place as the map has it, rejected where the picture's labels are not around it."""
    found = await provider.find_place(named, limit=1)
    center = found[0].place.location if found else None
    if center is None:
        return Sighting(
            labels=labels, named=named, reason=f"The map has no '{named}', where the model sees it."
        )
    sighting = Sighting(labels=labels, center=center, radius_m=radius_m, named=named)
    chosen = worth_looking_up(labels, CHECKED_LABELS)
    if not chosen:
        warning = f"Nothing was read in the picture that would confirm '{named}'."
        return Sighting(labels=labels, center=center, radius_m=radius_m, named=named, warnings=(warning,))
    near = [
        index for index in chosen if await _is_near(labels[index].text, center, REACH * radius_m, provider)
    ]
    if len(near) >= min(LEAST_NEAR, len(chosen)):
        return sighting
    return Sighting(
        labels=labels,
        named=named,
        reason=f"The model sees '{named}', but only {len(near)} of {len(chosen)} labels are near it.",
    )


async def _is_near(text: str, center: LatLng, reach_m: float, provider: Provider) -> bool:
    found = await provider.find_place(text, near=center)
    return any(
        one.score >= LEAST_SCORE
        and one.place.location is not None
        and distance_m(center, one.place.location) <= reach_m
        for one in found
    )
