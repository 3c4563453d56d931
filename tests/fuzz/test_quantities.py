"""Numbers, durations, distances and times in running text: found as written; no text breaks the search."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from map_tools.compute.clocks import find_clocks, parse_clock
from map_tools.compute.measures import find_distances, find_durations, parse_distance_m, parse_duration_s
from map_tools.compute.numbers import find_numbers, find_ordinals, parse_number, parse_ordinal
from map_tools.compute.scanning import fold
from tests.support.effort import effort

DURATIONS = st.one_of(
    st.builds(lambda n: (f"{n} minutes", n * 60.0), st.integers(2, 600)),
    st.builds(lambda n: (f"{n} min", n * 60.0), st.integers(1, 600)),
    st.builds(lambda n: (f"{n} hours", n * 3600.0), st.integers(2, 99)),
    st.builds(lambda h, m: (f"{h} h {m} min", h * 3600.0 + m * 60), st.integers(1, 30), st.integers(1, 59)),
    st.builds(lambda h, m: (f"{h}h{m:02d}", h * 3600.0 + m * 60), st.integers(1, 23), st.integers(0, 59)),
    st.builds(lambda h: (f"{h}.5 hours", h * 3600.0 + 1800), st.integers(1, 20)),
    st.sampled_from([("an hour", 3600.0), ("half an hour", 1800.0), ("two and a half hours", 9000.0)]),
)
DISTANCES = st.one_of(
    st.builds(lambda n: (f"{n} km", n * 1000.0), st.integers(1, 999)),
    st.builds(lambda n: (f"{n} metres", float(n)), st.integers(2, 999)),
    st.builds(lambda a, b: (f"{a}.{b} km", a * 1000.0 + b * 100), st.integers(0, 99), st.integers(1, 9)),
    st.builds(lambda a, b: (f"{a},{b:03d} m", a * 1000.0 + b), st.integers(1, 99), st.integers(0, 999)),
    st.builds(lambda n: (f"{n} miles", n * 1609.344), st.integers(2, 99)),
)
FILLERS = ("We walked", "then", "and then", "of rain", "the bus took us", "past the mill,", "through fog")
TEXTS = st.text(max_size=80) | st.text(
    alphabet="0123456789.,:/-–—½¼ abdhkmnoprst'\"°\u0660\u0967\u00b2\u2009\u202f\u00a0", max_size=80
)


@st.composite
def told(draw: st.DrawFn, quantities: st.SearchStrategy[tuple[str, float]]) -> tuple[str, list[float]]:
    """A text with quantities between other words, and their values."""
    parts, values = [draw(st.sampled_from(FILLERS))], []
    for written, value in draw(st.lists(quantities, max_size=4)):
        parts += [written, draw(st.sampled_from(FILLERS))]
        values.append(value)
    return " ".join(parts), values


@effort()
@given(told(DURATIONS))
def test_durations_between_other_words(case: tuple[str, list[float]]) -> None:
    text, values = case
    assert [span.value for span in find_durations(text)] == values


@effort()
@given(told(DISTANCES))
def test_distances_between_other_words(case: tuple[str, list[float]]) -> None:
    text, values = case
    found = [round(span.value, 6) for span in find_distances(text)]
    assert found == [round(value, 6) for value in values]


@effort()
@given(TEXTS)
def test_no_text_breaks_the_search(text: str) -> None:
    assert len(fold(text)) == len(text)
    for find in (find_durations, find_distances, find_clocks, find_numbers, find_ordinals):
        spans = find(text)
        assert [text[span.start : span.end] for span in spans] == [span.text for span in spans]
        assert all(one.end <= other.start for one, other in pairwise(spans))


@effort()
@given(TEXTS)
def test_what_is_read_is_a_number_that_can_be_reckoned_with(text: str) -> None:
    for parse in (parse_duration_s, parse_distance_m):
        value = parse(text)
        assert value is None or 0 <= value < float("inf")
    for read in (parse_number, parse_ordinal):
        number = read(text)
        assert number is None or abs(number) < float("inf")
    parse_clock(text)
