"""Distance, direction, between, closer and pairs, in many wordings."""

import pytest

from tests.modules.offline.phrasing import Case, check

DISTANCE: list[Case] = [
    ("how far is it as the crow flies from Kiasma to the cathedral", "distance", {"a": "Kiasma", "b": "cathedral"}),
    ("what is the straight-line distance between Kiasma and Ateneum?", "distance", {"a": "Kiasma", "b": "Ateneum"}),
    ("What is the straight-line distance between the Belem Tower in Lisbon and the Sanctuary of Fátima in Fátima, Portugal?", "distance", {"a": "Belem Tower, Lisbon", "b": "Sanctuary of Fátima, Fátima, Portugal"}),
    ("What is the straight-line distance between the Obelisco and the Casa Rosada in Buenos Aires?", "distance", {"a": "Obelisco", "b": "Casa Rosada, Buenos Aires"}),
    ("Distance from the Frauenkirche to the Olympiaturm in a straight line?", "distance", {"a": "Frauenkirche", "b": "Olympiaturm"}),
    ("How many kilometers apart are the Frauenkirche and the Olympiaturm?", "distance", {"a": "Frauenkirche", "b": "Olympiaturm"}),
    ("Are the Frauenkirche and the Olympiaturm less than 5 km apart?", "distance", {"at_most_m": 5000.0}),
    ("Is the distance between Kiasma and Ateneum less than 1 km?", "distance", {"at_most_m": 1000.0}),
    ("How far is 20th & Wilshire from 17th-Freeman?", "distance", {"a": "20th & Wilshire", "b": "17th-Freeman"}),
    ("How far is 10 from 14th St & F St?", "distance", {"a": "10", "b": "14th St & F St"}),
    ("How far, by air, is Tromsø from Bodø?", "distance", {"a": "Tromsø", "b": "Bodø"}),
]  # fmt: skip

BEARING: list[Case] = [
    ("In which direction is Helsinki Cathedral from Kamppi Chapel?", "bearing", {"origin": "Kamppi Chapel", "target": "Helsinki Cathedral"}),
    ("What is the direction of the Vasa Museum from Stockholm Central Station?", "bearing", {"origin": "Stockholm Central Station", "target": "Vasa Museum"}),
    ("From Vaduz Castle, which direction is the Kunstmuseum?", "bearing", {"origin": "Vaduz Castle", "target": "Kunstmuseum"}),
    ("What direction should I look from the Frauenkirche to see the Olympiaturm?", "bearing", {"origin": "Frauenkirche", "target": "Olympiaturm"}),
    ("The Olympiaturm is in which direction from the Frauenkirche?", "bearing", {"origin": "Frauenkirche", "target": "Olympiaturm"}),
    ("Is the Olympiaturm to the north-west of the Frauenkirche?", "bearing", {"origin": "Frauenkirche", "target": "Olympiaturm", "is_direction": "NW"}),
    ("Is Kiasma north of the Central Station?", "bearing", {"origin": "Central Station", "target": "Kiasma", "is_direction": "N"}),
]  # fmt: skip

PICKS: list[Case] = [
    ("Which of the Frauenkirche, the Residenz and the Gasteig is north of Marienplatz?", "direction_pick", {"anchor": "Marienplatz", "direction": "N", "candidates": ["Frauenkirche", "Residenz", "Gasteig"]}),
    ("what's to the south of Vaduz Castle?", "direction_pick", {"anchor": "Vaduz Castle", "direction": "S"}),
    ("Which museum lies between Kiasma and the Botanical Garden?", "between", {"a": "Kiasma", "b": "Botanical Garden", "what.categories": ["museum"]}),
    ("What lies between Kiasma and Oodi?", "between", {"a": "Kiasma", "b": "Oodi"}),
    ("What cafe is in between Marienplatz and Odeonsplatz?", "between", {"a": "Marienplatz", "b": "Odeonsplatz", "what.categories": ["cafe"]}),
    ("Which is closer to Kamppi, Kiasma or Ateneum?", "closer", {"anchor": "Kamppi", "candidates": ["Kiasma", "Ateneum"], "pick": "min"}),
    ("which is farther from the railway station: oodi library or the parliament house", "closer", {"anchor": "railway station", "candidates": ["oodi library", "parliament house"], "pick": "max"}),
    ("Is the Residenz or the Gasteig closer to the Frauenkirche?", "closer", {"anchor": "Frauenkirche", "candidates": ["Residenz", "Gasteig"]}),
    ("Of the Rathaus and the Kunstmuseum, which one is nearer to the post office?", "closer", {"anchor": "post office", "candidates": ["Rathaus", "Kunstmuseum"]}),
    ("Which spot is closer to Jack in the Box, The Vault or Royal Falconer?", "closer", {"anchor": "Jack in the Box", "candidates": ["The Vault", "Royal Falconer"]}),
    ("Which two of Kiasma, Ateneum and Oodi are farthest apart?", "pair", {"places": ["Kiasma", "Ateneum", "Oodi"], "pick": "max"}),
]  # fmt: skip

WITH_OPTIONS: list[tuple[Case, tuple[str, ...]]] = [
    (("Which landmark is located directly West of Esplanadi Park in Helsinki?", "direction_pick", {"anchor": "Esplanadi Park, Helsinki", "direction": "W"}), ("A church", "B tower")),
    (("Which of these lies northeast of the old harbour?", "direction_pick", {"direction": "NE"}), ("Oodi", "Kiasma")),
    (("Which pair of places is closest to each other in Norway?", "pair", {"pick": "min", "places": []}), ("Oslo and Bergen", "Oslo and Moss")),
    (("Which pair of cities is farthest apart in Norway?", "pair", {"pick": "max"}), ("Oslo and Bergen", "Oslo and Moss")),
    (("Which of the following is closest to Kiasma?", "closer", {"anchor": "Kiasma", "candidates": []}), ("Oodi", "Ateneum")),
    (("What is the direction of the harbour Nyhavn from Copenhagen Central Station?", "bearing", {"origin": "Copenhagen Central Station"}), ("East", "West", "North", "South")),
]  # fmt: skip


@pytest.mark.parametrize("case", [*DISTANCE, *BEARING, *PICKS], ids=lambda case: case[0][:60])
def test_reads_geometry(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("case", "options"), WITH_OPTIONS, ids=lambda value: str(value)[:50])
def test_options_help(case: Case, options: tuple[str, ...]) -> None:
    check(case, options)
