"""Spatial-RAG's baselines over a small town of invented places."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from evals.methods.agents import React
from evals.methods.place_rankers import (
    RETRIEVED,
    GeoLlm,
    NaiveRag,
    SortByDistance,
    SpatialText,
    TextEmbedding,
)
from evals.methods.ranking import QuestionReader, RankingMethod
from evals.ports import EvalContext, Method, Task
from evals.registry import load_method
from evals.worlds.maps import ListedPlace, build_place_map
from map_tools.errors import UnknownNameError, UnsupportedError, UsageError
from map_tools.maps.home import MapHome
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from mapagent.core.answer import Answer, Named, NameSet, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from modules.nlu.reader import Over, Reader, Reading
from tests.evals.methods.context import harbour
from tests.support.chat import chat_model, completion, model
from tests.support.loopback import json_reply, serving

LAT, LNG = 52.0, 9.0
STEP_LNG = 100 / (111_320 * 0.6157)
"""A hundred metres to the east at 52 degrees north (cosine 0.6157)."""
TOWN = {
    "Larch Hall": (0, {"tourism": "attraction", "description": "A great hall with an organ and concerts."}),
    "Moss Bar": (1, {"amenity": "bar", "description": "Beer and loud football on large screens."}),
    "Fern Bar": (2, {"amenity": "bar", "description": "Quiet jazz concerts and an organ."}),
    "Reed Bar": (40, {"amenity": "bar", "description": "Jazz every night, quiet corners, jazz records."}),
    "Sedge Cafe": (3, {"amenity": "cafe", "description": "Coffee and cake."}),
}
WISH = "Can you recommend a quiet bar with jazz near Larch Hall?"
HASHING = {"recommender": {"embed": {"model": "hashing"}}}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    listed = [
        ListedPlace(LAT, LNG + steps * STEP_LNG, {"name": name, **tags})
        for name, (steps, tags) in TOWN.items()
    ]
    home = MapHome(tmp_path_factory.mktemp("maps"))
    build_place_map(listed, name="town", home=home, source="test", attribution="test")
    provider = OsmProvider.open(home.path("town"))
    yield provider
    asyncio.run(provider.close())


class Scripted:
    """A reader that has one program for whatever is asked."""

    def __init__(self, program: str = "") -> None:
        self._program = program

    def readings(self, question: str, options: Sequence[str], over: Over) -> list[Reading]:
        assert question
        assert (options, over) == ((), Over.MAP)
        return [Reading(self._program, 0.0)] if self._program else []


def reading(program: str) -> QuestionReader:
    return QuestionReader(cast("Reader", Scripted(program)))


BARS = reading('answer(recommend("quiet bar with jazz", near="Larch Hall")[:3])')
ANYWHERE = reading('answer(recommend("quiet bar with jazz"))')


def ask(
    method: Method,
    provider: Provider,
    text: str = WISH,
    ranked: int | None = 3,
    settings: Settings = Settings(modules=HASHING),  # noqa: B008 (it is frozen)
) -> Answer:
    context = EvalContext(settings=settings, provider=provider)
    asked = Task(question=Question(text=text), ranked=ranked)
    return asyncio.run(method.answer(asked, context, RequestContext(Ledger(settings.limits()))))


def names(answer: Answer) -> tuple[str, ...]:
    if isinstance(answer.value, Named):
        return (answer.value.name,)
    assert isinstance(answer.value, NameSet)
    return answer.value.names


def test_the_nearest_of_the_kind_first(town: Provider) -> None:
    answer = ask(SortByDistance(BARS), town)
    assert names(answer) == ("Moss Bar", "Fern Bar", "Reed Bar")
    assert [item.kind for item in answer.evidence] == ["place"]


def test_the_description_most_like_that_of_the_anchor_first(town: Provider) -> None:
    assert names(ask(TextEmbedding(BARS), town))[0] == "Fern Bar"


def test_likeness_and_distance_are_averaged(town: Provider) -> None:
    """Moss Bar is near and nothing like it, Reed Bar alike and four kilometres off; Fern Bar is both."""
    wish = "A bar near Larch Hall: quiet jazz concerts and an organ?"
    assert names(ask(SpatialText(BARS), town, wish))[0] == "Fern Bar"
    assert names(ask(SpatialText(ANYWHERE), town, "a quiet bar with jazz"))[0] == "Reed Bar"


def test_retrieval_alone_knows_no_distance_and_no_kind(town: Provider) -> None:
    method = load_method("naive-rag:retrieval")
    assert names(ask(method, town, ranked=None))[0] == "Reed Bar"
    assert len(names(ask(method, town, ranked=None))) == len(TOWN)


@pytest.mark.parametrize("method", [SortByDistance, TextEmbedding])
@pytest.mark.parametrize("reader", [ANYWHERE, reading("")])
def test_without_a_reference_object_there_is_no_order(
    method: type[RankingMethod], reader: QuestionReader, town: Provider
) -> None:
    assert ask(method(reader), town, "Somewhere quiet with jazz").status is Status.NOT_UNDERSTOOD


@pytest.mark.parametrize(
    ("program", "anchors", "category"),
    [
        ('answer(recommend("quiet bar with jazz", near="Larch Hall")[:3])', ("Larch Hall",), "bar"),
        ('answer(places("bar", near=place("Larch Hall"), within="50 m"))', ("Larch Hall",), "bar"),
        ('answer(count(places("cafe", inside="Linden Quarter")))', ("Linden Quarter",), "cafe"),
        ('a = nearest("bar", to="Moss Bar")\nanswer(nearest("cafe", to=a))', ("Moss Bar",), "bar"),
        (
            """way = travel("Larch Hall", "Moss Bar", "walk", via=["Fern Bar"])
            answer(recommend("cosy cafe", along=way, inside=area("Linden Quarter")))""",
            ("Larch Hall", "Moss Bar", "Fern Bar", "Linden Quarter"),
            "cafe",
        ),
        ('answer(recommend("cosy cafe", near=here, inside="<map>"))', ("here",), "cafe"),
        ('answer(distance("Larch Hall", "Moss Bar"))', ("Larch Hall", "Moss Bar"), ""),
        ('unanswerable("opinion")', (), ""),
    ],
)
def test_a_program_is_read_for_anchors_and_kind(
    program: str, anchors: tuple[str, ...], category: str
) -> None:
    read = reading(program).read(Question(text=WISH))
    assert read.anchors == anchors
    assert category in read.categories if category else not read.categories


def test_a_map_elsewhere_cannot_be_ranked_as_a_whole() -> None:
    with pytest.raises(UnsupportedError, match="ranks all places"):
        ask(SortByDistance(BARS), harbour())


def test_unknown_variants_are_told() -> None:
    with pytest.raises(UnknownNameError, match="retrieval"):
        NaiveRag().variant("nothing")


@pytest.mark.parametrize("method", [NaiveRag(), GeoLlm(BARS)], ids=lambda method: method.name)
def test_the_others_need_a_model(method: Method, town: Provider) -> None:
    with pytest.raises(UsageError, match="needs a language model"):
        ask(method, town)


def served(method: Method, provider: Provider, folder: Path, *replies: str) -> tuple[Answer, list[str]]:
    """The answer of a method, and the users' words of each request that its model server got."""
    said = list(replies)

    async def work(url: str) -> Answer:
        settings = Settings(model="small", modules=HASHING)
        model = chat_model(f"{url}/v1", folder=folder)
        context = EvalContext(settings=settings, provider=provider, model=model)
        try:
            asked = Task(question=Question(text=WISH), ranked=3)
            return await method.answer(asked, context, RequestContext(Ledger(settings.limits())))
        finally:
            await model.close()

    with serving(lambda _: json_reply(completion(said.pop(0)))) as server:
        answer = asyncio.run(work(server.url))
        bodies: list[dict[str, Any]] = [json.loads(one.body) for one in server.asked]
    return answer, [body["messages"][-1]["content"] for body in bodies]


def test_naive_rag_puts_the_most_alike_before_the_model(town: Provider, tmp_path: Path) -> None:
    answer, prompts = served(NaiveRag(), town, tmp_path, "Answer: Reed Bar; Fern Bar")
    assert (answer.status, answer.text) == (Status.ANSWERED, "Reed Bar; Fern Bar")
    (prompt,) = prompts
    found = prompt.partition("Places found:\n")[2].splitlines()[: min(RETRIEVED, len(TOWN))]
    assert [line.split(".")[0] for line in found] == ["1", "2", "3", "4", "5"]
    assert found[0].startswith("1. Reed Bar")
    assert "Jazz every night" in found[0]
    assert "Name up to 3 places, best first" in prompt


def test_geollm_tells_names_distances_and_directions_only(town: Provider, tmp_path: Path) -> None:
    answer, prompts = served(GeoLlm(BARS), town, tmp_path, "Answer: Fern Bar")
    assert answer.text == "Fern Bar"
    (prompt,) = prompts
    assert "Larch Hall. Coordinates: (52" in prompt
    nearby = prompt.partition("Nearby places:\n")[2].splitlines()[:3]
    assert nearby == ["0.1 km east: Moss Bar", "0.2 km east: Fern Bar", "4.0 km east: Reed Bar"]
    assert "football" not in prompt


def test_react_names_several_places_best_first(town: Provider, tmp_path: Path) -> None:
    act = 'Action 1: Nearby[{"query": "bar", "location": "Larch Hall", "radius": 1000}]'
    answer, prompts = served(React(), town, tmp_path, act, "Action 2: Finish[Fern Bar; Moss Bar]")
    assert answer.text == "Fern Bar; Moss Bar"
    assert "Fern Bar" in prompts[1]
    assert all("Name up to 3 places, best first, separated by semicolons." in prompt for prompt in prompts)


def agent(method: Method, provider: Provider, folder: Path, ranked: int) -> tuple[str, ...]:
    """What the agent names where a model writes the program, and leaves reading and order to the scores."""
    with model(f'answer(recommend("quiet bar with jazz", near="Larch Hall")[:{ranked}])') as server:
        given = Settings(
            model="small", base_url=f"{server.url}/v1", data_home=folder, model_cache=False, modules=HASHING
        )
        return names(ask(method, provider, ranked=ranked, settings=given))


def test_the_agent_names_as_many_as_are_wanted(town: Provider, tmp_path: Path) -> None:
    for wanted in (1, 2):
        assert len(agent(load_method("mapagent"), town, tmp_path, wanted)) == wanted


@pytest.mark.parametrize(
    ("part", "first"),
    [
        ("sparse-spatial", "Reed Bar"),  # the most alike, however far
        ("dense-semantic", "Moss Bar"),  # the nearest, whatever it is like
        ("dense-spatial", "Fern Bar"),
        ("pareto", "Fern Bar"),
        ("reranking", "Fern Bar"),
    ],
)
def test_each_part_of_the_recommender_can_be_taken_out(
    part: str, first: str, town: Provider, tmp_path: Path
) -> None:
    assert agent(load_method(f"mapagent:no-{part}"), town, tmp_path, 3)[0] == first
