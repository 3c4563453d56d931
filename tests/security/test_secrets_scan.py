"""The scan for secrets finds each kind, wherever it stands, and does not print it."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.secret_scan.scan import PATTERNS, Patterns, findings
from tests.support.effort import effort

TAIL = "a1B2c3D4e5F6g7H8i9J0"
SECRET = f"glpat-{TAIL}"
"""Put together here, so that the scan does not find it in this file."""
PATTERN = Patterns.read()
RANDOM = "long random value of a key, token or password"


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(("git", "-C", str(folder), *who, *arguments), check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one harmless commit."""
    git(tmp_path, "init", "--quiet")
    (tmp_path / "readme.md").write_text("Set the key in the environment.\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "A beginning")
    assert list(findings(tmp_path, PATTERN)) == []
    return tmp_path


@pytest.mark.parametrize("name", [name for name in PATTERN.regexes if name != RANDOM])
def test_each_kind_is_found(name: str) -> None:
    regex = PATTERN.regexes[name]

    @effort(0.1)
    @given(st.from_regex(regex, fullmatch=True), st.sampled_from(("{}", "key = '{}'\n", "\n\n# {}")))
    def found(secret: str, form: str) -> None:
        text = form.format(secret)
        assert name in {kind for _, kind in PATTERN.found_in(text)}

    found()


@pytest.mark.parametrize("form", ['api_key = "{}"', "password: '{}'", 'TOKEN="{}"'])
def test_a_long_random_value_is_found(form: str) -> None:
    assert RANDOM in {kind for _, kind in PATTERN.found_in(form.format(TAIL * 2))}


def test_what_is_no_secret() -> None:
    text = (
        "api_key = 'sk-test-0123456789'\nkey: \"a-long-name-of-a-setting-in-small-letters\"\ntoken = new()\n"
    )
    assert list(PATTERN.found_in(text)) == []


def test_an_allowed_text_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "patterns.toml"
    path.write_text(PATTERNS.read_text().replace("allowed = []", f'allowed = ["{SECRET}"]'))
    assert list(Patterns.read(path).found_in(SECRET)) == []


@pytest.mark.parametrize("tracked", [True, False])
def test_in_the_working_tree(repository: Path, tracked: bool) -> None:
    (repository / "notes.txt").write_text(f"first line\n{SECRET}\n")
    if tracked:
        git(repository, "add", ".")
    assert list(findings(repository, PATTERN)) == [f"{repository / 'notes.txt'}, line 2: GitLab token"]


def test_in_what_was_deleted_long_ago(repository: Path) -> None:
    path = repository / "settings.toml"
    path.write_text(f'token = "{SECRET}"\n')
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "Settings")
    git(repository, "rm", "--quiet", path.name)
    git(repository, "commit", "--quiet", "--message", "No settings")
    (found,) = findings(repository, PATTERN)
    assert found.startswith("settings.toml (object ")


def test_in_the_message_of_a_commit_on_another_branch(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "aside")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", f"With {SECRET}")
    git(repository, "checkout", "--quiet", "-")
    (found,) = findings(repository, PATTERN)
    assert found.startswith("message of ")


def test_what_is_found_is_not_printed(repository: Path) -> None:
    (repository / "notes.txt").write_text(SECRET)
    program = PATTERNS.with_name("scan.py")
    ran = subprocess.run(
        (sys.executable, str(program), str(repository)), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "notes.txt, line 1" in ran.stdout
    assert SECRET not in ran.stdout + ran.stderr
