"""Searches for places of a kind, in many wordings."""

import pytest

from tests.modules.offline.phrasing import Case, check

NEAREST: list[Case] = [
    ("what's the nearest pharmacy to kamppi?", "nearby", {"what.categories": ["pharmacy"], "anchors": ["kamppi"], "rank_by": "distance", "pick": "min", "k": 1, "ask": "name"}),
    ("Where is the closest ATM to me", "nearby", {"what.categories": ["atm"], "anchors": ["here"]}),
    ("neerest restarant to Helsinki Central Station", "nearby", {"what.categories": ["restaurant"], "anchors": ["Helsinki Central Station"]}),
    ("WHAT IS THE NEAREST CAFE TO HELSINKI CENTRAL STATION?", "nearby", {"what.categories": ["cafe"], "anchors": ["HELSINKI CENTRAL STATION"]}),
    ("I'm at Trafalgar Square. Which post office is closest to me?", "nearby", {"what.categories": ["post_office"], "anchors": ["Trafalgar Square"]}),
    ("My hotel is the Grand Plaza. Which metro station is nearest to it?", "nearby", {"what.categories": ["subway_station"], "anchors": ["Grand Plaza"]}),
    ("second closest bakery to senate square", "nearby", {"what.categories": ["bakery"], "anchors": ["senate square"], "k": 2}),
    ("Which bakery is the third closest to Marienplatz?", "nearby", {"what.categories": ["bakery"], "k": 3}),
    ("What's the 4th nearest museum from Marienplatz?", "nearby", {"what.categories": ["museum"], "anchors": ["Marienplatz"], "k": 4}),
    ("Which pub is the next closest to Trafalgar Square?", "nearby", {"what.categories": ["pub"], "k": 2}),
    ("nearest tram stop to here", "nearby", {"what.categories": ["tram_stop"], "anchors": ["here"]}),
    ("What is the nearest car_pooling found west of Calico Ghost Town?", "nearby", {"what.categories": ["car_pooling"], "anchors": ["Calico Ghost Town"], "filters.direction": "W"}),
    ("Nearest IKEA to Vantaa", "nearby", {"what.keyword": "IKEA", "what.categories": [], "anchors": ["Vantaa"]}),
    ("any Starbucks around Oxford Circus?", "nearby", {"what.keyword": "Starbucks", "anchors": ["Oxford Circus"]}),
    ("What is the nearest park or garden to the Tower of London?", "nearby", {"anchors": ["Tower of London"]}),
    ("What is the nearest cafe to the corner of Main Street and 5th Avenue?", "nearby", {"what.categories": ["cafe"]}),
    ("Where is the nearest stadium in the northwest direction of the Westerner Extended Stay, Amarillo, TX?", "nearby", {"what.categories": ["stadium"], "anchors": ["Westerner Extended Stay, Amarillo, TX"], "filters.direction": "NW"}),
    ("What is the farthest museum from Kiasma within 2 km?", "nearby", {"pick": "max", "radius_m": 2000.0, "anchors": ["Kiasma"]}),
    ("Could you tell me the location of the closest café relative to Old Tombstone Bunkhouse, Tombstone, AZ?", "nearby", {"what.categories": ["cafe"], "anchors": ["Old Tombstone Bunkhouse, Tombstone, AZ"]}),
    ("What's the nearest Korean restaurant available from Elkhorn Valley Hospital, Casper, WY?", "nearby", {"what.keyword": "korean", "anchors": ["Elkhorn Valley Hospital, Casper, WY"]}),
    ("What restaurant is right by Hayama?", "nearby", {"what.categories": ["restaurant"], "anchors": ["Hayama"]}),
    ("Which bank is next to Kiasma?", "nearby", {"what.categories": ["bank"], "anchors": ["Kiasma"]}),
    ("I wonder which gas station is closest to the airport hotel Hilton", "nearby", {"what.categories": ["fuel"]}),
    ("Please name the nearest supermarket from where I am.", "nearby", {"what.categories": ["supermarket"], "anchors": ["here"]}),
    ("hey, whats the closest playground to Rue de Rivoli", "nearby", {"what.categories": ["playground"], "anchors": ["Rue de Rivoli"]}),
]  # fmt: skip

WISHES: list[Case] = [
    ("I'm staying at Hotel Kämp. I'm hungry. Is there an Italian restaurant within 300 m?", "nearby", {"what.categories": ["restaurant"], "what.keyword": "italian", "anchors": ["Hotel Kämp"], "radius_m": 300.0}),
    ("I need cash. Where's the closest cash machine to Ateneum?", "nearby", {"what.categories": ["atm"], "anchors": ["Ateneum"]}),
    ("where can I park my car near the Opera House?", "nearby", {"what.categories": ["parking"], "anchors": ["Opera House"]}),
    ("I want to watch a movie and I am in Turku. Where should I go?", "nearby", {"what.categories": ["cinema"], "anchors": ["Turku"]}),
    ("I have a toothache. Who can help me near Alexanderplatz?", "nearby", {"what.categories": ["dentist"], "anchors": ["Alexanderplatz"]}),
    ("where's the closest place to buy medicine from Marienplatz", "nearby", {"what.categories": ["pharmacy"], "anchors": ["Marienplatz"]}),
    ("I'd love a coffee. Where's the nearest place from Marienplatz?", "nearby", {"what.categories": ["cafe"], "anchors": ["Marienplatz"]}),
    ("i am hungry and i am standing at marienplatz. where can i eat?", "nearby", {"anchors": ["marienplatz"]}),
    ("I'm in Lund and want to work out. Can you tell me where the nearest gym is located?", "nearby", {"what.categories": ["fitness_centre"], "anchors": ["Lund"]}),
    ("I need to mail a letter and I'm in Bergen. Where can I do it?", "nearby", {"what.categories": ["post_office"], "anchors": ["Bergen"]}),
    ("best pizza near Marienplatz", "nearby", {"what.keyword": "pizza", "rank_by": "rating", "pick": "max", "anchors": ["Marienplatz"]}),
]  # fmt: skip

FILTERED: list[Case] = [
    ("Which cafés near Kamppi are open at 8 pm on Saturday?", "nearby", {"filters.open_at.weekday": 5, "filters.open_at.at": "20:00:00"}),
    ("What's the closest supermarket to Kiasma that is open on Sunday?", "nearby", {"rank_by": "distance", "filters.open_at.weekday": 6, "filters.open_at.at": None}),
    ("is there an open pharmacy near Marienplatz right now?", "nearby", {"ask": "exists", "filters.open_at": {"weekday": None, "day": None, "at": None, "relative_days": None, "until": None}}),
    ("How many restaurants near Parliament Hill are closed on Sunday?", "nearby", {"ask": "count", "filters.closed_at.weekday": 6, "filters.open_at": None}),
    ("Find a cheap hotel close to the Olympic Stadium that has wifi", "nearby", {"what.categories": ["hotel"], "filters.price_levels": [1], "filters.services": ["wifi"]}),
    ("I am at Gum Mall. Suggest a nearby restaurant with at least 4.5 rating and over 2000 user ratings.", "nearby", {"anchors": ["Gum Mall"], "filters.min_rating": 4.5, "filters.min_rating_count": 2001, "rank_by": "any"}),
    ("Which restaurants within a 10 minute walk from Marienplatz are rated 4.5 or higher?", "nearby", {"max_duration_s": 600.0, "mode": "walking", "filters.min_rating": 4.5}),
    ("A moderately priced bistro near Gum Mall rated above 4.2, please", "nearby", {"filters.price_levels": [2], "filters.min_rating": 4.3}),
    ("Which restaurant near Tower Bridge other than Butlers Wharf is open now?", "nearby", {"filters.exclude": ["Butlers Wharf"], "anchors": ["Tower Bridge"]}),
    ("Name a cafe north of Kiasma", "nearby", {"filters.direction": "N", "anchors": ["Kiasma"]}),
    ("I'm at Dublin Castle. Find an ATM north of the castle.", "nearby", {"filters.direction": "N", "anchors": ["Dublin Castle"]}),
    ("Are there any wheelchair accessible museums in Kallio?", "nearby", {"filters.services": ["wheelchair"], "inside": True, "anchors": ["Kallio"]}),
    ("Find me a hotel with free wifi near Marienplatz", "nearby", {"filters.services": ["wifi"], "what.categories": ["hotel"]}),
    ("I am at the British Museum. It is currently 6:00 PM on Tuesday. Suggest the best nearby restaurant to eat now.", "nearby", {"rank_by": "rating", "filters.open_at.at": "18:00:00", "filters.open_at.weekday": 1}),
]  # fmt: skip

RANKED: list[Case] = [
    ("What's the best rated sushi place around Kamppi?", "nearby", {"rank_by": "rating", "pick": "max", "what.keyword": "sushi"}),
    ("Which hotel near Marienplatz has the lowest rating?", "nearby", {"rank_by": "rating", "pick": "min"}),
    ("Which hotel has the most reviews near Gare du Nord?", "nearby", {"rank_by": "rating_count", "pick": "max", "anchors": ["Gare du Nord"]}),
    ("Which restaurant near Gum Mall has the fewest total user ratings?", "nearby", {"rank_by": "rating_count", "pick": "min"}),
    ("What's the cheapest hotel near Marienplatz?", "nearby", {"rank_by": "price_level", "pick": "min"}),
    ("Which nearby restaurant of Gum Mall has the highest rating?", "nearby", {"rank_by": "rating", "anchors": ["Gum Mall"]}),
    ("Which bar around Gum Mall is the most expensive?", "nearby", {"rank_by": "price_level", "pick": "max"}),
]  # fmt: skip

ASKS: list[Case] = [
    ("how many pubs are within a 5-minute walk of Helsinki Central Station?", "nearby", {"ask": "count", "max_duration_s": 300.0, "anchors": ["Helsinki Central Station"]}),
    ("How many pharmacies can I find inside a 2 km radius around Marienplatz in Munich?", "nearby", {"ask": "count", "radius_m": 2000.0, "anchors": ["Marienplatz, Munich"]}),
    ("How many hotels are there in Kluuvi?", "nearby", {"ask": "count", "inside": True, "anchors": ["Kluuvi"]}),
    ("count the schools in Schaan", "nearby", {"ask": "count", "inside": True, "what.categories": ["school"]}),
    ("What is the total number of hospitals within 130 kilometers from John Lind House, New Ulm, MN?", "nearby", {"ask": "count", "radius_m": 130000.0, "anchors": ["John Lind House, New Ulm, MN"]}),
    ("I'm at Trafalgar Square. How many pubs are there within 200 metres of me?", "nearby", {"ask": "count", "radius_m": 200.0, "anchors": ["Trafalgar Square"]}),
    ("Is there a playground near Kaivopuisto?", "nearby", {"ask": "exists", "what.categories": ["playground"]}),
    ("Is there any hospital within two miles of Marienplatz?", "nearby", {"ask": "exists", "radius_m": 3218.688}),
    ("I live on Baker Street. Is there a gym nearby?", "nearby", {"ask": "exists", "anchors": ["Baker Street"]}),
    ("List three supermarkets closest to Hietaniemi Beach.", "nearby", {"ask": "names", "n": 3, "anchors": ["Hietaniemi Beach"]}),
    ("What are the five nearest museums to Marienplatz?", "nearby", {"ask": "names", "n": 5}),
    ("Show me all the museums within 1 km of Senate Square", "nearby", {"ask": "names", "radius_m": 1000.0}),
    ("Pharmacies within 500 m of Vaduz Castle", "nearby", {"ask": "names", "radius_m": 500.0}),
    ("How far is the nearest pharmacy from Kamppi?", "nearby", {"ask": "distance", "anchors": ["Kamppi"]}),
    ("How far away is the closest beach?", "nearby", {"ask": "distance", "anchors": ["here"]}),
    ("What's the distance to the closest gallery with respect to Nokomis Garden, Minneapolis, MN?", "nearby", {"ask": "distance", "anchors": ["Nokomis Garden, Minneapolis, MN"]}),
    ("Which direction leads to the nearest hospital situated from Hamlet Hotel, Bellingham, WA?", "nearby", {"ask": "direction", "anchors": ["Hamlet Hotel, Bellingham, WA"]}),
    ("What's the phone number of the nearest pharmacy to Kamppi?", "nearby", {"ask": "fact", "attribute": "phone"}),
    ("Give me the address of the closest library to Marienplatz", "nearby", {"ask": "fact", "attribute": "address"}),
]  # fmt: skip


@pytest.mark.parametrize(
    "case", [*NEAREST, *WISHES, *FILTERED, *RANKED, *ASKS], ids=lambda case: case[0][:60]
)
def test_reads_a_search(case: Case) -> None:
    check(case)
