"""Literals of programs from words of a question, also in other languages, with values worked out by hand."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.nlu.literals import amount_in, kind_in, name_in, number_in, times_in

HOURS = "twelve one two three four five six seven eight nine ten eleven".split()  # noqa: SIM905 (easier to read)
DAYS = {
    "Monday": "Mon", "Tuesday": "Tue", "Wednesday": "Wed", "Thursday": "Thu",
    "Friday": "Fri", "Saturday": "Sat", "Sunday": "Sun",
}  # fmt: skip


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_clock_of_twenty_four_hours_is_itself(hour: int, minute: int) -> None:
    said = times_in(f"at {hour:02d}:{minute:02d}")
    assert said[0] == f"{hour}:{minute:02d}"
    assert len(said) == 1 or 1 <= hour <= 12, "only an hour of the clock face may be meant twice"


@given(st.integers(1, 12), st.integers(0, 59), st.sampled_from(["am", "pm", "a.m.", "p.m.", " PM"]))
def test_am_and_pm_leave_one_reading(hour: int, minute: int, half: str) -> None:
    later = 12 if half.strip().lower().startswith("p") else 0
    assert times_in(f"{hour}:{minute:02d}{half}") == (f"{hour % 12 + later}:{minute:02d}",)


@given(st.integers(1, 11), st.sampled_from([("quarter past", 15), ("half past", 30), ("twenty past", 20)]))
def test_spoken_times_have_two_readings(hour: int, spoken: tuple[str, int]) -> None:
    words, minute = spoken
    assert times_in(f"{words} {HOURS[hour]}") == (f"{hour}:{minute}", f"{hour + 12}:{minute}")


@given(
    st.integers(1, 11),
    st.sampled_from(list(DAYS.items())),
    st.sampled_from(["on {} at {} pm", "{1} pm on {0}"]),
)
def test_days_come_before_their_clock(hour: int, day: tuple[str, str], form: str) -> None:
    name, short = day
    said = form.format(name, hour)
    assert times_in(said) == (f"{short} {hour + 12}:00",)


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("half nine", "9:30"),
        ("quarter to ten", "9:45"),
        ("by noon", "12:00"),
        ("midnight", "0:00"),
        ("tonight at 8", "20:00"),
        ("tomorrow morning", "tomorrow 10:00"),
        ("Saturday evening", "Sat 20:00"),
        ("Sundays", "Sun"),
        ("today", "today"),
        ("nine thirty", "9:30"),
        ("0900", "9:00"),
        ("2026-12-24 at 18:00", "2026-12-24 18:00"),
    ],
)
def test_times_as_they_are_said(said: str, means: str) -> None:
    assert times_in(said)[0] == means


@pytest.mark.parametrize("said", ["the museum", "25:00", "", "a while", "soonish"])
def test_other_words_are_no_times(said: str) -> None:
    assert times_in(said) == ()


@given(st.integers(1, 59), st.sampled_from(["min", "mins", "minutes", "minute"]))
def test_minutes(count: int, unit: str) -> None:
    assert amount_in(f"{count} {unit}") == f"{count} min"


@given(st.integers(1, 9), st.sampled_from([0, 15, 20, 30, 45]))
def test_hours_and_minutes_add_up(hours: int, minutes: int) -> None:
    said = amount_in(f"{hours} hours and {minutes} minutes") if minutes else amount_in(f"{hours} hours")
    total = 60 * hours + minutes
    assert said == (f"{total / 60:g} h" if total % 30 == 0 else f"{total} min")


@given(
    st.integers(1, 999),
    st.sampled_from([("m", 1), ("metres", 1), ("meters", 1), ("km", 1000), ("miles", 1609.344)]),
)
def test_lengths(count: int, unit: tuple[str, float]) -> None:
    name, metres = unit
    total = count * metres
    assert amount_in(f"{count} {name}") == (f"{total / 1000:g} km" if total >= 1000 else f"{total:g} m")


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("half an hour", "30 min"),
        ("an hour and a half", "1.5 h"),
        ("quarter of an hour", "15 min"),
        ("ten minutes", "10 min"),
        ("1,5 km", "1.5 km"),
        ("half a mile", "804.672 m"),
        ("a kilometre", "1 km"),
        ("a couple of hundred metres", "200 m"),
        ("couple of hundred metres", "200 m"),
        ("a few hundred meters", "300 m"),
        ("a few minutes", "3 min"),
        ("hundred metres", "100 m"),
        ("couple of km", "2 km"),
    ],
)
def test_amounts_in_words(said: str, means: str) -> None:
    assert amount_in(said) == means


@pytest.mark.parametrize("said", ["the museum", "far", "", "9:30", "km"])
def test_other_words_are_no_amounts(said: str) -> None:
    assert amount_in(said) is None


@given(st.integers(0, 999_999))
def test_figures_are_numbers_with_or_without_marks(number: int) -> None:
    assert number_in(str(number)) == number_in(f"{number:,}") == f"{number:g}"


@pytest.mark.parametrize(
    ("said", "means"), [("three", "3"), ("4.5", "4.5"), ("4,5", "4.5"), ("4.5+", "4.5"), ("twenty-one", "21")]
)
def test_numbers_as_they_are_said(said: str, means: str) -> None:
    assert number_in(said) == means


@pytest.mark.parametrize("said", ["cafe", "", "4 stars", "third"])
def test_other_words_are_no_numbers(said: str) -> None:
    assert number_in(said) is None


def test_names_stand_without_article_and_marks() -> None:
    assert name_in(" the Kiasma museum,") == "Kiasma museum"
    assert name_in("“The”") == "The", "an article alone is the name"
    assert name_in("the Spindle (Whorl)") == "Spindle (Whorl)"
    assert name_in("(the Spindle)") == "Spindle"
    assert name_in("the Spindle (Whorl") == "Spindle (Whorl)", "the last mark may not be pointed to"


def test_kinds_are_of_one_in_small_letters() -> None:
    assert kind_in("the Coffee Shops") == "coffee shop"
    assert [kind_in(many) for many in ("cafés", "pharmacies", "churches", "bus stops", "gas")] == [
        "café", "pharmacy", "church", "bus stop", "gas",
    ]  # fmt: skip
    assert kind_in("Kiasma") == "Kiasma"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("in August", "Aug"),
        ("half past six in the evening in August", "Aug 18:30"),
        ("Sundays in July", "Jul Sun"),
        ("the 24th of December", "Dec 24"),
        ("December 24th at 5 pm", "Dec 24 17:00"),
        ("on 3 May", "May 3"),
        ("Monday, 1 May", "May 1"),
        ("5 pm in March", "Mar 17:00"),
        ("Christmas Eve at noon", "Dec 24 12:00"),
    ],
)
def test_dates_and_months_have_one_form(said: str, meant: str) -> None:
    assert times_in(said) == (meant,)


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
def test_other_words_of_any_tongue_are_no_amounts(said: str) -> None:
    assert amount_in(said) is None


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["", "10:00", "22:30"]))
def test_a_date_with_its_year_is_that_day(day: date, clock: str) -> None:
    means = f"{day:%Y-%m-%d} {clock}".rstrip()
    for form in (
        "%-d %B %Y",
        "%d %b %Y",
        "%B %-d, %Y",
        "%A, %-d. %B %Y",
        "%A the %-dth of %B, %Y",
        "%d.%m.%Y",
    ):
        for said in (f"{day:{form}}, {clock}", f"on {day:{form}} at {clock}"):
            assert times_in(said.removesuffix(" at ").rstrip(" ,"))[0] == means
