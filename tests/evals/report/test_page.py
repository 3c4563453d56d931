"""The page of runs, and the stages of errors."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from anyio import run

from evals.ports import EvalContext
from evals.report.page import page, report
from evals.report.plots import Interval, Point, intervals_plot, scatter_plot
from evals.report.runs import Stage, find_runs, stage_of
from evals.runner.folder import RunFolder
from evals.runner.records import Record
from evals.runner.run import Job, LocalAsker, Progress, run_job
from map_tools.errors import InputFileError
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import Budget
from tests.evals.support import First, Plain, items, run_record

VOID = {"meta", "br"}


class Strict(HTMLParser):
    """Fails on tags that do not close, and collects what a test looks at."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []
        self.ids: Counter[str] = Counter()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name in ("href", "src", "action", "srcset", "data", "xlink:href"):
                self.links.append(value or "")
            if name == "id":
                self.ids[value or ""] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parsed(html: str) -> Strict:
    parser = Strict()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs of a suite that was published, one of them unfinished."""

    async def main() -> None:
        for method, n in (("mapagent", 6), ("react", 4)):
            record = run_record(suite="mapeval-api", method=method, items=6)
            asker = LocalAsker(Plain(), First(), EvalContext(Settings()))
            job = Job(asker, items(n), Settings().limits(), Budget(None, 1))
            with RunFolder.open(tmp_path / "runs" / method, record, resume=False) as folder:
                await run_job(job, folder, Progress("", n, None))

    run(main)
    return tmp_path / "runs"


class Given:
    """The command line of a report."""

    def __init__(self, *folders: Path, html: Path | None = None) -> None:
        self.folders = list(folders)
        self.html = html


def test_the_table_stands_beside_published_rows(runs: Path) -> None:
    text = report(Given(runs))  # type: ignore[arg-type]
    assert re.search(r"^mapagent +offline +– +6 +100\.0 %", text, re.MULTILINE)
    printed = r"^MapAgent \(published\) +Qwen-2\.5-72B +live +300 +70\.94 % \(recomputed 71\.19 %\)"
    assert re.search(printed, text, re.MULTILINE)
    assert "react · offline: 4 of 6 questions done." in text
    assert re.search(r"mapagent · offline +react · offline +4 +\+0\.0 +0 +0 +1$", text, re.MULTILINE)


def test_the_page_is_whole_and_needs_nothing_from_elsewhere(runs: Path, tmp_path: Path) -> None:
    report(Given(runs, html=tmp_path / "page.html"))  # type: ignore[arg-type]
    html = (tmp_path / "page.html").read_text("utf-8")
    found = parsed(html)
    assert "http" not in html
    assert "url(" not in html
    assert "@import" not in html
    assert found.tags["script"] == found.tags["img"] == found.tags["link"] == 0
    assert all(link.startswith("#") and link[1:] in found.ids for link in found.links)
    assert set(found.ids.values()) == {1}
    assert found.tags["svg"] == 2
    assert found.tags["details"] == found.tags["summary"] == 10
    assert "prefers-color-scheme: dark" in html


def test_texts_of_a_map_are_never_markup(runs: Path) -> None:
    for file in (runs / "mapagent" / "traces").iterdir():
        trace = json.loads(file.read_text())
        trace["question"] = '<script>alert("x")</script>'
        file.write_text(json.dumps(trace))
    found = parsed(page(find_runs([runs])))
    assert found.tags["script"] == 0
    assert '<script>alert("x")</script>' in "".join(found.words)


def test_without_traces_the_list_says_so(runs: Path) -> None:
    for file in (runs / "react" / "traces").iterdir():
        file.unlink()
    assert "".join(parsed(page(find_runs([runs]))).words).count("No trace was kept.") == 4


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no run in or below"):
        find_runs([tmp_path])


def test_a_page_that_cannot_be_written(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="cannot be written"):
        report(Given(runs, html=tmp_path / "absent" / "page.html"))  # type: ignore[arg-type]


def test_marks_stand_where_their_figures_are() -> None:
    svg = intervals_plot(
        "t", [Interval("all", 0, "x", 0.5, 0.25, 0.75), Interval("all", 1, "y", 1.0, hollow=True)]
    )
    # The axis runs from 130 (0 %) to 740 (100 %): half is at 435, the quarters at 282.5 and 587.5.
    assert re.search(r'class="mark" cx="435\.0"', svg)
    assert re.search(r'class="whisker" x1="282\.5" y1="[\d.]+" x2="587\.5"', svg)
    assert re.search(r'class="hollow" cx="740\.0"', svg)


def test_a_logarithmic_axis_takes_zeros() -> None:
    svg = scatter_plot(
        "t", "s", [Point(0.0, 0.5, 0, "free"), Point(0.01, 0.5, 1, "low"), Point(1.0, 1.0, 2, "high")]
    )
    assert [float(x) for x in re.findall(r'cx="([\d.]+)"', svg)] == [130.0, 130.0, 740.0]
    assert [float(y) for y in re.findall(r'cy="([\d.]+)"', svg)] == [155.0, 155.0, 30.0]


def test_a_plot_of_free_runs_alone() -> None:
    parsed(scatter_plot("t", "USD", [Point(0.0, 1.0, 0, "free")]))


PLAN = ("map_service", "sequencer", "solution_generator", "answer_generator")


def record(**values: Any) -> Record:
    told: dict[str, Any] = {
        "id": "1",
        "category": "trip",
        "correct": False,
        "status": "answered",
        "tool_calls": 2,
    }
    return Record(**(told | values))


def trace(
    *,
    modules: tuple[str, ...] = PLAN,
    codes: tuple[str, ...] = (),
    explanation: str = "",
    harmless: bool = False,
) -> Any:
    return {
        "options": ["19 mins", "21 mins"],
        "gold": 0,
        "answer": {
            "explanation": explanation,
            "plan": [{"id": name, "subgoal": "", "module": name} for name in modules],
            "reason": "" if harmless else " ".join(f"It says {code}." for code in codes),
            "evidence": [{"id": "e", "code": code, "message": f"It says {code}."} for code in codes],
        },
    }


@pytest.mark.parametrize(
    ("what", "shown", "stage"),
    [
        (record(error="model_reply"), trace(), Stage.FAILED),
        (record(status="limit"), trace(), Stage.FAILED),
        (record(refused=True), trace(codes=("provider",)), Stage.FAILED),
        (record(status="not_understood", refused=True), trace(), Stage.READING),
        (record(status="not_understood", invalid=True), trace(), Stage.EXTRACTION),
        (record(), trace(modules=("solution_generator", "answer_generator")), Stage.MODULES),
        (record(refused=True), trace(codes=("module",)), Stage.MODULES),
        (record(refused=True, tool_calls=0), trace(), Stage.TOOL),
        (record(refused=True), trace(codes=("tool",)), Stage.TOOL),
        (record(refused=True), trace(codes=("tool", "no_route"), harmless=True), Stage.FACTS),
        (record(refused=True), trace(codes=("place_not_found",)), Stage.ARGUMENTS),
        (record(refused=True, status="ambiguous"), trace(), Stage.ARGUMENTS),
        (record(refused=True), trace(), Stage.FACTS),
        (record(answerable=False), trace(), Stage.OVERCONFIDENT),
        (record(option_index=1), trace(explanation="14 mins + 5 mins = 19 mins"), Stage.EXTRACTION),
        (record(option_index=1), trace(explanation="14 mins + 7 mins = 21 mins"), Stage.SOLUTION),
        (
            record(option_index=1),
            trace(codes=("no_route",), harmless=True, explanation="21 mins"),
            Stage.SOLUTION,
        ),
        (record(), None, Stage.UNKNOWN),
    ],
)
def test_stages(what: Record, shown: Any, stage: Stage) -> None:
    assert stage_of(what, shown) is stage
