"""Defects of GS-QA's gold that the published extract shows: shared positions, wedges cut off at north."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.audit.records import Finding, ids_of
from evals.generate.gsqa.reference import HALF_SECTOR_DEG, Numbers, fast_azimuths_deg, fast_m
from evals.suites.gsqa import GsqaRecord, read_gsqa
from evals.worlds.database import extract_rows, point_of

KINDS = ("amenity", "leisure", "tourism")
_QUERY = "SELECT amenity, leisure, tourism, geometry::VARCHAR FROM read_parquet(?)"


@dataclass(frozen=True, slots=True)
class Extract:
    """The places of the extract: their kinds and positions."""

    kinds: tuple[dict[str, str], ...]
    lats: Numbers
    lngs: Numbers


def audit_gsqa_world(data: Path, world: Path) -> tuple[Finding, ...]:
    """All findings.

    Raises:
        InputFileError: A file cannot be read.
        ConfigError: DuckDB is not installed.
    """
    extract = _read(world / "pois.parquet")
    return (shared_positions(extract), missed_by_wedges(read_gsqa(data), extract))


def shared_positions(extract: Extract) -> Finding:
    """Places at one point: which of them is nearest is an accident."""
    points = Counter(zip(extract.lats.tolist(), extract.lngs.tolist(), strict=True))
    several = [count for count in points.values() if count > 1]
    figures = {"positions": float(len(several)), "places": float(sum(several))}
    return Finding("shared_positions", "Two places of the extract are at one position.", (), 0, figures)


def missed_by_wedges(records: Sequence[GsqaRecord], extract: Extract) -> Finding:
    """Questions whose sector holds a place on the far side of north that the gold leaves out."""
    cut = [record for record in records if record.defect == "the wedge is cut off at north"]
    wrong = [record for record in cut if _far_side(record, extract)]
    says = "Behind north there is a place in the sector that would be an answer (or a nearer one)."
    return Finding("missed_by_wedges", says, ids_of(wrong), len(cut))


def _far_side(record: GsqaRecord, extract: Extract) -> bool:
    """True if a place on the other side of north belongs to the answer, narrower kinds aside."""
    slots = list(record.entities.values())
    anchor = next(slot for slot in slots if "lon" in slot)
    kind = slots[0]["main_category"]
    value = str(slots[0]["sub_category"]).replace(" ", "_").replace("fast_food_restaurant", "fast_food")
    rows = np.array([index for index, tags in enumerate(extract.kinds) if tags[kind] == value])
    origin = (float(anchor["lat"]), float(anchor["lon"]))
    lats, lngs = extract.lats[rows], extract.lngs[rows]
    metres, azimuths = fast_m(origin, lats, lngs), fast_azimuths_deg(origin, lats, lngs)
    center = float(record.towards_azimuth or 0.0) % 360
    inside = np.abs((azimuths - center + 180) % 360 - 180) <= HALF_SECTOR_DEG
    beyond = inside & (np.abs(azimuths - center) > 180)
    reach_m = next((float(slot["distance"]) for slot in slots if "distance" in slot), None)
    if reach_m is None:
        seen = metres[inside & ~beyond]
        reach_m = float(seen.min()) if len(seen) else float("inf")
    return bool(np.any(metres[beyond] < reach_m))


def _read(path: Path) -> Extract:
    rows = extract_rows(path, _QUERY)
    points = [point_of(row[-1]) for row in rows]
    kinds = tuple({key: str(value or "") for key, value in zip(KINDS, row, strict=False)} for row in rows)
    return Extract(
        kinds, np.array([point.lat for point in points]), np.array([point.lng for point in points])
    )
