"""The Visual-Place-Recognizer module: reads the picture, finds where it is, writes both down as evidence."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

from pydantic import ValidationError

from map_tools.compute.geodesy import distance_m
from map_tools.errors import ConfigError, InputFileError
from map_tools.facts import PlaceFact
from map_tools.types import Frozen, Place
from map_tools.vision.boxes import LabelReader
from map_tools.vision.locating import NotLocated
from mapagent.core.answer import Evidence, Source, Step
from mapagent.core.ports import Closable, Run
from mapagent.runtime.config import Settings
from modules.visual_place_recognizer.observing import OWN_ID, picture_fact
from modules.visual_place_recognizer.picture import Sheet, open_sheet
from modules.visual_place_recognizer.recognizer import LabelRecognizer, Recognizer, Sighting

NAME = "visual_place_recognizer"
THE_PICTURE = "the middle of the picture"
"""The words by which evidence speaks of what is in the middle."""


class RecognizerSettings(Frozen):
    """The section `[modules.visual_place_recognizer]` of the configuration.

    Attributes:
        recognizer: "labels" reads text, "model" asks the vision model of the settings, "both" does both and
            checks one against the other.
        model: The vision model's name; empty: the settings' model.
        threads: How many processors the reader of text may use.
    """

    recognizer: Literal["labels", "model", "both"] = "labels"
    model: str = ""
    threads: int = 2


class VisualPlaceRecognizer:
    """Reads the labels of a map picture and solves for the frame in which they lie on the map.

    Args:
        recognizers: Who looks at the picture, one after the other; each is given what was read before.
    """

    name = NAME
    description = "Reads the labels of a map picture and finds its centre, radius, scale and bounding box."
    operators: tuple[Any, ...] = ()
    """Those of the language that read pictures are built in."""

    def __init__(self, *recognizers: Recognizer) -> None:
        self._recognizers = recognizers or (LabelRecognizer(_open_reader),)

    @classmethod
    def from_settings(cls, settings: Settings) -> "VisualPlaceRecognizer":
        """The module with the recognizers that the configuration names (`mapagent.core.ports.ModuleFactory`).

        Raises:
            ConfigError: The section is wrong, or the model cannot be used.
        """
        try:
            own = RecognizerSettings.model_validate(settings.modules.get(NAME, {}))
        except ValidationError as error:
            first = error.errors()[0]
            raise ConfigError(
                f"[modules.{NAME}], '{'.'.join(map(str, first['loc']))}': {first['msg']}."
            ) from error
        labels = LabelRecognizer(lambda: _open_reader(own.threads))
        if own.recognizer == "labels":
            return cls(labels)
        model = _open_model(settings, own)
        return cls(model) if own.recognizer == "model" else cls(labels, model)

    async def close(self) -> None:
        """Frees the connections of recognizers that hold any."""
        for recognizer in self._recognizers:
            if isinstance(recognizer, Closable):
                await recognizer.close()

    async def fetch(self, request: object, step: Step, run: Run) -> tuple[Evidence, ...]:  # noqa: ARG002
        """Observations of the picture of the question.

        Raises:
            ConfigError: The packages that read text are not installed.
            InputFileError: The question has no picture, or it cannot be read.
        """
        if run.question.image is None:
            raise InputFileError("The question has no picture to look at.", "Give one with --image.")
        sheet = await asyncio.to_thread(open_sheet, run.question.image)
        sightings: list[Sighting] = []
        for recognizer in self._recognizers:
            read = sightings[-1].labels if sightings else ()
            sighting = await recognizer.recognize(sheet, run.provider, run.request_context, labels=read)
            run.request_context.trace.event(
                "picture.seen",
                recognizer=recognizer.name,
                labels=len(sighting.labels),
                located=sighting.center is not None,
                named=sighting.named,
                reason=sighting.reason,
            )
            sightings.append(sighting)
        return tuple(self._evidence(step, run, sheet, sightings))

    def _evidence(self, step: Step, run: Run, sheet: Sheet, sightings: list[Sighting]) -> Iterator[Evidence]:
        best = next((one for one in sightings if one.located is not None), sightings[0])
        where = best.located or NotLocated(" ".join(one.reason for one in sightings if one.reason))
        picture = picture_fact(best, (sheet.width_px, sheet.height_px), where)
        provider = run.provider.name if run.provider and best.located else ""
        source = Source(tool=self.name, provider=provider, time=run.clock.now())
        doubts = tuple(
            dict.fromkeys((*contradictions(sightings), *(w for one in sightings for w in one.warnings)))
        )
        seen = run.evidence_of(step, picture, source, warnings=doubts)
        yield seen
        middle = next((one for one in sightings if one.center is not None), None)
        if middle is not None:
            place = Place(id=f"{OWN_ID}middle", name=middle.named or THE_PICTURE, location=middle.center)
            fact = PlaceFact(query=THE_PICTURE, place=place)
            yield run.evidence_of(step, fact, source, derived_from=(seen.id,), warnings=middle.warnings)


def contradictions(sightings: list[Sighting]) -> Iterator[str]:
    """Where two recognizers put the picture at places too far apart to be the same."""
    placed = [one for one in sightings if one.center is not None and one.radius_m is not None]
    for first, second in pairwise(placed):
        if first.center is None or second.center is None:
            continue
        apart_m = distance_m(first.center, second.center)
        if apart_m > (first.radius_m or 0.0) + (second.radius_m or 0.0):
            name = second.named or first.named or "one recognizer's place"
            yield f"The recognizers disagree: {name} is {apart_m:.0f} m from where the labels are."


def _open_reader(threads: int = 2) -> LabelReader:
    from map_tools.vision.ocr import RapidLabelReader

    return RapidLabelReader(threads)


def _open_model(settings: Settings, own: RecognizerSettings) -> Recognizer:
    from mapagent.llm.open import open_model
    from modules.visual_place_recognizer.vision_model import ModelRecognizer

    name = own.model or settings.model
    if name == "offline":
        raise ConfigError(
            "The vision model of the picture's recognizer has no name.",
            f"Name one with --model, or as `model` in [modules.{NAME}].",
        )
    return ModelRecognizer(open_model(settings, name))
