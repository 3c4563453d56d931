"""The way to the nearest of a kind, stops named by their kind, comparisons by number, two wishes at once."""

import pytest

from map_tools.types import TravelMode
from mapagent.question import Question
from modules.offline.intents import BearingIntent, Compare, NearbyIntent, OpenIntent, TripIntent
from modules.offline.parser import parse


def read(text, *options):
    reading = parse(Question(text=text, options=options))
    assert reading is not None
    return reading.intent


@pytest.mark.parametrize(
    ("text", "ask", "mode"),
    [
        (
            "How long is the walk from the Grand Hotel to the nearest bank?",
            "duration",
            TravelMode.WALKING,
        ),
        ("how many minutes by bike from Grand Hotel to the closest bakery", "duration", TravelMode.BICYCLING),
        ("How far do I have to drive from the Grand Hotel to the nearest bank?", "way", TravelMode.DRIVING),
        ("How far is the nearest bank from the Grand Hotel?", "distance", None),
    ],
)
def test_what_is_asked_of_the_way(text, ask, mode):
    intent = read(text)
    assert isinstance(intent, NearbyIntent)
    assert (intent.ask, intent.mode, intent.anchors) == (ask, mode, ("Grand Hotel",))


@pytest.mark.parametrize(
    ("text", "also"),
    [
        ("Which pharmacy is nearest to the Grand Hotel and how long is the walk?", ("duration",)),
        ("Is there a bank near the Grand Hotel, and how far is it on foot?", ("way",)),
        ("Which bank is nearest to the Grand Hotel and how far is it?", ("distance",)),
    ],
)
def test_a_second_wish_for_the_way(text, also):
    intent = read(text)
    assert (intent.ask, intent.also) == ("name", also)


def test_the_nearest_of_a_kind_is_a_stop():
    intent = read("I walk from the Grand Hotel to the nearest cafe and on to Town Hall. How long is that?")
    assert isinstance(intent, TripIntent)
    assert [(visit.place, visit.what is not None) for visit in intent.visits] == [
        ("nearest cafe", True),
        ("Town Hall", False),
    ]


def test_on_the_way_to_a_place_comes_before_it():
    text = "I start at Grand Hotel. On the way to Town Hall I stop at the nearest bank. How long do I walk?"
    assert [visit.place for visit in read(text).visits][-2:] == ["nearest bank", "Town Hall"]


@pytest.mark.parametrize(
    ("text", "kinds", "anchors", "pick", "claims"),
    [
        ("More bars or more cafes within 300 m of Town Hall?", 2, ("Town Hall",), Compare.MAX, False),
        ("Are there fewer bars than cafes around Town Hall?", 2, ("Town Hall",), Compare.MIN, True),
        ("Which has more museums, Riverton or Hilltown?", 0, ("Riverton", "Hilltown"), Compare.MAX, False),
        ("Does Riverton have more museums than Hilltown?", 0, ("Riverton", "Hilltown"), Compare.MAX, True),
    ],
)
def test_comparisons_by_number(text, kinds, anchors, pick, claims):
    intent = read(text)
    assert (intent.ask, len(intent.kinds), intent.anchors) == ("more", kinds, anchors)
    assert (intent.pick, intent.claims) == (pick, claims)


def test_both_halves_of_a_question_are_heard():
    hours = read("When does the Town Library open on Monday and when does it close?")
    assert isinstance(hours, OpenIntent)
    assert hours.ask == "hours_on_day"
    bearing = read("How far is Town Hall from the Grand Hotel, and in which direction?")
    assert isinstance(bearing, BearingIntent)
    assert bearing.far
