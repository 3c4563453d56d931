"""Questions with options to choose from."""

import pytest

from tests.e2e.cases import Case, Clocks, Minutes, YesNo
from tests.e2e.fourth.tellers import (
    arrives,
    closer,
    count_open,
    further,
    in_order,
    in_time,
    minutes_to_nearest,
    more_of,
    nearest_open,
    sooner,
)
from tests.e2e.second.test_choices import by_time, only_open
from tests.e2e.second.test_ways import leave_by
from tests.e2e.tellers import count, nearest
from tests.e2e.test_geometry import between, closest_pair, says_wind, straight
from tests.e2e.test_place_facts import address, hours_read
from tests.e2e.test_refusals import UNANSWERABLE, lacks, unknown
from tests.e2e.test_routes import BIKE, CAR, WALK, long, main_street, takes
from tests.e2e.test_trips import lasts, order
from tests.e2e.worlds import Worlds

FILMS = ("Bio Rex", "Kinopalatsi", "Kino Engel")
WINDS = ("North", "North-East", "East", "South-East", "South", "South-West", "West", "North-West")
MONACO_STOPS = ("Utile", "Musée naval", "Quai des Artistes")
LONDON_DROPS = ("Haz St Paul's", "Zelman Meats", "Bespoke Cycling")

CASES = (
    Case(
        "helsinki",
        "Which cinema could we walk to the quickest from Hotel Finn?",
        sooner(WALK, "Hotel Finn", *FILMS),
        FILMS,
    ),
    Case(
        "helsinki",
        "closest to Scandic Paasi?",
        closer("Scandic Paasi", "Hotel Arthur", "Hotel Finn", "Kinopalatsi"),
        ("Hotel Arthur", "Hotel Finn", "Kinopalatsi"),
    ),
    Case(
        "helsinki",
        "How long does it take on foot to go from Erottajan Apteekki to Suomen Pankin rahamuseo?",
        takes(WALK, "Erottajan Apteekki", "Suomen Pankin rahamuseo"),
        ("5 min", "11 min", "20 min", "27 min"),
    ),
    Case(
        "helsinki",
        "How many pharmacies are open within 600 m of Hotel Finn at 6 pm on a Sunday?",
        count_open("Hotel Finn", 600, "Su", "18:30", amenity="pharmacy"),
        ("0", "1", "2", "4"),
    ),
    Case(
        "helsinki",
        "It is Monday, 9.15 pm. Which of these still serves us?",
        only_open("Mo", "21:15", "Cafe Ekberg", "Levant", "El Greco", "Cafe Engel"),
        ("Cafe Ekberg", "Levant", "El Greco", "Cafe Engel"),
    ),
    Case(
        "helsinki",
        "Opening hours of Erottajan Apteekki on Sundays?",
        hours_read(
            "Erottajan Apteekki",
            "Mo-Fr 09:00-21:00; Sa 09:00-19:00; Su 11:00-18:00",
            Clocks(("11:00", "18:00")),
        ),
        ("09:00-21:00", "09:00-19:00", "11:00-18:00", "closed"),
    ),
    Case(
        "london",
        "Where would I find Haz St Paul's?",
        address("Haz St Paul's"),
        ("9 Foster Lane", "34 Foster Lane", "9 Old Bailey", "114 Queen Victoria Street"),
    ),
    Case(
        "london",
        "Best order for the drops, starting from Condor Cycles by bike?",
        order(BIKE, "Condor Cycles", LONDON_DROPS, " > "),
        (
            "Haz St Paul's > Zelman Meats > Bespoke Cycling",
            "Zelman Meats > Haz St Paul's > Bespoke Cycling",
            "Bespoke Cycling > Haz St Paul's > Zelman Meats",
            "Zelman Meats > Bespoke Cycling > Haz St Paul's",
        ),
    ),
    Case(
        "london",
        "I'm in a wheelchair, is Museum of the Order of St John accessible?",
        lambda raw: YesNo(
            {"yes": True, "no": False}[raw.tag("Museum of the Order of St John", "wheelchair")]
        ),
        ("Yes", "No"),
    ),
    Case(
        "london",
        "How many florists within 600 m of Shoe Lane Library?",
        count("Shoe Lane Library", 600, shop="florist"),
        ("0", "1", "2", "5"),
    ),
    Case(
        "london",
        "Which is the farthest from Premier Inn?",
        further("Premier Inn", "Pham sushi", "New Delis", "The Wren", "Taro"),
        ("Pham sushi", "New Delis", "The Wren", "Taro"),
    ),
    Case(
        "london",
        "What does Pham sushi have as its phone number?",
        lacks("Pham sushi", "phone", "contact:phone"),
        ("+44 20 7251 6336", "+44 20 7600 4172", "+44 20 7831 6208", "+44 20 7242 5778"),
    ),
    Case(
        "london",
        "Which of the following sits roughly between Condor Cycles and The Wren?",
        between("Condor Cycles", "The Wren", ("Poncho8", "Pham sushi")),
        ("Poncho8", "Pham sushi"),
    ),
    Case(
        "porto",
        "Walking from Cats Hostels, which do you reach first?",
        sooner(WALK, "Cats Hostels", "Duas de Letra", "Breyner House", "Big Ben"),
        ("Duas de Letra", "Breyner House", "Big Ben"),
    ),
    Case(
        "porto",
        "Where can you still eat at 4 a.m. on a Tuesday?",
        only_open("Tu", "04:00", "Big Ben", "Flor dos Congregados", "Roma", "Jimão"),
        ("Big Ben", "Flor dos Congregados", "Roma", "Jimão"),
    ),
    Case(
        "porto",
        "Is the Palácio da Bolsa open at 7 pm on a Monday in May?",
        hours_read(
            "Palácio da Bolsa",
            "Nov-Mar: Mo-Su 09:00-12:30,14:00-17:30; Apr-Oct: Mo-Su 09:00-18:30; Dec 25 off; Jan 1 off",
            YesNo(False),
        ),
        ("Yes", "No"),
    ),
    Case(
        "porto",
        "How far is it from Ibis Porto Centro to Cinema Passos Manuel in a straight line?",
        straight("Ibis Porto Centro", "Cinema Passos Manuel"),
        ("140 m", "320 m", "600 m", "1.1 km"),
    ),
    Case(
        "porto",
        "Someone with 45 minutes leaves Breyner House on foot for Farmácia Henriques, stays 10 min and "
        "returns. Does it work out?",
        in_time(
            0,
            45,
            (WALK, "Breyner House", "Farmácia Henriques"),
            (WALK, "Farmácia Henriques", "Breyner House"),
            stay=10,
        ),
        ("yes", "no"),
    ),
    Case(
        "munich",
        "From the Mathäser, Sesam Falafel lies to the",
        says_wind("Mathäser", "Sesam Falafel"),
        WINDS,
    ),
    Case(
        "munich",
        "What's the walking distance between Keksliebe and Cafe Aran?",
        long(WALK, "Keksliebe", "Cafe Aran"),
        ("600 m", "900 m", "1.3 km", "2.2 km"),
    ),
    Case(
        "munich",
        "When will I be at Acanthus Hotel if I leave Tolstoi-Bibliothek at 22:50 walking?",
        arrives(22 * 60 + 50, (WALK, "Tolstoi-Bibliothek", "Acanthus Hotel")),
        ("22:59", "23:09", "23:19", "23:40"),
    ),
    Case(
        "munich",
        "Which café nearest to Café Exponat opens before eight on a Monday?",
        nearest_open("Café Exponat", "Mo", "07:55", amenity="cafe"),
        ("Guglhupf", "Stadtcafe", "Cole & Porter", "Cafe Aran"),
    ),
    Case(
        "munich",
        "Which of these pairs is closest together?",
        closest_pair(
            "Gloria and Mathäser", "Keksliebe and Cafe Aran", "Derag Livinghotel and Acanthus Hotel"
        ),
        ("Gloria and Mathäser", "Keksliebe and Cafe Aran", "Derag Livinghotel and Acanthus Hotel"),
    ),
    Case(
        "munich",
        "More pharmacies or more pubs in 210 m around Derag Livinghotel?",
        more_of(
            "Derag Livinghotel", 210, ("pharmacies", {"amenity": "pharmacy"}), ("pubs", {"amenity": "pub"})
        ),
        ("More pharmacies", "More pubs"),
    ),
    Case(
        "munich",
        "What is the average rating of Sesam Falafel?",
        lambda raw: UNANSWERABLE,
        ("3.9", "4.2", "4.4", "4.8"),
    ),
    Case(
        "vancouver",
        "Which road carries most of the drive from Sylvia Hotel to Collingwood Safeway?",
        main_street("Sylvia Hotel", "Collingwood Safeway"),
        ("Kingsway", "Denman Street", "West Broadway", "Main Street"),
    ),
    Case(
        "vancouver",
        "Driving, how far is Broadway Pharmacy from Pacific Theatre?",
        long(CAR, "Pacific Theatre", "Broadway Pharmacy"),
        ("1.2 km", "2.8 km", "5.5 km", "9 km"),
    ),
    Case(
        "vancouver",
        "Which pharmacy is nearest to the Vogue Theatre?",
        nearest("Vogue Theatre", amenity="pharmacy"),
        ("Howe Street Pharmacy", "Pharmasave", "Finlandia Pharmacy", "London Drugs"),
    ),
    Case(
        "vancouver",
        "Latest departure by car from Bestie to be at Floata... sorry, at Kingsway Sushi by 18:00?",
        leave_by(1080, (CAR, "Bestie", "Kingsway Sushi")),
        ("5:20 PM", "5:34 PM", "5:46 PM", "5:55 PM"),
    ),
    Case(
        "vancouver",
        "Sort by walking time from The Orpheum, shortest first.",
        by_time(WALK, "The Orpheum", "Vogue Theatre", "Central Library", "Gastown Steam Clock"),
        (
            "Vogue Theatre, Central Library, Gastown Steam Clock",
            "Central Library, Vogue Theatre, Gastown Steam Clock",
            "Gastown Steam Clock, Vogue Theatre, Central Library",
        ),
    ),
    Case(
        "vancouver",
        "How do I get from Central Library to Restaurant Mirabelle du Parc on foot, how long?",
        unknown("Restaurant Mirabelle du Parc"),
        ("5 min", "10 min", "15 min"),
    ),
    Case(
        "monaco",
        "Shortest walk from the Hermitage to see them all: which order?",
        order(WALK, "Hermitage", MONACO_STOPS, ", "),
        (
            "Utile, Musée naval, Quai des Artistes",
            "Quai des Artistes, Utile, Musée naval",
            "Musée naval, Quai des Artistes, Utile",
            "Quai des Artistes, Musée naval, Utile",
        ),
    ),
    Case(
        "monaco",
        "Does The bike shop close for lunch, and if so when?",
        hours_read("The bike shop", "09:00-12:30; 14:30-19:00; Su off", Clocks(("12:30", "14:30"))),
        ("12:30 to 14:30", "12:00 to 14:00", "13:00 to 15:00", "It does not"),
    ),
    Case(
        "monaco",
        "Minutes on foot from Hermitage to the nearest bakery?",
        minutes_to_nearest(WALK, "Hermitage", lambda raw: raw.all(shop="bakery")),
        ("4 min", "14 min", "22 min", "30 min"),
    ),
    Case(
        "monaco",
        "nearest supermarket to La Rascasse?",
        nearest("La Rascasse", shop="supermarket"),
        ("Spar", "Utile", "Casino", "Solis Bio"),
    ),
    Case(
        "andorra",
        "Nearest museum to Art Hotel?",
        nearest("Art Hotel", tourism="museum"),
        (
            "Museu Carmen Thyssen",
            "Museu Obert de Geologia. Roques al Carrer",
            "Museu del Perfum",
            "Mina de Llorts",
        ),
    ),
    Case(
        "andorra",
        "How long by car: Art Hotel - Font d'Argent - Restaurant la Cabaneta?",
        lasts((CAR, "Art Hotel", "Font d'Argent"), (CAR, "Font d'Argent", "Restaurant la Cabaneta")),
        ("10 minutes", "18 minutes", "27 minutes", "50 minutes"),
    ),
    Case(
        "andorra",
        "From nearest to farthest from Roc Arnau, as the crow flies:",
        in_order("Roc Arnau", "Comtes de Foix", "Iron Museum", "Elf"),
        (
            "Comtes de Foix, Iron Museum, Elf",
            "Iron Museum, Comtes de Foix, Elf",
            "Elf, Iron Museum, Comtes de Foix",
        ),
    ),
    Case(
        "liechtenstein",
        "By bicycle, is Mikado or Walsermuseum quicker to reach from Hotel-Gasthof Löwen?",
        sooner(BIKE, "Hotel-Gasthof Löwen", "Mikado", "Walsermuseum"),
        ("Mikado", "Walsermuseum"),
    ),
    Case(
        "liechtenstein",
        "We get to the Postmuseum at 4:20 pm. How long until it shuts?",
        hours_read("Postmuseum", "Mo-Su 10:00-17:00", Minutes(40)),
        ("20 min", "40 min", "1 h", "1 h 40 min"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_option(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
