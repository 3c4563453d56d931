"""Takes the pictures of the web page that the documentation shows.

    python -m scripts.docs.screenshots [NAME ...]

The page is the real one, served over the demo map with the timetable of the tests, in Debian's Chromium. Pictures are
taken anew when the page changes, all of them or those that are named; they show OpenStreetMap's data, whose credit is
on the map.
"""

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PIL import Image

from tests.mapagent.interfaces.http.browser import walk
from tests.mapagent.interfaces.http.browser.steps import answer, drawn, settled
from tests.support.browser import PHONE, browser, opened
from tests.support.http_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
WIDE = {"width": 1360, "height": 850}
COLOURS = 128
"""A palette makes the files a quarter as large, and nobody sees it on a page of few colours; a round of
k-means brings back those of small markers."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: what is done on the page, and how it is looked at."""

    name: str
    done: Callable[["Page"], object]
    dark: bool = False
    phone: bool = False


def _asking(question: str) -> Callable[["Page"], object]:
    def done(page: "Page") -> None:
        answer(page, question)
        drawn(page, "found")

    return done


SHOTS = (
    Shot("page-nearby", _asking("Which cafes are within 150 m of Ateneum?")),
    Shot("page-route-dark", _asking("How long does it take to walk from Ateneum to Kiasma?"), dark=True),
    Shot("page-phone", _asking("Which museum is closest to Kiasma?"), phone=True),
    Shot("page-talk", walk.talk),
    Shot("page-reach", walk.reach),
    Shot("page-transit", walk.ride),
    Shot("page-trip", walk.day),
    Shot("page-choice", walk.doubt),
)


def main(names: Collection[str]) -> None:
    """Takes the pictures of these names; without any, all."""
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serving(walk.timed_home(Path(folder))) as client,
        browser() as chromium,
    ):
        for shot in SHOTS:
            if names and shot.name not in names:
                continue
            size = PHONE if shot.phone else WIDE
            with opened(chromium, str(client.base_url), dark=shot.dark, size=size) as page:
                shot.done(page)
                settled(page)
                file = FOLDER / f"{shot.name}.png"
                page.screenshot(path=file)
            with Image.open(file) as picture:
                picture.convert("RGB").quantize(COLOURS, kmeans=1).save(file, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
