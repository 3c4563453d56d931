"""Times and amounts in other languages, with values worked out by hand."""

import pytest

from modules.nlu.literals import amount_in, times_in


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("um 9 Uhr", ("9:00", "21:00")),
        ("21 Uhr 30", ("21:30",)),
        ("um neun Uhr dreißig", ("9:30", "21:30")),
        ("halb neun", ("8:30", "20:30")),
        ("Viertel nach acht", ("8:15", "20:15")),
        ("zehn vor eins", ("12:50", "0:50")),
        ("Sonntag", ("Sun",)),
        ("sonntags um 10 Uhr", ("Sun 10:00", "Sun 22:00")),
        ("am Samstagabend um acht", ("Sat 20:00",)),
        ("morgen früh", ("tomorrow 10:00",)),
        ("heute Abend", ("20:00",)),
        ("am 24. Dezember um 18 Uhr", ("Dec 24 18:00",)),
        ("im März", ("Mar",)),
        ("bis Mitternacht", ("0:00",)),
        ("dimanche", ("Sun",)),
        ("à 9 heures et demie", ("9:30", "21:30")),
        ("21h30", ("21:30",)),
        ("neuf heures moins le quart", ("8:45", "20:45")),
        ("dix-sept heures", ("17:00",)),
        ("samedi à huit heures du soir", ("Sat 20:00",)),
        ("demain matin", ("tomorrow 10:00",)),
        ("jusqu’à minuit", ("0:00",)),
        ("le 1er mai", ("May 1",)),
        ("en août", ("Aug",)),
        ("las nueve y media", ("9:30", "21:30")),
        ("a la una menos cuarto", ("12:45", "0:45")),
        ("a las once de la mañana", ("11:00",)),
        ("a las 10 de la noche", ("22:00",)),
        ("mañana por la mañana", ("tomorrow 10:00",)),
        ("el domingo por la noche", ("Sun 20:00",)),
        ("24 de diciembre", ("Dec 24",)),
        ("hasta mediodía", ("12:00",)),
        ("alle nove e mezza", ("9:30", "21:30")),
        ("le dieci di sera", ("22:00",)),
        ("all'una e un quarto", ("1:15", "13:15")),
        ("alle due", ("2:00", "14:00")),
        ("domenica mattina", ("Sun 10:00",)),
        ("stasera", ("20:00",)),
        ("lunedì alle 18", ("Mon 18:00",)),
        ("il 25 aprile", ("Apr 25",)),
    ],
)
def test_times(said: str, means: tuple[str, ...]) -> None:
    assert times_in(said) == means


@pytest.mark.parametrize(
    "said",
    [
        "once",
        "due",
        "sera",
        "the elf",
        "die",
        "Viertel",
        "mar del sol",
        "due Monday morning shift",
        "übermorgen",
    ],
)
def test_words_with_another_meaning_are_no_times(said: str) -> None:
    assert times_in(said) == ()


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("500 Meter", "500 m"),
        ("zehn Minuten", "10 min"),
        ("15 Minuten zu Fuß", "15 min"),
        ("eine halbe Stunde", "30 min"),
        ("anderthalb Stunden", "1.5 h"),
        ("1,5 Kilometer", "1.5 km"),
        ("300 mètres", "300 m"),
        ("dix minutes à pied", "10 min"),
        ("deux heures et demie", "2.5 h"),
        ("un quart d’heure", "15 min"),
        ("400 metros", "400 m"),
        ("veinte minutos", "20 min"),
        ("una hora y media", "1.5 h"),
        ("dos kilómetros", "2 km"),
        ("200 metri", "200 m"),
        ("cinque minuti a piedi", "5 min"),
        ("due ore", "2 h"),
        ("mezz'ora", "30 min"),
    ],
)
def test_amounts(said: str, means: str) -> None:
    assert amount_in(said) == means


@pytest.mark.parametrize("said", ["metro", "ore", "une heure tranquille", "zu Fuß"])
def test_other_words_are_no_amounts(said: str) -> None:
    assert amount_in(said) is None
