"""Defects of MapQA's gold that its own records show."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean

from evals.audit.finding import Finding, ids_of
from evals.metrics.errors import TAU_NUMBER
from evals.suites.mapqa_file import DISTANCE, MapqaEntity, MapqaRecord, contradictions, read_mapqa
from evals.suites.mapqa_scoring import LENIENT_RATIO

BESIDE_M = 50.0
"""What types 1 and 4 mean by "next to"."""
OTHER_BRANCH_M = 200.0
NEXT_TAU = 0.2
"""The next tolerance of Geo-ReAct's figure 4 behind 0.1."""


def audit_mapqa(data: Path) -> tuple[Finding, ...]:
    """All findings.

    Raises:
        InputFileError: The file cannot be read.
    """
    records = read_mapqa(data)
    return (
        planar(records),
        always_second(records),
        same_gold(records, 8),
        same_gold(records, 9),
        far_apart(records, 1, OTHER_BRANCH_M),
        far_apart(records, 4, BESIDE_M),
        nothing_stored(records),
        nameless(records),
        twice(records),
        forgiving(records),
    )


def planar(records: Sequence[MapqaRecord]) -> Finding:
    """Type 7 stores planar distances in EPSG:3857, too large by 1 / cos(latitude)."""
    mine = _of(records, DISTANCE)
    errors = {record.id: error for record in mine if (error := _planar_excess(record)) is not None}
    wrong = tuple(name for name, error in errors.items() if error > TAU_NUMBER)
    figures = {
        "mean_ratio_to_the_ground": 1 + mean(errors.values()),
        "least_ratio": 1 + min(errors.values()),
        "largest_ratio": 1 + max(errors.values()),
        "true_answers_within_0.1_of_gold": float(
            sum(_seen_from_gold(e) <= TAU_NUMBER for e in errors.values())
        ),
        "true_answers_within_0.2_of_gold": float(
            sum(_seen_from_gold(e) <= NEXT_TAU for e in errors.values())
        ),
    }
    return Finding(
        "planar", "The gold distance is more than 10 % off on the ground.", wrong, len(mine), figures
    )


def always_second(records: Sequence[MapqaRecord]) -> Finding:
    """Type 5: the gold is the second of the two places, always."""
    mine = _of(records, 5)
    second = [record for record in mine if record.answers == (_options(record)[-1].name,)]
    return Finding("always_second", "The gold is the second of the two places.", ids_of(second), len(mine))


def same_gold(records: Sequence[MapqaRecord], kind: int) -> Finding:
    """Types 8 and 9: a kind that is asked for several times has one and the same nearest place everywhere."""
    mine = [record for record in _of(records, kind) if record.answers]
    golds: dict[str, list[str]] = {}
    for record in mine:
        golds.setdefault(record.amenity, []).append(record.answers[0])
    several = {amenity for amenity, names in golds.items() if len(names) > 1}
    stuck = {amenity for amenity in several if len(set(golds[amenity])) == 1}
    touched = [record for record in mine if record.amenity in stuck]
    figures = {"kinds_asked_more_than_once": float(len(several)), "with_one_gold": float(len(stuck))}
    return Finding(
        f"same_gold_{kind}",
        "The gold is the same wherever the question is.",
        ids_of(touched),
        len(mine),
        figures,
    )


def far_apart(records: Sequence[MapqaRecord], kind: int, limit_m: float) -> Finding:
    """Types 1 and 4: a stored answer further off than what the question means."""
    mine = _of(records, kind)
    far = [record for record in mine if any(length > limit_m for length in _answer_distances_m(record))]
    says = f"A gold answer is stored more than {limit_m:.0f} m from its place."
    return Finding(f"far_apart_{kind}", says, ids_of(far), len(mine))


def nothing_stored(records: Sequence[MapqaRecord]) -> Finding:
    """Type 2: the places around are not part of the data."""
    mine = _of(records, 2)
    bare = [record for record in mine if all(entity.role == "subject" for entity in record.entities)]
    return Finding("nothing_stored", "The places around are not stored.", ids_of(bare), len(mine))


def nameless(records: Sequence[MapqaRecord]) -> Finding:
    """Questions whose right place has no name."""
    mine = [record for record in records if not record.answers]
    return Finding("nameless", "The right place has no name to answer with.", ids_of(mine), len(records))


def twice(records: tuple[MapqaRecord, ...]) -> Finding:
    """The same words with different answers: chains are asked for by their name alone."""
    mine = contradictions(records)
    found = [record for record in records if record.id in mine]
    return Finding(
        "twice", "The same words are asked elsewhere with another answer.", ids_of(found), len(records)
    )


def forgiving(records: Sequence[MapqaRecord]) -> Finding:
    """MapAgent's published threshold: the next question's gold passes for this one's."""
    from rapidfuzz import fuzz

    passed, among = [], 0
    for kind in range(1, 10):
        for record, following in pairwise(_of(records, kind)):
            own, foreign = "; ".join(record.answers), "; ".join(following.answers)
            if own and foreign and own != foreign:
                among += 1
                if fuzz.ratio(foreign, own) >= LENIENT_RATIO:
                    passed.append(record)
    says = "Another question's gold passes for the right answer at a fuzzy ratio of 30 of 100."
    return Finding("forgiving", says, ids_of(passed), among)


def _planar_excess(record: MapqaRecord) -> float | None:
    """By what share the stored distance exceeds the geodesic one."""
    a, b = (*record.subjects(), None, None)[:2]
    length = _metres(a, b)
    return record.planar_m / length - 1 if record.planar_m is not None and length else None


def _seen_from_gold(excess: float) -> float:
    """The relative error of a true answer, judged by a gold that is too large by `excess`."""
    return excess / (1 + excess)


def _answer_distances_m(record: MapqaRecord) -> list[float]:
    (subject, *_) = (*record.subjects(), None)
    answers = [entity for entity in record.entities if entity.role == "answer"]
    return [length for entity in answers if (length := _metres(subject, entity)) is not None]


def _metres(a: MapqaEntity | None, b: MapqaEntity | None) -> float | None:
    from geographiclib.geodesic import Geodesic

    if a is None or b is None or a.lat is None or a.lon is None or b.lat is None or b.lon is None:
        return None
    return float(Geodesic.WGS84.Inverse(a.lat, a.lon, b.lat, b.lon)["s12"])


def _options(record: MapqaRecord) -> list[MapqaEntity]:
    return [entity for entity in record.entities if entity.role == "option"]


def _of(records: Iterable[MapqaRecord], kind: int) -> list[MapqaRecord]:
    return [record for record in records if record.type == kind]
