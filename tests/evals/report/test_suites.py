"""The page of all suites: made again from the committed results, unseen beside developed on, for any suite."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evals.metrics.statistics import wilson
from evals.report.comparison.grids import read_results
from evals.report.suites import Lines, Told, page, read_lines
from map_tools.errors import InputFileError
from tests.evals.finished import entry, finished, record
from tests.support.cli import CommandLine

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"
SUITES = RESULTS / "suites.md"
ABSENT = ["not measured here", "–", "–", "–", "–"]
EVERYDAY = 'everyday = { unseen = ["z-*"], why = "z is kept unread." }'


def made(folder: Path, lines: str = "", **files: list[dict[str, Any]]) -> str:
    """The page of such files of results, with such lines beside them."""
    for name, entries in files.items():
        (folder / f"{name}.json").write_text(json.dumps({"v": 1, "runs": entries}))
    if lines:
        (folder / "suites.toml").write_text(lines)
    return page(read_results([folder]), read_lines([folder]))


def rows(text: str, suite: str) -> list[list[str]]:
    """Cells of the rows of a suite."""
    section = text.partition(f"\n## {suite}\n")[2].partition("\n## ")[0]
    table = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return table[2:]


def ids(author: str, count: int, first: int = 1) -> tuple[str, ...]:
    return tuple(f"{author}-{number}" for number in range(first, first + count))


def everyday(seen: int, unseen: int) -> dict[str, Any]:
    """Twenty questions of two authors each, of which so many are right."""
    wrong = (*ids("a", 20 - seen, seen + 1), *ids("z", 20 - unseen, unseen + 1))
    right = (*ids("a", seen), *ids("z", unseen))
    return entry("everyday", model="offline", right=right, wrong=dict.fromkeys(wrong, "wrong tool"), n=40)


def test_the_page_is_that_of_the_committed_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """If this fails: `mapagent eval report docs/results --suites docs/results/suites.md`."""
    ran = CommandLine(capsys)("eval", "report", RESULTS, "--suites", tmp_path / "page.md")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "page.md").read_bytes() == SUITES.read_bytes()


def test_every_suite_of_the_results_is_there_and_everyday_is_the_first_line() -> None:
    text = SUITES.read_text("utf-8")
    found = {run.about.suite for run in read_results([RESULTS])}
    assert found <= set(re.findall(r"^## (.+)$", text, re.MULTILINE))
    # 250 of the 300 questions of a1 to a6 and 85 of the 100 of a7 and a8: counted in everyday.json
    assert text.splitlines()[0] == (
        "# `everyday`: 83.8 % right (95 %: 79.8–87.0) of 400 questions; "
        "of the 100 unseen ones 85.0 % (76.7–90.7)"
    )


@pytest.mark.parametrize("told", read_lines([RESULTS]).told, ids=lambda told: f"{told.suite}, {told.method}")
def test_what_is_told_stands_on_its_page(told: Told) -> None:
    standing = (RESULTS / told.page).read_text("utf-8")
    assert all(line in standing for line in told.lines)
    words = " ".join(told.lines)
    for figures in filter(None, (told.developed, told.unseen)):
        if shares := re.search(r"\| (\d+) \| (\d+) / (\d+) \| (\d+)–(\d+) \|", words):
            n, right, _, low, high = map(int, shares.groups())
            assert figures.n == n
            assert abs(100 * figures.right / n - right) <= 0.5
            assert [round(100 * end) for end in wilson(figures.right, n) or ()] == [low, high]
        else:
            assert re.search(rf"\b{figures.right}\b", words)
    if told.model != "none":
        assert f"| {told.llm_calls} |" in words
        assert told.tokens is None or f"| {told.tokens:,.0f} |" in words


def test_parts_of_a_run_stand_side_by_side(tmp_path: Path) -> None:
    run = entry(
        "everyday",
        model="offline",
        right=("a-1", "a-2", "a-3", "z-1"),
        wrong={"a-4": "facts missing", "z-2": "wrong tool"},
        refused=("a-3", "a-4"),  # of a-3 rightly
        n=6,
        llm_calls_mean=1.25,
        tokens_mean=300.4,
        cost_usd=0.5,
        measured={"finished": "2026-11-27"},
    )
    text = made(tmp_path, f'models.offline = "none"\n[results]\n{EVERYDAY}', everyday=[run])
    # Wilson's interval of 3 of 4 and of 1 of 2, by hand
    assert rows(text, "everyday") == [
        [
            *("none", "mapagent"),
            *("4", "75.0 %", "30.1–95.4", "0.0 %", "25.0 %"),
            *("2", "50.0 %", "9.5–90.5", "50.0 %", "0.0 %"),
            *("**-25.0: fitting**", "1.2", "300", "0.5000", "2026-11-27", "[everyday](everyday.md)"),
            "`mapagent eval everyday --data PATH --method mapagent --model offline`",
        ]
    ]
    assert "- `everyday`: unseen: `z-*`; z is kept unread.\n" in text
    first = (
        "# `everyday`: 66.7 % right (95 %: 30.0–90.3) of 6 questions; of the 2 unseen ones 50.0 % (9.5–90.5)"
    )
    assert text.splitlines()[0] == first


@pytest.mark.parametrize(
    ("seen", "unseen", "gap"),
    [(16, 15, "-5.0"), (16, 14, "**-10.0: fitting**"), (14, 16, "+10.0"), (16, 16, "+0.0")],
)
def test_fitting_is_a_loss_of_more_than_five_points(tmp_path: Path, seen: int, unseen: int, gap: str) -> None:
    text = made(tmp_path, f"[results]\n{EVERYDAY}", everyday=[everyday(seen, unseen)])
    assert rows(text, "everyday")[0][12] == gap


def test_a_suite_nobody_said_anything_of_counts_as_developed_on(tmp_path: Path) -> None:
    text = made(tmp_path, new=[entry("tags", provider="osm:monaco", right=("1",), wrong={"2": ""}, n=2)])
    (row,) = rows(text, "tags")
    own = ("qwen", "mapagent (osm:monaco)", "2", "50.0 %", "9.5–90.5", "50.0 %", "0.0 %")
    assert row[:13] == [*own, *ABSENT, "–"]
    assert row[-1] == "`mapagent eval tags --data PATH --method mapagent --model qwen --map monaco`"
    assert "- `new`: developed on; nobody has said that it is unseen.\n" in text
    assert text.startswith("# All suites\n")


def test_unseen_results_are_held_against_those_developed_on(tmp_path: Path) -> None:
    line = '[results]\nhidden = { unseen = ["*"], against = "known", why = "the other half." }'
    known = [
        entry("mapeval-api", right=("1", "2"), n=2),
        entry("mapeval-api", "react", right=("1", "2"), n=2),
    ]
    hidden = [
        entry("mapeval-api", right=("7",), wrong={"8": ""}, n=2),
        entry("mapeval-api", "new", right=("7",), n=1),
    ]
    found = rows(made(tmp_path, line, known=known, hidden=hidden), "mapeval-api")
    assert [(row[1], row[2], row[7], row[12], row[17]) for row in found] == [
        ("mapagent", "2", "2", "**-50.0: fitting**", "[known](known.md) / [hidden](hidden.md)"),
        ("new", "not measured here", "1", "–", "[hidden](hidden.md)"),
        ("react", "2", "not measured here", "–", "[known](known.md)"),
    ]


def test_what_is_asked_and_not_judged_is_told(tmp_path: Path) -> None:
    run = entry("gsqa", right=("1",), wrong={"2": "", "3": "", "4": ""}, refused=("4",), n=2, correct=1)
    text = made(tmp_path, gsqa=[run])
    assert rows(text, "gsqa")[0][2:7] == ["2 of 4", "50.0 %", "9.5–90.5", "50.0 %", "25.0 %"]
    with pytest.raises(InputFileError, match="parts the questions of gsqa, where 2 of 4 are judged"):
        made(tmp_path, '[results]\ngsqa = { unseen = ["1"], why = "" }')


def test_rows_go_by_class_of_model_and_told_ones_have_theirs(tmp_path: Path) -> None:
    lines = """
        models = { offline = "none", qwen = "small" }
        [[told]]
        suite = "tags"
        model = "strong"
        method = "direct"
        unseen = { n = 4, right = 4 }
        day = "2026-11-26"
        page = "hand.md"
        lines = ["x"]
        why = "by hand."
    """
    runs = [entry("tags", model=model, right=("1",), n=1) for model in ("other", "qwen", "offline")]
    text = made(tmp_path, lines, some=runs)
    assert [row[0] for row in rows(text, "tags")] == ["none", "small", "other", "strong"]
    told = rows(text, "tags")[-1]
    unseen = ("4", "100.0 %", "51.0–100.0", "–", "–")
    assert told[1:] == ["direct", *ABSENT, *unseen, *("–",) * 4, "2026-11-26", "[hand](hand.md)", "–"]
    assert text.endswith("- [hand](hand.md): by hand.\n")


def test_folders_of_runs_are_read_too(tmp_path: Path) -> None:
    run = finished(tmp_path, record(1, "poi"), record(2, "poi", correct=False), suite="everyday")
    assert read_lines([run.path]) == Lines()
    assert page(read_results([run.path]), Lines()).startswith(
        "# `everyday`: 50.0 % right (95 %: 9.5–90.5) of 2 questions\n"
    )


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("[", "cannot be read"),
        ("results.tags.unseen = []", "why"),
        ('results.other.why = ""', "names the results other, which are not there"),
        ('results.tags = { why = "", against = "gone" }', "names the results gone, which are not there"),
        ('results.tags = { why = "", unseen = ["b*"] }', 'no question of tags is called like "b\\*"'),
        ("told = [{ suite = 'x', model = 'm', method = 'd', day = '', page = '', lines = [] }]", "neither"),
        ("told = [{ developed = { n = 1, right = 2 } }]", "more answers than the 1 questions"),
    ],
)
def test_damaged_lines_are_one_error(tmp_path: Path, lines: str, told: str) -> None:
    with pytest.raises(InputFileError, match=told):
        made(tmp_path, lines, tags=[entry("tags", right=("a",), n=1)])


def test_a_page_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = CommandLine(capsys)("eval", "report", RESULTS, "--suites", tmp_path / "absent" / "page.md")
    assert ran.code == 2
    assert "Name a file you may write with --suites." in ran.err
