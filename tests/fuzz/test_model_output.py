"""What a model or a map service writes, however broken: nothing that it did not write is read from it.

No run crashes of a model, and of a service that is wrong there is what can be read, or an error of the provider.
"""

import asyncio
import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import MapAgentError, ProviderError
from map_tools.providers.http_clients import reading
from map_tools.providers.osm_web.places import read_element, read_hit
from map_tools.providers.osm_web.routers import read_cells, read_osrm_routes
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.llm.reply import values_in
from mapagent.runtime.config import Settings
from modules.planner.planner import ModelPlanner
from tests.fuzz.damage import assert_told, damaged, mistaken
from tests.map_tools.providers.osm_web.replies import LAT, LIGHTHOUSE, LNG, node, osrm_route, osrm_step
from tests.support.chat import KEY, chat_model, completion
from tests.support.effort import effort
from tests.support.loopback import Asked, Scripted, json_reply, serving

WORLD = Path(__file__).resolve().parents[1] / "fixtures" / "worlds" / "harbour.json"
WORDS = st.text(alphabet=string.ascii_letters + ' "\\{}[],:\n', max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(WORDS, VALUES, min_size=1, max_size=4)
FORMS: tuple[dict[str, Any], ...] = (
    {"reasoning": "Customs House stands in Quay Lane.", "answer": "B"},
    {"reasoning": "It is 480 m.", "answer": "480 m"},
    {"tool": "run_query", "arguments": {"program": 'answer(place("Customs House").address)'}},
    {"tool": "run_query", "arguments": {"program": 'a = place("Customs House"\nanswer(a)', "draft": "A"}},
    {"tool": "finish", "arguments": {"outcome": "computed", "answer": "B"}},
    {"tool": "finish", "arguments": {"outcome": "unanswerable", "reason": "Nothing tells it."}},
)  # fmt: skip
"""What the prompts ask for, and more."""


def leaves(value: Any) -> set[str]:
    """The scalars of a JSON value, as JSON."""
    if isinstance(value, dict):
        return {json.dumps(key) for key in value}.union(*(leaves(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(leaves(item) for item in value))
    return {json.dumps(value)}


@effort(2)
@given(OBJECTS, st.integers(0, 400), st.booleans())
def test_a_reply_that_was_cut_off_is_never_completed_with_what_it_does_not_say(
    value: dict[str, Any], length: int, ended: bool
) -> None:
    """Only where it ended by itself a number at its end is taken for whole."""
    text = json.dumps(value)[:length]
    said = leaves(value) | {json.dumps(part) for part in _inner_texts(value)}
    for found in values_in(text, ended=ended):
        invented = {
            leaf for leaf in leaves(found) - said if not (ended and text.rstrip("]} ,").endswith(leaf))
        }
        assert invented == set()


def _inner_texts(value: Any) -> set[str]:
    """Nothing but what strings of the value hold themselves may be found beside its scalars."""
    inner: set[str] = set()
    for leaf in leaves(value):
        text = json.loads(leaf)
        if isinstance(text, str):
            for found in values_in(text):
                inner |= {json.loads(part) for part in leaves(found) if isinstance(json.loads(part), str)}
    return inner


@effort(2)
@given(OBJECTS, WORDS, WORDS, st.sampled_from(("{}{}{}", "{}```json\n{}\n```{}", "{}\n```\n{}```{}")))
def test_an_object_among_other_words_is_among_what_is_found(
    value: dict[str, Any], before: str, after: str, form: str
) -> None:
    plain = before.translate({ord(char): " " for char in '{}"`'})
    assert value in list(values_in(form.format(plain, json.dumps(value), after)))


@effort()
@given(st.text(alphabet='{}[]",:\\ \n`0-9eE+.a1tnul\ud800', max_size=200), st.booleans())
def test_no_text_breaks_the_search(text: str, ended: bool) -> None:
    for value in values_in(text, ended=ended):
        assert isinstance(value, dict | list)


TEXTS = st.one_of(
    st.sampled_from(FORMS).flatmap(mistaken).map(json.dumps),
    st.sampled_from(FORMS).map(json.dumps),
    st.sampled_from(
        ("", "other", "none", "What is the address of Customs House?", "unanswerable", "```json\n{")
    ),
    st.text(max_size=60),
)
BODIES = st.one_of(
    TEXTS.map(lambda text: json_reply(completion(text))),
    TEXTS.map(lambda text: json_reply(completion(text))),
    TEXTS.map(lambda text: json_reply(completion(text, finish_reason="length"))),
    mistaken(completion("Hello.")).map(json_reply),
    damaged(json.dumps(completion("Hello.")).encode()).map(
        lambda body: Scripted(200, body, {"content-type": "application/json"})
    ),
    st.sampled_from((400, 401, 404, 429, 500, 503)).map(
        lambda status: json_reply({"error": {}}, status=status)
    ),
)


@effort(0.1)
@given(st.lists(BODIES, min_size=1, max_size=6), st.booleans())
def test_a_model_that_babbles(bodies: list[Scripted], choose: bool) -> None:
    """Every run ends with a status, or with an error of ours that has a message."""
    replies = iter(bodies)

    def script(_: Asked) -> Scripted:
        return next(replies, bodies[-1])

    async def ask(url: str) -> Answer:
        planner = ModelPlanner(chat_model(f"{url}/v1"))
        async with MapAgent(
            Settings(model="small"), provider=RecordedProvider.open(WORLD), planner=planner
        ) as agent:
            options = ("1 Pier Road", "12 Quay Lane, Harbourtown") if choose else ()
            return await agent.ask("Customs House, where might one find that by any chance?", options=options)

    with serving(script) as server:
        try:
            answer = asyncio.run(ask(server.url))
        except MapAgentError as error:
            assert_told(error, remedy=False)
            said = str(error)
        else:
            said = answer.model_dump_json()
            assert_sane(answer)
    assert KEY not in said


def assert_sane(answer: Answer) -> None:
    """It has a status, an option of the question if any, and a reason where it answers nothing."""
    assert answer.status in Status
    assert answer.option_index in (None, 0, 1)
    if answer.status is not Status.ANSWERED:
        assert answer.reason


STOPS = (LatLng(lat=LAT, lng=LNG), LatLng(lat=-12.49, lng=45.27))
POINT = {"distance": 1.0, "location": [LNG, LAT]}
WAY = osrm_route(osrm_step("depart", "Pier Road", 2500, 1800), osrm_step("arrive", "Pier Road", 0, 0))
TABLE = {"code": "Ok", "durations": [[0, 1800]], "distances": [[0, 2500]], "sources": [POINT]}
READERS: dict[str, tuple[dict[str, Any], Callable[[Any], object]]] = {
    "a place of Nominatim": (LIGHTHOUSE, read_hit),
    "a place of Overpass": (node(1, LAT, LNG, amenity="cafe", name="Pier Cafe"), read_element),
    "ways of OSRM": (WAY, lambda reply: read_osrm_routes(reply, STOPS)),
    "a table of OSRM": (TABLE | {"destinations": [POINT, POINT]}, lambda reply: list(read_cells(reply))),
}


@pytest.mark.parametrize("name", READERS)
def test_the_samples_are_sound(name: str) -> None:
    sound, read = READERS[name]
    assert read(sound)


@pytest.mark.parametrize("name", READERS)
def test_replies_with_mistakes(name: str) -> None:
    sound, read = READERS[name]

    @effort(2)
    @given(mistaken(sound))
    def replied(value: Any) -> None:
        try:
            with reading("The server"):
                read(value)
        except ProviderError as error:
            assert_told(error, "sent a reply that cannot be read")

    replied()
