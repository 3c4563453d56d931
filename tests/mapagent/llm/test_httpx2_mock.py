"""The mocks bite: what the client sends through httpx2 is caught, and what is not mocked fails."""

import httpx
import httpx2
import pytest
import respx

from mapagent.core.ports import RequestContext
from tests.support import httpx2_mock
from tests.support.chat import CLOUD, chat_model, completion, user

pytestmark = pytest.mark.anyio


def test_the_mocker_is_registered() -> None:
    assert httpx2_mock.Httpx2Mocker.name == "httpx2"


async def _ask() -> str:
    model = chat_model()
    try:
        return (await model.complete(user("Hi"), request_context=RequestContext(), label="test")).text
    finally:
        await model.close()


async def test_a_mocked_request_is_answered_and_nothing_is_sent() -> None:
    with respx.mock(using="httpx2") as router:
        route = router.post(f"{CLOUD}/chat/completions").mock(
            return_value=httpx.Response(200, json=completion())
        )
        assert await _ask() == "Hello."
    assert route.call_count == 1
    assert b'"Hi"' in route.calls[0].request.content


async def test_a_request_that_is_not_mocked_fails() -> None:
    with respx.mock(using="httpx2", assert_all_called=False) as router:
        router.get("https://elsewhere.example/")
        with pytest.raises(AssertionError, match=r"not mocked"):
            await _ask()


async def test_respx_alone_does_not_see_the_client() -> None:
    with respx.mock(assert_all_called=False) as router:
        route = router.post(f"{CLOUD}/chat/completions").mock(
            return_value=httpx.Response(200, json=completion())
        )
        # The network guard of the tests stops it, or the name cannot be resolved: it was on its way out.
        with pytest.raises(Exception, match=r"cannot be reached|tried to reach"):
            await _ask()
    assert route.call_count == 0


async def test_mocked_failures_are_those_of_httpx2() -> None:
    with respx.mock(using="httpx2") as router:
        router.get("https://x.example/").mock(side_effect=httpx.ConnectError)
        async with httpx2.AsyncClient() as client:
            with pytest.raises(httpx2.ConnectError):
                await client.get("https://x.example/")


def test_blocking_clients_are_caught_too() -> None:
    with respx.mock(using="httpx2") as router, httpx2.Client() as client:
        router.get("https://x.example/").mock(return_value=httpx.Response(200, text="ok"))
        assert client.get("https://x.example/").text == "ok"
