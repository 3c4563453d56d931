"""Looks for secrets in the working tree and in everything the repository's history holds.

    python scripts/secret_scan/scan.py [REPOSITORY]

A secret that was committed once is known to whoever has a clone, also after it was deleted; so all files of
all commits are read, each content once, and the messages too. Exit code 1 if anything was found. What it was
is never printed, only where it stands. It needs Python and git and nothing else, so that it runs before
anything is installed.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PATTERNS = Path(__file__).with_name("patterns.toml")
MAX_BYTES = 5_000_000
"""Larger contents are data, no source."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """What secrets look like, by their names, and texts that only look like them."""

    regexes: Mapping[str, re.Pattern[str]]
    allowed: frozenset[str]

    @classmethod
    def read(cls, path: Path = PATTERNS) -> "Patterns":
        """The patterns of a file."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        regexes = {one["name"]: re.compile(one["regex"]) for one in data["pattern"]}
        return cls(regexes, frozenset(data["allowed"]))

    def found_in(self, text: str) -> Iterator[tuple[int, str]]:
        """Line number and name of each secret in a text."""
        for name, regex in self.regexes.items():
            for match in regex.finditer(text):
                if match[0] not in self.allowed:
                    yield text.count("\n", 0, match.start()) + 1, name


def findings(repository: Path, patterns: Patterns) -> Iterator[str]:
    """Where there are secrets, one place a line."""
    for place, content in contents(repository):
        text = content.decode("utf-8", "replace")
        for line, name in patterns.found_in(text):
            yield f"{place}, line {line}: {name}"


def contents(repository: Path) -> Iterator[tuple[str, bytes]]:
    """All that may hold a secret, each with the place where it is."""
    for name in _git(repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0"):
        path = repository / name.decode("utf-8", "surrogateescape")
        if name and path.is_file() and path.stat().st_size <= MAX_BYTES:
            yield str(path), path.read_bytes()
    yield from _history(repository)
    for message in _git(repository, "log", "--all", "--format=%H %B%x00").split(b"\0"):
        commit, _, words = message.strip().partition(b" ")
        if words:
            yield f"message of {commit.decode()[:12]}", words


def _history(repository: Path) -> Iterator[tuple[str, bytes]]:
    """Each content that some commit holds, once, with one of its names."""
    listed = _git(repository, "rev-list", "--all", "--objects").splitlines()
    names = dict(line.partition(b" ")[::2] for line in listed)
    sizes = _git(repository, "cat-file", "--batch-check", given=b"\n".join(names) + b"\n").splitlines()
    blobs = [line.split() for line in sizes]
    wanted = [name for name, kind, size in blobs if kind == b"blob" and int(size) <= MAX_BYTES]
    told = _git(repository, "cat-file", "--batch", given=b"\n".join(wanted) + b"\n")
    at = 0
    for name in wanted:
        begin = told.index(b"\n", at) + 1
        size = int(told[at : begin - 1].split()[2])
        yield (
            f"{names[name].decode('utf-8', 'replace')} (object {name.decode()[:12]})",
            told[begin : begin + size],
        )
        at = begin + size + 1


def _git(repository: Path, *arguments: str, given: bytes = b"") -> bytes:
    return subprocess.run(
        ("git", "-C", str(repository), *arguments),  # noqa: S607 - git is wherever the user has it
        input=given,
        capture_output=True,
        check=True,
    ).stdout


def main(arguments: Sequence[str]) -> int:
    """Scans a repository, by default this one; prints where secrets are."""
    repository = Path(arguments[0]) if arguments else Path(__file__).parents[2]
    found = sorted(set(findings(repository, Patterns.read())))
    for place in found:
        sys.stdout.write(f"{place}\n")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
