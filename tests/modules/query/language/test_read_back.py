"""Programs read back: sentences as a person would say them, with what was found and how far it is."""

import asyncio
import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from map_tools.compute.geodesy import distance_m
from map_tools.errors import ProgramError
from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, NameSet
from mapagent.runtime.config import Settings
from modules.query.inventory import built_in
from modules.query.language.checker import check
from modules.query.language.parser import parse
from modules.query.read_back import read_back
from tests.support.maps import demo_map

BANK = Path(__file__).resolve().parents[4] / "scripts" / "reader" / "bank"
FRIDAY = datetime(2026, 7, 31, 12)  # noqa: DTZ001 (local time of the place)


def _told(program: str, *, now: datetime | None = None) -> str:
    return read_back(check(parse(program), built_in()), built_in(), now=now).rstrip(".")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ('max(places("museum"), key=lambda p: p.lat)', "the northernmost of the museums"),
        ('min(places("tower", inside="Mill Quarter"), key=lambda p: p.height)',
         "the lowest of the towers in Mill Quarter"),
        ('min(routes("Kiasma", "Ateneum", "walk"), key=lambda r: r.duration)',
         "the one of the ways from Kiasma to Ateneum on foot with the shortest duration"),
        ('max(["A", "B"], key=lambda p: closes(p, "Sat"))',
         "the one of A and B with the latest closing time on Saturday"),
        ('min(options, key=lambda o: travel("A", o, "bike").duration)',
         "the one of the options for which the time from A to it by bike is shortest"),
        ('max(["A", "B"], key=lambda q: count(places("bar", inside=q)))',
         "the one of A and B with the most bars in it"),
        ('min(places("cafe", near="A"), key=lambda p: distance(p, "B"))', "the one of the cafes near A nearest to B"),
        ('group(places("bar", near="A"), by=lambda p: p.cuisine)', "bars near A grouped by cuisine"),
        ('max(group(places("shop"), by=lambda p: p.district), key=lambda g: count(g.items)).key',
         "the district of the largest group of the shops grouped by district"),
        ('places("museum", where=lambda p: p.wifi).unstated',
         "those of which it is not stated whether they belong to the museums that have wifi"),
        ('abs(distance("A", "B") - "1 km")',
         "the difference between the straight-line distance between A and B and 1 km"),
        ('places("cafe", along="B", near="A")', "cafes near A along B"),
        ('places("cafe", along="B", near="A", within="100 m")', "cafes within 100 m of A along B"),
        ('places("cafe", along="B", within="100 m")', "cafes within 100 m of B"),
        ('places("Japanese restaurant", near="A")', "Japanese restaurants near A"),
        ('places("japanese restaurant", near="A")', "Japanese restaurants near A"),
        ('places("vegetarian restaurant", near="A")', "vegetarian restaurants near A"),
        ('places("place of worship", near="A")', "places of worship near A"),
        ('places("drinking water", near="A")', "places for drinking water near A"),
        ('places("Netto")', "places called Netto"),
        ('places("amenity=bench", near="A")', "places tagged amenity=bench near A"),
        ('places("cafe", near="A", where=lambda p: p.wifi and p.stars > 2 and is_open(p, "Sun 9:00"))',
         "cafes near A that have wifi and whose number of stars is more than 2 and that are open on Sunday at 9:00"),
        ('nearest("cafe", to="A", where=lambda p: not p.wifi)', "the cafe nearest to A that does not have wifi"),
        ('nearest("cafe", to="A", where=lambda p: p.phone)', "the cafe nearest to A whose phone number is known"),
        ('nearest(options, to="A")', "the one of the options nearest to A"),
        ('nearest("hotel", to="A", within="150000 m")', "the hotel nearest to A within 150 km"),
        ('[p for p in routes("A", "B", "drive") if features(p, "tunnel") == 0][0]',
         "the first of the ways from A to B by car for which there are no tunnels on them"),
        ('count(places("cinema", inside="Mill Quarter")) > 10',
         "whether there are more than 10 cinemas in Mill Quarter"),
        ('"500 m" < distance("A", "B") <= "1 km"',
         "whether the straight-line distance between A and B is more than 500 m and at most 1 km"),
        ('not (closes("A", "Sat") < "18:00")', "whether the closing time of A on Saturday is not before 18:00"),
        ('is_open("A", "Fri 12:00", until="Fri 18:00")', "whether A is open from Friday 12:00 until Friday 18:00"),
        ('is_open("A", "2026-12-25 18:00")', "whether A is open on 25 December 2026 at 18:00"),
        ('hours("A", "Dec")', "the opening hours of A in December"),
        ('all([is_open(p, "Sun") for p in ["A", "B"]])', "whether each of A and B is open on Sunday"),
        ('known(is_open("A", "Sun"))', "whether it is known whether A is open on Sunday"),
        ('travel("A", "B", "walk").steps[0].street', "the street of the first step of the way from A to B on foot"),
        ('trip([visit("A", stay="1 h"), "B"], start="C", end="C", mode="walk", order="free").order',
         "the order of a trip on foot from C to A for 1 h and B and back in the best order"),
        ('trip([], start="A", end="B", arrive="12:00" + "5 h", mode="walk", skip=True)',
         "a trip on foot from A to B, there by 5 h after 12:00, leaving out what does not fit"),
        ('trip(["A"], start="B", end="C", mode="walk", hours=False)',
         "a trip on foot from B to A, ending at C, whatever the opening hours"),
        ('places("bar", near="A") + places("pub", near="A")', "bars near A and pubs near A"),
        ('sort(places("bar", near="A"), key=lambda p: p.rating, reverse=True)[:3]',
         "the first 3 of the bars near A in order of rating, highest first"),
        ('fact("A", "addr:postcode")', "the postcode of A"),
        ('direction("A", to="B").name', "the direction from A to B"),
        ('distance("A", "B").km', "the straight-line distance between A and B in kilometres"),
        ('max([travel(p, "A", "walk").duration for p in options])',
         "the longest of the times from each of the options to A on foot"),
    ],
)  # fmt: skip
def test_one_sentence(program: str, told: str) -> None:
    assert _told(f"answer({program})") == told


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ('found = places("pharmacy", near="A", within="1 km")\nanswer(count(found), last=found[-1])',
         "pharmacies within 1 km of A; the number of these pharmacies; the last of these pharmacies"),
        ('way = travel("A", "B", "walk")\nanswer(way.duration, length=way.distance)',
         "the way from A to B on foot; the duration of this way; the length of this way"),
        ('a = places("bar", on="A")\nb = places("bar", on="B")\nanswer(count(a), more=count(b), a=a, b=b)',
         "bars on A; b: bars on B; the number of these bars; the number of b"),
    ],
)  # fmt: skip
def test_what_is_used_twice_is_pointed_back_to(program: str, told: str) -> None:
    assert _told(program) == told


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("20:00", "at 20:00 today"),
        ("Fri", "on Friday 31 July"),
        ("Mon 9:00", "on Monday 3 August at 9:00"),
        ("tomorrow 18:00", "tomorrow at 18:00"),
    ],
)
def test_times_are_told_as_they_are_taken(time: str, told: str) -> None:
    assert _told(f'answer(is_open("A", "{time}"))', now=FRIDAY) == f"whether A is open {told}"


def test_the_bank_is_read_back_without_marks_or_doubled_words() -> None:
    sound = re.compile("[\ue000-\uf8ff{}]|the the | whether whether|them (is|runs|lies) open")
    files = [file.read_text("utf-8") for file in sorted(BANK.glob("m0*.jsonl"))]
    rows = [json.loads(line) for text in files for line in text.splitlines()]
    if not rows:
        pytest.skip("needs the bank of worked questions, which is no part of a package")
    for row in rows:
        try:
            program = check(parse(row["program"]), built_in())
        except ProgramError:  # a saved world has operators of its own
            continue
        told = read_back(program, built_in())
        assert not sound.search(told), told


def _answers(program: str, home: Path) -> Answer:
    async def ask() -> Answer:
        async with MapAgent(Settings(data_home=home), provider=OsmProvider.open(demo_map())) as agent:
            return await agent.query(program)

    return asyncio.run(ask())


def test_followed_places_stand_as_they_were_found(tmp_path: Path) -> None:
    answer = _answers(
        'museum = nearest("museum", to="Kiasma")\n'
        'answer(nearest("cafe", to=museum), museum=museum, walk=travel("Kiasma", museum, "walk").duration)',
        tmp_path,
    )
    name = answer.parts["museum"].text
    assert answer.understood == (
        f"the museum nearest to Kiasma ({name}); the cafe nearest to {name}; the time from Kiasma to {name} on foot."
    )
    area = _answers(
        'near = reachable("Ateneum", "3 min", "walk")\nanswer(count(places("cafe", inside=near)), size=near.size)',
        tmp_path,
    )
    assert area.understood == (
        "the area within 3 min of Ateneum on foot; the number of cafes in this area; the size of this area."
    )


def test_a_search_that_widens_tells_only_of_its_last_circle(tmp_path: Path) -> None:
    answer = _answers('answer(places("cafe", near="Ateneum", where=lambda p: p.wifi))', tmp_path)
    notes = [note for note in answer.warnings if "fulfil the condition" in note]
    assert len(notes) == 1
    assert int(notes[0].split()[1]) > 80


def test_near_is_told_with_the_distances(tmp_path: Path) -> None:
    answer = _answers('answer(places("museum", near="Kiasma"), kiasma=place("Kiasma"))', tmp_path)
    (kiasma,) = answer.parts["kiasma"].places
    told = answer.text.split("; ")
    assert isinstance(answer.value, NameSet)
    assert len(told) == len(answer.places) == len(answer.value.names)
    for words, place in zip(told, answer.places, strict=True):
        name, _, far = words.rpartition(", ")
        assert name == place.name
        metres = float(far.split()[0]) * (1000 if far.endswith("km") else 1)
        assert place.location is not None
        assert kiasma.location is not None
        assert metres == pytest.approx(distance_m(kiasma.location, place.location), abs=6)


def test_a_cut_list_tells_where_it_is_cut(tmp_path: Path) -> None:
    answer = _answers('answer(places("restaurant", near="Ateneum"))', tmp_path)
    assert len(answer.places) == 20
    assert answer.text.endswith("(the list is cut at 20)")
