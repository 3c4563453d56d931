"""Providers and models while their servers fail: a right answer, or an error that says why."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks.chaos.proxy import ChaosProxy, FaultKind, Plan, ServerKind, kinds_at
from benchmarks.chaos.ways import CLOCK, google_provider, running_oracle
from map_tools.errors import ModelError, PlaceNotFoundError
from map_tools.providers.osm import OsmProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import running
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.llm.client import OpenAiChat
from mapagent.llm.server import Pace
from mapagent.runtime.config import Settings
from modules.planner.prompting import tool_cards
from tests.benchmarks.chaos.first_time import Always, FirstTime
from tests.support.chat import Sleeper, chat_model, user
from tests.support.maps import demo_map

PROVIDERS = ("google", "google-legacy")
QUESTIONS = (
    "What is the phone number of Hotel Arthur?",
    "How many pharmacies are within 500 m of Kinopalatsi?",
    "How long is the walk from Kinopalatsi to Hotel Arthur?",
    "How long does it take to walk from Kinopalatsi to Zetor and then on to Bio Rex?",
)
ATTEMPT_S = 5.0
"""Long enough for a sound reply on a busy machine."""
IMPATIENT_S = 0.4


@pytest.fixture(scope="module")
def emulator() -> Iterator[str]:
    world = OsmProvider.open(demo_map())
    with running(Backend(world, CLOCK, token_delay_s=0)) as address:
        yield address
    asyncio.run(world.close())


class Asked:
    """Questions asked through a proxy; remembers waits and strikes."""

    def __init__(
        self,
        emulator: str,
        provider: str,
        plan: Plan,
        *,
        attempt_s: float = ATTEMPT_S,
        deadline_s: float = 60.0,
    ) -> None:
        self.sleep = Sleeper()
        self.proxy = ChaosProxy(emulator, plan, drip_s=2 * attempt_s)
        self._provider = provider
        self._attempt_s = attempt_s
        self._deadline_s = deadline_s

    def answers(self, folder: Path, questions: Sequence[str] = QUESTIONS) -> list[Answer]:
        return asyncio.run(self._ask(folder, questions))

    async def _ask(self, folder: Path, questions: Sequence[str]) -> list[Answer]:
        async with self.proxy.running() as base_url:
            provider = google_provider(self._provider, base_url, self._attempt_s, self.sleep)
            settings = Settings(data_home=folder, deadline_s=self._deadline_s)
            async with MapAgent(settings, provider=provider, clock=CLOCK) as agent:
                return [await agent.ask(text) for text in questions]


@pytest.fixture(scope="module")
def sound(emulator: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Answer]]:
    """What is answered while nothing fails."""
    folder = tmp_path_factory.mktemp("sound")
    return {name: Asked(emulator, name, Never()).answers(folder) for name in PROVIDERS}


class Never:
    """Strikes nothing."""

    def next(self, identity: bytes) -> None:
        return None


def shown(answers: Sequence[Answer]) -> list[tuple[Status, str, tuple[str, ...]]]:
    return [(answer.status, answer.text, answer.warnings) for answer in answers]


def test_the_questions_are_answered_while_nothing_fails(sound: dict[str, list[Answer]]) -> None:
    for answers in sound.values():
        assert [answer.status for answer in answers] == [Status.ANSWERED] * len(QUESTIONS)
    assert sound["google"][0].text == "+358 9 173 441"  # the extract's tag `phone`


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "kind", [kind for kind in kinds_at(ServerKind.MAP, recoverable=True) if kind is not FaultKind.DRIP]
)
def test_a_fault_that_passes_changes_no_answer(
    kind: FaultKind, provider: str, emulator: str, sound: dict[str, list[Answer]], tmp_path: Path
) -> None:
    asked = Asked(emulator, provider, FirstTime(kind))
    assert shown(asked.answers(tmp_path)) == shown(sound[provider])
    assert asked.proxy.struck[kind] >= 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_reply_that_drips_in_is_given_up_and_asked_for_again(
    provider: str, emulator: str, sound: dict[str, list[Answer]], tmp_path: Path
) -> None:
    asked = Asked(emulator, provider, FirstTime(FaultKind.DRIP), attempt_s=IMPATIENT_S)
    (answer,) = asked.answers(tmp_path, QUESTIONS[:1])
    assert answer.text == sound[provider][0].text
    assert asked.proxy.struck[FaultKind.DRIP] >= 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_where_every_reply_drips_the_deadline_ends_the_question(
    provider: str, emulator: str, tmp_path: Path
) -> None:
    asked = Asked(emulator, provider, Always(FaultKind.DRIP), attempt_s=300.0, deadline_s=1.5)
    (answer,) = asked.answers(tmp_path, QUESTIONS[3:])
    assert answer.status is Status.LIMIT
    assert "The deadline of 1.5 s passed" in answer.reason


@pytest.mark.parametrize(
    ("kind", "waits_s"),
    [(FaultKind.BUSY_TOLD, {1.0}), (FaultKind.BUSY, {0.5}), (FaultKind.CLOCK_SKEW, {1.0})],
)
def test_it_waits_as_long_as_asked_by_the_servers_own_clock(
    kind: FaultKind, waits_s: set[float], emulator: str, tmp_path: Path
) -> None:
    asked = Asked(emulator, "google", FirstTime(kind))
    asked.answers(tmp_path, QUESTIONS[:1])
    assert set(asked.sleep.waits_s) == waits_s


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_stays_down_is_named_after_five_attempts(
    provider: str, emulator: str, tmp_path: Path
) -> None:
    asked = Asked(emulator, provider, Always(FaultKind.UNAVAILABLE))
    (answer,) = asked.answers(tmp_path, QUESTIONS[:1])
    assert answer.status is Status.UNANSWERABLE
    assert "Google's Places API" in answer.reason
    assert asked.sleep.waits_s == [0.5, 1.0, 2.0, 4.0]


def test_an_id_that_has_gone_stale_leads_to_a_new_look_up(emulator: str, tmp_path: Path) -> None:
    asked = Asked(emulator, "google-legacy", FirstTime(FaultKind.STALE_ID))
    (answer,) = asked.answers(tmp_path, QUESTIONS[:1])
    assert answer.text == "+358 9 173 441"
    assert asked.proxy.requests == 4  # the name, its id in vain, the name again, its id


def test_where_no_id_is_known_any_more_ways_begin_at_positions(
    emulator: str, sound: dict[str, list[Answer]], tmp_path: Path
) -> None:
    for provider in PROVIDERS:
        asked = Asked(emulator, provider, Always(FaultKind.STALE_ID))
        answers = asked.answers(tmp_path, QUESTIONS[2:])
        assert [answer.text for answer in answers] == [answer.text for answer in sound[provider][2:]]


def test_a_place_whose_ids_are_never_good_is_named(emulator: str, tmp_path: Path) -> None:
    asked = Asked(emulator, "google-legacy", Always(FaultKind.STALE_ID))
    (answer,) = asked.answers(tmp_path, QUESTIONS[:1])
    assert answer.status is Status.UNANSWERABLE
    assert "Google has no place with the id" in answer.reason
    # Found, its details, found anew, the details of that; and the details once more when they are asked for.
    assert asked.proxy.requests == 6


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_empty_list_is_told_as_what_was_not_found(provider: str, emulator: str, tmp_path: Path) -> None:
    asked = Asked(emulator, provider, Always(FaultKind.EMPTY_LIST))
    phone, _, walk, trip = asked.answers(tmp_path)
    assert {phone.status, walk.status, trip.status} == {Status.UNANSWERABLE}
    assert "Hotel Arthur" in phone.reason
    assert "Kinopalatsi" in walk.reason


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("seed", range(4))
def test_a_missing_field_is_never_taken_for_nothing(
    provider: str, seed: int, emulator: str, sound: dict[str, list[Answer]], tmp_path: Path
) -> None:
    asked = Asked(emulator, provider, Always(FaultKind.MISSING_FIELDS, seed))
    for answer, usual in zip(asked.answers(tmp_path), sound[provider], strict=True):
        if answer.status is not Status.ANSWERED:
            assert answer.reason
        elif answer.text != usual.text:
            assert set(answer.warnings) - set(usual.warnings)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_unknown_id_is_an_error_of_its_own(provider: str, emulator: str) -> None:
    async def run() -> None:
        place = google_provider(provider, emulator, ATTEMPT_S)
        try:
            await place.place_details("ChIJnothing-of-ours")
        finally:
            await place.close()

    with pytest.raises(PlaceNotFoundError):
        asyncio.run(run())


QUESTION = "Which cinema is closest to Hotel Arthur?"


def with_model[T](
    plan: FirstTime | Always, use: Callable[[OpenAiChat], Awaitable[T]], sleep: Sleeper | None = None
) -> tuple[T, ChaosProxy]:
    """What comes of using a model whose server stands behind a proxy."""

    async def run() -> tuple[T, ChaosProxy]:
        reader = MapAgent(provider=OsmProvider.open(demo_map()))
        async with reader, running_oracle(reader) as server:
            proxy = ChaosProxy(server, plan, drip_s=2 * IMPATIENT_S)
            async with proxy.running() as base_url:
                pace = Pace(timeout_s=IMPATIENT_S if plan.kind is FaultKind.DRIP else 10.0)
                model = chat_model(f"{base_url}/v1", pace=pace, sleep=sleep)
                try:
                    return await use(model), proxy
                finally:
                    await model.close()

    return asyncio.run(run())


async def written(model: OpenAiChat) -> str:
    """The program that the server writes; a turn without a call is asked for again, as the planner does."""
    for _ in range(2):
        reply = await model.converse(
            user(f"Question: {QUESTION}"),
            tool_cards("programs"),
            request_context=RequestContext(),
            label="planner",
        )
        if reply.calls:
            break
    (use,) = reply.calls
    return str(use.arguments["program"])


@pytest.mark.parametrize("kind", kinds_at(ServerKind.MODEL, recoverable=True))
def test_a_fault_that_passes_changes_no_reply(kind: FaultKind) -> None:
    program, proxy = with_model(FirstTime(kind), written)
    assert '"Hotel Arthur"' in program
    assert proxy.struck[kind] >= 1


@pytest.mark.parametrize(
    ("kind", "waits_s"),
    [
        (FaultKind.BUSY_TOLD, [1.0]),
        (FaultKind.BUSY, [0.5]),
        (FaultKind.CLOCK_SKEW, [1.0]),
        (FaultKind.WRONG_TYPE, []),
    ],
)
def test_a_model_server_is_waited_for_as_long_as_it_asks(kind: FaultKind, waits_s: list[float]) -> None:
    sleep = Sleeper()
    with_model(FirstTime(kind), written, sleep)
    assert sleep.waits_s == waits_s


@pytest.mark.parametrize(
    ("kind", "attempts"), [(FaultKind.FAILURE, 5), (FaultKind.RESET, 5), (FaultKind.WEB_PAGE, 4)]
)
def test_a_server_that_stays_broken_is_given_up(kind: FaultKind, attempts: int) -> None:
    async def fails(model: OpenAiChat) -> None:
        with pytest.raises(ModelError, match=r"http://127\.0\.0\.1"):
            await written(model)

    _, proxy = with_model(Always(kind), fails)
    assert proxy.requests == attempts


def test_a_question_read_through_a_failing_server_is_answered(tmp_path: Path) -> None:
    async def run() -> tuple[Status, str]:
        reader = MapAgent(provider=OsmProvider.open(demo_map()))
        async with reader, running_oracle(reader) as server:
            proxy = ChaosProxy(server, FirstTime(FaultKind.HALF_JSON))
            async with proxy.running() as base_url:
                settings = Settings(
                    data_home=tmp_path, base_url=f"{base_url}/v1", model="oracle", model_cache=False
                )
                async with MapAgent(settings, provider=OsmProvider.open(demo_map())) as agent:
                    answer = await agent.ask(QUESTION)
        return answer.status, answer.text

    status, text = asyncio.run(run())
    assert status is Status.ANSWERED
    assert "Kinopalatsi" in text  # `h03` of benchmarks/smoke/questions.toml
