"""Texts for models and programs: prompts filled strictly, and texts in programs as the language reads them."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import ConfigError, InputFileError, ProgramError
from mapagent.core.prompts import Prompt, load_prompt
from mapagent.core.rendering import MAX_STRING_CHARS, quoted
from modules.query.language import syntax
from modules.query.language.parser import parse


def test_placeholders_are_filled() -> None:
    prompt = Prompt("greeting", "Hello {{name}}, it is {{hour}} o'clock. Bye {{name}}.")
    assert prompt.placeholders == {"name", "hour"}
    assert prompt.fill(name="Ada", hour="9") == "Hello Ada, it is 9 o'clock. Bye Ada."


def test_a_value_is_never_read_as_a_placeholder() -> None:
    prompt = Prompt("place", "{{name}} / {{secret}}")
    assert prompt.fill(name="Café {{secret}} \\1", secret="s") == "Café {{secret}} \\1 / s"


@pytest.mark.parametrize(
    ("values", "problem"),
    [({}, "lacks a value for {{name}}"), ({"name": "x", "extra": "y"}, "has no placeholder {{extra}}")],
)
def test_filling_is_strict(values: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Prompt("greeting", "Hello {{name}}").fill(**values)
    assert problem in str(caught.value)


def test_the_hash_is_that_of_the_words() -> None:
    prompt = load_prompt("mapagent.llm", "repair")
    assert prompt.hash == hashlib.sha256(prompt.text.encode()).hexdigest()[:12]
    assert prompt.mark == f"repair@{prompt.hash}"


def test_a_file_of_ones_own_wins(tmp_path: Path) -> None:
    own = tmp_path / "mapagent.llm" / "repair.md"
    own.parent.mkdir()
    own.write_text("Wrong: {{problem}}\n")
    assert load_prompt("mapagent.llm", "repair", tmp_path).fill(problem="x") == "Wrong: x"
    assert load_prompt("mapagent.llm", "json_only", tmp_path) == load_prompt("mapagent.llm", "json_only")


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no prompt 'nothing' in mapagent\.llm"):
        load_prompt("mapagent.llm", "nothing")
    own = tmp_path / "mapagent.llm" / "repair.md"
    own.parent.mkdir()
    own.write_text("{{ Problem }}")
    with pytest.raises(ConfigError, match=r"begins no placeholder"):
        load_prompt("mapagent.llm", "repair", tmp_path)
    own.write_bytes(b"\xff\xfe")
    with pytest.raises(InputFileError, match=r"repair\.md cannot be read as text"):
        load_prompt("mapagent.llm", "repair", tmp_path)


def read(program: str) -> str:
    """The only text of a program."""
    (last,) = parse(f"answer({program})").statements
    (string,) = (node for node in syntax.walk(last.expr) if isinstance(node, syntax.String))
    return string.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café", '"Café"'),
        ('the "Rex"', '"the \\"Rex\\""'),
        ("a\\b", '"a\\\\b"'),
        ("two\nlines", '"two lines"'),
        ("", '""'),
    ],
)
def test_the_form(text: str, expected: str) -> None:
    assert quoted(text) == expected


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")), max_size=100))
def test_it_is_read_as_it_was(text: str) -> None:
    assert read(quoted(text)) == text


@pytest.mark.parametrize("sign", ["x", '"', "\\"])
def test_what_is_too_long_is_cut_or_refused(sign: str) -> None:
    text = sign * (MAX_STRING_CHARS + 1)
    kept = read(quoted(text))
    assert text.startswith(kept)
    assert len(kept) == MAX_STRING_CHARS // (1 if sign == "x" else 2)
    with pytest.raises(ProgramError, match="longer than"):
        read(quoted(text, cut=False))
