"""Taking answers away from the page: files, and a link to the question."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tests.mapagent.interfaces.http.browser.steps import CAFES, WALK, answer
from tests.mapagent.interfaces.takeaway.readers import read_gpx

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_the_buttons_save_files(page: "Page", tmp_path: Path) -> None:
    answer(page, WALK)
    buttons = page.locator(".takeaway button")
    assert buttons.all_inner_texts() == ["GeoJSON", "GPX", "Picture"], "a walk is nothing for a calendar"
    with page.expect_download() as download:
        page.get_by_role("button", name="GPX").click()
    download.value.save_as(tmp_path / "walk.gpx")
    assert download.value.suggested_filename.endswith(".gpx")
    assert list(read_gpx((tmp_path / "walk.gpx").read_text("utf-8")).tracks) == ["Ateneum → Kiasma"]


def test_the_link_opens_the_same_question(page: "Page") -> None:
    answer(page, CAFES)
    link = page.get_by_role("link", name="Link to this question").get_attribute("href") or ""
    assert parse_qs(urlsplit(link).query)["question"] == [CAFES]
    page.goto("about:blank")
    page.goto(link)
    page.locator("#account-card").wait_for()
    assert page.get_by_label("Your question").input_value() == CAFES
    assert "Roasberg" in page.locator(".places").inner_text()
    page.goto("about:blank")
    page.goto(link.partition("#")[0])
    page.locator(".example").first.wait_for()
    assert page.get_by_label("Your question").input_value() == CAFES
    assert not page.locator("#results").is_visible(), "nothing is asked because somebody followed a link"
