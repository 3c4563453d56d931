"""Who answers without a model: the surest reading, else what may be meant."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest

from map_tools.errors import ConfigError
from map_tools.own_places import OwnPlace, OwnPlaces
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question, Turn
from mapagent.runtime.config import Settings
from modules.nlu.reader import Over, Reader, Reading
from modules.planner.embedded import TRIED_EVENT, OwnNames, ReaderPlanner
from tests.support.maps import demo_map, transit_map

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"
TEXT = "Travel time from Mole to Quay: by car 9 mins (3 km), by walking 31 mins (2 km)."
PHONE = 'answer(place("Lighthouse Museum").phone)'
ADDRESS = 'answer(place("Customs House").address)'
NOTHING = 'answer(place("Zyxwvut").address)'
WRONG = 'answer(nosuch("x"))'
PROGRAMS = (PHONE, ADDRESS)


class Readings:
    """A reader that has read what it is told to; the first is the likeliest."""

    def __init__(
        self,
        *programs: str,
        score: float = -2.0,
        apart: float = 0.1,
        left: tuple[str, ...] = (),
        halves: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.programs = programs
        self.left, self.halves = left, halves
        self.score, self.apart = score, apart
        self.asked: list[tuple[str, tuple[str, ...], Over, tuple[str, ...]]] = []

    def readings(
        self, question: str, options: Sequence[str], over: Over, earlier: Sequence[str]
    ) -> list[Reading]:
        self.asked.append((question, tuple(options), over, tuple(earlier)))
        return [
            Reading(program, self.score - self.apart * number, left=self.left, halves=self.halves)
            for number, program in enumerate(self.programs)
        ]


def answered(
    reader: Readings, question: Question | None = None, *, threshold: float = 0.0
) -> tuple[Answer, MapAgent]:
    planner = ReaderPlanner(threshold, cast("Reader", reader))
    agent = MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=planner)
    return asyncio.run(agent.ask(question or Question(text="Well?"))), agent


def test_the_likeliest_reading_is_answered() -> None:
    answer, agent = answered(Readings(ADDRESS, PHONE, score=0.0, apart=3.0))
    assert answer.status is Status.ANSWERED
    assert answer.program == ADDRESS
    assert 0 < answer.confidence < 1
    assert agent.last_trace is not None
    events = [span.attributes for span in agent.last_trace.spans if span.name == TRIED_EVENT]
    assert [one["program"] for one in events] == [ADDRESS]
    assert events[0]["certainty"] == pytest.approx(answer.confidence, abs=1e-3)


def test_an_unsure_reading_gets_a_second_opinion() -> None:
    answer, agent = answered(Readings(ADDRESS, PHONE))
    assert answer.program == ADDRESS
    assert agent.last_trace is not None
    events = [span.attributes for span in agent.last_trace.spans if span.name == TRIED_EVENT]
    assert [one["program"] for one in events] == [ADDRESS, PHONE]


@pytest.mark.parametrize(
    ("left", "warnings"),
    [((), ()), (("Hôtel de Paris", "18:30"), ("Not used of the question: 'Hôtel de Paris', '18:30'.",))],
)
def test_what_the_program_does_not_use_is_said(left: tuple[str, ...], warnings: tuple[str, ...]) -> None:
    answer, _ = answered(Readings(ADDRESS, left=left))
    assert answer.warnings == warnings
    refused, _ = answered(Readings(NOTHING, left=left))
    assert not [one for one in refused.warnings if one in warnings]


@pytest.mark.parametrize("first", [NOTHING, WRONG])
def test_a_reading_that_comes_to_nothing_gives_way_to_the_next(first: str) -> None:
    answer, _ = answered(Readings(first, ADDRESS))
    assert answer.program == ADDRESS
    assert answer.status is Status.ANSWERED


@pytest.mark.parametrize(
    ("now", "at"),
    [("04:35", "4:30"), ("04:10", "4:30"), ("23:50", "16:30"), ("16:35", "16:30"), ("03:50", "16:30")],
)
def test_a_time_of_day_that_is_at_hand_is_meant(now: str, at: str) -> None:
    reader = Readings('answer(is_open("Lighthouse Museum", at="16:30"))', halves=(("16:30", "4:30"),))
    asked = Question(text="It's half past four. Open?", at=datetime.fromisoformat(f"2026-11-18T{now}"))
    answer, _ = answered(reader, asked)
    assert answer.program == f'answer(is_open("Lighthouse Museum", at="{at}"))'


@pytest.mark.parametrize(
    ("program", "halves"),
    [
        (
            'answer(is_open("Lighthouse Museum", at="9:00", until="11:00"))',
            (("9:00", "21:00"), ("11:00", "23:00")),
        ),
        (
            'answer(is_open("Lighthouse Museum", at="9:00"), b=is_open("Customs House", at="9:00"))',
            (("9:00", "21:00"),),
        ),
    ],
    ids=["a span", "also said with its half"],
)
def test_of_several_times_none_is_moved_by_itself(program: str, halves: tuple[tuple[str, str], ...]) -> None:
    asked = Question(text="Open?", at=datetime(2026, 11, 18, 20, 50))  # noqa: DTZ001 (local time)
    answer, _ = answered(Readings(program, halves=halves), asked)
    assert answer.program == program


def test_a_sure_reading_that_comes_to_nothing_stands() -> None:
    answer, _ = answered(Readings(NOTHING, ADDRESS, score=0.0, apart=3.0))
    assert answer.status is Status.UNANSWERABLE
    assert "Zyxwvut" in answer.reason


def test_what_may_be_meant_is_offered_where_nothing_is_sure_enough() -> None:
    answer, _ = answered(Readings(ADDRESS, PHONE), threshold=1.0)
    assert answer.status is Status.NOT_UNDERSTOOD
    assert not answer.text
    assert (
        "Did you mean: the address of Customs House? Or: the phone number of Lighthouse Museum?"
        in answer.reason
    )


def test_nothing_read_is_said() -> None:
    answer, _ = answered(Readings())
    assert answer.status is Status.NOT_UNDERSTOOD
    assert answer.confidence == 0.0


def test_a_refusal_has_its_reason_in_words() -> None:
    answer, _ = answered(Readings('unanswerable("deed")'))
    assert answer.status is not Status.ANSWERED
    assert "no map can do" in answer.reason


def test_means_of_travel_that_are_not_named_are_those_the_text_tells_most_of() -> None:
    reader = Readings('answer(travel("Mole", "Quay", "any").duration)')
    answer, _ = answered(reader, Question(text="How long?", context=TEXT))
    assert answer.text == "9 min"
    assert any("by car" in one for one in answer.assumptions)
    assert reader.asked == [("How long?", (), Over.TEXT, ())]


def test_options_are_read_with_the_question() -> None:
    reader = Readings(ADDRESS)
    answered(reader, Question(text="Which?", options=("1 Quay", "", "2 Quay")))
    assert reader.asked == [("Which?", ("1 Quay", "2 Quay"), Over.MAP, ())]


@pytest.mark.parametrize("threshold", [-0.1, 1.5, True, "high"])
def test_a_threshold_is_a_share(threshold: object) -> None:
    with pytest.raises(ConfigError, match="threshold"):
        ReaderPlanner.from_settings(Settings(modules={"offline": {"threshold": threshold}}))


@pytest.mark.parametrize(
    ("map_of", "reason"), [(demo_map, "the map has none"), (transit_map, "public transport")]
)
def test_a_timetable_that_is_there_is_not_denied(
    map_of: Callable[[], Path], reason: str, tmp_path: Path
) -> None:
    (tmp_path / "maps").symlink_to(map_of().parent)
    planner = ReaderPlanner(0.0, cast("Reader", Readings('unanswerable("timetable")')))
    agent = MapAgent(Settings(data_home=tmp_path, map=map_of().name), planner=planner)
    answer = asyncio.run(agent.ask(Question(text="When does the last tram leave?")))
    assert answer.status is Status.UNANSWERABLE
    assert reason in answer.reason


def test_own_places_are_read_under_invented_names() -> None:
    own = OwnNames(("home", "home office", "gym"), "From HOME to my home office and a gymnasium?")
    masked = own.masked("From HOME to my home office and a gymnasium?")
    assert "home" not in masked.casefold()
    assert masked.endswith("and a gymnasium?")
    here, there = masked.removeprefix("From ").removesuffix(" and a gymnasium?").split(" to my ")
    assert own.masked("home") == here != there
    program = f'a = place("{there}")\nanswer(distance("{here}", a), direction=direction("{here}", to=a))'
    read = own.unmasked(Reading(program, 0.0, left=(there,)))
    assert {here, there}.isdisjoint(read.program.split('"'))
    assert {"HOME", "home office"} <= set(read.program.split('"'))
    assert here.casefold() not in read.program.casefold()
    assert read.left == ("home office",)


def test_an_own_name_with_quotation_marks_is_a_literal_as_it_stands() -> None:
    own = OwnNames(('Jo\'s "Den"',), 'Cafes near Jo\'s "Den"')
    mask = own.masked('Jo\'s "Den"')
    read = own.unmasked(Reading(f'answer(places("cafe", near="{mask}"))', 0.0, left=(mask,)))
    assert read.program == 'answer(places("cafe", near="Jo\'s \\"Den\\""))'
    assert read.left == ('Jo\'s "Den"',)


def test_own_places_of_earlier_turns_are_read_under_invented_names() -> None:
    reader = Readings('answer(distance("Orvanda", "Lighthouse Museum"))')
    own = OwnPlaces((OwnPlace(name="home", location=LatLng(lat=-12.52, lng=130.74)),))
    agent = MapAgent(
        Settings(provider=f"recorded:{WORLD}"), planner=ReaderPlanner(0.0, cast("Reader", reader)), own=own
    )
    earlier = (Turn(text="How far is Home from the Mole?"),)
    answer = asyncio.run(agent.ask(Question(text="And the museum?", earlier=earlier)))
    ((asked, _, _, before),) = reader.asked
    assert (asked, before) == ("And the museum?", ("How far is Orvanda from the Mole?",))
    assert answer.program == 'answer(distance("Home", "Lighthouse Museum"))'
    assert answer.status is Status.ANSWERED


def test_an_own_place_is_called_as_it_was_written_last() -> None:
    own = OwnNames(("home",), "Is HOME near?", "And Home?")
    assert own.unmasked(Reading(f'answer("{own.masked("home")}")', 0.0)).program == 'answer("Home")'


def test_without_own_places_nothing_is_masked() -> None:
    own = OwnNames((), "How far is home?")
    assert own.masked("How far is home?") == "How far is home?"
    read = Reading('answer(distance(here, "home"))', 0.0)
    assert own.unmasked(read) == read
