"""What a run is: code, configuration, packages, model and data, so that its figures can be run again."""

import platform
from collections.abc import Iterable
from functools import lru_cache
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import Field

import mapagent
from evals.ports import OfferRule
from map_tools.files import file_sha256
from map_tools.types import Frozen
from mapagent.runtime.config import Settings, digest

FORMAT_VERSION = 1
PACKAGES = ("map_tools", "mapagent", "modules", "evals")
_SOURCES = (".py", ".toml")
_NOT_COMPARED = ("packages", "python", "commit", "notes")
"""Fields of a run record that may differ when a run is resumed."""


class RunRecord(Frozen):
    """run.json: everything a run depends on.

    Attributes:
        version, code_sha256, commit: Of this program; the digest is over its source files, the commit is
            known in a checkout.
        settings: Without secrets.
        prompts_sha256: Digest over all prompt files, the user's own included.
        data_sha256: Digest of the data given with --data (of all files of a folder).
        selection: Limit, sample, seed and the like that choose the items; `items` is how many they are.
        notes: What the suite says about how its data was prepared.
    """

    v: int = FORMAT_VERSION
    suite: str
    method: str
    model: str
    provider: str
    protocol: OfferRule
    version: str
    code_sha256: str
    commit: str = ""
    python: str
    packages: dict[str, str]
    settings: dict[str, Any]
    prompts_sha256: str
    data_sha256: str
    selection: dict[str, Any] = Field(default_factory=dict)
    items: int
    items_sha256: str
    notes: dict[str, Any] = Field(default_factory=dict)

    def difference(self, other: "RunRecord") -> str:
        """Name of the first thing in which two records are of different runs; empty if they are of one."""
        for name in type(self).model_fields:
            if name not in _NOT_COMPARED and getattr(self, name) != getattr(other, name):
                return name
        return ""


def code_record() -> dict[str, Any]:
    """The fields about program and machine."""
    return {
        "version": mapagent.__version__,
        "code_sha256": code_digest(),
        "commit": commit(),
        "python": platform.python_version(),
        "packages": packages(),
    }


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Digest over the source files of the four packages."""
    return digest(path.read_bytes() for package in PACKAGES for path in _sources(files(package)))


def prompts_digest(settings: Settings) -> str:
    """Digest over the prompts in use."""
    built_in = (path.read_bytes() for package in PACKAGES for path in _sources(files(package), (".md",)))
    own = sorted(settings.prompts.rglob("*.md")) if settings.prompts else ()
    return digest((*built_in, *(path.read_bytes() for path in own)))


def data_digest(data: Path) -> str:
    """Digest of a file, or of all files below a folder with their names."""
    if not data.is_dir():
        return file_sha256(data)
    names = sorted(path for path in data.rglob("*") if path.is_file())
    return digest(f"{path.relative_to(data)}\0{file_sha256(path)}".encode() for path in names)


def ids_digest(ids: Iterable[str]) -> str:
    """Digest over the ids of the chosen items, in their order."""
    return digest(f"{each}\0".encode() for each in ids)


def packages() -> dict[str, str]:
    """Versions of the installed distributions this program needs directly."""
    wanted = (line.split(";")[0] for line in metadata.requires("mapagent") or ())
    names = {
        "".join(char if char.isalnum() or char in "-_." else " " for char in line).split()[0]
        for line in wanted
    }
    known: dict[str, str] = {}
    for name in sorted(names):
        try:
            known[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return known


def commit() -> str:
    """The commit of the checkout this program runs from; empty where there is none (an installed wheel)."""
    git = Path(mapagent.__file__).resolve().parents[1] / ".git"
    try:
        head = (git / "HEAD").read_text("ascii").strip()
        return _resolved(git, head.removeprefix("ref: ")) if head.startswith("ref: ") else head
    except (OSError, UnicodeDecodeError):
        return ""


def _resolved(git: Path, name: str) -> str:
    """What a branch points to: a file of its own, or a line among the packed ones."""
    if (git / name).is_file():
        return (git / name).read_text("ascii").strip()
    lines = (line.split(" ") for line in (git / "packed-refs").read_text("ascii").splitlines())
    return next((parts[0] for parts in lines if parts[1:] == [name]), "")


def _sources(folder: Traversable, endings: tuple[str, ...] = _SOURCES) -> Iterable[Traversable]:
    for path in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if path.is_dir():
            yield from _sources(path, endings)
        elif path.name.endswith(endings):
            yield path
