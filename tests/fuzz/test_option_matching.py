"""Any options against any value: the one that says it, whatever their order, or none with a reason."""

from datetime import time
from random import Random

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
from modules.answer_generator.matching import Match, match
from tests.support.effort import effort

NAMES = (
    "Old Mill", "New Mill", "Harbour Museum", "Café d'Été", "St. Mary's", "7 Days", "Zoo", "North Gate",
    "None",
)  # fmt: skip
SAID = (
    "Yes", "No", "None of the above", "Cannot be determined", "both", "10 min", "1 hour 5 mins",
    "10-15 minutes", "under 1 km", "1.2 km", "3", "Three", "2nd exit", "$$", "Moderate", "45°",
    "North-west", "1:37 PM", "13.37", "5:00 AM - 7:00 AM", "Old Mill -> Zoo", "Zoo, then Old Mill",
    "Via Main Street", "Turn left onto Oak Ave", "", " ", "A.", "B",
)  # fmt: skip
TOPICS = ("address", "phone", "website", "instruction", "hours", "via", "mode", "direction", "")
UNITS = ("s", "m", "m2", "count", "deg", "rating", "price_level", "minutes_of_day")
TEXTS = st.sampled_from((*SAID, *NAMES)) | st.text(max_size=30)
AMOUNTS = st.floats(0, 1e7) | st.integers(0, 2000).map(float)
NAMED = st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True).map(tuple)
STOPS = st.builds(
    lambda name, at, stay: ScheduleStop(name=name, arrive_min=at, depart_min=at + stay),
    st.sampled_from(NAMES), st.floats(0, 1500), st.floats(0, 300),
)  # fmt: skip
VALUES: st.SearchStrategy[Value] = st.one_of(
    st.builds(lambda value, unit: Quantity(value=value, unit=unit), AMOUNTS, st.sampled_from(UNITS)),
    st.builds(lambda at: ClockTime(at=time(at.hour, at.minute)), st.times()),
    st.builds(lambda value: YesNo(value=value), st.booleans()),
    st.builds(lambda name: Named(name=name), TEXTS),
    st.builds(
        lambda text, topic: Text(text=text, topic=topic),
        TEXTS,
        st.sampled_from(TOPICS),
    ),
    st.builds(lambda names: Sequence(names=names), NAMED),
    st.builds(lambda names: NameSet(names=names), NAMED),
    st.builds(lambda stops: Schedule(stops=tuple(stops)), st.lists(STOPS, max_size=4)),
    st.builds(lambda index, text: OptionPick(index=index, text=text), st.integers(0, 8), TEXTS),
)  # fmt: skip
OPTIONS = st.lists(TEXTS, max_size=8).map(tuple)


def question(options: tuple[str, ...]) -> Question:
    return Question(text="Which one is it?", options=options)


@effort(2)
@given(VALUES, st.lists(VALUES, max_size=3).map(tuple), OPTIONS)
def test_any_value_and_any_options(
    value: Value, ranking: tuple[Value, ...], options: tuple[str, ...]
) -> None:
    found = match(value, ranking, question(options))
    if isinstance(found, Match):
        assert found.text == options[found.index].strip() != ""
        assert 0 <= found.margin <= 1
        assert 0 <= found.rank <= len(ranking)
    else:
        assert found.reason
        assert all(options[index].strip() for index in found.tied)


@effort(2)
@given(VALUES, st.lists(TEXTS, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_options_decides_nothing(value: Value, options: list[str], dice: Random) -> None:
    if isinstance(value, OptionPick):
        return  # it names the option by its place
    turned = list(options)
    dice.shuffle(turned)
    found, other = match(value, (), question(tuple(options))), match(value, (), question(tuple(turned)))
    assert isinstance(found, Match) is isinstance(other, Match)
    if isinstance(found, Match) and isinstance(other, Match):
        assert found.text.casefold().split() == other.text.casefold().split()
        assert found.margin == other.margin


def as_kilometres(metres: int) -> str:
    return f"{metres // 1000}.{metres % 1000:03d} km"


@effort()
@given(
    st.lists(st.integers(1, 200), min_size=2, max_size=8, unique=True),
    st.sampled_from((as_kilometres, "{} m".format, "{} meters".format)),
    st.data(),
)
def test_the_distance_that_is_meant(hundreds: list[int], write: object, data: st.DataObject) -> None:
    assert callable(write)
    lengths_m = [number * 500 for number in hundreds]
    index = data.draw(st.integers(0, len(lengths_m) - 1))
    options = tuple(write(length) for length in lengths_m)
    found = match(Quantity(value=float(lengths_m[index]), unit="m"), (), question(options))
    assert isinstance(found, Match)
    assert found.index == index


@effort()
@given(st.lists(st.integers(0, 95), min_size=2, max_size=8, unique=True), st.data())
def test_the_time_that_is_meant(quarters: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(quarters) - 1))
    options = tuple(
        f"{(hour + 11) % 12 + 1}:{quarter * 15:02d} {'AM' if hour < 12 else 'PM'}"
        for hour, quarter in (divmod(number, 4) for number in quarters)
    )
    hour, quarter = divmod(quarters[index], 4)
    found = match(ClockTime(at=time(hour, quarter * 15)), (), question(options))
    assert isinstance(found, Match)
    assert found.index == index
