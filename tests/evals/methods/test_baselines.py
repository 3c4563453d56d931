"""The model alone, and a random answer."""

from io import BytesIO
from pathlib import Path

import anyio
import pytest
from PIL import Image

from evals.answers import AnswerKind
from evals.methods.baselines import RANGES, Direct, DirectGsqa, RandomAnswer, kind_of
from evals.ports import EvalContext, Task
from map_tools.errors import ConfigError, InputFileError
from mapagent.core.answer import Answer, Named, Quantity, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.llm.request import SHOWN_SIDE_PX
from mapagent.runtime.config import Settings
from tests.evals.methods.context import run, task
from tests.support.chat import ScriptedModel
from tests.support.maps import demo_map

TASK = Task(
    question=Question(text="Which is nearer?", options=("North Mill", "Copper Inn"), context="The inn is.")
)


def ask(model: ScriptedModel) -> tuple[Answer, RequestContext]:
    async def main() -> tuple[Answer, RequestContext]:
        request_context = RequestContext()
        return await Direct().answer(
            TASK, EvalContext(Settings(), model=model), request_context
        ), request_context

    return anyio.run(main)


def test_one_request_with_context_question_and_options() -> None:
    model = ScriptedModel("^^2^^")
    answer, request_context = ask(model)
    assert (answer.option, answer.text) == ("B", "Copper Inn")
    assert request_context.ledger.llm_calls == 1
    for words in ("The inn is.", "Which is nearer?", "North Mill", "Copper Inn", "Unanswerable"):
        assert words in model.prompt(1)


def test_the_model_alone_sees_the_picture(tmp_path: Path) -> None:
    picture = tmp_path / "map.webp"
    Image.new("RGB", (3000, 40), "red").save(picture)
    model = ScriptedModel("^^1^^")
    run(Direct(), task("What is red?", "The map", "Nothing", image=picture), model)
    (request,) = model.asked
    (shown,) = request[-1].images
    with Image.open(BytesIO(shown)) as seen:
        assert seen.format == "PNG"
        assert seen.width == SHOWN_SIDE_PX
        assert seen.getpixel((0, 0)) == pytest.approx((255, 0, 0), abs=8)


def test_a_picture_that_is_none_is_an_error(tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    picture.write_text("no picture")
    with pytest.raises(InputFileError):
        run(Direct(), task("What is red?", "The map", image=picture), ScriptedModel("^^1^^"))


def test_a_refusal_and_a_reply_that_says_nothing() -> None:
    assert ask(ScriptedModel("^^0^^"))[0].status is Status.UNANSWERABLE
    assert ask(ScriptedModel("Hard to say."))[0].status is Status.NOT_UNDERSTOOD


def test_rules_and_question_and_nothing_else() -> None:
    model = ScriptedModel(" Old Mill \n")
    answer, request_context = run(DirectGsqa(), task("Which mill is nearest?"), model)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Old Mill")
    assert request_context.ledger.llm_calls == 1
    (request,) = model.asked
    assert [message.role for message in request] == ["system", "user"]
    assert "metric" in request[0].text
    assert request[1].text == "Which mill is nearest?"


def test_an_empty_reply_is_no_answer() -> None:
    answer, _ = run(DirectGsqa(), task("Which mill is nearest?"), ScriptedModel("  "))
    assert answer.status is Status.NOT_UNDERSTOOD


def test_it_needs_a_model() -> None:
    with pytest.raises(ConfigError, match="--model"):
        run(DirectGsqa(), task("Which mill is nearest?"), None)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many mills are there in Westport?", "count"),
        ("What is the total area of all lakes in Westport?", "area"),
        ("What is the total length of all streams in Westport?", "length"),
        ("How far is the nearest mill from Old Quay?", "distance"),
        ("In which direction is the nearest mill?", "angle"),
        ("Where can I find a mill?", "loc"),
        ("Which mill is nearest to Old Quay?", "name"),
    ],
)
def test_the_type_is_what_the_words_ask_for(question: str, kind: AnswerKind) -> None:
    assert kind_of(question) == kind


def test_numbers_are_in_range_and_do_not_change() -> None:
    first, _ = run(RandomAnswer(), task("How far is it?"), None)
    again, _ = run(RandomAnswer(), task("How far is it?"), None)
    assert first == again
    assert isinstance(first.value, Quantity)
    low, high, unit = RANGES["distance"]
    assert low <= first.value.value <= high
    assert first.value.unit == unit


def test_an_option_where_there_are_options() -> None:
    answer, _ = run(RandomAnswer(), task("Which?", "Old Mill", "Quay"), None)
    assert answer.text in {"Old Mill", "Quay"}
    assert answer.option_index in {0, 1}


def test_a_place_of_the_map(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "helsinki").symlink_to(demo_map())
    answer, _ = run(RandomAnswer(), task("Which mill is nearest?"), None, map="helsinki", data_home=tmp_path)
    assert isinstance(answer.value, Named)
    assert answer.value.place is not None
    assert answer.value.place.location is not None


def test_without_a_map_there_is_no_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="map"):
        run(RandomAnswer(), task("Which mill is nearest?"), None, data_home=tmp_path)
