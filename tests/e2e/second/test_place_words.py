"""Facts of one place, asked the way different people ask: curt, chatty, polite, with a foreign accent."""

import pytest

from tests.e2e.cases import Case, Clocks, Exactly, Minutes, Says, YesNo, moment
from tests.e2e.test_place_facts import address, at, has, hours_read, is_open, tagged
from tests.e2e.worlds import Worlds

CASES = (
    # phone, address, website
    Case(
        "porto",
        "yo what number do i ring to book at Cervejaria Brasão?",
        tagged("Cervejaria Brasão", "phone"),
    ),
    Case(
        "porto",
        "Address for Taberna Dos Mercadores pls",
        address("Taberna Dos Mercadores"),
        ("Rua das Flores 36", "Rua dos Mercadores 63", "Rua dos Mercadores 36", "Rua da Lada 14-16"),
    ),
    Case("porto", "Got a web page for Spekti?", tagged("Spekti", "website")),
    Case(
        "london",
        "On which street would I find Wildy & Sons Ltd?",
        tagged("Wildy & Sons Ltd", "addr:street"),
        ("Fleet Street", "Carey Street", "Leather Lane", "Chancery Lane"),
    ),
    Case(
        "london",
        "Give me the telephone number of Vanilla Black, please.",
        tagged("Vanilla Black", "contact:phone"),
        ("+44 20 7242 2622", "+44 20 7583 2030", "+44 20 7833 2949"),
    ),
    Case("london", "postcode Zelman Meats", tagged("Zelman Meats", "addr:postcode")),
    Case("london", "I'd like to see K10's menu online, where's their site?", tagged("K10", "website")),
    Case(
        "monaco",
        "My taxi driver has never heard of Tre Scalini. What street and number should I tell him?",
        address("Tre Scalini"),
    ),
    Case(
        "monaco",
        "phone no. of Van Cleef & Arpels",
        tagged("Van Cleef & Arpels", "phone"),
        ("+377 93 50 54 08", "+37793508959", "+377 97 97 42 44", "+37793303113"),
    ),
    Case("andorra", "tel. El Japo", tagged("El Japo", "phone")),
    Case("andorra", "I have a parcel for Carlin, house number and road please", address("Carlin")),
    # open or not
    Case(
        "porto",
        "Is Duas de Letra still serving at 11 at night on a Thursday?",
        is_open("Duas de Letra", "Th", "23:00"),
        ("Yes", "No"),
    ),
    Case(
        "porto",
        "Hello! We are planning our Sunday in Porto. Does Clássico open on Sundays at all?",
        lambda _: YesNo(yes=False),
    ),
    Case(
        "london",
        "I'm thinking of grabbing a falafel at Pilpel on Saturday around 1pm. Will they be open then?",
        is_open("Pilpel", "Sa", "13:00"),
        ("Yes, it will be open", "No, it will be closed"),
    ),
    Case(
        "monaco",
        "Van Cleef & Arpels: can I shop there on a Monday at 3 p.m.?",
        is_open("Van Cleef & Arpels", "Mo", "15:00"),
    ),
    Case(
        "monaco",
        "casino de monte carlo open 1am saturday?",
        is_open("Casino de Monte Carlo", "Sa", "01:00"),
        ("no", "yes"),
    ),
    Case("andorra", "Will El Japo be open on Monday evening at nine?", is_open("El Japo", "Mo", "21:00")),
    Case(
        "andorra",
        "Is the Biblioteca Comunal Antoni Morell open right now, or is it closed for lunch?",
        is_open("Biblioteca Comunal Antoni Morell", "Tu", "14:00"),
        ("Yes", "No"),
        at=moment("Tu", "14:00"),
    ),
    # opening and closing times
    Case(
        "porto",
        "When do they kick you out of Dot Club on a Friday night?",
        hours_read("Dot Club", "Th-Sa 23:00-04:00", at("04:00")),
        ("2:00 AM", "4:00 AM", "11:00 PM", "6:00 AM"),
    ),
    Case(
        "porto",
        "what are thursday's hours at Arco das Verdades",
        hours_read(
            "Arco das Verdades",
            "Tu-We, Su 09:00-20:00;\nTh 09:00-19:30;\nFr-Sa 09:00-22:00",
            Clocks(("9:00", "19:30")),
        ),
    ),
    Case(
        "london",
        "Until when is the Sugar Loaf open on Sunday?",
        hours_read("Sugar Loaf", "Mo-Sa 11:00-23:00; Su 12:00-19:00", at("19:00")),
    ),
    Case(
        "london",
        "How late does Bounce Farringdon stay open on Thursdays?",
        hours_read(
            "Bounce Farringdon",
            "Mo-We 16:00-24:00, Th 16:00-01:00, Fr,Sa 12:00-01:00, Su 12:00-23:00",
            at("01:00"),
        ),
        ("midnight", "1 am", "11 pm", "2 am"),
    ),
    Case(
        "london",
        "opening times the london silver vaults saturday",
        hours_read(
            "The London Silver Vaults", "Mo-Fr 09:00-17:30; Sa 09:00-13:00", Clocks(("9:00", "13:00"))
        ),
        ("09:00-17:30", "10:00-13:00", "09:00-13:00", "closed"),
    ),
    Case(
        "monaco",
        "Please, at which hour closes ICI Salad Bar the Wednesday?",
        hours_read("ICI Salad Bar", "Mo-Fr 10:00-15:00", at("15:00")),
    ),
    Case(
        "andorra",
        "What time do the doors open at Monkeys today?",
        hours_read("Monkeys", "Mo-Fr 16:00-01:00; Sa,Su 12:00-01:00", at("16:00")),
        at=moment("Mo", "10:00"),
    ),
    Case(
        "andorra",
        "For how many hours is Luar perruquers open on a Friday?",
        hours_read("Luar perruquers", "Tu-Sa 10:00-20:00", Minutes(600)),
    ),
    # services and food
    Case("porto", "Can a wheelchair user get into Murça no Potro?", has("Murça no Potro", "wheelchair")),
    Case("porto", "Does daTerra do take-out?", has("daTerra", "takeaway"), ("Yes", "No", "")),
    Case("porto", "Can we sit outside at Tapabento?", has("Tapabento", "outdoor_seating")),
    Case(
        "porto",
        "A Sandeira do Porto - what sort of food do they do?",
        tagged("A Sandeira do Porto", "cuisine"),
        ("Pizza", "Sushi", "Sandwich", "Burger"),
    ),
    Case(
        "london",
        "My mother uses a wheelchair. Would she have trouble entering Granger and Co, i.e. is it accessible?",
        has("Granger and Co", "wheelchair"),
    ),
    Case("london", "Does Pilpel deliver to your door?", has("Pilpel", "delivery"), ("No", "Yes")),
    Case("monaco", "hey, can i order to go at Mada One?", has("Mada One", "takeaway")),
    Case(
        "andorra",
        "What kind of kitchen has Macary Alemán?",
        tagged("Macary Alemán", "cuisine"),
        ("Spanish", "Chinese", "German", "Argentinian"),
    ),
    Case("andorra", "Fideus cuisine?", lambda raw: Says((raw.tag("Fideus", "cuisine"),))),
    Case(
        "monaco",
        "Who is this place: what type of business is Newteon in Monaco?",
        lambda _: Exactly("bicycle shop"),
        ("bicycle shop", "restaurant", "pharmacy", "hotel"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_place(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
