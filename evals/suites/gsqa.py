"""GS-QA (Saeedan et al.): open questions of 28 templates over OpenStreetMap, and their published measures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.metrics.errors import wind_of
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.gsqa_file import GsqaRecord, read_gsqa
from evals.suites.gsqa_metrics import gsqa_metrics
from evals.suites.gsqa_scoring import Geocoder, score_gsqa
from evals.worlds.database import MapDatabase, WorldDatabase, beside
from map_tools.providers.base import Provider
from mapagent.answer import Answer
from mapagent.config import Settings
from mapagent.question import Question

WORLD = "gsqa_world"


class Gsqa:
    """The questions over the map that the settings name; every template is a category.

    The headline is what follows from the published extract, without T7 and T8 (docs/benchmark-audit.md); the
    rest is asked too, and reported apart (`metrics`).
    """

    name = "gsqa"

    def __init__(self) -> None:
        self._geocode: Geocoder | None = None
        self._notes: dict[str, Any] = {"geocoder": "none: only stated positions count"}

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All questions in the file's order."""
        return tuple(_item(record) for record in read_gsqa(data))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The published extract as a map, or the map the settings name, for questions made over it.

        `world` is the extract's folder; without it one called "gsqa_world" next to the questions is taken.
        Addresses without a position are looked up in it too.
        """
        if world is None and settings.map is None:
            world = beside(data, WORLD)
        if world is None:
            return MapDatabase.of_settings(settings)
        from evals.suites.gsqa_world import open_geocoder

        self._geocode = open_geocoder(world)
        self._notes = {"geocoder": "the world's own names and addresses"}
        return WorldDatabase.of_world(world, settings.data_home, name="gsqa")

    def score(self, item: Item, answer: Answer) -> Score:
        """Accuracy@τ, with all other measures in `values`."""
        return score_gsqa(item, answer, self._geocode)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Headline, macro means, errors, what was attempted, sensitivity."""
        return gsqa_metrics(judged)

    def notes(self) -> Mapping[str, Any]:
        """How positions of replies are found, for the run record."""
        return self._notes

    def warnings(self) -> Sequence[str]:
        """Nothing to say."""
        return ()


def _item(record: GsqaRecord) -> Item:
    return Item(
        id=str(record.id),
        category=record.template,
        task=Task(question=Question(text=record.question)),
        gold=_gold(record),
        group=str(record.id),
        defective=record.defect,
        apart=record.apart,
    )


def _gold(record: GsqaRecord) -> dict[str, Any]:
    """The right answers by what they are compared with; `texts` is what prose is compared with."""
    kind = record.answer_type
    names = [answer.name for answer in record.answers if answer.name]
    gold: dict[str, Any] = {"template": record.template, "kind": kind, "names": names}
    if kind == "name":
        facts = [answer.multihop_answer for answer in record.answers if answer.multihop_answer]
        return gold | ({"facts": facts, "texts": facts} if facts else {"texts": names})
    if kind == "loc":
        addresses = [answer.address for answer in record.answers if answer.address]
        return gold | {
            "addresses": addresses,
            "positions": [
                (answer.lat, answer.lon)
                for answer in record.answers
                if answer.lat is not None and answer.lon is not None
            ],
            "texts": addresses,
        }
    found = [value for answer in record.answers if (value := getattr(answer, kind)) is not None]
    texts = [wind_of(value) if kind == "angle" else f"{value:.0f}" for value in found]
    return gold | {"numbers": found, "texts": texts}
