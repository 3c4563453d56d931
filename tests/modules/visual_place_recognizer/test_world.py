"""Programs over a picture: its labels, streets and water are searched like a map."""

import asyncio

import pytest

from map_tools.facts import PictureFact, PictureFrame, PictureLabel, PictureMarker
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Quantity, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.visual_place_recognizer.world import Narrowing, PictureProvider, kinds_of

LABELS = (
    PictureLabel(text="Harbour Hotel", x_px=100, y_px=100, categories=("hotel",), rating=4.1, rating_count=36,
                 price="EUR 1,120", notes=("5-star hotel", "Open · Closes 9 PM")),
    PictureLabel(text="Mill Hotel", x_px=800, y_px=120, categories=("hotel",), rating=4.6, rating_count=9,
                 price="EUR 0.95K", notes=("4-star hotel", "Closed · Opens 7 AM")),
    PictureLabel(text="Garden Hotel", x_px=860, y_px=480, looks_like=("lodging", "hotel"),
                 notes=("4-star hotel", "Top rated")),
    PictureLabel(text="Old Gate", x_px=560, y_px=560, categories=("attraction",)),
    PictureLabel(text="Corner Café", x_px=460, y_px=330, categories=("cafe", "food"), signs=("cafe", "food")),
    PictureLabel(text="Pizza Napoli", x_px=620, y_px=330, signs=("food", "restaurant"), categories=("food",)),
    PictureLabel(text="Blue Anchor", x_px=180, y_px=320, signs=("food", "restaurant")),
    PictureLabel(text="Dock Road", sort="street", x_px=300, y_px=300),
    PictureLabel(text="Dock Road", sort="street", x_px=700, y_px=300),
    PictureLabel(text="A47", sort="shield", x_px=820, y_px=100),
    PictureLabel(text="A47", sort="shield", x_px=820, y_px=500),
    PictureLabel(text="Listed Hotel", sort="listing", x_px=950, y_px=20, categories=("hotel",), price="EUR 80"),
)  # fmt: skip
MARKERS = (
    PictureMarker(x_px=640, y_px=420, signs=("mosque", "worship")),
    PictureMarker(x_px=640, y_px=440, signs=("parking",)),
)
RIVER = tuple((y, 500, 540) for y in range(0, 600, 8))
PICTURE = PictureFact(width_px=1000, height_px=600, labels=LABELS, markers=MARKERS, water=RIVER)


def run(
    program: str, *options: str, picture: PictureFact = PICTURE, narrowing: Narrowing | None = None
) -> Answer:
    """The answer of a program over a picture."""
    question = Question(text="?", options=options)
    provider = PictureProvider(picture, question, narrowing)
    return asyncio.run(MapAgent(Settings(), provider=provider).query(program, question=question))


def counted(what: str, condition: str) -> str:
    return f'answer(count([p for p in places("{what}", inside="the picture") if {condition}]))'


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ('answer(count(places("hotel", inside="the picture")))', "4"),  # the listed one too
        (counted("hotel", 'lies(p, "west", of="river")'), "1"),
        (counted("hotel", 'lies(p, "east", of="the picture")'), "2"),
        (counted("hotel", 'lies(p, "south-east", of="the picture")'), "1"),
        (counted("restaurant", 'lies(p, "south", of="Dock Road")'), "2"),
        (counted("hotel", 'lies(p, "west", of="A47")'), "2"),  # Mill Hotel is 20 pixels left of it
        ('answer(min(places("hotel", inside="the picture"), key=lambda p: p.lng))', "Harbour Hotel"),
        ('answer(max(places("restaurant", inside="the picture"), key=lambda p: p.lng))', "Pizza Napoli"),
        ('answer(nearest("hotel", "Blue Anchor"))', "Harbour Hotel"),
        ('answer(nearest("attraction", "river"))', "Old Gate"),
        ('answer(nearest("restaurant", "parking"))', "Pizza Napoli"),
        ('answer(places("cafe", inside=between("Blue Anchor", "Pizza Napoli")))', "Corner Café"),
        ('answer(direction("Harbour Hotel", to="Mill Hotel").name)', "east"),
        ('answer(max(places("hotel", inside="the picture"), key=lambda p: p.rating))', "Mill Hotel"),
        ('answer(max(places("hotel", inside="the picture"), key=lambda p: p.reviews))', "Harbour Hotel"),
        ('answer(min(places("hotel", inside="the picture"), key=lambda p: p.price))', "Listed Hotel"),
        ('answer(2 * place("Harbour Hotel").price)', "2240"),
        ('answer(place("Mill Hotel").price)', "950"),
        ('answer(nearest("hotel", "Blue Anchor", where=lambda p: p.stars == 4))', "Mill Hotel"),
        ('answer(is_open("Harbour Hotel"))', "Yes"),
        ('answer(is_open("Mill Hotel"))', "No"),
        ('answer(place("Harbour Hotel").opening_hours)', "Open · Closes 9 PM"),
    ],
)  # fmt: skip
def test_what_is_told_is_what_is_drawn(program: str, text: str) -> None:
    """Counted, compared and measured by hand from the pixels above."""
    answer = run(program)
    assert answer.status is Status.ANSWERED, answer.reason
    assert answer.text.startswith(text)


@pytest.mark.parametrize(
    ("written", "price"),
    [
        ("120 kr", 120),
        ("89kč", 89),
        ("1 120 kr", 1120),
        ("23.8K", 23_800),
        ("₦1.25k", 1250),
        ("1.120,50 kr", 1120.5),
        ("1 234 567 ₫", 1_234_567),
    ],
)
def test_prices_are_numbers(written: str, price: float) -> None:
    label = PictureLabel(text="Inn", x_px=100, y_px=100, categories=("hotel",), price=written)
    picture = PICTURE.model_copy(update={"labels": (label,)})
    answer = run('answer(place("Inn").price)', picture=picture)
    assert isinstance(answer.value, Quantity)
    assert answer.value.value == price


def test_what_is_open_at_another_time_is_not_told() -> None:
    assert run('answer(is_open("Harbour Hotel", at="20:00"))').status is Status.UNANSWERABLE


def test_a_name_that_is_not_written_is_not_found() -> None:
    answer = run('answer(nearest("hotel", "Nowhere House"))')
    assert answer.status is Status.UNANSWERABLE
    assert "Nowhere House" in answer.reason


@pytest.mark.parametrize(("name", "found"), [("Blu Ancor", "Blue Anchor"), ("Corner", "Corner Café")])
def test_names_may_be_misspelt_or_begun(name: str, found: str) -> None:
    assert run(f'answer(place("{name}").name)').text == found


def test_labels_of_one_name_are_several_places() -> None:
    """Twin Café stands at (120, 300) and at (900, 300)."""
    twins = tuple(
        PictureLabel(text="Twin Café", x_px=x, y_px=300, signs=("cafe", "food")) for x in (120, 900)
    )
    picture = PICTURE.model_copy(update={"labels": (*LABELS, *twins)})
    assert run('answer(count(places("Twin Café", inside="the picture")))', picture=picture).text == "2"
    near = 'answer(nearest("hotel", nearest("Twin Café", "{}")))'
    assert run(near.format("A47"), picture=picture).text == "Garden Hotel"  # 184 pixels, Mill Hotel 206
    assert run(near.format("Blue Anchor"), picture=picture).text == "Harbour Hotel"


def test_searches_may_be_narrowed_to_the_options() -> None:
    program, options = 'answer(nearest("hotel", "Old Gate"))', ("Harbour Hotel", "Blue Anchor")
    assert run(program, *options, narrowing=Narrowing.OPTIONS_OF_KIND).option == "A"
    assert run(program, *options, narrowing=Narrowing.OPTIONS).option == "B"


def test_a_marker_without_a_name_may_be_the_only_option_in_letters_that_are_not_read() -> None:
    program = 'answer(nearest("mosque", "Pizza Napoli"))'
    assert run(program, "Old Gate", "ঢাকা মসজিদ").option == "B"
    assert run(program, "খুলনা মসজিদ", "ঢাকা মসজিদ").option is None


def test_a_place_that_is_called_after_a_lake_is_no_water() -> None:
    inn = PictureLabel(text="Swan Lake", x_px=120, y_px=110, signs=("food", "restaurant"), marked=True)
    picture = PICTURE.model_copy(update={"labels": (*LABELS, inn)})
    assert run('answer(nearest("hotel", "Swan Lake"))', picture=picture).text == "Harbour Hotel"


def test_two_lakes_are_two_and_each_has_the_name_that_stands_on_it() -> None:
    lakes = tuple((y, first, first + 80) for y in range(200, 400, 8) for first in (100, 800))
    labels = (
        PictureLabel(text="Lake Alba", x_px=140, y_px=300, categories=("lake",)),
        PictureLabel(text="Lake Zora", x_px=840, y_px=300, categories=("lake",)),
        PictureLabel(text="Inn", x_px=250, y_px=300, categories=("hotel",)),
        PictureLabel(text="Lodge", x_px=700, y_px=300, categories=("hotel",)),
        PictureLabel(text="River View", x_px=500, y_px=100),
    )
    picture = PICTURE.model_copy(update={"labels": labels, "water": lakes, "markers": ()})
    assert run('answer(nearest("hotel", "Lake Zora"))', picture=picture).text == "Lodge"
    assert run('answer(count(places("lake", inside="the picture")))', picture=picture).text.startswith("2")
    assert run('answer(place("River View").name)', picture=picture).text == "River View"


def test_the_river_is_the_water_whatever_name_stands_on_it() -> None:
    name = PictureLabel(text="Vltava", sort="street", x_px=520, y_px=300)
    picture = PICTURE.model_copy(update={"labels": (*LABELS, name)})
    assert run('answer(nearest("attraction", "river"))', picture=picture).text == "Old Gate"
    assert run('answer(nearest("attraction", "Vltava river"))', picture=picture).text == "Old Gate"
    program = (
        'answer(count([p for p in places("hotel", inside="the picture") if lies(p, "west", of="the river")]))'
    )
    assert run(program, picture=picture).text.startswith("1")


def test_water_of_a_turned_picture_is_as_large_as_it_is_drawn() -> None:
    """40 by 600 pixels of two metres: 96,000 square metres, whichever way north is."""
    frame = PictureFrame(
        center=LatLng(lat=60.0, lng=25.0), radius_m=1166, south=59.9, west=24.9, north=60.1, east=25.1,
        metres_per_px=2.0, rotation_deg=30.0,
    )  # fmt: skip
    river = tuple((y, 500, 539) for y in range(0, 600, 8))
    picture = PICTURE.model_copy(update={"frame": frame, "water": river})
    answer = run('answer(area("river").size)', picture=picture)
    assert answer.value is not None, answer.reason
    assert answer.value.model_dump()["value"] == pytest.approx(96_000, rel=0.02)


@pytest.mark.parametrize(
    ("note", "text"),
    [("Opens 7 AM", "No"), ("Permanently closed", "No"), ("Closes 9 PM", "Yes"), ("Open-air theatre", "")],
)
def test_whether_it_is_open_is_what_the_first_word_says(note: str, text: str) -> None:
    labels = (PictureLabel(text="Blue Anchor", x_px=100, y_px=100, notes=(note,)),)
    answer = run('answer(is_open("Blue Anchor"))', picture=PICTURE.model_copy(update={"labels": labels}))
    assert answer.text == text


@pytest.mark.parametrize(
    ("price", "text"),
    [("1.120 €", "1120"), ("€12–€20", "€12–€20"), ("€ 95 / night", "95"), ("BDT 25.6K", "25600")],
)
def test_prices_are_the_number_they_say(price: str, text: str) -> None:
    labels = (PictureLabel(text="Blue Anchor", x_px=100, y_px=100, price=price),)
    answer = run('answer(place("Blue Anchor").price)', picture=PICTURE.model_copy(update={"labels": labels}))
    assert answer.text == text


def test_where_the_picture_is_located_distances_are_those_on_the_ground() -> None:
    frame = PictureFrame(
        center=LatLng(lat=60.0, lng=25.0), radius_m=1166, south=59.9, west=24.9, north=60.1, east=25.1,
        metres_per_px=2.0,
    )  # fmt: skip
    located = PICTURE.model_copy(update={"frame": frame})
    program = 'answer(distance("Corner Café", "Pizza Napoli"))'  # 160 pixels apart
    answer = run(program, picture=located)
    assert answer.value is not None
    assert answer.value.model_dump()["value"] == pytest.approx(320, rel=1e-3)


@pytest.mark.parametrize(
    ("kind", "label", "fits"),
    [
        ("hotel", {"signs": ("lodging", "hotel")}, True),
        ("hotel", {"categories": ("hotel",), "signs": ("food", "restaurant")}, False),
        ("cafe", {"categories": ("cafe",), "signs": ("food", "restaurant")}, True),
        ("marketplace", {"categories": ("marketplace",), "signs": ("shop",)}, True),
        ("mosque", {"categories": ("mosque",)}, True),
        ("restaurant", {"looks_like": ("food", "restaurant")}, True),
        ("restaurant", {"categories": ("bank",), "looks_like": ("food", "restaurant")}, False),
    ],
)
def test_signs_count_before_words_and_words_before_colours(
    kind: str, label: dict[str, tuple[str, ...]], fits: bool
) -> None:
    assert (kind in kinds_of(PictureLabel(text="Any name", x_px=1, y_px=1, **label))) is fits
