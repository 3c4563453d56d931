"""Ordinary questions about the demo map, of the kinds that Google's services can answer too."""

from dataclasses import dataclass
from datetime import datetime

from map_tools.types import LatLng

RAILWAY_SQUARE = LatLng(lat=60.1712, lng=24.9436)
SATURDAY_NIGHT = datetime(2026, 5, 9, 21, 30)  # noqa: DTZ001 (the place's own time)


@dataclass(frozen=True)
class Asked:
    """A question with what comes beside it."""

    text: str
    options: tuple[str, ...] = ()
    near: LatLng | None = None
    at: datetime | None = None

    def __str__(self) -> str:
        return self.text


FACTS = (
    Asked("What is the address of Hotel Arthur?"),
    Asked("Where exactly is Kinopalatsi? I need the street address."),
    Asked("What is the phone number of Hotel Arthur?"),
    Asked("Phone number of Erottajan Apteekki?"),
    Asked("Which website does Amos Rex have?"),
    Asked("What is the website of Zetor?"),
    Asked("What are the opening hours of Amos Rex on Wednesdays?"),
    Asked("Is Amos Rex open on Tuesdays?"),
    Asked("Is Erottajan Apteekki open at 8 pm on a Saturday?"),
    Asked("When does Erottajan Apteekki close on Sundays?"),
    Asked("When does Amos Rex open on Wednesdays?"),
    Asked("Is Virgin Oil Co. open at 1 am in the night from Friday to Saturday?"),
    Asked("Is Erottajan Apteekki open now?", at=SATURDAY_NIGHT),
    Asked("Is Kinopalatsi wheelchair accessible?"),
    Asked("Does Frans & Amélie deliver?"),
    Asked("On which street is Amos Rex?"),
    Asked(
        "Which of these is the address of Zetor?",
        ("Vuorikatu 19", "Mannerheimintie 3", "Kaisaniemenkatu 2"),
    ),
    Asked("What is the rating of Hotel Arthur?"),
)
NEARBY = (
    Asked("Which pharmacy is closest to Kinopalatsi?"),
    Asked("What is the nearest cinema to Zetor?"),
    Asked("Nearest museum to Amos Rex?"),
    Asked("Which hotel is closest to Bio Rex?"),
    Asked("Which hostel is nearest to Kinopalatsi?"),
    Asked("Which Italian restaurant is the closest to Hotel Arthur?"),
    Asked("Where is the nearest bank to Zetor?"),
    Asked("What is the second closest pharmacy to Kinopalatsi?"),
    Asked("How many pharmacies are within 500 m of Kinopalatsi?"),
    Asked("How many cinemas are there within 1 km of Zetor?"),
    Asked("How many hotels are within 300 meters of Hotel Arthur?"),
    Asked("List the pharmacies within 450 m of Kinopalatsi."),
    Asked("Is there a supermarket within 300 m of Hotel Arthur?"),
    Asked("Is there a museum within 500 m of Zetor?"),
    Asked("Where is the nearest pharmacy from here?", near=RAILWAY_SQUARE),
    Asked("How many cinemas are within 600 m of me?", near=RAILWAY_SQUARE),
    Asked("Which pharmacy near Kinopalatsi is open at 8 pm on Sunday?"),
    Asked("Which nightclub within 700 m of Zetor is open at 2 am on Saturday?"),
    Asked(
        "Which of these is closest to Kinopalatsi?",
        ("Zetor", "Hotel Arthur", "Bio Rex", "Amos Rex"),
    ),
    Asked("Which of these pharmacies is nearest to Zetor?", ("Kluuvin Apteekki", "Erottajan Apteekki")),
)
WAYS = (
    Asked("How long is the walk from Kinopalatsi to Hotel Arthur?"),
    Asked("How far is it on foot from Zetor to Bio Rex?"),
    Asked("How long does it take to drive from Hotel Arthur to Amos Rex?"),
    Asked("How many minutes by bike from Kinopalatsi to Zetor?"),
    Asked("What is the straight-line distance between Kinopalatsi and Zetor?"),
    Asked("In which direction is Amos Rex from Kinopalatsi?"),
    Asked("Is it faster to walk or to drive from Kinopalatsi to Hotel Arthur?"),
    Asked("What is the first street when walking from Zetor to Bio Rex?"),
    Asked("On the walk from Kinopalatsi to Hotel Arthur, which way do I turn onto Kaisaniemenkatu?"),
    Asked("How far is the drive from Bio Rex to Hotel Arthur?"),
    Asked("How long does the tram take from Zetor to Kinopalatsi?"),
    Asked(
        "How long is the walk from Amos Rex to Hotel Arthur?",
        ("2 minutes", "11 minutes", "45 minutes"),
    ),
)
TRIPS = (
    Asked("How long does it take to walk from Kinopalatsi to Zetor and then on to Bio Rex?"),
    Asked(
        "I walk from Hotel Arthur to Kinopalatsi, then to Zetor, and back to Hotel Arthur. How long in all?"
    ),
    Asked(
        "I leave Kinopalatsi at 10:00, walk to Zetor, stay 30 minutes and walk to Bio Rex. When am I there?"
    ),
    Asked(
        "What is the shortest order to visit Zetor, Bio Rex and Amos Rex on foot starting from Kinopalatsi?"
    ),
    Asked("I walk from Hotel Arthur to Amos Rex and must be there at 15:00. When do I have to leave?"),
    Asked("Can I walk from Kinopalatsi to Zetor and back within 20 minutes?"),
    Asked("Which is closer to Hotel Arthur on foot: Zetor or Kinopalatsi?"),
)
NOTHING = (
    Asked("What is the address of the Zzyzx Qwrtpsdf Emporium?"),
    Asked("How long is the walk from Kinopalatsi to the Zzyzx Qwrtpsdf Emporium?"),
    Asked("How many airports are within 300 m of Zetor?"),
)
QUESTIONS = (*FACTS, *NEARBY, *WAYS, *TRIPS, *NOTHING)

_ANCHORS = ("Kinopalatsi", "Zetor", "Hotel Arthur", "Bio Rex", "Amos Rex")
MORE = (
    *(Asked(f"How many cafes are within 150 m of {anchor}?") for anchor in _ANCHORS),
    *(Asked(f"How many restaurants are within 400 m of {anchor}?") for anchor in _ANCHORS),
    *(Asked(f"List the hotels within 400 m of {anchor}.") for anchor in _ANCHORS),
    *(Asked(f"List the bars within 300 m of {anchor}.") for anchor in _ANCHORS),
    *(Asked(f"Which supermarket near {anchor} is open at 11 pm on Sunday?") for anchor in _ANCHORS),
    *(Asked(f"Is there a theatre within 200 m of {anchor}?") for anchor in _ANCHORS[:4]),
    Asked("How many benches are within 500 m of Zetor?"),
    *(Asked(f"How long is the walk from Erottajan Apteekki to {anchor}?") for anchor in _ANCHORS),
    *(
        Asked(f"I drive from {anchor} to Erottajan Apteekki, then to Cafe Engel. How long?")
        for anchor in _ANCHORS
    ),
)
"""Counts and lists, some of them longer than Google tells, and more ways."""
HUNDRED = (*QUESTIONS, *MORE)
