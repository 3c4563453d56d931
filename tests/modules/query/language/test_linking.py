"""Follow-ups: names of earlier programs, the last answer's value, choices that stay made, and text that parses back."""

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given

from map_tools.errors import ProgramError
from mapagent import Conversation, MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.query.language.linking import linked, written
from modules.query.language.parser import parse
from tests.modules.query.language.test_properties import EXPRESSIONS

WORLD = Path(__file__).resolve().parents[3] / "fixtures" / "worlds" / "harbour.json"
A = 'm = place("Lighthouse Museum")\nstars = m.rating\nanswer(stars)'
B = 'm = place("Salt & Smoke")\nanswer(m, phone=m.phone)'


class Programs:
    """Runs each question as a program."""

    name = "programs"

    async def answer(self, run: Run) -> Answer:
        return await run.execute(run.question.text)


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=Programs()))


def ask(conversation: Conversation, *programs: str) -> Answer:
    return [asyncio.run(conversation.ask(one)) for one in programs][-1]


@pytest.mark.parametrize(
    ("follow_up", "whole"),
    [
        ("answer(m.address)", 'm = place("Salt & Smoke")\nanswer(m.address)'),
        ("answer(result.address)", 'm = place("Salt & Smoke")\nanswer(m.address)'),
        ("answer(stars)", 'm = place("Lighthouse Museum")\nstars = m.rating\nanswer(stars)'),
        (
            "answer(stars, of=m)",  # two places of one name
            'm = place("Lighthouse Museum")\nstars = m.rating\nm_2 = place("Salt & Smoke")\nanswer(stars, of=m_2)',
        ),
        ("m = 1\nanswer(m)", "m = 1\nanswer(m)"),
        (
            "answer([distance(m, result) for m in [here]])",  # a name that a lambda would hide
            'm_2 = place("Salt & Smoke")\nanswer([distance(m, m_2) for m in [here]])',
        ),
        ("answer(1)", "answer(1)"),
    ],
)
def test_what_a_follow_up_uses_stands_before_it(follow_up: str, whole: str) -> None:
    made = linked(follow_up, [A, B])
    assert made.text == whole
    assert linked(made.text, [A, B]).text == made.text, "it is whole"


def test_the_last_value_may_have_had_no_name() -> None:
    assert linked("answer(result + 1)", ["answer(2 * 3)", 'unanswerable("no")']).text == (
        "earlier = 2 * 3\nanswer(earlier + 1)"
    )


def test_a_follow_up_with_nothing_before_it_is_told(conversation: Conversation) -> None:
    with pytest.raises(ProgramError, match="there is none"):
        ask(conversation, "answer(result)")


def test_faults_are_told_with_the_asker_s_lines(conversation: Conversation) -> None:
    with pytest.raises(ProgramError, match="Line 2: there is no operator `phone`"):
        ask(conversation, A, 'x = m.address\nanswer(phone(x), y="z")')


@pytest.mark.parametrize("number", ["8.7", "12.3", "0.1", "100", "0.000001", "99999.123456"])
def test_numbers_stay_as_they_are(number: str) -> None:
    assert written(parse(f"answer({number})").answer.expr) == f"answer({number})"


def test_faults_while_it_runs_are_told_with_the_asker_s_lines(conversation: Conversation) -> None:
    with pytest.raises(ProgramError, match=r"^Line 1: "):
        ask(conversation, A, 'answer([p.name + 1 for p in [m, place("Green Bowl")]], stars=stars)')


def test_a_follow_up_is_run_and_read_back_whole(conversation: Conversation) -> None:
    answer = ask(
        conversation, 'cafe = place("Green Bowl")\nanswer(cafe.name)', "answer(distance(cafe, cafe))"
    )
    assert answer.text.startswith("0 m")
    assert "Green Bowl" in answer.understood
    assert answer.program == 'cafe = place("Green Bowl")\nanswer(distance(cafe, cafe))'


def test_a_choice_stays_made_in_a_conversation(conversation: Conversation) -> None:
    first = ask(conversation, 'tides = place("Tides Coffee")\nanswer(tides.location)')
    assert first.status is Status.AMBIGUOUS
    chosen = asyncio.run(conversation.choose(2))
    for follow_up in ("answer(tides.location)", 'answer(place("Tides Coffee").location)'):
        again = ask(conversation, follow_up)
        assert (again.status, again.text) == (Status.ANSWERED, chosen.text)
    asked = Question(text='answer(place("Tides Coffee").location)', choice=(1,))
    other = asyncio.run(conversation.ask(asked))
    assert other.text == chosen.text
    assert any("begin a new one" in one for one in other.warnings)
    conversation.forget()
    assert ask(conversation, 'answer(place("Tides Coffee").location)').status is Status.AMBIGUOUS


@given(EXPRESSIONS)
def test_expressions_are_written_as_they_are_parsed(text: str) -> None:
    try:
        tree = parse(f"answer({text})").answer.expr
    except ProgramError:
        return
    assert bare(parse(written(tree)).answer.expr) == bare(tree)


def bare(tree: object) -> str:
    """A tree without the places of its nodes in the text."""
    return re.sub(r"number=\d+, line=\d+", "", repr(tree))
