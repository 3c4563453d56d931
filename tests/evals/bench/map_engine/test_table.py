"""The tables of the map engines' figures."""

from evals.bench.map_engine.engines import growth, table

FIGURES = {"name ms": 2.0, "name cpu ms": 1.0, "name right": 0.5, "memory MB": 100.0}
LARGER = {"name ms": 3.0, "name cpu ms": 1.0, "name right": 1.0, "memory MB": 400.0}
SLOWER = {"name ms": 8.0, "name cpu ms": 3.0, "name right": 1.0}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_each_row_has_a_cell_for_each_column() -> None:
    lines = table({1000: {"osm": FIGURES, "other": SLOWER}}).splitlines()
    header = _cells(lines[0])
    rows = [dict(zip(header, _cells(line), strict=True)) for line in lines]
    assert len(header) == len(_cells(lines[1])) == 8
    assert [row["engine"] for row in rows[2:]] == ["osm", "osm", "other"]


def test_others_are_told_as_multiples_of_ours() -> None:
    *_, last = table({1000: {"osm": FIGURES, "other": SLOWER}}).splitlines()
    assert _cells(last) == ["1,000", "name", "other", "8 ms", "4.0", "3 ms", "3.0", "100%"]


def test_growth_is_told_from_one_size_to_the_next() -> None:
    grown = growth({1000: {"osm": FIGURES}, 10_000: {"osm": LARGER}})
    assert "| osm | memory | 1,000 | 10,000 | 4.00 × |" in grown
    assert "| osm | name | 1,000 | 10,000 | 1.50 × |" in grown
