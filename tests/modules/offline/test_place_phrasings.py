"""Facts and opening hours of one place, comparisons of several."""

import pytest

from tests.modules.offline.phrasing import Case, check

FACTS: list[Case] = [
    ("what's the phone number of cafe ekberg?", "place_fact", {"place": "cafe ekberg", "attribute": "phone"}),
    ("Could you give me the website for Stockmann please", "place_fact", {"place": "Stockmann", "attribute": "website"}),
    ("Ekberg's address?", "place_fact", {"place": "Ekberg", "attribute": "address"}),
    ("I am looking for a restaurant in Kallio named Sandro. Give me the full address.", "place_fact", {"place": "Sandro", "attribute": "address"}),
    ("Where is Kiasma?", "place_fact", {"place": "Kiasma", "attribute": "address"}),
    ("Where can I find the Deutsches Museum?", "place_fact", {"place": "Deutsches Museum", "attribute": "address"}),
    ("On what street is the Deutsches Museum?", "place_fact", {"place": "Deutsches Museum", "attribute": "address"}),
    ("What is the adress of the Ateneum?", "place_fact", {"place": "Ateneum", "attribute": "address"}),
    ("how do i call the deutsches museum", "place_fact", {"place": "deutsches museum", "attribute": "phone"}),
    ("How can I contact Hotel Adlon?", "place_fact", {"place": "Hotel Adlon", "attribute": "phone"}),
    ("What is the e-mail of Shakespeare and Company?", "place_fact", {"place": "Shakespeare and Company", "attribute": "email"}),
    ("Tell me the rating of Museum Tavern.", "place_fact", {"place": "Museum Tavern", "attribute": "rating"}),
    ("How many reviews does Museum Tavern have?", "place_fact", {"place": "Museum Tavern", "attribute": "rating_count"}),
    ("Is Kiasma rated at least 4.5?", "place_fact", {"place": "Kiasma", "attribute": "rating", "at_least": 4.5}),
    ("Does Stockmann have more than 1000 reviews?", "place_fact", {"attribute": "rating_count", "at_least": 1001.0}),
    ("how expensive is the savoy?", "place_fact", {"place": "savoy", "attribute": "price_level"}),
    ("What's the price level of Café Luitpold?", "place_fact", {"place": "Café Luitpold", "attribute": "price_level"}),
    ("Give me the coordinates of the Eiffel Tower.", "place_fact", {"place": "Eiffel Tower", "attribute": "location"}),
    ("What kind of place is Kappeli?", "place_fact", {"place": "Kappeli", "attribute": "category"}),
    ("Who operates Kamppi parking?", "place_fact", {"attribute": "other", "service": "operator"}),
    ("What cuisine does Savoy serve?", "place_fact", {"place": "Savoy", "attribute": "other", "service": "cuisine"}),
    ("How tall is the Olympiaturm?", "place_fact", {"attribute": "other", "service": "height"}),
    ("When was the Frauenkirche built?", "place_fact", {"attribute": "other", "service": "start_date"}),
]  # fmt: skip

SERVICES: list[Case] = [
    ("Does Restaurant Savoy have outdoor seating?", "place_fact", {"place": "Restaurant Savoy", "service": "outdoor_seating"}),
    ("is Café Ursula wheelchair accessible", "place_fact", {"place": "Café Ursula", "service": "wheelchair"}),
    ("Does Sandro serves Lunch?", "place_fact", {"place": "Sandro", "service": "serves_lunch"}),
    ("Is SANDRO BAR reservable?", "place_fact", {"place": "SANDRO BAR", "service": "reservable"}),
    ("Can I book a table at Café Luitpold?", "place_fact", {"place": "Café Luitpold", "service": "reservable"}),
    ("Is smoking allowed at Hotel Adlon?", "place_fact", {"place": "Hotel Adlon", "service": "smoking"}),
    ("Can I bring my dog to Café Luitpold?", "place_fact", {"service": "allows_dogs"}),
    ("Is takeaway possible at Café Luitpold?", "place_fact", {"service": "takeaway"}),
    ("Does Café Luitpold deliver?", "place_fact", {"service": "delivery"}),
    ("Do they serve breakfast at Café Luitpold?", "place_fact", {"service": "serves_breakfast"}),
    ("Is there wifi at Café Luitpold?", "place_fact", {"service": "wifi"}),
    ("Could you check whether Hotel Adlon has free Wi-Fi?", "place_fact", {"service": "wifi"}),
]  # fmt: skip

OPENING: list[Case] = [
    ("hi, could you tell me what time the ateneum shuts on sundays?", "open", {"place": "ateneum", "ask": "closes_at", "when.weekday": 6}),
    ("till when is Kiasma open on Friday?", "open", {"place": "Kiasma", "ask": "closes_at", "when.weekday": 4}),
    ("is the national library still open at 9 in the evening on Sundays?", "open", {"ask": "is_open", "when.at": "21:00:00", "when.weekday": 6}),
    ("What are the opening hours of Oodi?", "open", {"place": "Oodi", "ask": "hours_on_day"}),
    ("When does Oodi close tomorrow?", "open", {"ask": "closes_at", "when.relative_days": 1}),
    ("On which days is the Design Museum closed?", "open", {"place": "Design Museum", "ask": "closed_days"}),
    ("Which days of the week is the Design Museum open?", "open", {"ask": "open_days"}),
    ("How long is Stockmann open on Saturday?", "open", {"ask": "open_duration", "when.weekday": 5}),
    ("Is it possible to visit the Louvre at 7pm on Wednesday?", "open", {"place": "Louvre", "ask": "is_open", "when.at": "19:00:00"}),
    ("Can I visit The Great Pyramid at 5:00 PM Saturday?", "open", {"ask": "is_open", "when.weekday": 5, "when.at": "17:00:00"}),
    ("until what time can i enter the british museum on friday", "open", {"place": "british museum", "ask": "closes_at"}),
    ("Is McDonald's open now?", "open", {"place": "McDonald's", "ask": "is_open", "when.at": None, "when.weekday": None}),
    ('what time does "Salt and Pepper" open on Mondays', "open", {"place": "Salt and Pepper", "ask": "opens_at", "when.weekday": 0}),
    ("Does the Tower of London open before 9 am on Sunday?", "open", {"place": "Tower of London"}),
    ("Is Hofbräuhaus closed on Tuesdays?", "open", {"ask": "is_closed", "when.weekday": 1}),
    ("how late is the deutsches museum open today", "open", {"ask": "closes_at", "when.relative_days": 0}),
    ("When can I visit the Deutsches Museum on Sunday?", "open", {"ask": "hours_on_day", "when.weekday": 6}),
    ("Deutsches Museum opening times sunday", "open", {"place": "Deutsches Museum", "ask": "hours_on_day", "when.weekday": 6}),
    ("Tell me whether the Deutsches Museum is open on Monday morning at 10.", "open", {"ask": "is_open", "when.weekday": 0}),
    ("Could I get lunch at Hofbräuhaus on a Monday?", "open", {"ask": "is_open", "when.weekday": 0}),
    ("Is Kiasma open from 9 am to 11 am on Thursday?", "open", {"ask": "is_open", "when.at": "09:00:00", "when.until": "11:00:00"}),
    ("Will the Grand Bazaar be open at half past six on Tuesday evening?", "open", {"place": "Grand Bazaar", "when.weekday": 1}),
    ("I want to go to Kiasma. When does it open on Sunday?", "open", {"place": "Kiasma", "ask": "opens_at"}),
    ("Is Kiasma open on 24 December 2026?", "open", {"place": "Kiasma", "when.day": "2026-12-24"}),
]  # fmt: skip

COMPARED: list[Case] = [
    ("Which of Kiasma, Ateneum and the National Museum has the highest rating?", "compare_places", {"places": ["Kiasma", "Ateneum", "National Museum"], "attribute": "rating", "pick": "max"}),
    ("Which is better rated, Hofbräuhaus or Augustiner?", "compare_places", {"places": ["Hofbräuhaus", "Augustiner"], "attribute": "rating"}),
    ("Among Hofbräuhaus and Augustiner, which has more reviews?", "compare_places", {"attribute": "rating_count", "pick": "max"}),
    ("Which is cheaper: Hofbräuhaus or Augustiner?", "compare_places", {"attribute": "price_level", "pick": "min"}),
    ("Which one of Hofbräuhaus, Augustiner, and Löwenbräu opens earliest on Sunday?", "compare_places", {"attribute": "hours", "pick": "min", "when.weekday": 6}),
    ("Which of Kiasma and Ateneum is open at 9 am on Tuesday?", "compare_places", {"places": ["Kiasma", "Ateneum"], "filters.open_at.weekday": 1}),
]  # fmt: skip


@pytest.mark.parametrize("case", [*FACTS, *SERVICES, *OPENING, *COMPARED], ids=lambda case: case[0][:60])
def test_reads_a_question_about_a_place(case: Case) -> None:
    check(case)


def test_options_are_the_places_compared() -> None:
    case = (
        "Which of the following has the highest rating?",
        "compare_places",
        {"places": [], "attribute": "rating"},
    )
    check(case, options=("Kiasma", "Ateneum", "Oodi"))
