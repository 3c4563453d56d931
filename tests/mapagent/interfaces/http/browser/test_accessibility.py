"""The page by keyboard alone and as axe-core judges it (WCAG 2.2, levels A and AA)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.mapagent.interfaces.http.browser.steps import CAFES, WALK, answer, ask, unfold
from tests.support.browser import DESKTOP, PHONE, opened
from tests.support.http_server import Client

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SERIOUS = {"serious", "critical"}


def empty(page: "Page") -> None:
    page.locator(".example").first.wait_for()


def answered(page: "Page") -> None:
    answer(page, CAFES)
    for title in ("What it rests on", "Plan", "Edit and run", "What it took"):
        unfold(page, title)
    page.locator(".fact > summary").last.click()
    page.get_by_text("Trace", exact=True).click()
    page.locator(".hours summary").first.click()
    page.locator(".pin").first.click()
    page.locator(".span-name").first.wait_for()


def with_everything_open(page: "Page") -> None:
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("Answers to choose from").fill("a\nb")
    page.get_by_label("“Now”").fill("2026-11-22T18:00")


def refused(page: "Page") -> None:
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("“Here”").fill("teatime")
    ask(page, CAFES)
    page.locator(".problem").wait_for()


def looked_back(page: "Page") -> None:
    answer(page, WALK)
    page.get_by_role("button", name="History").click()
    page.locator(".asked-item").first.wait_for()


def a_way(page: "Page") -> None:
    answer(page, WALK)
    page.locator(".steps summary").click()


def in_a_conversation(page: "Page") -> None:
    answer(page, WALK)
    ask(page, "What is the address of Alko?")
    page.locator(".choice").first.wait_for()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "state", [empty, answered, with_everything_open, refused, looked_back, a_way, in_a_conversation]
)
def test_axe_finds_nothing_serious(
    chromium: "Browser", client: Client, state: Callable[["Page"], None], dark: bool
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the group 'browser'")
    size = PHONE if state is with_everything_open else DESKTOP
    with opened(chromium, str(client.base_url), dark=dark, size=size) as page:
        state(page)
        found = axe.Axe().run(page).response["violations"]
    assert [told(each) for each in found if each["impact"] in SERIOUS] == []


def told(violation: dict[str, Any]) -> tuple[str, list[str]]:
    return violation["id"], [node["html"][:200] for node in violation["nodes"]]


def test_everything_is_reached_by_keyboard(page: "Page") -> None:
    page.locator(".example").first.wait_for()
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the question"
    page.keyboard.press("Enter")
    page.keyboard.type(CAFES)
    page.keyboard.press("Enter")
    page.locator("#account-card").wait_for()
    assert focused(page) == "Answer", "the answer is read out next"
    assert CAFES.split()[0] not in page.locator("#live").inner_text()
    assert "answered" in page.locator("#live").inner_text()
    page.keyboard.press("Tab")
    assert focused(page) == "unnamed cafe", "the first card comes next"
    page.locator(".pin").first.wait_for()
    page.keyboard.press("Enter")
    page.locator(".popup strong", has_text="unnamed cafe").wait_for()
    assert focused(page) == "unnamed cafe", "and keeps the focus"
    page.locator("#evidence-card > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert "Ateneum" in focused(page), "what it rests on"
    page.keyboard.press("Enter")
    assert page.locator(".fact[open]").count() == 1
    page.keyboard.press("Enter")
    assert page.locator(".fact[open]").count() == 0
    reach(page, "History")
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")


def focused(page: "Page") -> str:
    return str(page.evaluate("document.activeElement.textContent.trim()"))


def reach(page: "Page", text: str) -> None:
    """Goes back with Shift+Tab until the element with this text has the focus."""
    for _ in range(60):
        if focused(page) == text:
            return
        page.keyboard.press("Shift+Tab")
    raise AssertionError(f"'{text}' cannot be reached")
