"""Asking about a generated picture of Helsinki, end to end and offline."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from evals.generate.map_images.generator import generate
from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.vision.ocr import is_available
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.planner.planner import ModelPlanner
from tests.map_tools.vision.drawing import face
from tests.support.chat import ScriptedModel
from tests.support.maps import demo_map

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not is_available(), reason="needs the extra 'vision'"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One generated picture with its frame."""
    face(10)
    out = tmp_path_factory.mktemp("pictures") / "helsinki"
    generate(demo_map(), 1, 11, out)
    return out


@pytest.fixture(scope="module")
def agent() -> Iterator[MapAgent]:
    """An agent without a model, over the map of Helsinki."""
    provider = OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))
    opened = MapAgent(Settings(), provider=provider)
    yield opened
    asyncio.run(opened.close())


def frame_of(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / "frames.jsonl").read_text("utf-8").splitlines()[0])
    return record


def picture(answer: Answer) -> Any:
    return next(item.value for item in answer.evidence if item.kind == "picture")


async def test_the_frame_is_found_and_the_question_answered(folder: Path, agent: MapAgent) -> None:
    truth = frame_of(folder)
    places = [label for label in truth["labels"] if label["kind"] == "poi"]
    left, right = (choose(places, key=lambda one: one["anchor_px"][0]) for choose in (min, max))
    answer = await agent.ask(
        "Which of these places is farthest to the right on the map?",
        options=(left["text"], right["text"]),
        image=folder / truth["image"],
    )
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1), answer.reason
    frame = picture(answer).frame
    assert frame is not None
    assert (frame.center.lat, frame.center.lng) == pytest.approx(
        (truth["center"]["lat"], truth["center"]["lng"]), abs=2e-4
    )
    assert frame.metres_per_px == pytest.approx(truth["metres_per_px"], rel=0.01)
    assert frame.matched >= 6


async def test_a_picture_without_text_is_unanswerable(agent: MapAgent, tmp_path: Path) -> None:
    path = tmp_path / "blank.png"
    Image.new("RGB", (400, 300), "white").save(path)
    answer = await agent.ask("How many hotels are shown?", options=("1", "2"), image=path)
    assert (answer.status, answer.option) == (Status.UNANSWERABLE, None)
    assert picture(answer).labels == ()
    assert picture(answer).reason == "No name of a place was read."


async def test_a_photo_is_no_map(agent: MapAgent, tmp_path: Path) -> None:
    """Sky, hills and grain: what a camera gives, and no text in it."""
    path = tmp_path / "photo.jpg"
    grain = Image.effect_noise((640, 420), 30).convert("RGB")
    sky = Image.linear_gradient("L").resize((640, 420)).convert("RGB")
    Image.blend(sky, grain, 0.3).save(path, quality=80)
    options = ("Harbour Hotel", "Mill Hotel")
    answer = await agent.ask("Which hotel is nearest to the station?", options=options, image=path)
    assert (answer.status, answer.option) == (Status.UNANSWERABLE, None)
    assert picture(answer).frame is None
    assert answer.reason


async def test_a_script_that_is_not_read_gives_a_clear_refusal(agent: MapAgent, tmp_path: Path) -> None:
    path = tmp_path / "cyrillic.png"
    image = Image.new("RGB", (640, 420), "#f4f2ec")
    for at, name in enumerate(("Площадь Мира", "Ёлочный базар", "Щукинский пруд", "Жёлтый дом")):
        ImageDraw.Draw(image).text((60, 60 + 80 * at), name, fill="#333333", font=face(16))
    image.save(path)
    options = ("Harbour Hotel", "Mill Hotel")
    answer = await agent.ask("Which hotel is nearest to Жёлтый дом?", options=options, image=path)
    assert (answer.status, answer.option) == (Status.UNANSWERABLE, None)
    assert picture(answer).frame is None


async def test_without_a_map_the_picture_alone_answers(folder: Path, agent: MapAgent) -> None:
    truth = frame_of(folder)
    places = [label for label in truth["labels"] if label["kind"] == "poi"]
    top, bottom = (choose(places, key=lambda one: one["anchor_px"][1]) for choose in (min, max))
    answer = await agent.ask(
        "Which of these places is farthest to the top on the map?",
        options=(bottom["text"], top["text"]),
        image=folder / truth["image"],
        use_provider=False,
    )
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1)
    assert picture(answer).frame is None


def _asked_of_a_model(folder: Path, *replies: Any) -> tuple[Answer, ScriptedModel]:
    truth = frame_of(folder)
    model = ScriptedModel(*(json.dumps({"name": tool, "arguments": given}) for tool, given in replies))
    agent = MapAgent(Settings(), planner=ModelPlanner(model))
    places = [label["text"] for label in truth["labels"] if label["kind"] == "poi"][:2]
    image = folder / truth["image"]
    asked = Question(text="Which is farther left?", options=tuple(places), image=image)
    return asyncio.run(agent.ask(asked, use_provider=False)), model


def test_marks_are_checked_against_what_was_read_before(folder: Path) -> None:
    truth = frame_of(folder)
    first, second = [label for label in truth["labels"] if label["kind"] == "poi"][:2]
    left = min((first, second), key=lambda one: one["anchor_px"][0])["text"]
    program = f'answer(min([mark("{first["text"]}"), mark("{second["text"]}")], key=lambda m: m.x))'
    answer, model = _asked_of_a_model(folder, ("run_query", {"program": program, "draft": left}))
    assert (answer.status, answer.text, model.left) == (Status.ANSWERED, left, 0), answer.reason


def test_what_the_model_alone_has_seen_is_taken_and_said(folder: Path) -> None:
    finish = {"outcome": "other", "answer": "B", "evidence": ["a red roof"], "reason": "Seen."}
    answer, model = _asked_of_a_model(folder, ("finish", finish))
    assert (answer.status, answer.option, model.left) == (Status.ANSWERED, "B", 0)
    assert "Only the language model has seen this in the picture: a red roof." in answer.warnings


def test_without_a_map_options_are_the_marks_of_their_names(folder: Path) -> None:
    truth = frame_of(folder)
    first, second = [label for label in truth["labels"] if label["kind"] == "poi"][:2]
    left = min((first, second), key=lambda one: one["anchor_px"][0])["text"]
    program = "answer(min(options, key=lambda o: o.x))"
    answer, model = _asked_of_a_model(folder, ("run_query", {"program": program, "draft": left}))
    assert (answer.status, answer.text, model.left) == (Status.ANSWERED, left, 0), answer.reason


def test_a_kind_that_is_told_of_a_mark_is_the_one_it_is_compared_by(folder: Path) -> None:
    stop = ("finish", {"outcome": "unanswerable", "reason": "not asked"})
    _, model = _asked_of_a_model(folder, stop)
    told = [line.split("; ") for line in model.asked[0][-1].text.splitlines() if "; x " in line]
    kinds = [parts[2] for parts in told if len(parts) > 2 and not parts[2].startswith("rated")]
    assert kinds
    program = f'answer(count([m for m in picture.marks if m.kind == "{kinds[0]}"]))'
    asked = Question(text="How many are there?", image=folder / frame_of(folder)["image"])
    answer = asyncio.run(MapAgent(Settings()).query(program, question=asked, use_provider=False))
    assert answer.text.partition(" ")[0] == str(kinds.count(kinds[0])), answer.reason
