"""Facts of one place: address, hours, open or not, phone, website, services, cuisine."""

import pytest

from tests.e2e.cases import Case, Clock, Clocks, Exactly, Expected, Minutes, Says, YesNo, clocks_in, moment
from tests.e2e.tellers import Teller
from tests.e2e.truth import NotClearError, RawMap
from tests.e2e.worlds import Worlds


def tagged(name: str, *keys: str) -> Teller:
    """The answer is what the first of these tags says."""
    return lambda raw: Says((raw.tag(name, *keys),))


def address(name: str) -> Teller:
    """The answer is the street and the number."""
    return lambda raw: Says((raw.tag(name, "addr:street"), raw.tag(name, "addr:housenumber")))


def is_open(name: str, day: str, time: str) -> Teller:
    """The answer is yes if the opening hours say so."""
    return lambda raw: YesNo(raw.one(name).open_at(moment(day, time)))


def has(name: str, key: str) -> Teller:
    """The answer is what a tag of yes or no says."""
    return lambda raw: YesNo({"yes": True, "no": False}[raw.tag(name, key)])


def hours_read(name: str, spec: str, expected: Expected) -> Teller:
    """An answer read by hand out of opening hours, which are checked to be still as they were read."""

    def tell(raw: RawMap) -> Expected:
        if raw.tag(name, "opening_hours") != spec:
            raise NotClearError(f"{name!r} has other opening hours")
        return expected

    return tell


def at(time: str) -> Clock:
    """A time of day."""
    return Clock(clocks_in(time)[0])


EKBERG = "Mo-Fr 7:30-19:00;Sa 8:30-17:00;Su 9:00-17:00"
JUTTUTUPA = "Mo 10:00-24:00; Tu-Th 10:00-01:00; Fr-Sa 10:00-03:00; Su 12:00-23:00"
KILIANS = "Mo-Th 16:00-01:00, Fr,Sa 11:00-03:00, Su 12:00-01:00"
LIBRARY = "Mo,We-Fr 09:00-18:30; Tu 09:00-19:30; Sa 13:00-17:00"
LAPPI = "Mo-Sa 12:00-00:00"
ENGEL = "Mo-Fr 08:00-21:00; Sa 09:00-21:00; Su 10:00-19:00"

CASES = (
    Case(
        "helsinki",
        "What's the address of Juttutupa?",
        address("Juttutupa"),
        options=(
            "Säästöpankinranta 6",
            "Siltasaarenkatu 14",
            "Paasivuorenkatu 5 A",
        ),
    ),
    Case("helsinki", "whats the phone number for cafe engel", tagged("Cafe Engel", "phone")),
    Case(
        "helsinki",
        "Could you give me the website of Hotel Arthur, please?",
        tagged("Hotel Arthur", "website"),
    ),
    Case(
        "helsinki",
        "At what time does Cafe Ekberg close on Sundays?",
        hours_read("Cafe Ekberg", EKBERG, at("17:00")),
        options=(
            "15:00",
            "16:00",
            "17:00",
            "19:00",
        ),
    ),
    Case(
        "helsinki",
        "When do they open at Cafe Ekberg on a Saturday morning?",
        hours_read("Cafe Ekberg", EKBERG, at("8:30")),
    ),
    Case(
        "helsinki",
        "We're meeting at Juttutupa on Saturday. Is it open at 2:30 pm?",
        is_open("Juttutupa", "Sa", "14:30"),
    ),
    Case(
        "helsinki",
        "Is Juttutupa still open at 1 am in the night from Friday to Saturday?",
        is_open("Juttutupa", "Sa", "01:00"),
    ),
    Case(
        "helsinki",
        "is El Rey open on mondays",
        hours_read("El Rey", "Tu-Sa 17:00-23:00", YesNo(False)),
        options=(
            "yes",
            "no",
        ),
    ),
    Case(
        "helsinki",
        "Is Zetor wheelchair accessible?",
        has("Zetor", "wheelchair"),
        options=(
            "Yes",
            "No",
            "Only with help",
        ),
    ),
    Case(
        "helsinki",
        "Can you get takeaway at Leonardo Bar & Ristorante?",
        has("Leonardo Bar & Ristorante", "takeaway"),
    ),
    Case("helsinki", "Does El Rey have outdoor seating?", has("El Rey", "outdoor_seating")),
    Case(
        "helsinki",
        "What kind of food does Mount Everest serve?",
        lambda raw: Exactly(raw.tag("Mount Everest", "cuisine").title()),
        ("Indian", "Nepalese", "Thai", "Italian"),
    ),
    Case(
        "helsinki",
        "Which day of the week is Lappi ravintola closed?",
        hours_read("Lappi ravintola", LAPPI, Exactly("Sunday")),
        ("Monday", "Tuesday", "Saturday", "Sunday"),
    ),
    Case(
        "helsinki",
        "Cafe Engel, Helsinki - opening hours on weekdays?",
        hours_read("Cafe Engel", ENGEL, Clocks(("08:00", "21:00"))),
        ("09:00 - 21:00", "08:00 - 21:00", "10:00 - 19:00", "08:00 - 19:00"),
    ),
    Case("helsinki", "is cafe engle open at 8pm on sunday?", is_open("Cafe Engel", "Su", "20:00")),
    Case(
        "helsinki",
        "Which street is Casino Helsinki on?",
        lambda raw: Exactly(raw.tag("Casino Helsinki", "addr:street")),
        ("Kaivokatu", "Mikonkatu", "", "Bulevardi"),
    ),
    Case(
        "munich",
        "What are the opening hours of the Spielzeugmuseum?",
        hours_read("Spielzeugmuseum", "Mo-Fr 10:00-17:30", Clocks(("10:00", "17:30"))),
    ),
    Case(
        "munich",
        "Is the Rathaus-Apotheke open on Sunday at 3 pm?",
        is_open("Rathaus-Apotheke", "Su", "15:00"),
        options=(
            "Yes",
            "No",
        ),
    ),
    Case(
        "munich",
        "Is Valentin-Karlstadt-Musäum open on Wednesdays?",
        is_open("Valentin-Karlstadt-Musäum", "We", "12:00"),
    ),
    Case(
        "munich",
        "When does Kilians Irish Pub close on Saturday night?",
        hours_read("Kilians Irish Pub", KILIANS, at("3:00")),
        options=(
            "1 am",
            "2 am",
            "3 am",
            "midnight, 12 am",
        ),
    ),
    Case(
        "munich",
        "Where is Conrad Electronic located?",
        address("Conrad Electronic"),
        options=(
            "Tal 29",
            "Tal 41",
            "Tal 10",
            "Marienplatz 15",
            "Karlsplatz 12",
        ),
    ),
    Case("munich", "Could you tell me the telephone number of Torbräu?", tagged("Torbräu", "contact:phone")),
    Case("munich", "Does Stadtcafe have seats outside?", has("Stadtcafe", "outdoor_seating")),
    Case(
        "munich",
        "Is the Spielzeugmuseum accessible for wheelchair users?",
        lambda raw: Exactly(raw.tag("Spielzeugmuseum", "wheelchair").title()),
        ("Yes", "No"),
    ),
    Case(
        "munich",
        "Is max2 open now?",
        lambda raw: YesNo(raw.one("max2").open_at(moment("Mo", "11:00"))),
        at=moment("Mo", "11:00"),
    ),
    Case(
        "munich",
        "Is Café Dukatz open right now?",
        lambda raw: YesNo(raw.one("Café Dukatz").open_at(moment("Sa", "18:30"))),
        at=moment("Sa", "18:30"),
    ),
    Case(
        "munich",
        "On which of these days can I not visit the Staatliche Münzsammlung München?",
        hours_read("Staatliche Münzsammlung München", "Tu-Su 10:00-17:00", Exactly("Monday")),
        ("Sunday", "Monday", "Thursday"),
    ),
    Case(
        "munich",
        "What cuisine does Der Pschorr offer?",
        tagged("Der Pschorr", "cuisine"),
        options=(
            "Italian",
            "Bavarian",
            "Indian",
            "Thai",
            "Japanese",
            "Greek",
            "Vietnamese",
        ),
    ),
    Case(
        "liechtenstein",
        "What time does the Landesbibliothek open on Saturdays?",
        hours_read("Landesbibliothek", LIBRARY, at("13:00")),
        options=(
            "9:00",
            "10:00",
            "13:00",
        ),
    ),
    Case(
        "liechtenstein",
        "until when is the Landesbibliothek open on tuesdays",
        hours_read("Landesbibliothek", LIBRARY, at("19:30")),
    ),
    Case(
        "liechtenstein",
        "Post Schaan: can I still go there at 6:30 pm on a Wednesday, is it open?",
        is_open("Post Schaan", "We", "18:30"),
    ),
    Case(
        "liechtenstein",
        "What is the phone number of Brasserie Burg?",
        tagged("Brasserie Burg", "phone"),
        options=(
            "+423 232 23 83",
            "+423 376 54 60",
            "+423 232 22 88",
        ),
    ),
    Case("liechtenstein", "Does Pizzeria Toscana deliver?", has("Pizzeria Toscana", "delivery")),
    Case(
        "liechtenstein",
        "Is Post Mauren open at 12:30 on a Thursday?",
        is_open("Post Mauren", "Th", "12:30"),
        options=(
            "Yes",
            "No",
        ),
    ),
    Case(
        "liechtenstein",
        "Where can I find the TAK Theater Liechtenstein? I need its address.",
        address("TAK Theater Liechtenstein"),
    ),
    Case(
        "vancouver",
        "What's the street address of Tojos?",
        address("Tojos"),
        options=(
            "1133 West Broadway",
            "1643 West Broadway",
            "1530 West Broadway",
            "3005 West Broadway",
        ),
    ),
    Case(
        "vancouver",
        "Is the Mount Pleasant Branch library wheelchair-friendly?",
        has("Mount Pleasant Branch", "wheelchair"),
    ),
    Case(
        "vancouver",
        "What time does Collingwood Safeway open in the morning?",
        hours_read("Collingwood Safeway", "Mo-Su 07:00-00:00", at("7:00")),
        options=(
            "6:00 AM",
            "7:00 AM",
            "8:00 AM",
        ),
    ),
    Case(
        "vancouver", "Is Long's Noodle House open on Tuesdays?", is_open("Long's Noodle House", "Tu", "12:00")
    ),
    Case(
        "vancouver",
        "Which of these is the phone number of Whet?",
        lambda raw: Exactly(raw.tag("Whet", "phone")),
        ("604-685-4735", "604-669-9030", "604-696-0739", "604-647-2287"),
    ),
    Case("helsinki", "adress of the hotel arthur pls", address("Hotel Arthur")),
    Case(
        "munich",
        "For how many hours is the Ratskeller open on a Tuesday?",
        hours_read("Ratskeller", "Mo-Su 10:00-24:00", Minutes(840)),
        ("10 hours", "12 hours", "14 hours"),
    ),
    Case(
        "liechtenstein",
        "Do they have vegetarian dishes at Pizzeria Toscana?",
        has("Pizzeria Toscana", "diet:vegetarian"),
        ("Yes", "No"),
    ),
    Case(
        "munich",
        "Is there wifi at the Torbräu?",
        lambda raw: YesNo(raw.tag("Torbräu", "internet_access") == "wlan"),
    ),
    Case(
        "helsinki",
        "Who runs the Kinopalatsi cinema?",
        tagged("Kinopalatsi", "operator"),
        ("Finnkino", "Kino Engel", "Nordisk Film"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_place_fact(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
