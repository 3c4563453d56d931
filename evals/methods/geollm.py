"""GeoLLM: the model's own knowledge, with the reference object's coordinates, address and neighbours.

R. Manvi et al., "GeoLLM: Extracting geospatial knowledge from large language models", ICLR 2024
(https://arxiv.org/abs/2310.06213): a prompt of coordinates, address and a list "Nearby Places" with distance
and direction of each, as a baseline of Spatial-RAG (arXiv 2502.18470, section 5.1).

Necessarily changed: the paper lists the ten nearest places of any kind and predicts a number; here they are
of the kind asked for, more of them, and the model recommends among them.
"""

from collections.abc import Iterator

from evals.methods.loop import Attempt
from evals.methods.place_corpus import PlaceCorpus
from evals.methods.ranking import M_PER_KM, Asked, AskingMethod, read_task
from evals.ports import Desk, Task
from map_tools.compute.geodesy import bearing_deg, distance_m, wind, wind_name
from map_tools.types import Place
from mapagent.facttext import clean

NEIGHBOURS = 40
"""Nearby places in the prompt."""


class GeoLlm(AskingMethod):
    """The method `geollm`."""

    name = "geollm"

    async def context(self, attempt: Attempt, task: Task, desk: Desk, corpus: PlaceCorpus) -> list[str]:  # noqa: ARG002
        """The surroundings of each reference object."""
        asked = await read_task(task, self.reader, corpus, attempt.tools)
        return ["\n".join(_surroundings(anchor, asked)) for anchor in asked.anchors]


def _surroundings(anchor: Place, asked: Asked) -> Iterator[str]:
    """The prompt of the paper: coordinates, address, nearby places with distance and direction."""
    yield clean(f"{anchor.name}. Coordinates: ({anchor.location}). Address: {anchor.address or 'unknown'}.")
    yield "Nearby places:"
    measured = _measured(anchor, asked)
    for length_m, toward, place in sorted(measured, key=lambda entry: (entry[0], entry[2].name))[:NEIGHBOURS]:
        yield clean(f"{length_m / M_PER_KM:.1f} km {toward}: {place.name}")


def _measured(anchor: Place, asked: Asked) -> Iterator[tuple[float, str, Place]]:
    """(distance in metres, direction, place) of each candidate, as seen from a reference object."""
    for place in asked.places:
        if anchor.location is not None and place.location is not None:
            toward = wind_name(wind(bearing_deg(anchor.location, place.location)))
            yield distance_m(anchor.location, place.location), toward, place
