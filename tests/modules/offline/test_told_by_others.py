# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Questions as other authors put them, over invented places: of motorists and guests, in fragments, by their options."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.question import Question
from modules.offline.analyser import analyse
from modules.offline.intents import RouteIntent, TripIntent
from modules.offline.parser import parse_all
from modules.offline.speaker import in_first_person
from tests.modules.offline.travel_reading import assert_read, best

CAR, FOOT, BIKE = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING
HOUR = 3600.0
NUMBERS, CLOCKS, MINUTES = ("One", "Two", "Three"), ("3:15 PM", "4:00 PM"), ("20 mins", "45 mins")
VIAS = ("Via Elm Road", "Via Oak Lane")
STEPS = ("Turn left onto Ash St", "Continue onto Oak Lane", "Turn right onto Elm Road")
WINDS, PAIRS = ("North", "East", "South"), ("Seestadt and Altstadt", "Seestadt and Lindendorf")
LENGTHS = ("1.2 km", "3.4 km")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A guest of the Lindenhof sets out at 9 am.", "I am at the Lindenhof set out at 9 am."),
        ("A visitor who sleeps at Lindenhof goes by bus.", "I sleep at Lindenhof go by bus."),
        ("A traveller who has a day and is in Seestadt", "I have a day and is in Seestadt"),
        ("What must the motorist do once she is there?", "By car. What must I do once she is there?"),
        (
            "Is there a guest house near the visitor centre?",
            "Is there a guest house near the visitor centre?",
        ),
        ("I leave my car with a friend.", "I leave my car with a friend."),
    ],
)
def test_the_person_a_question_tells_of_becomes_the_speaker(text: str, told: str) -> None:
    assert in_first_person(text) == told


ROUTES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # the street that tells the way, and the one that is passed
    ("I drove out of Lindenhof for Old Mill, choosing Elm Road and Fir Ave. Just made it to 9th Ave. Next step?", STEPS, {"ask": "next_step", "along": "Elm Road and Fir Ave", "after": "9th Ave", "origin": "Lindenhof", "destination": "Old Mill"}),
    ("On the B84 driving to Old Mill, having started from Lindenhof. Oak Lane is where I am. Then what?", STEPS, {"along": "B84", "after": "Oak Lane", "origin": "Lindenhof"}),
    ("We're in the car going to Old Mill and picked E Main St. E Elm St is coming up now. What do we do there?", STEPS, {"along": "E Main St", "after": "E Elm St"}),
    ("Elm Road route to Old Mill, I'm driving. I just got to Oak Lane, what do I do?", STEPS, {"along": "Elm Road", "after": "Oak Lane"}),
    ("Behind the wheel, Lindenhof to Old Mill, following Elm Road. I've now got to Oak Lane. What's the next instruction?", STEPS, {"along": "Elm Road", "after": "Oak Lane", "origin": "Lindenhof"}),
    ("The drive to Old Mill in Seestadt follows Elm Road. Which instruction applies once the driver has arrived at Oak Lane?", STEPS, {"ask": "next_step", "along": "Elm Road", "after": "Oak Lane", "mode": CAR}),
    ("A motorist takes B84 in order to drive to Old Mill, the point of departure being Lindenhof. On which road must the drive be continued once Oak Lane has been reached?", STEPS, {"after": "Oak Lane", "origin": "Lindenhof"}),
    ("Lindenhof to Old Mill, in the car, on the A3. There's a roundabout once I'm on Oak Lane, which exit is mine?", ("1st exit", "2nd exit"), {"ask": "exit", "along": "A3", "after": "Oak Lane"}),
    ("A motorist who follows the A3 from Lindenhof to Old Mill comes to a roundabout on Oak Lane. Determine the exit that has to be used there.", ("1st exit", "2nd exit"), {"ask": "exit", "along": "A3", "after": "Oak Lane"}),
    # ways to choose from
    ("I'd rather stretch my legs than drive. Which way would you walk to Old Mill if you were coming out of the Lindenhof?", VIAS, {"mode": FOOT, "origin": "Lindenhof", "ask": "via"}),
    ("Got a train to catch at Old Mill and I'm still at Lindenhof. What way gets me there quickest?", VIAS, {"origin": "Lindenhof", "destination": "Old Mill"}),
    ("On foot and short of time: Lindenhof over to Old Mill, which path is the speediest?", VIAS, {"origin": "Lindenhof", "select": "fastest"}),
    ("We'll see the Lindenhof and after that drive up to Old Mill, and we want the lengthiest way round. Which route is it by car?", VIAS, {"origin": "Lindenhof", "destination": "Old Mill", "select": "longest"}),
    ("Old Mill can be reached on foot from Lindenhof by several routes. Name the one that covers the greatest distance.", VIAS, {"origin": "Lindenhof", "destination": "Old Mill", "select": "longest"}),
    ("I want to pass along Ash St while walking to Old Mill, starting at Lindenhof. Which of the routes does that?", VIAS, {"ask": "most", "feature": "ash st"}),
    ("Ash St forms part of one of the routes by which a pedestrian can get from Lindenhof to Old Mill. Identify that route.", VIAS, {"ask": "most", "feature": "ash st", "mode": FOOT}),
    ("Which of the walks has you crossing by the pedestrian overpass? I'd be setting out at Lindenhof and finishing at Old Mill.", VIAS, {"ask": "most", "feature": "pedestrian overpass", "origin": "Lindenhof"}),
    ("Market Square up to Old Mill walking along Elm Road and 7th Ave, how many minutes should I allow?", (), {"origin": "Market Square", "along": "Elm Road and 7th Ave"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), ROUTES)
def test_routes(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(RouteIntent, slots, text, *options)


FITS: list[tuple[str, dict[str, float], float]] = [
    ("Pedalling around Seestadt for 6 hours, starting 7 am at Lindenhof. I'd give Old Mill 2 hours, 1.5 hours each to Seehof and Marktplatz, and one hour to Bergbad. What's the most of those I could squeeze in?", {"Old Mill": 2, "Seehof": 1.5, "Marktplatz": 1.5, "Bergbad": 1}, 6),
    ("Seestadt on foot, five hours, leaving Lindenhof at 10 am. I'm hoping for 2 hours in the Old Mill, Seehof and Marktplatz at 1.5 hours apiece, and Bergbad for an hour. How many could I do at the very most?", {"Old Mill": 2, "Seehof": 1.5, "Marktplatz": 1.5, "Bergbad": 1}, 5),
    ("A visitor who sleeps at Lindenhof in Seestadt gets around by bicycle. Starting from the hostel at 9 am, the visitor can devote 6.5 hours to the Old Mill (2 hours), Seehof (1 hour) and the Marktplatz (1.5 hours). What number of these places can the visitor manage to see?", {"Old Mill": 2, "Seehof": 1, "Marktplatz": 1.5}, 6.5),
    ("A guest of the Lindenhof in Seestadt sets out from the hostel at 9 am, has 5 hours to spend and goes by car. If the Old Mill takes 1 hour, Seehof 2 hours and the Marktplatz 1.5 hours, what number of these sights can be seen?", {"Old Mill": 1, "Seehof": 2, "Marktplatz": 1.5}, 5),
    ("Starting at Lindenhof, Seestadt, Utopia at 9 am in a rental car, what's the highest number of these sights I can see in 6 hours: Old Mill for 1 hour, Seehof for 2 hours?", {"Old Mill": 1, "Seehof": 2}, 6),
]  # fmt: skip


@pytest.mark.parametrize(("text", "stays", "hours"), FITS)
def test_how_many_fit(text: str, stays: dict[str, float], hours: float) -> None:
    intent = best(text, *NUMBERS)
    assert isinstance(intent, TripIntent)
    assert intent.ask == "max_visits"
    assert {visit.place: visit.dwell_s / HOUR for visit in intent.visits} == stays
    assert intent.available_s == hours * HOUR
    assert (intent.start or "").startswith("Lindenhof")


@pytest.mark.parametrize(
    "text",
    [
        "Leaving Lindenhof at 7 am by bus with 6 hours. Marktplatz would take me 2.5 hours, the Seehof 1.5, the Bergbad 1. How many could I fit in?",
        "I walk from Lindenhof at 7 am and have 6 hours: 1.5 hours for Marktplatz, the same for Seehof, 2 hours of Bergbad. How many will I get to?",
    ],
)
def test_a_trip_with_an_unknown_stay_is_not_counted(text: str) -> None:
    """One place fewer or one stay less would give a number that is wrong and looks right."""
    parsed = parse_all(Question(text=text, options=NUMBERS))
    assert parsed.best is None or not isinstance(parsed.best.intent, TripIntent)


TRIPS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("Staying at Lindenhof. I'd walk to Old Mill, get a car from there to Seehof, and then walk all the way back to the hotel. Total time on the move?", MINUTES, {"ask": "travel_time", "return_mode": FOOT}),
    ("By my own car from home in Lindendorf, Seestadt 2010: a quick 30 minute shop at Old Mill comes first, after that an hour lazing about on Bergbad. I need to be walking out of it before closing. How late can I set off from home?", CLOCKS, {"ask": "latest_departure", "start": "Lindendorf, Seestadt 2010", "mode": CAR}),
    ("Off by car in Seestadt when the clock says 1.00 pm: two hours for the Old Mill and an hour browsing Marktplatz as the last thing. What time will I be all done?", CLOCKS, {"ask": "leave_at", "depart_at": time(13), "start": None}),
    ("Public transport only, starting at home in Linden Road tomorrow. First stop Old Mill (20 minutes), second Seehof (30 minutes). I must be out of it by closing. So when's the very last minute I can walk out my front door?", CLOCKS, {"ask": "latest_departure", "start": "Linden Road", "mode": TravelMode.TRANSIT}),
    ("I want to be at the Marktplatz in Seestadt at 1.00 pm for a 45-minute look round. Before it comes an hour in the Seehof, and before that 1.5 hours in Old Mill. Going by bus, what time should my Old Mill visit begin?", CLOCKS, {"ask": "latest_departure", "end_by": None}),
    ("A traveller gets to Altstadt at 9:00 AM, looks around the town for 2 hours and then drives to Seehof. At 3:00 PM the traveller has to set off for Bergbad. How long, at most, may the stop at Seehof last?", MINUTES, {"ask": "spare", "end_by": time(15)}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), TRIPS)
def test_trips(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(TripIntent, slots, text, *options)


def test_what_comes_before_is_visited_before() -> None:
    text = "I want to be at the Marktplatz at 1.00 pm for 45 minutes. Before it comes an hour in the Seehof, and before that 1.5 hours in Old Mill. When should my Old Mill visit begin?"
    assert [visit.place for visit in best(text, *CLOCKS).visits] == ["Old Mill", "Seehof", "Marktplatz"]


GEOMETRY: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("Utopia: take the Belfry of Altstadt and Marktplatz, how many km between them in a beeline?", LENGTHS, {"kind": "distance", "a": "Belfry of Altstadt", "b": "Marktplatz"}),
    ("Utopia has two castles I like, Linden Castle in Altstadt and Fir Castle. What's the direct distance from one to the other, ignoring roads?", LENGTHS, {"kind": "distance", "a": "Linden Castle, Altstadt", "b": "Fir Castle"}),
    ("If a plane flew dead straight from Monte Verde, Altstadt to San Pietro Fort, Seestadt, how many kilometres would it cover?", LENGTHS, {"kind": "distance", "a": "Monte Verde, Altstadt", "b": "San Pietro Fort, Seestadt"}),
    ("If a straight line is drawn on a map of Utopia to connect the Fir Castle with Linden Castle, what distance does this line represent?", LENGTHS, {"kind": "distance", "a": "Fir Castle", "b": "Linden Castle"}),
    ("Leaving Altstadt City for Linden Castle, which way on the compass is it?", WINDS, {"kind": "bearing", "origin": "Altstadt City", "target": "Linden Castle"}),
    ("Two towns, as far apart as possible, out of the pairs listed. Which?", PAIRS, {"kind": "pair", "pick": "max"}),
    ("Looking at Utopia, which of these two-place combos has the smallest gap between them?", PAIRS, {"kind": "pair"}),
    ("Which one comes in at number two for closeness to the Old Tower, among the parks nearest to it?", (), {"kind": "nearby", "k": 2}),
    ("After the temple that's closest to the Old Tower, which is the next closest?", (), {"kind": "nearby", "k": 2}),
    ("A reader at the Old Tower is looking for bookstores. Which bookstore comes second when they are arranged from the closest to the most distant?", (), {"kind": "nearby", "k": 2, "pick": "min"}),
    ("Around Old Tower, what is the number of parks at a distance of no more than 500 m?", ("5", "6"), {"kind": "nearby", "ask": "count", "radius_m": 500}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), GEOMETRY)
def test_geometry(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    intent = best(text, *options)
    assert {key: getattr(intent, key) for key in slots} == slots


def test_a_word_that_is_right_is_not_corrected() -> None:
    """ "Choosing" is as like "closing" as a slip of it."""
    assert "choosing" in analyse("Which route, choosing Elm Road?").text


def test_a_way_is_not_chosen_by_no_measure() -> None:
    """The fastest would be named, and the question asks for the one with the mural."""
    parsed = parse_all(
        Question(
            text="On foot from Lindenhof to Old Mill: the mural of the blue whale is on which of the routes?",
            options=VIAS,
        )
    )
    assert parsed.best is None or not (
        isinstance(parsed.best.intent, RouteIntent) and parsed.best.intent.ask == "via"
    )


def test_a_driver_with_a_trade_is_one_too() -> None:
    intent = best(
        "Which route should an ambulance driver take from Lindenhof to Old Mill to get there as fast as possible?",
        *VIAS,
    )
    assert (intent.ask, intent.origin, intent.destination) == ("via", "Lindenhof", "Old Mill")


def test_a_city_is_not_its_own_sights() -> None:
    """Neither is "Tower of Seestadt" the city again, nor the city a stop."""
    text = "Seestadt by bus, 7 hours, departing 9 am from where I sleep, Seestadt Harbour Hostel. How many of these are feasible: 1 hour Seestadt Opera House, 2 hours Old Mill, 1 hour Tower of Seestadt?"
    intent = best(text, *NUMBERS)
    assert {visit.place: visit.dwell_s / HOUR for visit in intent.visits} == {
        "Seestadt Opera House": 1,
        "Old Mill": 2,
        "Tower of Seestadt": 1,
    }
    assert intent.start == "Seestadt Harbour Hostel"


OTHERS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("I am on my way by car to Old Mill, having left Lindenhof on the Elm Road route. I have come as far as Oak Lane; how do I go on?", STEPS, {"along": "Elm Road", "after": "Oak Lane"}),
    ("We are at Market Square and want to walk to Old Mill without losing any time. Which way is the quickest?", VIAS, {"ask": "via", "origin": "Market Square"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), OTHERS)
def test_routes_told_in_the_first_person(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(RouteIntent, slots, text, *options)


def test_a_kind_that_tells_of_a_name_is_not_looked_for() -> None:
    intent = best("I am hungry this evening; is Nordlicht a restaurant where dinner is served?", "Yes", "No")
    assert (intent.kind, intent.service) == ("place_fact", "serves_dinner")


def test_a_city_for_the_morning_is_no_start() -> None:
    text = "I am in Seestadt for the morning and get around by bus. I would like 1.5 hours in the Old Mill and 1 hour in the Seehof, and to be at the Marktplatz by 1.00 pm. When must I begin at the Old Mill?"
    assert best(text, *CLOCKS).start is None
