"""A conversation on the page: its thread, choices to click, a new one, and one that the server has let go.

Questions are programs here, so that nothing depends on how words are read.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.mapagent.interfaces.http.browser.steps import ask
from tests.support.browser import opened
from tests.support.http_server import Client, serving
from tests.support.literal import ALKO, ALKOS, EARLIER, MODEL, register, said, saying

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request


@pytest.fixture
def server(data_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A server over the demo map whose questions are programs."""
    register(tmp_path / "plugins", monkeypatch)
    with serving(data_home, state=tmp_path / "state", model=MODEL) as client:
        yield client


@pytest.fixture
def talk(chromium: "Browser", server: Client) -> Iterator["Page"]:
    """Its page."""
    with opened(chromium, str(server.base_url)) as page:
        yield page


def answered(page: "Page", question: str, answer: str) -> None:
    """Asks and waits for an answer."""
    ask(page, question)
    page.locator(".answer-text").get_by_text(answer, exact=True).wait_for()


def thread(page: "Page") -> list[str]:
    """The answers in the thread, in order."""
    return page.locator("#thread .turn-answer").all_inner_texts()


def test_questions_follow_each_other(talk: "Page") -> None:
    answered(talk, saying(1), said(1))
    assert talk.get_by_label("Your question").input_value() == "", "there is room for the next"
    answered(talk, saying(2), said(2))
    answered(talk, EARLIER, said(1, 2))
    assert thread(talk) == [said(1), said(2), said(1, 2)]
    talk.locator(".turn").first.click()
    talk.locator(".answer-text").get_by_text(said(1), exact=True).wait_for()
    assert talk.locator(".turn[aria-current]").all_inner_texts() == [f"{saying(1)}\n{said(1)}"]
    assert len(thread(talk)) == 3


def test_a_place_is_chosen_by_a_click(talk: "Page") -> None:
    ask(talk, ALKO)
    talk.locator(".choice", has_text=ALKOS[1]).click()
    talk.locator(".answer-text").get_by_text(ALKOS[1], exact=True).wait_for()
    assert thread(talk) == [ALKOS[1]], "the choice takes the place of the question"
    answered(talk, EARLIER, ALKOS[1])


def test_a_place_of_an_old_question_is_chosen_too(talk: "Page") -> None:
    ask(talk, ALKO)
    talk.locator(".choice").first.wait_for()
    talk.reload()
    talk.locator(".choice", has_text=ALKOS[0]).click()
    talk.locator(".answer-text").get_by_text(ALKOS[0], exact=True).wait_for()


def test_all_of_it_by_keyboard(talk: "Page") -> None:
    ask(talk, ALKO)
    talk.locator(".choice").first.wait_for()
    talk.keyboard.press("Tab")  # the answer's title has the focus
    talk.keyboard.press("Enter")
    talk.locator(".answer-text").get_by_text(ALKOS[0], exact=True).wait_for()
    talk.get_by_role("button", name="Ask on").press("Enter")
    talk.keyboard.type(EARLIER)
    talk.keyboard.press("Enter")
    talk.locator(".turn").nth(1).wait_for()
    assert talk.locator(".answer-text").inner_text() == ALKOS[0]
    talk.get_by_role("button", name="New conversation").press("Enter")
    talk.keyboard.type(EARLIER)  # the field has the focus
    talk.keyboard.press("Enter")
    talk.locator(".answer-text").get_by_text("nothing", exact=True).wait_for()


def test_a_new_conversation_deletes_the_old_one(talk: "Page") -> None:
    answered(talk, saying(1), said(1))

    def deleting(request: "Request") -> bool:
        return request.method == "DELETE" and "/api/conversations/" in request.url

    with talk.expect_event("requestfinished", deleting) as sent:
        talk.get_by_role("button", name="New conversation").click()
    reply = sent.value.response()
    assert reply is not None
    assert reply.status == 204
    assert thread(talk) == []
    assert not talk.locator("#results").is_visible()
    assert talk.locator("#welcome").is_visible()
    answered(talk, EARLIER, "nothing")


def test_a_new_one_stops_what_is_at_work(talk: "Page") -> None:
    answered(talk, saying(1), said(1))
    talk.route("**/api/ask/stream", lambda route: None)
    ask(talk, saying(2))
    talk.get_by_role("button", name="Stop").wait_for()
    talk.get_by_role("button", name="New conversation").click()
    talk.get_by_role("button", name="Ask", exact=True).wait_for()
    assert not talk.locator("#results").is_visible()
    assert thread(talk) == []


def test_forgetting_all_forgets_the_conversation(talk: "Page") -> None:
    answered(talk, saying(1), said(1))
    talk.get_by_role("button", name="History").click()
    talk.get_by_role("button", name="Forget all").click()
    talk.get_by_role("button", name="Really forget").click()
    talk.get_by_text("Nothing has been asked yet.").wait_for()
    talk.get_by_role("button", name="Close").click()
    answered(talk, EARLIER, "nothing")


def test_one_that_the_server_let_go_is_not_guessed(talk: "Page", server: Client) -> None:
    with talk.expect_request("**/api/ask/stream") as first:
        answered(talk, saying(1), said(1))
    assert "conversation" not in first.value.post_data_json
    with talk.expect_request("**/api/ask/stream") as second:
        answered(talk, saying(2), said(2))
    name = second.value.post_data_json["conversation"]
    assert server.delete(f"/api/conversations/{name}").status_code == 204
    ask(talk, EARLIER)
    talk.get_by_role("alert").get_by_text("no longer kept").wait_for()
    assert talk.get_by_label("Your question").input_value() == EARLIER
    assert thread(talk) == []
    talk.get_by_label("Your question").press("Enter")
    talk.locator(".answer-text").get_by_text("nothing", exact=True).wait_for()
