"""What the verifier works out from values alone, and what words it takes for them: each by hand."""

import math
from datetime import datetime

import pytest

from map_tools.types import LatLng, Place
from mapagent.core import answer as typed
from modules.query.values.amount import ANGLE, DURATION, LENGTH, MONEY, SIZE, Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Bearing, Choice, Items, Plan, Stop, Thing
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import agreement, computing

at = datetime.fromisoformat
LOST = Unknown(Why.NOT_STATED, "not stated")
NOON = Moment(at("2026-11-24T12:00"))
LATER = Moment(at("2026-11-25T09:30"))
SOME_NOON = Moment(at("2026-11-23T12:00"), any_day=True)


def amount(low: float, high: float | None = None) -> Amount:
    return Amount(low, low if high is None else high)


def metres(low: float, high: float | None = None) -> Amount:
    return Amount(low, low if high is None else high, LENGTH)


def seconds(value: float) -> Amount:
    return Amount.of(value, DURATION)


def things(*names: str) -> Items:
    return Items(
        tuple(Thing(Place(id=f"osm:{name}", name=name, location=LatLng(lat=1, lng=1))) for name in names)
    )


def kind(judged: object) -> object:
    return None if isinstance(judged, Unknown) else judged


@pytest.mark.parametrize(
    ("value", "true"),
    [
        (True, True),
        (False, False),
        (LOST, None),
        ("No", False),
        ("none", False),
        ("", False),
        ("free", True),
        (amount(1), True),
        (amount(0), False),
        (amount(-2), False),
        (amount(0, 3), None),
        (Items(()), False),
        (Items((), complete=False), None),
        (Items((), unstated=(1,)), None),
        (Items((False,)), True),
        (NOON, True),
    ],
)
def test_truth(value: object, true: bool | None) -> None:
    assert kind(computing.truth(value)) is true
    assert kind(computing.not_(value)) is (None if true is None else not true)


@pytest.mark.parametrize(
    ("values", "both", "either"),
    [
        ([True, True], True, True),
        ([True, False], False, True),
        ([False, False], False, False),
        ([True, LOST], None, True),
        ([False, LOST], False, None),
        ([], True, False),
    ],
)
def test_and_or(values: list[object], both: bool | None, either: bool | None) -> None:
    """Kleene's tables."""
    assert kind(computing.kleene(values, decisive=False)) is both
    assert kind(computing.kleene(values, decisive=True)) is either


@pytest.mark.parametrize(
    ("left", "right", "less", "same"),
    [
        (amount(1), amount(2), True, False),
        (amount(2), amount(2), False, True),
        (amount(2), amount(1), False, False),
        (amount(1, 2), amount(3), True, False),
        (amount(3), amount(1, 2), False, False),
        (amount(1, 4), amount(3), None, None),
        (amount(3, math.inf), amount(3), False, None),
        (metres(1000), "1 km", False, True),
        ("500 m", metres(1000), True, False),
        (amount(3), "4", True, False),
        (NOON, LATER, True, False),
        (LATER, SOME_NOON, True, False),  # 9:30 and noon of whatever day
        (NOON, SOME_NOON, False, True),
        (NOON, "11:30", False, False),
        (NOON, "12:00", False, True),
        (NOON, LOST, None, None),
    ],
)
def test_comparing(left: object, right: object, less: bool | None, same: bool | None) -> None:
    def turned(judged: bool | None) -> bool | None:
        return None if judged is None else not judged

    assert kind(computing.compare(left, "<", right)) is less
    assert kind(computing.compare(right, ">", left)) is less
    assert kind(computing.compare(left, ">=", right)) is turned(less)
    assert kind(computing.compare(right, "<=", left)) is turned(less)
    assert kind(computing.compare(left, "==", right)) is same
    assert kind(computing.compare(left, "!=", right)) is turned(same)


def test_what_cannot_be_compared() -> None:
    for left, right in ((amount(1), metres(1)), (NOON, metres(1)), ("a", "b")):
        with pytest.raises(computing.NoSense):
            computing.compare(left, "<", right)
    with pytest.raises(computing.NoSense):
        computing.compare(amount(1), "==", metres(1))


def test_words_and_names_are_the_same_however_they_are_written() -> None:
    (opera,) = things("Café Opéra")
    assert computing.same("Cafe Opera", "café opéra") is True
    assert computing.same(opera, "cafe opera") is computing.same("cafe opera", opera) is True
    assert computing.same(opera, "Opera") is False
    assert computing.same(Bearing(90), Bearing(90.1)) is False
    assert computing.same(things("a", "b"), things("a", "b")) is True
    assert computing.same(Items(("a",)), Items(("a", "b"))) is False


def test_members() -> None:
    assert computing.member_of(Items(("Bar", "cafe")), "Cafe", None) is True
    assert computing.member_of(Items(("Bar",)), "Cafe", None) is False
    assert kind(computing.member_of(Items(("Bar",), complete=False), "Cafe", None)) is None
    assert computing.member_of("Free WiFi here", "wifi", None) is True
    assert computing.member_of("Free WiFi here", Choice(0, "pool"), None) is False


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (amount(2), "+", amount(3), amount(5)),
        (amount(2, 4), "-", amount(1, 3), amount(-1, 3)),
        (amount(2, 4), "*", amount(-1, 3), amount(-4, 12)),
        (amount(2, 4), "/", amount(2, 4), amount(0.5, 2)),
        (metres(10), "*", metres(10), Amount.of(100, SIZE)),
        (metres(10), "/", amount(4), metres(2.5)),
        (metres(10), "+", "5 m", metres(15)),
        (NOON, "+", seconds(3600), Moment(at("2026-11-24T13:00"), base=NOON.at)),
        (NOON, "-", seconds(3600), Moment(at("2026-11-24T11:00"))),
        (seconds(60), "+", NOON, Moment(at("2026-11-24T12:01"), base=NOON.at)),
        (LATER, "-", NOON, seconds(21.5 * 3600)),
        (LATER, "-", SOME_NOON, seconds(-2.5 * 3600)),
        (NOON, "-", "2 h", Moment(at("2026-11-24T10:00"))),
        ("17:05", "-", "15 min", Moment(at("2024-01-01T16:50"), any_day=True)),
        (Bearing(10), "-", Bearing(350), Amount.of(20, ANGLE)),
        (Bearing(350), "-", Bearing(10), Amount.of(-20, ANGLE)),
    ],
)
def test_reckoning(left: object, operator: str, right: object, expected: object) -> None:
    found = computing.calculate(operator, left, right)
    if isinstance(expected, Moment) and expected.any_day:  # of no particular day
        assert (found.at.time(), found.any_day) == (expected.at.time(), True)
    else:
        assert agreement.agree(found, expected), found


@pytest.mark.parametrize("divisor", [amount(0), amount(-1, 1), amount(0, 2), amount(-2, 0)])
def test_nothing_is_divided_by_what_may_be_zero(divisor: Amount) -> None:
    assert isinstance(computing.calculate("/", amount(1), divisor), Unknown)


def test_what_cannot_be_reckoned() -> None:
    for left, operator, right in (
        (metres(1), "+", amount(1)),
        (NOON, "*", amount(2)),
        (NOON, "+", NOON),
        (NOON, "+", metres(1)),
        (things("a"), "-", things("a")),
    ):
        with pytest.raises(computing.NoSense):
            computing.calculate(operator, left, right)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500 m", metres(500)),
        ("2 km", metres(2000)),
        ("1 mi", metres(1609.344)),
        ("2,000 ft", metres(609.6)),
        ("90 s", seconds(90)),
        ("2 h", seconds(7200)),
        ("3 ha", Amount.of(30_000, SIZE)),
        ("45 °", Amount.of(45, ANGLE)),
        ("€5", Amount.of(5, MONEY, "EUR")),
        ("5 USD", Amount.of(5, MONEY, "USD")),
        ("1 h 30 min", seconds(5400)),
        ("12", None),
        ("soon", None),
    ],
)
def test_quantities(text: str, expected: Amount | None) -> None:
    found = computing.read_amount(text)
    assert found == expected if expected is None else agreement.agree(found, expected)


def test_lists() -> None:
    numbers = Items((amount(3), amount(1), LOST, amount(2)), searched=True)
    keys = numbers.items
    assert computing.count(numbers) == amount(4)
    assert computing.count(Items((1,), unstated=(2, 3))) == amount(1, 3)
    assert computing.count(Items((1,), complete=False)) == amount(1, math.inf)
    assert computing.total([amount(1), amount(2), amount(4)], None) == amount(7)
    assert computing.total([], None) == amount(0)
    assert computing.total([amount(1), LOST], None) is LOST
    assert computing.mean(numbers) == amount(2)
    assert computing.mean(Items(())).why is Why.NONE
    assert computing.mean(Items((LOST,))).why is Why.NOT_STATED
    members = Items(("three", "one", "lost", "two"), searched=True)
    assert computing.sort(members, keys, falling=False).items == ("one", "two", "three", "lost")
    assert computing.sort(members, keys, falling=True).items == ("three", "two", "one", "lost")
    assert computing.extreme(members, keys, greatest=True) == "three"
    assert computing.extreme(members, keys, greatest=False) == "one"
    assert computing.extreme(Items(members.items), keys, greatest=False) is LOST
    assert computing.extreme(Items(()), [], greatest=True).why is Why.NONE
    assert computing.extreme(Items((), unstated=(1,)), [], greatest=True).why is Why.NOT_STATED
    same = [amount(1), amount(1)]
    assert computing.extreme(Items(("first", "second")), same, greatest=True) == "first"
    assert computing.sort(Items(("b", "a")), ["x", "X"], falling=True).items == ("b", "a")
    groups = computing.group(Items((1, 2, 3, 4)), ["b", LOST, "a", "B"])
    assert [one.items.items for one in groups] == [(1, 4), (3,), (2,)]
    assert [pair.items for pair in computing.pairs(Items((1, 2, 3)), None)] == [(1, 2), (1, 3), (2, 3)]
    assert [pair.items for pair in computing.pairs(Items((1,)), Items((2, 3)))] == [(1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("words", "two", "stands"),
    [
        ("Opera and Zoo", ("Opera", "Zoo"), True),
        ("Opera versus Zoo", ("Opera", "Zoo"), True),
        ("Opera, then to Zoo", ("Opera", "Zoo"), False),
        ("Opera and Zoo", ("Opera", "Castle"), False),
        ("Opera", ("", "Opera"), False),
        ("Opera and Zoo", ("Opera",), False),
    ],
)
def test_two_names_in_some_words(words: str, two: tuple[str, ...], stands: bool) -> None:
    claimed = Items(two)
    assert (computing.both(words, claimed) is claimed) is stands


NORTH, EAST = Bearing(10), Bearing(85)
(OPERA,) = things("Opera")
(ZOO,) = things("Zoo")
NOON_SAID = typed.ClockTime(at=NOON.at.time())


@pytest.mark.parametrize(
    ("made", "text", "value", "right"),
    [
        (typed.Quantity(value=1500, unit="m"), "1.5 km", metres(1500), True),
        (typed.Quantity(value=1500, unit="m"), "1.6 km", metres(1500), False),
        (typed.Quantity(value=1500, unit="s"), "1.5 km", metres(1500), False),
        (typed.Quantity(value=1600, unit="m"), None, metres(1500), False),
        (typed.Quantity(value=1500, unit="m"), None, metres(1500), True),
        (typed.Quantity(value=5400, unit="s"), "1 h 30 min", seconds(5400), True),
        (typed.Quantity(value=5400, unit="s"), "1 h 20 min", seconds(5400), False),
        (typed.Quantity(value=5400, unit="s"), "1.5 km", seconds(5400), False),
        (typed.Quantity(value=5400, unit="s"), "long", seconds(5400), False),
        (typed.Quantity(value=-2, unit="count"), "-2", amount(-2), True),
        (typed.Quantity(value=-2, unit="count"), "2", amount(-2), False),
        (typed.Quantity(value=3, unit="count"), "3", amount(3), True),
        (typed.YesNo(value=True), "yes", True, True),
        (typed.YesNo(value=True), "no", True, False),
        (typed.YesNo(value=False), "yes", True, False),
        (NOON_SAID, "12:00", NOON, True),
        (NOON_SAID, "13:00", NOON, False),
        (NOON_SAID, "12:00", LATER, False),
        (typed.Text(text="north"), "north", NORTH, True),
        (typed.Text(text="north"), "north", EAST, False),
        (typed.Named(name="Opera", place=OPERA.place), "Opera", OPERA, True),
        (typed.Named(name="Zoo", place=OPERA.place), "Opera", OPERA, False),
        (typed.Named(name="Opera", place=ZOO.place), "Opera", OPERA, False),
        (typed.Named(name="Opera", place=OPERA.place), "Zoo", OPERA, False),
        (typed.NameSet(names=("a", "b")), "a, b", Items(("a", "b")), True),
        (typed.NameSet(names=("a", "b")), "b, a", Items(("a", "b")), False),
        (typed.NameSet(names=("a", "c")), "a, b", Items(("a", "b")), False),
        (typed.NameSet(names=("a",)), "a", Items(("a", "b")), False),
        (typed.Named(name="Opera", place=OPERA.place), "Opera", Items(()), False),
        (None, None, LOST, True),
        (typed.Text(text="a"), "a", LOST, False),
        (typed.OptionPick(index=1, text="b"), None, Choice(1, "b"), True),
        (typed.OptionPick(index=0, text="b"), None, Choice(1, "b"), False),
    ],
)
def test_what_says_a_value(made: typed.Value | None, text: str | None, value: object, right: bool) -> None:
    assert agreement.says(made, text, value) is right


TRIP = Plan(
    legs=(),
    stops=(Stop(OPERA, NOON, Moment(at("2026-11-24T12:30")), Moment(at("2026-11-24T13:00")), 1800, 1800),),
    origin=ZOO,
    destination=OPERA,
    depart=None,
    arrive=None,
    travel_s=0,
    stay_s=1800,
    wait_s=1800,
    distance_m=None,
    feasible=True,
)


@pytest.mark.parametrize(
    ("stops", "text", "right"),
    [
        ([("Opera", 750, 780)], "Opera 12:30–13:00", True),
        ([("Opera", 750, 780)], None, True),
        ([("Opera", 751, 780)], None, False),
        ([("Opera", 750, 779)], None, False),
        ([("Zoo", 750, 780)], None, False),
        ([], None, False),
        ([("Opera", 750, 780)], "Opera 12:30–13:30", False),
        ([("Opera", 750, 780)], "Zoo 12:30–13:00", False),
    ],
)
def test_what_says_a_trip(stops: list[tuple[str, float, float]], text: str | None, right: bool) -> None:
    """750 minutes after midnight it is half past twelve."""
    made = typed.Schedule(
        stops=tuple(
            typed.ScheduleStop(name=name, arrive_min=arrive, depart_min=depart)
            for name, arrive, depart in stops
        )
    )
    assert agreement.says(made, text, TRIP) is right


@pytest.mark.parametrize(
    ("degrees", "name"),
    [
        (0, "north"),
        (22.4, "north"),
        (22.6, "north-east"),
        (90, "east"),
        (337.4, "north-west"),
        (337.6, "north"),
    ],
)
def test_winds(degrees: float, name: str) -> None:
    assert agreement.wind(degrees) == name
