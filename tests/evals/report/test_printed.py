"""Printed tables: copied digit by digit, and worked out again."""

import re
from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from evals.report.table import PAPERS, PrintedTable, paper
from tests.support.data import shared

TEXTS = {
    "mapagent": "mapagent.txt",
    "geo_react": "geo-react.txt",
    "spatial_rag": "spatial-rag.txt",
    "gs_qa": "gs-qa.txt",
}
ROWS = {
    "mapagent": {"Table 2": 10, "Table 3": 12, "Table 5": 12, "Table 6": 12, "Figure 4": 2, "Figure 6": 8},
    "geo_react": {
        "Table 2a": 4,
        "Table 2b": 4,
        "Table 4a": 28,
        "Table 4b": 28,
        "Table 4c": 13,
        "Table 4d": 3,
        "Table 4e": 7,
        "Figure 8": 3,
    },
    "spatial_rag": {"Table 2": 14, "Table 3": 8, "Table 4": 8},
    "gs_qa": {
        "Table 7": 8,
        "Table 8": 8,
        "Table 9a": 13,
        "Table 9b": 13,
        "Table 10a": 9,
        "Table 10b": 9,
        "Table 11a": 2,
        "Table 11b": 2,
        "Table 12": 6,
        "Table 13": 13,
    },
}
"""How many rows each table has in its paper."""
FIGURE_ROW = "Figure"
UNREADABLE = "?"


def lines(name: str) -> Iterator[tuple[str, list[str]]]:
    """Each line of a paper's text, and its cells (the texts write tables with bars or tabs)."""
    text = shared(f"../papers/{TEXTS[name]}").read_text("utf-8")
    for line in re.sub(r"\*\*|†|</?b>|<sup>.*?</sup>", "", text).splitlines():
        yield line, [cell.strip() for cell in re.split(r"[|\t]", line) if cell.strip()]


def follows(cells: list[str], wanted: list[str]) -> bool:
    """True if the wanted cells stand in the line one after the other."""
    return any(cells[start : start + len(wanted)] == wanted for start in range(len(cells)))


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_and_row_is_there(name: str) -> None:
    assert {table.number: len(table.rows) for table in paper(name).tables} == ROWS[name]


@pytest.mark.parametrize("name", PAPERS)
def test_every_row_stands_in_the_paper(name: str) -> None:
    printed = list(lines(name))
    for table in paper(name).tables:
        for row in table.rows:
            label, cells = row[table.labels - 1], list(row[table.labels :])
            if table.number.startswith(FIGURE_ROW):
                assert all(any(cell in line for line, _ in printed) for cell in cells), row
            elif UNREADABLE not in cells:
                assert any(label in line and follows(found, cells) for line, found in printed), row


def test_one_overall_of_mapqa_does_not_follow() -> None:
    """51.20 + 27.60 + 23.20 + 68.80 + 22.40 + 38.40 + 20.40 + 38.80 + 68.40 = 359.20; a ninth is 39.91."""
    ((place, expected),) = paper("mapagent").table("Table 6").recomputed().items()
    assert place == (("Qwen-2.5-72B", "Chameleon"), "Overall")
    assert expected == pytest.approx(359.2 / 9)


def test_visual_weights_give_a_printed_overall() -> None:
    """GPT-4o alone: the weights give the printed 58.90; for ReAct they do not give the printed 58.50."""
    off = paper("mapagent").table("Table 5").recomputed()
    assert (("GPT-4o", "Base Model"), "Overall") not in off
    assert off[("GPT-4o", "ReAct"), "Overall"] == pytest.approx(
        (121 * 78.28 + 91 * 58.24 + 80 * 52.29 + 88 * 53.11) / 400
    )


@pytest.mark.parametrize("name", ["geo_react", "spatial_rag", "gs_qa"])
def test_means_and_sums_of_the_other_papers_follow(name: str) -> None:
    assert [table.recomputed() for table in paper(name).tables] == [{}] * len(ROWS[name])


def table(rows: str, **check: object) -> PrintedTable:
    return PrintedTable.model_validate(
        {"number": "t", "title": "", "heads": "name | a | b", "labels": 1, "rows": rows, "checks": [check]}
    )


def test_a_weighted_mean_of_columns() -> None:
    found = table(
        "x | 1.00 | 4.00\ny | 1.00 | 1.51", column="b", rule="mean", of={"a": 3, "b": 1}
    ).recomputed()
    assert found == {(("x",), "b"): 1.75, (("y",), "b"): pytest.approx(1.1275)}


def test_rounding_is_no_disagreement() -> None:
    rows = "x | 0.10 | 0.20\ny | 0.21 | 0.20\nAvg | 0.16 | 0.22"
    found = table(rows, row="Avg", rule="mean", of=["x", "y"]).recomputed()
    assert found == {(("Avg",), "b"): pytest.approx(0.2)}


def test_sums_may_be_off_by_half_a_unit_for_each_part() -> None:
    rows = "x | 1.0% | 1.0%\ny | 2.0% | 2.0%\nboth | 3.1% | 3.2%"
    found = table(rows, row="both", rule="sum", of=["x", "y"]).recomputed()
    assert found == {(("both",), "b"): 3.0}


def test_what_cannot_be_read_is_not_worked_out() -> None:
    assert (
        table("x | ? | 1\ny | 2 | 1\nAvg | 9 | 1", row="Avg", rule="mean", of=["x", "y"]).recomputed() == {}
    )


def test_a_row_with_a_cell_too_few_is_named() -> None:
    with pytest.raises(ValidationError, match="the row y has 2 cells, not 3"):
        table("x | 1 | 2\ny | 1", row="x", rule="sum", of=["y"])
