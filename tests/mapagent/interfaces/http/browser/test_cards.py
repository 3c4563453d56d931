"""Answers as people read them and take them away: cards, ways, follow-ups, programs to edit, files, links."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.mapagent.interfaces.http.browser.steps import CAFES, WALK, answer, ask, states, unfold
from tests.mapagent.interfaces.takeaway.readers import read_gpx
from tests.support.awkward import WORLD
from tests.support.browser import PHONE, opened
from tests.support.http_server import Client, serving
from tests.support.literal import ALKOS, EARLIER, MODEL, register

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MUSEUM = "Which museum is closest to Kiasma?"
TRIP = (
    "I start at Ateneum at 10:00 and want to see Kiasma for 45 minutes and Amos Rex for half an hour, on foot. "
    "When will I be done?"
)
NUMBERS = ["1", "2", "3", "4", "5", "6"]
"""Six cafes of the demo extract lie within 150 m of Ateneum."""


@pytest.fixture
def talk(
    chromium: "Browser", data_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator["Page"]:
    """The page of a server over the demo map whose questions are programs."""
    register(tmp_path / "plugins", monkeypatch)
    with (
        serving(data_home, state=tmp_path / "state", model=MODEL) as client,
        opened(chromium, str(client.base_url)) as page,
    ):
        yield page


def card(page: "Page", name: str) -> "Locator":
    return page.locator(".place-card", has=page.get_by_role("button", name=name, exact=True))


def pin(page: "Page", number: str) -> "Locator":
    return page.locator(f".pin[data-number='{number}']")


def classes(of: "Locator") -> set[str]:
    return set((of.get_attribute("class") or "").split())


def middle(of: "Locator") -> tuple[float, float]:
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_list_has_cards_with_the_numbers_of_their_markers(page: "Page") -> None:
    assert answer(page, CAFES) == "6 places, the nearest 90 m from Ateneum"
    pin(page, "6").wait_for()
    assert page.locator(".place-card .number").all_inner_texts() == NUMBERS
    assert sorted(page.locator(".pin").all_inner_texts()) == NUMBERS
    assert "cafe · 101 m from Ateneum" in card(page, "Roasberg").inner_text()
    west, east = (
        middle(pin(page, card(page, name).locator(".number").inner_text()))
        for name in ("Espresso House", "Roasberg")
    )
    assert west[0] < east[0], "at 24.9414 and 24.9457 degrees"
    site = card(page, "Jääpuiston kahvila").get_by_role("link", name="jaapuisto.fi")
    assert site.get_attribute("href") == "https://www.jaapuisto.fi/kahvila/"


def test_cards_and_markers_point_at_each_other(page: "Page") -> None:
    answer(page, CAFES)
    pin(page, "3").wait_for()
    third = page.locator(".place-card[data-number='3']")
    third.hover()
    assert "on" in classes(pin(page, "3"))
    pin(page, "4").hover()
    assert "on" not in classes(pin(page, "3"))
    assert "on" in classes(page.locator(".place-card[data-number='4']"))
    third.get_by_role("button", name="Roasberg", exact=True).focus()
    assert "on" in classes(pin(page, "3"))
    pin(page, "4").click()
    popup = page.locator(".popup").inner_text().splitlines()
    assert popup[0] == "Jääpuiston kahvila"
    assert {"cafe", "112 m from Ateneum"} <= set(popup)
    assert "chosen" in classes(page.locator(".place-card[data-number='4']"))
    third.get_by_role("button", name="Roasberg", exact=True).press("Enter")
    page.locator(".popup strong", has_text="Roasberg").wait_for()
    assert page.locator(".place-card.chosen").count() == 1
    assert "chosen" in classes(third)


def test_hours_are_those_of_the_moment_asked_about(page: "Page") -> None:
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("“Now”").fill("2026-11-28T12:00")
    answer(page, CAFES)
    house = card(page, "Espresso House")
    assert "Open until 22:30 (Sat 12:00)" in house.inner_text()
    house.locator(".hours summary").click()
    house.get_by_text("Sa 08:30-22:30").wait_for()
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("“Now”").fill("2026-11-29T23:00")
    answer(page, CAFES)
    assert "Closed, opens Mon 7:00 (Sun 23:00)" in house.inner_text()
    assert "Open all hours" in card(page, "Roasberg").inner_text()


def test_a_single_place_is_one_card_with_its_phone(page: "Page") -> None:
    assert answer(page, MUSEUM).startswith("Amos Rex, 156 m from Kiasma")
    assert page.locator(".place-card").count() == 1
    answer(page, "What is the phone number of Ateneum?")
    link = card(page, "Ateneum").get_by_role("link", name="+3580294500401")
    assert link.get_attribute("href") == "tel:+3580294500401"


def test_directions_are_a_follow_up(page: "Page") -> None:
    answer(page, MUSEUM)
    page.get_by_role("button", name="Directions to Amos Rex").click()
    way = page.locator(".way")
    way.wait_for()
    assert "on foot" in way.inner_text()
    assert "Kiasma → Amos Rex" in way.inner_text()
    turns = page.locator("#thread .turn-question").all_text_contents()
    assert turns == [MUSEUM, "Way from Kiasma to Amos Rex on foot"]
    way.locator(".steps summary").click()
    assert way.locator(".steps li").count() >= 2
    way.get_by_role("button", name="By car").click()
    page.locator(".way-time", has_text="by car").wait_for()
    assert page.locator("#thread .turn").count() == 3


def test_a_follow_up_belongs_to_the_conversation(talk: "Page") -> None:
    ask(talk, 'answer(nearest("museum", to="Kiasma"))')
    talk.get_by_role("button", name="More like Amos Rex").click()
    talk.locator(".place-card").nth(1).wait_for()
    told = talk.locator("#thread .turn-answer").all_text_contents()
    ask(talk, EARLIER)
    talk.locator(".answer-text").get_by_text(" | ".join(told), exact=True).wait_for()


def test_directions_without_a_beginning_ask_for_it(page: "Page") -> None:
    answer(page, "What is the phone number of Ateneum?")
    page.get_by_role("button", name="Directions to Ateneum").click()
    page.keyboard.type("Kiasma")
    assert page.get_by_label("Your question").input_value() == "How do I get from Kiasma to Ateneum?"


def test_a_way_says_how_long_how_far_and_by_which_street(page: "Page") -> None:
    assert answer(page, WALK) == "10 min"
    way = page.locator(".way").inner_text()
    assert "10 min 839 m · on foot" in way
    assert "via Kaivokatu" in way
    assert page.locator(".place-card").count() == 0


def test_a_trip_is_its_stops_with_times(page: "Page") -> None:
    assert answer(page, TRIP) == "11:30"
    rows = page.locator(".trip > li")
    assert rows.first.inner_text() == "From Ateneum"
    assert "10:10–10:55 (45 min)" in card(page, "Kiasma").inner_text()
    assert "11:00–11:30 (30 min)" in card(page, "Amos Rex").inner_text()
    assert page.locator(".leg .way-time").count() == 2


def test_an_ambiguous_name_is_chosen_by_a_click(page: "Page") -> None:
    ask(page, "What is the address of Alko?")
    choice = page.locator(".choice", has_text=ALKOS[1])
    number = choice.inner_text().partition(".")[0]
    pin(page, number).wait_for()
    choice.hover()
    assert "on" in classes(pin(page, number)), "and the map shows where each is"
    choice.click()
    page.locator(".answer-text").get_by_text(ALKOS[1], exact=True).wait_for()
    assert ALKOS[1] in card(page, "Alko").inner_text()


def test_a_program_is_edited_and_run(page: "Page") -> None:
    answer(page, MUSEUM)
    unfold(page, "Edit and run")
    text = page.get_by_label("The question as a program")
    assert text.input_value() == 'answer(nearest("museum", "Kiasma"))'
    text.fill('answer(nearest("cinema", "Kiasma"))')
    page.get_by_role("button", name="Run").click()
    page.locator(".place-line", has_text="cinema").wait_for()
    assert page.locator("#thread .turn").count() == 2
    unfold(page, "Edit and run")
    text.fill('answer(neerest("cinema", "Kiasma"))')
    text.press("Control+Enter")
    page.locator("#program-problem", has_text="neerest").wait_for()
    assert "Did you mean `nearest`?" in page.locator("#program-problem").inner_text()
    assert "neerest" in text.input_value(), "it can be mended"
    assert "cinema" in page.locator(".place-card").inner_text(), "and what was found before is still there"
    page.get_by_role("button", name="As it was").click()
    assert text.input_value() == 'answer(nearest("cinema", "Kiasma"))'


def test_a_program_is_opened_from_the_history(page: "Page") -> None:
    answer(page, MUSEUM)
    page.get_by_role("button", name="Directions to Amos Rex").click()
    page.locator(".way").wait_for()
    page.reload()
    page.locator(".way").wait_for()
    assert page.locator(".asked").inner_text() == "Way from Kiasma to Amos Rex on foot"
    assert page.get_by_label("Your question").input_value() == ""


def test_a_refusal_has_no_ticks(page: "Page") -> None:
    ask(page, "Why is the sky blue?")
    page.locator("#account-card").wait_for()
    assert page.locator(".badge").inner_text() in {"Not understood", "Unanswerable"}
    assert "done" not in states(page)
    assert not page.locator("#plan").is_visible()


def test_plain_words_come_first_and_the_rest_is_folded(page: "Page") -> None:
    answer(page, CAFES)
    assert page.locator(".understood").inner_text() == "I understood: cafes within 150 m of Ateneum."
    folds = page.locator("#results summary:visible").all_inner_texts()
    assert folds == ["What it rests on", "Plan", "Edit and run", "What it took"]
    assert page.locator("#results details[open]").count() == 0


def test_on_a_phone_the_answer_comes_first_and_the_map_below_it(chromium: "Browser", client: Client) -> None:
    with opened(chromium, str(client.base_url), size=PHONE) as page:
        answer(page, CAFES)
        boxes = [page.locator(each).bounding_box() for each in ("#ask-form", "#answer", "#map", "#results")]
        tops = [box["y"] for box in boxes if box is not None]
        assert len(tops) == len(boxes)
        assert tops == sorted(tops)
        form = boxes[0]
        assert form is not None
        assert form["height"] < 100, "it is small once something was asked"
        assert page.locator(".place-card:visible").count() == 3
        page.get_by_role("button", name="Show all 6").click()
        assert page.locator(".place-card:visible").count() == 6
        page.get_by_role("button", name="Roasberg on the map").click()
        page.locator(".popup strong", has_text="Roasberg").wait_for()
        map_box = page.locator("#map").bounding_box()
        assert map_box is not None
        assert 0 <= map_box["y"] < PHONE["height"] / 2, "the map has come into view"


def test_what_a_source_calls_a_website_is_no_script(chromium: "Browser", tmp_path: Path) -> None:
    text = WORLD.read_text("utf-8").replace(
        "https://lighthouse.example.org", "javascript:document.title='owned'"
    )
    (tmp_path / "world.json").write_text(text, "utf-8")
    with (
        serving(tmp_path / "home", provider=f"recorded:{tmp_path / 'world.json'}") as client,
        opened(chromium, str(client.base_url)) as page,
    ):
        ask(page, "What is the phone number of Lighthouse Museum?")
        page.locator(".place-card").wait_for()
        assert page.locator(".place-card a").all_inner_texts() == ["+61 8 5550 0101"]


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
