"""Opening hours in sentences: the expected weeks were worked out by hand."""

from collections.abc import Callable
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.compute.hours import OpenState, from_osm, from_weekly_text, open_state
from map_tools.compute.opening_spec import DAYS, Week, format_week
from map_tools.compute.told_hours import told_hours
from map_tools.types import Hours


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        (
            "opens at 10 and closes at 17:30 every day except Monday, when it is shut",
            "Mo off; Tu-Su 10:00-17:30",
        ),
        ("from 7 in the morning until 1 in the afternoon", "Mo-Su 07:00-13:00"),
        (
            "open until 3 am from Thursday to Saturday (from 8 pm), otherwise closed",
            "Mo-We off; Th-Sa 20:00-03:00; Su off",
        ),
        ("11am-10pm every day but closed mondays", "Mo off; Tu-Su 11:00-22:00"),
        ("runs from 11 am to 9 pm every day but Tuesday", "Mo 11:00-21:00; Tu off; We-Su 11:00-21:00"),
        (
            "daily from 10 am to 6 pm, and until 9 pm on Fridays",
            "Mo-Th 10:00-18:00; Fr 10:00-21:00; Sa-Su 10:00-18:00",
        ),
        ("closed on Sundays and open 9:00-17:00 on all other days", "Mo-Sa 09:00-17:00; Su off"),
        ("12:00-15:00 and 19:00-23:00, closed on Mondays", "Mo off; Tu-Su 12:00-15:00,19:00-23:00"),
        ("7 am to 10 pm, but on Sundays only from 10 am to 4 pm", "Mo-Sa 07:00-22:00; Su 10:00-16:00"),
        (
            "Monday to Friday from 8:30 to 6:30 and on Saturday from 8:30 to 1",
            "Mo-Fr 08:30-18:30; Sa 08:30-13:00; Su off",
        ),
        ("hrs M-F 10-19, Sa/Su 9-20", "Mo-Fr 10:00-19:00; Sa-Su 09:00-20:00"),
        ("daily 18:00 to half past midnight", "Mo-Su 18:00-00:30"),
        ("day and night", "Mo-Su 00:00-24:00"),
        ("every day from 10 to 4, in July until 7", "Mo-Su 10:00-16:00; Jul Mo-Su 10:00-19:00"),
    ],
)
def test_sentences_tell_hours(text: str, spec: str) -> None:
    assert told_hours(text) == spec


def test_days_of_which_nothing_is_said_are_unknown_where_others_are_closed() -> None:
    hours = Hours(spec=told_hours("It is closed on Sundays"), text="")
    assert open_state(hours, datetime.fromisoformat("2026-07-12T12:00")) is OpenState.CLOSED
    assert open_state(hours, datetime.fromisoformat("2026-07-13T12:00")) is OpenState.UNKNOWN


def test_a_day_that_is_closed_after_the_hours_of_all() -> None:
    assert from_weekly_text("9-17, closed Sunday").spec == "Mo-Sa 09:00-17:00; Su off"


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("7-7, Sun 8-1", "Mo-Sa 07:00-19:00; Su 08:00-13:00"),
        ("Mon-Sat 9:30-5:30", "Mo-Sa 09:30-17:30; Su off"),
        ("Monday thru Saturday 9-5", "Mo-Sa 09:00-17:00; Su off"),
        ("closed 13-16", None),
        ("9.30-1, 2-5.30; Sun off", None),
        ("12-21 (Sun 12-20)", None),
        ("Mon-Fri noon-midnight", "Mo-Fr 12:00-24:00; Sa-Su off"),
        ("Mon noon-5, Tue 9-noon", "Mo 12:00-17:00; Tu 09:00-12:00; We-Su off"),
    ],
)
def test_the_weekly_reader_leaves_what_is_not_of_its_form(text: str, spec: str | None) -> None:
    assert from_weekly_text(text).spec == spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        # the half of the day is inferred
        ("Wed-Fri 8:45-4:15", "Mo-Tu off; We-Fr 08:45-16:15; Sa-Su off"),
        ("10 to 5:30 on weekdays", "Mo-Fr 10:00-17:30; Sa-Su off"),
        ("from noon to half past four", "Mo-Su 12:00-16:30"),
        ("8 to 3", "Mo-Su 08:00-15:00"),
        ("12 to 12", "Mo-Su 12:00-24:00"),
        ("10-10", "Mo-Su 10:00-22:00"),
        ("7pm-2", "Mo-Su 19:00-02:00"),
        ("10 to 2 at night", "Mo-Su 22:00-02:00"),
        ("3 to 6", "Mo-Su 15:00-18:00"),
        ("8-12 & 3-7", "Mo-Su 08:00-12:00,15:00-19:00"),
        ("22h - 6h", "Mo-Su 22:00-06:00"),
        ("evenings, six to ten", "Mo-Su 18:00-22:00"),
        ("0-24", "Mo-Su 00:00-24:00"),
        # notations
        ("0700-1530", "Mo-Su 07:00-15:30"),
        ("9h30 to 18h", "Mo-Su 09:30-18:00"),
        ("6a-2p, x Tue", "Mo 06:00-14:00; Tu off; We-Su 06:00-14:00"),
        ("half eight to quarter past four", "Mo-Su 08:30-16:15"),
        ("from nine-thirty until twenty to six", "Mo-Su 09:30-17:40"),
        ("noon till midnight, seven days a week", "Mo-Su 12:00-24:00"),
        ("Di, Mi, Fr 10-18 Uhr", "Mo off; Tu-We 10:00-18:00; Th off; Fr 10:00-18:00; Sa-Su off"),
        ("lunes a viernes de 9 a 14 horas, domingo cerrado", "Mo-Fr 09:00-14:00; Sa-Su off"),
        ("mardi au samedi 10h-19h, fermé le lundi", "Mo off; Tu-Sa 10:00-19:00; Su off"),
        ("di t/m za 10.00-17.30, zondag gesloten", "Mo off; Tu-Sa 10:00-17:30; Su off"),
        ("dal lunedì al venerdì 8.30-13, sabato chiuso", "Mo-Fr 08:30-13:00; Sa-Su off"),
        # days
        ("10-19, not Tue", "Mo 10:00-19:00; Tu off; We-Su 10:00-19:00"),
        ("Closed Wed, otherwise 12-21:30", "Mo-Tu 12:00-21:30; We off; Th-Su 12:00-21:30"),
        ("daily exc. Sun, 9-12 + 3-6", "Mo-Sa 09:00-12:00,15:00-18:00; Su off"),
        ("9 to 6, Saturdays 10-1", "Mo-Fr 09:00-18:00; Sa 10:00-13:00; Su 09:00-18:00"),
        ("Mon 9-12, Wed closed, Thu 2-6", "Mo 09:00-12:00; Tu-We off; Th 14:00-18:00; Fr-Su off"),
        ("7:00-15:00 Mon-Thu, 7:00-12:00 Fri", "Mo-Th 07:00-15:00; Fr 07:00-12:00; Sa-Su off"),
        ("L-V 9-17 / S-D 11-15", "Mo-Fr 09:00-17:00; Sa-Su 11:00-15:00"),
        ("Fri + Sat 18:00-02:00 / Sun 15:00-22:00", "Mo-Th off; Fr-Sa 18:00-02:00; Su 15:00-22:00"),
        ("10-17 and nothing at all on Fridays", "Mo-Th 10:00-17:00; Fr off; Sa-Su 10:00-17:00"),
        ("noon to 9, Thursdays excepted", "Mo-We 12:00-21:00; Th off; Fr-Su 12:00-21:00"),
        ("daily 9-5 but Sundays 11-3", "Mo-Sa 09:00-17:00; Su 11:00-15:00"),
        ("8-20, also Sundays 21-23", "Mo-Sa 08:00-20:00; Su 08:00-20:00,21:00-23:00"),
        # one end
        ("Mon to Wed 9-5, Thu till 8", "Mo-We 09:00-17:00; Th 09:00-20:00; Fr-Su off"),
        ("9-21, Sun from 11", "Mo-Sa 09:00-21:00; Su 11:00-21:00"),
        ("daily 11-23, Fri/Sat to 00:30", "Mo-Th 11:00-23:00; Fr-Sa 11:00-00:30; Su 11:00-23:00"),
        (
            "Wednesday to Sunday at 9 and shuts at 16:00 (on Sunday already at 14:00); Mondays they stay closed",
            "Mo-Tu off; We-Sa 09:00-16:00; Su 09:00-14:00",
        ),
        ("from 07:30 (09:00 on Saturdays) till two", "Mo-Fr 07:30-14:00; Sa 09:00-14:00; Su 07:30-14:00"),
        ("9-18h, cl. Mon till 13h", "Mo 13:00-18:00; Tu-Su 09:00-18:00"),
        # breaks
        ("8-19, closed 1 to 2.30", "Mo-Su 08:00-13:00,14:30-19:00"),
        ("8.30 to 20, siesta 14-17", "Mo-Su 08:30-14:00,17:00-20:00"),
        ("locked from 11pm until 5am", "Mo-Su 05:00-23:00"),
        (
            "Mon-Sat 9-13 / 16-20, Saturday afternoons shut",
            "Mo-Fr 09:00-13:00,16:00-20:00; Sa 09:00-13:00; Su off",
        ),
        # seasons and dates
        ("Apr-Oct 9-18; Nov-Mar only 10-16", "Apr-Oct Mo-Su 09:00-18:00; Nov-Mar Mo-Su 10:00-16:00"),
        ("Apr-Oct: 10:00-18:00", "Apr-Oct Mo-Su 10:00-18:00"),
        ("10-18, closed in February", "Mo-Su 10:00-18:00; Feb off"),
        ("1 May to 15 September, 8-20", "May 01-Sep 15 Mo-Su 08:00-20:00"),
        ("Tue to Sun, 11 to 6; January closed", "Mo off; Tu-Su 11:00-18:00; Jan off"),
        ("9-17 save on public holidays", "Mo-Su 09:00-17:00; PH off"),
        ("24 hours, except Christmas", "Mo-Su 00:00-24:00; Dec 25 off"),
        ("Mon-Fri 8-16, 1st Sat of month 9-12", "Mo-Fr 08:00-16:00; Sa-Su off; Sa[1] 09:00-12:00"),
        ("weekdays 9 to sunset", "Mo-Fr 09:00-sunset; Sa-Su off"),
        # what is not known
        ("9-5.30, Wed half day", 'Mo-Tu 09:00-17:30; We unknown "not stated"; Th-Su 09:00-17:30'),
        ("Mon-Fri 8-16; weekends by appointment", 'Mo-Fr 08:00-16:00; Sa-Su unknown "not stated"'),
        ("noon till late, shut Mon", 'Mo off; Tu-Su unknown "not stated"'),
        ("10-18, last entry 17:20", "Mo-Su 10:00-18:00"),
    ],
)  # fmt: skip
def test_hours_as_people_write_them(text: str, spec: str) -> None:
    told = told_hours(text)
    assert told == spec
    assert from_osm(told or "").spec == told


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("from quarter past eight until quarter to six", "Mo-Su 08:15-17:45"),
        ("open from 20 past 9 until 10 past 5", "Mo-Su 09:20-17:10"),
        ("from five minutes to nine until ten minutes past five", "Mo-Su 08:55-17:10"),
        ("from nine o'clock until five o'clock", "Mo-Su 09:00-17:00"),
        ("from eight thirty a.m. until five pm", "Mo-Su 08:30-17:00"),
        ("from half past twelve until midnight", "Mo-Su 12:30-24:00"),
        ("8 am to 5 p.m., closed Sundays", "Mo-Sa 08:00-17:00; Su off"),
        ("Mon. to Fri. 9-5", "Mo-Fr 09:00-17:00; Sa-Su off"),
        ("Tues. & Thurs. 9-5", "Mo off; Tu 09:00-17:00; We off; Th 09:00-17:00; Fr-Su off"),
        ("Closed Tuesday. Wednesday 9-5", "Mo-Tu off; We 09:00-17:00; Th-Su off"),
        ("Tue-Sun 10-18, 2nd Mon of the month 12-16", "Mo off; Tu-Su 10:00-18:00; Mo[2] 12:00-16:00"),
        ("Mon-Fri 8-16, last Sat of the month 9-12", "Mo-Fr 08:00-16:00; Sa-Su off; Sa[-1] 09:00-12:00"),
        ("10-18, last entry 17:20 (Sun closed)", "Mo-Sa 10:00-18:00; Su off"),
        ("9-17 (last entry 16:30), Sun 10-16", "Mo-Sa 09:00-17:00; Su 10:00-16:00"),
        ("Mon-Fri 9-5, Sat 9-12, otherwise closed", "Mo-Fr 09:00-17:00; Sa 09:00-12:00; Su off"),
        ("lunch 11:30-2:30, dinner 5-10", "Mo-Su 11:30-14:30,17:00-22:00"),
        ("Fri and Sat 7pm-3am", "Mo-Th off; Fr-Sa 19:00-03:00; Su off"),
        ("opens at 9, closes at 5", "Mo-Su 09:00-17:00"),
        ("opens at 8 on weekdays and at 10 at weekends, closes at 6", "Mo-Fr 08:00-18:00; Sa-Su 10:00-18:00"),
        ("24 hours, Sundays 8-20", "Mo-Sa 00:00-24:00; Su 08:00-20:00"),
        ("never closes", "Mo-Su 00:00-24:00"),
        ("sunrise to sunset", "Mo-Su sunrise-sunset"),
        ("dawn to dusk, closed Mon", "Mo off; Tu-Su dawn-dusk"),
        ("midnight to 6 am", "Mo-Su 00:00-06:00"),
        ("6 in the evening to 2 in the morning", "Mo-Su 18:00-02:00"),
        ("from 10 at night until 6 in the morning", "Mo-Su 22:00-06:00"),
        (
            "Monday 9 am to noon; Thursday 1 pm to 5 pm",
            "Mo 09:00-12:00; Tu-We off; Th 13:00-17:00; Fr-Su off",
        ),
        ("10-18, closed 24 December", "Mo-Su 10:00-18:00; Dec 24 off"),
        ("10-18, closed on Christmas Day and New Year's Day", "Mo-Su 10:00-18:00; Dec 25,Jan 01 off"),
        ("from March to November daily 9-6", "Mar-Nov Mo-Su 09:00-18:00"),
        ("Sat-Mon 10-4", "Mo 10:00-16:00; Tu-Fr off; Sa-Su 10:00-16:00"),
        ("M/W/F 9-5", "Mo 09:00-17:00; Tu off; We 09:00-17:00; Th off; Fr 09:00-17:00; Sa-Su off"),
        ("T/Th 10-2", "Mo off; Tu 10:00-14:00; We off; Th 10:00-14:00; Fr-Su off"),
        (
            "every day except Tuesdays and Thursdays, 10-6",
            "Mo 10:00-18:00; Tu off; We 10:00-18:00; Th off; Fr-Su 10:00-18:00",
        ),
        ("9-5, break 12-1", "Mo-Su 09:00-12:00,13:00-17:00"),
        ("Mon 9-5 Tue 10-6 Wed 11-7", "Mo 09:00-17:00; Tu 10:00-18:00; We 11:00-19:00; Th-Su off"),
        ("5-9 pm", "Mo-Su 17:00-21:00"),
        ("11-2 pm", "Mo-Su 11:00-14:00"),
        ("12-3pm", "Mo-Su 12:00-15:00"),
        ("Mo-Fr 9-18 Uhr, Sa 9-13 Uhr, So geschlossen", "Mo-Fr 09:00-18:00; Sa 09:00-13:00; Su off"),
        ("tous les jours de 9h à 19h sauf le lundi", "Mo off; Tu-Su 09:00-19:00"),
        ("todos los días de 10 a 20, excepto domingo", "Mo-Sa 10:00-20:00; Su off"),
        ("closed Mondays. Open other days 10-17.", "Mo off; Tu-Su 10:00-17:00"),
        ("Saturday and Sunday only, 10-4", "Mo-Fr off; Sa-Su 10:00-16:00"),
        ("Mon-Sat 9-13 and 15-19, Sun 9-13", "Mo-Sa 09:00-13:00,15:00-19:00; Su 09:00-13:00"),
        ("7 days 6am-11pm", "Mo-Su 06:00-23:00"),
        ("daily 9-17, in August 9-20", "Mo-Su 09:00-17:00; Aug Mo-Su 09:00-20:00"),
        ("between 9 and 5", "Mo-Su 09:00-17:00"),
        ("9-5 Mon, Wed and Fri", "Mo 09:00-17:00; Tu off; We 09:00-17:00; Th off; Fr 09:00-17:00; Sa-Su off"),
        (
            "Mon-Fri 9-5, Sat 10-2, closed Sun and public holidays",
            "Mo-Fr 09:00-17:00; Sa 10:00-14:00; Su off; PH off",
        ),
        ("9-6, Sundays and public holidays 10-4", "Mo-Sa 09:00-18:00; Su 10:00-16:00; PH 10:00-16:00"),
        ("Oct to Mar closed, Apr to Sep 10-18", "Oct-Mar off; Apr-Sep Mo-Su 10:00-18:00"),
        ("from quarter to one until six", "Mo-Su 12:45-18:00"),
        ("from half past twelve until quarter past one", "Mo-Su 12:30-13:15"),
        ("9-17, closed 12-17", "Mo-Su 09:00-12:00"),
        ("10-18 (closed Mondays)", "Mo off; Tu-Su 10:00-18:00"),
        ("(closed Mondays) 10-18", "Mo off; Tu-Su 10:00-18:00"),
        ("10-18 (Fri to 20)", "Mo-Th 10:00-18:00; Fr 10:00-20:00; Sa-Su 10:00-18:00"),
        ("10-18 (Sat 10-14), closed Sun", "Mo-Fr 10:00-18:00; Sa 10:00-14:00; Su off"),
        ("0-24 h", "Mo-Su 00:00-24:00"),
        ("noon to midnight, Mon-Fri", "Mo-Fr 12:00-24:00; Sa-Su off"),
        ("9 am until 5 pm at the latest", "Mo-Su 09:00-17:00"),
        (
            "Mon-Sat 9-6, with the exception of Wednesday",
            "Mo-Tu 09:00-18:00; We off; Th-Sa 09:00-18:00; Su off",
        ),
        ("10-18, closed 25 Dec and 1 Jan", "Mo-Su 10:00-18:00; Dec 25,Jan 01 off"),
        ("Mon-Fri 9-5, closed in August", "Mo-Fr 09:00-17:00; Sa-Su off; Aug off"),
        (
            "Mon-Fri from 9 (Wed from 10) to 5",
            "Mo-Tu 09:00-17:00; We 10:00-17:00; Th-Fr 09:00-17:00; Sa-Su off",
        ),
        (
            "weekdays 7 am - 7 pm, Saturday 8 am - 4 pm, Sunday closed",
            "Mo-Fr 07:00-19:00; Sa 08:00-16:00; Su off",
        ),
        (
            "Tuesday through Saturday 11 AM to 9 PM; Sunday 12 PM to 8 PM",
            "Mo off; Tu-Sa 11:00-21:00; Su 12:00-20:00",
        ),
        (
            "Mon, Tue, Thu 8-4; Wed 8-6; Fri 8-2",
            "Mo-Tu 08:00-16:00; We 08:00-18:00; Th 08:00-16:00; Fr 08:00-14:00; Sa-Su off",
        ),
        ("closes at 6, opens at 9", "Mo-Su 09:00-18:00"),
        ("Sundays from noon, other days from 10, always until 8", "Mo-Sa 10:00-20:00; Su 12:00-20:00"),
        ("24/7 except Sundays", "Mo-Sa 00:00-24:00; Su off"),
        ("every day 6 till 10 in the evening", "Mo-Su 18:00-22:00"),
        ("6 to 9 in the morning", "Mo-Su 06:00-09:00"),
        ("Sat 9-1, Sun 9-12, Mon-Fri 8-6", "Mo-Fr 08:00-18:00; Sa 09:00-13:00; Su 09:00-12:00"),
    ],
)
def test_what_each_word_adds(text: str, spec: str) -> None:
    """A time in words, a part of the day, a date, a day left out or added: each alone in a short sentence."""
    assert told_hours(text) == spec


_FRIDAY, _SATURDAY, _SUNDAY = "2026-07-17", "2026-07-18", "2026-07-19"


@pytest.mark.parametrize(
    ("text", "day", "clock", "state"),
    [
        ("9 - 17.30, Sat. 9.30 - 14", _FRIDAY, "09:15", OpenState.OPEN),
        ("9 - 17.30, Sat. 9.30 - 14", _FRIDAY, "17:15", OpenState.OPEN),
        ("9 - 17.30, Sat. 9.30 - 14", _FRIDAY, "17:45", OpenState.CLOSED),
        ("9 - 17.30, Sat. 9.30 - 14", _SATURDAY, "09:15", OpenState.CLOSED),
        ("9 - 17.30, Sat. 9.30 - 14", _SATURDAY, "13:45", OpenState.OPEN),
        ("9 - 17.30, Sat. 9.30 - 14", _SATURDAY, "14:15", OpenState.CLOSED),
        ("10 to 6; Sundays by appointment", _FRIDAY, "17:45", OpenState.OPEN),
        ("10 to 6; Sundays by appointment", _SATURDAY, "09:45", OpenState.CLOSED),
        ("10 to 6; Sundays by appointment", _SUNDAY, "12:00", OpenState.UNKNOWN),
        ("8-18, Saturdays sometimes", _FRIDAY, "08:15", OpenState.OPEN),
        ("8-18, Saturdays sometimes", _FRIDAY, "18:15", OpenState.CLOSED),
        ("8-18, Saturdays sometimes", _SATURDAY, "12:00", OpenState.UNKNOWN),
    ],
)
def test_whether_a_place_is_open_by_words_that_leave_a_day_open(
    text: str, day: str, clock: str, state: OpenState
) -> None:
    """What the words do not decide, such as the Sunday beside "Sat. 9.30 - 14", is not asked."""
    hours = Hours(spec=told_hours(text), text="")
    assert open_state(hours, datetime.fromisoformat(f"{day}T{clock}")) is state


@pytest.mark.parametrize(
    "text",
    [
        # nothing about hours
        "",
        "it is lovely",
        "from 20 to 30 people",
        "10-15 minutes away",
        "until 9 pm",
        "Saturdays",
        # too little or too much
        "from 9",
        "noon till late",
        "closed 13-16 h",
        "9 until sold out",
        "10-17, in winter till 16",
        "daily till 20:00, in bad weather till 18:00",
        "11-18, not during Mass",
        "from Easter to mid-October 10-17",
        "seven to nine",
        "about 9 to 5",
        "9 until when they are sold out",
        "9 to 5ish",
        "9 to 5-ish",
        "nine to around five",
        "summer 9-20, winter 10-16",
        "for 9 to 12 people",
        "open 9 to 17, or 10 to 18",
        "10-17 or by appointment",
        "10-16, 12-19, closed",
        "a book of 1998-2005",
        "25-30",
        "9 \u00b2",
        "9-17 " * 150,
    ],
)
def test_what_leaves_the_hours_open(text: str) -> None:
    assert told_hours(text) is None


_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _24(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _dotted(minutes: int) -> str:
    return f"{minutes // 60}.{minutes % 60:02d}"


def _french(minutes: int) -> str:
    return f"{minutes // 60}h{minutes % 60:02d}"


def _military(minutes: int) -> str:
    return f"{minutes // 60:02d}{minutes % 60:02d}"


def _halved(minutes: int) -> str:
    return f"{minutes // 60 % 12 or 12}:{minutes % 60:02d} {'am' if minutes < 720 else 'pm'}"


_opens = st.integers(6 * 2, 11 * 2).map(lambda half_hours: half_hours * 30)
_closes = st.integers(14 * 2, 23 * 2).map(lambda half_hours: half_hours * 30)
_week = st.dictionaries(st.sampled_from(DAYS), st.tuples(_opens, _closes), min_size=1)


@given(
    week=_week,
    clock=st.sampled_from((_24, _dotted, _french, _military, _halved)),
    to=st.sampled_from(("-", " to ", "\u2013", " until ")),
    joint=st.sampled_from((", ", "; ", " / ", " and ")),
    days_first=st.booleans(),
    full=st.booleans(),
)
def test_weeks_are_read_back_from_any_notation(
    week: dict[str, tuple[int, int]],
    clock: Callable[[int], str],
    to: str,
    joint: str,
    days_first: bool,
    full: bool,
) -> None:
    parts = []
    for day in DAYS:
        if day in week:
            name = _NAMES[DAYS.index(day)] if full else _NAMES[DAYS.index(day)][:3]
            span = f"{clock(week[day][0])}{to}{clock(week[day][1])}"
            parts.append(f"{name} {span}" if days_first else f"{span} {name}")
    expected = format_week(Week({day: (week[day],) if day in week else () for day in DAYS}))
    assert told_hours(joint.join(parts)) == expected


@given(opens=st.integers(8, 11), closes=st.integers(1, 7), minutes=st.sampled_from((0, 15, 30)))
def test_a_day_of_sensible_length_needs_no_halves(opens: int, closes: int, minutes: int) -> None:
    spec = f"Mo-Su {opens:02d}:{minutes:02d}-{closes + 12:02d}:{minutes:02d}"
    told = f":{minutes:02d}" if minutes else ""
    assert told_hours(f"{opens}{told}-{closes}{told}") == spec


_WORDS = st.sampled_from(
    [
        "Mon", "Sat", "daily", "weekdays", "9-5", "9", "17:30", "to", "till", "from", "closed", "not", "except", "only",
        "noon", ",", ";", "and", "/", "half", "past", "Apr", "Oct", "1st", "every", "sunset", "late", "in the evening",
        "otherwise", "Dec 25", "first", "mornings", "by appointment", "(", ")",
    ]
)  # fmt: skip


@given(st.text(max_size=600) | st.lists(_WORDS, max_size=60).map(" ".join))
def test_whatever_is_read_is_a_valid_specification(text: str) -> None:
    spec = told_hours(text)
    assert spec is None or from_osm(spec).spec == spec
