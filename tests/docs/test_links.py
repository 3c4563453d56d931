"""Pages that are named outside the site are there: in README and the like, in the code and its messages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PACKAGES = ("map_tools", "mapagent", "modules", "evals", "benchmarks", "configs", "scripts")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
NAMED = re.compile(r"(?<![\w/])docs/[\w/-]+\.md")


@pytest.mark.parametrize("page", PAGES)
def test_links_of_top_level_pages_lead_somewhere(page: str) -> None:
    for link in LINK.findall((TOP / page).read_text("utf-8")):
        assert (TOP / link).exists(), link


def named() -> Iterator[tuple[Path, str]]:
    files = (path for package in PACKAGES for path in (TOP / package).rglob("*"))
    for path in files:
        if path.suffix in {".py", ".toml", ".md"}:
            yield from ((path, name) for name in NAMED.findall(path.read_text("utf-8")))


def test_pages_named_in_code_and_messages_exist() -> None:
    found = tuple(named())
    assert len(found) > 5
    assert [(path.name, name) for path, name in found if not (TOP / name).is_file()] == []


def test_every_page_stands_in_the_menu_once() -> None:
    menu = re.findall(r"^ +- .+: (\S+\.md)$", (TOP / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    written = [page for page in menu if not page.startswith("reference/")]  # those are made by the site
    assert sorted(written) == sorted(
        page.relative_to(TOP / "docs").as_posix() for page in (TOP / "docs").rglob("*.md")
    )
