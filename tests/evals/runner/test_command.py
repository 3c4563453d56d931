"""`mapagent eval`: the command, its estimate, which items are asked."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.ports import Item, Task
from evals.runner.command import estimate
from evals.runner.evaluation import Selection, select
from evals.runner.folder import RESULTS_FILE, RUN_FILE, SUMMARY_FILE, read_results
from map_tools.errors import InputFileError, UsageError
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from tests.evals.outside import register
from tests.evals.support import LITTLE, First, items, little, write
from tests.support.cli import CommandLine, finish, snapshot, start


@pytest.fixture
def mapagent(capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(home))
    return CommandLine(capsys)


def summary(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / SUMMARY_FILE).read_text("utf-8"))
    return read


def test_textual(mapagent: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ran = mapagent("eval", "mapeval-textual", "--data", LITTLE, "--out", out)
    assert ran.code == 0
    assert "100.0 %" in ran.out
    assert "8/8, right 100.0%" in ran.err
    assert (summary(out)["n"], summary(out)["correct"], summary(out)["provider"]) == (8, 8, "")
    assert {path.name for path in out.iterdir()} == {RESULTS_FILE, RUN_FILE, SUMMARY_FILE, "traces"}


def test_results_hold_no_text_of_the_benchmark(mapagent: CommandLine, tmp_path: Path) -> None:
    mapagent("eval", "mapeval-api", "--data", LITTLE, "--out", tmp_path / "run")
    written = "".join(
        (tmp_path / "run" / name).read_text() for name in (RESULTS_FILE, RUN_FILE, SUMMARY_FILE)
    )
    texts = {
        text
        for record in little()
        for text in (record["question"], *record["answer"]["options"])
        if len(text) > 4
    }
    assert not [text for text in texts if text in written]
    assert "Tidal Museum" not in written


def test_api_asks_a_world_of_all_contexts(mapagent: CommandLine, tmp_path: Path, home: Path) -> None:
    ran = mapagent("eval", "mapeval-api", "--data", LITTLE, "--out", tmp_path / "run")
    assert ran.code == 0
    assert summary(tmp_path / "run")["provider"] == "recorded:mapeval"
    notes = json.loads((tmp_path / "run" / RUN_FILE).read_text())["notes"]
    assert (notes["passages"], notes["share_understood"], notes["conflicts"]) == (4, 1.0, 2)
    (world,) = (home / "worlds").iterdir()
    given = mapagent(
        "eval", "mapeval-api", "--data", LITTLE, "--world", world / "world.json", "--out", tmp_path / "b"
    )
    assert given.code == 0
    assert summary(tmp_path / "b")["correct"] == summary(tmp_path / "run")["correct"]


def test_lines_not_understood_are_told_loudly(mapagent: CommandLine, tmp_path: Path) -> None:
    records = little()
    records[0]["context"] += "\nQwertz uiop asdf!\n"
    data = write(tmp_path / "data.json", records)
    ran = mapagent("eval", "mapeval-api", "--data", data, "--out", tmp_path / "run")
    assert ran.code == 0
    assert "1 of " in ran.err
    assert "1: Qwertz uiop asdf!" in ran.err


def test_several_methods_have_a_folder_each(mapagent: CommandLine, tmp_path: Path) -> None:
    methods = "mapagent,mapagent:sequential"
    ran = mapagent(
        "eval", "mapeval-textual", "--data", LITTLE, "--method", methods, "--out", tmp_path / "runs"
    )
    assert ran.code == 0
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {"mapagent", "mapagent-sequential"}


def test_the_official_protocol_offers_a_refusal_only_where_it_is_right(
    mapagent: CommandLine, tmp_path: Path
) -> None:
    ran = mapagent(
        "eval", "mapeval-api", "--data", LITTLE, "--protocol", "official", "--out", tmp_path / "run"
    )
    assert ran.code == 0
    assert summary(tmp_path / "run")["protocol"] == "official"


def test_an_estimate_asks_nothing(mapagent: CommandLine, tmp_path: Path) -> None:
    ran = mapagent("eval", "mapeval-textual", "--data", LITTLE, "--estimate", "--out", tmp_path / "run")
    assert ran.out == "mapagent: 8 questions; the embedded model costs nothing.\n"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--base-url", "http://127.0.0.1:9/v1"), "at most about 0.00 USD with 'gpt-4o' (own server)"),
        (("--base-url", "https://models.example/v1"), "set price_in and price_out to see what 'gpt-4o'"),
        ((), "USD with 'gpt-4o' (list of"),
    ],
)
def test_an_estimate_knows_published_prices(
    mapagent: CommandLine, flags: tuple[str, ...], words: str
) -> None:
    ran = mapagent("eval", "mapeval-textual", "--data", LITTLE, "--estimate", "--model", "gpt-4o", *flags)
    assert words in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mapeval-textual"], "needs its data"),
        (["mapeval-textual", "--data", "absent.json"], "no file or folder absent.json"),
        (["mapeval-textual", "--data", LITTLE, "--method", "oracle"], "no method 'oracle'"),
        (["mapeval-textual", "--data", LITTLE, "--method", "mapagent:x"], "no ablation 'mapagent:x'"),
        (["mapeval-textual", "--data", LITTLE, "--sample", "absent.txt"], "sample absent.txt cannot be read"),
        (["mapeval-textual", "--data", LITTLE, "--method", "direct"], "needs a language model"),
        (["mapeval-api", "--data", LITTLE, "--world", "absent.json"], "absent.json"),
        (["spelling-bee", "--data", LITTLE], "spelling-bee"),
        (["report", "absent"], "no run in or below absent"),
    ],
)
def test_wrong_use_is_told_in_one_sentence(
    mapagent: CommandLine, tmp_path: Path, arguments: list[str | Path], message: str
) -> None:
    more: list[str | Path] = [] if arguments[0] == "report" else ["--out", tmp_path / "run"]
    ran = mapagent("eval", *arguments, *more)
    assert ran.code == 2
    assert message in ran.err


def test_a_run_is_not_overwritten_and_not_mixed_with_another(mapagent: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "run"
    asked = ("eval", "mapeval-textual", "--data", LITTLE, "--out", out)
    assert mapagent(*asked, "--limit", "3").code == 0
    before = snapshot(out)
    for more, message in (
        ((), "--resume"),
        (("--resume", "--limit", "4"), "holds another run: its selection"),
    ):
        ran = mapagent(*asked, *more)
        assert (ran.code, message in ran.err) == (2, True)
    assert snapshot(out) == before
    assert mapagent(*asked, "--limit", "3", "--resume").code == 0


def test_a_killed_run_goes_on_where_it_was(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path / "site"), str(Path.cwd()))))
    out = tmp_path / "run"
    arguments = ("eval", "mapeval-textual", "--data", LITTLE, "--method", "stuck", "--out", out)
    process = start(*arguments, data_home=home)
    results = out / RESULTS_FILE
    while process.poll() is None and (not results.exists() or results.read_bytes().count(b"\n") < 2):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    finish(process)
    with results.open("ab") as stream:
        stream.write(b'{"v":1,"id":"3","categ')  # what a kill in the middle of a line leaves
    first = [record.id for record in read_results(out)]
    assert first == ["1", "2"]
    process = start(*arguments, "--resume", data_home=home)
    while process.poll() is None and results.read_bytes().count(b"\n") < 4:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    finish(process)
    assert [record.id for record in read_results(out)] == ["1", "2", "3", "4"]


def test_a_suite_and_a_method_from_outside(
    mapagent: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(tmp_path / "site", monkeypatch)
    data = tmp_path / "capitals.txt"
    data.write_text("Norway;Oslo\nKenya;Nairobi\n")
    ran = mapagent("eval", "capitals", "--data", data, "--method", "parrot", "--out", tmp_path / "run")
    assert ran.code == 0
    assert summary(tmp_path / "run")["accuracy"] == 1.0
    assert summary(tmp_path / "run")["metrics"]["letters_mean"] == 5.5
    assert mapagent("eval", "report", tmp_path / "run").code == 0


def test_declaring_the_command_imports_nothing_heavy() -> None:
    code = "import sys, evals.cli; print({'pydantic', 'numpy', 'openai'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


SETTINGS = Settings(model="small", base_url="http://localhost:1/v1")
QUESTION = Question(text="W" * 400, options=("a" * 40, "b" * 40), context="c" * 4000)
"""4,480 letters: 1,120 tokens, 2,020 with the method's own."""


def told(name: str, settings: Settings, n: int = 2) -> str:
    method = First()
    method.name = name
    return estimate(
        [Item(id="1", category="a", task=Task(question=QUESTION), gold=0)] * n, [method], settings
    )


@pytest.mark.parametrize(
    ("method", "calls", "read", "written"), [("react", 12, "24,240", "1,800"), ("direct", 2, "4,040", "300")]
)
def test_calls_and_tokens(method: str, calls: int, read: str, written: str) -> None:
    expected = (
        f"{method}: 2 questions, at most about {calls} model calls, {read} tokens read and {written} written"
    )
    assert told(method, SETTINGS).startswith(expected)


def test_money() -> None:
    priced = SETTINGS.model_copy(update={"price_in": 10.0, "price_out": 100.0})
    # 100 questions: 600 calls read 1,212,000 tokens (12.12 USD) and write 90,000 (9 USD).
    assert "at most about 21.12 USD with 'small'" in told("react", priced, 100)


def test_without_a_price_the_remedy_is_named() -> None:
    far = SETTINGS.model_copy(update={"base_url": "https://models.example.org/v1"})
    assert told("react", far).endswith("; set price_in and price_out to see what 'small' would cost.")


def test_the_embedded_model_costs_nothing() -> None:
    assert told("react", Settings()) == "react: 2 questions; the embedded model costs nothing."


def test_a_line_for_each_method() -> None:
    item = Item(id="1", category="a", task=Task(question=QUESTION), gold=0)
    assert len(estimate([item], [First(), First()], Settings()).splitlines()) == 2


def test_the_first_ones_without_a_seed() -> None:
    assert [item.id for item in select(items(10), Selection(limit=3))] == ["0", "1", "2"]


def test_a_draw_keeps_the_shares_of_the_categories_and_the_order() -> None:
    chosen = select(items(40), Selection(limit=10, seed=5))
    assert Counter(item.category for item in chosen) == {"a": 5, "b": 5}
    assert [int(item.id) for item in chosen] == sorted(int(item.id) for item in chosen)
    assert chosen == select(items(40), Selection(limit=10, seed=5))
    assert chosen != select(items(40), Selection(limit=10, seed=6))


def test_a_sample_of_ids(tmp_path: Path) -> None:
    sample = tmp_path / "ids.txt"
    sample.write_text("# two of them\n7\n\n3\n")
    assert [item.id for item in select(items(10), Selection(sample=sample))] == ["3", "7"]
    sample.write_text("7\nseven\n")
    with pytest.raises(InputFileError, match=r"line 2: there is no question with the id 'seven'"):
        select(items(10), Selection(sample=sample))


def test_defective_ones_can_be_left_out() -> None:
    some = [item.model_copy(update={"defective": "no gold" if item.id == "1" else ""}) for item in items(3)]
    assert [item.id for item in select(some, Selection(exclude_defective=True))] == ["0", "2"]
    with pytest.raises(UsageError, match="No question is left"):
        select(some[1:2], Selection(exclude_defective=True))
