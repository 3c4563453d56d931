"""Where the user is and what time it is, as the text says it."""

from map_tools.facts import NoteFact
from map_tools.text import normalise
from modules.context_reader.drafts import Cursor, Finding, HereDraft
from modules.context_reader.vocabulary import forms

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def read_situation(cursor: Cursor) -> bool:
    """Reads "Current location of user is X" and "Today is Sunday".

    The moment stays a note, as no fact about the world says when a question is asked; `weekday_stated`
    reads it.
    """
    line = cursor.peek()
    if line is None:
        return False
    here = forms().match("here", line.title)
    if here is not None:
        cursor.entries.append(HereDraft(name=here["name"].strip(), raw=line.raw))
    elif forms().match("now", line.title) is not None and weekday_stated(line.title) is not None:
        cursor.entries.append(Finding(NoteFact(text=line.text), line.raw))
    else:
        return False
    cursor.advance()
    return True


def weekday_stated(note: str) -> int | None:
    """The weekday a note says it is today (0 for Monday): "Today is Sunday." → 6; None if it says none.

    "Tomorrow is Monday" counts as Sunday.
    """
    found = forms().match("now", note.rstrip(":. "))
    if found is None:
        return None
    mentioned = [day for day in normalise(found["value"]).split() if day in _WEEKDAYS]
    if not mentioned:
        return None
    day = _WEEKDAYS.index(mentioned[0])
    return (day - 1) % 7 if normalise(note).startswith("tomorrow") else day
