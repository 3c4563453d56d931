"""The site builds without a warning, loads nothing from other hosts, and leaves nothing out.

Every command, setting, plug-in, tool and error stands in the reference. Pages that are named outside the site are
there: in README and the like, in the code and its messages.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from mapagent.runtime.config import Settings
from scripts.docs.reference import pages

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


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    return dict(pages())


@pytest.mark.parametrize(
    ("page", "group", "form"),
    [
        ("command-line.md", "mapagent.commands", "## mapagent {}"),
        ("plug-ins.md", "mapagent.providers", "| `{}` |"),
        ("plug-ins.md", "mapagent.modules", "| `{}` |"),
        ("plug-ins.md", "mapagent.planners", "| `{}` |"),
        ("plug-ins.md", "mapagent.suites", "| `{}` |"),
        ("plug-ins.md", "mapagent.methods", "| `{}` |"),
    ],
)
def test_every_plug_in_is_there(reference: dict[str, str], page: str, group: str, form: str) -> None:
    for entry in entry_points(group=group):
        assert form.format(entry.name) in reference[page]


def test_actions_below_a_command_have_their_own_section(reference: dict[str, str]) -> None:
    page = reference["command-line.md"]
    assert "### mapagent map add" in page
    assert "--fault FAULT" in page
    assert max(map(len, page.splitlines())) <= 100


def test_every_setting_is_there_and_explained(reference: dict[str, str]) -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", reference["settings.md"], re.MULTILINE)
    assert [name for name, _ in rows] == list(Settings.model_fields)
    assert [name for name, told in rows if not told] == []


def test_every_description_says_something(reference: dict[str, str]) -> None:
    for page in ("plug-ins.md", "mcp-tools.md", "errors.md"):
        assert not re.search(r"\|\s*\|$", reference[page], re.MULTILINE), page


def test_ten_tools_with_their_arguments(reference: dict[str, str]) -> None:
    page = reference["mcp-tools.md"]
    assert page.count("\n## ") == 10
    assert "| `radius` | Metres around `near`; 1000 unless" in page


def test_the_http_api_with_what_is_sent_and_what_comes_back(reference: dict[str, str]) -> None:
    page = reference["http-api.md"]
    ask = page[page.index("## POST /api/ask\n") :].split("\n## ")[0]
    assert "| `question` |" in ask
    assert re.search(r"^\| 422 \| .+ \|$", ask, re.MULTILINE)


def test_no_secret_has_a_default(reference: dict[str, str]) -> None:
    assert "| `api_key` |  | Key of the model server" in reference["settings.md"]


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
