"""Open questions about ways, trips, directions and comparisons; and what has no answer."""

import pytest

from tests.e2e.cases import Case, Minutes, Says, moment
from tests.e2e.fourth.tellers import Feet, arrives, closer, further, in_time, slower_by, sooner, way_and_wind
from tests.e2e.second.test_ways import faster, leave_by, road
from tests.e2e.test_geometry import says_wind, straight
from tests.e2e.test_refusals import OFF_TOPIC, UNANSWERABLE, lacks, many, unknown
from tests.e2e.test_routes import BIKE, CAR, WALK, long, takes
from tests.e2e.test_trips import by_hours, lasts
from tests.e2e.worlds import Worlds

EKBERG = {"Cafe Ekberg": "Mo-Fr 7:30-19:00;Sa 8:30-17:00;Su 9:00-17:00"}
SHOE_LANE = {"Shoe Lane Library": "Mo,We-Fr 09:30-17:30, Tu 09:30-18:30"}
ADLER = {"Adler Apotheke": "Mo-Fr 08:00-19:00; Sa 09:00-19:00"}
MUSEUM = {"St Bartholomew's Hospital museum": "Tu-Fr 10:00-16:00"}

CASES = (
    # one way
    Case(
        "helsinki",
        "hey how long do i need on foot from scandic paasi to havis amanda?",
        takes(WALK, "Scandic Paasi", "Havis Amanda"),
    ),
    Case(
        "london",
        "Courier job: pick up at Condor Cycles, drop at Haz St Paul's. How many minutes by bike?",
        takes(BIKE, "Condor Cycles", "Haz St Paul's"),
    ),
    Case(
        "vancouver",
        "What's the drive time between Sylvia Hotel and Collingwood Safeway?",
        takes(CAR, "Sylvia Hotel", "Collingwood Safeway"),
    ),
    Case(
        "porto",
        "I'm at the Ibis Porto Centro. How many metres do I have to walk to get to Duas de Letra?",
        long(WALK, "Ibis Porto Centro", "Duas de Letra"),
    ),
    Case(
        "munich",
        "is it faster to walk or to drive from gloria to derag livinghotel?",
        lambda raw: (
            Says(("walk",))
            if raw.minutes(WALK, "Gloria", "Derag Livinghotel")
            < raw.minutes(CAR, "Gloria", "Derag Livinghotel")
            else Says(("driv",))
        ),
    ),
    Case(
        "andorra",
        "How much longer does it take to walk than to drive from Art Hotel to Hotel Continental?",
        slower_by("Art Hotel", "Hotel Continental", WALK, CAR),
    ),
    Case(
        "monaco",
        "How far is Utile from the Casino de Monte Carlo by car, in kilometers?",
        long(CAR, "Casino de Monte Carlo", "Utile"),
    ),
    Case(
        "andorra",
        "driving from El Japo to Restaurant la Cabaneta - distance in miles?",
        long(CAR, "El Japo", "Restaurant la Cabaneta", miles=True),
    ),
    Case(
        "vancouver",
        "If I set off from Pacific Theatre at 9:40 pm by car, when do I get to the 9 O'Clock gun?",
        arrives(21 * 60 + 40, (CAR, "Pacific Theatre", "9 O'Clock gun")),
    ),
    Case(
        "london",
        "Can I walk from Premier Inn to Pham sushi in under 15 minutes?",
        in_time(0, 15, (WALK, "Premier Inn", "Pham sushi")),
    ),
    Case(
        "helsinki",
        "Would a 20 minute walk be enough to get from Hotel Finn to Juttutupa?",
        in_time(0, 20, (WALK, "Hotel Finn", "Juttutupa")),
    ),
    # before it closes
    Case(
        "helsinki",
        "It's Saturday 4:30 pm and I'm at Scandic Paasi. If I walk, can I get to Cafe Ekberg before it "
        "closes?",
        by_hours(EKBERG, in_time(990, 1020, (WALK, "Scandic Paasi", "Cafe Ekberg"))),
    ),
    Case(
        "london",
        "I leave Pham sushi on foot at 5:05 pm on a Wednesday. Will I make it to Shoe Lane Library "
        "before closing time?",
        by_hours(SHOE_LANE, in_time(1025, 1050, (WALK, "Pham sushi", "Shoe Lane Library"))),
    ),
    Case(
        "munich",
        "can i make it to adler apotheke before they shut, walking from tolstoi-bibliothek, now?",
        by_hours(ADLER, in_time(18 * 60 + 30, 19 * 60, (WALK, "Tolstoi-Bibliothek", "Adler Apotheke"))),
        at=moment("Fr", "18:30"),
    ),
    Case(
        "munich",
        "What's the latest I can leave the Tolstoi-Bibliothek on foot to be at Adler Apotheke before it "
        "closes on Friday?",
        by_hours(ADLER, leave_by(19 * 60, (WALK, "Tolstoi-Bibliothek", "Adler Apotheke"))),
    ),
    Case(
        "london",
        "If I arrive at St Bartholomew's Hospital museum at 15:10 on a Thursday, how much time will I "
        "have before it closes?",
        by_hours(MUSEUM, lambda raw: Minutes(50)),
    ),
    # trips
    Case(
        "helsinki",
        "I walk from Hotel Arthur to Kinopalatsi, watch a 2 hour film, then walk to Juttutupa. How long "
        "is that altogether?",
        lasts((WALK, "Hotel Arthur", "Kinopalatsi"), (WALK, "Kinopalatsi", "Juttutupa"), stay=120),
    ),
    Case(
        "vancouver",
        "We leave Sylvia Hotel at 10:00, drive to Keis Bakery, spend 20 min there, then drive to Mount "
        "Pleasant Branch. Arrival time?",
        arrives(
            600, (CAR, "Sylvia Hotel", "Keis Bakery"), (CAR, "Keis Bakery", "Mount Pleasant Branch"), stay=20
        ),
    ),
    Case(
        "porto",
        "Starting 9am at Cats Hostels: walk to Farmácia Vitália (10 minutes there), then to Duas de "
        "Letra for an hour's breakfast, then to Ibis Porto Centro. What time am I at the Ibis?",
        arrives(
            540,
            (WALK, "Cats Hostels", "Farmácia Vitália"),
            (WALK, "Farmácia Vitália", "Duas de Letra"),
            (WALK, "Duas de Letra", "Ibis Porto Centro"),
            stay=70,
        ),
    ),
    Case(
        "london",
        "total cycling distance Condor Cycles > Bespoke Cycling > Giant St Paul's?",
        road(BIKE, "Condor Cycles", "Bespoke Cycling", "Giant St Paul's"),
    ),
    Case(
        "andorra",
        "I have to deliver parcels from Art Hotel to Roc Arnau and then to Les delícies del Jimmy by "
        "car, 5 minutes at each. When am I done if I start at 8:15?",
        arrives(495, (CAR, "Art Hotel", "Roc Arnau"), (CAR, "Roc Arnau", "Les delícies del Jimmy"), stay=10),
    ),
    Case(
        "monaco",
        "Round trip on foot from the Hermitage to the Musée naval and back: how many minutes?",
        lasts((WALK, "Hermitage", "Musée naval"), (WALK, "Musée naval", "Hermitage")),
    ),
    Case(
        "helsinki",
        "With a toddler we walk at half speed. Never mind that: how long from Bio Rex to Kino Engel on "
        "foot via Zetor?",
        lasts((WALK, "Bio Rex", "Zetor"), (WALK, "Zetor", "Kino Engel")),
    ),
    Case(
        "munich",
        "I must be at the Staatstheater am Gärtnerplatz by 7:30 pm. I want 45 minutes at Sesam Falafel "
        "before. When should I leave Gloria, walking?",
        leave_by(
            19 * 60 + 30,
            (WALK, "Gloria", "Sesam Falafel"),
            (WALK, "Sesam Falafel", "Staatstheater am Gärtnerplatz"),
            stay=45,
        ),
    ),
    Case(
        "vancouver",
        "I've got 90 minutes. Enough to walk from The Orpheum to the Gastown Steam Clock, spend an hour "
        "around there and walk back?",
        in_time(
            0,
            90,
            (WALK, "The Orpheum", "Gastown Steam Clock"),
            (WALK, "Gastown Steam Clock", "The Orpheum"),
            stay=60,
        ),
    ),
    # directions, straight lines, comparisons
    Case(
        "helsinki",
        "In what direction do I look from Hotel Arthur to see Juttutupa?",
        says_wind("Hotel Arthur", "Juttutupa"),
    ),
    Case(
        "vancouver",
        "Is Collingwood Safeway north or south-east of the Sylvia Hotel? Which compass direction exactly?",
        says_wind("Sylvia Hotel", "Collingwood Safeway"),
    ),
    Case(
        "andorra",
        "as the crow flies, how many km is Estació Juli from Roc Arnau",
        straight("Estació Juli", "Roc Arnau"),
    ),
    Case(
        "monaco",
        "Straight-line distance Théâtre des Muses to Beefbar in feet?",
        lambda raw: Feet(raw.metres("Théâtre des Muses", "Beefbar")),
    ),
    Case(
        "london",
        "Which is nearer to Apex Temple Court Hotel, Shoe Lane Library or Guildhall Library?",
        closer("Apex Temple Court Hotel", "Shoe Lane Library", "Guildhall Library"),
    ),
    Case(
        "porto",
        "Who has it farther to Lado B: guests of Cats Hostels or guests of Breyner House?",
        further("Lado B", "Cats Hostels", "Breyner House"),
    ),
    Case(
        "vancouver",
        "from central library, can i walk to vogue theatre or to pacific theatre quicker?",
        sooner(WALK, "Central Library", "Vogue Theatre", "Pacific Theatre"),
    ),
    Case(
        "munich",
        "Does cycling save me time compared with walking from Mathäser to H'Otello?",
        faster("Mathäser", "H'Otello", BIKE, WALK),
    ),
    Case(
        "helsinki",
        "How far is Kluuvin Apteekki from Hotel Arthur, and in which direction?",
        way_and_wind("Hotel Arthur", "Kluuvin Apteekki"),
    ),
    # what has no answer
    Case("helsinki", "How crowded is Juttutupa on Friday nights?", lambda raw: OFF_TOPIC),
    Case("london", "What's a typical dinner price at Haz St Paul's?", lambda raw: UNANSWERABLE),
    Case(
        "munich",
        "How do I walk from Gloria to Restaurant Zur Mondlaterne?",
        unknown("Restaurant Zur Mondlaterne"),
    ),
    Case("monaco", "When does Musée naval open on Sunday?", lacks("Musée naval", "opening_hours")),
    Case(
        "vancouver", "How long does the bus take from Central Library to Sylvia Hotel?", lambda raw: OFF_TOPIC
    ),
    Case("porto", "What's the weather like around the Ribeira today?", lambda raw: OFF_TOPIC),
    Case("vancouver", "How far is Starbucks from Subway?", many("Starbucks")),
    Case(
        "liechtenstein",
        "Do they take credit cards at Restaurant Amarone?",
        lacks("Restaurant Amarone", "payment:credit_cards", "payment:cards"),
    ),
    Case(
        "helsinki",
        "Anyone hungry: from Hotel Finn find lunch at El Greco, then a museum visit at Amos Rex. How "
        "long do we walk in all?",
        lasts((WALK, "Hotel Finn", "El Greco"), (WALK, "El Greco", "Amos Rex")),
    ),
    Case(
        "london",
        "I go on foot from Premier Inn to the nearest pharmacy and then on to Guildhall Library. How "
        "long do I walk?",
        lambda raw: Minutes(
            raw.minutes(
                WALK,
                "Premier Inn",
                raw.nearest("Premier Inn", raw.all(amenity="pharmacy")),
                "Guildhall Library",
            ),
            1.6,
        ),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_way(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
