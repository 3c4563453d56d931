"""Opening hours written in the grammar of OpenStreetMap: open exactly when the written week says so."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from map_tools.compute.hours import OpenState, from_osm, from_weekly_text, next_opening, open_state
from tests.support.effort import effort

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
WEEK_MIN = 7 * 24 * 60
MONDAY = datetime(2024, 7, 15, tzinfo=UTC)

type Span = tuple[int, int]


def clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


@st.composite
def weeks(draw: st.DrawFn) -> list[list[Span]]:
    """Each day's spans in minutes after midnight, ascending and apart; the last may end the next morning."""
    week: list[list[Span]] = []
    for _ in DAYS:
        edges = draw(st.lists(st.integers(24, 95), max_size=4, unique=True).map(sorted))
        spans = [(a * 15, b * 15) for a, b in zip(edges[::2], edges[1::2], strict=False)]
        late = draw(st.booleans())
        if spans and late:
            spans[-1] = (spans[-1][0], 24 * 60 + draw(st.integers(1, 5 * 60)))
        week.append(spans)
    return week


def is_open(week: list[list[Span]], minute: int) -> bool:
    """Whether a minute of the week lies in a span of its day or of the night before."""
    return any(
        day * 1440 + a <= moment < day * 1440 + b
        for day, spans in enumerate(week)
        for a, b in spans
        for moment in (minute, minute + WEEK_MIN)
    )


def in_osm(week: list[list[Span]]) -> str:
    return "; ".join(
        f"{day} {','.join(f'{clock(a)}-{clock(b)}' for a, b in spans) if spans else 'off'}"
        for day, spans in zip(DAYS, week, strict=True)
    )


@effort()
@given(weeks(), st.lists(st.integers(0, WEEK_MIN - 1), min_size=1, max_size=8))
def test_open_when_the_week_says_so(week: list[list[Span]], minutes: list[int]) -> None:
    hours = from_osm(in_osm(week))
    assert hours.spec is not None
    edges = [
        (day * 1440 + edge) % WEEK_MIN for day, spans in enumerate(week) for span in spans for edge in span
    ]
    for minute in (*minutes, *edges, *((edge - 1) % WEEK_MIN for edge in edges)):
        state = open_state(hours, MONDAY + timedelta(minutes=minute))
        assert (state is OpenState.OPEN) is is_open(week, minute), minute


@effort()
@given(weeks(), st.integers(0, WEEK_MIN - 1))
def test_the_next_opening_is_the_first_open_minute(week: list[list[Span]], minute: int) -> None:
    moment = MONDAY + timedelta(minutes=minute)
    found = next_opening(from_osm(in_osm(week)), moment)
    ahead = range(minute, minute + WEEK_MIN)
    first = next((at for at in ahead if is_open(week, at % WEEK_MIN)), None)
    if first is None or first == minute:
        return  # never open, or open now: what "next" means then is tested beside the code
    assert found is not None
    assert found == (MONDAY + timedelta(minutes=first)).replace(tzinfo=found.tzinfo)


PIECES = (
    "Mo", "Su", "PH", "SH", "-", ",", ";", "||", "off", "24/7", "09:00", "25:30", "17:00+", '"by bell"',
    "easter", "sunrise", "(sunset-01:00)", "Jan", "week 1-53/2", "2024", "[1,-1]", "Mon", "Closed", "9am",
    "noon", "\n", "–",
)  # fmt: skip


@effort()
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
def test_pieces_of_the_grammar_in_any_order(text: str) -> None:
    """They are understood or they are not; asking is never an error."""
    for hours in (from_osm(text), from_weekly_text(text)):
        assert hours.text == text
        assert open_state(hours, MONDAY) in OpenState
        next_opening(hours, MONDAY)
