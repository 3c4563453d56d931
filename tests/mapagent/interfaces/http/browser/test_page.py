"""Asking on the page: the plan, the map, the evidence, and what goes wrong."""

import base64
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.mapagent.interfaces.http.browser.steps import CAFES, WALK, answer, ask, drawn, states, unfold
from tests.support.awkward import FOUND, WORLD, register
from tests.support.browser import PHONE, opened
from tests.support.http_server import Client, serving
from tests.support.maps import demo_map
from tests.support.village import MIDDLE, Objects, village

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

LIBRARY = "**/vendor/maplibre-gl.mjs"
NOBODY_ASKS = """async () => {
    const figures = await (await fetch("/api/metrics")).text();
    return /^mapagent_asks_in_progress{.*} 0$/m.test(figures);
}"""
ATENEUM = (60.1702, 24.9441)
"""Latitude and longitude, about in the middle of the demo map."""
LONG = "north_rhine_westphalia_" * 2 + "all_of_its_towns"
SCRIPT = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


@contextmanager
def visiting(chromium: "Browser", data_home: Path, **options: Any) -> "Iterator[Page]":
    """The page of a server of its own."""
    with serving(data_home, **options) as client, opened(chromium, str(client.base_url)) as page:
        yield page


def holding(page: "Page", url: str) -> "list[Route]":
    """Requests that wait until they are told to go on."""
    held: list[Route] = []

    def hold(route: "Route") -> None:  # Playwright looks at the handler's signature: a builtin has none
        held.append(route)

    page.route(url, hold)
    return held


@pytest.fixture(scope="module")
def two_maps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server over the demo map and a village elsewhere, whose map has a long name."""
    home = tmp_path_factory.mktemp("two")
    (home / "maps").mkdir()
    (home / "maps" / "helsinki").symlink_to(demo_map().resolve())
    objects = Objects()
    objects.node((0, 0), name="Ateneum", tourism="museum")
    objects.node((60, 0), name="Corner", amenity="cafe")
    village(objects.features, home / "maps" / LONG)
    with serving(home) as client:
        yield client


def over_the_side(page: "Page", selector: str) -> int:
    """By how many pixels what is in an element is wider than the element."""
    wide: int = page.locator(selector).evaluate("(box) => box.scrollWidth - box.clientWidth")
    return wide


def test_a_newcomer_asks_an_example_and_sees_all_of_it(page: "Page") -> None:
    page.locator(".example").first.click()
    page.locator("#account-card").wait_for()
    assert page.locator(".answer-text").inner_text()
    assert set(states(page)) == {"done"}
    assert drawn(page, "found") > 1
    page.locator(".maplibregl-ctrl-attrib", has_text="OpenStreetMap").wait_for()
    assert "OpenStreetMap" in page.locator(".credit").inner_text()


def test_what_an_answer_rests_on_opens_and_is_marked_on_the_map(page: "Page") -> None:
    answer(page, CAFES)
    unfold(page, "What it rests on")
    page.locator(".fact.nearby > summary").click()
    assert page.locator(".fact.nearby .full").inner_text().startswith("6 × cafe around Ateneum")
    assert drawn(page, "chosen") > 1


def test_who_asks_before_the_map_is_there_keeps_what_is_open_and_sees_it_marked(page: "Page") -> None:
    """The map's library comes after the answer: nothing is taken back, and the map catches up."""
    held = holding(page, LIBRARY)
    with page.expect_request(LIBRARY):
        page.reload()
    answer(page, CAFES)
    unfold(page, "What it rests on")
    page.locator(".fact.nearby > summary").click()
    assert page.locator("#map").get_attribute("data-found") is None
    for route in held:
        route.continue_()
    assert drawn(page, "found") > 1
    assert drawn(page, "chosen") > 1
    assert page.locator(".fact[open]").count() == 1


def test_without_the_library_of_the_map_questions_are_answered_and_the_map_says_why(page: "Page") -> None:
    page.route(LIBRARY, lambda route: route.abort())
    page.reload()
    assert answer(page, WALK)
    assert "cannot be drawn" in page.locator("#map-note").inner_text()


def test_the_plan_fills_in_live_and_stops_when_told(
    chromium: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider never answers the second question, so the page can be seen while it waits."""
    register(tmp_path / "plugins", monkeypatch)
    with visiting(chromium, tmp_path / "home", provider="hanging") as page:
        ask(page, f"How long does it take to walk from {FOUND} to Nowhere?")
        page.locator("#plan li[data-state=running]").first.wait_for()
        assert states(page) == ["running"]
        assert page.locator("#submit").inner_text() == "Stop"
        page.keyboard.press("Escape")
        page.get_by_text("Stopped", exact=True).first.wait_for()
        assert states(page)[0] == "failed"
        page.wait_for_function(NOBODY_ASKS)


@pytest.mark.parametrize("how", ["paste", "drop"])
def test_a_picture_is_asked_about(page: "Page", how: str) -> None:
    image = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(image, "PNG")
    page.evaluate(
        """([text, how]) => {
            const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
            const data = new DataTransfer();
            data.items.add(new File([bytes], "map.png", { type: "image/png" }));
            document.dispatchEvent(how === "paste"
                ? new ClipboardEvent("paste", { clipboardData: data })
                : new DragEvent("drop", { dataTransfer: data }));
        }""",
        [base64.b64encode(image.getvalue()).decode(), how],
    )
    page.get_by_text("map.png").wait_for()
    ask(page, "Which place is in the middle of this map?")
    page.locator("#account-card").wait_for()
    assert "picture" in (page.locator("#plan li").first.text_content() or "")


def test_a_file_that_is_no_picture_is_refused(page: "Page", tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no picture")
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("A map picture").set_input_files(tmp_path / "notes.txt")
    page.get_by_text("notes.txt is not a picture.").wait_for()


def test_options_place_and_time_go_along(page: "Page") -> None:
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("Answers to choose from").fill("2 minutes\n10 minutes\n")
    page.get_by_label("“Now”").fill("2026-11-22T18:00")
    assert answer(page, WALK).startswith("B.")
    page.get_by_label("Remove 2 options").click()
    assert not answer(page, WALK).startswith("B.")


def test_a_point_picked_on_the_map_is_here(page: "Page") -> None:
    drawn(page, "found", 0)
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_role("button", name="Pick on the map").click()
    page.locator("#map").click(position={"x": 300, "y": 300})
    page.get_by_text("here: 60.").wait_for()
    assert page.locator("[aria-label=Here]").count() == 1
    assert answer(page, "Which cafe is nearest to me?")


def test_a_wrong_place_is_told_before_anything_is_asked(page: "Page") -> None:
    page.get_by_text("Options, picture, place and time").click()
    page.get_by_label("“Here”").fill("teatime")
    ask(page, "Which cafe is nearest to me?")
    page.get_by_role("alert").get_by_text("latitude, longitude").wait_for()


def test_what_is_not_understood_is_told_with_its_reason(page: "Page") -> None:
    ask(page, "Why is the sky blue?")
    page.locator("#account-card").wait_for()
    assert page.locator(".badge").inner_text() in {"Not understood", "Unanswerable"}
    assert page.locator(".reason").inner_text()


def test_a_server_that_is_gone_is_told(chromium: "Browser", data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path) as client:
        url = str(client.base_url)
        context = chromium.new_context()
        page = context.new_page()
        page.goto(url)
        page.locator(".example").first.wait_for()
    ask(page, CAFES)
    page.get_by_role("alert").get_by_text("cannot be reached").wait_for()
    context.close()


def test_without_a_map_the_page_says_how_to_add_one(chromium: "Browser", tmp_path: Path) -> None:
    with visiting(chromium, tmp_path / "empty") as page:
        page.get_by_text("mapagent map add FILE.osm.pbf").wait_for()
        ask(page, "Which cafe is nearest to Ateneum?")
        page.get_by_role("alert").get_by_text("There is no map yet").wait_for()
        assert not page.locator("#results").is_visible()


def test_the_history_is_there_after_a_reload(page: "Page") -> None:
    said = answer(page, WALK)
    page.reload()
    page.locator(".answer-text").wait_for()
    assert page.locator(".answer-text").inner_text() == said
    page.get_by_role("button", name="History").click()
    page.locator(".asked-item").first.click()
    page.locator("dialog[open]").wait_for(state="detached")
    assert page.get_by_label("Your question").input_value() == WALK


def test_the_printed_link_opens_the_history_and_no_other(
    chromium: "Browser", data_home: Path, tmp_path: Path
) -> None:
    with serving(data_home, state=tmp_path, owner_token="of-the-user") as client:
        client.ask(WALK)
        with opened(chromium, f"{client.base_url}#token=of-the-user") as page:
            page.get_by_role("button", name="History").click()
            page.locator(".asked-item").wait_for()
            assert "token" not in page.url, "it is not left where it could be copied from"
        with opened(chromium, str(client.base_url)) as page:
            page.get_by_role("button", name="History").click()
            page.get_by_text("Open the link that `mapagent serve` has printed").wait_for()
            assert page.locator(".asked-item").count() == 0


def test_what_is_asked_while_an_old_question_is_fetched_is_what_is_shown(page: "Page") -> None:
    answer(page, WALK)
    held = holding(page, "**/api/history/*")
    page.get_by_role("button", name="History").click()
    page.locator(".asked-item").first.click()
    page.locator("dialog[open]").wait_for(state="detached")
    said = answer(page, CAFES)
    with page.expect_response("**/api/history/*") as fetched:
        held.pop().continue_()
    fetched.value.finished()
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
    assert page.locator(".answer-text").inner_text() == said
    assert page.get_by_label("Your question").input_value() == "", "the old question does not come in either"


def test_the_history_is_forgotten_at_the_second_press(page: "Page") -> None:
    answer(page, WALK)
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="Forget all").click()
    assert page.locator(".asked-item").count()
    page.get_by_role("button", name="Really forget").click()
    page.get_by_text("Nothing has been asked yet.").wait_for()
    page.get_by_role("button", name="Close").click()
    page.locator("dialog[open]").wait_for(state="detached")


def test_ledger_and_trace_open_and_download(page: "Page") -> None:
    answer(page, WALK)
    unfold(page, "What it took")
    assert page.locator(".ledger dd").nth(1).inner_text() == "3", "two places and the way"
    page.get_by_text("Trace", exact=True).click()
    page.locator(".span-name", has_text="tool").first.wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the trace").click()
    lines = saved.value.path().read_text().splitlines()
    assert json.loads(lines[0])["name"] == "ask"
    assert saved.value.suggested_filename.endswith(".jsonl")


def test_script_in_a_question_is_text(page: "Page") -> None:
    ask(page, SCRIPT)
    page.locator("#account-card").wait_for()
    assert SCRIPT in page.locator(".asked").inner_text()
    page.get_by_role("button", name="History").click()
    page.locator(".asked-question", has_text="onerror").first.wait_for()
    assert page.title() == "mapagent"


def test_script_in_a_places_name_is_text(chromium: "Browser", tmp_path: Path) -> None:
    text = WORLD.read_text("utf-8").replace(FOUND, json.dumps(f"{FOUND} {SCRIPT}")[1:-1])
    (tmp_path / "world.json").write_text(text, "utf-8")
    with visiting(chromium, tmp_path / "home", provider=f"recorded:{tmp_path / 'world.json'}") as page:
        ask(page, f"What is the address of {FOUND}?")
        page.locator("#account-card").wait_for()
        assert "onerror" in (page.locator("#evidence").text_content() or "")
        assert page.title() == "mapagent"


def test_what_may_not_be_drawn_is_not_drawn(
    chromium: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(tmp_path / "plugins", monkeypatch)
    with visiting(chromium, tmp_path / "home", provider="guarded") as page:
        answer(page, f"What is the address of {FOUND}?")
        assert "Guarded maps only" in page.locator("#map-note").inner_text()
        assert "Guarded Maps" in page.locator(".credit").inner_text()
        assert page.locator("#map").get_attribute("data-found") in {None, "0"}


def test_a_token_is_asked_for_once(chromium: "Browser", data_home: Path, tmp_path: Path) -> None:
    with visiting(chromium, data_home, state=tmp_path, token="open-sesame") as page:
        page.get_by_role("textbox", name="Token").fill("open-sesame")
        page.keyboard.press("Enter")
        page.locator(".example").first.wait_for()
        assert answer(page, WALK)
        assert drawn(page, "found") > 1


def test_phone_width(chromium: "Browser", client: Client) -> None:
    with opened(chromium, str(client.base_url), size=PHONE) as page:
        answer(page, CAFES)
        assert over_the_side(page, "html") == 0
        box = page.locator("#map").bounding_box()
        assert box is not None
        assert box["width"] == PHONE["width"]
        assert box["height"] >= 250


@pytest.mark.parametrize("width", [390, 360, 320])
def test_the_long_name_of_a_map_does_not_widen_the_page(
    chromium: "Browser", two_maps: Client, width: int
) -> None:
    with opened(chromium, str(two_maps.base_url), size={"width": width, "height": 740}) as page:
        page.locator("#map-choice").select_option("helsinki")
        assert over_the_side(page, "html") == 0
        page.locator("#map-choice").select_option(LONG)
        assert answer(page, CAFES) == "Corner, 60 m from Ateneum"
        assert LONG in page.locator(".credit").inner_text()
        assert over_the_side(page, "html") == 0
        page.get_by_role("button", name="History").click()
        page.locator(".asked-when", has_text=LONG).first.wait_for()
        assert over_the_side(page, "#history") == 0
        page.get_by_role("button", name="Close").click()
        page.locator("#map-choice option:checked").evaluate("(map) => { map.value = 'gone'.repeat(16); }")
        ask(page, CAFES)
        page.get_by_role("alert").get_by_text("gonegone").wait_for()
        assert over_the_side(page, "html") == 0


def test_a_position_is_shown_by_one_in_the_map(chromium: "Browser", two_maps: Client) -> None:
    with opened(chromium, str(two_maps.base_url)) as page:
        page.get_by_text("Options, picture, place and time").click()
        for name, middle in ((LONG, MIDDLE), ("helsinki", ATENEUM), (LONG, MIDDLE)):
            page.locator("#map-choice").select_option(name)
            shown = page.get_by_label("“Here”").get_attribute("placeholder") or ""
            assert [float(degrees) for degrees in shown.split(", ")] == pytest.approx(middle, abs=0.02)
        page.get_by_label("“Here”").fill("teatime")
        ask(page, CAFES)
        page.get_by_role("alert").get_by_text(shown).wait_for()


def test_colours_follow_the_system_and_the_choice(chromium: "Browser", client: Client) -> None:
    with opened(chromium, str(client.base_url), dark=True) as page:
        assert page.locator("html").get_attribute("data-theme") == "dark"
        page.get_by_role("button", name="Colours").click()
        assert page.locator("html").get_attribute("data-theme") == "light"
        page.reload()
        assert page.locator("html").get_attribute("data-theme") == "light"
