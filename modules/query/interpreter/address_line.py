"""The parts of an address that stands in one line: street, house number, postcode, city.

Only what is plain to see is read: a part that could be two things is none. Postcodes are those forms that no house
number or word has (Universal Postal Union, "Postal addressing systems in member countries").
"""

import re
from collections.abc import Mapping

_NUMBER = r"\d{1,4} ?[A-Za-z]?(?:[-–/]\d{1,4}[A-Za-z]?)?"
_BEFORE = re.compile(rf"(?P<number>{_NUMBER}) (?P<street>\S*[^\W\d].*)")
_BEHIND = re.compile(rf"(?P<street>\S*[^\W\d].*?) (?P<number>{_NUMBER})")
_POSTCODE = re.compile(
    r"(?<![\w-])(?:\d{5}(?:-\d{4})?|\d{6}|\d{4}-\d{3}|\d{3} \d{2}|\d{4}(?: [A-Z]{2}\b(?!.*\w))?|"
    r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![\w-])"
)
_STATE = re.compile(r"[A-Z]{2,3}")


def address_parts(line: str) -> Mapping[str, str]:
    """What an address says of "street", "housenumber", "postcode" and "city"; what is not clear is left out."""
    parts = [" ".join(part.split()) for part in line.split(",") if part.strip()]
    found: dict[str, str] = {}
    coded_behind = any(_POSTCODE.search(part) for part in parts[1:])
    streets = [
        (index, told)
        for index, part in enumerate(parts)
        if (told := _street(part, long=index == 0 and coded_behind)) is not None
    ]
    if len(streets) == 1:
        found["street"], found["housenumber"] = streets[0][1]
    at = streets[0][0] if streets else 0
    rest = parts[at + 1 :]
    coded = [
        (index, code[0]) for index, part in enumerate(rest) for code in [_POSTCODE.findall(part)] if code
    ]
    if len(coded) == 1:
        index, found["postcode"] = coded[0]
        city = _POSTCODE.sub("", rest[index]).strip(" -")
        if not city or _STATE.fullmatch(city):  # "Springfield, IL 62704"
            city = rest[index - 1] if index else ""
        if city:
            found["city"] = city
    elif not coded and len(streets) == 1 and len(rest) == 1:
        found["city"] = rest[0]
    return found


def _street(part: str, *, long: bool) -> tuple[str, str] | None:
    """Street and house number of a part that has both; a postcode with its city is neither.

    A number of four digits may be either ("1600 Main St", "1010 Wien"): it is a house's where `long` says that the
    postcode stands elsewhere.
    """
    before, behind = _BEFORE.fullmatch(part), _BEHIND.fullmatch(part)
    told = before or behind
    if told is None or (before is not None and behind is not None) or (not long and _POSTCODE.search(part)):
        return None
    return told["street"], told["number"]
