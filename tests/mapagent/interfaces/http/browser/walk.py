"""A walk through the page in five parts: what one test checks of each, and what the documentation shows pictures of.

Each part begins on a fresh page of a server over the demo map with the timetable of `tests.support.gtfs`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mapagent.interfaces.http.browser.steps import answer, ask, drawn
from tests.support.maps import transit_map

if TYPE_CHECKING:
    from playwright.sync_api import Page

MONDAY = "2026-11-23T07:55"
"""Five minutes before the first tram."""
SATURDAY = "2026-11-28T09:00"
REACH = "Which cafes are within a 3 minute walk of Ateneum?"
RIDE = "How do I get from Kampin kappeli to Kauppatori by public transport?"
DAY = (
    "I start at Ateneum at 10:00 and want to see Kiasma for 45 minutes and Amos Rex for half an hour, on foot. "
    "When will I be done?"
)
ALKO = "How far is Alko from Kiasma?"


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation, and the program that says in full what it asks."""

    question: str
    program: str


TALK = (
    Turn(
        "How long does it take to walk from Ateneum to Kiasma?",
        'answer(travel("Ateneum", "Kiasma", "walk").duration)',
    ),
    Turn("and by car?", 'answer(travel("Ateneum", "Kiasma", "drive").duration)'),
    Turn("When does Kiasma close on Saturday?", 'answer(closes("Kiasma", "Sat"))'),
    Turn("What about Sunday?", 'answer(closes("Kiasma", "Sun"))'),
    Turn(
        "Which cafes are within 150 m of Ateneum?",
        'answer(places("cafe", near="Ateneum", within="150 m"))',
    ),
    Turn(
        "which of them has wifi?",
        'answer(places("cafe", near="Ateneum", within="150 m", where=lambda p: p.wifi))',
    ),
)


def timed_home(folder: Path) -> Path:
    """Makes a data home of a folder, with the demo map and its timetable."""
    (folder / "maps").symlink_to(transit_map().parent)
    return folder


def now(page: "Page", moment: str) -> None:
    """Sets the moment that questions are about."""
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("“Now”").fill(moment)


def talk(page: "Page") -> list[str]:
    """Has the conversation; returns its headlines."""
    told = [answer(page, turn.question) for turn in TALK]
    drawn(page, "found")
    return told


def reach(page: "Page") -> str:
    """Asks what lies within a walk, whose area is drawn."""
    told = answer(page, REACH)
    drawn(page, "found", 2)
    return told


def ride(page: "Page") -> str:
    """Asks for a way by the timetable."""
    now(page, MONDAY)
    told = answer(page, RIDE)
    drawn(page, "found", 3)
    return told


def day(page: "Page") -> str:
    """Plans a trip with stays."""
    now(page, SATURDAY)
    told = answer(page, DAY)
    drawn(page, "found", 4)
    return told


def doubt(page: "Page") -> list[str]:
    """Asks with a name that two places have; returns the choices, which the map marks."""
    ask(page, ALKO)
    choices = page.locator(".choice")
    choices.first.wait_for()
    for number in range(choices.count()):
        page.locator(f".pin[data-number='{number + 1}']").wait_for()
    return choices.all_inner_texts()
