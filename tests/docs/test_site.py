"""The site builds without a warning, and its pages load nothing from other hosts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="needs the dependency group 'docs'")

TOP = Path(__file__).resolve().parents[2]
LOADED = re.compile(
    r"<(?:script|img|iframe|source)[^>]+src=\"((?:https?:)?//[^\"]+)"
    r"|<link[^>]+rel=\"(?:stylesheet|preconnect|icon|preload)\"[^>]+href=\"((?:https?:)?//[^\"]+)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


def test_what_is_generated_is_part_of_the_site(site: Path) -> None:
    assert "mapagent map add" in (site / "reference" / "command-line.html").read_text("utf-8")
    python = (site / "reference" / "python.html").read_text("utf-8")
    assert 'id="mapagent.core.agent.MapAgent.ask"' in python
    assert "Answers map questions with verified evidence." in python


def test_nothing_is_loaded_from_other_hosts(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text("utf-8")
        assert LOADED.search(text) is None, page
        assert 'class="mermaid"' not in text, f"{page}: diagrams of this kind load a script from elsewhere"
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import\s*)[\"']?(?:https?:)?//", style.read_text("utf-8")), style


def test_pages_have_what_a_screen_reader_needs(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert '<html lang="en"' in text
        assert all("alt=" in image for image in re.findall(r"<img[^>]*>", text)), page
