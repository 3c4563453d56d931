"""Names in a question over a spatial database: where they end, and where they stand without a lead."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Literal

from map_tools.compute.geodesy import wind_words
from modules.offline.lexicon import Cue, glue
from modules.offline.spatial_words import EXACT, Stretch, Words, word_list

Role = Literal["from", "toward", "region", "corner"]
"""What a name is in a question."""
SURE = 0.97
"""From here on the map knows the name."""
DESCRIBED = 0.8
"""The quality of a description in place of a name."""
MOST_BARE = 3
"""Names without a phrase before them that are tried."""
_LONGEST_NAME = 14
_KIND_WORDS = 14
_SIGNS = frozenset("?!.,:;-")


@dataclass(frozen=True, slots=True)
class Piece:
    """A name: where it stands, its words, and how surely it is one."""

    stretch: Stretch
    text: str
    quality: float


def read_piece(words: Words, first: int, last: int) -> Piece | None:
    """The name in a stretch: the longest part the map knows, else all of it without empty words around.

    It ends with its sentence, unless the map knows one that goes on ("Ahoy! Bar").
    """
    stop = words.sentence_end(first)
    for end in range(min(last, first + _LONGEST_NAME), stop, -1):
        quality = words.known.name(words.say(first, end))
        if quality >= EXACT and words.tokens[end - 1].is_word:
            return Piece((first, end), words.say(first, end), quality)
    first, last = _trimmed(words, first, min(last, stop))
    ends = _ends(words, first, last)
    if not ends or _is_no_name(words, first, last):
        return None
    if describes_place(words, first, last):
        last = _without_tail(words, first, last)
        return Piece((first, last), words.say(first, last), DESCRIBED)
    if _is_kind(words, first, ends[-1]):
        return None
    for end in (*ends, *_broken_off(words, first, ends[-1])):
        quality = words.known.name(words.say(first, end))
        if quality >= SURE and not _is_empty(words, first, end):
            return Piece((first, end), words.say(first, end), quality)
    end = ends[-1]
    return Piece((first, end), words.say(first, end), words.known.name(words.say(first, end)))


def _trimmed(words: Words, first: int, last: int) -> Stretch:
    """A stretch without empty words before the name and signs behind it."""
    while (
        first < last
        and words.norm(first) in word_list("head")
        and words.known.name(words.say(first, last)) < EXACT
    ):
        first += 1
    while first < last and words.norm(last - 1) in _SIGNS:
        last -= 1
    return first, last


def bare_names(words: Words) -> tuple[Stretch, ...]:
    """Names the map knows that stand where no phrase leads on to them ("Old Mill: nearest bank?").

    What is said behind a name tells more than what leads on to it ("in Old Mill's direction").
    """
    leads = (cue for cue in words.of("lead") if words.norm(cue.first) not in word_list("between_links"))
    led = {cue.last for cue in leads}
    told = {cue.first for cue in words.of("after")}
    bare = ((first, last) for first, last in known_names(words) if first not in led or last in told)
    return tuple(islice(chain(_told_before(words), bare), MOST_BARE))


def without_inner_cues(words: Words) -> Words:
    """The words without phrases that are a part of a name the map knows ("Center for the Arts")."""
    names = tuple(known_names(words, least=EXACT))
    outside = (
        cue for cue in words.cues if not any(one < cue.first and cue.last <= end for one, end in names)
    )
    return replace(words, cues=tuple(outside))


def known_names(words: Words, least: float = SURE) -> Iterator[Stretch]:
    """The names the map knows at least so surely, the longest at each place."""
    small = not any(token.capital and not token.initial for token in words.tokens)
    index = 0
    while index < len(words):
        end = _known_end(words, index, small=small, least=least)
        if end > index:
            yield index, end
        index = max(end, index + 1)


def _told_before(words: Words) -> Iterator[Stretch]:
    """Places told by a fact, in a sentence before one that points back ("... Which is nearest to it?")."""
    for index in range(1, len(words)):
        end = words.sentence_end(index)
        back = any(words.norm(later) in word_list("back") for later in range(end, len(words)))
        if back and words.norm(index - 1) in word_list("determiners") and describes_place(words, index, end):
            yield index, end


def describes_place(words: Words, first: int, last: int) -> bool:
    """True for a kind with a clause where a name would be: "university that has a salamander as mascot".

    The area it lies in may stand with it: "stadium in Westport, OH that seats 900", "Westport, OH college".
    """
    for index in range(first + 1, min(last, first + _KIND_WORDS)):
        if words.norm(index) in word_list("describing"):
            if words.known.name(words.say(first, _without_tail(words, first, index))) >= SURE:
                return False
            begin, end = _without_area(words, first, index)
            return words.tokens[begin].text.islower() and words.known.kinds.knows(words.say(begin, end))
    return False


def _without_area(words: Words, first: int, last: int) -> Stretch:
    """A kind's words without an area before them or behind an "in", an "of"."""
    begin = first
    while begin < last - 1 and not words.tokens[begin].text.islower():
        begin += 1
    links = (index for index in range(begin + 1, last) if words.norm(index) in word_list("area_links"))
    return begin, next(links, last)


def _is_no_name(words: Words, first: int, last: int) -> bool:
    """True for a direction ("the west", "south of ...") and for words that name nothing ("reach", "go")."""
    side = wind_words(words.norm(first)) is not None and not words.tokens[first].text.istitle()
    if wind_words(words.say(first, last)) is not None or (side and words.norm(first + 1) in {"of", ","}):
        return True
    return _is_empty(words, first, last)


def _is_kind(words: Words, first: int, last: int) -> bool:
    """True for a kind that stands in small letters, in part at least ("Thai food")."""
    small = any(token.text.islower() for token in words.tokens[first:last])
    text = words.say(first, last)
    return small and words.known.name(text) < SURE and words.known.kinds.knows(text)


def _is_empty(words: Words, first: int, last: int) -> bool:
    """True for words in small letters that have no meaning of their own ("reach", "next")."""
    tokens = words.tokens[first:last]
    small = all(token.text.islower() or not token.is_word or token.text == "I" for token in tokens)
    return small and all(token.norm in glue() | word_list("verbs") for token in tokens)


def _ends(words: Words, first: int, last: int) -> list[int]:
    """Where the name may end, the last one first: all of it; without what is said behind it."""
    ends = [last] if last > first else []
    cues = [cue for cue in words.of("filler", "after", "ask", "pick", "fact") if first < cue.first < last]
    filler = min([cue.first for cue in cues if cue.family in {"filler", "after"}], default=last)
    cut = min([cue.first for cue in cues if _cuts(words, cue)], default=last)
    for end in (last, filler, cut):
        stripped = _without_tail(words, first, end)
        if stripped > first:
            ends.append(stripped)
    return sorted(set(ends), reverse=True)


def _without_tail(words: Words, first: int, last: int) -> int:
    """Where a name ends without the empty words and signs behind it."""
    while last > first and words.norm(last - 1) in word_list("tail"):
        last -= 1
    return last


def _cuts(words: Words, cue: Cue) -> bool:
    return cue.family == "pick" or words.norm(cue.first - 1) in word_list("before_cut")


def _broken_off(words: Words, first: int, last: int) -> Iterator[int]:
    """Earlier ends, behind which the words go on in small letters or with a sign; the last one first."""
    for end in range(last - 1, first, -1):
        if words.tokens[end].text.islower() or _is_pause(words, end):
            yield end - (words.norm(end - 1) == "," and end - 1 > first)


def _is_pause(words: Words, index: int) -> bool:
    """True for a possessive and for a sign with a blank or nothing behind it, commas aside."""
    token = words.tokens[index]
    ends = index + 1 == len(words) or words.tokens[index + 1].start > token.end
    return token.text == "'s" or (not token.is_word and token.norm != "," and ends)


def may_begin(words: Words, index: int, *, small: bool) -> bool:
    """True for a capital, for "5th" of "5th Street", and for any word in a text without capitals."""
    token = words.tokens[index]
    goes_on = index + 1 < len(words) and words.tokens[index + 1].capital
    if not token.is_word or (token.norm in glue() and (small or (token.initial and not goes_on))):
        return False
    return small or token.capital or (token.text[0].isdigit() and goes_on)


def _known_end(words: Words, first: int, *, small: bool, least: float) -> int:
    """Where the longest name the map knows ends that begins here; `first` if none does.

    It ends with its sentence, unless the map knows one that goes on ("Ahoy! Bar").
    In a text without capitals (`small`) it has two words at least, for any word may be somebody's name;
    unless it stands out ("Westport: total area of the parks?").
    """
    if not may_begin(words, first, small=small):
        return first
    asides = {index for cue in words.of("filler") for index in range(cue.first, cue.last)}
    stop = words.sentence_end(first)
    shortest = first + 1 if not small or _stands_out(words, first) else first + 2
    for end in range(min(first + _LONGEST_NAME, len(words)), shortest - 1, -1):
        ends_well = words.norm(end - 1) not in _SIGNS and end - 1 not in asides
        quality = words.known.name(words.say(first, end)) if ends_well else 0.0
        whole = end <= stop and words.norm(end - 1) != "'s"
        if quality >= EXACT or (quality >= least and whole):
            return end
    return first


def _stands_out(words: Words, index: int) -> bool:
    """True for a word with a capital that a sign, "'s" or "has" follows."""
    follows = words.norm(index + 1)
    return words.tokens[index].text[0].isupper() and (
        follows in _SIGNS - {"."} or follows in word_list("owns")
    )
