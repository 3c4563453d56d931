"""What a person does on the page, for tests to say it in a line."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CAFES = "Which cafes are within 150 m of Ateneum?"
WALK = "How long does it take to walk from Ateneum to Kiasma?"


def ask(page: "Page", question: str) -> None:
    """Types a question and presses Enter."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def answer(page: "Page", question: str) -> str:
    """Asks, waits for the answer and returns its headline."""
    ask(page, question)
    page.locator("#account-card").wait_for()
    return page.locator(".answer-text").inner_text()


def unfold(page: "Page", title: str) -> None:
    """Opens one of the folds beneath the answer."""
    page.locator(".fold > summary", has_text=title).click()


def drawn(page: "Page", what: str, at_least: int = 1) -> int:
    """Waits until so many features are drawn ("found") or marked ("chosen"), and returns how many."""
    page.wait_for_function(
        "([what, least]) => Number(document.getElementById('map').dataset[what] ?? -1) >= least",
        arg=[what, at_least],
    )
    return int(page.locator("#map").get_attribute(f"data-{what}") or "0")


def settled(page: "Page") -> None:
    """Waits until the map is drawn to its last tile."""
    page.locator("#map[data-settled='true']").wait_for()


def states(page: "Page") -> list[str]:
    """The states of the plan's steps, in order."""
    return [row.get_attribute("data-state") or "" for row in page.locator("#plan li").all()]
