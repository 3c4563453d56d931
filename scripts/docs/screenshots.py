"""Takes the pictures of the web page that the documentation shows.

    python -m scripts.docs.screenshots DATA_HOME

The page is the real one, served over the demo map (`make demo` builds it below `.demo/mapagent`), in Debian's
Chromium. Pictures are taken anew when the page changes; they show OpenStreetMap's data, whose credit is on
the map.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.mapagent.faces.http.browser.steps import answer, drawn
from tests.support.browser import PHONE, browser, opened
from tests.support.http_server import serving

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
WIDE = {"width": 1360, "height": 850}
COLOURS = 192
"""A palette makes the files a quarter as large, and nobody sees it on a page of few colours."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: what is asked, and how the page is looked at."""

    name: str
    question: str
    dark: bool = False
    phone: bool = False


SHOTS = (
    Shot("page-nearby", "Which cafes are within 150 m of Ateneum?"),
    Shot("page-route-dark", "How long does it take to walk from Ateneum to Kiasma?", dark=True),
    Shot("page-phone", "Which museum is closest to Kiasma?", phone=True),
)


def main(data_home: Path) -> None:
    """Takes all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with serving(data_home) as client, browser() as chromium:
        for shot in SHOTS:
            size = PHONE if shot.phone else WIDE
            with opened(chromium, str(client.base_url), dark=shot.dark, size=size) as page:
                answer(page, shot.question)
                drawn(page, "found")
                page.wait_for_load_state("networkidle")
                file = FOLDER / f"{shot.name}.png"
                page.screenshot(path=file)
            with Image.open(file) as picture:
                picture.convert("RGB").quantize(COLOURS).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
