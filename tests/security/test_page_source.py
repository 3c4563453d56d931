"""The page's own code sets text as text: none of the doors through which words become code is used."""

import re
from pathlib import Path

import pytest

import mapagent.interfaces.http

PAGE = Path(mapagent.interfaces.http.__file__).parent / "page"
SOURCES = [path for path in PAGE.rglob("*") if path.suffix in {".js", ".html"} and "vendor" not in path.parts]
DOORS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc"
    r"|\beval\(|new Function"
    r"|setHTML|DOMParser|setHTMLUnsafe|javascript:|\bon(?:click|error|load|mouseover)\s*=\s*[\"']"
)


def test_there_is_a_page() -> None:
    assert {path.suffix for path in SOURCES} == {".js", ".html"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_words_become_code(path: Path) -> None:
    assert DOORS.findall(path.read_text(encoding="utf-8")) == []
