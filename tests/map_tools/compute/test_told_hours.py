"""Opening hours in sentences: the expected weeks were worked out by hand."""

from datetime import datetime

import pytest

from map_tools.compute.hours import OpenState, from_weekly_text, open_state
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
        ("every day from 10 to 4, in July until 7", "Mo-Su 10:00-16:00"),
    ],
)
def test_sentences_tell_hours(text: str, spec: str) -> None:
    assert told_hours(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        "it is lovely",
        "from 20 to 30 people",
        "10-15 minutes away",
        "until 9 pm",
        "Saturdays",
        "Apr-Oct: 10:00-18:00",
    ],
)
def test_what_tells_no_hours(text: str) -> None:
    assert told_hours(text) is None


def test_days_of_which_nothing_is_said_are_unknown_where_others_are_closed() -> None:
    hours = Hours(spec=told_hours("It is closed on Sundays"), text="")
    assert open_state(hours, datetime.fromisoformat("2026-07-12T12:00")) is OpenState.CLOSED
    assert open_state(hours, datetime.fromisoformat("2026-07-13T12:00")) is OpenState.UNKNOWN


def test_a_day_that_is_closed_after_the_hours_of_all() -> None:
    assert from_weekly_text("9-17, closed Sunday").spec == "Mo-Sa 09:00-17:00; Su off"
