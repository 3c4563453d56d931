"""MapAgent's printed picture questions (listings 3, 5 and 7), their tool outputs as recorded lists."""

from collections.abc import Mapping

from map_tools.providers.world import KnownList
from map_tools.types import Place
from mapagent.core.answer import Answer, Sequence, Status
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match
from tests.paper.test_mapagent_trips import answer_of
from tests.support.evidence import place

TAXI, GUESTHOUSE, SCHOOL = "Seabird Water Taxi", "Cole Street Guesthouse", "Sierra Leone Grammar School"
HEAD_OUT = "Head northwest on High Broad St toward Andrews St"
BY_ANDREWS = ("Turn left onto Andrews St", "Continue onto Andrew St", "Turn right onto Macaulay St")
BACK = (
    "Head northeast on Macaulay St",
    "Turn left at the 1st cross street toward Cole St",
    "Turn left at the 2nd cross street onto Cole St",
)
TO_LUNCH = ("Turn right toward Cole St", "Turn left at the 1st cross street onto Cole St")
TO_SCHOOL = (
    "Head northeast on Cole St toward Damba Rd",
    "Turn right at the 1st cross street toward Macaulay St",
    "Turn right at the 2nd cross street onto Macaulay St",
)
PRINTED_WAYS = (
    (TAXI, HEAD_OUT, *BY_ANDREWS, SCHOOL, *BACK, GUESTHOUSE),
    (TAXI, HEAD_OUT, *BY_ANDREWS, SCHOOL),
    (TAXI, HEAD_OUT, "Turn left onto Macaulay St", SCHOOL, *BACK, GUESTHOUSE),
    (TAXI, HEAD_OUT, *TO_LUNCH, GUESTHOUSE, *TO_SCHOOL, SCHOOL),
)
ROUTES = Question(
    text=f"How to get to {SCHOOL} from {TAXI} after having lunch at {GUESTHOUSE}?",
    options=tuple(" -> ".join(way) for way in PRINTED_WAYS),
)


def test_listing_3_the_route_is_known_by_its_steps() -> None:
    steps = Sequence(
        names=(
            "Seabird Water Taxi",
            "Head northwest on High Broad St toward Andrews St",
            "Turn right toward Cole St",
            "Turn left onto Cole St",
            "Head northeast on Cole St toward Damba Rd",
            "Turn right at the 1st cross street toward Macaulay St",
            "Turn right at the 2nd cross street onto Macaulay St",
            "Sierra Leone Grammar School",
        )
    )
    found = match(steps, (), ROUTES)
    assert isinstance(found, Match), found
    assert ROUTES.letter(found.index) == "D"


CASTLES_KM = {
    "Howth Castle Estate": 0.4770576879845442,
    "Malahide Castle & Gardens": 8.742973877916125,
    "Castle": 6.943123269967969,
    "Sutton Castle": 2.3206824179509207,
}
STATION = "Howth rail station"
CASTLE = Question(
    text=f"Which castle is closest to {STATION}?",
    options=("Howth Castle", "Mary Castle", "Claremont Castle", "Balscadden House"),
)
MARKET = "Howth Market, 3 Harbour Rd, Howth, Dublin, D13 T8Y7, Ireland"
MOSQUES_KM = {
    "Al Ihsan Jame Mosque": 0.5823,
    "Mollikpur mosque": 1.1681,
    "Kalumaria Mosque": 1.1879,
    "Komlapur Jame Masjid": 1.8655,
}
SERVICE = "Sagor Electronix service center"
MOSQUE = Question(
    text=f"I am at {SERVICE}. What's the nearest mosque to me?",
    options=("Kalumaria Mosque", "Al Ihsan Jame Mosque", "Komlapur Jame Masjid", "Mollikpur mosque"),
)


def nearest(kind: str, to: str, question: Question, *, anchor: str, km: Mapping[str, float]) -> Answer:
    """The nearest of a kind by a printed list around an anchor."""
    places: dict[str, Place] = {name: place(name, categories=(kind,)) for name in km}
    places |= {name: place(name) for name in (to, anchor)}
    items = tuple((places[name].id, 1000 * far) for name, far in km.items())
    listed = KnownList(places[anchor].id, kind, (kind,), None, inside=False, items=items)
    return answer_of(f'answer(nearest("{kind}", to="{to}"))', question, places.values(), lists=[listed])


def test_listing_5_distances_from_another_anchor_are_no_answer() -> None:
    answer = nearest("castle", STATION, CASTLE, anchor=MARKET, km=CASTLES_KM)
    assert (answer.status, answer.option) == (Status.UNANSWERABLE, None)


def test_listing_5_is_right_from_the_right_anchor() -> None:
    answer = nearest("castle", STATION, CASTLE, anchor=STATION, km=CASTLES_KM)
    assert (answer.option, answer.text) == ("A", "Howth Castle")


def test_listing_7_the_nearest_mosque() -> None:
    answer = nearest("mosque", SERVICE, MOSQUE, anchor=SERVICE, km=MOSQUES_KM)
    assert (answer.option, answer.text) == ("B", "Al Ihsan Jame Mosque")
