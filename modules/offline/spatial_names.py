"""Names in a question over a spatial database: where they end, and where they stand without a lead."""

from collections.abc import Iterator
from dataclasses import dataclass

from map_tools.compute.geodesy import wind_words
from modules.offline.lexicon import Cue, glue
from modules.offline.spatial_words import EXACT, Stretch, Words, word_list

SURE = 0.97
"""From here on the map knows the name."""
DESCRIBED = 0.8
"""The quality of a description in place of a name."""
MOST_BARE = 3
"""Names without a phrase before them that are tried."""
_LONGEST_NAME = 14
_KIND_WORDS = 5
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
    last = min(last, stop)
    while (
        first < last
        and words.norm(first) in word_list("head")
        and words.known.name(words.say(first, last)) < EXACT
    ):
        first += 1
    while first < last and words.norm(last - 1) in _SIGNS:
        last -= 1
    ends = _ends(words, first, last)
    if not ends or _is_no_name(words, first, last):
        return None
    if describes_place(words, first, last):
        return Piece((first, last), words.say(first, last), DESCRIBED)
    for end in (*ends, *_broken_off(words, first, ends[-1])):
        quality = words.known.name(words.say(first, end))
        if quality >= SURE:
            return Piece((first, end), words.say(first, end), quality)
    end = ends[-1]
    return Piece((first, end), words.say(first, end), words.known.name(words.say(first, end)))


def bare_names(words: Words) -> tuple[Stretch, ...]:
    """Names the map knows that stand where no phrase leads on to them ("Old Mill: nearest bank?")."""
    led = {cue.last for cue in words.of("lead")}
    small = not any(token.capital and not token.initial for token in words.tokens)
    found: list[Stretch] = []
    index = 0
    while index < len(words) and len(found) < MOST_BARE:
        end = _known_end(words, index, small=small)
        if end > index and index not in led:
            found.append((index, end))
        index = max(end, index + 1)
    return tuple(found)


def describes_place(words: Words, first: int, last: int) -> bool:
    """True for a kind with a clause where a name would be: "university that has a salamander as mascot"."""
    for index in range(first + 1, min(last, first + _KIND_WORDS)):
        if words.norm(index) in word_list("describing"):
            return words.tokens[first].text.islower() and words.known.kinds.knows(words.say(first, index))
    return False


def _is_no_name(words: Words, first: int, last: int) -> bool:
    """True for a direction ("the west", "south of ...") and for words that name nothing ("reach", "go")."""
    side = wind_words(words.norm(first)) is not None and words.tokens[first].text.islower()
    if wind_words(words.say(first, last)) is not None or (side and words.norm(first + 1) == "of"):
        return True
    small = all(
        words.tokens[index].text.islower() or not words.tokens[index].is_word for index in range(first, last)
    )
    return small and all(words.norm(index) in glue() | word_list("verbs") for index in range(first, last))


def _ends(words: Words, first: int, last: int) -> list[int]:
    """Where the name may end, the last one first: all of it; without what is said behind it."""
    ends = [last] if last > first else []
    cues = [cue for cue in words.of("filler", "after", "ask", "pick", "fact") if first < cue.first < last]
    filler = min([cue.first for cue in cues if cue.family in {"filler", "after"}], default=last)
    cut = min([cue.first for cue in cues if _cuts(words, cue)], default=last)
    for end in (last, filler, cut):
        stripped = end
        while stripped > first and words.norm(stripped - 1) in word_list("tail"):
            stripped -= 1
        if stripped > first:
            ends.append(stripped)
    return sorted(set(ends), reverse=True)


def _cuts(words: Words, cue: Cue) -> bool:
    return cue.family == "pick" or words.norm(cue.first - 1) in word_list("before_cut")


def _broken_off(words: Words, first: int, last: int) -> Iterator[int]:
    """Earlier ends, behind which the words go on in small letters or with a sign; the last one first."""
    for end in range(last - 1, first, -1):
        if words.tokens[end].text.islower() or _is_pause(words, end):
            yield end


def _is_pause(words: Words, index: int) -> bool:
    """True for a possessive and for a sign with a blank or nothing behind it, commas aside."""
    token = words.tokens[index]
    ends = index + 1 == len(words) or words.tokens[index + 1].start > token.end
    return token.text == "'s" or (not token.is_word and token.norm != "," and ends)


def _may_begin(words: Words, index: int, *, small: bool) -> bool:
    """True for a capital, for "5th" of "5th Street", and for any word in a text without capitals."""
    token = words.tokens[index]
    goes_on = index + 1 < len(words) and words.tokens[index + 1].capital
    if not token.is_word or (token.norm in glue() and (small or (token.initial and not goes_on))):
        return False
    return small or token.capital or (token.text[0].isdigit() and goes_on)


def _known_end(words: Words, first: int, *, small: bool) -> int:
    """Where the longest name the map knows ends that begins here; `first` if none does.

    In a text without capitals (`small`) it has two words at least, for any word may be somebody's name.
    """
    if not _may_begin(words, first, small=small):
        return first
    asides = {index for cue in words.of("filler") for index in range(cue.first, cue.last)}
    last = min(first + _LONGEST_NAME, words.sentence_end(first))
    for end in range(last, first + small, -1):
        ends_well = words.norm(end - 1) not in _SIGNS and end - 1 not in asides
        if ends_well and words.known.name(words.say(first, end)) >= SURE:
            return end
    return first
