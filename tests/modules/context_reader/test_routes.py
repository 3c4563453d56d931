import pytest

from map_tools.facts import NoteFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import TravelMode
from modules.context_reader.reader import read_text
from tests.modules.context_reader.support import facts

LISTED = """There are 2 routes from Old Inn to New Hall by car. They are:
1. Via A4 | 1 hour 30 mins | 39.7 km
 - Head <b>north</b> on <b>High St</b> toward <b>Elm St</b><div style="f">Pass by Bean (on the right)</div>
 - At the roundabout, take the <b>2nd</b> exit onto <b>US-33 E</b>/<wbr/><b>Lake Ave</b>
2. Via 5 Mile Rd and Hill Rd | 40 mins | 4.0 mi
There are 1 routes from Old Inn to New Hall on foot. They are:
1. Via  | 3 hours | 15.6 km
Travel Time from New Hall to Old Inn by car is 9 mins (3 km).
"""


def test_routes_with_steps() -> None:
    drive, walk = facts(LISTED, RoutesFact)
    assert (drive.origin, drive.destination, drive.mode) == ("Old Inn", "New Hall", TravelMode.DRIVING)
    assert [(route.summary, route.duration_s) for route in drive.routes] == [
        ("A4", 5400),
        ("5 Mile Rd and Hill Rd", 2400),
    ]
    assert drive.routes[0].distance_m == pytest.approx(39700)
    assert drive.routes[1].distance_m == pytest.approx(4 * 1609.344)
    first, second = drive.routes[0].steps
    assert first.instruction == "Head north on High St toward Elm St"
    assert first.notes == ("Pass by Bean (on the right)",)
    assert first.streets == ("High St",)
    assert second.roundabout_exit == 2
    assert second.streets == ("US-33 E", "Lake Ave")
    assert (walk.mode, walk.routes[0].summary, walk.routes[0].steps) == (TravelMode.WALKING, "", ())
    assert len(facts(LISTED, TravelFact)) == 1, "what follows the routes is read on its own"


def test_time_and_length_of_steps_before_the_instruction_are_summed_where_the_route_states_none() -> None:
    text = """There are 1 routes from A to B on foot. They are:
1. Via 7th Ave
 - (14 mins | 1.0 km) Head <b>northeast</b> on <b>7th Ave</b>
 - (1 min | 10 m) Turn <b>right</b>
"""
    (fact,) = facts(text, RoutesFact)
    (route,) = fact.routes
    assert (route.duration_s, route.distance_m) == (15 * 60, 1010)
    assert [(step.duration_s, step.distance_m) for step in route.steps] == [(840, 1000), (60, 10)]


def test_reply_of_a_route_tool() -> None:
    title = (
        "There is a total of one route from Boat Pier, Port, Land, to High School, Port, Land, "
        "with a waypoint at Guest House. The route information is provided below:"
    )
    text = f"""{title}

Route 1:(VIA) High Broad St (0.4 km, 5 mins)
Details steps are provided below:
Head northwest on High Broad St toward Elm St (0.3 km, 4 mins)
Turn left onto Cole St Destination will be on the left (46 m, 1 min)
Turn right at the 1st cross street toward Hill St (110 m, 1.5 min)
High School
"""
    (fact,) = facts(text, RoutesFact)
    assert (fact.origin, fact.destination) == ("Boat Pier, Port, Land", "High School, Port, Land")
    assert fact.waypoints == ("Guest House",)
    (route,) = fact.routes
    assert (route.summary, route.duration_s, route.distance_m) == ("High Broad St", 300, 400)
    assert [step.distance_m for step in route.steps] == [300, 46, 110]
    assert route.steps[1].instruction == "Turn left onto Cole St"
    assert route.steps[1].notes == ("Destination will be on the left",)
    assert route.steps[2].duration_s == 90


OTHER_WORDINGS = (
    """Routes from A Town to B Town by bike are as follows:
Route 1: Via Lake Path, 30 minutes, 8 km
Steps:
- Head north
- Turn left
""",
    """Cycling routes between A Town and B Town:
1. Lake Path - 30 mins, 8 km
   1. Head north
   2. Turn left
""",
    """There is 1 route from A Town to B Town by cycling. It is:
1) Via Lake Path (30 mins, 8 km)
   * Head north
   * Turn left
""",
    """Route from A Town to B Town by bicycle (via Lake Path): 30 mins, 8 km
Head north
Turn left
""",
)


@pytest.mark.parametrize("text", OTHER_WORDINGS)
def test_other_wordings(text: str) -> None:
    (fact,) = facts(text, RoutesFact)
    assert (fact.origin, fact.destination, fact.mode) == ("A Town", "B Town", TravelMode.BICYCLING)
    (route,) = fact.routes
    assert (route.summary, route.duration_s, route.distance_m) == ("Lake Path", 1800, 8000)
    assert [step.instruction for step in route.steps] == ["Head north", "Turn left"]


def test_directions_without_a_named_route() -> None:
    (fact,) = facts(
        "Directions from A to B by car:\n1. Head north on High St (1 km)\n2. Turn left onto Elm St (2 km)\n",
        RoutesFact,
    )
    (route,) = fact.routes
    assert [step.streets for step in route.steps] == [("High St",), ("Elm St",)]
    assert route.distance_m == 3000


def test_fewer_routes_than_announced() -> None:
    (fact,) = facts(
        "There are 3 routes from A to B by car. They are:\n1. Via X | 4 mins | 2 km\n", RoutesFact
    )
    assert not fact.complete


def test_block_of_a_place_after_the_routes_is_no_step() -> None:
    routes = "Routes from A Inn to B Hall by car:\n1. Via X | 4 mins | 2 km\n - Head north\n"
    text = f"{routes}B Hall\nAddress: Hill 4\n"
    assert [fact.place.address for fact in facts(text, PlaceFact)] == ["Hill 4"]


def test_no_routes_stays_quotable() -> None:
    text = "There are no routes from A Inn to B Hall on foot."
    assert [note.text for note in facts(text, NoteFact)] == [text]
    assert read_text(text).misses == ()
