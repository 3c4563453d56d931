"""ReAct, Chameleon and OctoTools over a scripted model and a recorded world."""

import pytest

from evals.methods.agents import Chameleon, OctoTools, React, finish, read_action, read_program, wants_stop
from map_tools.tools import TOOLS
from mapagent.core.answer import Status
from tests.evals.methods.context import calls_of, harbour, run, task
from tests.support.chat import ScriptedModel

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
    answer, request_context = run(React(), FASTEST, model, provider=harbour())
    assert (answer.status, answer.option, answer.option_index) == (Status.ANSWERED, "B", 1)
    assert [name for name, _ in calls_of(request_context)] == ["PlaceInfo", "Route"]
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
    answer, request_context = run(React(), FASTEST, model, provider=harbour())
    assert answer.option_index == 1
    assert len(calls_of(request_context)) == 2
    assert "it is closed" not in model.prompt(2)
    assert "so it is" not in model.prompt(3)


@pytest.mark.parametrize(
    "words", ["I shall look at the map.", "", "Action: go to the museum", "Action 1: Route[{"]
)
def test_a_malformed_reply_is_answered_by_an_observation(words: str) -> None:
    model = ScriptedModel(words, "Action 2: Finish[^^1^^]")
    answer, request_context = run(React(), FASTEST, model, provider=harbour())
    assert "Observation 1: No action could be read." in model.prompt(2)
    assert answer.option_index == 0
    assert calls_of(request_context) == []


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
    answer, request_context = run(React(), FASTEST, model, provider=harbour())
    assert model.labels == ["react.react_step", "react.react_step", "react.last"]
    assert "This call was made before" in model.prompt(3)
    assert len(calls_of(request_context)) == 1
    assert answer.option_index == 1


def test_the_last_call_asks_for_the_answer() -> None:
    calls = [f'Action {n}: PlaceInfo[{{"location_address": "Nowhere {n}"}}]' for n in range(1, 6)]
    model = ScriptedModel(*calls, "The final answer is ^^1^^")
    answer, request_context = run(React(), FASTEST, model, provider=harbour())
    assert model.labels[-1] == "react.last"
    assert len(calls_of(request_context)) == 5
    assert answer.option_index == 0


def test_action_and_input_on_two_lines_are_understood() -> None:
    two_lines = 'Thought: look\nAction: PlaceInfo\nAction Input: {"location_address": "Old Light"}'
    model = ScriptedModel(two_lines, "Final Answer: B")
    answer, request_context = run(React(), FASTEST, model, provider=harbour())
    assert calls_of(request_context) == [("PlaceInfo", {"location_address": "Old Light"})]
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


WALK = task(
    "How long is the walk from Customs House to the restaurant nearest to it?", "2 min", "5 min", "9 min"
)
NEARBY_ARGUMENTS = '{"query": "restaurant", "location": "Customs House", "radius": 1000}'
TRIP_ARGUMENTS = (
    '{"current_location": "Customs House", "visiting_places": ["Salt & Smoke"], "travel_mode": "walking"}'
)


def test_modules_run_in_order_and_see_what_came_before() -> None:
    model = ScriptedModel(
        '["Nearby", "Trip", "Solution_Generator", "Answer_Generator"]',
        f"```json\n{NEARBY_ARGUMENTS}\n```",
        TRIP_ARGUMENTS,
        "Salt & Smoke is nearest (350 m); the walk takes 5 min. ^^2^^",
    )
    answer, request_context = run(Chameleon(), WALK, model, provider=harbour())
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1)
    assert [name for name, _ in calls_of(request_context)] == ["Nearby", "Trip"]
    assert "1. Salt & Smoke, restaurant" in model.prompt(3)
    assert "walking from Customs House to Salt & Smoke: 5.0 min, 350 m" in model.prompt(4)
    assert answer.usage.llm_calls == 4


def test_a_module_may_run_for_several_places_at_once() -> None:
    places = '{"location_address": "Old Light"}\n{"location_address": "Green Bowl"}'
    model = ScriptedModel('["PlaceInfo", "Solution_Generator"]', places, "^^1^^")
    _, request_context = run(Chameleon(), WALK, model, provider=harbour())
    assert [arguments["location_address"] for _, arguments in calls_of(request_context)] == [
        "Old Light",
        "Green Bowl",
    ]


def test_a_solution_without_an_answer_is_asked_once_for_it() -> None:
    model = ScriptedModel(
        '["Solution_Generator", "Answer_Generator"]', "It takes about five minutes.", "^^2^^"
    )
    answer, _ = run(Chameleon(), WALK, model, provider=harbour())
    assert model.labels[-1] == "chameleon.last"
    assert "It takes about five minutes." in model.prompt(3)
    assert answer.option_index == 1


def test_a_plan_that_cannot_be_read_falls_back_to_the_default_program() -> None:
    model = ScriptedModel("First I would think.", "^^3^^")
    answer, request_context = run(Chameleon(), WALK, model, provider=harbour())
    assert model.labels == ["chameleon.chameleon_plan", "chameleon.chameleon_solution"]
    assert calls_of(request_context) == []
    assert answer.option_index == 2


def test_map_modules_leave_room_for_the_solution() -> None:
    modules = ["PlaceInfo"] * 9
    arguments = [f'{{"location_address": "Nowhere {n}"}}' for n in range(3)]
    model = ScriptedModel(f"{modules}", *arguments, "Nothing is known.", "^^0^^")
    answer, request_context = run(Chameleon(), WALK, model, provider=harbour())
    assert len(calls_of(request_context)) == 3
    assert answer.status is Status.UNANSWERABLE
    assert model.left == 0


def test_broken_arguments_and_repeats_are_told() -> None:
    model = ScriptedModel(
        '["Nearby", "Nearby", "Nearby", "Solution_Generator"]',
        NEARBY_ARGUMENTS,
        "around here",
        NEARBY_ARGUMENTS,
        "^^2^^",
    )
    answer, request_context = run(Chameleon(), WALK, model, provider=harbour())
    assert "[Nearby] did not run: its arguments could not be read." in model.prompt(4)
    assert "see above" in model.prompt(5)
    assert len(calls_of(request_context)) == 1
    assert answer.option_index == 1


def _tool(word: str) -> str | None:
    return next((name for name in TOOLS if name.casefold() == word.casefold().replace("_", "")), None)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        (
            "['trip', 'solution_generator', 'answer_generator']",
            ("Trip", "Solution_Generator", "Answer_Generator"),
        ),
        ('Modules: ["Place_Info", "Weather"', ("PlaceInfo", "Answer_Generator")),
        ("Route, Nearby", ("Route", "Nearby", "Answer_Generator")),
        ("[]", ("Solution_Generator", "Answer_Generator")),
        ("__import__('os').system('true')", ("Solution_Generator", "Answer_Generator")),
    ],
)
def test_reads_programs(text: str, program: tuple[str, ...]) -> None:
    assert read_program(text, _tool) == program


ANALYSIS = "The nearest restaurant and the walk to it are wanted; Nearby and Trip bring them."
NEARBY = """Sub-Goal: find the nearest restaurant
Tool: Nearby
Command: {"query": "restaurant", "location": "Customs House", "radius": 1000}"""
TRIP = """**Sub-Goal:** time the walk
**Tool Name:** `trip`
**Command:**
```json
{"current_location": "Customs House", "visiting_places": ["Salt & Smoke"], "travel_mode": "walking"}
```"""
STOP = "Explanation: all is there.\nConclusion: STOP"
CONTINUE = "Explanation: the walk is missing.\nConclusion: CONTINUE"


def test_two_steps_with_a_verdict_between() -> None:
    model = ScriptedModel(ANALYSIS, NEARBY, CONTINUE, TRIP, "The walk takes 5 min. ^^2^^")
    answer, request_context = run(OctoTools(), WALK, model, provider=harbour())
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1)
    assert [name for name, _ in calls_of(request_context)] == ["Nearby", "Trip"]
    assert [label.removeprefix("octotools.octotools_") for label in model.labels] == [
        "analysis",
        "act",
        "verify",
        "act",
        "summary",
    ]
    assert ANALYSIS in model.prompt(5)
    assert "walking from Customs House to Salt & Smoke: 5.0 min, 350 m" in model.prompt(5)


def test_the_verifier_stops() -> None:
    model = ScriptedModel(ANALYSIS, NEARBY, STOP, "^^1^^")
    answer, _ = run(OctoTools(), WALK, model, provider=harbour())
    assert answer.usage.llm_calls == 4
    assert answer.option_index == 0


def test_several_commands_of_a_step_run() -> None:
    action = 'Tool: PlaceInfo\nCommand: {"location_address": "Old Light"}\n{"location_address": "Green Bowl"}'
    model = ScriptedModel(ANALYSIS, action, STOP, "^^1^^")
    _, request_context = run(OctoTools(), WALK, model, provider=harbour())
    assert len(calls_of(request_context)) == 2


def test_the_generalist_reasons_without_the_map() -> None:
    action = 'Sub-Goal: add the times\nTool: Solution_Generator\nCommand: {"goal": "add 2 and 3 minutes"}'
    model = ScriptedModel(ANALYSIS, action, "2 + 3 = 5 min", STOP, "^^2^^")
    answer, request_context = run(OctoTools(), WALK, model, provider=harbour())
    assert "Solution_Generator: add 2 and 3 minutes" in model.prompt(3)
    assert "2 + 3 = 5 min" in model.prompt(4)
    assert calls_of(request_context) == []
    assert answer.option_index == 1


def test_rubbish_and_invented_tools_go_into_the_memory() -> None:
    invented = 'Sub-Goal: go\nTool: Teleport\nCommand: {"to": "Mars"}'
    model = ScriptedModel(ANALYSIS, invented, CONTINUE, "Let us walk there.", "^^0^^")
    answer, request_context = run(OctoTools(), WALK, model, provider=harbour())
    assert "Teleport did not run" in model.prompt(4)
    assert "The step did not run" in model.prompt(5)
    assert calls_of(request_context) == []
    assert answer.status is Status.UNANSWERABLE


def test_a_repeated_command_ends_the_loop() -> None:
    model = ScriptedModel(ANALYSIS, NEARBY, CONTINUE, NEARBY, "^^2^^")
    answer, request_context = run(OctoTools(), WALK, model, provider=harbour())
    assert len(calls_of(request_context)) == 1
    assert answer.option_index == 1


def test_code_as_a_command_is_not_run() -> None:
    code = "Sub-Goal: x\nTool: PlaceInfo\nCommand:\n```python\nexecution = tool.execute(place='Quay')\n```"
    action = read_action(code)
    assert (action.tool, action.commands) == ("PlaceInfo", ())


def test_arguments_may_be_wrapped_once_more() -> None:
    action = read_action(
        'Tool: PlaceInfo (looks up)\nCommand: {"tool": "PlaceInfo", "arguments": {"a": "b"}}'
    )
    assert (action.tool, action.commands) == ("PlaceInfo", ({"a": "b"},))


def test_reads_verdicts() -> None:
    assert wants_stop("Conclusion: STOP")
    assert wants_stop("**Conclusion:** stop")
    assert not wants_stop("Conclusion: CONTINUE")
    assert not wants_stop("We should stop soon")
