"""Ways between places and trips over several, in the words of drivers, couriers, walkers and parents."""

import pytest

from tests.e2e.cases import Case, Clock, Exactly, Expected, Metres, Minutes, YesNo, moment
from tests.e2e.tellers import Teller
from tests.e2e.test_routes import BIKE, CAR, WALK, long, main_street, quickest, step_after, takes
from tests.e2e.test_trips import by_hours, ends_at, lasts, order, total
from tests.e2e.truth import NotClearError, RawMap
from tests.e2e.worlds import Worlds


def enough(limit_min: float, *legs: tuple[str, str, str], stay: float = 0.0) -> Teller:
    """Yes if all of it takes less than the limit."""

    def tell(raw: RawMap) -> Expected:
        needed = total(raw, legs, stay)
        if abs(needed - limit_min) < 2.5:
            raise NotClearError(f"{needed:.1f} min of {limit_min} is too narrow")
        return YesNo(needed < limit_min)

    return tell


def faster(start: str, end: str, one: str, other: str) -> Teller:
    """Yes if the first mode takes less time."""
    return lambda raw: YesNo(raw.minutes(one, start, end) < raw.minutes(other, start, end))


def leave_by(arrive_min: float, *legs: tuple[str, str, str], stay: float = 0.0) -> Teller:
    """The answer is the latest time of departure."""
    return lambda raw: Clock(arrive_min - total(raw, legs, stay), 2.1)


def road(mode: str, *stops: str) -> Teller:
    """The answer is the length of the way over all stops."""
    return lambda raw: Metres(raw.road_metres(mode, *stops))


PALACE = {
    "Palácio da Bolsa": "Nov-Mar: Mo-Su 09:00-12:30,14:00-17:30; Apr-Oct: Mo-Su 09:00-18:30; Dec 25 off; "
    "Jan 1 off"
}
LIBRARY = {"Biblioteca Comunal Antoni Morell": "Mo-Fr 10:00-13:00, 15:00-19:00"}
BARTS = {"St Bartholomew's Hospital museum": "Tu-Fr 10:00-16:00"}

CASES = (
    # time of one way
    Case(
        "porto",
        "walking time café piolho to palácio da bolsa",
        takes(WALK, "Café Piolho", "Palácio da Bolsa"),
    ),
    Case(
        "porto",
        "By car, how many minutes from Farmácia Boavista to SaltPlace?",
        takes(CAR, "Farmácia Boavista", "SaltPlace"),
        ("4 minutes", "9 minutes", "14 minutes", "20 minutes"),
    ),
    Case(
        "london",
        "I'd be cycling. Starting at Tohbang, how much time do I need to get to Giant St Paul's?",
        takes(BIKE, "Tohbang", "Giant St Paul's"),
    ),
    Case(
        "london",
        "How long's the walk from Guildhall Library over to St Bride Library?",
        takes(WALK, "Guildhall Library", "St Bride Library"),
        ("6 min", "10 min", "15 min", "22 min"),
    ),
    Case(
        "monaco",
        "drive casino de monte carlo -> musée des timbres et des monnaies how long",
        takes(CAR, "Casino de Monte Carlo", "Musée des Timbres et des Monnaies"),
    ),
    Case(
        "andorra",
        "How quick can I drive from La Capricciosa up to Petit Mercat de Canillo?",
        takes(CAR, "La Capricciosa", "Petit Mercat de Canillo"),
        ("6 min", "12 min", "19 min", "27 min"),
    ),
    Case(
        "andorra",
        "If I leave Next Health Club on foot at 18:10, at what time will I reach K-tuin (Apple)?",
        ends_at(18 * 60 + 10, (WALK, "Next Health Club", "K-tuin (Apple)")),
    ),
    # length
    Case(
        "porto",
        "How many kilometres is the drive from Hotel Nave to Eskada Porto?",
        long(CAR, "Hotel Nave", "Eskada Porto"),
        ("0.7 km", "1.6 km", "2.4 km", "3.3 km"),
    ),
    Case("london", "bike route length tohbang to giant st paul's", long(BIKE, "Tohbang", "Giant St Paul's")),
    Case(
        "monaco",
        "How far will I actually walk going from Villa Boeri to the Buddha-Bar?",
        long(WALK, "Villa Boeri", "Buddha-Bar"),
    ),
    Case(
        "andorra",
        "road distance in miles El Japo to La Capricciosa by car",
        long(CAR, "El Japo", "La Capricciosa", miles=True),
    ),
    # which mode, which place, which street, which step
    Case(
        "porto",
        "From Hotel Nave to Eskada Porto, am I quicker by car than on foot?",
        faster("Hotel Nave", "Eskada Porto", CAR, WALK),
        ("Yes", "No"),
    ),
    Case(
        "porto",
        "I'm walking from Hotel Nave. Which of these can I get to fastest: SaltPlace, Café Lusitano or "
        "Picota?",
        quickest(WALK, "Hotel Nave", ("SaltPlace", "Café Lusitano", "Picota")),
        ("SaltPlace", "Café Lusitano", "Picota"),
    ),
    Case(
        "london",
        "Which takes a driver less time from Sosharu: Granger and Co or Sugar Loaf?",
        quickest(CAR, "Sosharu", ("Granger and Co", "Sugar Loaf")),
        ("Granger and Co", "Sugar Loaf"),
    ),
    Case(
        "andorra",
        "Driving from El Japo to La Capricciosa, which road do I spend most of the way on?",
        main_street("El Japo", "La Capricciosa"),
        ("CG-1", "CG-2", "CG-3", "CG-4"),
    ),
    Case(
        "porto",
        "Sat nav: Hotel Nave to Eskada Porto by car. After Rua de Fernandes Tomás, which street do I turn "
        "into?",
        step_after(CAR, "Hotel Nave", "Eskada Porto", "Rua de Fernandes Tomás", "Rua Dom João IV"),
        ("Rua da Alegria", "Campo 24 de Agosto", "Rua Dom João IV", "Rua da Boavista"),
    ),
    Case(
        "london",
        "On the drive from Sosharu to Zelman Meats, what comes next once I've turned onto Long Lane?",
        step_after(CAR, "Sosharu", "Zelman Meats", "Long Lane", "Smithfield Street"),
        ("Snow Hill", "Smithfield Street", "Lindsey Street", "Ludgate Hill"),
    ),
    # trips
    Case(
        "porto",
        "Courier here. Hotel Nave to Eskada Porto, then on to SaltPlace, all by car, 5 minutes to unload "
        "at Eskada Porto. How long in total?",
        lasts((CAR, "Hotel Nave", "Eskada Porto"), (CAR, "Eskada Porto", "SaltPlace"), stay=5),
    ),
    Case(
        "porto",
        "We leave Café Piolho at 2 pm, walk to Palácio da Bolsa, look around for an hour and a half, then "
        "walk on to Picota for dinner. When do we get there?",
        ends_at(
            14 * 60,
            (WALK, "Café Piolho", "Palácio da Bolsa"),
            (WALK, "Palácio da Bolsa", "Picota"),
            stay=90,
        ),
        ("15:20", "15:44", "16:25", "17:00"),
        at=moment("We", "09:00"),
    ),
    Case(
        "porto",
        "Would it be possible to be at Palácio da Bolsa, walking from Café Piolho at 17:50, and have a 45 "
        "minute visit before it closes? It's Wednesday.",
        by_hours(PALACE, enough(40, (WALK, "Café Piolho", "Palácio da Bolsa"), stay=45)),
        ("Yes", "No"),
        at=moment("We", "09:00"),
    ),
    Case(
        "london",
        "I have to be at Barbican Hall at 7:30 pm. Latest I can set off walking from Pilpel?",
        leave_by(19 * 60 + 30, (WALK, "Pilpel", "Barbican Hall")),
    ),
    Case(
        "london",
        "My lunch break is 45 minutes. I walk from Guildhall Library to K10, eat for 20 minutes and walk "
        "back. Will I make it?",
        enough(45, (WALK, "Guildhall Library", "K10"), (WALK, "K10", "Guildhall Library"), stay=20),
        ("Yes", "No"),
    ),
    Case(
        "london",
        "Bike from Tohbang to Giant St Paul's, leave the bike there for repair and walk to Guildhall "
        "Library. Total travel time?",
        lasts((BIKE, "Tohbang", "Giant St Paul's"), (WALK, "Giant St Paul's", "Guildhall Library")),
    ),
    Case(
        "london",
        "What's the best order to walk to K10, Sosharu and Barbican Hall if I start at Pilpel?",
        order(WALK, "Pilpel", ("K10", "Sosharu", "Barbican Hall")),
        (
            "K10 -> Sosharu -> Barbican Hall",
            "K10 -> Barbican Hall -> Sosharu",
            "Barbican Hall -> K10 -> Sosharu",
            "Sosharu -> K10 -> Barbican Hall",
            "Sosharu -> Barbican Hall -> K10",
            "Barbican Hall -> Sosharu -> K10",
        ),
    ),
    Case(
        "london",
        "Wednesday, I start walking at 15:10 from Guildhall Library and need half an hour in St "
        "Bartholomew's Hospital museum. Can I do that before closing time?",
        by_hours(
            BARTS,
            enough(50, (WALK, "Guildhall Library", "St Bartholomew's Hospital museum"), stay=30),
        ),
        ("No", "Yes"),
        at=moment("We", "08:00"),
    ),
    Case(
        "monaco",
        "Round trip on foot: Bibliothèque Louis Notari, Chez Roger, back to Bibliothèque Louis Notari. "
        "How many minutes of walking is that?",
        lasts(
            (WALK, "Bibliothèque Louis Notari", "Chez Roger"),
            (WALK, "Chez Roger", "Bibliothèque Louis Notari"),
        ),
    ),
    Case(
        "monaco",
        "We drive from Tre Scalini to Théâtre des Muses. The play begins at 20:00 and we want to be there "
        "a quarter of an hour early. When must we leave at the latest?",
        leave_by(19 * 60 + 45, (CAR, "Tre Scalini", "Théâtre des Muses")),
        ("19:10", "19:25", "19:40", "19:55"),
    ),
    Case(
        "monaco",
        "total distance driving audi - hublot - tre scalini",
        road(CAR, "Audi", "Hublot", "Tre Scalini"),
    ),
    Case(
        "monaco",
        "I stay 30 minutes at Bibliothèque Louis Notari, then go on foot to Chez Roger, spend 20 minutes "
        "there, and walk to The bike shop. I begin at ten in the morning. What time is it when I arrive?",
        ends_at(
            600,
            (WALK, "Bibliothèque Louis Notari", "Chez Roger"),
            (WALK, "Chez Roger", "The bike shop"),
            stay=50,
        ),
    ),
    Case(
        "andorra",
        "Parent taxi: from El Japo drive to El Pollastre Volador, wait 10 minutes, then drive to Petit "
        "Mercat de Canillo. How long does all this take?",
        lasts(
            (CAR, "El Japo", "El Pollastre Volador"),
            (CAR, "El Pollastre Volador", "Petit Mercat de Canillo"),
            stay=10,
        ),
        ("17 min", "30 min", "45 min", "1 h 5 min"),
    ),
    Case(
        "andorra",
        "It is Tuesday 12:40. I am at El Pollastre Volador and walk to Biblioteca Comunal Antoni Morell "
        "now. Will I arrive before it closes for lunch?",
        by_hours(
            LIBRARY,
            enough(20, (WALK, "El Pollastre Volador", "Biblioteca Comunal Antoni Morell")),
        ),
        ("Yes", "No"),
        at=moment("Tu", "12:40"),
    ),
    Case(
        "andorra",
        "I've got 20 minutes. Enough to drive El Japo - Petit Mercat de Canillo and back?",
        enough(
            20,
            (CAR, "El Japo", "Petit Mercat de Canillo"),
            (CAR, "Petit Mercat de Canillo", "El Japo"),
        ),
    ),
    Case(
        "porto",
        "Which order of visits is quickest on foot from Hotel Nave: Picota, SaltPlace, Spekti?",
        order(WALK, "Hotel Nave", ("Picota", "SaltPlace", "Spekti"), ", "),
        (
            "Picota, SaltPlace, Spekti",
            "SaltPlace, Picota, Spekti",
            "Spekti, SaltPlace, Picota",
            "Spekti, Picota, SaltPlace",
            "SaltPlace, Spekti, Picota",
        ),
    ),
    Case(
        "andorra",
        "Walk or drive from Next Health Club to K-tuin (Apple): which one is faster?",
        lambda raw: Exactly(
            "drive"
            if raw.minutes(CAR, "Next Health Club", "K-tuin (Apple)") + 1
            < raw.minutes(WALK, "Next Health Club", "K-tuin (Apple)")
            else "walk"
        ),
        ("walk", "drive"),
    ),
    Case(
        "monaco",
        "hi, how many mins on foot between chez roger and castelroc?",
        lambda raw: Minutes(raw.minutes(WALK, "Chez Roger", "Castelroc")),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_way(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
