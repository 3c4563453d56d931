"""MapQA-ADJ and MapQA-AME: MapQA's types 1 and 4 as Spatial-RAG measures them (arXiv 2502.18470, table 3)."""

from pathlib import Path

from evals.ports import Item, OfferRule
from evals.suites.mapqa import Mapqa
from evals.suites.mapqa_file import MapqaRecord, contradictions, read_mapqa
from evals.suites.recommend import Recommend, recommend_item
from evals.suites.recommend_file import FULL, RecommendRecord
from map_tools.providers.base import Provider
from mapagent.config import Settings

_FAMILIES = {1: "adjacent", 4: "around"}


class RecommendMapqa(Recommend):
    """The questions over MapQA's own published places.

    The world is thinner than the paper's 92,415 places, so figures are an upper bound.
    """

    name = "recommend-mapqa"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The questions of the two types in the file's order."""
        records = read_mapqa(data)
        twice = contradictions(records)
        return tuple(
            recommend_item(_of_mapqa(record, contradicted=record.id in twice))
            for record in records
            if record.type in _FAMILIES and record.answers
        )

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The published places as a map, as for the suite `mapqa`."""
        return Mapqa().provider(data, settings, world)


def _of_mapqa(record: MapqaRecord, *, contradicted: bool) -> RecommendRecord:
    return RecommendRecord.model_validate(
        {
            "id": record.id,
            "family": _FAMILIES[record.type],
            "question": record.question,
            "grades": dict.fromkeys(record.answers, FULL),
            "whole": True,
            "lies": record.answers,
            "apart": record.apart,
            "defective": "the same words are asked elsewhere with another answer" if contradicted else "",
        }
    )
