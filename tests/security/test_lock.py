"""The lock: every package with its version and hashes, no address, and all that the project asks for.

The bill of materials holds what the lock does, and licences are checked.
"""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.supply_chain.__main__ import LOCK, bill, packages, refused

ROOT = Path(__file__).resolve().parents[2]
FILES = ("ci", "demo")
GROUPS = ("build", "test", "lint", "docs", "browser")
RULES = {
    "allowed": "MIT Apache-2.0 BSD-3-Clause MPL-2.0",
    "words": {"MIT License": "MIT"},
    "packages": {"pydantic": "Secret-1.0"},
    "parts": [{"name": "weights", "where": "data", "licence": "Apache-2.0", "what": "an encoder"}],
}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;]+)(?: ; ([^\\]+?))? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def lines(name: str) -> list[str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pins(name: str) -> dict[str, list[str]]:
    """The versions of each package: more than one where they differ by platform."""
    found: dict[str, list[str]] = {}
    for line in lines(name):
        if match := PIN.match(line):
            found.setdefault(canonicalize_name(match[1]), []).append(match[2])
    return found


def asked_for() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    grouped = [text for group in GROUPS for text in project["dependency-groups"][group]]
    return [Requirement(text) for text in (*project["project"]["dependencies"], *grouped)]


@pytest.mark.parametrize("name", FILES)
def test_every_package_has_its_hashes(name: str) -> None:
    found = lines(name)
    assert found
    for line, following in zip(found, [*found[1:], ""], strict=True):
        assert PIN.match(line) or HASH.match(line), line
        if PIN.match(line):
            assert HASH.match(following), f"{line} has no hash"


@pytest.mark.parametrize("name", FILES)
def test_no_address_is_named(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    assert "find-links" not in text


def test_it_holds_what_the_project_asks_for() -> None:
    """Fails where a dependency was added or raised, and `make lock` was not run."""
    locked = pins("ci")
    missing = [
        str(requirement)
        for requirement in asked_for()
        if not any(
            requirement.specifier.contains(version, prereleases=True)
            for version in locked.get(canonicalize_name(requirement.name), ())
        )
    ]
    assert missing == []


def test_the_bill_holds_every_package_of_the_lock_with_its_hashes() -> None:
    text = LOCK.read_text("utf-8")
    found = list(packages(text, RULES))
    assert {package.name.lower().replace("_", "-").replace(".", "-") for package in found} == set(pins("ci"))
    assert sum(len(package.hashes) for package in found) == text.count("--hash=sha256:")
    made = bill(found, RULES)
    assert made["specVersion"] == "1.6"
    assert [part["name"] for part in made["components"]] == [*(package.name for package in found), "weights"]
    assert made == bill(list(packages(text, RULES)), RULES)


@pytest.mark.parametrize(
    ("licence", "wrong"),
    [
        ("MIT", ""),
        ("(Apache-2.0 OR MIT) AND BSD-3-Clause", ""),
        ("", ""),
        ("GPL-3.0-only", "GPL-3.0-only"),
        ("MIT AND Secret-1.0", "Secret-1.0"),
    ],
)
def test_a_licence_that_is_not_allowed_is_told(licence: str, wrong: str) -> None:
    told = refused(licence, RULES)
    assert bool(told) == bool(wrong)
    assert wrong in told


def test_what_a_package_says_counts() -> None:
    (found,) = packages("pydantic==2.0 \\\n    --hash=sha256:" + "0" * 64, RULES)
    assert found.licence == "Secret-1.0"
    (known,) = packages("pytest==9.0 \\\n    --hash=sha256:" + "0" * 64, RULES)
    assert known.licence == "MIT"
