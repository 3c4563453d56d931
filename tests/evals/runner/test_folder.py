"""What a run keeps: folder, records, identity."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from pydantic import SecretStr

from evals.runner.folder import RESULTS_FILE, RUN_FILE, RunFolder, read_results
from evals.runner.identity import RunRecord, code_record, data_digest, packages, prompts_digest
from evals.runner.records import Record, as_line, query_counts, query_figures
from map_tools.errors import InputFileError, UsageError
from mapagent.runtime.config import Settings, settings_record
from mapagent.runtime.trace import Span
from modules.spatial_database.database import SPAN
from tests.evals.support import run_record
from tests.support.cli import snapshot


def record(name: str) -> Record:
    return Record(id=name, category="a", correct=True)


def finished(path: Path, *names: str) -> None:
    with RunFolder.open(path, run_record(), resume=False) as folder:
        for name in names:
            folder.append(record(name))


def test_records_are_lines_with_nothing_but_ids_and_figures(tmp_path: Path) -> None:
    finished(tmp_path / "run", "1", "2")
    assert read_results(tmp_path / "run") == (record("1"), record("2"))
    assert (tmp_path / "run" / RESULTS_FILE).read_bytes() == as_line(record("1")) + as_line(record("2"))


def test_half_a_line_is_cut_off_and_asked_again(tmp_path: Path) -> None:
    finished(tmp_path, "1", "2")
    file = tmp_path / RESULTS_FILE
    os.truncate(file, file.stat().st_size - 20)
    assert [each.id for each in read_results(tmp_path)] == ["1"]
    with RunFolder.open(tmp_path, run_record(), resume=True) as folder:
        assert set(folder.done) == {"1"}
        folder.append(record("2"))
    assert [each.id for each in read_results(tmp_path)] == ["1", "2"]


def test_a_finished_run_is_not_overwritten(tmp_path: Path) -> None:
    finished(tmp_path, "1")
    before = snapshot(tmp_path)
    with pytest.raises(UsageError, match=r"holds a run of 'first' over plain.*--resume.*nothing was changed"):
        RunFolder.open(tmp_path, run_record(), resume=False)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    "change",
    [
        {"method": "other"},
        {"model": "other"},
        {"version": "2"},
        {"code_sha256": "other"},
        {"data_sha256": "other"},
        {"protocol": "official"},
        {"prompts_sha256": "other"},
        {"settings": {"temperature": 1}},
        {"items_sha256": "other"},
    ],
)
def test_another_run_is_not_resumed(tmp_path: Path, change: dict[str, object]) -> None:
    finished(tmp_path, "1")
    before = snapshot(tmp_path)
    with pytest.raises(UsageError, match=rf"holds another run: its {next(iter(change))}"):
        RunFolder.open(tmp_path, run_record(**change), resume=True)
    assert snapshot(tmp_path) == before


def test_another_machine_may_resume(tmp_path: Path) -> None:
    finished(tmp_path, "1")
    elsewhere = run_record(python="3.14", packages={"numpy": "9"}, commit="x", notes={"world": "built"})
    with RunFolder.open(tmp_path, elsewhere, resume=True) as folder:
        assert set(folder.done) == {"1"}


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match=r"holds 'thesis\.tex' and is no run's folder"):
        RunFolder.open(tmp_path, run_record(), resume=True)
    assert list(snapshot(tmp_path)) == ["thesis.tex"]


def test_what_a_run_leaves_that_was_killed_before_it_had_begun_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / RESULTS_FILE).touch()
    (tmp_path / ".nfs0001").write_text("a file that is still open somewhere")
    finished(tmp_path, "1")
    assert [each.id for each in read_results(tmp_path)] == ["1"]


def test_results_without_their_run_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / RESULTS_FILE).write_bytes(as_line(record("1")))
    before = snapshot(tmp_path)
    with pytest.raises(UsageError, match=r"holds 'results\.jsonl' and is no run's folder"):
        RunFolder.open(tmp_path, run_record(), resume=True)
    assert snapshot(tmp_path) == before


def test_two_processes_do_not_write_to_one_run(tmp_path: Path) -> None:
    with (
        RunFolder.open(tmp_path, run_record(), resume=False),
        pytest.raises(UsageError, match="Another process"),
    ):
        RunFolder.open(tmp_path, run_record(), resume=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{broken}\n", r"line 2: the line: Invalid JSON"),
        (b'{"id": "1", "category": "a", "correct": true}\n', r"line 2: the id 1 occurs twice"),
        (b'{"v": 9, "id": "3", "category": "a", "correct": true}\n', r"line 2: format 9"),
        (b'{"id": "3", "category": "a", "correct": true, "text": "x"}\n', r"line 2: text: Unexpected"),
        (b'{"id": "3", "category": "a"}\n', r"line 2: correct: Field required"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    finished(tmp_path, "1")
    with (tmp_path / RESULTS_FILE).open("ab") as stream:
        stream.write(line)
    before = snapshot(tmp_path)
    with pytest.raises(InputFileError, match=message):
        RunFolder.open(tmp_path, run_record(), resume=True)
    assert snapshot(tmp_path) == before


def test_a_run_record_of_another_version_is_refused(tmp_path: Path) -> None:
    finished(tmp_path, "1")
    (tmp_path / RUN_FILE).write_text('{"v": 99}')
    with pytest.raises(InputFileError, match="not a run record of this version"):
        RunFolder.open(tmp_path, run_record(), resume=True)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputFileError, match="cannot be written"):
        RunFolder.open(tmp_path / "file" / "run", run_record(), resume=False)


def test_ids_become_file_names_safely(tmp_path: Path) -> None:
    with RunFolder.open(tmp_path / "run", run_record(), resume=False) as folder:
        folder.write_trace("../../evil/1", "{}")
    assert not (tmp_path / "evil").exists()
    assert len(list((tmp_path / "run" / "traces").iterdir())) == 1


def test_the_digest_of_a_folder_depends_on_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    first = data_digest(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    second = data_digest(tmp_path)
    (tmp_path / "b").write_text("2")
    assert len({first, second, data_digest(tmp_path)}) == 3


def test_a_run_record_survives_a_round_trip() -> None:
    record = run_record(selection={"limit": 3}, notes={"share": 1.0})
    assert RunRecord.model_validate_json(record.model_dump_json()) == record
    assert record.difference(record) == ""


ROOT = Path(__file__).resolve().parents[3]


def test_no_secret_and_no_folder_is_recorded(tmp_path: Path) -> None:
    settings = Settings(
        data_home=tmp_path,
        api_key=SecretStr("sk-sesame"),
        base_url="http://user:sesame@models.example.org/v1",
        modules={"own": {"token": "sesame", "depth": 3}},
        providers={"postgis": {"dsn": "postgresql://reader:sesame@db.example.org/maps"}},
        contact="sesame@example.org",
    )
    written = json.dumps(settings_record(settings))
    assert "sesame" not in written
    assert str(tmp_path) not in written
    assert settings_record(settings)["base_url_set"] is True


@pytest.mark.parametrize("table", ["modules", "providers"])
@pytest.mark.parametrize("name", ["depth", "max_tokens"])
def test_settings_of_plugins_tell_runs_apart(table: str, name: str) -> None:
    one, other = (settings_record(Settings(**{table: {"own": {name: value}}})) for value in (3, 4))
    assert one[table] == other[table] == ["own"]
    assert one != other


def test_another_password_is_no_other_run() -> None:
    """And so nobody can find it out by trying which one has the digest that is recorded."""
    tables = ({"own": {"servers": [{"url": f"pg://u:{word}@db", "token": word}]}} for word in ("a", "b"))
    one, other = (settings_record(Settings(modules=table)) for table in tables)
    assert one == other


def test_the_commit_is_that_of_the_checkout() -> None:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not in a checkout")
    assert code_record()["commit"] == done.stdout.strip()


def test_the_code_has_a_version_and_a_digest() -> None:
    record = code_record()
    assert re.fullmatch(r"[0-9a-f]{64}", record["code_sha256"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", record["version"])
    assert {"pydantic", "rapidfuzz"} <= set(packages())


def test_other_prompts_are_another_run(tmp_path: Path) -> None:
    own = Settings(prompts=tmp_path)
    before = prompts_digest(own)
    assert before == prompts_digest(Settings())
    (tmp_path / "evals.methods").mkdir()
    (tmp_path / "evals.methods" / "react.md").write_text("Think.")
    assert prompts_digest(own) != before


def spans(*errors: str) -> list[Span]:
    return [
        Span(number, None, SPAN, {"sql": "SELECT 1", "error": error}, 0.0)
        for number, error in enumerate(errors)
    ]


def test_queries_of_a_question_are_counted() -> None:
    other = Span(9, None, "tool", {"error": ""}, 0.0)
    assert query_counts([*spans("", "query", ""), other]) == {"queries": 3.0, "queries_ran": 2.0}


def test_a_question_without_queries_has_no_figures() -> None:
    assert query_counts([]) == {}
    assert query_figures([{"f1": 1.0}]) == {}


def test_every_query_counts_the_same_whatever_its_question() -> None:
    values = [query_counts(spans("", "", "")), query_counts(spans("query")), {"f1": 0.0}]
    assert query_figures(values) == {"queries": {"n": 4, "ran": 3, "ver": 0.75}}
