"""Options are matched by meaning, differences with the way they go; expected letters are read off by hand."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapagent.core.answer import (
    ClockTime,
    Named,
    NameSet,
    OptionPick,
    Quantity,
    Schedule,
    ScheduleStop,
    Sequence,
    Text,
    Value,
    YesNo,
)
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, NoMatch, match, option_for_unanswerable
from tests.support.effort import effort
from tests.support.evidence import place


def seconds(minutes: float) -> Quantity:
    return Quantity(value=minutes * 60, unit="s")


def metres(value: float) -> Quantity:
    return Quantity(value=value, unit="m")


def count(value: float) -> Quantity:
    return Quantity(value=value, unit="count")


def choose(
    value: Value, options: tuple[str, ...], text: str = "Which one?", *ranking: Value
) -> Match | NoMatch:
    return match(value, ranking, Question(text=text, options=options))


MATCHES: list[tuple[Value, tuple[str, ...], int]] = [
    (seconds(65), ("1 hour 5 mins", "1 hour 15 mins", "65 hours"), 0),
    (seconds(10), ("11 mins", "10 mins", "12 mins", "9 mins"), 1),
    (seconds(133), ("1 hour 4 mins", "2 hour 13 mins", "1 hour 13 mins", "2 hour 14 mins"), 1),
    (seconds(90), ("1 h", "1.5 hours", "2 h"), 1),
    (seconds(12), ("5-10 minutes", "10-15 minutes", "15-20 minutes"), 1),
    (seconds(25), ("less than 10 min", "10 to 20 min", "more than 20 min"), 2),
    (seconds(8), ("under 10 min", "10 min or more"), 0),
    (seconds(10), ("under 10 min", "10 min or more"), 1),
    (seconds(19.4), ("18minutes", "19minutes", "20minutes", "21minutes"), 1),
    (seconds(60), ("1h", "30m", "10m", "5m"), 0),
    (metres(1118000), ("989.45 km", "1278.67 km", "1010.34 km", "1115.76 km"), 3),
    (metres(1145), ("0.76 km", "2.15 km", "1.19 km", "1.14 km"), 3),
    (metres(402.3), ("400m", "450m", "390m", "550m"), 0),
    (metres(1609), ("1 mile", "2 miles", "3 miles"), 0),
    (metres(800), ("less than 1 km", "1 to 2 km", "more than 2 km"), 0),
    (metres(249200), ("250km", "249km", "247km", "248km"), 1),
    (count(3), ("One", "Two", "Three", "Four"), 2),
    (count(15), ("13", "14", "15", "16"), 2),
    (count(0), ("None", "One", "Two", "Three"), 0),
    (count(12), ("Twelve (1", "Thirteen (1", "Fourteen (1"), 0),
    (count(9), ("Seven(7)", "Nine (9)", "Eight (8)"), 1),
    (count(3), ("1st exit", "2nd exit", "3rd exit", "4th exit"), 2),
    (count(25), ("fewer than 10", "10-20", "more than 20"), 2),
    (Quantity(value=4.6, unit="rating"), ("4.5", "4.6", "4.8"), 1),
    (Quantity(value=2, unit="price_level"), ("$", "$$", "$$$"), 1),
    (Quantity(value=3, unit="price_level"), ("Inexpensive", "Moderate", "Expensive", "Very expensive"), 2),
    (Quantity(value=4, unit="price_level"), ("Inexpensive", "Moderate", "Expensive", "Very expensive"), 3),
    (Quantity(value=20, unit="deg"), ("East", "West", "North", "South"), 2),
    (Quantity(value=2.5e6, unit="m2"), ("2.5 km²", "25 ha", "250 m²"), 0),
    (Quantity(value=817, unit="minutes_of_day"), ("2:23 PM", "1:37 PM", "1:23 PM"), 1),
    (ClockTime(at=time(13, 37)), ("2:23 PM", "2:37 PM", "1:23 PM", "1:37 PM"), 3),
    (ClockTime(at=time(10, 13)), ("10.13", "10.23", "10.33", "11.23"), 0),
    (ClockTime(at=time(6)), ("5:00 AM - 7:00 AM", "8:00 PM - 11:00 PM"), 0),
    (YesNo(value=True), ("Yes", "No", "", ""), 0),
    (YesNo(value=False), ("Yes, it is open until 9 PM", "No, because it closes at 5 PM"), 1),
    (YesNo(value=False), ("It is open", "It is closed"), 1),
    (YesNo(value=False), ("No delivery", "Yes Delivery"), 0),
    (Named(name="Café d'Été"), ("Cafe d Ete", "Café d'Hiver"), 0),
    (Named(name="Reeding Garden"), ("Trinity Garden - Tower Lane 38", "Reeding Garden - Hart Street 5"), 1),
    (Named(name="Grand Hotel"), ("Grand Hotel Europe", "Grand Hotel"), 1),
    (Named(name="Old Mill"), ("You should visit the Old Mill first", "Go to the New Mill"), 0),
    (Text(text="12 High Street, Bexley, Ohio, USA", topic="address"),
     ("7 Main Street, Bexley, Ohio, USA", "12 High Street, Bexley, USA"), 1),
    (Text(text="+44 20 7946 0123", topic="phone"), ("020 7946 0124", "020 7946 0123"), 1),
    (Text(text="https://www.example.org/visit", topic="website"), ("example.com", "www.example.org"), 1),
    (Text(text="https://www.example.org/visit", topic="website"), ("[www.example.com", "www.example.org"), 1),
    (Text(text="NW", topic="direction"), ("Northeast", "Northwest", "Southwest"), 1),
    (Text(text="north-west", topic="direction"), ("North", "To the north west", "West"), 1),
    (Text(text="Main St", topic="via"), ("Via Main Street and Oak Ave", "Via Main Street", "Via Oak Ave"), 1),
    (Text(text="Oak Ave and Main St", topic="via"), ("Via Main Street and Oak Ave", "Via Main Street"), 0),
    (Text(text="Turn right onto Oak Ave", topic="instruction"),
     ("Turn left onto Oak Avenue", "Turn right onto Elm Street", "Turn right onto Oak Avenue"), 2),
    (Text(text="Turn right onto US-9 E/E Linden Ave", topic="instruction"),
     ("Turn left onto Chapel Ave", " US-9 E/E Linden Ave"), 1),
    (Text(text="At the roundabout, take the 2nd exit onto Mill Rd", topic="instruction"),
     ("At the roundabout, take the 3rd exit", "At the roundabout, take the 2nd exit onto Mill Rd"), 1),
    (Text(text="Turn left onto Mill Rd (Pass by the bank (on the right in 750m))", topic="instruction"),
     ("Turn right onto Mill Road", "Turn left onto Mill Road"), 1),
    (Named(name="Old Swan"), ("Old Swan and White Hart", "White Hart only", "Old Swan only"), 2),
    (Named(name="Old Swan"), ("White Hart but not Old Swan", "Old Swan but not White Hart", "Both"), 1),
    (Text(text="walking", topic="mode"), ("By car", "On foot", "By bus"), 1),
    (Text(text="Open 24 hours", topic="hours"), ("9am to 5pm", "Open 24 hours"), 1),
    (Text(text="Mo-Su 09:00-17:00", topic="hours"), ("9 AM - 5 PM", "10 AM - 6 PM"), 0),
    (Text(text="Oak Ave and Elm St", topic="via"), ("Elm St", "Oak Ave", "Bay Rd"), 1),
    (Sequence(names=("Home", "Mill", "Bank", "Home")),
     ("Home -> Bank -> Mill -> Home", "Home -> Mill -> Bank -> Home"), 1),
    (Sequence(names=("Mill", "Bank", "Zoo")), ("First Mill, then Zoo, then Bank", "Mill, Bank, then Zoo"), 1),
    (Sequence(names=("Mill", "Bank", "Zoo")), ("Mill → Zoo → Bank", "Start → Mill → Bank → Zoo"), 1),
    (NameSet(names=("Athens", "Rhodes")), ("Athens and Crete", "Rhodes & Athens", "Corfu and Rhodes"), 1),
    (NameSet(names=("Saturday", "Sunday")), ("Friday and Saturday", "Saturday and Sunday", "Sunday"), 1),
    (NameSet(names=("Mill", "Bank")), ("Bank, Mill", "Mill, Bank", "Zoo, Mill"), 1),
    (NameSet(names=("Smith and Sons", "Mill")), ("Mill and Smith and Sons", "Smith and Sons"), 0),
    (OptionPick(index=1, text="b"), ("a", "b"), 1),
    (Named(name="Elsewhere"), ("Mill", "Bank", "None of the above"), 2),
]  # fmt: skip


@pytest.mark.parametrize(("value", "options", "index"), MATCHES, ids=lambda value: str(value)[:48])
def test_the_option_that_means_the_value(value: Value, options: tuple[str, ...], index: int) -> None:
    found = choose(value, options)
    assert isinstance(found, Match), found
    assert (found.index, found.text) == (index, options[index].strip())
    assert 0 < found.margin <= 1


NEAREST: list[tuple[Value, tuple[str, ...], int, str]] = [
    (metres(465), ("100 m", "500 m", "5 km", "90 km"), 1, "465 m"),
    (metres(964), ("500 m", "1 km", "2 km"), 1, "964 m"),
    (seconds(10), ("12 min", "20 min", "30 min"), 0, "10 min"),
    (seconds(23), ("5 min", "20 min", "35 min"), 1, "23 min"),
    (seconds(23), ("14 min", "24 min", "34 min"), 1, "23 min"),
    (count(23), ("5", "20", "35"), 1, "23"),
    (ClockTime(at=time(13, 52)), ("1 PM", "2 PM", "3 PM"), 1, "13:52"),
    (Quantity(value=832, unit="minutes_of_day"), ("1 PM", "2 PM", "3 PM"), 1, "13:52"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "options", "index", "shown"), NEAREST, ids=lambda value: str(value)[:48])
def test_a_number_goes_to_the_clearly_nearest_option_and_says_so(
    value: Value, options: tuple[str, ...], index: int, shown: str
) -> None:
    found = choose(value, options)
    assert isinstance(found, Match), found
    assert found.index == index
    assert found.warnings == (f"None of the options says {shown}; {options[index]} comes nearest.",)


def test_a_number_that_an_option_says_needs_no_warning() -> None:
    said: list[tuple[Value, str, str]] = [
        (metres(1145), "1.15 km", "2 km"), (metres(40), "less than 1 km", "2 km"), (seconds(22.8), "23 min", "9 min"),
        (ClockTime(at=time(13, 37)), "1:37 PM", "2 PM"), (Quantity(value=20, unit="deg"), "North", "East"),
    ]  # fmt: skip
    for value, option, other in said:
        found = choose(value, (other, option))
        assert isinstance(found, Match)
        assert (found.index, found.warnings) == (1, ())


@pytest.mark.parametrize("last", ["None of the above", "Cannot be determined"])
def test_where_an_option_says_that_none_fits_the_nearest_is_not_taken(last: str) -> None:
    found = choose(seconds(10), ("12 min", "20 min", "30 min", last))
    assert isinstance(found, NoMatch) or found.index == 3


NO_MATCHES: list[tuple[Value, tuple[str, ...]]] = [
    (seconds(30), ("11 mins", "10 mins")),
    (seconds(9), ("11 mins", "10 mins")),
    (metres(5000), ("1 km", "2 km")),
    (count(5), ("4", "6")),
    (count(7), ("3", "4", "20")),
    (count(8), ("7 Days", "30 Beds", "Old Mill")),
    (seconds(16), ("10-15 min", "30-40 min")),
    (count(2), ("Three", "Four")),
    (Quantity(value=4.6, unit="rating"), ("4.5", "4.7")),
    (ClockTime(at=time(12, 30)), ("1 PM", "2 PM")),
    (Named(name="North Church"), ("Town Hall", "Lake View")),
    (Text(text="Turn left onto Oak Ave", topic="instruction"), ("Turn right onto Oak Ave",)),
    (Text(text="Turn left onto Oak Ave", topic="instruction"), ("Turn left onto Elm St",)),
    (Text(text="9th Ave", topic="via"), ("Via 19th Ave", "Via 5th Ave")),
    (Sequence(names=("A1", "B2", "C3")), ("C3 → B2 → A1",)),
    (OptionPick(index=0, text="b"), ("a", "b")),
]  # fmt: skip


@pytest.mark.parametrize(("value", "options"), NO_MATCHES, ids=lambda value: str(value)[:48])
def test_no_option_means_the_value(value: Value, options: tuple[str, ...]) -> None:
    assert isinstance(choose(value, options), NoMatch)


@pytest.mark.parametrize(
    "options", [("Yes", "None", "None of the above"), ("None of the above", "None", "Yes")]
)
def test_of_two_options_that_reject_the_others_the_fuller_one_counts(options: tuple[str, ...]) -> None:
    found = choose(YesNo(value=False), options)
    assert isinstance(found, Match)
    assert found.text == "None of the above"


def test_a_tie_names_both_options() -> None:
    found = choose(seconds(10.5), ("10 mins", "11 mins"))
    assert isinstance(found, NoMatch)
    assert found.tied == (0, 1)
    assert "10 mins" in found.reason
    assert "11 mins" in found.reason


def test_equal_options_give_the_first_with_a_warning() -> None:
    found = choose(Text(text="L2650", topic="via"), ("Via L1750", "Via L2650", " Via L2650"))
    assert isinstance(found, Match)
    assert found.index == 1
    assert found.warnings


def test_a_value_of_another_kind_breaks_a_tie() -> None:
    options = ("Yes, it closes at 5 PM", "Yes, it closes at 6 PM", "No")
    found = choose(YesNo(value=True), options, "Is it open?", ClockTime(at=time(18)))
    assert isinstance(found, Match)
    assert found.index == 1


def test_the_mode_tells_options_with_one_difference_apart() -> None:
    options = ("The bus, by 4 minutes", "The bike, by 4 minutes", "The bike, by 12 minutes")
    found = choose(seconds(4), options, "What is faster?", Text(text="bicycling", topic="mode"))
    assert isinstance(found, Match)
    assert found.index == 1


def test_a_number_that_no_option_says_is_not_replaced_by_a_value_of_another_kind() -> None:
    options = ("The bus, by 9 minutes", "The bike, by 12 minutes")
    found = choose(seconds(4), options, "What is faster?", Text(text="bicycling", topic="mode"))
    assert isinstance(found, NoMatch)


@pytest.mark.parametrize(("note", "index"), [("19 min", 2), ("by car: 2.0 km", 1)])
def test_what_is_told_beside_a_name_breaks_a_tie(note: str, index: int) -> None:
    options = ("Mill, 31 minutes", "Mill, 2.0 km", "Mill, 19 minutes", "Bank, 19 minutes")
    found = choose(Named(name="Mill", note=note), options)
    assert isinstance(found, Match)
    assert found.index == index


def test_a_runner_up_has_a_lower_margin_and_a_warning() -> None:
    direct = choose(Named(name="Bank"), ("Bank", "Zoo"))
    found = choose(Named(name="Mill"), ("Bank", "Zoo"), "Which?", Named(name="Bank"), Named(name="Zoo"))
    assert isinstance(found, Match)
    assert isinstance(direct, Match)
    assert found.index == 0
    assert found.margin < direct.margin
    assert "Mill" in found.warnings[0]


LISTS: list[tuple[tuple[str, ...], tuple[str, ...], int | None]] = [
    (("Mill", "Bank"), ("Mill and Bank", "Zoo and Bank", "Mill and Zoo"), 0),
    (("Mill", "Bank", "Zoo"), ("Bank and Zoo", "Bank and Mill", "Mill and Zoo"), 1),
    (("Mill", "Bank", "Zoo"), ("Mill and Bank", "Mill, Bank and Zoo", "Zoo and Mill"), 1),
    (("Mill", "Bank"), ("Mill", "Mill and Bank", "Bank"), 0),
    (("Mill", "Bank", "Zoo"), ("Bank and Zoo", "Mill and Park"), None),
    (("Old Mill", "Bank"), ("Old Mill, 5 High Street", "Bank, 7 Main Road"), 0),
]


@pytest.mark.parametrize(("names", "options", "index"), LISTS)
def test_options_that_list_several_names_of_a_ranking(
    names: tuple[str, ...], options: tuple[str, ...], index: int | None
) -> None:
    first, *others = (Named(name=name) for name in names)
    found = choose(first, options, "Which are there?", *others)
    assert (found.index if isinstance(found, Match) else None) == index


def test_an_address_decides_between_branches() -> None:
    branch = Named(name="Corner Bakery", place=place("Corner Bakery", address="7 High Street, Leeds"))
    found = choose(branch, ("Corner Bakery - 5 Main Road", "Corner Bakery - 7 High Street"))
    assert isinstance(found, Match)
    assert found.index == 1


def test_a_bare_number_takes_the_unit_of_the_question() -> None:
    found = choose(seconds(35), ("30", "35", "40"), "How many minutes does it take?")
    assert isinstance(found, Match)
    assert found.index == 1


def test_a_closed_place_is_a_yes_where_closing_is_asked() -> None:
    found = choose(YesNo(value=True), ("Open", "Closed"), "Is the mill open or closed on Monday?")
    assert isinstance(found, Match)


def test_a_schedule_is_known_by_its_times_and_places() -> None:
    value = Schedule(
        stops=(
            ScheduleStop(name="Museum", arrive_min=780, depart_min=900),
            ScheduleStop(name="Tower", arrive_min=933, depart_min=1023),
        )
    )
    options = (
        "(2.00PM - 4.00PM) Visit Museum -> Reach Tower at 4.33PM -> (4.33 - 6.03PM) Visit Tower",
        "(1.00PM - 3.00PM) Visit Museum -> Reach Tower at 3.33PM -> (3.33 - 5.03PM) Visit Tower",
    )
    found = choose(value, options)
    assert isinstance(found, Match)
    assert found.index == 1


@pytest.mark.parametrize(
    ("options", "index"),
    [
        (("A", "B", "Cannot be determined"), 2),
        (("None of the above", "Not enough information"), 1),
        (("A", "None"), 1),
        (("A", "B"), None),
    ],
)
def test_the_option_for_no_answer(options: tuple[str, ...], index: int | None) -> None:
    found = option_for_unanswerable(Question(text="Which?", options=options))
    assert (found.index if found else None) == index


MINUTES = st.lists(st.integers(1, 600), min_size=2, max_size=26, unique=True)


@given(MINUTES, st.data())
@effort(0.6)
def test_a_duration_maps_to_its_own_option(minutes: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(minutes) - 1))
    options = tuple(f"{m // 60} hours {m % 60} mins" if m >= 60 else f"{m} mins" for m in minutes)
    found = choose(seconds(minutes[index]), options)
    assert isinstance(found, Match)
    assert found.index == index


@given(st.lists(st.integers(0, 40), min_size=2, max_size=7, unique=True), st.data())
@effort(0.6)
def test_a_count_maps_to_its_own_option(numbers: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(numbers) - 1))
    found = choose(count(numbers[index]), tuple(str(number) for number in numbers))
    assert isinstance(found, Match)
    assert found.index == index


@given(
    st.permutations(["Mill", "Bank", "Zoo", "Harbour"]), st.permutations(["Mill", "Bank", "Zoo", "Harbour"])
)
@effort(0.6)
def test_an_order_maps_only_to_itself(mine: list[str], other: list[str]) -> None:
    found = choose(Sequence(names=tuple(mine)), (" → ".join(other), " → ".join(mine)))
    assert isinstance(found, Match)
    assert found.index == (0 if mine == other else 1)


@given(st.lists(st.integers(1, 60), min_size=2, max_size=6), st.floats(1, 60))
@effort(1)
def test_options_of_different_meaning_never_win_by_position(minutes: list[int], value: float) -> None:
    """The chosen text does not depend on the order of the options."""
    options = tuple(f"{m} mins" for m in minutes)
    found, turned = choose(seconds(value), options), choose(seconds(value), options[::-1])
    assert isinstance(found, Match) == isinstance(turned, Match)
    if isinstance(found, Match) and isinstance(turned, Match):
        assert found.text == turned.text


LONG = ("5 minutes too long", "5 minutes short", "no difference", "12 minutes too long")
LATE = ("late by 10 minutes", "early by 10 minutes", "exactly on time")
FAR = ("Harbour is 300 m farther", "Harbour is 300 m nearer", "they are equally far")


def chosen(value: float, unit: str, options: tuple[str, ...]) -> str | None:
    found = match(Quantity(value=value, unit=unit), (), Question(text="?", options=options))
    return found.text if isinstance(found, Match) else None


@pytest.mark.parametrize(
    ("value", "unit", "options", "expected"),
    [
        (300, "s", LONG, "5 minutes too long"),
        (-300, "s", LONG, "5 minutes short"),
        (0, "s", LONG, "no difference"),
        (600, "s", LATE, "late by 10 minutes"),
        (-600, "s", LATE, "early by 10 minutes"),
        (0, "s", LATE, "exactly on time"),
        (300, "m", FAR, "Harbour is 300 m farther"),
        (-300, "m", FAR, "Harbour is 300 m nearer"),
        (0, "m", FAR, "they are equally far"),
        (-300, "s", ("5 minutes", "10 minutes"), "5 minutes"),
        (-300, "s", ("5 minutes longer", "10 minutes longer"), "5 minutes longer"),
        (540, "s", ("less than 10 minutes", "10 to 20 minutes"), "less than 10 minutes"),
    ],
)
def test_the_way_a_difference_goes(value: float, unit: str, options: tuple[str, ...], expected: str) -> None:
    assert chosen(value, unit, options) == expected


def test_a_difference_that_no_option_says() -> None:
    found = match(Quantity(value=-900, unit="s"), (), Question(text="?", options=LONG))
    assert isinstance(found, NoMatch)
