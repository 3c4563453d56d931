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

ROOT = Path(__file__).resolve().parents[2]


def test_no_secret_and_no_folder_is_recorded(tmp_path: Path) -> None:
    settings = Settings(
        data_home=tmp_path,
        api_key=SecretStr("sk-sesame"),
        base_url="http://user:sesame@models.example.org/v1",
        modules={"own": {"token": "sesame", "depth": 3}},
    )
    written = json.dumps(settings_record(settings))
    assert "sesame" not in written
    assert str(tmp_path) not in written
    assert settings_record(settings)["base_url_set"] is True


def test_module_settings_tell_runs_apart() -> None:
    one, other = (settings_record(Settings(modules={"own": {"depth": depth}})) for depth in (3, 4))
    assert one["modules"] == other["modules"] == ["own"]
    assert one != other


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
