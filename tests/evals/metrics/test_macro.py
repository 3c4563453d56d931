"""Macro means, tested on the printed tables: the printed overall is recomputed from the printed rows."""

import math

import pytest

from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES, macro

GEO_REACT_TABLE_4 = {
    "CHESS": "20 05 12 32 07 06 08 09 08 14 09 07 12 10 12 35 05 07 08 07 09 05 07 06 08 08 04 05",
    "Text-to-SQL": "54 48 02 08 42 35 00 16 01 01 00 01 44 46 00 11 39 23 01 01 13 06 50 02 07 51 03 06",
    "RAISE": "68 86 57 49 66 58 32 43 24 07 06 01 73 79 55 60 72 55 32 11 69 47 59 17 10 55 03 01",
    "Geo-ReAct": "79 85 75 80 90 46 57 45 35 21 71 23 78 77 70 80 89 44 40 18 92 81 87 76 25 89 70 72",
}
"""Accuracy@τ in percent, T1 to T28 (Geo-ReAct, table 4)."""
GEO_REACT_TABLE_2 = {
    "CHESS": (11.2, 6.3),
    "Text-to-SQL": (17.8, 19.8),
    "RAISE": (47.7, 24.1),
    "Geo-ReAct": (62.5, 69.8),
}
"""Printed means over T1 to T22 and T23 to T28 (table 2)."""
MAPAGENT_TABLE_6 = {
    "MapAgent, GPT-3.5": (55.58, (56.05, 25.80, 22.48, 83.36, 25.68, 71.04, 54.18, 71.20, 90.40)),
    "MapAgent, Qwen": (55.93, (57.20, 29.60, 34.00, 81.20, 34.56, 73.60, 39.20, 68.00, 86.00)),
    "OctoTools, GPT-3.5": (44.74, (50.00, 20.40, 22.00, 90.67, 18.52, 43.78, 41.20, 48.24, 67.83)),
    "Chameleon, GPT-3.5": (38.11, (47.52, 17.59, 20.77, 73.14, 15.52, 40.12, 14.28, 43.68, 70.40)),
    "ReAct, GPT-3.5": (20.88, (34.02, 7.80, 5.44, 58.02, 6.02, 30.13, 12.14, 9.88, 24.44)),
    "Chameleon, Qwen": (40.00, (51.20, 27.60, 23.20, 68.80, 22.40, 38.40, 20.40, 38.80, 68.40)),
}
"""Printed overall and types 1 to 9 (MapAgent, table 6)."""
INCONSISTENT = {"Chameleon, Qwen"}
"""Its types have the mean 39.91."""


def accuracies(row: str) -> dict[str, float]:
    return {f"T{number}": int(cell) / 100 for number, cell in enumerate(row.split(), 1)}


@pytest.mark.parametrize("system", GEO_REACT_TABLE_4)
def test_geo_react_overalls_follow_from_its_rows(system: str) -> None:
    """The printed means are cut off behind one decimal, not rounded: 24.17 of RAISE is printed as 24.1."""
    rows = accuracies(GEO_REACT_TABLE_4[system])
    entity, numeric = macro(rows, ENTITY_TEMPLATES), macro(rows, NUMERIC_TEMPLATES)
    assert entity is not None
    assert numeric is not None
    cut = tuple(math.floor(1000 * mean + 1e-6) / 10 for mean in (entity, numeric))
    assert cut == GEO_REACT_TABLE_2[system]


@pytest.mark.parametrize("system", MAPAGENT_TABLE_6)
def test_mapagent_overall_is_the_macro_mean(system: str) -> None:
    overall, types = MAPAGENT_TABLE_6[system]
    recomputed = macro({str(number): share for number, share in enumerate(types, 1)})
    assert recomputed is not None
    assert (abs(recomputed - overall) < 0.015) != (system in INCONSISTENT)


def test_templates() -> None:
    assert len(ENTITY_TEMPLATES) == 22
    assert NUMERIC_TEMPLATES[0] == "T23"


def test_what_was_not_measured_is_left_out() -> None:
    assert macro({"T1": 1.0, "T23": 0.0}, ENTITY_TEMPLATES) == 1
    assert macro({}, ENTITY_TEMPLATES) is None
