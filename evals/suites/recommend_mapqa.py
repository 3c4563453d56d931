"""MapQA-ADJ and MapQA-AME: MapQA's types 1 and 4 as Spatial-RAG measures them (arXiv 2502.18470, table 3)."""

from collections.abc import Sequence
from pathlib import Path

from evals.ports import Item, OfferRule
from evals.suites.mapqa import Mapqa
from evals.suites.mapqa_file import MapqaRecord, read_mapqa
from evals.suites.recommend import Recommend, recommend_item
from evals.suites.recommend_file import FULL, RecommendRecord
from map_tools.providers.base import Provider
from map_tools.text import normalise
from mapagent.config import Settings

_FAMILIES = {1: "adjacent", 4: "around"}


class RecommendMapqa(Recommend):
    """The questions over MapQA's own published places.

    The world is thinner than the paper's 92,415 places, so figures are an upper bound.
    """

    name = "recommend-mapqa"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The questions of the two types in the file's order."""
        records = [record for record in read_mapqa(data) if record.type in _FAMILIES and record.answers]
        unclear = unclear_branches(records)
        return tuple(recommend_item(_of_mapqa(record, unclear=record.id in unclear)) for record in records)

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The published places as a map, as for the suite `mapqa`."""
        return Mapqa().provider(data, settings, world)


def unclear_branches(records: Sequence[MapqaRecord]) -> frozenset[str]:
    """Ids of the questions whose answer differs where the same is asked, in whatever words.

    Their place's name is that of several (branches of a bank), and nothing in the words tells which is meant.
    """
    answers: dict[tuple[object, ...], set[frozenset[str]]] = {}
    for record in records:
        answers.setdefault(_asked(record), set()).add(frozenset(map(normalise, record.answers)))
    return frozenset(record.id for record in records if len(answers[_asked(record)]) > 1)


def _asked(record: MapqaRecord) -> tuple[object, ...]:
    """What a question asks for beside which place."""
    names = frozenset(normalise(entity.name or "") for entity in record.subjects())
    return record.type, record.amenity, names


def _of_mapqa(record: MapqaRecord, *, unclear: bool) -> RecommendRecord:
    return RecommendRecord.model_validate(
        {
            "id": record.id,
            "family": _FAMILIES[record.type],
            "question": record.question,
            "grades": dict.fromkeys(record.answers, FULL),
            "whole": True,
            "lies": record.answers,
            "apart": record.apart,
            "defective": "the same is asked elsewhere with another answer" if unclear else "",
        }
    )
