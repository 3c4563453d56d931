"""MapAgent's printed picture questions (listings 2 to 7), their tool outputs as typed evidence."""

from modules.answer_generator.verify import verify
from modules.answer_generator.verify.draft import check_draft

from map_tools.facts import NearbyFact
from map_tools.types import NearbyPlace
from mapagent.answer import Claim, Named, Quantity, Sequence, Solution, Status
from mapagent.question import Question
from modules.answer_generator.matching import Match, match
from modules.offline.intents import NearbyIntent, What
from tests.paper.test_mapagent_trips import draft_rejections, rejections
from tests.support.evidence import evidence, place, place_fact


def listed(anchor: str, what: str, km: dict[str, float]) -> NearbyFact:
    """A printed list: names with their distances in kilometres, in the printed order."""
    items = tuple(NearbyPlace(place=place(name), distance_m=1000 * far) for name, far in km.items())
    return NearbyFact(anchor=anchor, what=what, items=items, sorted_by_distance=False)


CHURCHES = evidence(
    listed(
        "Rådmansgatan 46, 113 57 Stockholm, Sweden",
        "church",
        {
            "City Church": 0.46526,
            "St. Peter's Church, Stockholm": 0.58489,
            "Adolf Fredriks Forsamling": 0.3625,
        },
    )
)
COUNTING = Question(
    text="How many churches are visible in the lower half of the map?",
    options=("Five", "Two", "Four", "Three"),
)
LISTING_2 = """The churches visible in the lower half are:
St. Peter's Church, Stockholm
Adolf Fredriks Forsamling
City Church

Thus, the correct answer is {}."""


def test_listing_2_letter_and_text_disagree() -> None:
    """The listing prints "B. Three", but B is Two and Three is D."""
    assert draft_rejections(COUNTING, LISTING_2.format("B. Three"), CHURCHES) == {"letter_text_mismatch"}
    assert draft_rejections(COUNTING, LISTING_2.format("**B. Three**"), CHURCHES) == {"letter_text_mismatch"}


def test_listing_6_the_same_count_with_its_own_letter_passes() -> None:
    assert check_draft(COUNTING, LISTING_2.format("**(D) Three**"), CHURCHES) == ()


def count_of(labels: list[str], result: int) -> Solution:
    return Solution(
        status=Status.ANSWERED,
        value=Quantity(value=result, unit="count"),
        claims=(Claim(rule="count", inputs=("e1",), arguments={"labels": labels}, result=result),),
        evidence_ids=("e1",),
    )


def test_counting_by_listing() -> None:
    names = ["City Church", "St. Peter's Church, Stockholm", "Adolf Fredriks Forsamling"]
    assert rejections(COUNTING, None, count_of(names, 3), CHURCHES) == set()
    assert rejections(COUNTING, None, count_of(names, 4), CHURCHES) == {"count"}
    assert rejections(COUNTING, None, count_of(["City Church", "City Church", names[1]], 3), CHURCHES) == {
        "count"
    }


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
CASTLE = Question(
    text="Which castle is closest to Howth rail station?",
    options=("Howth Castle", "Mary Castle", "Claremont Castle", "Balscadden House"),
)
CASTLE_INTENT = NearbyIntent(what=What(text="castle"), anchors=("Howth rail station",))
LISTING_5 = """The castle closest to Howth rail station is Howth Castle which is only 0.477 km away from Howth
rail station. Thus, the correct answer is A. Howth Castle"""


def nearest(name: str, km: dict[str, float]) -> Solution:
    metres = {label: 1000 * far for label, far in km.items()}
    return Solution(
        status=Status.ANSWERED,
        value=Named(name=name),
        explanation=f"{name} is {metres[name]:.0f} m away.",
        claims=(
            Claim(rule="min", inputs=("e1",), arguments={"values": metres, "unit": "m", "k": 1}, result=name),
        ),
        evidence_ids=("e1",),
    )


def test_listing_5_distances_from_another_anchor_are_refused() -> None:
    facts = evidence(
        listed("Howth Market, 3 Harbour Rd, Howth, Dublin, D13 T8Y7, Ireland", "castle", CASTLES_KM)
    )
    solution = nearest("Howth Castle Estate", CASTLES_KM)
    assert rejections(CASTLE, CASTLE_INTENT, solution, facts) == {"wrong_anchor"}
    assert draft_rejections(CASTLE, LISTING_5, facts) == {"wrong_anchor"}


def test_listing_5_passes_from_the_right_anchor() -> None:
    facts = evidence(listed("Howth rail station", "castle", CASTLES_KM))
    solution = nearest("Howth Castle Estate", CASTLES_KM)
    assert rejections(CASTLE, CASTLE_INTENT, solution, facts) == set()
    assert draft_rejections(CASTLE, LISTING_5, facts) == set()
    found = match(Named(name="Howth Castle Estate"), (), CASTLE)
    assert isinstance(found, Match)
    assert found.text == "Howth Castle"


def test_an_anchor_under_another_name_is_the_same_place() -> None:
    station = place("Howth DART", 53.3888, -6.0743)
    fact = listed("Howth DART", "castle", CASTLES_KM).model_copy(update={"anchor_place": station})
    facts = evidence(fact, place_fact(station, query="Howth rail station"))
    solution = nearest("Howth Castle Estate", CASTLES_KM)
    assert rejections(CASTLE, CASTLE_INTENT, solution, facts) == set()


def test_an_anchor_in_another_language_is_only_a_warning() -> None:
    facts = evidence(listed("Iglesia y Convento de Santa Rosa", "castle", CASTLES_KM))
    intent = NearbyIntent(what=What(text="castle"), anchors=("Santa Rosa Basilica",))
    solution = nearest("Howth Castle Estate", CASTLES_KM)
    objections = verify(
        Question(text="Which castle is nearest to the basilica?"), intent, solution, facts, None
    )
    assert [(one.code, one.severity) for one in objections] == [("wrong_anchor", "warn")]


MOSQUES_KM = {
    "Al Ihsan Jame Mosque": 0.5823,
    "Mollikpur mosque": 1.1681,
    "Kalumaria Mosque": 1.1879,
    "Komlapur Jame Masjid": 1.8655,
}
MOSQUE = Question(
    text="I am at Sagor Electronix service center. What's the nearest mosque to me?",
    options=("Kalumaria Mosque", "Al Ihsan Jame Mosque", "Komlapur Jame Masjid", "Mollikpur mosque"),
)


def test_listing_7_the_nearest_mosque() -> None:
    facts = evidence(listed("Sagor Electronix service center", "mosque", MOSQUES_KM))
    text = """The nearest mosque to your location, is **Al Ihsan Jame Mosque** with a distance of 0.582
kilometers.

Answer: **B) Al Ihsan Jame Mosque**"""
    assert draft_rejections(MOSQUE, text, facts) == set()
    intent = NearbyIntent(what=What(text="mosque"), anchors=("Sagor Electronix service center",))
    solution = nearest("Al Ihsan Jame Mosque", MOSQUES_KM)
    assert rejections(MOSQUE, intent, solution, facts) == set()
    wrong = nearest("Kalumaria Mosque", MOSQUES_KM)
    assert rejections(MOSQUE, intent, wrong, facts) == {"min"}


def test_a_guess_without_evidence_is_refused() -> None:
    text = "The nearest mosque to the service center appears to be **(A) Kalumaria Mosque.**"
    assert draft_rejections(MOSQUE, text, ()) == {"no_evidence"}
    solution = Solution(status=Status.ANSWERED, value=Named(name="Kalumaria Mosque"))
    codes = {one.code for one in verify(MOSQUE, None, solution, (), None)}
    assert "no_evidence" in codes
