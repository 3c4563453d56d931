"""Supplied texts that are cut, shuffled, repeated and strewn with what does not belong there fail nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapagent.core.answer import Answer, Status
from modules.context_reader.world import TextProvider
from tests.modules.query.language.running import told
from tests.support.effort import effort

DATA = Path(__file__).resolve().parents[1] / "modules" / "context_reader" / "data"
TEXTS = tuple(file.read_text("utf-8") for file in sorted(DATA.glob("*.txt")))
STRANGE = (
    "", "–", "geschlossen", "ouvert", "٣", "½", "１２", "\u202e", "\x00", "[[", "{", "}", "|", "\\", "1e309", "-1",
    "24:60", "99:99", "NaN", "00", "€", "::", "…", "null", "\t", "\r", "\x0c", "\u2028", "POINT (", '"', "#", "°",
    "52,1/4,3", "9" * 30, "Mon-", "–Fri", "km", "open", "closed until",
)  # fmt: skip
PROGRAMS = (
    'answer(is_open("Old Mill", "Sun 10:00"))',
    'answer(travel("Old Mill", "Quay Inn", "walk").duration)',
    'answer(count(places("museum", where=lambda p: p.rating > 4)))',
)


@st.composite
def miswritten(draw: st.DrawFn) -> str:
    """A text with one to six changes of its lines, words or characters."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 6))):
        lines, at = text.split("\n"), draw(st.integers(0, len(text)))
        line, other = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        strange = draw(st.sampled_from(STRANGE))
        match draw(st.sampled_from(("cut", "drop", "insert", "line", "swap", "repeat", "word", "ends"))):
            case "cut":
                text = text[:at]
            case "drop":
                text = text[:at] + text[at + draw(st.integers(1, 9)) :]
            case "insert":
                text = text[:at] + strange + text[at:]
            case "line":
                text = "\n".join(lines[:line] + lines[line + 1 :])
            case "swap":
                lines[line], lines[other] = lines[other], lines[line]
                text = "\n".join(lines)
            case "repeat":
                text = "\n".join(lines[:line] + [lines[line]] * draw(st.integers(2, 20)) + lines[line + 1 :])
            case "word":
                word = draw(st.sampled_from((":", "-", ",", "1", "the", "name", "from", "open")))
                text = text.replace(word, strange)
            case "ends":
                text = text.replace("\n", draw(st.sampled_from((" ", "\r\n", "\n\n", ";"))))
    return text


@pytest.fixture(autouse=True, scope="module")
def _without_marks() -> object:
    """The learned marks are the same network whatever the text, and take a hundred times as long as all else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("modules.nlu.marks.MOST_WINDOWS", 0)
        yield


@effort(3)
@given(miswritten())
def test_any_text_is_read(text: str) -> None:
    TextProvider(text)


@effort(0.3)
@given(miswritten())
def test_questions_over_any_text_end(text: str) -> None:
    for program in PROGRAMS:
        answer: Answer = told(program, text)
        assert answer.status is not Status.ERROR
