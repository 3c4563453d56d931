"""The bill of materials holds what the lock does, and licences are checked."""

import pytest

from scripts.supply_chain.__main__ import LOCK, bill, packages, refused
from tests.security.test_lock import pins

RULES = {
    "allowed": "MIT Apache-2.0 BSD-3-Clause MPL-2.0",
    "words": {"MIT License": "MIT"},
    "packages": {"pydantic": "Secret-1.0"},
    "parts": [{"name": "weights", "where": "data", "licence": "Apache-2.0", "what": "an encoder"}],
}


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
