"""Texts of twelve forms, each with facts that programs over it must give.

The facts were written down from the texts by hand before anything read them.
"""

import json
import re
from pathlib import Path

import pytest

from map_tools.facts import NearbyFact, NoteFact, PlaceFact, TravelFact
from map_tools.types import LatLng
from modules.context_reader.reader import read_text
from tests.modules.context_reader.support import facts
from tests.modules.query.language.running import told

DATA = Path(__file__).parent / "data"
CASES = [
    (file.stem, *line.split("  => "))
    for file in sorted(DATA.glob("*.facts"))
    for line in file.read_text("utf-8").splitlines()
]


LEARNED = frozenset({"bullets", "concierge", "forum", "letter", "tourist"})
"""Forms that are read by what was learned from other texts: not every fact is right."""


@pytest.mark.parametrize(("name", "program", "answer"), [case for case in CASES if case[0] not in LEARNED])
def test_programs_over_a_known_form_give_its_facts(name: str, program: str, answer: str) -> None:
    got = told(program, (DATA / f"{name}.txt").read_text("utf-8"))
    assert re.match(rf"{re.escape(answer)}(?!\w)", got.text), got.text or got.reason


def test_programs_over_any_other_form_give_nine_facts_of_ten() -> None:
    cases = [case for case in CASES if case[0] in LEARNED]
    texts = {name: (DATA / f"{name}.txt").read_text("utf-8") for name in LEARNED}
    right = [
        re.match(rf"{re.escape(answer)}(?!\w)", told(program, texts[name]).text) is not None
        for name, program, answer in cases
    ]
    assert sum(right) >= 0.9 * len(cases)


def test_every_form_has_ten_facts() -> None:
    names = [name for name, *_ in CASES]
    assert {name: names.count(name) for name in names} == dict.fromkeys(
        (f.stem for f in DATA.glob("*.txt")), 10
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Old Inn", "rating": ',
        '{"type": "Feature", "properties": {"name": "Old Inn"}, "geometry": {"type": "Point", "coordinates": [1]}}',
        "Old Inn: POINT (200 95)",
        "Old Inn: POLYGON ((1 2, 3 4))",
        "name,rating\nOld Inn",
        'name,rating\n"Old Inn,4.5',
        "[" * 5_000,
        "| a |\n|---|",
    ],
)
def test_broken_data_fails_nothing_and_gives_no_position(text: str) -> None:
    assert all(fact.place.location is None for fact in facts(text, PlaceFact))
    assert read_text(text).lines >= 1


def test_words_around_data_stay_quotable() -> None:
    text = (
        'We found this:\n```json\n[{"name": "Old Inn", "lat": 48.5, "lng": 2.25}]\n```\nAsk again tomorrow.'
    )
    (place,) = facts(text, PlaceFact)
    assert place.place.location == LatLng(lat=48.5, lng=2.25)
    assert [note.text for note in facts(text, NoteFact)] == ["We found this:", "Ask again tomorrow."]


@pytest.mark.parametrize(
    "header", ["from / to", "row = start", "from \\ to"], ids=["slash", "words", "backslash"]
)
def test_a_matrix_reads_from_row_to_column(header: str) -> None:
    text = f"Minutes on foot\n\n{header} | Mill | Quay\nMill | - | 7\nQuay | 9 | -\n"
    told_ways = {(way.origin, way.destination): way.duration_s for way in facts(text, TravelFact)}
    assert told_ways == {("Mill", "Quay"): 420, ("Quay", "Mill"): 540}


def test_a_list_of_numbers_and_commas_is_no_table() -> None:
    assert facts("We saw red, green, blue\nand one, two, three\n", PlaceFact) == []


def ways(text: str) -> set[tuple[str, str, str, float | None, float | None]]:
    """All ways that a text tells: start, end, mode, time and length."""
    return {
        (one.origin, one.destination, one.mode.value, one.duration_s, one.distance_m)
        for one in facts(text, TravelFact)
    }


def test_columns_may_have_the_mode_and_the_unit_in_their_labels() -> None:
    text = "from;to;km;walk_min;busMin\nMill;Quay;0.4;5;\nMill;Fort;1.1;14;7\n"
    assert ways(text) == {
        ("Mill", "Quay", "walking", 300, 400),
        ("Mill", "Fort", "walking", 840, 1100),
        ("Mill", "Fort", "transit", 420, 1100),
    }


def test_cells_stand_below_their_headings() -> None:
    """One space may be all that is between two of them, and some are empty."""
    text = (
        "CODE  NAME       KIND       STARS\n"
        "OM    Old Mill   museum     4.5\n"
        "QI    Quay Inn   guesthouse 4.1\n"
        "FT    Far Tower             3.9\n"
        "\n"
        "Minutes on foot\n"
        "     OM   QI   FT\n"
        "QI   9\n"
        "FT   12   4\n"
        "PN   30   21   18\n"
    )
    rated = {place.place.name: place.place.rating for place in facts(text, PlaceFact)}
    assert rated | {"PN": None} == {"Old Mill": 4.5, "Quay Inn": 4.1, "Far Tower": 3.9, "PN": None}
    assert told('answer(travel("FT", "Old Mill", "walk").duration)', text).text == "12 min"
    assert told('answer(travel("Old Mill", "FT", "walk").duration)', text).text == "12 min", (
        "a triangle is both"
    )


def test_a_row_of_a_table_that_says_nothing_is_no_row_lost() -> None:
    text = "from,to,mode,min\nMill,Quay,walk,5\nMill,Fort,walk,soon after 12\n"
    assert ways(text) == {("Mill", "Quay", "walking", 300, None)}
    assert [note.text for note in facts(text, NoteFact)] == ["Mill,Fort,walk,soon after 12"]


def test_a_whole_matrix_tells_each_way_as_it_is() -> None:
    rows = "        Mill   Quay   Fort\nMill    -      7      9\nQuay    8      -      5\nFort    11     6      -\n"
    text = f"Minutes by bike\n{rows}"
    assert ("Quay", "Mill", "bicycling", 480, None) in ways(text)
    assert ("Mill", "Quay", "bicycling", 420, None) in ways(text)
    assert len(ways(text)) == 6


def test_tables_speak_of_places_by_their_identifiers() -> None:
    text = "id,name,kind,rating\nP1,Old Mill,museum,4.5\nP2,Quay Inn,hotel,4.1\n\nfrom,to,mode,min\nP2,P1,walk,9\n"
    assert told('answer(travel("Quay Inn", "Old Mill", "walk").duration)', text).text == "9 min"


def test_records_tell_ways_in_tables_of_their_own() -> None:
    record = {"name": "Fort", "kind": "castle", "from_hotel": {"km": 0.5, "foot": 6, "bike": 3}}
    told_ways = ways(json.dumps({"places": [record], "legs": [{"a": "Fort", "b": "Mill", "foot": 4}]}))
    assert told_ways == {
        ("hotel", "Fort", "walking", 360, 500),
        ("hotel", "Fort", "bicycling", 180, 500),
        ("Fort", "Mill", "walking", 240, None),
    }


@pytest.mark.parametrize(
    "text",
    [
        {"near": {"Quay": {"Inn": "80 m", "Mill": "1.2 km"}}},
        {"near_Quay_in_metres": {"Inn": 80, "Mill": 1200}},
    ],
)
def test_distances_may_be_a_table_of_tables(text: object) -> None:
    (near,) = facts(json.dumps(text), NearbyFact)
    assert near.anchor == "Quay"
    assert [(one.place.name, one.distance_m) for one in near.items] == [("Inn", 80), ("Mill", 1200)]


def test_a_record_says_of_what_kind_its_place_is() -> None:
    record = {"name": "Suds", "kind": "laundrette", "address": "14 Quay Street"}
    (place,) = facts(json.dumps({"places": [record]}), PlaceFact)
    assert place.place.categories == ("laundry",)


def test_both_ends_of_a_way_may_stand_in_one_cell_or_list() -> None:
    table = (
        "| Between | On foot | Bus | Distance |\n|---|---|---|---|\n| Fort – Mill | 22 min | 9 min | 1.7 km |"
    )
    wanted = {
        ("Fort", "Mill", "walking", 1320, 1700),
        ("Fort", "Mill", "transit", 540, 1700),
    }
    assert set(ways(table)) == wanted
    record = {"between": ["Fort", "Mill"], "foot": 22, "bus": 9}
    assert {way[:4] for way in ways(json.dumps({"minutes_either_way": [record]}))} == {
        one[:4] for one in wanted
    }


def test_the_name_of_a_place_tells_no_means_of_travel() -> None:
    (near,) = facts(
        json.dumps({"near": {"Fell Cable Car": {"Kino": "1.2 km", "Café": "1.3 km"}}}), NearbyFact
    )
    assert [item.distance_m for item in near.items] == [1200, 1300]


@pytest.mark.parametrize(
    ("said", "charge"),
    [
        ("7 euros", "7 €"),
        ("6,50 €", "6.50 €"),
        ("£3", "3 £"),
        ("1,200 yen", "1200 ¥"),
        ("12.- CHF", "12 CHF"),
    ],
)
def test_amounts_of_money_have_one_form(said: str, charge: str) -> None:
    (place,) = facts(f"Name: Old Fort\nEntry fee: {said}", PlaceFact)
    assert place.place.attributes["charge"] == charge


def test_metres_east_and_north_are_no_position() -> None:
    rows = ["name | kind | position", "Mill | café | 20 W, 30 N", "Fort | castle | 60.1 N, 24.9 E"]
    mill, fort = facts("\n".join(rows), PlaceFact)
    assert mill.place.location is None
    assert fort.place.location == LatLng(lat=60.1, lng=24.9)
