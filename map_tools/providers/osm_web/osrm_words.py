"""Words for the manoeuvres of OSRM, which sends none.

Types and modifiers: https://project-osrm.org/docs/v5.24.0/api/#stepmaneuver-object.
"""

from collections.abc import Mapping

TURNS: Mapping[str, tuple[str, str]] = {
    "uturn": ("uturn", "Make a U-turn"),
    "sharp right": ("turn-sharp-right", "Turn sharply right"),
    "right": ("turn-right", "Turn right"),
    "slight right": ("turn-slight-right", "Bear right"),
    "straight": ("straight", "Continue straight"),
    "slight left": ("turn-slight-left", "Bear left"),
    "left": ("turn-left", "Turn left"),
    "sharp left": ("turn-sharp-left", "Turn sharply left"),
}
"""Modifiers: our hyphenated word, and the instruction."""
_RINGS = frozenset({"roundabout", "rotary"})
_SIDES = {
    "on ramp": ("ramp", "Take the ramp"),
    "off ramp": ("ramp", "Take the exit"),
    "merge": ("merge", "Merge"),
}
_PLAIN = {
    "depart": ("depart", "Set off"),
    "arrive": ("arrive", "You have arrived"),
    "new name": ("straight", "Continue"),
    "notification": ("straight", "Continue"),
    "exit roundabout": ("roundabout-exit", "Leave the roundabout"),
    "exit rotary": ("roundabout-exit", "Leave the roundabout"),
}


def maneuver_of(kind: str, modifier: str) -> str:
    """Our hyphenated word for a manoeuvre; turns at roundabouts no larger than a crossing are turns."""
    if kind in _RINGS:
        return "roundabout"
    if kind in _PLAIN:
        return _PLAIN[kind][0]
    side = "left" if "left" in modifier else "right" if "right" in modifier else ""
    if kind == "fork" and side:
        return f"keep-{side}"
    if kind in _SIDES:
        word = _SIDES[kind][0]
        return f"{word}-{side}" if side and word == "ramp" else word
    return TURNS.get(modifier, ("", ""))[0]


def instruction(kind: str, modifier: str, street: str, exit_number: int | None = None) -> str:
    """A sentence for a manoeuvre ("Turn left onto Harbour Road").

    Args:
        kind: The manoeuvre's type.
        modifier: Its modifier, empty if it has none.
        street: The street one is on afterwards, empty if it has no name.
        exit_number: Of a roundabout, counted from 1.
    """
    if kind == "arrive":
        where = f": the destination is on the {modifier}" if modifier in {"left", "right"} else ""
        return f"{_PLAIN[kind][1]}{where}"
    words = _words(kind, modifier, exit_number)
    return f"{words} {'on' if kind in {'depart', 'new name'} else 'onto'} {street}" if street else words


def _words(kind: str, modifier: str, exit_number: int | None) -> str:
    if kind in _RINGS:
        which = f"take exit {exit_number}" if exit_number else "go round"
        return f"At the roundabout, {which}"
    if kind in _PLAIN:
        return _PLAIN[kind][1]
    side = next((side for side in ("left", "right") if side in modifier), "")
    if kind == "fork" and side:
        return f"Keep {side}"
    if kind in _SIDES:
        return f"{_SIDES[kind][1]} on the {side}" if side else _SIDES[kind][1]
    return TURNS.get(modifier, ("", "Continue"))[1]
