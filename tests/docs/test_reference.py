"""The reference leaves nothing out: every command, setting, plug-in, tool and error stands in it."""

import re
from importlib.metadata import entry_points

import pytest

from mapagent.runtime.config import Settings
from scripts.docs.reference import pages


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
