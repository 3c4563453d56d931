"""Lists what the project is built of, with versions, hashes and licences.

    python -m scripts.supply_chain            # checks that every licence is one of those that may be
    python -m scripts.supply_chain FILE       # also writes a bill of materials (CycloneDX 1.6)

Versions and hashes are those of the lock (`requirements/ci.txt`), licences those that installed packages state.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements" / "ci.txt"
FORMAT = "1.6"
"""https://cyclonedx.org/docs/1.6/json/"""
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_JOINT = re.compile(r"[()]|\bAND\b|\bOR\b|\bWITH\b")
_OSI = "License :: "


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the lock."""

    name: str
    version: str
    hashes: tuple[str, ...]
    licence: str
    """Empty where it is not installed here (for another system), or does not say."""


def main(arguments: Sequence[str]) -> int:
    """Prints what may not be; writes the bill where a file is named."""
    rules = tomllib.loads((Path(__file__).parent / "licences.toml").read_text("utf-8"))
    found = list(packages(LOCK.read_text("utf-8"), rules))
    wrong = [(package, told) for package in found if (told := refused(package.licence, rules))]
    for package, told in wrong:
        sys.stderr.write(f"{package.name} {package.version}: {told}\n")
    for path in arguments:
        Path(path).write_text(json.dumps(bill(found, rules), indent=1, ensure_ascii=False) + "\n", "utf-8")
    return int(bool(wrong))


def packages(lock: str, rules: Mapping[str, Any]) -> Iterator[Package]:
    """The packages of a lock, in its order."""
    for block in re.split(r"\n(?=\S)", lock):
        if pin := _PIN.match(block):
            yield Package(pin[1], pin[2], tuple(_HASH.findall(block)), licence(pin[1], rules))


def licence(name: str, rules: Mapping[str, Any]) -> str:
    """The licence that an installed package states, as an SPDX expression where it can be told."""
    if name in rules["packages"]:
        return str(rules["packages"][name])
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return ""
    classified = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier", []) if one.startswith(_OSI)]
    words = [one for one in classified if one != "OSI Approved"]
    said = str(told.get("License", "")).partition("\n")[0]
    stated = str(told.get("License-Expression", "")) or " AND ".join(words) or said
    for word, expression in rules["words"].items():
        stated = stated.replace(word, expression)
    return stated


def refused(expression: str, rules: Mapping[str, Any]) -> str:
    """What is wrong with a licence; empty if nothing is, or if nobody here can know it."""
    allowed = set(rules["allowed"].split())
    names = {part.strip() for part in _JOINT.split(expression)} - {""}
    strange = sorted(names - allowed)
    return f"the licence '{', '.join(strange)}' is none of those that may be" if strange else ""


def bill(found: Sequence[Package], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The bill of materials; the same for the same lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": FORMAT,
        "version": 1,
        "metadata": {"component": {"type": "application", "name": project["name"]}},
        "components": [_component(package) for package in found]
        + [
            {
                "type": "data",
                "name": part["name"],
                "description": part["what"],
                "licenses": [{"expression": part["licence"]}],
            }
            for part in rules["parts"]
        ],
    }


def _component(package: Package) -> dict[str, Any]:
    stated = {"licenses": [{"expression": package.licence}]} if package.licence else {}
    return {
        "type": "library",
        "name": package.name,
        "version": package.version,
        "purl": f"pkg:pypi/{package.name}@{package.version}",
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in package.hashes],
        **stated,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
