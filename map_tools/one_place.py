"""When two entries of a map that bear one name are one place: a hotel and its building, a station and more.

The kinds and distances are data: `data/one_place.toml`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from map_tools.kinds.category_file import read_data, vocabulary
from map_tools.kinds.concepts import BUILDING, is_nameless

ADMIN = "admin"
NESTED_ONLY = -1.0
"""A reach that no distance is within: only what lies inside the other is the same place."""
_PHONE_DIGITS = 6
"""Before them stand the codes of country and town, which may be left out."""
_LEAST_SHARED = 0.9
"""Two borders of one level that share so much of both areas are one border drawn twice."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What tells whether an entry is the same place as another of its name.

    Attributes:
        kinds: The kinds it is of, without those that cover others of them.
        outlined: It is an area.
        level: `admin_level` of an administrative area; None for all else.
        means: The means of travel of a stop; empty if they are not known.
        street: The street of its address, in one spelling; empty if none is stated.
        numbers: Its house numbers.
        phones: The last digits of its telephone numbers.
        floors: The floors it is on, as written.
        operator: Who runs it, in one spelling; empty if that is not said.
    """

    kinds: frozenset[str]
    outlined: bool = False
    level: int | None = None
    means: frozenset[str] = frozenset()
    street: str = ""
    numbers: frozenset[str] = frozenset()
    phones: frozenset[str] = frozenset()
    floors: frozenset[str] = frozenset()
    operator: str = ""

    @property
    def is_part(self) -> bool:
        """True for a platform and the like, which is no stop by itself."""
        return bool(self.kinds & _rules().parts) and not self.kinds & _rules().stops

    @property
    def is_border(self) -> bool:
        """True for an administrative area."""
        return ADMIN in self.kinds


@dataclass(frozen=True, slots=True)
class _Rules:
    generic: frozenset[str]
    open: frozenset[str]
    groups: tuple[frozenset[str], ...]
    levels: Mapping[str, tuple[int, int]]
    stops: frozenset[str]
    parts: frozenset[str]
    apart: frozenset[str]
    wide: frozenset[str]
    metres: Mapping[str, float]


@lru_cache(maxsize=4096)
def own_kinds(categories: tuple[str, ...]) -> frozenset[str]:
    """The categories of an entry without those that cover another one of them."""
    parents = vocabulary().parents
    covering = {up for category in categories for up in parents.get(category, ())}
    by_key = {str(about["under"]) for about in vocabulary().keys.values() if "under" in about}
    kinds = {category for category in categories if category not in covering}
    return frozenset(kinds - by_key or kinds - {BUILDING} or kinds)


def reach_m(a: Entry, b: Entry, *, alone: bool = False) -> float | None:
    """Metres within which two entries of one name are one place; None: they are never.

    Args:
        a: An entry; of a border (`Entry.is_border`) ask `is_label` or `is_same_border`.
        b: The other one.
        alone: No third entry of their name and kind is on the map.
    """
    if a.is_border or b.is_border or are_apart(a, b):
        return None
    rules = _rules()
    settled = [bool(entry.kinds & rules.levels.keys()) for entry in (a, b)]
    if any(settled):
        return rules.metres["wide"] if all(settled) and _alike(a, b) else None
    stopping = [bool(entry.kinds & (rules.stops | rules.parts)) for entry in (a, b)]
    if any(stopping):
        return rules.metres["wide"] if all(stopping) and _one_stop(a, b) else None
    if _stands_alone(a) or _stands_alone(b) or not _alike(a, b):
        return None
    return _reach_of_alike(a, b, alone=alone)


@lru_cache(maxsize=16_384)
def kinship(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """How well the categories that two sources tell of a place, umbrellas among them, go together.

    Returns:
        3 for a kind in common, 2 for kinds that places are at once, 1 where one tells little or both have one
        umbrella (two shops), 0 where they contradict each other. Settlements and stops need a kind in common.
    """
    rules = _rules()
    one, other = own_kinds(a), own_kinds(b)
    if one & other:
        return 3
    if (one | other) & (rules.levels.keys() | rules.stops | rules.parts | rules.apart | {ADMIN}):
        return 0
    if any(group & one and group & other for group in rules.groups):
        return 2
    return int(_alike(Entry(one), Entry(other)) or not set(a).isdisjoint(b))


def tells_little(categories: tuple[str, ...]) -> bool:
    """True if the categories of an entry do not say what the place is: a building, a sight."""
    return own_kinds(categories) <= _rules().generic


def phones_of(text: str) -> frozenset[str]:
    """The last digits of the telephone numbers in a text, which are the same however they are written."""
    digits = (re.sub(r"\D", "", part) for part in re.split(r"[;,/]", text))
    return frozenset(number[-_PHONE_DIGITS:] for number in digits if len(number) >= _PHONE_DIGITS)


def is_singular(categories: Iterable[str]) -> bool:
    """True for kinds that there are few of: a station, a town hall, no shops and the like."""
    rules = _rules()
    return bool(set(categories) & (rules.wide | rules.stops | rules.levels.keys()))


def is_stop(categories: tuple[str, ...]) -> bool:
    """True for where one gets on and off, and for a part of it."""
    return not own_kinds(categories).isdisjoint(_rules().stops | _rules().parts)


def is_label(entry: Entry, border: Entry) -> bool:
    """True if a settlement can be the label of an administrative area of its name around it."""
    if not border.is_border or border.level is None or entry.is_border:
        return False
    ranges = [levels for kind, levels in _rules().levels.items() if kind in entry.kinds]
    return any(low <= border.level <= high for low, high in ranges)


def is_same_border(a: Entry, b: Entry, shared: float) -> bool:
    """True if two administrative areas of one name are one, of whose larger one they share this part."""
    return a.is_border and b.is_border and a.level == b.level and shared >= _LEAST_SHARED


def same_address(a: Entry, b: Entry) -> bool:
    """True if both state one and the same address."""
    return bool(a.street and a.numbers and b.street and b.numbers) and not _differ(a, b)


def tells_most(category: str, categories: tuple[str, ...]) -> bool:
    """True for a category that says what a place is: none that covers others, no building, no border."""
    return category in own_kinds(categories) and category not in _rules().generic | {ADMIN}


def are_apart(a: Entry, b: Entry) -> bool:
    """True if what two entries say of themselves tells that they are not one place, nor parts of one."""
    if a.is_border and b.is_border:
        return a.level != b.level
    return _differ(a, b) or _are_branches(a, b)


def _differ(a: Entry, b: Entry) -> bool:
    """True if both state a house number, and not the same in the same street."""
    if not a.numbers or not b.numbers:
        return False
    return a.numbers.isdisjoint(b.numbers) or bool(a.street and b.street and a.street != b.street)


def _are_branches(a: Entry, b: Entry) -> bool:
    """True for two in one house that others run, that have other telephones or are on other floors."""
    if (a.kinds | b.kinds) & _rules().wide:
        return False
    if a.operator and b.operator and a.operator != b.operator:
        return True
    if a.phones and b.phones and a.phones.isdisjoint(b.phones):
        return True
    inside = not a.outlined and not b.outlined
    return inside and bool(a.floors and b.floors) and a.floors.isdisjoint(b.floors)


def _one_stop(a: Entry, b: Entry) -> bool:
    """Stops are of one kind; a part belongs to what is served by the same means of travel."""
    if not a.is_part and not b.is_part:
        return bool(a.kinds & b.kinds & _rules().stops)
    return not a.means or not b.means or not a.means.isdisjoint(b.means)


def _stands_alone(entry: Entry) -> bool:
    return entry.kinds <= _rules().apart or is_nameless(entry.kinds)


def _alike(a: Entry, b: Entry) -> bool:
    rules = _rules()
    if a.kinds & b.kinds:
        return True
    for one, other in ((a, b), (b, a)):
        if one.kinds <= rules.generic:
            return BUILDING not in one.kinds or not other.kinds & rules.open
    return any(group & a.kinds and group & b.kinds for group in rules.groups)


def _reach_of_alike(a: Entry, b: Entry, *, alone: bool) -> float:
    rules = _rules()
    if a.kinds == b.kinds == {BUILDING}:
        return NESTED_ONLY
    if (a.kinds | b.kinds) & rules.wide:
        return rules.metres["wide"]
    generic = a.kinds <= rules.generic or b.kinds <= rules.generic
    if alone and a.outlined != b.outlined and (generic or a.kinds & b.kinds):
        return rules.metres["alone"]
    return rules.metres["outline" if a.outlined or b.outlined else "point"]


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    data = read_data("one_place.toml")
    groups = {name: _listed(kinds) for name, kinds in data["alike"].items()}
    return _Rules(
        generic=_listed(data["generic"]["kinds"]),
        open=_kinds_of(data["open"], groups),
        groups=tuple(groups.values()),
        levels={kind: (low, high) for kind, (low, high) in data["settlements"].items()},
        stops=_listed(data["stops"]["kinds"]),
        parts=_listed(data["stops"]["parts"]),
        apart=_listed(data["apart"]["kinds"]),
        wide=_kinds_of(data["wide"], groups),
        metres={name: float(metres) for name, metres in data["metres"].items()},
    )


def _kinds_of(entry: Mapping[str, str], groups: Mapping[str, frozenset[str]]) -> frozenset[str]:
    named = (groups[name] for name in _listed(entry["groups"]))
    return _listed(entry["kinds"]).union(*named)


def _listed(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())
