"""The method `octotools` with scripted roles over a recorded world."""

from evals.methods.agents import OctoTools, read_action, wants_stop
from mapagent.answer import Status
from tests.evals.methods.desk import calls_of, harbour, run, task
from tests.support.scripted_model import ScriptedModel

WALK = task(
    "How long is the walk from Customs House to the restaurant nearest to it?", "2 min", "5 min", "9 min"
)
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
    answer, account = run(OctoTools(), WALK, model, provider=harbour())
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1)
    assert [name for name, _ in calls_of(account)] == ["Nearby", "Trip"]
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
    _, account = run(OctoTools(), WALK, model, provider=harbour())
    assert len(calls_of(account)) == 2


def test_the_generalist_reasons_without_the_map() -> None:
    action = 'Sub-Goal: add the times\nTool: Solution_Generator\nCommand: {"goal": "add 2 and 3 minutes"}'
    model = ScriptedModel(ANALYSIS, action, "2 + 3 = 5 min", STOP, "^^2^^")
    answer, account = run(OctoTools(), WALK, model, provider=harbour())
    assert "Solution_Generator: add 2 and 3 minutes" in model.prompt(3)
    assert "2 + 3 = 5 min" in model.prompt(4)
    assert calls_of(account) == []
    assert answer.option_index == 1


def test_rubbish_and_invented_tools_go_into_the_memory() -> None:
    invented = 'Sub-Goal: go\nTool: Teleport\nCommand: {"to": "Mars"}'
    model = ScriptedModel(ANALYSIS, invented, CONTINUE, "Let us walk there.", "^^0^^")
    answer, account = run(OctoTools(), WALK, model, provider=harbour())
    assert "Teleport did not run" in model.prompt(4)
    assert "The step did not run" in model.prompt(5)
    assert calls_of(account) == []
    assert answer.status is Status.UNANSWERABLE


def test_a_repeated_command_ends_the_loop() -> None:
    model = ScriptedModel(ANALYSIS, NEARBY, CONTINUE, NEARBY, "^^2^^")
    answer, account = run(OctoTools(), WALK, model, provider=harbour())
    assert len(calls_of(account)) == 1
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
