"""Lines in no known form: what the learned marks (`modules.nlu.marks`) say of places, and of the ways between them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from map_tools.compute.shape_text import parse_position
from map_tools.errors import PlaceNotFoundError
from map_tools.kinds.concepts import find_in, lookup
from map_tools.text import normalise
from map_tools.types import TravelMode
from modules.context_reader.drafts import Entry, NearbyDraft, PlaceDraft
from modules.context_reader.fields import loose_service_in, put_field
from modules.context_reader.lines import Line, Measures, measures_in
from modules.context_reader.names import MOST_NAMES
from modules.context_reader.parsers.travel import way
from modules.context_reader.vocabulary import forms, words
from modules.nlu.marks import ABOUT_TWO, NAME, Mark, marker, words_in
from modules.query.language.types import MODES

_FIELDS = {
    "kind": "types",
    "hours": "hours",
    "rating": "rating",
    "reviews": "rating_count",
    "price": "price",
    "address": "address",
    "phone": "phone",
    "web": "website",
}
"""Labels of marks by the fields that they fill (`[labels]` in `words.toml`)."""
_SURE, _SAME, _SURELY_SAME = 0.3, 0.5, 0.95
"""A value is left out where the network is less sure whose it is; names are of one place only from so much on, and two
names of their own that share no word only from the last."""
_AROUND, _AFTER = 400, 12
"""So many characters before and behind a bare length its unit is looked for."""
_OWN = re.compile(r"^(?:my|our|your|the) ")
_LEAST_WORD, _LONGEST_POSITION = 3, 60


@dataclass(slots=True)
class _Spoken:
    """A place as the text speaks of it: all its names, and what is said of it."""

    mentions: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its first name of its own, or a longer form of that; the first noun where it has none."""
        first = next(filter(_is_proper, self.mentions), self.mentions[0])
        words = _told_words(first)
        return max((one for one in dict.fromkeys(self.mentions) if words <= _told_words(one)), key=len)

    def may_be(self, said: str) -> bool:
        """Whether words are a noun, or a name that shares a word with one of the place's."""
        words = _told_words(said)
        return not _is_proper(said) or any(words & _told_words(one) for one in self.mentions)

    @property
    def is_own(self) -> bool:
        """Whether it is where one stays: "the hotel", "my flat"."""
        return any(_OWN.sub("", normalise(one)) in words().own for one in self.mentions)

    def draft(self) -> PlaceDraft:
        """The place, with its other names; a noun among them says of what kind it is."""
        made = PlaceDraft(query=self.name)
        made.aliases = [one for one in dict.fromkeys(self.mentions) if one != made.query]
        return made


class _Marked:
    """A text with its marks.

    Args:
        lines: Those of it that are read together.
        known: The names that the rest of the text gives to places.
    """

    def __init__(self, lines: Sequence[Line], known: Sequence[str]) -> None:
        self._lines, self._known, self._begins = lines, known, list[int]()
        at = 0
        for line in lines:
            at += line.blank_before
            self._begins.append(at)
            at += len(line.raw) + 1
        self._text = "\n".join(f"\n{line.raw}" if line.blank_before else line.raw for line in lines)
        self.marks = marker().marks(self._text)
        self.places = self._spoken_of()

    def said(self, mark: Mark) -> str:
        """The words of a mark in one line."""
        return " ".join(self._text[mark.begin : mark.end].split())

    def line(self, mark: Mark) -> Line:
        """The line that a mark begins in."""
        return self._lines[bisect_right(self._begins, mark.begin) - 1]

    def measures(self, mark: Mark) -> Measures:
        """The time or length that a mark says; a bare number is in minutes, or in the last unit of length before it."""
        said = self.said(mark)
        told = measures_in(said)
        if told or not said[-1].isdigit():
            return told
        if mark.label == "time":
            return measures_in(f"{said} min")
        near = self._text[max(0, mark.begin - _AROUND) : mark.end + _AFTER]
        around = forms().mode.sub(" ", near)  # the foot of "on foot" is no unit
        units = (measures_in(f"{said} {unit}") for unit in reversed(forms().unit.findall(around)))
        return next((one for one in units if one.distance_m is not None), Measures())

    def position(self, mark: Mark) -> str:
        """The coordinates that begin with a mark, as far as they go."""
        ends = (at for _, at in words_in(self._text[mark.begin : mark.begin + _LONGEST_POSITION]))
        told = [self._text[mark.begin : mark.begin + end] for end in ends]
        return next((one for one in reversed(told) if _is_position(one)), self.said(mark))

    def mode(self, mark: Mark) -> TravelMode | None:
        """By what one travels: as the words right behind say ("9 by car"), else as the mark does."""
        at = self._behind_a_blank(mark.end)
        unit = forms().unit.match(self._text, at)
        told = forms().mode.match(self._text, self._behind_a_blank(unit.end()) if unit else at)
        if told:
            return words().modes[told.group().lower()]
        return TravelMode(MODES[mark.mode]) if mark.mode else None

    def _behind_a_blank(self, at: int) -> int:
        return at + (self._text[at : at + 1] in {" ", "-"})

    def _spoken_of(self) -> dict[int, _Spoken]:
        """The places that the text speaks of, by where each of their names begins."""
        found: dict[int, _Spoken] = {}
        named: dict[str, _Spoken] = {normalise(name): _Spoken([name]) for name in self._known}
        for mark in self.marks:
            if mark.label == NAME:
                said = self.said(mark)
                if normalise(said) not in named and len(named) <= MOST_NAMES:
                    longer = [key for key in named if _told_words(said) < frozenset(key.split())]
                    if len(longer) == 1:
                        named[normalise(said)] = named[longer[0]]  # "the hut", of one Visitor Hut
                same = found.get(-1 if mark.of is None else mark.of)
                if same is not None and mark.sure < (_SAME if same.may_be(said) else _SURELY_SAME):
                    same = None
                of_kind = self._of_kind(said, named.values()) if len(named) <= MOST_NAMES else []
                if of_kind and same not in of_kind:
                    same = of_kind[-1]  # "the museum" is one, whatever else was spoken of last
                if same is None and normalise(said) in words().door:
                    same = next((one for one in reversed(found.values()) if one.is_own), self._titled(found))
                place = named.get(normalise(said)) or same or _Spoken()
                named.setdefault(normalise(said), place)
                place.mentions.append(said)
                found[mark.begin] = place
        return found

    def _titled(self, found: Mapping[int, _Spoken]) -> _Spoken | None:
        """The place that the first line names: who writes "our door" there is at home in it."""
        begin = len(self._text) - len(self._text.lstrip())
        end = self._text.find("\n", begin)
        return next((place for at, place in found.items() if at < end), None)

    def _of_kind(self, said: str, places: Iterable[_Spoken]) -> list[_Spoken]:
        """The places whose own names tell the kind that a noun says."""
        kind = lookup(said) if not _is_proper(said) else None
        if kind is None:
            return []
        return [place for place in places if _is_proper(place.name) and kind.id in _kinds_of(place.name)]


def read_marked(
    lines: Sequence[Line], missed: Sequence[Line], known: Sequence[str] = ()
) -> tuple[list[Entry], list[Line]]:
    """Reads the lines that are in no known form.

    Args:
        lines: All lines of the text.
        missed: Those that no form fits.
        known: The names that the rest of the text gives to places.

    Returns:
        What they say, and those that say nothing.
    """
    if not missed:
        return [], []
    unread = {id(line) for line in missed}
    text = _Marked(
        [line for block in _blocks(lines) if any(id(one) in unread for one in block) for line in block], known
    )
    told = [mark for mark in text.marks if mark.label != NAME and id(text.line(mark)) in unread]
    entries = [*_places(text, told), *_ways(text, told)]
    read = {id(text.line(mark)) for mark in told}
    return entries, [line for line in missed if id(line) not in read]


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines between empty ones."""
    block: list[Line] = []
    for line in lines:
        if line.blank_before and block:
            yield block
            block = []
        block.append(line)
    yield block


@lru_cache(maxsize=1024)
def _kinds_of(name: str) -> frozenset[str]:
    return frozenset(kind for told in find_in(name) for kind in told.value.ids)


def _told_words(name: str) -> frozenset[str]:
    return frozenset(normalise(name).split())


def _is_position(text: str) -> bool:
    """Whether a text is a position and nothing else."""
    try:
        return parse_position(text) is not None
    except PlaceNotFoundError:
        return False


def _is_proper(name: str) -> bool:
    """Whether words are a name of its own and no noun: most of them are written with a capital."""
    words = [word for word in name.split() if len(word) >= _LEAST_WORD and word[0].isalpha()]
    return bool(words) and 2 * sum(word[0].isupper() for word in words) >= len(words)


def _places(text: _Marked, told: Sequence[Mark]) -> Iterator[PlaceDraft]:
    """What is said of each place."""
    drafts = {key: place.draft() for key, place in {id(one): one for one in text.places.values()}.items()}
    for mark in told:
        place = text.places.get(-1 if mark.of is None else mark.of)
        if place is None or mark.label in ABOUT_TWO or mark.sure < _SURE:
            continue
        draft, said = drafts[id(place)], text.said(mark)
        if mark.label == "position":
            put_field(draft, "coordinates", text.position(mark))
        elif mark.label == "price" and any(map(str.isdigit, said)):
            put_field(draft, "charge", said)
        elif mark.label in _FIELDS:
            put_field(draft, _FIELDS[mark.label], said)
        else:
            _put_service(draft, said, offered=mark.label == "has")
        raw = text.line(mark).raw
        draft.raw += [] if raw in draft.raw else [raw]
    yield from (draft for draft in drafts.values() if draft.raw or draft.aliases)


def _put_service(draft: PlaceDraft, said: str, *, offered: bool) -> None:
    service = loose_service_in(said)
    if service is not None:
        draft.services.setdefault(service[0], offered)
        return
    label = "services" if offered else "lacks"
    draft.attributes[label] = ", ".join(filter(None, (draft.attributes.get(label), said)))


def _ways(text: _Marked, told: Sequence[Mark]) -> Iterator[Entry]:
    """How long a way takes or is; a length by no means of travel is how far one place is from the other."""
    for mark in told:
        if (
            mark.label not in {"time", "distance"}
            or mark.of is None
            or mark.start is None
            or mark.sure < _SURE
        ):
            continue
        first, last = text.places.get(mark.start), text.places.get(mark.of)
        measures, raw = text.measures(mark), text.line(mark).raw
        if first is None or last is None or first is last or not measures:
            continue
        mode = text.mode(mark)
        if mode is not None or mark.label == "time":
            yield way(first.name, last.name, mode, measures, raw)
        else:
            item = PlaceDraft(query=last.name, distance_m=measures.distance_m)
            yield NearbyDraft(anchor=first.name, what="places", items=[item], raw=raw)
