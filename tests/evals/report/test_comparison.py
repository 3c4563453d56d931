"""The whole comparison: made again from the committed results, complete, and filled by runs as they come."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evals.report.comparison.grids import read_results
from evals.report.comparison.page import PAPERS, page
from evals.report.table import paper
from map_tools.errors import InputFileError
from tests.evals.finished import entry, finished, record
from tests.support.cli import CommandLine

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"
COMPARISON = RESULTS / "comparison.md"
RECOMPUTED = r"(?: \(recomputed [\d.]+\))?"
SECTIONS = {
    "MapAgent": ("figure 1", "table 2", "table 3", "table 5", "table 6", "figure 4", "figure 5", "figure 6"),
    "Geo-ReAct": ("table 2", *(f"figure {number}" for number in range(2, 9)), "table 4"),
    "Spatial-RAG": ("table 2", "table 3", "table 4"),
    "GS-QA": ("table 7", "table 8", "table 9", "table 10", "table 11", "table 12", "table 13"),
}
MAPEVAL = {"poi": 1.0, "nearby": 0.5, "routing": 0.25, "trip": 0.0, "unanswerable": 1.0}


def made(folder: Path, *entries: dict[str, Any]) -> str:
    """The page of such results."""
    (folder / "some.json").write_text(json.dumps({"v": 1, "runs": entries}))
    return page(read_results([folder]))


def section(text: str, name: str) -> str:
    """The part of a page below a heading that starts so."""
    return text.partition(f"\n### {name}: ")[2].partition("\n### ")[0]


def ours(text: str) -> list[list[str]]:
    """Cells of the rows of ours."""
    rows = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ours |"))
    return [cells[1:] for cells in rows]


@pytest.fixture(scope="module")
def committed() -> str:
    return COMPARISON.read_text("utf-8")


def test_the_page_is_that_of_the_committed_results(
    tmp_path: Path, committed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this fails: `mapagent eval report docs/results --comparison docs/results/comparison.md`."""
    ran = CommandLine(capsys)("eval", "report", RESULTS, "--comparison", tmp_path / "page.md")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "page.md").read_bytes() == committed.encode()


def test_every_table_and_figure_has_its_section_in_order(committed: str) -> None:
    found = re.findall(r"^### ([\w-]+), (table|figure) (\d+)[a-z]?: ", committed, re.MULTILINE)
    assert list(dict.fromkeys(f"{name}, {kind} {number}" for name, kind, number in found)) == [
        f"{name}, {number}" for name, numbers in SECTIONS.items() for number in numbers
    ]


@pytest.mark.parametrize("name", PAPERS)
def test_every_printed_cell_is_in_the_page(committed: str, name: str) -> None:
    for table in paper(name).tables:
        number = f"{table.number[0].lower()}{table.number[1:]}"
        whole = re.sub(r"(\d)[a-z]$", r"\1", number)  # parts may share a section
        text = section(committed, f"{paper(name).name}, {number}") or section(
            committed, f"{paper(name).name}, {whole}"
        )
        for row in table.rows:
            cells = r" \| ".join(re.escape(cell) + RECOMPUTED for cell in row)
            assert re.search(rf"\| {cells} \|", text), (table.number, row)


def test_what_does_not_follow_is_flagged(committed: str) -> None:
    assert "| 66.31 (recomputed 67.47) |" in committed
    assert "| 70.94 (recomputed 71.19) |" in committed
    assert "| 72.94 (recomputed 71.65) |" in committed
    assert "| 76.24 (recomputed 74.55) |" in committed
    assert "| 40.00 (recomputed 39.91) |" in committed
    assert "| MapQA | GPT-3.5-Turbo | approximately 11.22% | 10.84 |" in committed
    assert "nine figures for ten columns" in committed
    off = [table.recomputed() for name in PAPERS for table in paper(name).tables]
    assert len(re.findall(r"\(recomputed [\d.]+\)", committed)) == sum(map(len, off))


def test_every_run_that_is_shown_is_told_at_the_end(committed: str) -> None:
    compared, _, runs = committed.partition("\n## Our runs\n")
    shown = set(re.findall(r"`([0-9a-f]{8})`", compared))
    assert shown
    assert shown == set(re.findall(r"^\| `([0-9a-f]{8})` ", runs, re.MULTILINE))
    assert "not recorded" not in runs


def test_a_run_fills_its_row(tmp_path: Path) -> None:
    groups = {name: {"accuracy": share} for name, share in MAPEVAL.items()}
    run = entry("mapeval-api", "react", accuracy=0.5, ci95=[0.25, 0.75], by_category=groups)
    text = made(tmp_path, run)
    found = section(text, "MapAgent, table 2")
    (cells,) = ours(found)
    assert cells[:-1] == [
        *("qwen", "react", "50.00 (25.0–75.0)", "100.00", "50.00", "25.00", "0.00", "100.00", "4"),
    ]
    assert "`chameleon`, `direct`, `llm-compiler`, `octotools` (with a language model); `mapagent`:" in found
    command = "`mapagent eval mapeval-api --data PATH --method react --model qwen`"
    assert re.search(rf"\| {cells[-1]} \| mapeval-api .* \| not recorded \| {command} \|", text)
    assert ours(section(text, "MapAgent, figure 1")) == [
        ["qwen", "react", "–", f"50.00 ({cells[-1]})", "–", "–"]
    ]


def test_gains_are_over_common_questions(tmp_path: Path) -> None:
    mine = entry("mapeval-textual", right=("1", "2"), wrong={"3": "wrong modules"})
    theirs = entry("mapeval-textual", "octotools", right=("2", "3", "4"), wrong={"1": "wrong tool"})
    other = entry("mapeval-textual", "octotools", model="other", right=("1",))
    text = made(tmp_path, mine, theirs, other)
    (gain,) = ours(section(text, "MapAgent, figure 6"))
    assert gain[:4] == ["MapEval-Textual", "qwen", "–", "0.00"]  # 1 and 3 of three: one each
    assert section(text, "MapAgent, figure 4").count("not measured") == 1
    (stages,) = ours(section(text, "MapAgent, figure 5"))
    assert stages[2] == "33.33"


def test_questions_over_other_maps_are_not_compared(tmp_path: Path) -> None:
    figures = {"by_template": {"T1": {"accuracy": 0.25, "parsed_f1_attempted": 0.5}}}
    own = entry("gsqa", "text-to-sql", provider="osm:gsqa", metrics=figures)
    generated = entry("gsqa", "text-to-sql", provider="osm:andorra", metrics=figures)
    text = made(tmp_path, own, generated)
    assert "osm:andorra" not in text
    assert re.search(r"^\| T1 \|.*\| 0\.79 \| 0\.25 \|$", section(text, "Geo-ReAct, table 4"), re.MULTILINE)
    assert re.search(r"^\| T1 \|.*\| 0\.26 \| 0\.50 \|$", section(text, "GS-QA, table 9b"), re.MULTILINE)


def test_means_over_templates_and_types(tmp_path: Path) -> None:
    templates = {"T23": {"accuracy": 0.25, "n": 9}, "T24": {"accuracy": 0.75, "n": 1}}
    templates |= {"T21": {"angle_error_attempted": 0.2}, "T22": {"angle_error_attempted": 0.5}}
    kept = {f"type {number}": {"contained": 1.0, "latency_s": 2.0} for number in (1, 2, 3, 4, 5, 6, 8)}
    kept |= {"type 9": {"contained": 0.2, "latency_s": 4.0}, "type 7": {"latency_s": 6.0}}
    planar = {"type7_planar": {"agreement": 0.5, "sensitivity_planar": {"0.2": 0.75}}}
    text = made(
        tmp_path,
        entry("gsqa", provider="osm:gsqa", metrics={"by_template": templates}),
        entry("mapqa", provider="osm:mapqa", metrics=planar, measured={"by_category": kept}),
    )
    assert re.search(r"^\| counts .*\| 50\.0 \|$", section(text, "Geo-ReAct, figure 3"), re.MULTILINE)
    assert re.search(r"^\| Avg \| 0\.31 .*\| 0\.35 \|$", section(text, "Geo-ReAct, table 4"), re.MULTILINE)
    rows = [cells for cells in ours(section(text, "Geo-ReAct, table 2")) if cells[0].endswith("their rules")]
    assert rows[0][1:3] == ["90.0", "50.0"]  # (7 · 1 + 0.2) / 8
    figure = section(text, "Geo-ReAct, figure 3")
    assert re.search(r"^\| M7 \(type 9\) .*\| 20\.0 \|$", figure, re.MULTILINE)
    assert re.search(r"^\| M9 \(type 7\) .*\| 50\.0 \|$", figure, re.MULTILINE)
    assert re.search(
        r"stored \(planar\), τ = 0\.2 .*\| 75\.0 \|$", section(text, "Geo-ReAct, figure 4"), re.M
    )
    latency = section(text, "Geo-ReAct, figure 5")
    assert re.search(r"^\| all \| 17\.0 .*\| 2\.7 \|$", latency, re.MULTILINE)  # (7 · 2 + 4 + 6) / 9 = 24 / 9


def test_queries_by_class(tmp_path: Path) -> None:
    counts = {"n": 8, "no rows": 1, "unknown column": 2, "too slow": 1}
    run = entry("gsqa", "text-to-sql", provider="osm:gsqa", measured={"queries": counts})
    rows = dict(
        re.findall(
            r"^\| ([\w -]+?) +\|.*\| ([\d.–]+) \|$", section(made(tmp_path, run), "GS-QA, table 13"), re.M
        )
    )
    assert (rows["Valid SQL"], rows["Invalid SQL"], rows["Timeout"]) == ("75.0", "25.0", "12.5")
    assert (rows["Column not found"], rows["Syntax error"], rows["Missing FROM"]) == ("25.0", "0.0", "–")


def test_ablations_stand_apart_from_the_ranking(tmp_path: Path) -> None:
    at = {"headline": {"at": {"1": {"ndcg": 0.5}}}}
    wishes: dict[str, Any] = {"by_category": {"point": {}}, "metrics": at, "provider": "osm:a"}
    beside = entry("recommend", provider="osm:b", by_category={"adjacent": {}}, metrics=at)
    (tmp_path / "whole.json").write_text(json.dumps({"v": 1, "runs": [entry("recommend", **wishes), beside]}))
    ablated = [entry("recommend", method, **wishes) for method in ("mapagent", "mapagent:no-pareto")]
    (tmp_path / "ablated.json").write_text(json.dumps({"v": 1, "runs": ablated}))
    text = page(read_results([tmp_path / "whole.json", tmp_path / "ablated.json"]))
    ranked = ours(section(text, "Spatial-RAG, table 2"))
    assert [cells[:2] for cells in ranked] == [["osm:a", "mapagent"]]
    assert ranked[0][14] == "0.5000"
    assert [cells[0] for cells in ours(section(text, "Spatial-RAG, table 4"))] == [
        "mapagent (osm:a)",
        "mapagent:no-pareto (osm:a)",
    ]


def test_folders_of_runs_are_read_too(tmp_path: Path) -> None:
    run = finished(tmp_path, record(1, "poi"), record(2, "poi", correct=False), suite="mapeval-textual")
    (shown,) = read_results([run.path])
    assert (shown.right, list(shown.stages)) == ({"1": True, "2": False}, ["2"])
    (cells,) = ours(section(page([shown]), "MapAgent, table 3"))
    assert cells[2].startswith("50.00 (")


def test_other_files_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "vision.json").write_text('{"n": 1}')
    (tmp_path / "reliability.json").write_text('{"runs": [{"way": "x"}]}')
    (tmp_path / "some.json").write_text(json.dumps({"v": 1, "runs": [entry("mapqa")]}))
    assert [run.source for run in read_results([tmp_path])] == ["some"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "cannot be read"),
        ('{"n": 1}', "holds no runs"),
        ('{"v": 9, "runs": [{"run": {}}]}', "is of version 9, not 1"),
        ('{"v": 1, "runs": [{"run": {}}]}', "is damaged"),
    ],
)
def test_a_file_that_is_no_result_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputFileError, match=rf"x\.json {told}"):
        read_results([tmp_path / "x.json"])


def test_a_folder_without_results_and_a_page_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = CommandLine(capsys)("eval", "report", tmp_path, "--comparison", tmp_path / "page.md")
    assert ran.code == 2
    assert "There is no result in" in ran.err
    ran = CommandLine(capsys)("eval", "report", RESULTS, "--comparison", tmp_path / "absent" / "page.md")
    assert ran.code == 2
    assert "Name a file you may write with --comparison." in ran.err
