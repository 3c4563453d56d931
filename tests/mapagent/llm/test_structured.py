"""The fallback chain: which mode is tried, what is read from its reply, the one repair, and what is remembered."""

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx
import pytest
import respx
from pydantic import BaseModel, Field

from map_tools.errors import ModelReplyError
from map_tools.types import Frozen
from mapagent.core.ports import RequestContext
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.structured import plain_schema, schema_name, schema_note
from tests.support import httpx2_mock  # noqa: F401 - registers the mocker
from tests.support.chat import CLOUD, chat_model, completion, openai_error, user

pytestmark = pytest.mark.anyio

ROUTE = f"{CLOUD}/chat/completions"
GOOD = '{"place": "harbour", "minutes": 12}'
NO = httpx.Response(400, json=openai_error("'response_format' of this type is not supported"))
NO_TOOLS = httpx.Response(
    400, json=openai_error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser')
)


class Walk(Frozen):
    """A walk."""

    place: str
    minutes: int = Field(ge=0, le=600)


class Asked:
    """What a structured call came to: the value, the requests' bodies, the output modes and reasons."""

    def __init__(self, value: Walk, bodies: list[dict[str, Any]], request_context: RequestContext) -> None:
        self.value = value
        self.bodies = bodies
        spans = [span.attributes for span in request_context.trace.spans if span.name == "model"]
        self.output_modes = [span["output_mode"] for span in spans]
        self.reasons = [span["output_mode_reason"] for span in spans]


async def _ask(*answers: Any, folder: Path | None = None) -> Asked:
    request_context = RequestContext()
    model = chat_model(folder=folder)
    replies = [answer if isinstance(answer, httpx.Response) else _reply(answer) for answer in answers]
    try:
        with respx.mock(using="httpx2") as router:
            route = router.post(ROUTE).mock(side_effect=replies)
            value = await model.structured(
                user("How far?"), Walk, request_context=request_context, label="walk"
            )
            bodies = [json.loads(call.request.content) for call in route.calls]
    finally:
        await model.close()
    return Asked(value, bodies, request_context)


def _reply(answer: str | dict[str, Any]) -> httpx.Response:
    return httpx.Response(200, json=completion(answer) if isinstance(answer, str) else answer)


async def test_the_schema_comes_first_and_never_with_tools() -> None:
    asked = await _ask(GOOD)
    assert asked.value == Walk(place="harbour", minutes=12)
    (body,) = asked.bodies
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["place", "minutes"]
    assert "tools" not in body
    assert "tool_choice" not in body
    assert body["messages"] == [{"role": "user", "content": "How far?"}]
    assert (asked.output_modes, asked.reasons) == (["schema"], ["not probed: the surest first"])


async def test_a_refused_schema_falls_to_tools() -> None:
    called = completion(None, calls=(("Walk", GOOD),), finish_reason="tool_calls")
    asked = await _ask(NO, called)
    assert asked.value.minutes == 12
    (tool,) = asked.bodies[1]["tools"]
    assert tool["function"]["name"] == "Walk"
    assert not {"response_format", "tool_choice"} & asked.bodies[1].keys()
    assert asked.output_modes == ["schema", "tools"]
    assert "schema refused (400: 'response_format' of this type is not supported)" in asked.reasons[1]


async def test_refused_tools_fall_to_text() -> None:
    asked = await _ask(NO, NO_TOOLS, f"Of course!\n```json\n{GOOD}\n```")
    assert asked.value.minutes == 12
    assert asked.output_modes == ["schema", "tools", "text"]
    assert not {"response_format", "tools"} & asked.bodies[2].keys()
    assert '"required": ["place", "minutes"]' in asked.bodies[2]["messages"][-1]["content"]


async def test_a_refusal_is_remembered_by_the_next_process(tmp_path: Path) -> None:
    await _ask(NO, NO_TOOLS, GOOD, folder=tmp_path)
    (tmp_path / "model.sqlite").unlink()
    asked = await _ask(GOOD, folder=tmp_path)
    assert asked.output_modes == ["text"]
    assert asked.reasons[0].startswith("schema refused on 2")


async def test_a_request_that_every_rung_refuses_blames_no_rung(tmp_path: Path) -> None:
    with pytest.raises(ServerError) as caught:
        await _ask(NO, NO_TOOLS, NO, folder=tmp_path)
    assert caught.value.trouble is Trouble.REFUSED
    assert not (tmp_path / "models").exists()


async def test_trouble_that_is_no_refusal_does_not_change_the_rung() -> None:
    with pytest.raises(ServerError) as caught:
        await _ask(httpx.Response(401, json=openai_error("Incorrect API key provided.")))
    assert caught.value.trouble is Trouble.KEY


async def test_one_repair_with_what_is_wrong() -> None:
    asked = await _ask('{"place": "harbour", "minutes": "a dozen", "mood": "good"}', GOOD)
    assert asked.value.minutes == 12
    *_, wrong, told = asked.bodies[1]["messages"]
    assert wrong == {
        "role": "assistant",
        "content": '{"place": "harbour", "minutes": "a dozen", "mood": "good"}',
    }
    assert "minutes: Input should be a valid integer" in told["content"]
    assert "mood: Extra inputs are not permitted" in told["content"]
    assert asked.output_modes == ["schema", "schema"]


async def test_bounds_are_checked_though_no_schema_told_them() -> None:
    asked = await _ask('{"place": "harbour", "minutes": 9000}', GOOD)
    assert "less than or equal to 600" in asked.bodies[1]["messages"][-1]["content"]
    assert "maximum" not in json.dumps(asked.bodies[0])


async def test_there_is_no_second_repair() -> None:
    with pytest.raises(ModelReplyError, match=r"even told once what is wrong: minutes: Field required"):
        await _ask('{"place": "x"}', '{"place": "y"}')


async def test_a_server_that_ignores_the_schema_is_asked_in_words() -> None:
    model = chat_model()
    request_context = RequestContext()
    with respx.mock(using="httpx2") as router:
        answers = ["It is twelve minutes.", GOOD, None]
        calls = completion(None, calls=(("Walk", GOOD),))
        router.post(ROUTE).mock(side_effect=[_reply(text if text else calls) for text in answers])
        for _ in range(2):
            await model.structured(user("How far?"), Walk, request_context=request_context, label="walk")
    await model.close()
    spans = [span.attributes for span in request_context.trace.spans]
    assert [span["output_mode"] for span in spans] == ["schema", "text", "tools"]
    assert spans[2]["output_mode_reason"] == "schema ignored"


@pytest.mark.parametrize(
    "call",
    [
        completion(None, calls=(("Walk", GOOD),)),
        completion(f'```json\n{{"name": "Walk", "arguments": {GOOD}}}\n```'),
        completion(json.dumps({"name": "Walk", "arguments": GOOD})),
        completion(json.dumps({"name": "Walk", "parameters": json.loads(GOOD)})),
        completion(f"<think>{{}} maybe</think>{GOOD}"),
        completion("", calls=(("Walk", GOOD[:-1]),)),
    ],
    ids=["call", "fenced", "quoted", "parameters", "thought", "bracket missing"],
)
async def test_forms_in_which_models_write_a_call(call: dict[str, Any]) -> None:
    assert (await _ask(NO, call)).value == Walk(place="harbour", minutes=12)


async def test_a_truncated_call_is_repaired() -> None:
    cut = completion(None, calls=(("Walk", '{"place": "harbour", "minutes": 1'),), finish_reason="length")
    asked = await _ask(NO, cut, GOOD)
    assert asked.value.minutes == 12
    assert "it is too long and was cut off" in asked.bodies[2]["messages"][-1]["content"]


async def test_a_truncated_call_is_not_believed() -> None:
    """The number was 12; cut inside it, it reads as 1."""
    cut = completion(None, calls=(("Walk", '{"place": "harbour", "minutes": 1'),), finish_reason="length")
    with pytest.raises(ModelReplyError):
        await _ask(NO, cut, cut)


async def test_endless_json_of_a_real_model_is_asked_again_without_showing_it(
    said: Callable[[str], str],
) -> None:
    asked = await _ask(completion(said("smollm2_json_without_end"), finish_reason="length"), GOOD)
    assert asked.value.minutes == 12
    (only,) = asked.bodies[1]["messages"]
    assert "it repeats itself without end" in only["content"]
    assert "BUS STOP" not in only["content"]


async def test_a_real_model_that_answers_with_the_schema_is_told_so(said: Callable[[str], str]) -> None:
    asked = await _ask(said("smollm2_schema_for_answer"), GOOD)
    assert "place: Field required" in asked.bodies[1]["messages"][-1]["content"]


async def test_half_a_json_of_a_real_model_is_asked_again(said: Callable[[str], str]) -> None:
    asked = await _ask(completion(said("smollm2_half_json"), finish_reason="length"), GOOD)
    assert asked.value.minutes == 12


async def test_code_for_a_call_of_a_real_model_is_refused(said: Callable[[str], str]) -> None:
    with pytest.raises(ModelReplyError, match=r"holds no JSON object"):
        await _ask(NO, said("smollm2_code_for_call"), said("smollm2_code_for_call"))


async def test_json_in_fences_of_a_real_model(said: Callable[[str], str]) -> None:
    """Qwen2.5-Coder-1.5B, asked in words for this very shape."""
    asked = await _ask(NO, NO_TOOLS, said("qwen_fenced"))
    assert asked.value == Walk(place="Harbour", minutes=12)


async def test_a_list_of_a_real_model_is_no_object(said: Callable[[str], str]) -> None:
    asked = await _ask(NO, NO_TOOLS, said("qwen_list_for_object"), GOOD)
    assert "the object: Input should be an object" in asked.bodies[3]["messages"][-1]["content"]


class Route(Frozen):
    """A route."""

    origin: str
    destination: str


async def test_a_call_in_the_words_of_a_real_model(said: Callable[[str], str]) -> None:
    """Qwen2.5-Coder-1.5B with the function Route: no `tool_calls`, the call stands in the text."""
    model = chat_model()
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(side_effect=[NO, _reply(said("qwen_call_in_words"))])
        route = await model.structured(
            user("How do I get there?"), Route, request_context=RequestContext(), label="x"
        )
    await model.close()
    assert route == Route(origin="station", destination="harbour")


async def test_a_reply_without_a_word_does_not_speak_against_the_rung() -> None:
    request_context = RequestContext()
    model = chat_model()
    answers = [httpx.Response(200, json=completion(text)) for text in (None, GOOD, GOOD)]
    try:
        with respx.mock(using="httpx2") as router:
            router.post(ROUTE).mock(side_effect=answers)
            for _ in range(2):
                await model.structured(user("How far?"), Walk, request_context=request_context, label="walk")
    finally:
        await model.close()
    output_modes = [
        span.attributes["output_mode"] for span in request_context.trace.spans if span.name == "model"
    ]
    assert output_modes == ["schema", "text", "schema"]


class Mode(StrEnum):
    CAR = "car"
    FOOT = "foot"


class Stop(BaseModel):
    """A stop."""

    name: Annotated[str, Field(min_length=1, max_length=9999, pattern=r"\w+")]
    minutes: int | None = Field(default=None, ge=0, description="Minutes spent there.")


class Trip(BaseModel):
    """A trip with stops.

    More words.
    """

    kind: Literal["trip"] = "trip"
    mode: Mode
    stops: list[Stop] = Field(max_length=100)
    pair: tuple[float, float]
    first: Stop | None = None


def test_references_are_written_out_and_bounds_left_out() -> None:
    stop = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "minutes": {"type": ["integer", "null"], "description": "Minutes spent there."},
        },
        "required": ["name", "minutes"],
        "additionalProperties": False,
    }
    schema = plain_schema(Trip)
    assert schema["required"] == ["kind", "mode", "stops", "pair", "first"]
    assert schema["additionalProperties"] is False
    fields = schema["properties"]
    assert fields["kind"] == {"type": "string", "enum": ["trip"]}
    assert fields["mode"] == {"type": "string", "enum": ["car", "foot"]}
    assert fields["stops"] == {"type": "array", "items": stop | {"description": "A stop."}}
    assert fields["pair"] == {"type": "array", "items": {"type": "number"}}
    assert fields["first"] == stop | {"type": ["object", "null"], "description": "A stop."}


def test_a_shape_is_named_by_its_class_and_first_line() -> None:
    assert (schema_name(Trip), schema_note(Trip)) == ("Trip", "A trip with stops.")


class Knot(BaseModel):
    inner: "Knot | None" = None


class Bag(BaseModel):
    things: dict[str, int]


@pytest.mark.parametrize(("shape", "problem"), [(Knot, "holds itself"), (Bag, "free names")])
def test_what_a_plain_schema_cannot_say_is_an_error(shape: type[BaseModel], problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        plain_schema(shape)
