"""`python -m benchmarks.audit SUITE --data PATH [--world PATH]`: the figures of docs/benchmark-audit.md.

Defects of GS-QA's gold that the published extract shows: shared positions, wedges cut off at north.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.audit.records import Finding, ids_of, shown
from evals.generate.gsqa.reference import HALF_SECTOR_DEG, Numbers, fast_azimuths_deg, fast_m
from evals.suites.gsqa import GsqaRecord, read_gsqa
from evals.worlds.database import extract_rows, point_of
from map_tools.errors import MapAgentError, UsageError

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the findings; exit code 2 for wrong use."""
    parser = ArgumentParser(prog="python -m benchmarks.audit", description="Audits a public benchmark.")
    parser.add_argument("suite", choices=("gsqa", "mapqa", "mapeval"))
    parser.add_argument(
        "--data", type=Path, required=True, metavar="PATH", help="the benchmark's file or folder"
    )
    parser.add_argument("--world", type=Path, metavar="PATH", help="the published extract (gsqa)")
    parser.add_argument("--ids", action="store_true", help="list the questions")
    given = parser.parse_args(arguments)
    try:
        findings = _audit(given.suite, given.data, given.world)
    except MapAgentError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(shown(findings, with_ids=given.ids) + "\n")
    return 0


def _audit(suite: str, data: Path, world: Path | None) -> tuple[Finding, ...]:
    if world is not None and suite != "gsqa":
        raise UsageError(f"The audit of {suite} needs no world.", "Leave out --world.")
    if suite == "mapqa":
        from benchmarks.audit.records import audit_mapqa

        return audit_mapqa(data)
    if suite == "mapeval":
        from benchmarks.audit.records import audit_mapeval

        return audit_mapeval(data)
    from benchmarks.audit.records import audit_gsqa

    if world is None:
        return audit_gsqa(data)
    return (*audit_gsqa(data), *audit_gsqa_world(data, world))


if __name__ == "__main__":
    raise SystemExit(main())
