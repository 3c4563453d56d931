"""Defects that the records of a benchmark show by themselves: of GS-QA, MapQA and MapEval-Textual.

A finding holds figures and ids, never texts of the data.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import Protocol

from evals.metrics.measures import MAX_NAMED, TAU_NUMBER, plain_words
from evals.suites.gsqa import HALF_SECTOR_DEG, GsqaRecord, read_gsqa
from evals.suites.mapeval import MapEvalRecord, read_mapeval
from evals.suites.scoring.mapqa import (
    DISTANCE,
    LENIENT_RATIO,
    MapqaEntity,
    MapqaRecord,
    contradictions,
    read_mapqa,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of a benchmark.

    Attributes:
        key: Short name.
        says: What is wrong, in a sentence.
        ids: The questions it touches.
        among: Of how many questions; 0 for a defect of the map, which touches none in particular.
        figures: Further figures by name.
    """

    key: str
    says: str
    ids: tuple[str, ...]
    among: int
    figures: dict[str, float] = field(default_factory=dict)


class HasId(Protocol):
    """A record of a benchmark."""

    @property
    def id(self) -> object:
        """Its id."""


def ids_of(records: Iterable[HasId]) -> tuple[str, ...]:
    """The ids of some records, as text."""
    return tuple(str(record.id) for record in records)


def shown(findings: Sequence[Finding], *, with_ids: bool = False) -> str:
    """The findings as text."""
    lines: list[str] = []
    for one in findings:
        share = f"{len(one.ids)} of {one.among}. " if one.among else ""
        lines.append(f"{one.key}: {share}{one.says}")
        lines += [f"  {name} = {value:g}" for name, value in one.figures.items()]
        if with_ids and one.ids:
            lines.append(f"  ids: {' '.join(one.ids)}")
    return "\n".join(lines)


RANGE_NAMES = ("T1", "T2", "T3", "T4")
DIRECTIONS = ("T3", "T9", "T15", "T19")
EXTERNAL = ("T7", "T8")


def audit_gsqa(data: Path) -> tuple[Finding, ...]:
    """All findings.

    Raises:
        InputFileError: The file cannot be read.
    """
    records = read_gsqa(data)
    return (
        wedges(records),
        pieces(records),
        read_as_one(records),
        garbled(records),
        lost_positions(records),
        not_in_extract(records),
        state_only(records),
        one_word(records),
        external(records),
    )


def wedges(records: Sequence[GsqaRecord]) -> Finding:
    """Sectors of "towards" that reach across north; the gold statement compares azimuths without wrapping."""
    towards = [record for record in records if record.towards_azimuth is not None]
    cut = [record for record in towards if not _clear_of_north(record)]
    return Finding(
        "wedges", "The sector towards the second place is cut off at north.", ids_of(cut), len(towards)
    )


def pieces(records: Sequence[GsqaRecord]) -> Finding:
    """T12 orders features by length, and a road or river is stored in pieces."""
    mine = _of_templates(records, "T12")
    return Finding(
        "pieces", "The longest piece is stored, not the longest road or river.", ids_of(mine), len(mine)
    )


def read_as_one(records: Sequence[GsqaRecord]) -> Finding:
    """Range questions ask for one place, and every place in range is right."""
    mine = _of_templates(records, *RANGE_NAMES)
    sizes = [len(record.answers) for record in mine]
    many = [record for record in mine if len(record.answers) > MAX_NAMED]
    says = "The question asks for one place, and more than three are right."
    return Finding(
        "read_as_one", says, ids_of(many), len(mine), {"median": median(sizes), "largest": max(sizes)}
    )


def garbled(records: Sequence[GsqaRecord]) -> Finding:
    """The published grammar correction rewrote names: the question no longer has its place's own name."""
    mine = [record for record in records if record.template != "T8"]
    changed = [record for record in mine if any(name not in record.question for name in _spoken(record))]
    return Finding(
        "garbled", "The name of a place is not written as the map writes it.", ids_of(changed), len(mine)
    )


def lost_positions(records: Sequence[GsqaRecord]) -> Finding:
    """The gold statement of direction templates keeps the origin's geometry instead of the answer's."""
    mine = _of_templates(records, *DIRECTIONS)
    lost = [record for record in mine if any(answer.lon is None for answer in record.answers)]
    return Finding("lost_positions", "An answer's position is not stored.", ids_of(lost), len(mine))


def not_in_extract(records: Sequence[GsqaRecord]) -> Finding:
    """The stored answers are right for the whole data base, which was not published."""
    gone = [record for record in records if not record.world_ok]
    by_template = Counter(record.template for record in gone)
    return Finding(
        "not_in_extract",
        "The gold does not follow from the published extract.",
        ids_of(gone),
        len(records),
        {name: by_template[name] for name in sorted(by_template, key=lambda name: int(name[1:]))},
    )


def state_only(records: Sequence[GsqaRecord]) -> Finding:
    """A gold address of one word is contained in every address of its state."""
    mine = [record for record in records if record.answer_type == "loc"]
    bare = [
        record
        for record in mine
        if any(answer.address and len(plain_words(answer.address)) == 1 for answer in record.answers)
    ]
    return Finding("state_only", "A right address is one word, such as a state.", ids_of(bare), len(mine))


def one_word(records: Sequence[GsqaRecord]) -> Finding:
    """Token containment calls any reply right whose words are all in a gold name: how far one word gets."""
    mine = [record for record in records if record.answer_type == "name" and record.template != "T7"]
    words = Counter(word for record in mine for word in _gold_words(record))
    best, _ = words.most_common(1)[0]
    right = [record for record in mine if best in _gold_words(record)]
    says = "One and the same word counts as the right name by token containment."
    return Finding("one_word", says, ids_of(right), len(mine))


def external(records: Sequence[GsqaRecord]) -> Finding:
    """T7 and T8 rest on facts that are not in the map."""
    mine = _of_templates(records, *EXTERNAL)
    return Finding("external", "A fact of another source is needed.", ids_of(mine), len(records))


def _clear_of_north(record: GsqaRecord) -> bool:
    azimuth = (record.towards_azimuth or 0.0) % 360
    return HALF_SECTOR_DEG <= azimuth <= 360 - HALF_SECTOR_DEG


def _gold_words(record: GsqaRecord) -> set[str]:
    return {word for answer in record.answers for word in plain_words(answer.name or "")}


def _spoken(record: GsqaRecord) -> list[str]:
    return [str(entity["display_name"]) for entity in record.entities.values() if "display_name" in entity]


def _of_templates(records: Iterable[GsqaRecord], *templates: str) -> list[GsqaRecord]:
    return [record for record in records if record.template in templates]


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
    mine = _of_type(records, DISTANCE)
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
    mine = _of_type(records, 5)
    second = [record for record in mine if record.answers == (_options(record)[-1].name,)]
    return Finding("always_second", "The gold is the second of the two places.", ids_of(second), len(mine))


def same_gold(records: Sequence[MapqaRecord], kind: int) -> Finding:
    """Types 8 and 9: a kind that is asked for several times has one and the same nearest place everywhere."""
    mine = [record for record in _of_type(records, kind) if record.answers]
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
    mine = _of_type(records, kind)
    far = [record for record in mine if any(length > limit_m for length in _answer_distances_m(record))]
    says = f"A gold answer is stored more than {limit_m:.0f} m from its place."
    return Finding(f"far_apart_{kind}", says, ids_of(far), len(mine))


def nothing_stored(records: Sequence[MapqaRecord]) -> Finding:
    """Type 2: the places around are not part of the data."""
    mine = _of_type(records, 2)
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
        for record, following in pairwise(_of_type(records, kind)):
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


def _of_type(records: Iterable[MapqaRecord], kind: int) -> list[MapqaRecord]:
    return [record for record in records if record.type == kind]


USUAL_OPTIONS = 4


def audit_mapeval(data: Path) -> tuple[Finding, ...]:
    """All findings.

    Raises:
        InputFileError: The file cannot be read.
    """
    records = read_mapeval(data)
    twice = [record for record in records if record.defect]
    few = [record for record in records if len(record.answer.options) != USUAL_OPTIONS]
    contexts = Counter(record.context for record in records)
    shared = [record for record in records if contexts[record.context] > 1]
    return (
        Finding("no_single_option", "The right option is empty or listed twice.", _ids(twice), len(records)),
        Finding("few_options", "There are fewer options than four.", _ids(few), len(records)),
        Finding("shared_context", "Another question has the same context.", _ids(shared), len(records)),
    )


def _ids(records: list[MapEvalRecord]) -> tuple[str, ...]:
    return tuple(str(record.id) for record in records)
