"""Texts in programs: what is written is what the language reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import ProgramError
from mapagent.core.rendering import MAX_STRING_CHARS, quoted
from modules.query.language import syntax
from modules.query.language.parser import parse


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
