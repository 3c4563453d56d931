"""A hundred questions while about every third request to Google goes wrong."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from map_tools.providers.osm import OsmProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.faults import Fault, FaultKind
from map_tools.testing.emulate.server import running
from mapagent.core.answer import Answer, Status
from tests.e2e_google.asking import NOW, ask_all
from tests.e2e_google.conftest import Answers, Emulated
from tests.e2e_google.questions import HUNDRED, Asked

SHARE = 0.3
LATE_S = 0.02
TOLD = tuple(kind for kind in FaultKind if kind not in {FaultKind.RANDOM, FaultKind.ZERO_RESULTS})
"""Faults that the client can tell from a good reply; an empty list looks like an empty place."""


def with_faults(emulated: Emulated, osm: OsmProvider, folder: Path, faults: Sequence[Fault]) -> Answers:
    with running(Backend(osm, NOW, token_delay_s=0, seed=11), faults) as base:
        return asyncio.run(ask_all(emulated.open(base), folder, HUNDRED))


def different(answers: Answers, truth: Answers) -> list[Asked]:
    """The questions answered otherwise than by the map itself; a refusal claims nothing."""
    return [
        asked
        for asked, answer in answers.items()
        if answer.status is Status.ANSWERED and not says_the_same(answer, truth[asked])
    ]


def says_the_same(one: Answer, other: Answer) -> bool:
    """Whether two answers say the same; a bound ("at least 20") says no more than the number that it holds for."""
    bound = re.fullmatch(r"at least (\d+)", one.text)
    if bound is not None and other.text.isdigit():
        return int(bound[1]) <= int(other.text)
    return (one.status, one.text, one.option) == (other.status, other.text, other.option)


def shown(answers: Answers, asked: Asked) -> str:
    return f"{asked}: {answers[asked].text}"


def answered(answers: Answers) -> int:
    return sum(answer.status is Status.ANSWERED for answer in answers.values())


def test_the_questions_are_a_hundred() -> None:
    assert len({asked.text for asked in HUNDRED}) == 100


def test_a_list_that_google_cut_is_not_taken_for_the_whole(direct: Answers, emulated: Emulated) -> None:
    answers = emulated.answers
    assert [shown(answers, asked) for asked in different(answers, direct)] == []


def test_every_question_ends_in_an_answer_or_a_reason(
    emulated: Emulated, osm: OsmProvider, folder: Path
) -> None:
    answers = with_faults(emulated, osm, folder, [Fault(FaultKind.RANDOM, share=SHARE, seconds=LATE_S)])
    assert len(answers) == 100
    for asked, answer in answers.items():
        assert answer.status in {Status.ANSWERED, Status.UNANSWERABLE, Status.LIMIT}, (
            str(asked),
            answer.reason,
        )
        assert answer.text if answer.status is Status.ANSWERED else answer.reason, str(asked)


def test_nothing_missing_is_passed_over(
    direct: Answers, emulated: Emulated, osm: OsmProvider, folder: Path
) -> None:
    """What is answered in spite of faults is right, or says more about what is missing than usual."""
    usual = emulated.answers
    faults = [Fault(kind, share=SHARE / len(TOLD), seconds=LATE_S) for kind in TOLD]
    answers = with_faults(emulated, osm, folder, faults)
    silent = [
        asked
        for asked in different(answers, direct)
        if set(answers[asked].warnings) <= set(usual[asked].warnings)
    ]
    assert [shown(answers, asked) for asked in silent] == []
    assert 30 < answered(answers) < answered(usual)
