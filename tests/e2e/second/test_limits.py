"""What cannot be answered, asked by people who do not know that: ratings, strangers, chains, chatter."""

import pytest

from mapagent.core.answer import Status
from tests.e2e.cases import Case, Ends, Says
from tests.e2e.tellers import Teller
from tests.e2e.test_refusals import NONSENSE, OFF_TOPIC, UNANSWERABLE, lacks, many, unknown
from tests.e2e.truth import RawMap, Rule
from tests.e2e.worlds import Worlds


def branch(name: str, street: str, key: str) -> Teller:
    """The tag of the only branch in a street."""

    def tell(raw: RawMap) -> Says:
        rules: dict[str, Rule] = {"name": name, "addr__street": street}
        (found,) = raw.all(**rules)
        return Says((found.tags[key],))

    return tell


CASES = (
    # what the map does not tell
    Case(
        "porto",
        "How many stars do people give Picota on Google?",
        lambda _: UNANSWERABLE,
        ("3.9", "4.2", "4.7"),
    ),
    Case("porto", "is tapabento expensive", lambda _: UNANSWERABLE),
    Case("london", "What do guests say about the food at Vanilla Black?", lambda _: UNANSWERABLE),
    Case(
        "london",
        "Which pub within 300 m of Pilpel has the best reviews?",
        lambda _: UNANSWERABLE,
        ("The Punch Tavern", "Pegasus", "The Albion"),
    ),
    Case("andorra", "What's the phone number of Solanelles?", lacks("Solanelles", "phone", "contact:phone")),
    Case(
        "andorra",
        "Is El Cachirulo open on Sunday at noon?",
        lacks("El Cachirulo", "opening_hours"),
        ("Yes", "No"),
    ),
    Case("monaco", "Slammers wheelchair access?", lacks("Slammers", "wheelchair")),
    Case("monaco", "what is the average bill at Le Grill for two people", lambda _: UNANSWERABLE),
    # strangers
    Case("porto", "Where is the Zanzibarium located, what's its address?", unknown("Zanzibarium")),
    Case(
        "london",
        "How long is the walk from Pilpel to Wobblethorpe?",
        unknown("Wobblethorpe"),
        ("5 min", "10 min", "15 min"),
    ),
    Case("andorra", "nearest pharmacy to Hotel Quetzalcoatlus", unknown("Hotel Quetzalcoatlus")),
    Case("monaco", "when does Brasserie Xylofonix close on fridays", unknown("Brasserie Xylofonix")),
    # chains
    Case("london", "what's the phone number of Pret A Manger", many("Pret A Manger")),
    Case("london", "How far is Costa from Pilpel as the crow flies?", many("Costa")),
    Case("andorra", "Address of Caprabo, please", many("Caprabo")),
    Case("monaco", "opening hours BNP Paribas?", many("BNP Paribas")),
    Case(
        "london",
        "I need to phone the Boots on New Bridge Street. Number?",
        branch("Boots", "New Bridge Street", "contact:phone"),
    ),
    # chatter
    Case("porto", "lorem ipsum dolor", lambda _: NONSENSE),
    Case("london", "thanks, you're the best!", lambda _: NONSENSE),
    Case("monaco", "Who won the Grand Prix in 1996?", lambda _: OFF_TOPIC, ("Panis", "Senna", "Hill")),
    Case("andorra", "Convert 20 euros to dollars", lambda _: OFF_TOPIC),
    Case("porto", "Are the people in Porto friendly?", lambda _: OFF_TOPIC, ("Yes", "No")),
    Case("london", "??", lambda _: Ends((Status.NOT_UNDERSTOOD,))),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_limit(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
