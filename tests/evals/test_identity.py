"""The run record: everything a run depends on, and nothing that is nobody's business."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from pydantic import SecretStr

from evals.runner.identity import code_record, packages, prompts_digest
from mapagent.config import Settings
from mapagent.identity import settings_record

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
