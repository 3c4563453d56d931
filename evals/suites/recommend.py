"""Recommendations: generated wishes over maps whose truth is known."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.ports import Item, OfferRule, Score, Task
from evals.suites.recommend_file import RecommendRecord, read_recommend
from evals.suites.recommend_metrics import recommend_metrics
from evals.suites.recommend_scoring import score_recommendation
from map_tools.errors import InputFileError
from map_tools.maps.info import read_info
from map_tools.providers.base import Provider
from mapagent.answer import Answer
from mapagent.config import Settings
from mapagent.providers import map_home, open_provider
from mapagent.question import Question

RANKED = 10
"""So many places are asked for: the largest k of the published tables."""
MANIFEST = "manifest.json"


class Recommend:
    """Generated wishes over the map they were made for (`mapagent generate recommend`)."""

    name = "recommend"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All wishes in the file's order; every family is a category."""
        return tuple(recommend_item(record) for record in read_recommend(data))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """The map that the manifest beside the wishes names, or the one the settings name.

        Raises:
            InputFileError: There is no manifest, or the map is another build than the wishes are about.
            UnknownNameError: There is no such map on this machine.
        """
        folder = data if data.is_dir() else data.parent
        manifest = _manifest(folder)
        name = settings.map or str(manifest.get("map"))
        path = map_home(settings).path(name)
        if read_info(path).source_sha256 != manifest.get("map_source_sha256"):
            raise InputFileError(
                f"The map '{name}' is not the one that the wishes in {folder} are about.",
                "Make both again with `mapagent generate recommend`.",
            )
        return open_provider(settings.model_copy(update={"map": name, "provider": "osm"}))

    def score(self, item: Item, answer: Answer) -> Score:
        """By withheld truth."""
        return score_recommendation(item, answer)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Ranking, pass rates, failures; what is reported apart stands apart."""
        return recommend_metrics(judged)


def recommend_item(record: RecommendRecord) -> Item:
    """The item of a record: its family is its category."""
    return Item(
        id=record.id,
        category=record.family,
        task=Task(question=Question(text=record.question, near=record.near), ranked=RANKED),
        gold=record,
        group=record.id,
        defective=record.defective,
        apart=record.apart,
    )


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputFileError(
            f"{path}, which tells the map of the wishes, cannot be read.", "Give the folder of a benchmark."
        ) from error
    if not isinstance(manifest, dict):
        raise InputFileError(f"{path} is no JSON object.", "Give the folder of a benchmark.")
    return manifest
