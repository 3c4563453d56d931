"""Defects of GS-QA's gold that its own records show."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from evals.audit.finding import Finding, ids_of
from evals.metrics.text import MAX_NAMED, plain_words
from evals.suites.gsqa_file import HALF_SECTOR_DEG, GsqaRecord, read_gsqa

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
    mine = _of(records, "T12")
    return Finding(
        "pieces", "The longest piece is stored, not the longest road or river.", ids_of(mine), len(mine)
    )


def read_as_one(records: Sequence[GsqaRecord]) -> Finding:
    """Range questions ask for one place, and every place in range is right."""
    mine = _of(records, *RANGE_NAMES)
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
    mine = _of(records, *DIRECTIONS)
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
    mine = _of(records, *EXTERNAL)
    return Finding("external", "A fact of another source is needed.", ids_of(mine), len(records))


def _clear_of_north(record: GsqaRecord) -> bool:
    azimuth = (record.towards_azimuth or 0.0) % 360
    return HALF_SECTOR_DEG <= azimuth <= 360 - HALF_SECTOR_DEG


def _gold_words(record: GsqaRecord) -> set[str]:
    return {word for answer in record.answers for word in plain_words(answer.name or "")}


def _spoken(record: GsqaRecord) -> list[str]:
    return [str(entity["display_name"]) for entity in record.entities.values() if "display_name" in entity]


def _of(records: Iterable[GsqaRecord], *templates: str) -> list[GsqaRecord]:
    return [record for record in records if record.template in templates]
