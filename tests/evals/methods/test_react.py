"""The method `react` with scripted words over a recorded world."""

import pytest

from evals.methods.agents import React, finish
from mapagent.answer import Status
from tests.evals.methods.desk import calls_of, harbour, run, task
from tests.support.scripted_model import ScriptedModel

FASTEST = task(
    "Which street is the fastest way by car from Customs House to the museum?", "Coast Highway", "Pier Road"
)
LOOK_UP = 'Thought 1: I look the museum up.\nAction 1: PlaceInfo[{"location_address": "Old Light"}]'
DRIVE = (
    "Thought 2: Now the ways.\n"
    'Action 2: Route[{"origin": "Customs House", "destination": "Lighthouse Museum", "alternatives": true}]'
)


def test_two_rounds_and_an_answer() -> None:
    model = ScriptedModel(LOOK_UP, DRIVE, "Thought 3: 12 min beats 14 min.\nAction 3: Finish[^^2^^]")
    answer, account = run(React(), FASTEST, model, provider=harbour())
    assert (answer.status, answer.option, answer.option_index) == (Status.ANSWERED, "B", 1)
    assert [name for name, _ in calls_of(account)] == ["PlaceInfo", "Route"]
    assert "Observation 1: “Old Light” is Lighthouse Museum" in model.prompt(2)
    assert "via Pier Road (12.0 min, 3800 m); via Coast Highway (14.0 min, 5100 m)" in model.prompt(3)
    assert "1. Head north on Quay Lane" in model.prompt(3)
    assert {item.kind for item in answer.evidence} == {"place", "routes"}
    assert (answer.usage.llm_calls, answer.usage.tool_calls) == (3, 2)
    assert (answer.provider, answer.attribution) == ("recorded", "© The harbour town's mapmakers")


def test_what_the_model_makes_up_after_its_first_action_counts_for_nothing() -> None:
    made_up = LOOK_UP + "\nObservation 1: it is closed\nThought 2: so\nAction 2: Finish[^^1^^]"
    without_observation = DRIVE + "\nThought 3: so it is\nAction 3: Finish[^^1^^]"
    model = ScriptedModel(made_up, without_observation, "Action 3: Finish[2]")
    answer, account = run(React(), FASTEST, model, provider=harbour())
    assert answer.option_index == 1
    assert len(calls_of(account)) == 2
    assert "it is closed" not in model.prompt(2)
    assert "so it is" not in model.prompt(3)


@pytest.mark.parametrize(
    "words", ["I shall look at the map.", "", "Action: go to the museum", "Action 1: Route[{"]
)
def test_a_malformed_reply_is_answered_by_an_observation(words: str) -> None:
    model = ScriptedModel(words, "Action 2: Finish[^^1^^]")
    answer, account = run(React(), FASTEST, model, provider=harbour())
    assert "Observation 1: No action could be read." in model.prompt(2)
    assert answer.option_index == 0
    assert calls_of(account) == []


def test_an_invented_tool_and_wrong_arguments_are_observations() -> None:
    model = ScriptedModel(
        'Action 1: Teleport[{"to": "Mars"}]',
        'Action 2: Route[{"origin": "Quay", "travel_mode": "flying"}]',
        "Action 3: Finish[^^0^^]",
    )
    answer, _ = run(React(), FASTEST, model, provider=harbour())
    assert "There is no map tool 'Teleport'. Known: Nearby, PlaceInfo, Route, Trip." in model.prompt(2)
    assert "Route: argument 'destination'" in model.prompt(3)
    assert answer.status is Status.UNANSWERABLE


def test_a_repeated_call_ends_the_acting_and_is_not_made_again() -> None:
    again = 'Action 2: placeinfo[{"location_address": "Old Light"}]'
    model = ScriptedModel(LOOK_UP, again, "^^2^^")
    answer, account = run(React(), FASTEST, model, provider=harbour())
    assert model.labels == ["react.react_step", "react.react_step", "react.last"]
    assert "This call was made before" in model.prompt(3)
    assert len(calls_of(account)) == 1
    assert answer.option_index == 1


def test_the_last_call_asks_for_the_answer() -> None:
    calls = [f'Action {n}: PlaceInfo[{{"location_address": "Nowhere {n}"}}]' for n in range(1, 6)]
    model = ScriptedModel(*calls, "The final answer is ^^1^^")
    answer, account = run(React(), FASTEST, model, provider=harbour())
    assert model.labels[-1] == "react.last"
    assert len(calls_of(account)) == 5
    assert answer.option_index == 0


def test_action_and_input_on_two_lines_are_understood() -> None:
    two_lines = 'Thought: look\nAction: PlaceInfo\nAction Input: {"location_address": "Old Light"}'
    model = ScriptedModel(two_lines, "Final Answer: B")
    answer, account = run(React(), FASTEST, model, provider=harbour())
    assert calls_of(account) == [("PlaceInfo", {"location_address": "Old Light"})]
    assert answer.option_index == 1


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Thought: so.\nAction: Finish[^^2^^]", "^^2^^"),
        ("Action 4: Finish(2)", "2"),
        ("Action 4: finish[Pier Road (west)]", "Pier Road (west)"),
        ("Action 4: Finish: ^^2^^", "^^2^^"),
        ("Thought: to answer: I need the way", None),
        ("Thought: so.\nFinal Answer: 2", "Thought: so.\nFinal Answer: 2"),
        ('Action: PlaceInfo[{"location_address": "Finish[line]"}]', None),
        ("Thought: I will finish soon", None),
    ],
)
def test_reads_the_end(reply: str, answer: str | None) -> None:
    assert finish(reply) == answer
